//! The comments of a text.

/// All comments in order, without blanks at their ends.
pub(super) fn of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find(['#', '"', '\''])?..];
            if rest.starts_with('#') {
                let line = rest.lines().next().unwrap_or_default();
                rest = &rest[line.len()..];
                return Some(line.trim_end());
            }
            let quote = rest.chars().next()?;
            rest = &rest[super::literals::string_length(rest, quote)?..];
        }
    })
}
