//! Integers that C++ computes: `1 << 4`, `ShapedType::kDynamic`, `std::numeric_limits<int32_t>::max()`.

use super::{
    evaluate,
    expression::parse,
    integer::{Number, named},
};

/// The number that a constant expression is; none if it has parts that are not known.
pub fn number(code: &str) -> Option<i128> {
    evaluate::constant(&parse(code).ok()?).map(|number| number.value)
}

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

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn what_cpp_computes_is_a_number() {
        let cases = [
            ("1 << 4", Some(16)),
            ("(1 << 4) | 3", Some(19)),
            ("0x10 + 2 * 3", Some(22)),
            ("-(7 / 2)", Some(-3)),
            ("::mlir::ShapedType::kDynamic", Some(i64::MIN.into())),
            ("std::numeric_limits<int32_t>::max()", Some(2_147_483_647)),
            ("::std::numeric_limits<int8_t>::lowest() - 1", Some(-129)),
            ("std::numeric_limits<std::uint64_t>::max()", Some(u64::MAX.into())),
            ("INT64_MIN", Some(i64::MIN.into())),
            ("1 / 0", None),
            ("1 << 100", None),
            ("1 << 40", None),
            ("1L << 40", Some(1 << 40)),
            ("017 + 0b1", Some(16)),
            ("-1u", Some(u32::MAX.into())),
            ("-7 / 2 * 10 + -7 % 2", Some(-31)),
            ("2147483647 + 1", None),
            ("2147483647u + 1 > 0 ? 'a' : 2", Some(97)),
            ("static_cast<uint8_t>(300) ^ 1", Some(45)),
            ("std::numeric_limits<float>::max()", None),
            ("kSomething", None),
            ("foo(1)", None),
        ];
        for (code, expected) in cases {
            assert_eq!(number(code), expected, "{code}");
        }
    }
}
