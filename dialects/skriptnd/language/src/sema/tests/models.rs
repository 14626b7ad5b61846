use crate::library::Library;
use crate::sema::{check, module};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::{Severity, render};
use skriptnd_syntax::spelling::KEYWORDS;
use std::path::{Path, PathBuf};

/// A model on disk.
struct Files(PathBuf);

impl FileProvider for Files {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let file = match path {
            ["main"] if self.0.is_file() => self.0.clone(),
            path if self.0.is_dir() => self.0.join(path.join("/")).with_extension("sknd"),
            _ => return None,
        };
        let text = std::fs::read_to_string(&file).ok()?;
        Some(Ok((file.display().to_string(), text)))
    }
}

fn errors(model: &Path) -> String {
    let (library, mut diagnostics) = Library::load(&Files(model.to_owned()));
    diagnostics.extend(check(&library).diagnostics);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|error| render(error, &library.sources)).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Files and folders in a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// All models below a folder: single files, and folders with a main module.
fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.join("main.sknd").is_file() || path.extension().is_some_and(|extension| extension == "sknd") {
            found.push(path);
        } else if path.is_dir() {
            found.extend(models(&path));
        }
    }
    found
}

#[test]
fn the_standard_library_is_right() {
    let library = Library::standard();
    for (name, text) in &library.modules {
        let found = module::check(&library, name, text).diagnostics;
        let errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let text: String = errors.map(|error| render(error, &library.sources)).collect();
        assert_eq!(text, "", "{name}");
    }
}

#[test]
fn nothing_is_said_against_right_models() {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut found = models(&root().join("test/models"));
    found.extend(models(&root().join("../shared/models")));
    let conformance = entries(&root().join("../shared/conformance"));
    found.extend(conformance.into_iter().filter(|path| {
        let model = path.is_file() && path.extension().is_some_and(|e| e == "sknd") || path.join("main.sknd").is_file();
        model && !name(path).starts_with('x')
    }));
    assert!(found.len() >= 5, "the project has models of its own");
    for model in found {
        assert_eq!(errors(&model), "", "{}", model.display());
    }
}

#[test]
fn what_is_wrong_in_a_definition_is_found_without_composing() {
    let folder = root().join("../shared/conformance");
    // These violate shapes, lengths or asserts, which only composition knows.
    let composed = ["x17", "x19", "x31", "x36"];
    for path in entries(&folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('x') && !composed.iter().any(|prefix| name.starts_with(prefix)) {
            assert_ne!(errors(&path), "", "{name}");
        }
    }
    for path in entries(&folder.join("malformed")) {
        let _ = errors(&path);
    }
}

#[test]
fn the_standard_library_parses() {
    let library = Library::standard();
    for (name, module) in &library.modules {
        assert!(!module.operators.is_empty(), "{name}");
        for operator in &module.operators {
            assert!(!operator.incomplete, "{name}.{}", operator.name.text);
            assert!(!operator.documentation.is_empty(), "{name}.{} has no documentation", operator.name.text);
        }
    }
}

/// The words of a text with the bytes where they begin, without those of comments, strings and numbers.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = |inside: &dyn Fn(char) -> bool| rest.find(|c| !inside(c)).unwrap_or(rest.len());
        at += match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            c if c.is_ascii_alphanumeric() || c == '_' => {
                let word = &rest[..length(&|c| c.is_ascii_alphanumeric() || c == '_')];
                if !c.is_ascii_digit() {
                    found.push((at, word));
                }
                word.len()
            }
            c => c.len_utf8(),
        };
    }
    found
}

#[test]
fn every_name_of_the_standard_library_has_a_meaning() {
    let library = Library::standard();
    for (path, module) in &library.modules {
        let names = crate::sema::names(&library, path);
        let text = &library.sources.file(module.operators.iter().next().unwrap().span.file).unwrap().text;
        for (at, word) in words(text) {
            // Blocks, properties of tensors, operators of other modules; `is` and `in` are no keywords.
            let follows = text[..at].ends_with(['@', '.']) || KEYWORDS.contains(&word) || ["is", "in"].contains(&word);
            let line = text[..at].matches('\n').count() + 1;
            let known = names.at(at as u32).is_some_and(|o| (o.span.start as usize) <= at && at < o.span.end as usize);
            assert!(follows || known, "{path}:{line}: `{word}` stands for nothing");
        }
    }
}
