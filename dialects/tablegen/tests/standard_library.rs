//! The operators that `td/skriptnd` declares are those that the language's standard library defines.

use std::{collections::BTreeMap, path::Path};

use skriptnd_language::library::Library;
use skriptnd_syntax::ast::{Operator, OperatorKind, Param, TypeExpr, TypeName};
use skriptnd_tablegen::{
    Records,
    ods::{Arity, Attribute, AttributeKind, Model, Operand, Operation},
    tool::search_path,
};

fn declared() -> BTreeMap<String, Operation> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../td/skriptnd/SkriptND.td");
    let records = Records::from_file(&file, &search_path(&file, &[])).unwrap();
    let operations = Model::read(&records).unwrap().of_dialect("skriptnd").operations;
    operations
        .into_iter()
        .filter(|operation| operation.mnemonic.contains('.'))
        .map(|operation| (operation.mnemonic.clone(), operation))
        .collect()
}

fn defined() -> BTreeMap<String, Operator> {
    let library = Library::standard();
    let operators = |(path, module): (&String, &std::sync::Arc<skriptnd_syntax::ast::Module>)| {
        let path = path.clone();
        let operators: Vec<Operator> = module.operators.iter().cloned().collect();
        operators.into_iter().map(move |operator| (format!("{path}.{}", operator.name.text), operator))
    };
    library.modules.iter().flat_map(operators).filter(|(_, operator)| operator.kind == OperatorKind::Operator).collect()
}

#[test]
fn the_same_operators() {
    let (declared, defined) = (declared(), defined());
    let names = |names: Vec<&String>| names.into_iter().cloned().collect::<Vec<_>>();
    assert_eq!(names(declared.keys().collect()), names(defined.keys().collect()));
    assert!(declared.len() > 130, "only {} operators", declared.len());
}

#[test]
fn the_same_inputs_and_outputs() {
    let declared = declared();
    for (name, operator) in defined() {
        let operation = &declared[&name];
        let operands: Vec<_> = operation.operands.iter().map(shown_operand).collect();
        assert_eq!(
            operands,
            operator.inputs.iter().map(|param| shown_tensor(param, &operator)).collect::<Vec<_>>(),
            "inputs of {name}"
        );
        let results: Vec<_> = operation.results.iter().map(shown_operand).collect();
        assert_eq!(
            results,
            operator.outputs.iter().map(|param| shown_tensor(param, &operator)).collect::<Vec<_>>(),
            "outputs of {name}"
        );
    }
}

#[test]
fn the_same_attributes() {
    let declared = declared();
    for (name, operator) in defined() {
        let operation = &declared[&name];
        let is_generic =
            |attribute: &&Attribute| !operator.dtypes.iter().any(|dtype| dtype.name.text.as_ref() == attribute.name);
        let found: Vec<_> = operation.attributes.iter().filter(is_generic).map(shown_attribute).collect();
        let expected: Vec<_> = operator.attributes.iter().map(shown_param).collect();
        assert_eq!(found, expected, "attributes of {name}");
    }
}

#[test]
fn generic_types_that_no_operand_determines_are_attributes() {
    let declared = declared();
    for (name, operator) in defined() {
        for dtype in &operator.dtypes {
            let determined = operator.inputs.iter().any(|param| generic(param) == Some(&*dtype.name.text));
            let attribute = declared[&name].attributes.iter().find(|attribute| attribute.name == *dtype.name.text);
            assert_eq!(
                attribute.map(|attribute| attribute.kind),
                (!determined).then_some(AttributeKind::Type),
                "{name}: {}",
                dtype.name.text
            );
        }
    }
}

#[test]
fn segments_are_declared_where_groups_need_them() {
    for (name, operation) in declared() {
        let open = |values: &[Operand]| values.iter().any(|value| value.arity != Arity::One);
        assert_eq!(operation.has_trait("AttrSizedOperandSegments"), open(&operation.operands), "operands of {name}");
        assert_eq!(operation.has_trait("AttrSizedResultSegments"), open(&operation.results), "results of {name}");
    }
}

#[test]
fn commutative_operators_have_nothing_that_tells_their_operands_apart() {
    for (name, operation) in declared() {
        let aligned = operation.attributes.iter().any(|attribute| attribute.name.ends_with("align"));
        assert!(!(operation.has_trait("IsCommutative") && aligned), "{name}");
        // Upstream's folder of these traits looks at no attribute.
        let folded = operation.has_trait("IsIdempotent") || operation.has_trait("IsInvolution");
        assert!(!folded || operation.attributes.is_empty(), "{name}");
    }
}

/// Name, element types and arity.
fn shown_operand(operand: &Operand) -> (String, String, Arity) {
    let summary = operand.constraint.summary.trim_start_matches("variadic of ");
    (operand.name.clone(), summary.split(' ').next().unwrap_or_default().to_string(), operand.arity)
}

fn shown_tensor(param: &Param, operator: &Operator) -> (String, String, Arity) {
    let arity = match (&param.spec.pack, param.spec.optional) {
        (Some(_), _) => Arity::Variadic,
        (None, true) => Arity::Optional,
        (None, false) => Arity::One,
    };
    let base = match &param.spec.base {
        TypeExpr::Concrete(name, _) => *name,
        TypeExpr::Generic(name) => operator.dtypes.iter().find(|dtype| dtype.name.text == name.text).unwrap().bound,
    };
    (param.name.text.to_string(), keyword(base).to_string(), arity)
}

fn keyword(name: TypeName) -> &'static str {
    match name {
        TypeName::Type => "any",
        TypeName::Arith => "arith",
        TypeName::Num => "num",
        TypeName::Int => "int",
        TypeName::Real => "real",
        TypeName::Bool => "bool",
        TypeName::Str => "str",
    }
}

fn generic(param: &Param) -> Option<&str> {
    match &param.spec.base {
        TypeExpr::Generic(name) => Some(&name.text),
        TypeExpr::Concrete(..) => None,
    }
}

/// Name, kind, and whether it may be absent.
fn shown_attribute(attribute: &Attribute) -> (String, AttributeKind, bool) {
    (attribute.name.clone(), attribute.kind, attribute.optional || attribute.default.is_some())
}

fn shown_param(param: &Param) -> (String, AttributeKind, bool) {
    let pack = param.spec.pack.is_some();
    let kind = match &param.spec.base {
        TypeExpr::Concrete(TypeName::Int, _) if pack => AttributeKind::Integers(64),
        TypeExpr::Concrete(TypeName::Real, _) if pack => AttributeKind::Floats(64),
        TypeExpr::Concrete(_, _) if pack => AttributeKind::Array,
        TypeExpr::Concrete(TypeName::Int, _) => AttributeKind::Integer,
        TypeExpr::Concrete(TypeName::Real, _) => AttributeKind::Float,
        TypeExpr::Concrete(TypeName::Bool, _) => AttributeKind::Bool,
        TypeExpr::Concrete(TypeName::Str, _) => AttributeKind::String,
        _ => AttributeKind::Other,
    };
    (param.name.text.to_string(), kind, param.spec.optional || param.value.is_some())
}
