//! What can be wrong with the text of a rule file, one constructor each.

mod preprocessor;

pub use preprocessor::*;

use super::lexer::{Token, TokenKind};
use super::term::Term;
use skriptnd_source::diagnostics::{Code, Diagnostic};
use skriptnd_source::{FileId, Span};

/// Adds the place in the macro's body that a term or token comes from.
fn from_macro(diagnostic: Diagnostic, macro_body: Option<Span>) -> Diagnostic {
    match macro_body {
        Some(body) => diagnostic.with_related(body, IN_EXPANSION),
        None => diagnostic,
    }
}

/// What is said of a place in the body of a macro.
const IN_EXPANSION: &str = "in the expansion of this macro";

/// Whether what is wrong stands in the body of a macro.
pub fn comes_from_macro(diagnostic: &Diagnostic) -> bool {
    diagnostic.related.iter().any(|(_, what)| what == IN_EXPANSION)
}

/// Adds the place in the macro's body that a term comes from.
pub fn at_term(diagnostic: Diagnostic, term: &Term) -> Diagnostic {
    from_macro(diagnostic, term.macro_body)
}

/// The parser met something else than it could take.
pub fn syntax(found: &Token, around: [Option<&Token>; 2], expected: &str) -> Diagnostic {
    let message = format!("expected {expected}, found `{}`", found.text);
    let diagnostic = from_macro(Diagnostic::error(Code::Syntax, found.span, message), found.macro_body);
    diagnostic.with_label(format!("expected {expected}")).with_help(syntax_help(found, around))
}

/// What stands in parentheses in front of a value in C.
const TYPES: [&str; 10] =
    ["int", "unsigned", "size_t", "float", "double", "bool", "int32_t", "uint32_t", "int64_t", "uint64_t"];

/// What is written in place of what C++ writes so.
fn syntax_help(found: &Token, [previous, next]: [Option<&Token>; 2]) -> &'static str {
    let touches = |before: &Token| before.span.file == found.span.file && before.span.end == found.span.start;
    let of_previous = previous.filter(|before| touches(before)).map(|before| before.kind);
    let behind = |punctuation: &str| previous.is_some_and(|p| p.is(punctuation));
    let begins = behind("(") || behind(",");
    match found.text.as_str() {
        "(" if previous.is_some_and(|p| p.kind == TokenKind::String) => "an op is written Op(\"name\", operand...)",
        "(" if found.macro_body.is_some() => {
            "a macro takes arguments only where `(` follows its name at once in #define"
        }
        "(" if next.and_then(Token::name).is_some_and(|name| TYPES.contains(&name)) => {
            "a cast is written as a call: INT(x), UINT(x), FLOAT(x) or DTYPE(x)"
        }
        "(" => "parentheses stand behind names only",
        "." | ":" | "::" => "constants with `::` are the tags of DType, e.g. DType::QUInt8",
        "and" | "or" | "not" | "xor" => "logic is written as calls: AND, OR, XOR, NOT, e.g. AND(a, b)",
        "\u{201c}" | "\u{201d}" | "\u{201e}" | "\u{2018}" | "\u{2019}" => "string constants stand in straight quotes",
        "[" => "code of C++ stands in functions, which SHAPEFN_APPLY, EXTERNAL_CONSTRAINT and EXTERNAL_REPLACE call",
        "{" => "several numbers are written gen_Shape(1, 2) or gen_ConstArr_vals_i32(1, 2)",
        ";" => "`;` may only stand behind a rule; check its parentheses",
        _ if found.kind == TokenKind::String && of_previous == Some(TokenKind::Name) => {
            "a string constant is written without prefix: \"text\""
        }
        _ if found.kind == TokenKind::Name && of_previous == Some(TokenKind::String) => {
            "a string constant is written without suffix: \"text\""
        }
        "!" if begins => "a negation is written as a call: NOT(condition)",
        "&" | "*" if begins => "names stand alone, without operators of C++",
        "<" if previous
            .and_then(Token::name)
            .is_some_and(|name| !name.chars().all(|c| c.is_ascii_uppercase() || c == '_')) =>
        {
            "templates can't stand within a rule"
        }
        "<" | ">" | "=" | "!" => "comparisons are written as calls: EQ, NE, LT, GT, LE, GE, e.g. GT(x, 4)",
        "*" | "/" | "%" | "+" | "-" => "arithmetic is written as calls: ADD, SUB, MUL, DIV, REM, MOD, e.g. MUL(x, 4)",
        "&" | "|" | "^" => "logic is written as calls: AND, OR, XOR, NOT, e.g. AND(a, b)",
        "?" => "a choice is written SELECT(condition, a, b)",
        "#" => "no preprocessor line may stand within a rule",
        ")" if behind(",") => "remove the comma before it",
        "," if begins => "an operand is missing, or there is a comma too many",
        "INF" if behind("-") => "it is written NEG_INF",
        _ if found.kind != TokenKind::Punctuation && !begins => "operands are separated by commas",
        _ => "a rule is made of names, numbers, strings in quotes, parentheses and commas",
    }
}

