//! Sums of products by an equation: each step is a product of matrices.

use super::reductions::Along;
use super::{Results, one};
use crate::extent::{Extent, volume};
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Einsum" => one(einsum(t, node)),
        _ => None,
    }
}

/// A letter of an equation, or a dimension of its ellipsis, counted from the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Letter(char),
    Ellipsis(usize),
}

/// A tensor whose dimensions have labels.
#[derive(Debug, Clone)]
struct Term {
    tensor: Tensor,
    labels: Vec<Label>,
}

impl Term {
    fn extent(&self, label: Label) -> Option<&Extent> {
        self.labels.iter().position(|found| *found == label).map(|at| &self.tensor.shape[at])
    }
}

fn einsum(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let equation: String = node.string_or("equation", "")?.chars().filter(|letter| !letter.is_whitespace()).collect();
    let (left, right) = match equation.split_once("->") {
        Some((left, right)) => (left, Some(right)),
        None => (equation.as_str(), None),
    };
    let parts: Vec<&str> = left.split(',').collect();
    let tensors = node.tensors()?;
    if parts.len() != tensors.len() {
        return Err(format!("its equation has {} terms, but it has {} operands", parts.len(), tensors.len()));
    }
    let mut terms = Vec::new();
    for (part, tensor) in parts.iter().zip(tensors) {
        let labels = labels(part, Some(tensor.rank()))?;
        terms.push(without_repetitions(t, Term { tensor: tensor.clone(), labels })?);
    }
    let wide = terms.iter().flat_map(|term| &term.labels).filter_map(|label| match label {
        Label::Ellipsis(at) => Some(at + 1),
        Label::Letter(_) => None,
    });
    let ellipsis = wide.max().unwrap_or(0);
    let result = match right {
        Some(right) => labels_of(right, ellipsis)?,
        None => implied(left, ellipsis),
    };
    contracted(t, terms, &result)
}

/// The labels of a term; those of its ellipsis follow from the number of dimensions.
fn labels(part: &str, rank: Option<usize>) -> Result<Vec<Label>, String> {
    let letters = part.chars().filter(|letter| *letter != '.').count();
    let rank = rank.unwrap_or(letters);
    let has_ellipsis = part.contains("...");
    if rank < letters || !has_ellipsis && rank != letters {
        return Err(format!("its term `{part}` has {letters} letters, but the operand {rank} dimensions"));
    }
    labels_of(part, rank - letters)
}

fn labels_of(part: &str, ellipsis: usize) -> Result<Vec<Label>, String> {
    let letters = |text: &str| -> Result<Vec<Label>, String> {
        match text.chars().find(|letter| !letter.is_ascii_alphabetic()) {
            Some(other) => Err(format!("its equation has `{other}` in the term `{part}`, where letters are expected")),
            None => Ok(text.chars().map(Label::Letter).collect()),
        }
    };
    match part.split_once("...") {
        Some((before, behind)) => {
            let between: Vec<Label> = (0..ellipsis).rev().map(Label::Ellipsis).collect();
            Ok([letters(before)?, between, letters(behind)?].concat())
        }
        None => letters(part),
    }
}

/// The result of an equation that names none: the ellipsis, then letters that stand once, in their order.
fn implied(left: &str, ellipsis: usize) -> Vec<Label> {
    let mut once: Vec<char> = left.chars().filter(char::is_ascii_alphabetic).collect();
    once.sort_unstable();
    let is_single = |letter: &&char| once.iter().filter(|other| other == letter).count() == 1;
    let letters = once.iter().filter(is_single).map(|letter| Label::Letter(*letter));
    (0..ellipsis).rev().map(Label::Ellipsis).chain(letters).collect()
}

/// A letter that stands twice takes the diagonal.
fn without_repetitions(t: &mut Translator<'_>, mut term: Term) -> Result<Term, String> {
    while let Some((first, second)) = repeated(&term.labels) {
        if term.tensor.shape[first].differs_from(&term.tensor.shape[second]) {
            return Err("a letter of its equation stands for two extents".into());
        }
        let rank = term.tensor.rank();
        let rest: Vec<usize> = (0..rank).filter(|at| *at != first && *at != second).collect();
        let perm = [&rest[..], &[first, second]].concat();
        let moved = t.transposed(&term.tensor, &perm);
        let shape = moved.shape[..rank - 1].to_vec();
        let tensor = t.call("onnx.diagonal").on(&moved).gives(moved.element, shape);
        let labels = rest.iter().chain([&first]).map(|at| term.labels[*at]).collect();
        term = Term { tensor, labels };
    }
    Ok(term)
}

