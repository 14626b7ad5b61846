//! Generates the Rust of the dialect from `td/skriptnd`.

use skriptnd_tablegen::{BuildScript, Result, generate, ods::Model};

/// The standard operators that Rust code makes or reads by name. Of the others it knows what their definitions in
/// SkriptND say, so types and builders would be of no use.
const NAMED: [&str; 36] = [
    "algo.top_k",
    "layout.broadcast",
    "layout.cast",
    "layout.concat",
    "layout.depth_to_space",
    "layout.flatten",
    "layout.reshape",
    "layout.slice",
    "layout.space_to_depth",
    "layout.split",
    "layout.squeeze",
    "layout.stack",
    "layout.tile",
    "layout.transpose",
    "layout.unflatten",
    "layout.unsqueeze",
    "layout.unstack",
    "math.add",
    "math.clamp",
    "math.div",
    "math.mean_reduce",
    "math.mod",
    "math.moments",
    "math.mul",
    "math.sqr",
    "math.sqrt",
    "math.sub",
    "nn.avg_pool",
    "nn.conv",
    "nn.deconv",
    "nn.linear",
    "nn.max_pool",
    "nn.relu",
    "nn.softmax",
    "nn.sum_pool",
    "quant.zero_point_linear_quantize",
];

fn main() -> Result<()> {
    let script = BuildScript::new("../../td/skriptnd")?;
    let operations = script.read("SkriptND.td")?;
    let model = Model::read(&operations)?.of_dialect("skriptnd");
    script.write("definitions.rs", &generate::operation_definitions(&model, "SkriptND.td")?)?;
    let named = model.with_operations(|operation| {
        let mnemonic = operation.mnemonic.as_str();
        !mnemonic.contains('.') || NAMED.contains(&mnemonic)
    });
    script.write("operations.rs", &generate::operation_declarations(&named, "SkriptND.td")?)?;
    // Operators are registered with what their definitions in SkriptND say.
    let structural = named.with_operations(|operation| !operation.mnemonic.contains('.'));
    script.write("dialect.rs", &generate::dialect(&structural, "SkriptND.td")?)?;

    let passes = script.read("Passes.td")?;
    let passes = Model::read(&passes)?;
    script.write("passes.rs", &generate::passes(&passes, "Passes.td")?)?;

    let rewrites = script.read("Rewrites.td")?;
    let rewriters = generate::rewriters(&rewrites, Some("rewrites.pdl.mlir"))?;
    script.write("rewrites.rs", &rewriters.rust)?;
    script.write("rewrites.pdl.mlir", &rewriters.pdl)?;
    script.write("constraints.rs", &generate::named_constraints(&rewrites)?)
}
