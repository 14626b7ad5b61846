//! Files of the repository and beside it.

use super::formatted;
use crate::format::format;
use skriptnd_source::FileId;
use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("target")) {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "sknd") {
            found.push(path);
        }
    }
}

/// What parses keeps its tree and its comments, and is formatted once and for all.
#[test]
fn every_file_survives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut found = Vec::new();
    for folder in [root.clone(), root.join("../shared")] {
        sources(&folder, &mut found);
    }
    assert!(found.len() > 10, "{found:?}");
    let mut count = 0;
    for path in found {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let (module, diagnostics) = crate::parse(FileId(0), &text);
        if module.incomplete || diagnostics.has_errors() {
            assert!(format(FileId(0), &text).is_err(), "{}", path.display());
            continue;
        }
        println!("{}", path.display());
        formatted(&text);
        count += 1;
    }
    assert!(count > 10);
}

/// Comments in any place stay between the same words.
#[test]
fn comments_survive_everywhere() {
    let text = include_str!("../../../../language/stdlib/image.sknd");
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for round in 0..12 {
        let mut commented = String::new();
        let mut quote = None;
        let mut in_comment = false;
        for (at, c) in text.char_indices() {
            let gap = quote.is_none() && !in_comment && (c == ' ' || c == '\n' || ",;()[]{}=".contains(c));
            let operator = text[..at].ends_with(['<', '>', '=', '!', ':', '+', '*', '&', '|', '@']);
            if gap && !operator && random(12) == 0 {
                commented.push_str(["# c\n", "\n# c\n", " # c\n\n# d\n"][random(3)]);
            }
            match (quote, c) {
                (Some(open), c) if c == open => quote = None,
                (None, '"' | '\'') if !in_comment => quote = Some(c),
                (None, '#') => in_comment = true,
                (None, '\n') => in_comment = false,
                _ => {}
            }
            commented.push(c);
        }
        println!("round {round}");
        formatted(&commented);
    }
}

#[test]
fn our_own_sources_are_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut found = Vec::new();
    for folder in ["dialects/skriptnd/language/stdlib", "test/models"] {
        sources(&root.join(folder), &mut found);
    }
    assert!(found.len() > 10, "{found:?}");
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        assert!(formatted(&text) == text, "run `skriptnd fmt {}`", path.display());
    }
}
