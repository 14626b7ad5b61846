//! Packs of which only a run knows how many items they have: one tensor has all of them, along a dimension in front.

use super::attributes as attr;
use super::graph::{GraphWriter, key};
use super::scope::Why;
use skriptnd_language::compose::graph::{Argument, Instance, Operation};
use skriptnd_language::compose::value::Value;

impl GraphWriter<'_, '_> {
    /// An operator on such a pack, or one that stacks what is in one tensor already; whether it is one.
    pub fn takes_open_pack(&mut self, operation: &Operation, instance: &Instance) -> Result<bool, Why> {
        let given =
            operation.inputs.iter().find_map(|argument| Some((argument, self.packs.get(&key(argument)?)?.clone())));
        let Some((argument, stacked)) = given else { return Ok(false) };
        let is_open = argument.items().iter().any(|id| !self.values.contains_key(id));
        let int = |name: &str| match instance.call.attributes.get(name) {
            Some(Value::Int(value)) => Some(*value),
            _ => None,
        };
        let rank = argument.items().first().map_or(0, |id| self.graph.tensor(*id).ty.shape.len());
        let Some(Argument::Single(result)) = operation.outputs.first() else {
            return if is_open { Err(open()) } else { Ok(false) };
        };
        let is_squeezed = instance.call.attributes.get("squeeze") == Some(&Value::Bool(true));
        let value = match (&*instance.call.operator, int("axis")) {
            ("layout.stack", Some(axis)) if !is_squeezed => {
                let axis = if axis < 0 { axis + rank as i64 } else { axis } as usize;
                let mut order: Vec<usize> = (1..=rank).collect();
                order.insert(axis, 0);
                self.scope.nodes.transpose(&stacked, &order)
            }
            ("layout.concat", Some(axis)) if is_open => self.joined(&stacked, axis, rank)?,
            _ if is_open => return Err(open()),
            _ => return Ok(false),
        };
        self.name(*result, &value);
        Ok(true)
    }

    /// An operator that gives such a pack; whether it is one.
    pub fn gives_open_pack(&mut self, operation: &Operation, instance: &Instance) -> Result<bool, Why> {
        let is_open = |output: &&Argument| self.graph.pack_length(output.items()).is_some();
        let Some(output) = operation.outputs.iter().find(is_open) else { return Ok(false) };
        let (Some(Argument::Single(given)), "layout.unstack") = (operation.inputs.first(), &*instance.call.operator)
        else {
            return Err(open());
        };
        let is_squeezed = instance.call.attributes.get("squeeze") == Some(&Value::Bool(true));
        let Some(Value::Int(axis)) = instance.call.attributes.get("axis").filter(|_| is_squeezed) else {
            return Err(open());
        };
        let rank = self.graph.tensor(*given).ty.shape.len();
        let axis = if *axis < 0 { axis + rank as i64 } else { *axis } as usize;
        let value = self.value(*given)?;
        let order: Vec<usize> = std::iter::once(axis).chain((0..rank).filter(|at| *at != axis)).collect();
        let stacked = self.scope.nodes.transpose(&value, &order);
        self.packs.extend(key(output).map(|key| (key, stacked)));
        Ok(true)
    }

    /// Items of one shape, joined along a dimension.
    fn joined(&mut self, stacked: &str, axis: i64, rank: usize) -> Result<String, Why> {
        let axis = if axis < 0 { axis + rank as i64 } else { axis } as usize;
        let mut order: Vec<usize> = (1..=rank).collect();
        order.insert(axis, 0);
        let nodes = &mut self.scope.nodes;
        let moved = nodes.transpose(stacked, &order);
        let shape = nodes.add("Shape", &[stacked], Vec::new());
        let before = nodes.add("Shape", &[stacked], vec![attr::int("start", 1), attr::int("end", axis as i64 + 1)]);
        let after = nodes.add("Shape", &[stacked], vec![attr::int("start", axis as i64 + 2)]);
        let (first, own) = (nodes.ints(&[0]), nodes.ints(&[axis as i64 + 1]));
        let count = nodes.add("Gather", &[&shape, &first], Vec::new());
        let extent = nodes.add("Gather", &[&shape, &own], Vec::new());
        let joined = nodes.add("Mul", &[&count, &extent], Vec::new());
        let shape = nodes.add("Concat", &[&before, &joined, &after], vec![attr::int("axis", 0)]);
        Ok(nodes.add("Reshape", &[&moved, &shape], vec![attr::int("allowzero", 1)]))
    }
}

fn open() -> Why {
    "a pack has a length that only a run knows".to_owned()
}
