use super::*;
use crate::lowering::plan::TensorShape;
use crate::lowering::testing::{add, assign, bare, index, input, int, skip, sub};
use skriptnd_language::compose::value::ScalarType;

/// The scan that `output[i, z] += input[i, |z - k - first|]` is, or that with signs turned.
fn scan(sums: i64, items: i64, extent: i64, first: i64, is_reversed: bool) -> Option<Scan> {
    let place = match is_reversed {
        true => add(add(index(1), index(2)), int(first)),
        false => sub(sub(index(1), index(2)), int(first)),
    };
    let value = input(0, vec![bare(index(0)), skip(place)]);
    let whole = assign(&[3, sums, items], AssignOp::Add, vec![bare(index(0)), bare(index(1))], value);
    let shape = |extent| TensorShape::known(ScalarType::Real, &[3, extent]);
    let limits = Limits::default();
    let (inputs, outputs) = ([shape(extent)], [shape(sums)]);
    let tensors = Tensors { inputs: &inputs, outputs: &outputs, constants: &[], limits: &limits };
    Scan::of(&whole, &[], tensors, &[])
}

#[test]
fn scans_add_the_items_that_the_formula_adds() {
    for (sums, items, extent) in (1..6).flat_map(|a| (1..6).flat_map(move |b| (1..6).map(move |c| (a, b, c)))) {
        for (first, is_reversed) in (-2..3).flat_map(|first| [(first, false), (first, true)]) {
            let sign = if is_reversed { 1 } else { -1 };
            let added = |z: i64| -> Vec<i64> {
                let places = (0..items).map(|k| z + sign * (k + first));
                let mut places: Vec<i64> = places.filter(|place| (0..extent).contains(place)).collect();
                places.sort_unstable();
                places
            };
            let Some(scan) = scan(sums, items, extent, first, is_reversed) else {
                let whole = items >= extent && sums == extent && (0..2).contains(&first);
                assert!(!whole, "{sums} {items} {extent} {first} {is_reversed}");
                continue;
            };
            let known = |expr: &SymExpr| expr.as_known().unwrap();
            let (count, (to, from)) = (known(&scan.count), (known(&scan.first.0), known(&scan.first.1)));
            let mut found = vec![Vec::new(); sums as usize];
            let mut sum = Vec::new();
            for iteration in 0..count {
                let step = iteration * if scan.is_reversed { -1 } else { 1 };
                sum.push(from + step);
                sum.sort_unstable();
                found[(to + step) as usize] = sum.clone();
            }
            let expected: Vec<_> = (0..sums).map(added).collect();
            assert_eq!(found, expected, "{sums} {items} {extent} {first} {is_reversed}");
        }
    }
}
