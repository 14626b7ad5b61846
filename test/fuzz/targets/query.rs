//! Texts changed token by token, with questions about a place in them.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use skriptnd_conformance::hostile::{ask, mutate_buffer};

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        // The place follows from the text, so that an input is a text and nothing else.
        let sum = data.iter().fold(0usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
        ask(text, sum % (data.len() + 1));
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate_buffer(data, size, max_size, seed)
});
