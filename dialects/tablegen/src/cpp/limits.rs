//! The limits of integers: `std::numeric_limits<int32_t>::max()`, `INT32_MAX`.

use super::integer::{Number, named};

/// What `std::numeric_limits<class>::function()` is.
pub fn limit_of(class: &str, function: &str) -> Option<Number> {
    let (native, r#type) = named(class)?;
    let (is_signed, width) = (native.starts_with('i'), native[1..].parse().ok()?);
    let value = match function {
        "max" => greatest(is_signed, width),
        "min" | "lowest" => least(is_signed, width),
        _ => return None,
    };
    Some(Number { value, r#type })
}

fn greatest(is_signed: bool, width: u32) -> i128 {
    (1 << (width - u32::from(is_signed))) - 1
}

fn least(is_signed: bool, width: u32) -> i128 {
    if is_signed { -(1 << (width - 1)) } else { 0 }
}

/// `INT32_MAX` and its like.
pub fn limit(name: &str) -> Option<Number> {
    let (class, end) = name.split_once('_')?;
    let function = match end {
        "MAX" => "max",
        "MIN" => "min",
        _ => return None,
    };
    let is_known = class.strip_prefix('U').unwrap_or(class).strip_prefix("INT").is_some_and(|width| !width.is_empty());
    is_known.then(|| limit_of(&format!("{}_t", class.to_lowercase()), function)).flatten()
}
