//! Extents that only data determine: symbols that become values where operations tell them, and what is required of them.

use super::Converter;
use crate::call::{plain_type, read_named_type};
use crate::generated::operations::{ExtentOp, LeaveOpBuilder, RequireOpBuilder, ShapedOp};
use crate::lowering::emit::arithmetic;
use crate::scalars::Scalars as _;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value};
use skriptnd_mlir::ops::{arith, tensor};
use skriptnd_source::diagnostics::Code;
use skriptnd_syntax::ast::BinaryOp;
use std::sync::Arc;

/// A message whose numbers only the run knows.
#[derive(Default)]
struct Shown<'c, 'a> {
    values: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Shown<'c, 'a> {
    /// What stands for a value.
    fn value(&mut self, value: Value<'c, 'a>) -> String {
        self.values.push(value);
        format!("{{{}}}", self.values.len() - 1)
    }
}

impl<'c: 'a, 'a> Converter<'c, 'a> {
    /// Gives a symbol a value that data determine.
    pub(super) fn tell(
        &mut self,
        builder: &Builder<'c, 'a>,
        symbol: &str,
        value: Value<'c, 'a>,
    ) -> Result<(), Failure> {
        self.extents.tell(builder, symbol, value, &self.limits)
    }

    /// `skriptnd.extent`
    pub(super) fn extent(&mut self, builder: &Builder<'c, 'a>, operation: ExtentOp<'c, 'a>) -> Result<(), Failure> {
        let (symbol, value) = (operation.symbol()?, operation.value()?);
        let value = self.expression(builder, value)?;
        self.tell(builder, symbol, value)
    }

    /// `skriptnd.shaped`
    pub(super) fn shaped(
        &mut self,
        builder: &Builder<'c, 'a>,
        operation: ShapedOp<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let name = operation.name().unwrap_or_default();
        let declared = operation.output()?.r#type();
        let value = self.value(operation.input()?)?;
        self.fit(builder, (value, operation.input()?.r#type()), declared, name)
    }

    /// A tensor as one of a declared type: its symbols that have no value yet get those of the tensor's extents. Ends the run where
    /// the extents are not the declared ones.
    fn fit(
        &mut self,
        builder: &Builder<'c, 'a>,
        (value, found): (Value<'c, 'a>, Type<'c>),
        declared: Type<'c>,
        name: &str,
    ) -> Result<Value<'c, 'a>, Failure> {
        let (found_type, declared_type) = (named(found)?, named(declared)?);
        let pairs = || found_type.shape.iter().zip(&declared_type.shape);
        if found_type.shape.len() != declared_type.shape.len() {
            return Err(
                format!("has rank {}, declared as {}", found_type.shape.len(), declared_type.shape.len()).into()
            );
        }
        let mut fits: Option<Value<'c, 'a>> = None;
        let mut told: Vec<(Arc<str>, Value<'c, 'a>)> = Vec::new();
        for (found, declared) in pairs().filter(|(found, declared)| found.value != declared.value) {
            let size = self.extents.int(builder, &found.value)?;
            let before = |symbol: &Arc<str>| told.iter().find(|(known, _)| known == symbol).map(|(_, value)| *value);
            let holds = match self.extents.untold(&declared.value) {
                Some(symbol) => match before(&symbol) {
                    Some(other) => Some(compare(builder, BinaryOp::Eq, size, other)?),
                    None => {
                        told.push((symbol.clone(), size));
                        self.keeps(builder, &found.value, size, &symbol)?
                    }
                },
                None => {
                    let expected = self.extents.int(builder, &declared.value)?;
                    Some(compare(builder, BinaryOp::Eq, size, expected)?)
                }
            };
            if let Some(holds) = holds {
                fits = Some(fits.map_or(Ok(holds), |before| arith::andi(builder, before, holds))?);
            }
        }
        if let Some(fits) = fits {
            let fitting = self.shape_message(builder, name, (&found_type, &declared_type))?;
            self.require_shape(builder, fits, fitting)?;
        }
        for (symbol, value) in told {
            self.tell(builder, &symbol, value)?;
        }
        let wanted = plain_type(declared);
        if value.r#type() == wanted { Ok(value) } else { tensor::cast(builder, value, wanted) }
    }

    /// Whether a size is at most the bound of a symbol; nothing where it always is.
    fn keeps(
        &self,
        builder: &Builder<'c, 'a>,
        found: &SymExpr,
        size: Value<'c, 'a>,
        symbol: &str,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        let bound = self.limits.get(symbol).ok_or_else(|| format!("the extent `{symbol}` has no bound"))?;
        if self.limits.upper_bound(found).is_some_and(|most| most <= bound) {
            return Ok(None);
        }
        compare(builder, BinaryOp::Le, size, builder.int(bound)?).map(Some)
    }

    /// What the interpreter says of a result of another shape than the declared one.
    fn shape_message(
        &self,
        builder: &Builder<'c, 'a>,
        name: &str,
        (found, declared): (&TensorType, &TensorType),
    ) -> Result<(String, Vec<Value<'c, 'a>>), Failure> {
        let mut shown = Shown::default();
        let mut sizes = Vec::new();
        for extent in &found.shape {
            sizes.push(match extent.as_known() {
                Some(known) => known.to_string(),
                None => shown.value(self.extents.int(builder, &extent.value)?),
            });
        }
        let mut expected = Vec::new();
        for extent in &declared.shape {
            expected.push(match (extent.as_known(), self.extents.untold(&extent.value)) {
                (Some(known), _) => known.to_string(),
                (None, Some(symbol)) => match self.limits.get(&symbol) {
                    Some(bound) => format!("at most {bound}"),
                    None => "any".to_owned(),
                },
                (None, None) => shown.value(self.extents.int(builder, &extent.value)?),
            });
        }
        let (sizes, expected) = (sizes.join(", "), expected.join(", "));
        Ok((format!("`{name}` has shape [{sizes}], but it is declared as [{expected}]"), shown.values))
    }

    fn require_shape(
        &self,
        builder: &Builder<'c, 'a>,
        holds: Value<'c, 'a>,
        (message, values): (String, Vec<Value<'c, 'a>>),
    ) -> Result<(), Failure> {
        let requirement = RequireOpBuilder::new(builder)
            .condition(holds)
            .message(&message)
            .values(values)
            .code(Code::ShapeMismatch.name())
            .label("computed here");
        requirement.build()?;
        leave(builder)
    }
}

/// Ends the run where something required has not held.
pub(super) fn leave<'c: 'a, 'a>(builder: &Builder<'c, 'a>) -> Result<(), Failure> {
    LeaveOpBuilder::new(builder).build().map(drop)
}

/// A comparison of values of type `i64`.
pub(super) fn compare<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    arithmetic::binary(builder, op, ScalarType::Int, a, b)
}

/// A type of which all extents are known or named.
pub(super) fn named(r#type: Type<'_>) -> Result<TensorType, Failure> {
    read_named_type(r#type).ok_or_else(|| format!("{} has extents without names", r#type).into())
}
