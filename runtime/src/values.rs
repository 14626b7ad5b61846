//! Between which numbers the whole numbers of a tensor lie: what compiled code relies on, and what variables are checked for.

use crate::storage::Storage;
use crate::view::View;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The least and the greatest that elements may be; all are whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub struct Values {
    /// The least.
    pub least: i64,
    /// The greatest.
    pub most: i64,
}

impl Values {
    /// Those of a tensor; none where its elements are no whole numbers of 64 bits with sign, or there are none.
    pub fn of(view: &View<'_>) -> Option<Values> {
        numbers(view)?.fold(None, |known: Option<Values>, number| {
            let Values { least, most } = known.unwrap_or(Values { least: number, most: number });
            Some(Values { least: least.min(number), most: most.max(number) })
        })
    }

    /// All numbers that have as many bits, with a sign only where these have one: so there is room for other values of the same kind.
    pub fn of_bits(self) -> Values {
        let magnitude = self.most.max(!self.least).max(0);
        let most = i64::MAX.checked_shr(magnitude.leading_zeros().saturating_sub(1)).filter(|_| magnitude > 0);
        let most = most.unwrap_or(0);
        Values { least: if self.least < 0 { !most } else { 0 }, most }
    }

    /// The first element of a tensor that is none of these, with its number in the order in which they lie.
    pub fn outside(self, view: &View<'_>) -> Option<(usize, i64)> {
        numbers(view)?.enumerate().find(|(_, number)| !(self.least..=self.most).contains(number))
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.least, self.most)
    }
}

/// The elements of a tensor, if they are whole numbers.
fn numbers<'a>(view: &View<'a>) -> Option<Box<dyn Iterator<Item = i64> + 'a>> {
    let bytes = view.bytes();
    Some(match view.storage() {
        Storage::I8 => Box::new(of_size(bytes).map(|bits| i8::from_ne_bytes(bits).into())),
        Storage::U8 => Box::new(of_size(bytes).map(|bits| u8::from_ne_bytes(bits).into())),
        Storage::I16 => Box::new(of_size(bytes).map(|bits| i16::from_ne_bytes(bits).into())),
        Storage::U16 => Box::new(of_size(bytes).map(|bits| u16::from_ne_bytes(bits).into())),
        Storage::I32 => Box::new(of_size(bytes).map(|bits| i32::from_ne_bytes(bits).into())),
        Storage::U32 => Box::new(of_size(bytes).map(|bits| u32::from_ne_bytes(bits).into())),
        Storage::I64 => Box::new(of_size(bytes).map(i64::from_ne_bytes)),
        _ => return None,
    })
}

fn of_size<const SIZE: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; SIZE]> + '_ {
    bytes.chunks_exact(SIZE).filter_map(|bits| bits.try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stored::Stored;
    use crate::tensor::{Tensor, TensorData};

    fn ints(items: &[i64]) -> Tensor {
        Tensor { shape: vec![items.len()], data: TensorData::I64(items.to_vec()) }
    }

    #[test]
    fn they_are_read_in_every_form() {
        let tensor = ints(&[5, 0, 100, 7]);
        for storage in [Storage::I8, Storage::U8, Storage::I16, Storage::U16, Storage::I32, Storage::U32, Storage::I64]
        {
            let stored = Stored::of(storage, &(&tensor).into()).unwrap();
            assert_eq!(Values::of(&stored.view()), Some(Values { least: 0, most: 100 }), "{storage}");
        }
        let signed = Stored::of(Storage::I16, &(&ints(&[-300, 2])).into()).unwrap();
        assert_eq!(Values::of(&signed.view()), Some(Values { least: -300, most: 2 }));
        let reals = Tensor { shape: vec![1], data: TensorData::F32(vec![1.0]) };
        assert_eq!((Values::of(&(&ints(&[])).into()), Values::of(&(&reals).into())), (None, None));
    }

    #[test]
    fn bits_have_room_for_others() {
        for (given, expected) in [
            ((0, 0), (0, 0)),
            ((3, 5), (0, 7)),
            ((0, 128), (0, 255)),
            ((-1, -1), (-1, 0)),
            ((-128, 5), (-128, 127)),
            ((-129, 5), (-256, 255)),
            ((-3, 128), (-256, 255)),
            ((i64::MIN, 0), (i64::MIN, i64::MAX)),
            ((0, i64::MAX), (0, i64::MAX)),
        ] {
            let Values { least, most } = Values { least: given.0, most: given.1 }.of_bits();
            assert_eq!((least, most), expected, "{given:?}");
        }
    }

    #[test]
    fn what_is_outside_is_found() {
        let (tensor, values) = (ints(&[3, -4, 9]), Values { least: -4, most: 8 });
        assert_eq!(values.outside(&(&tensor).into()), Some((2, 9)));
        assert_eq!(Values { most: 9, ..values }.outside(&(&tensor).into()), None);
    }
}
