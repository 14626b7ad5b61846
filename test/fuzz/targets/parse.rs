//! Any bytes that are UTF-8, through the parser.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skriptnd_source::FileId;
use skriptnd_syntax::parse;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let (module, found) = parse(FileId(0), text);
        assert_eq!(module.incomplete, found.has_errors(), "a tree is incomplete exactly if there are errors");
    }
});
