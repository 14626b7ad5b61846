//! What the interface of a translated model is called.

use serde::Serialize;

/// An input or output of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Port {
    /// What the text calls it.
    pub name: String,
    /// What the model calls it.
    pub onnx: String,
    /// The type of its elements, by ONNX's name.
    #[serde(rename = "type")]
    pub element: &'static str,
    /// Which item it is of a sequence that the model takes or gives; `None` where that is a tensor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
}

impl Port {
    /// What the model calls the tensor; an item of a sequence has its number behind the sequence's name.
    pub fn tensor(&self) -> String {
        self.item.map_or_else(|| self.onnx.clone(), |item| format!("{}.{item}", self.onnx))
    }
}
