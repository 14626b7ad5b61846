//! What is required of the sizes of tensors: where bounds let tensors be larger than any memory, a run looks at the extents that it
//! has before anything is computed. Everything else computes with sizes that fit.

use super::found::named;
use crate::call::operator_path;
use crate::generated::operations::RequireOpBuilder;
use crate::lowering::emit::extents::Extents;
use crate::lowering::limits::Limits;
use crate::scalars::Scalars as _;
use skriptnd_language::compose::extent::{RealExpr, SymExpr, SymOp};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Location, OperationRef, Type, Value, block_arguments, region_blocks, types, walk};
use skriptnd_mlir::ops::arith::{self, FloatPredicate, IntegerPredicate};
use skriptnd_source::diagnostics::Code;
use skriptnd_syntax::ast::BinaryOp;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tensors have no more elements, of 8 bytes at most, where addresses have 64 bits: that is what processors address, and what is made
/// of a tensor (padded, packed) has a size of 64 bits.
const MOST_ELEMENTS: f64 = (1u64 << 44) as f64;
/// The same where they have 32 bits.
const MOST_OF_32_BITS: f64 = (1u64 << 28) as f64;
/// On the way to an extent numbers stay below this one.
const LARGEST_NUMBER: f64 = (1u64 << 62) as f64;

/// Sizes that a run must look at.
#[derive(Default)]
pub(super) struct Sizes<'c> {
    /// Of those of the same open extents the one with the largest known ones.
    required: BTreeMap<Vec<SymExpr>, Required<'c>>,
}

struct Required<'c> {
    /// The product of the known extents.
    known: f64,
    /// What it is the size of.
    what: String,
    location: Location<'c>,
}

impl<'c: 'a, 'a> Sizes<'c> {
    /// Those of all tensors of a graph.
    pub(super) fn of(graph: OperationRef<'c, 'a>, limits: &Limits) -> Self {
        let mut sizes = Sizes::default();
        for operation in walk(graph) {
            let what = operator_path(operation.full_name());
            let what = what.map_or_else(|| "a tensor".to_owned(), |path| format!("the result of `{path}`"));
            for kind in operation.result_types() {
                sizes.add(kind, limits, (&what, operation.location()));
            }
            for block in operation.regions().flat_map(region_blocks) {
                for argument in block_arguments(block) {
                    sizes.add(argument.r#type(), limits, ("an input", operation.location()));
                }
            }
        }
        sizes
    }

    /// Whether nothing must be looked at.
    pub(super) fn are_fine(&self) -> bool {
        self.required.is_empty()
    }

    fn add(&mut self, kind: Type<'c>, limits: &Limits, (what, location): (&str, Location<'c>)) {
        let Ok(ty) = named(kind) else { return };
        let (mut known, mut most, mut open) = (1.0, 1.0, Vec::new());
        for extent in &ty.shape {
            match limits.at_most(&extent.value) {
                Some(SymExpr::Const(value)) => known *= value.max(1) as f64,
                Some(extent) => {
                    most *= limits.upper_bound(&extent).map_or(f64::INFINITY, |bound| bound.max(1) as f64);
                    open.push(extent);
                }
                // What can't be said by extents that inputs tell keeps to its bound.
                None => known *= limits.upper_bound(&extent.value).unwrap_or(1).max(1) as f64,
            }
        }
        if open.is_empty() || known * most <= MOST_OF_32_BITS {
            return;
        }
        open.sort();
        let shape = ty.shape.iter().map(|extent| extent.value.to_string()).collect::<Vec<_>>().join(", ");
        let what = || format!("{what} of shape [{shape}]");
        let required = self.required.entry(open).or_insert_with(|| Required { known, what: what(), location });
        if known > required.known {
            *required = Required { known, what: what(), location };
        }
    }

    /// Requires them, in the function that checks extents.
    pub(super) fn require(&self, builder: &Builder<'c, 'a>, extents: &Extents<'c, 'a>) -> Result<(), Failure> {
        if self.are_fine() {
            return Ok(());
        }
        let most = most_elements(builder)?;
        for (open, required) in &self.required {
            let builder = builder.located(required.location);
            let one = || RealExpr::known(1.0);
            let volume = open.iter().map(|extent| larger(magnitude(extent), one()));
            let volume =
                volume.fold(RealExpr::known(required.known), |volume, extent| both(BinaryOp::Mul, volume, extent));
            let mut fits = is_at_most(&builder, extents.real(&builder, &volume)?, most)?;
            for part in open.iter().flat_map(dividends) {
                let largest = builder.real(types::f64(builder.context()), LARGEST_NUMBER)?;
                let part = is_at_most(&builder, extents.real(&builder, &magnitude(part))?, largest)?;
                fits = arith::andi(&builder, fits, part)?;
            }
            required.require(&builder, extents, (open, fits))?;
        }
        Ok(())
    }
}

