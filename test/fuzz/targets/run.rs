//! Texts changed token by token, composed and interpreted.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use skriptnd_conformance::hostile::{front_end, interpret, mutate_buffer};

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let (library, graphs) = front_end(text);
        graphs.iter().for_each(|graph| interpret(&library, graph));
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate_buffer(data, size, max_size, seed)
});
