//! Generates the Rust of the dialect from `td/skriptnd`.

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use skriptnd_tablegen::{Records, drr, generate, ods::Model, tool::search_path};

fn main() -> Result<(), Box<dyn Error>> {
    let td = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../td/skriptnd");
    println!("cargo:rerun-if-changed={}", td.display());
    println!("cargo:rerun-if-env-changed=TABLEGEN_220_PREFIX");
    let output = PathBuf::from(env::var("OUT_DIR")?);
    let read = |name: &str| {
        let file = td.join(name);
        Records::from_file(&file, &search_path(&file, &[]))
    };

    let model = Model::read(&read("SkriptND.td")?)?.of_dialect("skriptnd");
    fs::write(output.join("definitions.rs"), generate::operation_definitions(&model, "SkriptND.td")?)?;
    fs::write(output.join("operations.rs"), generate::operation_views(&model, "SkriptND.td"))?;
    fs::write(output.join("enumerations.rs"), generate::enumerations(&model, "SkriptND.td"))?;

    let passes = Model::read(&read("Passes.td")?)?;
    fs::write(output.join("passes.rs"), generate::passes(&passes, "Passes.td")?)?;

    let rewrites = read("Rewrites.td")?;
    fs::write(output.join("rewrites.rs"), generate::rewriters(&rewrites)?)?;
    fs::write(output.join("rewrites.pdl.mlir"), drr::to_pdl(&rewrites)?)?;
    Ok(())
}
