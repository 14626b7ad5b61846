//! `skriptnd check --explain CODE`: a part of the documentation of diagnostics.

use super::output::print_line;
use crate::failure::Failure;
use skriptnd_source::diagnostics::{Code, nearest};

const DOCUMENTATION: &str = include_str!("../../../../docs/diagnostics.md");

/// Prints what a code means.
pub fn run(code: &str) -> Result<(), Failure> {
    let Ok(known) = code.parse::<Code>() else {
        let codes = Code::all().map(Code::name);
        let near = nearest(code, codes).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let help = "`skriptnd check --json` gives each message its code";
        return Err(Failure::usage(format_args!("there is no code `{code}`{near}\n{help}")));
    };
    print_line(section(known));
    Ok(())
}

/// What is written of a code, without the marks of Markdown.
fn section(code: Code) -> String {
    let sections = DOCUMENTATION.split("\n## `").skip(1).filter_map(|section| section.split_once("`\n"));
    let text = sections.into_iter().find(|(known, _)| *known == code.name()).map_or("", |(_, text)| text);
    let lines = text.trim().lines().map(|line| line.strip_prefix("> ").unwrap_or(line).trim_end());
    format!("{code}\n\n{}", lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_section() {
        assert!(section(Code::MissingAttribute).contains("Mended:"));
        assert!(Code::all().all(|code| section(code).lines().count() > 2));
    }
}
