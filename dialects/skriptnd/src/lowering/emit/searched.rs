//! Searches, as those of the largest element along an axis: the result is an index, and an element is taken where it is better than
//! the one at the index so far. Carrying that element along makes a structured operation of two results.

use super::structured::map;
use super::{FormulaState, structured, truth, views};
use crate::lowering::plan::{Plan, Structured, TensorShape, extent_of, plan};
use crate::lowering::walk;
use crate::scalars::Scalars as _;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{AccessIndex, Assignment, Guard, ScalarExpr, ScalarKind};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::{arith, linalg};
use skriptnd_syntax::ast::{AssignOp, BinaryOp};

/// A search along some loops.
pub struct Search<'a> {
    assignment: &'a Assignment,
    /// The element that is looked at.
    element: &'a ScalarExpr,
    /// How it is compared with the best one so far.
    better: BinaryOp,
    /// The searched loops, one for each target.
    searched: Vec<usize>,
    /// The same loops with the same elements, as an accumulation.
    accumulated: Assignment,
}

impl<'a> Search<'a> {
    /// Whether an assignment is one that begins with index 0, as the assignments `before` it say.
    pub fn of(assignment: &'a Assignment, before: &[Assignment]) -> Option<Search<'a>> {
        let is_plain = assignment.op == AssignOp::Update && assignment.locals.is_empty();
        let ScalarKind::Binary(op, left, right) = &assignment.condition.as_ref().filter(|_| is_plain)?.kind else {
            return None;
        };
        let searched = assignment.values.iter().map(|value| match value.kind {
            ScalarKind::Index(number) => Some(number),
            _ => None,
        });
        let searched: Vec<usize> = searched.collect::<Option<_>>()?;
        let distinct = searched.windows(2).all(|pair| pair[0] < pair[1]);
        let same = assignment.targets.iter().all(|target| target.indices == assignment.targets[0].indices);
        if !distinct
            || !same
            || searched.is_empty()
            || !assignment.targets.iter().all(|target| walk::is_zero(target.tensor, before))
        {
            return None;
        }
        let (better, element) = match op {
            BinaryOp::Gt | BinaryOp::Lt if is_best(left, right, assignment, &searched) => (*op, &**left),
            BinaryOp::Gt if is_best(right, left, assignment, &searched) => (BinaryOp::Lt, &**right),
            BinaryOp::Lt if is_best(right, left, assignment, &searched) => (BinaryOp::Gt, &**right),
            _ => return None,
        };
        let accumulated = Assignment {
            op: AssignOp::Max,
            targets: assignment.targets[..1].to_vec(),
            values: vec![element.clone()],
            condition: None,
            ..assignment.clone()
        };
        Some(Search { assignment, element, better, searched, accumulated })
    }
}

/// Whether `best` is the element at the indices that were found so far, where `element` is the one at those that are searched.
fn is_best(element: &ScalarExpr, best: &ScalarExpr, assignment: &Assignment, searched: &[usize]) -> bool {
    let parts = (&element.kind, &best.kind);
    let (ScalarKind::Access { tensor, indices }, ScalarKind::Access { tensor: other, indices: found }) = parts else {
        return false;
    };
    let is_result = |at: &ScalarExpr, number: usize| {
        let place = searched.iter().position(|&own| own == number);
        let target = place.and_then(|place| assignment.targets.get(place));
        match (&at.kind, target) {
            (ScalarKind::Access { tensor, indices }, Some(target)) => {
                *tensor == target.tensor && *indices == target.indices
            }
            _ => false,
        }
    };
    let pair = |(index, found): (&AccessIndex, &AccessIndex)| match index.index.kind {
        ScalarKind::Index(number) if searched.contains(&number) => is_result(&found.index, number),
        _ => index == found,
    };
    let plain = indices.iter().all(|index| index.guard == Guard::None);
    let all = searched.iter().all(|number| {
        indices.iter().filter(|index| matches!(index.index.kind, ScalarKind::Index(own) if own == *number)).count() == 1
    });
    plain && all && tensor == other && indices.len() == found.len() && indices.iter().zip(found).all(pair)
}

/// Emits an assignment as a search; nothing where it is none, or none in the order of the loops.
pub fn emit<'c: 'a, 'a>(state: &mut FormulaState<'_, 'c, 'a>, search: &Search<'_>) -> Result<bool, Failure> {
    let planned = plan(&search.accumulated, state.tensors).map_err(|error| Failure::new(error.to_string()))?;
    let Plan::Structured(plan) = planned else { return Ok(false) };
    let extents: Vec<SymExpr> = search.assignment.loops.iter().map(extent_of).collect();
    let known = search.searched.iter().map(|&number| extents[number].as_known()).collect::<Option<Vec<i64>>>();
    // The first element is there in any case.
    let is_filled =
        |number: &usize| state.tensors.limits.is_at_most(&SymExpr::Const(1), &extents[*number]) || known.is_some();
    if known.is_none() && search.searched.len() > 1 || !search.searched.iter().all(is_filled) {
        return Ok(false);
    }
    let (parallel, reduced) = plan.loops.split_at(plan.parallel);
    // Loops of one iteration are no dimensions.
    let along: Vec<usize> = search.searched.iter().copied().filter(|number| reduced.contains(number)).collect();
    let is_element = plan.operands.len() == 1 && plan.operands[0].access == search.element;
    let is_unit = |number: &usize| extents[*number] == SymExpr::Const(1);
    let others_are_units = search.searched.iter().all(|number| along.contains(number) || is_unit(number));
    let is_whole = plan.operands.iter().all(|operand| operand.view.loops().is_some()) && plan.window.is_empty();
    if along != reduced || !is_element || !others_are_units || !is_whole || parallel.is_empty() && reduced.is_empty() {
        return Ok(false);
    }
    let index = found(state, search, &plan)?;
    let Some(known) = known.filter(|known| known.len() > 1) else {
        structured::store(state, search.assignment, 0, &plan.targets[0], index)?;
        return Ok(true);
    };
    for (number, extent) in known.iter().enumerate() {
        let part = digit(state, &plan, index, (known[number + 1..].iter().product(), *extent))?;
        structured::store(state, search.assignment, number, &plan.targets[0], part)?;
    }
    Ok(true)
}

