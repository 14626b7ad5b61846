//! Narrow forms in which a model may take tensors: their elements are those of `real` or `int`, with fewer bits.

use crate::tensor::{ElementType, TensorData};
use crate::view::View;
use half::{bf16, f16};
use std::fmt;
use std::str::FromStr;

/// How elements are stored where a model takes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
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
    /// Floating-point numbers of IEEE 754 with 16 bits.
    F16,
    /// The upper halves of floating-point numbers with 32 bits.
    BF16,
}

/// All of them, by their names.
pub const STORAGES: [(&str, Storage); 7] = [
    ("i8", Storage::I8),
    ("u8", Storage::U8),
    ("i16", Storage::I16),
    ("u16", Storage::U16),
    ("i32", Storage::I32),
    ("f16", Storage::F16),
    ("bf16", Storage::BF16),
];

impl Storage {
    /// The name.
    pub fn name(self) -> &'static str {
        STORAGES.iter().find(|(_, storage)| *storage == self).map_or("", |(name, _)| name)
    }

    /// Bytes per element.
    pub fn size(self) -> usize {
        match self {
            Storage::I8 | Storage::U8 => 1,
            Storage::I16 | Storage::U16 | Storage::F16 | Storage::BF16 => 2,
            Storage::I32 => 4,
        }
    }

    /// Whether elements of a type can be stored so: numbers of 32 bits are not all `real`.
    pub fn holds(self, element_type: ElementType) -> bool {
        match element_type {
            ElementType::F32 => self != Storage::I32,
            ElementType::I64 => !matches!(self, Storage::F16 | Storage::BF16),
            ElementType::Bool => false,
        }
    }

    /// The whole numbers that it has; none if it has others, too.
    fn range(self) -> Option<(i64, i64)> {
        match self {
            Storage::I8 => Some((i8::MIN.into(), i8::MAX.into())),
            Storage::U8 => Some((0, u8::MAX.into())),
            Storage::I16 => Some((i16::MIN.into(), i16::MAX.into())),
            Storage::U16 => Some((0, u16::MAX.into())),
            Storage::I32 => Some((i32::MIN.into(), i32::MAX.into())),
            Storage::F16 | Storage::BF16 => None,
        }
    }

    fn int(self, value: i64) -> Result<i64, String> {
        match self.range() {
            Some((least, most)) if !(least..=most).contains(&value) => {
                Err(format!("{value} is no {self}: those go from {least} to {most}"))
            }
            _ => Ok(value),
        }
    }

    /// The bits of a real number, which is rounded to the nearest one where it is stored with a fraction.
    fn real(self, value: f32) -> Result<i64, String> {
        match self {
            Storage::F16 => Ok(f16::from_f32(value).to_bits().into()),
            Storage::BF16 => Ok(bf16::from_f32(value).to_bits().into()),
            // A negative zero would come back without its sign, which nothing but a quotient tells.
            _ if value.fract() == 0.0 => self.int(value as i64),
            _ => Err(format!("{value} is no {self}: those are whole numbers")),
        }
    }

    /// What a real number is after it was stored.
    fn rounded(self, value: f32) -> Result<f32, String> {
        match self {
            Storage::F16 => Ok(f16::from_f32(value).to_f32()),
            Storage::BF16 => Ok(bf16::from_f32(value).to_f32()),
            _ => self.real(value).map(|value| value as f32),
        }
    }

    /// What elements are after they were stored.
    ///
    /// # Errors
    /// The first one that can't be.
    pub fn round(self, data: &mut TensorData) -> Result<(), String> {
        match data {
            TensorData::F32(items) => items.iter_mut().try_for_each(|item| {
                *item = self.rounded(*item)?;
                Ok(())
            }),
            TensorData::I64(items) => items.iter().try_for_each(|item| self.int(*item).map(drop)),
            TensorData::Bool(_) => Ok(()),
        }
    }

    /// The elements as they are stored.
    ///
    /// # Errors
    /// The first one that can't be.
    pub fn encode(self, view: &View<'_>, stored: &mut Stored) -> Result<(), String> {
        stored.words.clear();
        stored.size = self.size();
        stored.bytes = view.count() * self.size();
        stored.words.reserve(stored.bytes.div_ceil(8));
        match view.element_type() {
            ElementType::F32 => self.pack(view.reals().iter().map(|value| self.real(*value)), stored),
            ElementType::I64 => self.pack(view.ints().iter().map(|value| self.int(*value)), stored),
            ElementType::Bool => Err(format!("truth values are not stored as {self}")),
        }
    }

    fn pack(self, mut elements: impl Iterator<Item = Result<i64, String>>, stored: &mut Stored) -> Result<(), String> {
        let size = self.size();
        loop {
            let mut word = [0; 8];
            let mut filled = 0;
            while filled < 8 {
                let Some(element) = elements.next() else { break };
                let bytes = (element? as u64).to_le_bytes();
                word[filled..filled + size].copy_from_slice(&bytes[..size]);
                filled += size;
            }
            if filled > 0 {
                stored.words.push(u64::from_ne_bytes(word));
            }
            if filled < 8 {
                return Ok(());
            }
        }
    }
}

