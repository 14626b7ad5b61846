//! What a graph starts with: inputs, variables, constants.

use super::diagnostics as say;
use super::frame::Frame;
use super::liveness::is_used;
use super::storage;
use super::symbols::Symbols;
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::graph::{self, Argument, Graph, Origin, Port, TensorId};
use skriptnd_runtime::{ElementType, Tensor, pack};
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics};
use std::sync::Arc;

/// Where the values of variables come from.
pub trait Variables {
    /// The value of the variable `declared`, whose file is named `file` (without extension); the reason if there is
    /// none.
    fn read(&self, file: &str, declared: &graph::Tensor) -> Result<Tensor, String>;

    /// Where that value comes from, for messages about it.
    fn origin(&self, _declared: &graph::Tensor) -> Option<String> {
        None
    }
}

/// Takes over the given inputs, as far as they fit; all that don't are reported.
pub(super) fn bind_inputs(frame: &mut Frame, given: Vec<Option<Argument<Tensor>>>) -> Result<(), Diagnostics> {
    let graph = frame.graph;
    let mut found = Diagnostics::default();
    for (port, value) in graph.inputs.iter().zip(given) {
        match value {
            Some(value) => bind_port(frame, port, value, &mut found),
            None => {
                let required = port.tensors.items().iter().find(|id| !has_default(graph, **id));
                if let Some(id) = required {
                    found.push(say::missing_input(graph.tensor(*id).span, &port.name));
                }
            }
        }
    }
    // Extents that several inputs share are known only after all inputs have been looked at.
    for (at, tensor) in frame.values.iter().enumerate() {
        let declared = graph.tensor(TensorId(at as u32));
        let Some(tensor) = tensor else { continue };
        if !frame.symbols.allow(&declared.ty, &tensor.shape) {
            let what = format!("input `{}`", declared.name);
            let expected = frame.symbols.expected_shape(&declared.ty);
            let known = frame.symbols.shape(&declared.ty);
            let wrong = say::wrong_shape(declared.span, &what, (&expected, known), &tensor.shape);
            found.push(say::with_sources(wrong, (frame.graph, &frame.symbols), declared));
        }
    }
    if found.has_errors() { Err(found) } else { Ok(()) }
}

fn has_default(graph: &Graph, id: TensorId) -> bool {
    matches!(graph.tensor(id).origin, Origin::Input { default: Some(_) })
}

fn bind_port(frame: &mut Frame, port: &Port, value: Argument<Tensor>, found: &mut Diagnostics) {
    let ids = port.tensors.items();
    let tensors = match value {
        Argument::Null => Vec::new(),
        Argument::Single(tensor) => vec![tensor],
        Argument::Pack(tensors) => tensors,
    };
    if !is_length(frame, ids, tensors.len()) {
        if let Some(id) = ids.first() {
            let length = frame.graph.pack_length(ids);
            let known = length.and_then(|length| frame.symbols.evaluate(&length.value));
            let expected = match (length, known.filter(|known| *known <= ids.len() as i64)) {
                (_, Some(known)) => known.to_string(),
                (Some(_), None) => format!("at most {}", ids.len()),
                (None, None) => ids.len().to_string(),
            };
            found.push(say::pack_length(frame.graph.tensor(*id).span, &port.name, &expected, tensors.len()));
        }
        return;
    }
    for (id, tensor) in ids.iter().zip(tensors) {
        let declared = frame.graph.tensor(*id);
        match check_type(&format!("input `{}`", declared.name), declared, tensor.element_type()) {
            Some(diagnostic) => found.push(diagnostic),
            None => match storage::taken(frame.graph, *id, tensor) {
                Ok(tensor) => frame.set(*id, Arc::new(tensor)),
                Err(reason) => found.push(say::not_stored(declared.span, "input", &declared.name, &reason)),
            },
        }
    }
}

/// Whether a pack may have so many tensors. A run determines the length of some packs; then it is known from here on.
fn is_length(frame: &mut Frame, ids: &[TensorId], count: usize) -> bool {
    let Some(length) = frame.graph.pack_length(ids) else {
        return ids.len() == count;
    };
    if count > ids.len() {
        return false;
    }
    frame.symbols.set(&length.value, count);
    frame.symbols.evaluate(&length.value) == Some(count as i64)
}

