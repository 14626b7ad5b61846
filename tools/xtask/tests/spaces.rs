//! The lit tests run in folders whose names have spaces: `test/lit.cfg.py` makes each place one quoted word, so inside of
//! quotes, as for options of passes, the plain path `%/t` has to stand.

use std::path::{Path, PathBuf};

const PLACES: [&str; 8] = ["models", "td", "runtime", "binaries", "shared", "s", "S", "t"];

/// The place that stands in quotes of a shell first.
fn quoted_place(command: &str) -> Option<String> {
    let (mut quote, mut characters) = (None, command.char_indices());
    while let Some((at, character)) = characters.next() {
        let rest = &command[at + 1..];
        match (quote, character) {
            (None | Some('"'), '\\') => drop(characters.next()),
            (None, '"' | '\'') => quote = Some(character),
            (Some(begin), _) if begin == character => quote = None,
            (_, '%') if rest.starts_with('%') => drop(characters.next()),
            (Some(_), '%') => {
                let found = PLACES.iter().find(|place| rest.starts_with(**place));
                if let Some(place) = found {
                    return Some(format!("%{place}"));
                }
            }
            _ => {}
        }
    }
    None
}

fn tests(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests(&path, found);
        } else if path
            .extension()
            .is_some_and(|ending| ["mlir", "sknd", "td", "htp", "test"].iter().any(|e| ending == *e))
        {
            found.push(path);
        }
    }
}

#[test]
fn places_in_quotes_are_plain() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test");
    let mut files = Vec::new();
    for room in ["Conversion", "Dialect", "Import", "Integration", "Rules", "TableGen", "Target", "Transforms"] {
        tests(&root.join(room), &mut files);
    }
    let mut commands = 0;
    for path in files {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        for line in text.lines() {
            let parts = line.split_once("RUN:").or_else(|| line.split_once("DEFINE:"));
            let Some((_, command)) = parts else { continue };
            commands += 1;
            let place = quoted_place(command);
            assert_eq!(
                place,
                None,
                "{}: in quotes, write the path without quotes of its own, `%/`: {line}",
                path.display()
            );
        }
    }
    assert!(commands > 500, "the tests are somewhere else");
}

#[test]
fn quotes_are_found() {
    for (command, place) in [
        (r#"opt %s -o "%t/a b""#, Some("%t")),
        (r"opt '--pass=file=%td/x'", Some("%td")),
        (r#"opt %t/"a b" '%/s' \" %s"#, None),
        (r#"printf 'a%%s' "\"%%t" %s"#, None),
    ] {
        assert_eq!(quoted_place(command).as_deref(), place, "{command}");
    }
}
