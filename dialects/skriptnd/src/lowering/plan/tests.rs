use super::*;
use crate::lowering::testing::{access, add, assign, bare, binary, index, input, int, mul, real, skip, sub};
use skriptnd_language::compose::value::Value;
use skriptnd_syntax::ast::BinaryOp;

fn known(values: &[i64]) -> Vec<SymExpr> {
    values.iter().copied().map(SymExpr::Const).collect()
}

fn reals(shapes: &[&[i64]]) -> Vec<TensorShape> {
    shapes.iter().map(|shape| TensorShape::known(ScalarType::Real, shape)).collect()
}

fn planned<'a>(assignment: &'a Assignment, inputs: &[&[i64]], output: &[i64]) -> Plan<'a> {
    let (inputs, outputs) = (reals(inputs), reals(&[output]));
    let limits = &Limits::default();
    plan(assignment, Tensors { inputs: &inputs, outputs: &outputs, constants: &[], limits }).unwrap()
}

fn structured<'a>(assignment: &'a Assignment, inputs: &[&[i64]], output: &[i64]) -> Structured<'a> {
    match planned(assignment, inputs, output) {
        Plan::Structured(plan) => plan,
        other => panic!("{other:?}"),
    }
}

/// `output[b, g*m+mi, i] += input[b, g*fc+c, |stride*i + j - offset|] * filter[g*m+mi, c, j]`
fn convolution(extents: &[i64; 6], stride: i64, offset: i64) -> Assignment {
    let [_, _, m, fc, _, _] = *extents;
    let channel = || add(mul(index(1), int(m)), index(2));
    let position = sub(add(mul(int(stride), index(4)), index(5)), int(offset));
    let value = mul(
        input(0, vec![bare(index(0)), bare(add(mul(index(1), int(fc)), index(3))), skip(position)]),
        input(1, vec![bare(channel()), bare(index(3)), bare(index(5))]),
    );
    assign(extents, AssignOp::Add, vec![bare(index(0)), bare(channel()), bare(index(4))], value)
}

#[test]
fn a_convolution_is_padded_and_keeps_its_window() {
    let assignment = convolution(&[2, 1, 4, 3, 5, 3], 2, 1);
    let plan = structured(&assignment, &[&[2, 3, 10], &[4, 3, 3]], &[2, 4, 5]);
    assert_eq!((plan.loops.as_slice(), plan.parallel), ([0, 2, 4, 3, 5].as_slice(), 3), "the group loop is gone");
    let image = &plan.operands[0].view;
    assert_eq!(
        (image.padding[2].clone(), image.fill.clone()),
        ((SymExpr::Const(1), SymExpr::Const(0)), Some(Fill::Constant(Value::Real(0.0))))
    );
    assert_eq!(image.indices[2], IndexForm::sum(0, &[(4, 2), (5, 1)]));
    assert!(!plan.operands[1].view.is_reshaped() && plan.window.is_empty());
}

#[test]
fn groups_split_the_channels() {
    let assignment = convolution(&[2, 3, 4, 2, 8, 3], 1, 1);
    let plan = structured(&assignment, &[&[2, 6, 8], &[12, 2, 3]], &[2, 12, 8]);
    assert_eq!(plan.targets[0].split, [known(&[2]), known(&[3, 4]), known(&[8])]);
    assert_eq!(plan.operands[0].view.split[1], known(&[3, 2]));
    assert_eq!(plan.operands[1].view.split[0], known(&[3, 4]));
    assert_eq!((plan.loops.as_slice(), plan.parallel), ([0, 1, 2, 4, 3, 5].as_slice(), 4));
}

#[test]
fn a_depthwise_convolution_has_no_loop_over_channels() {
    let assignment = convolution(&[1, 6, 1, 1, 8, 3], 1, 1);
    let plan = structured(&assignment, &[&[1, 6, 8], &[6, 1, 3]], &[1, 6, 8]);
    assert_eq!((plan.loops.as_slice(), plan.parallel), ([0, 1, 4, 5].as_slice(), 3));
    assert_eq!(plan.operands[1].view.split, [known(&[6]), vec![], known(&[3])]);
}

#[test]
fn pooling_needs_a_window_operand() {
    let position = add(mul(int(2), index(0)), index(1));
    let assignment = assign(&[4, 3], AssignOp::Max, vec![bare(index(0))], input(0, vec![skip(position)]));
    let plan = structured(&assignment, &[&[8]], &[4]);
    assert_eq!(plan.window, [1]);
    assert_eq!(plan.operands[0].view.padding, [(SymExpr::Const(0), SymExpr::Const(1))]);
    assert_eq!(plan.operands[0].view.fill, Some(Fill::Constant(Value::Real(f64::NEG_INFINITY))));
}

