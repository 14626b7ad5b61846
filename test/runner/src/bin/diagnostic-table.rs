//! Writes the documentation's table of diagnostics.

use skriptnd_conformance::codes;
use std::process::ExitCode;

fn main() -> ExitCode {
    match codes::table().and_then(|table| std::fs::write(codes::table_path(), table).map_err(|e| e.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}