fn repeated(labels: &[Label]) -> Option<(usize, usize)> {
    (0..labels.len()).find_map(|second| {
        let first = labels[..second].iter().position(|label| *label == labels[second])?;
        Some((first, second))
    })
}

/// The product of all terms, summed over what the result has not.
fn contracted(t: &mut Translator<'_>, terms: Vec<Term>, result: &[Label]) -> Result<Tensor, String> {
    let mut terms = terms.into_iter();
    let mut product = terms.next().ok_or("its equation has no terms")?;
    let mut rest: Vec<Term> = terms.collect();
    while !rest.is_empty() {
        let next = rest.remove(0);
        let is_needed = |label: &Label| result.contains(label) || rest.iter().any(|term| term.labels.contains(label));
        product = multiplied(t, product, next, &is_needed)?;
    }
    let product = summed(t, product, &|label| result.contains(label));
    let perm = result.iter().map(|label| product.labels.iter().position(|found| found == label));
    let perm: Vec<usize> =
        perm.collect::<Option<_>>().ok_or("the result of its equation has a letter that no operand has")?;
    Ok(t.transposed(&product.tensor, &perm))
}

/// Sums over labels that are not kept.
fn summed(t: &mut Translator<'_>, term: Term, keeps: &dyn Fn(&Label) -> bool) -> Term {
    let axes: Vec<usize> = (0..term.labels.len()).filter(|at| !keeps(&term.labels[*at])).collect();
    let labels = term.labels.iter().filter(|label| keeps(label)).copied().collect();
    let tensor = t.reduced("math.sum_reduce", &term.tensor, &Along { axes, are_kept: false });
    Term { tensor: t.wrapped(tensor), labels }
}

/// Drops dimensions of extent 1 that the other term repeats.
fn without_ones(t: &mut Translator<'_>, term: Term, other: &Term) -> Term {
    let is_one = |label: &Label| {
        let of_other = other.extent(*label).and_then(Extent::known);
        term.extent(*label).and_then(Extent::known) == Some(1) && other.extent(*label).is_some() && of_other != Some(1)
    };
    let dropped: Vec<i64> = (0..term.labels.len()).filter(|at| is_one(&term.labels[*at])).map(|at| at as i64).collect();
    if dropped.is_empty() {
        return term;
    }
    let kept: Vec<usize> = (0..term.labels.len()).filter(|at| !dropped.contains(&(*at as i64))).collect();
    let shape = kept.iter().map(|at| term.tensor.shape[*at].clone()).collect();
    let labels = kept.iter().map(|at| term.labels[*at]).collect();
    let tensor = t.call("layout.squeeze").ints("axes", dropped).on(&term.tensor).gives(term.tensor.element, shape);
    Term { tensor, labels }
}

/// The labels that both terms have, for the same extents.
fn shared(left: &Term, right: &Term) -> Result<Vec<Label>, String> {
    let shared: Vec<Label> = left.labels.iter().filter(|label| right.labels.contains(label)).copied().collect();
    let differ = |label: &Label| {
        let extents = left.extent(*label).zip(right.extent(*label));
        extents.is_some_and(|(first, second)| first.differs_from(second))
    };
    if shared.iter().any(differ) {
        return Err("a letter of its equation stands for two extents".into());
    }
    Ok(shared)
}

/// The product of two terms, summed over labels that are not needed.
fn multiplied(
    t: &mut Translator<'_>,
    left: Term,
    right: Term,
    is_needed: &dyn Fn(&Label) -> bool,
) -> Result<Term, String> {
    let left = without_ones(t, left, &right);
    let right = without_ones(t, right, &left);
    // What only one of them has is summed before it is multiplied.
    let left = summed(t, left, &|label| is_needed(label) || right.labels.contains(label));
    let right = summed(t, right, &|label| is_needed(label) || left.labels.contains(label));
    let shared = shared(&left, &right)?;
    let (batch, sums): (Vec<Label>, Vec<Label>) = shared.into_iter().partition(is_needed);
    if sums.is_empty() {
        return spread(t, &left, &right);
    }
    let own = |term: &Term, other: &Term| -> Vec<Label> {
        term.labels.iter().filter(|label| !other.labels.contains(label)).copied().collect()
    };
    let (rows, columns) = (own(&left, &right), own(&right, &left));
    let (first, flips_left) = matrices(t, &left, &batch, &rows, &sums)?;
    let (second, flips_right) = matrices(t, &right, &batch, &sums, &columns)?;
    let extents = |term: &Term, labels: &[Label]| -> Vec<Extent> {
        labels.iter().filter_map(|label| term.extent(*label).cloned()).collect()
    };
    let outer = extents(&left, &batch);
    let (height, width) = (extents(&left, &rows), extents(&right, &columns));
    let shape = [&outer[..], &[volume(&height), volume(&width)]].concat();
    let product = flipped_product(t, &first, &second, (flips_left, flips_right), shape);
    let tensor = t.reshaped(&product, [outer, height, width].concat())?;
    Ok(Term { tensor, labels: [batch, rows, columns].concat() })
}

