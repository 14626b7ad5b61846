//! Invocations that don't fit their operator's definition.

use crate::compose::extent::marker::is_undetermined;
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::tensors::TensorType;
use crate::compose::term::Term;
use crate::compose::value::{ScalarType, Value};
use crate::compose::violation::{Violation, extent, message, words};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic, nearest};
use skriptnd_syntax::ast::{Assertion, DtypeParam, Name, Operator, Param, TypeName};

/// A shape as it is written: `[1, 3, s|10]`.
pub(crate) fn shape_text(ty: &TensorType) -> String {
    let extents: Vec<String> = ty.shape.iter().map(extent_text).collect();
    format!("{}[{}]", ty.dtype.keyword(), extents.join(", "))
}

/// An extent as it is written, with `~` for one that nothing names.
fn extent_text(extent: &Extent) -> String {
    match &extent.value {
        SymExpr::Symbol(marker) if is_undetermined(marker) => {
            let bound = extent.bound.map_or_else(String::new, |bound| format!("|{bound}"));
            format!("~{bound}")
        }
        _ => extent.to_string(),
    }
}

/// The types that a value can have, each once.
pub(crate) fn shape_texts(types: &[TensorType]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for text in types.iter().map(shape_text) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join(" or ")
}

pub(crate) fn too_many_arguments(path: &str, given: usize, declared: usize, span: Span) -> Diagnostic {
    let inputs = if declared == 1 { "input" } else { "inputs" };
    let message = format!("`{path}` has {declared} {inputs}, {given} arguments are given");
    Diagnostic::error(Code::ArgumentCount, span, message).with_label("one argument too many")
}

pub(crate) fn missing_argument(path: &str, param: &Param, span: Span) -> Diagnostic {
    let message = format!("`{path}` needs an argument for input `{}`", param.name.text);
    Diagnostic::error(Code::MissingArgument, span, message).with_related(param.span, "the input is declared here")
}

pub(crate) fn missing_attribute(path: &str, param: &Param, span: Span) -> Diagnostic {
    let message = format!("`{path}` needs a value for attribute `{}`", param.name.text);
    Diagnostic::error(Code::MissingAttribute, span, message)
        .with_label(format!("`{}` is missing", param.name.text))
        .with_related(param.span, "the attribute is declared here, without a default that applies")
        .with_help(format!("write `{{{}=...}}` after the operator's name", param.name.text))
}

pub(crate) fn unknown_attribute(path: &str, name: &str, operator: &Operator, span: Span) -> Diagnostic {
    let names = operator.attributes.iter().map(|param| &*param.name.text);
    let d = Diagnostic::error(Code::UnknownAttribute, span, format!("`{path}` has no attribute `{name}`"))
        .with_label("unknown attribute");
    match nearest(name, names.clone()) {
        Some(nearest) => d.with_help(format!("did you mean `{nearest}`?")),
        None if operator.attributes.is_empty() => d.with_help("it has no attributes"),
        None => d.with_help(format!("its attributes are {}", names.collect::<Vec<_>>().join(", "))),
    }
}

pub(crate) fn attribute_given_twice(name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error(Code::DuplicateAttribute, name.span, format!("attribute `{}` is given twice", name.text))
        .with_related(first, "the first value")
}

pub(crate) fn attribute_type(param: &Param, expected: ScalarType, found: &Term, span: Span) -> Diagnostic {
    let name = &param.name.text;
    let expected = expected.keyword();
    let d = match found {
        Term::Null => return null_attribute(param, span),
        Term::Tensor(_) | Term::Scalar(_) => Diagnostic::error(
            Code::AttributeType,
            span,
            format!("attribute `{name}` must be known when composing; it is a tensor"),
        )
        .with_help(format!("attributes are compile-time values; `{name}` is {expected}")),
        found => {
            let message = format!("attribute `{name}` must be {expected}, found {} ({found})", found.describe());
            let d = Diagnostic::error(Code::AttributeType, span, message).with_label(format!("expected {expected}"));
            match (expected, found.dtype()) {
                ("real", Some(ScalarType::Int)) => d.with_help("int is not converted to real: write 1.0 for 1"),
                _ => d,
            }
        }
    };
    d.with_related(param.span, "the attribute is declared here")
}

