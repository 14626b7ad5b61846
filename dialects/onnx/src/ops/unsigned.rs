//! Whole numbers of 64 bits without a sign: the language's have one, so those from 2^63 on are negative there. What is cheap is
//! computed as if they had none, and nodes that do otherwise are told of.

use crate::element::ElementType;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Tensor, Value};
use skriptnd_syntax::build::Element;

/// 2^64
const ALL: f64 = 18_446_744_073_709_551_616.0;

/// Operators that what is greater matters to, or what a number is, and that are translated as if there were a sign.
const SIGNED: [&str; 18] = [
    "ArgMax",
    "ArgMin",
    "Clip",
    "Range",
    "Mean",
    "Pow",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "Relu",
    "Sign",
    "TopK",
    "Unique",
    "MaxPool",
];

/// Whether an operand has such elements.
pub(super) fn is_unsigned(tensor: &Tensor) -> bool {
    tensor.element == ElementType::Uint64
}

impl Translator<'_> {
    /// Warns of a node that takes what has no sign for what has one.
    pub(super) fn warn_of_unsigned(&mut self, node: &Node<'_>) {
        let is_default = matches!(node.proto.domain.as_str(), "" | "ai.onnx");
        let takes = node.inputs.iter().flatten().flat_map(Value::tensors).any(is_unsigned);
        if is_default && takes && SIGNED.contains(&node.proto.op_type.as_str()) {
            self.warn(node, "its elements are uint64, of which those from 2^63 on are taken for negative numbers");
        }
    }

    /// A comparison of numbers without signs: where only one is negative here, that is the greater one.
    pub(super) fn compared_unsigned(&mut self, name: &str, left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
        let ordered = self.compared(name, left, right)?;
        let zero = unsigned(0);
        let (first, second) = (self.compared("math.lt", left, &zero)?, self.compared("math.lt", right, &zero)?);
        let differ = self.compared("math.xor", &first, &second)?;
        self.compared("math.xor", &ordered, &differ)
    }

    /// The greater or the lesser of two.
    pub(super) fn chosen_unsigned(&mut self, name: &str, left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
        let order = if name == "math.max" { "math.gt" } else { "math.lt" };
        let is_left = self.compared_unsigned(order, left, right)?;
        self.select(&is_left, left, right)
    }

    /// A quotient: that of the halves, which have a sign, and one more where the rest is not less than the divisor.
    pub(super) fn divided_unsigned(&mut self, left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
        let call = self.call("onnx.shift_right").int("bits", 64).flag("signed", false);
        let half = call.on(left).on(&unsigned(1)).gives(left.element, left.shape.clone());
        let quotient = self.binary("onnx.div_trunc", &half, right)?;
        let twice = self.binary("math.mul", &quotient, &unsigned(2))?;
        let product = self.binary("math.mul", &twice, right)?;
        let rest = self.binary("math.sub", left, &product)?;
        let is_more = self.compared_unsigned("math.ge", &rest, right)?;
        let more = self.binary("math.add", &twice, &unsigned(1))?;
        let small = self.select(&is_more, &more, &twice)?;
        // Of a divisor from 2^63 on there is one at most.
        let is_great = self.compared("math.lt", right, &unsigned(0))?;
        let is_one = self.compared_unsigned("math.ge", left, right)?;
        let one = self.select(&is_one, &unsigned(1), &unsigned(0))?;
        let one = Tensor { element: ElementType::Uint64, ..one };
        self.select(&is_great, &one, &small)
    }

    /// What a division leaves.
    pub(super) fn rest_unsigned(&mut self, left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
        let quotient = self.divided_unsigned(left, right)?;
        let product = self.binary("math.mul", &quotient, right)?;
        self.binary("math.sub", left, &product)
    }

    /// The numbers as reals.
    pub(super) fn real_unsigned(&mut self, tensor: &Tensor) -> Result<Tensor, String> {
        let call = self.call("layout.cast").dtype(Element::Real);
        let signed = call.on(tensor).gives(ElementType::Float, tensor.shape.clone());
        let great = self.binary("math.add", &signed, &Tensor::real(ALL))?;
        let is_great = self.compared("math.lt", tensor, &unsigned(0))?;
        self.select(&is_great, &great, &signed)
    }
}

fn unsigned(value: i64) -> Tensor {
    Tensor { element: ElementType::Uint64, ..Tensor::int(value) }
}
