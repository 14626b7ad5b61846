//! Generates the Rust of the dialect from `td/skriptnd`.

use skriptnd_tablegen::{BuildScript, Result, drr, generate, ods::Model};

fn main() -> Result<()> {
    let script = BuildScript::new("../../td/skriptnd")?;
    let model = Model::read(&script.read("SkriptND.td")?)?.of_dialect("skriptnd");
    script.write("definitions.rs", &generate::operation_definitions(&model, "SkriptND.td")?)?;
    script.write("operations.rs", &generate::operation_views(&model, "SkriptND.td"))?;
    script.write("enumerations.rs", &generate::enumerations(&model, "SkriptND.td"))?;

    let passes = Model::read(&script.read("Passes.td")?)?;
    script.write("passes.rs", &generate::passes(&passes, "Passes.td")?)?;

    let rewrites = script.read("Rewrites.td")?;
    script.write("rewrites.rs", &generate::rewriters(&rewrites)?)?;
    script.write("rewrites.pdl.mlir", &drr::to_pdl(&rewrites)?)
}
