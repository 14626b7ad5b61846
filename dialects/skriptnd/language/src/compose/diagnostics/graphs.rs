//! Graphs and compositions that can't be made.

use crate::compose::extent::SymExpr;
use crate::compose::limits;
use crate::compose::tensors::{Argument, TensorType};
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use crate::compose::violation::{Violation, extent, message, words};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic, Frame, nearest};
use skriptnd_syntax::ast::{DtypeParam, Name, Operator, Param};

pub(crate) fn no_main_graph(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NoGraph, span, "the main module defines no graph")
        .with_help("define one: graph Name { @input { ... } @output { ... } @compose { ... } }")
}

/// Nothing that a user can cause.
pub(crate) fn silent_failure(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NoGraph, span, "the graph could not be composed, and nothing says why")
        .with_help("this is a fault of the compiler, not of the model; please report it")
}

pub(crate) fn no_such_graph<'a>(name: &str, graphs: impl Iterator<Item = &'a str> + Clone, span: Span) -> Diagnostic {
    let d = Diagnostic::error(Code::NoSuchGraph, span, format!("the main module defines no graph `{name}`"));
    let all = graphs.clone().collect::<Vec<_>>().join(", ");
    match nearest(name, graphs) {
        Some(nearest) => d.with_help(format!("did you mean `{nearest}`? its graphs are {all}")),
        None => d.with_help(format!("its graphs are {all}")),
    }
}

pub(crate) fn unknown_operator<'a>(name: &str, known: impl Iterator<Item = &'a str>, span: Span) -> Diagnostic {
    let d = Diagnostic::error(Code::UnknownOperator, span, format!("there is no operator `{name}`"))
        .with_label("not defined or not imported");
    match nearest(name, known) {
        Some(nearest) => d.with_help(format!("did you mean `{nearest}`?")),
        None => d,
    }
}

pub(crate) fn unknown_graph_attribute(name: &str, graph: &Operator) -> Diagnostic {
    let message = format!("the graph has no attribute `{name}`");
    let names = graph.attributes.iter().map(|param| &*param.name.text);
    let help = match nearest(name, names.clone()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if graph.attributes.is_empty() => "it has no attributes".to_owned(),
        None => format!("its attributes are {}", names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
    };
    Diagnostic::error(Code::UnknownAttribute, graph.name.span, message).with_help(help)
}

pub(crate) fn graph_attribute_type(param: &Param, expected: ScalarType, found: &Term) -> Diagnostic {
    let (name, expected) = (&param.name.text, expected.keyword());
    let message =
        format!("the value for attribute `{name}` of the graph must be {expected}, found {}", found.describe());
    let example = match expected {
        "int" => "2",
        "real" => "0.5",
        "bool" => "true",
        _ => "'\"text\"'",
    };
    let example = if param.spec.pack.is_some() { format!("[{example}, {example}]") } else { example.to_owned() };
    Diagnostic::error(Code::AttributeType, param.span, message)
        .with_label(format!("declared as {expected}"))
        .with_help(format!("a value of this type is given as in `--attr {name}={example}`"))
}

/// What comes from outside has not been looked at by anybody: `at` is the item that differs from the first.
pub(crate) fn mixed_attribute(param: &Param, at: usize, item: &Term) -> Diagnostic {
    let message = format!("item {at} of the value for attribute `{}` is {}", param.name.text, item.describe());
    Diagnostic::error(Code::AttributeType, param.span, message)
        .with_help("the items of a pack are single values of one type; packs don't nest")
}

pub(crate) fn graph_attribute_missing(param: &Param) -> Diagnostic {
    let message = format!("attribute `{}` of the graph needs a value", param.name.text);
    Diagnostic::error(Code::MissingAttribute, param.span, message)
        .with_label("no default")
        .with_help(format!("give it on the command line: `--attr {}=...`, or declare a default", param.name.text))
}

pub(crate) fn unknown_graph_type(name: &str, graph: &Operator) -> Diagnostic {
    let names = graph.dtypes.iter().map(|generic| format!("`{}`", generic.name.text)).collect::<Vec<_>>().join(", ");
    let help = match names.is_empty() {
        true => "it has no generic types".to_owned(),
        false => format!("its generic types are {names}"),
    };
    Diagnostic::error(Code::UnknownType, graph.name.span, format!("the graph has no generic type `{name}`"))
        .with_help(help)
}

pub(crate) fn graph_type_missing(generic: &DtypeParam) -> Diagnostic {
    let name = &generic.name.text;
    Diagnostic::error(Code::GraphTypeMissing, generic.span, format!("which type does `{name}` of the graph stand for?"))
        .with_label("no default")
        .with_help(format!("give it on the command line: `--dtype {name}=real`, or declare a default"))
}

/// `known` are the dynamic extents.
pub(crate) fn unknown_symbol<'a>(name: &str, span: Span, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let message = format!("no input of the graph has a dynamic extent `{name}`");
    let diagnostic = Diagnostic::error(Code::UnknownExtent, span, message);
    let known: Vec<&str> = known.collect();
    match (nearest(name, known.iter().copied()), known.as_slice()) {
        (Some(nearest), _) => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        (None, []) => {
            diagnostic.with_help("such extents are written with a bound, `n|100`; attributes are given by `--attr`")
        }
        (None, known) => diagnostic.with_help(format!("its dynamic extents are {}", known.join(", "))),
    }
}

