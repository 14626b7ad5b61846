//! What is claimed of values before a run, against what random programs compute: all numbers, at every point of every structured
//! operation, lie between the least and the greatest that are claimed, are whole where that is, and are numbers. What is made of these claims,
//! few bits in which numbers are stored and computed, changes no result.

mod executed;
mod written;

use executed::{Number, execute};
use skriptnd_codegen::Target;
use skriptnd_codegen::tensors::{
    accumulators::narrow, bits::compute_in_fewer, extremes::begin_within, stored::store_narrow,
};
use skriptnd_codegen::values::encoding::{self, Encoding};
use skriptnd_codegen::values::{range::Range, ranges};
use skriptnd_mlir::ir::{Context, Value, attributes, operations_named};
use skriptnd_mlir::pass::{PipelineOptions, run};
use skriptnd_mlir::{Registry, parse_module};
use written::Writer;

/// Programs, those of `SKRIPTND_WHOLE`, and how often each is executed.
const PROGRAMS: u64 = 100;
const ALL_PROGRAMS: u64 = 4000;
const RUNS: u64 = 6;
/// Rows that tensors have at most where only a run knows how many.
pub const MOST_ROWS: usize = 4;

/// Numbers without a pattern.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// One of so many.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % count
    }

    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// An integer of so many bits, often at the ends or near 0.
    pub fn integer(&mut self, bits: u32) -> i64 {
        let any = ((self.below(1 << 31) as u64) << 33 | (self.below(1 << 31) as u64) << 2) as i64;
        let near = self.below(7) as i64 - 3;
        let wide = self.of(&[i64::MIN, i64::MAX, near, near, near * 50, any, any >> 24, any >> 40]);
        wide.clamp(-1 << (bits - 1), (1i64 << (bits - 1)).wrapping_sub(1))
    }

    /// A real, often a special one.
    pub fn real(&mut self) -> f32 {
        let any = (self.below(1 << 30) as f32 - (1 << 29) as f32) / 65536.0;
        let special = [0.0, -0.0, 1.0, -1.0, 0.5, 255.0, -128.0, 12_582_912.0, 3e9, -3e9, 1e-40, f32::MAX];
        let beyond = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
        match self.below(8) {
            0 => self.of(&beyond),
            1..4 => self.of(&special),
            4 => any.round(),
            _ => any,
        }
    }
}

/// Whether a number is within what is claimed.
fn holds(range: Range, number: Number) -> bool {
    match number {
        Number::Integer(own) => (range.least as i128..=range.most as i128).contains(&own.into()),
        Number::Real(own) if own.is_nan() => !range.is_number,
        Number::Real(own) => {
            let is_whole = own.fract() == 0.0 || own.is_infinite();
            range.least <= f64::from(own) && f64::from(own) <= range.most && (is_whole || !range.is_whole)
        }
    }
}

/// How many programs there are.
fn programs() -> u64 {
    if std::env::var_os("SKRIPTND_WHOLE").is_some() { ALL_PROGRAMS } else { PROGRAMS }
}

/// Where `#skriptnd.encoding` is known.
fn context() -> Context {
    let mut registry = Registry::new();
    skriptnd_dialect::register(&mut registry).unwrap();
    registry.context()
}

/// Whether a number is one of those that an encoding says.
fn is_encoded(encoding: &Encoding<'_>, number: Number) -> bool {
    let (least, most) = encoding.limits;
    let zero = encoding.zero.and_then(attributes::as_integer).unwrap_or(0);
    match (number, encoding.scale.and_then(attributes::as_real)) {
        (Number::Integer(own), _) => (least..=most).contains(&own),
        (Number::Real(own), Some(scale)) => {
            let near = (f64::from(own) / scale).round() as i64 + zero;
            let is_own = |whole: &i64| (least..=most).contains(whole) && (whole - zero) as f32 * scale as f32 == own;
            (near - 1..=near + 1).any(|whole| is_own(&whole))
        }
        (Number::Real(own), None) => encoding.scale.is_some() || (least as f32..=most as f32).contains(&own),
    }
}

