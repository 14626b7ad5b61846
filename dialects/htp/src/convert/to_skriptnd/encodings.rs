//! Quantized types, half precision and integers of 32 bits in a language that has none of them: tensors hold the numbers that
//! the elements stand for.

use super::integers;
use crate::apply::Encoding;
use crate::convert::quantized::moves;
use crate::dialect::NAMESPACE;
use crate::dialect::encoding::{is_narrow, of_language, output_def};
use crate::generated::operations::ConcatOp;
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
            if let Some(encoding) = encoding.filter(|encoding| is_narrow(encoding.dtype()) && !keeps(op)) {
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
        let (bits, is_signed) = match encoding.dtype() {
            DType::QUInt8 => (8, false),
            DType::QInt8 => (8, true),
            DType::QUInt16 => (16, false),
            DType::QInt16 => (16, true),
            _ => (32, true),
        };
        // The shortest decimal number is the one that was written.
        let step: f64 = encoding.step_size().to_string().parse().unwrap_or(f64::from(encoding.step_size()));
        let dimensions = types::shape(value.r#type()).unwrap_or_default();
        let channels = dimensions.get(1).copied().flatten().unwrap_or(1);
        let count = usize::try_from(channels).unwrap_or_default();
        let quantize = ZeroPointLinearQuantizeOpBuilder::new(to)
            .input(value)
            .zero_point(&vec![i64::from(encoding.zero_offset()); count])
            .scale(&vec![step; count])
            .bits(bits)
            .signed(is_signed)
            .symmetric(false)
            .channel_axis(1);
        quantize.output_type(value.r#type()).build()?.output()
    }
}

/// How the language calls half precision.
const HALF: &str = "f16";

/// Whether an op passes on elements that are quantized, or rounded, as its result is.
fn keeps(op: OperationRef<'_, '_>) -> bool {
    let encoding = |ty| output_def(ty).map(|def| def.encoding);
    let result = op.result_types().first().copied().and_then(encoding);
    let types = op.operand_types();
    let passed_on = match () {
        () if ConcatOp::new(op).is_some() => types.get(1..),
        () if moves(op) => types.get(..1),
        () => None,
    };
    passed_on.is_some_and(|types| types.iter().all(|ty| encoding(*ty) == result))
}
