//! Messages about definitions and names.

use super::plural;
use crate::sema::symbols::SymbolKind;
use crate::sema::types::Type;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

pub(in crate::sema) fn no_graph(span: Span, operators: usize) -> Diagnostic {
    let found = plural(operators, "operator");
    Diagnostic::error(
        Code::NoGraph,
        span,
        format!("the main module has no graph: expected at least one, found {found}"),
    )
    .with_help("define what is to be run: `graph NAME { @input { ... } @output { ... } @compose { ... } }`")
}

/// `result` is something that the graph computes, with its type, for which nobody asks.
pub(in crate::sema) fn no_output(span: Span, name: &str, result: Option<(&str, &Type)>) -> Diagnostic {
    let message =
        format!("the graph `{name}` has no output: expected `@output`, or `@update` of a variable, found neither");
    let declaration = match result {
        Some((result, ty)) => format!("{result}: {};", ty.base),
        None => "NAME: real;".to_string(),
    };
    Diagnostic::error(Code::NoOutput, span, message)
        .with_label("running it gives nothing")
        .with_help(format!("declare what it computes: `@output {{ {declaration} }}`"))
}

pub(in crate::sema) fn duplicate_operator(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error(Code::DuplicateOperator, span, format!("`{name}` is defined twice in this module"))
        .with_label("the second definition")
        .with_related(first, "the first definition")
        .with_help("rename one of them, or move it to another module")
}

pub(in crate::sema) fn duplicate_block(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error(Code::DuplicateBlock, span, format!("the block `@{name}` is there twice"))
        .with_label("the second one")
        .with_related(first, "the first one")
        .with_help("put their contents into one block")
}

pub(in crate::sema) fn graph_with_formula(span: Span, graph: &str) -> Diagnostic {
    Diagnostic::error(Code::GraphWithFormula, span, format!("the graph `{graph}` has a `@lower` block"))
        .with_label("only operators have formulas")
        .with_help("move the formula to an operator and invoke it in `@compose`")
}

pub(in crate::sema) fn reserved_name(span: Span) -> Diagnostic {
    Diagnostic::error(Code::ReservedName, span, "the name `_` is reserved")
        .with_help("write `~` for a result that isn't needed")
}

pub(in crate::sema) fn duplicate_name(
    span: Span,
    name: &str,
    kind: SymbolKind,
    first: SymbolKind,
    place: Span,
) -> Diagnostic {
    let message = match kind == first {
        true => format!("`{name}` is declared twice as {}", kind.phrase()),
        false => format!("`{name}` is declared as {} and is {} already", kind.phrase(), first.phrase()),
    };
    Diagnostic::error(Code::DuplicateName, span, message)
        .with_label("declared again")
        .with_related(place, format!("{} here", first.phrase()))
        .with_help("every name of a definition must be unique: rename one of them")
}

pub(in crate::sema) fn undeclared(span: Span, name: &str, nearest: Option<&str>, in_formula: bool) -> Diagnostic {
    let diagnostic = Diagnostic::error(Code::UndeclaredIdentifier, span, format!("`{name}` is not declared"))
        .with_label("unknown name");
    if matches!(name, "None" | "null" | "nil" | "nullptr" | "NULL") {
        return diagnostic.with_help(
            "there is no word for a missing value: leave out the attribute, and write `~` for an input that is left out",
        );
    }
    let truth = ["true", "false"].into_iter().find(|word| name.eq_ignore_ascii_case(word));
    match truth.or(nearest) {
        Some(nearest) => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        None if in_formula => {
            diagnostic.with_help(format!("index symbols are declared after the assignment: `..., {name} < extent;`"))
        }
        None => diagnostic.with_help("names are declared in the definition's blocks or by an assignment further up"),
    }
}

pub(in crate::sema) fn undeclared_outer(span: Span, name: &str, invocation: Span, nearest: Option<&str>) -> Diagnostic {
    let message = format!("`{name}` is declared neither in this graph nor where it is invoked");
    let diagnostic = Diagnostic::error(Code::UndeclaredIdentifier, span, message)
        .with_label("unknown name")
        .with_related(invocation, "invoked here");
    match nearest {
        Some(nearest) => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        None => diagnostic.with_help("a graph may use the names that are known where it is invoked"),
    }
}

pub(in crate::sema) fn used_before_definition(span: Span, name: &str, definition: Span) -> Diagnostic {
    Diagnostic::error(Code::UsedBeforeDefinition, span, format!("`{name}` is used before its definition in `@using`"))
        .with_label("not known yet")
        .with_related(definition, "defined here")
        .with_help(
            "helper symbols are evaluated in their order, after attributes and inputs; attributes and inputs can't use \
             them",
        )
}

pub(in crate::sema) fn used_before_statement(span: Span, name: &str, assignment: Span) -> Diagnostic {
    Diagnostic::error(Code::UsedBeforeAssignment, span, format!("`{name}` is used before it is assigned"))
        .with_label("has no value yet")
        .with_related(assignment, "assigned here")
        .with_help("statements are composed in their order: move the assignment up")
}

pub(in crate::sema) fn operator_as_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::UndeclaredIdentifier, span, format!("`{name}` is an operator, expected a value"))
        .with_label("an operator")
        .with_help(format!("invoke it in a statement of its own, `y = {name}(...);`, and use its result"))
}

pub(in crate::sema) fn declared_later(span: Span, name: &str, kind: SymbolKind, declaration: Span) -> Diagnostic {
    let message = format!("`{name}` is {}, which is not known here", kind.phrase());
    Diagnostic::error(Code::UsedBeforeDefinition, span, message)
        .with_label("not known yet")
        .with_related(declaration, "declared here")
        .with_help(
            "attributes, inputs and helper symbols are evaluated first, then the shapes of constants, variables and \
             outputs",
        )
}

pub(in crate::sema) fn unassigned_output(span: Span, name: &str, declaration: Span) -> Diagnostic {
    Diagnostic::error(Code::UsedBeforeAssignment, span, format!("the output `{name}` is used before it is assigned"))
        .with_label("has no value yet")
        .with_related(declaration, "declared here")
}

pub(in crate::sema) fn no_computation(span: Span, operator: &str) -> Diagnostic {
    let message = format!("`{operator}` has neither `@compose` nor `@lower`, so nothing says how it computes");
    Diagnostic::warning(Code::NoComputation, span, message).with_label("can't be run")
}

pub(in crate::sema) fn unused_result(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(Code::UnusedResult, span, format!("`{name}` is never used"))
        .with_label("assigned here only")
        .with_help("write `~` for a result that isn't needed, or begin its name with `_`")
}

pub(in crate::sema) fn unused_index(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(Code::UnusedIndex, span, format!("the index symbol `{name}` is never used"))
        .with_label("repeats the assignment without changing it")
        .with_help("remove it")
}
