//! Generates the dialects of `td/`.

mod nasty;
mod texts;

use std::path::Path;

use skriptnd_tablegen::{
    BuildScript, Error, Result, generate,
    ods::{InterfaceKind, Model},
};

const KINDS: [InterfaceKind; 3] = [InterfaceKind::Operation, InterfaceKind::Attribute, InterfaceKind::Type];

fn main() -> Result<()> {
    let script = BuildScript::new("td")?.with_names("names.txt");
    let shared = Model::read(&*script.read("Interfaces.td")?)?;
    let interfaces = generate::interfaces(&shared, &KINDS, "Interfaces.td")?;
    script.write("interfaces.rs", &interfaces)?;
    let passes = Model::read(&*script.read("Passes.td")?)?;
    script.write("passes.rs", &generate::passes(&passes, "Passes.td")?)?;
    script.generate("first.td")?;
    script.generate("kinds.td")?;
    script.generate("second.td")?;
    script.generate("parts.td")?;
    script.generate("wood.td")?;
    script.generate("paper.td")?;
    script.generate("notes.td")?;
    script.generate("integers.td")?;
    script.generate("numbers.td")?;
    script.generate("made.td")?;
    let folder = std::env::var("OUT_DIR").map_err(|error| Error::new(format!("OUT_DIR: {error}")))?;
    script.write("nasty.rs", &nasty::modules(&script, &folder)?)?;
    script.write("texts.rs", &texts::modules(Path::new("../TableGen/ods"), texts::dialect)?)?;
    script.write("rules.rs", &texts::modules(Path::new("../TableGen/drr"), texts::rules)?)
}
