//! What pages name is there: files, folders, links, and how long the tutorial is.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What stands in pages like paths of the project and is none: files of others, of readers, and names within archives.
const OTHERS: [&str; 8] = [
    "../shared",
    "a/b.sknd",
    "graph/input/name",
    "graph/output/name",
    "graph/state/name",
    "graph/variable/name",
    "mlir/IR/OpBase.td",
    "target/release",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of the project.
fn files() -> Vec<String> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let listed = Command::new("git").args(arguments).current_dir(root()).output().unwrap();
    let files: Vec<String> = String::from_utf8(listed.stdout).unwrap().lines().map(str::to_owned).collect();
    assert!(files.len() > 100, "git lists {} files", files.len());
    files.into_iter().filter(|file| root().join(file).is_file()).collect()
}

/// Files and folders, and what their paths end with: pages name a file from its room or its crate.
fn endings(files: &[String]) -> HashSet<&str> {
    let mut found = HashSet::new();
    for file in files {
        for (end, _) in file.match_indices('/').chain([(file.len(), "")]) {
            let path = &file[..end];
            found.extend(path.match_indices('/').map(|(at, _)| &path[at + 1..]).chain([path]));
        }
    }
    found
}

/// `a/{b,c}.rs` is two paths.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((choices, behind)) = rest.split_once('}') else { return vec![path.to_owned()] };
    choices.split(',').flat_map(|choice| expanded(&format!("{before}{choice}{behind}"))).collect()
}

fn is_path(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "_./{},*-".contains(c);
    text.contains('/') && !text.starts_with('/') && text.chars().all(is_letter)
}

fn exists(path: &str, known: &HashSet<&str>) -> bool {
    let path = path.trim_end_matches('/');
    match path.split_once('*') {
        Some((begin, end)) => known.iter().any(|file| {
            file.len() >= path.len() - 1 && file.starts_with(begin) && file.ends_with(end.trim_start_matches('*'))
        }),
        None => known.contains(path),
    }
}

/// The text without blocks of code, which show what readers have.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

fn pages(files: &[String]) -> impl Iterator<Item = (&String, String)> {
    let pages = files.iter().filter(|file| file.ends_with(".md"));
    pages.map(|file| (file, std::fs::read_to_string(root().join(file)).unwrap()))
}

#[test]
fn paths_in_pages_exist() {
    let files = files();
    let known = endings(&files);
    let mut stale = Vec::new();
    for (file, text) in pages(&files) {
        let quoted = prose(&text);
        for path in quoted.split('`').skip(1).step_by(2).filter(|path| is_path(path) && !OTHERS.contains(path)) {
            let missing = expanded(path).into_iter().filter(|path| !exists(path, &known));
            stale.extend(missing.map(|path| format!("{file}: {path}")));
        }
    }
    assert!(stale.is_empty(), "not there:\n{}", stale.join("\n"));
}

#[test]
fn links_in_pages_lead_somewhere() {
    let files = files();
    let mut broken = Vec::new();
    for (file, text) in pages(&files) {
        let folder = root().join(file).parent().unwrap().to_owned();
        for link in prose(&text).split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            if !link.is_empty() && !link.contains(':') && !folder.join(link).exists() {
                broken.push(format!("{file}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn the_tutorial_is_as_long_as_pages_say() {
    let page = std::fs::read_to_string(root().join("docs/tutorial.md")).unwrap();
    let blocks = page.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    let code = blocks.filter(|(language, _)| ["tablegen", "rust"].contains(language));
    let lines = code.flat_map(|(_, code)| code.lines()).filter(|line| !line.trim().is_empty()).count();
    let rounded = (lines + 5) / 10 * 10;
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let readme = words(&std::fs::read_to_string(root().join("README.md")).unwrap());
    assert!(words(&page).contains(&format!("{rounded} lines of TableGen and Rust")), "{lines} lines");
    assert!(readme.contains(&format!("dialect in {rounded} lines")), "{lines} lines");
}

#[test]
fn paths_are_told_from_other_words() {
    let known = HashSet::from(["dialects/mlir/src/ir.rs", "mlir/src/ir.rs", "src/ir.rs", "td/skriptnd"]);
    assert!(is_path("src/{a,b}.rs") && !is_path("n / 2") && !is_path("/proc/x") && !is_path("a.rs"));
    assert_eq!(expanded("a/{b,c}/{d,e}.rs"), ["a/b/d.rs", "a/b/e.rs", "a/c/d.rs", "a/c/e.rs"]);
    assert!(exists("src/ir.rs", &known) && exists("td/skriptnd/", &known) && exists("mlir/*.rs", &known));
    assert!(!exists("src/it.rs", &known) && !exists("r/ir.rs", &known));
}
