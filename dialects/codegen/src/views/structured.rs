//! A view of `linalg.generic` as plain data: extents of the iteration space, indexing maps, body.

use crate::nest::element::{Element, Number};
use crate::views::{elements, typical};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{
    Attribute, BlockRef, Builder, Context, OperationRef, Type, Value, attributes, block_arguments, types, walk,
};
use skriptnd_mlir::ops::{arith, linalg, memref};

/// An extent that only a run knows: those of dimensions of operands, and a factor, multiplied.
#[derive(Clone)]
pub struct OpenExtent<'c, 'a> {
    /// The operands, and which of their dimensions; at least one.
    pub of: Vec<(Value<'c, 'a>, usize)>,
    /// At least 1.
    pub factor: i64,
}

impl<'c: 'a, 'a> OpenExtent<'c, 'a> {
    /// So many times as long.
    pub fn times(self, factor: i64) -> Self {
        OpenExtent { factor: self.factor * factor, ..self }
    }

    /// What it is taken for.
    fn typical(&self) -> i64 {
        let extents = self.of.iter().map(|(operand, dimension)| typical::extent(*operand, *dimension));
        extents.fold(self.factor, i64::saturating_mul)
    }
}

/// A structured operation with one region.
#[derive(Clone)]
pub struct Structured<'c, 'a> {
    /// The operation in the IR.
    pub operation: OperationRef<'c, 'a>,
    /// Extents of the iteration space; in place of those that only a run knows what they are taken for ([`typical`]).
    pub extents: Vec<i64>,
    /// Those that only a run knows.
    pub open: Vec<Option<OpenExtent<'c, 'a>>>,
    /// Which dimensions are reduced.
    pub reduced: Vec<bool>,
    /// Operands that are read; scalars as well as tensors or memrefs.
    pub inputs: Vec<Value<'c, 'a>>,
    /// Operands that are written.
    pub outputs: Vec<Value<'c, 'a>>,
    /// One map per operand.
    pub maps: Vec<Map>,
    /// The scalar computation.
    pub body: BlockRef<'c, 'a>,
}

