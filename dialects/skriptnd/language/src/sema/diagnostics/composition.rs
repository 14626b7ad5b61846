//! Messages about `@compose` and `@update`.

use super::plural;
use crate::sema::symbols::SymbolKind;
use crate::sema::types::Type;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};
use skriptnd_syntax::ast::Component;

pub(in crate::sema) fn output_not_assigned(span: Span, name: &str, block: &str) -> Diagnostic {
    Diagnostic::error(Code::OutputNotAssigned, span, format!("the output `{name}` is never assigned"))
        .with_label("declared here")
        .with_help(format!("assign it in `{block}`: `{name} = ...;`"))
}

pub(in crate::sema) fn assigned_twice(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error(Code::AssignedTwice, span, format!("`{name}` is assigned twice"))
        .with_label("assigned again")
        .with_related(first, "assigned first")
        .with_help(
            "every tensor has a name of its own: choose another one; only blocks and loops may shadow outer names",
        )
}

pub(in crate::sema) fn not_assignable(span: Span, name: &str, kind: SymbolKind, declaration: Span) -> Diagnostic {
    let message = format!("`{name}` is {} and can't be assigned", kind.phrase());
    Diagnostic::error(Code::NotAssignable, span, message)
        .with_label("assigned here")
        .with_related(declaration, "declared here")
        .with_help("statements assign outputs and new names: choose another name")
}

pub(in crate::sema) fn updated_twice(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error(Code::AssignedTwice, span, format!("the variable `{name}` is updated twice"))
        .with_label("updated again")
        .with_related(first, "updated first")
        .with_help("all updates happen at once, after `@compose`: a variable has one new value")
}

pub(in crate::sema) fn output_in_update(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::OutputInUpdate, span, format!("the output `{name}` can't be assigned in `@update`"))
        .with_label("an output")
        .with_help("`@update` assigns variables; move the assignment to `@compose`")
}

pub(in crate::sema) fn variable_in_compose(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::VariableInCompose, span, format!("the variable `{name}` can't be assigned in `@compose`"))
        .with_label("a variable")
        .with_help("move the assignment to `@update`")
}

pub(in crate::sema) fn result_type(
    span: Span,
    name: &str,
    kind: SymbolKind,
    expected: &Type,
    found: &Type,
    declaration: Span,
) -> Diagnostic {
    let found = Type { tensor: true, ..found.clone() };
    let message = format!("{} `{name}` is {expected}, found {found}", kind.words());
    Diagnostic::error(Code::TypeMismatch, span, format!("the {message}"))
        .with_label(found.to_string())
        .with_related(declaration, "declared here")
}

pub(in crate::sema) fn optional_result(span: Span, name: &str, kind: SymbolKind) -> Diagnostic {
    let message = format!("the {} `{name}` is not optional, and what is assigned may be null", kind.words());
    Diagnostic::error(Code::OptionalNotResolved, span, message).with_help("use `??` or `if ?x then ... else ...`")
}

pub(in crate::sema) fn optional_yield(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error(
        Code::OptionalYield,
        span,
        format!("expected a value that is never null after `yield`, found {found}"),
    )
    .with_label("may be null")
    .with_help("use `??` or `if ?x then ... else ...`")
}

/// `pack`: whether the only result is one.
pub(in crate::sema) fn result_count(span: Span, component: &Component, expected: usize, pack: bool) -> Diagnostic {
    let found = component.results.len();
    let message = format!("expected {} on the left of `=`, found {found}", plural(expected, "name"));
    let diagnostic = Diagnostic::error(Code::ResultCount, span, message)
        .with_label(format!("the right side gives {}", plural(expected, "result")));
    if pack {
        let names: Vec<&str> = component.names().map(|name| &*name.text).collect();
        return diagnostic.with_help(format!("the result is a pack: take it apart by `[{}] = ...;`", names.join(", ")));
    }
    if found < expected { diagnostic.with_help("write `~` for results that aren't needed") } else { diagnostic }
}

pub(in crate::sema) fn branch_count(span: Span, found: usize, first: Span, expected: usize) -> Diagnostic {
    let message = format!("all branches must give the same number of results: expected {expected}, found {found}");
    Diagnostic::error(Code::BranchMismatch, span, message)
        .with_label(plural(found, "result"))
        .with_related(first, plural(expected, "result"))
}

pub(in crate::sema) fn branch_type(span: Span, found: &Type, first: Span, expected: &Type) -> Diagnostic {
    let message = format!("all branches must give the same types: expected {}, found {}", expected.base, found.base);
    Diagnostic::error(Code::BranchMismatch, span, message)
        .with_label(found.to_string())
        .with_related(first, expected.to_string())
}

/// `never` is the branch that is not taken.
pub(in crate::sema) fn constant_condition(span: Span, value: bool, never: Span) -> Diagnostic {
    Diagnostic::warning(Code::ConstantCondition, span, format!("this condition is always {value}"))
        .with_label("known without looking")
        .with_related(never, "never taken")
        .with_help("remove the branch, or make the condition an attribute")
}

pub(in crate::sema) fn condition_count(span: Span, role: &str, found: usize) -> Diagnostic {
    Diagnostic::error(Code::Condition, span, format!("{role} must be a single bool, found {}", plural(found, "result")))
        .with_label("the condition")
}

pub(in crate::sema) fn endless_loop(span: Span) -> Diagnostic {
    Diagnostic::error(Code::EndlessLoop, span, "expected `for`, `while` or a count: nothing ends this loop")
        .with_label("a loop without an end")
        .with_help("write `do..(n)`, `for x : xs do`, or `while condition do`")
}

pub(in crate::sema) fn scanned_single(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error(Code::TypeMismatch, span, format!("`for` runs over the items of a pack, found {found}"))
        .with_label(found.to_string())
        .with_help("put tensors into brackets, `[x, y]`, or take a tensor apart with `layout.unstack`")
}

pub(in crate::sema) fn unroll_with_condition(span: Span) -> Diagnostic {
    Diagnostic::error(Code::UnrollWithCondition, span, "a loop with a condition can't be unrolled")
        .with_label("the condition")
        .with_help("write `do` in place of `unroll`")
}

pub(in crate::sema) fn dynamic_unroll(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error(
        Code::DynamicUnroll,
        span,
        format!("the count of `unroll` must be known when composing, found {found}"),
    )
    .with_label("a tensor")
    .with_help("write `do` in place of `unroll`")
}

pub(in crate::sema) fn too_few_carried(span: Span, found: usize, expected: usize) -> Diagnostic {
    let message =
        format!("the body must give a new value of each tensor after `with`: expected {expected}, found {found}");
    Diagnostic::error(Code::CarriedCount, span, message).with_label(plural(found, "result"))
}

pub(in crate::sema) fn carried_pack(span: Span, name: &str, found: &Type) -> Diagnostic {
    Diagnostic::error(Code::TypeMismatch, span, format!("`{name}` must start from a single tensor, found {found}"))
        .with_label(found.to_string())
        .with_help("a loop carries single tensors: carry the items one by one, or one tensor that holds them")
}

pub(in crate::sema) fn carried_type(
    span: Span,
    name: &str,
    expected: &Type,
    found: &Type,
    declaration: Span,
) -> Diagnostic {
    let message = format!("the new value of `{name}` must be {}, found {}", expected.base, found.base);
    Diagnostic::error(Code::TypeMismatch, span, message)
        .with_label(found.to_string())
        .with_related(declaration, expected.to_string())
}
