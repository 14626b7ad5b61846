//! Channels last: results of convolutions, and everything elementwise or pooled around them, are stored with the
//! channels innermost. A layout is only the order of a tensor's dimensions, so changing it changes indexing maps and
//! types; where a tensor's layout is fixed, as at the graph's border, a copy converts.

use super::indexed::{read_along, reorder_indices};
use super::operations::{extent, reordered, set_maps};
use super::requantized::quantizes_input;
use super::reshapes::{Order, Reshape, is_identity, reorder_lists, reorder_operands};
use super::roles::Roles;
use super::wanted::Wanted;
use crate::Error;
use crate::target::Target;
use crate::views::structured::{Structured, maps};
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_operations, types, walk};
use skriptnd_mlir::ops::{linalg, tensor};
use std::collections::{HashMap, HashSet};

/// Channels that one group has.
const FEW_CHANNELS: u64 = 4;

/// Brings the tensors of a function into the layouts that its convolutions want. Returns how many tensors changed.
pub fn channels_last<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let operations: Vec<_> = walk(function);
    let mut sets = Sets::default();
    for operation in &operations {
        for (one, other) in tied(*operation) {
            sets.unite(one.key(), other.key());
        }
    }
    let mut orders: HashMap<usize, Order> = HashMap::new();
    let wanted: Vec<Wanted<'_, '_>> =
        operations.iter().filter(|own| is_flexible(**own)).filter_map(|own| Wanted::of(*own, target)).collect();
    // Where nothing else asks for channels that lie last, pixels that do are as good, and nothing is converted.
    let is_alone = wanted.len() == 1;
    let is_good = |own: &Wanted<'_, '_>| own.takes_pixels || is_alone && own.is_alone_as_it_is || own.is_there();
    let is_done_as_it_is = wanted.iter().all(is_good);
    for (value, order) in
        wanted.into_iter().filter(|own| !is_done_as_it_is || own.is_there()).flat_map(|own| own.orders)
    {
        orders.entry(sets.find(value.key())).or_insert(order);
    }
    if orders.is_empty() {
        return Ok(0);
    }
    let reshapes: Vec<Reshape> = operations.iter().filter_map(|operation| Reshape::of(*operation)).collect();
    while spread(&reshapes, &mut sets, &mut orders) {}
    let order_of = |value: Value<'c, 'a>| orders.get(&sets.find_const(value.key())).cloned();
    let mut layouts = HashMap::new();
    for operation in &operations {
        for value in operation.operands().chain(operation.result_values()) {
            if let Some(order) = order_of(value) {
                layouts.insert(value.key(), order);
            }
        }
    }
    let stays = |operation: OperationRef<'c, 'a>| {
        target.isa.only_whole && (quantizes_input(operation) || is_of_planes(operation, &layouts))
    };
    let flexible = operations.iter().filter(|operation| is_flexible(**operation) && !stays(**operation));
    let flexible = flexible.map(|operation| operation.key());
    let reshaped = reshapes.iter().filter(|reshape| {
        let merged = order_of(reshape.fine).and_then(|fine| reshape.merged(&fine));
        merged.is_some() && merged == order_of(reshape.coarse)
    });
    let flexible = flexible.chain(reshaped.map(|reshape| reshape.operation.key())).collect();
    Change { layouts, flexible, converted: HashMap::new() }.run(&operations)
}

