//! Forms in which tensors lie in memory: a model computes with `real`, `int` and `bool`, and takes and gives them with fewer or
//! more bits where it is asked to.

use crate::tensor::{ElementType, TensorData};
use half::{bf16, f16};
use std::fmt;
use std::str::FromStr;

/// How elements lie in memory where a model takes or gives them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Storage {
    /// Whole numbers from -128 to 127.
    I8,
    /// Whole numbers from 0 to 255.
    U8,
    /// Whole numbers from -32768 to 32767.
    I16,
    /// Whole numbers from 0 to 65535.
    U16,
    /// Whole numbers of 32 bits with sign.
    I32,
    /// Whole numbers of 32 bits without sign.
    U32,
    /// Whole numbers of 64 bits with sign: what `int` is computed with.
    I64,
    /// Whole numbers of 64 bits without sign. They are computed with as the numbers with sign of the same bits: what is from
    /// 2^63 on is negative in the model.
    U64,
    /// Floating-point numbers of IEEE 754 with 16 bits.
    F16,
    /// The upper halves of floating-point numbers with 32 bits.
    BF16,
    /// Floating-point numbers of IEEE 754 with 32 bits: what `real` is computed with.
    F32,
    /// Floating-point numbers of IEEE 754 with 64 bits.
    F64,
    /// Truth values, one byte each, 0 or 1.
    Bool,
}

/// All of them, by their names.
pub const STORAGES: [(&str, Storage); 13] = [
    ("i8", Storage::I8),
    ("u8", Storage::U8),
    ("i16", Storage::I16),
    ("u16", Storage::U16),
    ("i32", Storage::I32),
    ("u32", Storage::U32),
    ("i64", Storage::I64),
    ("u64", Storage::U64),
    ("f16", Storage::F16),
    ("bf16", Storage::BF16),
    ("f32", Storage::F32),
    ("f64", Storage::F64),
    ("bool", Storage::Bool),
];

impl From<ElementType> for Storage {
    /// As elements are computed with.
    fn from(element_type: ElementType) -> Self {
        match element_type {
            ElementType::F32 => Storage::F32,
            ElementType::I64 => Storage::I64,
            ElementType::Bool => Storage::Bool,
        }
    }
}

