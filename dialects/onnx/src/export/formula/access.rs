//! Elements that formulas read: whole dimensions where an index is that of a loop, slices where it is affine, else those that
//! indices tell.

use super::lane::{Lane, both};
use super::{FormulaWriter, Nest, zero};
use crate::export::attributes as attr;
use crate::export::scope::{Why, may_be_zero};
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::formula::{AccessIndex, Guard, LinearForm, ScalarExpr, ScalarKind, TensorRef};
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::{ScalarType, Value};

/// How a dimension of a tensor is read.
enum Read {
    /// It has extent 1.
    Unit,
    /// Whole, by a loop.
    Whole(usize),
    /// By a loop: from where, and the distance of elements.
    Slice { number: usize, begin: i64, step: i64 },
    /// The elements that a value tells.
    At(Lane),
}

impl Nest<'_> {
    /// Whether an index may leave its tensor without being asked for: also where there is neither an element nor an iteration.
    fn limits(&self, access: &AccessIndex, extent: &Extent) -> bool {
        let is_idle = self.is_open() && may_be_zero(&extent.value);
        access.guard == Guard::Skip || self.is_tentative || is_idle
    }
}

impl FormulaWriter<'_, '_> {
    pub(super) fn access(
        &mut self,
        nest: &mut Nest<'_>,
        tensor: TensorRef,
        indices: &[AccessIndex],
    ) -> Result<Lane, Why> {
        let dtype = self.element_type(tensor);
        let (name, ty) = self.tensor(tensor)?;
        if ty.shape.iter().any(|extent| extent.as_known() == Some(0)) {
            return self.nothing(nest, dtype, indices);
        }
        let (mut mask, mut lacking) = (None, Vec::new());
        let (mut reads, mut used, mut is_separable) = (Vec::new(), Vec::new(), true);
        for (dimension, (index, extent)) in indices.iter().zip(&ty.shape).enumerate() {
            let mut loops = Vec::new();
            nest.loops(&index.index, &mut loops);
            if let Guard::Remap { below, above } = &index.guard {
                [below, above].into_iter().for_each(|part| nest.loops(part, &mut loops));
            }
            loops.sort_unstable();
            loops.dedup();
            is_separable &= loops.iter().all(|number| !used.contains(number));
            used.extend(loops);
            let read = match self.simple(nest, index, extent) {
                Some(read) => read,
                None => {
                    let lane = self.position(nest, index, (&name, dimension, extent))?;
                    if nest.limits(index, extent) && may_be_zero(&extent.value) {
                        lacking.push(dimension);
                    }
                    mask = both(&mut self.scope.nodes, mask.as_deref(), lane.mask.as_deref());
                    Read::At(lane.bare())
                }
            };
            reads.push(read);
        }
        let name = self.with_one_more(name, ty.shape.len(), &lacking);
        let lane = match is_separable {
            true => self.separate(nest, &name, reads),
            false => self.by_one_index(nest, (&name, &ty), reads)?,
        };
        Ok(Lane { mask, ..lane })
    }

    /// A tensor with an element more along some dimensions: something to read where these have none.
    fn with_one_more(&mut self, tensor: String, rank: usize, dimensions: &[usize]) -> String {
        if dimensions.is_empty() {
            return tensor;
        }
        let mut padding = vec![0; 2 * rank];
        dimensions.iter().for_each(|dimension| padding[rank + dimension] = 1);
        let padding = self.scope.nodes.ints(&padding);
        self.scope.nodes.add("Pad", &[&tensor, &padding], Vec::new())
    }

    /// What is read of a tensor without elements: nothing, where the iteration is left out or not chosen.
    fn nothing(&mut self, nest: &Nest<'_>, dtype: ScalarType, indices: &[AccessIndex]) -> Result<Lane, Why> {
        let value = self.scope.scalar(&zero(dtype), dtype)?;
        let mut lane = Lane::scalar(value, nest.depth());
        if indices.iter().any(|index| index.guard == Guard::Skip) {
            lane.mask = Some(Box::new(Lane::scalar(self.scope.nodes.truth(false), nest.depth())));
        }
        Ok(lane)
    }

