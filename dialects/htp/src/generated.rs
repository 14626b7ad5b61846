//! What `td/htp` declares, generated when the crate is built.
#![allow(missing_docs, reason = "generated")]

include!(concat!(env!("OUT_DIR"), "/definitions.rs"));
include!(concat!(env!("OUT_DIR"), "/passes.rs"));
