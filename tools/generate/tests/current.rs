//! What is checked in is what would be generated now.

use skriptnd_generate::{Generated, header, operators, pages, root};
use skriptnd_tablegen::{Records, ods::Model, search_path};

fn check(files: &[Generated]) {
    for Generated { path, text } in files {
        let found = std::fs::read_to_string(root().join(path)).unwrap_or_default();
        assert!(found == *text, "{path} is out of date; `cargo xtask docs` writes it anew");
    }
}

#[test]
fn the_declarations_of_operators_are_those_of_the_standard_library() {
    let files = operators::all();
    assert!(files.iter().map(|file| file.text.matches("\ndef ").count()).sum::<usize>() > 130);
    check(&files);
}

#[test]
fn the_pages_are_those_of_the_declarations() {
    check(&pages::all().unwrap());
}

#[test]
fn the_header_is_that_of_the_library() {
    check(&header::all().unwrap());
}

#[test]
fn traits_given_by_hand_are_those_of_operators_that_are_declared() {
    let file = root().join("td/skriptnd/Traits.td");
    let text = std::fs::read_to_string(&file).unwrap();
    let library = skriptnd_language::library::Library::standard();
    let named =
        text.lines().filter(|line| line.starts_with("defvar")).flat_map(|line| line.split('"').skip(1).step_by(2));
    for name in named {
        assert!(library.operator(name).is_some(), "Traits.td: '{name}' is no operator");
    }
}

#[test]
fn folded_and_commutative_operators_have_nothing_that_tells_their_operands_apart() {
    let file = root().join("td/skriptnd/SkriptND.td");
    let model = Model::read(&Records::from_file(&file, &search_path(&file, &[])).unwrap()).unwrap();
    for operation in model.of_dialect("skriptnd").operations {
        let aligned = operation.attributes.iter().any(|attribute| attribute.name.ends_with("align"));
        assert!(!(operation.has_trait("IsCommutative") && aligned), "{}", operation.mnemonic);
        // Upstream's folder of these traits looks at no attribute.
        let folded = operation.has_trait("IsIdempotent") || operation.has_trait("IsInvolution");
        assert!(!folded || operation.attributes.is_empty(), "{}", operation.mnemonic);
    }
}
