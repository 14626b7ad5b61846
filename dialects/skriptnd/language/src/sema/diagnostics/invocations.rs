//! Messages about invocations.

use super::plural;
use crate::sema::diagnostics::wrong_type;
use crate::sema::symbols::SymbolKind;
use crate::sema::types::{Base, Type};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};
use skriptnd_syntax::ast::{Param, TypeExpr, TypeName};

pub(in crate::sema) fn module_not_imported(
    span: Span,
    module: &str,
    nearest: Option<&str>,
    exists: bool,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(Code::ModuleNotImported, span, format!("the module `{module}` is not imported"))
        .with_label("from a module that isn't imported");
    match nearest {
        Some(nearest) if !exists => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        _ => diagnostic.with_help(format!("add `import {module};` at the beginning of the file")),
    }
}

pub(in crate::sema) fn needless_module(span: Span, operator: &str) -> Diagnostic {
    Diagnostic::error(Code::ModuleNotImported, span, format!("expected `{operator}` without `main.` before it"))
        .with_label("an operator of this module")
        .with_help("only operators of imported modules are qualified")
}

pub(in crate::sema) fn method_of_tensor(
    span: Span,
    name: &str,
    kind: SymbolKind,
    operator: &str,
    standard: Option<&str>,
) -> Diagnostic {
    let message = format!("expected a module before `.{operator}`, found `{name}`, which is {}", kind.phrase());
    let diagnostic = Diagnostic::error(Code::ModuleNotImported, span, message).with_label("no module");
    match standard {
        Some(standard) => diagnostic.with_help(format!("tensors are arguments of operators: `{standard}({name})`")),
        None => diagnostic.with_help("tensors are arguments of operators: `module.operator(x)`"),
    }
}

/// What was meant by the name of an operator that is unknown.
pub(in crate::sema) enum Meant {
    /// This operator.
    Operator(String),
    /// An operator of a module that is not imported: the module, and the operator with it.
    NotImported(String, String),
    /// A module of the model hides the standard one that has the operator.
    Hidden,
    /// What networks need for their training only.
    Nothing,
    /// Nobody knows.
    Unknown,
}

impl Meant {
    fn help(&self, module: Option<&str>) -> Option<String> {
        Some(match self {
            Meant::Operator(path) => format!("did you mean `{path}`?"),
            Meant::NotImported(module, path) => {
                format!("did you mean `{path}`? Add `import {module};` at the beginning")
            }
            Meant::Hidden => {
                let module = module?;
                format!("the model's own `{module}.sknd` hides the standard module `{module}`: rename the file")
            }
            Meant::Nothing => "it matters in training only: leave it out, and use its operand".to_owned(),
            Meant::Unknown => return None,
        })
    }
}

pub(in crate::sema) fn unknown_operator(span: Span, module: &str, operator: &str, meant: &Meant) -> Diagnostic {
    let message = format!("the module `{module}` has no operator `{operator}`");
    let diagnostic = Diagnostic::error(Code::UnknownOperator, span, message).with_label("unknown operator");
    let help = meant.help(Some(module)).unwrap_or_else(|| {
        format!(
            "docs/operators.md lists those of the standard library; define your own: `operator {operator} {{ ... }}`"
        )
    });
    diagnostic.with_help(help)
}

pub(in crate::sema) fn unknown_local_operator(span: Span, operator: &str, meant: &Meant) -> Diagnostic {
    let message = format!("there is no operator `{operator}` in this module");
    let diagnostic = Diagnostic::error(Code::UnknownOperator, span, message).with_label("unknown operator");
    let help = match meant {
        Meant::Operator(path) if path.ends_with(&format!(".{operator}")) => {
            Some(format!("operators of other modules are qualified: `{path}`"))
        }
        _ => meant.help(None),
    };
    diagnostic.with_help(help.unwrap_or_else(|| format!("define it: `operator {operator} {{ ... }}`")))
}