fn check_type(what: &str, declared: &graph::Tensor, found: ElementType) -> Option<Diagnostic> {
    let (expected, found) = (declared.ty.dtype.keyword(), found.to_string());
    (expected != found).then(|| say::wrong_type(declared.span, what, expected, &found))
}

/// Reads the variables; of those that nothing uses, as the bias of a layer without one, the ones that there are.
pub(super) fn bind_variables(frame: &mut Frame, variables: &dyn Variables) -> Result<(), Diagnostics> {
    let mut found = Diagnostics::default();
    for &id in &frame.graph.variables {
        let declared = frame.graph.tensor(id);
        let Origin::Variable { file } = &declared.origin else { continue };
        let tensor = match variables.read(file, declared) {
            Ok(tensor) => tensor,
            Err(_) if !is_used(frame.graph, id) => continue,
            Err(reason) => {
                found.push(say::unreadable_variable(declared.span, &declared.name, &reason));
                continue;
            }
        };
        match variable_fault(&frame.symbols, declared, tensor.element_type(), &tensor.shape) {
            Some(wrong) => found.push(match variables.origin(declared) {
                Some(origin) => wrong.with_note(format!("its value is read from {origin}")),
                None => wrong,
            }),
            None => match storage::taken(frame.graph, id, tensor) {
                Ok(tensor) => frame.set(id, Arc::new(tensor)),
                Err(reason) => found.push(say::not_stored(declared.span, "variable", &declared.name, &reason)),
            },
        }
    }
    if found.has_errors() { Err(found) } else { Ok(()) }
}

pub(super) fn variable_fault(
    symbols: &Symbols,
    declared: &graph::Tensor,
    found: ElementType,
    shape: &[usize],
) -> Option<Diagnostic> {
    let what = format!("variable `{}`", declared.name);
    check_type(&what, declared, found).or_else(|| {
        let expected = || (symbols.expected_shape(&declared.ty), symbols.shape(&declared.ty));
        let wrong = |(expected, known): (String, _)| say::wrong_shape(declared.span, &what, (&expected, known), shape);
        (!symbols.allow(&declared.ty, shape)).then(|| wrong(expected()))
    })
}

/// The value of an input, which is the frame's no more.
pub(super) fn take(frame: &mut Frame, id: TensorId) -> Result<Tensor, Diagnostics> {
    let given = frame.values.get_mut(id.0 as usize).and_then(Option::take).map(Arc::unwrap_or_clone);
    given.map_or_else(|| left_to_default(frame, id), Ok)
}

/// One tensor of the items of a pack.
pub(super) fn stacked(
    frame: &Frame,
    (port, first): (&Port, TensorId),
    items: &[Tensor],
) -> Result<Tensor, Diagnostics> {
    let first = frame.graph.tensor(first);
    let none = || {
        let extent = |extent: &Extent| frame.symbols.evaluate(&extent.value).or(extent.bound).unwrap_or(0);
        let item = first.ty.shape.iter().map(|own| usize::try_from(extent(own)).unwrap_or(0));
        Tensor::zeros(first.ty.dtype.element_type(), [0].into_iter().chain(item).collect())
    };
    pack::stacked(items, none).map_err(|reason| say::one(say::uneven_pack(first.span, &port.name, &reason)))
}

/// The value of an input that is not given.
fn left_to_default(frame: &Frame, id: TensorId) -> Result<Tensor, Diagnostics> {
    let declared = frame.graph.tensor(id);
    match frame.constant(id, usize::MAX) {
        Some(value) => value.map_err(say::one),
        None => Err(say::one(say::missing_input(declared.span, &declared.name))),
    }
}

/// Makes the constants, and the inputs that are left to their defaults. Returns the bytes that they take.
pub(super) fn bind_known(frame: &mut Frame, max_bytes: usize) -> Result<usize, Diagnostics> {
    let graph = frame.graph;
    let mut bytes = 0;
    for at in 0..graph.tensors.len() {
        let id = TensorId(at as u32);
        if frame.values.get(at).is_none_or(Option::is_some) {
            continue;
        }
        // What depends on extents of results is made when it is needed.
        if let Some(tensor) = frame.constant(id, max_bytes) {
            let tensor = tensor.map_err(say::one)?;
            bytes += tensor.size_in_bytes();
            frame.set(id, Arc::new(tensor));
        }
    }
    Ok(bytes)
}
