//! Small models of ONNX, and the command line on them.

use skriptnd_onnx::proto::{
    Dimension, DimensionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
    TypeProto, ValueInfoProto, type_proto,
};
use std::path::Path;
use std::process::{Command, Output};

pub const FLOAT: i32 = 1;
pub const INT32: i32 = 6;
pub const INT64: i32 = 7;

pub fn port(name: &str, element: i32, extents: &[&str]) -> ValueInfoProto {
    let dimension = |extent: &&str| DimensionProto {
        value: Some(extent.parse().map_or_else(|_| Dimension::Param((*extent).into()), Dimension::Value)),
    };
    let shape = Some(TensorShapeProto { dim: extents.iter().map(dimension).collect() });
    let tensor = type_proto::Tensor { elem_type: element, shape };
    let r#type = Some(TypeProto { value: Some(type_proto::Value::Tensor(tensor)) });
    ValueInfoProto { name: name.into(), r#type }
}

pub fn node(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: op_type.into(), input: owned(inputs), output: owned(outputs), ..NodeProto::default() }
}

pub fn skriptnd(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skriptnd")).current_dir(folder).args(arguments).output().unwrap()
}

pub fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let output = skriptnd(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A tensor of the model.
pub fn floats(name: &str, dims: &[i64], values: &[f32]) -> TensorProto {
    let (dims, float_data) = (dims.to_vec(), values.to_vec());
    TensorProto { name: name.into(), dims, data_type: FLOAT, float_data, ..TensorProto::default() }
}

/// A model of a graph.
pub fn model_of(graph: GraphProto) -> ModelProto {
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 17 }];
    ModelProto { ir_version: 8, opset_import, graph: Some(graph), ..ModelProto::default() }
}

/// The command fails with a code, and says something.
pub fn fails(folder: &Path, arguments: &[&str], code: i32, says: &str) -> String {
    let output = skriptnd(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(code) && said.contains(says), "{arguments:?}: {said}");
    said
}
