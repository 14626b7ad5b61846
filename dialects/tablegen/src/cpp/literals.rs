//! Literals of C++ in MLIR's syntax.

use std::fmt::Write as _;

use super::{escapes::unescaped, evaluate};

/// The items of `{a, b}`, or of one that stands alone.
pub fn list(value: &str, item: impl Fn(&str) -> Option<String>) -> Option<String> {
    let value = value.trim();
    let start = value.find('{').filter(|_| value.ends_with('}'));
    let inner = start.map_or(value, |start| &value[start + 1..value.len() - 1]);
    let parts = inner.split(',').map(str::trim).filter(|part| !part.is_empty());
    Some(parts.map(item).collect::<Option<Vec<_>>>()?.join(", "))
}

/// An integer with its type.
pub fn typed(value: &str, r#type: &str) -> Option<String> {
    integer(value, r#type).map(|digits| format!("{digits} : {type}", r#type = r#type))
}

/// An integer, computed or literal, or a truth value as an integer of the type, which must have room for it.
pub fn integer(value: &str, r#type: &str) -> Option<String> {
    if let Some(truth) = truth(value) {
        return Some(if truth == "true" { "1" } else { "0" }.to_string());
    }
    let computed = || evaluate::number(value).map(|number| number.to_string());
    let digits = literal(value).map(str::to_string).or_else(computed)?;
    let digits = digits.as_str();
    let (negative, bare) = digits.strip_prefix('-').map_or((false, digits), |bare| (true, bare));
    let size = match bare.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16),
        None => bare.parse(),
    };
    // MLIR takes no negative zero.
    match (size, negative) {
        (Ok(0), _) => Some("0".into()),
        (Ok(size), _) => fits(size, negative, r#type)?.then(|| digits.to_string()),
        (Err(_), _) => None,
    }
}

/// Whether an integer type has room for a number, which is not zero; a signless one may be read as signed or unsigned.
fn fits(size: u128, negative: bool, r#type: &str) -> Option<bool> {
    let width = r#type.trim_start_matches(['s', 'u', 'i']);
    let width: u32 = if r#type == "index" { 64 } else { width.parse().ok()? };
    let bound = |bits: u32| 1u128.checked_shl(bits);
    let is_signed = r#type.starts_with("si") || r#type == "index";
    Some(match (negative, r#type.starts_with("ui")) {
        (true, true) => false,
        (true, false) => width.checked_sub(1).is_some_and(|bits| bound(bits).is_none_or(|bound| size <= bound)),
        (false, _) => {
            let bits = if is_signed { width.saturating_sub(1) } else { width };
            bound(bits).is_none_or(|bound| size < bound)
        }
    })
}

/// The digits of an integer literal of C++.
pub fn literal(value: &str) -> Option<&str> {
    let digits = value.trim().trim_end_matches(['u', 'U', 'l', 'L']);
    let bare = digits.strip_prefix('-').unwrap_or(digits);
    let (bare, is_digit): (&str, fn(char) -> bool) = match bare.strip_prefix("0x") {
        Some(hex) => (hex, |c| c.is_ascii_hexdigit()),
        None => (bare, |c| c.is_ascii_digit()),
    };
    // What begins with a zero is octal, and to be computed.
    let is_octal = bare.len() > 1 && digits.trim_start_matches('-').starts_with('0') && !digits.contains('x');
    (!bare.is_empty() && bare.chars().all(is_digit) && !is_octal).then_some(digits)
}

/// A truth value.
pub fn truth(value: &str) -> Option<&'static str> {
    match value.trim() {
        "true" | "1" => Some("true"),
        "false" | "0" => Some("false"),
        _ => None,
    }
}

/// A string literal, as C++ or SkriptND writes it, or a bare text, in MLIR's syntax; none where C++ would not end it there.
pub fn text(value: &str) -> Option<String> {
    let value = value.trim();
    if let Some(inner) = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return Some(quoted(inner.chars()));
    }
    match value.strip_prefix('"') {
        Some(rest) => Some(quoted(unescaped(rest.strip_suffix('"')?)?.chars())),
        None => Some(quoted(value.chars())),
    }
}

/// A string of MLIR.
fn quoted(characters: impl Iterator<Item = char>) -> String {
    let mut text = String::from('"');
    for c in characters {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            c if c.is_ascii_control() => {
                let _ = write!(text, "\\{:02X}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn texts_are_written_as_mlir_reads_them() {
        for (cpp, mlir) in [
            (r#""a b""#, r#""a b""#),
            (r#""a\n\t\"\\""#, r#""a\n\t\"\\""#),
            (r#""\x41\'\r\0""#, r#""A'\0D\00""#),
            ("'a\"b'", r#""a\"b""#),
            ("bare", r#""bare""#),
            (r#""é""#, r#""é""#),
        ] {
            assert_eq!(text(cpp).as_deref(), Some(mlir), "{cpp}");
        }
        for wrong in ["\"he\"llo\"", "\"a\nb\"", "\"", "\"a", r#""a\""#, r#""\x""#] {
            assert_eq!(text(wrong), None, "{wrong}");
        }
    }
}
