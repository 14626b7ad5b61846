//! Tensors that a graph takes or gives in another form than it computes with.

use super::rounded;
use crate::generated::dialect_attributes::EncodingAttr;
use crate::generated::discardable::{OfAttribute, StorageAttribute};
use crate::lowering::emit::integers;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Attribute, Builder, Context, OperationRef, Type, Value, attributes, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};

/// How the elements of an argument are stored.
#[derive(Clone)]
pub(super) struct Stored<'c> {
    storage: String,
    /// What they are computed with.
    wide: Type<'c>,
}

impl<'c> Stored<'c> {
    /// What the attributes of an operation or an argument say.
    pub(super) fn read(storage: Option<&str>, wide: Type<'c>) -> Option<Stored<'c>> {
        Some(Stored { storage: storage?.to_owned(), wide })
    }

    /// The same for a variable.
    pub(super) fn of(variable: OperationRef<'c, '_>, wide: Type<'c>) -> Option<Stored<'c>> {
        Stored::read(StorageAttribute::get(variable), wide)
    }

    /// The type under which the function takes it.
    pub(super) fn r#type(&self) -> Result<Type<'c>, Failure> {
        let shape = types::shape(self.wide).unwrap_or_default();
        types::tensor(self.element(self.wide.context())?, &shape).ok_or_else(|| self.unknown())
    }

    fn element(&self, context: &'c Context) -> Result<Type<'c>, Failure> {
        // Integers have no sign in the IR; what extends them knows it.
        let name = self.storage.replace('u', "i");
        let known = ["i8", "i16", "i32", "i64", "f16", "bf16", "f64"].contains(&name.as_str());
        known.then(|| types::parse(context, &name)).flatten().ok_or_else(|| self.unknown())
    }

    /// The elements under which the function gives it: not all targets have functions that convert to numbers of 16 bits, so
    /// their bits are computed.
    fn given_element(&self, context: &'c Context) -> Result<Type<'c>, Failure> {
        match self.storage.as_str() {
            "f16" | "bf16" => Ok(types::integer(context, 16)),
            _ => self.element(context),
        }
    }

    fn unknown(&self) -> Failure {
        format!("elements of type {} are not stored as '{}'", types::element(self.wide), self.storage).into()
    }

    /// Whether all numbers of an encoding are the same with a sign.
    pub(super) fn has_all(&self, encoding: Attribute<'c>) -> bool {
        let bits = self.element(encoding.context()).ok().and_then(types::width);
        let most = EncodingAttr::new(encoding).and_then(|own| own.most().ok());
        !self.storage.starts_with('u')
            || most.zip(bits).is_some_and(|(most, bits)| most <= i64::MAX >> 64u32.saturating_sub(bits))
    }

    /// What is said of the argument.
    pub(super) fn marks(&self) -> [(&'static str, Attribute<'c>); 2] {
        let element = attributes::r#type(types::element(self.wide));
        [(StorageAttribute::NAME, attributes::string(self.wide.context(), &self.storage)), (OfAttribute::NAME, element)]
    }

    /// The elements as they are computed with.
    pub(super) fn widened<'a>(
        &self,
        builder: &Builder<'c, 'a>,
        argument: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure>
    where
        'c: 'a,
    {
        each(builder, argument, types::element(self.wide), |place, element| self.widened_element(place, element))
    }

    fn widened_element<'a>(&self, place: &Builder<'c, 'a>, stored: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure>
    where
        'c: 'a,
    {
        let element = types::element(self.wide);
        if stored.r#type() == element {
            return Ok(stored);
        }
        let unsigned = self.storage.starts_with('u');
        let whole = !self.storage.contains('f');
        let extend = match (element.is_float(), whole) {
            (true, false) if self.storage == "f64" => arith::truncf,
            (true, false) => arith::extf,
            (true, true) if unsigned => arith::uitofp,
            (true, true) => arith::sitofp,
            (false, true) if unsigned => arith::extui,
            (false, true) => arith::extsi,
            (false, false) => return Err(self.unknown()),
        };
        extend(place, stored, element)
    }

    /// The elements as they are given: real numbers are rounded to the nearest, or towards zero where they become whole ones, and
    /// whole ones lose the bits that there are no places for.
    pub(super) fn narrowed<'a>(&self, builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure>
    where
        'c: 'a,
    {
        let element = self.given_element(builder.context())?;
        if types::element(value.r#type()) == element {
            return Ok(value);
        }
        let whole = !self.storage.contains('f');
        each(builder, value, element, |place, value| match (self.storage.as_str(), value.r#type().is_float()) {
            ("f16", true) => rounded::bits_of_half(place, value),
            ("bf16", true) => rounded::bits_of_bfloat(place, value),
            ("f64", true) => arith::extf(place, value, element),
            (_, true) if whole => arith::trunci(place, integers::truncated(place, value)?, element),
            (_, false) if whole => arith::trunci(place, value, element),
            _ => Err(self.unknown()),
        })
    }
}

/// A tensor of other elements, each computed of the one at its place.
fn each<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    element: Type<'c>,
    convert: impl FnOnce(&Builder<'c, 'a>, Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure>,
) -> Result<Value<'c, 'a>, Failure> {
    let shape = types::shape(tensor.r#type()).unwrap_or_default();
    let kind = types::tensor(element, &shape).ok_or("no such tensor type")?;
    if kind == tensor.r#type() {
        return Ok(tensor);
    }
    let open = shape.iter().enumerate().filter(|(_, extent)| extent.is_none());
    let open: Vec<_> = open.map(|(dim, _)| tensor::dim(builder, tensor, dim)).collect::<Result<_, _>>()?;
    let empty = tensor::empty(builder, kind, &open)?;
    let map = Map::identity(shape.len());
    let body = linalg::generic(builder, &[tensor], &[empty], &[map.clone(), map], &vec![false; shape.len()])?;
    let converted = convert(&body.builder, body.arguments[0])?;
    linalg::r#yield(&body.builder, &[converted])?;
    body.operation.result(0)
}
