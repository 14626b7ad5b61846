//! `FlexAttention`: graphs of the model change scores and probabilities.

use super::{Outcome, Translator};
use crate::element::ElementType;
use crate::node::Node;
use crate::translate::Given;
use crate::value::{Tensor, Value};

impl<'m> Translator<'m> {
    pub(super) fn flexible_attention(&mut self, node: &Node<'m>, given: &Given<'m>) -> Outcome {
        let (query, key, value) = (node.input(0)?.clone(), node.input(1)?.clone(), node.input(2)?.clone());
        let inner = match node.element("softmax_precision")? {
            Some(element) => element,
            None if query.element == ElementType::Double => ElementType::Double,
            None => ElementType::Float,
        };
        let scores = self.scored(&query, &key, node.float("scale")?)?;
        let scores = self.modified(node, "score_mod", Tensor { element: inner, ..scores }, given)?;
        let probabilities = self.unary("onnx.softmax_or_zero", &scores);
        let probabilities = self.modified(node, "prob_mod", probabilities, given)?;
        let result = self.weighed(&Tensor { element: query.element, ..probabilities }, &value)?;
        Ok(vec![Value::Tensor(result)])
    }

    /// What a graph of the node gives for a tensor; the tensor itself where there is no such graph.
    fn modified(
        &mut self,
        node: &Node<'m>,
        name: &str,
        tensor: Tensor,
        given: &Given<'m>,
    ) -> Result<Tensor, Option<String>> {
        if !node.attributes.contains_key(name) {
            return Ok(tensor);
        }
        let results = self.inner(node.graph(name)?, vec![Value::Tensor(tensor)], given)?;
        match results.into_iter().next() {
            Some(Value::Tensor(result)) => Ok(result),
            _ => Err(Some(format!("its `{name}` gives no tensor"))),
        }
    }
}
