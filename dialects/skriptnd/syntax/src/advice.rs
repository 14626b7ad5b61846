//! What to write in place of what doesn't parse, where a habit from another language explains it.

use super::grammar::Rule;
use skriptnd_source::diagnostics::nearest;

/// A place where a statement stops making sense.
pub(super) struct Obstacle<'a> {
    /// The kind of statement.
    pub rule: Rule,
    /// The statement up to the place.
    pub before: &'a str,
    /// The text from the place on.
    pub after: &'a str,
    /// The token at the place.
    pub token: &'a str,
    /// What could stand there.
    pub expected: &'a [&'a str],
}

/// What to do about it.
pub(super) fn advice(obstacle: &Obstacle<'_>) -> Option<String> {
    foreign(obstacle.before, obstacle.after)
        .or_else(|| declaration(obstacle))
        .or_else(|| statement(obstacle))
        .or_else(|| formula(obstacle))
        .or_else(|| expression(obstacle))
}

/// Characters and words that mean something elsewhere.
pub(super) fn foreign(before: &str, after: &str) -> Option<String> {
    let starts = |text: &str| after.starts_with(text);
    let first = after.chars().next()?;
    let advice = match first {
        '/' if starts("//") || starts("/*") => "comments begin with `#` and end with their line",
        '/' if before.ends_with('/') => "`/` divides; integers are rounded down by `/` and up by `\\`",
        '&' if !starts("&&") => "write `&&` for the logical and",
        '“' | '”' | '„' | '‘' | '’' | '«' | '»' => "strings stand in straight quotes: `\"...\"` or `'...'`",
        '−' | '–' | '—' => "write the minus sign as `-`",
        '×' | '·' | '∗' => "write the multiplication as `*`",
        '；' => "write the semicolon as `;`",
        '，' => "write the comma as `,`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        '∞' => "infinity is written `inf`",
        _ => match word(after) {
            "and" => "write `&&` for the logical and",
            "or" => "write `||` for the logical or",
            "f" if after[1..].starts_with(['"', '\'']) => {
                "formatted strings have no prefix: `'{x}'` is replaced anyway"
            }
            "not" => "write `!` for the logical not",
            "lambda" => "there are no functions as values: give the value itself",
            _ => return None,
        },
    };
    Some(advice.to_owned())
}

/// Declarations: `name: type = value`.
fn declaration(obstacle: &Obstacle<'_>) -> Option<String> {
    if !matches!(obstacle.rule, Rule::only_param | Rule::only_dtype) {
        return None;
    }
    let (before, token) = (obstacle.before.trim_end(), obstacle.token);
    let name = word(before);
    let in_shape = before.matches('[').count() > before.matches(']').count();
    if in_shape {
        return (token == "," && before.ends_with('?')).then(|| "an extent that varies needs a bound: `n|100`".into());
    }
    if before.is_empty() {
        return is_type(token).then(|| match word(obstacle.after[token.len()..].trim_start()) {
            "" => format!("`{token}` is a type: choose another name"),
            name => format!("the type follows the name: `{name}: {token}...;`"),
        });
    }
    let of = before.rsplit(':').next().map_or("", str::trim);
    match token {
        "=" if before == name && obstacle.rule == Rule::only_param => {
            Some(format!("the type stands between the name and the value: `{name}: type = value;`"))
        }
        "=" if before == name => Some(format!("a generic type is restricted by type, arith or num: `{name}: num;`")),
        ";" if before == name => Some(format!("write `{name}: ...;`, with its type")),
        "optional" | "?" => Some(format!("write `optional {of}`")),
        "(" => Some(format!("the length of a pack follows two dots: `{of}..(n)`")),
        _ if obstacle.rule == Rule::only_dtype && obstacle.expected.contains(&"a type") => {
            Some(format!("write `{name}: type;`, `{name}: arith;` or `{name}: num;`"))
        }
        _ => None,
    }
}

