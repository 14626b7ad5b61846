//! Parsing takes a bounded number of the parser's steps per byte, however long the text is. The limit on steps holds
//! for the whole process, so this file has a single test.

use skriptnd_source::FileId;
use skriptnd_syntax::parse;
use std::num::NonZeroUsize;

#[path = "../../language/benches/models.rs"]
mod models;

/// About twice what the texts below need.
const STEPS_PER_BYTE: usize = 20;

#[test]
fn steps_grow_with_the_text() {
    let shapes = [models::chain, models::definitions, models::pack, models::numbers, models::variables];
    for make in shapes {
        for size in [20, 2_000] {
            let text = make(size);
            pest::set_call_limit(NonZeroUsize::new(text.len() * STEPS_PER_BYTE));
            let (module, found) = parse(FileId(0), &text);
            assert!(found.is_empty() && !module.operators.is_empty(), "{:?}", found.iter().next());
        }
    }
}
