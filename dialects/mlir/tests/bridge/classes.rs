//! Types and attributes are known by the names under which their classes are registered.

use skriptnd_mlir::{
    ir::{attributes, types},
    predicate,
};

use crate::toy::context;

#[test]
fn classes_have_the_names_of_their_declarations() {
    let context = context();
    let read = |text: &str| types::parse(&context, text).unwrap();
    for width in [16, 32, 64, 80, 128] {
        assert!(predicate::is_float(read(&format!("f{width}")), width), "f{width}");
    }
    assert!(!predicate::is_float(read("bf16"), 16));
    for name in ["f8E5M2", "f8E4M3FN", "f4E2M1FN", "tf32", "bf16"] {
        assert!(predicate::is_type(read(name), &format!("builtin.{name}")), "{name}");
    }
    assert!(predicate::is_type(read("tensor<2xf32>"), "builtin.tensor"));
    assert!(predicate::is_attribute(attributes::string(&context, "x"), "builtin.string"));
    assert!(!predicate::is_attribute(attributes::string(&context, "x"), "builtin.strin"));
}

#[test]
fn types_answer_what_constraints_ask() {
    let context = context();
    let read = |text: &str| types::parse(&context, text).unwrap();
    let width = |text: &str| predicate::get_int_or_float_bit_width(read(text));
    assert_eq!([width("i7"), width("ui32"), width("bf16"), width("f8E5M2"), width("index")], [7, 32, 16, 8, 0]);
    let of_elements = |text: &str| predicate::get_element_type_bit_width(read(text));
    assert_eq!([of_elements("tensor<?xf64>"), of_elements("memref<2xi1>"), of_elements("i8")], [64, 1, 0]);
    assert_eq!(predicate::get_num_dynamic_dims(read("tensor<?x2x?xf32>")), 2);
    assert_eq!(predicate::get_num_dynamic_dims(read("tensor<*xf32>")), 0);
    let questions = [
        predicate::is_int_or_float,
        predicate::is_int_or_index_or_float,
        predicate::is_signless_int_or_float,
        predicate::is_signless_int_or_index_or_float,
    ];
    for (text, expected) in [
        ("i8", [true; 4]),
        ("si8", [true, true, false, false]),
        ("f32", [true; 4]),
        ("index", [false, true, false, true]),
        ("complex<f32>", [false; 4]),
    ] {
        assert_eq!(questions.map(|question| question(read(text))), expected, "{text}");
    }
}
