use super::*;
use crate::lowering::limits::Limits;
use crate::lowering::plan::TensorShape;
use crate::lowering::testing::{add, assign, bare, index, input, mul, skip, sub};
use std::collections::BTreeMap;

/// What an affine expression is for these indices.
fn value(expression: &ScalarExpr, indices: &[i64]) -> i64 {
    let form = IndexForm::of(expression, &[]).unwrap();
    let terms = form.known_terms().unwrap();
    form.offset().as_known().unwrap() + terms.iter().map(|(number, factor)| indices[*number] * factor).sum::<i64>()
}

/// The element that an access reads; none where its guard skips it.
fn element(access: &ScalarExpr, at: &[i64], extent: i64) -> Option<i64> {
    let ScalarKind::Access { indices, .. } = &access.kind else { unreachable!() };
    let place = value(&indices[0].index, at);
    let is_inside = (0..extent).contains(&place);
    assert!(is_inside || matches!(indices[0].guard, Guard::Skip), "{place} of {extent}");
    is_inside.then_some(place)
}

/// Which elements of the two factors each element of the output takes, and how often; what guards skip is left out.
fn parts(assignment: &Assignment, [input, filter, output]: [i64; 3]) -> BTreeMap<[i64; 3], usize> {
    let ScalarKind::Binary(_, a, b) = &assignment.values[0].kind else { unreachable!() };
    assert!(assignment.condition.is_none());
    let mut found = BTreeMap::new();
    for i in 0..assignment.loops[0].extent {
        for j in 0..assignment.loops[1].extent {
            let at = [i, j];
            let to = value(&assignment.targets[0].indices[0].index, &at);
            let read = element(a, &at, input).zip(element(b, &at, filter));
            if let Some((from, with)) = read.filter(|_| (0..output).contains(&to)) {
                *found.entry([to, from, with]).or_default() += 1;
            }
        }
    }
    found
}

#[test]
fn phases_add_up_the_same_products() {
    for (stride, dilation, padding) in [(1, 1, 0), (2, 1, 1), (2, 2, 1), (3, 2, 4), (4, 6, 0), (5, 1, 7)] {
        for (input_extent, filter_extent) in [(1, 4), (5, 1), (5, 3), (4, 7)] {
            let output = ((input_extent - 1) * stride + (filter_extent - 1) * dilation + 1 - 2 * padding + 1).max(2);
            let place = sub(add(mul(int(stride), index(0)), mul(int(dilation), index(1))), int(padding));
            let product = mul(input(0, vec![bare(index(0))]), input(1, vec![bare(index(1))]));
            let whole = assign(&[input_extent, filter_extent], AssignOp::Add, vec![skip(place)], product);
            let shape = |extent| TensorShape::known(ScalarType::Real, &[extent]);
            let inputs = [shape(input_extent), shape(filter_extent)];
            let limits = Limits::default();
            let tensors = Tensors { inputs: &inputs, outputs: &[shape(output)], constants: &[], limits: &limits };
            let extents = [input_extent, filter_extent, output];
            let mut together = BTreeMap::new();
            for phase in phases(&whole, tensors, &[]).unwrap() {
                together.extend(parts(&phase, extents));
            }
            assert_eq!(together, parts(&whole, extents), "{stride} {dilation} {padding} {extents:?}");
        }
    }
}

#[test]
fn phases_of_an_extent_that_a_run_knows_are_as_many() {
    // |2 * i + j - 1| of extent 2 * n + 1 for i < n, j < 4
    let n = SymExpr::Symbol("n".into());
    let place = sub(add(mul(int(2), index(0)), index(1)), int(1));
    let product = mul(input(0, vec![bare(index(0))]), input(1, vec![bare(index(1))]));
    let mut whole = assign(&[9, 4], AssignOp::Add, vec![skip(place)], product);
    whole.loops[0].dynamic = Some(n.clone());
    let shape = |shape: SymExpr| TensorShape { dtype: ScalarType::Real, shape: vec![shape] };
    let inputs = [shape(n), shape(SymExpr::Const(4))];
    let (outputs, limits) = ([shape("2 * n + 1".parse().unwrap())], Limits::default());
    let tensors = Tensors { inputs: &inputs, outputs: &outputs, constants: &[], limits: &limits };
    let found = phases(&whole, tensors, &[]).unwrap();
    let counts: Vec<_> = found.iter().map(|phase| extent_of(&phase.loops[0]).to_string()).collect();
    assert_eq!(counts, ["n + 1", "n"]);
    assert!(found.iter().all(|phase| extent_of(&phase.loops[1]) == SymExpr::Const(2)));
}

#[test]
fn what_depends_on_the_order_is_left_alone() {
    let place = vec![skip(add(mul(int(2), index(0)), index(1)))];
    let whole = assign(&[4, 3], AssignOp::Update, place, input(0, vec![bare(index(0))]));
    let shape = |extent| TensorShape::known(ScalarType::Real, &[extent]);
    let (inputs, outputs, limits) = ([shape(4)], [shape(9)], Limits::default());
    let tensors = Tensors { inputs: &inputs, outputs: &outputs, constants: &[], limits: &limits };
    assert!(phases(&whole, tensors, &[]).is_none());
}
