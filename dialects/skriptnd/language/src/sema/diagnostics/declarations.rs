//! Messages about declarations.

use crate::sema::symbols::SymbolKind;
use crate::sema::types::Type;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};
use skriptnd_syntax::ast::Name;

pub(in crate::sema) fn tensor_attribute(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(
        Code::TensorAttribute,
        span,
        format!("the attribute `{name}` has a shape: attributes can't be tensors"),
    )
    .with_label("a tensor type")
    .with_help("declare it in `@input`, or as a pack: `int..`")
}

pub(in crate::sema) fn optional_with_default(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::OptionalDefault, span, format!("the optional attribute `{name}` has a default value"))
        .with_label("its default is null")
        .with_help("remove `optional`, or the value")
}

pub(in crate::sema) fn uniform_without_length(span: Span, name: &str, found: &Type) -> Diagnostic {
    let message =
        format!("the default of `{name}` must be a pack, found {found}: nothing tells how often to repeat it");
    Diagnostic::error(Code::UniformWithoutLength, span, message)
        .with_label("a single value")
        .with_help(format!("give the pack a length, as in `{name}: ...(n)`, or write a list"))
}

pub(in crate::sema) fn circular_default(span: Span, names: &[&Name]) -> Diagnostic {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.text)).collect();
    let way = match quoted.as_slice() {
        [own] => format!("the default of {own} depends on itself"),
        [first, rest @ ..] => format!("the default of {first} depends on itself: {first} needs {}", {
            let mut way = rest.join(", which needs ");
            way.push_str(&format!(", which needs {first}"));
            way
        }),
        [] => String::new(),
    };
    let diagnostic = Diagnostic::error(Code::CircularDefault, span, way).with_label("can't be evaluated");
    names.iter().skip(1).fold(diagnostic, |d, name| d.with_related(name.span, "declared here"))
}

pub(in crate::sema) fn hinted_single(span: Span, name: &str, found: &Type) -> Diagnostic {
    Diagnostic::error(Code::NotAPack, span, format!("`{name}` is written as a pack, its value is {found}"))
        .with_label("not a pack")
        .with_help("remove `..`, or make the value a list")
}

pub(in crate::sema) fn tensor_helper(span: Span, name: &str) -> Diagnostic {
    let message = format!("the helper symbol `{name}` has a shape: helper symbols can't be tensors");
    Diagnostic::error(Code::TensorHelper, span, message)
        .with_label("a tensor")
        .with_help("a pack of values is written `..`: `p.. = [1, 2]`")
}

pub(in crate::sema) fn several_open_parts(span: Span, first: Span) -> Diagnostic {
    let message = "only one part of a list on the left may be of open length, found a second one";
    Diagnostic::error(Code::OpenParts, span, message)
        .with_label("of open length")
        .with_related(first, "of open length, too")
        .with_help("write the length of one of them: `a..(n)`")
}

pub(in crate::sema) fn constant_pack_value(span: Span, name: &str, found: &Type) -> Diagnostic {
    let message = format!("the value of `{name}`, a pack of constants, must be a list, found {found}");
    Diagnostic::error(Code::ConstantPack, span, message)
        .with_label("a single value")
        .with_help("write one value for each constant: `[0.0, 1.0]`, or `[0.0 ..(n)]`")
}

