//! Generates the declarations of the passes from `td/codegen`.

use skriptnd_tablegen::{BuildScript, Result, generate, ods::Model};

fn main() -> Result<()> {
    let script = BuildScript::new("../../td/codegen")?;
    let passes = Model::read(&script.read("Passes.td")?)?;
    script.write("passes.rs", &generate::passes(&passes, "Passes.td")?)
}
