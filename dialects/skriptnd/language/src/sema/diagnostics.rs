//! The messages of the checker, one constructor each.

use super::checker::Context;
use super::symbols::SymbolKind;
use super::types::{Base, Type};
use crate::diagnostics::Diagnostic;
use crate::syntax::ast::{Member, Param, Span, TypeExpr, TypeName};

fn with_nearest(diagnostic: Diagnostic, nearest: Option<&str>) -> Diagnostic {
    match nearest {
        Some(nearest) => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        None => diagnostic,
    }
}

fn keyword(name: TypeName) -> &'static str {
    match name {
        TypeName::Type => "type",
        TypeName::Arith => "arith",
        TypeName::Num => "num",
        TypeName::Int => "int",
        TypeName::Real => "real",
        TypeName::Bool => "bool",
        TypeName::Str => "str",
    }
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("{count} {what}") } else { format!("{count} {what}s") }
}

/// Whether a message says that something is missing or unused.
pub(super) fn is_about_absence(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.code,
        "undeclared-identifier"
            | "used-before-definition"
            | "used-before-assignment"
            | "unknown-type"
            | "output-not-assigned"
            | "missing-initialisation"
            | "ambiguous-shape"
            | "no-computation"
            | "unused-result"
            | "unused-index"
    )
}

// ---- definitions and names ----

pub(super) fn no_graph(span: Span, operators: usize) -> Diagnostic {
    let found = plural(operators, "operator");
    Diagnostic::error("no-graph", span, format!("the main module has no graph: expected at least one, found {found}"))
        .with_help("define what is to be run: `graph NAME { @input { ... } @output { ... } @compose { ... } }`")
}

pub(super) fn duplicate_operator(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-operator", span, format!("`{name}` is defined twice in this module"))
        .with_label("the second definition")
        .with_related(first, "the first definition")
        .with_help("rename one of them, or move it to another module")
}

pub(super) fn duplicate_block(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-block", span, format!("the block `@{name}` is there twice"))
        .with_label("the second one")
        .with_related(first, "the first one")
        .with_help("put their contents into one block")
}

pub(super) fn graph_with_formula(span: Span, graph: &str) -> Diagnostic {
    Diagnostic::error("graph-with-formula", span, format!("the graph `{graph}` has a `@lower` block"))
        .with_label("only operators have formulas")
        .with_help("move the formula to an operator and invoke it in `@compose`")
}

pub(super) fn reserved_name(span: Span) -> Diagnostic {
    Diagnostic::error("reserved-name", span, "the name `_` is reserved")
        .with_help("write `~` for a result that isn't needed")
}

pub(super) fn duplicate_name(span: Span, name: &str, kind: SymbolKind, first: SymbolKind, place: Span) -> Diagnostic {
    let message = format!("`{name}` is declared as {} and is {} already", kind.words(), first.words());
    Diagnostic::error("duplicate-name", span, message)
        .with_label("declared again")
        .with_related(place, format!("{} here", first.words()))
        .with_help("every name of a definition must be unique: rename one of them")
}

pub(super) fn undeclared(span: Span, name: &str, nearest: Option<&str>, in_formula: bool) -> Diagnostic {
    let diagnostic = Diagnostic::error("undeclared-identifier", span, format!("`{name}` is not declared"))
        .with_label("unknown name");
    let truth = ["true", "false"].into_iter().find(|word| name.eq_ignore_ascii_case(word));
    match truth.or(nearest) {
        Some(nearest) => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        None if in_formula => {
            diagnostic.with_help(format!("index symbols are declared after the assignment: `..., {name} < extent;`"))
        }
        None => diagnostic.with_help("names are declared in the definition's blocks or by an assignment further up"),
    }
}

pub(super) fn used_before_definition(span: Span, name: &str, definition: Span) -> Diagnostic {
    Diagnostic::error("used-before-definition", span, format!("`{name}` is used before its definition in `@using`"))
        .with_label("not known yet")
        .with_related(definition, "defined here")
        .with_help(
            "helper symbols are evaluated in their order, after attributes and inputs; attributes and inputs can't use \
             them",
        )
}

pub(super) fn unassigned_output(span: Span, name: &str, declaration: Span) -> Diagnostic {
    Diagnostic::error("used-before-assignment", span, format!("the output `{name}` is used before it is assigned"))
        .with_label("has no value yet")
        .with_related(declaration, "declared here")
}

