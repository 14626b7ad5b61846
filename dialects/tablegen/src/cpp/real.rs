//! Floating point literals of C++.

/// A floating point literal; MLIR wants a point in it, with a digit on each side.
pub fn real(value: &str) -> Option<String> {
    let value = value.trim();
    let digits = value.strip_suffix(['f', 'F']).filter(|rest| !rest.starts_with("0x")).unwrap_or(value);
    digits.parse::<f64>().ok().filter(|number| number.is_finite())?;
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, ""));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = if whole.trim_start_matches(['-', '+']).is_empty() { format!("{whole}0") } else { whole.to_string() };
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    let exponent = if exponent.is_empty() { String::new() } else { format!("e{exponent}") };
    Some(format!("{}.{fraction}{exponent}", whole.trim_start_matches('+')))
}
