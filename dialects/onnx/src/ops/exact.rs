//! Sums of products of whole numbers of few bits, as whole numbers.

use super::products::convolve;
use crate::element::ElementType;
use crate::extent::{Extent, known_shape};
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Known, Tensor};

/// Whole numbers less what stands for 0 among them, aligned with their shape.
#[derive(Debug, Clone)]
pub(super) struct Factor {
    pub tensor: Tensor,
    pub zero: Option<Tensor>,
}

/// Which elements of a factor are summed.
#[derive(Debug, Clone, Copy)]
struct Along {
    axis: usize,
    /// Whether the dimensions behind it are summed, too.
    with_inner: bool,
}

/// What is added to a sum, where that is known to be less.
fn greatest(tensor: Option<&Tensor>) -> Option<i64> {
    let Some(tensor) = tensor else { return Some(0) };
    let ints: Option<Vec<i64>> = tensor.ints()?.iter().map(Extent::known).collect();
    ints?.into_iter().map(|value| value.saturating_abs()).max()
}

impl Factor {
    /// The least and the greatest value of the type, where that has few bits.
    fn limits(&self) -> Option<(i64, i64)> {
        let (bits, is_signed) = self.tensor.element.integers().filter(|(bits, _)| *bits <= 8)?;
        Some(if is_signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) })
    }

    /// Magnitudes are at most so great.
    fn most(&self) -> Option<i64> {
        let (least, most) = self.limits()?;
        let zeros = match &self.zero {
            None => vec![0],
            Some(zero) => match zero.ints().and_then(|ints| ints.iter().map(Extent::known).collect::<Option<_>>()) {
                Some(known) => known,
                None => vec![least, most],
            },
        };
        zeros.into_iter().map(|zero: i64| (most - zero).max(zero - least)).max()
    }

    /// The greatest sum of magnitudes along a dimension.
    fn greatest_sum(&self, along: Along) -> Option<i64> {
        let shape = known_shape(&self.tensor.shape)?;
        let extent = |axes: &[i64]| axes.iter().map(|extent| *extent as usize).product::<usize>();
        let (inner, count) = (extent(&shape[along.axis + 1..]), shape[along.axis] as usize);
        let terms = count * if along.with_inner { inner } else { 1 };
        let by_type = self.most()?.checked_mul(terms as i64)?;
        let (Some(Known::Stored(stored)), Some(zero)) = (&self.tensor.known, greatest(self.zero.as_ref())) else {
            return Some(by_type);
        };
        let lanes = if along.with_inner { 1 } else { inner };
        let mut sums = vec![0; stored.count() / (count * inner).max(1) * lanes];
        for (place, value) in stored.ints().enumerate() {
            let lane = if along.with_inner { 0 } else { place % inner };
            sums[place / (count * inner) * lanes + lane] += value.abs() + zero;
        }
        Some(sums.into_iter().max().unwrap_or(0).min(by_type))
    }
}

/// The type that sums of products have as they are: of 32 bits, where they can't leave those.
fn sums(left: &Factor, right: &Factor, along: Along, added: Option<i64>) -> ElementType {
    let sum = left.most().zip(right.greatest_sum(along)).and_then(|(most, sum)| most.checked_mul(sum));
    let is_held = sum.zip(added).is_some_and(|(sum, added)| sum.saturating_add(added) <= i64::from(i32::MAX));
    if is_held { ElementType::Int32 } else { ElementType::Int64 }
}

/// What belongs to each channel that a convolution gives, aligned with a result of so many dimensions.
pub(super) fn of_channels(t: &mut Translator<'_>, tensor: &Tensor, rank: usize) -> Result<Tensor, String> {
    if tensor.volume().known() == Some(1) {
        return t.reshaped(tensor, Vec::new());
    }
    let ones = vec![Extent::from(1); rank.saturating_sub(1)];
    t.reshaped(tensor, [vec![tensor.volume()], ones].concat())
}

