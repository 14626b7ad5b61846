//! Models as text, run; results worked out by hand.

use super::*;
use skriptnd_language::compose::{ComposeOptions, compose};
use skriptnd_language::library::Library;
use skriptnd_runtime::TensorData;
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::render;
use std::time::Duration;

struct Text(&'static str);

impl FileProvider for Text {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_string(), self.0.to_string())))
    }
}

/// Variables by file name.
struct Values(Vec<(&'static str, Tensor)>);

impl Variables for Values {
    fn read(&self, file: &str, _declared: &graph::Tensor) -> Result<Tensor, String> {
        let found = self.0.iter().find(|(name, _)| *name == file);
        found.map(|(_, tensor)| tensor.clone()).ok_or_else(|| format!("there is no file {file}.dat"))
    }
}

fn run_with(
    text: &'static str,
    inputs: Vec<Option<Argument<Tensor>>>,
    variables: Vec<(&'static str, Tensor)>,
    time: Option<Duration>,
) -> Result<Outcome, String> {
    let (library, found) = Library::load(&Text(text));
    let definitions = Definitions::from(library);
    let shown = |found: &Diagnostics| found.iter().map(|d| render(d, &definitions.sources)).collect::<String>();
    assert!(!found.has_errors(), "{}", shown(&found));
    let (graph, found) = compose(&definitions, &ComposeOptions::default());
    assert!(!found.has_errors(), "{}", shown(&found));
    run(&definitions, &graph.unwrap(), inputs, &Values(variables), &Limits { time, memory: Some(1 << 20), seed: None })
        .map_err(|found| shown(&found))
}

fn run_text(text: &'static str, inputs: &[Tensor]) -> Result<Vec<Tensor>, String> {
    let inputs = inputs.iter().map(|tensor| Some(Argument::Single(tensor.clone()))).collect();
    let outcome = run_with(text, inputs, vec![], None)?;
    let outputs = outcome.outputs.iter().flat_map(|(_, tensors)| tensors.items());
    Ok(outputs.map(|tensor| (**tensor).clone()).collect())
}

#[test]
fn a_run_takes_the_instances_that_composition_made() {
    let text =
        "operator double { @input { x: real[n]; } @output { y: real[n]; } @lower { y[i,] = 2.0 * x[i,], i < n; } }
        operator quadruple { @input { x: real[n]; } @output { y: real[n]; } @compose { t = double(x); y = double(t); } }
        graph G { @input { x: real[2]; } @output { y: real[2]; }
            @compose { a = double(x); b = quadruple(a); c = quadruple(b); y = double(c); } }";
    let definitions = Definitions::from(Library::load(&Text(text)).0);
    let graph = compose(&definitions, &ComposeOptions::default()).0.unwrap();
    assert_eq!(definitions.made_instances(), 2);
    let input = Some(Argument::Single(reals(&[2], &[1.0, 2.0])));
    let outcome = run(&definitions, &graph, vec![input], &Values(vec![]), &Limits::default()).unwrap();
    assert_eq!(*outcome.outputs[0].1.items()[0], reals(&[2], &[64.0, 128.0]));
    assert_eq!(definitions.made_instances(), 2);
}

fn reals(shape: &[usize], items: &[f32]) -> Tensor {
    Tensor { shape: shape.to_vec(), data: TensorData::F32(items.to_vec()) }
}

fn ints(shape: &[usize], items: &[i64]) -> Tensor {
    Tensor { shape: shape.to_vec(), data: TensorData::I64(items.to_vec()) }
}

fn assert_starts(text: &str, expected: &str) {
    assert!(text.starts_with(expected), "expected\n{expected}\nfound\n{text}");
}

const GATHER: &str = "operator take {
    @input { x: real[n]; at: int[m]; }
    @output { y: real[m]; }
    @lower { y[i,] = x[at[i,],], i < m; }
}
operator twice {
    @input { x: real[n]; at: int[m]; }
    @output { y: real[m]; }
    @compose { t = take(x, at); y = take(t, at); }
}
graph G {
    @input { x: real[3]; at: int[3]; }
    @output { y: real[3]; }
    @compose { y = twice(x, at); }
}
";

#[test]
fn compositions_run_inside() {
    let y = run_text(GATHER, &[reals(&[3], &[5.0, 6.0, 7.0]), ints(&[3], &[2, 0, 1])]).unwrap();
    assert_eq!(y, [reals(&[3], &[6.0, 7.0, 5.0])]);
}

#[test]
fn an_index_outside_is_shown_with_its_values_and_the_way_there() {
    let error = run_text(GATHER, &[reals(&[3], &[5.0, 6.0, 7.0]), ints(&[3], &[2, 3, 1])]).unwrap_err();
    assert_starts(&error, "main.sknd:4:14: error: index 3 is outside of dimension 0 of `x`, whose extent is 3\n");
    let chain: Vec<_> = error.lines().filter(|line| line.contains("invoked at")).map(str::trim).collect();
    assert_eq!(
        chain,
        ["= note: in main.take invoked at main.sknd:9:20", "= note: in main.twice invoked at main.sknd:14:20",]
    );
}

#[test]
fn inputs_that_dont_fit_are_all_named_with_both_values() {
    let error = run_text(GATHER, &[reals(&[2, 2], &[0.0; 4]), reals(&[3], &[0.0; 3])]).unwrap_err();
    let lines: Vec<_> = error.lines().filter(|line| line.starts_with("main.sknd:")).collect();
    assert_eq!(
        lines,
        [
            "main.sknd:12:26: error: input `at` must be int, but real is given",
            "main.sknd:12:14: error: input `x` must have shape [3], but [2, 2] is given",
        ]
    );
    let error = run_with(GATHER, vec![None, None], vec![], None).unwrap_err();
    assert_starts(&error, "main.sknd:12:14: error: no value is given for input `x`\n");
}

const OPEN: &str = "operator add {
    @input { x: real[n]; y: real[n]; }
    @output { z: real[n]; }
    @lower { z[i,] = x[i,] + y[i,], i < n; }
}
graph G {
    @input { x: real[s|4]; y: real[s]; }
    @output { z: real[s]; }
    @compose { z = add(x, y); }
}
";

#[test]
fn open_extents_are_taken_from_the_inputs() {
    for count in [1, 4] {
        let z = run_text(OPEN, &[reals(&[count], &vec![1.0; count]), reals(&[count], &vec![2.0; count])]).unwrap();
        assert_eq!(z, [reals(&[count], &vec![3.0; count])]);
    }
    let error = run_text(OPEN, &[reals(&[2], &[1.0; 2]), reals(&[3], &[1.0; 3])]).unwrap_err();
    assert_starts(&error, "main.sknd:7:28: error: input `y` must have shape [2], but [3] is given\n");
    let error = run_text(OPEN, &[reals(&[5], &[1.0; 5]), reals(&[5], &[1.0; 5])]).unwrap_err();
    assert!(error.contains("input `x` must have shape"), "{error}");
}

const SWAP: &str = "graph G {
    @input { x: real[]; }
    @output { y: real[]; }
    @variable { a: real[2]; b: real[2]; }
    @compose { y = x; }
    @update { a = b; b = a; }
}
";

