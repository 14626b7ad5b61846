//! Products in a loop whose one factor is a weight and whose other depends on nothing but the loop's index, as the items of
//! the sequence that a recurrent layer reads: each iteration reads the whole weight for a few rows. They become one product
//! before the loop, whose rows are those of all iterations.

use super::items::Counter;
use super::operations;
use super::pure::{is_pure, outside_operands, rename_captured};
use crate::Error;
use crate::views::constants::integer;
use crate::views::shapes::{static_shape, volume};
use crate::views::structured::{self, Structured};
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{
    BlockRef, Builder, OperationRef, Value, attributes, block_operations, operations_named, types,
};
use skriptnd_mlir::ops::tensor::{Slice, extract_slice, insert_slice};
use skriptnd_mlir::ops::{Size, linalg, scf, tensor};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashMap;

/// Iterations of a loop for which it is worth it.
const LEAST_ITERATIONS: i64 = 4;
/// Elements of a weight that are dear to read again.
const LEAST_WEIGHT: i64 = 4096;
/// Rows of one iteration's product from which on a weight is used often enough.
const ENOUGH_ROWS: i64 = 32;
/// Elements that the results for all iterations, and what they are computed from, may have.
const MOST_ELEMENTS: i64 = 1 << 22;

/// Takes such products out of the counted loops of a function. Returns their number.
pub fn batch_iterations<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut batched = 0;
    for operation in operations_named(function, scf::FOR) {
        let Some(counted) = Loop::of(operation) else { continue };
        for product in counted.products() {
            counted.batch(&product)?;
            batched += 1;
        }
        counted.slice_items()?;
    }
    Ok(batched)
}

/// What a value depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Dependence {
    /// The same in all iterations.
    Invariant,
    /// Told by the index.
    Index,
    /// What iterations before computed, or effects.
    Other,
}

/// A loop from 0 by steps of 1 whose number of iterations is known.
struct Loop<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
    index: Value<'c, 'a>,
    count: i64,
    /// By the keys of values of the body; others are invariant.
    dependences: HashMap<usize, Dependence>,
}

/// A product to be taken out.
struct Product<'c, 'a> {
    structured: Structured<'c, 'a>,
    /// Of each operand, what the product is added to among them.
    dependences: Vec<Dependence>,
}

