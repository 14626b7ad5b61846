//! Predicates over floating point numbers mean what they mean in C++. What is expected was computed by hand from C++'s rules.

use skriptnd_generated::numbers;
use skriptnd_ods::mlir::{Registry, ir};

/// NaN, the infinities, the zeros, and numbers.
const NUMBERS: [(&str, &str); 9] = [
    ("nan", "0x7FF8000000000000"),
    ("-nan", "0xFFF8000000000000"),
    ("inf", "0x7FF0000000000000"),
    ("-inf", "0xFFF0000000000000"),
    ("0", "0.0"),
    ("-0", "-0.0"),
    ("0.5", "0.5"),
    ("1", "1.0"),
    ("-2", "-2.0"),
];

/// Whether an operation of the dialect is valid.
fn is_valid(name: &str, attribute: &str) -> bool {
    let mut registry = Registry::new();
    registry.add_dialect(numbers::dialect()).unwrap();
    ir::parse_module(&registry.context(), &format!("\"numbers.{name}\"() {{x = {attribute}}} : () -> ()"), "test")
        .is_ok()
}

#[test]
fn predicates_say_of_nan_what_cpp_says() {
    let cases = [
        ("not_less", "nan -nan inf 0 -0 0.5 1"),
        ("combined", "nan -nan inf 0 -0 0.5 1"),
        ("not_more", "nan -nan -inf 0 -0 -2"),
        ("not_at_most", "nan -nan inf"),
        ("not_at_least", "nan -nan -inf 0 -0 0.5 -2"),
        ("not_greater", "nan -nan -inf -2"),
        ("at_least", "inf 0 -0 0.5 1"),
        ("twice", "-inf -2"),
        ("not_both", "nan -nan inf -inf -2"),
        ("not_either", "nan -nan 0 -0 0.5 1"),
        ("not_equal", "nan -nan inf -inf 0 -0 0.5 -2"),
        ("not_unequal", "inf -inf 0 -0 0.5 1 -2"),
        ("true", "nan -nan inf -inf 0.5 1 -2"),
        ("false", "0 -0"),
        ("nan", "nan -nan"),
        ("not_nan", "inf -inf 0 -0 0.5 1 -2"),
        ("finite", "0 -0 0.5 1 -2"),
        ("sign", "-nan -inf -0 -2"),
        // The first argument, unless the second is less.
        ("minimum", "inf 1"),
        ("minimum_first", "nan -nan inf 1"),
        ("maximum", "nan -nan -inf 0 -0 0.5 1 -2"),
        ("ignoring", "nan -nan -inf 0 -0 0.5 1 -2"),
        ("whole", "0 -0 1 -2"),
        ("narrow", "0.5"),
        ("infinite", "inf"),
        ("size", "nan -nan inf -inf 1 -2"),
        ("chosen", "nan -nan inf 0 -0 0.5 1"),
    ];
    for (name, expected) in cases {
        let valid = NUMBERS.iter().filter(|(_, number)| is_valid(name, &format!("{number} : f64")));
        let valid: Vec<_> = valid.map(|(called, _)| *called).collect();
        assert_eq!(valid.join(" "), expected, "{name}");
    }
}

#[test]
fn lists_of_numbers_are_looked_into() {
    let nan = "0x7FF8000000000000";
    for (name, items, expected) in [
        ("list", "", true),
        ("list", ": 0.0, -0.0, 1.0", true),
        ("list", ": 0.0, -1.0", false),
        ("list", &format!(": {nan}, 1.0"), true),
        ("sorted", ": -1.0, 0.0, -0.0, 1.0", true),
        ("sorted", ": 1.0, 0.0", false),
        ("sorted", &format!(": 2.0, {nan}, 1.0"), true),
    ] {
        assert_eq!(is_valid(name, &format!("array<f64{items}>")), expected, "{name} {items}");
    }
}
