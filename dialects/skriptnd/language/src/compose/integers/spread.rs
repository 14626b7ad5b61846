//! How models write normalizations: as an operator, or as what lies above the mean over the root of the variance, or times its reciprocal,
//! which may be scaled and added to by channels.

use super::means::integers;
use super::rules::Rules;
use crate::compose::graph::{Argument, Operation, OperationKind, OperatorCall, TensorId};
use crate::compose::value::Value;

/// A normalization.
pub(super) struct Spread {
    /// What is normalized.
    pub input: TensorId,
    /// The dimensions of its means.
    pub axes: Vec<usize>,
    /// Whether the mean is subtracted.
    pub centered: bool,
    /// What is added to variances.
    pub epsilon: f64,
    /// What the divisor is at least, where that is the norm: the root of the sum of squares, not of their mean.
    pub norm: Option<f64>,
    /// What deviations are multiplied by.
    pub factor: Option<TensorId>,
    /// What is added then.
    pub offset: Option<TensorId>,
    /// The dimension to whose indices these belong.
    pub channels: usize,
    /// What moves deviations before that, the last one first: groups are dimensions of their own.
    pub moves: Vec<Operation>,
}

impl Spread {
    /// The normalization that gives a tensor, nothing within it being read by others but what is normalized.
    pub fn of(rules: &Rules<'_, '_>, x: TensorId) -> Option<Spread> {
        let mut parts = Channelled { rules, channels: None };
        let (inside, offset) = parts.peeled(x, "math.add");
        // A reciprocal for each of several rows is no factor.
        let (core, factor) = match Spread::alone(rules, inside) {
            Some(core) => (core, None),
            None => {
                let (inner, factor) = parts.peeled(inside, "math.mul");
                (Spread::alone(rules, inner)?, factor)
            }
        };
        let channels = parts.channels;
        if factor.is_none() && offset.is_none() {
            return Some(core);
        }
        let has_none = core.factor.is_none() && core.offset.is_none() && core.norm.is_none();
        has_none.then_some(Spread { factor, offset, channels: channels.unwrap_or(0), ..core })
    }

    /// The same, which may have channels where it is an operator of its own.
    fn alone(rules: &Rules<'_, '_>, x: TensorId) -> Option<Spread> {
        let operation = rules.read_once(x)?;
        let (call, inputs) = invoked(operation)?;
        match (&*call.operator, inputs.as_slice()) {
            ("layout.reshape" | "layout.transpose", [Some(before)]) => {
                let mut inner = Spread::alone(rules, *before)?;
                inner.moves.insert(0, operation.clone());
                (inner.factor.is_none() && inner.offset.is_none()).then_some(inner)
            }
            ("nn.mean_variance_norm", [Some(input), bias, scale]) => {
                let Some(Value::Real(epsilon)) = call.attributes.get("epsilon") else { return None };
                let axes = axes_of(call, rules.editor.rank(*input))?;
                let (factor, offset) = (*scale, *bias);
                Some(Spread { factor, offset, channels: 1, ..Spread::plain(*input, axes, true, *epsilon) })
            }
            ("nn.l2_norm", [Some(input)]) => {
                let number = |name: &str| match call.attributes.get(name) {
                    None | Some(Value::Null) => Some(0.0),
                    Some(Value::Real(number)) => Some(*number),
                    Some(_) => None,
                };
                let axes = axes_of(call, rules.editor.rank(*input))?;
                let norm = Some(number("epsilon")?).filter(|_| number("bias") == Some(0.0))?;
                Some(Spread { norm: Some(norm), ..Spread::plain(*input, axes, false, 0.0) })
            }
            ("math.div", [Some(above), Some(deviation)]) => {
                let [sum] = operands(rules, *deviation, "math.sqrt")?;
                Spread::over(rules, *above, sum)
            }
            ("math.mul", [Some(left), Some(right)]) => {
                let of = |above, worth| Spread::over(rules, above, reciprocal_of_root(rules, worth)?);
                of(*left, *right).or_else(|| of(*right, *left))
            }
            _ => None,
        }
    }

