//! Examples in documentation: the blocks of a Markdown file that are marked as `sknd` are case files.

use crate::case::File;
use crate::model::Model;
use std::path::Path;

/// An example with the line of the document at which it begins.
pub struct Example {
    /// The first line of the text, from 1.
    pub line: usize,
    /// The case.
    pub file: File,
}

/// The examples of a document, in their order.
///
/// # Errors
/// Where the document can't be read or a comment of an example can't be understood.
pub fn examples(path: &Path) -> Result<Vec<Example>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    blocks(&text).map(|(line, text)| example(line, text)).collect()
}

fn example(line: usize, text: &str) -> Result<Example, String> {
    let file = File::of_model(Model::of_text("main.sknd", text.to_string()));
    let file = file.map_err(|reason| format!("the example at line {line}: {reason}"))?;
    Ok(Example { line, file })
}

/// The blocks between ```` ```sknd ```` and ```` ``` ````, with the lines at which their texts begin.
fn blocks(document: &str) -> impl Iterator<Item = (usize, &str)> {
    const OPENING: &str = "\n```sknd\n";
    document.match_indices(OPENING).filter_map(|(at, _)| {
        let start = at + OPENING.len();
        let length = document.get(start..)?.find("\n```")? + 1;
        let line = document.get(..start)?.matches('\n').count() + 1;
        Some((line, document.get(start..start + length)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_the_language_are_found_with_their_lines() {
        let document = "one\n```sknd\na\nb\n```\n```text\nc\n```\n\n```sknd\nd\n```\n";
        assert_eq!(blocks(document).collect::<Vec<_>>(), [(3, "a\nb\n"), (11, "d\n")]);
    }
}
