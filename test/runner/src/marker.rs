//! `#~ error: text` at the line that it is about.

use skriptnd_source::diagnostics::Severity;

/// A diagnostic that must be there.
#[derive(Debug)]
pub struct Marker {
    /// The file's name.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, if the marker says it.
    pub column: Option<usize>,
    /// Error or warning.
    pub severity: Severity,
    /// A part of the message.
    pub text: String,
}

/// The markers of a text.
pub fn read(file: &str, text: &str) -> Vec<Result<Marker, String>> {
    let lines = text.lines().enumerate();
    let comments = lines.filter_map(|(at, line)| Some((at + 1, line.split_once("#~")?.1)));
    comments.map(|(line, comment)| parse(file, line, comment)).collect()
}

fn parse(file: &str, line: usize, comment: &str) -> Result<Marker, String> {
    let wrong = || format!("{file}:{line}: expected `#~ error: text`, `#~^ warning@COLUMN: text`");
    let above = comment.chars().take_while(|c| *c == '^').count();
    let (head, text) = comment[above..].split_once(':').ok_or_else(wrong)?;
    let (severity, column) = match head.trim().split_once('@') {
        Some((severity, column)) => (severity, Some(column.parse().map_err(|_| wrong())?)),
        None => (head.trim(), None),
    };
    let severity = match severity {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => return Err(wrong()),
    };
    let line = line.checked_sub(above).filter(|line| *line > 0).ok_or_else(wrong)?;
    Ok(Marker { file: file.to_string(), line, column, severity, text: text.trim().to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_markers() {
        let found = read("a", "x = 1; #~ error: one: two\n#~^ warning@3: three\n#~ oops\n");
        let first = found[0].as_ref().unwrap();
        assert_eq!((first.line, first.column, first.text.as_str()), (1, None, "one: two"));
        let second = found[1].as_ref().unwrap();
        assert_eq!((second.line, second.column, second.severity), (1, Some(3), Severity::Warning));
        assert!(found[2].is_err());
    }
}
