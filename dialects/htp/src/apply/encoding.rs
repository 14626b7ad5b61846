//! What the elements of a tensor are, and what they stand for.

use crate::grammar::model::DType;
use std::fmt;
use std::sync::Arc;

/// DType and quantization of a tensor, in one canonical form: where the DType is not quantized, all else means nothing.
///
/// A tag tells how elements are stored. Values may be fewer than it has: those of 4 bits are stored in 8, and those of a symmetric
/// range leave out the least one.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoding {
    dtype: DType,
    bits: u32,
    is_symmetric: bool,
    steps: Steps,
}

/// Zero offsets and step sizes.
#[derive(Debug, Clone, PartialEq)]
enum Steps {
    /// Of all elements.
    One(i32, f32),
    /// Of each index along a dimension.
    Several(Arc<Channels>),
}

/// Quantization of each index along a dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct Channels {
    /// The dimension.
    pub axis: usize,
    /// Zero offset and step size of each index.
    pub each: Vec<(i32, f32)>,
}

/// Bits of an element of a quantized type, and whether it has a sign.
fn stored(dtype: DType) -> Option<(u32, bool)> {
    let is_signed = matches!(dtype, DType::QInt8 | DType::QInt16 | DType::QInt32);
    dtype.is_quantized().then(|| (dtype.element_size() as u32 * 8, is_signed))
}

impl Encoding {
    /// An encoding of all values that a tag has; what means nothing to it is left out.
    pub fn new(dtype: DType, zero_offset: i32, step_size: f32) -> Self {
        match stored(dtype) {
            Some((bits, _)) => Encoding { dtype, bits, is_symmetric: false, steps: Steps::One(zero_offset, step_size) },
            None => Encoding::plain(dtype),
        }
    }

    /// An encoding without quantization.
    pub fn plain(dtype: DType) -> Self {
        Encoding { dtype, bits: 0, is_symmetric: false, steps: Steps::One(0, 0.0) }
    }

    /// An encoding of integers in 4, 8, 16 or 32 bits; none where no tag has such elements. The least of symmetric ones is the negative of the
    /// largest.
    pub fn of_integers(bits: u32, is_signed: bool, is_symmetric: bool) -> Option<Self> {
        let dtype = match (bits, is_signed) {
            (4 | 8, false) => DType::QUInt8,
            (4 | 8, true) => DType::QInt8,
            (16, false) => DType::QUInt16,
            (16, true) => DType::QInt16,
            (32, true) => DType::QInt32,
            _ => return None,
        };
        let is_symmetric = is_symmetric && is_signed;
        Some(Encoding { bits, is_symmetric, ..Encoding::new(dtype, 0, 1.0) })
    }

    /// The same values with another zero offset and step size.
    pub fn with_step(self, zero_offset: i32, step_size: f32) -> Self {
        Encoding { steps: Steps::One(zero_offset, step_size), ..self }
    }

    /// The same values with a quantization for each index along a dimension.
    pub fn with_channels(self, channels: Channels) -> Self {
        Encoding { steps: Steps::Several(Arc::new(channels)), ..self }
    }

    /// Whether tensors of these extents can have it: steps are above 0, zero offsets are values of the elements, and there is one for each
    /// index.
    pub fn is_valid(&self, dims: &[u64]) -> bool {
        let Some((least, most)) = self.limits() else { return self.dtype != DType::Unknown };
        let fits =
            |(zero, step): &(i32, f32)| *step > 0.0 && step.is_finite() && (least..=most).contains(&i64::from(*zero));
        let all = match &self.steps {
            Steps::One(zero, step) => fits(&(*zero, *step)),
            Steps::Several(of) => of.each.iter().all(fits),
        };
        all && self.has_channels_of(dims)
    }

    /// Whether there is a quantization for each index of a tensor of these extents, if there are several.
    pub fn has_channels_of(&self, dims: &[u64]) -> bool {
        let is_one_each = |of: &Channels| dims.get(of.axis).is_some_and(|extent| *extent == of.each.len() as u64);
        self.channels().is_none_or(is_one_each)
    }

