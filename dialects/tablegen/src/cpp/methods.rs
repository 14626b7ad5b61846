//! Methods of the C++ classes that predicates ask, and the helpers of `skriptnd_mlir::predicate` that answer.

use super::{
    computed,
    kind::{Kind, Typed, snake_case},
};

fn boolean(code: String) -> Option<Typed> {
    Some((code, Kind::Boolean))
}

/// What types are asked, and helpers of the same name answer.
const QUESTIONS: [&str; 9] = [
    "isSignlessIntOrIndex",
    "isIntOrIndex",
    "isIntOrFloat",
    "isIntOrIndexOrFloat",
    "isSignlessIntOrFloat",
    "isSignlessIntOrIndexOrFloat",
    "isIndex",
    "hasRank",
    "hasStaticShape",
];

/// The same of numbers.
const NUMBERS: [&str; 3] = ["getRank", "getNumElements", "getNumDynamicDims"];
/// The same of numbers without a sign.
const WIDTHS: [&str; 2] = ["getIntOrFloatBitWidth", "getElementTypeBitWidth"];

/// A method of a type.
pub fn type_method(code: &str, method: &str, argument: Option<&str>) -> Option<Typed> {
    let helper = snake_case(method);
    match (method, argument) {
        ("isInteger" | "isSignlessInteger" | "isSignedInteger" | "isUnsignedInteger", argument) => {
            let width = argument.map_or("None".to_string(), |width| format!("Some({width})"));
            boolean(format!("predicate::{helper}({code}, {width})"))
        }
        ("isF16" | "isF32" | "isF64" | "isF80" | "isF128" | "isBF16", None) => {
            let width = method.trim_start_matches("isF").trim_start_matches("isBF");
            match method {
                "isBF16" => boolean(format!("predicate::is_b_float16_type({code})")),
                _ => boolean(format!("predicate::is_float({code}, {width})")),
            }
        }
        ("isSigned" | "isUnsigned" | "isSignless", None) => {
            boolean(format!("predicate::{helper}_integer({code}, None)"))
        }
        ("isFloat", None) => boolean(format!("predicate::is_float_type({code})")),
        (method, None) if QUESTIONS.contains(&method) => boolean(format!("predicate::{helper}({code})")),
        ("getWidth", None) => Some((format!("predicate::get_int_or_float_bit_width({code})"), Kind::UNSIGNED)),
        ("getElementType", None) => Some((format!("predicate::element_type({code})"), Kind::Type)),
        (method, None) if NUMBERS.contains(&method) => Some((format!("predicate::{helper}({code})"), Kind::LONG)),
        (method, None) if WIDTHS.contains(&method) => Some((format!("predicate::{helper}({code})"), Kind::UNSIGNED)),
        ("getDimSize", Some(index)) => Some((format!("predicate::get_dim_size({code}, {index})"), Kind::LONG)),
        ("isDynamicDim", Some(index)) => boolean(format!("(predicate::get_dim_size({code}, {index}) == i64::MIN)")),
        ("getShape", None) => Some((format!("predicate::get_shape({code})"), Kind::List(Kind::LONG.into()))),
        ("getTypes", None) => Some((format!("predicate::get_types({code})"), Kind::List(Kind::Type.into()))),
        _ => None,
    }
}

/// A method of an attribute that was last cast to `class`.
pub fn attribute_method(code: &str, class: &str, method: &str) -> Option<Typed> {
    let list = |function: &str, item: Kind| Some((format!("predicate::{function}({code})"), Kind::List(item.into())));
    match (class, method) {
        (_, "getType") => Some((format!("predicate::type_of_attribute({code})"), Kind::Type)),
        ("IntegerAttr" | "BoolAttr", "getInt" | "getSInt") => Some((format!("predicate::integer({code})"), Kind::LONG)),
        ("IntegerAttr", "getUInt") => Some((format!("predicate::unsigned_integer({code})"), Kind::SIZE)),
        ("IntegerAttr", "getValue") => Some((format!("predicate::integer({code})"), Kind::Bits)),
        ("BoolAttr", "getValue") => boolean(format!("(predicate::integer({code}) != 0)")),
        ("FloatAttr", "getValue" | "getValueAsDouble") => Some((format!("predicate::float({code})"), Kind::Real)),
        ("TypeAttr", "getValue") => Some((format!("predicate::type_value({code})"), Kind::Type)),
        ("StringAttr", "getValue") => Some((format!("predicate::string({code})"), Kind::Text)),
        ("ArrayAttr" | "DictionaryAttr", "size") => Some((format!("(predicate::size({code}) as u64)"), Kind::SIZE)),
        (_, "size" | "getNumElements") => Some((format!("predicate::size({code})"), Kind::LONG)),
        (_, "empty") => boolean(format!("(predicate::size({code}) == 0)")),
        ("DenseF32ArrayAttr" | "DenseF64ArrayAttr", "asArrayRef") => list("floats", Kind::Real),
        (_, "asArrayRef") => list("integers", Kind::LONG),
        _ => None,
    }
}

