//! Formulas built by hand, with results worked out by plain loops or by hand.

use super::*;
use skriptnd_language::compose::formula::{AccessIndex, Assignment, Guard, LoopIndex, ScalarExpr, ScalarKind, Target};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_runtime::TensorData;
use skriptnd_source::FileId;
use skriptnd_syntax::ast::BinaryOp;
use skriptnd_syntax::ast::{Builtin, UnaryOp};

pub fn int(value: i64) -> ScalarExpr {
    ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Const(Value::Int(value)) }
}

fn real(value: f64) -> ScalarExpr {
    ScalarExpr { dtype: ScalarType::Real, kind: ScalarKind::Const(Value::Real(value)) }
}

pub fn index(number: usize) -> ScalarExpr {
    ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Index(number) }
}

fn binary(op: BinaryOp, a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    let compares =
        matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne);
    let dtype = if compares { ScalarType::Bool } else { a.dtype };
    ScalarExpr { dtype, kind: ScalarKind::Binary(op, Box::new(a), Box::new(b)) }
}

pub fn times(a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    binary(BinaryOp::Mul, a, b)
}

fn plus(a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    binary(BinaryOp::Add, a, b)
}

fn minus(a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    binary(BinaryOp::Sub, a, b)
}

fn select(condition: ScalarExpr, a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    ScalarExpr { dtype: a.dtype, kind: ScalarKind::Select(condition.into(), a.into(), b.into()) }
}

fn bare(index: ScalarExpr) -> AccessIndex {
    AccessIndex { index, guard: Guard::None }
}

fn skip(index: ScalarExpr) -> AccessIndex {
    AccessIndex { index, guard: Guard::Skip }
}

fn remap(index: ScalarExpr, below: ScalarExpr, above: ScalarExpr) -> AccessIndex {
    AccessIndex { index, guard: Guard::Remap { below: below.into(), above: above.into() } }
}

fn access(dtype: ScalarType, tensor: TensorRef, indices: Vec<AccessIndex>) -> ScalarExpr {
    ScalarExpr { dtype, kind: ScalarKind::Access { tensor, indices } }
}

fn input(number: usize, indices: Vec<AccessIndex>) -> ScalarExpr {
    access(ScalarType::Real, TensorRef::Input(number), indices)
}

fn indices(numbers: &[usize]) -> Vec<AccessIndex> {
    numbers.iter().map(|&number| bare(index(number))).collect()
}

fn assign(extents: &[i64], op: AssignOp, target: Vec<AccessIndex>, value: ScalarExpr) -> Assignment {
    let name = |at: usize| "ijklmnop"[at..at + 1].to_string();
    Assignment {
        loops: extents
            .iter()
            .enumerate()
            .map(|(at, &extent)| LoopIndex { name: name(at), extent, dynamic: None })
            .collect(),
        locals: Vec::new(),
        op,
        targets: vec![Target { tensor: TensorRef::Output(0), indices: target }],
        values: vec![value],
        condition: None,
        span: Span { file: FileId(0), start: 0, end: 0 },
    }
}

fn reals(shape: &[usize], f: impl Fn(usize) -> f32) -> Tensor {
    let count = shape.iter().product();
    Tensor { shape: shape.to_vec(), data: TensorData::F32((0..count).map(f).collect()) }
}

fn ints(shape: &[usize], items: &[i64]) -> Tensor {
    Tensor { shape: shape.to_vec(), data: TensorData::I64(items.to_vec()) }
}

fn shape_of(tensor: &Tensor) -> TensorShape {
    let dtype = match tensor.data {
        TensorData::F32(_) => ScalarType::Real,
        TensorData::I64(_) => ScalarType::Int,
        TensorData::Bool(_) => ScalarType::Bool,
    };
    TensorShape { dtype, shape: tensor.shape.clone() }
}

fn programs(compiled: &mut CompiledFormula) -> &mut [Program] {
    if let Steps::Rows(programs) = &mut compiled.steps { programs } else { &mut [] }
}

