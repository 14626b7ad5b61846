//! Generates the declarations of the passes from `td/codegen`, and from `td/skriptnd` types of operations and what marks arguments.

use skriptnd_tablegen::{BuildScript, Result, generate, ods::Model};

/// The operations of the `skriptnd` dialect that are left when code is generated.
const LEFT: [&str; 4] = ["graph", "require", "holds", "leave"];

fn main() -> Result<()> {
    let script = BuildScript::new("../../td/codegen")?;
    let passes = script.read("Passes.td")?;
    let passes = Model::read(&passes)?;
    script.write("passes.rs", &generate::passes(&passes, "Passes.td")?)?;

    let dialect = BuildScript::new("../../td/skriptnd")?;
    let operations = dialect.read("SkriptND.td")?;
    let left = Model::read(&operations)?.with_operations(|operation| LEFT.contains(&&*operation.mnemonic));
    dialect.write("operations.rs", &generate::operation_declarations(&left, "SkriptND.td")?)?;
    dialect.write("discardable.rs", &generate::discardable_attributes(&left, "SkriptND.td")?)
}
