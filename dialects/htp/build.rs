//! Generates the Rust of the dialect and its passes from `td/htp`.

use skriptnd_tablegen::{Records, generate, ods::Model, tool::search_path};
use std::path::{Path, PathBuf};
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let td = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../td/htp");
    println!("cargo:rerun-if-changed={}", td.display());
    println!("cargo:rerun-if-env-changed=TABLEGEN_220_PREFIX");
    let output = PathBuf::from(env::var("OUT_DIR")?);
    let read = |name: &str| {
        let file = td.join(name);
        Records::from_file(&file, &search_path(&file, &[]))
    };
    let model = Model::read(&read("Htp.td")?)?.of_dialect("htp");
    fs::write(output.join("definitions.rs"), generate::operation_definitions(&model, "Htp.td")?)?;
    let passes = Model::read(&read("Passes.td")?)?;
    fs::write(output.join("passes.rs"), generate::passes(&passes, "Passes.td")?)?;
    Ok(())
}
