//! What `docs/semantics.md` promises is held by tests: each row of its tables names some, and they exist.

use std::path::Path;

/// What a text links to.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0))
}

#[test]
fn promises_have_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = std::fs::read_to_string(folder.join("semantics.md")).unwrap();
    let missing: Vec<&str> = links(&page).filter(|link| !folder.join(link).exists()).collect();
    assert!(missing.is_empty(), "there are no {missing:?}");
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| promise"));
    let untested: Vec<&str> = rows.clone().filter(|row| links(row).next().is_none()).collect();
    assert!(rows.count() > 20 && untested.is_empty(), "no test is named: {untested:#?}");
}