pub(super) fn no_computation(span: Span, operator: &str) -> Diagnostic {
    let message = format!("`{operator}` has neither `@compose` nor `@lower`, so nothing says how it computes");
    Diagnostic::warning("no-computation", span, message).with_label("can't be run")
}

pub(super) fn unused_result(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning("unused-result", span, format!("`{name}` is never used"))
        .with_label("assigned here only")
        .with_help("write `~` for a result that isn't needed, or begin its name with `_`")
}

pub(super) fn unused_index(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning("unused-index", span, format!("the index symbol `{name}` is never used"))
        .with_label("repeats the assignment without changing it")
        .with_help("remove it")
}

// ---- types ----

pub(super) fn wrong_type(span: Span, role: &str, expected: &str, found: &Type) -> Diagnostic {
    let diagnostic = Diagnostic::error("type-mismatch", span, format!("{role} must be {expected}, found {found}"))
        .with_label(found.to_string());
    match (expected, &found.base) {
        ("real", Base::Int) => {
            diagnostic.with_help("int isn't converted by itself: write `real(...)`, or `1.0` for `1`")
        }
        ("int", Base::Real) => diagnostic.with_help("real isn't converted by itself: write `int(...)`"),
        ("int" | "real", Base::Bool) => diagnostic.with_help(format!("write `{expected}(...)` to convert it")),
        _ => diagnostic,
    }
}

pub(super) fn operand_mismatch(span: Span, operator: &str, left: (Span, &Type), right: (Span, &Type)) -> Diagnostic {
    let message =
        format!("the operands of `{operator}` must have the same type, found {} and {}", left.1.base, right.1.base);
    let diagnostic = Diagnostic::error("type-mismatch", span, message)
        .with_label("different types")
        .with_related(left.0, left.1.to_string())
        .with_related(right.0, right.1.to_string());
    match (&left.1.base, &right.1.base) {
        (Base::Int, Base::Real) | (Base::Real, Base::Int) => {
            diagnostic.with_help("convert one of them with `real(...)` or `int(...)`; write `1.0` for a real one")
        }
        (Base::Generic(name, _), _) | (_, Base::Generic(name, _)) => {
            diagnostic.with_help(format!("convert the other one with `{name}(...)`"))
        }
        _ => diagnostic,
    }
}

pub(super) fn tensor_as_value(span: Span, found: &Type, context: Context) -> Diagnostic {
    let diagnostic = Diagnostic::error("tensor-as-value", span, format!("expected a single value, found {found}"))
        .with_label(found.to_string());
    diagnostic.with_help(match context {
        Context::Formula => "formulas compute with elements: write `x[i, j]`, `x[i,]` or `x[]`",
        Context::Composition => {
            "operators such as `+` don't apply to tensors: invoke an operator such as `math.add(x, y)`"
        }
        Context::CompileTime => "only the shape of a tensor is known here: `x.shape`, `x.rank`, for packs `x.size`",
    })
}

pub(super) fn bad_member(span: Span, name: &str, member: Member, found: &Type) -> Diagnostic {
    let member = format!("{member:?}").to_lowercase();
    let message = format!("`{name}.{member}` doesn't exist: `{name}` is {found}");
    Diagnostic::error("unknown-member", span, message)
        .with_label("no such property")
        .with_help("tensors have `.shape` and `.rank`, packs of tensors have `.size`")
}

pub(super) fn mixed_list(span: Span, expected: &Base, found: &Type) -> Diagnostic {
    let message = format!("the items of a list must have the same type: expected {expected}, found {}", found.base);
    Diagnostic::error("type-mismatch", span, message).with_label(found.to_string())
}

pub(super) fn pack_not_expanded(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error("pack-not-expanded", span, format!("expected a single value, found {found}"))
        .with_label("a pack")
        .with_help("packs don't nest: expand it with `..`, as in `[x..]`")
}

pub(super) fn expanded_single(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error("not-a-pack", span, format!("expected a pack before `..`, found {found}"))
        .with_label("a single value")
        .with_help("a single value is repeated with a length: `x..(n)`")
}