fn evaluate(
    assignments: Vec<Assignment>,
    inputs: &[&Tensor],
    outputs: &[(ScalarType, &[usize])],
) -> Result<Vec<Tensor>, FormulaFault> {
    let formula = Formula { assignments, ..Formula::default() };
    let shapes: Vec<_> = inputs.iter().map(|tensor| shape_of(tensor)).collect();
    let outputs = outputs.iter().map(|(dtype, shape)| TensorShape { dtype: *dtype, shape: shape.to_vec() });
    let outputs: Vec<_> = outputs.collect();
    let compile = |engine| CompiledFormula::new(&formula, &shapes, outputs.clone(), engine).map_err(|fault| fault.0);
    let run = |compiled: &CompiledFormula| compiled.run(inputs, &Clock::start(None)).map_err(|fault| fault.0);
    let mut compiled = compile(Engine::Rows)?;
    let results = run(&compiled);
    if programs(&mut compiled).iter_mut().filter_map(|program| program.contraction.take()).count() > 0 {
        assert_eq!(results, run(&compiled), "in the general way");
    }
    assert_eq!(results, run(&compile(Engine::Naive)?), "one iteration after the other");
    results
}

fn evaluate_real(assignments: Vec<Assignment>, inputs: &[&Tensor], shape: &[usize]) -> Vec<f32> {
    match evaluate(assignments, inputs, &[(ScalarType::Real, shape)]).unwrap().remove(0).data {
        TensorData::F32(items) => items,
        _ => unreachable!(),
    }
}

/// Whole numbers, so that sums are exact in any order.
fn pattern(at: usize) -> f32 {
    ((at * 7 + 3) % 11) as f32 - 5.0
}

fn items(tensor: &Tensor) -> &[f32] {
    if let TensorData::F32(items) = &tensor.data { items } else { &[] }
}

#[test]
fn matrix_product() {
    let (m, k, n) = (5, 40, 3);
    let (a, b) = (reals(&[m, k], pattern), reals(&[k, n], |at| pattern(at + 5)));
    let product = times(input(0, indices(&[0, 1])), input(1, indices(&[1, 2])));
    let zero = assign(&[5, 3], AssignOp::Set, indices(&[0, 1]), real(0.0));
    let sum = assign(&[5, 40, 3], AssignOp::Add, indices(&[0, 2]), product);
    let c = evaluate_real(vec![zero, sum], &[&a, &b], &[m, n]);
    for i in 0..m {
        for j in 0..n {
            let expected: f32 = (0..k).map(|l| items(&a)[i * k + l] * items(&b)[l * n + j]).sum();
            assert_eq!(c[i * n + j], expected, "{i} {j}");
        }
    }
}

/// Two-dimensional convolution of stride 2 with padding 1: y[c,i,j] += x[d, |2i+u-1|, |2j+v-1|] * w[c,d,u,v].
fn convolution(channels: usize, depth: usize, size: usize) {
    let (x, w) = (reals(&[depth, size, size], pattern), reals(&[channels, depth, 3, 3], |at| pattern(at * 3)));
    let out = size.div_ceil(2);
    let spatial = |i: usize, u: usize| skip(minus(plus(times(int(2), index(i)), index(u)), int(1)));
    let value = times(input(0, vec![bare(index(3)), spatial(1, 4), spatial(2, 5)]), input(1, indices(&[0, 3, 4, 5])));
    let extents = [channels, out, out, depth, 3, 3].map(|extent| extent as i64);
    let sum = assign(&extents, AssignOp::Add, indices(&[0, 1, 2]), value);
    let y = evaluate_real(vec![sum], &[&x, &w], &[channels, out, out]);
    let at = |d: usize, i: i64, j: i64| {
        let inside = |i: i64| (0..size as i64).contains(&i);
        if inside(i) && inside(j) { items(&x)[(d * size + i as usize) * size + j as usize] } else { 0.0 }
    };
    for c in 0..channels {
        for i in 0..out {
            for j in 0..out {
                let mut expected = 0.0;
                for d in 0..depth {
                    for u in 0..3 {
                        for v in 0..3 {
                            let weight = items(&w)[((c * depth + d) * 3 + u) * 3 + v];
                            expected += weight * at(d, (2 * i + u) as i64 - 1, (2 * j + v) as i64 - 1);
                        }
                    }
                }
                assert_eq!(y[(c * out + i) * out + j], expected, "{c} {i} {j}");
            }
        }
    }
}

