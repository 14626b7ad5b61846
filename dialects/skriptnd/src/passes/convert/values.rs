//! What must have a value for the extents of a run: attributes, and the extents of results.

use super::Converter;
use super::found::leave;
use crate::definitions;
use crate::locations::{Locations, called_from, invocation};
use crate::lowering::defined;
use crate::lowering::plan::TensorShape;
use crate::require::require;
use skriptnd_language::compose::Instance;
use skriptnd_language::compose::extent::{SymExpr, SymOp};
use skriptnd_language::fault::Fault;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef};
use skriptnd_source::Span;
use skriptnd_syntax::ast::{BinaryOp, ExprKind, Operator};

impl<'c: 'a, 'a> Converter<'c, 'a> {
    /// Requires that attributes and extents of results have values.
    pub(super) fn require_values(
        &self,
        builder: &Builder<'c, 'a>,
        operation: OperationRef<'c, 'a>,
        instance: &Instance,
        outputs: &[TensorShape],
    ) -> Result<(), Failure> {
        let mut required = Vec::new();
        for (name, value) in &instance.call.attributes {
            if !defined::value_has_fitting_powers(value, &self.limits) {
                return Err(too_large_power());
            }
            if let Some(defined) = defined::of_value(value, &self.limits) {
                let has_value = self.extents.truth(builder, &defined)?;
                require(builder, has_value, &Fault::undefined_attribute(name), &[])?;
                required.push(defined);
            }
        }
        for extent in outputs.iter().flat_map(|output| &output.shape) {
            if !defined::has_fitting_powers(extent, &self.limits) {
                return Err(too_large_power());
            }
            if !defined::follows(extent, &required, &self.limits) {
                let place = extent_place(operation, instance).unwrap_or(builder.location());
                self.require_extent(&builder.located(place), extent)?;
                required.extend(defined::condition(extent, &self.limits));
            }
        }
        Ok(())
    }

    /// Ends the run where an extent has no value, before anything is as large.
    fn require_extent(&self, builder: &Builder<'c, 'a>, extent: &SymExpr) -> Result<(), Failure> {
        let Some(condition) = defined::condition(extent, &self.limits) else { return Ok(()) };
        let has_value = self.extents.truth(builder, &condition)?;
        let (fault, values) = match division(extent) {
            Some(sides) => (Fault::division(), sides.map(|side| self.extents.int(builder, side))),
            None => return Err("has a result of an extent that has no value for some extents".into()),
        };
        let [dividend, divisor] = values;
        require(builder, has_value, &fault, &[dividend?, divisor?])?;
        leave(builder)
    }
}

/// What is said of a power.
pub(super) fn too_large_power() -> Failure {
    "computes a power of an extent that only a run knows, which may be too large; `--bind` gives the extent a value"
        .into()
}

/// The sides of the outermost division.
fn division(extent: &SymExpr) -> Option<[&SymExpr; 2]> {
    match extent {
        SymExpr::Apply(SymOp::FloorDiv | SymOp::CeilDiv | SymOp::Mod, parts) => match parts.as_slice() {
            [dividend, divisor] => Some([dividend, divisor]),
            _ => None,
        },
        SymExpr::Sum(parts) | SymExpr::Product(parts) | SymExpr::Apply(_, parts) => parts.iter().find_map(division),
        _ => None,
    }
}

/// The place of a division in the declared shapes of results.
fn extent_place<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    instance: &Instance,
) -> Option<skriptnd_mlir::ir::Location<'c>> {
    let path = &instance.call.operator;
    let definitions = definitions::of(operation, path);
    let span = division_span(definitions.operator(path)?)?;
    let mut locations = Locations::new(operation.context(), &definitions.sources);
    Some(called_from(locations.range(span), &[invocation(path, operation.location())]))
}

fn division_span(operator: &Operator) -> Option<Span> {
    let shapes = operator.outputs.iter().filter_map(|output| output.spec.shape.as_ref()).flatten();
    let divides =
        |kind: &ExprKind| matches!(kind, ExprKind::Binary(BinaryOp::Div | BinaryOp::CeilDiv | BinaryOp::Mod, ..));
    let mut extents = shapes.filter_map(|item| item.extent.as_ref());
    extents.find(|extent| divides(&extent.kind)).map(|extent| extent.span)
}