pub(super) fn expanded_index(span: Span) -> Diagnostic {
    Diagnostic::error("expanded-index", span, "a pack is indexed by a pack as it is: expected no `..`")
        .with_label("expanded")
        .with_help("write `a[i]` where `i` is a pack of indices")
}

pub(super) fn not_a_pack(span: Span, what: &str, found: &Type) -> Diagnostic {
    Diagnostic::error("not-a-pack", span, format!("only a pack can {what}, found {found}"))
        .with_label(found.to_string())
}

pub(super) fn pack_index_count(span: Span, found: usize, trailing_comma: bool) -> Diagnostic {
    let message = format!("a pack has one index, found {}", plural(found, "index").replace("indexs", "indices"));
    let diagnostic = Diagnostic::error("pack-index", span, message).with_label("indexed like a tensor");
    if trailing_comma {
        return diagnostic.with_help("remove the comma: only tensors need `x[i,]`");
    }
    diagnostic.with_help("several items are selected by a list: `a[[0, 2]]`")
}

pub(super) fn never_null(span: Span, found: &Type, operator: &str) -> Diagnostic {
    let message = format!("the operand of `{operator}` is {found}, which is never null");
    Diagnostic::warning("never-null", span, message).with_label("not optional")
}

pub(super) fn bad_cast(span: Span, from: &Type, to: &Base) -> Diagnostic {
    Diagnostic::error("bad-cast", span, format!("{from} can't be converted to {to}: expected int, real or bool"))
        .with_label(from.to_string())
}

pub(super) fn unclear_logic(span: Span, inner: &str, outer: &str, grouped: Span) -> Diagnostic {
    let message = format!("`{inner}` and `{outer}` have the same precedence and are read from the left");
    Diagnostic::warning("unclear-logic", span, message)
        .with_label("mixed without parentheses")
        .with_related(grouped, "evaluated first")
        .with_help("put parentheses around what belongs together")
}

pub(super) fn abstract_type(span: Span, name: TypeName) -> Diagnostic {
    let name = keyword(name);
    Diagnostic::error("abstract-type", span, format!("`{name}` is no type of values: expected int, real, bool or str"))
        .with_label("restricts generic types only")
        .with_help(format!("introduce a generic type: `@dtype {{ T: {name}; }}`, and use `T`"))
}

pub(super) fn unknown_type(span: Span, name: &str, known: &[&str]) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("unknown-type", span, format!("there is no type `{name}`")).with_label("unknown type");
    if known.is_empty() {
        return diagnostic
            .with_help(format!("types are int, real, bool and str; generic ones need `@dtype {{ {name}: num; }}`"));
    }
    diagnostic.with_help(format!("types are int, real, bool, str and {}", known.join(", ")))
}

pub(super) fn duplicate_type(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-name", span, format!("the type `{name}` is declared twice"))
        .with_label("declared again")
        .with_related(first, "the first declaration")
}

pub(super) fn concrete_bound(span: Span, name: &str, bound: TypeName) -> Diagnostic {
    let message = format!("the type `{name}` must be restricted to type, arith or num, found {}", keyword(bound));
    Diagnostic::error("concrete-bound", span, message)
        .with_help(format!("write `{}` where `{name}` is used", keyword(bound)))
}

pub(super) fn bad_default_type(span: Span, name: &str, bound: TypeName, default: TypeName) -> Diagnostic {
    let message = format!(
        "the default of `{name}` must be a concrete type within {}, found {}",
        keyword(bound),
        keyword(default)
    );
    Diagnostic::error("bad-default", span, message)
}

// ---- declarations ----

pub(super) fn tensor_attribute(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(
        "tensor-attribute",
        span,
        format!("the attribute `{name}` has a shape: attributes can't be tensors"),
    )
    .with_label("a tensor type")
    .with_help("declare it in `@input`, or as a pack: `int..`")
}

pub(super) fn optional_with_default(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("optional-default", span, format!("the optional attribute `{name}` has a default value"))
        .with_label("its default is null")
        .with_help("remove `optional`, or the value")
}

pub(super) fn variable_with_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(
        "variable-with-value",
        span,
        format!("the variable `{name}` has a value: variables are read from files"),
    )
    .with_label("not allowed")
    .with_help("declare it in `@constant`, or store the value in the variable's file")
}

