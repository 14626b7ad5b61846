//! Branches and loops (specification, section 2.10.1).

use super::diagnostics as say;
use super::frame::{Frame, assign_all};
use super::machine::Machine;
use skriptnd_language::compose::graph::{Argument, Loop, Operation, Region, TensorId};
use skriptnd_language::fault::Fault;
use skriptnd_runtime::{Tensor, TensorData};
use skriptnd_source::diagnostics::Diagnostics;
use std::sync::Arc;

type Value = Argument<Arc<Tensor>>;

impl Machine<'_> {
    pub(super) fn branch(
        &mut self,
        frame: &mut Frame,
        operation: &Operation,
        arms: &[(Region, Region)],
        otherwise: &Region,
    ) -> Result<(), Diagnostics> {
        let mut chosen = otherwise;
        for (condition, consequent) in arms {
            if self.holds(frame, operation, condition)? {
                chosen = consequent;
                break;
            }
        }
        let known = frame.symbols.len();
        self.region(frame, chosen)?;
        let results = yielded(frame, operation, chosen)?;
        frame.forget_symbols(known);
        assign_all(frame, operation, results)
    }

    /// Executes a condition.
    fn holds(&mut self, frame: &mut Frame, operation: &Operation, condition: &Region) -> Result<bool, Diagnostics> {
        self.region(frame, condition)?;
        match yielded(frame, operation, condition)?.as_slice() {
            [Argument::Single(tensor)] => match &tensor.data {
                TensorData::Bool(items) if items.len() == 1 => Ok(items[0]),
                TensorData::Bool(_) => Err(say::at(operation, say::condition_volume(operation.span, &tensor.shape))),
                _ => Err(say::contradiction(operation, "a condition is no truth value")),
            },
            _ => Err(say::contradiction(operation, "a condition must yield one tensor")),
        }
    }

    pub(super) fn run_loop(
        &mut self,
        frame: &mut Frame,
        operation: &Operation,
        inner: &Loop,
    ) -> Result<(), Diagnostics> {
        let inputs = self.operands(frame, operation)?;
        if inputs.len() < inner.carried + inner.scans {
            return Err(say::contradiction(operation, "a loop has not as many inputs as it says"));
        }
        let (carried, rest) = inputs.split_at(inner.carried);
        let (scans, count) = rest.split_at(inner.scans);
        let limit = iteration_limit(frame, operation, inner, scans, count.first())?;
        let mut state = State { carried: carried.to_vec(), scanned: Vec::new(), index: 0 };
        let outputs = operation.outputs.len().saturating_sub(inner.carried);
        state.scanned.resize(outputs, Vec::new());

        let known = frame.symbols.len();
        while limit.is_none_or(|limit| state.index < limit) {
            frame.forget_symbols(known);
            enter(frame, operation, inner, scans, &state)?;
            if inner.tested_before && !self.go_on(frame, operation, inner)? {
                break;
            }
            self.region(frame, &inner.body)?;
            let yields = yielded(frame, operation, &inner.body)?;
            state.advance(operation, inner, yields)?;
            check_carried(frame, operation, inner, &state.carried)?;
            if !inner.tested_before && inner.condition.is_some() {
                // A condition after the body sees the new values of the carried tensors.
                frame.forget_symbols(known);
                set_carried(frame, operation, inner, &state.carried)?;
                if !self.go_on(frame, operation, inner)? {
                    break;
                }
            }
        }
        frame.forget_symbols(known);
        let scanned = state.scanned.into_iter().map(Argument::Pack);
        let results = state.carried.into_iter().chain(scanned).collect();
        assign_all(frame, operation, results)
    }

    fn go_on(&mut self, frame: &mut Frame, operation: &Operation, inner: &Loop) -> Result<bool, Diagnostics> {
        match &inner.condition {
            Some(condition) => self.holds(frame, operation, condition),
            None => Ok(true),
        }
    }
}

fn yielded(frame: &Frame, operation: &Operation, region: &Region) -> Result<Vec<Value>, Diagnostics> {
    let values = region.results.iter().map(|argument| frame.argument(argument)).collect::<Option<_>>();
    values.ok_or_else(|| say::contradiction(operation, "a block yields a tensor that has no value"))
}

/// What a loop has so far.
struct State {
    carried: Vec<Value>,
    scanned: Vec<Vec<Arc<Tensor>>>,
    index: usize,
}

