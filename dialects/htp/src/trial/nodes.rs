//! Changes of single nodes of a graph that rules are tried on. What a node can't be is left as it was.

use crate::apply::plan::{CONST_OP, SHAPE_OP, array_output};
use crate::apply::{Elements, Encoding, OutputDef};
use crate::direct::{NodeId, Output, PlainGraph};
use crate::grammar::model::{DType, Property};
use strum::VariantArray;

/// The greatest extent and the greatest rank that graphs get.
const LARGEST: f64 = 8_192.0;
const HIGHEST_RANK: usize = 6;
/// The greatest number of elements of a constant.
const MOST_ELEMENTS: usize = 4096;

/// Shape and encoding of an output.
pub fn output(graph: &PlainGraph, of: Output) -> Option<&OutputDef> {
    graph.node(of.node).outputs.get(of.index)
}

fn output_mut(graph: &mut PlainGraph, of: Output) -> Option<&mut OutputDef> {
    graph.node_mut(of.node).outputs.get_mut(of.index)
}

/// Constants and shapes have types of their own.
pub fn has_any_type(graph: &PlainGraph, id: NodeId) -> bool {
    !matches!(graph.node(id).op.as_deref(), Some(CONST_OP | SHAPE_OP))
}

/// Whether a node is an input of the graph, or a constant that may become one.
pub fn is_leaf(graph: &PlainGraph, id: NodeId) -> bool {
    let node = graph.node(id);
    node.op.is_none() || node.elements.is_some()
}

/// The inputs of a graph.
pub fn inputs(graph: &PlainGraph) -> Vec<NodeId> {
    graph.order().iter().copied().filter(|id| graph.node(*id).op.is_none()).collect()
}

/// Makes a constant an input of the graph: its shape and its type are free then.
fn free(graph: &mut PlainGraph, id: NodeId) {
    let node = graph.node_mut(id);
    if node.elements.take().is_some() {
        node.op = None;
    }
}

/// Gives an output a shape.
pub fn set_dims(graph: &mut PlainGraph, of: Output, dims: Vec<u64>) {
    free(graph, of.node);
    if let Some(output) = output_mut(graph, of) {
        output.dims = dims;
        // Other extents have other channels: all are as the first one was.
        let channels = output.encoding.channels().filter(|_| !output.is_valid());
        if let Some((zero, step)) = channels.and_then(|of| of.each.first().copied()) {
            output.encoding = output.encoding.clone().with_step(zero, step);
        }
    }
}

/// Gives an output an extent.
pub fn set_extent(graph: &mut PlainGraph, of: Output, index: f64, extent: f64) {
    let index = index as usize;
    let Some(dims) = output(graph, of).map(|output| output.dims.clone()) else { return };
    if index >= HIGHEST_RANK || !(1.0..=LARGEST).contains(&extent) {
        return;
    }
    let mut dims = dims;
    if index >= dims.len() {
        dims.resize(index + 1, 1);
    }
    dims[index] = extent.round() as u64;
    set_dims(graph, of, dims);
}

fn set_rank(graph: &mut PlainGraph, of: Output, rank: f64) {
    let rank = rank as usize;
    if let Some(output) = output(graph, of).filter(|_| (1..=HIGHEST_RANK).contains(&rank)) {
        let mut dims = output.dims.clone();
        dims.resize(rank, 1);
        set_dims(graph, of, dims);
    }
}

/// Gives an output an encoding, unless it is a shape's.
pub fn set_encoding(graph: &mut PlainGraph, of: Output, encoding: Encoding) {
    free(graph, of.node);
    if has_any_type(graph, of.node)
        && let Some(output) = output_mut(graph, of).filter(|output| encoding.is_valid(&output.dims))
    {
        output.encoding = encoding;
    }
}

/// Gives an output a dtype; what it has of quantization stays.
pub fn set_dtype(graph: &mut PlainGraph, of: Output, dtype: DType) {
    let node = graph.node_mut(of.node);
    // The elements of a constant tell its type.
    node.elements = match (node.elements.take(), dtype) {
        (Some(Elements::Reals(values)), DType::Int32) => {
            Some(Elements::Ints(values.iter().map(|value| *value as i64).collect()))
        }
        (Some(Elements::Ints(values)), DType::Float32) => {
            Some(Elements::Reals(values.iter().map(|value| *value as f64).collect()))
        }
        (elements, _) => elements,
    };
    if let Some(elements) = node.elements.as_ref().filter(|of| array_output(of).encoding.dtype() == dtype) {
        node.outputs[0] = array_output(elements);
        return;
    }
    let Some(old) = output(graph, of).map(|output| output.encoding.clone()) else { return };
    let step = step_of(&old);
    let kept = Encoding::new(dtype, old.zero_offset().unwrap_or_default(), step);
    set_encoding(graph, of, if kept.is_valid(&[]) { kept } else { Encoding::new(dtype, 0, step) });
}

/// A step that is there, or any.
fn step_of(encoding: &Encoding) -> f32 {
    encoding.step_size().filter(|step| *step > 0.0).unwrap_or(0.5)
}

/// Gives an output a property that is a number.
pub fn set_property(graph: &mut PlainGraph, of: Output, property: Property, value: f64) {
    let Some(old) = output(graph, of).map(|output| output.encoding.clone()) else { return };
    // Only quantized types have steps and zero offsets.
    let dtype = if old.dtype().is_quantized() { old.dtype() } else { DType::QUInt8 };
    let step = step_of(&old);
    match property {
        Property::Rank => set_rank(graph, of, value),
        Property::StepSize if value > 0.0 => {
            set_encoding(graph, of, Encoding::new(dtype, old.zero_offset().unwrap_or_default(), value as f32));
        }
        Property::StepSize if value == 0.0 => set_dtype(graph, of, DType::Float32),
        Property::ZeroOffset => set_encoding(graph, of, Encoding::new(dtype, value as i32, step)),
        Property::ElementSize => {
            let fitting = DType::VARIANTS[1..].iter().find(|dtype| dtype.element_size() as f64 == value);
            if let Some(dtype) = fitting.filter(|_| old.dtype().element_size() as f64 != value) {
                set_dtype(graph, of, *dtype);
            }
        }
        Property::StepSize | Property::DType | Property::Inputs | Property::Outputs => {}
    }
}

/// Makes a node that is no op a constant, if it is none, and sets one of its elements.
pub fn set_element(graph: &mut PlainGraph, of: Output, index: f64, value: f64) {
    let index = index as usize;
    if !is_leaf(graph, of.node) || index >= MOST_ELEMENTS {
        return;
    }
    let node = graph.node_mut(of.node);
    let is_whole = node.outputs[0].encoding.dtype() == DType::Int32;
    let mut values = match node.elements.take() {
        Some(Elements::Reals(values)) => values,
        Some(Elements::Ints(values)) => values.iter().map(|value| *value as f64).collect(),
        None => Vec::new(),
    };
    values.resize(values.len().max(index + 1), 0.0);
    values[index] = value;
    let elements = if is_whole && value.fract() == 0.0 {
        Elements::Ints(values.into_iter().map(|value| value as i64).collect())
    } else {
        Elements::Reals(values)
    };
    node.op = Some(CONST_OP.to_owned());
    node.outputs[0] = array_output(&elements);
    node.elements = Some(elements);
}