pub(crate) fn null_attribute(param: &Param, span: Span) -> Diagnostic {
    let message = format!("attribute `{}` is not optional, its value is null", param.name.text);
    Diagnostic::error(Code::AttributeType, span, message)
        .with_help("give it a fallback with `??`")
        .with_related(param.span, "the attribute is declared here")
}

pub(crate) fn attribute_is_no_pack(param: &Param, found: &Term, span: Span) -> Diagnostic {
    let message = format!("attribute `{}` is one value, found a {} ({found})", param.name.text, found.describe());
    Diagnostic::error(Code::AttributeType, span, message).with_related(param.span, "the attribute is declared here")
}

pub(crate) fn attribute_length_unknown(param: &Param, value: &Term, span: Span) -> Diagnostic {
    let message = format!("one value is given for the pack `{}`, and nothing tells its length", param.name.text);
    Diagnostic::error(Code::AttributeLength, span, message)
        .with_help(format!("write a list: `{}=[{value}]`", param.name.text))
        .with_related(param.span, "the attribute is declared here")
}

pub(crate) fn type_mismatch(
    what: &str,
    param: &Param,
    expected: ScalarType,
    found: ScalarType,
    span: Span,
) -> Diagnostic {
    let (expected, found) = (expected.keyword(), found.keyword());
    let message = format!("{what} `{}` must be {expected}, found {found}", param.name.text);
    let d = Diagnostic::error(Code::TypeMismatch, span, message)
        .with_label(format!("{found}, expected {expected}"))
        .with_related(param.span, "declared here");
    match (expected, found) {
        ("real", "int") => d.with_help("int is not converted to real: write 1.0 for 1, or use layout.cast<real>"),
        _ => d,
    }
}

pub(crate) fn generic_conflict(
    what: &str,
    param: &Param,
    generic: &str,
    known: ScalarType,
    found: ScalarType,
    span: Span,
) -> Diagnostic {
    let (known, found) = (known.keyword(), found.keyword());
    let message = format!("{what} `{}` is {found}, but type `{generic}` is {known} already", param.name.text);
    let d = Diagnostic::error(Code::TypeMismatch, span, message)
        .with_label(format!("{found}, expected {known}"))
        .with_related(param.span, "declared here");
    match (known, found) {
        ("real", "int") => d.with_help("int is not converted to real: write 1.0 for 1, or use layout.cast<real>"),
        _ => d,
    }
}

pub(crate) fn type_not_admitted(generic: &DtypeParam, found: ScalarType, span: Span) -> Diagnostic {
    let admitted = match generic.bound {
        TypeName::Arith => "int, real or bool",
        TypeName::Num => "int or real",
        _ => "of another type",
    };
    let message = format!("type `{}` must be {admitted}, found {}", generic.name.text, found.keyword());
    Diagnostic::error(Code::TypeNotAdmitted, span, message).with_related(generic.name.span, "the type is declared here")
}

pub(crate) fn generic_not_deduced(path: &str, generic: &DtypeParam, span: Span) -> Diagnostic {
    let operator = path.rsplit('.').next().unwrap_or(path);
    let message = format!("type `{}` of `{path}` follows from no argument or attribute", generic.name.text);
    Diagnostic::error(Code::GenericNotDeduced, span, message)
        .with_related(generic.name.span, "the type is declared here, without a default")
        .with_help(format!("write it: `{operator}<real>(...)`"))
}

pub(crate) fn pack_argument_expected(param: &Param, span: Span) -> Diagnostic {
    Diagnostic::error(Code::ArgumentKind, span, format!("input `{}` is a pack of tensors, found one", param.name.text))
        .with_related(param.span, "the input is declared here")
        .with_help("write a list: [x, y]")
}