pub(in crate::sema) fn unknown_attribute(
    span: Span,
    name: &str,
    operator: &str,
    nearest: Option<&str>,
    known: &[&str],
) -> Diagnostic {
    let message = format!("`{operator}` has no attribute `{name}`");
    let diagnostic = Diagnostic::error(Code::UnknownAttribute, span, message).with_label("unknown attribute");
    match (nearest, known) {
        (Some(nearest), _) => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        (None, []) => diagnostic.with_help("it has no attributes"),
        (None, known) => diagnostic.with_help(format!("its attributes are {}", quoted(known))),
    }
}

pub(in crate::sema) fn attribute_twice(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error(Code::DuplicateAttribute, span, format!("the attribute `{name}` is given twice"))
        .with_label("given again")
        .with_related(first, "given first")
        .with_help("remove one of them")
}

fn type_words(param: &Param) -> String {
    let base = match &param.spec.base {
        TypeExpr::Concrete(name, _) => name.keyword().to_owned(),
        TypeExpr::Generic(name) => name.text.to_string(),
    };
    if param.spec.pack.is_some() { format!("{base}..") } else { base }
}

pub(in crate::sema) fn missing_attribute(span: Span, operator: &str, attribute: &Param) -> Diagnostic {
    let name = &attribute.name.text;
    let ty = type_words(attribute);
    Diagnostic::error(Code::MissingAttribute, span, format!("`{operator}` needs the attribute `{name}`, of type {ty}"))
        .with_label(format!("`{name}` is missing"))
        .with_related(attribute.name.span, "declared here, without a default")
        .with_help(format!("write `{operator}{{{name}=...}}(...)`"))
}

/// What arguments beyond the inputs are meant for.
pub(in crate::sema) enum Surplus<'a> {
    /// They are items of the pack that the only input is.
    Items,
    /// This attribute, which is missing.
    Attribute(&'a str),
    /// Nobody knows.
    Unknown,
}

pub(in crate::sema) fn too_many_arguments(
    span: Span,
    operator: &str,
    found: usize,
    inputs: &[&str],
    meant: &Surplus<'_>,
) -> Diagnostic {
    let expected = plural(inputs.len(), "argument");
    let known = match inputs {
        [] => "it has no inputs".to_owned(),
        [input] => format!("its input is `{input}`"),
        inputs => format!("its inputs are {}", quoted(inputs)),
    };
    let help = match (meant, inputs) {
        (Surplus::Items, [input]) => {
            format!("`{input}` is a pack of tensors: put them into brackets, `{operator}([x, y])`")
        }
        (Surplus::Attribute(attribute), _) => {
            let arguments = if inputs.is_empty() { "" } else { "..." };
            format!("{known}; `{attribute}` is an attribute: `{operator}{{{attribute}=...}}({arguments})`")
        }
        _ => format!("{known}; attributes are written in braces: `{{a=1}}`"),
    };
    Diagnostic::error(Code::ArgumentCount, span, format!("`{operator}` takes {expected}, found {found}"))
        .with_label("one too many")
        .with_help(help)
}

/// Names in back-ticks, separated by commas.
fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

pub(in crate::sema) fn missing_arguments(span: Span, operator: &str, inputs: &[&Param]) -> Diagnostic {
    let names: Vec<&str> = inputs.iter().map(|input| &*input.name.text).collect();
    let (noun, label) = match names.as_slice() {
        [_] => ("input", "an argument is missing"),
        _ => ("inputs", "arguments are missing"),
    };
    let message = format!("`{operator}` needs the {noun} {}", quoted(&names));
    let diagnostic = Diagnostic::error(Code::MissingArgument, span, message).with_label(label);
    inputs.iter().fold(diagnostic, |d, input| {
        d.with_related(input.name.span, "declared here, neither optional nor with a default")
    })
}

pub(in crate::sema) fn omitted_argument(span: Span, operator: &str, input: &Param) -> Diagnostic {
    let name = &input.name.text;
    Diagnostic::error(Code::MissingArgument, span, format!("`{operator}` needs the input `{name}`"))
        .with_label("can't be left out")
        .with_related(input.name.span, "declared here, neither optional nor with a default")
}

