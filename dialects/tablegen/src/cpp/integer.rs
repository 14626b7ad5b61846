//! The integers of C++: the types that it computes in, the conversions between them, and what constants of them are.

use std::fmt;

/// A type that C++ computes in. Narrower ones become `int` before anything is done with them. Of two, the greater one is
/// that in which C++ computes with both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Integer {
    /// `int`, of 32 bits.
    Int,
    /// `unsigned`, of 32 bits.
    Unsigned,
    /// `long`, of 64 bits; `long long` is as wide.
    Long,
    /// `unsigned long`, of 64 bits, as `size_t`.
    UnsignedLong,
}

impl Integer {
    /// The Rust type that computes as it does.
    pub fn native(self) -> &'static str {
        match self {
            Self::Int => "i32",
            Self::Unsigned => "u32",
            Self::Long => "i64",
            Self::UnsignedLong => "u64",
        }
    }

    /// A number as the type has it, which drops the bits that it has no room for.
    pub fn wrap(self, value: i128) -> i128 {
        match self {
            Self::Int => (value as i32).into(),
            Self::Unsigned => (value as u32).into(),
            Self::Long => (value as i64).into(),
            Self::UnsignedLong => (value as u64).into(),
        }
    }

    fn is_signed(self) -> bool {
        matches!(self, Self::Int | Self::Long)
    }

    fn bits(self) -> i128 {
        if matches!(self, Self::Int | Self::Unsigned) { 32 } else { 64 }
    }
}

/// The Rust type of a C++ type of integers, and the type that C++ computes with it in.
pub fn named(class: &str) -> Option<(&'static str, Integer)> {
    let words: Vec<&str> = class.split_whitespace().collect();
    let (native, r#type) = match words.join(" ").as_str() {
        "int8_t" | "char" | "signed char" => ("i8", Integer::Int),
        "int16_t" | "short" => ("i16", Integer::Int),
        "uint8_t" | "unsigned char" => ("u8", Integer::Int),
        "uint16_t" | "unsigned short" => ("u16", Integer::Int),
        "int" | "int32_t" => ("i32", Integer::Int),
        "unsigned" | "unsigned int" | "uint32_t" => ("u32", Integer::Unsigned),
        "int64_t" | "long" | "long long" | "ssize_t" | "ptrdiff_t" | "intptr_t" => ("i64", Integer::Long),
        "uint64_t" | "size_t" | "unsigned long" | "unsigned long long" | "uintptr_t" => ("u64", Integer::UnsignedLong),
        _ => return None,
    };
    Some((native, r#type))
}

/// A constant of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// What it is.
    pub value: i128,
    /// Its type.
    pub r#type: Integer,
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.value)
    }
}