    /// The least and the largest value of the elements; none where the type is not quantized.
    pub fn limits(&self) -> Option<(i64, i64)> {
        let (_, is_signed) = stored(self.dtype)?;
        let count = 1i64 << self.bits;
        Some(match is_signed {
            true => (i64::from(self.is_symmetric) - count / 2, count / 2 - 1),
            false => (0, count - 1),
        })
    }

    /// The type of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Bits of the values of a quantized type.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Whether the least value is the negative of the largest.
    pub fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// Quantizations of the indices along a dimension, if each has one of its own.
    pub fn channels(&self) -> Option<&Channels> {
        match &self.steps {
            Steps::One(..) => None,
            Steps::Several(channels) => Some(channels),
        }
    }

    /// The element that stands for 0; none where indices have different ones.
    pub fn zero_offset(&self) -> Option<i32> {
        match &self.steps {
            Steps::One(zero, _) => Some(*zero),
            Steps::Several(of) => {
                let (first, rest) = of.each.split_first()?;
                rest.iter().all(|other| other.0 == first.0).then_some(first.0)
            }
        }
    }

    /// The difference between neighbouring elements; none where each index along a dimension has its own.
    pub fn step_size(&self) -> Option<f32> {
        match &self.steps {
            Steps::One(_, step) => Some(*step),
            Steps::Several(_) => None,
        }
    }

    /// The largest difference between neighbouring elements.
    pub fn largest_step(&self) -> f32 {
        match &self.steps {
            Steps::One(_, step) => *step,
            Steps::Several(of) => of.each.iter().map(|(_, step)| *step).fold(0.0, f32::max),
        }
    }

    /// The encoding of the part of a tensor that begins at `start` and has these extents.
    pub fn sliced(&self, start: &[u64], extents: &[u64]) -> Option<Self> {
        let Some(Channels { axis, each }) = self.channels() else { return Some(self.clone()) };
        let begin = usize::try_from(*start.get(*axis)?).ok()?;
        let end = begin.checked_add(usize::try_from(*extents.get(*axis)?).ok()?)?;
        let each = each.get(begin..end)?.to_vec();
        Some(self.clone().with_channels(Channels { axis: *axis, each }))
    }

    /// The encoding of a tensor with its dimensions in another order.
    pub fn transposed(&self, permutation: &[usize]) -> Option<Self> {
        let Some(Channels { axis, each }) = self.channels() else { return Some(self.clone()) };
        let axis = permutation.iter().position(|from| from == axis)?;
        Some(self.clone().with_channels(Channels { axis, each: each.clone() }))
    }

    /// The encoding of a tensor in another shape; none where the dimension of its channels is none there.
    pub fn reshaped(&self, from: &[u64], to: &[u64]) -> Option<Self> {
        let Some(Channels { axis, each }) = self.channels() else { return Some(self.clone()) };
        let before = |dims: &[u64], axis: usize| dims.iter().take(axis).product::<u64>();
        let extent = *from.get(*axis)?;
        let is_same = |at: &usize| to[*at] == extent && before(to, *at) == before(from, *axis);
        let axis = (0..to.len()).find(is_same)?;
        Some(self.clone().with_channels(Channels { axis, each: each.clone() }))
    }

    /// The encoding of tensors one behind the other along a dimension; none where they have none in common.
    pub fn concatenated(parts: &[Self], axis: usize) -> Option<Self> {
        let (first, rest) = parts.split_first()?;
        if rest.iter().all(|part| part == first) && first.channels().is_none_or(|of| of.axis != axis) {
            return Some(first.clone());
        }
        let same_values = |part: &Self| Encoding { steps: first.steps.clone(), ..part.clone() } == *first;
        let along = |part: &Self| part.channels().filter(|of| of.axis == axis).map(|of| of.each.clone());
        let each = parts.iter().map(along).collect::<Option<Vec<_>>>().filter(|_| rest.iter().all(same_values))?;
        Some(first.clone().with_channels(Channels { axis, each: each.concat() }))
    }
}

