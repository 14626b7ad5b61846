//! Truth values in memory: a byte each, which vectors load and compare as all other numbers. Scalars stay what they are, so that
//! comparisons and selections are those of the processor.

use crate::Error;
use crate::views::functions::{self, set_signature, signature};
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{
    Builder, OperationRef, Type, Value, attributes, block_arguments, block_operations, types, walk,
};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{func, linalg, tensor};
use std::collections::HashMap;

/// Makes tensors of truth values tensors of bytes.
pub fn as_bytes<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    for operation in walk(module) {
        match operation.full_name() {
            arith::CONSTANT => constant(operation)?,
            linalg::GENERIC => {
                body(operation)?;
                results(operation);
            }
            tensor::EXTRACT => extracted(operation)?,
            tensor::INSERT | tensor::FROM_ELEMENTS | tensor::YIELD => {
                scalars(operation)?;
                results(operation);
            }
            _ => {
                results(operation);
                let blocks = operation.regions().flat_map(skriptnd_mlir::ir::region_blocks);
                blocks.flat_map(block_arguments).for_each(turn);
            }
        }
    }
    for function in functions::all(module).filter(|function| function.full_name() == func::FUNC) {
        let (inputs, results) = signature(function)?;
        let turned =
            |kinds: Vec<Type<'c>>| kinds.into_iter().map(|kind| bytes(kind).unwrap_or(kind)).collect::<Vec<_>>();
        set_signature(function, &turned(inputs), &turned(results));
    }
    Ok(())
}

/// The type of a tensor of bytes in place of one of truth values; none for other types.
fn bytes(kind: Type<'_>) -> Option<Type<'_>> {
    let is_truths = types::is_ranked_tensor(kind) && types::is_integer(types::element(kind), 1);
    let shape = types::shape(kind).filter(|_| is_truths)?;
    types::tensor(types::integer(kind.context(), 8), &shape)
}

fn turn<'c: 'a, 'a>(value: Value<'c, 'a>) {
    if let Some(kind) = bytes(value.r#type()) {
        value.set_type(kind);
    }
}

fn results<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) {
    operation.result_values().into_iter().for_each(turn);
}

/// A constant tensor of one value, or a copy of one of several.
fn constant<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<(), Error> {
    let result = operation.result(0)?;
    let Some(kind) = bytes(result.r#type()) else { return Ok(()) };
    let text = operation.get("value").map(|value| value.to_string()).unwrap_or_default();
    let known = ["dense<false>", "dense<true>"].iter().position(|known| text.starts_with(known));
    if let Some(value) = known {
        let element = attributes::typed_integer(types::element(kind), value as i64);
        let value = element.and_then(|element| attributes::splat(kind, element));
        operation.set("value", value.ok_or_else(|| Error::malformed("no constant of bytes"))?);
        result.set_type(kind);
        return Ok(());
    }
    let uses = result.uses();
    let Some(next) = operation.next() else { return Ok(()) };
    let builder = Builder::before(next)?;
    let identity = Map::identity(types::rank(kind).unwrap_or(0));
    let maps = [identity.clone(), identity.clone()];
    let target = tensor::empty(&builder, kind, &[])?;
    let copy = linalg::generic(&builder, &[result], &[target], &maps, &vec![false; identity.dims])?;
    let byte = arith::extui(&copy.builder, copy.arguments[0], types::element(kind))?;
    linalg::r#yield(&copy.builder, &[byte])?;
    let copied = copy.operation.result(0)?;
    Ok(uses.into_iter().try_for_each(|(user, index)| user.set_operand(index, copied))?)
}

/// An element of a tensor: a byte that is compared.
fn extracted<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<(), Error> {
    let result = operation.result(0)?;
    if !types::is_integer(result.r#type(), 1) {
        return Ok(());
    }
    let uses = result.uses();
    result.set_type(types::integer(operation.context(), 8));
    let Some(next) = operation.next() else { return Ok(()) };
    let truth = truth(&Builder::before(next)?, result)?;
    Ok(uses.into_iter().try_for_each(|(user, index)| user.set_operand(index, truth))?)
}

/// Elements that an operation puts into a tensor.
fn scalars<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<(), Error> {
    let operands: Vec<Value<'c, 'a>> = operation.operands().collect();
    for (index, operand) in operands.into_iter().enumerate() {
        if types::is_integer(operand.r#type(), 1) {
            operation.set_operand(index, byte(&Builder::before(operation)?, operand)?)?;
        }
    }
    Ok(())
}

fn byte<'c: 'a, 'a>(builder: &Builder<'c, 'a>, truth: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    Ok(arith::extui(builder, truth, types::integer(builder.context(), 8))?)
}

