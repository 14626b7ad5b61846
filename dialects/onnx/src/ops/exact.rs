//! Sums of products of whole numbers of few bits, which no rounding touches. Reals are exact up to 24 bits and multiplied
//! faster than whole numbers of 64 bits, so sums are of reals, in parts that can't become greater.

use super::products::convolve;
use super::slices::Part;
use crate::extent::{Extent, known_shape};
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Known, Tensor};

/// Up to here, reals have all whole numbers.
const EXACT: i64 = 1 << 24;

/// Sums have so many parts at most; others are of whole numbers.
const MOST_PARTS: usize = 16;

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

    /// The greatest sum of magnitudes over so many indices of a dimension.
    fn greatest_sum(&self, along: Along, size: usize) -> Option<i64> {
        let shape = known_shape(&self.tensor.shape)?;
        let extent = |axes: &[i64]| axes.iter().map(|extent| *extent as usize).product::<usize>();
        let (inner, count) = (extent(&shape[along.axis + 1..]), shape[along.axis] as usize);
        let terms = size.min(count) * if along.with_inner { inner } else { 1 };
        let by_type = self.most()?.checked_mul(terms as i64)?;
        let (Some(Known::Stored(stored)), Some(zero)) = (&self.tensor.known, greatest(self.zero.as_ref())) else {
            return Some(by_type);
        };
        let parts = count.div_ceil(size);
        let lanes = if along.with_inner { 1 } else { inner };
        let mut sums = vec![0; (stored.count() / (count * inner).max(1)) * parts * lanes];
        for (place, value) in stored.ints().enumerate() {
            let (outer, at) = (place / (count * inner), place / inner % count);
            let lane = if along.with_inner { 0 } else { place % inner };
            sums[(outer * parts + at / size) * lanes + lane] += value.abs() + zero;
        }
        Some(sums.into_iter().max().unwrap_or(0).min(by_type))
    }
}

