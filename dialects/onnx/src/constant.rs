//! Tensors that a model holds: elements as they are stored, little-endian, in the mapped file where they are raw.

use crate::element::ElementType;
use crate::proto::TensorProto;
use bytes::Bytes;
use half::{bf16, f16};
use skriptnd_runtime::file::{self, Items};
use skriptnd_runtime::{Tensor, TensorData};
use std::io;
use std::path::Path;

/// A tensor whose elements are known.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// What the model calls it; empty where it does not.
    pub name: String,
    /// Type of the elements.
    pub element: ElementType,
    /// Extents.
    pub shape: Vec<usize>,
    /// The elements in row-major order as the format's raw data have them; narrow ones share bytes, lowest bits first.
    pub bytes: Bytes,
}

impl Constant {
    /// Reads a tensor whose elements stand in the message, or in `external` bytes.
    ///
    /// # Errors
    /// Where its sizes do not agree, or its type is none that is known; the reason.
    pub fn read(tensor: &TensorProto, external: Option<Bytes>) -> Result<Constant, String> {
        let element = ElementType::of(tensor.data_type)
            .ok_or_else(|| format!("its elements have type {}, which the format has not", tensor.data_type))?;
        let extent = |&extent: &i64| usize::try_from(extent).map_err(|_| format!("its extent {extent} is negative"));
        let shape = tensor.dims.iter().map(extent).collect::<Result<Vec<_>, _>>()?;
        let count = shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
        let needed = count.and_then(|count| count.checked_mul(element.bits())).map(|bits| bits.div_ceil(8));
        let needed = needed.filter(|_| element.bits() > 0).ok_or("it has strings, or more elements than memory")?;
        let bytes = match external {
            Some(bytes) => bytes,
            None if !tensor.raw_data.is_empty() => tensor.raw_data.clone(),
            None => Bytes::from(typed_bytes(tensor, element)),
        };
        if bytes.len() != needed {
            return Err(format!("its shape needs {needed} bytes of elements, but there are {}", bytes.len()));
        }
        Ok(Constant { name: tensor.name.clone(), element, shape, bytes })
    }

    /// Real numbers.
    pub fn of_reals(shape: Vec<usize>, values: &[f32]) -> Constant {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Constant { name: String::new(), element: ElementType::Float, shape, bytes: bytes.into() }
    }

    /// Truth values.
    pub fn of_bools(shape: Vec<usize>, values: &[bool]) -> Constant {
        let bytes: Vec<u8> = values.iter().map(|value| u8::from(*value)).collect();
        Constant { name: String::new(), element: ElementType::Bool, shape, bytes: bytes.into() }
    }

    /// Elements that lie where somebody has them.
    pub fn of_owner(
        name: &str,
        element: ElementType,
        shape: &[usize],
        bytes: impl AsRef<[u8]> + Send + 'static,
    ) -> Constant {
        Constant { name: name.to_owned(), element, shape: shape.to_vec(), bytes: Bytes::from_owner(bytes) }
    }

    /// The elements of a tensor of the runtime.
    pub fn of_tensor(tensor: &Tensor) -> Constant {
        match &tensor.data {
            TensorData::F32(values) => Constant::of_reals(tensor.shape.clone(), values),
            TensorData::I64(values) => Constant { shape: tensor.shape.clone(), ..Constant::of_ints(values) },
            TensorData::Bool(values) => Constant::of_bools(tensor.shape.clone(), values),
        }
    }

