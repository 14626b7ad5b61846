//! What a compiled model says about itself: its tensors, its memory, and what a run may report.

use crate::error::ModelError;
use crate::fault::Fault;
use crate::tensor::{ElementType, Tensor, TensorData, volume};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

/// The version of the interface that this loader knows.
const ABI_VERSION: u64 = 2;

/// An input, variable or output.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TensorInfo {
    /// Name; of a variable the stem of its file.
    pub name: String,
    /// Type of the elements.
    #[serde(rename = "type")]
    pub element_type: ElementType,
    /// Extents.
    #[serde(deserialize_with = "shape")]
    pub shape: Vec<usize>,
}

/// What a library says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// Inputs in the order in which they are given.
    pub inputs: Vec<TensorInfo>,
    /// Variables in the order in which they are given.
    pub variables: Vec<TensorInfo>,
    /// Outputs in order.
    pub outputs: Vec<TensorInfo>,
    /// Variables that a run gives new values, in order.
    pub states: Vec<TensorInfo>,
    /// What a run may report.
    pub faults: Vec<Fault>,
    /// Bytes that are kept from the preparation.
    pub prepared_bytes: usize,
    /// Bytes that preparation and run need besides.
    pub workspace_bytes: usize,
    /// Bytes of workspace that a run uses.
    pub peak_bytes: usize,
}

impl TensorInfo {
    /// Refuses another type or other extents.
    ///
    /// # Errors
    /// Where they differ.
    pub fn check(&self, role: &'static str, element_type: ElementType, shape: &[usize]) -> Result<(), ModelError> {
        if element_type == self.element_type && shape == self.shape {
            return Ok(());
        }
        let message = format!("expected {}{:?}, found {element_type}{shape:?}", self.element_type, self.shape);
        Err(ModelError::Tensor { role, name: self.name.clone(), message })
    }

    /// A tensor of this type that holds zeros.
    pub fn zeros(&self) -> Tensor {
        let count = volume(&self.shape).unwrap_or(0);
        let data = match self.element_type {
            ElementType::F32 => TensorData::F32(vec![0.0; count]),
            ElementType::I64 => TensorData::I64(vec![0; count]),
            ElementType::Bool => TensorData::Bool(vec![false; count]),
        };
        Tensor { shape: self.shape.clone(), data }
    }
}

/// Extents of a tensor that memory can hold.
fn shape<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<usize>, D::Error> {
    let shape = Vec::deserialize(deserializer)?;
    if volume(&shape).is_some() { Ok(shape) } else { Err(D::Error::custom("too many elements")) }
}

impl Metadata {
    /// What a run writes: outputs, and variables that get new values.
    pub fn written(&self) -> impl Iterator<Item = &TensorInfo> {
        self.outputs.iter().chain(&self.states)
    }

    /// Reads what the compiler wrote.
    ///
    /// # Errors
    /// Where it is of another version or incomplete.
    pub fn read(json: &Json) -> Result<Metadata, String> {
        match json["abi"].as_u64() {
            Some(ABI_VERSION) => {}
            Some(other) => return Err(format!("its interface is version {other}; this loader knows {ABI_VERSION}")),
            None => return Err("its metadata have no version".into()),
        }
        Ok(Metadata {
            inputs: field(json, "inputs")?,
            variables: field(json, "variables")?,
            outputs: field(json, "outputs")?,
            states: field(json, "states")?,
            faults: field(json, "faults")?,
            prepared_bytes: field(json, "prepared_bytes")?,
            workspace_bytes: field(json, "workspace_bytes")?,
            peak_bytes: field(json, "peak_bytes")?,
        })
    }

    pub(crate) fn parse(text: &[u8]) -> Result<Metadata, String> {
        let json = serde_json::from_slice(text).map_err(|error| format!("its metadata are no JSON: {error}"))?;
        Metadata::read(&json)
    }
}

fn field<T: DeserializeOwned>(json: &Json, name: &str) -> Result<T, String> {
    T::deserialize(&json[name]).map_err(|_| format!("its metadata have no valid {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"abi":2,"inputs":[{"name":"x","type":"real","shape":[2,3]}],"variables":[],
        "outputs":[{"name":"y","type":"bool","shape":[]}],"states":[],"faults":[],"prepared_bytes":0,"workspace_bytes":128,"peak_bytes":64}"#;

    #[test]
    fn metadata_are_read() {
        let metadata = Metadata::parse(GOOD.as_bytes()).unwrap();
        let x = TensorInfo { name: "x".into(), element_type: ElementType::F32, shape: vec![2, 3] };
        assert_eq!(metadata.inputs, [x]);
        assert_eq!((metadata.outputs[0].element_type, metadata.workspace_bytes), (ElementType::Bool, 128));
    }

    #[test]
    fn other_metadata_are_refused() {
        for (from, to, says) in [
            ("\"abi\":2", "\"abi\":9", "version 9"),
            ("\"abi\":2,", "", "no version"),
            ("\"real\"", "\"str\"", "no valid inputs"),
            ("[2,3]", "[18446744073709551615,3]", "no valid inputs"),
            ("\"faults\":[]", "\"faults\":[{}]", "no valid faults"),
            ("128", "-1", "no valid workspace_bytes"),
            ("{\"abi\"", "{\"abi", "no JSON"),
        ] {
            let error = Metadata::parse(GOOD.replace(from, to).as_bytes()).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