pub(crate) fn extent_beyond_bound(name: &str, value: i64, bound: i64, span: Span) -> Diagnostic {
    let message = format!("extent `{name}` is fixed to {value}; it must be between 0 and its bound {bound}");
    Diagnostic::error(Code::ExtentBound, span, message)
        .with_label("declared here")
        .with_help(format!("`--bind {name}={bound}` is the largest value; beyond it, declare a larger bound"))
}

/// `name` is none for `~`; `nearest` is an attribute that it may be a misspelling of.
pub(crate) fn extent_without_bound(name: Option<&str>, nearest: Option<&str>, span: Span) -> Diagnostic {
    let shown = name.unwrap_or("~");
    let message = format!("dynamic extent `{shown}` of the main graph needs an upper bound");
    let diagnostic = Diagnostic::error(Code::ExtentBound, span, message).with_label("of any size");
    match (name, nearest) {
        (Some(name), Some(nearest)) => {
            diagnostic.with_help(format!("did you mean `{nearest}`? An extent that varies is written `{name}|100`"))
        }
        (Some(name), None) => diagnostic.with_help(format!("write `{name}|100`, or declare `{name}` as an attribute")),
        (None, _) => diagnostic.with_help("write `~|100`, or a fixed extent"),
    }
}

pub(crate) fn bounds_differ(name: &str, first: i64, second: i64, span: Span) -> Diagnostic {
    let message = format!("extent `{name}` has the upper bounds {first} and {second}; they must be the same");
    Diagnostic::error(Code::ExtentBound, span, message)
}

pub(crate) fn shape_missing(param: &Param) -> Diagnostic {
    let message = format!("input `{}` of the main graph needs a shape", param.name.text);
    Diagnostic::error(Code::ShapeMissing, param.span, message)
        .with_help("extents that vary are written with an upper bound: `real[n|100, 3]`")
}

pub(crate) fn rank_missing(param: &Param, span: Span) -> Diagnostic {
    let message = format!("nothing tells the number of dimensions of input `{}` of the main graph", param.name.text);
    Diagnostic::error(Code::RankMissing, span, message)
        .with_label("how many?")
        .with_help("write their number after it: `s|10 ..(3)`")
}

pub(crate) fn recursion(path: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::Recursion, span, format!("`{path}` is composed of itself without end"))
        .with_label("inside itself, with the same attributes and shapes")
        .with_help("a recursion ends by a condition on attributes or shapes: `if n == 0 then ... else ...`")
}

