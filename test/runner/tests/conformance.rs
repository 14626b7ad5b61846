//! One test a file of `test/conformance`.

use libtest_mimic::{Arguments, Trial};
use skriptnd_conformance::{File, find};
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance");
    let trials = find(&root).into_iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
        Trial::test(name.to_string_lossy(), move || check(path))
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn check(path: PathBuf) -> Result<(), libtest_mimic::Failed> {
    let file = File::read(&path)?;
    let problems = file.run();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}
