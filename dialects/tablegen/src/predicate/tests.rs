use super::*;
use crate::records::Records;

/// Translates the predicate of the definition `name` in `text`.
fn rust_of(text: &str, name: &str, kind: Kind) -> std::result::Result<String, String> {
    let directories = [crate::paths::llvm_prefix().join("include")];
    let records = Records::from_text(text, "test.td", &directories).unwrap();
    let record = records.definitions().into_iter().find(|record| records::name(*record) == name).unwrap();
    Predicate::read(&records, record.def_value("predicate").unwrap(), record)
        .unwrap()
        .to_rust(&Scope::of_self("this", kind))
}

#[test]
fn every_constraint_of_upstream_that_this_project_can_use_is_translated() {
    let text = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/CommonAttrConstraints.td\"";
    let directories = [crate::paths::llvm_prefix().join("include")];
    let records = Records::from_text(text, "test.td", &directories).unwrap();
    let mut unknown = Vec::new();
    for record in records.definitions() {
        let kind = match record {
            _ if record.subclass_of("TypeConstraint") => Kind::Type,
            _ if record.subclass_of("AttrConstraint") => Kind::Attribute("Attribute"),
            _ => continue,
        };
        let Ok(predicate) = record.def_value("predicate") else { continue };
        let predicate = Predicate::read(&records, predicate, predicate).unwrap();
        if let Err(message) = predicate.to_rust(&Scope::of_self("this", kind)) {
            unknown.push(format!("{}: {message}", records::name(record)));
        }
    }
    unknown.retain(|line| !line.starts_with("Const"));
    // Neither has a counterpart in this project: strided layouts, graph types and sets.
    let left: Vec<_> = unknown.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(left, ["GraphType", "AnyStridedMemRef", "StringElementsAttr", "IntegerSetAttr"]);
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
fn casts_as_conditions_ask_for_the_class() {
    let text = format!(
        "{INCLUDE}def X : Type<CPred<\"dyn_cast<VectorType>($_self) && cast<VectorType>($_self).getRank() == 2\">, \"x\">;"
    );
    assert_eq!(
        rust_of(&text, "X", Kind::Type).unwrap(),
        "((predicate::is_vector_type(this)) && (predicate::get_rank(this) == 2))"
    );
    let text = format!("{INCLUDE}def X : AttrConstraint<CPred<\"$_self && isa<StringAttr>($_self)\">, \"x\">;");
    assert_eq!(rust_of(&text, "X", Kind::Attribute("Attribute")).unwrap(), "(predicate::is_string_attr(this))");
}

#[test]
fn choices_and_comparisons_are_translated() {
    let text = format!(
        "{INCLUDE}def X : Type<CPred<\"std::equal_to<>()(isa<TensorType>($_self) ? cast<TensorType>($_self).getShape() \"
         \": ::llvm::ArrayRef<int64_t>{{1, 2}}, ::llvm::ArrayRef<int64_t>({{8}}))\">, \"x\">;"
    );
    assert_eq!(
        rust_of(&text, "X", Kind::Type).unwrap(),
        "((if (predicate::is_tensor_type(this)) { predicate::get_shape(this) } else { vec![1, 2] }) == vec![8])"
    );
}

#[test]
fn classes_that_are_declared_are_known_by_their_names() {
    let text = format!(
        "{INCLUDE}include \"mlir/IR/EnumAttr.td\"
         def T : Dialect {{ let name = \"t\"; let cppNamespace = \"::mine::t\"; }}
         def Token : TypeDef<T, \"Token\"> {{ let mnemonic = \"token\"; }}
         def One : I32EnumAttrCase<\"One\", 1>;
         def Level : I32EnumAttr<\"Level\", \"l\", [One]> {{ let cppNamespace = \"::mine::t\"; }}
         def X : Type<CPred<\"isa<t::TokenType>($_self)\">, \"x\">;"
    );
    let token = "(predicate::is_type(this, \"t.token\"))";
    assert_eq!(rust_of(&text, "Token", Kind::Type).unwrap(), token);
    assert_eq!(rust_of(&text, "X", Kind::Type).unwrap(), token);
    let level = rust_of(&text, "Level", Kind::Attribute("Attribute")).unwrap();
    assert!(level.contains("predicate::integer(this) == 1"), "{level}");
}

#[test]
fn a_file_says_what_names_are() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("names");
    std::fs::write(&file, "# mine\nclass ::my::Foo = crate::is_foo\nfunction my::nice = crate::nice # so\nmethod depth = crate::depth -> integer\n").unwrap();
    let text = format!(
        "{INCLUDE}def X : Type<CPred<\"isa<my::Foo>($_self) && nice($_self, 3) && $_self.depth() > 1\">, \"x\">;"
    );
    let directories = [crate::paths::llvm_prefix().join("include")];
    let records = Records::from_text(&text, "test.td", &directories).unwrap().with_predicates(&file).unwrap();
    let record = records.definitions().into_iter().find(|record| records::name(*record) == "X").unwrap();
    let predicate = Predicate::read(&records, record.def_value("predicate").unwrap(), record).unwrap();
    let rust = predicate.to_rust(&Scope::of_self("this", Kind::Type)).unwrap();
    assert_eq!(rust, "(((crate::is_foo(this)) && crate::nice(this, 3)) && (crate::depth(this) > 1))");
    std::fs::write(&file, "\n  clas X = y\nclass X = a b\nfunction f = g -> thing\n").unwrap();
    let error = Records::from_text(&text, "test.td", &directories).unwrap().with_predicates(&file).err().unwrap();
    assert_eq!(error.diagnostics().len(), 3, "{error}");
    assert!(error.to_string().contains("names:2:3: error: 'clas X = y' is no rule\n  clas X = y\n  ^"), "{error}");
}

#[test]
fn unknown_functions_are_named() {
    let text = format!("{INCLUDE}def X : Type<CPred<\"isPretty($_self, 3)\">, \"pretty\">;");
    assert_eq!(rust_of(&text, "X", Kind::Type).unwrap_err(), "unknown function 'isPretty' with 2 arguments");
}

#[test]
fn rust_leaves_take_part_in_combinations() {
    let text = "include \"rust/OpBase.td\"
         def Nice : Type<And<[RustPred<\"nice($_self)\">, Neg<CPred<\"$_self.isIndex()\">>]>, \"nice\">;
         def X : TensorOf<[Nice]>;";
    let rust = rust_of(text, "X", Kind::Type).unwrap();
    assert!(rust.contains("(nice(element_type)) && !predicate::is_index(element_type)"), "{rust}");
}

#[test]
fn deep_nesting_is_refused() {
    let text = format!("{INCLUDE}def X : Type<CPred<\"{}true{}\">, \"deep\">;", "(".repeat(9000), ")".repeat(9000));
    assert!(rust_of(&text, "X", Kind::Type).unwrap_err().contains("nested more than"));
}

#[test]
fn casts_as_methods_are_translated() {
    let text = "include \"mlir/IR/OpBase.td\"
        def P : AttrConstraint<And<[CPred<\"$_self.isa<IntegerAttr>()\">,
          CPred<\"$_self.cast<IntegerAttr>().getType().isInteger(32)\">]>, \"p\">;";
    let rust = rust_of(text, "P", Kind::Attribute("Attribute")).unwrap();
    assert!(rust.contains("predicate::is_integer_attr(this)"), "{rust}");
    assert!(rust.contains("predicate::is_integer(predicate::type_of_attribute(this), Some(32))"), "{rust}");
}