#[test]
fn variables_change_all_at_once() {
    let input = || vec![Some(Argument::Single(Tensor::scalar(1.0f32)))];
    let (a, b) = (reals(&[2], &[1.0, 2.0]), reals(&[2], &[3.0, 4.0]));
    let outcome = run_with(SWAP, input(), vec![("main.G.a", a.clone()), ("main.G.b", b.clone())], None).unwrap();
    let values: Vec<_> = outcome.variables.iter().map(|(_, value)| (**value).clone()).collect();
    assert_eq!(values, [b.clone(), a.clone()]);
    let error = run_with(SWAP, input(), vec![("main.G.a", reals(&[3], &[0.0; 3]))], None).unwrap_err();
    let lines: Vec<_> = error.lines().filter(|line| line.starts_with("main.sknd:")).collect();
    assert_eq!(
        lines,
        [
            "main.sknd:4:17: error: variable `a` must have shape [2], but [3] is given",
            "main.sknd:4:29: error: variable `b`: there is no file main.G.b.dat",
        ]
    );
}

const LOOP: &str = "operator less {
    @input { x: real[]; y: real[]; }
    @output { z: bool[]; }
    @lower { z[] = x[] < y[]; }
}
operator double {
    @input { x: real[]; }
    @output { y: real[]; }
    @lower { y[] = x[] * 2.0; }
}
graph G {
    @input { x: real[]; limit: real[]; }
    @output { y: real[]; }
    @compose { y = with z = x while less(z, limit) do double(z); }
}
";

