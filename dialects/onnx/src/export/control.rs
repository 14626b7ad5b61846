//! Branches and loops: `If` and `Loop`, whose graphs use values from outside.

use super::attributes as attr;
use super::graph::{GraphWriter, key};
use super::prune::prune;
use super::scope::Why;
use crate::element::ElementType;
use crate::proto::{GraphProto, NodeProto, ValueInfoProto};
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::graph::{Argument, Loop, Operation, Region, TensorId, TensorType};

impl GraphWriter<'_, '_> {
    /// A branch: each further condition is tested where the ones before do not hold.
    pub fn branch(&mut self, operation: &Operation, arms: &[(Region, Region)], otherwise: &Region) -> Result<(), Why> {
        let ids: Vec<TensorId> = operation.outputs.iter().flat_map(Argument::items).copied().collect();
        if operation.outputs.iter().any(|output| self.is_open(output)) {
            return Err("it gives a pack whose length only a run knows".to_owned());
        }
        let types: Vec<TensorType> = ids.iter().map(|id| self.graph.tensor(*id).ty.clone()).collect();
        let begin = self.begin;
        let results = self.arms(arms, otherwise, &types)?;
        self.begin = begin;
        ids.into_iter().zip(results).for_each(|(id, value)| self.name(id, &value));
        Ok(())
    }

    fn is_open(&self, argument: &Argument) -> bool {
        matches!(argument, Argument::Pack(items) if self.graph.pack_length(items).is_some())
    }

    fn arms(
        &mut self,
        arms: &[(Region, Region)],
        otherwise: &Region,
        types: &[TensorType],
    ) -> Result<Vec<String>, Why> {
        let [(condition, consequent), rest @ ..] = arms else {
            self.region(otherwise);
            return self.yielded(otherwise);
        };
        self.region(condition);
        let condition = self.truth(condition)?;
        let before = self.enter();
        self.region(consequent);
        let values = self.yielded(consequent);
        let chosen = self.inner_graph("then", before, values, types)?;
        let before = self.enter();
        let values = self.arms(rest, otherwise, types);
        let other = self.inner_graph("else", before, values, types)?;
        let branches = vec![attr::graph("then_branch", chosen), attr::graph("else_branch", other)];
        Ok(self.scope.nodes.several(("", "If"), vec![condition], types.len(), branches))
    }

    /// What a condition yields, of rank 0.
    fn truth(&mut self, condition: &Region) -> Result<String, Why> {
        let value = self.yielded(condition)?.pop().ok_or("a condition yields nothing")?;
        Ok(self.scope.nodes.scalar(&value))
    }

    /// What a region yields, items of packs one by one.
    fn yielded(&mut self, region: &Region) -> Result<Vec<String>, Why> {
        region.results.iter().flat_map(Argument::items).map(|id| self.value(*id)).collect()
    }

    /// The graph of a branch, whose results have names of their own.
    fn inner_graph(
        &mut self,
        name: &str,
        before: super::graph::Before,
        values: Result<Vec<String>, Why>,
        types: &[TensorType],
    ) -> Result<GraphProto, Why> {
        let mut output = Vec::new();
        for (value, ty) in values.iter().flatten().zip(types) {
            let own = self.scope.nodes.add("Identity", &[value], Vec::new());
            output.push(attr::open_info(&own, attr::element_of(ty.dtype), &ty.shape));
        }
        let nodes = self.leave(before);
        values?;
        Ok(graph(name, nodes, Vec::new(), output))
    }

    /// A loop.
    pub fn repeated(&mut self, operation: &Operation, inner: &Loop) -> Result<(), Why> {
        let (carried, rest) = operation.inputs.split_at(inner.carried.min(operation.inputs.len()));
        let (scans, count) = rest.split_at(inner.scans.min(rest.len()));
        let mut initial = Vec::new();
        for argument in carried {
            let Argument::Single(id) = argument else { return Err("a carried tensor is missing".to_owned()) };
            initial.push(self.value(*id)?);
        }
        if scans.iter().any(|pack| pack.items().is_empty()) {
            return self.idle(operation, inner, &initial);
        }
        let scanned = scans.iter().map(|pack| self.stacked(pack)).collect::<Result<Vec<_>, Why>>()?;
        let limit = self.limit(inner, &scanned, count.first())?;
        let start = match &inner.condition {
            Some(condition) if inner.tested_before => {
                let first = self.scope.nodes.int(0);
                let pairs = scans.iter().zip(&scanned);
                let scanned: Vec<String> = pairs.map(|(pack, stacked)| self.with_one_more(pack, stacked)).collect();
                self.tested(inner, condition, &initial, &scanned, &first)?
            }
            _ => self.scope.nodes.truth(true),
        };
        operation.outputs.iter().skip(inner.carried).try_for_each(|pack| self.check_items(pack))?;
        let outputs = operation.outputs.len();
        let body = self.body(operation, inner, &scanned)?;
        let inputs = [limit.unwrap_or_default(), start].into_iter().chain(initial).collect();
        let values = self.scope.nodes.several(("", "Loop"), inputs, outputs, vec![attr::graph("body", body)]);
        self.loop_results(operation, inner, values)
    }

