//! A graph that is being executed: the values of its tensors and symbols.

use super::diagnostics as say;
use super::formula::tensor_of;
use super::limits;
use super::symbols::Symbols;
use skriptnd_language::compose::extent::{Extent, NoValue};
use skriptnd_language::compose::graph::{Argument, Graph, Operation, Origin, Port, TensorId};
use skriptnd_runtime::Tensor;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics};
use std::sync::Arc;

/// A graph that is being executed.
pub(super) struct Frame<'g> {
    pub graph: &'g Graph,
    pub values: Vec<Option<Arc<Tensor>>>,
    pub symbols: Symbols,
    /// How many symbols were known when the assertions were checked last, and which of these have been decided.
    checked_symbols: Option<usize>,
    decided: Vec<bool>,
}

impl<'g> Frame<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        Frame {
            graph,
            values: vec![None; graph.tensors.len()],
            symbols: Symbols::default(),
            checked_symbols: None,
            decided: vec![false; graph.runtime_asserts.len()],
        }
    }

    /// Checks the assertions whose extents have become known (section 3.1).
    pub(super) fn check_assertions(&mut self) -> Result<(), Diagnostics> {
        if self.checked_symbols == Some(self.symbols.len()) {
            return Ok(());
        }
        self.checked_symbols = Some(self.symbols.len());
        let (mut found, mut negative) = (Diagnostics::default(), Diagnostics::default());
        for (assertion, decided) in self.graph.runtime_asserts.iter().zip(&mut self.decided) {
            if *decided {
                continue;
            }
            match self.symbols.value(&assertion.condition) {
                Ok(0) if assertion.violation.is_negative_extent() => {
                    negative.push(say::failed_assertion(assertion, &self.symbols));
                }
                Ok(0) => found.push(say::failed_assertion(assertion, &self.symbols)),
                Ok(_) => {}
                // Whoever needs the extent tells that it has no value.
                Err(NoValue::Undefined) if assertion.violation.is_negative_extent() => {}
                Err(NoValue::Undefined) => found.push(say::undefined_condition(assertion, &self.symbols)),
                Err(NoValue::Open) => continue,
            }
            *decided = true;
        }
        // What makes an extent negative often violates an assertion, which tells more about the reason.
        if !found.has_errors() {
            found = negative;
        }
        if found.has_errors() { Err(found) } else { Ok(()) }
    }

    /// Forgets the symbols beyond the first ones, which another iteration gives other values.
    pub(super) fn forget_symbols(&mut self, known: usize) {
        if self.symbols.len() <= known {
            return;
        }
        self.symbols.truncate(known);
        self.checked_symbols = None;
        for (assertion, decided) in self.graph.runtime_asserts.iter().zip(&mut self.decided) {
            *decided &= self.symbols.value(&assertion.condition) != Err(NoValue::Open);
        }
    }

    /// The value of a tensor; constants that depend on extents of results are made when they are asked for.
    pub(super) fn value(&self, id: TensorId) -> Option<Arc<Tensor>> {
        let value = self.values.get(id.0 as usize)?.clone();
        value.or_else(|| self.constant(id, usize::MAX)?.ok().map(Arc::new))
    }

    /// The value of a constant, or the default of an input; none if it depends on extents that are not known yet.
    pub(super) fn constant(&self, id: TensorId, max_bytes: usize) -> Option<Result<Tensor, Diagnostic>> {
        let declared = self.graph.tensor(id);
        let (Origin::Constant(value) | Origin::Input { default: Some(value) }) = &declared.origin else { return None };
        let shape = self.symbols.shape(&declared.ty)?;
        let value = self.symbols.resolve(value)?;
        let needed = limits::bytes(declared.ty.dtype, &shape);
        if needed > max_bytes {
            return Some(Err(say::memory_limit(declared.span, needed, max_bytes)));
        }
        let tensor = tensor_of(&value, declared.ty.dtype, shape);
        Some(tensor.map_err(|fault| say::formula(declared.span, &fault, |_| declared.name.clone())))
    }

    /// Gives a tensor its value, which may take the place of one of an earlier iteration, and its symbols theirs.
    pub(super) fn set(&mut self, id: TensorId, tensor: Arc<Tensor>) {
        self.symbols.bind(&self.graph.tensor(id).ty, &tensor.shape);
        self.values[id.0 as usize] = Some(tensor);
    }

    /// The tensors of an argument. Of the result of a dynamic loop only as many items are there as it made.
    pub(super) fn argument(&self, argument: &Argument) -> Option<Argument<Arc<Tensor>>> {
        Some(match argument {
            Argument::Null => Argument::Null,
            Argument::Single(id) => Argument::Single(self.value(*id)?),
            Argument::Pack(ids) => Argument::Pack(self.items(ids)),
        })
    }

    /// The tensors of a pack that are there: of a part of one of open length so many as the part has.
    fn items(&self, ids: &[TensorId]) -> Vec<Arc<Tensor>> {
        let (mut rest, mut items) = (ids, Vec::new());
        while !rest.is_empty() {
            let pack = self.graph.leading_pack(rest);
            let (part, others) = rest.split_at(pack.map_or(1, |(count, _)| count));
            let length = pack.and_then(|(_, length)| self.symbols.evaluate(&length.value));
            let length = length.map_or(part.len(), |length| usize::try_from(length).unwrap_or(0));
            items.extend(part.iter().take(length).filter_map(|id| self.value(*id)));
            rest = others;
        }
        items
    }

    /// Of an item that stands by itself and that its pack has not: its place, and how many items the pack has.
    pub(super) fn missing_item(&self, argument: &Argument) -> Option<(usize, usize)> {
        let mut rest = argument.items();
        while let Some(id) = rest.first() {
            if let (Some((count, _)), Argument::Pack(_)) = (self.graph.leading_pack(rest), argument) {
                rest = &rest[count..];
                continue;
            }
            if self.values.get(id.0 as usize).is_none_or(Option::is_none)
                && let Some((first, length)) = self.pack_of(*id)
            {
                // Items that nothing uses any more have no value either.
                let there = self.symbols.evaluate(&length.value).and_then(|there| usize::try_from(there).ok());
                return Some(((id.0 - first.0) as usize, there.unwrap_or(0)));
            }
            rest = &rest[1..];
        }
        None
    }

    /// The first tensor of the pack of open length that a tensor is an item of, and that length.
    fn pack_of(&self, id: TensorId) -> Option<(TensorId, &Extent)> {
        let packs = &self.graph.pack_lengths;
        let before = &packs[..packs.partition_point(|(first, _)| *first <= id)];
        let bounded = before.iter().filter_map(|(first, length)| Some((*first, length, length.bound?)));
        let holding = bounded.filter(|(first, _, bound)| i64::from(id.0 - first.0) < *bound);
        // Parts stand behind the whole.
        let whole = holding.min_by_key(|(first, _, bound)| (*first, -bound));
        whole.map(|(first, length, _)| (first, length))
    }

    /// Gives the tensors of an argument their values. A pack may be shorter than declared.
    pub(super) fn assign(&mut self, ids: &Argument, values: Argument<Arc<Tensor>>) -> Result<(), &'static str> {
        let (ids, items) = (ids.items(), values.items());
        if items.len() > ids.len() {
            return Err("an operation has more results than tensors for them");
        }
        for (at, id) in ids.iter().enumerate() {
            match items.get(at) {
                Some(tensor) => self.set(*id, tensor.clone()),
                None => self.values[id.0 as usize] = None,
            }
        }
        if let Some(length) = self.graph.pack_length(ids) {
            self.symbols.set(&length.value, items.len());
        }
        Ok(())
    }
}

/// Gives the results of an operation their values.
pub(super) fn assign_all(
    frame: &mut Frame,
    operation: &Operation,
    results: Vec<Argument<Arc<Tensor>>>,
) -> Result<(), Diagnostics> {
    if results.len() != operation.outputs.len() {
        return Err(say::contradiction(operation, "an operation has not as many results as its operator outputs"));
    }
    for (ids, values) in operation.outputs.iter().zip(results) {
        frame.assign(ids, values).map_err(|reason| say::contradiction(operation, reason))?;
    }
    Ok(())
}

/// The values of a graph's outputs.
pub(super) fn results_of(frame: &Frame, outputs: &[Port]) -> Result<Vec<Argument<Arc<Tensor>>>, &'static str> {
    let values = outputs.iter().map(|port| frame.argument(&port.tensors)).collect::<Option<_>>();
    values.ok_or("an output has no value")
}
