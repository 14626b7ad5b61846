//! Branches, casts and uses of symbols of operations from Rust are MLIR's.

use crate::toy::{context, optimized};
use skriptnd_mlir::ir::parse_module;

/// What is said of a text.
fn refused(text: &str) -> String {
    parse_module(&context(), text, "toy.mlir").map(|_| String::new()).unwrap_or_else(|error| error.to_string())
}

#[test]
fn branches_hand_on_what_blocks_take() {
    let with = |block: &str| {
        format!(
            "func.func @f(%c: i1, %x: f64) {{
              \"toy.jump\"(%c, %x)[^bb1, ^bb1] : (i1, f64) -> ()
            ^bb1({block}):
              return
            }}"
        )
    };
    assert_eq!(refused(&with("%y: f64")), "");
    let few = refused(&with("%y: f64, %z: f64"));
    assert!(few.contains("branch has 1 operands for successor #0, but target block has 2"), "{few}");
    let other = refused(&with("%y: f32"));
    assert!(other.contains("type mismatch for bb argument #0 of successor #0"), "{other}");
}

#[test]
fn constants_choose_a_successor() {
    let text = "
    func.func @f() -> f64 {
      %c = arith.constant false
      %0 = toy.constant 1.0 : f64
      \"toy.jump\"(%c, %0)[^bb1, ^bb2] : (i1, f64) -> ()
    ^bb1(%y: f64):
      %1 = toy.negate %y : f64
      return %1 : f64
    ^bb2(%z: f64):
      return %z : f64
    }";
    let result = optimized(text, "builtin.module(sccp)");
    let constant = result.lines().find(|line| line.contains("toy.constant")).unwrap_or_default().trim();
    let name = constant.split(' ').next().unwrap_or_default();
    assert!(result.contains(&format!("return {name} : f64")), "{result}");
}

#[test]
fn casts_are_verified_and_vanish() {
    let to = |r#type: &str| {
        format!(
            "func.func @f(%x: f64) -> {type} {{
              %0 = \"toy.convert\"(%x) : (f64) -> {type}
              return %0 : {type}
            }}"
        )
    };
    let refusal = refused(&to("i64"));
    assert!(refusal.contains("operand type 'f64' and result type 'i64' are cast incompatible"), "{refusal}");
    assert_eq!(refused(&to("f32")), "");
    let same = optimized(&to("f64"), "builtin.module(canonicalize)");
    assert!(!same.contains("toy.convert"), "{same}");
    let other = optimized(&to("f32"), "builtin.module(canonicalize)");
    assert!(other.contains("toy.convert"), "{other}");
}

#[test]
fn symbols_are_looked_up() {
    let to = |name: &str| {
        format!(
            "toy.func @g(%x: f64) -> f64 {{ toy.return %x : f64 }}
             func.func private @h()
             \"toy.refer\"() {{to = @{name}}} : () -> ()"
        )
    };
    assert_eq!(refused(&to("g")), "");
    assert!(refused(&to("h")).contains("'toy.refer' op names @h, which is no toy.func"), "{}", refused(&to("h")));
    assert!(refused(&to("i")).contains("'toy.refer' op names @i, which is not there"), "{}", refused(&to("i")));
}
