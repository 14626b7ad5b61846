//! Assignments whose targets are indexed by loops: what is computed is the result, reduced along the other loops.

use super::lane::{Lane, both};
use super::{FormulaWriter, MOST_ITERATIONS, Nest, State, parts};
use crate::export::arithmetic::binary;
use crate::export::attributes as attr;
use crate::export::scope::Why;
use skriptnd_language::arithmetic::{accumulator, neutral};
use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, LinearForm, ScalarExpr, ScalarKind, Target, TensorRef,
};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_syntax::ast::{AssignOp, BinaryOp};
use std::collections::HashMap;

impl FormulaWriter<'_, '_> {
    /// One nest of loops: at once, unless iterations depend on earlier ones.
    pub(super) fn assignment(&mut self, assignment: &Assignment) -> Result<(), Why> {
        if assignment.loops.iter().any(|index| index.dynamic.is_none() && index.extent == 0) {
            return Ok(());
        }
        if let Some(condition) = &assignment.condition
            && condition.kind == ScalarKind::Const(Value::Bool(false))
        {
            return Ok(());
        }
        let nest = Nest::new(assignment, HashMap::new());
        if let Some(fixed) = self.dependent(&nest) {
            return self.steps(assignment, &fixed);
        }
        let known = assignment.loops.iter().filter(|index| index.dynamic.is_none());
        let iterations = known.map(|index| i128::from(index.extent.max(1)));
        let is_contraction = accumulator(assignment.op) == Some(BinaryOp::Add);
        if !is_contraction && iterations.fold(1i128, i128::saturating_mul) > MOST_ITERATIONS {
            return Err(format!("it has more than {MOST_ITERATIONS} iterations, which can't be computed at once"));
        }
        self.iterations_at_once(nest)
    }

    /// What all iterations of the loops that are not fixed compute.
    pub(super) fn iterations_at_once(&mut self, mut nest: Nest<'_>) -> Result<(), Why> {
        let assignment = nest.assignment;
        for local in &assignment.locals {
            let (range, form) = (nest.range(self.given.formula, local), LinearForm::of(local, &nest.forms));
            let was_tentative = std::mem::replace(&mut nest.is_tentative, true);
            let lane = self.scalar(&mut nest, local);
            nest.is_tentative = was_tentative;
            nest.locals.push(lane?);
            nest.ranges.push(range);
            nest.forms.push(form);
        }
        let condition = self.condition(&mut nest)?;
        nest.is_tentative |= condition.is_some();
        let mut targets = Vec::new();
        for target in &assignment.targets {
            let TensorRef::Output(at) = target.tensor else { return Err("it assigns to an operand".to_owned()) };
            targets.push((target, at));
        }
        let is_shared = (1..targets.len()).any(|at| targets[..at].iter().any(|other| other.1 == targets[at].1));
        if is_shared {
            return self.several_elements(&mut nest, &targets, condition.as_deref());
        }
        let mut states = Vec::new();
        for (target, value) in targets.into_iter().zip(&assignment.values) {
            states.push((target.1, self.assigned(&mut nest, target, value, condition.as_deref())?));
        }
        for (at, state) in states {
            self.states[at] = state;
        }
        Ok(())
    }

    /// Which iterations there are: those that the condition and the guards of intermediate values leave.
    fn condition(&mut self, nest: &mut Nest<'_>) -> Result<Option<Box<Lane>>, Why> {
        let mut all = None;
        for mask in nest.locals.iter().filter_map(|local| local.mask.clone()).collect::<Vec<_>>() {
            all = both(&mut self.scope.nodes, all.as_deref(), Some(&mask));
        }
        if let Some(condition) = &nest.assignment.condition {
            let lane = self.scalar(nest, condition)?;
            all = both(&mut self.scope.nodes, all.as_deref(), Some(&lane.bare()));
            all = both(&mut self.scope.nodes, all.as_deref(), lane.mask.as_deref());
        }
        Ok(all)
    }

