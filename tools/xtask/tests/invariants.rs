//! The invariants of ARCHITECTURE.md that the text of the sources shows.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder with one of the endings, with their paths from the root.
fn sources(folder: &Path, endings: &[&str], found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !name.starts_with("target") && !name.starts_with('.') {
            sources(&path, endings, found);
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            let shown = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            found.push((shown, std::fs::read_to_string(&path).unwrap()));
        }
    }
}

fn project(endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for room in ["dialects", "tools", "runtime"] {
        sources(&root().join(room), endings, &mut found);
    }
    assert!(found.len() > 5, "the sources are somewhere else");
    found
}

#[test]
fn one_crate_knows_the_bindings() {
    for (path, text) in project(&[".rs", "Cargo.toml"]) {
        if path.starts_with("dialects/mlir/") || path.ends_with("xtask/tests/invariants.rs") {
            continue;
        }
        for binding in ["melior", "mlir_sys", "mlir-sys", "inkwell", "llvm_sys", "llvm-sys"] {
            assert!(!text.contains(binding), "{path} names {binding}; only dialects/mlir may");
        }
    }
}

/// The words of a Rust text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// What is public in a source, each item up to its body.
fn public_items(text: &str) -> impl Iterator<Item = &str> {
    let kinds = ["fn ", "unsafe fn ", "const ", "type ", "trait ", "use ", "static "];
    text.match_indices("pub ").map(|(at, found)| &text[at + found.len()..]).filter_map(move |rest| {
        let rest = kinds.iter().any(|kind| rest.starts_with(kind)).then_some(rest)?;
        rest.split(['{', ';']).next()
    })
}

#[test]
fn no_type_of_the_bindings_leaves_their_crate() {
    let mut found = Vec::new();
    sources(&root().join("dialects/mlir/src"), &[".rs"], &mut found);
    for (path, text) in found {
        let uses = text.split("use melior::").skip(1).flat_map(|rest| rest.split(';').next());
        let imported: Vec<&str> = uses.flat_map(words).filter(|word| word.starts_with(char::is_uppercase)).collect();
        for item in public_items(&text) {
            let foreign = words(item).find(|word| {
                ["melior", "mlir_sys", "inkwell"].contains(word) || word.starts_with("Mlir") || imported.contains(word)
            });
            assert_eq!(foreign, None, "{path}: pub {item}");
        }
        for field in ["pub melior::", "pub Mlir", "pub mlir_sys::"] {
            assert!(!text.contains(field), "{path}: {field}");
        }
    }
}

#[test]
fn unsafe_code_is_allowed_in_two_rooms() {
    for (path, text) in project(&["Cargo.toml"]) {
        let inherits = text.contains("[lints]\nworkspace = true");
        let excepted =
            ["dialects/mlir/Cargo.toml", "runtime/Cargo.toml", "runtime/c/Cargo.toml", "runtime/rules/Cargo.toml"]
                .contains(&path.as_str());
        assert!(inherits || excepted, "{path} must inherit the workspace's lints, which deny unsafe code");
    }
    for (path, text) in project(&[".rs"]) {
        let here = path.starts_with("dialects/mlir/") || path.starts_with("runtime/");
        assert!(
            here || !text.contains("allow(unsafe_code)") || path.ends_with("invariants.rs"),
            "{path} allows unsafe"
        );
    }
}

/// What a crate of the front end, the runtime, or one that others than this project use, may use of this project.
const USES: [(&str, &[&str]); 10] = [
    ("dialects/mlir", &[]),
    ("dialects/ods", &["mlir"]),
    ("dialects/tablegen", &[]),
    ("runtime", &[]),
    ("runtime/c", &["runtime"]),
    ("dialects/skriptnd/source", &[]),
    ("dialects/skriptnd/syntax", &["source"]),
    ("dialects/skriptnd/language", &["source", "syntax", "runtime"]),
    ("dialects/skriptnd/interpret", &["source", "syntax", "language", "runtime"]),
    ("dialects/skriptnd/ide", &["source", "syntax", "language"]),
];

#[test]
fn crates_that_stand_alone_use_nothing_of_the_compiler() {
    for (room, allowed) in USES {
        let text = std::fs::read_to_string(root().join(room).join("Cargo.toml")).unwrap();
        let dependencies = text.split("dependencies]").skip(1).flat_map(str::lines);
        for other in dependencies.filter_map(|line| line.strip_prefix("skriptnd-")) {
            let other = other.split(['.', ' ']).next().unwrap();
            assert!(allowed.contains(&other), "{room} must not depend on {other}");
        }
    }
}

/// The names of the operations that `td/skriptnd` declares: `Graph_Op<"if"`, `SkriptND_Operator<"layout", "concat">`.
fn declared_operations() -> Vec<String> {
    let mut found = Vec::new();
    sources(&root().join("td/skriptnd"), &[".td"], &mut found);
    let definitions = found.iter().flat_map(|(_, text)| text.lines()).filter(|line| line.starts_with("def "));
    let named = definitions.filter_map(|line| {
        let (_, arguments) = line.split_once("Op<").or(line.split_once("Operator<"))?;
        let parts: Vec<&str> = arguments.split('"').skip(1).step_by(2).collect();
        Some(format!("skriptnd.{}", if line.contains("Operator<") { parts.join(".") } else { parts[0].to_owned() }))
    });
    named.collect()
}

#[test]
fn operations_have_their_names_from_their_declarations() {
    let declared = declared_operations();
    for name in ["skriptnd.graph", "skriptnd.layout.concat"] {
        assert!(declared.iter().any(|declared| declared == name), "{name} is declared in another form: {declared:?}");
    }
    // Attributes that say of arguments and types what the operations of these names say of values.
    let attributes = ["skriptnd.extent", "skriptnd.pack", "skriptnd.variable"];
    let is_attribute = |name: &String, before: &str| {
        let line = before.rsplit('\n').next().unwrap_or_default();
        attributes.contains(&name.as_str()) && line.contains("const ")
    };
    for (path, text) in project(&[".rs"]) {
        let is_test = path.contains("/tests") || path.contains("generate/") || path.contains("tests.rs");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for name in declared.iter().filter(|_| !is_test) {
            let quoted = format!("\"{name}\"");
            let mut uses = code.match_indices(&quoted).filter(|(at, _)| !is_attribute(name, &code[..*at]));
            assert!(uses.next().is_none(), "{path}: {quoted} stands for what td/skriptnd declares: use its `NAME`");
        }
    }
}

#[test]
fn no_test_is_forgotten_where_all_are_one_executable() {
    let mut files = project(&[".rs"]);
    sources(&root().join("test"), &[".rs"], &mut files);
    let mut seen = 0;
    for (main, text) in files.iter().filter(|(path, _)| path.ends_with("/tests/all.rs")) {
        let folder = main.trim_end_matches("all.rs");
        let manifest = std::fs::read_to_string(root().join(folder).join("../Cargo.toml")).unwrap();
        for module in files.iter().filter_map(|(path, _)| path.strip_prefix(folder)).filter(|path| !path.contains('/'))
        {
            let declared = format!("mod {};", module.trim_end_matches(".rs"));
            let alone = manifest.contains(&format!("path = \"tests/{module}\""));
            assert!(alone || text.contains(&declared), "{main} leaves {module} out");
            seen += 1;
        }
    }
    assert!(seen > 30, "the tests are somewhere else");
}