impl<'c: 'a, 'a> Structured<'c, 'a> {
    /// Reads a `linalg.generic`; none for other operations.
    pub fn read(operation: OperationRef<'c, 'a>) -> Option<Self> {
        if operation.full_name() != linalg::GENERIC {
            return None;
        }
        let segments = operation.get_integers("operandSegmentSizes")?;
        let operands: Vec<Value<'c, 'a>> = operation.operands().collect();
        let (inputs, outputs) = operands.split_at_checked((*segments.first()?).try_into().ok()?)?;
        let maps = maps(operation)?;
        let reduced = attributes::as_reduced(operation.get("iterator_types")?)?;
        let (extents, open) = extents(&operands, &maps, reduced.len())?;
        Some(Structured {
            operation,
            extents,
            open,
            reduced,
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
            maps,
            body: operation.region(0).ok()?.first_block()?,
        })
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.operation.context()
    }

    /// All operands, inputs first.
    pub fn operands(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        self.inputs.iter().chain(&self.outputs).copied()
    }

    /// What an output is when the operation is done: memory as it was given, or a tensor that is a result.
    pub fn written(&self, output: usize) -> Option<Value<'c, 'a>> {
        match self.operation.result_count() {
            0 => self.outputs.get(output).copied(),
            _ => self.operation.result(output).ok(),
        }
    }

    /// Whether all extents are known.
    pub fn is_static(&self) -> bool {
        self.open.iter().all(Option::is_none)
    }

    /// Whether no dimension is reduced.
    pub fn is_parallel(&self) -> bool {
        !self.reduced.contains(&true)
    }

    /// Whether the body uses what an operand has.
    pub fn reads(&self, operand: usize) -> bool {
        block_arguments(self.body).nth(operand).is_some_and(|argument| argument.is_used())
    }

    /// The map of the only output.
    pub fn output_map(&self) -> Option<&Map> {
        (self.outputs.len() == 1).then(|| self.maps.last()).flatten()
    }

    /// What the body goes on with, where it computes one output.
    fn accumulator(&self) -> Option<Value<'c, 'a>> {
        block_arguments(self.body).nth(self.inputs.len()).filter(|_| self.outputs.len() == 1)
    }

    /// What is multiplied and added, for `acc + a * b` where `a` and `b` may be extended to the type of the sum.
    pub fn contraction(&self) -> Option<Contraction> {
        let accumulator = self.accumulator()?;
        let sum = self.body.terminator()?.operand(0).ok()?;
        let [left, right] = operands_of(sum, &[arith::ADDF, arith::ADDI])?;
        let product = match (left.key() == accumulator.key(), right.key() == accumulator.key()) {
            (true, false) => right,
            (false, true) => left,
            _ => return None,
        };
        let [a, b] = operands_of(product, &[arith::MULF, arith::MULI])?;
        Some(Contraction { factors: [self.factor(a)?, self.factor(b)?], sum: elements::of(sum.r#type())? })
    }

    /// Whether it adds up products of two operands, also where the sum has more bits than they.
    pub fn adds_products(&self) -> bool {
        let added = || {
            let accumulator = self.accumulator()?;
            let terms = operands_of(self.body.terminator()?.operand(0).ok()?, &[arith::ADDF])?;
            let term = terms.into_iter().find(|term| term.key() != accumulator.key())?;
            let extension = term.defining_operation().filter(|definition| definition.full_name() == arith::EXTF)?;
            operands_of(extension.operand(0).ok()?, &[arith::MULF])
        };
        self.is_contraction() || added().is_some() || self.adds_scaled_products()
    }

    /// Whether it adds up products that are scaled.
    fn adds_scaled_products(&self) -> bool {
        let is_product = |value: Value<'c, 'a>| {
            value.defining_operation().is_some_and(|made| [arith::MULF, arith::ADDF].contains(&made.full_name()))
        };
        let scaled = || {
            let accumulator = self.accumulator()?;
            let terms = operands_of(self.body.terminator()?.operand(0).ok()?, &[arith::ADDF])?;
            let scaled = terms.into_iter().find(|term| term.key() != accumulator.key())?;
            operands_of(scaled, &[arith::MULF]).filter(|_| terms.iter().any(|term| term.key() == accumulator.key()))
        };
        scaled().is_some_and(|factors| factors.into_iter().any(is_product)) && !self.is_parallel()
    }

    /// Whether it adds up products of two operands.
    pub fn is_contraction(&self) -> bool {
        self.contraction().is_some_and(|Contraction { factors: [left, right], .. }| left.0 != right.0)
    }

    /// The operand that a factor is an element of.
    fn factor(&self, factor: Value<'c, 'a>) -> Option<(usize, Number)> {
        let extension = factor.defining_operation();
        let name = extension.map(|extension| extension.full_name());
        let source = match name {
            Some(arith::EXTSI | arith::EXTUI | arith::EXTF) => extension?.operand(0).ok()?,
            _ => factor,
        };
        let place = block_arguments(self.body).position(|argument| argument.key() == source.key())?;
        let number = Number::of(elements::of(source.r#type())?, name == Some(arith::EXTUI))?;
        (place < self.inputs.len()).then_some((place, number))
    }
}

/// A sum of products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contraction {
    /// The operands that are multiplied, by number, and what their elements are.
    pub factors: [(usize, Number); 2],
    /// The type of the sum.
    pub sum: Element,
}

/// The two operands of what gives a value, if that is one of these operations.
fn operands_of<'c: 'a, 'a>(value: Value<'c, 'a>, names: &[&str]) -> Option<[Value<'c, 'a>; 2]> {
    let operation = value.defining_operation().filter(|operation| names.contains(&operation.full_name()))?;
    Some([operation.operand(0).ok()?, operation.operand(1).ok()?])
}

/// That no tensor and no memory is made in the region of a structured operation: it would be made for each element. This holds
/// behind each pass. Views of memory may be taken there: they cost nothing.
///
/// # Errors
/// At the first operation for which it does not hold.
pub fn computes_elements(operation: OperationRef<'_, '_>) -> Result<(), Failure> {
    for structured in walk(operation).into_iter().filter(|inside| inside.full_name().starts_with("linalg.")) {
        let inside = walk(structured).into_iter().filter(|inside| inside.key() != structured.key());
        let made = inside.into_iter().find(|inside| makes_elements(*inside));
        if let Some(made) = made {
            let text = format!("`{}` in a `{}` is done for each element", made.full_name(), structured.full_name());
            return Err(Failure::new(text));
        }
    }
    Ok(())
}

fn makes_elements(operation: OperationRef<'_, '_>) -> bool {
    operation.full_name() == memref::ALLOC || operation.result_types().iter().any(Type::is_ranked_tensor)
}

/// Extents, as far as they are known, and those that only a run knows.
type Extents<'c, 'a> = (Vec<i64>, Vec<Option<OpenExtent<'c, 'a>>>);

/// Extents from the operands whose maps have the dimension as it is.
fn extents<'c, 'a>(operands: &[Value<'c, 'a>], maps: &[Map], dims: usize) -> Option<Extents<'c, 'a>> {
    let (mut known, mut open) = (vec![None; dims], vec![None; dims]);
    if operands.len() != maps.len() {
        return None;
    }
    for (operand, map) in operands.iter().zip(maps) {
        let shape = types::shape(operand.r#type()).unwrap_or_default();
        for (dimension, (expr, extent)) in map.results.iter().zip(shape).enumerate() {
            let Some(dim) = expr.as_dim() else { continue };
            match extent {
                Some(extent) => *known.get_mut(dim)? = Some(i64::try_from(extent).ok()?),
                None => *open.get_mut(dim)? = Some(OpenExtent { of: vec![(*operand, dimension)], factor: 1 }),
            }
        }
    }
    let open: Vec<_> = known.iter().zip(open).map(|(known, open)| open.filter(|_| known.is_none())).collect();
    let either = known.iter().zip(&open).map(|(known, open)| known.or(open.as_ref().map(OpenExtent::typical)));
    Some((either.collect::<Option<_>>()?, open))
}

/// The indexing maps of a structured operation, also while its types do not fit them.
pub fn maps(operation: OperationRef<'_, '_>) -> Option<Vec<Map>> {
    attributes::as_array(operation.get("indexing_maps")?)?.into_iter().map(Map::of).collect()
}

/// The attribute `indexing_maps`.
pub fn maps_attribute<'c>(context: &'c Context, maps: &[Map]) -> Attribute<'c> {
    let maps: Vec<_> = maps.iter().map(|map| map.attribute(context)).collect();
    attributes::array(context, &maps)
}

/// Builds an operation that copies elements from `source` to a destination, by their maps from a common iteration space
/// without reductions. On tensors it has a result, on memrefs none.
///
/// # Errors
/// Where the types do not fit the maps.
pub fn copy<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    (source, source_map): (Value<'c, 'a>, &Map),
    (destination, destination_map): (Value<'c, 'a>, &Map),
) -> Result<OperationRef<'c, 'a>, Failure> {
    let maps = [source_map.clone(), destination_map.clone()];
    let copy = linalg::generic(&builder, &[source], &[destination], &maps, &vec![false; source_map.dims])?;
    linalg::r#yield(&copy.builder, &copy.arguments[..1])?;
    Ok(copy.operation)
}
