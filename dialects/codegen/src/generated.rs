//! What `td/codegen` declares, and what of `td/skriptnd` is left when code is generated; generated when the crate is built.
#![allow(missing_docs, reason = "generated")]

include!(concat!(env!("OUT_DIR"), "/definitions.rs"));
include!(concat!(env!("OUT_DIR"), "/operations.rs"));
include!(concat!(env!("OUT_DIR"), "/passes.rs"));
