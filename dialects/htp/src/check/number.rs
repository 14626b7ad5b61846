//! Values of number constants.

/// The value of a number constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// Without `U`.
    Int(i64),
    /// With `U`.
    Size(i64),
    /// With a point or an exponent.
    Float(f32),
}

/// What is wrong with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberError {
    /// No number of C.
    Malformed,
    /// Beyond the range of its type.
    Range,
    /// A sign with `U`.
    Negative,
}

/// The value of `digits` with `sign`, and whether it is an octal constant of 8 or more.
pub fn parse(sign: Option<char>, digits: &str) -> Result<(Number, bool), NumberError> {
    let negative = sign == Some('-');
    let hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    if hexadecimal && digits.contains(['p', 'P', '.']) {
        return hexadecimal_float(negative, &digits[2..]).map(|value| (Number::Float(value), false));
    }
    if !hexadecimal && digits.contains(['.', 'e', 'E']) {
        return float(negative, digits).map(|value| (Number::Float(value), false));
    }
    let bare = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = digits[bare.len()..].to_ascii_lowercase();
    if !["", "u", "l", "ul", "lu", "ll", "ull", "llu"].contains(&suffix.as_str()) {
        return Err(NumberError::Malformed);
    }
    let octal = !hexadecimal && bare.len() > 1 && bare.starts_with('0');
    let magnitude = match () {
        () if hexadecimal => i64::from_str_radix(&bare[2..], 16),
        () if octal => i64::from_str_radix(bare, 8),
        () => bare.parse(),
    };
    let magnitude = magnitude.map_err(|error| match error.kind() {
        std::num::IntErrorKind::PosOverflow => NumberError::Range,
        _ => NumberError::Malformed,
    })?;
    let value = if negative { -magnitude } else { magnitude };
    let old = octal && magnitude >= 8;
    if suffix.contains('u') {
        return if negative { Err(NumberError::Negative) } else { Ok((Number::Size(value), old)) };
    }
    if i32::try_from(value).is_err() {
        return Err(NumberError::Range);
    }
    Ok((Number::Int(value), old))
}

fn float(negative: bool, digits: &str) -> Result<f32, NumberError> {
    let bare = digits.strip_suffix(['f', 'F']).unwrap_or(digits);
    // What Rust reads beyond C's forms: "inf", "nan" have no digit, and `.` alone never gets here.
    let plain = bare.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    let value: f32 = bare.parse().ok().filter(|_| plain).ok_or(NumberError::Malformed)?;
    if value.is_infinite() {
        return Err(NumberError::Range);
    }
    Ok(if negative { -value } else { value })
}

/// A float of hexadecimal digits, with an exponent of 2.
fn hexadecimal_float(negative: bool, digits: &str) -> Result<f32, NumberError> {
    let bare = digits.strip_suffix(['f', 'F']).unwrap_or(digits);
    let (mantissa, exponent) = bare.split_once(['p', 'P']).ok_or(NumberError::Malformed)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i32 = exponent.parse().map_err(|_| NumberError::Malformed)?;
    let mut value = 0.0f64;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16).ok_or(NumberError::Malformed)?);
    }
    if whole.is_empty() && fraction.is_empty() {
        return Err(NumberError::Malformed);
    }
    let places = i32::try_from(fraction.len()).map_err(|_| NumberError::Range)?;
    let scale = exponent.saturating_sub(places.saturating_mul(4)).clamp(-2000, 2000);
    let value = (value * f64::from(scale).exp2()) as f32;
    if value.is_infinite() {
        return Err(NumberError::Range);
    }
    Ok(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_forms_of_c() {
        let value = |sign, digits| parse(sign, digits).map(|(value, _)| value);
        assert_eq!(value(None, "1230u"), Ok(Number::Size(1230)));
        assert_eq!(value(Some('-'), "5"), Ok(Number::Int(-5)));
        assert_eq!(value(None, "0x40"), Ok(Number::Int(64)));
        assert_eq!(value(None, "3L"), Ok(Number::Int(3)));
        assert_eq!(value(Some('-'), "1.331e-2"), Ok(Number::Float(-0.01331)));
        assert_eq!(value(None, "3.5f"), Ok(Number::Float(3.5)));
        assert_eq!(value(None, ".5"), Ok(Number::Float(0.5)));
        assert_eq!(value(None, "1."), Ok(Number::Float(1.0)));
        assert_eq!(parse(None, "010"), Ok((Number::Int(8), true)));
        assert_eq!(parse(None, "07"), Ok((Number::Int(7), false)));
        assert_eq!(parse(None, "0"), Ok((Number::Int(0), false)));
    }

    #[test]
    fn refuses_what_c_has_not() {
        for digits in ["089", "1x", "1f", "0xg", "1.2.3", "1e", "5uu", "0x", "1.0L"] {
            assert_eq!(parse(None, digits), Err(NumberError::Malformed), "{digits}");
        }
        for digits in ["2147483648", "99999999999999999999", "1e99", "99999999999999999999u"] {
            assert_eq!(parse(None, digits), Err(NumberError::Range), "{digits}");
        }
        assert_eq!(parse(Some('-'), "1u"), Err(NumberError::Negative));
        assert_eq!(parse(Some('-'), "2147483648"), Ok((Number::Int(-2_147_483_648), false)));
    }
}
