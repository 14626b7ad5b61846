//! The Hexagon runtime under the emulator: its functions against double precision on this machine.

use skriptnd_hexagon::emulator::{Answer, Counts, Request, run};
use skriptnd_hexagon::{Error, link, target};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const COUNT: usize = 1 << 16;

/// A source of `tests/models`, compiled and linked.
fn build(folder: &Path, source: &str) -> PathBuf {
    let object = folder.join("model.o");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(source);
    let status = Command::new("clang-22")
        .args([&format!("--target={}", target::TRIPLE), &format!("-mcpu={}", target::CPU)])
        .args(["-mllvm", "-rdf-opt=false", "-mllvm", "-slot1-store-slot0-load=false"])
        .args(["-O2", "-ffreestanding", "-fno-builtin", "-nostdlibinc", "-Wno-override-module", "-c"])
        .args([source.as_os_str(), "-o".as_ref(), object.as_os_str()])
        .status()
        .unwrap();
    assert!(status.success());
    let executable = folder.join("model");
    std::fs::write(&executable, link::executable(&[std::fs::read(object).unwrap()]).unwrap()).unwrap();
    std::fs::set_permissions(&executable, Permissions::from_mode(0o755)).unwrap();
    executable
}

fn bytes<T: Copy, const N: usize>(items: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    items.iter().flat_map(|&item| bytes(item)).collect()
}

fn apply(executable: &Path, function: usize, x: &[u8], y: &[u8]) -> Result<Answer, Error> {
    let number = (function as i64).to_le_bytes();
    let request = Request {
        inputs: vec![x, y],
        variables: vec![&number],
        outputs: vec![x.len()],
        prepared: 8,
        ..Request::default()
    };
    run(executable, &request)
}