#[test]
fn flattening_is_movement() {
    let flat = add(mul(index(0), int(6)), index(1));
    let value = input(0, vec![bare(index(0)), bare(index(1))]);
    let assignment = assign(&[4, 6], AssignOp::Set, vec![bare(flat)], value);
    let plan = structured(&assignment, &[&[4, 6]], &[24]);
    assert!(plan.is_movement);
    assert_eq!(plan.targets[0].split, [known(&[4, 6])]);
}

#[test]
fn a_part_of_a_concatenation_is_movement_into_a_slice() {
    let assignment = assign(
        &[2, 3],
        AssignOp::Set,
        vec![bare(index(0)), bare(add(int(5), index(1)))],
        input(0, vec![bare(index(0)), bare(index(1))]),
    );
    let plan = structured(&assignment, &[&[2, 3]], &[2, 9]);
    assert!(plan.is_movement && plan.targets[0].is_sliced() && !plan.targets[0].is_reshaped());
}

#[test]
fn a_transposition_is_not_mere_movement() {
    let value = input(0, vec![bare(index(1)), bare(index(0))]);
    let assignment = assign(&[2, 3], AssignOp::Set, vec![bare(index(0)), bare(index(1))], value);
    let plan = structured(&assignment, &[&[3, 2]], &[2, 3]);
    assert!(!plan.is_movement);
    assert_eq!(plan.operands[0].view.loops(), Some(vec![1, 0]));
}

#[test]
fn computed_indices_are_no_operands() {
    let half = binary(BinaryOp::Div, index(0), int(2));
    let assignment = assign(&[6], AssignOp::Set, vec![bare(index(0))], input(0, vec![bare(half)]));
    let plan = structured(&assignment, &[&[3]], &[6]);
    assert!(plan.operands.is_empty() && plan.window.is_empty() && !plan.is_movement);
}

#[test]
fn scattering_and_searching_are_sequential() {
    let position = access(ScalarType::Int, TensorRef::Input(1), vec![bare(index(0))]);
    let scatter = assign(&[4], AssignOp::Update, vec![bare(position)], input(0, vec![bare(index(0))]));
    assert_eq!(planned(&scatter, &[&[4], &[4]], &[9]), Plan::Sequential);
    let best = access(ScalarType::Int, TensorRef::Output(0), vec![]);
    let mut search = assign(&[4], AssignOp::Update, vec![], index(0));
    search.condition = Some(binary(BinaryOp::Gt, input(0, vec![bare(index(0))]), input(0, vec![bare(best)])));
    assert_eq!(planned(&search, &[&[4]], &[]), Plan::Sequential);
    let transposed = assign(
        &[4, 3],
        AssignOp::Add,
        vec![skip(sub(add(index(0), index(1)), int(1)))],
        mul(input(0, vec![bare(index(0))]), input(1, vec![bare(index(1))])),
    );
    assert_eq!(planned(&transposed, &[&[4], &[3]], &[4]), Plan::Sequential, "overlapping targets");
}

#[test]
fn nothing_to_do_and_too_much_to_do() {
    let empty = assign(&[0, 3], AssignOp::Set, vec![bare(index(0))], real(1.0));
    assert_eq!(planned(&empty, &[], &[0]), Plan::Nothing);
    let mut deep = real(0.0);
    for _ in 0..100_000 {
        deep = add(deep, real(1.0));
    }
    let deep = assign(&[3], AssignOp::Set, vec![bare(index(0))], deep);
    let outputs = reals(&[&[3]]);
    let tensors = Tensors { inputs: &[], outputs: &outputs, constants: &[], limits: &Limits::default() };
    assert_eq!(plan(&deep, tensors), Err(PlanError::TooDeep));
    // Dropping the chain recurses; it is kept for the rest of the process.
    std::mem::forget(deep);
}

#[test]
fn a_border_is_filled_by_a_constant_or_an_element() {
    let place = || sub(index(0), int(1));
    let inside = || binary(BinaryOp::And, binary(BinaryOp::Ge, place(), int(0)), binary(BinaryOp::Lt, place(), int(4)));
    let bordered = |outside: ScalarExpr| {
        let read = input(0, vec![bare(place())]);
        let kind = ScalarKind::Select(Box::new(inside()), Box::new(read), Box::new(outside));
        assign(&[6], AssignOp::Set, vec![bare(index(0))], ScalarExpr { dtype: ScalarType::Real, kind })
    };
    let fills = [(real(2.0), Fill::Constant(Value::Real(2.0))), (input(1, vec![]), Fill::Element(TensorRef::Input(1)))];
    for (outside, fill) in fills {
        let assignment = bordered(outside);
        let plan = structured(&assignment, &[&[4], &[]], &[6]);
        assert!(plan.is_movement && plan.operands[0].view.fill == Some(fill));
        assert_eq!(plan.operands[0].view.padding, [(SymExpr::Const(1), SymExpr::Const(1))]);
    }
    let other = bordered(input(1, vec![bare(index(0))]));
    assert!(!structured(&other, &[&[4], &[6]], &[6]).is_movement, "the border differs");
}
