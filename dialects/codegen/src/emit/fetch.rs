//! Elements that a computation fetches by indices of its own: one for all lanes, neighbours, or one by one.

use super::body::Body;
use super::values::constant_index;
use crate::Error;
use crate::nest::computation::{Instruction, Ref};
use crate::nest::op::Op;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::{arith, memref, scf, vector};

/// Instructions that are looked at to find out how an index changes from lane to lane.
const MOST_STEPS: usize = 32;

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    /// The elements of all lanes, or one that is the same for all.
    pub(super) fn fetch(&self, instruction: &Instruction) -> Result<Value<'c, 'a>, Error> {
        let missing = || Error::malformed("a fetch from no operand of the kernel");
        let Some((Ref::Operand(operand), places)) = instruction.operands.split_first() else { return Err(missing()) };
        let values = self.point.values;
        let memory = values.flat.get(*operand).copied().flatten().ok_or_else(missing)?;
        let strides =
            values.strides.get(*operand).filter(|strides| strides.len() == places.len()).ok_or_else(missing)?;
        let element = types::element(memory.r#type());
        let (mut lanes, mut decides) = (Some(0), None);
        for (at, place) in places.iter().enumerate() {
            let is_last = at + 1 == places.len() && is_one(strides[at]);
            if let Some(condition) = self.decides(*place).filter(|_| is_last) {
                (lanes, decides) = (lanes.map(|lanes| lanes + 1), Some(condition));
                continue;
            }
            let step = self.step(*place, &mut MOST_STEPS.clone());
            // Only along the last dimension are neighbours known to lie side by side.
            let near = step.filter(|step| *step == 0 || is_last);
            lanes = lanes.zip(near).map(|(lanes, step)| lanes + step);
        }
        match lanes {
            Some(0) => Ok(memref::load(&self.builder, memory, &[self.first(places, strides)?])?),
            Some(1) => match decides {
                Some(condition) => self.neighbours_or_one(condition, memory, self.first(places, strides)?),
                None => self.neighbours(&self.builder, memory, self.first(places, strides)?),
            },
            Some(-1) if self.point.mask.is_none() && !self.point.lanes.is_scalable => {
                let count = self.point.lanes.lanes;
                let last = self.builder.index_plus(self.first(places, strides)?, 1 - count)?;
                let backwards = self.neighbours(&self.builder, memory, last)?;
                Ok(vector::reverse(&self.builder, backwards, count)?)
            }
            _ => self.gather(memory, places, strides, element),
        }
    }

    /// The condition, the same for all lanes, with which an index is that of neighbours; elsewhere it is one for all lanes, as where a tensor has no
    /// elements.
    fn decides(&self, place: Ref) -> Option<Value<'c, 'a>> {
        let Ref::Result(number, 0) = place else { return None };
        let Instruction { op: Op::Select, operands, .. } = self.computation.instructions.get(number)? else {
            return None;
        };
        let &[condition, near, one] = operands.as_slice() else { return None };
        let is_same = |value: Ref| self.lookup(value).is_ok_and(|value| !value.r#type().is_vector());
        let is_near = self.step(near, &mut MOST_STEPS.clone()) == Some(1);
        if is_near && is_same(condition) && is_same(one) { self.lookup(condition).ok() } else { None }
    }

    /// Neighbours where a condition holds, else one element for all lanes.
    fn neighbours_or_one(
        &self,
        condition: Value<'c, 'a>,
        memory: Value<'c, 'a>,
        address: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let r#type = types::lanes(types::element(memory.r#type()), self.point.lanes);
        let branch = scf::r#if(&self.builder, condition, &[r#type])?;
        scf::r#yield(&branch.then, &[self.neighbours(&branch.then, memory, address)?])?;
        let one = memref::load(&branch.otherwise, memory, &[address])?;
        scf::r#yield(&branch.otherwise, &[branch.otherwise.broadcast(one, self.point.lanes)?])?;
        Ok(branch.operation.result(0)?)
    }

    fn neighbours(
        &self,
        builder: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        address: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let element = types::element(memory.r#type());
        let r#type = types::lanes(element, self.point.lanes);
        Ok(match self.point.mask {
            Some(mask) => vector::masked_load(builder, (memory, address), (mask, self.zeros(builder, element)?), None)?,
            None => vector::load(builder, (memory, address), r#type, None)?,
        })
    }

    fn gather(
        &self,
        memory: Value<'c, 'a>,
        places: &[Ref],
        strides: &[Value<'c, 'a>],
        element: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let (builder, lanes) = (&self.builder, self.point.lanes);
        let zeros = || self.zeros(builder, element);
        // What is the same for all lanes stays a number.
        let (mut start, mut distances) = (builder.index(0)?, None);
        for (place, stride) in places.iter().zip(strides) {
            let place = self.lookup(*place)?;
            if !place.r#type().is_vector() {
                start = arith::addi(builder, start, arith::muli(builder, place, *stride)?)?;
                continue;
            }
            let along = match is_one(*stride) {
                true => place,
                false => arith::muli(builder, place, builder.broadcast(*stride, lanes)?)?,
            };
            distances = Some(distances.map_or(Ok(along), |sum| arith::addi(builder, sum, along))?);
        }
        let distances = distances.ok_or_else(|| Error::malformed("a gather of one element"))?;
        let few = types::shape(memory.r#type()).and_then(|shape| shape.first().copied().flatten());
        let distances = match few.is_some_and(|count| i32::try_from(count).is_ok()) {
            true => arith::index_cast(builder, distances, types::lanes(types::integer(builder.context(), 32), lanes))?,
            false => distances,
        };
        let mask = match self.point.mask {
            Some(mask) => mask,
            None => builder.broadcast(builder.boolean(true)?, lanes)?,
        };
        Ok(vector::gather(builder, (memory, start), distances, mask, zeros()?)?)
    }

    fn zeros(&self, builder: &Builder<'c, 'a>, element: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let zero = if element.is_float() { builder.real(element, 0.0) } else { builder.integer(element, 0) };
        Ok(builder.broadcast(zero?, self.point.lanes)?)
    }

    /// The address of the first lane.
    fn first(&self, places: &[Ref], strides: &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        let mut address = builder.index(0)?;
        for (place, stride) in places.iter().zip(strides) {
            let place = self.lookup(*place)?;
            let place = if place.r#type().is_vector() { vector::extract(builder, place, 0)? } else { place };
            address = arith::addi(builder, address, arith::muli(builder, place, *stride)?)?;
        }
        Ok(address)
    }

    /// Whether what a value tells in one lane says nothing of the next.
    pub(super) fn is_scattered(&self, place: Ref) -> bool {
        self.step(place, &mut MOST_STEPS.clone()).is_none()
    }

    /// How much a value grows from lane to lane; none if that differs, or is not known. Looks at as many instructions as are
    /// `left`.
    fn step(&self, value: Ref, left: &mut usize) -> Option<i64> {
        if !self.lookup(value).ok()?.r#type().is_vector() {
            return Some(0);
        }
        *left = left.checked_sub(1)?;
        let Ref::Result(number, 0) = value else { return None };
        let Instruction { op, operands, .. } = self.computation.instructions.get(number)?;
        match (op, operands.as_slice()) {
            (Op::Index(_), _) => Some(1),
            (Op::IndexCast, [a]) => self.step(*a, left),
            (Op::AddI, [a, b]) => self.step(*a, left)?.checked_add(self.step(*b, left)?),
            (Op::SubI, [a, b]) => self.step(*a, left)?.checked_sub(self.step(*b, left)?),
            _ => None,
        }
    }
}

/// Whether a value is the constant 1.
pub(super) fn is_one(value: Value<'_, '_>) -> bool {
    constant_index(value) == Some(1)
}