    /// A loop through packs without items.
    fn idle(&mut self, operation: &Operation, inner: &Loop, initial: &[String]) -> Result<(), Why> {
        let (carried, packs) = operation.outputs.split_at(inner.carried.min(operation.outputs.len()));
        if packs.iter().any(|pack| !pack.items().is_empty()) {
            return Err("it makes a pack of packs without items".to_owned());
        }
        for (argument, value) in carried.iter().zip(initial) {
            argument.items().iter().for_each(|id| self.set(*id, value));
        }
        Ok(())
    }

    /// The items of a pack that may have none, with one more: a condition is asked once where there is none.
    fn with_one_more(&mut self, pack: &Argument, stacked: &str) -> String {
        let Some(first) = pack.items().first().filter(|_| self.is_open(pack)) else { return stacked.to_owned() };
        let rank = self.graph.tensor(*first).ty.shape.len() + 1;
        let mut padding = vec![0; 2 * rank];
        padding[rank] = 1;
        let padding = self.scope.nodes.ints(&padding);
        self.scope.nodes.add("Pad", &[stacked, &padding], Vec::new())
    }

    /// What a condition is for these values of the carried tensors in this iteration.
    fn tested(
        &mut self,
        inner: &Loop,
        condition: &Region,
        carried: &[String],
        scanned: &[String],
        index: &str,
    ) -> Result<String, Why> {
        self.give_parameters(inner, condition, carried, scanned, index);
        self.region(condition);
        self.truth(condition)
    }

    fn give_parameters(&mut self, inner: &Loop, region: &Region, carried: &[String], scanned: &[String], index: &str) {
        for (id, value) in region.parameters.iter().zip(carried) {
            self.set(*id, value);
        }
        let items = region.parameters.iter().skip(inner.carried);
        for (id, stacked) in items.zip(scanned) {
            // A condition is asked once more behind the last item, where its answer makes no difference.
            let index = &self.within(index, stacked);
            let item = self.scope.nodes.add("Gather", &[stacked, index], vec![attr::int("axis", 0)]);
            self.set(*id, &item);
        }
        if let Some(id) = region.parameters.get(inner.carried + inner.scans).filter(|_| inner.has_index) {
            self.set(*id, index);
        }
    }

    /// An index, or that of the last item.
    fn within(&mut self, index: &str, stacked: &str) -> String {
        let nodes = &mut self.scope.nodes;
        let (count, one) = (nodes.extent(stacked, 0), nodes.int(1));
        let last = nodes.add("Sub", &[&count, &one], Vec::new());
        nodes.add("Min", &[index, &last], Vec::new())
    }

    /// The tensor that has all items of a pack.
    fn stacked(&mut self, pack: &Argument) -> Result<String, Why> {
        if let Some(stacked) = key(pack).and_then(|key| self.packs.get(&key)) {
            return Ok(stacked.clone());
        }
        self.check_items(pack)?;
        let mut items = Vec::new();
        for id in pack.items() {
            let value = self.value(*id)?;
            items.push(self.scope.nodes.unsqueeze(&value, &[0]));
        }
        if items.is_empty() {
            return Err("it goes through a pack without items".to_owned());
        }
        Ok(self.scope.nodes.several(("", "Concat"), items, 1, vec![attr::int("axis", 0)]).swap_remove(0))
    }

    /// Items that differ in shape are no part of one tensor.
    fn check_items(&self, pack: &Argument) -> Result<(), Why> {
        let shape = |id: &TensorId| &self.graph.tensor(*id).ty.shape;
        match pack.items().windows(2).all(|pair| shape(&pair[0]) == shape(&pair[1])) {
            true => Ok(()),
            false => Err("the items of a pack that it goes through, or makes, have several shapes".to_owned()),
        }
    }