/// Passes that change what there is of notes: notes that stay are true all the same.
const PASSES: [&str; 10] = [
    "codegen-inline-numbers",
    "codegen-requantize-in-words",
    "codegen-compute-in-fewer-bits",
    "canonicalize",
    "codegen-store-narrow",
    "codegen-multiply-narrow",
    "codegen-narrow-accumulators",
    "codegen-absorb-collapses",
    "codegen-fuse-elementwise",
    "codegen-compute-in-fewer-bits,canonicalize,cse",
];

#[test]
fn what_is_noted_is_what_is_computed() {
    let (mut noted, mut scaled) = (0, 0);
    skriptnd_codegen::register_passes().unwrap();
    let context = context();
    for seed in 1..=programs() {
        let mut random = Random::new(seed + 2 * ALL_PROGRAMS);
        let text = Writer::new(&mut random).program();
        let parsed = || parse_module(&context, &text, "random.mlir").unwrap();
        let (given, mut module) = (parsed(), parsed());
        let before = operations_named(given.as_operation(), "func.func")[0];
        for pass in ["codegen-note-encodings"].into_iter().chain(PASSES) {
            run(&mut module, &format!("builtin.module(func.func({pass}))"), &PipelineOptions::default()).unwrap();
            let function = operations_named(module.as_operation(), "func.func")[0];
            // What is not defined may become anything.
            let mut is_defined = true;
            execute(before, &mut random.clone(), &mut |_, number| is_defined &= number.is_some());
            execute(function, &mut random, &mut |value: Value<'_, '_>, number| {
                let encoding = value.defining_operation().and_then(encoding::noted).filter(|_| is_defined);
                let Some((encoding, number)) = encoding.zip(number) else { return };
                noted += 1;
                scaled += usize::from(encoding.zero.is_some());
                assert!(
                    is_encoded(&encoding, number),
                    "{number:?} is not in {encoding:?} behind {pass}, of program {seed}\n{text}\n{:?}",
                    module.as_operation()
                );
            });
        }
    }
    assert!(noted > 1_000 && scaled > 10, "{noted} {scaled}");
}

#[test]
fn what_is_computed_is_what_was_claimed() {
    let (mut limited, context) = (0, context());
    for seed in 1..=programs() {
        let mut random = Random::new(seed);
        let text = Writer::new(&mut random).program();
        let module = parse_module(&context, &text, "random.mlir").unwrap_or_else(|error| panic!("{error}\n{text}"));
        let function = operations_named(module.as_operation(), "func.func")[0];
        let claimed = ranges(function);
        for _ in 0..RUNS {
            execute(function, &mut random, &mut |value: Value<'_, '_>, number| {
                let (range, Some(number)) = (claimed.get(value), number) else { return };
                limited += usize::from(range.is_of_integer(value.r#type()) || range.is_finite());
                assert!(holds(range, number), "{number:?} is not in {range:?}, of program {seed}: {value:?}\n{text}");
            });
        }
    }
    // Otherwise next to nothing was claimed.
    assert!(limited > 10_000, "{limited}");
}

#[test]
fn what_is_stored_and_computed_in_few_bits_is_the_same() {
    let context = context();
    for seed in 1..=programs() {
        let mut random = Random::new(seed + ALL_PROGRAMS);
        let text = Writer::new(&mut random).program();
        let parsed = || parse_module(&context, &text, "random.mlir").unwrap();
        let (before, after) = (parsed(), parsed());
        let [wide, few] = [&before, &after].map(|module| operations_named(module.as_operation(), "func.func")[0]);
        begin_within(few).unwrap();
        compute_in_fewer(few).unwrap();
        store_narrow(few).unwrap();
        narrow(few, &Target::host()).unwrap();
        for _ in 0..RUNS {
            let expected = execute(wide, &mut random.clone(), &mut |_, _| {});
            let found = execute(few, &mut random, &mut |_, _| {});
            for (expected, found) in expected.into_iter().zip(found).filter(|(expected, _)| expected.is_some()) {
                assert_eq!(expected, found, "of program {seed}\n{text}\n{:?}", after.as_operation());
            }
        }
    }
}
