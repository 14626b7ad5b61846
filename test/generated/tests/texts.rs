//! What is made of the cases of `test/TableGen/ods` compiles.

// Nothing is called; names and numbers of parameters are those of the declarations.
#![allow(dead_code, missing_docs, clippy::too_many_arguments, clippy::upper_case_acronyms)]

include!(concat!(env!("OUT_DIR"), "/texts.rs"));
