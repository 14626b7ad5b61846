//! Writes the generated files: the declarations first, because the pages are made of them.

use skriptnd_generate::{Generated, header, operators, pages};
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = write(&operators::all()).and_then(|()| write(&header::all()?)).and_then(|()| write(&pages::all()?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// What is current already keeps its time of change: build scripts look at it.
fn write(files: &[Generated]) -> Result<(), String> {
    for generated in files {
        let file = generated.file();
        if std::fs::read_to_string(&file).is_ok_and(|text| text == generated.text) {
            continue;
        }
        std::fs::write(&file, &generated.text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}
