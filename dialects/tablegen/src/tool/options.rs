//! Options of `mlir-tblgen` that `skriptnd-tblgen` does not have, and what to do instead.

/// Names, and what to do without them.
const WITHOUT: [(&[&str], &str); 9] = [
    (&["D"], "write '#define NAME' in the file itself"),
    (&["op-shard-count"], "the operations of a file are generated as one module: leave it out"),
    (&["name", "prefix"], "passes are registered one by one, by the functions of the generated module: leave it out"),
    (&["on-deprecated"], "TableGen's warnings about deprecated definitions are not shown: leave it out"),
    (&["asmformat-error-is-fatal"], "what is wrong in a format always is an error: leave it out"),
    (
        &["strip-prefix", "allow-hugo-specific-features"],
        "names and pages are written as Markdown has them: leave it out",
    ),
    (&["color", "time-phases"], "messages are plain text, and only what is generated is written: leave it out"),
    (
        &["bind-dialect", "dialect-extension", "bytecode-dialect", "directives-dialect"],
        "its generator has no counterpart in Rust",
    ),
    (
        &[
            "dialect-opclass-base",
            "llvmir-intrinsics-access-group-regexp",
            "llvmir-intrinsics-alias-analysis-regexp",
            "llvmir-intrinsics-filter",
        ],
        "its generator has no counterpart in Rust",
    ),
];

/// What is wrong with an option that the tool does not know; `option` is the argument without its dashes.
pub fn unknown(argument: &str, option: &str) -> String {
    let name = option.split('=').next().unwrap_or(option);
    let name = if name.starts_with('D') { "D" } else { name };
    match WITHOUT.iter().find(|(names, _)| names.contains(&name)) {
        Some((_, instead)) => format!("'{argument}' is not supported: {instead}"),
        None if name.starts_with("gen-") => format!("unknown option '{argument}': none of the generators is called so"),
        None => format!("unknown option '{argument}'"),
    }
}