impl Storage {
    /// The name.
    pub fn name(self) -> &'static str {
        STORAGES.iter().find(|(_, storage)| *storage == self).map_or("", |(name, _)| name)
    }

    /// Bytes per element, which are also what elements are aligned to.
    pub fn size(self) -> usize {
        match self {
            Storage::I8 | Storage::U8 | Storage::Bool => 1,
            Storage::I16 | Storage::U16 | Storage::F16 | Storage::BF16 => 2,
            Storage::I32 | Storage::U32 | Storage::F32 => 4,
            Storage::I64 | Storage::U64 | Storage::F64 => 8,
        }
    }

    /// The type of elements that are computed with as they lie; none if they are converted.
    pub fn element_type(self) -> Option<ElementType> {
        match self {
            Storage::F32 => Some(ElementType::F32),
            Storage::I64 => Some(ElementType::I64),
            Storage::Bool => Some(ElementType::Bool),
            _ => None,
        }
    }

    /// Whether elements of a type can be stored so: numbers of 32 bits and more are not all `real`.
    pub fn holds(self, element_type: ElementType) -> bool {
        use Storage::{BF16, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
        match element_type {
            ElementType::F32 => matches!(self, I8 | U8 | I16 | U16 | F16 | BF16 | F32 | F64),
            ElementType::I64 => matches!(self, I8 | U8 | I16 | U16 | I32 | U32 | I64 | U64),
            ElementType::Bool => self == Storage::Bool,
        }
    }

    /// A number of those that 8 bits hold, where it has whole numbers only, by one from 0 to 1; none for other storage.
    pub fn whole(self, unit: f64) -> Option<f32> {
        let (least, most) = self.range()?;
        let (least, most) = if least < 0 { (least.max(-128), most.min(127)) } else { (least, most.min(255)) };
        Some((least as f64 + (unit * (most - least + 1) as f64).floor()).min(most as f64) as f32)
    }

    /// The least and the greatest of the whole numbers that it has; none if it has others, too, or all.
    pub fn range(self) -> Option<(i64, i64)> {
        match self {
            Storage::I8 => Some((i8::MIN.into(), i8::MAX.into())),
            Storage::U8 => Some((0, u8::MAX.into())),
            Storage::I16 => Some((i16::MIN.into(), i16::MAX.into())),
            Storage::U16 => Some((0, u16::MAX.into())),
            Storage::I32 => Some((i32::MIN.into(), i32::MAX.into())),
            Storage::U32 => Some((0, u32::MAX.into())),
            _ => None,
        }
    }

    /// The bits of a whole number.
    ///
    /// # Errors
    /// Where it has none.
    pub(crate) fn int(self, value: i64) -> Result<i64, String> {
        match self.range() {
            Some((least, most)) if !(least..=most).contains(&value) => {
                Err(format!("{value} is no {self}: those go from {least} to {most}"))
            }
            _ => Ok(value),
        }
    }

    /// The bits of a real number, which is rounded to the nearest one where it is stored with a fraction.
    ///
    /// # Errors
    /// Where it has none.
    pub(crate) fn real(self, value: f32) -> Result<i64, String> {
        match self {
            Storage::F16 => Ok(f16::from_f32(value).to_bits().into()),
            Storage::BF16 => Ok(bf16::from_f32(value).to_bits().into()),
            Storage::F32 => Ok(value.to_bits().into()),
            Storage::F64 => Ok(f64::from(value).to_bits() as i64),
            // A negative zero would come back without its sign, which nothing but a quotient tells.
            _ if value.fract() == 0.0 => self.int(value as i64),
            _ => Err(format!("{value} is no {self}: those are whole numbers")),
        }
    }

    /// The real number of some bits.
    pub(crate) fn to_real(self, bits: u64) -> f32 {
        match self {
            Storage::F16 => f16::from_bits(bits as u16).to_f32(),
            Storage::BF16 => bf16::from_bits(bits as u16).to_f32(),
            Storage::F32 => f32::from_bits(bits as u32),
            Storage::F64 => f64::from_bits(bits) as f32,
            _ => self.to_int(bits) as f32,
        }
    }

    /// The whole number of some bits, of which those beyond its size count for nothing.
    pub(crate) fn to_int(self, bits: u64) -> i64 {
        match self {
            Storage::I8 => (bits as i8).into(),
            Storage::U8 | Storage::Bool => (bits as u8).into(),
            Storage::I16 => (bits as i16).into(),
            Storage::U16 => (bits as u16).into(),
            Storage::I32 => (bits as i32).into(),
            Storage::U32 => (bits as u32).into(),
            _ => bits as i64,
        }
    }

    /// What elements are after they were stored, that a model takes.
    ///
    /// # Errors
    /// The first one that can't be.
    pub fn round(self, data: &mut TensorData) -> Result<(), String> {
        match data {
            TensorData::F32(items) => items.iter_mut().try_for_each(|item| {
                *item = self.to_real(self.real(*item)? as u64);
                Ok(())
            }),
            TensorData::I64(items) => items.iter().try_for_each(|item| self.int(*item).map(drop)),
            TensorData::Bool(_) => Ok(()),
        }
    }

    /// What elements are after they were stored, that a model gives: whole numbers lose the bits that there are no places for, as
    /// in C, real numbers what is behind the point before.
    pub fn wrap(self, data: &mut TensorData) {
        match data {
            TensorData::F32(items) => items.iter_mut().for_each(|item| {
                *item = match self.real(*item) {
                    Ok(bits) => self.to_real(bits as u64),
                    Err(_) => self.to_int(*item as i64 as u64) as f32,
                }
            }),
            TensorData::I64(items) => items.iter_mut().for_each(|item| *item = self.to_int(*item as u64)),
            TensorData::Bool(_) => {}
        }
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Storage {
    type Err = String;

    fn from_str(text: &str) -> Result<Storage, String> {
        let names = || STORAGES.map(|(name, _)| name).join(", ");
        let found = STORAGES.iter().find(|(name, _)| *name == text).map(|(_, storage)| *storage);
        found.ok_or_else(|| format!("expected one of {}, found `{text}`", names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_rounded_to_the_nearest() {
        let mut data = TensorData::F32(vec![1.001, -2.0, 70000.0]);
        Storage::F16.round(&mut data).unwrap();
        assert_eq!(data, TensorData::F32(vec![1.000_976_6, -2.0, f32::INFINITY]));
        // Those in the middle go to the one whose last bit is 0.
        let mut data = TensorData::F32(vec![2049.0, 2051.0]);
        Storage::F16.round(&mut data).unwrap();
        assert_eq!(data, TensorData::F32(vec![2048.0, 2052.0]));
        let mut data = TensorData::F32(vec![257.0, 259.0]);
        Storage::BF16.round(&mut data).unwrap();
        assert_eq!(data, TensorData::F32(vec![256.0, 260.0]));
        let mut data = TensorData::F32(vec![1.001, 1.01]);
        Storage::BF16.round(&mut data).unwrap();
        assert_eq!(data, TensorData::F32(vec![1.0, 1.007_812_5]));
    }

    #[test]
    fn what_is_given_wraps_as_in_c() {
        let wrapped = |storage: Storage, mut data: TensorData| {
            storage.wrap(&mut data);
            data
        };
        let ints = || TensorData::I64(vec![300, -1, 1 << 31, i64::MIN]);
        assert_eq!(wrapped(Storage::U8, ints()), TensorData::I64(vec![44, 255, 0, 0]));
        assert_eq!(wrapped(Storage::I32, ints()), TensorData::I64(vec![300, -1, -(1 << 31), 0]));
        assert_eq!(wrapped(Storage::U32, ints()), TensorData::I64(vec![300, 0xFFFF_FFFF, 1 << 31, 0]));
        assert_eq!(wrapped(Storage::U64, ints()), ints());
        let reals = TensorData::F32(vec![-1.5, 300.75, f32::NAN, f32::INFINITY]);
        assert_eq!(wrapped(Storage::U8, reals), TensorData::F32(vec![255.0, 44.0, 0.0, 255.0]));
        assert_eq!(wrapped(Storage::BF16, TensorData::F32(vec![257.0])), TensorData::F32(vec![256.0]));
        assert_eq!(wrapped(Storage::F64, TensorData::F32(vec![0.1])), TensorData::F32(vec![0.1]));
    }

    #[test]
    fn all_have_names_and_hold_a_type() {
        for (name, storage) in STORAGES {
            assert_eq!((name.parse(), storage.name()), (Ok(storage), name));
            let types = [ElementType::F32, ElementType::I64, ElementType::Bool];
            assert!(types.into_iter().any(|element_type| storage.holds(element_type)), "{name}");
            if let Some(element_type) = storage.element_type() {
                assert_eq!(Storage::from(element_type), storage);
            }
        }
    }
}