    /// Several elements of one result: all values are computed before any is written.
    fn several_elements(
        &mut self,
        nest: &mut Nest<'_>,
        targets: &[(&Target, usize)],
        condition: Option<&Lane>,
    ) -> Result<(), Why> {
        let assignment = nest.assignment;
        let mut lanes = Vec::new();
        for value in &assignment.values {
            lanes.push(self.scalar(nest, value)?);
        }
        for ((target, lane), value) in targets.iter().zip(lanes).zip(&assignment.values) {
            let mask = both(&mut self.scope.nodes, lane.mask.as_deref(), condition);
            self.states[target.1] = self.written(nest, *target, Lane { mask, ..lane }, value.dtype)?;
        }
        Ok(())
    }

    /// The loops whose iterations have to run one after the other, as each reads what the ones before wrote.
    fn dependent(&self, nest: &Nest<'_>) -> Option<Vec<usize>> {
        let assignment = nest.assignment;
        let mut reads = Vec::new();
        let values = assignment.values.iter().chain(&assignment.locals).chain(&assignment.condition);
        let indices = assignment.targets.iter().flat_map(|target| &target.indices).map(|index| &index.index);
        values.chain(indices).for_each(|expression| own_reads(assignment, expression, &mut reads));
        if reads.is_empty() {
            return None;
        }
        let is_own = |(target, indices): &(&Target, &Vec<AccessIndex>)| target.indices == **indices;
        let places: Option<Vec<Vec<usize>>> =
            assignment.targets.iter().map(|target| Some(self.places(nest, target)?.1)).collect();
        match places {
            Some(others) if reads.iter().all(is_own) && others.iter().all(|other| *other == others[0]) => {
                (!others[0].is_empty()).then(|| others[0].clone())
            }
            _ => Some((0..nest.depth()).collect()),
        }
    }

    /// For each dimension of a target the loop whose index it has, and the loops that it does not have; none where a target has
    /// other indices.
    fn places(&self, nest: &Nest<'_>, target: &Target) -> Option<(Vec<Option<usize>>, Vec<usize>)> {
        let TensorRef::Output(at) = target.tensor else { return None };
        let ty = &self.given.outputs[at];
        let mut places = Vec::new();
        for (access, extent) in target.indices.iter().zip(&ty.shape) {
            match &access.index.kind {
                ScalarKind::Const(Value::Int(0)) if extent.as_known() == Some(1) => places.push(None),
                ScalarKind::Index(number) if nest.covers(*number, extent) && !places.contains(&Some(*number)) => {
                    places.push(Some(*number));
                }
                _ => return None,
            }
        }
        let is_other = |number: &usize| !places.contains(&Some(*number)) && !nest.fixed.contains_key(number);
        let others = (0..nest.depth()).filter(is_other).collect();
        Some((places, others))
    }

    /// What a result is after an assignment.
    fn assigned(
        &mut self,
        nest: &mut Nest<'_>,
        (target, at): (&Target, usize),
        value: &ScalarExpr,
        condition: Option<&Lane>,
    ) -> Result<State, Why> {
        let op = nest.assignment.op;
        let places = self.places(nest, target);
        if let (Some((_, others)), ScalarKind::Const(value), None) = (&places, &value.kind, condition)
            && others.iter().all(|number| nest.extent(*number).is_some())
            && accumulator(op).is_none()
        {
            return Ok(State::Uniform(value.clone()));
        }
        if let (Some((places, others)), Some(BinaryOp::Add), None) = (&places, accumulator(op), condition)
            && let Some(sum) = self.contraction(nest, value, (places, others), at)?
        {
            return self.combined(at, BinaryOp::Add, sum);
        }
        let lane = self.scalar(nest, value)?;
        let mask = both(&mut self.scope.nodes, lane.mask.as_deref(), condition);
        self.written(nest, (target, at), Lane { mask, ..lane }, value.dtype)
    }

    /// What a result is when values have been written to it.
    fn written(
        &mut self,
        nest: &mut Nest<'_>,
        (target, at): (&Target, usize),
        lane: Lane,
        dtype: ScalarType,
    ) -> Result<State, Why> {
        match (self.places(nest, target), accumulator(nest.assignment.op)) {
            (Some((places, others)), Some(op)) => {
                let reduced = self.reduced(nest, lane, &others, op, dtype)?;
                let value = self.as_result(nest, &reduced, &places, at)?;
                self.combined(at, op, value)
            }
            (Some((places, others)), None) if lane.mask.is_none() || others.is_empty() => {
                self.replaced(nest, lane, (&places, &others), at)
            }
            _ => self.scattered(nest, (target, at), lane),
        }
    }

