//! Assignments whose iterations must run in order, or that write elements at computed places: loops over elements, or over rows.

use super::scalar::{Guarded, Scalars, Surroundings};
use super::slices::Rows;
use super::{FormulaState, arithmetic, required};
use crate::lowering::plan::extent_of;
use crate::lowering::requirements::Requirement;
use crate::scalars::Scalars as _;
use skriptnd_language::compose::formula::{Assignment, ScalarExpr, TensorRef};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::{arith, scf, tensor};

/// Emits one assignment with what it requires.
pub fn emit<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    assignment: &Assignment,
    requirements: &[Requirement<'_>],
) -> Result<(), Failure> {
    let mut written: Vec<TensorRef> = Vec::new();
    for target in &assignment.targets {
        if !written.contains(&target.tensor) {
            written.push(target.tensor);
        }
    }
    let initial = written.iter().map(|&tensor| state.current(tensor, false)).collect::<Result<Vec<_>, _>>()?;
    let rows = Rows::of(assignment, requirements, state.tensors);
    let nest = Nest { state, assignment, requirements, written: &written, rows };
    let results = nest.open(state.builder, Vec::new(), &initial)?;
    for (&tensor, value) in written.iter().zip(results) {
        state.set(tensor, value)?;
    }
    Ok(())
}

struct Nest<'s, 'c, 'a> {
    state: &'s FormulaState<'s, 'c, 'a>,
    assignment: &'s Assignment,
    requirements: &'s [Requirement<'s>],
    written: &'s [TensorRef],
    /// What is copied in place of single elements.
    rows: Option<Rows<'s>>,
}

impl<'c: 'a, 'a> Nest<'_, 'c, 'a> {
    /// The next loop inwards, or the assignment itself; gives the tensors written.
    fn open(
        &self,
        builder: Builder<'c, 'a>,
        indices: Vec<Value<'c, 'a>>,
        tensors: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let loops = match &self.rows {
            Some(rows) => &self.assignment.loops[..rows.outer],
            None => &self.assignment.loops,
        };
        let Some(next) = loops.get(indices.len()) else {
            return self.assign(builder, &indices, tensors);
        };
        let mut count = self.state.extents.index(&builder, &extent_of(next))?;
        if let Some(rows) = self.rows.as_ref().filter(|_| indices.is_empty()) {
            count = rows.count(self.state, &builder, count)?;
        }
        let bounds = [builder.index(0)?, count, builder.index(1)?];
        let repeated = scf::r#for(&builder, bounds, tensors)?;
        let index = arith::index_cast(&repeated.body, repeated.index, types::integer(builder.context(), 64))?;
        let results = self.open(repeated.body, [indices, vec![index]].concat(), &repeated.carried)?;
        scf::r#yield(&repeated.body, &results)?;
        Ok(repeated.operation.result_values())
    }

    fn assign(
        &self,
        builder: Builder<'c, 'a>,
        indices: &[Value<'c, 'a>],
        tensors: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        // A row begins where its loops would.
        let first = vec![builder.int(0)?; self.assignment.loops.len() - indices.len()];
        let surroundings = LoopBody { nest: self, indices: &[indices, &first].concat(), tensors };
        let mut scalars = Scalars::new(builder, self.assignment, self.state.scope(), &surroundings);
        if !self.requirements.is_empty() {
            scalars = scalars.following_faults();
        }
        required::emit(self.state, &scalars, self.assignment, self.requirements)?;
        let mut condition = scalars.locals_run()?;
        if let Some(expression) = &self.assignment.condition {
            let Guarded { value, condition: guard, .. } = scalars.emit(expression)?;
            condition = scalars.both(condition, scalars.both(guard, Some(value))?)?;
        }
        let mut writes = Vec::new();
        for (target, value) in self.assignment.targets.iter().zip(&self.assignment.values) {
            let shape = self.state.shape(target.tensor)?;
            if shape.is_empty() {
                return Ok(tensors.to_vec());
            }
            let new = match &self.rows {
                Some(rows) => rows.read(self.state, &scalars)?,
                None => scalars.emit(value)?,
            };
            let positions = scalars.positions(&target.indices, &shape.shape)?;
            condition = scalars.both(condition, scalars.both(new.condition, positions.condition)?)?;
            condition = scalars.both(condition, scalars.has_elements(&target.indices, &shape.shape)?)?;
            writes.push((self.slot(target.tensor)?, positions.indices, new.value));
        }
        let Some(condition) = condition else { return self.write(builder, &writes, tensors) };
        let types: Vec<Type<'c>> = tensors.iter().map(|tensor| tensor.r#type()).collect();
        let branch = scf::r#if(&builder, condition, &types)?;
        scf::r#yield(&branch.then, &self.write(branch.then, &writes, tensors)?)?;
        scf::r#yield(&branch.otherwise, tensors)?;
        Ok(branch.operation.result_values())
    }

    fn write(
        &self,
        builder: Builder<'c, 'a>,
        writes: &[(usize, Vec<Value<'c, 'a>>, Value<'c, 'a>)],
        tensors: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let mut tensors = tensors.to_vec();
        for ((slot, positions, new), value) in writes.iter().zip(&self.assignment.values) {
            let tensor = tensors.get_mut(*slot).ok_or("a formula writes a tensor that it does not have")?;
            if let Some(rows) = &self.rows {
                *tensor = rows.write(self.state, builder, (*new, *tensor, positions))?;
                continue;
            }
            let old = || tensor::extract(&builder, *tensor, positions);
            let combined = arithmetic::combine(&builder, self.assignment.op, value.dtype, old, *new)?;
            *tensor = tensor::insert(&builder, combined, *tensor, positions)?;
        }
        Ok(tensors)
    }

    fn slot(&self, tensor: TensorRef) -> Result<usize, Failure> {
        let slot = self.written.iter().position(|&own| own == tensor);
        slot.ok_or_else(|| "a formula writes a tensor that it does not have".into())
    }
}

struct LoopBody<'s, 'c, 'a> {
    nest: &'s Nest<'s, 'c, 'a>,
    indices: &'s [Value<'c, 'a>],
    tensors: &'s [Value<'c, 'a>],
}

impl<'c: 'a, 'a> Surroundings<'c, 'a> for LoopBody<'_, 'c, 'a> {
    fn index(&self, _builder: &Builder<'c, 'a>, number: usize) -> Result<Value<'c, 'a>, Failure> {
        self.indices.get(number).copied().ok_or_else(|| "an index without a loop".into())
    }

    fn element(&self, _access: &ScalarExpr) -> Option<Value<'c, 'a>> {
        None
    }

    fn tensor(&self, tensor: TensorRef) -> Result<Value<'c, 'a>, Failure> {
        match self.nest.slot(tensor) {
            Ok(slot) => self.tensors.get(slot).copied().ok_or_else(|| "a tensor without a value".into()),
            Err(_) => self.nest.state.tensor(tensor),
        }
    }
}
