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