/// A term as matrices of two groups of labels, in each place of the batch; whether they are transposed.
fn matrices(
    t: &mut Translator<'_>,
    term: &Term,
    batch: &[Label],
    rows: &[Label],
    columns: &[Label],
) -> Result<(Tensor, bool), String> {
    let place = |label: &Label| term.labels.iter().position(|found| found == label);
    let perm = |labels: [&[Label]; 3]| -> Vec<usize> { labels.concat().iter().filter_map(place).collect() };
    let flipped = perm([batch, columns, rows]);
    // Matrices that lie transposed stay so: their product takes them like that.
    let is_flipped =
        !rows.is_empty() && !columns.is_empty() && flipped.iter().enumerate().all(|(at, axis)| at == *axis);
    let moved =
        if is_flipped { term.tensor.clone() } else { t.transposed(&term.tensor, &perm([batch, rows, columns])) };
    let (first, second) = if is_flipped { (columns, rows) } else { (rows, columns) };
    let outer = &moved.shape[..batch.len()];
    let middle = batch.len() + first.len();
    let heights = volume(&moved.shape[batch.len()..middle]);
    let widths = volume(&moved.shape[middle..middle + second.len()]);
    let shape = [outer, &[heights, widths]].concat();
    Ok((t.reshaped(&moved, shape)?, is_flipped))
}

fn flipped_product(
    t: &mut Translator<'_>,
    left: &Tensor,
    right: &Tensor,
    (flips_left, flips_right): (bool, bool),
    shape: Vec<Extent>,
) -> Tensor {
    let element = left.element;
    if element.is_real() {
        let mut call = t.call("linalg.matmul");
        call = if flips_left { call.flag("transA", true) } else { call };
        call = if flips_right { call.flag("transB", true) } else { call };
        return call.on(left).on(right).gives(element, shape);
    }
    let turned = |t: &mut Translator<'_>, tensor: &Tensor, flips: bool| {
        let rank = tensor.rank();
        let perm: Vec<usize> = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
        if flips { t.transposed(tensor, &perm) } else { tensor.clone() }
    };
    let (left, right) = (turned(t, left, flips_left), turned(t, right, flips_right));
    let product = t.call("linalg.matmul").on(&left).on(&right).gives(element, shape);
    t.wrapped(product)
}

/// The product of two terms without a sum: each element of one by each of the other, where labels agree.
fn spread(t: &mut Translator<'_>, left: &Term, right: &Term) -> Result<Term, String> {
    let new = right.labels.iter().filter(|label| !left.labels.contains(label));
    let labels: Vec<Label> = left.labels.iter().chain(new).copied().collect();
    let aligned = |t: &mut Translator<'_>, term: &Term| {
        let perm: Vec<usize> =
            labels.iter().filter_map(|label| term.labels.iter().position(|found| found == label)).collect();
        let moved = t.transposed(&term.tensor, &perm);
        let missing: Vec<usize> = (0..labels.len()).filter(|at| !term.labels.contains(&labels[*at])).collect();
        let shape = labels.iter().map(|label| term.extent(*label).cloned().unwrap_or(Extent::from(1))).collect();
        if missing.is_empty() { moved } else { t.unsqueezed(&moved, &missing, shape) }
    };
    let (first, second) = (aligned(t, left), aligned(t, right));
    let product = t.binary("math.mul", &first, &second)?;
    Ok(Term { tensor: t.wrapped(product), labels })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_follow_from_the_equation() {
        let letters = |text: &str| text.chars().map(Label::Letter).collect::<Vec<_>>();
        assert_eq!(labels("ij", Some(2)), Ok(letters("ij")));
        let ellipsis = [Label::Ellipsis(1), Label::Ellipsis(0), Label::Letter('i')];
        assert_eq!(labels("...i", Some(3)), Ok(ellipsis.to_vec()));
        assert!(labels("ij", Some(3)).is_err() && labels("i1", Some(2)).is_err());
        assert_eq!(implied("kj,ji", 0), letters("ik"));
        assert_eq!(repeated(&letters("bii")), Some((1, 2)));
    }
}