pub(in crate::sema) fn constant_pack_index(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` is a pack of constants, each of which has one value for all elements");
    Diagnostic::error(Code::ConstantPack, span, message)
        .with_label("an index symbol")
        .with_help("declare the constants one by one")
}

pub(in crate::sema) fn packed_element(span: Span, name: &str, index: &str, found: &Type) -> Diagnostic {
    let message = format!("the value of an element of `{name}` must be a single value, found {found}");
    Diagnostic::error(Code::TypeMismatch, span, message)
        .with_label(format!("for each `{index}`"))
        .with_help("a list gives all elements and has no index symbols")
}

pub(in crate::sema) fn shape_not_written(span: Span, kind: SymbolKind, name: &str) -> Diagnostic {
    Diagnostic::error(Code::MissingShape, span, format!("expected the shape of {} `{name}`", the(kind)))
        .with_label("no shape")
        .with_help("a tensor without dimensions is written `real[]`")
}

pub(in crate::sema) fn extent_not_written(span: Span, kind: SymbolKind, name: &str) -> Diagnostic {
    Diagnostic::error(Code::MissingExtent, span, format!("expected an extent of {} `{name}`, found `~`", the(kind)))
        .with_label("not determined by anything")
}

pub(in crate::sema) fn length_not_written(span: Span, kind: SymbolKind, name: &str) -> Diagnostic {
    Diagnostic::error(Code::PackLengthMissing, span, format!("expected the length of {} `{name}`", the(kind)))
        .with_label("how many tensors?")
        .with_help("write `..(n)`")
}

fn the(kind: SymbolKind) -> String {
    format!("the {}", kind.words())
}

pub(in crate::sema) fn variable_with_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(
        Code::VariableWithValue,
        span,
        format!("the variable `{name}` has a value: variables are read from files"),
    )
    .with_label("not allowed")
    .with_help("declare it in `@constant`, or store the value in the variable's file")
}

pub(in crate::sema) fn output_with_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::OutputWithValue, span, format!("the output `{name}` has a value in its declaration"))
        .with_label("not allowed")
        .with_help("assign it in `@compose` or `@lower`")
}

pub(in crate::sema) fn constant_without_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::ConstantWithoutValue, span, format!("expected a value for the constant `{name}`"))
        .with_label("no value")
        .with_help(format!("write `{name}: ... = 0.0;`, or declare it in `@variable` if it is read from a file"))
}

pub(in crate::sema) fn missing_shape(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::MissingShape, span, format!("expected the shape of the output `{name}`"))
        .with_label("no shape")
        .with_help("only graphs may leave it out; a tensor without dimensions is written `real[]`")
}

pub(in crate::sema) fn unbounded_output(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(
        Code::UnboundedExtent,
        span,
        format!("expected an upper bound for this extent of the output `{name}`"),
    )
    .with_label("no bound")
    .with_help("write `~|bound`")
}

pub(in crate::sema) fn ambiguous_shape(span: Span, input: &str, packs: &[String], lengths: &[String]) -> Diagnostic {
    let packs: Vec<String> = packs.iter().map(|name| format!("`{name}`")).collect();
    let message = format!(
        "the shape of `{input}` is ambiguous: expected at most one pack of unknown length, found {}",
        packs.join(" and ")
    );
    let diagnostic =
        Diagnostic::error(Code::AmbiguousShape, span, message).with_label("which dimensions belong to which?");
    match lengths {
        [] => diagnostic.with_help("give one of them a length: an attribute, as in `s..(r)`, or that of another input"),
        [length, ..] => diagnostic.with_help(format!(
            "`{length}` is the length of an attribute, which may be given as a single value: make it an attribute of its own"
        )),
    }
}

pub(in crate::sema) fn extent_not_affine(span: Span, names: &[&str]) -> Diagnostic {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (verb, message) = match names {
        [name] => ("is", format!("expected an extent that is affine in `{name}`, such as `2 * {name} + 1`")),
        _ => ("are", format!("expected at most one name that is not declared, found {}", quoted.join(" and "))),
    };
    Diagnostic::error(Code::ExtentNotAffine, span, message)
        .with_label(format!("{} {verb} not determined by this extent", quoted.join(" and ")))
        .with_help("declare the names as attributes, or let another extent determine them: `x: real[n]` binds `n`")
}

pub(in crate::sema) fn distinct_without_pack(span: Span, name: &str) -> Diagnostic {
    let message = format!("`..` before an extent tells the tensors of a pack apart, but `{name}` is a single tensor");
    Diagnostic::error(Code::DistinctExtent, span, message)
        .with_label("one tensor has one extent here")
        .with_help("remove the `..`, or make it a pack: `real[..n]..(k)`; several dimensions are written `n..`")
}

pub(in crate::sema) fn distinct_single(span: Span, found: &Type) -> Diagnostic {
    let message = format!("`..` before an extent takes a pack, with an extent for each tensor; found {found}");
    Diagnostic::error(Code::DistinctExtent, span, message)
        .with_label("one extent for all tensors")
        .with_help("remove the `..`")
}

pub(in crate::sema) fn distinct_pack(span: Span) -> Diagnostic {
    let message = "an extent with `..` before it stands for one dimension: expected no `..` behind it";
    Diagnostic::error(Code::DistinctExtent, span, message).with_label("either the one or the other")
}
