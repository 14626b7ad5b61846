//! Branches and loops that can't be composed.

use super::graphs::tensors;
use super::{shape_text, shape_texts};
use crate::compose::tensors::TensorType;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

pub(crate) fn yielded_null(span: Span) -> Diagnostic {
    Diagnostic::error(Code::OptionalNotResolved, span, "a yielded result must not be null")
        .with_label("null here")
        .with_help("give it a fallback: `x ?? y`, or test it: `if ?x then ... else ...`")
}

pub(crate) fn condition_type(found: &TensorType, span: Span) -> Diagnostic {
    let found = shape_text(found);
    Diagnostic::error(Code::ConditionType, span, format!("a condition must be bool of volume 1, found {found}"))
        .with_label(found)
        .with_help("one truth value of several: `math.any_reduce` or `math.all_reduce`")
}

pub(crate) fn condition_count(found: usize, span: Span) -> Diagnostic {
    Diagnostic::error(Code::ConditionType, span, format!("a condition gives one tensor, found {found} results"))
}

pub(crate) fn branch_results((first, other): (usize, usize), (first_span, span): (Span, Span)) -> Diagnostic {
    let message = format!("all branches must give as many tensors: expected {first}, found {other}");
    Diagnostic::error(Code::BranchResults, span, message)
        .with_label(tensors(other as i64))
        .with_related(first_span, tensors(first as i64))
}

pub(crate) fn branch_types(first: &TensorType, other: &TensorType, (first_span, span): (Span, Span)) -> Diagnostic {
    let (first, other) = (shape_text(first), shape_text(other));
    let message = format!("all branches must give the same types and ranks: expected {first}, found {other}");
    Diagnostic::error(Code::BranchResults, span, message).with_label(other).with_related(first_span, first)
}

pub(crate) fn scan_lengths(first: (&str, usize), other: (&str, usize), span: Span) -> Diagnostic {
    let message = format!(
        "all packs of a loop must have as many items: `{}` runs over {}, `{}` over {}",
        first.0, first.1, other.0, other.1
    );
    Diagnostic::error(Code::LoopLengths, span, message).with_label(format!("{} items", other.1))
}

pub(crate) fn scan_is_no_pack(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::LoopPack, span, format!("`{name}` must run over a pack, found a single value"))
        .with_help("put tensors into brackets: `[x, y]`")
}

pub(crate) fn loop_without_end(span: Span) -> Diagnostic {
    Diagnostic::error(Code::LoopCount, span, "the loop needs a condition, a count or a pack to run over")
}

pub(crate) fn loop_count(count: i64, available: usize, span: Span) -> Diagnostic {
    let message = format!("the loop runs {count} times, but its packs have {available} items");
    Diagnostic::error(Code::LoopCount, span, message)
        .with_help(format!("the count may be smaller than the number of items, not greater: at most {available}"))
}

pub(crate) fn negative_count(count: i64, span: Span) -> Diagnostic {
    Diagnostic::error(Code::LoopCount, span, format!("a loop can't run {count} times"))
}

pub(crate) fn count_type(found: &TensorType, span: Span) -> Diagnostic {
    let found = shape_text(found);
    let d = Diagnostic::error(
        Code::LoopCount,
        span,
        format!("a loop count must be an int without dimensions, found {found}"),
    )
    .with_label(found.clone());
    if found.starts_with("int") {
        return d.with_help("`layout.squeeze{axes=[0]}` takes a dimension of extent 1 away");
    }
    d
}

pub(crate) fn unroll_count(span: Span) -> Diagnostic {
    Diagnostic::error(Code::UnrollCount, span, "a loop can only be unrolled as often as is known when composing")
        .with_help("use `do` for a loop that the run ends")
}

pub(crate) fn unrolled_condition(span: Span) -> Diagnostic {
    Diagnostic::error(Code::UnrollCount, span, "a loop with a condition can't be unrolled").with_help("use `do`")
}

pub(crate) fn loop_results(carried: usize, found: usize, span: Span) -> Diagnostic {
    let message = format!("the loop carries {carried} tensors, its body gives {found} results");
    Diagnostic::error(Code::LoopResults, span, message).with_help("the first results become the carried tensors")
}

pub(crate) fn carried_type(name: &str, expected: &TensorType, found: &[TensorType], span: Span) -> Diagnostic {
    let changes = found.iter().all(|ty| ty.dtype == expected.dtype && ty.shape.len() == expected.shape.len());
    let (expected, found) = (shape_text(expected), shape_texts(found));
    let d = Diagnostic::error(
        Code::LoopResults,
        span,
        format!("`{name}` is carried as {expected}, the body gives {found}"),
    )
    .with_label(format!("the new value of `{name}` is {found}"));
    if changes {
        return d.with_help("an extent that changes from iteration to iteration is declared as `~|bound`");
    }
    d.with_help("the first results of the body are the new values of the tensors after `with`, in this order")
}

pub(crate) fn carried_bound(name: &str, dimension: usize, last: i64, bound: i64, span: Span) -> Diagnostic {
    let message = format!("dimension {dimension} of `{name}` is declared as at most {bound}, and becomes {last}");
    Diagnostic::error(Code::LoopGrowth, span, message).with_label(format!("the new value of `{name}`"))
}

pub(crate) fn unbounded_growth(
    name: &str,
    dimension: usize,
    symbol: &str,
    (before, after): (&TensorType, &TensorType),
    span: Span,
) -> Diagnostic {
    let (dtype, rank) = (before.dtype.keyword(), before.shape.len());
    let extents: Vec<String> = before
        .shape
        .iter()
        .enumerate()
        .map(|(at, e)| if at == dimension { "~|100".into() } else { e.to_string() })
        .collect();
    let extent = |ty: &TensorType| ty.shape.get(dimension).map_or_else(String::new, |extent| extent.value.to_string());
    let message = format!(
        "dimension {dimension} of `{name}` changes in each iteration, and nothing tells how great it can become"
    );
    let d = Diagnostic::error(Code::LoopGrowth, span, message)
        .with_note(format!("it is {} at first; an iteration makes {} of {symbol}", extent(before), extent(after)))
        .with_help(format!("declare an upper bound: `with {name}: {dtype}[{}] = ...`", extents.join(", ")));
    if rank == 0 { d } else { d.with_label(format!("the new value of `{name}`")) }
}

pub(crate) fn carried_pack(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::LoopResults, span, format!("`{name}` is a pack: a loop carries single tensors"))
        .with_help("carry the items one by one, or one tensor that holds them")
}

pub(crate) fn loop_result_pack(number: usize, span: Span) -> Diagnostic {
    let message = format!("result {number} of the loop's body is a pack: expected a single tensor");
    Diagnostic::error(Code::LoopResults, span, message)
        .with_help("each iteration gives one tensor per result, and the loop makes packs of them")
}

pub(crate) fn scanned_types(first: &TensorType, other: &TensorType, span: Span) -> Diagnostic {
    let (first, other) = (shape_text(first), shape_text(other));
    let message = format!("the tensors of a pack have one type and rank, found {first} and {other}");
    Diagnostic::error(Code::LoopPack, span, message).with_help("`unroll` in place of `do` takes them one by one")
}

pub(crate) fn scan_output_length(span: Span) -> Diagnostic {
    let message = "a loop that gives one tensor per iteration needs a count or a pack to run over";
    Diagnostic::error(Code::LoopCount, span, message)
        .with_label("nothing tells how many there can be")
        .with_help("write the greatest number on the left, as in `ys..(100) = ...`, or a count: `do..(100)`")
}