pub(super) fn output_with_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("output-with-value", span, format!("the output `{name}` has a value in its declaration"))
        .with_label("not allowed")
        .with_help("assign it in `@compose` or `@lower`")
}

pub(super) fn constant_without_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("constant-without-value", span, format!("expected a value for the constant `{name}`"))
        .with_label("no value")
        .with_help(format!("write `{name}: ... = 0.0;`, or declare it in `@variable` if it is read from a file"))
}

pub(super) fn missing_shape(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("missing-shape", span, format!("expected the shape of the output `{name}`"))
        .with_label("no shape")
        .with_help("only graphs may leave it out; a tensor without dimensions is written `real[]`")
}

pub(super) fn unbounded_output(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(
        "unbounded-extent",
        span,
        format!("expected an upper bound for this extent of the output `{name}`"),
    )
    .with_label("no bound")
    .with_help("write `~|bound`")
}

pub(super) fn ambiguous_shape(span: Span, input: &str, packs: &[String], lengths: &[String]) -> Diagnostic {
    let packs: Vec<String> = packs.iter().map(|name| format!("`{name}`")).collect();
    let message = format!(
        "the shape of `{input}` is ambiguous: expected at most one pack of unknown length, found {}",
        packs.join(" and ")
    );
    let diagnostic =
        Diagnostic::error("ambiguous-shape", span, message).with_label("which dimensions belong to which?");
    match lengths {
        [] => diagnostic.with_help("give one of them a length: an attribute, as in `s..(r)`, or that of another input"),
        [length, ..] => diagnostic.with_help(format!(
            "`{length}` is the length of an attribute, which may be given as a single value: make it an attribute of its own"
        )),
    }
}

// ---- @lower ----

pub(super) fn bound_outside_formula(span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-bound", span, "`| |` guards indices of tensors and belongs into `@lower`")
        .with_label("no index of a tensor")
}

pub(super) fn access_outside_formula(span: Span, context: Context) -> Diagnostic {
    let diagnostic = Diagnostic::error("misplaced-access", span, "elements of tensors can only be read in `@lower`")
        .with_label("accesses a tensor");
    match context {
        Context::Composition => diagnostic.with_help("invoke an operator such as `layout.slice` or `layout.gather`"),
        _ => diagnostic.with_help("only the shape of a tensor is known here: `x.shape`, `x.rank`"),
    }
}

pub(super) fn access_needs_comma(span: Span) -> Diagnostic {
    Diagnostic::error("access-comma", span, "expected a comma after the only index of a tensor")
        .with_label("reads like the index of a pack")
        .with_help("write `x[i,]`; a pack of indices is expanded: `x[i..]`")
}

pub(super) fn access_rank(span: Span, rank: usize, found: usize) -> Diagnostic {
    let expected = if rank == 1 { "1 index".to_owned() } else { format!("{rank} indices") };
    Diagnostic::error("access-rank", span, format!("expected {expected} for a tensor of rank {rank}, found {found}"))
        .with_label(if found < rank { "too few indices" } else { "too many indices" })
}

pub(super) fn lowered_other(span: Span, name: &str, kind: SymbolKind, declaration: Span) -> Diagnostic {
    Diagnostic::error("lowered-other", span, format!("`@lower` can only assign outputs, found {} `{name}`", bare(kind)))
        .with_label("no output")
        .with_related(declaration, "declared here")
}

fn bare(kind: SymbolKind) -> &'static str {
    kind.words().trim_start_matches("an ").trim_start_matches("a ")
}

pub(super) fn optional_not_resolved(span: Span, found: &Type, name: Option<String>) -> Diagnostic {
    let diagnostic = match &name {
        Some(name) => Diagnostic::error(
            "optional-not-resolved",
            span,
            format!("expected a value that is never null, found {found}: `{name}` is optional"),
        ),
        None => Diagnostic::error(
            "optional-not-resolved",
            span,
            format!("expected a value that is never null, found {found}"),
        ),
    };
    let name = name.unwrap_or_else(|| "x".to_owned());
    diagnostic
        .with_label("may be null")
        .with_help(format!("say what to use in its place: `{name}[...] ?? 0.0`, or `?{name} ? ... : ...`"))
}