impl<'c: 'a, 'a> Loop<'c, 'a> {
    fn of(operation: OperationRef<'c, 'a>) -> Option<Self> {
        let known = |operand: usize| integer(operation.operand(operand).ok()?);
        let (from, to, step) = (known(0)?, known(1)?, known(2)?);
        if from != 0 || step != 1 || to < LEAST_ITERATIONS {
            return None;
        }
        let body = operation.region(0).ok()?.first_block()?;
        let index = body.argument(0)?;
        let mut dependences = HashMap::from([(index.key(), Dependence::Index)]);
        dependences.extend(
            (1..body.argument_count()).filter_map(|carried| Some((body.argument(carried)?.key(), Dependence::Other))),
        );
        let mut counted = Loop { operation, body, index, count: to, dependences };
        for operation in block_operations(body) {
            let dependence = match is_pure(operation) {
                true => outside_operands(operation).into_iter().map(|operand| counted.dependence(operand)).max(),
                false => Some(Dependence::Other),
            };
            let dependence = dependence.unwrap_or(Dependence::Invariant);
            counted.dependences.extend(operation.result_values().iter().map(|result| (result.key(), dependence)));
        }
        Some(counted)
    }

    fn dependence(&self, value: Value<'c, 'a>) -> Dependence {
        self.dependences.get(&value.key()).copied().unwrap_or(Dependence::Invariant)
    }

    /// The products of the body that are worth it.
    fn products(&self) -> Vec<Product<'c, 'a>> {
        let structured = block_operations(self.body).filter_map(Structured::read);
        structured.filter_map(|structured| self.product(structured)).collect()
    }

    fn product(&self, structured: Structured<'c, 'a>) -> Option<Product<'c, 'a>> {
        let result = *structured.operation.result_values().first()?;
        let captures = outside_operands(structured.operation).len() > structured.operation.operand_count();
        if self.dependence(result) != Dependence::Index || captures || !structured.is_static() {
            return None;
        }
        let factors = structured.contraction()?.factors.map(|(operand, _)| operand);
        let [weight, item] = match factors.map(|factor| self.dependence(structured.inputs[factor])) {
            [Dependence::Invariant, Dependence::Index] => factors,
            [Dependence::Index, Dependence::Invariant] => [factors[1], factors[0]],
            _ => return None,
        };
        let rows = (0..structured.extents.len()).filter(|&dim| {
            !structured.reduced[dim] && !structured.maps[weight].results.iter().any(|expr| expr.uses(dim))
        });
        let rows = volume(&rows.map(|dim| structured.extents[dim]).collect::<Vec<_>>());
        let elements = |value: Value<'c, 'a>| static_shape(value.r#type()).map(|shape| volume(&shape));
        let given = elements(structured.inputs[item])?.saturating_add(elements(result)?);
        let fits = given.saturating_mul(self.count) <= MOST_ELEMENTS;
        let pays = elements(structured.inputs[weight])? >= LEAST_WEIGHT && rows < ENOUGH_ROWS;
        let dependences = structured.operands().map(|operand| self.dependence(operand)).collect();
        (fits && pays && structured.outputs.len() == 1).then_some(Product { structured, dependences })
    }

    /// The tensor whose items, one after the other, a value is.
    fn all_items(&self, item: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let counter = Counter { index: self.index, count: self.count };
        counter.all_items(item).filter(|all| self.dependence(*all) == Dependence::Invariant)
    }

    /// Lets items that are gathered be read where they lie.
    fn slice_items(&self) -> Result<(), Error> {
        let gathered: Vec<_> =
            block_operations(self.body).filter(|operation| operation.full_name() == linalg::GENERIC).collect();
        for operation in gathered {
            if let Some(all) = operation.result_values().first().and_then(|item| self.all_items(*item)) {
                self.take(operation, all)?;
            }
        }
        Ok(())
    }

    /// Computes a product before the loop.
    fn batch(&self, product: &Product<'c, 'a>) -> Result<(), Error> {
        let structured = &product.structured;
        let before = Builder::before(self.operation)?;
        let mut outside = Copies { body: self.body, known: HashMap::new() };
        let mut operands: Vec<Value<'c, 'a>> = structured.operands().collect();
        self.collect(product, &mut operands)?;
        let last = operands.len() - 1;
        for (operand, dependence) in operands.iter_mut().zip(&product.dependences) {
            if *dependence == Dependence::Invariant {
                *operand = outside.copy(&before, *operand)?;
            }
        }
        let mut batched =
            product.dependences.iter().map(|dependence| *dependence == Dependence::Index).collect::<Vec<_>>();
        if !batched[last] {
            operands[last] = self.repeated(&before, operands[last])?;
            batched[last] = true;
        }
        let all = before.located(structured.operation.location()).copy(structured.operation, &operands)?;
        let maps: Vec<Map> = structured.maps.iter().zip(batched).map(|(map, batched)| lifted(map, batched)).collect();
        operations::set_maps(all, &maps);
        let reduced = [&[false], structured.reduced.as_slice()].concat();
        all.set("iterator_types", attributes::iterator_types(all.context(), &reduced));
        let result = all.result(0)?;
        result.set_type(operands[last].r#type());
        self.take(structured.operation, result)
    }

    /// Puts the tensors of all iterations in place of those that depend on the index; where they are no items of a tensor that there is,
    /// a loop of its own computes them.
    fn collect(&self, product: &Product<'c, 'a>, operands: &mut [Value<'c, 'a>]) -> Result<(), Error> {
        let mut places = Vec::new();
        for place in (0..operands.len()).filter(|&place| product.dependences[place] == Dependence::Index) {
            match self.all_items(operands[place]) {
                Some(all) => operands[place] = all,
                None => places.push(place),
            }
        }
        if places.is_empty() {
            return Ok(());
        }
        let before = Builder::before(self.operation)?;
        let bounds = [self.operation.operand(0)?, self.operation.operand(1)?, self.operation.operand(2)?];
        let empties = places.iter().map(|&place| self.empty(&before, operands[place]));
        let filling = scf::r#for(&before, bounds, &empties.collect::<Result<Vec<_>, Error>>()?)?;
        let mut inside = Copies { body: self.body, known: HashMap::from([(self.index.key(), filling.index)]) };
        let mut filled = Vec::new();
        for (&place, all) in places.iter().zip(&filling.carried) {
            let item = inside.copy(&filling.body, operands[place])?;
            filled.push(insert_slice(&filling.body, item, *all, &item_of(filling.index, item)?)?);
        }
        scf::r#yield(&filling.body, &filled)?;
        for (place, all) in places.into_iter().zip(filling.operation.result_values()) {
            operands[place] = all;
        }
        Ok(())
    }

    /// An empty tensor with a value for each iteration.
    fn empty(&self, builder: &Builder<'c, 'a>, item: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let shape = [&[self.count], shape_of(item)?.as_slice()].concat();
        let kind = operations::tensor(types::element(item.r#type()), &shape)?;
        Ok(tensor::empty(builder, kind, &[])?)
    }

    /// A tensor with the same value for each iteration.
    fn repeated(&self, builder: &Builder<'c, 'a>, item: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let all = self.empty(builder, item)?;
        let dims = shape_of(item)?.len() + 1;
        let source = Map { dims, results: (1..dims).map(Expr::Dim).collect() };
        let copy = structured::copy(*builder, (item, &source), (all, &Map::identity(dims)))?;
        Ok(copy.result(0)?)
    }

    /// Puts an iteration's part of all results in place of an operation's.
    fn take(&self, operation: OperationRef<'c, 'a>, all: Value<'c, 'a>) -> Result<(), Error> {
        let result = operation.result(0)?;
        let part = item_of(self.index, result)?;
        let part = extract_slice(&Builder::before(operation)?, all, &part, result.r#type())?;
        Ok(with_rewriter(operation, |rewriter| rewriter.replace(operation, &[part]))?)
    }
}

/// Copies of operations of a loop's body elsewhere.
struct Copies<'c, 'a> {
    body: BlockRef<'c, 'a>,
    /// By the keys of values of the body.
    known: HashMap<usize, Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Copies<'c, 'a> {
    /// The value there, with all that it is computed from in the body.
    fn copy(&mut self, builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        if let Some(known) = self.known.get(&value.key()) {
            return Ok(*known);
        }
        let Some(definition) = value.defining_operation().filter(|made| made.block() == Some(self.body)) else {
            return Ok(value);
        };
        for operand in outside_operands(definition) {
            self.copy(builder, operand)?;
        }
        let renamed = |operand: Value<'c, 'a>| self.known.get(&operand.key()).copied().unwrap_or(operand);
        let operands: Vec<_> = definition.operands().map(renamed).collect();
        let copied = builder.located(definition.location()).copy(definition, &operands)?;
        rename_captured(copied, &self.known)?;
        self.known.extend(definition.result_values().iter().map(Value::key).zip(copied.result_values()));
        self.known.get(&value.key()).copied().ok_or_else(|| Error::malformed("a value that no operation gives"))
    }
}

/// The part of one iteration in a tensor of all.
fn item_of<'c, 'a>(index: Value<'c, 'a>, item: Value<'c, 'a>) -> Result<Slice<'c, 'a>, Error> {
    let shape = shape_of(item)?;
    let first = |first: Size<'c, 'a>, others: Vec<Size<'c, 'a>>| [vec![first], others].concat();
    Ok(Slice {
        offsets: first(Size::Value(index), vec![Size::Known(0); shape.len()]),
        sizes: first(Size::Known(1), shape.iter().map(|&extent| Size::Known(extent)).collect()),
        strides: vec![1; shape.len() + 1],
    })
}

fn shape_of(value: Value<'_, '_>) -> Result<Vec<i64>, Error> {
    static_shape(value.r#type()).ok_or_else(|| Error::malformed(format!("no static shape: {}", value.r#type())))
}

/// A map from a space with one more dimension, first, which is also the first of the operand if that has one more.
fn lifted(map: &Map, batched: bool) -> Map {
    let dims = map.dims + 1;
    let shifted = Map { dims, results: (1..dims).map(Expr::Dim).collect() };
    let inner = map.after(&shifted).map(|map| map.results).unwrap_or_default();
    Map { dims, results: batched.then_some(Expr::Dim(0)).into_iter().chain(inner).collect() }
}