impl<'c: 'a, 'a> Required<'c> {
    fn require(
        &self,
        builder: &Builder<'c, 'a>,
        extents: &Extents<'c, 'a>,
        (open, fits): (&[SymExpr], Value<'c, 'a>),
    ) -> Result<(), Failure> {
        let mut symbols: Vec<Arc<str>> = Vec::new();
        open.iter().for_each(|extent| extent.symbols(&mut |symbol| symbols.push(symbol.clone())));
        symbols.sort();
        symbols.dedup();
        let shown = symbols.iter().enumerate().map(|(at, symbol)| format!("`{symbol}` = {{{at}}}"));
        let shown = shown.collect::<Vec<_>>().join(", ");
        let values = symbols.iter().map(|symbol| extents.int(builder, &SymExpr::Symbol(symbol.clone())));
        let requirement = RequireOpBuilder::new(builder)
            .condition(fits)
            .message(&format!("for {shown}, {} has more elements than can be addressed", self.what))
            .values(values.collect::<Result<Vec<_>, Failure>>()?)
            .code(Code::TensorTooLarge.name());
        requirement.build().map(drop)
    }
}

/// How many elements a tensor may have, as `f64`: an index tells how wide addresses are.
fn most_elements<'c: 'a, 'a>(builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let wide = types::f64(builder.context());
    let word = types::integer(builder.context(), 64);
    let ones = builder.value("arith.index_castui", &[builder.index(-1)?], &[], word)?;
    let is_narrow = arith::cmpi(builder, IntegerPredicate::Eq, ones, builder.int(i64::from(u32::MAX))?)?;
    arith::select(builder, is_narrow, builder.real(wide, MOST_OF_32_BITS)?, builder.real(wide, MOST_ELEMENTS)?)
}

fn is_at_most<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    most: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    arith::cmpf(builder, FloatPredicate::Ole, value, most)
}

fn both(op: BinaryOp, a: RealExpr, b: RealExpr) -> RealExpr {
    RealExpr::Binary(op, Box::new([a, b]))
}

fn larger(a: RealExpr, b: RealExpr) -> RealExpr {
    both(BinaryOp::Max, a, b)
}

/// What the absolute value of an expression, and of what is computed on the way to it, is about at most: in reals, which do not
/// wrap around.
fn magnitude(expr: &SymExpr) -> RealExpr {
    let all = |op: BinaryOp, parts: &[SymExpr]| {
        let all = parts.iter().map(magnitude).reduce(|left, right| both(op, left, right));
        all.unwrap_or_else(|| RealExpr::known(1.0))
    };
    match expr {
        SymExpr::Const(value) => RealExpr::known((*value as f64).abs()),
        SymExpr::Sum(terms) => all(BinaryOp::Add, terms),
        SymExpr::Product(factors) => all(BinaryOp::Mul, factors),
        SymExpr::Apply(SymOp::FloorDiv | SymOp::CeilDiv, parts) => match parts.as_slice() {
            [dividend, divisor] if is_exact(divisor) => {
                let divisor = larger(magnitude(divisor), RealExpr::known(1.0));
                let quotient = both(BinaryOp::Div, magnitude(dividend), divisor);
                both(BinaryOp::Add, quotient, RealExpr::known(1.0))
            }
            parts => all(BinaryOp::Max, &parts[..1]),
        },
        SymExpr::Apply(SymOp::Mod, parts) => all(BinaryOp::Max, &parts[1..]),
        SymExpr::Apply(SymOp::Min, parts) => all(BinaryOp::Min, parts),
        SymExpr::Apply(SymOp::Max | SymOp::Abs, parts) => all(BinaryOp::Max, parts),
        SymExpr::Apply(SymOp::Select, parts) => all(BinaryOp::Max, &parts[1..]),
        SymExpr::Apply(SymOp::Pow, _) | SymExpr::Symbol(_) | SymExpr::Truncated(_) | SymExpr::Fold(_) => {
            RealExpr::Int(expr.clone())
        }
        SymExpr::Apply(..) | SymExpr::Compared(..) => RealExpr::known(1.0),
    }
}

/// Whether the magnitude is the value.
fn is_exact(expr: &SymExpr) -> bool {
    match expr {
        SymExpr::Const(_) | SymExpr::Symbol(_) => true,
        SymExpr::Product(factors) => factors.iter().all(is_exact),
        _ => false,
    }
}

/// What is divided on the way to a value: it may be far larger than that.
fn dividends(expr: &SymExpr) -> Vec<&SymExpr> {
    match expr {
        SymExpr::Sum(parts) | SymExpr::Product(parts) => parts.iter().flat_map(dividends).collect(),
        SymExpr::Apply(op, parts) => {
            let own = matches!(op, SymOp::FloorDiv | SymOp::CeilDiv | SymOp::Mod).then(|| parts.first()).flatten();
            own.into_iter().chain(parts.iter().flat_map(dividends)).collect()
        }
        _ => Vec::new(),
    }
}
