//! Upstream passes treat operations from Rust as their own.

use crate::toy::optimized;

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn cse_merges_pure_operations_only() {
    let text = "
    toy.func @f(%a: f64) -> f64 {
      %0 = toy.negate %a : f64
      %1 = toy.negate %a : f64
      %2 = toy.add %0, %1 : f64
      %3 = toy.main.unknown(%2) : (f64) -> f64
      %4 = toy.main.unknown(%2) : (f64) -> f64
      \"toy.print\"(%3) : (f64) -> ()
      \"toy.print\"(%4) : (f64) -> ()
      toy.return %2 : f64
    }";
    let result = optimized(text, "builtin.module(cse)");
    assert_eq!(count(&result, "toy.negate"), 1, "{result}");
    assert_eq!(count(&result, "toy.main.unknown"), 1, "{result}");
    assert_eq!(count(&result, "toy.print"), 2, "{result}");
}

#[test]
fn canonicalize_removes_what_is_unused_and_folds() {
    let text = "
    toy.func @f(%a: f64) -> (f64, f64) {
      %dead = toy.negate %a : f64
      %0 = toy.constant 1.0 : f64
      %1 = toy.constant 2.5 : f64
      %2 = toy.add %0, %1 : f64
      %3 = toy.add %2, %a : f64
      toy.return %2, %3 : f64, f64
    }";
    let result = optimized(text, "builtin.module(canonicalize)");
    let body: Vec<_> = result.lines().map(str::trim).filter(|line| line.contains("toy.")).collect();
    assert_eq!(
        body[1..],
        ["%0 = toy.constant 3.500000e+00 : f64", "%1 = toy.add %arg0, %0 : f64", "toy.return %0, %1 : f64, f64"],
        "{result}"
    );
}

#[test]
fn canonicalization_patterns_in_rust_and_pdl_apply() {
    let text = "
    toy.func @f(%a: f64) -> f64 {
      %0 = toy.negate %a : f64
      %1 = toy.negate %0 : f64
      %2 = toy.inverse %1 : f64
      %3 = toy.inverse %2 : f64
      toy.return %3 : f64
    }";
    let result = optimized(text, "builtin.module(canonicalize)");
    assert!(result.contains("toy.return %arg0 : f64"), "{result}");
}

#[test]
fn functions_are_inlined_and_unused_symbols_vanish() {
    let text = "
    toy.func private @half(%x: f64) -> f64 {
      %0 = toy.negate %x : f64
      toy.return %0 : f64
    }
    toy.func @main(%a: f64) -> f64 {
      %0 = toy.call @half(%a) : (f64) -> f64
      toy.return %0 : f64
    }";
    let result = optimized(text, "builtin.module(inline,symbol-dce)");
    assert_eq!(count(&result, "toy.call"), 0, "{result}");
    assert_eq!(count(&result, "toy.func"), 1, "{result}");
    assert_eq!(count(&result, "toy.negate"), 1, "{result}");
}

#[test]
fn functions_of_several_blocks_are_inlined_with_branches() {
    let text = "
    toy.func private @two(%c: i1, %x: f64) -> f64 {
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      toy.return %x : f64
    ^bb2:
      %0 = toy.negate %x : f64
      toy.return %0 : f64
    }
    func.func @main(%c: i1, %a: f64) -> f64 {
      %0 = toy.call @two(%c, %a) : (i1, f64) -> f64
      return %0 : f64
    }";
    let result = optimized(text, "builtin.module(inline{default-pipeline=},symbol-dce)");
    assert_eq!(count(&result, "cf.br"), 2, "{result}");
    assert_eq!(count(&result, "toy.call"), 0, "{result}");
}

#[test]
fn recursive_effects_follow_the_body() {
    let text = "
    %0 = toy.constant 1.0 : f64
    toy.wrap { %1 = toy.negate %0 : f64 }
    toy.wrap { \"toy.print\"(%0) : (f64) -> () }";
    let result = optimized(text, "builtin.module(canonicalize)");
    assert_eq!(count(&result, "toy.wrap"), 1, "{result}");
}

#[test]
fn region_branches_propagate_constants() {
    let text = "
    toy.func @f(%c: i1) -> f64 {
      %0 = \"toy.choose\"(%c) ({
        %1 = toy.constant 4.0 : f64
        toy.return %1 : f64
      }, {
        %2 = toy.constant 4.0 : f64
        toy.return %2 : f64
      }) : (i1) -> f64
      toy.return %0 : f64
    }";
    let result = optimized(text, "builtin.module(sccp)");
    // Both regions yield 4, so sparse conditional constant propagation returns it.
    let constant = result.lines().find(|line| line.contains("toy.constant")).unwrap_or_default().trim();
    let name = constant.split(' ').next().unwrap_or_default();
    assert!(result.contains(&format!("toy.return {name} : f64\n  }}\n}}")), "{result}");
}

#[test]
fn loop_invariant_code_moves_when_speculatable() {
    let text = "
    func.func @f(%a: f64, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %0 = toy.negate %a : f64
        \"toy.print\"(%0) : (f64) -> ()
      }
      return
    }";
    let result = optimized(text, "builtin.module(func.func(loop-invariant-code-motion))");
    let negate = result.find("toy.negate");
    assert!(negate.is_some() && negate < result.find("scf.for"), "{result}");
}
