//! A trial in a process of its own, that of LLVM's tool.

use std::path::Path;

use super::{
    Input, crash,
    llvm_tool::{MEMORY_LIMIT, is_crash, read},
};
use crate::error::{Error, Result};

/// Lets LLVM's own tool read the file. Without the tool nothing is checked.
pub fn check(input: &Input<'_>) -> Result<()> {
    let shown_name = input.shown_name;
    let Some((status, errors)) = read(Path::new(input.read_name), input.include_directories) else { return Ok(()) };
    match status {
        None => Err(input.timed_out()),
        Some(status) if status.success() => Ok(()),
        Some(_) if errors.contains("out of memory") => {
            Err(Error::new(format!("'{shown_name}' takes more than {} MB of memory to evaluate", MEMORY_LIMIT / 1000)))
        }
        Some(_) if is_crash(&errors) => Err(crash::error(input)),
        Some(_) => Err(input.error(without_count(&errors))),
    }
}

/// What the tool says, without its own name and the number of errors at the end.
fn without_count(errors: &str) -> &str {
    let errors = errors.trim_end();
    match errors.rsplit_once('\n') {
        Some((rest, last)) if last.contains("llvm-tblgen: ") && last.ends_with(" errors.") => rest.trim_end(),
        _ => errors,
    }
}

#[cfg(test)]
mod tests {
    use super::super::told;

    #[test]
    fn one_slip_is_one_error() {
        for text in
            ["include \"no.td\"\n", "def A { No x = No; }\n", "def A : No<1>;\n", "def A { dag d = (A 1:$2x); }\n"]
        {
            let told = told(text);
            assert_eq!(told.matches("error: ").count(), 1, "{told}");
        }
    }

    #[test]
    fn errors_are_told_without_the_tool() {
        let told = told("assert !eq(1, 2), \"one is two\";\n");
        assert!(told.contains("x.td:1:8: error: assertion failed: one is two"), "{told}");
        assert!(!told.contains("llvm-tblgen"), "{told}");
    }
}
