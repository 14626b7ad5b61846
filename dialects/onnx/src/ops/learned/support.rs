//! Models that compare with support vectors.

use super::{above, both, combined, greatest, labels, reals, rows, transformation, transformed};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::ops::Results;
use crate::translate::Translator;
use crate::value::Tensor;

/// No class of a pair is less likely.
const LEAST_SHARE: f64 = 1e-7;

/// How alike each row is to each of so many support vectors.
fn kernel(t: &mut Translator<'_>, node: &Node<'_>, rows: &Tensor, count: usize) -> Result<Tensor, String> {
    let vectors = node.floats("support_vectors")?.ok_or("its `support_vectors` are missing")?;
    let features = vectors.len() / count.max(1);
    if features == 0 || features * count != vectors.len() {
        return Err(format!("its {} numbers of support vectors are no multiple of {count}", vectors.len()));
    }
    let vectors = reals(&vectors, vec![count, features]);
    let parameters = node.floats("kernel_params")?.unwrap_or_default();
    let parameter = |at: usize| Tensor::real(parameters.get(at).copied().unwrap_or(0.0));
    let shape = vec![rows.shape[0].clone(), Extent::from(count as i64)];
    let kind = node.string_or("kernel_type", "LINEAR")?;
    if kind == "RBF" {
        let distances = t.call("onnx.row_distances").on(rows).on(&vectors).gives(ElementType::Float, shape);
        let scaled = t.binary("math.mul", &distances, &parameter(0))?;
        let negative = t.unary("math.neg", &scaled);
        return Ok(t.unary("math.exp", &negative));
    }
    let products = t.call("nn.linear").on(rows).on(&vectors).gives(ElementType::Float, shape);
    if kind == "LINEAR" {
        return Ok(products);
    }
    let scaled = t.binary("math.mul", &products, &parameter(0))?;
    let shifted = t.binary("math.add", &scaled, &parameter(1))?;
    match kind.as_str() {
        "POLY" => t.binary("math.pow", &shifted, &parameter(2)),
        "SIGMOID" => Ok(t.unary("math.tanh", &shifted)),
        other => Err(format!("its `kernel_type` is `{other}`")),
    }
}

pub(super) fn regressor(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let rows = rows(t, node)?;
    let weights = node.floats("coefficients")?.ok_or("its `coefficients` are missing")?;
    let rho = node.floats("rho")?.unwrap_or_default();
    let added = rho.first().copied().unwrap_or(0.0);
    let alike = match node.int_or("n_supports", 0)? {
        count @ 1.. => kernel(t, node, &rows, count as usize)?,
        _ => rows,
    };
    let scores = combined(t, &alike, &weights, &[added])?;
    if node.flag("one_class", false)? {
        let inside = t.compared("math.gt", &scores, &Tensor::real(0.0))?;
        let label = t.select(&inside, &Tensor::real(1.0), &Tensor::real(-1.0))?;
        return Ok(Tensor { element: ElementType::Float, ..label });
    }
    transformed(t, &transformation(node)?, &scores)
}

pub(super) fn classifier(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let rows = rows(t, node)?;
    let labels = labels(node, "classlabels_ints")?;
    let weights = node.floats("coefficients")?.ok_or("its `coefficients` are missing")?;
    let rho = node.floats("rho")?.unwrap_or_default();
    let per_class = node.ints("vectors_per_class")?.unwrap_or_default();
    if per_class.is_empty() {
        let added = rho.first().copied().unwrap_or(0.0);
        let scores = combined(t, &rows, &weights, &[added])?;
        let result = transformed(t, &transformation(node)?, &scores)?;
        return Ok(vec![greatest(t, &scores, &labels), result]);
    }
    let counts: Vec<usize> = per_class.iter().map(|count| usize::try_from(*count).unwrap_or(0)).collect();
    let alike = kernel(t, node, &rows, counts.iter().sum())?;
    let pairs = pairs(&counts, &weights)?;
    let scores = combined(t, &alike, &pairs, &rho)?;
    let is_only = counts.len() == 2;
    // The only pair votes for the first class where its score is positive.
    let pair = if let [first, second] = labels[..] { [second, first] } else { [1, 0] };
    let label = if is_only { above(t, &scores, 0.0, pair)? } else { elected(t, &scores, counts.len(), &labels)? };
    let scores = match node.floats("prob_a")? {
        Some(factors) if !factors.is_empty() => likely(t, node, &scores, &factors, counts.len())?,
        _ if is_only => both(t, &scores, false)?,
        _ => scores,
    };
    Ok(vec![label, transformed(t, &transformation(node)?, &scores)?])
}

