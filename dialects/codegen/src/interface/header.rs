//! The header of a model whose functions have names of their own: what it takes and gives as constants and comments, beside
//! the declarations. What the functions do says `runtime/include/skriptnd.h`.

use super::Planned;
use skriptnd_runtime::metadata::TensorInfo;
use std::fmt::Write;

/// The text of `PREFIX.h`.
pub fn declarations(planned: &Planned, prefix: &str) -> String {
    let guard = prefix.to_ascii_uppercase();
    let mut text = comment(planned, prefix);
    text += &format!("#ifndef {guard}_H\n#define {guard}_H\n\n#include <stdint.h>\n\n");
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    text += &constants(planned, &guard);
    text += &names(planned, &guard);
    text += &functions(prefix, &guard);
    text + "#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
}

/// Lists of tensors: the middle of the constants' names, what they are, and they themselves.
fn lists(planned: &Planned) -> [(&'static str, &'static str, Vec<&TensorInfo>); 3] {
    let interface = &planned.interface;
    let written = interface.outputs.iter().chain(&interface.states);
    [
        ("INPUT", "Inputs", interface.inputs.iter().collect()),
        ("VARIABLE", "Variables", interface.variables.iter().collect()),
        ("OUTPUT", "Outputs, and behind them new values of variables", written.collect()),
    ]
}

fn comment(planned: &Planned, prefix: &str) -> String {
    let graph = &planned.interface.graph;
    let mut text = format!(
        "/*\n * The compiled graph {graph}, for {}.\n *\n * The functions are those of skriptnd.h, which says what they do, \
         with `{prefix}` in place of `skriptnd`:\n * so the objects of several models can be linked into one program.\n",
        planned.target.spec.triple
    );
    for (_, what, tensors) in lists(planned) {
        if !tensors.is_empty() {
            let _ = writeln!(text, " *\n * {what}:");
        }
        for (number, tensor) in tensors.into_iter().enumerate() {
            let _ = writeln!(text, " *   {number}  {}: {}", tensor.name, shown(tensor));
        }
    }
    if !planned.interface.extents.is_empty() {
        text += " *\n * Extents:\n";
    }
    for (number, symbol) in planned.interface.extents.iter().enumerate() {
        let bound = symbol.bound.map(|bound| format!(", at most {bound}")).unwrap_or_default();
        let _ = writeln!(text, " *   {number}  {}{bound}", symbol.name);
    }
    text + " */\n"
}

fn shown(tensor: &TensorInfo) -> String {
    let extents: Vec<String> = tensor.extents.iter().map(ToString::to_string).collect();
    format!("{}[{}]{}", tensor.element_type, extents.join(", "), tensor.form())
}

/// Counts and sizes, which are what the object's constants are.
fn constants(planned: &Planned, guard: &str) -> String {
    let mut text = String::from("/* Numbers of pointers and words, bytes of memory. */\n");
    for (name, value, _) in planned.constants() {
        let _ = writeln!(text, "#define {guard}_{} {value}", name.to_ascii_uppercase());
    }
    text + "\n"
}

/// The names of tensors as initialisers, and their numbers by name.
fn names(planned: &Planned, guard: &str) -> String {
    let mut text = String::from("/* Names of tensors for an array of char *, and the number of each. */\n");
    for (what, _, tensors) in lists(planned).iter().filter(|(_, _, tensors)| !tensors.is_empty()) {
        let quoted: Vec<_> = tensors.iter().map(|tensor| format!("{:?}", tensor.name)).collect();
        let _ = writeln!(text, "#define {guard}_{what}_NAMES {{ {} }}", quoted.join(", "));
        let mut known: Vec<String> = Vec::new();
        for (number, tensor) in tensors.iter().enumerate() {
            let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            let name: String = tensor.name.chars().map(word).collect();
            // A name that is another's in this spelling has its number behind it.
            let name = if known.contains(&name) { format!("{name}_{number}") } else { name };
            let _ = writeln!(text, "#define {guard}_{what}_{name} {number}");
            known.push(name);
        }
    }
    text + "\n"
}

fn functions(prefix: &str, guard: &str) -> String {
    format!(
        "/* What the model says about itself, as JSON. */
extern const char {prefix}_metadata[];

/* Only with --embed-weights: a pointer to the value of each variable. */
extern const void *const {prefix}_weights[];

/* Only where there are several versions of the code: the place of the one that this processor takes. */
int32_t {prefix}_version(void);

/* Computes once what depends only on variables that no run changes. */
int32_t {prefix}_prepare(const void *const *variables, void *prepared, void *workspace);

/* Computes the extents of all tensors and the bytes of workspace. */
int32_t {prefix}_shapes(const int64_t *extents, int64_t *shapes);

/* Runs the model once. */
struct skriptnd_pool;
int32_t {prefix}_run(const void *const *inputs, const void *const *variables, const void *prepared,
    void *const *outputs, const int64_t *extents, int64_t *shapes, void *workspace, int64_t *fault,
    const struct skriptnd_pool *pool);

/* The arguments of skriptnd_library_link of skriptnd_runtime.h. */
#define {guard}_FUNCTIONS {prefix}_metadata, {prefix}_prepare, {prefix}_shapes, {prefix}_run

"
    )
}
