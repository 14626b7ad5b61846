//! What is written with backslashes.

/// What a string literal of C++ is that is written so between its quotes.
pub fn unescaped(inside: &str) -> Option<String> {
    let mut characters = String::new();
    let mut rest = inside.chars().peekable();
    while let Some(c) = rest.next() {
        characters.push(match c {
            '"' | '\n' => return None,
            '\\' => match rest.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                'x' => {
                    let digits: String = std::iter::from_fn(|| rest.next_if(char::is_ascii_hexdigit)).collect();
                    char::from(u8::from_str_radix(&digits, 16).ok()?)
                }
                other => other,
            },
            c => c,
        });
    }
    Some(characters)
}