/// A method of a value.
pub fn value_method(code: &str, method: &str) -> Option<Typed> {
    match method {
        "getType" => Some((format!("predicate::type_of({code})"), Kind::Type)),
        "use_empty" => boolean(format!("predicate::use_empty({code})")),
        "getUses" | "getUsers" => Some((code.to_string(), Kind::Uses)),
        "hasOneUse" => boolean(format!("predicate::has_one_use({code})")),
        _ => None,
    }
}

/// A method of the uses of a value.
pub fn uses_method(code: &str, method: &str) -> Option<Typed> {
    match method {
        "empty" => boolean(format!("predicate::use_empty({code})")),
        _ => None,
    }
}

/// A method of several values.
pub fn values_method(code: &str, method: &str) -> Option<Typed> {
    match method {
        "getTypes" | "getType" => {
            let borrowed = if code.starts_with("(&") { code.to_string() } else { format!("&{code}") };
            Some((format!("predicate::types_of({borrowed})"), Kind::List(Kind::Type.into())))
        }
        "size" => Some((format!("({code}.len() as u64)"), Kind::SIZE)),
        "empty" => boolean(format!("{code}.is_empty()")),
        _ => None,
    }
}

/// A method of an operation.
pub fn operation_method(code: &str, method: &str, argument: Option<&str>) -> Option<Typed> {
    match (method, argument) {
        ("getNumOperands", None) => Some((format!("predicate::operand_count({code})"), Kind::UNSIGNED)),
        ("getNumResults", None) => Some((format!("predicate::result_count({code})"), Kind::UNSIGNED)),
        ("getOperand", Some(index)) => Some((format!("predicate::operand({code}, {index})"), Kind::Value)),
        ("getResult", Some(index)) => Some((format!("predicate::result({code}, {index})"), Kind::Value)),
        _ => None,
    }
}

/// A method of a floating point number.
pub fn real_method(code: &str, method: &str) -> Option<Typed> {
    match method {
        "convertToDouble" => Some((code.to_string(), Kind::Real)),
        "convertToFloat" => Some((format!("f64::from({code} as f32)"), Kind::Float)),
        "isZero" => boolean(format!("({code} == 0.0)")),
        "isNonZero" => boolean(format!("({code} != 0.0)")),
        "isNegative" => boolean(format!("f64::is_sign_negative({code})")),
        "isFinite" => boolean(format!("f64::is_finite({code})")),
        "isInfinity" => boolean(format!("f64::is_infinite({code})")),
        "isNaN" => boolean(format!("f64::is_nan({code})")),
        "isPosZero" => boolean(format!("(f64::to_bits({code}) == 0)")),
        "isNegZero" => boolean(format!("(f64::to_bits({code}) == f64::to_bits(-0.0))")),
        "isPosInfinity" => boolean(format!("({code} == f64::INFINITY)")),
        "isNegInfinity" => boolean(format!("({code} == f64::NEG_INFINITY)")),
        _ => None,
    }
}

/// A method of a string.
pub fn text_method(code: &str, method: &str, argument: Option<&str>) -> Option<Typed> {
    // What is no literal is a `String`.
    let text = |argument: &str| match argument.starts_with('"') {
        true => argument.to_string(),
        false => format!("{argument}.as_str()"),
    };
    match (method, argument) {
        ("starts_with" | "ends_with" | "contains", Some(argument)) => {
            boolean(format!("{code}.{method}({})", text(argument)))
        }
        ("startswith" | "endswith", Some(argument)) => {
            let method = method.replace("swith", "s_with");
            boolean(format!("{code}.{method}({})", text(argument)))
        }
        ("str", None) => Some((code.to_string(), Kind::Text)),
        _ => text_property(code, method),
    }
}

fn text_property(code: &str, method: &str) -> Option<Typed> {
    match method {
        "size" => Some((format!("({code}.len() as u64)"), Kind::SIZE)),
        "empty" => boolean(format!("{code}.is_empty()")),
        _ => None,
    }
}

/// A method of the bits of an attribute.
pub fn bits_method(code: &str, method: &str, argument: Option<&Typed>) -> Option<Typed> {
    match method {
        "eq" | "ne" => {
            let bits = (code.to_string(), Kind::Bits);
            computed::binary(if method == "eq" { "==" } else { "!=" }, &bits, argument?)
        }
        "isNegative" => boolean(format!("i64::is_negative({code})")),
        "isNonNegative" => boolean(format!("!i64::is_negative({code})")),
        "isStrictlyPositive" => boolean(format!("i64::is_positive({code})")),
        "isZero" => boolean(format!("({code} == 0)")),
        "isPowerOf2" => boolean(format!("u64::is_power_of_two({})", computed::unsigned_bits(code))),
        "getSExtValue" => Some((code.to_string(), Kind::LONG)),
        "getZExtValue" => Some((computed::unsigned_bits(code), Kind::SIZE)),
        _ => None,
    }
}

/// A method of a list of `item`s.
pub fn list_method(code: &str, item: &Kind, method: &str) -> Option<Typed> {
    match method {
        "size" => Some((format!("({code}.len() as u64)"), Kind::SIZE)),
        "empty" => boolean(format!("{code}.is_empty()")),
        "front" | "back" if item.is_integer() || item.is_real() => {
            let end = if method == "front" { "first" } else { "last" };
            Some((format!("{code}.{end}().copied().unwrap_or_default()"), item.clone()))
        }
        _ => None,
    }
}