/// Whether an operation pads an input of the graph, or computes of it alone element by element, and that has few channels. Where vectors are
/// whole, these are of each channel's pixels: what brings channels together copies bytes then, and nothing else.
fn is_of_planes<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, layouts: &HashMap<usize, Order>) -> bool {
    let Some(&result) = operation.result_values().first() else { return false };
    let shape = types::shape(result.r#type()).unwrap_or_default();
    let channels = layouts.get(&result.key()).and_then(|order| *shape.get(*order.last()?)?);
    let source = match Structured::read(operation) {
        Some(view) => {
            let read = view.inputs.iter().zip(&view.maps).filter(|(_, map)| !map.results.is_empty());
            let read: Vec<_> = read.collect();
            let [(source, map)] = read[..] else { return false };
            Some(*source).filter(|_| view.is_parallel() && view.output_map() == Some(map))
        }
        None => operation.operand(0).ok().filter(|_| operation.full_name() == tensor::PAD),
    };
    let is_plane = |source: Value<'c, 'a>| match source.defining_operation() {
        Some(made) => is_of_planes(made, layouts),
        None => true,
    };
    channels.is_some_and(|channels| channels <= FEW_CHANNELS) && source.is_some_and(is_plane)
}

/// Gives what reshapes lead to the orders of what they come from. False where no tensor got one.
fn spread(reshapes: &[Reshape<'_, '_>], sets: &mut Sets, orders: &mut HashMap<usize, Order>) -> bool {
    let before = orders.len();
    for reshape in reshapes {
        let (fine, coarse) = (sets.find(reshape.fine.key()), sets.find(reshape.coarse.key()));
        let known = |key| orders.get(&key).filter(|order| !is_identity(order));
        let merged = known(fine).and_then(|fine| reshape.merged(fine)).map(|order| (coarse, order));
        let split = || known(coarse).filter(|_| has_free_parts(reshape)).and_then(|coarse| reshape.split(coarse));
        if let Some((key, order)) = merged.or_else(|| split().map(|order| (fine, order))) {
            orders.entry(key).or_insert(order);
        }
    }
    orders.len() > before
}

/// Whether the parts that a dimension is split into, such as the elements that one becomes in an enlarged image, are known to
/// elementwise operations only.
fn has_free_parts(reshape: &Reshape<'_, '_>) -> bool {
    let is_free = |operation: OperationRef<'_, '_>| {
        is_flexible(operation) && Structured::read(operation).is_some_and(|view| Roles::of(&view).is_none())
    };
    match reshape.operation.full_name() {
        tensor::COLLAPSE_SHAPE => reshape.fine.defining_operation().is_some_and(is_free),
        _ => reshape.fine.uses().into_iter().all(|(user, _)| is_free(user)),
    }
}

/// Values whose layouts go together.
fn tied<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<(Value<'c, 'a>, Value<'c, 'a>)> {
    if !is_flexible(operation) {
        return Vec::new();
    }
    let Some(&result) = operation.result_values().first() else { return Vec::new() };
    let Some(structured) = Structured::read(operation) else {
        let rank = types::rank(result.r#type());
        return operation
            .operands()
            .filter(|operand| types::rank(operand.r#type()) == rank)
            .map(|operand| (operand, result))
            .collect();
    };
    let mut pairs = vec![(structured.outputs[0], result)];
    let output = structured.output_map().cloned().unwrap_or(Map { dims: 0, results: Vec::new() });
    for (input, map) in structured.inputs.iter().zip(&structured.maps) {
        if walks_along(&structured, map, &output) {
            pairs.push((*input, result));
        }
    }
    pairs.extend(read_along(&structured).into_iter().map(|read| (read, result)));
    pairs
}

/// Whether each dimension of an operand follows the same dimension of the output, possibly through a window. Dimensions
/// of extent 1 may be constant.
fn walks_along(structured: &Structured<'_, '_>, map: &Map, output: &Map) -> bool {
    let walked = |dim: &usize| !structured.reduced[*dim] && structured.extents[*dim] != 1;
    let follows = |(expr, along): (&Expr, &Expr)| {
        along.as_dim().is_some_and(|along| (0..map.dims).filter(walked).all(|dim| expr.uses(dim) == (dim == along)))
    };
    map.results.len() == output.results.len() && map.results.iter().zip(&output.results).all(follows)
}

/// Operations on tensors whose dimensions may be in any order.
fn is_flexible(operation: OperationRef<'_, '_>) -> bool {
    match operation.full_name() {
        linalg::GENERIC => Structured::read(operation).is_some_and(|view| {
            let single = view.outputs.len() == 1 && operation.result_count() == 1;
            single && view.maps.iter().all(|map| map.dims == view.extents.len()) && !reads_filter_once(&view)
        }),
        tensor::EMPTY => true,
        tensor::PAD => has_constant_padding(operation),
        tensor::EXTRACT_SLICE | tensor::INSERT_SLICE => same_rank(operation),
        _ => false,
    }
}

/// Products with a vector, also in the form of convolutions that yield one pixel: they take their time from memory, so
/// the filter is read as it lies, and the input has to lie likewise.
fn reads_filter_once(structured: &Structured<'_, '_>) -> bool {
    Roles::of(structured).is_some_and(|roles| roles.reuse <= 1 && !roles.depthwise)
}

/// Whether the padding does not depend on the place.
fn has_constant_padding(operation: OperationRef<'_, '_>) -> bool {
    let Some(body) = operation.region(0).ok().and_then(|region| region.first_block()) else { return false };
    block_operations(body).all(|inside| inside.full_name() == tensor::YIELD)
        && body.terminator().and_then(|end| end.operand(0).ok()).is_some_and(|value| {
            !skriptnd_mlir::ir::block_arguments(body).any(|argument| argument.key() == value.key())
        })
}

fn same_rank(operation: OperationRef<'_, '_>) -> bool {
    let ranks: Vec<_> =
        operation.operand_types().into_iter().chain(operation.result_types()).filter_map(types::rank).collect();
    ranks.windows(2).all(|pair| pair[0] == pair[1])
}

struct Change<'c, 'a> {
    layouts: HashMap<usize, Order>,
    /// Operations that take any layout, found before anything changes.
    flexible: HashSet<usize>,
    /// Copies in the new layout of values whose own layout is fixed.
    converted: HashMap<usize, Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Change<'c, 'a> {
    fn run(mut self, operations: &[OperationRef<'c, 'a>]) -> Result<usize, Error> {
        let mut changed = 0;
        for operation in operations {
            match self.flexible.contains(&operation.key()) {
                true => changed += usize::from(self.turn(*operation)?),
                false => self.border(*operation)?,
            }
        }
        Ok(changed)
    }

    /// Changes an operation that takes any layout. Operands come first in the order of operations, so those that are
    /// results of such operations have their new types already.
    fn turn(&mut self, operation: OperationRef<'c, 'a>) -> Result<bool, Error> {
        let orders: Vec<Option<Order>> =
            operation.operands().map(|operand| self.layouts.get(&operand.key()).cloned()).collect();
        let result_order =
            operation.result_values().first().and_then(|result| self.layouts.get(&result.key()).cloned());
        for (index, operand) in operation.operands().collect::<Vec<_>>().into_iter().enumerate() {
            if let Some(order) = &orders[index] {
                if !self.is_turned(operand) {
                    let converted = self.convert(operation, operand, order)?;
                    operation.set_operand(index, converted)?;
                }
            }
        }
        if let Some(maps) = maps(operation) {
            let maps: Vec<Map> = maps
                .iter()
                .zip(&orders)
                .map(|(map, order)| order.as_ref().map_or_else(|| map.clone(), |order| map.reordered(order)))
                .collect();
            set_maps(operation, &maps);
        } else if let Some(reshape) = Reshape::of(operation) {
            if let (Some(source), Some(result)) = (orders.first().and_then(Option::as_ref), &result_order) {
                let is_expansion = operation.full_name() == tensor::EXPAND_SHAPE;
                let (coarse, fine) = if is_expansion { (source, result) } else { (result, source) };
                reshape.reorder(coarse, fine)?;
            }
        } else if let Some(order) = &result_order {
            reorder_lists(operation, order)?;
            reorder_extents(operation, order)?;
        }
        let (Some(order), Some(&result)) = (result_order, operation.result_values().first()) else { return Ok(false) };
        result.set_type(reordered_type(result, &order)?);
        Ok(true)
    }

    /// Whether the value has its new layout as soon as the operation that defines it was changed.
    fn is_turned(&self, value: Value<'c, 'a>) -> bool {
        value.defining_operation().is_some_and(|definition| self.flexible.contains(&definition.key()))
    }

    /// Gives an operation with fixed layouts its operands in the old layout, or the new indices into them.
    fn border(&mut self, operation: OperationRef<'c, 'a>) -> Result<(), Error> {
        for (index, operand) in operation.operands().collect::<Vec<_>>().into_iter().enumerate() {
            let Some(order) = self.layouts.get(&operand.key()).filter(|_| self.is_turned(operand)) else { continue };
            if index == 0 && reorder_indices(operation, order)? {
                continue;
            }
            let mut old = vec![0; order.len()];
            for (place, &dim) in order.iter().enumerate() {
                old[dim] = place;
            }
            if let Some(empty) = Self::empty_again(operation, operand, &old)? {
                operation.set_operand(index, empty)?;
                continue;
            }
            let back = reordered(operation, operand, &Map::identity(old.len()).reordered(order), &old)?;
            operation.set_operand(index, back)?;
        }
        Ok(())
    }

    /// An empty tensor in the old layout: there is nothing to copy.
    fn empty_again(
        place: OperationRef<'c, 'a>,
        operand: Value<'c, 'a>,
        old: &Order,
    ) -> Result<Option<Value<'c, 'a>>, Error> {
        let kind = reordered_type(operand, old)?;
        let is_empty = operand.defining_operation().is_some_and(|made| made.full_name() == tensor::EMPTY);
        if !is_empty {
            return Ok(None);
        }
        let builder = Builder::before(place)?;
        let shape = types::shape(kind).unwrap_or_default();
        let open = (0..shape.len()).filter(|&dim| shape[dim].is_none());
        let open = open.map(|dim| extent(&builder, operand, old[dim])).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(tensor::empty(&builder, kind, &open)?))
    }

    fn convert(
        &mut self,
        place: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        order: &Order,
    ) -> Result<Value<'c, 'a>, Error> {
        if let Some(converted) = self.converted.get(&value.key()).filter(|known| same_block(**known, place)) {
            return Ok(*converted);
        }
        let mut places = vec![Expr::Const(0); order.len()];
        for (place, &dim) in order.iter().enumerate() {
            places[dim] = Expr::Dim(place);
        }
        let converted = reordered(place, value, &Map { dims: order.len(), results: places }, order)?;
        self.converted.insert(value.key(), converted);
        Ok(converted)
    }
}

fn same_block<'c: 'a, 'a>(value: Value<'c, 'a>, place: OperationRef<'c, 'a>) -> bool {
    value.defining_operation().is_some_and(|definition| definition.block() == place.block())
}

fn reordered_type<'c: 'a, 'a>(value: Value<'c, 'a>, order: &Order) -> Result<skriptnd_mlir::ir::Type<'c>, Error> {
    let shape = types::shape(value.r#type()).unwrap_or_default();
    let new: Vec<_> = order.iter().filter_map(|&dim| shape.get(dim).copied()).collect();
    let element = types::element(value.r#type());
    types::tensor(element, &new).ok_or_else(|| Error::malformed(format!("no tensor of {element}")))
}

/// The extents that an empty tensor is made with, those of its type left out.
fn reorder_extents<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, order: &Order) -> Result<(), Error> {
    if operation.full_name() != tensor::EMPTY {
        return Ok(());
    }
    let shape = types::shape(operation.result(0)?.r#type()).unwrap_or_default();
    reorder_operands(operation, 0, order, |dim| shape.get(dim).is_some_and(Option::is_none))
}

/// Disjoint sets of values by their keys.
#[derive(Default)]
struct Sets(HashMap<usize, usize>);

impl Sets {
    fn find_const(&self, key: usize) -> usize {
        let mut key = key;
        while let Some(&parent) = self.0.get(&key) {
            key = parent;
        }
        key
    }

    fn find(&mut self, key: usize) -> usize {
        let root = self.find_const(key);
        if root != key {
            self.0.insert(key, root);
        }
        root
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        if one != other {
            // A result joins the set of its operand, so that long chains stay flat.
            self.0.insert(other, one);
        }
    }
}
