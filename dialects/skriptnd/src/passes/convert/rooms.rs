//! Tensors between regions whose extents data determine: they lie at the begin of room for as much as they can be at most, so that
//! branches give, and iterations hand on, tensors of one shape.

use super::Converter;
use super::found::{compare, leave, named};
use crate::generated::operations::RequireOpBuilder;
use crate::lowering::emit::extents::tensor_type;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::graph::TensorType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value};
use skriptnd_mlir::ops::Size;
use skriptnd_mlir::ops::tensor::{self, Slice};
use skriptnd_source::diagnostics::Code;
use skriptnd_syntax::ast::BinaryOp;
use std::sync::Arc;

/// The form of a tensor between regions.
pub(super) struct Room<'c> {
    /// Its extents, with what they are at most in place of symbols that have no value outside.
    pub shape: Vec<SymExpr>,
    /// The type with these extents.
    pub kind: Type<'c>,
    /// The dimensions that data determine, and their symbols.
    pub told: Vec<(usize, Arc<str>)>,
}

impl<'c: 'a, 'a> Converter<'c, 'a> {
    /// The room for a tensor of a type, whose symbols that have no value here are told by what it is.
    pub(super) fn room(&self, builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Result<Room<'c>, Failure> {
        let ty = named(r#type)?;
        let mut told = Vec::new();
        let mut shape = Vec::with_capacity(ty.shape.len());
        for (dimension, extent) in ty.shape.iter().enumerate() {
            let Some(symbol) = self.extents.untold(&extent.value) else {
                shape.push(extent.value.clone());
                continue;
            };
            shape.push(self.limits.room(&symbol).ok_or_else(|| format!("the extent `{symbol}` has no bound"))?);
            told.push((dimension, symbol));
        }
        Ok(Room { kind: tensor_type(builder, ty.dtype, &shape)?, shape, told })
    }

    /// A tensor of a type at the begin of the room, and the extents that it tells, of type `i64`. `growing` names a carried tensor,
    /// whose extents may be beyond the bounds: then the run ends.
    pub(super) fn stored(
        &self,
        builder: &Builder<'c, 'a>,
        (value, r#type): (Value<'c, 'a>, Type<'c>),
        room: &Room<'c>,
        growing: Option<&str>,
    ) -> Result<(Value<'c, 'a>, Vec<Value<'c, 'a>>), Failure> {
        let ty = named(r#type)?;
        if ty.shape.len() != room.shape.len() {
            return Err("hands on a tensor of another rank".into());
        }
        let mut told = Vec::with_capacity(room.told.len());
        for (dimension, extent) in ty.shape.iter().enumerate() {
            let is_told = room.told.iter().any(|(number, _)| *number == dimension);
            if !is_told && extent.value == room.shape[dimension] {
                continue;
            }
            let size = self.extents.int(builder, &extent.value)?;
            if let Some(name) = growing {
                self.keep_within(builder, (&extent.value, size), (&room.shape[dimension], is_told), (dimension, name))?;
            }
            told.extend(is_told.then_some(size));
        }
        let found: Vec<SymExpr> = ty.shape.into_iter().map(|extent| extent.value).collect();
        if found == room.shape {
            return Ok((value, told));
        }
        let target = tensor::empty(builder, room.kind, &self.extents.open(builder, &room.shape)?)?;
        Ok((tensor::insert_slice(builder, value, target, &self.part(builder, &found)?)?, told))
    }

    /// What the interpreter requires of carried tensors: the extents that are declared, or at most their bounds.
    fn keep_within(
        &self,
        builder: &Builder<'c, 'a>,
        (found, size): (&SymExpr, Value<'c, 'a>),
        (expected, is_bound): (&SymExpr, bool),
        (dimension, name): (usize, &str),
    ) -> Result<(), Failure> {
        let most = expected.as_known().filter(|_| is_bound);
        if most.is_some_and(|most| self.limits.upper_bound(found).is_some_and(|upper| upper <= most)) {
            return Ok(());
        }
        let limit = self.extents.int(builder, expected)?;
        let op = if is_bound { BinaryOp::Le } else { BinaryOp::Eq };
        let holds = compare(builder, op, size, limit)?;
        let must = if is_bound { format!("at most {expected}") } else { expected.to_string() };
        let message = format!("dimension {dimension} of the carried tensor `{name}` must be {must}, but becomes {{0}}");
        let requirement = RequireOpBuilder::new(builder)
            .condition(holds)
            .message(&message)
            .values([size])
            .code(Code::LoopGrowth.name())
            .label("in an iteration of this loop");
        requirement.build()?;
        leave(builder)
    }

    /// The tensor at the begin of the room; the extents that it told have values.
    pub(super) fn taken(
        &self,
        builder: &Builder<'c, 'a>,
        stored: Value<'c, 'a>,
        r#type: Type<'c>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let TensorType { dtype, shape } = named(r#type)?;
        let shape: Vec<SymExpr> = shape.into_iter().map(|extent| extent.value).collect();
        let kind = tensor_type(builder, dtype, &shape)?;
        if stored.r#type() == kind {
            return Ok(stored);
        }
        tensor::extract_slice(builder, stored, &self.part(builder, &shape)?, kind)
    }

    fn part(&self, builder: &Builder<'c, 'a>, shape: &[SymExpr]) -> Result<Slice<'c, 'a>, Failure> {
        Ok(Slice {
            offsets: vec![Size::Known(0); shape.len()],
            sizes: self.extents.sizes(builder, shape)?,
            strides: vec![1; shape.len()],
        })
    }

    /// Gives the symbols of rooms their values.
    pub(super) fn tell_all(
        &mut self,
        builder: &Builder<'c, 'a>,
        rooms: &[Room<'c>],
        values: &[Value<'c, 'a>],
    ) -> Result<(), Failure> {
        let symbols = rooms.iter().flat_map(|room| &room.told);
        for ((_, symbol), value) in symbols.zip(values) {
            self.tell(builder, symbol, *value)?;
        }
        Ok(())
    }
}

/// How many extents rooms tell.
pub(super) fn told(rooms: &[Room<'_>]) -> usize {
    rooms.iter().map(|room| room.told.len()).sum()
}