    /// A dimension that needs no indices.
    fn simple(&self, nest: &Nest<'_>, index: &AccessIndex, extent: &Extent) -> Option<Read> {
        let formula = self.given.formula;
        if extent.as_known() == Some(1) && index.index.kind == ScalarKind::Const(Value::Int(0)) {
            return Some(Read::Unit);
        }
        if let ScalarKind::Index(number) = index.index.kind
            && nest.covers(number, extent)
        {
            return Some(Read::Whole(number));
        }
        let known = extent.as_known()?;
        let range = nest.range(formula, &index.index)?;
        let form = LinearForm::of(&index.index, &nest.forms)?;
        let &[(number, step)] = form.terms() else { return None };
        let runs = nest.extent(number).filter(|extent| *extent > 0 && !nest.fixed.contains_key(&number))?;
        let is_inside = range.low >= 0 && range.high < i128::from(known);
        if is_inside && runs == known && step == 1 {
            return Some(Read::Whole(number));
        }
        is_inside.then_some(Read::Slice { number, begin: form.offset(), step })
    }

    /// Which elements along a dimension are read, with a mask where an index outside lets the iteration go.
    pub(super) fn position(
        &mut self,
        nest: &mut Nest<'_>,
        access: &AccessIndex,
        (tensor, dimension, extent): (&str, usize, &Extent),
    ) -> Result<Lane, Why> {
        let mut lane = self.scalar(nest, &access.index)?;
        let known = extent.as_known();
        let range = nest.range(self.given.formula, &access.index);
        let is_inside = range.zip(known).is_some_and(|(range, known)| range.low >= 0 && range.high < i128::from(known));
        if is_inside || (access.guard == Guard::None && !nest.limits(access, extent)) {
            return Ok(lane);
        }
        let size = match known {
            Some(known) => self.scope.nodes.int(known),
            None => self.scope.nodes.extent(tensor, dimension),
        };
        let none = self.scope.nodes.int(0);
        if let Guard::Remap { below, above } = &access.guard {
            let (below, above) = (self.scalar(nest, below)?, self.scalar(nest, above)?);
            let nodes = &mut self.scope.nodes;
            let is_below = nodes.add("Less", &[&lane.name, &none], Vec::new());
            let is_above = nodes.add("GreaterOrEqual", &[&lane.name, &size], Vec::new());
            let name = nodes.select(&is_above, [&above.name, &lane.name], false);
            let name = nodes.select(&is_below, [&below.name, &name], false);
            lane = Lane::of(name, &[&lane.bare(), &below, &above], lane.mask.clone());
        }
        let nodes = &mut self.scope.nodes;
        if access.guard == Guard::Skip {
            let from = nodes.add("GreaterOrEqual", &[&lane.name, &none], Vec::new());
            let to = nodes.add("Less", &[&lane.name, &size], Vec::new());
            let name = nodes.add("And", &[&from, &to], Vec::new());
            let inside = Lane::of(name, &[&lane], None);
            lane.mask = both(nodes, lane.mask.as_deref(), Some(&inside));
        }
        if nest.limits(access, extent) {
            let one = nodes.int(1);
            let last = nodes.add("Sub", &[&size, &one], Vec::new());
            let upper = nodes.add("Min", &[&lane.name, &last], Vec::new());
            lane.name = nodes.add("Max", &[&upper, &none], Vec::new());
        }
        Ok(lane)
    }

    /// Each dimension is read for itself.
    fn separate(&mut self, nest: &Nest<'_>, tensor: &str, reads: Vec<Read>) -> Lane {
        let nodes = &mut self.scope.nodes;
        let mut name = tensor.to_owned();
        // By dimension of what was read: the loop.
        let mut order: Vec<Option<usize>> = Vec::new();
        for (dimension, read) in reads.into_iter().enumerate().rev() {
            match read {
                Read::Unit => order.insert(0, None),
                Read::Whole(number) => order.insert(0, Some(number)),
                Read::Slice { number, begin, step } => {
                    let runs = nest.extent(number).unwrap_or(0);
                    let end = begin + step * (runs - 1) + step.signum();
                    let end = if end < 0 { i64::MIN } else { end };
                    let [begin, end, step] = [begin, end, step].map(|value| nodes.ints(&[value]));
                    let axis = nodes.ints(&[dimension as i64]);
                    name = nodes.add("Slice", &[&name, &begin, &end, &axis, &step], Vec::new());
                    order.insert(0, Some(number));
                }
                Read::At(lane) => {
                    let index = lane.compact(nodes);
                    name = nodes.add("Gather", &[&name, &index], vec![attr::int("axis", dimension as i64)]);
                    order.splice(0..0, lane.loops().into_iter().map(Some));
                }
            }
        }
        self.in_order(nest, name, &order)
    }

