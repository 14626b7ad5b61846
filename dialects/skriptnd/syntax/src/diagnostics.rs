//! The messages of the parser, one constructor each.

use super::operators::builtin;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

/// Something else than what was expected; the advice says what was meant, if a habit explains it.
pub(super) fn unexpected(span: Span, expected: &[&str], found: &str, advice: Option<String>) -> Diagnostic {
    let expected = match expected {
        [] => "something else".to_owned(),
        [one] => (*one).to_owned(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    };
    let message = format!("expected {expected}, found {found}");
    let diagnostic = Diagnostic::error(Code::Syntax, span, message).with_label(format!("expected {expected} here"));
    advice.into_iter().fold(diagnostic, Diagnostic::with_help)
}

pub(super) fn missing_semicolon(span: Span, comma: bool, found: &str, advice: Option<String>) -> Diagnostic {
    let expected = if comma { "`,` or `;`" } else { "`;`" };
    let message = format!("expected {expected} after this, found {found}");
    let diagnostic =
        Diagnostic::error(Code::MissingSemicolon, span, message).with_label(format!("expected {expected} behind this"));
    if let Some(advice) = advice {
        return diagnostic.with_help(advice);
    }
    diagnostic.with_help(match found {
        "`,`" => "statements and declarations end with `;`",
        _ if comma => "`;` ends the statement, `,` continues it",
        _ => "put `;` at the end of the statement",
    })
}

pub(super) fn unterminated_string(span: Span) -> Diagnostic {
    Diagnostic::error(Code::UnterminatedString, span, "this string is never closed: expected its closing quote")
        .with_label("the string starts here")
        .with_help("close it with the quote it starts with; a quote inside it is written `\\\"` or `\\'`")
}

pub(super) fn nesting_too_deep(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(Code::NestingLimit, span, format!("brackets nest deeper than the limit of {limit}"))
        .with_label(format!("level {}", limit + 1))
        .with_help("give parts of the expression names in `@using`, or move parts of the graph to an operator")
}

pub(super) fn expression_too_deep(span: Span, limit: u32) -> Diagnostic {
    Diagnostic::error(
        Code::NestingLimit,
        span,
        format!("the expression is deeper than the limit of {limit} operations"),
    )
    .with_label("this expression")
    .with_help("give parts of it names in `@using`, or fold a list: `[a, b, c] + ..`")
}

pub(super) fn file_too_large(span: Span, bytes: usize) -> Diagnostic {
    Diagnostic::error(Code::FileTooLarge, span, format!("the file has {bytes} bytes; the limit is 4 GiB"))
}

pub(super) fn too_many_errors(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(Code::TooManyErrors, span, format!("more than {limit} syntax errors; the rest is not shown"))
}

pub(super) fn unopened(span: Span, block: &str, found: &str) -> Diagnostic {
    Diagnostic::error(Code::UnopenedBrace, span, format!("expected `{{` after `{block}`, found {found}"))
        .with_label("a `{` is missing behind this")
}

pub(super) fn unclosed(span: Span, what: &str, opening: Span, found: &str) -> Diagnostic {
    Diagnostic::error(Code::UnclosedBrace, span, format!("expected `}}` at the end of {what}, found {found}"))
        .with_label("a `}` is missing before this")
        .with_related(opening, format!("{what} starts here"))
}

pub(super) fn unknown_block(span: Span, name: &str, nearest: Option<&str>) -> Diagnostic {
    let d = Diagnostic::error(Code::UnknownBlock, span, format!("there is no block named `{name}`"))
        .with_label("not the name of a block");
    match nearest {
        Some(nearest) => d.with_help(format!("did you mean `@{nearest}`?")),
        None => d.with_help(
            "blocks are @dtype, @attrib, @input, @output, @constant, @variable, @using, @assert, @lower, @compose, \
             @update and @quantize",
        ),
    }
}

pub(super) fn expected_block(span: Span, found: &str, advice: Option<String>) -> Diagnostic {
    let message = format!("expected a block such as `@input {{ ... }}` or `}}`, found {found}");
    let diagnostic = Diagnostic::error(Code::Syntax, span, message).with_label("not part of a block");
    advice.into_iter().fold(diagnostic, Diagnostic::with_help)
}

pub(super) fn expected_definition(span: Span, found: &str, advice: Option<String>) -> Diagnostic {
    let message = format!("expected `import`, `operator` or `graph`, found {found}");
    let diagnostic = Diagnostic::error(Code::Syntax, span, message).with_label("neither an import nor a definition");
    advice.into_iter().fold(diagnostic, Diagnostic::with_help)
}

pub(super) fn integer_too_large(span: Span, text: &str) -> Diagnostic {
    let shown: String = text.chars().take(24).collect();
    let dots = if shown.len() < text.len() { "..." } else { "" };
    Diagnostic::error(Code::LiteralRange, span, format!("the integer {shown}{dots} doesn't fit in 64 bits"))
        .with_label("larger than 9223372036854775807")
        .with_help("the largest integer of all is written `int(inf)`")
}

pub(super) fn real_out_of_range(span: Span) -> Diagnostic {
    Diagnostic::error(Code::LiteralRange, span, "the real number is larger than the largest finite one")
        .with_label("out of range")
        .with_help("infinity is written `inf`")
}

pub(super) fn cannot_fold(span: Span, operator: &str) -> Diagnostic {
    Diagnostic::error(Code::BadFold, span, format!("`{operator}` can't be folded over a pack"))
        .with_label("not a fold operator")
        .with_help("fold operators are + * << >> && || < <= > >= == != and :=")
}

pub(super) fn cannot_cumulate(span: Span, operator: &str) -> Diagnostic {
    Diagnostic::error(
        Code::BadFold,
        span,
        format!("`{operator} ...` can't be accumulated: expected + * << >> && or ||"),
    )
    .with_label("no cumulative fold")
    .with_help("two dots, `..`, fold the pack into a single value")
}

pub(super) fn tuple_not_expanded(span: Span) -> Diagnostic {
    Diagnostic::error(Code::ZipNotExpanded, span, "expected `..` after the zipped packs")
        .with_label("a tuple of packs is only allowed in a list, followed by `..`")
        .with_help("a list of values is written `[1, 2]`, packs are zipped by `[(a, b)..]`")
}

pub(super) fn missing_blank(span: Span) -> Diagnostic {
    Diagnostic::error(Code::MissingBlank, span, "a blank is missing between an integer and `..`")
        .with_label("looks like a real number")
        .with_help("put a blank between them: `[1 ..(5)]`")
}

pub(super) fn missing_range_end(span: Span) -> Diagnostic {
    Diagnostic::error(Code::OpenRange, span, "expected the begin and the end of the range; both are needed in a list")
        .with_label("an open range")
        .with_help("only an index such as `a[:n]` may leave them out")
}

pub(super) fn trailing_comma(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error(Code::Syntax, span, format!("expected another item after `,`, found {found}"))
        .with_label("nothing follows")
        .with_help("remove the comma")
}

pub(super) fn single_index_item(span: Span) -> Diagnostic {
    Diagnostic::error(Code::BadSubstitution, span, "expected one index or one pack of indices on the left of `<-`")
        .with_label("what is replaced")
        .with_help("write several indices as a list: `a[[0, 2]] <- b`")
}

pub(super) fn unknown_member(span: Span, base: &str, member: &str) -> Diagnostic {
    Diagnostic::error(
        Code::UnknownMember,
        span,
        format!("`{base}` has no `.{member}`: expected `.shape`, `.rank` or `.size`"),
    )
    .with_label("unknown")
    .with_help(match member {
        "ndim" | "ndims" | "dim" | "dims" => format!("the number of dimensions is `{base}.rank`"),
        "T" => "dimensions are exchanged by `layout.transpose{perm=[1, 0]}(x)`".to_owned(),
        "len" | "length" | "count" => format!("the number of items is `{base}.size`"),
        _ => format!(
            "an operator is invoked with its arguments, `{base}.{member}(...)`; names of tensors inside of operators, \
             such as `label.w`, are for files and `@quantize` only"
        ),
    })
}

pub(super) fn nested_invocation(span: Span, operator: &str) -> Diagnostic {
    let message = format!("the invocation of `{operator}` can't stand inside of an expression");
    let name = operator.rsplit('.').next().unwrap_or(operator);
    let help = match name {
        "max" => "the larger of two values is `a >> b`, of two tensors `t = math.max(a, b);`".to_owned(),
        "min" => "the smaller of two values is `a << b`, of two tensors `t = math.min(a, b);`".to_owned(),
        "pow" => "the power of values is `a ** b`, of tensors `t = math.pow(a, b);`".to_owned(),
        _ if builtin(name).is_some() && operator != name => {
            format!("of a single value, write `{name}(...)`; of a tensor, `t = {operator}(...);`, then use `t`")
        }
        _ => format!("give its result a name first: `t = {operator}(...);`, then use `t`"),
    };
    Diagnostic::error(Code::NestedInvocation, span, message)
        .with_label("expected a tensor or a compile-time expression")
        .with_help(help)
}

pub(super) fn argument_count(span: Span, function: &str, found: usize) -> Diagnostic {
    Diagnostic::error(Code::ArgumentCount, span, format!("`{function}` takes one argument, found {found}"))
        .with_label("expected one argument")
}

pub(super) fn unknown_builtin(span: Span, name: &str, nearest: Option<&str>) -> Diagnostic {
    let d = Diagnostic::error(Code::UnknownFunction, span, format!("there is no built-in function `{name}`"))
        .with_label("unknown function");
    match nearest {
        Some(nearest) => d.with_help(format!("did you mean `{nearest}`?")),
        None => d.with_help(
            "built-in functions are abs, sign, sqrt, exp, log, sin, cos, tan, asin, acos, atan, sinh, cosh, \
                             tanh, asinh, acosh, atanh, floor, ceil, round, frac and erf",
        ),
    }
}

pub(super) fn attribute_colon(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(
        Code::Syntax,
        span,
        format!("expected `=` between the attribute `{name}` and its value, found `:`"),
    )
    .with_label("written with `:`")
    .with_help(format!("write `{name}=...`"))
}

pub(super) fn format_syntax(span: Span, problem: &str) -> Diagnostic {
    Diagnostic::error(Code::BadFormat, span, format!("in the formatted string: {problem}"))
        .with_label("part of a format")
        .with_help("`{expression}` is replaced by its value; write `\\{` and `\\}` for braces")
}

pub(super) fn misplaced_yield(span: Span) -> Diagnostic {
    Diagnostic::error(Code::MisplacedYield, span, "`yield` must be the last statement of its block")
        .with_label("more statements follow")
}

pub(super) fn missing_yield(span: Span) -> Diagnostic {
    Diagnostic::error(Code::MissingYield, span, "expected `yield` as the last statement of this block, found `}`")
        .with_label("the block yields nothing")
        .with_help("name its results: `yield x, y;`")
}

pub(super) fn two_whiles(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Syntax, span, "a loop has one `while`, before `do` or after the body; found two")
        .with_label("the second condition")
}
