//! Inputs that nobody meant to write must end with messages: those that fuzzing found (`test/fuzz/inputs`), and
//! conformance cases changed token by token.

use skriptnd_conformance::find;
use skriptnd_conformance::hostile::{ask, format_twice, front_end, interpret, mutate_text};
use skriptnd_runtime::TensorFile;
use skriptnd_source::FileId;
use skriptnd_syntax::parse;
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

/// Through everything that may read it: a file is a text or a tensor, whatever it is called.
fn try_everything(path: &Path) {
    if let Ok(text) = std::fs::read_to_string(path) {
        parse(FileId(0), &text);
        run(&text);
        format_twice(&text);
        ask(&text, text.len() / 2);
    }
    drop(TensorFile::open(path).and_then(|file| file.read()));
}

#[test]
fn inputs_that_fuzzing_found_end_with_messages() {
    let corpora = std::fs::read_dir(test_folder("fuzz/corpus")).expect("the folder is there");
    let corpora = corpora.map(|entry| entry.expect("the folder is readable").path());
    for folder in corpora.chain([test_folder("fuzz/inputs")]) {
        let files = std::fs::read_dir(&folder).expect("the folder is there");
        let tried = files.map(|entry| try_everything(&entry.expect("the folder is readable").path())).count();
        assert!(tried > 0, "{}", folder.display());
    }
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
