//! With `SKRIPTND_WHOLE=1`: what is made of every file of upstream compiles, without warnings.

#![deny(warnings)]
// Nothing is called; names and numbers of parameters are those of the declarations.
#![allow(dead_code, missing_docs, clippy::too_many_arguments, clippy::upper_case_acronyms)]

include!(concat!(env!("OUT_DIR"), "/whole.rs"));
