//! What records say of an operation's meaning is computed by the interpreter.

use skriptnd_compiler::reference::Interpreter;
use skriptnd_language::compose::value::Value;
use skriptnd_ods::{Evaluator, Formula};
use skriptnd_runtime::{Tensor, TensorData};
use skriptnd_tablegen::{Records, ods::Model, search_path};
use std::path::Path;

/// Computes the reference of the only operation that the record's body declares.
fn evaluate(body: &str, operands: &[&[f32]], attributes: Vec<(String, Value)>) -> Result<Vec<Tensor>, String> {
    let text = format!(
        "include \"mlir/IR/OpBase.td\" def T : Dialect {{ let name = \"t\"; }} def A : Op<T, \"add\"> {{ {body} }}"
    );
    let records = Records::from_text(&text, "test.td", &search_path(Path::new("test.td"), &[])).unwrap();
    let model = Model::read(&records).map_err(|error| error.to_string())?;
    let reference = model.operations[0].reference.as_ref().unwrap();
    let formula = Formula { operator: &reference.operator, text: &reference.module() };
    let tensor = |values: &&[f32]| Tensor { shape: vec![values.len()], data: TensorData::F32(values.to_vec()) };
    Interpreter::default().evaluate(formula, operands.iter().map(tensor).collect(), attributes)
}

const DECLARED: &str =
    "let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs); let results = (outs AnyTensor:$result); code reference = ";

fn sum(reference: &str) -> Result<Vec<Tensor>, String> {
    evaluate(&format!("{DECLARED} [{{ {reference} }}];"), &[&[1.0, 2.0], &[10.0, 20.0]], Vec::new())
}

#[test]
fn a_formula_a_body_and_a_whole_operator_mean_the_same() {
    let body = "@input { lhs: real[n]; rhs: real[n]; } @output { result: real[n]; } \
                @lower { result[i,] = lhs[i,] + rhs[i,], i < n; }";
    for reference in [
        "result[i..] = lhs[i..] + rhs[i..], i < s;".to_string(),
        body.to_string(),
        format!("operator add {{ {body} }}"),
        format!("import math; operator other {{ {body} }} operator add {{ {} }}", {
            "@input { lhs: real[n]; rhs: real[n]; } @output { result: real[n]; } \
             @compose { result = math.add(lhs, rhs); }"
        }),
    ] {
        let results = sum(&reference).unwrap_or_else(|fault| panic!("{reference}: {fault}"));
        assert_eq!(results[0].data, TensorData::F32(vec![11.0, 22.0]), "{reference}");
    }
}

#[test]
fn attributes_are_those_of_the_record() {
    let body = "let arguments = (ins AnyTensor:$x, F32Attr:$factor); let results = (outs AnyTensor:$y); \
                code reference = [{ y[i..] = T(factor) * x[i..], i < s; }];";
    let results = evaluate(body, &[&[1.0, 2.0]], vec![("factor".into(), Value::Real(3.0))]).unwrap();
    assert_eq!(results[0].data, TensorData::F32(vec![3.0, 6.0]));
}

#[test]
fn what_cannot_be_computed_is_said() {
    for (reference, expected) in [
        ("result[i..] = lhs[i..] + nope[i..], i < s;", "nope"),
        ("auto ivs = makeBindables(lhsShape.size());", "error"),
        ("operator x { } operator y { }", "none of which is 'add'"),
    ] {
        let fault = sum(reference).unwrap_err();
        assert!(fault.contains(expected), "{fault}");
    }
}