    /// How often the body runs at most; the smallest of what there is.
    fn limit(&mut self, inner: &Loop, scanned: &[String], count: Option<&Argument>) -> Result<Option<String>, Why> {
        let mut limits = Vec::new();
        if let Some(Argument::Single(id)) = count {
            let value = self.value(*id)?;
            limits.push(self.scope.nodes.scalar(&value));
        }
        if let Some(extent) = &inner.count {
            limits.push(self.scope.extent(&extent.value)?);
        }
        if limits.is_empty() {
            limits.extend(scanned.iter().map(|stacked| self.scope.nodes.extent(stacked, 0)));
        }
        let mut limits = limits.into_iter();
        let Some(mut least) = limits.next() else { return Ok(None) };
        for limit in limits {
            least = self.scope.nodes.add("Min", &[&least, &limit], Vec::new());
        }
        Ok(Some(least))
    }

    fn body(&mut self, operation: &Operation, inner: &Loop, scanned: &[String]) -> Result<GraphProto, Why> {
        let before = self.enter();
        let names = self.body_inputs(inner);
        let carried: Vec<String> = names.iter().skip(2).map(|input| input.name.clone()).collect();
        let index = names[0].name.clone();
        self.give_parameters(inner, &inner.body, &carried, scanned, &index);
        self.region(&inner.body);
        let written = self.body_outputs(operation, inner, scanned, &index);
        let nodes = self.leave(before);
        Ok(graph("body", nodes, names, written?))
    }

    /// The number of the iteration, whether it goes on, and the carried tensors.
    fn body_inputs(&mut self, inner: &Loop) -> Vec<ValueInfoProto> {
        let index = self.scope.nodes.fresh("iteration");
        let goes_on = self.scope.nodes.fresh("goes_on");
        let mut inputs =
            vec![attr::info(&index, ElementType::Int64, &[]), attr::info(&goes_on, ElementType::Bool, &[])];
        for id in inner.body.parameters.iter().take(inner.carried) {
            let tensor = self.graph.tensor(*id);
            let name = self.scope.nodes.fresh(&tensor.name);
            inputs.push(attr::open_info(&name, attr::element_of(tensor.ty.dtype), &tensor.ty.shape));
        }
        inputs
    }

    fn body_outputs(
        &mut self,
        operation: &Operation,
        inner: &Loop,
        scanned: &[String],
        index: &str,
    ) -> Result<Vec<ValueInfoProto>, Why> {
        let values = self.yielded(&inner.body)?;
        let goes_on = match &inner.condition {
            Some(condition) if inner.tested_before => {
                let one = self.scope.nodes.int(1);
                let next = self.scope.nodes.add("Add", &[index, &one], Vec::new());
                self.tested(inner, condition, &values[..inner.carried.min(values.len())], scanned, &next)?
            }
            Some(condition) => {
                self.tested(inner, condition, &values[..inner.carried.min(values.len())], scanned, index)?
            }
            None => self.scope.nodes.truth(true),
        };
        let own = self.scope.nodes.add("Identity", &[&goes_on], Vec::new());
        let mut outputs = vec![attr::info(&own, ElementType::Bool, &[])];
        for (value, result) in values.iter().zip(&operation.outputs) {
            let own = self.scope.nodes.add("Identity", &[value], Vec::new());
            let Some(id) = result.items().first() else { return Err("it scans no items".to_owned()) };
            let ty = self.graph.tensor(*id).ty.clone();
            outputs.push(attr::open_info(&own, attr::element_of(ty.dtype), &ty.shape));
        }
        Ok(outputs)
    }

    /// Final values of carried tensors, and what was scanned, item by item where it is known how many there are.
    fn loop_results(&mut self, operation: &Operation, inner: &Loop, values: Vec<String>) -> Result<(), Why> {
        for (at, (argument, value)) in operation.outputs.iter().zip(values).enumerate() {
            if at < inner.carried {
                argument.items().iter().for_each(|id| self.set(*id, &value));
                continue;
            }
            self.packs.extend(key(argument).map(|key| (key, value.clone())));
            let length = match argument {
                Argument::Pack(items) => self.graph.pack_length(items).cloned(),
                _ => None,
            };
            if let Some(length) = length {
                let open = [Extent { value: length.value, bound: length.bound }];
                self.scope.bind(&value, &open);
                continue;
            }
            for (number, id) in argument.items().iter().enumerate() {
                let index = self.scope.nodes.int(number as i64);
                let item = self.scope.nodes.add("Gather", &[&value, &index], vec![attr::int("axis", 0)]);
                self.set(*id, &item);
            }
        }
        Ok(())
    }
}

fn graph(name: &str, nodes: Vec<NodeProto>, input: Vec<ValueInfoProto>, output: Vec<ValueInfoProto>) -> GraphProto {
    let needed: Vec<String> = output.iter().map(|output| output.name.clone()).collect();
    GraphProto { node: prune(nodes, &needed), name: name.to_owned(), input, output, ..GraphProto::default() }
}