    /// The same numbers as elements of another type.
    ///
    /// # Errors
    /// Where one is none of that type.
    pub fn converted(self, element: ElementType) -> Result<Constant, String> {
        if self.element == element {
            return Ok(self);
        }
        let lost = |value: f64| format!("{value} is no {}", element.name());
        let mut bytes = Vec::new();
        for (real, int) in self.reals().zip(self.ints()) {
            match element {
                ElementType::Float => bytes.extend((real as f32).to_le_bytes()),
                ElementType::Double => bytes.extend(real.to_le_bytes()),
                ElementType::Float16 => bytes.extend(f16::from_f64(real).to_le_bytes()),
                ElementType::Bfloat16 => bytes.extend(bf16::from_f64(real).to_le_bytes()),
                ElementType::Bool if real == 0.0 || real == 1.0 => bytes.push(u8::from(real != 0.0)),
                _ => {
                    let (bits, is_signed) =
                        element.integers().filter(|(bits, _)| *bits >= 8).ok_or_else(|| lost(real))?;
                    let fits = match (bits, is_signed) {
                        (64, true) => true,
                        (64, false) => int >= 0,
                        (bits, true) => (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(&int),
                        (bits, false) => (0..1i64 << bits).contains(&int),
                    };
                    if !fits || real.fract() != 0.0 {
                        return Err(lost(real));
                    }
                    bytes.extend(&int.to_le_bytes()[..bits as usize / 8]);
                }
            }
        }
        Ok(Constant { element, bytes: bytes.into(), ..self })
    }

    /// A vector of 64-bit integers.
    pub fn of_ints(values: &[i64]) -> Constant {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Constant { name: String::new(), element: ElementType::Int64, shape: vec![values.len()], bytes: bytes.into() }
    }

    /// How many elements there are.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// The whole numbers; of reals those that they are rounded to towards 0.
    pub fn ints(&self) -> impl Iterator<Item = i64> {
        let is_real = self.element.is_real();
        (0..self.count()).map(move |at| if is_real { self.real(at) as i64 } else { self.int(at) })
    }

    /// The elements as reals.
    pub fn reals(&self) -> impl Iterator<Item = f64> {
        let is_real = self.element.is_real();
        (0..self.count()).map(move |at| if is_real { self.real(at) } else { self.int_as_real(at) })
    }

    /// Writes the elements to a tensor file, as they are stored where the format has such elements.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let bits = self.element.bits();
        match self.element {
            ElementType::Float | ElementType::Float16 | ElementType::Double => {
                file::write_items(path, &self.shape, Items::Float, bits, &self.bytes)
            }
            ElementType::Bool => file::write_items(path, &self.shape, Items::Bool, 8, &self.bytes),
            element => match element.integers() {
                Some((8.., true)) => file::write_items(path, &self.shape, Items::Signed, bits, &self.bytes),
                Some((8.., false)) => file::write_items(path, &self.shape, Items::Unsigned, bits, &self.bytes),
                Some(_) => {
                    let bytes: Vec<u8> = self.ints().map(|value| value as u8).collect();
                    file::write_items(path, &self.shape, Items::Signed, 8, &bytes)
                }
                None => {
                    let bytes: Vec<u8> = self.reals().flat_map(|value| (value as f32).to_le_bytes()).collect();
                    file::write_items(path, &self.shape, Items::Float, 32, &bytes)
                }
            },
        }
    }

    fn int_as_real(&self, at: usize) -> f64 {
        let value = self.int(at);
        if self.element == ElementType::Uint64 { value as u64 as f64 } else { value as f64 }
    }

    fn word(&self, at: usize) -> u64 {
        let bits = self.element.bits();
        let first = at * bits / 8;
        let mut word = [0; 8];
        let size = bits.div_ceil(8).min(8);
        word[..size].copy_from_slice(&self.bytes[first..first + size]);
        let word = u64::from_le_bytes(word) >> (at * bits % 8);
        if bits < 8 { word & ((1 << bits) - 1) } else { word }
    }

    fn int(&self, at: usize) -> i64 {
        let word = self.word(at);
        match self.element.integers() {
            Some((bits, true)) if bits < 64 => {
                let unused = 64 - bits;
                ((word << unused) as i64) >> unused
            }
            _ if self.element == ElementType::Bool => i64::from(word != 0),
            _ => word as i64,
        }
    }

    fn real(&self, at: usize) -> f64 {
        let word = self.word(at);
        match self.element {
            ElementType::Float => f32::from_bits(word as u32).into(),
            ElementType::Double => f64::from_bits(word),
            ElementType::Float16 => f16::from_bits(word as u16).to_f64(),
            ElementType::Bfloat16 => bf16::from_bits(word as u16).to_f64(),
            ElementType::Float8E4M3Fn => minifloat(word, 3, 7, NotNumbers::AllOnes),
            ElementType::Float8E4M3FnUz => minifloat(word, 3, 8, NotNumbers::NegativeZero),
            ElementType::Float8E5M2 => minifloat(word, 2, 15, NotNumbers::Ieee),
            ElementType::Float8E5M2FnUz => minifloat(word, 2, 16, NotNumbers::NegativeZero),
            ElementType::Float4E2M1 => minifloat((word & 8) << 4 | (word & 7), 1, 1, NotNumbers::None),
            ElementType::Float8E8M0 if word == 255 => f64::NAN,
            ElementType::Float8E8M0 => f64::from(word as u32 as i32 - 127).exp2(),
            _ => 0.0,
        }
    }
}

/// Which patterns of bits are no numbers.
#[derive(Clone, Copy, PartialEq)]
enum NotNumbers {
    /// The greatest exponent: infinities and NaN.
    Ieee,
    /// All bits of exponent and mantissa.
    AllOnes,
    /// What would be the negative zero.
    NegativeZero,
    None,
}