/// A pass that is no name.
pub fn pass_expected(found: &Token) -> Diagnostic {
    let message = format!("expected a pass group, found `{}`", found.text);
    from_macro(Diagnostic::error(Code::Syntax, found.span, message), found.macro_body)
        .with_help("a rule begins with its pass, e.g. EARLY or EARLY + 10")
}

/// No number behind the sign of a pass.
pub fn pass_number_expected(found: &Token) -> Diagnostic {
    let diagnostic = pass_offset(found.span, &found.text);
    from_macro(diagnostic, found.macro_body)
}

/// A pass offset that is no decimal constant.
pub fn pass_offset(span: Span, found: &str) -> Diagnostic {
    let message = format!("the offset of a pass is a decimal constant without sign or suffix, found `{found}`");
    Diagnostic::error(Code::PassOffset, span, message).with_help("write it e.g. as EARLY + 10")
}

/// More than one number behind a pass group.
pub fn pass_of_several(found: &Token) -> Diagnostic {
    let message = format!("expected `,` behind the pass, found `{}`", found.text);
    from_macro(Diagnostic::error(Code::Syntax, found.span, message), found.macro_body)
        .with_help("add one number to the group, e.g. EARLY + 10")
}

/// A file without rules, at its beginning.
pub fn no_rules(file: FileId) -> Diagnostic {
    let beginning = Span { file, start: 0, end: 0 };
    Diagnostic::warning(Code::NoRules, beginning, "there is no rule in this file")
        .with_help("a rule is DEF_PACKAGE_OPTIMIZATION(pass, match, constraint, replacement), at the start of a line")
}

/// Nothing where a registration was expected.
pub fn empty_registration(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Syntax, span, "expected a rule")
        .with_help("a rule is DEF_PACKAGE_OPTIMIZATION(pass, match, constraint, replacement)")
}

/// Nesting that only hostile text has.
pub fn nested_too_deep(token: &Token, limit: usize) -> Diagnostic {
    from_macro(
        Diagnostic::error(
            Code::NestingLimit,
            token.span,
            format!("parentheses are nested deeper than the limit of {limit}"),
        ),
        token.macro_body,
    )
    .with_help("take it apart; AND, OR, ADD and their kin take any number of operands")
}

/// A character constant, a raw string, or a string that its line cuts off.
pub fn foreign_constant(token: &Token) -> Diagnostic {
    let unterminated = token.text.starts_with('"');
    let message = match token.text.chars().next() {
        Some('"') => "the string constant is not closed on its line",
        Some('\'') => "a character constant is no part of the rule language",
        _ => "a raw string constant is no part of the rule language",
    };
    let help = if unterminated { "close it with `\"`" } else { "write a string constant as \"text\"" };
    from_macro(Diagnostic::error(Code::StringConstant, token.span, message), token.macro_body).with_help(help)
}

/// A registration whose parenthesis no other closes.
pub fn unclosed(name: &Token, open: Span) -> Diagnostic {
    Diagnostic::error(Code::Unclosed, open, format!("the `(` of `{}` is never closed", name.text))
        .with_label("opened here")
        .with_help("add the missing `)`")
}

/// A call within a rule that is not closed before the next part of the rule.
pub fn unclosed_within(name: &str, span: Span, next: Span) -> Diagnostic {
    Diagnostic::error(
        Code::Unclosed,
        span,
        format!("the `(` of `{name}` is not closed before the next part of the rule"),
    )
    .with_related(next, "this is no operand of it")
    .with_help("add the missing `)`")
}

/// A rule macro without its parenthesis.
pub fn parenthesis_expected(name: &Token, found: Option<&Token>) -> Diagnostic {
    let found = found.map_or("the end of the file".to_owned(), |t| format!("`{}`", t.text));
    Diagnostic::error(Code::Syntax, name.span, format!("expected `(` behind `{}`, found {found}", name.text))
        .with_help("a rule is DEF_PACKAGE_OPTIMIZATION(pass, match, constraint, replacement)")
}

/// The macro or its parenthesis does not stand at the start of a line.
pub fn not_at_line_start(name: &Token, strict: bool) -> Diagnostic {
    let message = format!("`{}` and its `(` must stand at the start of one line", name.text);
    let make = if strict { Diagnostic::error } else { Diagnostic::warning };
    make(Code::LineStart, name.span, message).with_help("other tools do not see the rule where it stands now")
}

