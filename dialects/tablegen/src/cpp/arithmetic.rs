//! Integers that C++ computes: `1 << 4`, `ShapedType::kDynamic`, `std::numeric_limits<int32_t>::max()`.

use super::expression::{Expression, parse};

/// The number that a constant expression is; none if it has parts that are not known.
pub fn number(code: &str) -> Option<i128> {
    value(&parse(code).ok()?)
}

fn value(expression: &Expression) -> Option<i128> {
    match expression {
        Expression::Integer(number) => Some((*number).into()),
        Expression::Name(name) if name == "kDynamic" => Some(i64::MIN.into()),
        Expression::Name(name) => limit(name),
        Expression::Call { function, templates, arguments } if arguments.is_empty() => match templates.as_slice() {
            [class] => limit_of(class, function),
            _ => None,
        },
        Expression::Unary { operator: '-', operand } => value(operand)?.checked_neg(),
        Expression::Unary { operator: '~', operand } => Some(!value(operand)?),
        Expression::Binary { operator, left, right } => {
            let (left, right) = (value(left)?, value(right)?);
            match operator.as_str() {
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "*" => left.checked_mul(right),
                "/" => left.checked_div(right),
                "%" => left.checked_rem(right),
                "&" => Some(left & right),
                "|" => Some(left | right),
                // Of `int`, which C++ has no wider result for.
                "<<" => u32::try_from(right).ok().filter(|by| *by < 64).and_then(|by| left.checked_shl(by)),
                ">>" => u32::try_from(right).ok().and_then(|by| left.checked_shr(by)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What `std::numeric_limits<class>::function()` is.
pub fn limit_of(class: &str, function: &str) -> Option<i128> {
    let class = if class == "int" { "int32_t" } else { class };
    let end = match function {
        "max" => "MAX",
        "min" | "lowest" => "MIN",
        _ => return None,
    };
    limit(&format!("{}_{end}", class.strip_suffix("_t")?.to_uppercase()))
}

/// `INT32_MAX` and its like.
fn limit(name: &str) -> Option<i128> {
    let (class, end) = name.split_once('_')?;
    let (is_signed, width) = match class.strip_prefix("UINT") {
        Some(width) => (false, width),
        None => (true, class.strip_prefix("INT")?),
    };
    let width: u32 = width.parse().ok().filter(|width| matches!(width, 8 | 16 | 32 | 64))?;
    match (end, is_signed) {
        ("MAX", true) => Some((1 << (width - 1)) - 1),
        ("MAX", false) => Some((1 << width) - 1),
        ("MIN", true) => Some(-(1 << (width - 1))),
        ("MIN", false) => Some(0),
        _ => None,
    }
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
            ("std::numeric_limits<float>::max()", None),
            ("kSomething", None),
            ("foo(1)", None),
        ];
        for (code, expected) in cases {
            assert_eq!(number(code), expected, "{code}");
        }
    }
}
