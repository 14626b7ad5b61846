//! The messages of the interpreter, one constructor each.

use super::formula::FormulaFault;
use super::symbols::Symbols;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::formula::TensorRef;
use skriptnd_language::compose::graph::{self, Graph, Operation, RuntimeAssert};
use skriptnd_language::fault::Fault;
use skriptnd_runtime::tensor::volume;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic, Diagnostics};

/// Turns a message about an operation into a list, with the way from the graph to the operation.
pub(super) fn at(operation: &Operation, diagnostic: Diagnostic) -> Diagnostics {
    let mut diagnostic = diagnostic;
    diagnostic.chain.extend(operation.chain.iter().cloned());
    one(diagnostic)
}

/// The graph contradicts itself in an operation.
pub(super) fn contradiction(operation: &Operation, reason: &str) -> Diagnostics {
    at(operation, inconsistent(operation.span, reason))
}

pub(super) fn one(diagnostic: Diagnostic) -> Diagnostics {
    let mut list = Diagnostics::default();
    list.push(diagnostic);
    list
}

pub(super) fn input_count(span: Span, expected: usize, found: usize) -> Diagnostic {
    Diagnostic::error(Code::InputCount, span, format!("the graph has {expected} inputs; the number given is {found}"))
}

pub(super) fn missing_input(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::MissingInput, span, format!("no value is given for input `{name}`"))
        .with_label("this input has no default")
        .with_help(format!("give a file: `--input {name}=FILE`"))
}

pub(super) fn pack_length(span: Span, name: &str, expected: &str, found: usize) -> Diagnostic {
    let message = format!("input `{name}` is a pack of {expected} tensors; the number given is {found}");
    Diagnostic::error(Code::PackLength, span, message)
        .with_label("declared here")
        .with_help(format!("all tensors of a pack are given at once: `--input {name}=FILE,FILE`"))
}

pub(super) fn missing_item(span: Span, place: usize, length: usize) -> Diagnostic {
    Diagnostic::error(Code::IndexRange, span, format!("index {place} is outside of a pack of {length} items"))
}

pub(super) fn uneven_pack(span: Span, name: &str, reason: &str) -> Diagnostic {
    Diagnostic::error(Code::ShapeMismatch, span, format!("input `{name}` is a pack of tensors that differ: {reason}"))
        .with_label("declared here")
        .with_help("`--bind` gives the length of the pack a value; then items may differ")
}

pub(super) fn wrong_type(span: Span, what: &str, expected: &str, found: &str) -> Diagnostic {
    let numpy = match expected {
        "real" => "float32",
        "int" => "int64",
        _ => "bool",
    };
    Diagnostic::error(Code::TypeMismatch, span, format!("{what} must be {expected}, but {found} is given"))
        .with_label(format!("declared as {expected} here"))
        .with_help(format!("convert the array, as by `array.astype(\"{numpy}\")`, or declare {found}"))
}

pub(super) fn not_stored(span: Span, role: &str, name: &str, reason: &str) -> Diagnostic {
    Diagnostic::error(Code::TypeMismatch, span, format!("{role} `{name}`: {reason}"))
        .with_label("declared here")
        .with_help("`--storage` says how it is stored")
}

/// `known`: the shape, if no run determines anything of it.
pub(super) fn wrong_shape(
    span: Span,
    what: &str,
    (expected, known): (&str, Option<Vec<usize>>),
    found: &[usize],
) -> Diagnostic {
    let wrong = format!("{what} must have shape {expected}, but {found:?} is given");
    let diagnostic = Diagnostic::error(Code::ShapeMismatch, span, wrong).with_label("declared here");
    match known.filter(|known| volume(known) == volume(found)) {
        Some(known) => {
            diagnostic.with_help(format!("it has as many elements: `array.reshape({known:?})` may be meant"))
        }
        None => diagnostic.with_help("give an array of this shape, or declare another one"),
    }
}

pub(super) fn unreadable_variable(span: Span, name: &str, reason: &str) -> Diagnostic {
    Diagnostic::error(Code::UnreadableVariable, span, format!("variable `{name}`: {reason}"))
        .with_label("declared here")
        .with_help(format!("give its file: `--variable {name}=FILE`, or any values: `--random-variables 1`"))
}

pub(super) fn no_kernel(span: Span, operator: &str) -> Diagnostic {
    let message = format!("operator `{operator}` has neither a formula nor a composition, and is not built in");
    Diagnostic::error(Code::NoKernel, span, message)
        .with_label("invoked here")
        .with_help("give the operator a @lower or a @compose block")
}

pub(super) fn failed_kernel(span: Span, operator: &str, reason: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidOperand, span, format!("`{operator}`: {reason}")).with_label("invoked here")
}

pub(super) fn invocations_too_deep(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(Code::NestingLimit, span, format!("operators invoke each other deeper than the limit of {limit}"))
        .with_label("the next level")
}

pub(super) fn undefined_attribute(span: Span, name: &str) -> Diagnostic {
    Fault::undefined_attribute(name).diagnostic(span, &[])
}

pub(super) fn undefined_formula(span: Span, operator: &str) -> Diagnostic {
    let message = format!("the formula of `{operator}` has no value for the extents of this run");
    Diagnostic::error(Code::UndefinedAttribute, span, message)
        .with_label("an index beyond its pack, a division by zero, or a number beyond 64 bits")
}

pub(super) fn unknown_extent(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(Code::UnknownExtent, span, format!("{what} depends on an extent that no input determines"))
        .with_help("give its value with --bind EXTENT=VALUE")
}

