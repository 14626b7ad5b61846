//! What `td/htp` declares, generated when the crate is built.

include!(concat!(env!("OUT_DIR"), "/definitions.rs"));
include!(concat!(env!("OUT_DIR"), "/enumerations.rs"));
include!(concat!(env!("OUT_DIR"), "/operations.rs"));
include!(concat!(env!("OUT_DIR"), "/dialect.rs"));
include!(concat!(env!("OUT_DIR"), "/passes.rs"));