#[test]
fn convolutions_whatever_loop_is_innermost() {
    convolution(2, 1, 40);
    convolution(50, 2, 5);
    convolution(1, 60, 4);
    convolution(1, 1, 3);
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as i64 % sides
    }

    /// Some steps through two of the loops and an offset; guarded, since it may lead anywhere.
    fn form(&mut self, loops: i64) -> AccessIndex {
        let mut step = || times(int(self.roll(4) - 1), index(self.roll(loops) as usize));
        let sum = plus(step(), step());
        skip(plus(sum, int(self.roll(5) - 2)))
    }
}

#[test]
fn contractions_are_what_the_general_way_gives() {
    let mut dice = Dice(1);
    for _ in 0..400 {
        let extents: Vec<i64> = (0..4).map(|_| 1 + dice.roll(if dice.0 % 5 == 0 { 1100 } else { 5 })).collect();
        if extents.iter().product::<i64>() > 100_000 {
            continue;
        }
        let target: Vec<_> = (0..2).map(|_| dice.form(4)).collect();
        let [a, b] = [[6, 9], [1, 1200]].map(|shape| reals(&shape, |at| pattern(at + 1)));
        let mut product = input(0, vec![dice.form(4), dice.form(4)]);
        if dice.roll(3) > 0 {
            product = times(product, input(1, vec![bare(int(0)), dice.form(4)]));
        }
        evaluate_real(vec![assign(&extents, AssignOp::Add, target, product)], &[&a, &b], &[7, 1100]);
    }
}

#[test]
fn plain_nests_are_contractions() {
    let (a, b) = (reals(&[2, 3, 4, 5], pattern), reals(&[6, 3], pattern));
    let product = times(input(0, indices(&[0, 4, 2, 3])), input(1, indices(&[1, 4])));
    let sum = assign(&[2, 6, 4, 5, 3], AssignOp::Add, indices(&[0, 1, 2, 3]), product);
    let formula = Formula { assignments: vec![sum.clone()], ..Formula::default() };
    let output = TensorShape { dtype: ScalarType::Real, shape: vec![2, 6, 4, 5] };
    let operands = [shape_of(&a), shape_of(&b)];
    let mut compiled = CompiledFormula::new(&formula, &operands, vec![output], Engine::Rows).unwrap();
    assert!(programs(&mut compiled)[0].contraction.is_some());
    let y = evaluate_real(vec![sum], &[&a, &b], &[2, 6, 4, 5]);
    for (at, &value) in y.iter().enumerate() {
        let (n, m, place) = (at / 120, at / 20 % 6, at % 20);
        let expected: f32 = (0..3).map(|c| items(&a)[(n * 3 + c) * 20 + place] * items(&b)[m * 3 + c]).sum();
        assert_eq!(value, expected, "{at}");
    }
}

#[test]
fn rows_longer_than_a_chunk() {
    let x = reals(&[3000], pattern);
    let shifted = input(0, vec![skip(minus(index(0), int(2)))]);
    let y = evaluate_real(
        vec![
            assign(&[3001], AssignOp::Set, indices(&[0]), real(9.0)),
            assign(&[3001], AssignOp::Update, indices(&[0]), shifted),
        ],
        &[&x],
        &[3001],
    );
    assert_eq!(y[..2], [9.0, 9.0], "skipped");
    assert_eq!(y[2..], items(&x)[..2999]);
}

