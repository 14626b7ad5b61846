//! Filters in the order in which a convolution or a product of matrices reads them: panels as wide as a tile of
//! accumulators, the reduced dimensions inside in the order of the input, channels innermost. The iteration space stays
//! as it is; panels are quotients and remainders in the filter's indexing map.

use super::operations::{copied, padded, set_maps};
use super::roles::{Roles, is_fixed};
use crate::Error;
use crate::nest::cost::accumulator_tile;
use crate::structured::{Structured, static_shape};
use crate::target::Target;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{OperationRef, operations_named};
use skriptnd_mlir::ops::linalg;

/// Filters that are not known before the run are packed only if each element is used so often.
const LEAST_REUSE: i64 = 8;

/// Packs the filters of all contractions in a function. Returns how many were packed.
pub fn pack_filters<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let mut packed = 0;
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(structured) = Structured::read(operation).filter(|view| view.operation.result_count() == 1) else {
            continue;
        };
        let Some(roles) = Roles::of(&structured) else { continue };
        if let Some(packing) = Packing::of(&structured, &roles, target) {
            packing.apply(&structured, &roles)?;
            packed += 1;
        }
    }
    Ok(packed)
}

/// How one filter is stored.
struct Packing {
    /// Dimensions of the iteration space outside a panel, then inside without the channel.
    outside: Vec<usize>,
    inside: Vec<usize>,
    /// Channels in a panel; none if all are in one.
    panel: Option<i64>,
}

impl Packing {
    /// None where the filter is good as it is.
    fn of(structured: &Structured<'_, '_>, roles: &Roles, target: &Target) -> Option<Packing> {
        let filter = structured.maps[roles.filter].as_dims()?;
        let output = structured.output_map()?.as_dims()?;
        if roles.reuse <= 1 || roles.reuse < LEAST_REUSE && !is_fixed(structured.inputs[roles.filter]) {
            return None;
        }
        if output.last() != Some(&roles.channel) && !roles.depthwise {
            return None;
        }
        if filter.iter().any(|&dim| structured.open[dim].is_some()) {
            return None;
        }
        let others = filter.iter().copied().filter(|&dim| dim != roles.channel);
        let (mut inside, outside): (Vec<usize>, Vec<usize>) = others.partition(|&dim| structured.reduced[dim]);
        let place = |dim: usize| structured.maps[roles.input].results.iter().position(|expr| expr.uses(dim));
        inside.sort_by_key(|&dim| place(dim));
        let (_, vectors) = accumulator_tile(target, roles.reuse);
        let tile = vectors * target.isa.lanes();
        let wide = structured.extents[roles.channel] > tile && target.isa.lanes() > 1 && !roles.depthwise;
        let packing = Packing { outside, inside, panel: wide.then_some(tile) };
        let stored: Vec<usize> =
            packing.outside.iter().chain(&packing.inside).copied().chain([roles.channel]).collect();
        (packing.panel.is_some() || stored != filter).then_some(packing)
    }

    fn apply(&self, structured: &Structured<'_, '_>, roles: &Roles) -> Result<(), Error> {
        let operation = structured.operation;
        let source = structured.inputs[roles.filter];
        let Some(filter) = structured.maps[roles.filter].as_dims() else { return Ok(()) };
        let extent = |dim: usize| structured.extents[dim];
        let channels = extent(roles.channel);
        let stored: Vec<usize> = self.outside.iter().chain(&self.inside).copied().collect();
        let mut shape: Vec<i64> = stored.iter().map(|&dim| extent(dim)).collect();
        let mut exprs: Vec<Expr> = stored.iter().map(|&dim| Expr::Dim(dim)).collect();
        let channel = Expr::Dim(roles.channel);
        let mut ready = source;
        if let Some(panel) = self.panel {
            let at = self.outside.len();
            shape.insert(at, (channels + panel - 1) / panel);
            exprs.insert(at, Expr::FloorDiv(Box::new(channel.clone()), panel));
            shape.push(panel);
            exprs.push(Expr::Mod(Box::new(channel), panel));
            let missing = (panel - channels % panel) % panel;
            if missing > 0 {
                let high: Vec<i64> = filter.iter().map(|&dim| if dim == roles.channel { missing } else { 0 }).collect();
                let old = static_shape(source.r#type()).unwrap_or_default();
                ready = padded(operation, source, &old, &high)?;
            }
        } else {
            shape.push(channels);
            exprs.push(channel);
        }
        let packed = copied(operation, ready, &self.source_map(&filter, roles), &shape)?;
        operation.set_operand(roles.filter, packed)?;
        let mut maps = structured.maps.clone();
        maps[roles.filter] = Map { dims: structured.extents.len(), results: exprs };
        set_maps(operation, &maps);
        Ok(())
    }

    /// Where the packed filter's elements come from.
    fn source_map(&self, filter: &[usize], roles: &Roles) -> Map {
        let stored: Vec<usize> = self.outside.iter().chain(&self.inside).copied().collect();
        let panels = self.outside.len();
        let dims = stored.len() + 1 + usize::from(self.panel.is_some());
        let place = |dim: usize| {
            let at = stored.iter().position(|&other| other == dim).unwrap_or(0);
            at + usize::from(self.panel.is_some() && at >= panels)
        };
        let results = filter.iter().map(|&dim| match (dim == roles.channel, self.panel) {
            (true, Some(panel)) => Expr::Dim(panels).times(panel).plus(Expr::Dim(dims - 1)),
            (true, None) => Expr::Dim(dims - 1),
            (false, _) => Expr::Dim(place(dim)),
        });
        Map { dims, results: results.collect() }
    }
}
