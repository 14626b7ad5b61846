//! The types of elements of ONNX, and what they are here.

use half::{bf16, f16};
use skriptnd_syntax::build::Element;

/// A type of elements, by the names and numbers of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ElementType {
    Float,
    Uint8,
    Int8,
    Uint16,
    Int16,
    Int32,
    Int64,
    String,
    Bool,
    Float16,
    Double,
    Uint32,
    Uint64,
    Complex64,
    Complex128,
    Bfloat16,
    Float8E4M3Fn,
    Float8E4M3FnUz,
    Float8E5M2,
    Float8E5M2FnUz,
    Uint4,
    Int4,
    Float4E2M1,
    Float8E8M0,
    Uint2,
    Int2,
}

/// The reals of a type with few bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Bits of the mantissa.
    pub mantissa: i64,
    /// Exponent of the least number whose mantissa has all its bits.
    pub least: i64,
    /// The greatest number.
    pub most: f64,
    /// Whether there are infinities.
    pub is_infinite: bool,
}

use ElementType::*;

/// All of them with their numbers in the format, names, and bits of an element.
const TYPES: [(ElementType, i32, &str, usize); 26] = [
    (Float, 1, "float", 32),
    (Uint8, 2, "uint8", 8),
    (Int8, 3, "int8", 8),
    (Uint16, 4, "uint16", 16),
    (Int16, 5, "int16", 16),
    (Int32, 6, "int32", 32),
    (Int64, 7, "int64", 64),
    (String, 8, "string", 0),
    (Bool, 9, "bool", 8),
    (Float16, 10, "float16", 16),
    (Double, 11, "double", 64),
    (Uint32, 12, "uint32", 32),
    (Uint64, 13, "uint64", 64),
    (Complex64, 14, "complex64", 64),
    (Complex128, 15, "complex128", 128),
    (Bfloat16, 16, "bfloat16", 16),
    (Float8E4M3Fn, 17, "float8e4m3fn", 8),
    (Float8E4M3FnUz, 18, "float8e4m3fnuz", 8),
    (Float8E5M2, 19, "float8e5m2", 8),
    (Float8E5M2FnUz, 20, "float8e5m2fnuz", 8),
    (Uint4, 21, "uint4", 4),
    (Int4, 22, "int4", 4),
    (Float4E2M1, 23, "float4e2m1", 4),
    (Float8E8M0, 24, "float8e8m0", 8),
    (Uint2, 25, "uint2", 2),
    (Int2, 26, "int2", 2),
];

impl ElementType {
    /// The one of a number of the format.
    pub fn of(number: i32) -> Option<ElementType> {
        TYPES.iter().find(|(_, of, ..)| *of == number).map(|(element, ..)| *element)
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<ElementType> {
        TYPES.iter().find(|(_, _, of, _)| *of == name).map(|(element, ..)| *element)
    }

    /// Its number in the format.
    pub fn number(self) -> i32 {
        self.row().1
    }

    fn row(self) -> &'static (ElementType, i32, &'static str, usize) {
        TYPES.iter().find(|(element, ..)| *element == self).unwrap_or(&TYPES[0])
    }

    /// What ONNX calls it.
    pub fn name(self) -> &'static str {
        self.row().2
    }

    /// Bits of an element; 0 of strings.
    pub fn bits(self) -> usize {
        self.row().3
    }

    /// What its elements are in the language; none for those that it has not.
    pub fn language(self) -> Option<Element> {
        match self {
            String | Complex64 | Complex128 => None,
            Bool => Some(Element::Bool),
            _ if self.integers().is_some() => Some(Element::Int),
            _ => Some(Element::Real),
        }
    }

    /// The reals that it has, where they are fewer than the language's.
    pub fn grid(self) -> Option<Grid> {
        let grid = |mantissa, least, most, is_infinite| Some(Grid { mantissa, least, most, is_infinite });
        match self {
            Float16 => grid(10, -14, 65504.0, true),
            Bfloat16 => grid(7, -126, 3.389_531_389_251_535_5e38, true),
            Float8E4M3Fn => grid(3, -6, 448.0, false),
            Float8E4M3FnUz => grid(3, -7, 240.0, false),
            Float8E5M2 => grid(2, -14, 57344.0, true),
            Float8E5M2FnUz => grid(2, -15, 57344.0, false),
            Float4E2M1 => grid(1, 0, 6.0, false),
            _ => None,
        }
    }

    /// The number of a type of 16 bits that is nearest to a real; the real itself as any other.
    pub fn nearest(self, real: f64) -> f64 {
        match self {
            Float16 => f16::from_f64(real).to_f64(),
            Bfloat16 => bf16::from_f64(real).to_f64(),
            _ => real,
        }
    }

    /// Bits and sign of whole numbers.
    pub fn integers(self) -> Option<(u32, bool)> {
        match self {
            Uint8 | Uint16 | Uint32 | Uint64 | Uint4 | Uint2 => Some((self.bits() as u32, false)),
            Int8 | Int16 | Int32 | Int64 | Int4 | Int2 => Some((self.bits() as u32, true)),
            _ => None,
        }
    }

    /// Whether it has fractions.
    pub fn is_real(self) -> bool {
        self.language() == Some(Element::Real)
    }

    /// The name of the storage that takes its elements as they are, where it is not what the language's own type is.
    pub fn storage(self) -> Option<&'static str> {
        match self {
            Uint8 => Some("u8"),
            Int8 => Some("i8"),
            Uint16 => Some("u16"),
            Int16 => Some("i16"),
            Int32 => Some("i32"),
            Uint32 => Some("u32"),
            Uint64 => Some("u64"),
            Float16 => Some("f16"),
            Bfloat16 => Some("bf16"),
            Double => Some("f64"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_format() {
        assert_eq!(ElementType::of(10), Some(Float16));
        assert_eq!((ElementType::of(0), ElementType::of(27)), (None, None));
        for (at, (_, number, ..)) in TYPES.iter().enumerate() {
            assert_eq!(*number, at as i32 + 1);
        }
        assert_eq!((Int4.integers(), Bool.integers(), Float.integers()), (Some((4, true)), None, None));
    }

    #[test]
    fn halves_go_to_even_numbers() {
        assert_eq!([2049.0, 2051.0, 65519.0].map(|real| Float16.nearest(real)), [2048.0, 2052.0, 65504.0]);
        assert_eq!([257.0, 259.0].map(|real| Bfloat16.nearest(real)), [256.0, 260.0]);
        assert_eq!((Float.nearest(0.1), Float16.nearest(65520.0)), (0.1, f64::INFINITY));
    }

    #[test]
    fn grids_are_of_reals_with_few_bits() {
        assert_eq!((Float.grid(), Double.grid(), Int8.grid()), (None, None, None));
        for element in [Float16, Bfloat16, Float8E4M3Fn, Float8E4M3FnUz, Float8E5M2, Float8E5M2FnUz, Float4E2M1] {
            let grid = element.grid().unwrap();
            // The greatest number has all bits of its mantissa, or all but the last where that is no number.
            let steps = grid.most / (grid.most.log2().floor() - grid.mantissa as f64).exp2();
            assert_eq!(steps.fract(), 0.0, "{element:?}");
        }
    }
}
