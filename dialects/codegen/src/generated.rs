//! What `td/codegen` declares, and what of `td/skriptnd` is left when code is generated; generated when the crate is built.

include!(concat!(env!("OUT_DIR"), "/discardable.rs"));
include!(concat!(env!("OUT_DIR"), "/operations.rs"));
include!(concat!(env!("OUT_DIR"), "/passes.rs"));
