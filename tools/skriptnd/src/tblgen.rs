//! `skriptnd-tblgen`: Rust, PDL, Markdown and IRDL from TableGen.

/// Returns the exit code.
pub fn main(arguments: &[String]) -> u8 {
    u8::try_from(skriptnd_tablegen::tool::main(arguments.iter().skip(1).cloned())).unwrap_or(1)
}
