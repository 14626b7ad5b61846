//! Formulas that can't be made, and constants.

use crate::compose::env::Env;
use crate::compose::extent::SymExpr;
use crate::compose::limits;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};
use skriptnd_syntax::ast::{AssignOp, Expr, Name, Param};

/// An index outside of its tensor in some iteration.
pub(crate) struct Outside {
    /// As it would be written.
    pub(crate) index: String,
    /// Smallest and largest value.
    pub(crate) range: (i128, i128),
    pub(crate) dimension: usize,
    pub(crate) extent: i64,
    /// Which index it takes the place of, if it is what another one is remapped to.
    pub(crate) replaces: Option<&'static str>,
}

pub(crate) fn access_outside_lower(span: Span) -> Diagnostic {
    Diagnostic::error(Code::AccessOutsideLower, span, "elements of a tensor can only be accessed within `@lower`")
        .with_help("an item of a pack of tensors is chosen by one index")
}

pub(crate) fn guard_outside_lower(span: Span) -> Diagnostic {
    Diagnostic::error(Code::GuardOutsideLower, span, "guarded indices `|i|` exist only within `@lower`")
}

pub(crate) fn index_count(found: usize, rank: usize, span: Span) -> Diagnostic {
    let message = format!("the tensor has {rank} dimensions, the access has {found} indices");
    Diagnostic::error(Code::IndexCount, span, message)
}

pub(crate) fn index_outside(outside: &Outside, span: Span) -> Diagnostic {
    let Outside { index, range: (low, high), dimension, extent, replaces } = outside;
    let values = if low == high { "is".to_owned() } else { format!("runs from {low} to {high}, which is") };
    let replaced = replaces.map_or_else(String::new, |other| format!(", which replaces {other},"));
    let message =
        format!("index `{index}`{replaced} {values} outside of dimension {dimension}, whose extent is {extent}");
    Diagnostic::error(Code::IndexOutOfRange, span, message)
        .with_label("leaves the tensor")
        .with_help("an index that may be outside must be guarded: `|i|` skips, `|i <> a : b|` remaps")
}

pub(crate) fn index_type(found: &Term, span: Span) -> Diagnostic {
    Diagnostic::error(Code::IndexType, span, format!("an index must be int, found {}", found.describe()))
}

pub(crate) fn runtime_index(span: Span) -> Diagnostic {
    Diagnostic::error(Code::RunTimeIndex, span, "the items of this pack can't be chosen by an index of the run")
        .with_help("let a loop over the pack's length choose them")
}

pub(crate) fn dynamic_slice(extent: &SymExpr, span: Span) -> Diagnostic {
    let message = format!("a part of a dimension needs a known extent, and `{extent}` is known only at run time");
    Diagnostic::error(Code::DynamicSlice, span, message).with_help("take all of it: `:`")
}

pub(crate) fn nested_access(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NestedPack, span, "several elements of each tensor of a pack: packs don't nest")
        .with_label("a pack of packs")
        .with_help("choose a tensor of the pack first: `xs[k][i,:]`")
}

pub(crate) fn too_many_iterations(loops: &[(String, i64)], span: Span) -> Diagnostic {
    let extents = loops.iter().map(|(name, extent)| format!("`{name} < {extent}`")).collect::<Vec<_>>().join(", ");
    let message = format!("{extents}: more iterations than the limit of 2 ** {}", limits::ITERATIONS.ilog2());
    Diagnostic::error(Code::IterationLimit, span, message).with_label("would not end in any reasonable time")
}

pub(crate) fn too_many_choices(found: usize, limit: usize, span: Span) -> Diagnostic {
    let message =
        format!("the run chooses among {found} items that are not known when composing; the limit is {limit}");
    Diagnostic::error(Code::ChoiceLimit, span, message).with_help("let a loop over the pack's length choose them")
}

pub(crate) fn target_is_no_output(span: Span) -> Diagnostic {
    Diagnostic::error(Code::TargetIsNoOutput, span, "the left side must be an access to an output")
        .with_label("not an output's element")
}

pub(crate) fn packed_assignment_lengths(targets: usize, values: u64, span: Span) -> Diagnostic {
    let message = format!("{targets} elements are assigned to, the right side has {values} values");
    Diagnostic::error(Code::PackLengths, span, message)
}

pub(crate) fn assigned_type(found: &Term, expected: ScalarType, op: AssignOp, span: Span) -> Diagnostic {
    let message =
        format!("the right side of `{}` must be {}, found {}", op.symbol(), expected.keyword(), found.describe());
    Diagnostic::error(Code::AssignedType, span, message).with_help(format!("convert it: {}(...)", expected.keyword()))
}

pub(crate) fn accumulated_type(op: AssignOp, dtype: ScalarType, span: Span) -> Diagnostic {
    let message = format!("`{}` is not defined for {}", op.symbol(), dtype.keyword());
    Diagnostic::error(Code::AccumulatedType, span, message)
}

