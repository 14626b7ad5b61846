//! `skriptnd check --explain CODE`: a part of the documentation of diagnostics.

use super::output::print_line;
use crate::failure::Failure;
use skriptnd_source::diagnostics::nearest;

const DOCUMENTATION: &str = include_str!("../../../../docs/diagnostics.md");

/// Prints what a code means.
pub fn run(code: &str) -> Result<(), Failure> {
    match section(code) {
        Some(section) => print_line(section),
        None => {
            let codes: Vec<&str> = sections().map(|(code, _)| code).collect();
            let near = nearest(code, codes).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            let help = "`skriptnd check --json` gives each message its code";
            return Err(Failure::usage(format_args!("there is no code `{code}`{near}\n{help}")));
        }
    }
    Ok(())
}

/// What is written of a code, without the marks of Markdown.
fn section(code: &str) -> Option<String> {
    let (_, text) = sections().find(|(known, _)| *known == code)?;
    let lines = text.trim().lines().map(|line| line.strip_prefix("> ").unwrap_or(line).trim_end());
    Some(format!("{code}\n\n{}", lines.collect::<Vec<_>>().join("\n")))
}

/// The codes and what is written of each.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    DOCUMENTATION.split("\n## `").skip(1).filter_map(|section| section.split_once("`\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_found() {
        assert!(section("missing-attribute").is_some_and(|text| text.contains("Mended:")));
        assert!(section("none").is_none());
    }
}