    /// `=` and `:=`: of several iterations the last one counts.
    fn replaced(
        &mut self,
        nest: &Nest<'_>,
        mut lane: Lane,
        (places, others): (&[Option<usize>], &[usize]),
        at: usize,
    ) -> Result<State, Why> {
        for number in others {
            let Some(extent) = nest.extent(*number) else {
                return Err("whether it assigns anything depends on extents that only a run knows".to_owned());
            };
            if lane.along[*number] {
                let last = self.scope.nodes.ints(&[extent - 1]);
                let axis = vec![attr::int("axis", lane.dimension(*number) as i64)];
                lane.name = self.scope.nodes.add("Gather", &[&lane.name, &last], axis);
                lane.along[*number] = false;
            }
        }
        let value = self.as_result(nest, &lane.bare(), places, at)?;
        let Some(mask) = lane.mask.as_deref() else { return Ok(State::Value(value)) };
        let mask = self.as_result(nest, mask, places, at)?;
        let before = self.output(at)?;
        let is_truth = self.given.outputs[at].dtype == ScalarType::Bool;
        Ok(State::Value(self.scope.nodes.select(&mask, [&value, &before], is_truth)))
    }

    /// A value where iterations have one, else what changes nothing.
    pub(super) fn filled(&mut self, lane: &Lane, op: BinaryOp, dtype: ScalarType) -> Result<Lane, Why> {
        let Some(mask) = lane.mask.as_deref() else { return Ok(lane.clone()) };
        let nothing = neutral(op, dtype).ok_or("nothing is neutral to its operator")?;
        let nothing = self.scope.scalar(&nothing.into(), dtype)?;
        let name = self.scope.nodes.select(&mask.name, [&lane.name, &nothing], dtype == ScalarType::Bool);
        Ok(Lane::of(name, &[&lane.bare(), mask], None))
    }

    /// What iterations of some loops give together.
    fn reduced(
        &mut self,
        nest: &Nest<'_>,
        lane: Lane,
        others: &[usize],
        op: BinaryOp,
        dtype: ScalarType,
    ) -> Result<Lane, Why> {
        let lane = self.filled(&lane, op, dtype)?;
        if others.is_empty() {
            return Ok(lane);
        }
        let mut lane = self.spread(nest, lane, others)?;
        let nodes = &mut self.scope.nodes;
        let axes: Vec<i64> = others.iter().map(|number| *number as i64).collect();
        let axes = nodes.ints(&axes);
        let is_truth = dtype == ScalarType::Bool;
        if is_truth {
            lane.name = nodes.cast(&lane.name, attr::element_of(ScalarType::Int));
        }
        let operator = match op {
            BinaryOp::Add => "ReduceSum",
            BinaryOp::Mul => "ReduceProd",
            BinaryOp::Min | BinaryOp::And => "ReduceMin",
            _ => "ReduceMax",
        };
        lane.name = nodes.add(operator, &[&lane.name, &axes], vec![attr::int("keepdims", 1)]);
        if is_truth {
            lane.name = nodes.is_positive(&lane.name);
        }
        others.iter().for_each(|number| lane.along[*number] = false);
        Ok(lane)
    }

    /// A lane of full rank that has the extents of some loops.
    fn spread(&mut self, nest: &Nest<'_>, mut lane: Lane, numbers: &[usize]) -> Result<Lane, Why> {
        lane.name = lane.full_rank(&mut self.scope.nodes);
        lane.rank = nest.depth();
        let lacks = |number: &&usize| !lane.along[**number] && nest.extent(**number) != Some(1);
        let missing: Vec<usize> = numbers.iter().filter(lacks).copied().collect();
        if !missing.is_empty() {
            let extent = |number: usize| match missing.contains(&number) {
                true => nest.extent_expression(number),
                false => skriptnd_language::compose::extent::SymExpr::Const(1),
            };
            let shape: Vec<_> = (0..nest.depth()).map(extent).collect();
            let shape = self.scope.vector(&shape)?;
            lane.name = self.scope.nodes.add("Expand", &[&lane.name, &shape], Vec::new());
        }
        missing.into_iter().for_each(|number| lane.along[number] = true);
        Ok(lane)
    }