pub(super) fn failed_assertion(assertion: &RuntimeAssert, symbols: &Symbols) -> Diagnostic {
    let diagnostic = assertion.violation.diagnostic(&|value| symbols.resolve(value));
    with_extents(diagnostic, &assertion.condition, symbols)
}

/// A condition that divides by zero for these extents.
pub(super) fn undefined_condition(assertion: &RuntimeAssert, symbols: &Symbols) -> Diagnostic {
    let fault = Fault::undefined_condition(&assertion.condition.to_string());
    let mut diagnostic = fault.diagnostic(assertion.violation.span, &[]);
    diagnostic.chain.clone_from(&assertion.violation.chain);
    with_extents(diagnostic, &assertion.condition, symbols)
}

/// Adds the values of an expression's symbols.
fn with_extents(diagnostic: Diagnostic, expression: &SymExpr, symbols: &Symbols) -> Diagnostic {
    let mut notes: Vec<String> = Vec::new();
    expression.symbols(&mut |name| {
        let value = symbols.evaluate(&SymExpr::Symbol(name.clone()));
        let note = value.map(|value| format!("in this run, {name} = {value}"));
        let shown = |note: &String| diagnostic.notes.iter().any(|other| note.ends_with(&format!(", {other}")));
        notes.extend(note.filter(|note| !notes.contains(note) && !shown(note)));
    });
    notes.into_iter().fold(diagnostic, Diagnostic::with_note)
}

/// Tells which inputs the extents of an input come from.
pub(super) fn with_sources(
    diagnostic: Diagnostic,
    (graph, symbols): (&Graph, &Symbols),
    declared: &graph::Tensor,
) -> Diagnostic {
    let mut notes = Vec::new();
    for extent in &declared.ty.shape {
        let SymExpr::Symbol(name) = &extent.value else { continue };
        let inputs = graph.inputs.iter().flat_map(|port| port.tensors.items());
        let mut sources = inputs.map(|id| graph.tensor(*id)).filter_map(|tensor| {
            let dimension = tensor.ty.shape.iter().position(|other| other.value == extent.value)?;
            Some((tensor, dimension))
        });
        match (sources.next(), symbols.evaluate(&extent.value)) {
            (Some((tensor, dimension)), Some(value)) if tensor.name != declared.name => {
                notes.push(format!("{name} = {value}, from dimension {dimension} of input `{}`", tensor.name));
            }
            _ => {}
        }
    }
    notes.into_iter().fold(diagnostic, Diagnostic::with_note)
}

pub(super) fn result_shape(span: Span, name: &str, expected: &str, found: &[usize]) -> Diagnostic {
    let message = format!("`{name}` has shape {found:?}, but it is declared as {expected}");
    Diagnostic::error(Code::ShapeMismatch, span, message).with_label("computed here")
}

pub(super) fn memory_limit(span: Span, needed: usize, limit: usize) -> Diagnostic {
    let message = format!("the run would need {needed} bytes for tensors; the limit is {limit}");
    Diagnostic::error(Code::MemoryLimit, span, message)
}

pub(super) fn condition_volume(span: Span, found: &[usize]) -> Diagnostic {
    let message = format!("a condition must be one truth value, but its shape is {found:?}");
    Diagnostic::error(Code::ConditionShape, span, message)
}

/// A carried tensor that grows beyond what is declared.
pub(super) fn carried_extent(span: Span, name: &str, dimension: usize, found: i64, declared: &Extent) -> Diagnostic {
    let expected = match (declared.as_known(), declared.bound) {
        (None, Some(bound)) => format!("at most {bound}"),
        _ => declared.value.to_string(),
    };
    let message =
        format!("dimension {dimension} of the carried tensor `{name}` must be {expected}, but becomes {found}");
    Diagnostic::error(Code::LoopGrowth, span, message).with_label("in an iteration of this loop")
}

pub(super) fn timeout(span: Span) -> Diagnostic {
    Diagnostic::error(Code::TimeLimit, span, "the time limit of the run is exceeded here")
}

pub(super) fn inconsistent(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::error(Code::InconsistentGraph, span, format!("the composed graph contradicts itself: {reason}"))
        .with_help("this is a fault of the compiler, not of the model; please report it")
}

/// `name_of` gives the name that a tensor has in the operator's definition.
pub(super) fn formula(span: Span, fault: &FormulaFault, name_of: impl Fn(TensorRef) -> String) -> Diagnostic {
    match fault {
        FormulaFault::OutOfRange { tensor, dimension, index, extent } => {
            Fault::index_outside(&name_of(*tensor), *dimension, Some(*extent)).diagnostic(span, &[*index])
        }
        FormulaFault::Undefined { op, left, right } => Fault::undefined(*op).diagnostic(span, &[*left, *right]),
        FormulaFault::TooDeep(limit) => {
            Diagnostic::error(Code::NestingLimit, span, format!("the formula nests deeper than the limit of {limit}"))
        }
        FormulaFault::Timeout => timeout(span),
        FormulaFault::Memory(count) => {
            Diagnostic::error(Code::MemoryLimit, span, format!("there is no memory for a tensor of {count} elements"))
        }
        FormulaFault::Strings => {
            let message = "tensors of strings can't be computed: expected elements of type real, int or bool";
            Diagnostic::error(Code::StringTensor, span, message)
                .with_help("strings are for attributes and helper symbols: give it as an attribute")
        }
        FormulaFault::Inconsistent(reason) => inconsistent(span, reason),
    }
}
