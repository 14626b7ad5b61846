use super::*;
use crate::records::Records;

/// Translates the predicate of the definition `name` in `text`.
fn rust_of(text: &str, name: &str, kind: Kind) -> std::result::Result<String, String> {
    let directories = [std::path::PathBuf::from("/usr/lib/llvm-22/include")];
    let records = Records::from_text(text, "test.td", &directories).unwrap();
    let record = records.definitions().into_iter().find(|record| records::name(*record) == name).unwrap();
    Predicate::read(&records, record.def_value("predicate").unwrap()).unwrap().to_rust(&Scope::of_self("this", kind))
}

#[test]
fn every_constraint_of_upstream_that_this_project_can_use_is_translated() {
    let text = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/CommonAttrConstraints.td\"";
    let directories = [std::path::PathBuf::from("/usr/lib/llvm-22/include")];
    let records = Records::from_text(text, "test.td", &directories).unwrap();
    let mut unknown = Vec::new();
    for record in records.definitions() {
        let kind = match record {
            _ if record.subclass_of("TypeConstraint") => Kind::Type,
            _ if record.subclass_of("AttrConstraint") => Kind::Attribute("Attribute"),
            _ => continue,
        };
        let Ok(predicate) = record.def_value("predicate") else { continue };
        let predicate = Predicate::read(&records, predicate).unwrap();
        if let Err(message) = predicate.to_rust(&Scope::of_self("this", kind)) {
            unknown.push(format!("{}: {message}", records::name(record)));
        }
    }
    unknown.retain(|line| !line.starts_with("Const"));
    // Neither has a counterpart in this project: strided layouts, graph types, sets and null attributes.
    let left: Vec<_> = unknown.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(left, ["GraphType", "AnyStridedMemRef", "StringElementsAttr", "IntegerSetAttr", "IsNullAttr"]);
}

const INCLUDE: &str = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/CommonAttrConstraints.td\"\n";

#[test]
fn element_types_of_containers_are_looked_into() {
    let text = format!("{INCLUDE}def X : TensorOf<[F32, I64]>;");
    assert_eq!(
        rust_of(&text, "X", Kind::Type).unwrap(),
        "(((predicate::is_tensor_type(this)))) && { let element_type = predicate::element_type(this); \
         (predicate::is_float(element_type, 32) || predicate::is_signless_integer(element_type, Some(64))) })"
            .replacen("(((", "((", 1)
            .replacen("))))", "))", 1)
    );
}

#[test]
fn unknown_functions_are_named() {
    let text = format!("{INCLUDE}def X : Type<CPred<\"isPretty($_self, 3)\">, \"pretty\">;");
    assert_eq!(rust_of(&text, "X", Kind::Type).unwrap_err(), "unknown function 'isPretty' with 2 arguments");
}

#[test]
fn rust_leaves_take_part_in_combinations() {
    let text = format!(
        "{INCLUDE}class RustPred<string expression> : Pred {{ string rust = expression; }}
         def Nice : Type<And<[RustPred<\"nice($_self)\">, Neg<CPred<\"$_self.isIndex()\">>]>, \"nice\">;
         def X : TensorOf<[Nice]>;"
    );
    let rust = rust_of(&text, "X", Kind::Type).unwrap();
    assert!(rust.contains("(nice(element_type)) && !predicate::is_index(element_type)"), "{rust}");
}

#[test]
fn deep_nesting_is_refused() {
    let text = format!("{INCLUDE}def X : Type<CPred<\"{}true{}\">, \"deep\">;", "(".repeat(9000), ")".repeat(9000));
    assert!(rust_of(&text, "X", Kind::Type).unwrap_err().contains("nested more than"));
}
