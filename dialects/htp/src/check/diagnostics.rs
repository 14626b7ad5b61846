//! What can be wrong with a rule, one constructor each.

mod functions;
mod impossible;
mod known;
mod options;
mod pattern;
pub mod registered;
mod restrictions;
mod types;
mod useless;

pub use functions::*;
pub use impossible::*;
pub use known::*;
pub use options::*;
pub use pattern::*;
pub use restrictions::*;
pub use types::*;
pub use useless::*;

use super::number::{Number, NumberError};
use crate::grammar::model::DType;
use crate::grammar::passes::PassTable;
use crate::grammar::term::{Registration, Term, TermKind};
use crate::grammar::vocabulary::{self, Place, Production};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};
use strum::VariantArray;

/// A term in words.
fn describe(term: &Term) -> String {
    match &term.kind {
        TermKind::Call { name, .. } => format!("`{name}(...)`"),
        TermKind::Strings(parts) => parts.iter().map(|(text, _)| format!("`{text}`")).collect::<Vec<_>>().join(" "),
        TermKind::Number { sign, digits } => format!("`{}{digits}`", sign.map(String::from).unwrap_or_default()),
        TermKind::Name(name) => format!("`{name}`"),
        TermKind::Scoped(scope, name) => format!("`{scope}::{name}`"),
    }
}

fn quoted(names: &[impl AsRef<str>]) -> String {
    names.iter().map(|n| format!("\"{}\"", n.as_ref())).collect::<Vec<_>>().join(", ")
}

fn or_help(diagnostic: Diagnostic, nearest: Option<&str>, otherwise: impl FnOnce() -> String) -> Diagnostic {
    match nearest {
        Some(name) => diagnostic.with_help(format!("did you mean `{name}`?")),
        None => diagnostic.with_help(otherwise()),
    }
}

/// A rule with too few or too many operands.
pub fn rule_operands(registration: &Registration, with_flags: bool, found: usize) -> Diagnostic {
    let name = &registration.name;
    let operands = if with_flags {
        "pass, flags, match, constraint and replacement"
    } else {
        "pass, match, constraint and replacement"
    };
    let message = format!("`{name}` takes {operands}, found {found} operands");
    let is_replacement = |term: &Term| match &term.kind {
        TermKind::Call { name, .. } => {
            vocabulary::production(name).is_some_and(|production| !production.places.contains(&Place::Scalar))
        }
        TermKind::Strings(_) => true,
        _ => false,
    };
    let begins_with_flag = registration.operands.first().is_some_and(|first| !is_replacement(first));
    let help = match (with_flags, found) {
        (false, 5) if begins_with_flag => {
            "flags stand in DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(pass, flags, match, constraint, replacement)"
        }
        (true, 4) => "without flags write DEF_PACKAGE_OPTIMIZATION(pass, match, constraint, replacement)",
        (_, 3) if registration.operands.last().is_some_and(is_replacement) => {
            "a rule without a condition has the constraint OK"
        }
        (_, 3) => "the replacement is missing: an op, or an operand tag of the match",
        (_, more) if more > 4 => "a rule has one replacement; other ops stand in it as operands",
        _ => "check the commas and parentheses of the rule",
    };
    Diagnostic::error(Code::OperandCount, registration.name_span, message).with_help(help)
}

/// A pass group that the table has not.
pub fn unknown_pass(span: Span, group: &str, passes: &PassTable) -> Diagnostic {
    let names: Vec<&str> = passes.names().collect();
    let diagnostic = Diagnostic::error(Code::UnknownPass, span, format!("`{group}` is no pass group"));
    or_help(diagnostic, vocabulary::nearest(group, names.iter().copied()), || {
        format!("groups are {}", names.join(", "))
    })
}

/// `PASS - n` in strict mode.
pub fn pass_minus(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Extension, span, "the published grammar can only add to a pass group")
        .with_help("name an earlier group, or use --mode sdk")
}

/// Something that can't stand in such a place.
pub fn expected_place(term: &Term, place: Place) -> Diagnostic {
    let message = format!("expected {}, found {}", place.describe(), describe(term));
    Diagnostic::error(Code::Unexpected, term.span, message).with_help(instead(term, place))
}