fn apply_to_reals(executable: &Path, function: usize, x: &[f32], y: &[f32]) -> Vec<f32> {
    let answer = apply(executable, function, &bytes(x, f32::to_le_bytes), &bytes(y, f32::to_le_bytes)).unwrap();
    answer.outputs[0].chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn apply_to_integers(executable: &Path, function: usize, x: &[i64], y: &[i64]) -> Vec<i64> {
    let answer = apply(executable, function, &bytes(x, i64::to_le_bytes), &bytes(y, i64::to_le_bytes)).unwrap();
    answer.outputs[0].chunks_exact(8).map(|word| i64::from_le_bytes(word.try_into().unwrap())).collect()
}

const SPECIAL: [f32; 32] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    1.5,
    -1.5,
    2.5,
    -2.5,
    0.499_999_97,
    1.000_000_1,
    8_388_607.5,
    8_388_609.0,
    16_777_215.0,
    1e10,
    -95.0,
    95.0,
    -87.5,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    f32::from_bits(1),
    f32::from_bits(3),
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// Special values, then values of all signs and exponents.
fn arguments() -> Vec<f32> {
    (0..COUNT).map(|i| SPECIAL.get(i).copied().unwrap_or(f32::from_bits(i as u32 * 65537))).collect()
}

/// Pairs of special values, then pairs whose powers and remainders are neither all zero nor all infinite, then others.
fn pairs() -> (Vec<f32>, Vec<f32>) {
    let pair = |i: usize| {
        let (x, y) = (i as u32 * 65537, (i as u32).wrapping_mul(0x9E37_79B9));
        match i {
            0..1024 => (SPECIAL[i / 32], SPECIAL[i % 32]),
            1024..32768 => {
                (f32::from_bits(0x3e80_0000 + (y & 0x01ff_ffff)), ((x >> 8) as i32 - (1 << 23)) as f32 / 65536.0)
            }
            _ => (f32::from_bits(x), f32::from_bits(y)),
        }
    };
    (0..COUNT).map(pair).unzip()
}

/// The distance in units in the last place of a float as near as can be to what is expected.
fn error(found: f32, expected: f64) -> f64 {
    if expected.is_nan() || found.is_nan() {
        return if expected.is_nan() && found.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if expected == 0.0 || found.is_infinite() || (expected as f32).is_infinite() {
        let same = found == expected as f32 && found.is_sign_negative() == expected.is_sign_negative();
        return if same { 0.0 } else { f64::INFINITY };
    }
    let exponent = libm::ilogb(expected).max(-126) - 23;
    (f64::from(found) - expected).abs() / libm::ldexp(1.0, exponent)
}

/// A function and the error that is allowed in units in the last place.
type Unary = (&'static str, fn(f64) -> f64, f64);

/// In the order of `functions.c`.
const UNARY: [Unary; 26] = [
    ("exp", libm::exp, 1.0),
    ("exp2", libm::exp2, 1.0),
    ("exp10", libm::exp10, 1.0),
    ("log", libm::log, 1.0),
    ("log2", libm::log2, 1.0),
    ("log10", libm::log10, 1.0),
    ("sqrt", libm::sqrt, 0.5),
    ("sin", libm::sin, 1.0),
    ("cos", libm::cos, 1.0),
    ("tan", libm::tan, 1.0),
    ("asin", libm::asin, 1.0),
    ("acos", libm::acos, 1.0),
    ("atan", libm::atan, 1.0),
    ("sinh", libm::sinh, 1.0),
    ("cosh", libm::cosh, 1.0),
    ("tanh", libm::tanh, 1.0),
    ("asinh", libm::asinh, 1.0),
    ("acosh", f64::acosh, 1.0),
    ("atanh", libm::atanh, 1.0),
    ("erf", libm::erf, 1.0),
    ("floor", libm::floor, 0.0),
    ("ceil", libm::ceil, 0.0),
    ("trunc", libm::trunc, 0.0),
    ("round", libm::round, 0.0),
    ("roundeven", libm::rint, 0.0),
    ("narrow", bits_of_half, 0.0),
];

/// The bits of the number of 16 bits that is nearest, the even one of two, as a number.
fn bits_of_half(x: f64) -> f64 {
    let sign = if x.is_sign_negative() { f64::from(0x8000) } else { 0.0 };
    let unit = libm::ldexp(1.0, libm::ilogb(x).max(-14) - 10);
    let rounded = libm::rint(x.abs() / unit) * unit;
    let bits = match libm::ilogb(rounded) {
        // One of its payloads is enough: those of numbers are all compared.
        _ if x.is_nan() => f64::from(0x7e00 | (f32::to_bits(x as f32) >> 13 & 0x3ff)),
        _ if x.abs() >= 65520.0 => f64::from(0x7c00),
        exponent @ -14.. if rounded != 0.0 => f64::from((exponent + 14) * 1024) + libm::ldexp(rounded, 10 - exponent),
        _ => libm::ldexp(rounded, 24),
    };
    sign + bits
}

type Binary = (&'static str, fn(f64, f64) -> f64, f64);

const BINARY: [Binary; 5] = [
    ("pow", libm::pow, 1.0),
    ("fmod", libm::fmod, 0.0),
    ("fmax", libm::fmax, 0.0),
    ("fmin", libm::fmin, 0.0),
    ("quotient", |a, b| a / b, 0.5),
];

#[test]
fn functions_of_reals_agree_with_double_precision() {
    let folder = tempfile::tempdir().unwrap();
    let executable = build(folder.path(), "functions.c");
    let x = arguments();
    for (number, (name, function, allowed)) in UNARY.into_iter().enumerate() {
        for (x, found) in x.iter().zip(apply_to_reals(&executable, number, &x, &x)) {
            let expected = function(f64::from(*x));
            let error = error(found, expected);
            assert!(error <= allowed, "{name}({x:e}): found {found:e}, expected {expected:e} ({error} units)");
        }
    }
    let (x, y) = pairs();
    for (number, (name, function, allowed)) in BINARY.into_iter().enumerate() {
        for ((x, y), found) in x.iter().zip(&y).zip(apply_to_reals(&executable, UNARY.len() + number, &x, &y)) {
            let expected = function(f64::from(*x), f64::from(*y));
            // C leaves open which of two zeros is the larger one.
            let open = matches!(name, "fmax" | "fmin") && found == 0.0 && expected == 0.0;
            let error = if open { 0.0 } else { error(found, expected) };
            assert!(error <= allowed, "{name}({x:e}, {y:e}): found {found:e}, expected {expected:e} ({error} units)");
        }
    }
}

/// A function of the runtime by its name, with what it must compute.
type Division = (&'static str, fn(i64, i64) -> i64);

/// Divisions in the order of `functions.c`, behind the functions of reals.
const DIVISIONS: [Division; 8] = [
    ("/", |a, b| a / b),
    ("%", |a, b| a % b),
    ("unsigned /", |a, b| (a as u64 / b as u64) as i64),
    ("unsigned %", |a, b| (a as u64 % b as u64) as i64),
    ("word /", |a, b| i64::from(a as i32 / b as i32)),
    ("word %", |a, b| i64::from(a as i32 % b as i32)),
    ("unsigned word /", |a, b| i64::from(a as u32 / b as u32)),
    ("unsigned word %", |a, b| i64::from(a as u32 % b as u32)),
];

#[test]
fn integers_are_divided_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let executable = build(folder.path(), "functions.c");
    let limits = [1, -1, 2, 7, -7, i64::from(i32::MAX), i64::from(i32::MIN), i64::MAX, i64::MIN, i64::MIN + 1];
    let spread = |i: usize| (i as i64).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64) >> (i % 61);
    let pick = |i: usize| limits.get(i).copied().unwrap_or_else(|| spread(i));
    // Neither 0 nor the quotient that fits no integer, at either width: both are undefined to LLVM.
    let divisor = |b: i64| if b as i32 == 0 || b as i32 == -1 { 3 } else { b };
    let x: Vec<i64> = (0..COUNT).map(|i| pick(i % 250)).collect();
    let y: Vec<i64> = (0..COUNT).map(|i| divisor(pick(i / 250))).collect();
    for (number, (name, divide)) in DIVISIONS.into_iter().enumerate() {
        let found = apply_to_integers(&executable, UNARY.len() + BINARY.len() + number, &x, &y);
        for ((x, y), found) in x.iter().zip(&y).zip(found) {
            assert_eq!(found, divide(*x, *y), "{x} {name} {y}");
        }
    }
}

/// What two doubles give.
type OfDoubles = fn(f64, f64) -> f64;

const OF_DOUBLES: [(&str, OfDoubles); 4] =
    [("+", |a, b| a + b), ("-", |a, b| a - b), ("*", |a, b| a * b), ("/", |a, b| a / b)];

#[test]
fn doubles_are_rounded_once() {
    let folder = tempfile::tempdir().unwrap();
    let executable = build(folder.path(), "functions.c");
    let one = 1u64 << 52;
    let limits = [0, 1, one - 1, one, one + 1, 0x3ff0 << 48, 0x3ff8 << 48, (0x3ff0 << 48) - 1, (0x7ff0 << 48) - 1];
    let limits = [limits.as_slice(), &[0x7ff0 << 48, 0x7ff8 << 48, 0x4340 << 48, 0x3ca0 << 48]].concat();
    // Exponents that are near to each other, so that sums are.
    let spread = |i: usize| {
        let random = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        if i % 3 == 0 { random } else { random >> 12 | (0x3e0 + random % 64) << 52 }
    };
    let pick = |i: usize| limits.get(i % 256).map_or_else(|| spread(i), |own| own | ((i as u64 / 256) << 63)) as i64;
    let x: Vec<i64> = (0..COUNT).map(pick).collect();
    let y: Vec<i64> = (0..COUNT).map(|i| pick((i / 256) * 257 + i % 7 * 3)).collect();
    let first = UNARY.len() + BINARY.len() + DIVISIONS.len();
    for (number, (name, of)) in OF_DOUBLES.into_iter().enumerate() {
        let found = apply_to_integers(&executable, first + number, &x, &y);
        for ((x, y), found) in x.iter().zip(&y).zip(found) {
            let [x, y, found] = [*x, *y, found].map(|bits| f64::from_bits(bits as u64));
            let expected = of(x, y);
            let is_same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(is_same, "{x:e} {name} {y:e} is {found:e}, expected {expected:e}");
        }
    }
}

/// All that LLVM may call for operations on `f32`, integers and memory, whether formulas reach it or not.
#[test]
fn nothing_that_code_generation_calls_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), "calls.ll");
}

#[test]
fn packets_are_counted_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let executable = build(folder.path(), "functions.c");
    let x = vec![0; 4 * COUNT];
    let first = apply(&executable, 0, &x, &x).unwrap();
    assert_eq!(first, apply(&executable, 0, &x, &x).unwrap());
    let Counts { packets, instructions, vector_instructions } = first.counts;
    assert!(packets as usize > COUNT && instructions >= packets, "{packets} packets");
    assert_eq!(vector_instructions, 0);
}

#[test]
fn a_model_that_fails_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let executable = build(folder.path(), "functions.c");
    let x = vec![0; 4 * COUNT];
    let error = apply(&executable, 1000, &x, &x).unwrap_err();
    assert!(error.to_string().starts_with("the model did not finish on the emulator: exit status: 4"), "{error}");
}

#[test]
fn an_object_without_a_model_is_refused() {
    let error = link::executable(&[b"no object"]).unwrap_err();
    assert!(matches!(error, Error::Machine), "{error}");
}