/// As cases of rules write it: `QUInt8(128, 0.5)`; with fewer values `QInt4(0, 0.5)` and `QInt8<-127:127>(0, 0.5)`, and for each index along dimension 3
/// `QInt8(0 0, 0.5 0.25 along 3)`.
impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((least, most)) = self.limits() else { return write!(f, "{}", self.dtype) };
        f.write_str(if least < 0 { "QInt" } else { "QUInt" })?;
        write!(f, "{}", self.bits)?;
        if self.is_symmetric {
            write!(f, "<{least}:{most}>")?;
        }
        match &self.steps {
            Steps::One(zero, step) => write!(f, "({zero}, {step:?})"),
            Steps::Several(of) => {
                let zeros: Vec<String> = of.each.iter().map(|(zero, _)| zero.to_string()).collect();
                let steps: Vec<String> = of.each.iter().map(|(_, step)| format!("{step:?}")).collect();
                write!(f, "({}, {} along {})", zeros.join(" "), steps.join(" "), of.axis)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn per_channel(axis: usize, steps: &[f32]) -> Encoding {
        let each = steps.iter().map(|step| (0, *step)).collect();
        Encoding::new(DType::QInt8, 0, 1.0).with_channels(Channels { axis, each })
    }

    #[test]
    fn values_are_those_of_the_tag_or_fewer() {
        let limits = |bits, is_signed, is_symmetric| {
            let encoding = Encoding::of_integers(bits, is_signed, is_symmetric)?;
            Some((encoding.dtype(), encoding.limits()?))
        };
        assert_eq!(limits(4, true, false), Some((DType::QInt8, (-8, 7))));
        assert_eq!(limits(4, true, true), Some((DType::QInt8, (-7, 7))));
        assert_eq!(limits(4, false, true), Some((DType::QUInt8, (0, 15))));
        assert_eq!(limits(16, true, false), Some((DType::QInt16, (-32768, 32767))));
        assert_eq!(limits(32, true, true), Some((DType::QInt32, (-2_147_483_647, 2_147_483_647))));
        assert_eq!((limits(32, false, false), limits(5, true, false)), (None, None));
        let four = |zero| Encoding::of_integers(4, true, false).unwrap().with_step(zero, 0.5);
        assert!(four(7).is_valid(&[]) && !four(8).is_valid(&[]) && four(-8).is_valid(&[]));
    }

    #[test]
    fn channels_are_as_many_as_their_dimension_has() {
        let encoding = per_channel(1, &[0.5, 0.25]);
        assert!(encoding.is_valid(&[3, 2]) && !encoding.is_valid(&[2, 3]) && !encoding.is_valid(&[2]));
        assert!(!per_channel(0, &[0.5, 0.0]).is_valid(&[2]));
        assert_eq!((encoding.zero_offset(), encoding.step_size(), encoding.largest_step()), (Some(0), None, 0.5));
    }

    #[test]
    fn channels_go_where_elements_go() {
        let encoding = per_channel(1, &[0.5, 0.25, 0.125]);
        assert_eq!(encoding.sliced(&[0, 1], &[2, 2]), Some(per_channel(1, &[0.25, 0.125])));
        assert_eq!(encoding.sliced(&[0, 2], &[2, 2]), None);
        assert_eq!(encoding.transposed(&[2, 0, 1]), Some(per_channel(2, &[0.5, 0.25, 0.125])));
        assert_eq!(encoding.reshaped(&[2, 3, 4], &[2, 1, 3, 2, 2]), Some(per_channel(2, &[0.5, 0.25, 0.125])));
        assert_eq!(encoding.reshaped(&[2, 3, 4], &[6, 4]), None);
        let parts = [per_channel(0, &[0.5]), per_channel(0, &[0.25])];
        assert_eq!(Encoding::concatenated(&parts, 0), Some(per_channel(0, &[0.5, 0.25])));
        assert_eq!(Encoding::concatenated(&parts, 1), None);
        assert_eq!(Encoding::concatenated(&[encoding.clone(), encoding.clone()], 0), Some(encoding));
    }
}
