//! Inputs that nobody meant to write must end with messages: those that fuzzing found (`test/fuzz/inputs`), and
//! conformance cases changed token by token.

use skriptnd_conformance::find;
use skriptnd_conformance::hostile::{format_twice, front_end, interpret, mutate_text};
use skriptnd_language::syntax::{ast::FileId, parse};
use skriptnd_runtime::TensorFile;
use std::path::{Path, PathBuf};

/// How often each case is changed.
const CHANGES: u32 = 12;

fn test_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

fn run(text: &str) {
    let (library, graphs) = front_end(text);
    graphs.iter().for_each(|graph| interpret(&library, graph));
}

#[test]
fn inputs_that_fuzzing_found_end_with_messages() {
    let files = std::fs::read_dir(test_folder("fuzz/inputs")).expect("the folder is there");
    let mut count = 0;
    for path in files.map(|entry| entry.expect("the folder is readable").path()) {
        count += 1;
        match std::fs::read_to_string(&path) {
            Ok(text) if path.extension().is_some_and(|kind| kind == "sknd") => {
                parse(FileId(0), &text);
                run(&text);
                format_twice(&text);
            }
            _ => drop(TensorFile::open(&path).and_then(|file| file.read())),
        }
    }
    assert!(count > 0);
}

#[test]
fn changed_cases_end_with_messages() {
    let mut count = 0;
    for path in find(&test_folder("conformance")).iter().filter(|path| path.is_file()) {
        let text = std::fs::read_to_string(path).expect("the case is readable");
        for seed in 0..CHANGES {
            count += 1;
            run(&mutate_text(&text, seed, 1 << 14));
        }
    }
    assert!(count > 0);
}
