//! What can be wrong with the text of a rule file, one constructor each.

use super::lexer::{Token, TokenKind};
use super::term::Term;
use skriptnd_source::diagnostics::{Code, Diagnostic};
use skriptnd_source::{FileId, Span};

/// Adds the place in the macro's body that a term or token comes from.
fn from_macro(diagnostic: Diagnostic, macro_body: Option<Span>) -> Diagnostic {
    match macro_body {
        Some(body) => diagnostic.with_related(body, "in the expansion of this macro"),
        None => diagnostic,
    }
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
        "[" | "{" => {
            "code of C++ stands in functions, which SHAPEFN_APPLY, EXTERNAL_CONSTRAINT and EXTERNAL_REPLACE call"
        }
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
pub fn no_rules() -> Diagnostic {
    let beginning = Span { file: FileId(0), start: 0, end: 0 };
    Diagnostic::warning(Code::NoRules, beginning, "there is no rule in this file")
        .with_help("a rule is DEF_PACKAGE_OPTIMIZATION(pass, match, constraint, replacement), at the start of a line")
}

/// Nothing where a registration was expected.
pub fn empty_registration(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Syntax, span, "expected a rule")
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

/// `#if` without its end.
pub fn conditional_unclosed(hash: Span) -> Diagnostic {
    Diagnostic::error(Code::Macro, hash, "this condition is never closed").with_help("add the missing #endif")
}

/// `#else` or `#elif` without its beginning, or behind `#else`.
pub fn branch_alone(hash: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::Macro, hash, format!("there is no condition whose branch this #{name} can be"))
        .with_help("a condition is #if, any number of #elif, at most one #else, #endif")
}

/// A condition that is none.
pub fn condition_unreadable(hash: Span) -> Diagnostic {
    Diagnostic::warning(Code::Macro, hash, "this condition can't be read, and is taken as false")
        .with_help("conditions are numbers, names, defined(NAME), comparisons, !, && and ||")
}

/// `#error` where it counts.
pub fn error_directive(name: &Token) -> Diagnostic {
    Diagnostic::warning(Code::Macro, name.span, "a compiler of C++ stops at this #error")
        .with_help("define what the condition around it asks for")
}