/// Statements of `@compose`, `@update` and `@quantize`.
fn statement(obstacle: &Obstacle<'_>) -> Option<String> {
    let (before, token) = (obstacle.before.trim_end(), obstacle.token);
    if obstacle.rule == Rule::only_quantization {
        return (token == "(").then(|| "a quantization has attributes only: `x: quantize{...};`".into());
    }
    if !matches!(obstacle.rule, Rule::only_component | Rule::only_block_statement) {
        return None;
    }
    if before.is_empty() {
        return first_word(token, obstacle.after);
    }
    let assigned = before.contains('=');
    let expects = |what| obstacle.expected.contains(&what);
    if !assigned && expects("`=`") {
        return left_side(before, token, obstacle.after);
    }
    let loops =
        before.ends_with(')') && ["do(", "do (", "unroll(", "unroll ("].iter().any(|head| before.contains(head));
    let advice = match token {
        "=" if expects("`)`") => {
            let name = last_word(before);
            let value = obstacle.after[1..].split([',', ')', ';', '\n']).next().map_or("", str::trim);
            let value = if value.is_empty() || value.contains(['[', '(', '{']) { "..." } else { value };
            return Some(format!("attributes stand in braces before the arguments: `operator{{{name}={value}}}(x)`"));
        }
        "=" if expects("`;`") && before.contains(" do ") => {
            "the body of a loop is an invocation, or a block that yields its results: `do { t = f(x); yield t; }`"
        }
        "=" if expects("`;`") => "a statement has one `=`; a label is followed by `:`, as in `y = label: f(x);`",
        ":" if expects("`then`") => "write `y = if condition then a else b;`",
        "{" if expects("`then`") => "write `if condition then { ... yield a; } else { ... yield b; };`",
        ";" if expects("`else`") => "a branch has a value in any case: add `else ...`",
        "in" if expects("`:`") => "write `for x : xs`",
        ":" if before.ends_with(['"', '\'']) => "a label is a name: `y = label: f(x);`",
        "if" => "a value is chosen by `condition ? a : b`, tensors by `y = if condition then a else b;`",
        "~" => "`~` stands for an input or result that is left out; an attribute without a value isn't written at all",
        _ if loops => "the count of a loop follows two dots: `do..(n)`",
        _ => return None,
    };
    Some(advice.to_owned())
}

/// A statement that begins with something else than the names of its results.
fn first_word(token: &str, after: &str) -> Option<String> {
    let rest = after[token.len()..].trim_start();
    let advice = match token {
        _ if rest.starts_with('=') && token.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            return Some(format!("`{token}` is a keyword: choose another name"));
        }
        "if" => "the results come first: `y = if condition then a else b;`",
        "for" => "the results come first: `ys = for x : xs do f(x);`",
        "while" | "with" | "do" => "the results come first: `y = with t = x while condition(t) do f(t);`",
        _ if is_type(token) => return Some(format!("results are named without their types: `{} = ...;`", word(rest))),
        _ if token.starts_with(|c: char| c.is_ascii_digit()) => "names begin with a letter or `_`",
        _ => return None,
    };
    Some(advice.to_owned())
}

/// What stands before the `=`.
fn left_side(before: &str, token: &str, after: &str) -> Option<String> {
    let name = last_word(before);
    if let Some(target) = before.split_once(':').map(|(target, _)| target.trim()) {
        return Some(format!("write `{target} = ...;`; a label stands behind the `=`: `y = {target}: f(x);`"));
    }
    let advice = match token {
        "==" | ":=" => format!("write `{name} = ...;`"),
        _ if after[token.len()..].starts_with('=') => format!(
            "every assignment needs a new name: write `t = ...;`, then combine `t` and `{name}` by an operator of `math`"
        ),
        "." | "-" | "/" => "names consist of letters, digits and `_`".into(),
        "(" => "an invocation needs names for its results: `y = f(x);`".into(),
        _ => return None,
    };
    Some(advice)
}

/// Formulas of `@lower` and definitions of `@using`.
fn formula(obstacle: &Obstacle<'_>) -> Option<String> {
    let (before, token) = (obstacle.before, obstacle.token);
    let advice = match obstacle.rule {
        Rule::only_lowering => {
            let index = last_word(before);
            match token {
                "=" if before.ends_with('<') => "bounds are exclusive, and start at 0: `i < n`".into(),
                "in" | ":" if obstacle.expected.contains(&"`<`") => {
                    format!("index symbols run from 0 to below a bound: `{index} < n`")
                }
                "<" => "index symbols belong to their assignment: write `,` before them, not `;`".into(),
                "-" | "/" | "%" => "assignments are = := += *= &= |= <= and >=".into(),
                "if" => "a value is chosen by `condition ? a : b`".into(),
                _ => return None,
            }
        }
        Rule::only_using => match token {
            "==" | ":=" => format!("write `{} = ...;`", last_word(before)),
            "+" | "-" | "*" => "every symbol has one value: choose another name".into(),
            _ => return None,
        },
        Rule::only_assertion => match token {
            "=" => "write `==` to compare".into(),
            "," => "the message follows `:`; the values to show follow it: `a > 0: \"a must be positive\", a;`".into(),
            _ => return None,
        },
        _ => return None,
    };
    Some(advice)
}