/// In how many parts sums of products are exact as reals, with something added to those in one part.
fn parts(left: &Factor, right: &Factor, along: Along, added: Option<i64>) -> Option<usize> {
    let (most, count) = (left.most()?, usize::try_from(right.tensor.shape[along.axis].known()?).ok()?);
    (1..=MOST_PARTS.min(count.max(1))).find(|parts| {
        let sum = right.greatest_sum(along, count.div_ceil(*parts).max(1)).and_then(|sum| sum.checked_mul(most));
        let added = if *parts == 1 { added } else { Some(0) };
        sum.zip(added).is_some_and(|(sum, added)| sum.saturating_add(added) <= EXACT)
    })
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

    fn difference(&mut self, factor: &Factor) -> Result<Tensor, String> {
        let real = self.as_real(&factor.tensor);
        match factor.zero.as_ref().filter(|zero| zero.uniform() != Some(0.0)) {
            Some(zero) => {
                let zero = self.as_real(zero);
                self.binary("math.sub", &real, &zero)
            }
            None => Ok(real),
        }
    }

    /// The sum of what parts of a dimension give, as whole numbers where there are several.
    fn sum_of_parts(
        &mut self,
        parts: usize,
        factors: [(&Factor, usize); 2],
        mut multiply: impl FnMut(&mut Self, &Tensor, &Tensor) -> Result<Tensor, String>,
    ) -> Result<Tensor, String> {
        let [(left, left_axis), (right, right_axis)] = factors;
        let (left, right) = (self.difference(left)?, self.difference(right)?);
        if parts == 1 {
            return multiply(self, &left, &right);
        }
        let count = right.shape[right_axis].known().ok_or("the extent that it sums over is not known")?;
        let size = (count as usize).div_ceil(parts) as i64;
        let mut sum: Option<Tensor> = None;
        for begin in (0..count).step_by(size as usize) {
            let extent = Extent::from(size.min(count - begin));
            let part = |axis| Part { axis, begin: begin.into(), step: 1, extent: extent.clone() };
            let (left, right) = (self.sliced(&left, &[part(left_axis)]), self.sliced(&right, &[part(right_axis)]));
            let product = multiply(self, &left, &right)?;
            let product = self.as_int(&product);
            sum = Some(match sum {
                Some(sum) => self.binary("math.add", &sum, &product)?,
                None => product,
            });
        }
        sum.ok_or_else(|| "it sums over nothing".into())
    }

    /// The product of matrices of whole numbers: as reals where those are exact.
    pub(super) fn exact_product(&mut self, left: &Factor, right: &Factor) -> Result<Tensor, String> {
        let axis = right.tensor.rank().saturating_sub(2);
        if left.tensor.rank() > 0 && right.tensor.rank() > 0 {
            if let Some(parts) = parts(left, right, Along { axis, with_inner: false }, Some(0)) {
                let factors = [(left, left.tensor.rank() - 1), (right, axis)];
                return self.sum_of_parts(parts, factors, |t, left, right| t.product(left, right));
            }
        }
        let left = self.centered(&left.tensor, left.zero.as_ref())?;
        let right = self.centered(&right.tensor, right.zero.as_ref())?;
        self.product(&left, &right)
    }

    /// The convolution of whole numbers, and a bias for each channel: as reals where those are exact.
    pub(super) fn exact_convolution(
        &mut self,
        node: &Node<'_>,
        tensor: &Factor,
        filter: &Factor,
        bias: Option<&Tensor>,
    ) -> Result<Tensor, String> {
        let is_filter = filter.tensor.rank() > 1 && tensor.tensor.rank() > 1;
        let parts =
            is_filter.then(|| parts(tensor, filter, Along { axis: 1, with_inner: true }, greatest(bias))).flatten();
        let is_grouped = node.int_or("group", 1)? != 1;
        let sums = match parts.filter(|parts| *parts == 1 || !is_grouped) {
            Some(1) => {
                let bias = bias.map(|bias| self.as_real(bias));
                let factors = [(tensor, 1), (filter, 1)];
                return self.sum_of_parts(1, factors, |t, left, right| convolve(t, node, left, right, bias.as_ref()));
            }
            Some(parts) => {
                let factors = [(tensor, 1), (filter, 1)];
                self.sum_of_parts(parts, factors, |t, left, right| convolve(t, node, left, right, None))?
            }
            None => {
                let tensor = self.centered(&tensor.tensor, tensor.zero.as_ref())?;
                let filter = self.centered(&filter.tensor, filter.zero.as_ref())?;
                convolve(self, node, &tensor, &filter, None)?
            }
        };
        let Some(bias) = bias else { return Ok(sums) };
        let bias = of_channels(self, bias, sums.rank() - 1)?;
        let bias = self.as_int(&bias);
        self.binary("math.add", &sums, &bias)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constant::Constant;
    use crate::element::ElementType;
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
    fn parts_are_as_long_as_sums_are_exact() {
        let along = Along { axis: 0, with_inner: false };
        let left = unknown(ElementType::Uint8, &[1, 600]);
        // 514 products of 255 and 128 are below 2 ** 24.
        for (depth, expected) in [(514, Some(1)), (515, Some(2)), (514 * 16 + 1, None)] {
            assert_eq!(parts(&left, &unknown(ElementType::Int8, &[depth, 3]), along, Some(0)), expected);
        }
        assert_eq!(parts(&left, &factor(ElementType::Int8, &[5140, 3], 1), along, Some(0)), Some(1));
        assert_eq!(parts(&left, &factor(ElementType::Int8, &[5140, 3], 0x80), along, Some(0)), Some(10));
        assert_eq!(parts(&left, &unknown(ElementType::Int8, &[514, 3]), along, Some(1 << 20)), Some(2));
        assert_eq!(parts(&left, &unknown(ElementType::Int16, &[5, 3]), along, Some(0)), None);
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
        assert_eq!((filter.greatest_sum(along, 3), filter.greatest_sum(along, 2)), (Some(60), Some(40)));
        assert_eq!(Factor { zero: zero(1), ..filter }.greatest_sum(along, 1), Some(24));
    }
}
