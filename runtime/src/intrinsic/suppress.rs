use super::Call;
use crate::tensor::{Tensor, TensorData};

/// Greedy non-maximum suppression: in each batch item and class, boxes by falling score, those left out that overlap
/// one taken before by more than the threshold. The result has a row of batch item, class and box for each one taken.
pub(super) fn nonmax_suppress(call: &Call) -> Result<Vec<Tensor>, String> {
    let (box_shape, boxes) = call.reals(0)?;
    let (score_shape, scores) = call.reals(1)?;
    let (&[batch, count, 4], &[score_batch, classes, score_count]) = (box_shape, score_shape) else {
        return Err(format!("boxes of shape {box_shape:?} and scores of shape {score_shape:?} don't fit"));
    };
    if (batch, count) != (score_batch, score_count) {
        return Err(format!("boxes of shape {box_shape:?} and scores of shape {score_shape:?} don't fit"));
    }
    let centered = call.str("box_format")? == "CENTER";
    let overlap_limit = call.real("iou_threshold")? as f32;
    let score_limit = call.optional_real("score_threshold")?.map(|limit| limit as f32);
    let most = usize::try_from(call.int("max_outputs_per_class")?).unwrap_or(0);

    let mut rows: Vec<i64> = Vec::new();
    for item in 0..batch {
        let corners: Vec<Box> = boxes[item * count * 4..(item + 1) * count * 4]
            .chunks_exact(4)
            .map(|sides| if centered { Box::centered(sides) } else { Box::between(sides) })
            .collect();
        for class in 0..classes {
            let scores = &scores[(item * classes + class) * count..][..count];
            let taken = take(&corners, scores, overlap_limit, score_limit, most);
            rows.extend(taken.into_iter().flat_map(|at| [item as i64, class as i64, at as i64]));
        }
    }
    Ok(vec![Tensor { shape: vec![rows.len() / 3, 3], data: TensorData::I64(rows) }])
}

fn take(boxes: &[Box], scores: &[f32], overlap_limit: f32, score_limit: Option<f32>, most: usize) -> Vec<usize> {
    let mut order: Vec<usize> =
        (0..boxes.len()).filter(|&at| score_limit.is_none_or(|limit| scores[at] > limit)).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let mut taken: Vec<usize> = Vec::new();
    for at in order {
        if taken.len() == most {
            break;
        }
        if taken.iter().all(|&other| boxes[at].overlap(&boxes[other]) <= overlap_limit) {
            taken.push(at);
        }
    }
    taken
}

/// Lower and upper bounds in two dimensions.
struct Box {
    low: [f32; 2],
    high: [f32; 2],
}

impl Box {
    /// Two opposite corners, whichever.
    fn between(sides: &[f32]) -> Box {
        Box {
            low: [sides[0].min(sides[2]), sides[1].min(sides[3])],
            high: [sides[0].max(sides[2]), sides[1].max(sides[3])],
        }
    }

    /// Center, then extents.
    fn centered(sides: &[f32]) -> Box {
        let half = [sides[2] / 2.0, sides[3] / 2.0];
        Box { low: [sides[0] - half[0], sides[1] - half[1]], high: [sides[0] + half[0], sides[1] + half[1]] }
    }

    fn area(&self) -> f32 {
        (self.high[0] - self.low[0]) * (self.high[1] - self.low[1])
    }

    /// Intersection over union; 0 where a box is empty.
    fn overlap(&self, other: &Box) -> f32 {
        let side = |at: usize| (self.high[at].min(other.high[at]) - self.low[at].max(other.low[at])).max(0.0);
        let common = side(0) * side(1);
        if common <= 0.0 { 0.0 } else { common / (self.area() + other.area() - common) }
    }
}