/// A directive that C++ has not.
pub fn unknown_directive(name: &Token, nearest: Option<&str>) -> Diagnostic {
    let help = nearest.map_or("directives are #define, #undef, #include, #if and its kin".to_owned(), |nearest| {
        format!("did you mean `#{nearest}`?")
    });
    Diagnostic::error(Code::Macro, name.span, format!("`#{}` is no directive", name.text)).with_help(help)
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

/// `#endif` without its beginning.
pub fn endif_alone(hash: Span) -> Diagnostic {
    Diagnostic::error(Code::Macro, hash, "this closes no condition").with_help("remove it, or add the #if before it")
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

/// `#define` without a name.
pub fn macro_name_expected(found: &Token) -> Diagnostic {
    Diagnostic::error(Code::Macro, found.span, format!("expected a macro's name, found `{}`", found.text))
        .with_help("write #define NAME text")
}

/// `#define F(` without its `)`.
pub fn macro_parameters_unclosed(name: &Token) -> Diagnostic {
    Diagnostic::error(Code::Macro, name.span, format!("the parameters of macro `{}` are not closed", name.text))
        .with_help("add the missing `)`")
}

/// Something else where a macro's parameter is wanted.
pub fn macro_parameter_expected(found: &Token, name: &Token) -> Diagnostic {
    let message = format!("expected a parameter of macro `{}`, found `{}`", name.text, found.text);
    Diagnostic::error(Code::Macro, found.span, message).with_help("parameters are names, or `...` as the last one")
}

/// Something else behind a macro's parameter.
pub fn macro_parameter_end(found: &Token, name: &Token) -> Diagnostic {
    let message = format!("expected `,` or `)` behind a parameter of macro `{}`, found `{}`", name.text, found.text);
    Diagnostic::error(Code::Macro, found.span, message).with_help(format!("write #define {}(a, b) text", name.text))
}

/// A parameter that a macro has already.
pub fn macro_parameter_twice(found: &Token, name: &Token) -> Diagnostic {
    let message = format!("macro `{}` has the parameter `{}` twice", name.text, found.text);
    Diagnostic::error(Code::Macro, found.span, message).with_help("give each parameter a name of its own")
}

/// A macro in place of another of the same name.
pub fn macro_redefined(name: &Token, before: Span) -> Diagnostic {
    Diagnostic::warning(Code::Macro, name.span, format!("macro `{}` is defined again, and otherwise", name.text))
        .with_related(before, "first defined here")
        .with_help("give it another name, or #undef it before")
}

/// A use of a function-like macro without arguments.
pub fn macro_without_arguments(name: &Token, parameters: &[String]) -> Diagnostic {
    let message = format!("macro `{}` is used without its arguments", name.text);
    from_macro(Diagnostic::error(Code::Macro, name.span, message), name.macro_body).with_help(format!(
        "it is written {}({})",
        name.text,
        parameters.join(", ")
    ))
}

/// A use of a macro that opens what it does not close, or the other way round.
pub fn macro_unbalanced(at_use: &Token, opens: bool) -> Diagnostic {
    let (what, help) = if opens {
        ("opens a parenthesis that it does not close", "its body ends with its line, unless `\\` stands there")
    } else {
        ("closes a parenthesis that it does not open", "remove a `)` from its body")
    };
    from_macro(Diagnostic::error(Code::Macro, at_use.span, format!("this macro {what}")), at_use.macro_body)
        .with_help(help)
}

/// A use of a function-like macro without its `)`.
pub fn macro_call_unclosed(name: &Token) -> Diagnostic {
    from_macro(
        Diagnostic::error(Code::Macro, name.span, format!("the arguments of macro `{}` are not closed", name.text)),
        name.macro_body,
    )
    .with_help("add the missing `)`")
}

/// A use of a function-like macro with another number of arguments.
pub fn macro_argument_count(name: &Token, definition: Span, expected: usize, found: usize) -> Diagnostic {
    let noun = if expected == 1 { "argument" } else { "arguments" };
    let message = format!("macro `{}` takes {expected} {noun}, found {found}", name.text);
    Diagnostic::error(Code::Macro, name.span, message)
        .with_related(definition, "defined here")
        .with_help("arguments are separated by commas outside of parentheses")
}

/// A macro that would replace a name of the rule language.
pub fn macro_shadows(name: &Token) -> Diagnostic {
    let message = format!("`{}` is a name of the rule language; its `#define` has no effect on rules", name.text);
    Diagnostic::warning(Code::Macro, name.span, message).with_help("give the macro another name")
}

/// Macros within macros beyond the limit.
pub fn expansion_too_deep(name: &Token, limit: usize) -> Diagnostic {
    let message = format!("macros are nested deeper than the limit of {limit} where `{}` is used", name.text);
    Diagnostic::error(Code::ExpansionLimit, name.span, message)
}

/// Macros that grow beyond the limit.
pub fn expansion_too_long(token: &Token, limit: usize) -> Diagnostic {
    let message = format!("the rule grows beyond the limit of {limit} tokens by macro expansion");
    Diagnostic::error(Code::ExpansionLimit, token.span, message)
}

/// An include of neither form.
pub fn include_expected(found: &Token) -> Diagnostic {
    let message = format!("expected a file in quotes or in angle brackets, found `{}`", found.text);
    Diagnostic::warning(Code::Include, found.span, message).with_help("write #include \"file.h\"")
}

/// An include that no directory has.
pub fn include_not_found(span: Span, path: &str) -> Diagnostic {
    Diagnostic::warning(Code::Include, span, format!("`{path}` was not found; its macros are unknown"))
        .with_help("give its directory by -I DIR")
}

/// An include that can't be read.
pub fn include_unreadable(span: Span, path: &str, reason: &str) -> Diagnostic {
    Diagnostic::error(Code::Include, span, format!("`{path}` can't be read: {reason}"))
}

/// Includes within includes beyond the limit.
pub fn include_too_deep(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(Code::Include, span, format!("files include each other deeper than the limit of {limit}"))
}

/// More includes than the limit.
pub fn too_many_includes(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(Code::Include, span, format!("more files are included than the limit of {limit}"))
}
