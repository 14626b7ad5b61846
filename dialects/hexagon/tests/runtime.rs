//! The Hexagon runtime under the emulator: its functions against double precision on this machine.

use skriptnd_hexagon::emulator::{Answer, Request, run};
use skriptnd_hexagon::{Error, link, target};
use std::path::{Path, PathBuf};
use std::process::Command;

const COUNT: usize = 4096;

/// The test model, compiled and linked.
fn executable(folder: &Path) -> PathBuf {
    let object = folder.join("functions.o");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/functions.c");
    let status = Command::new("clang-22")
        .args([&format!("--target={}", target::TRIPLE), &format!("-mcpu={}", target::CPU)])
        .args(["-O2", "-ffreestanding", "-fno-builtin", "-nostdlibinc", "-c"])
        .args([source.as_os_str(), "-o".as_ref(), object.as_os_str()])
        .status()
        .unwrap();
    assert!(status.success());
    let executable = folder.join("functions");
    link::executable(&std::fs::read(object).unwrap(), &executable).unwrap();
    executable
}

fn apply(executable: &Path, function: i64, x: &[f32]) -> Result<Answer, Error> {
    let input: Vec<u8> = x.iter().flat_map(|value| value.to_le_bytes()).collect();
    let number = function.to_le_bytes();
    let request =
        Request { inputs: vec![&input], variables: vec![&number], outputs: vec![4 * COUNT], prepared: 8, workspace: 0 };
    run(executable, &request)
}

fn reals(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// `COUNT` values from `low` to `high`.
fn spread(low: f64, high: f64) -> Vec<f32> {
    (0..COUNT).map(|i| (low + (high - low) * i as f64 / (COUNT - 1) as f64) as f32).collect()
}

fn erf(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    for n in 1..200 {
        term *= -x * x / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    sum * 2.0 / std::f64::consts::PI.sqrt()
}

/// A function, where it is tried, and the relative error that is allowed (absolute below 2^-20).
type Case = (fn(f64) -> f64, f64, f64, f64);

#[test]
fn functions_agree_with_double_precision() {
    let folder = tempfile::tempdir().unwrap();
    let executable = executable(folder.path());
    let cases: [Case; 25] = [
        (f64::exp, -87.0, 88.0, 3e-7),
        (f64::ln, 1e-30, 40.0, 3e-7),
        (f64::sqrt, 0.0, 1e6, 1.2e-7),
        (f64::tanh, -10.0, 10.0, 5e-7),
        (erf, -3.5, 3.5, 1e-6),
        (f64::sin, -30.0, 30.0, 1e-6),
        (f64::cos, -30.0, 30.0, 1e-6),
        (f64::tan, -1.5, 1.5, 1e-6),
        (f64::atan, -20.0, 20.0, 5e-7),
        (f64::asin, -0.999, 0.999, 1e-6),
        (f64::acos, -0.999, 0.999, 1e-6),
        (f64::sinh, -20.0, 20.0, 1e-6),
        (f64::cosh, -20.0, 20.0, 1e-6),
        (f64::asinh, -50.0, 50.0, 1e-6),
        (f64::acosh, 1.0, 50.0, 1e-6),
        (f64::atanh, -0.99, 0.99, 1e-6),
        (f64::floor, -100.0, 100.0, 0.0),
        (f64::ceil, -100.0, 100.0, 0.0),
        (f64::round, -100.0, 100.0, 0.0),
        (|x| x.powf(f64::from(1.0f32 / 3.0)), 0.0, 1000.0, 2e-6),
        (|x| x % f64::from(std::f32::consts::PI), -100.0, 100.0, 0.0),
        (|x| f64::from(((x * 65536.0) as i64 / -7) as f32), -1e6, 1e6, 0.0),
        (|x| f64::from((x * 256.0) as i32 % 13), -1e6, 1e6, 0.0),
        (f64::ln_1p, -0.9, 10.0, 5e-7),
        (f64::exp_m1, -5.0, 5.0, 5e-7),
    ];
    for (number, (function, low, high, allowed)) in (0..).zip(cases) {
        let x = spread(low, high);
        let answer = apply(&executable, number, &x).unwrap();
        for (x, y) in x.iter().zip(reals(&answer.outputs[0])) {
            let expected = function(f64::from(*x));
            let error = (f64::from(y) - expected).abs() / expected.abs().max(2f64.powi(-20));
            assert!(error <= allowed, "function {number} of {x}: {y}, expected {expected} (error {error:e})");
        }
    }
}

#[test]
fn packets_are_counted_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let executable = executable(folder.path());
    let x = spread(0.0, 1.0);
    let first = apply(&executable, 0, &x).unwrap();
    assert_eq!(first, apply(&executable, 0, &x).unwrap());
    assert!(first.packets as usize > COUNT && first.instructions >= first.packets, "{} packets", first.packets);
    assert_eq!(first.vector_instructions, 0);
}

#[test]
fn a_model_that_fails_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let executable = executable(folder.path());
    let error = apply(&executable, 1000, &spread(0.0, 1.0)).unwrap_err();
    assert!(error.to_string().starts_with("the model did not finish on the emulator: exit status: 4"), "{error}");
}

#[test]
fn an_object_without_a_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("nothing");
    let error = link::executable(b"no object", &output).unwrap_err();
    assert!(matches!(error, Error::Link(_)), "{error}");
    assert!(!output.exists());
}
