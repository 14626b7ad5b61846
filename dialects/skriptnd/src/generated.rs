//! What `td/skriptnd` declares, generated when the crate is built.

include!(concat!(env!("OUT_DIR"), "/definitions.rs"));
include!(concat!(env!("OUT_DIR"), "/operations.rs"));
include!(concat!(env!("OUT_DIR"), "/dialect.rs"));
include!(concat!(env!("OUT_DIR"), "/passes.rs"));
include!(concat!(env!("OUT_DIR"), "/rewrites.rs"));
