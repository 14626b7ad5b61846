use super::*;
use crate::lowering::plan::TensorShape;
use crate::lowering::testing::{access, assign, bare, binary, index, input, int, sub};
use skriptnd_language::compose::value::{Symbolic, Value};
use skriptnd_syntax::ast::AssignOp;

const SHAPE: [i64; 1] = [4];

fn integers(number: usize, at: ScalarExpr) -> ScalarExpr {
    access(ScalarType::Int, TensorRef::Input(number), vec![bare(at)])
}

fn count(assignment: &Assignment) -> usize {
    let shape = TensorShape::known(ScalarType::Int, &SHAPE);
    let inputs = vec![shape.clone(); 2];
    let tensors = Tensors { inputs: &inputs, outputs: &[shape], constants: &[], limits: &Limits::default() };
    requirements(assignment, tensors, &[]).len()
}

fn set(extent: i64, value: ScalarExpr) -> Assignment {
    assign(&[extent], AssignOp::Set, vec![bare(index(0))], value)
}

fn select(condition: ScalarExpr, a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    let dtype = a.dtype;
    ScalarExpr { dtype, kind: ScalarKind::Select(Box::new(condition), Box::new(a), Box::new(b)) }
}

#[test]
fn ranges_prove_affine_indices_and_known_divisors() {
    assert_eq!(count(&set(4, input(0, vec![bare(index(0))]))), 0);
    assert_eq!(count(&set(4, input(0, vec![bare(binary(BinaryOp::Mod, integers(1, index(0)), int(4)))]))), 0);
    assert_eq!(count(&set(4, input(0, vec![bare(binary(BinaryOp::Mod, integers(1, index(0)), int(5)))]))), 1);
    let clamped = |low| binary(BinaryOp::Max, int(low), binary(BinaryOp::Min, integers(1, index(0)), int(3)));
    assert_eq!(count(&set(4, input(0, vec![bare(clamped(0))]))), 0);
    assert_eq!(count(&set(4, input(0, vec![bare(clamped(-1))]))), 1);
    // A product that wraps around is not bounded by its factors.
    let large = binary(BinaryOp::Mod, integers(1, index(0)), int(1 << 40));
    let product = binary(BinaryOp::Min, binary(BinaryOp::Mul, large.clone(), large), int(3));
    assert_eq!(count(&set(4, input(0, vec![bare(product)]))), 1);
    assert_eq!(count(&set(4, input(0, vec![bare(binary(BinaryOp::Mod, index(0), int(2)))]))), 0);
    assert_eq!(count(&set(4, binary(BinaryOp::Div, integers(0, index(0)), int(-3)))), 0);
    assert_eq!(count(&set(4, binary(BinaryOp::Div, integers(0, index(0)), integers(1, index(0))))), 1);
    assert_eq!(count(&set(4, binary(BinaryOp::Pow, integers(0, index(0)), index(0)))), 0);
    assert_eq!(count(&set(4, binary(BinaryOp::Pow, integers(0, index(0)), int(-1)))), 1);
}

#[test]
fn conditions_on_indices_are_gone_through() {
    // `i >= 1 ? x[i - 1] : 0` is safe, `i >= 0 ? x[i - 1] : 0` is not.
    let guarded = |least: i64| {
        let access = integers(0, sub(index(0), int(1)));
        set(4, select(binary(BinaryOp::Ge, index(0), int(least)), access, int(0)))
    };
    assert_eq!((count(&guarded(1)), count(&guarded(0))), (0, 1));
    let mut conditional = set(4, integers(0, sub(index(0), int(1))));
    conditional.condition = Some(binary(BinaryOp::Gt, index(0), int(0)));
    assert_eq!(count(&conditional), 0);
    // Data decide; the index that is not guarded is outside in any case.
    conditional.condition = Some(binary(BinaryOp::Gt, integers(1, index(0)), int(0)));
    assert_eq!(count(&conditional), 1);
}

#[test]
fn only_the_loops_that_matter_are_run() {
    let row = access(ScalarType::Int, TensorRef::Input(1), vec![bare(index(1))]);
    let value = input(0, vec![bare(row)]);
    let assignment = assign(&[4, 4], AssignOp::Add, vec![bare(index(0))], value);
    let shape = TensorShape::known(ScalarType::Int, &SHAPE);
    let inputs = vec![shape.clone(); 2];
    let tensors = Tensors { inputs: &inputs, outputs: &[shape], constants: &[], limits: &Limits::default() };
    let found = requirements(&assignment, tensors, &[]);
    assert_eq!(loops_of(&assignment, &found), BTreeSet::from([1]));
    assert!(!reads_targets(&assignment, &found));
}

#[test]
fn indices_that_are_limited_by_an_extent_need_it_to_be_positive() {
    let n = SymExpr::Symbol("n".into());
    let last = Value::Symbolic(Symbolic::Int(n.minus(&SymExpr::Const(1)).unwrap()));
    let last = || ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Const(last.clone()) };
    let open = TensorShape { shape: vec![n.clone()], ..TensorShape::known(ScalarType::Int, &SHAPE) };
    let inputs = [open, TensorShape::known(ScalarType::Int, &SHAPE)];
    let outputs = [TensorShape::known(ScalarType::Int, &SHAPE)];
    let tensors = Tensors { inputs: &inputs, outputs: &outputs, constants: &[], limits: &Limits::default() };
    let data = || integers(1, index(0));
    let clamped = binary(BinaryOp::Min, binary(BinaryOp::Max, data(), int(0)), last());
    let remapped = |below| {
        let guard = Guard::Remap { below: Box::new(int(below)), above: Box::new(last()) };
        AccessIndex { guard, ..bare(data()) }
    };
    for (at, is_limited) in [
        (bare(clamped), true),
        (bare(binary(BinaryOp::Min, data(), last())), false),
        (bare(binary(BinaryOp::Max, data(), int(0))), false),
        (remapped(0), true),
        (remapped(1), false),
        (remapped(-1), false),
    ] {
        let assignment = set(4, input(0, vec![at]));
        let found = requirements(&assignment, tensors, &[]);
        assert_eq!(found.len(), 1);
        assert_eq!(limiting(&found), is_limited.then(|| vec![&n]));
    }
}