impl Translator<'_> {
    /// Whole numbers of 64 bits less what stands for 0.
    fn centered(&mut self, tensor: &Tensor, zero: Option<&Tensor>) -> Result<Tensor, String> {
        let whole = self.as_int(tensor);
        match zero.filter(|zero| zero.uniform() != Some(0.0)) {
            Some(zero) => {
                let zero = self.as_int(zero);
                self.binary("math.sub", &whole, &zero)
            }
            None => Ok(whole),
        }
    }

    /// The product of matrices of whole numbers: of 64 bits, where it may need them.
    pub(super) fn exact_product(&mut self, left: &Factor, right: &Factor) -> Result<Tensor, String> {
        let element = match (left.tensor.rank(), right.tensor.rank()) {
            (0, _) | (_, 0) => ElementType::Int64,
            (_, rank) => sums(left, right, Along { axis: rank.saturating_sub(2), with_inner: false }, Some(0)),
        };
        let left = self.centered(&left.tensor, left.zero.as_ref())?;
        let right = self.centered(&right.tensor, right.zero.as_ref())?;
        Ok(Tensor { element, ..self.product(&left, &right)? })
    }

    /// The convolution of whole numbers, and a bias for each channel: of 64 bits, where it may need them.
    pub(super) fn exact_convolution(
        &mut self,
        node: &Node<'_>,
        tensor: &Factor,
        filter: &Factor,
        bias: Option<&Tensor>,
    ) -> Result<Tensor, String> {
        let element = match filter.tensor.rank() {
            0 | 1 => ElementType::Int64,
            _ => sums(tensor, filter, Along { axis: 1, with_inner: true }, greatest(bias)),
        };
        let tensor = self.centered(&tensor.tensor, tensor.zero.as_ref())?;
        let filter = self.centered(&filter.tensor, filter.zero.as_ref())?;
        let bias = bias.map(|bias| self.as_int(bias));
        Ok(Tensor { element, ..convolve(self, node, &tensor, &filter, bias.as_ref())? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constant::Constant;
    use std::sync::Arc;

    fn factor(element: ElementType, shape: &[usize], byte: u8) -> Factor {
        let bytes = vec![byte; shape.iter().product()].into();
        let stored = Constant { name: String::new(), element, shape: shape.to_vec(), bytes };
        Factor { tensor: Tensor::stored(Arc::new(stored)), zero: None }
    }

    fn unknown(element: ElementType, shape: &[i64]) -> Factor {
        let shape = shape.iter().map(|extent| Extent::from(*extent)).collect();
        Factor { tensor: Tensor { element, shape, known: None, text: None }, zero: None }
    }

    #[test]
    fn sums_have_32_bits_where_they_can_not_leave_them() {
        let along = Along { axis: 0, with_inner: false };
        let left = unknown(ElementType::Uint8, &[1, 600]);
        // 65793 products of 255 and 128 are below 2 ** 31.
        for (depth, expected) in [(65793, ElementType::Int32), (65794, ElementType::Int64)] {
            assert_eq!(sums(&left, &unknown(ElementType::Int8, &[depth, 3]), along, Some(0)), expected);
        }
        assert_eq!(sums(&left, &factor(ElementType::Int8, &[70000, 3], 1), along, Some(0)), ElementType::Int32);
        assert_eq!(sums(&left, &factor(ElementType::Int8, &[70000, 3], 0x80), along, Some(0)), ElementType::Int64);
        assert_eq!(sums(&left, &unknown(ElementType::Int8, &[514, 3]), along, Some(1 << 31)), ElementType::Int64);
        assert_eq!(sums(&left, &unknown(ElementType::Int16, &[5, 3]), along, Some(0)), ElementType::Int64);
    }

    #[test]
    fn zeros_count() {
        let zero = |value: i64| Some(Tensor::int(value));
        let left = Factor { zero: zero(128), ..unknown(ElementType::Uint8, &[1, 1]) };
        assert_eq!(left.most(), Some(128));
        assert_eq!(Factor { zero: zero(127), ..unknown(ElementType::Int8, &[1]) }.most(), Some(255));
        let hidden = Some(unknown(ElementType::Uint8, &[]).tensor);
        assert_eq!(Factor { zero: hidden, ..unknown(ElementType::Uint8, &[1]) }.most(), Some(255));
        let filter = factor(ElementType::Uint8, &[2, 3, 2, 2], 5);
        let along = Along { axis: 1, with_inner: true };
        assert_eq!(filter.greatest_sum(along), Some(60));
        assert_eq!(Factor { zero: zero(1), ..filter }.greatest_sum(along), Some(72));
    }
}
