//! Attributes of nodes, and tensors as the format has them.

use crate::constant::Constant;
use crate::element::ElementType;
use crate::proto::{
    AttributeProto, AttributeType, Dimension, DimensionProto, GraphProto, TensorProto, TensorShapeProto, TypeProto,
    ValueInfoProto, type_proto,
};
use bytes::Bytes;
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::value::ScalarType;

/// An attribute of a type, without a value yet.
fn attribute(name: &str, kind: AttributeType) -> AttributeProto {
    AttributeProto { name: name.to_owned(), r#type: kind as i32, ..AttributeProto::default() }
}

/// A whole number.
pub fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto { i: value, ..attribute(name, AttributeType::Int) }
}

/// A real number.
pub fn float(name: &str, value: f64) -> AttributeProto {
    AttributeProto { f: value as f32, ..attribute(name, AttributeType::Float) }
}

/// Whole numbers.
pub fn ints(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto { ints: values.to_vec(), ..attribute(name, AttributeType::Ints) }
}

/// A text.
pub fn text(name: &str, value: &str) -> AttributeProto {
    AttributeProto { s: Bytes::from(value.to_owned()), ..attribute(name, AttributeType::String) }
}

/// Texts.
pub fn texts(name: &str, values: &[&str]) -> AttributeProto {
    let strings = values.iter().map(|value| Bytes::from((*value).to_owned())).collect();
    AttributeProto { strings, ..attribute(name, AttributeType::Strings) }
}

/// A tensor.
pub fn tensor(name: &str, value: TensorProto) -> AttributeProto {
    AttributeProto { t: Some(Box::new(value)), ..attribute(name, AttributeType::Tensor) }
}

/// A branch or a body.
pub fn graph(name: &str, value: GraphProto) -> AttributeProto {
    AttributeProto { g: Some(Box::new(value)), ..attribute(name, AttributeType::Graph) }
}

/// A tensor with its elements.
pub fn tensor_of(name: &str, constant: &Constant) -> TensorProto {
    TensorProto {
        name: name.to_owned(),
        dims: constant.shape.iter().map(|extent| i64::try_from(*extent).unwrap_or(i64::MAX)).collect(),
        data_type: constant.element.number(),
        raw_data: constant.bytes.clone(),
        ..TensorProto::default()
    }
}

/// What elements of a type are in the format.
pub fn element_of(dtype: ScalarType) -> ElementType {
    match dtype {
        ScalarType::Real => ElementType::Float,
        ScalarType::Int => ElementType::Int64,
        ScalarType::Bool => ElementType::Bool,
        ScalarType::Str => ElementType::String,
    }
}

/// A name with its type. Extents that are no number and no symbol are left open.
pub fn info(name: &str, element: ElementType, shape: &[Extent]) -> ValueInfoProto {
    info_of(
        name,
        element,
        shape.iter().map(|extent| match (extent.as_known(), extent.value.affine()) {
            (Some(known), _) => Some(Dimension::Value(known)),
            (_, Some((symbol, 1, 0))) => Some(Dimension::Param(symbol.to_string())),
            _ => None,
        }),
    )
}

/// The same in a branch or a body: extents that are not known may differ from iteration to iteration.
pub fn open_info(name: &str, element: ElementType, shape: &[Extent]) -> ValueInfoProto {
    info_of(name, element, shape.iter().map(|extent| extent.as_known().map(Dimension::Value)))
}

/// A type of any shape.
pub fn open_type(element: ElementType) -> Option<TypeProto> {
    let tensor = type_proto::Tensor { elem_type: element.number(), shape: None };
    Some(TypeProto { value: Some(type_proto::Value::Tensor(tensor)) })
}

fn info_of(name: &str, element: ElementType, shape: impl Iterator<Item = Option<Dimension>>) -> ValueInfoProto {
    let shape = Some(TensorShapeProto { dim: shape.map(|value| DimensionProto { value }).collect() });
    let tensor = type_proto::Tensor { elem_type: element.number(), shape };
    let value = Some(type_proto::Value::Tensor(tensor));
    ValueInfoProto { name: name.to_owned(), r#type: Some(TypeProto { value }) }
}