pub(super) fn missing_initialisation(span: Span, name: &str, operator: &str) -> Diagnostic {
    Diagnostic::error("missing-initialisation", span, format!("`{operator}` needs an initial value of `{name}`"))
        .with_label("not initialised")
        .with_help(format!("assign it with `=` first: `{name}[...] = ...;`"))
}

pub(super) fn initialised_twice(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error("too-many-assignments", span, format!("`{name}` is assigned with `=` after another assignment"))
        .with_label("assigned again")
        .with_related(first, "assigned first")
        .with_help("an output has one initialisation with `=`, then one assignment that accumulates")
}

pub(super) fn too_many_assignments(span: Span, name: &str, last: Span) -> Diagnostic {
    Diagnostic::error(
        "too-many-assignments",
        span,
        format!("expected at most two assignments to `{name}`: `=`, then one that accumulates"),
    )
    .with_label("one too many")
    .with_related(last, "the one before")
}

// ---- @compose and @update ----

pub(super) fn output_not_assigned(span: Span, name: &str, block: &str) -> Diagnostic {
    Diagnostic::error("output-not-assigned", span, format!("the output `{name}` is never assigned"))
        .with_label("declared here")
        .with_help(format!("assign it in `{block}`: `{name} = ...;`"))
}

pub(super) fn assigned_twice(span: Span, name: &str, declaration: Span) -> Diagnostic {
    Diagnostic::error("assigned-twice", span, format!("the output `{name}` is assigned twice"))
        .with_label("assigned again")
        .with_related(declaration, "declared here")
        .with_help("give the intermediate result another name")
}

pub(super) fn output_in_update(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("output-in-update", span, format!("the output `{name}` can't be assigned in `@update`"))
        .with_label("an output")
        .with_help("`@update` assigns variables; move the assignment to `@compose`")
}

pub(super) fn variable_in_compose(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("variable-in-compose", span, format!("the variable `{name}` can't be assigned in `@compose`"))
        .with_label("a variable")
        .with_help("move the assignment to `@update`")
}

pub(super) fn result_type(
    span: Span,
    name: &str,
    kind: SymbolKind,
    expected: &Type,
    found: &Type,
    declaration: Span,
) -> Diagnostic {
    let found = Type { tensor: true, ..found.clone() };
    let message = format!("{} `{name}` is {expected}, found {found}", bare(kind));
    Diagnostic::error("type-mismatch", span, format!("the {message}"))
        .with_label(found.to_string())
        .with_related(declaration, "declared here")
}

pub(super) fn optional_result(span: Span, name: &str, kind: SymbolKind) -> Diagnostic {
    let message = format!("the {} `{name}` is not optional, and what is assigned may be null", bare(kind));
    Diagnostic::error("optional-not-resolved", span, message).with_help("use `??` or `if ?x then ... else ...`")
}

pub(super) fn optional_yield(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error(
        "optional-yield",
        span,
        format!("expected a value that is never null after `yield`, found {found}"),
    )
    .with_label("may be null")
    .with_help("use `??` or `if ?x then ... else ...`")
}

pub(super) fn result_count(span: Span, found: usize, expected: usize) -> Diagnostic {
    let message = format!("expected {} on the left of `=`, found {found}", plural(expected, "name"));
    Diagnostic::error("result-count", span, message)
        .with_label(format!("the right side gives {}", plural(expected, "result")))
        .with_help("write `~` for results that aren't needed")
}

pub(super) fn branch_count(span: Span, found: usize, first: Span, expected: usize) -> Diagnostic {
    let message = format!("all branches must give the same number of results: expected {expected}, found {found}");
    Diagnostic::error("branch-mismatch", span, message)
        .with_label(plural(found, "result"))
        .with_related(first, plural(expected, "result"))
}

pub(super) fn branch_type(span: Span, found: &Type, first: Span, expected: &Type) -> Diagnostic {
    let message = format!("all branches must give the same types: expected {}, found {}", expected.base, found.base);
    Diagnostic::error("branch-mismatch", span, message)
        .with_label(found.to_string())
        .with_related(first, expected.to_string())
}

pub(super) fn condition_count(span: Span, role: &str, found: usize) -> Diagnostic {
    Diagnostic::error("condition", span, format!("{role} must be a single bool, found {}", plural(found, "result")))
        .with_label("the condition")
}