impl State {
    fn advance(&mut self, operation: &Operation, inner: &Loop, yields: Vec<Value>) -> Result<(), Diagnostics> {
        if yields.len() != inner.carried + self.scanned.len() {
            return Err(say::contradiction(
                operation,
                "a loop body yields not as many tensors as the loop has results",
            ));
        }
        let mut yields = yields.into_iter();
        self.carried = yields.by_ref().take(inner.carried).collect();
        for ((list, value), ids) in self.scanned.iter_mut().zip(yields).zip(&operation.outputs[inner.carried..]) {
            let Argument::Single(tensor) = value else {
                return Err(say::contradiction(operation, "an item of a scan output is no single tensor"));
            };
            if list.len() == ids.items().len() {
                let fault = Fault::pack_overflow(list.len() as i64);
                return Err(say::at(operation, fault.diagnostic(operation.span, &[])));
            }
            list.push(tensor);
        }
        self.index += 1;
        Ok(())
    }
}

/// The new values must be what the loop declares.
fn check_carried(frame: &Frame, operation: &Operation, inner: &Loop, carried: &[Value]) -> Result<(), Diagnostics> {
    for (id, value) in inner.body.parameters.iter().zip(carried) {
        let declared = frame.graph.tensor(*id);
        for (dimension, (extent, actual)) in declared.ty.shape.iter().zip(shape_of(value)).enumerate() {
            let actual = *actual as i64;
            let name = declared.name.rsplit('.').next().unwrap_or(&declared.name);
            if extent.as_known().is_some_and(|known| known != actual)
                || extent.bound.is_some_and(|bound| actual > bound)
            {
                let found = say::carried_extent(operation.span, name, dimension, actual, extent);
                return Err(say::at(operation, found));
            }
        }
    }
    Ok(())
}

fn shape_of(value: &Value) -> &[usize] {
    match value {
        Argument::Single(tensor) => &tensor.shape,
        _ => &[],
    }
}

/// How often the body runs at most: the smallest of the counts that there are.
fn iteration_limit(
    frame: &Frame,
    operation: &Operation,
    inner: &Loop,
    scans: &[Value],
    count: Option<&Value>,
) -> Result<Option<usize>, Diagnostics> {
    let scan_length = scans.iter().map(|pack| pack.items().len()).min();
    let known = match &inner.count {
        Some(extent) => frame.symbols.evaluate(&extent.value),
        None => None,
    };
    let given = match count {
        Some(Argument::Single(tensor)) => match &tensor.data {
            TensorData::I64(items) if items.len() == 1 => Some(items[0]),
            _ => return Err(say::contradiction(operation, "an iteration count is no single int")),
        },
        _ => None,
    };
    let count = given.or(known);
    if let Some((count, limit)) = count.zip(scan_length).filter(|&(count, limit)| count > limit as i64) {
        return Err(say::at(operation, Fault::loop_count(limit).diagnostic(operation.span, &[count])));
    }
    if let Some(count) = count.filter(|&count| count < 0) {
        return Err(say::at(operation, Fault::negative_count().diagnostic(operation.span, &[count])));
    }
    let as_count = |count: i64| usize::try_from(count).unwrap_or(0);
    let limit = [scan_length, known.map(as_count), given.map(as_count)].into_iter().flatten().min();
    if limit.is_none() && inner.condition.is_none() {
        return Err(say::at(operation, say::unknown_extent(operation.span, "the iteration count")));
    }
    Ok(limit)
}

/// Gives the parameters of body and condition their values.
fn enter(
    frame: &mut Frame,
    operation: &Operation,
    inner: &Loop,
    scans: &[Value],
    state: &State,
) -> Result<(), Diagnostics> {
    set_carried(frame, operation, inner, &state.carried)?;
    let items: Vec<_> = scans.iter().map(|pack| pack.items()[state.index].clone()).collect();
    let index = inner.has_index.then(|| Arc::new(Tensor::scalar(state.index as i64)));
    for region in regions(inner) {
        let rest = region.parameters.get(inner.carried..).unwrap_or(&[]);
        if rest.len() != items.len() + usize::from(inner.has_index) {
            return Err(say::contradiction(operation, "a loop body has not as many parameters as the loop says"));
        }
        for (id, tensor) in rest.iter().zip(items.iter().chain(&index)) {
            frame.set(*id, tensor.clone());
        }
    }
    Ok(())
}

fn set_carried(frame: &mut Frame, operation: &Operation, inner: &Loop, carried: &[Value]) -> Result<(), Diagnostics> {
    for region in regions(inner) {
        for (at, value) in carried.iter().enumerate() {
            let id: Option<&TensorId> = region.parameters.get(at);
            let (Some(id), Argument::Single(tensor)) = (id, value) else {
                return Err(say::contradiction(operation, "a carried tensor of a loop is missing"));
            };
            frame.set(*id, tensor.clone());
        }
    }
    Ok(())
}

fn regions(inner: &Loop) -> impl Iterator<Item = &Region> {
    std::iter::once(&inner.body).chain(&inner.condition)
}