    /// A lane as the result: its dimensions in their order, with all extents.
    pub(super) fn as_result(
        &mut self,
        nest: &Nest<'_>,
        lane: &Lane,
        places: &[Option<usize>],
        at: usize,
    ) -> Result<String, Why> {
        let shape = &self.given.outputs[at].shape;
        let compact = |place: &Option<usize>| place.filter(|number| lane.along[*number]);
        let kept: Vec<Option<usize>> = places.iter().map(compact).collect();
        let is_whole = kept.iter().zip(shape).all(|(kept, extent)| kept.is_some() || extent.as_known() == Some(1));
        let depth = nest.depth();
        let fits = |(dimension, place): (usize, &Option<usize>)| {
            place.is_none_or(|number| number + places.len() == depth + dimension)
        };
        let is_in_place = lane.rank <= places.len() && kept.iter().enumerate().all(fits);
        let mut name = lane.name.clone();
        let mut rank = lane.rank;
        if !is_in_place {
            let nodes = &mut self.scope.nodes;
            name = lane.compact(nodes);
            let loops = lane.loops();
            let order: Vec<usize> = kept.iter().flatten().copied().collect();
            let permutation: Vec<usize> =
                order.iter().filter_map(|number| loops.iter().position(|other| other == number)).collect();
            name = nodes.transpose(&name, &permutation);
            let missing: Vec<i64> = (0..kept.len()).filter(|at| kept[*at].is_none()).map(|at| at as i64).collect();
            name = nodes.unsqueeze(&name, &missing);
            rank = places.len();
        }
        if !is_whole {
            let shape = self.scope.shape(shape)?;
            return Ok(self.scope.nodes.add("Expand", &[&name, &shape], Vec::new()));
        }
        let missing: Vec<i64> = (0..places.len() - rank).map(|at| at as i64).collect();
        Ok(self.scope.nodes.unsqueeze(&name, &missing))
    }

    /// With what a result had before.
    fn combined(&mut self, at: usize, op: BinaryOp, value: String) -> Result<State, Why> {
        let dtype = self.given.outputs[at].dtype;
        if let State::Uniform(before) = &self.states[at] {
            let nothing = neutral(op, dtype).map(Value::from);
            let is_nothing = nothing.as_ref() == Some(before)
                || matches!((before, op), (Value::Real(zero), BinaryOp::Add) if *zero == 0.0);
            if is_nothing {
                return Ok(State::Value(value));
            }
            let before = self.scope.scalar(&before.clone(), dtype)?;
            return Ok(State::Value(binary(&mut self.scope.nodes, op, dtype, &before, &value)));
        }
        let before = self.output(at)?;
        Ok(State::Value(binary(&mut self.scope.nodes, op, dtype, &before, &value)))
    }
}

/// The elements of its targets that an assignment reads.
fn own_reads<'e>(
    assignment: &'e Assignment,
    expression: &'e ScalarExpr,
    found: &mut Vec<(&'e Target, &'e Vec<AccessIndex>)>,
) {
    if let ScalarKind::Access { tensor, indices } = &expression.kind {
        let own = assignment.targets.iter().filter(|target| target.tensor == *tensor);
        found.extend(own.map(|target| (target, indices)));
    }
    parts(expression, &mut |part| own_reads(assignment, part, found));
}

/// How `ScatterElements` combines values.
pub(super) fn reduction(op: AssignOp) -> &'static str {
    match op {
        AssignOp::Set | AssignOp::Update => "none",
        AssignOp::Add => "add",
        AssignOp::Mul => "mul",
        AssignOp::Min | AssignOp::And => "min",
        AssignOp::Max | AssignOp::Or => "max",
    }
}