pub(crate) fn invocation_depth(path: &str, span: Span) -> Diagnostic {
    let limit = limits::INVOCATION_DEPTH;
    let message = format!("`{path}` is nested deeper than the limit of {limit} operators");
    Diagnostic::error(Code::InvocationLimit, span, message)
        .with_label("the next level")
        .with_help("a recursion ends by a condition on attributes or shapes: `if n == 0 then ... else ...`")
}

pub(crate) fn too_many_operations(span: Span) -> Diagnostic {
    let limit = limits::OPERATIONS;
    Diagnostic::error(Code::OperationLimit, span, format!("the graph has more operations than the limit of {limit}"))
}

pub(crate) fn too_many_inner_operations(path: &str, span: Span) -> Diagnostic {
    let limit = limits::INNER_OPERATIONS;
    let message = format!("`{path}` has more than {limit} operations inside its operators, which is the limit");
    Diagnostic::error(Code::OperationLimit, span, message)
}

pub(crate) fn too_many_bodies(span: Span) -> Diagnostic {
    let limit = limits::CHECKED_BODIES;
    let message = format!("more than {limit} different uses of operators inside one invocation, which is the limit");
    Diagnostic::error(Code::OperationLimit, span, message)
}

pub(crate) fn tensor_expected(found: &Term, span: Span) -> Diagnostic {
    let message = format!("a tensor or a value for one is expected, found {}", found.describe());
    Diagnostic::error(Code::TensorExpected, span, message)
}

pub(crate) fn result_count(given: usize, names: usize, span: Span) -> Diagnostic {
    let results = if given == 1 { "result" } else { "results" };
    let message = format!("the right side gives {given} {results}, {names} are named on the left");
    Diagnostic::error(Code::ResultCount, span, message).with_help("`~` takes a result that is not needed")
}

pub(crate) fn result_pack_length(name: &Name, expected: i64, found: usize) -> Diagnostic {
    let message = format!("`{}` is declared with {}, the result has {found}", name.text, tensors(expected));
    Diagnostic::error(Code::PackLengths, name.span, message).with_label(format!("the result is a pack of {found}"))
}

/// The names take `fixed` tensors, and `open` of them the rest.
pub(crate) fn result_unpacking((fixed, open): (usize, usize), found: usize, span: Span) -> Diagnostic {
    if open > 1 {
        return Diagnostic::error(
            Code::PackLengths,
            span,
            format!("only one name of a list can take the rest, found {open}"),
        )
        .with_help("give the others a length: `[a..(2), b..]`");
    }
    let least = if open == 1 { "at least " } else { "" };
    let message = format!("the result has {}, the list on the left takes {least}{fixed}", tensors(found as i64));
    let d = Diagnostic::error(Code::PackLengths, span, message).with_label(format!("takes {least}{fixed}"));
    if fixed < found { d.with_help("the last name takes the rest with `..`, and `~` leaves one out") } else { d }
}

pub(crate) fn result_is_no_pack(span: Span) -> Diagnostic {
    Diagnostic::error(Code::ResultKind, span, "expected a pack of tensors on the right, found one tensor")
        .with_label("takes a pack")
        .with_help("write a plain name on the left")
}

pub(crate) fn assigned_twice(name: &Name) -> Diagnostic {
    Diagnostic::error(Code::AssignedTwice, name.span, format!("`{}` has a value already", name.text))
        .with_label("names are assigned once")
        .with_help("choose another name; only blocks and loops may shadow names from outside")
}

pub(crate) fn output_not_assigned(param: &Param) -> Diagnostic {
    Diagnostic::error(
        Code::OutputNotAssigned,
        param.name.span,
        format!("output `{}` is never assigned", param.name.text),
    )
    .with_label("no value")
    .with_help("assign to it in `@compose`")
}