/// The index of the element that is found, counted through all searched loops.
fn found<'c: 'a, 'a>(
    state: &FormulaState<'_, 'c, 'a>,
    search: &Search<'_>,
    plan: &Structured<'_>,
) -> Result<Value<'c, 'a>, Failure> {
    let (builder, operand, view) = (state.builder, &plan.operands[0], &plan.targets[0]);
    let dtype = operand.access.dtype;
    let source =
        views::apply(state.place(), state.tensor(operand.tensor)?, dtype, &operand.view, |from| state.tensor(from))?;
    let (source_map, target_map) = (map(plan, &operand.view.indices)?, map(plan, &view.indices)?);
    let shape = view.shape();
    let best = first(state, plan, source, (&source_map, &target_map), TensorShape { dtype, shape: shape.clone() })?;
    let zero = builder.int(0)?;
    let start = views::filled(state.place(), &TensorShape { dtype: ScalarType::Int, shape }, zero)?;
    let reduced: Vec<bool> = (0..plan.loops.len()).map(|number| number >= plan.parallel).collect();
    let maps = [source_map, target_map.clone(), target_map];
    let generic = linalg::generic(&builder, &[source], &[best, start], &maps, &reduced)?;
    let (inside, arguments) = (&generic.builder, &generic.arguments);
    let is_better = truth::compare(inside, search.better, dtype, arguments[0], arguments[1]);
    let is_better = is_better.ok_or("a search without a comparison")??;
    let element = arith::select(inside, is_better, arguments[0], arguments[1])?;
    let index = arith::select(inside, is_better, place(inside, search, plan)?, arguments[2])?;
    linalg::r#yield(inside, &[element, index])?;
    generic.operation.result(1)
}

/// The first element of each search.
fn first<'c: 'a, 'a>(
    state: &FormulaState<'_, 'c, 'a>,
    plan: &Structured<'_>,
    source: Value<'c, 'a>,
    (source_map, target_map): (&Map, &Map),
    shape: TensorShape,
) -> Result<Value<'c, 'a>, Failure> {
    let start: Vec<Expr> =
        (0..plan.loops.len()).map(|dim| if dim < plan.parallel { Expr::Dim(dim) } else { Expr::Const(0) }).collect();
    let at = |map: &Map| {
        let results = map.results.iter().map(|expr| expr.substitute(&start)).collect::<Option<_>>();
        results.map(|results| Map { dims: plan.parallel, results }).ok_or("an index of no loop")
    };
    let target = views::empty(state.place(), &shape)?;
    let maps = [at(source_map)?, at(target_map)?];
    let copy = linalg::generic(&state.builder, &[source], &[target], &maps, &vec![false; plan.parallel])?;
    linalg::r#yield(&copy.builder, &copy.arguments[..1])?;
    copy.operation.result(0)
}

/// The index of an iteration, counted through all searched loops.
fn place<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    search: &Search<'_>,
    plan: &Structured<'_>,
) -> Result<Value<'c, 'a>, Failure> {
    let int = types::integer(builder.context(), 64);
    let mut place: Option<Value<'c, 'a>> = None;
    for dim in plan.parallel..plan.loops.len() {
        let index = arith::index_cast(builder, linalg::index(builder, dim)?, int)?;
        let extent = search.assignment.loops[plan.loops[dim]].extent;
        place = Some(match place {
            Some(outer) => arith::addi(builder, arith::muli(builder, outer, builder.int(extent)?)?, index)?,
            None => index,
        });
    }
    place.map_or_else(|| builder.int(0), Ok)
}

/// One of the loops' indices of an index that is counted through all of them.
fn digit<'c: 'a, 'a>(
    state: &FormulaState<'_, 'c, 'a>,
    plan: &Structured<'_>,
    index: Value<'c, 'a>,
    (step, extent): (i64, i64),
) -> Result<Value<'c, 'a>, Failure> {
    let shape = plan.targets[0].shape();
    let identity = Map::identity(shape.len());
    let parallel = vec![false; shape.len()];
    let target = views::empty(state.place(), &TensorShape { dtype: ScalarType::Int, shape })?;
    let generic = linalg::generic(&state.builder, &[index], &[target], &[identity.clone(), identity], &parallel)?;
    let inside = &generic.builder;
    let quotient = arith::divui(inside, generic.arguments[0], inside.int(step)?)?;
    let digit = arith::remui(inside, quotient, inside.int(extent)?)?;
    linalg::r#yield(inside, &[digit])?;
    generic.operation.result(0)
}