/// What to write in such a place in place of a term that is no call.
fn instead(term: &Term, place: Place) -> String {
    if let TermKind::Name(name) = &term.kind
        && let Some(production) = vocabulary::production(name)
    {
        return format!("it is written `{}`", production.form);
    }
    match (&term.kind, place) {
        (TermKind::Name(name), Place::Match | Place::Operand | Place::Replacement)
            if !vocabulary::CONSTANTS.contains(&name.as_str()) =>
        {
            format!("operand tags stand in quotes: \"{name}\"")
        }
        (_, Place::Match) => {
            "give it a tag, and ask for its value in the constraint, e.g. EQ(CONSTVAL_INT(\"tag\", 0), 3)".to_owned()
        }
        (TermKind::Strings(parts), Place::Scalar) => {
            let tag: String = parts.iter().map(|(text, _)| text.as_str()).collect();
            format!("ask something of an operand, e.g. RANK_OF({tag}) or DIM_OF({tag}, 3)")
        }
        (_, Place::Scalar) => "expressions are numbers, constants and calls such as DIM_OF(\"tag\", 3)".to_owned(),
        (_, Place::Operand) => "name a tag of the match, or \"*\" for its root".to_owned(),
        (_, Place::Replacement) => {
            "a number becomes a constant by gen_ConstScalar_f32(x) or gen_ConstScalar_i32(x), a shape by gen_Shape(...)"
                .to_owned()
        }
    }
}

/// A call of a name that the language has not.
pub fn unknown_name(span: Span, name: &str, place: Place, with_extensions: bool) -> Diagnostic {
    let fits = |p: &&Production| p.places.contains(&place) && (with_extensions || !p.extension);
    let candidates = vocabulary::PRODUCTIONS.iter().filter(fits).map(|p| p.name);
    let begun = candidates.clone().find(|known| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('_')));
    let diagnostic = Diagnostic::error(
        Code::UnknownName,
        span,
        format!("expected {}, found unknown name `{name}`", place.describe()),
    );
    // What is not near enough to be a slip is somebody's macro.
    let near = vocabulary::nearest(name, candidates).filter(|_| vocabulary::is_like_known(name) || !with_extensions);
    or_help(diagnostic, near.or(begun), || {
        "if it is a macro of yours, give the directory of its file by -I DIR".to_owned()
    })
}

/// A name that belongs to another part of a rule.
pub fn wrong_place(span: Span, production: &Production, place: Place) -> Diagnostic {
    let homes = production.places.iter().map(|home| match home {
        Place::Match => "in a match",
        Place::Scalar => "in an expression",
        Place::Operand => "as an operand",
        Place::Replacement => "in a replacement",
    });
    let homes = homes.collect::<Vec<_>>().join(" or ");
    let message = format!("expected {}, found `{}(...)`", place.describe(), production.name);
    let mut help = format!("`{}` may stand {homes}", production.form);
    if (production.places, place) == (&[Place::Scalar], Place::Replacement) {
        help += "; a number becomes a constant by gen_ConstScalar_f32(x) or gen_ConstScalar_i32(x)";
    }
    Diagnostic::error(Code::WrongPlace, span, message).with_help(help)
}

/// A name of the extensions, in strict mode.
pub fn extension(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::Extension, span, format!("`{name}` is no part of the published grammar"))
        .with_help("use --mode sdk to accept it")
}

/// Too few or too many operands.
pub fn operand_count(span: Span, production: &Production, found: usize) -> Diagnostic {
    let expected = match (production.min, production.max) {
        (min, Some(max)) if min == max => format!("{min}"),
        (min, Some(max)) => format!("{min} to {max}"),
        (min, None) => format!("{min} or more"),
    };
    let noun = if expected == "1" { "operand" } else { "operands" };
    let message = format!("`{}` takes {expected} {noun}, found {found}", production.name);
    Diagnostic::error(Code::OperandCount, span, message).with_help(format!("it is written `{}`", production.form))
}

/// Operands that stand in each other's places.
pub fn operands_exchanged(span: Span, production: &Production) -> Diagnostic {
    let message = format!("the operands of `{}` stand in another order", production.name);
    Diagnostic::error(Code::Unexpected, span, message).with_help(format!("it is written `{}`", production.form))
}

