//! What composition knows of the numbers of a tensor, as `#skriptnd.encoding` at what gives it.

use crate::generated::dialect_attributes::EncodingAttr;
use crate::generated::discardable::EncodingAttribute;
use skriptnd_language::compose::graph::{Encoding, Graph, TensorId};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Context, OperationRef, attributes, types};

/// Says which numbers an operation gives, if that is known.
pub(super) fn encode(graph: &Graph, id: TensorId, operation: OperationRef<'_, '_>) -> Result<(), Failure> {
    if let Some(encoding) = graph.encodings.get(&id) {
        EncodingAttribute::set(operation, encoded(operation.context(), encoding)?);
    }
    Ok(())
}

/// It as an attribute.
pub(super) fn encoded<'c>(context: &'c Context, encoding: &Encoding) -> Result<Attribute<'c>, Failure> {
    let Encoding { values, steps } = encoding;
    let steps = steps.as_ref();
    let scale = steps.map(|steps| scale(context, &steps.scales));
    let unknown = || attributes::unit(context);
    let zero = steps.filter(|steps| steps.zero != Some(0));
    let zero = zero.map(|steps| steps.zero.map_or_else(unknown, |zero| attributes::integer(context, zero)));
    let along = steps.and_then(|steps| i64::try_from(steps.axis?).ok());
    Ok(EncodingAttr::get(context, values.least, values.most, scale, zero, along)?.into())
}

/// A scale, those along a dimension, or what only a run knows.
fn scale<'c>(context: &'c Context, scales: &[f32]) -> Attribute<'c> {
    let real = types::f32(context);
    let items: Option<Vec<_>> =
        scales.iter().map(|scale| attributes::typed_real(context, real, (*scale).into())).collect();
    let all = items.and_then(|items| match items[..] {
        [] => None,
        [one] => Some(one),
        _ => attributes::elements(types::tensor(real, &[u64::try_from(items.len()).ok()])?, &items),
    });
    all.unwrap_or_else(|| attributes::unit(context))
}