/// Any expression.
fn expression(obstacle: &Obstacle<'_>) -> Option<String> {
    let advice = match obstacle.token {
        ")" | "]" if obstacle.expected.contains(&"`;`") => {
            return Some(format!("remove `{}`: no bracket is open here", obstacle.token));
        }
        "~" => "`~` stands for an input, a result or an extent that is left out",
        "if" => "a value is chosen by `condition ? a : b`",
        "*" if obstacle.before.ends_with(['[', '(', ',', ' ']) => "a pack is expanded by dots behind it: `xs..`",
        "..." => "a pack is expanded by two dots: `xs..`; three of them make a cumulative fold, `xs + ...`",
        _ => return None,
    };
    Some(advice.to_owned())
}

/// What was meant by text between definitions.
pub(super) fn between_definitions(token: &str, after: &str) -> Option<String> {
    let advice = match token {
        "}" => "there is one `}` too many, here or further up",
        "as" => "operators are qualified by the name of their module; it can't be changed",
        "from" => "import the whole module, `import nn;`, and write `nn.conv(...)`",
        "." => "import the module, `import nn;`, and write `nn.conv(...)`",
        "def" | "fn" | "fragment" | "class" | "function" | "func" => {
            "an operator is defined by `operator NAME { @input { ... } @output { ... } @compose { ... } }`"
        }
        "version" | "extension" => "a file begins with its imports, without a version",
        "@" => "blocks stand in a definition: `operator NAME { ... }` or `graph NAME { ... }`",
        _ if token.starts_with('@') => "blocks stand in a definition: `operator NAME { ... }` or `graph NAME { ... }`",
        _ if token.starts_with(['"', '\'']) => "comments begin with `#` and end with their line",
        _ => {
            return foreign("", after).or_else(|| {
                let lower = token.to_ascii_lowercase();
                let keywords = ["import", "operator", "graph", "public"];
                let same = keywords.into_iter().find(|keyword| *keyword == lower);
                let near = same.or_else(|| nearest(&lower, keywords))?;
                Some(format!("did you mean `{near}`?"))
            });
        }
    };
    Some(advice.to_owned())
}

/// What was meant by text between the blocks of a definition.
pub(super) fn between_blocks(after: &str, token: &str, blocks: &[&str]) -> Option<String> {
    foreign("", after).or_else(|| {
        let same = blocks.iter().copied().find(|block| *block == token);
        let near = same.or_else(|| nearest(token, blocks.iter().copied()))?;
        Some(format!("did you mean `@{near}`?"))
    })
}

/// What was meant by the head of a definition.
pub(super) fn head(before: &str, token: &str) -> Option<String> {
    let kind = word(before);
    match token {
        "(" => Some("inputs and outputs are declared in the blocks `@input { ... }` and `@output { ... }`".into()),
        "{" => Some(format!("definitions have a name: `{kind} NAME {{ ... }}`")),
        ":" => Some("write `{` after the name".into()),
        _ if kind == "import" && token.starts_with(['"', '\'']) => {
            Some(format!("modules are named without quotes: `import {};`", token.trim_matches(['"', '\''])))
        }
        _ => None,
    }
}

fn is_type(word: &str) -> bool {
    matches!(word, "int" | "real" | "bool" | "str" | "type" | "num" | "arith")
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The word that a text begins with; may be empty.
fn word(text: &str) -> &str {
    &text[..text.find(|c| !is_word(c)).unwrap_or(text.len())]
}

/// The word that a text ends with; may be empty.
fn last_word(text: &str) -> &str {
    let text = text.trim_end();
    &text[text.rfind(|c| !is_word(c)).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))..]
}
