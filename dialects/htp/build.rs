//! Generates the Rust of the dialect and its passes from `td/htp`.

use skriptnd_tablegen::{BuildScript, Result, generate, ods::Model};

fn main() -> Result<()> {
    let script = BuildScript::new("../../td/htp")?;
    let operations = script.read("Htp.td")?;
    let model = Model::read(&operations)?.of_dialect("htp");
    script.write("definitions.rs", &generate::operation_definitions(&model, "Htp.td")?)?;
    script.write("enumerations.rs", &generate::enumerations(&model, "Htp.td")?)?;
    script.write("operations.rs", &generate::operation_declarations(&model, "Htp.td")?)?;
    script.write("dialect.rs", &generate::dialect(&model, "Htp.td")?)?;
    let passes = script.read("Passes.td")?;
    let passes = Model::read(&passes)?;
    script.write("passes.rs", &generate::passes(&passes, "Passes.td")?)
}