pub(crate) fn empty_pack(param: &Param, span: Span) -> Diagnostic {
    let message = format!("input `{}` needs at least one tensor, which determines its shape", param.name.text);
    Diagnostic::error(Code::ArgumentKind, span, message).with_related(param.span, "the input is declared here")
}

pub(crate) fn single_argument_expected(param: &Param, span: Span) -> Diagnostic {
    Diagnostic::error(Code::ArgumentKind, span, format!("input `{}` is one tensor, found a pack", param.name.text))
        .with_related(param.span, "the input is declared here")
}

pub(crate) fn rank_mismatch(
    path: &str,
    (param, number): (&Param, Option<usize>),
    expected: &str,
    ty: &TensorType,
    span: Span,
) -> Diagnostic {
    let item = number.map_or_else(String::new, |number| format!("[{number}]"));
    let dimensions = if expected == "1" { "dimension" } else { "dimensions" };
    let found = ty.shape.len();
    let message =
        format!("argument `{}{item}` of `{path}` must have {expected} {dimensions}, found {found}", param.name.text);
    Diagnostic::error(Code::RankMismatch, span, message)
        .with_label(shape_text(ty))
        .with_related(param.span, "the input is declared here")
}

/// A number of an invocation that its operator's definition prescribes or binds.
#[derive(Clone, Copy)]
pub(crate) enum Subject<'a> {
    /// A dimension of an argument: of which input, of which tensor of a pack, which one.
    Dimension(&'a Param, Option<usize>, usize),
    /// How many dimensions a part of an input's shape has.
    Length(&'a Param),
    /// The rank of an argument.
    Rank(&'a Param, Option<usize>),
    /// How many tensors an input has.
    Tensors(&'a Param),
    /// How many items an attribute has.
    Items(&'a Param),
}

impl Subject<'_> {
    pub(super) fn param(&self) -> &Param {
        match self {
            Subject::Dimension(param, ..)
            | Subject::Length(param)
            | Subject::Rank(param, _)
            | Subject::Tensors(param)
            | Subject::Items(param) => param,
        }
    }

    pub(super) fn describe(&self, path: &str) -> String {
        let name = &self.param().name.text;
        let item = |number: &Option<usize>| number.map_or_else(String::new, |number| format!("[{number}]"));
        match self {
            Subject::Dimension(_, number, dimension) => {
                format!("dimension {dimension} of argument `{name}{}` of `{path}`", item(number))
            }
            Subject::Length(_) => format!("the number of dimensions that argument `{name}` of `{path}` has for this"),
            Subject::Rank(_, number) => format!("the rank of argument `{name}{}` of `{path}`", item(number)),
            Subject::Tensors(_) => format!("the number of tensors in argument `{name}` of `{path}`"),
            Subject::Items(_) => format!("the length of attribute `{name}` of `{path}`"),
        }
    }

    fn code(&self) -> Code {
        match self {
            Subject::Dimension(..) => Code::ShapeMismatch,
            Subject::Length(_) | Subject::Rank(..) => Code::RankMismatch,
            Subject::Tensors(_) => Code::PackLengths,
            Subject::Items(_) => Code::AttributeLength,
        }
    }

    fn declared(&self) -> String {
        let kind = if matches!(self, Subject::Items(_)) { "attribute" } else { "input" };
        format!("the {kind} is declared here")
    }
}

/// `written` is the expression of the declaration, `expected` its value.
pub(crate) fn number_mismatch(
    path: &str,
    subject: Subject<'_>,
    (written, expected): (&str, &SymExpr),
    found: &SymExpr,
    span: Span,
) -> Violation {
    let about = format!("{} is ", subject.describe(path));
    let text = message(vec![words(about), extent(found), words(", expected "), extent(expected)]);
    let violation = Violation::new(subject.code(), span, text).with_related(subject.param().span, subject.declared());
    if written.parse::<i64>().is_ok() { violation } else { violation.with_value(written, extent(expected)) }
}

/// An affine expression has no solution that is an integer and not negative.
pub(crate) fn no_solution(
    path: &str,
    subject: Subject<'_>,
    (written, name): (&str, &str),
    found: &SymExpr,
    span: Span,
) -> Violation {
    let about = format!("{} is ", subject.describe(path));
    let reason = format!(", which `{written}` can't be for any extent `{name}`");
    let text = message(vec![words(about), extent(found), words(reason)]);
    Violation::new(subject.code(), span, text).with_related(subject.param().span, subject.declared())
}

pub(crate) fn ambiguous_shape(path: &str, param: &Param) -> Diagnostic {
    let message = format!("the shape of `{}` can't be bound in `{path}`", param.name.text);
    Diagnostic::error(Code::AmbiguousShape, param.span, message)
        .with_label("more than one part of open length, or an extent that is not affine")
        .with_help("let a non-optional int attribute or another input determine all lengths but one (section 2.6.1)")
}

pub(crate) fn extent_not_affine(span: Span) -> Diagnostic {
    Diagnostic::error(Code::ExtentNotAffine, span, "an extent that introduces a name must be affine in it: a * x + b")
}

/// `text` is the message if there is one, `written` the condition as it stands in the definition.
pub(crate) fn assertion_failed(
    path: &str,
    assertion: &Assertion,
    (text, written): (Option<Value>, &str),
    values: Vec<(String, Value)>,
    site: Span,
) -> Violation {
    let text = text.unwrap_or_else(|| words(format!("`{written}` does not hold")));
    let text = message(vec![words(format!("invalid use of `{path}`: ")), text]);
    let violation = Violation::new(Code::AssertionFailed, site, text).with_related(assertion.span, "the assertion");
    Violation { values, ..violation }
}

pub(crate) fn hinted_length(name: &str, expected: i64, found: u64, span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::PackLengths,
        span,
        format!("`{name}` is declared with {expected} items, its value has {found}"),
    )
}

pub(crate) fn cannot_unpack(total: usize, fixed: usize, open: usize, span: Span) -> Diagnostic {
    let message = match open {
        0 => format!("a list of {fixed} items can't take a value of {total} items"),
        1 => format!("a list of at least {fixed} items can't take a value of {total} items"),
        _ => "only one part of a list on the left may be of open length".to_owned(),
    };
    Diagnostic::error(Code::PackLengths, span, message)
}

pub(crate) fn cannot_unzip(items: usize, names: usize, span: Span) -> Diagnostic {
    let message = format!("{items} items can't be dealt out to {names} names evenly");
    Diagnostic::error(Code::PackLengths, span, message)
}

pub(crate) fn pack_length_missing(param: &Param) -> Diagnostic {
    let message = format!("the number of tensors in `{}` must be declared", param.name.text);
    Diagnostic::error(Code::PackLengthMissing, param.span, message).with_help("write `..(n)` after its type")
}

pub(crate) fn negative_pack_length(param: &Param, length: i64, span: Span) -> Diagnostic {
    let message = format!("the number of tensors in `{}` must not be negative; it is {length}", param.name.text);
    Diagnostic::error(Code::NegativeLength, span, message)
        .with_label(format!("= {length}"))
        .with_help("0 is the least, a pack without tensors")
}

/// An assertion that the run checks, and of which a part has been decided before.
pub(crate) fn undecided_identity(violation: Violation) -> Violation {
    violation.with_help(
        "`is` is decided when composing, where an extent of the run has no value: broadcasting, say, needs a 1 that is \
         written, or bound when composing",
    )
}

pub(crate) fn default_extent(param: &Param, name: &str, span: Span) -> Diagnostic {
    let message = format!("nothing tells extent `{name}` of input `{}`, which takes its default", param.name.text);
    Diagnostic::error(Code::DefaultShape, span, message)
        .with_label("no argument is given for it")
        .with_related(param.span, "the input is declared here")
        .with_help("give the argument, or let an attribute or another input determine the extent")
}
