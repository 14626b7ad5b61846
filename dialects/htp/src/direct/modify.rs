//! What modifiers change.

use super::graph::Output;
use super::replace::{Around, Builder};
use super::values::Value;
use crate::apply::plan::MAX_OUTPUTS;
use crate::apply::{Encoding, SplitRecord};
use crate::grammar::model::*;

impl Builder<'_> {
    pub(super) fn modified(&mut self, modifier: &Modifier, outer: &Around) -> Option<Around> {
        let mut around = outer.clone();
        if matches!(modifier, Modifier::Size(_) | Modifier::SameOutput(_) | Modifier::ResizeDim(..)) {
            around.unsplit = None;
        }
        match modifier {
            Modifier::Size(shape) => {
                let shape = self.build(shape, outer)?;
                around.output.dims = self.output_def(shape).dims;
            }
            Modifier::Type(operand) => around.output.encoding = self.output_def(self.operand(operand)?).encoding,
            Modifier::SameOutput(operand) => around.output = self.output_def(self.operand(operand)?),
            Modifier::OutputType(dtype, zero_offset, step_size) => {
                let Value::Tag(dtype) = self.value(dtype)? else { return None };
                let zero_offset = i32::try_from(self.value(zero_offset)?.whole()?).ok()?;
                let Value::Real(step_size) = self.value(step_size)? else { return None };
                around.output.encoding = Encoding::new(dtype, zero_offset, step_size);
            }
            Modifier::ResizeDim(dimension, extent) => {
                let dimension = usize::try_from(self.whole_number(dimension)?).ok()?;
                let extent = u64::try_from(self.whole_number(extent)?).ok()?;
                *around.output.dims.get_mut(dimension)? = extent;
            }
            Modifier::SameId(operand) => {
                let operand = self.operand(operand)?;
                around.identity.id = self.id(operand);
            }
            Modifier::MultiOut(count) => around.outputs = self.count_of(count, MAX_OUTPUTS)?,
            Modifier::SplitHistory(operand, size) => {
                let operand = self.operand(operand)?;
                around.identity.history = self.graph.node(operand.node).identity.history.clone();
                if let Some(size) = size {
                    let size = self.whole_number(size)?;
                    let dimension = self.scopes.last().map_or(-1, |scope| scope.dimension as i64);
                    let original = self.id(operand).unwrap_or(0);
                    around.identity.history.push(SplitRecord { dimension, original, size });
                }
            }
        }
        Some(around)
    }

    /// The op id of a node; inputs of the graph have none.
    pub(super) fn id(&mut self, of: Output) -> Option<i64> {
        self.graph.node(of.node).op.as_ref()?;
        Some(self.graph.id_of(of.node))
    }
}
