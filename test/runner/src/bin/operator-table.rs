//! Writes the documentation's table of operators.

use skriptnd_conformance::operators;
use std::process::ExitCode;

fn main() -> ExitCode {
    let path = operators::table_path();
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(|error| error.to_string());
    let table = folder.and_then(|()| operators::all()).and_then(|settings| operators::table(&settings));
    match table.and_then(|table| std::fs::write(&path, table).map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}
