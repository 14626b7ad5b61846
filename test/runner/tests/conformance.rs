//! One test a file of `test/conformance`.

use libtest_mimic::{Arguments, Trial};
use skriptnd_conformance::{File, codes, document, find};
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance");
    let trials = find(&root).into_iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
        Trial::test(name.to_string_lossy(), move || check(path))
    });
    let guide = Trial::test("examples of the guide", the_guide_is_right);
    let table = Trial::test("the table of diagnostics is up to date", table_is_up_to_date);
    let explanations = Trial::test("examples of codes", examples_are_right);
    libtest_mimic::run(&Arguments::from_args(), trials.chain([guide, table, explanations]).collect()).exit();
}

fn examples_are_right() -> Result<(), libtest_mimic::Failed> {
    let explanations = codes::explanations()?;
    let problems: Vec<String> = explanations.values().filter_map(|explanation| explanation.check().err()).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

fn the_guide_is_right() -> Result<(), libtest_mimic::Failed> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide.md");
    let examples = document::examples(&guide)?;
    assert!(examples.len() >= 10, "the examples of the guide are not found");
    let wrong = |example: &document::Example| {
        let problems = example.file.run();
        (!problems.is_empty()).then(|| format!("the example at line {}: {}", example.line, problems.join("\n")))
    };
    let problems: Vec<String> = examples.iter().filter_map(wrong).collect();
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
