//! The generated parser.

use pest_derive::Parser;

/// Parser of `grammar.pest`.
#[derive(Parser)]
#[grammar = "grammar.pest"]
pub(super) struct Grammar;
