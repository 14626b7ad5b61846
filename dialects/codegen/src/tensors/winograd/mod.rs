//! Winograd's form of convolutions with filters of 3 by 3: images and filters become values at points, whose products are sums
//! over channels only, and the outputs of a tile follow from those. Each output takes 2.25 products of the direct form's 9
//! for tiles of 4 by 4, 4 for those of 2 by 2.
//!
//! A transform is an operation with one dimension for what it gives: its body computes all of that and takes what the index
//! tells. Where a schedule has code for each index, what they have in common is computed once.

mod convolution;
mod forecast;
mod integers;
mod transforms;

use super::operations::{extent, zero};
use crate::Error;
use crate::nest::element::Number;
use crate::target::Target;
use crate::values::ranges;
use crate::views::structured::Structured;
use convolution::{Convolution, SIDE, tiles};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, attributes, operations_named, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::tensor::Slice;
use skriptnd_mlir::ops::{Size, linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;
use std::cell::OnceCell;
use transforms::{Arithmetic, Tile, both};

/// Gives the convolutions of a function Winograd's form where that takes less time. Returns how many got it.
///
/// # Errors
/// Where an operation can't be built.
pub fn transform<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let (mut count, known) = (0, OnceCell::new());
    let fits = |of: &Convolution<'c, 'a>| {
        !of.is_of_integers() || integers::fit(of, known.get_or_init(|| ranges(function)), target)
    };
    for operation in operations_named(function, linalg::GENERIC) {
        let convolution = Structured::read(operation).and_then(|view| Convolution::of(&view)).filter(&fits);
        let Some(convolution) = convolution else { continue };
        let Some(tile) = forecast::best(&convolution, &target.for_reals()) else { continue };
        let result = Form::new(Builder::before(operation)?, convolution, tile)?.build()?;
        with_rewriter(operation, |rewriter| rewriter.replace(operation, &[result]))?;
        count += 1;
    }
    Ok(count)
}

/// The factors of a convolution.
const IMAGE: usize = 0;
const FILTER: usize = 1;