/// Elements as they are stored, aligned for all.
#[derive(Debug, Clone, Default)]
pub struct Stored {
    words: Vec<u64>,
    bytes: usize,
    /// Of an element.
    size: usize,
}

impl Stored {
    /// The elements of a view as they are stored.
    ///
    /// # Errors
    /// The first one that can't be.
    pub fn of(storage: Storage, view: &View<'_>) -> Result<Stored, String> {
        let mut stored = Stored::default();
        storage.encode(view, &mut stored)?;
        Ok(stored)
    }

    /// The bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        bytes.truncate(self.bytes);
        bytes
    }

    /// To what elements are aligned.
    pub fn alignment(&self) -> usize {
        self.size.max(1)
    }

    /// The first element.
    pub fn pointer(&self) -> *const std::ffi::c_void {
        self.words.as_ptr().cast()
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
    use crate::tensor::Tensor;

    fn stored(storage: Storage, data: TensorData) -> Result<Vec<u8>, String> {
        let tensor = Tensor { shape: vec![data.len()], data };
        Stored::of(storage, &View::from(&tensor)).map(|stored| stored.bytes())
    }

    #[test]
    fn elements_are_as_wide_as_their_names_say() {
        let ints = || TensorData::I64(vec![-1, 127, -128, 3, 0, 1, 2, 3, 4]);
        assert_eq!(stored(Storage::I8, ints()), Ok(vec![255, 127, 128, 3, 0, 1, 2, 3, 4]));
        assert_eq!(stored(Storage::I16, TensorData::I64(vec![-2, 256])), Ok(vec![254, 255, 0, 1]));
        assert_eq!(stored(Storage::U8, TensorData::F32(vec![255.0, 0.0])), Ok(vec![255, 0]));
        assert_eq!(stored(Storage::BF16, TensorData::F32(vec![1.0])), Ok(vec![0x80, 0x3F]));
        assert_eq!(stored(Storage::F16, TensorData::F32(Vec::new())), Ok(Vec::new()));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = |storage, data| stored(storage, data).unwrap_err();
        assert_eq!(refused(Storage::U8, TensorData::I64(vec![1, -1])), "-1 is no u8: those go from 0 to 255");
        assert_eq!(refused(Storage::I8, TensorData::F32(vec![0.5])), "0.5 is no i8: those are whole numbers");
        assert!(refused(Storage::I8, TensorData::F32(vec![f32::NAN])).starts_with("NaN is no i8"));
        assert!(refused(Storage::I16, TensorData::F32(vec![f32::INFINITY])).starts_with("inf is no i16"));
    }

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
}