    /// A tensor whose dimensions are those of some loops, as a lane.
    pub(super) fn in_order(&mut self, nest: &Nest<'_>, name: String, order: &[Option<usize>]) -> Lane {
        let (nodes, depth) = (&mut self.scope.nodes, nest.depth());
        let mut along = vec![false; depth];
        order.iter().flatten().for_each(|number| along[*number] = true);
        let rank = order.len();
        let stays = rank <= depth
            && order.iter().enumerate().all(|(at, number)| number.is_none_or(|number| number == depth - rank + at));
        if stays {
            return Lane { name, rank, along, mask: None };
        }
        let units: Vec<i64> = (0..rank).filter(|at| order[*at].is_none()).map(|at| at as i64).collect();
        let name = nodes.squeeze(&name, &units);
        let loops: Vec<usize> = order.iter().flatten().copied().collect();
        let mut permutation: Vec<usize> = (0..loops.len()).collect();
        permutation.sort_by_key(|at| loops[*at]);
        let name = nodes.transpose(&name, &permutation);
        let first = loops.iter().copied().min().unwrap_or(depth);
        let missing: Vec<i64> = (first..depth).filter(|at| !along[*at]).map(|at| (at - first) as i64).collect();
        Lane { name: nodes.unsqueeze(&name, &missing), rank: depth - first, along, mask: None }
    }

    /// The tensor is read as a vector, by one index that is made of all.
    fn by_one_index(
        &mut self,
        nest: &mut Nest<'_>,
        (tensor, ty): (&str, &TensorType),
        reads: Vec<Read>,
    ) -> Result<Lane, Why> {
        let mut positions = Vec::new();
        for read in reads {
            let depth = nest.depth();
            positions.push(match read {
                Read::Unit => Lane::scalar(self.scope.nodes.int(0), depth),
                Read::Whole(number) => self.loop_position(nest, number, (0, 1))?,
                Read::Slice { number, begin, step } => self.loop_position(nest, number, (begin, step))?,
                Read::At(lane) => lane,
            });
        }
        let index = self.flat_index(nest, tensor, ty, &positions)?;
        let nodes = &mut self.scope.nodes;
        let all = nodes.ints(&[-1]);
        let flat = nodes.add("Reshape", &[tensor, &all], Vec::new());
        let name = nodes.add("Gather", &[&flat, &index.name], vec![attr::int("axis", 0)]);
        Ok(Lane { name, ..index })
    }

    fn loop_position(&mut self, nest: &mut Nest<'_>, number: usize, affine: (i64, i64)) -> Result<Lane, Why> {
        let index = ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Index(number) };
        let mut lane = self.scalar(nest, &index)?;
        let nodes = &mut self.scope.nodes;
        let (begin, step) = affine;
        if step != 1 {
            let step = nodes.int(step);
            lane.name = nodes.add("Mul", &[&lane.name, &step], Vec::new());
        }
        if begin != 0 {
            let begin = nodes.int(begin);
            lane.name = nodes.add("Add", &[&lane.name, &begin], Vec::new());
        }
        Ok(lane)
    }

    /// Where elements are in a tensor as a vector.
    pub(super) fn flat_index(
        &mut self,
        nest: &Nest<'_>,
        tensor: &str,
        ty: &TensorType,
        positions: &[Lane],
    ) -> Result<Lane, Why> {
        let mut flat = Lane::scalar(self.scope.nodes.int(0), nest.depth());
        for (dimension, lane) in positions.iter().enumerate() {
            let nodes = &mut self.scope.nodes;
            if dimension > 0 {
                let extent = match ty.shape[dimension].as_known() {
                    Some(known) => nodes.int(known),
                    None => nodes.extent(tensor, dimension),
                };
                let scaled = nodes.add("Mul", &[&flat.name, &extent], Vec::new());
                let name = nodes.add("Add", &[&scaled, &lane.name], Vec::new());
                flat = Lane::of(name, &[&flat, lane], None);
            } else {
                flat = lane.bare();
            }
        }
        Ok(flat)
    }
}
