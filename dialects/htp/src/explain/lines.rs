//! Long explanations, broken into lines where their parts end.

/// What a line may be long.
const WIDTH: usize = 110;

/// How far what is told of a rule stands in.
pub const INDENT: usize = 11;

/// A text whose lines are not too long, as far as it has parts; those behind the first stand in by so much.
pub fn broken(text: &str, indent: usize) -> String {
    if indent + text.len() <= WIDTH {
        return text.to_owned();
    }
    for word in ["or ", "and ", "? ", ": "] {
        if let Some(rest) = text.strip_prefix(word) {
            return format!("{word}{}", broken(rest, indent + word.len()));
        }
    }
    let inner = without_parentheses(text);
    if inner.len() < text.len() {
        return format!("({})", broken(inner, indent + 1));
    }
    let choice = before_words(text, &[" ? ", " : "]);
    if choice.len() > 2 {
        let parts: Vec<String> = choice.into_iter().map(|part| broken(part, indent + 4)).collect();
        return parts.join(&format!("\n{:indent$}  ", ""));
    }
    if let [split, body] = split(text, ": ")[..] {
        return format!("{split}:\n{:indent$}  {}", "", broken(body, indent + 2));
    }
    let slices: &[&str] = if text.starts_with("slice of ") { &[" at ", " of size "] } else { &[] };
    for (words, margin) in [(&[" or "] as &[&str], indent), (&[" and "], indent), (slices, indent + 2)] {
        let parts = before_words(text, words);
        if parts.len() > 1 {
            let parts: Vec<String> = parts.into_iter().map(|part| broken(part, margin + 2)).collect();
            return parts.join(&format!("\n{:margin$}", ""));
        }
    }
    let Some((open, close)) = call(text) else { return text.to_owned() };
    let (inner, margin) = (indent + 2, format!("\n{:indent$}", ""));
    let operands = split(&text[open + 1..close], ", ");
    let operands = filled(operands.into_iter().map(|operand| broken(operand, inner)), inner);
    format!("{}{margin}  {operands}{margin}{}", &text[..=open], &text[close..])
}

/// A condition without the parentheses around it: it has its line for itself.
pub fn without_parentheses(text: &str) -> &str {
    let is_whole = text.starts_with('(') && closing(text, 0) == Some(text.len() - 1);
    if is_whole { &text[1..text.len() - 1] } else { text }
}

/// Operands, as many in a line as it takes; what has several lines has them for itself.
fn filled(operands: impl Iterator<Item = String>, indent: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for operand in operands {
        match lines.last_mut() {
            Some(line)
                if !(line.contains('\n') || operand.contains('\n')) && indent + line.len() + operand.len() < WIDTH =>
            {
                line.push_str(", ");
                line.push_str(&operand);
            }
            _ => lines.push(operand),
        }
    }
    lines.join(&format!(",\n{:indent$}", ""))
}

/// The parts of a text that begin with one of several words, which nothing is around, and what is before them.
fn before_words<'t>(text: &'t str, words: &[&str]) -> Vec<&'t str> {
    let mut parts = vec![text];
    for word in words {
        let Some(last) = parts.pop() else { break };
        let mut start = 0;
        for part in split(last, word) {
            let end = part.as_ptr() as usize - last.as_ptr() as usize + part.len();
            parts.push(&last[start..end]);
            // The space before the word ends the line.
            start = (end + 1).min(last.len());
        }
    }
    parts
}

/// The first parentheses behind a name, or brackets, that nothing is around.
fn call(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some(open) = text[at..].find(['(', '[', '{']).map(|found| at + found) {
        let close = closing(text, open)?;
        let is_list = text.as_bytes()[open] == b'[';
        let behind_name = open > 0 && text.as_bytes()[open - 1] != b' ';
        if close > open + 1 && (is_list || (text.as_bytes()[open] == b'(' && behind_name)) {
            return Some((open, close));
        }
        at = close + 1;
    }
    None
}

/// Where what opens at an index closes.
pub fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts between separators that nothing is around.
fn split<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ if depth == 0 && at >= start && text.as_bytes()[at..].starts_with(separator.as_bytes()) => {
                parts.push(&text[start..at]);
                start = at + separator.len();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_calls_have_a_line_for_each_operand() {
        let name = "n".repeat(60);
        let text = format!("split I of dimension 1: a::B({name}, c::D({name}, e) {{size of x}}, f) {{type of y}}");
        let expected = format!(
            "split I of dimension 1:\n    a::B(\n      {name},\n      c::D({name}, e) {{size of x}}, f\n    ) {{type of y}}"
        );
        assert_eq!(broken(&text, 2), expected);
        assert_eq!(broken("a(b, c)", 2), "a(b, c)");
        let slice = format!("slice of {name} at f({name}) of size g(x)");
        assert_eq!(broken(&slice, 2), format!("slice of {name}\n    at f({name})\n    of size g(x)"));
        // What has no parts stays.
        assert_eq!(broken(&name.repeat(3), 2), name.repeat(3));
    }

    #[test]
    fn long_conditions_have_a_line_for_each_alternative() {
        let name = "n".repeat(60);
        let text = format!("({name} == 1 and m) or {name} == 2");
        assert_eq!(broken(&text, 2), format!("({name} == 1 and m)\n  or {name} == 2"));
        let choice = format!("({name} ? {name} : b(c))");
        assert_eq!(broken(&choice, 2), format!("({name}\n     ? {name}\n     : b(c))"));
        assert_eq!(without_parentheses("(a or b)"), "a or b");
        assert_eq!(without_parentheses("(a) or (b)"), "(a) or (b)");
        assert_eq!(without_parentheses("not(a)"), "not(a)");
    }

    #[test]
    fn any_text_is_broken() {
        for text in ["(", ")", "((((", "a(]", "a(b, c", ") or (", ", , ,", "{[(", ""] {
            let long = text.repeat(60);
            assert!(!broken(&long, 4).contains("\n\n"), "{long}");
        }
    }
}