pub(crate) fn output_is_null(param: &Param) -> Diagnostic {
    let message = format!("output `{}` is not optional, its value is null", param.name.text);
    Diagnostic::error(Code::OptionalNotResolved, param.name.span, message)
}

/// `found` are the types that the value can have: those of the branches. `assignment` is where the output gets it.
pub(crate) fn output_type(
    param: &Param,
    declared: &TensorType,
    found: &[TensorType],
    what: &str,
    assignment: Option<Span>,
) -> Diagnostic {
    let (declared, found) = (super::shape_text(declared), super::shape_texts(found));
    let message = format!("output `{}` is declared as {declared}, its value is {found}: {what}", param.name.text);
    let diagnostic =
        Diagnostic::error(Code::OutputType, param.span, message).with_label(format!("declared as {declared}"));
    match assignment {
        Some(span) => diagnostic.with_related(span, format!("the value is {found}")),
        None => diagnostic,
    }
}

/// A dimension of a result is not what is declared.
pub(crate) fn extents_differ(
    name: &str,
    dimension: usize,
    declared: &SymExpr,
    found: &SymExpr,
    span: Span,
) -> Violation {
    let about = format!("dimension {dimension} of `{name}` is ");
    let text = message(vec![words(about), extent(found), words(", declared as "), extent(declared)]);
    Violation::new(Code::ShapeMismatch, span, text)
}

/// Two dimensions that are declared by one name have different extents.
pub(crate) fn shared_extents_differ(
    name: &str,
    (place, found): (&str, &SymExpr),
    (first_place, first): (&str, &SymExpr),
    span: Span,
) -> Violation {
    let pieces = vec![
        words(format!("{place} is ")),
        extent(found),
        words(format!(", declared as `{name}` like {first_place}, which is ")),
        extent(first),
    ];
    Violation::new(Code::ShapeMismatch, span, message(pieces))
}

/// A dimension of a result is above the declared bound.
pub(crate) fn result_above_bound(name: &str, dimension: usize, bound: i64, found: &SymExpr, span: Span) -> Violation {
    let about = format!("dimension {dimension} of `{name}` is ");
    let text = message(vec![words(about), extent(found), words(format!(", declared as at most {bound}"))]);
    Violation::new(Code::ShapeMismatch, span, text)
}

pub(crate) fn output_kind(param: &Param, expected: Option<i64>, found: &Argument) -> Diagnostic {
    let found = match found {
        Argument::Pack(items) => format!("a pack of {}", items.len()),
        _ => "one tensor".to_owned(),
    };
    let expected = match (&param.spec.pack, expected) {
        (Some(_), Some(count)) => format!("a pack of {count}"),
        (Some(_), None) => "a pack".to_owned(),
        (None, _) => "one tensor".to_owned(),
    };
    let message = format!("output `{}` is declared as {expected}, its value is {found}", param.name.text);
    Diagnostic::error(Code::OutputType, param.span, message).with_label(format!("the value is {found}"))
}

pub(crate) fn variable_with_value(param: &Param) -> Diagnostic {
    let span = param.value.as_ref().map_or(param.span, |value| value.span);
    Diagnostic::error(Code::VariableValue, span, format!("variable `{}` must not have a value", param.name.text))
        .with_help("its value is in a file; a fixed value belongs to `@constant`")
}

/// `other` is the type in another invocation of a graph, where variables are shared but for their types.
pub(crate) fn variable_twice(
    file: &str,
    param: &Param,
    invocation: Option<Span>,
    other: Option<&TensorType>,
) -> Diagnostic {
    let name = &param.name.text;
    let message = match other {
        Some(other) => format!(
            "the variable `{name}`, stored in `{file}`, is {} in another invocation of the graph, and differs in this one",
            super::shape_text(other)
        ),
        None => format!("two variables are stored in the file `{file}`"),
    };
    Diagnostic::error(Code::VariableTwice, invocation.unwrap_or(param.span), message)
        .with_label(format!("`{name}` and what else this invocation stores"))
        .with_related(param.span, "the variable is declared here")
        .with_help("labels name the files: give the invocations different ones, `label: operator(...)`")
}

