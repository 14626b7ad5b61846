//! Random numbers.

use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::translate::call::Call;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "RandomNormal" | "RandomUniform" => shape_of(node).and_then(|shape| random(t, node, shape, ElementType::Float)),
        "RandomNormalLike" | "RandomUniformLike" => {
            node.input(0).cloned().and_then(|like| random(t, node, like.shape, like.element))
        }
        "Bernoulli" => bernoulli(t, node),
        "Multinomial" => multinomial(t, node),
        _ => return None,
    };
    one(result)
}

fn shape_of(node: &Node<'_>) -> Result<Vec<Extent>, String> {
    let shape = node.ints("shape")?.ok_or("its `shape` is missing")?;
    Ok(shape.into_iter().map(Extent::from).collect())
}

/// The seed, where the node has one: an integer of `Dropout`, a real number of others, of which the language takes the bits.
fn seeded<'t, 'm>(call: Call<'t, 'm>, node: &Node<'_>) -> Result<Call<'t, 'm>, String> {
    if let Ok(Some(seed)) = node.int("seed") {
        return Ok(call.int("seed", seed));
    }
    Ok(match node.float("seed")? {
        Some(seed) if seed.fract() == 0.0 => call.int("seed", seed as i64),
        Some(seed) => call.int("seed", (seed.to_bits() >> 1) as i64),
        None => call,
    })
}

fn random(t: &mut Translator<'_>, node: &Node<'_>, shape: Vec<Extent>, like: ElementType) -> Result<Tensor, String> {
    let element = node.element("dtype")?.unwrap_or(like);
    if !element.is_real() {
        return Err(format!("it gives elements of type {}, where reals are expected", element.name()));
    }
    let call = match node.proto.op_type.starts_with("RandomNormal") {
        true => {
            let call = t.call("rand.normal").extents("shape", &shape).real("mean", node.float_or("mean", 0.0)?);
            call.real("std", node.float_or("scale", 1.0)?)
        }
        false => {
            let call = t.call("rand.uniform").extents("shape", &shape).real("min", node.float_or("low", 0.0)?);
            call.real("max", node.float_or("high", 1.0)?)
        }
    };
    Ok(seeded(call, node)?.gives(element, shape))
}

impl Translator<'_> {
    /// Numbers between 0 and 1.
    ///
    /// # Errors
    /// Where the node's seed is no number.
    pub(super) fn uniform_random(&mut self, node: &Node<'_>, shape: Vec<Extent>) -> Result<Tensor, String> {
        let call = self.call("rand.uniform").extents("shape", &shape);
        Ok(seeded(call, node)?.gives(ElementType::Float, shape))
    }
}

/// 1 where a random number is below the probability.
fn bernoulli(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let probability = node.input(0)?.clone();
    let drawn = t.uniform_random(node, probability.shape.clone())?;
    let holds = t.compared("math.lt", &drawn, &probability)?;
    t.cast(&holds, node.element("dtype")?.unwrap_or(probability.element))
}

/// Each sample is the first class whose cumulated probability a random number does not exceed.
fn multinomial(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let logits = node.input(0)?.clone();
    if logits.rank() != 2 {
        return Err(format!("its operand has {} dimensions, where 2 are expected", logits.rank()));
    }
    let (batch, classes) = (logits.shape[0].clone(), logits.shape[1].clone());
    let count = Extent::from(node.int_or("sample_size", 1)?);
    let call = t.call("nn.softmax").ints("axes", [1]);
    let probability = call.on(&logits).gives(logits.element, logits.shape.clone());
    let cumulated = t.call("math.cumsum").int("axis", 1).on(&probability).gives(logits.element, logits.shape.clone());
    let cumulated = t.unsqueezed(&cumulated, &[1], vec![batch.clone(), 1.into(), classes.clone()]);
    let drawn = t.uniform_random(node, vec![batch.clone(), count.clone(), 1.into()])?;
    let is_above = t.compared("math.gt", &drawn, &cumulated)?;
    let passed = t.as_int(&is_above);
    let along = super::reductions::Along { axes: vec![2], are_kept: false };
    let found = t.reduced("math.sum_reduce", &passed, &along);
    // Rounding may leave the last sum below 1.
    let found = t.binary("math.min", &found, &Tensor::int(classes.sub(&1.into())))?;
    t.cast(&found, node.element("dtype")?.unwrap_or(ElementType::Int32))
}
