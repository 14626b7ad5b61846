//! Generates the dialects of `td/`.

use skriptnd_tablegen::{
    BuildScript, Result, generate,
    ods::{InterfaceKind, Model},
};

fn main() -> Result<()> {
    let script = BuildScript::new("td")?.with_names("names.txt");
    let shared = Model::read(&*script.read("Interfaces.td")?)?;
    let interfaces = generate::interfaces(&shared, &[InterfaceKind::Operation], "Interfaces.td")?;
    script.write("interfaces.rs", &interfaces)?;
    let passes = Model::read(&*script.read("Passes.td")?)?;
    script.write("passes.rs", &generate::passes(&passes, "Passes.td")?)?;
    script.generate("first.td")?;
    script.generate("kinds.td")?;
    script.generate("second.td")?;
    script.generate("parts.td")
}
