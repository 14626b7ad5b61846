//! What `td/codegen` declares, generated when the crate is built.
#![allow(missing_docs, reason = "generated")]

include!(concat!(env!("OUT_DIR"), "/passes.rs"));