#[test]
fn maximum_over_windows() {
    let x = reals(&[10], pattern);
    let window = input(0, vec![skip(minus(plus(times(int(3), index(0)), index(1)), int(1)))]);
    let lowest = assign(&[4], AssignOp::Set, indices(&[0]), real(f64::NEG_INFINITY));
    let y = evaluate_real(vec![lowest, assign(&[4, 3], AssignOp::Max, indices(&[0]), window)], &[&x], &[4]);
    let x = items(&x);
    let expected = [x[0].max(x[1]), x[2].max(x[3]).max(x[4]), x[5].max(x[6]).max(x[7]), x[8].max(x[9])];
    assert_eq!(y, expected);
}

#[test]
fn position_of_the_maximum_reads_what_it_writes() {
    let x = reals(&[3, 5], |at| [1.0, 7.0, 7.0, 0.0, 2.0, -1.0, -2.0, -3.0, 4.0, 4.0, 9.0, 1.0, 9.0, 1.0, 9.0][at]);
    let best = access(ScalarType::Int, TensorRef::Output(0), indices(&[0]));
    let greater = binary(BinaryOp::Gt, input(0, indices(&[0, 1])), input(0, vec![bare(index(0)), bare(best)]));
    let first = assign(&[3], AssignOp::Set, indices(&[0]), int(0));
    let mut search = assign(&[3, 5], AssignOp::Update, indices(&[0]), index(1));
    search.condition = Some(greater);
    let y = evaluate(vec![first, search], &[&x], &[(ScalarType::Int, &[3])]).unwrap();
    assert_eq!(y[0], ints(&[3], &[1, 3, 0]), "the first of equal ones");
}

#[test]
fn packed_assignment_is_one_step() {
    let x = reals(&[2, 3], |at| [1.0, 4.0, 2.0, 8.0, 3.0, 8.0][at]);
    let best = |number| bare(access(ScalarType::Int, TensorRef::Output(number), vec![]));
    let greater = binary(BinaryOp::Gt, input(0, indices(&[0, 1])), input(0, vec![best(0), best(1)]));
    let mut search = assign(&[2, 3], AssignOp::Update, vec![], index(0));
    search.targets.push(Target { tensor: TensorRef::Output(1), indices: vec![] });
    search.values.push(index(1));
    search.condition = Some(greater);
    let scalar: (ScalarType, &[usize]) = (ScalarType::Int, &[]);
    let y = evaluate(vec![search], &[&x], &[scalar, scalar]).unwrap();
    assert_eq!((&y[0], &y[1]), (&Tensor::scalar(1i64), &Tensor::scalar(0i64)));
}

#[test]
fn remapped_indices_repeat_the_edge() {
    let x = reals(&[3], |at| at as f32 + 1.0);
    let clamped = input(0, vec![remap(minus(index(0), int(2)), int(0), int(2))]);
    let y = evaluate_real(vec![assign(&[7], AssignOp::Set, indices(&[0]), clamped)], &[&x], &[7]);
    assert_eq!(y, [1.0, 1.0, 1.0, 2.0, 3.0, 3.0, 3.0]);
}

