//! Functions of reals give the same bits for an element wherever it stands: in a vector, in what remains beside vectors, or
//! in scalar code.

use crate::support::{load_for, reals, session};
use skriptnd_codegen::Target;
use skriptnd_mlir::llvm::TargetSpec;
use skriptnd_runtime::{Session, Tensor, TensorData};
use std::fmt::Write;

const ARGUMENTS: [f32; 40] = [
    0.0,
    -0.0,
    f32::from_bits(1),
    -1e-40,
    f32::MIN_POSITIVE,
    1e-8,
    -0.3,
    0.5,
    -0.5,
    1.0,
    -1.0,
    1.5,
    -1.5,
    2.5,
    -2.5,
    3.7,
    -9.3,
    20.0,
    -44.4,
    88.0,
    88.72,
    88.722_84,
    88.73,
    1000.0,
    -87.3,
    -87.336_55,
    -87.5,
    -90.0,
    -100.0,
    -103.27,
    -103.97,
    -104.1,
    -1000.0,
    8_388_609.0,
    1e10,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// One function of `x{n}` for each length that gives `y{n}`.
fn module(body: &str, lengths: &[usize]) -> String {
    let types = |name: &str, role: &str| {
        let item = |n: &usize| format!("{name}tensor<{n}xf32> {{skriptnd.{role}}}").replace('#', &n.to_string());
        lengths.iter().map(item).collect::<Vec<_>>().join(", ")
    };
    let inputs = types("%x#: ", "input = \"x#\"");
    let mut text =
        format!("#map = affine_map<(a) -> (a)>\nfunc.func @Net({inputs}) -> ({}) {{\n", types("", "output = \"y#\""));
    for n in lengths {
        let tensor = format!("tensor<{n}xf32>");
        writeln!(
            text,
            "%e{n} = tensor.empty() : {tensor}
             %y{n} = linalg.generic {{indexing_maps = [#map, #map], iterator_types = [\"parallel\"]}}
                 ins(%x{n} : {tensor}) outs(%e{n} : {tensor}) {{
             ^bb0(%a: f32, %o: f32):
               {body}
               linalg.yield %r : f32
             }} -> {tensor}"
        )
        .unwrap();
    }
    let list = |item: fn(&usize) -> String| lengths.iter().map(item).collect::<Vec<_>>().join(", ");
    text + &format!("return {} : {}\n}}", list(|n| format!("%y{n}")), list(|n| format!("tensor<{n}xf32>")))
}

/// What a function gives for each argument at each place of tensors of all lengths: the same everywhere.
#[track_caller]
fn results(body: &str, lengths: &[usize], target: Target) -> Vec<f32> {
    let (library, _) = load_for(&module(body, lengths), target);
    let mut session = session(library, &[]);
    let mut known: Vec<Option<f32>> = vec![None; ARGUMENTS.len()];
    for start in 0..ARGUMENTS.len() {
        for (length, found) in lengths.iter().zip(run(&mut session, lengths, start)) {
            for (place, found) in found.into_iter().enumerate() {
                let number = (start + place) % ARGUMENTS.len();
                let expected = *known[number].get_or_insert(found);
                let same = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
                let x = ARGUMENTS[number];
                assert!(same, "{body} of {x:e}: {expected:e}, but {found:e} at {place} of {length}");
            }
        }
    }
    known.into_iter().flatten().collect()
}

/// The results for the arguments from `start` on.
fn run(session: &mut Session, lengths: &[usize], start: usize) -> Vec<Vec<f32>> {
    let input = |&length: &usize| {
        let items = (0..length).map(|place| ARGUMENTS[(start + place) % ARGUMENTS.len()]).collect();
        Tensor { shape: vec![length], data: TensorData::F32(items) }
    };
    let inputs: Vec<Tensor> = lengths.iter().map(input).collect();
    session.run(&inputs).unwrap().iter().map(|output| reals(output).to_vec()).collect()
}

/// The distance of a float from what is expected, in units in the last place of that.
fn error(found: f32, expected: f64) -> f64 {
    if found == expected as f32 || (found.is_nan() && expected.is_nan()) {
        return 0.0;
    }
    let exponent = libm::ilogb(expected).max(-126) - 23;
    (f64::from(found) - expected).abs() / libm::ldexp(1.0, exponent)
}

type Function = fn(f64) -> f64;

/// Functions that are taken apart: what computes them, what they are, and how far they may be off, in units in the last place.
const ELEMENTARY: [(&str, Function, f64); 8] = [
    ("%r = math.exp %a : f32", libm::exp, 1.0),
    ("%r = math.log %a : f32", libm::log, 1.0),
    ("%r = math.tanh %a : f32", libm::tanh, 2.0),
    ("%r = math.erf %a : f32", libm::erf, 2.0),
    ("%r = math.sin %a : f32", libm::sin, 2.0),
    ("%r = math.cos %a : f32", libm::cos, 2.0),
    (
        "%one = arith.constant 1.0 : f32
         %e = math.exp %a : f32
         %s = arith.addf %one, %e : f32
         %l = math.log %s : f32
         %r = math.tanh %l : f32",
        tangent_of_softplus,
        2.5,
    ),
    (
        "%one = arith.constant 1.0 : f32
         %zero = arith.constant 0.0 : f32
         %g = arith.maximumf %a, %zero : f32
         %z = math.absf %a : f32
         %n = arith.negf %z : f32
         %e = math.exp %n : f32
         %s = arith.addf %e, %one : f32
         %l = math.log %s : f32
         %p = arith.addf %g, %l : f32
         %r = math.tanh %p : f32",
        tangent_of_softplus,
        2.5,
    ),
];
/// Of which size the results of those with this in their text are at most 1.
const BOUNDED: [&str; 4] = ["math.tanh", "math.erf", "math.sin", "math.cos"];

/// `tanh(log(1 + e^x))`, also where 1 is all of the sum.
fn tangent_of_softplus(x: f64) -> f64 {
    let power = libm::exp(if x > 300.0 { 300.0 } else { x });
    let growth = power * (power + 2.0);
    growth / (growth + 2.0)
}

/// The host, and its architecture without any features: there products and sums are rounded each.
fn hosts() -> [Target; 2] {
    let plain = TargetSpec { features: String::new(), cpu: String::new(), ..TargetSpec::host() };
    [Target::host(), Target::of(plain)]
}

#[test]
fn elementary_functions_everywhere() {
    let lengths: Vec<usize> = (1..=18).chain([31, 33, 40]).collect();
    let [host, plain] = hosts();
    let alike = host.has("fma") == plain.has("fma");
    for (body, function, limit) in ELEMENTARY {
        let [first, second] = [&host, &plain].map(|target| results(body, &lengths, target.clone()));
        for found in [&first, &second] {
            for (x, found) in ARGUMENTS.iter().zip(found) {
                let expected = function(f64::from(*x));
                assert!(error(*found, expected) <= limit, "{body} of {x:e}: found {found:e}, expected {expected:e}");
            }
        }
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert!(!alike || bits(&first) == bits(&second), "{body}");
    }
}

/// Numbers of all sizes, signs and classes: their bits are multiples of a prime number.
#[test]
fn elementary_functions_are_accurate() {
    let arguments: Vec<f32> = (0..u32::MAX / 64_007).map(|number| f32::from_bits(number * 64_007)).collect();
    let length = arguments.len();
    for target in hosts() {
        for (body, function, limit) in ELEMENTARY {
            let (library, _) = load_for(&module(body, &[length]), target.clone());
            let input = Tensor { shape: vec![length], data: TensorData::F32(arguments.clone()) };
            let outputs = session(library, &[]).run(&[input]).unwrap();
            for (x, found) in arguments.iter().zip(reals(&outputs[0])) {
                let expected = function(f64::from(*x));
                assert!(error(*found, expected) <= limit, "{body} of {x:e}: found {found:e}, expected {expected:e}");
                assert!(
                    !BOUNDED.iter().any(|name| body.contains(name)) || found.is_nan() || found.abs() <= 1.0,
                    "{body} of {x:e} is {found:e}"
                );
            }
        }
    }
}

#[test]
fn powers_are_accurate() {
    let arguments: Vec<f32> = (0..u32::MAX / 640_009).map(|number| f32::from_bits(number * 640_009)).collect();
    let arguments: Vec<f32> = arguments.into_iter().chain(ARGUMENTS.iter().copied()).collect();
    let simple = [1.0, 2.0, 3.0, -1.0, 0.5, -0.5, 0.25, 0.75, 1.5];
    let others = [0.0, -0.0, 0.3, -1.7, 5.0, -4.0, 1e-10, 1e10, 1.0 + f32::EPSILON];
    let ends = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    for target in hosts() {
        for y in simple.into_iter().chain(others).chain(ends).map(Some).chain([None]) {
            let constant = y.map(|y| format!("%y = arith.constant 0x{:08X} : f32\n", y.to_bits())).unwrap_or_default();
            let body = format!("{constant}%r = math.powf %a, {} : f32", if y.is_some() { "%y" } else { "%a" });
            let (library, _) = load_for(&module(&body, &[arguments.len()]), target.clone());
            let input = Tensor { shape: vec![arguments.len()], data: TensorData::F32(arguments.clone()) };
            let outputs = session(library, &[]).run(&[input]).unwrap();
            for (x, found) in arguments.iter().zip(reals(&outputs[0])) {
                let y = y.unwrap_or(*x);
                let expected = libm::pow(f64::from(*x), f64::from(y));
                let same_sign =
                    *found != 0.0 || expected as f32 != 0.0 || found.is_sign_negative() == expected.is_sign_negative();
                assert!(
                    error(*found, expected) <= 2.0 && same_sign,
                    "{x:e}^{y:e}: found {found:e}, expected {expected:e}"
                );
            }
        }
    }
}

/// Also where quotients are large, infinite or rounded up to a whole number, and the signs of zeros.
#[test]
fn remainders_are_exact() {
    let arguments: Vec<f32> = (0..u32::MAX / 640_009).map(|number| f32::from_bits(number * 640_009)).collect();
    let arguments: Vec<f32> = arguments.into_iter().chain(ARGUMENTS.iter().copied()).collect();
    for y in [1.0, -0.3, 7.0, 1e-40, 1e30, f32::MAX, 0.0, f32::NEG_INFINITY, f32::NAN] {
        let body = format!("%y = arith.constant 0x{:08X} : f32\n%r = arith.remf %a, %y : f32", y.to_bits());
        let (library, _) = load_for(&module(&body, &[arguments.len()]), Target::host());
        let mut session = session(library, &[]);
        // Multiples of the divisor, and what is next to them, too.
        let near = |number: usize| f32::from_bits((y * (number / 3) as f32).to_bits().wrapping_add(number as u32 % 3));
        for arguments in [arguments.clone(), (0..arguments.len()).map(near).collect()] {
            let input = Tensor { shape: vec![arguments.len()], data: TensorData::F32(arguments.clone()) };
            let outputs = session.run(&[input]).unwrap();
            for (x, found) in arguments.iter().zip(reals(&outputs[0])) {
                let same = found.to_bits() == (x % y).to_bits() || found.is_nan() && (x % y).is_nan();
                assert!(same, "{x:e} % {y:e}: found {found:e}, expected {:e}", x % y);
            }
        }
    }
}

#[test]
fn other_functions_everywhere() {
    let lengths = [1, 3, 8, 13, 16, 29, 40];
    let half = "%h = arith.constant 0.3 : f32\n";
    let bodies = [
        ("%r = math.sqrt %a : f32".to_string(), libm::sqrt as Function),
        ("%r = math.floor %a : f32".into(), libm::floor),
        ("%r = math.ceil %a : f32".into(), libm::ceil),
        ("%r = math.round %a : f32".into(), libm::round),
        (format!("{half}%r = arith.remf %a, %h : f32"), |x| libm::fmod(x, f64::from(0.3f32))),
        (format!("{half}%r = math.powf %a, %h : f32"), |x| libm::pow(x, f64::from(0.3f32))),
        (format!("{half}%r = arith.maximumf %a, %h : f32"), |x| if x.is_nan() { x } else { x.max(f64::from(0.3f32)) }),
        (format!("{half}%r = arith.minimumf %h, %a : f32"), |x| if x.is_nan() { x } else { x.min(f64::from(0.3f32)) }),
        (
            "%n = arith.negf %a : f32\n%p = math.exp %n : f32\n%one = arith.constant 1.0 : f32\n\
             %s = arith.addf %p, %one : f32\n%r = arith.divf %one, %s : f32"
                .into(),
            |x| 1.0 / f64::from(1.0 + libm::exp(-x) as f32),
        ),
    ];
    for (body, function) in bodies {
        for (x, found) in ARGUMENTS.iter().zip(results(&body, &lengths, Target::host())) {
            let expected = function(f64::from(*x));
            assert!(error(found, expected) <= 4.0, "{body} of {x:e}: found {found:e}, expected {expected:e}");
        }
    }
}