pub(super) fn endless_loop(span: Span) -> Diagnostic {
    Diagnostic::error("endless-loop", span, "expected `for`, `while` or a count: nothing ends this loop")
        .with_label("a loop without an end")
        .with_help("write `do..(n)`, `for x : xs do`, or `while condition do`")
}

pub(super) fn unroll_with_condition(span: Span) -> Diagnostic {
    Diagnostic::error("unroll-with-condition", span, "a loop with a condition can't be unrolled")
        .with_label("the condition")
        .with_help("write `do` in place of `unroll`")
}

pub(super) fn dynamic_unroll(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error(
        "dynamic-unroll",
        span,
        format!("the count of `unroll` must be known when composing, found {found}"),
    )
    .with_label("a tensor")
    .with_help("write `do` in place of `unroll`")
}

pub(super) fn too_few_carried(span: Span, found: usize, expected: usize) -> Diagnostic {
    let message =
        format!("the body must give a new value of each tensor after `with`: expected {expected}, found {found}");
    Diagnostic::error("carried-count", span, message).with_label(plural(found, "result"))
}

pub(super) fn carried_type(span: Span, name: &str, expected: &Type, found: &Type, declaration: Span) -> Diagnostic {
    let message = format!("the new value of `{name}` must be {}, found {}", expected.base, found.base);
    Diagnostic::error("type-mismatch", span, message)
        .with_label(found.to_string())
        .with_related(declaration, expected.to_string())
}

// ---- invocations ----

pub(super) fn module_not_imported(span: Span, module: &str, nearest: Option<&str>, exists: bool) -> Diagnostic {
    let diagnostic = Diagnostic::error("module-not-imported", span, format!("the module `{module}` is not imported"))
        .with_label("from a module that isn't imported");
    match nearest {
        Some(nearest) if !exists => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        _ => diagnostic.with_help(format!("add `import {module};` at the beginning of the file")),
    }
}

pub(super) fn unknown_operator(span: Span, module: &str, operator: &str, nearest: Option<&str>) -> Diagnostic {
    let message = format!("the module `{module}` has no operator `{operator}`");
    let diagnostic = Diagnostic::error("unknown-operator", span, message).with_label("unknown operator");
    with_nearest(diagnostic, nearest.map(|near| format!("{module}.{near}")).as_deref())
}

pub(super) fn unknown_local_operator(
    span: Span,
    operator: &str,
    elsewhere: Option<&str>,
    nearest: Option<&str>,
) -> Diagnostic {
    let message = format!("there is no operator `{operator}` in this module");
    let diagnostic = Diagnostic::error("unknown-operator", span, message).with_label("unknown operator");
    match elsewhere {
        Some(module) => {
            diagnostic.with_help(format!("operators of other modules are qualified: `{module}.{operator}`"))
        }
        None => with_nearest(diagnostic, nearest),
    }
}

pub(super) fn unknown_attribute(
    span: Span,
    name: &str,
    operator: &str,
    nearest: Option<&str>,
    known: &[&str],
) -> Diagnostic {
    let message = format!("`{operator}` has no attribute `{name}`");
    let diagnostic = Diagnostic::error("unknown-attribute", span, message).with_label("unknown attribute");
    match (nearest, known) {
        (Some(nearest), _) => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        (None, []) => diagnostic.with_help("it has no attributes"),
        (None, known) => diagnostic.with_help(format!("its attributes are {}", known.join(", "))),
    }
}

pub(super) fn attribute_twice(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-attribute", span, format!("the attribute `{name}` is given twice"))
        .with_label("given again")
        .with_related(first, "given first")
        .with_help("remove one of them")
}

fn type_words(param: &Param) -> String {
    let base = match &param.spec.base {
        TypeExpr::Concrete(name, _) => keyword(*name).to_owned(),
        TypeExpr::Generic(name) => name.text.to_string(),
    };
    if param.spec.pack.is_some() { format!("{base}..") } else { base }
}

pub(super) fn missing_attribute(span: Span, operator: &str, attribute: &Param) -> Diagnostic {
    let name = &attribute.name.text;
    let ty = type_words(attribute);
    Diagnostic::error("missing-attribute", span, format!("`{operator}` needs the attribute `{name}`, of type {ty}"))
        .with_label(format!("`{name}` is missing"))
        .with_related(attribute.name.span, "declared here, without a default")
        .with_help(format!("write `{operator}{{{name}=...}}(...)`"))
}