    /// What lies above the mean, or above 0, by the root of a variance and of what is added to it.
    fn over(rules: &Rules<'_, '_>, above: TensorId, sum: TensorId) -> Option<Spread> {
        let [left, right] = operands(rules, sum, "math.add")?;
        let (variance, epsilon) = match (rules.editor.number(left), rules.editor.number(right)) {
            (None, Some(epsilon)) => (left, epsilon),
            (Some(epsilon), None) => (right, epsilon),
            _ => return None,
        };
        let (input, axes, centered) = centered(rules, above, variance).or_else(|| from_zero(rules, above, variance))?;
        epsilon.is_finite().then_some(Spread::plain(input, axes, centered, epsilon))
    }

    fn plain(input: TensorId, axes: Vec<usize>, centered: bool, epsilon: f64) -> Spread {
        let (factor, offset, moves) = (None, None, Vec::new());
        Spread { input, axes, centered, epsilon, norm: None, factor, offset, channels: 0, moves }
    }
}

/// What belongs to the indices of one dimension.
struct Channelled<'r, 'g, 'u> {
    rules: &'r Rules<'g, 'u>,
    channels: Option<usize>,
}

impl Channelled<'_, '_, '_> {
    /// What an operation takes besides numbers for channels, and these, or a tensor as it is.
    fn peeled(&mut self, x: TensorId, operator: &str) -> (TensorId, Option<TensorId>) {
        let found = || {
            let operation = self.rules.read_once(x)?;
            let (call, inputs) = invoked(operation).filter(|(call, _)| *call.operator == *operator)?;
            let [left, right] = inputs[..] else { return None };
            let (left, right) = (left?, right?);
            let of = |inside, own, align| {
                let is_whole = self.rules.editor.ty(inside) == self.rules.editor.ty(x);
                let at = self.dimension(x, own, call.attributes.get(align))?;
                is_whole.then_some((inside, own, at))
            };
            of(left, right, "rhs_align").or_else(|| of(right, left, "lhs_align"))
        };
        match found() {
            Some((inside, own, at)) if at.is_none() || self.channels.is_none_or(|known| Some(known) == at) => {
                self.channels = self.channels.or(at);
                (inside, Some(own))
            }
            _ => (x, None),
        }
    }

    /// The dimension of a tensor to whose indices the elements of another one belong; none within if that has one only.
    fn dimension(&self, x: TensorId, own: TensorId, align: Option<&Value>) -> Option<Option<usize>> {
        let (shape, of) = (self.rules.editor.shape(own)?, &self.rules.editor.ty(x).shape);
        let before = of.len().checked_sub(shape.len())?;
        let begin = match align {
            Some(Value::Int(behind @ ..0)) => before.checked_sub(usize::try_from(-behind).ok()?)?,
            Some(Value::Int(begin)) => usize::try_from(*begin).ok()?,
            _ => before,
        };
        let mut several = shape.iter().enumerate().filter(|(_, extent)| **extent != 1);
        match (several.next(), several.next()) {
            (None, None) => Some(None),
            (Some((at, extent)), None) => (of.get(begin + at)?.as_known() == Some(*extent)).then_some(Some(begin + at)),
            _ => None,
        }
    }
}

/// What is normalized, if a tensor is its elements less their mean, of which another one is the variance.
fn centered(rules: &Rules<'_, '_>, above: TensorId, variance: TensorId) -> Option<(TensorId, Vec<usize>, bool)> {
    let [input, mean] = operands(rules, above, "math.sub")?;
    let moments = rules.made.get(&mean).and_then(invoked).filter(|(call, _)| *call.operator == *"math.moments");
    if let Some((call, inputs)) = moments {
        let results = rules.made.get(&mean)?.outputs.iter().flat_map(Argument::items);
        let fits = inputs == [Some(input)] && results.eq([&mean, &variance]) && keeps(call);
        let axes = axes_of(call, rules.editor.rank(input))?;
        return fits.then_some((input, axes, true));
    }
    let axes = mean_of(rules, mean, input)?;
    let square = reduced(rules, variance, &axes)?;
    let centered = squared(rules, square)?;
    let is_above = centered == above || operands(rules, centered, "math.sub") == Some([input, mean]);
    is_above.then_some((input, axes, true))
}

