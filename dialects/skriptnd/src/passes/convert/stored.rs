//! Tensors that a graph takes in a narrower form than it computes with.

use crate::generated::discardable::{OfAttribute, StorageAttribute};
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
        let known = ["i8", "i16", "i32", "f16", "bf16"].contains(&name.as_str());
        known.then(|| types::parse(context, &name)).flatten().ok_or_else(|| self.unknown())
    }

    fn unknown(&self) -> Failure {
        format!("elements of type {} are not stored as '{}'", types::element(self.wide), self.storage).into()
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
        let shape = types::shape(self.wide).unwrap_or_default();
        let open = shape.iter().enumerate().filter(|(_, extent)| extent.is_none());
        let open: Vec<_> = open.map(|(dim, _)| tensor::dim(builder, argument, dim)).collect::<Result<_, _>>()?;
        let empty = tensor::empty(builder, self.wide, &open)?;
        let map = Map::identity(shape.len());
        let body = linalg::generic(builder, &[argument], &[empty], &[map.clone(), map], &vec![false; shape.len()])?;
        let element = types::element(self.wide);
        let unsigned = self.storage.starts_with('u');
        let whole = !self.storage.contains('f');
        let extend = match (element.is_float(), whole) {
            (true, false) => arith::extf,
            (true, true) if unsigned => arith::uitofp,
            (true, true) => arith::sitofp,
            (false, true) if unsigned => arith::extui,
            (false, true) => arith::extsi,
            (false, false) => return Err(self.unknown()),
        };
        let extended = extend(&body.builder, body.arguments[0], element)?;
        linalg::r#yield(&body.builder, &[extended])?;
        body.operation.result(0)
    }
}