pub(in crate::sema) fn argument_type(
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

pub(in crate::sema) fn packed_argument(span: Span, role: &str, found: &Type) -> Diagnostic {
    Diagnostic::error(Code::PackedArgument, span, format!("{role} takes a single value, found {found}"))
        .with_label(found.to_string())
        .with_help("select one item: `x[0]`")
}

pub(in crate::sema) fn single_argument(span: Span, role: &str, found: &Type) -> Diagnostic {
    Diagnostic::error(Code::SingleArgument, span, format!("{role} takes a pack of tensors, found {found}"))
        .with_label(found.to_string())
        .with_help("put the tensors into brackets: `[x, y]`")
}

pub(in crate::sema) fn optional_argument(span: Span, role: &str, found: &Type, name: Option<&str>) -> Diagnostic {
    let name = name.unwrap_or("x");
    Diagnostic::error(Code::OptionalNotResolved, span, format!("{role} can't be null, found {found}"))
        .with_label("may be null")
        .with_help(format!("test it first: `if ?{name} then ... else ...`"))
}

pub(in crate::sema) fn too_many_types(span: Span, operator: &str, found: usize, names: &[&str]) -> Diagnostic {
    let message =
        format!("`{operator}` has {}, found {found} between `<` and `>`", plural(names.len(), "generic type"));
    let diagnostic = Diagnostic::error(Code::TypeCount, span, message);
    match names {
        [] => diagnostic.with_label("not expected").with_help("remove what stands between `<` and `>`"),
        names => diagnostic.with_label("one too many").with_help(format!("its types are {}", names.join(", "))),
    }
}

pub(in crate::sema) fn type_out_of_bound(span: Span, name: &str, bound: TypeName, found: &Base) -> Diagnostic {
    let allowed = match bound {
        TypeName::Num => "int or real",
        TypeName::Arith => "int, real or bool",
        _ => "any type",
    };
    Diagnostic::error(Code::TypeBound, span, format!("the generic type `{name}` must be {allowed}, found {found}"))
        .with_label(found.to_string())
}

pub(in crate::sema) fn type_not_deduced(span: Span, operator: &str, name: &str) -> Diagnostic {
    let message =
        format!("the generic type `{name}` of `{operator}` follows neither from attributes nor from arguments");
    Diagnostic::error(Code::TypeNotDeduced, span, message)
        .with_label(format!("`{name}` is unknown"))
        .with_help(format!("give it explicitly, as in `{operator}<real>(...)`"))
}

pub(in crate::sema) fn quantized_no_tensor(span: Span, name: &str, kind: SymbolKind) -> Diagnostic {
    Diagnostic::error(
        Code::QuantizedOther,
        span,
        format!("only tensors can be quantized; `{name}` is {}", kind.phrase()),
    )
    .with_label("no tensor")
}

pub(in crate::sema) fn quantized_twice(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error(Code::QuantizedTwice, span, format!("`{name}` is quantized twice"))
        .with_label("quantized again")
        .with_related(first, "quantized first")
        .with_help("a tensor has one quantization: remove one of them")
}

pub(in crate::sema) fn quantized_type(
    span: Span,
    name: &str,
    found: &Type,
    operator: &str,
    expected: &Base,
) -> Diagnostic {
    let message = format!("`{name}` is {found}, but `{operator}` quantizes tensors of {expected}");
    Diagnostic::error(Code::TypeMismatch, span, message).with_label(found.to_string())
}

pub(in crate::sema) fn no_quantization(span: Span, operator: &str, inputs: usize, outputs: usize) -> Diagnostic {
    let message = format!(
        "a quantization has one input and one output; `{operator}` has {} and {}",
        plural(inputs, "input"),
        plural(outputs, "output")
    );
    Diagnostic::error(Code::NoQuantization, span, message).with_label("can't quantize a tensor")
}