pub(crate) fn assigned_again(span: Span) -> Diagnostic {
    Diagnostic::error(Code::AssignedAgain, span, "an output takes one `=` and after it one other assignment, no more")
        .with_label("one assignment too many")
}

pub(crate) fn not_initialised(op: AssignOp, span: Span) -> Diagnostic {
    let message = format!("`{}` updates an output that has no initial value", op.symbol());
    Diagnostic::error(Code::NotInitialised, span, message)
        .with_label("nothing to start from")
        .with_help("initialise it with `=` before; only `+=`, `*=`, `&=` and `|=` have a value to start from")
}

pub(crate) fn output_without_formula(output: &Name) -> Diagnostic {
    let message = format!("no formula of `@lower` computes all of output `{}`", output.text);
    Diagnostic::error(Code::OutputNotAssigned, output.span, message)
}

/// The first optional name that the expression fails for is named.
pub(crate) fn optional_not_resolved(expr: &Expr, env: &Env) -> Diagnostic {
    let mut absent = None;
    crate::compose::analysis::names::uses(expr, &mut |name| {
        if absent.is_none() && env.get(name) == Some(&Term::Null) {
            absent = Some(name.clone());
        }
    });
    let d = match &absent {
        Some(name) => Diagnostic::error(
            Code::OptionalNotResolved,
            expr.span,
            format!("the expression is null here, because `{name}` is optional and absent"),
        ),
        None => Diagnostic::error(Code::OptionalNotResolved, expr.span, "the expression is null here"),
    };
    d.with_label("null").with_help("give it a fallback with `??`")
}

pub(crate) fn too_many_loops(count: usize, span: Span) -> Diagnostic {
    let limit = limits::RANK;
    Diagnostic::error(Code::LoopLimit, span, format!("{count} index symbols in one statement; the limit is {limit}"))
}

pub(crate) fn unroll_needs_count(span: Span) -> Diagnostic {
    Diagnostic::error(Code::UnrollCount, span, "`unroll` in `@lower` needs a count")
        .with_help("write `unroll..(k -> n)`")
}

pub(crate) fn unroll_limit(count: i64, span: Span) -> Diagnostic {
    let limit = limits::UNROLL_COUNT;
    Diagnostic::error(Code::UnrollLimit, span, format!("{count} iterations are unrolled; the limit is {limit}"))
}

pub(crate) fn negative_loop(name: &str, extent: i64, span: Span) -> Diagnostic {
    Diagnostic::error(Code::NegativeLoop, span, format!("the bound of `{name}` is negative: {extent}"))
}

pub(crate) fn formula_too_large(span: Span) -> Diagnostic {
    let message = format!(
        "the formula is too large: the limits are {} assignments and {} nodes of expressions",
        limits::ASSIGNMENTS,
        limits::FORMULA_NODES
    );
    Diagnostic::error(Code::FormulaLimit, span, message)
}

pub(crate) fn constant_without_value(param: &Param) -> Diagnostic {
    Diagnostic::error(Code::ConstantValue, param.span, format!("constant `{}` has no value", param.name.text))
        .with_help("write `= value` after its type")
}

pub(crate) fn constant_pack_length(param: &Param, expected: usize, found: u64) -> Diagnostic {
    let message =
        format!("constant `{}` is a pack of {expected} tensors, its value has {found} items", param.name.text);
    Diagnostic::error(Code::PackLengths, param.span, message)
}

pub(crate) fn constant_volume(param: &Param, volume: Option<i64>, found: u64) -> Diagnostic {
    let elements =
        volume.map_or_else(|| "a number of elements that only the run knows".into(), |v| format!("{v} elements"));
    let message = format!("constant `{}` has {elements}, its value has {found} items", param.name.text);
    Diagnostic::error(Code::ConstantVolume, param.span, message)
}

pub(crate) fn constant_bounds(param: &Param, bounds: &[i64], shape: &[i64]) -> Diagnostic {
    let message =
        format!("the index symbols of constant `{}` run over {bounds:?}, its shape is {shape:?}", param.name.text);
    Diagnostic::error(Code::ConstantBounds, param.span, message)
}

pub(crate) fn constant_too_large(param: &Param) -> Diagnostic {
    let message = format!(
        "constant `{}` is given element by element and has more than {} elements, or extents that only the run knows",
        param.name.text,
        limits::CONSTANT_ELEMENTS
    );
    Diagnostic::error(Code::ConstantLimit, param.span, message)
}

pub(crate) fn default_type(param: &Param, expected: ScalarType, found: &Term) -> Diagnostic {
    let span = param.value.as_ref().map_or(param.span, |value| value.span);
    let message = format!(
        "the value of `{}` must be {}, found {} ({found})",
        param.name.text,
        expected.keyword(),
        found.describe()
    );
    Diagnostic::error(Code::ValueType, span, message)
}