/// The first character behind a rule is a comma or a parenthesis.
pub fn bad_follower(name: &Token, found: &Token) -> Diagnostic {
    let message = format!("expected no `{0}` behind `{1}(...)`, found `{0}`", found.text, name.text);
    Diagnostic::error(Code::RuleEnd, found.span, message)
        .with_related(name.span, "the rule begins here")
        .with_help("check the parentheses of the rule, or end it with `;`")
}

/// A parenthesis too many behind a rule.
pub fn stray_parenthesis(name: &Token, found: &Token) -> Diagnostic {
    let message = format!("the `)` behind `{}(...)` closes nothing", name.text);
    Diagnostic::warning(Code::RuleEnd, found.span, message)
        .with_related(name.span, "the rule begins here")
        .with_help("remove it, or check the parentheses of the rule")
}

/// A call that holds a match and is no registration; `meant` is a known one of a like name.
pub fn unknown_registration(name: &Token, meant: Option<&str>) -> Diagnostic {
    let make = if meant.is_some() { Diagnostic::error } else { Diagnostic::warning };
    let message = format!("`{}` registers nothing: it is neither known nor a macro of this file", name.text);
    let diagnostic = make(Code::UnknownName, name.span, message);
    match meant {
        Some(meant) => diagnostic.with_help(format!("did you mean `{meant}`?")),
        None => diagnostic
            .with_note("what stands in it is left out")
            .with_help("if it is a macro of yours, give the directory of its file by -I DIR"),
    }
}

/// `/*` without its end.
pub fn comment_unclosed(begin: Span) -> Diagnostic {
    Diagnostic::error(Code::Unclosed, begin, "this comment is never closed").with_help("add the missing `*/`")
}

/// An annotation in another form.
pub fn broken_annotation(span: Span) -> Diagnostic {
    Diagnostic::warning(Code::Syntax, span, "this annotation can't be read, and announces nothing")
        .with_help("it is written // :::EXTERNAL_SHAPEFN::: { type function(type, type); }")
}

/// An op that is registered without a name in quotes.
pub fn op_name_expected(span: Span, found: &str, strict: bool) -> Diagnostic {
    let make = if strict { Diagnostic::error } else { Diagnostic::warning };
    make(Code::StringConstant, span, format!("expected the name of an op as a string constant, found `{found}`"))
        .with_help("it is written NAME(function, \"op\")")
}

/// A registration of the extensions, in strict mode.
pub fn registration_not_strict(name: &Token) -> Diagnostic {
    let message = format!("`{}` is no part of the published grammar", name.text);
    Diagnostic::error(Code::Extension, name.span, message)
        .with_help("use DEF_PACKAGE_OPTIMIZATION(pass, match, constraint, replacement), or --mode sdk")
}

/// A registration with too few or too many operands.
pub fn registration_operands(name: &str, span: Span, expected: &str, found: usize) -> Diagnostic {
    Diagnostic::error(Code::OperandCount, span, format!("`{name}` takes {expected}, found {found}"))
        .with_help("it is written NAME(function, \"op\"), with a cost and flags behind where the name tells them")
}

/// An op's cost that is none.
pub fn unknown_cost(token: Span, found: &str, known: &[&str]) -> Diagnostic {
    Diagnostic::error(Code::UnknownCost, token, format!("expected a cost, found `{found}`"))
        .with_help(format!("costs are {}", known.join(", ")))
}

/// Tensor properties that begin with no op.
pub fn properties_operands(span: Span) -> Diagnostic {
    let message = "`DEF_TENSOR_PROPERTIES` takes an op and properties, e.g. `Op(\"Relu\", \"x\"), Flat(\"x\")`";
    Diagnostic::error(Code::OperandCount, span, message).with_help("its first operand is Op(\"name\", operand...)")
}

/// A property of tensors that there is not.
pub fn unknown_layout(span: Span, found: &str, known: &[&str]) -> Diagnostic {
    Diagnostic::warning(Code::UnknownFlag, span, format!("expected a property of tensors, found `{found}`"))
        .with_help(format!("properties are {}", known.join(", ")))
}

/// A property of an operand that the op has not.
pub fn unknown_tensor(span: Span, tag: &str, op: &str) -> Diagnostic {
    Diagnostic::warning(Code::UnknownTag, span, format!("op `{op}` has no operand \"{tag}\" here"))
        .with_help("\"*\" is its output")
}

/// An op's flag that is none of the published ones.
pub fn unknown_flag(token: Span, found: &str, known: &[&str]) -> Diagnostic {
    Diagnostic::warning(Code::UnknownFlag, token, format!("`{found}` is no known flag of an op"))
        .with_help(format!("known flags are {}", known.join(", ")))
}