/// `FROM_DEFAULT_PACKAGE` with another number of operands.
pub fn default_package_operands(span: Span, found: usize) -> Diagnostic {
    let name = vocabulary::FROM_DEFAULT_PACKAGE;
    Diagnostic::error(Code::OperandCount, span, format!("`{name}` takes 1 operand, found {found}"))
        .with_help(format!("it is written `{name}(\"op\")`"))
}

/// Parts of a rule that stand in each other's places, at the first one.
pub fn parts_exchanged(span: Span, name: &str) -> Diagnostic {
    let message = format!("match, constraint and replacement of `{name}` stand in another order");
    Diagnostic::error(Code::Unexpected, span, message)
        .with_help(format!("it is written {name}(pass, match, constraint, replacement)"))
}

/// `FROM_DEFAULT_PACKAGE` in another place than that of an op's name.
pub fn default_package_place(span: Span) -> Diagnostic {
    let name = vocabulary::FROM_DEFAULT_PACKAGE;
    Diagnostic::error(Code::WrongPlace, span, format!("`{name}(...)` is the name of an op, and no op"))
        .with_help(format!("it is written Op({name}(\"op\"), operand...)"))
}

/// A name of an op whose package, or the rest, is empty.
pub fn half_name(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::StringConstant, span, format!("\"{name}\" is no name of an op: a part of it is empty"))
        .with_help("an op of another package is written \"package::Op\"")
}

/// Something else where a string constant is wanted.
pub fn string_expected(term: &Term, what: &str) -> Diagnostic {
    let message = format!("expected {what} as a string constant, found {}", describe(term));
    let near = |name: &str| vocabulary::nearest(name, [vocabulary::FROM_DEFAULT_PACKAGE]);
    let help = match &term.kind {
        TermKind::Name(name) => format!("put it in quotes: \"{name}\""),
        TermKind::Call { name, .. } if near(name).is_some() => {
            format!("did you mean `{}`?", vocabulary::FROM_DEFAULT_PACKAGE)
        }
        _ => "a string constant is written \"text\"".to_owned(),
    };
    Diagnostic::error(Code::Unexpected, term.span, message).with_help(help)
}

/// `""`.
pub fn empty_string(span: Span) -> Diagnostic {
    Diagnostic::error(Code::StringConstant, span, "a string constant must not be empty")
        .with_help("write the name of an op, an operand or a split in it")
}

/// A character that string constants must not hold.
pub fn bad_character(span: Span, bad: char) -> Diagnostic {
    let what = match bad {
        ' ' => "a space".to_owned(),
        '\\' => "`\\`".to_owned(),
        _ => format!("`{}`", bad.escape_default()),
    };
    let message =
        format!("a string constant must not hold {what}: only printable ASCII characters except `\"` and `\\`");
    Diagnostic::error(Code::StringConstant, span, message).with_help("ops, operands and splits have names without it")
}

/// Something else where a bare name is wanted.
pub fn name_expected(term: &Term, what: &str) -> Diagnostic {
    let help = match &term.kind {
        TermKind::Strings(parts) => {
            let bare: String = parts.iter().map(|(text, _)| text.trim_matches('"')).collect();
            format!("write it without quotes: {bare}")
        }
        TermKind::Scoped(_, name) => format!("write it without its namespace: {name}"),
        _ => "it is an identifier of C++".to_owned(),
    };
    Diagnostic::error(Code::Unexpected, term.span, format!("expected {what}, found {}", describe(term))).with_help(help)
}

/// Something else where a constant is wanted.
pub fn constant_expected(term: &Term, what: &str) -> Diagnostic {
    let message = format!("expected {what} as an integer constant, found {}", describe(term));
    Diagnostic::error(Code::Unexpected, term.span, message).with_help("an expression can't stand here; write e.g. 3")
}

/// An octal constant of 8 or more.
pub fn octal(span: Span, digits: &str, value: Number) -> Diagnostic {
    let (Number::Int(value) | Number::Size(value)) = value else {
        return Diagnostic::warning(Code::Octal, span, format!("`{digits}` is an octal constant"));
    };
    Diagnostic::warning(Code::Octal, span, format!("`{digits}` is an octal constant of value {value}"))
        .with_help("write it without the leading 0, or in hexadecimal")
}

