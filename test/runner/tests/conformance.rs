//! One test a file of `test/conformance`.

use libtest_mimic::{Arguments, Trial};
use skriptnd_conformance::{File, codes, find};
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance");
    let trials = find(&root).into_iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
        Trial::test(name.to_string_lossy(), move || check(path))
    });
    let table = Trial::test("the table of diagnostics is up to date", table_is_up_to_date);
    let explanations = Trial::test("examples of codes", examples_are_right);
    libtest_mimic::run(&Arguments::from_args(), trials.chain([table, explanations]).collect()).exit();
}

fn examples_are_right() -> Result<(), libtest_mimic::Failed> {
    let explanations = codes::explanations()?;
    let problems: Vec<String> = explanations.values().filter_map(|explanation| explanation.check().err()).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

fn table_is_up_to_date() -> Result<(), libtest_mimic::Failed> {
    let written = std::fs::read_to_string(codes::table_path()).map_err(|error| error.to_string())?;
    if written == codes::table()? { Ok(()) } else { Err("run `cargo xtask docs`".into()) }
}

fn check(path: PathBuf) -> Result<(), libtest_mimic::Failed> {
    let file = File::read(&path)?;
    let problems = file.run();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}
