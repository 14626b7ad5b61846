//! Layer normalization, which models write as a composition: it becomes one op.

use crate::convert::builder::{Nodes, replace, static_dims};
use crate::convert::by_table::are_static;
use crate::convert::counterparts::ElementKinds;
use crate::generated::operations::LayerNormOpBuilder;
use skriptnd_dialect::generated::math::{AddOp, DivOp, MeanReduceOp, MomentsOp, MulOp, SqrOp, SqrtOp, SubOp};
use skriptnd_dialect::generated::operations::ConstantOp;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, walk};
use skriptnd_mlir::rewrite::with_rewriter;

/// Finds them inside a container, and puts the op in the place of each.
pub fn find(container: OperationRef<'_, '_>) -> Result<(), Failure> {
    // What is replaced goes with all before it, so that the last of a chain comes first.
    for op in walk(container).into_iter().rev() {
        if op.is_used()
            && let Some(found) = Normalization::of(op)
        {
            replace(op, |to| found.built(op, to).map(|value| vec![value]))?;
            remove(found.parts)?;
        }
    }
    Ok(())
}

/// `(input - mean) / sqrt(variance + epsilon) * scale + bias`, mean and variance of the last dimensions.
struct Normalization<'c, 'a> {
    input: Value<'c, 'a>,
    axes: Vec<i64>,
    epsilon: f64,
    scale: Option<Value<'c, 'a>>,
    bias: Option<Value<'c, 'a>>,
    /// What it is written as before its last operation, from the last on.
    parts: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Normalization<'c, 'a> {
    /// The normalization that ends at an operation.
    fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let mut parts = Vec::new();
        let mut at = op;
        // What is added to, or multiplied by a parameter, has no other use.
        let mut inside = |inner: Value<'c, 'a>, at: &mut OperationRef<'c, 'a>| {
            let before = inner.defining_operation().filter(|_| inner.has_one_use() && is_plain(*at))?;
            parts.push(before);
            *at = before;
            Some(())
        };
        let mut bias = None;
        if let Some(add) = AddOp::new(at) {
            inside(add.x().ok()?, &mut at)?;
            bias = Some(add.y().ok()?);
        }
        let mut scale = None;
        if let Some(product) = MulOp::new(at) {
            inside(product.x().ok()?, &mut at)?;
            scale = Some(product.y().ok()?);
        }
        let core = Core::of(DivOp::new(at)?)?;
        parts.extend(core.parts.iter().copied());
        let Core { input, axes, epsilon, .. } = core;
        let found = Normalization { input, axes, epsilon, scale, bias, parts };
        found.is_of_last_dimensions(op).then_some(found)
    }