/// No number, or one beyond its type.
pub fn bad_number(span: Span, sign: Option<char>, digits: &str, error: NumberError) -> Diagnostic {
    let written = format!("{}{digits}", sign.map(String::from).unwrap_or_default());
    let (message, help) = match error {
        NumberError::Malformed => {
            (format!("`{written}` is no number"), Some("numbers are written e.g. 12, 12u, 0x1f, 1.5, 1.5f or 2e-3"))
        }
        NumberError::Range if digits.contains(['.', 'e', 'E']) && !digits.starts_with("0x") => (
            format!("`{written}` is beyond the range of its type"),
            Some("a float has 32 bits; infinity is written INF or NEG_INF"),
        ),
        NumberError::Range => (
            format!("`{written}` is beyond the range of its type"),
            Some("an int has 32 bits; a size is written with U"),
        ),
        NumberError::Negative => (format!("`{written}` has a sign, and is of type size"), Some("remove the U")),
    };
    let diagnostic = Diagnostic::error(Code::Number, span, message);
    match help {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

/// A tag that the match has not.
pub fn unknown_tag(term: &Term, tag: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::error(Code::UnknownTag, term.span, format!("the match has no operand tag \"{tag}\""));
    if matches!(&term.kind, TermKind::Strings(parts) if parts.len() > 1) {
        return diagnostic
            .with_help("string constants side by side are one constant; is a comma missing between them?");
    }
    let nearest = vocabulary::nearest(tag, known.iter().copied()).map(|n| format!("\"{n}\""));
    or_help(diagnostic, nearest.as_deref(), || match known {
        [] => "the match has no tags; only \"*\" is known".to_owned(),
        _ => format!("its tags are {}, and the root is \"*\"", quoted(known)),
    })
}

/// A bare name that stands for no constant.
pub fn unknown_constant(span: Span, name: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(Code::UnknownName, span, format!("`{name}` is no constant of the rule language"));
    if DType::VARIANTS.iter().any(|tag| <&str>::from(tag) == name) {
        return diagnostic.with_help(format!("did you mean `DType::{name}`?"));
    }
    or_help(diagnostic, vocabulary::nearest(name, vocabulary::CONSTANTS.iter().copied()), || {
        "constants are numbers, OK, true, false, INF, NEG_INF and DType tags".to_owned()
    })
}

/// `X::Y` that is no `DType::tag`.
pub fn unknown_scope(span: Span, scope: &str, name: &str) -> Diagnostic {
    Diagnostic::error(
        Code::UnknownName,
        span,
        format!("expected `DType::{name}` or another constant, found `{scope}::{name}`"),
    )
    .with_help("constants with `::` are the tags of DType, e.g. DType::QUInt8")
}

/// A tag that `DType` has not.
pub fn unknown_dtype(span: Span, name: &str) -> Diagnostic {
    let names: Vec<&str> = DType::VARIANTS.iter().map(Into::into).collect();
    let diagnostic = Diagnostic::error(Code::UnknownDtype, span, format!("`{name}` is no tag of DType"));
    let near = vocabulary::nearest(name, names.iter().copied()).map(|near| format!("DType::{near}"));
    or_help(diagnostic, near.as_deref(), || format!("tags are {}", names.join(", ")))
}

/// `DType::Float`.
pub fn dtype_float(span: Span) -> Diagnostic {
    Diagnostic::warning(Code::DtypeFloat, span, "`DType::Float` is no tag of DType; it is taken as `DType::Float32`")
        .with_help("write DType::Float32")
}

/// An external function that nobody has bound.
pub fn not_bound(span: Span, function: &str, rule: &str) -> Diagnostic {
    left_out(span, format!("the external function `{function}` is not bound"), rule)
}

/// A tensor class or dimension that the table of chunks has not.
pub fn unknown_chunk(span: Span, class: &str, dimension: u32, rule: &str) -> Diagnostic {
    left_out(span, format!("the size of a chunk of `{class}` along dimension {dimension} is not known"), rule)
}

/// `$Out` in a match.
pub fn never_matches(span: Span, rule: &str) -> Diagnostic {
    left_out(span, "this can never match: an output of several is a view of its node, and no node".to_owned(), rule)
        .with_help("match the op that has the outputs, and name one by OUTPUT_OF(\"tag\", index)")
}

fn left_out(span: Span, message: String, rule: &str) -> Diagnostic {
    Diagnostic::warning(Code::NotSupported, span, message)
        .with_note(format!("the rule {rule} is well formed, and left out when rules are applied"))
}