/// All that an operation computes from the elements that it reads.
type Values<'f, 'c, 'a> = &'f dyn Fn(&Arithmetic<'_, 'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure>;

/// A convolution that gets the form.
struct Form<'c, 'a> {
    builder: Builder<'c, 'a>,
    of: Convolution<'c, 'a>,
    tile: Tile,
    /// How many images there are.
    batch: Size<'c, 'a>,
    /// Rows and columns of the output.
    outputs: [Size<'c, 'a>; 2],
    /// How many tiles there are along them.
    tiles: [Size<'c, 'a>; 2],
}

impl<'c: 'a, 'a> Form<'c, 'a> {
    fn new(builder: Builder<'c, 'a>, of: Convolution<'c, 'a>, tile: Tile) -> Result<Self, Error> {
        let batch = size(&builder, of.image, 0)?;
        let outputs = [size(&builder, of.initial, 1)?, size(&builder, of.initial, 2)?];
        let tiles = outputs.map(|extent| match extent {
            Size::Known(outputs) => Ok(Size::Known(tiles(outputs, tile))),
            Size::Value(outputs) => {
                let last = arith::addi(&builder, outputs, builder.index(tile.outputs() - 1)?)?;
                Ok::<_, Error>(Size::Value(arith::divsi(&builder, last, builder.index(tile.outputs())?)?))
            }
        });
        let [down, across] = tiles;
        Ok(Form { builder, of, tile, batch, outputs, tiles: [down?, across?] })
    }

    fn build(&self) -> Result<Value<'c, 'a>, Error> {
        let image = self.image()?;
        let products = self.products(self.at_points(image)?, self.filter_at_points()?)?;
        self.outputs(self.rows(products)?)
    }

    /// An empty tensor.
    fn empty(&self, element: Type<'c>, extents: &[Size<'c, 'a>]) -> Result<Value<'c, 'a>, Error> {
        let kind = tensor_of(element, extents)?;
        let open = |size: &Size<'c, 'a>| if let Size::Value(value) = size { Some(*value) } else { None };
        Ok(tensor::empty(&self.builder, kind, &extents.iter().filter_map(open).collect::<Vec<_>>())?)
    }

    /// What sums are.
    fn sum(&self) -> Type<'c> {
        types::element(self.of.initial.r#type())
    }

    /// What numbers at the points are.
    fn factor(&self) -> Type<'c> {
        let context = self.builder.context();
        if self.of.is_of_integers() { types::integer(context, 16) } else { types::f32(context) }
    }

    /// How many rows or columns the outputs of whole tiles have more than the image.
    fn missing(&self, side: usize) -> Result<Size<'c, 'a>, Error> {
        let size = self.tile.outputs();
        Ok(match (self.tiles[side], self.outputs[side]) {
            (Size::Known(tiles), Size::Known(outputs)) => Size::Known(tiles * size - outputs),
            (tiles, outputs) => {
                let all = arith::muli(&self.builder, tiles.value(&self.builder)?, self.builder.index(size)?)?;
                Size::Value(arith::subi(&self.builder, all, outputs.value(&self.builder)?)?)
            }
        })
    }

    /// The image with as many rows and columns as whole tiles read, behind it zeros.
    fn image(&self) -> Result<Value<'c, 'a>, Error> {
        let (given, missing) = (self.of.image, [self.missing(0)?, self.missing(1)?]);
        if missing == [Size::Known(0); 2] {
            return Ok(given);
        }
        let none = Size::Known(0);
        let (source, [low, high]) = zeros_around(given).unwrap_or_else(|| (given, [vec![none; 4], vec![none; 4]]));
        let more = [none, missing[0], missing[1], none];
        let high = high.into_iter().zip(more).map(|(own, more)| own.plus(more, &self.builder));
        let high = high.collect::<Result<Vec<_>, _>>()?;
        let mut shape = types::shape(given.r#type()).unwrap_or_default();
        for (extent, missing) in shape.iter_mut().skip(1).zip(missing) {
            *extent = match missing {
                Size::Known(more) => extent.and_then(|extent| extent.checked_add_signed(more)),
                Size::Value(_) => None,
            };
        }
        let element = types::element(given.r#type());
        let kind = types::tensor(element, &shape).ok_or_else(|| Error::malformed("no tensor of such elements"))?;
        let around: Vec<_> = low.into_iter().zip(high).collect();
        Ok(tensor::pad(&self.builder, source, &around, zero(&self.builder, element)?, kind)?)
    }

    /// The image at the points: for each image and point, tiles row by row and their channels.
    fn at_points(&self, image: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let [down, across] = self.tiles;
        let points = Size::Known(self.tile.points() * self.tile.points());
        let result = self.empty(self.factor(), &[self.batch, points, down, across, Size::Known(self.of.inputs)])?;
        let side = self.tile.points();
        let places = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
        let at = |dim: usize, place: i64| Expr::Dim(dim).times(self.tile.outputs()).plus(Expr::Const(place));
        let maps = places
            .map(|(row, column)| Map { dims: 5, results: vec![Expr::Dim(0), at(2, row), at(3, column), Expr::Dim(4)] });
        let maps: Vec<_> = maps.chain([Map::identity(5)]).collect();
        let images = vec![image; maps.len() - 1];
        self.chosen((&images, result), &maps, (1, None), (self.factor(), IMAGE), &|arithmetic, elements| {
            both(elements, &|line| arithmetic.input(self.tile, line))
        })
    }

    /// As what filters are computed, which is done once: in double precision, or as sums of integers.
    fn wide(&self) -> Type<'c> {
        if self.of.is_of_integers() { self.sum() } else { types::f64(self.builder.context()) }
    }

    /// The filter at the points: for each point along rows and columns, output channels and their input channels.
    fn filter_at_points(&self) -> Result<Value<'c, 'a>, Error> {
        let (wide, points) = (self.wide(), self.tile.points());
        let [to, from, _, across] = self.of.places;
        let maps = (0..SIDE).map(|row| {
            let mut results = vec![Expr::Const(row); 4];
            for (place, dim) in [(to, 1), (from, 2), (across, 3)] {
                results[place] = Expr::Dim(dim);
            }
            Map { dims: 4, results }
        });
        let rows = self.empty(wide, &[points, self.of.outputs, self.of.inputs, SIDE].map(Size::Known))?;
        let rows = self.filter_along(self.of.filter, rows, maps.collect(), 0)?;
        let maps = (0..SIDE).map(|column| Map {
            dims: 4,
            results: vec![Expr::Dim(0), Expr::Dim(2), Expr::Dim(3), Expr::Const(column)],
        });
        let extents = [points, points, self.of.outputs, self.of.inputs].map(Size::Known);
        let result = self.empty(self.factor(), &extents)?;
        self.filter_along(rows, result, maps.collect(), 1)
    }

    /// The transform of a filter along rows or columns.
    fn filter_along(
        &self,
        filter: Value<'c, 'a>,
        result: Value<'c, 'a>,
        mut maps: Vec<Map>,
        dim: usize,
    ) -> Result<Value<'c, 'a>, Error> {
        let filters = vec![filter; maps.len()];
        maps.push(Map::identity(4));
        let (wide, element) = (self.wide(), types::element(result.r#type()));
        self.chosen((&filters, result), &maps, (dim, None), (wide, FILTER), &|arithmetic, elements| {
            let values = arithmetic.filter(self.tile, elements)?;
            let narrow = |value| match element == wide {
                true => Ok(value),
                false if wide.is_float() => arith::truncf(arithmetic.builder, value, element),
                false => arith::trunci(arithmetic.builder, value, element),
            };
            values.into_iter().map(narrow).collect()
        })
    }

    /// Products over channels, for each image, point along rows, point along columns, and tile.
    fn products(&self, image: Value<'c, 'a>, filter: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let ([down, across], points) = (self.tiles, self.tile.points());
        let (each, outputs) = (Size::Known(points), Size::Known(self.of.outputs));
        let empty = self.empty(self.sum(), &[self.batch, each, each, down, across, outputs])?;
        let zeros = linalg::generic(&self.builder, &[], &[empty], &[Map::identity(6)], &[false; 6])?;
        let zero = zero(&zeros.builder, self.sum())?;
        linalg::r#yield(&zeros.builder, &[zero])?;
        let dims = |dims: &[usize]| dims.iter().map(|&dim| Expr::Dim(dim)).collect::<Vec<_>>();
        let mut read = dims(&[0, 1, 3, 4, 6]);
        read[1] = Expr::Dim(1).times(points).plus(Expr::Dim(2));
        let maps = [read, dims(&[1, 2, 5, 6]), dims(&[0, 1, 2, 3, 4, 5])];
        let maps = maps.map(|results| Map { dims: 7, results });
        let reduced = [false, false, false, false, false, false, true];
        let sum = linalg::generic(&self.builder, &[image, filter], &[zeros.operation.result(0)?], &maps, &reduced)?;
        let (&[a, b, c], body) = (sum.arguments.as_slice(), &sum.builder) else {
            return Err(Error::malformed("a product of two"));
        };
        let more = match self.of.is_of_integers() {
            true => {
                let [a, b] = [arith::extsi(body, a, self.sum())?, arith::extsi(body, b, self.sum())?];
                arith::addi(body, c, arith::muli(body, a, b)?)?
            }
            false => arith::addf(body, c, arith::mulf(body, a, b)?)?,
        };
        linalg::r#yield(&sum.builder, &[more])?;
        Ok(sum.operation.result(0)?)
    }

    /// The outputs along columns of tiles: for each image and point along rows, the rows of all tiles, tiles along a row and their channels.
    fn rows(&self, products: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let ([down, across], points, size) = (self.tiles, self.tile.points(), self.tile.outputs());
        let (each, outputs) = (Size::Known(points), Size::Known(self.of.outputs));
        let result = self.empty(self.sum(), &[self.batch, each, down, Size::Known(size), across, outputs])?;
        let dims = |dims: [usize; 4]| dims.map(Expr::Dim);
        let maps = (0..points).map(|row| {
            let results = [Expr::Dim(0), Expr::Const(row)].into_iter().chain(dims([2, 3, 4, 5]));
            Map { dims: 6, results: results.collect() }
        });
        let written = Map { dims: 6, results: [0, 2, 3, 1, 4, 5].map(Expr::Dim).to_vec() };
        let maps: Vec<_> = maps.chain([written]).collect();
        let inputs = vec![products; maps.len() - 1];
        let rows = self.chosen((&inputs, result), &maps, (1, None), (self.sum(), IMAGE), &|arithmetic, line| {
            arithmetic.output(self.tile, line)
        })?;
        let (each, all) = ([self.batch, each], [across, outputs]);
        let whole = match down {
            Size::Known(down) => Size::Known(down * size),
            open => open,
        };
        let kind = tensor_of(self.sum(), &[each.as_slice(), &[whole], &all].concat())?;
        let groups = [vec![0], vec![1], vec![2, 3], vec![4], vec![5]];
        let rows = tensor::collapse_shape(&self.builder, rows, &groups, kind)?;
        let needed = self.outputs[0];
        if needed == whole && matches!(whole, Size::Known(_)) {
            return Ok(rows);
        }
        let sizes = [each.as_slice(), &[needed], &all].concat();
        let kind = tensor_of(self.sum(), &sizes)?;
        let slice = Slice { offsets: vec![Size::Known(0); sizes.len()], strides: vec![1; sizes.len()], sizes };
        Ok(tensor::extract_slice(&self.builder, rows, &slice, kind)?)
    }

    /// The outputs, added to what they begin with.
    fn outputs(&self, rows: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let size = self.tile.outputs();
        let across = || Expr::FloorDiv(Box::new(Expr::Dim(2)), size);
        let maps = (0..self.tile.points()).map(|point| Map {
            dims: 4,
            results: vec![Expr::Dim(0), Expr::Const(point), Expr::Dim(1), across(), Expr::Dim(3)],
        });
        let maps: Vec<_> = maps.chain([Map::identity(4)]).collect();
        let inputs = vec![rows; maps.len() - 1];
        self.chosen((&inputs, self.of.initial), &maps, (2, Some(size)), (self.sum(), IMAGE), &|arithmetic, line| {
            arithmetic.output(self.tile, line)
        })
    }

    /// An operation that takes of several values, computed in a type of numbers, the one whose number is the index along a dimension; with a size, the place in
    /// its tile of so many, and then it is added to what is there.
    fn chosen(
        &self,
        (inputs, output): (&[Value<'c, 'a>], Value<'c, 'a>),
        maps: &[Map],
        (dim, size): (usize, Option<i64>),
        (number, factor): (Type<'c>, usize),
        values: Values<'_, 'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let dims = maps.first().map_or(0, |map| map.dims);
        let made = linalg::generic(&self.builder, inputs, &[output], maps, &vec![false; dims])?;
        let body = &made.builder;
        let Some((there, read)) = made.arguments.split_last() else { return Err(Error::malformed("no arguments")) };
        let wide =
            read.iter().map(|value| self.widened(body, (*value, factor), number)).collect::<Result<Vec<_>, _>>()?;
        let arithmetic = Arithmetic { builder: body, r#type: number };
        let values = values(&arithmetic, &wide)?;
        let mut index = linalg::index(body, dim)?;
        if let Some(size) = size {
            index = arith::andi(body, index, body.index(size - 1)?)?;
        }
        let Some((last, others)) = values.split_last() else { return Err(Error::malformed("nothing to take of")) };
        let mut taken = *last;
        for (number, value) in (0i64..).zip(others) {
            let is_it = arith::cmpi(body, IntegerPredicate::Eq, index, body.index(number)?)?;
            taken = arith::select(body, is_it, *value, taken)?;
        }
        if size.is_some() {
            // Filters of integers were taken twice along rows and columns.
            let exact =
                if self.of.is_of_integers() { arith::shrsi(body, taken, body.integer(number, 2)?)? } else { taken };
            taken = arithmetic.plus(*there, exact)?;
        }
        linalg::r#yield(body, &[taken])?;
        Ok(made.operation.result(0)?)
    }

    /// An element of one of the factors as a wider number; what was made of one is so already.
    fn widened(
        &self,
        body: &Builder<'c, 'a>,
        (value, factor): (Value<'c, 'a>, usize),
        number: Type<'c>,
    ) -> Result<Value<'c, 'a>, Failure> {
        match self.of.numbers[factor] {
            _ if value.r#type() == number => Ok(value),
            Number::Real(_) | Number::BFloat => arith::extf(body, value, number),
            Number::Unsigned(_) => arith::extui(body, value, number),
            Number::Signed(_) => arith::extsi(body, value, number),
        }
    }
}

/// What a `tensor.pad` puts zeros around, and how many, where a tensor is one that nothing else reads.
fn zeros_around<'c: 'a, 'a>(image: Value<'c, 'a>) -> Option<(Value<'c, 'a>, [Vec<Size<'c, 'a>>; 2])> {
    let pad = image.defining_operation().filter(|pad| pad.full_name() == tensor::PAD && image.has_one_use())?;
    let given = pad.region(0).ok()?.first_block()?.terminator()?.operand(0).ok()?;
    let number = attributes::as_real(given.defining_operation()?.get("value")?)?;
    let around = tensor::padding(pad)?;
    (number == 0.0 && around.iter().all(|side| side.len() == 4)).then_some((pad.operand(0).ok()?, around))
}

/// The extent of a tensor.
fn size<'c: 'a, 'a>(builder: &Builder<'c, 'a>, tensor: Value<'c, 'a>, dim: usize) -> Result<Size<'c, 'a>, Error> {
    let known = types::shape(tensor.r#type()).and_then(|shape| shape.get(dim).copied().flatten());
    match known.and_then(|known| i64::try_from(known).ok()) {
        Some(known) => Ok(Size::Known(known)),
        None => Ok(Size::Value(extent(builder, tensor, dim)?)),
    }
}

/// The type of a tensor of such extents.
fn tensor_of<'c>(element: Type<'c>, extents: &[Size<'c, '_>]) -> Result<Type<'c>, Error> {
    let known = |size: &Size<'_, '_>| if let Size::Known(known) = size { u64::try_from(*known).ok() } else { None };
    let shape: Vec<_> = extents.iter().map(known).collect();
    types::tensor(element, &shape).ok_or_else(|| Error::malformed("no tensor of such elements"))
}