/// `length` is that of a pack of variables.
pub(crate) fn update_of(name: &Name, length: Option<usize>) -> Diagnostic {
    let expected = length.map_or_else(|| "one tensor".to_owned(), |length| format!("a pack of {length} tensors"));
    let message = format!("the new value of the variable `{}` must be {expected}", name.text);
    Diagnostic::error(Code::UpdateType, name.span, message)
}

/// `invocation` is that of the operator with the `@update` block.
pub(crate) fn update_in_region(invocation: Option<&Frame>, statement: Span) -> Diagnostic {
    let operator = invocation.map_or("the block", |frame| frame.operator.as_str());
    let message = format!("`{operator}` updates variables, which a loop or condition of the run can't do");
    Diagnostic::error(Code::UpdateInRegion, invocation.map_or(statement, |frame| frame.span), message)
        .with_label("not part of every run")
        .with_related(statement, "the update")
        .with_help("invoke it outside and choose among its results, or unroll the loop")
}

pub(crate) fn update_type(name: &Name, expected: &TensorType, found: &[TensorType]) -> Diagnostic {
    let (expected, found) = (super::shape_text(expected), super::shape_texts(found));
    Diagnostic::error(
        Code::UpdateType,
        name.span,
        format!("variable `{}` is {expected}, its new value is {found}", name.text),
    )
}

pub(crate) fn declared_type(name: &Name, expected: &TensorType, found: &[TensorType]) -> Diagnostic {
    let (expected, found) = (super::shape_text(expected), super::shape_texts(found));
    let message = format!("`{}` is declared as {expected}, its value is {found}", name.text);
    Diagnostic::error(Code::DeclaredType, name.span, message).with_label(format!("the value is {found}"))
}

pub(crate) fn unknown_tensor<'a>(name: &str, known: impl Iterator<Item = &'a str>, span: Span) -> Diagnostic {
    let d = Diagnostic::error(Code::UnknownTensor, span, format!("there is no tensor `{name}` to quantize"))
        .with_label("unknown tensor");
    match nearest(name, known) {
        Some(nearest) => d.with_help(format!("did you mean `{nearest}`?")),
        None => d.with_help("tensors inside operators are named by labels: `label.tensor`"),
    }
}

pub(crate) fn quantized_open_pack(name: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` is a pack whose length only a run knows; its quantization can't be executed");
    Diagnostic::error(Code::QuantizedLength, span, message)
        .with_label("of open length")
        .with_help("quantize what its items are computed of, or give the extents values")
}

pub(crate) fn private_tensor(name: &str, operator: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` lies inside `{operator}`, which is not public");
    Diagnostic::error(Code::PrivateTensor, span, message).with_label("can't be named from outside").with_help(
        "only variables and constants of other operators can; write `public` before `operator` for all tensors",
    )
}

pub(crate) fn initial_value_type(name: &str, expected: ScalarType, found: &Term, span: Span) -> Diagnostic {
    let message = format!("`{name}` is declared {}, its initial value is {}", expected.keyword(), found.describe());
    Diagnostic::error(Code::ValueType, span, message)
}

pub(crate) fn composition_missing(path: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::NoComposition, span, format!("`{path}` has no `@compose` block"))
}

pub(crate) fn too_many_types(path: &str, (given, declared): (usize, usize), span: Span) -> Diagnostic {
    let message = format!("`{path}` has {declared} generic types, {given} are given");
    Diagnostic::error(Code::TypeCount, span, message)
}

pub(super) fn tensors(count: i64) -> String {
    if count == 1 { "1 tensor".to_owned() } else { format!("{count} tensors") }
}
