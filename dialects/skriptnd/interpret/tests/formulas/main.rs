//! Random formulas: what both engines of the interpreter compute from their text must be what loops over all index symbols
//! compute that know nothing of composition.

mod generate;
mod naive;
mod program;

use generate::Random;
use program::{Program, Type, Value};
use skriptnd_interpret::{Engine, Limits, Variables};
use skriptnd_language::compose::graph::{self, Argument};
use skriptnd_language::compose::{ComposeOptions, Definitions, compose};
use skriptnd_language::library::Library;
use skriptnd_runtime::{Tensor, TensorData};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::{Diagnostics, render};

/// Programs per run of the test; `SKRIPTND_FORMULAS` gives another number.
const PROGRAMS: u64 = 500;

struct Text(String);

impl FileProvider for Text {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_owned(), self.0.clone())))
    }
}

struct NoVariables;

impl Variables for NoVariables {
    fn read(&self, file: &str, _: &graph::Tensor) -> Result<Tensor, String> {
        Err(format!("no variable {file}"))
    }
}

#[test]
fn random_formulas_compute_what_plain_loops_compute() {
    let count = std::env::var("SKRIPTND_FORMULAS").ok().and_then(|count| count.parse().ok()).unwrap_or(PROGRAMS);
    let mut valued = 0;
    for seed in 0..count {
        let program = generate::program(&mut Random(seed));
        let expected = naive::run(&program);
        let text = program.text();
        let [found, others] = [Engine::Naive, Engine::Rows].map(|engine| interpreted(&program, text.clone(), engine));
        assert_eq!(found.is_ok(), others.is_ok(), "seed {seed}\n{text}\nnaively {found:?}\nin rows {others:?}");
        if let (Ok(found), Ok(others)) = (&found, &others) {
            assert_eq!(found, others, "seed {seed}\n{text}");
        }
        match (&expected, &found) {
            (Ok(expected), Ok(found)) => {
                valued += 1;
                assert!(agree(expected, found), "seed {seed}\n{text}\nexpected {expected:?}\nfound {found:?}");
            }
            (Err(_), Err(message)) => assert!(is_fault(message), "seed {seed}\n{text}\n{message}"),
            (_, Err(message)) => panic!("seed {seed}\n{text}\nexpected {expected:?}\nfound {message}"),
            (Err(_), Ok(found)) => panic!("seed {seed}\n{text}\nexpected an error, found {found:?}"),
        }
    }
    assert!(valued * 2 > count, "most programs should have values: {valued} of {count} have");
}

/// Whether the message says that something has no value.
fn is_fault(message: &str) -> bool {
    message.contains("outside of") || message.contains("division by zero")
}

/// The elements of the output's tensors, or what is wrong.
fn interpreted(program: &Program, text: String, engine: Engine) -> Result<Vec<Tensor>, String> {
    let (library, loaded) = Library::load(&Text(text));
    let definitions = Definitions::from(library);
    let report = |found: &Diagnostics| -> String {
        found.iter().map(|diagnostic| render(diagnostic, &definitions.sources) + "\n").collect()
    };
    if loaded.has_errors() {
        return Err(report(&loaded));
    }
    let checked = skriptnd_language::sema::check(&definitions).diagnostics;
    if checked.has_errors() {
        return Err(report(&checked));
    }
    let (graph, composed) = compose(&definitions, &ComposeOptions::default());
    let graph = graph.filter(|_| !composed.has_errors()).ok_or_else(|| report(&composed))?;
    let inputs = program.tensors[..program.tensors.len() - 1].iter().map(|tensor| {
        let mut items: Vec<Tensor> = tensor.items.iter().map(|item| native(tensor.ty, &tensor.shape, item)).collect();
        Some(if tensor.packed { Argument::Pack(items) } else { Argument::Single(items.remove(0)) })
    });
    let outcome =
        skriptnd_interpret::run_with(engine, &definitions, &graph, inputs.collect(), &NoVariables, &Limits::default());
    let outcome = outcome.map_err(|found| report(&found))?;
    Ok(outcome.outputs.iter().flat_map(|(_, output)| output.items()).map(|tensor| (**tensor).clone()).collect())
}

fn native(ty: Type, shape: &[usize], items: &[Value]) -> Tensor {
    let number = |value: &Value| match value {
        Value::Real(value) => *value,
        Value::Int(value) => *value as f64,
        Value::Bool(value) => f64::from(u8::from(*value)),
    };
    let data = match ty {
        Type::Real => TensorData::F32(items.iter().map(|item| number(item) as f32).collect()),
        Type::Int => TensorData::I64(items.iter().map(|item| number(item) as i64).collect()),
        Type::Bool => TensorData::Bool(items.iter().map(|item| number(item) != 0.0).collect()),
    };
    Tensor { shape: shape.to_vec(), data }
}

fn agree(expected: &[Vec<Value>], found: &[Tensor]) -> bool {
    expected.len() == found.len()
        && expected.iter().zip(found).all(|(expected, found)| match &found.data {
            TensorData::F32(items) => equal(expected, items, |item| Value::Real(f64::from(item))),
            TensorData::I64(items) => equal(expected, items, Value::Int),
            TensorData::Bool(items) => equal(expected, items, Value::Bool),
        })
}

fn equal<T: Copy>(expected: &[Value], found: &[T], value: impl Fn(T) -> Value) -> bool {
    let close = |a: &Value, b: Value| match (*a, b) {
        (Value::Real(a), Value::Real(b)) => (a - b).abs() <= 1e-5 * a.abs().max(1.0),
        (a, b) => a == b,
    };
    expected.len() == found.len() && expected.iter().zip(found).all(|(a, b)| close(a, value(*b)))
}