    /// The extents of the dimensions that are normalized.
    fn extents(&self) -> Option<Vec<u64>> {
        let dims = static_dims(self.input.r#type())?;
        let from = dims.len().checked_sub(self.axes.len())?;
        let axes: Vec<i64> = self.axes.iter().map(|axis| axis.rem_euclid(dims.len().max(1) as i64)).collect();
        axes.iter().copied().eq(from as i64..dims.len() as i64).then(|| dims[from..].to_vec())
    }

    fn is_of_last_dimensions(&self, op: OperationRef<'c, 'a>) -> bool {
        let Some(extents) = self.extents().filter(|extents| !extents.is_empty()) else { return false };
        let mut parameters = self.scale.iter().chain(&self.bias);
        are_static(op, ElementKinds::Floats)
            && op.result_types() == [self.input.r#type()]
            && parameters.all(|value| static_dims(value.r#type()).as_ref() == Some(&extents))
    }

    fn built(&self, op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let extents = self.extents().unwrap_or_default();
        let rank = static_dims(self.input.r#type()).map_or(0, |dims| dims.len());
        let axes: Vec<i64> = (rank.saturating_sub(extents.len()) as i64..rank as i64).collect();
        let uniform = |value: f64| {
            let count = extents.iter().product::<u64>();
            to.reals(&vec![value; usize::try_from(count).unwrap_or_default()], &extents)
        };
        LayerNormOpBuilder::new(to)
            .input(self.input)
            .scale(self.scale.map_or_else(|| uniform(1.0), Ok)?)
            .bias(self.bias.map_or_else(|| uniform(0.0), Ok)?)
            .axes(to.ints(&axes, &[axes.len() as u64])?)
            .epsilon(to.reals(&[self.epsilon], &[1])?)
            .output_type(op.result(0)?.r#type())
            .build()?
            .output()
    }
}

/// `(input - mean) / sqrt(variance + epsilon)`.
struct Core<'c, 'a> {
    input: Value<'c, 'a>,
    axes: Vec<i64>,
    epsilon: f64,
    parts: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Core<'c, 'a> {
    fn of(quotient: DivOp<'c, 'a>) -> Option<Self> {
        let (centered, deviation) = (quotient.x().ok()?, quotient.y().ok()?);
        let root = SqrtOp::new(deviation.defining_operation()?)?;
        let sum = AddOp::new(root.x().ok()?.defining_operation()?)?;
        let (variance, epsilon) = (sum.x().ok()?, scalar(sum.y().ok()?)?);
        let difference = SubOp::new(centered.defining_operation()?)?;
        let (input, mean) = (difference.x().ok()?, difference.y().ok()?);
        let parts = [quotient.operation(), root.operation(), sum.operation(), difference.operation()];
        if !parts.iter().all(|part| is_plain(*part)) {
            return None;
        }
        let mut parts = parts[1..].to_vec();
        let axes = moments(input, mean, variance, &mut parts)
            .or_else(|| separate(input, mean, [variance, centered], &mut parts))?;
        Some(Core { input, axes, epsilon, parts })
    }
}

/// The dimensions of mean and variance that are one operation's.
fn moments<'c: 'a, 'a>(
    input: Value<'c, 'a>,
    mean: Value<'c, 'a>,
    variance: Value<'c, 'a>,
    parts: &mut Vec<OperationRef<'c, 'a>>,
) -> Option<Vec<i64>> {
    let op = MomentsOp::new(mean.defining_operation()?)?;
    let results = [op.mean().ok()?.key(), op.variance().ok()?.key()];
    let fits =
        results == [mean.key(), variance.key()] && op.input().ok()?.key() == input.key() && keeps_rank(op.operation());
    parts.push(op.operation());
    op.axes().filter(|_| fits)
}

/// The dimensions of mean and variance, the variance being the mean of what the centered input gives multiplied by itself.
fn separate<'c: 'a, 'a>(
    input: Value<'c, 'a>,
    mean: Value<'c, 'a>,
    [variance, centered]: [Value<'c, 'a>; 2],
    parts: &mut Vec<OperationRef<'c, 'a>>,
) -> Option<Vec<i64>> {
    let of =
        |value: Value<'c, 'a>| MeanReduceOp::new(value.defining_operation()?).filter(|op| keeps_rank(op.operation()));
    let (mean, spread) = (of(mean)?, of(variance)?);
    let square = spread.input().ok()?.defining_operation()?;
    let is_square = match (SqrOp::new(square), MulOp::new(square)) {
        (Some(square), _) => square.x().ok()?.key() == centered.key(),
        (_, Some(product)) => {
            [product.x().ok()?, product.y().ok()?].iter().all(|factor| factor.key() == centered.key())
        }
        _ => false,
    };
    parts.extend([spread.operation(), square, mean.operation()]);
    let axes = mean.axes()?;
    let fits = is_square && mean.input().ok()?.key() == input.key() && spread.axes()? == axes;
    fits.then_some(axes)
}

/// Whether operands stand as they are, from the last dimension on.
fn is_plain(op: OperationRef<'_, '_>) -> bool {
    op.attributes().all(|(name, _)| !name.ends_with("_align"))
}

fn keeps_rank(op: OperationRef<'_, '_>) -> bool {
    op.get_bool("squeeze") != Some(true)
}

/// The element of a constant that is a scalar.
fn scalar(value: Value<'_, '_>) -> Option<f64> {
    let constant = ConstantOp::new(value.defining_operation()?)?;
    let is_single = static_dims(value.r#type())?.iter().product::<u64>() == 1;
    attributes::as_real(attributes::as_splat(constant.value().ok()?)?).filter(|_| is_single)
}

/// Erases operations that nothing uses any more.
fn remove(mut parts: Vec<OperationRef<'_, '_>>) -> Result<(), Failure> {
    while let Some(place) = parts.iter().position(|part| !part.is_used()) {
        let part = parts.remove(place);
        parts.retain(|other| other.key() != part.key());
        with_rewriter(part, |rewriter| rewriter.erase(part))?;
    }
    Ok(())
}
