//! What the functions are for that all patterns share: readers of the PDL do not know them.

use super::natives::{Native, NativeKind};

/// The functions of `skriptnd_ods::natives`, with what they are given.
const SHARED: [(&str, &str); 21] = [
    ("drr.absent", "(operation, name): the operation has no such attribute"),
    ("drr.attribute", "(operation, name, pattern): an attribute that is there"),
    ("drr.copy", "(from, name, to, name): an attribute, if it is there, becomes one of another operation"),
    ("drr.default", "(operation, name, default): an attribute, or what stands for an absent one"),
    ("drr.defined", "(value, name, index): such a result of an operation of this name defines the value"),
    ("drr.empty", "(values): there are none"),
    ("drr.equal", "(operation, groups, index, ...): a part is a value, or a part of another operation"),
    ("drr.grouped", "(operation, groups, sizes): which operands are groups (1), of how many values (-1: any number)"),
    ("drr.inner", "(operation, groups, index, pattern): an operand, by group and place within it"),
    ("drr.is", "(left, right): they are the same"),
    ("drr.locate", "(operation, ...): gives an operation a place: a name, or that of values and operations"),
    ("drr.operand", "(operation, groups, index): an operand, by group and place within it"),
    ("drr.operands", "(operation, groups, index): a group of operands"),
    ("drr.other", "(value, index, pattern): another result of the operation that defines a value"),
    ("drr.owner", "(value): the operation that defines it"),
    ("drr.result", "(operation, groups, index): a result, by group and place within it"),
    ("drr.result_types", "(operation, groups, index): the types of a group of results"),
    ("drr.results", "(operation, groups, index): a group of results"),
    ("drr.same", "(operation, name, ..., default): an attribute is another one; absent ones are the default"),
    ("drr.segments", "(sizes, values...): the sizes of groups, where -1 stands for the next values"),
    ("drr.type_of", "(value or attribute): its type"),
];

/// Lines about those of the functions that patterns call.
pub fn lines(natives: &[Native]) -> Vec<String> {
    let called = |name: &str| {
        natives.iter().any(|native| native.name == name && matches!(native.kind, NativeKind::Library { .. }))
    };
    let shared = SHARED.into_iter().filter(|(name, _)| called(name));
    shared.map(|(name, text)| format!("// {name}{text}")).collect()
}

#[cfg(test)]
mod tests {
    use super::SHARED;

    #[test]
    fn every_shared_function_is_explained() {
        let natives = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../ods/src/natives.rs");
        let text = std::fs::read_to_string(natives).unwrap();
        let declared = text.split("(\"drr.").skip(1).filter_map(|rest| rest.split('"').next());
        let mut declared: Vec<_> = declared.map(|name| format!("drr.{name}")).collect();
        declared.sort();
        declared.dedup();
        assert_eq!(SHARED.map(|(name, _)| name.to_string()).to_vec(), declared);
    }
}