impl Number {
    /// A number as a type has it.
    pub fn new(value: i128, r#type: Integer) -> Self {
        Self { value: r#type.wrap(value), r#type }
    }

    /// What an integer literal is: decimal, or by its prefix hexadecimal, octal or binary. Its type is the first that its
    /// suffix admits and that has room for it.
    ///
    /// # Errors
    /// Where it is none, or no type has room for it.
    pub fn literal(token: &str) -> Result<Self, String> {
        let (digits, is_unsigned, is_long) = suffixed(token).ok_or_else(|| format!("'{token}' is no integer"))?;
        let (radix, digits) = match digits.as_bytes() {
            [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
            [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
            [b'0', _, ..] => (8, &digits[1..]),
            _ => (10, digits),
        };
        let digits: String = digits.chars().filter(|c| *c != '\'').collect();
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            return Err(format!("'{token}' is no integer"));
        }
        let value = i128::from_str_radix(&digits, radix).map_err(|_| format!("the integer {token} is too large"))?;
        let admits = |r#type: &Integer| {
            let fits_sign = if is_unsigned { !r#type.is_signed() } else { radix != 10 || r#type.is_signed() };
            fits_sign && (!is_long || r#type.bits() == 64) && r#type.wrap(value) == value
        };
        let types = [Integer::Int, Integer::Unsigned, Integer::Long, Integer::UnsignedLong];
        let r#type = types.into_iter().find(admits).ok_or_else(|| format!("the integer {token} is too large"))?;
        Ok(Self { value, r#type })
    }

    /// It in another type.
    pub fn converted(self, r#type: Integer) -> Self {
        Self::new(self.value, r#type)
    }

    /// A value of its type, unless a signed type has no room for it, where C++ leaves open what it is.
    fn of_type(self, value: i128) -> Option<Self> {
        let wrapped = Self::new(value, self.r#type);
        (wrapped.value == value || !self.r#type.is_signed()).then_some(wrapped)
    }

    /// `-` of it.
    pub fn negated(self) -> Option<Self> {
        self.of_type(-self.value)
    }

    /// `~` of it.
    pub fn complement(self) -> Self {
        Self::new(!self.value, self.r#type)
    }

    /// What an operator makes of two numbers, other than a comparison; none where C++ leaves open what that is.
    pub fn computed(self, operator: &str, other: Self) -> Option<Self> {
        if matches!(operator, "<<" | ">>") {
            let by = u32::try_from(other.value).ok().filter(|by| i128::from(*by) < self.r#type.bits())?;
            let shifted = if operator == "<<" { self.value << by } else { self.value >> by };
            return Some(Self::new(shifted, self.r#type));
        }
        let (left, right) = self.alike(other);
        left.of_type(match operator {
            "+" => left.value + right.value,
            "-" => left.value - right.value,
            "*" => left.value.checked_mul(right.value)?,
            "/" => left.value.checked_div(right.value)?,
            "%" => left.value.checked_rem(right.value)?,
            "&" => left.value & right.value,
            "|" => left.value | right.value,
            "^" => left.value ^ right.value,
            _ => return None,
        })
    }

    /// Both in the type in which C++ computes with them.
    pub fn alike(self, other: Self) -> (Self, Self) {
        let r#type = self.r#type.max(other.r#type);
        (self.converted(r#type), other.converted(r#type))
    }
}

/// The digits of a literal, and whether its suffix says that it has no sign, and that it is long.
fn suffixed(token: &str) -> Option<(&str, bool, bool)> {
    let is_hexadecimal = token.starts_with("0x") || token.starts_with("0X");
    let is_digit = |c: char| {
        c == '\''
            || if is_hexadecimal {
                c.is_ascii_hexdigit() || matches!(c, 'x' | 'X')
            } else {
                c.is_ascii_digit() || matches!(c, 'b' | 'B')
            }
    };
    let end = token.find(|c| !is_digit(c)).unwrap_or(token.len());
    let (digits, suffix) = token.split_at(end);
    let (is_unsigned, is_long) = match suffix {
        "" => (false, false),
        "u" | "U" => (true, false),
        "l" | "L" | "ll" | "LL" | "z" | "Z" => (false, true),
        "ul" | "uL" | "Ul" | "UL" | "ull" | "uLL" | "Ull" | "ULL" | "uz" | "uZ" | "Uz" | "UZ" => (true, true),
        "lu" | "lU" | "Lu" | "LU" | "llu" | "llU" | "LLu" | "LLU" | "zu" | "zU" | "Zu" | "ZU" => (true, true),
        _ => return None,
    };
    Some((digits, is_unsigned, is_long))
}

#[cfg(test)]
mod tests {
    use super::{Integer, Number};

    #[test]
    fn literals_have_the_first_type_with_room() {
        for (token, value, r#type) in [
            ("0", 0, Integer::Int),
            ("017", 15, Integer::Int),
            ("0b101", 5, Integer::Int),
            ("1'000", 1000, Integer::Int),
            ("2147483648", 2_147_483_648, Integer::Long),
            ("0x80000000", 2_147_483_648, Integer::Unsigned),
            ("037777777777", u32::MAX.into(), Integer::Unsigned),
            ("0xFFFFFFFFFFFFFFFF", u64::MAX.into(), Integer::UnsignedLong),
            ("4294967296u", 4_294_967_296, Integer::UnsignedLong),
            ("5u", 5, Integer::Unsigned),
            ("5L", 5, Integer::Long),
            ("5ull", 5, Integer::UnsignedLong),
            ("5LU", 5, Integer::UnsignedLong),
            ("0xful", 15, Integer::UnsignedLong),
        ] {
            assert_eq!(Number::literal(token), Ok(Number { value, r#type }), "{token}");
        }
        for wrong in ["09", "0x", "0b2", "5lul", "5q", "18446744073709551616", "9223372036854775808"] {
            assert!(Number::literal(wrong).is_err(), "{wrong}");
        }
    }
}
