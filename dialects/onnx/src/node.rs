//! A node as rules see it: what it takes, and its attributes.

use crate::constant::Constant;
use crate::element::ElementType;
use crate::extent::Extent;
use crate::proto::{AttributeProto, AttributeType, GraphProto, NodeProto};
use crate::value::{Tensor, Value};
use std::collections::HashMap;

/// A node whose operands have been translated.
#[derive(Debug)]
pub struct Node<'m> {
    /// The node of the file.
    pub proto: &'m NodeProto,
    /// The version of its operators' domain.
    pub version: i64,
    /// What it takes; `None` for what is left out.
    pub inputs: Vec<Option<Value>>,
    /// Attributes by name; those of functions are what the calling node gives.
    pub attributes: HashMap<&'m str, &'m AttributeProto>,
}

impl<'m> Node<'m> {
    /// The same node with other operands.
    pub fn with(&self, inputs: Vec<Tensor>) -> Node<'m> {
        self.with_some(inputs.into_iter().map(Some).collect())
    }

    /// The same node with other operands, some of which are left out.
    pub fn with_some(&self, inputs: Vec<Option<Tensor>>) -> Node<'m> {
        let inputs = inputs.into_iter().map(|tensor| tensor.map(Value::Tensor)).collect();
        Node { proto: self.proto, version: self.version, inputs, attributes: self.attributes.clone() }
    }

    /// What it does, with the domain where that is not the default one.
    pub fn operator(&self) -> String {
        operator_of(self.proto)
    }

    /// How many results it has to give.
    pub fn result_count(&self) -> usize {
        self.proto.output.len()
    }

    /// Whether somebody may read a result.
    pub fn gives(&self, result: usize) -> bool {
        self.proto.output.get(result).is_some_and(|name| !name.is_empty())
    }

    /// An operand that must be there.
    ///
    /// # Errors
    /// Where it is not, or is no tensor.
    pub fn input(&self, at: usize) -> Result<&Tensor, String> {
        match self.inputs.get(at) {
            Some(Some(Value::Tensor(tensor))) => Ok(tensor),
            Some(Some(Value::Sequence(_))) => {
                Err(format!("its operand {at} is a sequence, where a tensor is expected"))
            }
            _ => Err(format!("its operand {at} is missing")),
        }
    }

    /// An operand that may be left out.
    pub fn optional(&self, at: usize) -> Option<&Tensor> {
        match self.inputs.get(at) {
            Some(Some(Value::Tensor(tensor))) => Some(tensor),
            _ => None,
        }
    }

    /// All operands as tensors.
    ///
    /// # Errors
    /// Where one is none.
    pub fn tensors(&self) -> Result<Vec<&Tensor>, String> {
        (0..self.inputs.len()).map(|at| self.input(at)).collect()
    }

    /// Whole numbers that must be known while translating.
    ///
    /// # Errors
    /// Where they are only known in a run.
    pub fn known_ints(&self, at: usize) -> Result<Vec<Extent>, String> {
        let tensor = self.input(at)?;
        tensor.ints().ok_or_else(|| {
            format!(
                "its operand {at} (`{}`) must be known when the model is imported: give it by `--value`",
                self.proto.input[at]
            )
        })
    }

    /// Real numbers that must be known while translating.
    ///
    /// # Errors
    /// Where they are only known in a run.
    pub fn known_reals(&self, at: usize) -> Result<Vec<f64>, String> {
        let tensor = self.input(at)?;
        tensor.reals().ok_or_else(|| {
            format!(
                "its operand {at} (`{}`) must be known when the model is imported: give it by `--value`",
                self.proto.input[at]
            )
        })
    }

    /// Whole numbers that must be known and the same in all runs.
    ///
    /// # Errors
    /// Where they are only known in a run.
    pub fn fixed_ints(&self, at: usize) -> Result<Vec<i64>, String> {
        let values = self.known_ints(at)?;
        let fixed: Option<Vec<i64>> = values.iter().map(Extent::known).collect();
        fixed.ok_or_else(|| format!("its operand {at} (`{}`) depends on extents of the run", self.proto.input[at]))
    }

    fn attribute(&self, name: &str, kind: AttributeType) -> Result<Option<&'m AttributeProto>, String> {
        let Some(attribute) = self.attributes.get(name).copied() else { return Ok(None) };
        // Files before IR version 4 say no kind.
        let found = AttributeType::try_from(attribute.r#type).unwrap_or(AttributeType::Undefined);
        if found == kind || found == AttributeType::Undefined {
            return Ok(Some(attribute));
        }
        Err(format!("its attribute `{name}` is expected to be of kind {kind:?}, but is {found:?}"))
    }

    /// A whole number.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn int(&self, name: &str) -> Result<Option<i64>, String> {
        Ok(self.attribute(name, AttributeType::Int)?.map(|attribute| attribute.i))
    }

    /// A whole number with its default.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn int_or(&self, name: &str, default: i64) -> Result<i64, String> {
        Ok(self.int(name)?.unwrap_or(default))
    }

    /// A flag: 0 or another number.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, String> {
        Ok(self.int(name)?.map_or(default, |value| value != 0))
    }

    /// Whole numbers.
    ///
    /// # Errors
    /// Where they are something else.
    pub fn ints(&self, name: &str) -> Result<Option<Vec<i64>>, String> {
        Ok(self.attribute(name, AttributeType::Ints)?.map(|attribute| attribute.ints.clone()))
    }

    /// A real number.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn float(&self, name: &str) -> Result<Option<f64>, String> {
        Ok(self.attribute(name, AttributeType::Float)?.map(|attribute| shortest(attribute.f)))
    }

    /// A real number with its default.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn float_or(&self, name: &str, default: f64) -> Result<f64, String> {
        Ok(self.float(name)?.unwrap_or(default))
    }

    /// Real numbers.
    ///
    /// # Errors
    /// Where they are something else.
    pub fn floats(&self, name: &str) -> Result<Option<Vec<f64>>, String> {
        let found = self.attribute(name, AttributeType::Floats)?;
        Ok(found.map(|attribute| attribute.floats.iter().map(|value| shortest(*value)).collect()))
    }

    /// A word with its default.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn string_or(&self, name: &str, default: &str) -> Result<String, String> {
        let found = self.attribute(name, AttributeType::String)?;
        Ok(found.map_or(default.to_owned(), |attribute| String::from_utf8_lossy(&attribute.s).into_owned()))
    }

    /// Words.
    ///
    /// # Errors
    /// Where they are something else.
    pub fn strings(&self, name: &str) -> Result<Option<Vec<String>>, String> {
        let found = self.attribute(name, AttributeType::Strings)?;
        let word = |word: &bytes::Bytes| String::from_utf8_lossy(word).into_owned();
        Ok(found.map(|attribute| attribute.strings.iter().map(word).collect()))
    }

    /// A tensor.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn tensor(&self, name: &str) -> Result<Option<Constant>, String> {
        let found = self.attribute(name, AttributeType::Tensor)?.and_then(|attribute| attribute.t.as_deref());
        found.map(|tensor| Constant::read(tensor, None)).transpose()
    }

    /// A branch or a body.
    ///
    /// # Errors
    /// Where there is none.
    pub fn graph(&self, name: &str) -> Result<&'m GraphProto, String> {
        let found = self.attribute(name, AttributeType::Graph)?.and_then(|attribute| attribute.g.as_deref());
        found.ok_or_else(|| format!("its attribute `{name}` is missing"))
    }

    /// A type of elements, by its number.
    ///
    /// # Errors
    /// Where it is none.
    pub fn element(&self, name: &str) -> Result<Option<ElementType>, String> {
        let found = self.int(name)?;
        let element = |number: i64| {
            let element = i32::try_from(number).ok().and_then(ElementType::of);
            element.ok_or_else(|| format!("its attribute `{name}` is {number}, which is no type of elements"))
        };
        found.map(element).transpose()
    }
}

/// The real number of 64 bits that is written like one of 32.
pub fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| value.into())
}

/// What a node is called, or what it gives where it has no name.
pub fn name_of(proto: &NodeProto) -> String {
    let first = proto.output.iter().find(|output| !output.is_empty());
    let name = if proto.name.is_empty() { first } else { Some(&proto.name) };
    name.cloned().unwrap_or_default()
}

/// What a node does, with the domain where that is not the default one.
pub fn operator_of(proto: &NodeProto) -> String {
    match proto.domain.as_str() {
        "" | "ai.onnx" => proto.op_type.clone(),
        domain => format!("{domain}:{}", proto.op_type),
    }
}
