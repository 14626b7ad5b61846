//! Windows that slide over dimensions: what the language leaves to a rule is written out.

use super::Call;
use skriptnd_language::compose::extent::Extent;

/// Windows along some dimensions.
pub struct Windows {
    pub size: Vec<i64>,
    pub stride: Vec<i64>,
    pub dilation: Vec<i64>,
    /// Elements before each dimension, then behind each of them; none is negative.
    pub padding: Vec<i64>,
}

impl Windows {
    /// Of these sizes over dimensions of these extents; none where a padding is negative or depends on an extent that only a run
    /// knows.
    pub fn of(call: &Call<'_>, size: Vec<i64>, extents: &[&Extent]) -> Option<Windows> {
        let (stride, dilation) = (call.ints("stride")?, call.ints("dilation")?);
        let count = size.len();
        if count == 0 || [stride.len(), dilation.len(), extents.len()].iter().any(|length| *length != count) {
            return None;
        }
        let span: Vec<i64> = (0..count).map(|at| (size[at] - 1) * dilation[at] + 1).collect();
        let rounds_up = call.holds("ceil_mode");
        let mut padding = match call.value("padding") {
            Some(_) => call.ints("padding")?,
            None => automatic(call, &span, &stride, extents)?,
        };
        if padding.len() != 2 * count {
            return None;
        }
        if rounds_up {
            for at in 0..count {
                let known = extents[at].as_known()?;
                let rest = (known + padding[at] + padding[count + at] - span[at]).rem_euclid(stride[at]);
                padding[count + at] += if rest == 0 { 0 } else { stride[at] - rest };
            }
        }
        padding.iter().all(|padding| *padding >= 0).then_some(Windows { size, stride, dilation, padding })
    }
}

/// Such that there is a window for each `stride`-th element.
fn automatic(call: &Call<'_>, span: &[i64], stride: &[i64], extents: &[&Extent]) -> Option<Vec<i64>> {
    let rounds_up = call.holds("ceil_mode");
    let total = |at: usize| match (extents[at].as_known(), stride[at]) {
        (_, 1) => Some(span[at] - 1),
        (Some(extent), stride) => {
            let windows = if rounds_up { -(-extent).div_euclid(stride) } else { extent.div_euclid(stride) };
            Some((windows - 1) * stride + span[at] - extent)
        }
        (None, _) => None,
    };
    let totals = (0..span.len()).map(total).collect::<Option<Vec<_>>>()?;
    Some(aligned(call, &totals))
}

/// What is added at both ends, of which there is an odd element at one.
pub fn aligned(call: &Call<'_>, totals: &[i64]) -> Vec<i64> {
    let is_upper = call.text("padding_align") == Some("UPPER");
    let before = totals.iter().map(|total| if is_upper { total.div_euclid(2) } else { -(-total).div_euclid(2) });
    let before: Vec<i64> = before.collect();
    let after = totals.iter().zip(&before).map(|(total, before)| total - before);
    before.iter().copied().chain(after).collect()
}