pub(super) fn too_many_arguments(span: Span, operator: &str, found: usize, inputs: &[&str]) -> Diagnostic {
    let expected = plural(inputs.len(), "argument");
    let diagnostic = Diagnostic::error("argument-count", span, format!("`{operator}` takes {expected}, found {found}"))
        .with_label("one too many");
    match inputs {
        [] => diagnostic.with_help("it has no inputs; attributes are written in braces: `{a=1}`"),
        inputs => diagnostic
            .with_help(format!("its inputs are {}; attributes are written in braces: `{{a=1}}`", inputs.join(", "))),
    }
}

pub(super) fn missing_argument(span: Span, operator: &str, input: &Param, omitted: bool) -> Diagnostic {
    let name = &input.name.text;
    let label = if omitted { "can't be left out" } else { "an argument is missing" };
    Diagnostic::error("missing-argument", span, format!("`{operator}` needs the input `{name}`"))
        .with_label(label)
        .with_related(input.name.span, "declared here, neither optional nor with a default")
}

pub(super) fn argument_type(
    span: Span,
    role: &str,
    expected: &Base,
    found: &Type,
    reason: Option<String>,
) -> Diagnostic {
    let mut diagnostic = wrong_type(span, role, &expected.to_string(), found);
    if found.tensor && found.base != Base::Str && *expected != Base::Str {
        diagnostic = diagnostic.with_help(format!("convert it with `layout.cast<{expected}>(...)`"));
    }
    match reason {
        Some(reason) => diagnostic.with_note(reason),
        None => diagnostic,
    }
}

pub(super) fn packed_argument(span: Span, role: &str, found: &Type) -> Diagnostic {
    Diagnostic::error("packed-argument", span, format!("{role} takes a single value, found {found}"))
        .with_label(found.to_string())
        .with_help("select one item: `x[0]`")
}

pub(super) fn single_argument(span: Span, role: &str, found: &Type) -> Diagnostic {
    Diagnostic::error("single-argument", span, format!("{role} takes a pack of tensors, found {found}"))
        .with_label(found.to_string())
        .with_help("put the tensors into brackets: `[x, y]`")
}

pub(super) fn optional_argument(span: Span, role: &str, found: &Type, name: Option<&str>) -> Diagnostic {
    let name = name.unwrap_or("x");
    Diagnostic::error("optional-not-resolved", span, format!("{role} can't be null, found {found}"))
        .with_label("may be null")
        .with_help(format!("test it first: `if ?{name} then ... else ...`"))
}

pub(super) fn too_many_types(span: Span, operator: &str, found: usize, expected: usize) -> Diagnostic {
    let message = format!("`{operator}` has {}, found {found} between `<` and `>`", plural(expected, "generic type"));
    Diagnostic::error("type-count", span, message)
}

pub(super) fn type_out_of_bound(span: Span, name: &str, bound: TypeName, found: &Base) -> Diagnostic {
    let allowed = match bound {
        TypeName::Num => "int or real",
        TypeName::Arith => "int, real or bool",
        _ => "any type",
    };
    Diagnostic::error("type-bound", span, format!("the generic type `{name}` must be {allowed}, found {found}"))
        .with_label(found.to_string())
}

pub(super) fn type_not_deduced(span: Span, operator: &str, name: &str) -> Diagnostic {
    let message =
        format!("the generic type `{name}` of `{operator}` follows neither from attributes nor from arguments");
    Diagnostic::error("type-not-deduced", span, message)
        .with_label(format!("`{name}` is unknown"))
        .with_help(format!("give it explicitly, as in `{operator}<real>(...)`"))
}

pub(super) fn quantized_no_tensor(span: Span, name: &str, kind: SymbolKind) -> Diagnostic {
    Diagnostic::error("quantized-other", span, format!("only tensors can be quantized; `{name}` is {}", kind.words()))
        .with_label("no tensor")
}

pub(super) fn no_quantization(span: Span, operator: &str, inputs: usize, outputs: usize) -> Diagnostic {
    let message = format!(
        "a quantization has one input and one output; `{operator}` has {} and {}",
        plural(inputs, "input"),
        plural(outputs, "output")
    );
    Diagnostic::error("no-quantization", span, message).with_label("can't quantize a tensor")
}
