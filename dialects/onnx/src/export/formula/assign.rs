//! Assignments whose targets are indexed by loops: what is computed is the result, reduced along the other loops.

use super::lane::{Lane, both};
use super::places::Places;
use super::{FormulaWriter, Nest, State, parts};
use crate::export::arithmetic::binary;
use crate::export::attributes as attr;
use crate::export::scope::Why;
use skriptnd_language::arithmetic::{accumulator, neutral};
use skriptnd_language::compose::extent::SymExpr;
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
            assignment.targets.iter().map(|target| Some(self.places(nest, target)?.others)).collect();
        match places {
            Some(others) if reads.iter().all(is_own) && others.iter().all(|other| *other == others[0]) => {
                (!others[0].is_empty()).then(|| others[0].clone())
            }
            _ => Some((0..nest.depth()).collect()),
        }
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
        if let (Some(Places { others, .. }), ScalarKind::Const(value), None) = (&places, &value.kind, condition)
            && others.iter().all(|number| nest.extent(*number).is_some())
            && accumulator(op).is_none()
        {
            return Ok(State::Uniform(value.clone()));
        }
        if accumulator(op) == Some(BinaryOp::Add) && condition.is_none() {
            let (order, others) = match &places {
                Some(places) => (places.flat().into_iter().flatten().collect(), places.others.clone()),
                None => (nest.placed(target), nest.free(target)),
            };
            if let Some(sum) = self.contraction(nest, value, (&order, &others))? {
                return self.summed(nest, (target, at), places.as_ref(), sum);
            }
        }
        let lane = self.scalar(nest, value)?;
        let mask = both(&mut self.scope.nodes, lane.mask.as_deref(), condition);
        self.written(nest, (target, at), Lane { mask, ..lane }, value.dtype)
    }

    /// A result to which a sum is added that has dimensions of some loops.
    fn summed(
        &mut self,
        nest: &mut Nest<'_>,
        (target, at): (&Target, usize),
        places: Option<&Places>,
        (sum, order): (String, Vec<usize>),
    ) -> Result<State, Why> {
        let order: Vec<Option<usize>> = order.into_iter().map(Some).collect();
        let Some(places) = places else {
            let lane = self.in_order(nest, sum, &order);
            return self.scattered(nest, (target, at), lane);
        };
        let value = match places.flat() == order {
            true => self.shaped(sum, places, at)?,
            false => {
                let lane = self.in_order(nest, sum, &order);
                self.as_result(nest, &lane, places, at)?
            }
        };
        self.combined(at, BinaryOp::Add, value)
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
            (Some(places), Some(op)) => {
                let reduced = self.reduced(nest, lane, &places.others, op, dtype)?;
                let value = self.as_result(nest, &reduced, &places, at)?;
                self.combined(at, op, value)
            }
            (Some(places), None) if lane.mask.is_none() || places.others.is_empty() => {
                self.replaced(nest, lane, &places, at)
            }
            (None, Some(op)) => {
                let lane = self.reduced(nest, lane, &nest.free(target), op, dtype)?;
                self.scattered(nest, (target, at), lane)
            }
            _ => self.scattered(nest, (target, at), lane),
        }
    }

    /// `=` and `:=`: of several iterations the last one counts.
    fn replaced(&mut self, nest: &Nest<'_>, mut lane: Lane, places: &Places, at: usize) -> Result<State, Why> {
        for number in &places.others {
            lane = self.last(nest, lane, *number)?;
        }
        let value = self.as_result(nest, &lane.bare(), places, at)?;
        let Some(mask) = lane.mask.as_deref() else { return Ok(State::Value(value)) };
        let mask = self.as_result(nest, mask, places, at)?;
        let before = self.output(at)?;
        let is_truth = self.given.outputs[at].dtype == ScalarType::Bool;
        Ok(State::Value(self.scope.nodes.select(&mask, [&value, &before], is_truth)))
    }

    /// What the last iteration of a loop gives, if there is one.
    fn last(&mut self, nest: &Nest<'_>, mut lane: Lane, number: usize) -> Result<Lane, Why> {
        let known = nest.extent(number);
        let index = match known {
            Some(extent) => self.scope.nodes.ints(&[extent - 1]),
            None => self.scope.vector(&[nest.extent_expression(number)])?,
        };
        if lane.along[number] {
            let dimension = lane.dimension(number);
            if known.is_none() {
                // One element more in front, which stands for no iteration.
                let mut padding = vec![0; 2 * lane.rank];
                padding[dimension] = 1;
                let padding = self.scope.nodes.ints(&padding);
                lane.name = self.scope.nodes.add("Pad", &[&lane.name, &padding], Vec::new());
            }
            let axis = vec![attr::int("axis", dimension as i64)];
            lane.name = self.scope.nodes.add("Gather", &[&lane.name, &index], axis);
            lane.along[number] = false;
        }
        if known.is_none() {
            let nodes = &mut self.scope.nodes;
            let extent = nodes.scalar(&index);
            let runs = nodes.is_positive(&extent);
            let runs = Lane::scalar(runs, nest.depth());
            lane.mask = both(nodes, lane.mask.as_deref(), Some(&runs));
        }
        Ok(lane)
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
                false => SymExpr::Const(1),
            };
            let shape: Vec<_> = (0..nest.depth()).map(extent).collect();
            self.check_size(nest, &[lane.loops(), missing.clone()].concat())?;
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
        places: &Places,
        at: usize,
    ) -> Result<String, Why> {
        let flat = places.flat();
        let extent = |place: &Option<usize>| place.map_or(SymExpr::Const(1), |number| nest.extent_expression(number));
        let shape: Vec<SymExpr> = flat.iter().map(extent).collect();
        let kept: Vec<Option<usize>> = flat.iter().map(|place| place.filter(|number| lane.along[*number])).collect();
        let is_whole = kept.iter().zip(&shape).all(|(kept, extent)| kept.is_some() || extent.as_known() == Some(1));
        let depth = nest.depth();
        let fits =
            |(dimension, place): (usize, &Option<usize>)| place.is_none_or(|it| it + flat.len() == depth + dimension);
        let is_in_place = lane.rank <= flat.len() && kept.iter().enumerate().all(fits);
        let mut name = lane.name.clone();
        let mut rank = lane.rank;
        if !is_in_place {
            name = self.permuted(lane, &kept);
            rank = flat.len();
        }
        if is_whole {
            let missing: Vec<i64> = (0..flat.len() - rank).map(|at| at as i64).collect();
            name = self.scope.nodes.unsqueeze(&name, &missing);
        } else {
            let shape = self.scope.vector(&shape)?;
            name = self.scope.nodes.add("Expand", &[&name, &shape], Vec::new());
        }
        self.shaped(name, places, at)
    }

    /// The dimensions of some loops in this order, with those of extent 1 between them.
    fn permuted(&mut self, lane: &Lane, kept: &[Option<usize>]) -> String {
        let nodes = &mut self.scope.nodes;
        let name = lane.compact(nodes);
        let loops = lane.loops();
        let order = kept.iter().flatten();
        let permutation: Vec<usize> =
            order.filter_map(|number| loops.iter().position(|other| other == number)).collect();
        let name = nodes.transpose(&name, &permutation);
        let missing: Vec<i64> = (0..kept.len()).filter(|at| kept[*at].is_none()).map(|at| at as i64).collect();
        nodes.unsqueeze(&name, &missing)
    }

    /// A result that has a dimension for each loop.
    fn shaped(&mut self, name: String, places: &Places, at: usize) -> Result<String, Why> {
        if !places.is_split() {
            return Ok(name);
        }
        let shape = self.scope.shape(&self.given.outputs[at].shape)?;
        Ok(self.scope.nodes.add("Reshape", &[&name, &shape], vec![attr::int("allowzero", 1)]))
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
