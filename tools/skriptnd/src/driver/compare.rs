//! `skriptnd compare`

use super::output::{print_json, print_line};
use super::run::{self, Backend, execute, is_artifact};
use crate::failure::{Failure, print_message};
use clap::Args;
use serde_json::json;
use skriptnd_runtime::{Tensor, TensorData};

// Named, because clap names groups of options after their types, and the flattened one is called `Options` too.
#[derive(Debug, Args)]
#[group(id = "compare")]
pub struct Options {
    #[command(flatten)]
    pub run: run::Options,
    /// The largest difference that is allowed, relative to the largest element that is expected
    #[arg(long, value_name = "RATIO", default_value_t = 1e-4)]
    tolerance: f64,
}

/// Behind the options in the help.
pub const EXAMPLES: &str = "\
Ends with exit code 1 if an output departs from what the interpreter computes.

Examples:
  skriptnd compare model --input image.npy
  skriptnd compare model --random-inputs 1 --random-variables 2 --backend hexagon --tolerance 1e-5";

/// An output and how far it is from what the interpreter computes.
struct Difference {
    name: String,
    ratio: f64,
}

/// Runs the model on a backend and in the interpreter, and names the outputs that differ.
pub fn run(options: &Options) -> Result<(), Failure> {
    if options.run.backend == Backend::Interpret {
        return Err(Failure::usage("the interpreter is what backends are compared with; give another --backend"));
    }
    if is_artifact(&options.run.model) {
        return Err(Failure::usage("a compiled model has no formulas to compare it with; give the model itself"));
    }
    if let Some(option) = options.run.first_about_results() {
        return Err(Failure::usage(format!("{option}: `compare` keeps no results; `skriptnd run` does")));
    }
    options.run.threads.warn();
    let computed = execute(&options.run)?;
    let mut oracle = options.run.clone();
    oracle.backend = Backend::Interpret;
    let expected = execute(&oracle)?;
    let mut differences = Vec::new();
    for ((name, computed), (_, expected)) in computed.outputs.iter().zip(&expected.outputs) {
        let items = computed.items().iter().zip(expected.items());
        let ratio = items.map(|(computed, expected)| ratio(computed, expected)).fold(0.0, f64::max);
        differences.push(Difference { name: name.clone(), ratio });
    }
    let agrees = |difference: &Difference| difference.ratio <= options.tolerance;
    if options.run.json {
        let outputs = differences.iter().map(|d| json!({ "name": d.name, "difference": d.ratio, "agrees": agrees(d) }));
        print_json(&json!({ "outputs": outputs.collect::<Vec<_>>() }));
    } else {
        for difference in &differences {
            let verdict = if agrees(difference) { "agrees" } else { "DIFFERS" };
            print_line(format!("{} {verdict}: {:.1e}", difference.name, difference.ratio));
        }
    }
    match differences.iter().find(|difference| !agrees(difference)) {
        Some(first) => {
            print_message(format_args!("skriptnd: error: output `{}` departs from the interpreter's\n", first.name));
            Err(Failure::Reported)
        }
        None => Ok(()),
    }
}

/// The largest difference relative to the largest expected element; infinite where shapes, types or the places of NaN
/// are not the same.
fn ratio(computed: &Tensor, expected: &Tensor) -> f64 {
    if computed.shape != expected.shape {
        return f64::INFINITY;
    }
    match (&computed.data, &expected.data) {
        (TensorData::F32(computed), TensorData::F32(expected)) => {
            let largest =
                expected.iter().filter(|x| x.is_finite()).fold(f64::MIN_POSITIVE, |m, &x| m.max(x.abs().into()));
            computed.iter().zip(expected).map(|(&a, &b)| difference(a.into(), b.into()) / largest).fold(0.0, f64::max)
        }
        (computed, expected) if computed == expected => 0.0,
        _ => f64::INFINITY,
    }
}

fn difference(computed: f64, expected: f64) -> f64 {
    match computed == expected || (computed.is_nan() && expected.is_nan()) {
        true => 0.0,
        false if computed.is_finite() && expected.is_finite() => (computed - expected).abs(),
        false => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reals(values: &[f32]) -> Tensor {
        Tensor { shape: vec![values.len()], data: TensorData::F32(values.to_vec()) }
    }

    #[test]
    fn differences_are_relative_to_the_largest_element() {
        assert_eq!(ratio(&reals(&[1.0, 100.0]), &reals(&[2.0, 100.0])), 0.01);
        assert_eq!(ratio(&reals(&[f32::NAN, 1.0]), &reals(&[f32::NAN, 1.0])), 0.0);
    }

    #[test]
    fn what_cannot_be_compared_differs() {
        assert_eq!(ratio(&reals(&[f32::NAN]), &reals(&[1.0])), f64::INFINITY);
        assert_eq!(ratio(&reals(&[1.0, 2.0]), &reals(&[1.0])), f64::INFINITY);
        let whole = Tensor { shape: vec![1], data: TensorData::I64(vec![1]) };
        assert_eq!(ratio(&reals(&[1.0]), &whole), f64::INFINITY);
    }
}