fn truth<'c: 'a, 'a>(builder: &Builder<'c, 'a>, byte: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let zero = builder.integer(byte.r#type(), 0)?;
    Ok(arith::cmpi(builder, IntegerPredicate::Ne, byte, zero)?)
}

/// The body of a structured operation: elements come and go as bytes, and what is bytes on one side of a logical operation is
/// computed so.
fn body<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<(), Error> {
    let Some(structured) = Structured::read(operation) else { return Ok(()) };
    let operations: Vec<_> = block_operations(structured.body).collect();
    let (Some(first), Some(end)) = (operations.first(), structured.body.terminator()) else { return Ok(()) };
    let start = Builder::before(*first)?;
    let mut known = Bytes(HashMap::new());
    let mut elements = Vec::new();
    for (argument, operand) in block_arguments(structured.body).zip(structured.operands()) {
        let is_element = types::is_integer(argument.r#type(), 1) && types::is_ranked_tensor(operand.r#type());
        elements.push(is_element);
        if is_element {
            argument.set_type(types::integer(operation.context(), 8));
            let uses = argument.uses();
            known.stands_for(start, argument, uses)?;
        }
    }
    for inside in operations {
        known.compute(inside)?;
    }
    for (index, _) in elements.iter().skip(structured.inputs.len()).enumerate().filter(|(_, is_element)| **is_element) {
        let byte = known.of(&Builder::before(end)?, end.operand(index)?)?;
        end.set_operand(index, byte)?;
    }
    Ok(())
}

/// Bytes by the keys of the truth values that they stand for.
struct Bytes<'c, 'a>(HashMap<usize, Value<'c, 'a>>);

impl<'c: 'a, 'a> Bytes<'c, 'a> {
    /// Gives users the truth of a byte.
    fn stands_for(
        &mut self,
        builder: Builder<'c, 'a>,
        byte: Value<'c, 'a>,
        uses: Vec<(OperationRef<'c, 'a>, usize)>,
    ) -> Result<(), Error> {
        let truth = truth(&builder, byte)?;
        self.0.insert(truth.key(), byte);
        Ok(uses.into_iter().try_for_each(|(user, index)| user.set_operand(index, truth))?)
    }

    /// The byte of a truth value.
    fn of(&self, builder: &Builder<'c, 'a>, truth: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        self.0.get(&truth.key()).map_or_else(|| byte(builder, truth), |known| Ok(*known))
    }

    /// Computes a logical operation on bytes.
    fn compute(&mut self, operation: OperationRef<'c, 'a>) -> Result<(), Error> {
        let is_logical = matches!(operation.full_name(), arith::ANDI | arith::ORI | arith::XORI);
        let operands: Vec<Value<'c, 'a>> = operation.operands().collect();
        let (true, [a, b]) = (is_logical, operands.as_slice()) else { return Ok(()) };
        let is_known = |value: &Value<'c, 'a>| self.0.contains_key(&value.key());
        if !types::is_integer(a.r#type(), 1) || !(is_known(a) || is_known(b)) {
            return Ok(());
        }
        let builder = Builder::before(operation)?;
        let (a, b) = (self.of(&builder, *a)?, self.of(&builder, *b)?);
        let byte = builder.value(operation.full_name(), &[a, b], &[], a.r#type())?;
        self.stands_for(builder, byte, operation.result(0)?.uses())
    }
}