#[test]
fn loops_run_until_their_condition_fails() {
    let run = |x: f32, limit: f32| run_text(LOOP, &[Tensor::scalar(x), Tensor::scalar(limit)]).unwrap();
    assert_eq!(run(3.0, 20.0), [Tensor::scalar(24.0f32)]);
    assert_eq!(run(30.0, 20.0), [Tensor::scalar(30.0f32)]);
}

#[test]
fn endless_loops_end_when_the_time_is_up() {
    let inputs = [0.0f32, 1.0].map(|value| Some(Argument::Single(Tensor::scalar(value))));
    let error = run_with(LOOP, inputs.into(), vec![], Some(Duration::from_millis(50))).unwrap_err();
    assert!(error.contains("error: the time limit of the run is exceeded here"), "{error}");
}

const COUNTED: &str = "operator add {
    @input { x: int[]; y: int[]; }
    @output { z: int[]; }
    @lower { z[] = x[] + y[]; }
}
graph G {
    @input { n: int[]; }
    @output { y: int[]; }
    @compose { y = with s = 0 do..(i -> n) add(s, i); }
}
";

#[test]
fn counts_come_from_tensors() {
    assert_eq!(run_text(COUNTED, &[Tensor::scalar(5i64)]).unwrap(), [Tensor::scalar(10i64)]);
    assert_eq!(run_text(COUNTED, &[Tensor::scalar(0i64)]).unwrap(), [Tensor::scalar(0i64)]);
    let error = run_text(COUNTED, &[Tensor::scalar(-1i64)]).unwrap_err();
    assert!(error.contains("error: the iteration count is -1; it must not be negative"), "{error}");
}

#[test]
fn division_by_zero_is_an_error_at_its_formula() {
    const TEXT: &str = "operator div {
    @input { x: int[n]; y: int[n]; }
    @output { z: int[n]; }
    @lower { z[i,] = x[i,] / y[i,], i < n; }
}
graph G {
    @input { x: int[2]; y: int[2]; }
    @output { z: int[2]; }
    @compose { z = div(x, y); }
}
";
    let error = run_text(TEXT, &[ints(&[2], &[1, 2]), ints(&[2], &[1, 0])]).unwrap_err();
    assert_starts(&error, "main.sknd:4:14: error: division by zero: `2 / 0` has no value");
}

#[test]
fn values_are_dropped_after_their_last_use() {
    const TEXT: &str = "operator inc {
    @input { x: real[n]; }
    @output { y: real[n]; }
    @lower { y[i,] = x[i,] + 1.0, i < n; }
}
graph G {
    @input { x: real[1000]; }
    @output { y: real[1000]; }
    @compose { a = inc(x); b = inc(a); c = inc(b); d = inc(c); y = inc(d); }
}
";
    let input = vec![Some(Argument::Single(reals(&[1000], &[0.0; 1000])))];
    let outcome = run_with(TEXT, input, vec![], None).unwrap();
    assert_eq!(outcome.outputs[0].1.items()[0].data, TensorData::F32(vec![5.0; 1000]));
    assert_eq!(outcome.peak_bytes, 8000, "an operand and a result at a time");
}

#[test]
fn tensors_beyond_the_limit_end_the_run() {
    let large = "operator fill {
    @attrib { n: int; }
    @output { y: real[n, n]; }
    @lower { y[i, j] = 0.5, i < n, j < n; }
}
graph G {
    @output { y: real[1000, 1000]; }
    @compose { y = fill{n=1000}(); }
}
";
    let found = run_text(large, &[]).unwrap_err();
    assert_starts(
        &found,
        "main.sknd:8:20: error: the run would need 4000000 bytes for tensors; the limit is 1048576\n",
    );
    let constant = "graph G {
    @constant { c: real[1000000, 1000000] = 1.0; }
    @output { y: real[1000000, 1000000]; }
    @compose { y = c; }
}
";
    let found = run_text(constant, &[]).unwrap_err();
    assert_starts(&found, "main.sknd:2:17: error: the run would need 4000000000000 bytes for tensors;");
}