#[test]
fn only_the_chosen_branch_counts() {
    let x = reals(&[3], |at| at as f32 + 1.0);
    let inside = binary(BinaryOp::Lt, index(0), int(3));
    let bare_access = select(inside.clone(), input(0, indices(&[0])), real(-1.0));
    let y = evaluate_real(vec![assign(&[5], AssignOp::Set, indices(&[0]), bare_access)], &[&x], &[5]);
    assert_eq!(y, [1.0, 2.0, 3.0, -1.0, -1.0], "outside without effect");
    let guarded = select(inside, input(0, vec![skip(minus(index(0), int(1)))]), real(-1.0));
    let y = evaluate_real(vec![assign(&[5], AssignOp::Set, indices(&[0]), guarded)], &[&x], &[5]);
    assert_eq!(y, [0.0, 1.0, 2.0, -1.0, -1.0], "skipped where the branch is taken, not elsewhere");
    let quotient = |divisor: ScalarExpr| binary(BinaryOp::Div, int(6), divisor);
    let safe = select(binary(BinaryOp::Ne, index(0), int(0)), quotient(index(0)), int(-1));
    let safe = assign(&[4], AssignOp::Set, indices(&[0]), safe);
    assert_eq!(evaluate(vec![safe], &[], &[(ScalarType::Int, &[4])]).unwrap()[0], ints(&[4], &[-1, 6, 3, 2]));
    let unsafe_one = assign(&[4], AssignOp::Set, indices(&[0]), quotient(index(0)));
    let fault = evaluate(vec![unsafe_one], &[], &[(ScalarType::Int, &[4])]).unwrap_err();
    assert_eq!(fault, FormulaFault::Undefined { op: BinaryOp::Div, left: 6, right: 0 });
}

#[test]
fn indices_outside_are_errors_where_the_condition_holds() {
    let x = reals(&[3], |at| at as f32);
    let mut shifted = assign(&[3], AssignOp::Set, indices(&[0]), input(0, vec![bare(plus(index(0), int(1)))]));
    let fault = evaluate(vec![shifted.clone()], &[&x], &[(ScalarType::Real, &[3])]).unwrap_err();
    let expected = FormulaFault::OutOfRange { tensor: TensorRef::Input(0), dimension: 0, index: 3, extent: 3 };
    assert_eq!(fault, expected);
    shifted.condition = Some(binary(BinaryOp::Lt, index(0), int(2)));
    assert_eq!(evaluate_real(vec![shifted], &[&x], &[3]), [1.0, 2.0, 0.0]);
}

#[test]
fn scatter_and_gather_by_data() {
    let at = ints(&[4], &[2, 0, 2, 1]);
    let updates = reals(&[4], |at| at as f32 + 1.0);
    let position = || access(ScalarType::Int, TensorRef::Input(0), indices(&[0]));
    let value = || input(1, indices(&[0]));
    let last = assign(&[4], AssignOp::Set, vec![bare(position())], value());
    assert_eq!(evaluate_real(vec![last], &[&at, &updates], &[3]), [2.0, 4.0, 3.0], "the last one stays");
    let sum = assign(&[4], AssignOp::Add, vec![bare(position())], value());
    assert_eq!(evaluate_real(vec![sum], &[&at, &updates], &[3]), [2.0, 4.0, 4.0]);
    let outside = ints(&[4], &[0, 1, 2, -1]);
    let gather = assign(&[4], AssignOp::Set, indices(&[0]), input(1, vec![bare(position())]));
    let fault = evaluate(vec![gather], &[&outside, &updates], &[(ScalarType::Real, &[4])]).unwrap_err();
    assert_eq!(fault, FormulaFault::OutOfRange { tensor: TensorRef::Input(1), dimension: 0, index: -1, extent: 4 });
}

#[test]
fn recurrences_keep_their_order() {
    let x = reals(&[2, 4], |at| at as f32 + 1.0);
    // y[i,j] = x[i,j] + (j > 0 ? y[i,j-1] : 0)
    let before = access(ScalarType::Real, TensorRef::Output(0), vec![bare(index(0)), bare(minus(index(1), int(1)))]);
    let carried = select(binary(BinaryOp::Gt, index(1), int(0)), before, real(0.0));
    let scan = assign(&[2, 4], AssignOp::Set, indices(&[0, 1]), plus(input(0, indices(&[0, 1])), carried));
    let y = evaluate_real(vec![scan], &[&x], &[2, 4]);
    assert_eq!(y, [1.0, 3.0, 6.0, 10.0, 5.0, 11.0, 18.0, 26.0]);
}

