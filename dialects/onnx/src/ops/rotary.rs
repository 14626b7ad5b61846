//! Positions of tokens as rotations of what stands for them.

use super::slices::Part;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

/// How pairs of numbers are rotated.
#[derive(Debug, Clone, Default)]
pub(super) struct Rotation {
    /// Whether the two of a pair stand beside each other; otherwise the second ones follow all first ones.
    pub interleaved: bool,
    /// How many numbers are rotated; all where it is 0.
    pub size: i64,
}

/// The operator of the default domain.
pub(super) fn rotary(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let (cosine, sine) = (node.input(1)?.clone(), node.input(2)?.clone());
    let positions = node.optional(3).cloned();
    rotary_of(t, node, &tensor, positions.as_ref(), (&cosine, &sine))
}

/// Rotates a tensor in `[batch, length, heads * size]` or `[batch, heads, length, size]`.
pub(super) fn rotary_of(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    tensor: &Tensor,
    positions: Option<&Tensor>,
    (cosine, sine): (&Tensor, &Tensor),
) -> Result<Tensor, String> {
    let rotation =
        Rotation { interleaved: node.flag("interleaved", false)?, size: node.int_or("rotary_embedding_dim", 0)? };
    let (cosine, sine) = (t.at_positions(cosine, positions)?, t.at_positions(sine, positions)?);
    match &tensor.shape[..] {
        [batch, length, all] => {
            let heads = match node.int_or("num_heads", 0)? {
                0 if rotation.size == 0 => all.div(&cosine.shape[2].mul(&2.into())),
                0 => return Err("its `num_heads` is missing".into()),
                heads => Some(heads.into()),
            };
            let heads: Extent = heads.ok_or("its `num_heads` is missing")?;
            let size = all.div(&heads).ok_or("its `num_heads` is 0")?;
            let parted = t.reshaped(tensor, vec![batch.clone(), length.clone(), heads, size])?;
            let result = t.rotated(&parted, (&cosine, &sine), 2, &rotation)?;
            t.reshaped(&result, tensor.shape.clone())
        }
        [_, _, _, _] => t.rotated(tensor, (&cosine, &sine), 1, &rotation),
        _ => Err(format!("its operand has {} dimensions, where 3 or 4 are expected", tensor.rank())),
    }
}

impl Translator<'_> {
    /// The rows of a table for positions `[batch, length]`, or a table that is in their order already.
    pub(super) fn at_positions(&mut self, table: &Tensor, positions: Option<&Tensor>) -> Result<Tensor, String> {
        let rows = match positions {
            Some(positions) => {
                let shape = [&positions.shape[..], &table.shape[1..]].concat();
                self.call("layout.gather").int("axis", 0).on(table).on(positions).gives(table.element, shape)
            }
            None => table.clone(),
        };
        match rows.rank() {
            3 => Ok(rows),
            rank => Err(format!("its table has {rank} dimensions for its positions, where 3 are expected")),
        }
    }

    /// Rotates a tensor of 4 dimensions, the one at `heads` being that of heads.
    pub(super) fn rotated(
        &mut self,
        tensor: &Tensor,
        (cosine, sine): (&Tensor, &Tensor),
        heads: usize,
        rotation: &Rotation,
    ) -> Result<Tensor, String> {
        let whole = tensor.shape[3].clone();
        let size = if rotation.size == 0 { whole.clone() } else { rotation.size.into() };
        let half = size.div(&2.into()).unwrap_or_default();
        let lift = |t: &mut Self, table: &Tensor| {
            let mut shape = table.shape.clone();
            shape.insert(heads, Extent::from(1));
            t.unsqueezed(table, &[heads], shape)
        };
        let (cosine, sine) = (lift(self, cosine), lift(self, sine));
        let step = if rotation.interleaved { 2 } else { 1 };
        let second_begin = if rotation.interleaved { Extent::from(1) } else { half.clone() };
        let part = |begin: Extent, step: i64, extent: &Extent| Part { axis: 3, begin, step, extent: extent.clone() };
        let first = self.sliced(tensor, &[part(0.into(), step, &half)]);
        let second = self.sliced(tensor, &[part(second_begin, step, &half)]);
        let real = self.combined("math.sub", (&first, &cosine), (&second, &sine))?;
        let imaginary = self.combined("math.add", (&first, &sine), (&second, &cosine))?;
        let turned = self.paired(&real, &imaginary, rotation.interleaved)?;
        if size == whole {
            return Ok(turned);
        }
        let rest = self.sliced(tensor, &[part(size.clone(), 1, &whole.sub(&size))]);
        self.concatenated(&[&turned, &rest], 3)
    }

    fn combined(
        &mut self,
        name: &str,
        (left, by): (&Tensor, &Tensor),
        (right, times): (&Tensor, &Tensor),
    ) -> Result<Tensor, String> {
        let left = self.binary("math.mul", left, by)?;
        let right = self.binary("math.mul", right, times)?;
        self.binary(name, &left, &right)
    }

    fn paired(&mut self, first: &Tensor, second: &Tensor, interleaved: bool) -> Result<Tensor, String> {
        if !interleaved {
            return self.concatenated(&[first, second], 3);
        }
        let lifted = [&first.shape[..], &[Extent::from(1)]].concat();
        let (left, right) = (self.unsqueezed(first, &[4], lifted.clone()), self.unsqueezed(second, &[4], lifted));
        let pairs = self.concatenated(&[&left, &right], 4)?;
        let mut shape = first.shape.clone();
        shape[3] = shape[3].mul(&2.into());
        self.reshaped(&pairs, shape)
    }
}
