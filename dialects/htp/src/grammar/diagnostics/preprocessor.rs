//! What can be wrong with macros, conditionals and includes, one constructor each.

use super::from_macro;
use crate::grammar::lexer::Token;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

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

/// `#endif` without its beginning.
pub fn endif_alone(hash: Span) -> Diagnostic {
    Diagnostic::error(Code::Macro, hash, "this closes no condition").with_help("remove it, or add the #if before it")
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
