//! The weights of one direction, gate by gate: what the model holds is put in order while translating.

use crate::constant::Constant;
use crate::element::ElementType;
use crate::extent::Extent;
use crate::ops::quantized::Scale;
use crate::ops::slices::Part;
use crate::translate::Translator;
use crate::value::{Known, Tensor};
use std::sync::Arc;

impl Translator<'_> {
    /// Some of the gates of a direction, of so many that its weights have, in another order; without the dimension of
    /// directions.
    pub(super) fn gates(
        &mut self,
        weights: &Tensor,
        direction: usize,
        gates: usize,
        order: &[usize],
    ) -> Result<Tensor, String> {
        if let Some(stored) = stored_gates(weights, direction, gates, order) {
            return Ok(Tensor::stored(Arc::new(stored)));
        }
        let begin = Extent::from(direction as i64);
        let own = self.sliced(weights, &[Part { axis: 0, begin, step: 1, extent: Extent::from(1) }]);
        let own = self.reshaped(&own, own.shape[1..].to_vec())?;
        let count = Extent::from(gates as i64);
        let each = own.shape.first().and_then(|rows| rows.div(&count)).ok_or("its weights have too few dimensions")?;
        let in_order = order.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let runs: Vec<(usize, usize)> =
            if in_order { vec![(order[0], order.len())] } else { order.iter().map(|gate| (*gate, 1)).collect() };
        let mut parts = Vec::new();
        for (first, count) in runs {
            let begin = each.mul(&Extent::from(first as i64));
            parts.push(
                self.sliced(&own, &[Part { axis: 0, begin, step: 1, extent: each.mul(&Extent::from(count as i64)) }]),
            );
        }
        self.concatenated(&parts.iter().collect::<Vec<_>>(), 0)
    }

    /// The reals of a direction's whole numbers, all gates of which are in this order.
    pub(super) fn dequantized_gates(
        &mut self,
        weights: &Tensor,
        scale: &Scale,
        direction: usize,
        order: &[usize],
    ) -> Result<Tensor, String> {
        let mut aligned = |tensor: &Tensor| {
            if tensor.rank() == 2 {
                let own = self.gates(tensor, direction, order.len(), order)?;
                return self.reshaped(&own, vec![own.shape[0].clone(), 1.into()]);
            }
            let begin = Extent::from(direction as i64);
            let own = self.sliced(tensor, &[Part { axis: 0, begin, step: 1, extent: 1.into() }]);
            self.reshaped(&own, Vec::new())
        };
        let zero = scale.zero.as_ref().filter(|zero| zero.uniform() != Some(0.0)).map(&mut aligned).transpose()?;
        let scale = aligned(&scale.scale)?;
        self.dequantized(weights, &Scale { scale, zero })
    }

    /// The sum of two biases.
    pub(super) fn bias_sum(&mut self, left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
        match (&left.known, &right.known) {
            (Some(Known::Stored(first)), Some(Known::Stored(second))) if first.count() == second.count() => {
                let sums = first.reals().zip(second.reals()).map(|(first, second)| (first + second) as f32);
                let bytes: Vec<u8> = sums.flat_map(f32::to_le_bytes).collect();
                let sum = Constant { element: ElementType::Float, bytes: bytes.into(), ..(**first).clone() };
                Ok(Tensor::stored(Arc::new(sum)))
            }
            _ => self.binary("math.add", left, right),
        }
    }
}

fn stored_gates(weights: &Tensor, direction: usize, gates: usize, order: &[usize]) -> Option<Constant> {
    let Some(Known::Stored(stored)) = &weights.known else { return None };
    let [directions, rows, rest @ ..] = &stored.shape[..] else { return None };
    let parts = directions.checked_mul(gates)?;
    if stored.element.bits() < 8 || parts == 0 || rows % gates != 0 || direction >= *directions {
        return None;
    }
    let size = stored.bytes.len() / parts;
    let part = |gate: &usize| {
        let begin = (direction * gates + gate) * size;
        stored.bytes.get(begin..begin + size)
    };
    let bytes: Vec<u8> = order.iter().map(part).collect::<Option<Vec<_>>>()?.concat();
    let shape = [&[rows / gates * order.len()], rest].concat();
    Some(Constant { name: stored.name.clone(), element: stored.element, shape, bytes: bytes.into() })
}