/// The same of what lies above 0.
fn from_zero(rules: &Rules<'_, '_>, above: TensorId, variance: TensorId) -> Option<(TensorId, Vec<usize>, bool)> {
    let (call, inputs) = invoked(rules.made.get(&variance)?)?;
    let axes = axes_of(call, rules.editor.rank(above))?;
    let square = reduced(rules, variance, &axes).filter(|square| inputs == [Some(*square)])?;
    (squared(rules, square)? == above).then_some((above, axes, false))
}

/// The dimensions over which a tensor is the mean of another one.
fn mean_of(rules: &Rules<'_, '_>, mean: TensorId, of: TensorId) -> Option<Vec<usize>> {
    let (call, inputs) = invoked(rules.made.get(&mean)?)?;
    let fits = *call.operator == *"math.mean_reduce" && keeps(call) && inputs == [Some(of)];
    axes_of(call, rules.editor.rank(of)).filter(|_| fits)
}

/// Of what a tensor is the mean over these dimensions.
fn reduced(rules: &Rules<'_, '_>, mean: TensorId, axes: &[usize]) -> Option<TensorId> {
    let (_, inputs) = invoked(rules.made.get(&mean)?)?;
    let of = *inputs.first()?.as_ref()?;
    (mean_of(rules, mean, of)? == axes).then_some(of)
}

/// Of what a tensor is the square.
fn squared(rules: &Rules<'_, '_>, square: TensorId) -> Option<TensorId> {
    let (call, inputs) = invoked(rules.made.get(&square)?)?;
    match (&*call.operator, inputs.as_slice()) {
        ("math.sqr", [Some(x)]) => Some(*x),
        ("math.mul", [Some(x), Some(y)]) if x == y => Some(*x),
        ("math.pow", [Some(x), Some(two)]) if rules.editor.number(*two) == Some(2.0) => Some(*x),
        _ => None,
    }
}

/// Of what a tensor is the reciprocal root.
fn reciprocal_of_root(rules: &Rules<'_, '_>, worth: TensorId) -> Option<TensorId> {
    let of_root = |root: TensorId| operands::<1>(rules, root, "math.sqrt").map(|[x]| x);
    let direct = || operands::<1>(rules, worth, "math.rsqrt").map(|[x]| x);
    let turned = || of_root(operands::<1>(rules, worth, "math.rcp")?[0]);
    let divided = || {
        let [one, root] = operands(rules, worth, "math.div")?;
        of_root(root).filter(|_| rules.editor.number(one) == Some(1.0))
    };
    direct().or_else(turned).or_else(divided)
}

/// What an operator is called with, where all are single tensors, or nothing.
fn invoked(operation: &Operation) -> Option<(&OperatorCall, Vec<Option<TensorId>>)> {
    let OperationKind::Operator(call) = &operation.kind else { return None };
    let inputs = operation.inputs.iter().map(|input| match input {
        Argument::Single(id) => Some(Some(*id)),
        Argument::Null => Some(None),
        Argument::Pack(_) => None,
    });
    Some((call, inputs.collect::<Option<_>>()?))
}

/// What an operator takes that gives a tensor.
fn operands<const COUNT: usize>(rules: &Rules<'_, '_>, id: TensorId, operator: &str) -> Option<[TensorId; COUNT]> {
    let (call, inputs) = invoked(rules.made.get(&id)?)?;
    let inputs: Vec<TensorId> = inputs.into_iter().collect::<Option<_>>()?;
    inputs.try_into().ok().filter(|_| *call.operator == *operator)
}

fn keeps(call: &OperatorCall) -> bool {
    call.attributes.get("squeeze") == Some(&Value::Bool(false))
}

/// The dimensions that an operator reduces, in order.
fn axes_of(call: &OperatorCall, rank: usize) -> Option<Vec<usize>> {
    let from_first = |axis: i64| usize::try_from(if axis < 0 { axis + rank as i64 } else { axis });
    let mut axes =
        integers(call.attributes.get("axes")?)?.into_iter().map(from_first).collect::<Result<Vec<_>, _>>().ok()?;
    axes.sort_unstable();
    Some(axes)
}
