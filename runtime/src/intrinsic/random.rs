//! Random numbers: the same everywhere for the same seed.

use super::{Attribute, Call, room};
use crate::tensor::{Tensor, TensorData};
use std::hash::{BuildHasher, RandomState};

/// Uniform between `min` (inclusive) and `max` (exclusive), of their type.
pub(super) fn uniform(call: &Call) -> Result<Vec<Tensor>, String> {
    if let Some(Attribute::Int(min)) = call.attribute("min") {
        let span = call.int("max")?.abs_diff(*min);
        return draw(call, TensorData::I64, |generator| min.wrapping_add_unsigned(generator.below(span)));
    }
    let (min, max) = (call.real("min")?, call.real("max")?);
    draw(call, TensorData::F32, |generator| match (min + generator.unit() * (max - min)) as f32 {
        // Rounding to 32 bits may reach the limit.
        item if item >= max as f32 => min as f32,
        item => item,
    })
}

/// Normal distribution.
pub(super) fn normal(call: &Call) -> Result<Vec<Tensor>, String> {
    let (mean, deviation) = (call.real("mean")?, call.real("std")?);
    draw(call, TensorData::F32, |generator| (mean + generator.normal() * deviation) as f32)
}

/// True with the given probability.
pub(super) fn bernoulli(call: &Call) -> Result<Vec<Tensor>, String> {
    let probability = call.real("prob")?;
    draw(call, TensorData::Bool, |generator| generator.unit() < probability)
}

/// A tensor of the call's shape whose elements are drawn one after the other.
fn draw<T>(
    call: &Call,
    data: impl Fn(Vec<T>) -> TensorData,
    next: impl Fn(&mut Generator) -> T,
) -> Result<Vec<Tensor>, String> {
    let shape = call.extents("shape")?;
    let mut generator = Generator::new(match call.attribute("seed") {
        Some(Attribute::Int(seed)) => *seed as u64,
        _ => entropy(),
    });
    let mut items = room(&shape)?;
    items.extend((0..shape.iter().product()).map(|_| next(&mut generator)));
    Ok(vec![Tensor { shape, data: data(items) }])
}

/// A number that nobody knows before: another one each time.
pub fn entropy() -> u64 {
    // Hash keys are random.
    RandomState::new().hash_one(0)
}

/// SplitMix64 (Steele, Lea and Flood, 2014). The same seed gives the same numbers on every machine.
#[derive(Debug, Clone)]
pub struct Generator {
    state: u64,
}

impl Generator {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Generator {
        Generator { state: seed }
    }

    /// The next number of 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// At least 0 and below 1.
    pub fn unit(&mut self) -> f64 {
        // Twenty-four bits, so that rounding to float32 never gives 1.
        (self.bits() >> 40) as f64 / (1u64 << 24) as f64
    }

    /// A whole number below a limit; 0 if there is none.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(limit)) >> 64) as u64
    }

    /// Of mean 0 and deviation 1, by Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}