/// A number of 8 bits with so many of mantissa; the exponent's bias is that of the type.
fn minifloat(word: u64, mantissa_bits: u32, bias: i32, not_numbers: NotNumbers) -> f64 {
    let sign = if word & 0x80 != 0 { -1.0 } else { 1.0 };
    let rest = word & 0x7F;
    let (exponent, mantissa) = ((rest >> mantissa_bits) as i32, (rest & ((1 << mantissa_bits) - 1)) as f64);
    let most = 0x7F >> mantissa_bits;
    match not_numbers {
        NotNumbers::Ieee if exponent == most && mantissa == 0.0 => return sign * f64::INFINITY,
        NotNumbers::Ieee if exponent == most => return f64::NAN,
        NotNumbers::AllOnes if rest == 0x7F => return f64::NAN,
        NotNumbers::NegativeZero if word == 0x80 => return f64::NAN,
        _ => {}
    }
    let scale = f64::from(1 << mantissa_bits);
    match exponent {
        0 => sign * mantissa / scale * f64::from(1 - bias).exp2(),
        _ => sign * (1.0 + mantissa / scale) * f64::from(exponent - bias).exp2(),
    }
}

/// The elements of the typed fields as raw data.
fn typed_bytes(tensor: &TensorProto, element: ElementType) -> Vec<u8> {
    match element {
        ElementType::Float => tensor.float_data.iter().flat_map(|value| value.to_le_bytes()).collect(),
        ElementType::Double => tensor.double_data.iter().flat_map(|value| value.to_le_bytes()).collect(),
        ElementType::Int64 => tensor.int64_data.iter().flat_map(|value| value.to_le_bytes()).collect(),
        ElementType::Uint64 => tensor.uint64_data.iter().flat_map(|value| value.to_le_bytes()).collect(),
        ElementType::Uint32 => tensor.uint64_data.iter().flat_map(|value| (*value as u32).to_le_bytes()).collect(),
        _ => {
            // Elements of fewer than 8 bits are packed in the bytes of the field as in raw data.
            let size = element.bits().div_ceil(8).min(4);
            tensor.int32_data.iter().flat_map(|value| value.to_le_bytes().into_iter().take(size)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(data_type: i32, dims: &[i64], bytes: &'static [u8]) -> TensorProto {
        TensorProto { data_type, dims: dims.to_vec(), raw_data: Bytes::from_static(bytes), ..TensorProto::default() }
    }

    #[test]
    fn narrow_elements_share_bytes() {
        let fours = Constant::read(&raw(22, &[3], &[0x8F, 0x01]), None).unwrap();
        assert_eq!(fours.ints().collect::<Vec<_>>(), [-1, -8, 1]);
        let unsigned = Constant::read(&raw(21, &[3], &[0x8F, 0x01]), None).unwrap();
        assert_eq!(unsigned.ints().collect::<Vec<_>>(), [15, 8, 1]);
        let pairs = Constant::read(&raw(26, &[4], &[0b11_10_01_00]), None).unwrap();
        assert_eq!(pairs.ints().collect::<Vec<_>>(), [0, 1, -2, -1]);
    }

    #[test]
    fn small_floats_are_those_of_their_grids() {
        let reals = |data_type, bytes: &'static [u8]| {
            let constant = Constant::read(&raw(data_type, &[bytes.len() as i64], bytes), None).unwrap();
            constant.reals().collect::<Vec<_>>()
        };
        assert_eq!(reals(17, &[0x38, 0xB8, 0x7E, 0x01]), [1.0, -1.0, 448.0, 0.001953125]);
        assert!(reals(17, &[0x7F])[0].is_nan() && reals(18, &[0x80])[0].is_nan() && reals(19, &[0x7E])[0].is_nan());
        assert_eq!(reals(19, &[0x7C, 0x7B, 0x3C]), [f64::INFINITY, 57344.0, 1.0]);
        assert_eq!(reals(18, &[0x40, 0x7F]), [1.0, 240.0]);
        assert_eq!(reals(24, &[127, 128]), [1.0, 2.0]);
        let four = Constant::read(&raw(23, &[4], &[0x21, 0xFF]), None).unwrap();
        assert_eq!(four.reals().collect::<Vec<_>>(), [0.5, 1.0, -6.0, -6.0]);
    }

    #[test]
    fn sizes_that_do_not_agree_are_refused() {
        let error = |tensor: &TensorProto| Constant::read(tensor, None).unwrap_err();
        assert_eq!(error(&raw(1, &[2], &[0; 4])), "its shape needs 8 bytes of elements, but there are 4");
        assert!(error(&raw(1, &[-1], &[])).contains("negative"));
        assert!(error(&raw(1, &[i64::MAX, i64::MAX], &[])).contains("more elements"));
        assert!(error(&raw(99, &[1], &[])).contains("type 99"));
        let typed = TensorProto { data_type: 5, dims: vec![2], int32_data: vec![-2, 7], ..TensorProto::default() };
        assert_eq!(Constant::read(&typed, None).unwrap().ints().collect::<Vec<_>>(), [-2, 7]);
    }
}
