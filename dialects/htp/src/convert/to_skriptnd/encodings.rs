//! Quantized types, half precision and integers of 32 bits in a language that has none of them: tensors hold the numbers that
//! the elements stand for.

use super::integers;
use crate::apply::Encoding;
use crate::convert::builder::static_dims;
use crate::convert::moved::passed_on;
use crate::convert::weights::are_quantized;
use crate::dialect::NAMESPACE;
use crate::dialect::encoding::{is_narrow, of_language, output_def};
use crate::grammar::model::DType;
use skriptnd_dialect::generated::operations::RoundedOpBuilder;
use skriptnd_dialect::generated::quant::ZeroPointLinearQuantizeOpBuilder;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, types, walk};
use std::collections::{HashMap, HashSet};

/// How the results of ops are quantized, rounded to half precision, or cut to 32 bits.
pub struct Quantizations {
    /// The encodings of results by op; none where the elements are quantized or rounded already.
    encodings: HashMap<usize, Encoding>,
    /// The ops that take or give what no op of the dialect computes or takes, in types that the language has not.
    foreign: HashSet<usize>,
}

impl Quantizations {
    /// Of the ops inside a container.
    pub fn of(container: OperationRef<'_, '_>) -> Self {
        let mut found = Quantizations { encodings: HashMap::new(), foreign: HashSet::new() };
        let is_node = |op: &OperationRef<'_, '_>| op.full_name().split('.').next() == Some(NAMESPACE);
        for op in walk(container).into_iter().filter(is_node) {
            let Ok(result) = op.result(0) else { continue };
            let of_node = |value: Value<'_, '_>| value.defining_operation().is_some_and(|op| is_node(&op));
            let is_foreign = |ty| of_language(ty) != ty;
            // Integers may be parameters, of which an op says itself what it takes.
            let is_real = |ty| types::element(of_language(ty)) == types::f32(op.context());
            let is_given =
                op.operands().any(|value| is_foreign(value.r#type()) && is_real(value.r#type()) && !of_node(value));
            let is_taken = is_foreign(result.r#type()) && result.uses().iter().any(|(user, _)| !is_node(user));
            if is_given || is_taken {
                found.foreign.insert(op.key());
            }
            let encoding = output_def(result.r#type()).map(|def| def.encoding);
            if let Some(encoding) = encoding.filter(|encoding| is_narrow(encoding.dtype()) && !keeps(op))
                && !are_quantized(op, &encoding)
            {
                found.encodings.insert(op.key(), encoding);
            }
        }
        found
    }

    /// Refuses an op whose neighbours can't have what its types stand for.
    pub fn check(&self, op: OperationRef<'_, '_>) -> Result<(), Failure> {
        match self.foreign.contains(&op.key()) {
            true => Err("takes or gives a tensor of a type that only ops of this dialect have".into()),
            false => Ok(()),
        }
    }

    /// What the result of an op stands for, when it has computed this: rounded once, as of a product of halves that is summed up in
    /// single precision.
    pub fn quantized<'c: 'a, 'a>(
        &self,
        op: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        to: &Builder<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let Some(encoding) = self.encodings.get(&op.key()) else { return Ok(value) };
        if encoding.dtype() == DType::Int32 {
            return integers::narrowed(op, value, to);
        }
        if encoding.dtype() == DType::Float16 {
            let rounded = RoundedOpBuilder::new(to).input(value).storage(HALF);
            return rounded.output_type(value.r#type()).build()?.output();
        }
        let dims: Vec<_> = static_dims(value.r#type()).unwrap_or_default();
        let (axis, each) = match encoding.channels() {
            Some(channels) => (channels.axis, channels.each.clone()),
            None => {
                let extent = usize::try_from(dims.get(1).copied().unwrap_or(1)).unwrap_or_default();
                let one = encoding.zero_offset().zip(encoding.step_size()).ok_or("expected a quantized type")?;
                (1, vec![one; extent])
            }
        };
        let quantize = ZeroPointLinearQuantizeOpBuilder::new(to)
            .input(value)
            .zero_point(&each.iter().map(|(zero, _)| i64::from(*zero)).collect::<Vec<_>>())
            .scale(&each.iter().map(|(_, step)| as_written(*step)).collect::<Vec<_>>())
            .bits(i64::from(encoding.bits()))
            .signed(encoding.limits().is_some_and(|(least, _)| least < 0))
            .symmetric(encoding.is_symmetric())
            .channel_axis(axis as i64);
        quantize.output_type(value.r#type()).build()?.output()
    }
}

/// The shortest decimal number is the one that was written.
fn as_written(step: f32) -> f64 {
    step.to_string().parse().unwrap_or(f64::from(step))
}

/// How the language calls half precision.
const HALF: &str = "f16";

/// Whether an op passes on elements that are quantized, or rounded, as its result is.
fn keeps(op: OperationRef<'_, '_>) -> bool {
    let result = op.result_types().first().and_then(|ty| Some(output_def(*ty)?.encoding));
    passed_on(op).is_some_and(|encoding| Some(encoding) == result)
}
