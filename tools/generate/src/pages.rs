//! `docs/dialects.md` and `docs/passes.md`: what `td/` declares, for readers.

use crate::{Generated, root};
use skriptnd_tablegen::ods::Model;
use skriptnd_tablegen::search_path;
use skriptnd_tablegen::{Records, generate};

/// The files that declare dialects.
const DIALECTS: [&str; 3] = ["skriptnd/SkriptND.td", "htp/Htp.td", "hexagon/Hexagon.td"];
/// The files that declare passes, in the order in which a model goes through them.
const PASSES: [&str; 3] = ["htp/Passes.td", "skriptnd/Passes.td", "codegen/Passes.td"];

/// What passes are called together; `dialects/skriptnd/src/passes`, `dialects/codegen/src/pipeline.rs` and `tools/compiler` register it.
const PIPELINES: &str = "
## Pipelines

Several passes under one name. `skriptnd-opt --NAME --dump-pass-pipeline` prints which.

- `-skriptnd-to-linalg`: from whole operators to linalg on tensors
- `-linalg-to-llvm`: from linalg on tensors to the LLVM dialect
- `-skriptnd-to-llvm`: both; what `skriptnd compile` does
- `-convert-htp-to-linalg`: from ops of the tensor processor to linalg, by way of the operators that they are

The ways to the LLVM dialect have options, such as `--linalg-to-llvm=\"triple=x86_64-unknown-linux-gnu cpu=znver4\"`:

";

/// The pass whose options pipelines to the LLVM dialect have.
const TARGET_PASS: &str = "codegen-set-target";

/// Both pages.
///
/// # Errors
/// Where TableGen refuses a declaration.
pub fn all() -> Result<Vec<Generated>, String> {
    Ok(vec![dialects()?, passes()?])
}

fn dialects() -> Result<Generated, String> {
    let mut text = String::from(
        "# Dialects\n\nWritten by `cargo xtask docs` from `td/`; do not edit. [operators.md](operators.md) has the \
         operators' definitions.\n",
    );
    for file in DIALECTS {
        let model = model(file)?;
        let dialect = model.dialects.iter().map(|dialect| dialect.name.clone()).find(|name| file.starts_with(&**name));
        let model = dialect.map_or(model.clone(), |name| model.of_dialect(&name));
        text.push_str(&generate::dialect_documentation(&model));
    }
    Ok(Generated { path: "docs/dialects.md".into(), text })
}

fn passes() -> Result<Generated, String> {
    let mut text = String::from("# Passes\n\nWritten by `cargo xtask docs` from `td/`; do not edit.\n");
    for file in PASSES {
        let room = file.split('/').next().unwrap_or_default();
        text.push_str(&format!("\n## {room}\n{}", generate::pass_documentation(&model(file)?)));
    }
    text.push_str(PIPELINES);
    let codegen = model("codegen/Passes.td")?;
    let target = codegen.passes.iter().find(|pass| pass.argument == TARGET_PASS);
    for option in &target.ok_or_else(|| format!("there is no pass {TARGET_PASS}"))?.options {
        text.push_str(&format!("- `{}`: {}\n", option.name, option.description));
    }
    Ok(Generated { path: "docs/passes.md".into(), text })
}

fn model(name: &str) -> Result<Model, String> {
    let file = root().join("td").join(name);
    let records = Records::from_file(&file, &search_path(&file, &[])).map_err(|error| error.to_string())?;
    Model::read(&records).map_err(|error| error.to_string())
}
