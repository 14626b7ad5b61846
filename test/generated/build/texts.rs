//! The cases of `test/TableGen/ods` and `test/TableGen/drr`: Rust is made of those that are taken, and `tests/texts.rs`
//! compiles it.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use skriptnd_tablegen::{Error, Records, Result, generate, ods::Model, search_path};

/// The modules with what is made of the cases, a module for each.
pub fn modules(folder: &Path, rust: fn(&Path) -> Result<String>) -> Result<String> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut modules = String::new();
    for chapter in entries(folder)?.into_iter().filter(|entry| entry.is_dir()) {
        let _ = writeln!(modules, "mod {} {{", name_of(&chapter));
        for case in entries(&chapter)? {
            // Whether a case is taken is what the test of the back end is about.
            if let Ok(rust) = rust(&case) {
                let _ = writeln!(modules, "mod {} {{\n{rust}\n}}", name_of(&case));
            }
        }
        modules.push_str("}\n");
    }
    Ok(modules)
}

/// What a folder has, in the order of the names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error: std::io::Error| Error::new(format!("{}: {error}", folder.display()));
    let entries: std::io::Result<Vec<_>> = fs::read_dir(folder).map_err(failed)?.collect();
    let mut paths: Vec<PathBuf> = entries.map_err(failed)?.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().replace('-', "_") + "_"
}

/// All that is made of the one dialect of a file, as a build script does.
pub fn dialect(file: &Path) -> Result<String> {
    let records = Records::from_file(file, &search_path(file, &[]))?;
    let name = records.file_name();
    let model = Model::read(&records)?;
    let mut rust = vec![
        generate::operation_definitions(&model, name)?,
        generate::operation_declarations(&model, name)?,
        generate::enumerations(&model, name)?,
    ];
    // Of several dialects one has to be chosen.
    if model.only_dialect().is_ok() {
        rust.push(generate::dialect(&model, name)?);
    }
    Ok(rust.join("\n"))
}

/// What is made of the rules of a file.
pub fn rules(file: &Path) -> Result<String> {
    let records = Records::from_file(file, &search_path(file, &[]))?;
    Ok(generate::rewriters(&records, None)?.rust)
}
