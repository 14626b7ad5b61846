//! Models that compare with support vectors.

use super::{above, both, combined, greatest, labels, reals, rows, transformation, transformed};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::ops::Results;
use crate::translate::Translator;
use crate::value::Tensor;

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
    if node.floats("prob_a")?.is_some_and(|given| !given.is_empty()) {
        return Err("it gives probabilities of pairs of classes, which are not put together: export it without".into());
    }
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
    if counts.len() != 2 {
        let label = elected(t, &scores, counts.len(), &labels)?;
        return Ok(vec![label, transformed(t, &transformation(node)?, &scores)?]);
    }
    // The only pair votes for the first class where its score is positive.
    let pair = if let [first, second] = labels[..] { [second, first] } else { [1, 0] };
    let label = above(t, &scores, 0.0, pair)?;
    let scores = both(t, &scores, false)?;
    Ok(vec![label, transformed(t, &transformation(node)?, &scores)?])
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
    for first in 0..counts.len() {
        for second in first + 1..counts.len() {
            let mut row = vec![0.0; all];
            for at in begin(first)..begin(first) + counts[first] {
                row[at] = weights[(second - 1) * all + at];
            }
            for at in begin(second)..begin(second) + counts[second] {
                row[at] = weights[first * all + at];
            }
            rows.extend(row);
        }
    }
    Ok(rows)
}

/// The class that most pairs vote for.
fn elected(t: &mut Translator<'_>, scores: &Tensor, classes: usize, labels: &[i64]) -> Result<Tensor, String> {
    let count = classes * (classes - 1) / 2;
    let (mut wins, mut losses) = (vec![0.0; classes * count], vec![0.0; classes]);
    let mut pair = 0;
    for first in 0..classes {
        for second in first + 1..classes {
            wins[first * count + pair] = 1.0;
            wins[second * count + pair] = -1.0;
            losses[second] += 1.0;
            pair += 1;
        }
    }
    let is_won = t.compared("math.gt", scores, &Tensor::real(0.0))?;
    let won = t.as_real(&is_won);
    let votes = combined(t, &won, &wins, &losses)?;
    Ok(greatest(t, &votes, labels))
}
