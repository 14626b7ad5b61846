//! What a package registers of its ops, as attributes of them: what they cost, what they use, and where their tensors lie.

use crate::dialect::operation_name;
use crate::grammar::model::qualified;
use crate::grammar::vocabulary::DEFAULT_PACKAGE;
use crate::grammar::{OpRegistration, RuleFile, TensorProperties};
use skriptnd_mlir::diagnostics::Severity;
use skriptnd_mlir::ir::{Context, OperationRef, attributes, emit, walk};
use std::collections::{BTreeSet, HashMap};

/// The attribute of the costs of the functions that are registered for an op.
pub const COSTS: &str = "costs";
/// The attribute of what these functions use.
pub const FLAGS: &str = "flags";
/// The attribute of what is told of the result and the operands of an op.
pub const TENSORS: &str = "tensors";

/// What is registered of one op.
#[derive(Default)]
struct Registered<'f> {
    functions: Vec<&'f OpRegistration>,
    properties: Vec<&'f TensorProperties>,
}

/// Notes at each op what a file registers of it. Warns where an op has another number of operands than is told.
pub fn note(container: OperationRef<'_, '_>, file: &RuleFile, package: Option<&str>) {
    let own = |name: &str, declared: &Option<String>| {
        operation_name(&qualified(name, package.or(declared.as_deref()).unwrap_or(DEFAULT_PACKAGE)))
    };
    let mut ops: HashMap<String, Registered<'_>> = HashMap::new();
    for op in &file.ops {
        ops.entry(own(&op.op, &op.package)).or_default().functions.push(op);
    }
    for properties in &file.properties {
        ops.entry(own(&properties.op, &properties.package)).or_default().properties.push(properties);
    }
    if ops.is_empty() {
        return;
    }
    for node in walk(container) {
        if let Some(registered) = ops.get(node.full_name()) {
            note_functions(node, &registered.functions);
            note_properties(node, &registered.properties);
        }
    }
}

fn set_words(node: OperationRef<'_, '_>, name: &str, words: impl IntoIterator<Item = String>) {
    let context: &Context = node.context();
    let words: Vec<_> = words.into_iter().map(|word| attributes::string(context, &word)).collect();
    if !words.is_empty() {
        node.set(name, attributes::array(context, &words));
    }
}

fn note_functions(node: OperationRef<'_, '_>, functions: &[&OpRegistration]) {
    let costs: BTreeSet<String> = functions.iter().map(|function| function.cost().to_owned()).collect();
    let flags: BTreeSet<String> = functions.iter().flat_map(|function| function.flags.iter().cloned()).collect();
    set_words(node, COSTS, costs);
    set_words(node, FLAGS, flags);
}

fn note_properties(node: OperationRef<'_, '_>, properties: &[&TensorProperties]) {
    let count = node.operand_count();
    match properties.iter().find(|properties| properties.operands.len() == count) {
        Some(properties) => set_words(node, TENSORS, tensors(properties)),
        None if properties.is_empty() => {}
        None => {
            let told: Vec<String> = properties.iter().map(|of| of.operands.len().to_string()).collect();
            let (name, told) = (node.full_name(), told.join(" or "));
            let message =
                format!("'{name}' has another number of operands ({count}) than in its tensor properties ({told})");
            emit(node.location(), Severity::Warning, &message);
        }
    }
}

/// What is told of the result, and of each operand; `...` stands for those of which no other place is told.
fn tensors(properties: &TensorProperties) -> Vec<String> {
    let names = std::iter::once("*").chain(properties.operands.iter().map(String::as_str));
    let told = names.filter_map(|name| {
        let of = |(_, tensors): &&(String, Vec<String>)| tensors.iter().any(|tensor| tensor == name);
        let mut kinds: Vec<&str> = properties.layouts.iter().filter(of).map(|(kind, _)| kind.as_str()).collect();
        let rest = properties.layouts.iter().filter(|(_, tensors)| tensors.iter().any(|tensor| tensor == "..."));
        for (kind, _) in rest {
            let is_told = kinds.iter().any(|other| is_place(other) == is_place(kind));
            if !is_told {
                kinds.push(kind);
            }
        }
        let name = if name == "*" { "result" } else { name };
        (!kinds.is_empty()).then(|| format!("{name}: {}", kinds.join(", ")))
    });
    told.collect()
}

/// Whether it says where a tensor lies, and not how it is laid out.
fn is_place(kind: &str) -> bool {
    matches!(kind, "MainMemory" | "Tcm")
}

#[cfg(test)]
mod tests {
    use crate::commands::{RuleSet, Settings};
    use crate::{dialect, passes};
    use skriptnd_mlir::Registry;
    use skriptnd_mlir::ir::{capture, parse_module};

    const RULES: &str = "BEGIN_PKG_OP_DEFINITION(Own)\n\
        DEF_PACKAGE_OP(slow<Tensor>, \"A\")\n\
        DEF_PACKAGE_OP_AND_COST_AND_FLAGS(fast<T>, \"A\", \"FAST\", Flags::RESOURCE_HVX, IS_CONST)\n\
        DEF_TENSOR_PROPERTIES(Op(\"A\", \"x\", \"y\"), Flat(\"*\", \"x\"), Tcm(\"x\"), MainMemory(\"...\"))\n\
        DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"B\", \"x\"), OK, Op(\"A\", \"x\", \"x\"))\n";

    #[test]
    fn ops_show_what_is_registered_of_them() {
        let settings = Settings::default();
        let set = RuleSet::parse("test.htp", RULES, &settings);
        assert!(set.found.is_empty(), "{}", set.messages());
        let mut registry = Registry::new();
        registry.add_dialect(dialect::dialect()).unwrap();
        let context = registry.context();
        let text = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n\
                    %0 = htp.Own.B(%x) : (tensor<4xf32>) -> tensor<4xf32>\n\
                    %1 = htp.Own.A(%0) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %1 : tensor<4xf32>\n}\n";
        let mut module = parse_module(&context, text, "graph.mlir").unwrap();
        let (applied, warnings) =
            capture(&context, || passes::apply(&mut module.root(), &set, &settings, passes::Told::default()));
        applied.unwrap();
        let text = module.as_operation().to_string();
        for expected in [
            "costs = [\"FAST\", \"GLACIAL\"]",
            "flags = [\"IS_CONST\", \"RESOURCE_HVX\"]",
            "tensors = [\"result: Flat, MainMemory\", \"x: Flat, Tcm\", \"y: MainMemory\"]",
        ] {
            assert!(text.contains(expected), "{text}");
        }
        assert!(format!("{warnings:?}").contains("'htp.Own.A' has another number of operands (1) than"));
    }
}