#[test]
fn sums_are_rounded_once() {
    let x = reals(&[20_000_001], |at| if at == 0 { 1.0 } else { 1e-8 });
    let sum = assign(&[20_000_001], AssignOp::Add, vec![], input(0, indices(&[0])));
    let y = evaluate_real(vec![sum], &[&x], &[]);
    assert!((y[0] - 1.2).abs() < 1e-6, "{}", y[0]);
    let rounded = assign(&[1], AssignOp::Set, indices(&[0]), minus(times(real(3.0), real(0.1)), real(0.3)));
    assert_eq!(evaluate_real(vec![rounded], &[], &[1]), [3.0f32 * 0.1f32 - 0.3f32], "as float32 does");
}

#[test]
fn locals_casts_and_functions() {
    let x = reals(&[3], |at| [-2.5, 0.0, 1.5][at]);
    let local = ScalarExpr { dtype: ScalarType::Real, kind: ScalarKind::Local(0) };
    let negated = ScalarExpr { dtype: ScalarType::Real, kind: ScalarKind::Unary(UnaryOp::Neg, local.clone().into()) };
    let rounded = ScalarExpr { dtype: ScalarType::Real, kind: ScalarKind::Builtin(Builtin::Round, negated.into()) };
    let mut statement = assign(
        &[3],
        AssignOp::Set,
        indices(&[0]),
        ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Cast(rounded.into()) },
    );
    statement.locals = vec![input(0, indices(&[0]))];
    let y = evaluate(vec![statement], &[&x], &[(ScalarType::Int, &[3])]).unwrap();
    assert_eq!(y[0], ints(&[3], &[3, 0, -2]));
}

#[test]
fn empty_loops_and_empty_tensors() {
    let sum = assign(&[2, 0], AssignOp::Add, indices(&[0]), input(0, indices(&[0, 1])));
    assert_eq!(evaluate_real(vec![sum], &[&reals(&[2, 0], pattern)], &[2]), [0.0, 0.0]);
}

#[test]
fn hostile_formulas_end() {
    let huge = &[usize::MAX / 2][..];
    let copy = assign(&[1], AssignOp::Set, indices(&[0]), real(0.0));
    let fault = evaluate(vec![copy], &[], &[(ScalarType::Real, huge)]).unwrap_err();
    assert!(matches!(fault, FormulaFault::Memory(_)), "{fault:?}");
    let mut deep = int(0);
    for _ in 0..5000 {
        deep = ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Unary(UnaryOp::Neg, deep.into()) };
    }
    let deep = assign(&[], AssignOp::Set, vec![], deep);
    assert_eq!(evaluate(vec![deep], &[], &[(ScalarType::Int, &[])]).unwrap_err(), FormulaFault::TooDeep(4000));
}

#[test]
fn endless_formulas_end_in_time() {
    let endless = [i64::MAX, i64::MAX];
    let x = reals(&[3, 3], pattern);
    let element = input(0, vec![bare(int(2)), bare(int(2))]);
    let outside = input(0, vec![skip(plus(index(0), int(5))), skip(plus(index(1), int(5)))]);
    let sums = [
        (ScalarType::Int, assign(&endless, AssignOp::Add, vec![], int(1))),
        (ScalarType::Real, assign(&endless, AssignOp::Add, vec![], element)),
        (ScalarType::Real, assign(&[i64::MAX / 9, i64::MAX / 9, 4], AssignOp::Add, vec![], outside)),
    ];
    for (dtype, sum) in sums {
        let formula = Formula { assignments: vec![sum], ..Formula::default() };
        for engine in [Engine::Naive, Engine::Rows] {
            let output = TensorShape { dtype, shape: vec![] };
            let compiled = CompiledFormula::new(&formula, &[shape_of(&x)], vec![output], engine).unwrap();
            let clock = Clock::start(Some(std::time::Duration::from_millis(20)));
            assert_eq!(compiled.run(&[&x], &clock).unwrap_err().0, FormulaFault::Timeout);
        }
    }
}
