//! Every file of upstream with operations, and all that is made of it: a module for each dialect of a file.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use skriptnd_tablegen::{Error, Records, Result, generate, llvm_prefix, ods::Model, search_path};

/// The modules of all files that upstream's tool takes.
pub fn modules() -> Result<String> {
    let include = llvm_prefix().join("include");
    let mut found = Vec::new();
    files(&include.join("mlir"), &mut found)?;
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(file) = found.get(next.fetch_add(1, Ordering::Relaxed)) {
            if is_taken(&include, file) {
                done.push((file, modules_of(&include, file)?));
            }
        }
        Ok::<_, Error>(done)
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let done = thread::scope(|scope| {
        let workers: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker panics")).collect::<Result<Vec<_>>>()
    })?;
    let mut done: Vec<_> = done.into_iter().flatten().collect();
    done.sort();
    Ok(done.into_iter().map(|(_, modules)| modules).collect())
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let failed = |error: std::io::Error| Error::new(format!("{}: {error}", folder.display()));
    for entry in folder.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        match path.extension() {
            _ if path.is_dir() => files(&path, found)?,
            Some(extension) if extension == "td" => found.push(path),
            _ => {}
        }
    }
    Ok(())
}

fn is_taken(include: &Path, file: &Path) -> bool {
    let mut command = Command::new(llvm_prefix().join("bin/mlir-tblgen"));
    command.args(["-gen-op-defs", "-o", "/dev/null", "-I"]).arg(include).arg(file);
    command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// What is made of the operations that a file declares itself, in a module for each of their dialects.
fn modules_of(include: &Path, file: &Path) -> Result<String> {
    let records = Records::from_file(file, &search_path(file, &[]))?;
    let all = Model::read(&records)?;
    let dialects: BTreeSet<&str> = all.operations.iter().map(|operation| operation.dialect.as_str()).collect();
    let stem = file.strip_prefix(include).unwrap_or(file).with_extension("");
    let stem = stem.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "_").to_lowercase();
    let name = records.file_name();
    let mut modules = String::new();
    for dialect in dialects {
        let model = Model::read_dialect(&records, Some(dialect))?.of_dialect(dialect);
        let rust = [
            generate::operation_definitions(&model, name)?,
            generate::operation_declarations(&model, name)?,
            generate::enumerations(&model, name)?,
            generate::dialect(&model, name)?,
        ];
        let _ = writeln!(modules, "mod {stem}_{dialect} {{\n{}\n}}", rust.join("\n"));
    }
    Ok(modules)
}