/// How likely each class is, from the scores of pairs.
fn likely(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    scores: &Tensor,
    factors: &[f64],
    classes: usize,
) -> Result<Tensor, String> {
    let count = classes * (classes - 1) / 2;
    let added = node.floats("prob_b")?.unwrap_or_default();
    if factors.len() != count || added.len() != count {
        let (given, others) = (factors.len(), added.len());
        return Err(format!(
            "its {given} numbers `prob_a` and {others} `prob_b` are not those of {count} pairs of classes"
        ));
    }
    let scaled = t.binary("math.mul", scores, &reals(factors, vec![count]))?;
    let shifted = t.binary("math.add", &scaled, &reals(&added, vec![count]))?;
    let opposite = t.unary("math.neg", &shifted);
    let share = t.unary("nn.sigmoid", &opposite);
    let share = t.binary("math.max", &share, &Tensor::real(LEAST_SHARE))?;
    let share = t.binary("math.min", &share, &Tensor::real(1.0 - LEAST_SHARE))?;
    let (mut weights, mut rest) = (vec![0.0; classes * classes * count], vec![0.0; classes * classes]);
    for (pair, (first, second)) in pairs_of(classes).enumerate() {
        weights[(first * classes + second) * count + pair] = 1.0;
        weights[(second * classes + first) * count + pair] = -1.0;
        rest[second * classes + first] = 1.0;
    }
    let both = combined(t, &share, &weights, &rest)?;
    let rows = scores.shape[0].clone();
    let extent = Extent::from(classes as i64);
    let both = t.reshaped(&both, vec![rows.clone(), extent.clone(), extent.clone()])?;
    Ok(t.call("onnx.couple_pairs").on(&both).gives(ElementType::Float, vec![rows, extent]))
}

/// Classes of which each is paired with those behind it.
fn pairs_of(classes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..classes).flat_map(move |first| (first + 1..classes).map(move |second| (first, second)))
}

/// The weights of all support vectors for each pair of classes.
fn pairs(counts: &[usize], weights: &[f64]) -> Result<Vec<f64>, String> {
    let all: usize = counts.iter().sum();
    if weights.len() != (counts.len().max(1) - 1) * all {
        return Err(format!(
            "it has {} coefficients for {all} support vectors of {} classes",
            weights.len(),
            counts.len()
        ));
    }
    let begin = |class: usize| counts[..class].iter().sum::<usize>();
    let mut rows = Vec::new();
    for (first, second) in pairs_of(counts.len()) {
        let mut row = vec![0.0; all];
        for at in begin(first)..begin(first) + counts[first] {
            row[at] = weights[(second - 1) * all + at];
        }
        for at in begin(second)..begin(second) + counts[second] {
            row[at] = weights[first * all + at];
        }
        rows.extend(row);
    }
    Ok(rows)
}

/// The class that most pairs vote for.
fn elected(t: &mut Translator<'_>, scores: &Tensor, classes: usize, labels: &[i64]) -> Result<Tensor, String> {
    let count = classes * (classes - 1) / 2;
    let (mut wins, mut losses) = (vec![0.0; classes * count], vec![0.0; classes]);
    for (pair, (first, second)) in pairs_of(classes).enumerate() {
        wins[first * count + pair] = 1.0;
        wins[second * count + pair] = -1.0;
        losses[second] += 1.0;
    }
    let is_won = t.compared("math.gt", scores, &Tensor::real(0.0))?;
    let won = t.as_real(&is_won);
    let votes = combined(t, &won, &wins, &losses)?;
    Ok(greatest(t, &votes, labels))
}
