//! How often short sequences of a list occur in longer ones.

use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Known, Tensor, made};

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "TfIdfVectorizer" => one(count_grams(t, node)),
        _ => None,
    }
}

/// Sequences of one length, with the columns that count them.
#[derive(Debug, PartialEq)]
struct Grams {
    length: usize,
    /// One behind the other.
    items: Vec<i64>,
    columns: Vec<i64>,
}

/// The sequences by their lengths.
fn grams(counts: &[i64], pool: &[i64], columns: &[i64]) -> Result<Vec<Grams>, String> {
    let mut all = Vec::new();
    let mut first = 0;
    for (at, begin) in counts.iter().enumerate() {
        let length = at + 1;
        let end = counts.get(at + 1).copied().unwrap_or(pool.len() as i64);
        let range = usize::try_from(*begin).ok().zip(usize::try_from(end).ok());
        let items =
            range.and_then(|(begin, end)| pool.get(begin..end)).ok_or("its `ngram_counts` do not fit its pool")?;
        let count = items.len() / length;
        let columns = columns.get(first..first + count).ok_or("its `ngram_indexes` are too few")?;
        first += count;
        all.push(Grams { length, items: items[..count * length].to_vec(), columns: columns.to_vec() });
    }
    Ok(all)
}

fn count_grams(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let required = |name: &str| -> Result<Vec<i64>, String> {
        node.ints(name)?.ok_or_else(|| format!("its `{name}` are missing"))
    };
    let columns = required("ngram_indexes")?;
    let all = grams(&required("ngram_counts")?, &required("pool_int64s")?, &columns)?;
    let (least, most) = (node.int_or("min_gram_length", 1)?, node.int_or("max_gram_length", 1)?);
    let skips = node.int_or("max_skip_count", 0)?;
    let width = columns.iter().max().map_or(0, |most| most.saturating_add(1)).max(0);
    let (batch, length) = match &tensor.shape[..] {
        [length] => (Extent::from(1), length.known()),
        [batch, length] => (batch.clone(), length.known()),
        _ => return Err(format!("its operand has {} dimensions, where 1 or 2 are expected", tensor.rank())),
    };
    let length =
        length.ok_or("its sequences have a length that only a run knows: import the model with a fixed one")?;
    let rows = t.reshaped(&tensor, vec![batch.clone(), length.into()])?;
    let mut sum = t.filled(&Tensor::real(0.0), vec![batch, width.into()])?;
    for grams in all.iter().filter(|grams| (least..=most).contains(&(grams.length as i64)) && !grams.columns.is_empty())
    {
        // Single items are not affected by what is skipped.
        let last = if grams.length == 1 { 1 } else { skips.saturating_add(1) };
        for step in 1..=last {
            // Those that are longer than the whole occur nowhere.
            let Some(counted) = counted(t, &rows, length, grams, (step, width))? else { break };
            sum = t.binary("math.add", &sum, &counted)?;
        }
    }
    let weighted = weighted(t, node, &sum, width)?;
    let outer = &tensor.shape[..tensor.rank() - 1];
    t.reshaped(&weighted, [outer, &[width.into()]].concat())
}

/// How often sequences occur whose items stand `step` after each other, by columns.
fn counted(
    t: &mut Translator<'_>,
    rows: &Tensor,
    length: i64,
    grams: &Grams,
    (step, width): (i64, i64),
) -> Result<Option<Tensor>, String> {
    let starts = length.saturating_sub(step.saturating_mul(grams.length as i64 - 1));
    if starts < 1 {
        return Ok(None);
    }
    let all = occurrences(t, rows, starts, grams, step)?;
    let hits = t.as_real(&all);
    let along = super::reductions::Along { axes: vec![2], are_kept: false };
    let counts = t.reduced("math.sum_reduce", &hits, &along);
    let matrix = columns(grams, width)?;
    t.product(&counts, &matrix).map(Some)
}

/// Whether each sequence begins at each of so many starts.
fn occurrences(t: &mut Translator<'_>, rows: &Tensor, starts: i64, grams: &Grams, step: i64) -> Result<Tensor, String> {
    let batch = rows.shape[0].clone();
    let mut all: Option<Tensor> = None;
    for at in 0..grams.length {
        let begin = Extent::from((at as i64).saturating_mul(step));
        let part = super::slices::Part { axis: 1, begin, step: 1, extent: starts.into() };
        let seen = t.sliced(rows, &[part]);
        let seen = t.unsqueezed(&seen, &[1], vec![batch.clone(), 1.into(), starts.into()]);
        let items = grams.items.iter().skip(at).step_by(grams.length).map(|item| Extent::from(*item)).collect();
        let wanted = Tensor::known(ElementType::Int64, vec![1, grams.columns.len(), 1], Known::Ints(items));
        let is_equal = t.compared("math.eq", &seen, &wanted)?;
        all = Some(match all {
            Some(all) => t.compared("math.and", &all, &is_equal)?,
            None => is_equal,
        });
    }
    all.ok_or_else(|| "its sequences have no items".into())
}

/// Which column counts which sequence; a column may count several.
fn columns(grams: &Grams, width: i64) -> Result<Tensor, String> {
    let count = grams.columns.len();
    let mut matrix = vec![0.0; made(&[count as i64, width])?];
    for (at, column) in grams.columns.iter().enumerate() {
        let column = usize::try_from(*column).map_err(|_| "one of its `ngram_indexes` is negative")?;
        matrix[at * width as usize + column] = 1.0;
    }
    Ok(Tensor::known(ElementType::Float, vec![count, width as usize], Known::Reals(matrix)))
}

fn weighted(t: &mut Translator<'_>, node: &Node<'_>, counts: &Tensor, width: i64) -> Result<Tensor, String> {
    let weights = match node.floats("weights")? {
        Some(weights) if weights.len() >= width as usize => Some(weights[..width as usize].to_vec()),
        Some(weights) => return Err(format!("its weights are {}, where {width} are expected", weights.len())),
        None => None,
    };
    let mode = node.string_or("mode", "TF")?;
    let frequency = match mode.as_str() {
        "TF" => return Ok(counts.clone()),
        "TFIDF" => counts.clone(),
        "IDF" => {
            let occurs = t.compared("math.gt", counts, &Tensor::real(0.0))?;
            t.as_real(&occurs)
        }
        other => return Err(format!("its `mode` is `{other}`, where TF, IDF or TFIDF is expected")),
    };
    match weights {
        Some(weights) => {
            let weights = Tensor::known(ElementType::Float, vec![1, width as usize], Known::Reals(weights));
            t.binary("math.mul", &frequency, &weights)
        }
        None => Ok(frequency),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_stand_by_their_lengths() {
        let found = grams(&[0, 2], &[7, 8, 1, 2, 3, 4], &[0, 1, 2, 3]).unwrap();
        assert_eq!(found[0], Grams { length: 1, items: vec![7, 8], columns: vec![0, 1] });
        assert_eq!(found[1], Grams { length: 2, items: vec![1, 2, 3, 4], columns: vec![2, 3] });
        assert!(grams(&[0, 9], &[7, 8], &[0, 1]).is_err() && grams(&[0], &[7, 8], &[0]).is_err());
    }
}
