//! Products of reals and weights that are whole numbers of few bits, scaled: the weights stay as they are stored, a byte or less
//! each, and are read so by the product, which scales the sum of each group once.

use super::encoded::Encoded;
use super::operations::tensor as tensor_of;
use super::pack;
use super::reshapes::Reshape;
use super::roles::{Roles, is_fixed};
use crate::Error;
use crate::nest::cost::cost;
use crate::nest::element::{Element, Number};
use crate::nest::plain::{product, weighted};
use crate::nest::search::choose;
use crate::nest::space::Space;
use crate::target::Target;
use crate::values::range::Ranges;
use crate::values::ranges;
use crate::views::shapes::{static_shape, volume};
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Elements up to which weights are read as reals: they stay in the nearest cache.
const FEW: i64 = 4096;
/// How many times the cycles of a product with reals one may take that reads a part of their bytes.
const MOST_SLOWER: f64 = 1.5;
/// Bits of half a byte.
const HALF: i64 = 4;
/// The lower half of a byte.
const LOWER: i64 = 15;
/// What the lower half of a byte has for 0; the upper one has numbers with a sign. To take a number out of either needs as few
/// instructions as can be so.
const ZERO: i64 = 8;

/// Lets the products of a function read weights as they are stored. Returns how many do.
///
/// # Errors
/// Where an operation can't be built.
pub fn read_stored<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let ranges = ranges(function);
    let products = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let products: Vec<_> = products.filter_map(|structured| Product::of(structured, &ranges)).collect();
    let mut replaced = 0;
    for product in &products {
        if let Some(pairs) = product.form(target)? {
            product.replace(pairs, target)?;
            replaced += 1;
        }
    }
    Ok(replaced)
}

/// A product of reals and a weight.
struct Product<'c, 'a> {
    structured: Structured<'c, 'a>,
    roles: Roles,
    weight: Encoded<'c, 'a>,
    /// How the whole numbers are stored.
    number: Number,
    /// The dimensions of the product, of which those that a reshape of the weight merges are several.
    dims: Dims,
}

/// The dimensions of an iteration space as expressions in those of another one.
struct Dims {
    of: Vec<Expr>,
    reduced: Vec<bool>,
    /// Where the elements of the weight are, before it was reshaped.
    weight: Vec<usize>,
}

