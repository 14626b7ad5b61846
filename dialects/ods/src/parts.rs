//! What an operation is made of, whether it exists already or not.

use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::InferenceInput;
use skriptnd_mlir::ir::{Attribute, Context, OperationRef, RegionRef, Value};

/// Something with operands and attributes.
pub trait Parts<'c>: Copy {
    /// What stands for an operand.
    type Value: Copy;

    /// How many operands there are.
    fn operand_count(self) -> usize;

    /// So many operands from one on, as far as there are that many.
    fn operands(self, start: usize, count: usize) -> Vec<Self::Value>;

    /// The attribute of a name.
    fn attribute(self, name: &str) -> Option<Attribute<'c>>;
}

impl<'c, 'a> Parts<'c> for OperationRef<'c, 'a> {
    type Value = Value<'c, 'a>;

    fn operand_count(self) -> usize {
        OperationRef::operand_count(&self)
    }

    fn operands(self, start: usize, count: usize) -> Vec<Value<'c, 'a>> {
        OperationRef::operands(&self).skip(start).take(count).collect()
    }

    fn attribute(self, name: &str) -> Option<Attribute<'c>> {
        self.get(name)
    }
}

impl<'c, 'a> Parts<'c> for &InferenceInput<'c, 'a> {
    type Value = Value<'c, 'a>;

    fn operand_count(self) -> usize {
        self.operands.len()
    }

    fn operands(self, start: usize, count: usize) -> Vec<Value<'c, 'a>> {
        self.operands.iter().skip(start).take(count).copied().collect()
    }

    fn attribute(self, name: &str) -> Option<Attribute<'c>> {
        InferenceInput::attribute(self, name)
    }
}

/// Operands, attributes and regions without an operation; `V` is what is known of an operand, such as its value or the
/// constant that it is. Generated adaptors are typed views of it.
#[derive(Clone, Debug)]
pub struct Adapted<'c, 'a, V> {
    /// The context.
    pub context: &'c Context,
    /// What stands for the operands.
    pub operands: Vec<V>,
    /// The attributes.
    pub attributes: Vec<(&'c str, Attribute<'c>)>,
    /// The regions.
    pub regions: Vec<RegionRef<'c, 'a>>,
}

impl<'c: 'a, 'a, V> Adapted<'c, 'a, V> {
    /// The parts of an operation, with something else for its operands.
    pub fn with_operands(operation: OperationRef<'c, 'a>, operands: Vec<V>) -> Self {
        Self {
            context: operation.context(),
            operands,
            attributes: operation.attributes().collect(),
            regions: operation.regions().collect(),
        }
    }

    /// The attribute of a name.
    pub fn get(&self, name: &str) -> Option<Attribute<'c>> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, attribute)| *attribute)
    }

    /// The region of an index.
    pub fn region(&self, index: usize) -> Result<RegionRef<'c, 'a>, Failure> {
        self.regions.get(index).copied().ok_or_else(|| Failure::new(format!("has no region #{index}")))
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The regions.
    pub fn regions(&self) -> impl Iterator<Item = RegionRef<'c, 'a>> {
        self.regions.iter().copied()
    }
}

impl<'c: 'a, 'a> From<OperationRef<'c, 'a>> for Adapted<'c, 'a, Value<'c, 'a>> {
    fn from(operation: OperationRef<'c, 'a>) -> Self {
        Self::with_operands(operation, OperationRef::operands(&operation).collect())
    }
}

impl<'c: 'a, 'a> From<&InferenceInput<'c, 'a>> for Adapted<'c, 'a, Value<'c, 'a>> {
    fn from(input: &InferenceInput<'c, 'a>) -> Self {
        Self {
            context: input.context,
            operands: input.operands.clone(),
            attributes: input.attributes.clone(),
            regions: input.regions.clone(),
        }
    }
}

impl<'c, V: Copy> Parts<'c> for &Adapted<'c, '_, V> {
    type Value = V;

    fn operand_count(self) -> usize {
        self.operands.len()
    }

    fn operands(self, start: usize, count: usize) -> Vec<V> {
        self.operands.iter().skip(start).take(count).copied().collect()
    }

    fn attribute(self, name: &str) -> Option<Attribute<'c>> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, attribute)| *attribute)
    }
}
