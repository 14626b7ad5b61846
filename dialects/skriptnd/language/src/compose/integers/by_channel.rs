//! Tensors that have scales for the indices of a dimension, whose elements are moved: scales move along with that dimension. So weights
//! that a model arranges anew, the gates of a recurrent network for one, are dequantized where they are used.

use super::known::DEQUANTIZING;
use super::means::integers;
use super::moved::moving;
use super::rules::{Rules, Scaled};
use crate::compose::edit::{Invocation, single};
use crate::compose::extent::Extent;
use crate::compose::graph::{Argument, Operation, OperationKind, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

/// Where a dimension is that has scales, behind an operation, and what the operation makes of the vector of them.
struct Place {
    axis: usize,
    vectors: Vectors,
}

enum Vectors {
    Same,
    /// The part of a slice that is of that dimension.
    Sliced([i64; 3]),
    Joined,
}

impl Rules<'_, '_> {
    /// What stands for elements with scales for a dimension, which an operation moves.
    pub(super) fn moved_by_channel(&mut self, id: TensorId) -> Option<Scaled> {
        let operation = self.made.get(&id)?.clone();
        let call = moving(&operation)?;
        let items: Vec<TensorId> = operation.inputs.iter().flat_map(Argument::items).copied().collect();
        let parts = items.iter().map(|item| self.scaled(*item)).collect::<Option<Vec<Scaled>>>()?;
        let first = *parts.first()?;
        let axis = first.axis.filter(|_| parts.iter().all(|part| part.axis == first.axis))?;
        let place = self.place(call, axis, (items[0], id))?;
        let has_zeros = parts.iter().any(|part| part.zero.is_some());
        let (mut wholes, mut scales, mut zeros) = (Vec::new(), Vec::new(), Vec::new());
        for (part, item) in parts.iter().zip(&items) {
            wholes.push(part.whole);
            scales.push(self.editor.vector(part.scale)?);
            if has_zeros {
                let count = self.editor.ty(*item).shape[axis].as_known()?;
                zeros.push(self.zeros(part, count)?);
            }
        }
        let scale = self.rearranged(&place.vectors, scales)?;
        let zero = if has_zeros { Some(self.rearranged(&place.vectors, zeros)?) } else { None };
        let whole = self.again(call, packed_alike(&operation, wholes)?)?;
        let ranges = parts.iter().map(|part| self.range(part.whole));
        let range = ranges.reduce(|all, own| Some((all?.0.min(own?.0), all?.1.max(own?.1)))).flatten();
        self.limits.extend(range.map(|range| (whole, range)));
        let scaled = Scaled { whole, scale, zero, axis: Some(place.axis) };
        self.scaled.insert(id, scaled);
        Some(scaled)
    }

    /// A recurrent network whose sequence and weights are dequantized in the form in which it takes them.
    pub(super) fn recurrent(&mut self, operation: &Operation) -> Option<bool> {
        let mut inputs = operation.inputs.clone();
        for place in 0..inputs.len().min(3) {
            let Argument::Single(weight) = inputs[place] else { continue };
            let is_alone = operation.inputs.iter().filter(|other| **other == inputs[place]).count() == 1;
            let dequantized = is_alone.then(|| self.attempt(|rules| rules.dequantized(weight))).flatten();
            if let Some(dequantized) = dequantized.filter(|own| self.editor.ty(*own) == self.editor.ty(weight)) {
                inputs[place] = Argument::Single(dequantized);
            }
        }
        if inputs == operation.inputs {
            return Some(false);
        }
        // It is the same, and so are extents of what it gives.
        self.editor.operations.push(Operation { inputs, ..operation.clone() });
        Some(true)
    }

    /// The reals of integers that were moved, dequantized behind that.
    fn dequantized(&mut self, weight: TensorId) -> Option<TensorId> {
        let made = self.made.get(&weight)?;
        let is_direct = matches!(&made.kind, OperationKind::Operator(call) if DEQUANTIZING.contains(&&*call.operator));
        let scaled = self.scaled(weight).filter(|_| !is_direct)?;
        let scale = self.editor.vector(scaled.scale)?;
        let zeros = self.zeros(&scaled, self.editor.volume(scale)?)?;
        let axis = vec![("axis", Value::Int(i64::try_from(scaled.axis.unwrap_or(0)).ok()?))];
        self.editor.call("quantized.dequantize", axis, &[scaled.whole, scale, zeros])
    }

    /// What stands for 0, for each of several scales.
    fn zeros(&mut self, scaled: &Scaled, count: i64) -> Option<TensorId> {
        match scaled.zero {
            Some(zero) if self.editor.volume(zero)? == count => self.editor.vector(zero),
            Some(zero) => {
                let number = Value::Int(self.editor.number(zero)? as i64);
                self.editor.known(ScalarType::Int, &[count], number)
            }
            None => self.editor.known(ScalarType::Int, &[count], Value::Int(0)),
        }
    }

    fn rearranged(&mut self, vectors: &Vectors, given: Vec<TensorId>) -> Option<TensorId> {
        match vectors {
            Vectors::Same => given.into_iter().next(),
            Vectors::Sliced(part) => {
                let names = ["begin", "end", "stride"].into_iter().zip(part);
                let one = |number: i64| Value::Pack(vec![Value::Int(number)]);
                let attributes = names.map(|(name, number)| (name, one(*number))).chain([("axes", one(0))]);
                self.editor.call("layout.slice", attributes.collect(), &[*given.first()?])
            }
            Vectors::Joined => {
                let attributes = vec![("axis", Value::Int(0))];
                let inputs = vec![Argument::Pack(given)];
                single(&self.editor.invoke(Invocation { operator: "layout.concat", attributes, inputs })?)
            }
        }
    }

    /// Where an operation from one tensor to another one moves a dimension.
    fn place(&self, call: &OperatorCall, axis: usize, (from, to): (TensorId, TensorId)) -> Option<Place> {
        let (before, behind) = (&self.editor.ty(from).shape, &self.editor.ty(to).shape);
        let from_first = |axis: i64| usize::try_from(if axis < 0 { axis + before.len() as i64 } else { axis }).ok();
        let pack = |name: &str| integers(call.attributes.get(name)?);
        let (axis, vectors) = match &*call.operator {
            "layout.transpose" => {
                let perm = pack("perm").filter(|perm| perm.len() == before.len())?;
                (perm.iter().position(|dim| from_first(*dim) == Some(axis))?, Vectors::Same)
            }
            "layout.reshape" | "layout.flatten" | "layout.unflatten" | "layout.squeeze" | "layout.unsqueeze" => {
                (reshaped(before, behind, axis)?, Vectors::Same)
            }
            "layout.slice" => match pack("axes")?.iter().position(|own| from_first(*own) == Some(axis)) {
                Some(at) => {
                    let item = |name: &str| pack(name)?.get(at).copied();
                    (axis, Vectors::Sliced([item("begin")?, item("end")?, item("stride")?]))
                }
                None => (axis, Vectors::Same),
            },
            "layout.concat" => match call.attributes.get("axis") {
                Some(Value::Int(own)) if from_first(*own) == Some(axis) => (axis, Vectors::Joined),
                _ => return None,
            },
            _ => return None,
        };
        Some(Place { axis, vectors })
    }
}

/// The dimension that one is behind a reshape: what lies before it has as many elements.
fn reshaped(before: &[Extent], behind: &[Extent], axis: usize) -> Option<usize> {
    let volume = |extents: &[Extent]| extents.iter().try_fold(1i64, |all, extent| all.checked_mul(extent.as_known()?));
    let (outer, own) = (volume(&before[..axis])?, before[axis].as_known()?);
    (0..behind.len()).find(|at| behind[*at].as_known() == Some(own) && volume(&behind[..*at]) == Some(outer))
}

/// Operands in the form that an operation's have, which are tensors or a pack of them.
fn packed_alike(operation: &Operation, operands: Vec<TensorId>) -> Option<Vec<Argument>> {
    match (operation.inputs.as_slice(), operands.as_slice()) {
        ([Argument::Pack(_)], _) => Some(vec![Argument::Pack(operands)]),
        ([Argument::Single(_)], [one]) => Some(vec![Argument::Single(*one)]),
        _ => None,
    }
}