impl<'c: 'a, 'a> Product<'c, 'a> {
    fn of(structured: Structured<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let roles =
            Roles::of(&structured).filter(|roles| roles.numbers == [Number::Real(32); 2] && !roles.depthwise)?;
        let (input, filter) = (structured.inputs[roles.input], structured.inputs[roles.filter]);
        let is_plain = structured.inputs.len() == 2 && roles.sum == Element::Real(32);
        let is_large = static_shape(filter.r#type()).is_some_and(|shape| volume(&shape) > FEW);
        // What windows are multiplied by is small, and used often.
        let reduced =
            (0..structured.extents.len()).filter(|&dim| structured.reduced[dim] && structured.extents[dim] > 1);
        if !is_plain || reduced.count() != 1 || !is_large || !is_fixed(filter) || is_fixed(input) {
            return None;
        }
        let made = filter.defining_operation()?;
        let (source, groups) = match Reshape::of(made).filter(|_| made.full_name() == tensor::COLLAPSE_SHAPE) {
            Some(reshape) => (reshape.fine, reshape.groups),
            None => (filter, (0..types::rank(filter.r#type())?).map(|dim| vec![dim]).collect()),
        };
        let weight = Encoded::of(source.defining_operation()?, ranges).filter(|weight| weight.scale.is_some())?;
        let number = *weight.numbers().first()?;
        let dims = Dims::of(&structured, &roles, (&static_shape(source.r#type())?, &groups))?;
        Some(Product { structured, roles, weight, number, dims })
    }

    /// The scale, and where it is.
    fn scale(&self) -> Result<(Value<'c, 'a>, Map), Error> {
        let scale =
            self.weight.scale.as_ref().and_then(|(scale, map)| Some((*scale, map.after(&self.dims.of_weight())?)));
        scale.ok_or_else(|| Error::malformed("a weight without a scale"))
    }

    /// The form with the fewest bytes that is not expected to take much longer than the product with reals: along which dimension
    /// two numbers of 4 bits are stored in a byte, if they are.
    fn form(&self, target: &Target) -> Result<Option<Option<usize>>, Error> {
        let (_, scale) = self.scale()?;
        let cycles = |space: Space| cost(&space, &choose(&space, target), target);
        let [rows, columns] = [self.roles.reuse, self.structured.extents[self.roles.channel]];
        let extents = |dims: &mut dyn Iterator<Item = &usize>| dims.filter_map(|dim| self.extent(*dim)).product();
        let reduced = || self.dims.weight.iter().filter(|dim| self.dims.reduced[**dim]);
        let is_same = |dim: &&usize| !scale.results.iter().any(|expr| expr.uses(**dim));
        let [terms, group]: [i64; 2] = [extents(&mut reduced()), extents(&mut reduced().filter(is_same))];
        let most = MOST_SLOWER * cycles(product(rows, columns, terms));
        let fits = |bits: u32| cycles(weighted(rows, columns, terms, (group, bits))) <= most;
        let pairs = self.pairs(&scale).filter(|_| fits(4));
        Ok(if pairs.is_some() || fits(8) { Some(pairs) } else { None })
    }

    /// Puts the product with the weight as it is stored in the place of the other.
    fn replace(&self, pairs: Option<usize>, target: &Target) -> Result<(), Error> {
        let operation = self.structured.operation;
        let (scale, scale_map) = self.scale()?;
        let stored = self.weight.stored(self.number)?;
        let (stored, input) = match pairs {
            Some(dim) => (self.in_pairs(stored, dim)?, self.inputs(Some(dim))?),
            None => (stored, self.inputs(None)?),
        };
        let input_value = self.structured.inputs[self.roles.input];
        let inputs: Vec<_> = input.iter().map(|_| input_value).chain([stored, scale]).collect();
        let output = self.structured.output_map().and_then(|map| map.after(&self.dims.map()));
        let output = output.ok_or_else(|| Error::malformed("a product without a result"))?;
        let filter = input.len();
        let maps: Vec<_> = input.into_iter().chain([self.dims.of_weight(), scale_map, output]).collect();
        let builder = Builder::before(operation)?;
        let body = linalg::generic(&builder, &inputs, &self.structured.outputs, &maps, &self.dims.reduced)?;
        let scaled = self.scaled(&body.builder, &body.arguments, pairs.is_some())?;
        let sum = arith::addf(&body.builder, body.arguments[filter + 2], scaled)?;
        linalg::r#yield(&body.builder, &[sum])?;
        let product = body.operation;
        with_rewriter(operation, |rewriter| rewriter.replace(operation, &product.result_values()))?;
        let roles = Roles { input: 0, filter, ..self.roles.clone() };
        pack::pack_weight(product, [filter, filter + 1], &roles, target)
    }

    /// The dimension along which two numbers of 4 bits can be stored in a byte: products of both have the same scale.
    fn pairs(&self, scale: &Map) -> Option<usize> {
        let is_few = self.weight.range.fits(Number::Signed(4));
        let fits = |dim: &&usize| {
            let is_same = !scale.results.iter().any(|expr| expr.uses(**dim));
            is_same && self.dims.reduced[**dim] && self.extent(**dim).is_some_and(|extent| extent % 2 == 0)
        };
        self.dims.weight.iter().rev().find(fits).copied().filter(|_| is_few)
    }

    /// The extent of a dimension of the weight.
    fn extent(&self, dim: usize) -> Option<i64> {
        let place = self.dims.weight.iter().position(|own| *own == dim)?;
        static_shape(self.weight.structured.operation.result(0).ok()?.r#type())?.get(place).copied()
    }

    /// Where the factors are, of a pair of weights both.
    fn inputs(&self, pairs: Option<usize>) -> Result<Vec<Map>, Error> {
        let map = self.structured.maps[self.roles.input].after(&self.dims.map());
        let map = map.ok_or_else(|| Error::malformed("a product of other dimensions"))?;
        let Some(dim) = pairs else { return Ok(vec![map]) };
        let at = |place: i64| {
            let mut dims = Map::identity(map.dims);
            dims.results[dim] = Expr::Dim(dim).times(2).plus(Expr::Const(place));
            map.after(&dims).ok_or_else(|| Error::malformed("a product of other dimensions"))
        };
        Ok(vec![at(0)?, at(1)?])
    }

    /// Two numbers in each byte, the first one in its lower half, more by `ZERO`.
    fn in_pairs(&self, stored: Value<'c, 'a>, dim: usize) -> Result<Value<'c, 'a>, Error> {
        let malformed = || Error::malformed("a weight of open extents");
        let place = self.dims.weight.iter().position(|own| *own == dim).ok_or_else(malformed)?;
        let mut shape = static_shape(stored.r#type()).ok_or_else(malformed)?;
        let rank = shape.len();
        shape[place] /= 2;
        let builder = Builder::before(self.weight.structured.operation)?;
        let byte = types::integer(builder.context(), 8);
        let empty = tensor::empty(&builder, tensor_of(byte, &shape)?, &[])?;
        let half = |number: i64| {
            let mut map = Map::identity(rank);
            map.results[place] = Expr::Dim(place).times(2).plus(Expr::Const(number));
            map
        };
        let maps = [half(0), half(1), Map::identity(rank)];
        let body = linalg::generic(&builder, &[stored, stored], &[empty], &maps, &vec![false; rank])?;
        let low = arith::addi(&body.builder, body.arguments[0], body.builder.integer(byte, ZERO)?)?;
        let high = arith::shli(&body.builder, body.arguments[1], body.builder.integer(byte, HALF)?)?;
        linalg::r#yield(&body.builder, &[arith::ori(&body.builder, low, high)?])?;
        Ok(body.operation.result(0)?)
    }

    /// The products at a point, scaled.
    fn scaled(
        &self,
        builder: &Builder<'c, 'a>,
        arguments: &[Value<'c, 'a>],
        is_pair: bool,
    ) -> Result<Value<'c, 'a>, Error> {
        let real = types::f32(builder.context());
        let convert = |whole| match self.number {
            Number::Unsigned(_) => arith::uitofp(builder, whole, real),
            _ => arith::sitofp(builder, whole, real),
        };
        if !is_pair {
            let product = arith::mulf(builder, arguments[0], convert(arguments[1])?)?;
            return Ok(arith::mulf(builder, product, arguments[2])?);
        }
        let word = types::integer(builder.context(), 32);
        let wide = arith::extsi(builder, arguments[2], word)?;
        let low = arith::andi(builder, wide, builder.integer(word, LOWER)?)?;
        let low = arith::subf(builder, arith::sitofp(builder, low, real)?, builder.real(real, ZERO as f64)?)?;
        let high = arith::shrsi(builder, wide, builder.integer(word, HALF)?)?;
        let low = arith::mulf(builder, arguments[0], low)?;
        let high = arith::mulf(builder, arguments[1], arith::sitofp(builder, high, real)?)?;
        Ok(arith::mulf(builder, arith::addf(builder, low, high)?, arguments[3])?)
    }
}

impl Dims {
    /// The dimensions of a product whose weight is a reshape of a tensor of this shape, by the dimensions that became one.
    fn of(structured: &Structured<'_, '_>, roles: &Roles, (shape, groups): (&[i64], &[Vec<usize>])) -> Option<Dims> {
        let filter = structured.maps[roles.filter].as_dims()?;
        let mut of: Vec<Expr> = (0..structured.extents.len()).map(Expr::Dim).collect();
        let mut reduced = structured.reduced.clone();
        let mut weight = vec![0; shape.len()];
        for (dim, group) in filter.iter().zip(groups) {
            if structured.open[*dim].is_some() || group.len() > 1 && !reduced[*dim] {
                return None;
            }
            let (mut index, mut stride) = (Expr::Const(0), 1i64);
            for (number, place) in group.iter().rev().enumerate() {
                let own = if number == 0 { *dim } else { reduced.len() };
                reduced.extend((number > 0).then_some(true));
                weight[*place] = own;
                index = index.plus(Expr::Dim(own).times(stride));
                stride *= shape[*place];
            }
            of[*dim] = index;
        }
        Some(Dims { of, reduced, weight })
    }

    /// Where the elements of the weight are.
    fn of_weight(&self) -> Map {
        Map { dims: self.reduced.len(), results: self.weight.iter().copied().map(Expr::Dim).collect() }
    }

    fn map(&self) -> Map {
        Map { dims: self.reduced.len(), results: self.of.clone() }
    }
}
