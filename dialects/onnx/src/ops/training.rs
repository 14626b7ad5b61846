//! Steps of optimizers (`ai.onnx.preview.training`): the operands are a rate, a count of steps, then tensors of each kind.

use super::Results;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Adagrad" => Some(each(t, node, 3, adagrad)),
        "Momentum" => Some(each(t, node, 3, momentum)),
        "Adam" => Some(each(t, node, 4, adam)),
        _ => None,
    }
}

type Step = fn(&mut Translator<'_>, &Node<'_>, &[Tensor]) -> Results;

/// A step for each tensor that is optimized; all first results come before all second ones.
fn each(t: &mut Translator<'_>, node: &Node<'_>, kinds: usize, step: Step) -> Results {
    let all: Vec<Tensor> = node.tensors()?.into_iter().cloned().collect();
    let tensors = all.get(2..).filter(|rest| rest.len() % kinds == 0);
    let tensors = tensors.ok_or_else(|| format!("its operands are expected to be 2 and {kinds} for each tensor"))?;
    let count = tensors.len() / kinds;
    let mut results: Vec<Vec<Tensor>> = vec![Vec::new(); kinds - 1];
    for at in 0..count {
        let own: Vec<Tensor> = (0..kinds).map(|kind| tensors[kind * count + at].clone()).collect();
        let given = step(t, node, &own)?;
        results.iter_mut().zip(given).for_each(|(kind, result)| kind.push(result));
    }
    Ok(results.concat())
}

impl Translator<'_> {
    fn times(&mut self, tensor: &Tensor, factor: f64) -> Result<Tensor, String> {
        if factor == 1.0 { Ok(tensor.clone()) } else { self.binary("math.mul", tensor, &Tensor::real(factor)) }
    }

    /// The sum of two tensors with factors.
    fn mixed(&mut self, left: &Tensor, by: f64, right: &Tensor, times: f64) -> Result<Tensor, String> {
        let (left, right) = (self.times(left, by)?, self.times(right, times)?);
        self.binary("math.add", &left, &right)
    }

    /// The gradient with that of the squares of what is optimized.
    fn regularized(&mut self, node: &Node<'_>, tensor: &Tensor, gradient: &Tensor) -> Result<Tensor, String> {
        match node.float_or("norm_coefficient", 0.0)? {
            0.0 => Ok(gradient.clone()),
            factor => self.mixed(gradient, 1.0, tensor, factor),
        }
    }

    /// What is optimized, less a step.
    fn stepped(&mut self, tensor: &Tensor, rate: &Tensor, step: &Tensor) -> Result<Tensor, String> {
        let step = self.binary("math.mul", step, rate)?;
        self.binary("math.sub", tensor, &step)
    }
}

/// An operand without dimensions as a real.
fn scalar(t: &mut Translator<'_>, node: &Node<'_>, at: usize) -> Result<Tensor, String> {
    let tensor = node.input(at)?.clone();
    let real = t.as_real(&tensor);
    t.reshaped(&real, Vec::new())
}

fn adagrad(t: &mut Translator<'_>, node: &Node<'_>, own: &[Tensor]) -> Results {
    let [tensor, gradient, squares] = own else { return Err("it has 3 operands for each tensor".into()) };
    let (rate, count) = (scalar(t, node, 0)?, scalar(t, node, 1)?);
    let decayed = t.times(&count, node.float_or("decay_factor", 0.0)?)?;
    let divisor = t.binary("math.add", &decayed, &Tensor::real(1.0))?;
    let rate = t.binary("math.div", &rate, &divisor)?;
    let gradient = t.regularized(node, tensor, gradient)?;
    let square = t.unary("math.sqr", &gradient);
    let squares = t.binary("math.add", squares, &square)?;
    let root = t.unary("math.sqrt", &squares);
    let root = t.binary("math.add", &root, &Tensor::real(node.float_or("epsilon", 1e-6)?))?;
    let step = t.binary("math.div", &gradient, &root)?;
    Ok(vec![t.stepped(tensor, &rate, &step)?, squares])
}

fn momentum(t: &mut Translator<'_>, node: &Node<'_>, own: &[Tensor]) -> Results {
    let [tensor, gradient, velocity] = own else { return Err("it has 3 operands for each tensor".into()) };
    let (rate, count) = (scalar(t, node, 0)?, scalar(t, node, 1)?);
    let (alpha, beta) = (node.float_or("alpha", 0.0)?, node.float_or("beta", 0.0)?);
    let gradient = t.regularized(node, tensor, gradient)?;
    // The first step takes the whole gradient.
    let is_first = t.compared("math.eq", &count, &Tensor::real(0.0))?;
    let share = t.select(&is_first, &Tensor::real(1.0), &Tensor::real(beta))?;
    let new = t.binary("math.mul", &gradient, &share)?;
    let velocity = t.mixed(velocity, alpha, &new, 1.0)?;
    let step = match node.string_or("mode", "standard")?.as_str() {
        "standard" => velocity.clone(),
        "nesterov" => t.mixed(&gradient, 1.0, &velocity, alpha)?,
        other => return Err(format!("its `mode` is `{other}`, where `standard` or `nesterov` is expected")),
    };
    Ok(vec![t.stepped(tensor, &rate, &step)?, velocity])
}

fn adam(t: &mut Translator<'_>, node: &Node<'_>, own: &[Tensor]) -> Results {
    let [tensor, gradient, mean, squares] = own else { return Err("it has 4 operands for each tensor".into()) };
    let (rate, count) = (scalar(t, node, 0)?, scalar(t, node, 1)?);
    let (alpha, beta) = (node.float_or("alpha", 0.9)?, node.float_or("beta", 0.999)?);
    let gradient = t.regularized(node, tensor, gradient)?;
    let mean = t.mixed(mean, alpha, &gradient, 1.0 - alpha)?;
    let square = t.unary("math.sqr", &gradient);
    let squares = t.mixed(squares, beta, &square, 1.0 - beta)?;
    let root = t.unary("math.sqrt", &squares);
    let root = t.binary("math.add", &root, &Tensor::real(node.float_or("epsilon", 1e-6)?))?;
    let step = t.binary("math.div", &mean, &root)?;
    let rate = unbiased(t, &rate, &count, alpha, beta)?;
    let next = t.stepped(tensor, &rate, &step)?;
    let kept = 1.0 - node.float_or("norm_coefficient_post", 0.0)?;
    Ok(vec![t.times(&next, kept)?, mean, squares])
}

/// The rate for means that begin at 0: none is corrected before the first step.
fn unbiased(t: &mut Translator<'_>, rate: &Tensor, count: &Tensor, alpha: f64, beta: f64) -> Result<Tensor, String> {
    let rest = |t: &mut Translator<'_>, base: f64| {
        let power = t.binary("math.pow", &Tensor::real(base), count)?;
        t.binary("math.sub", &Tensor::real(1.0), &power)
    };
    let (of_mean, of_squares) = (rest(t, alpha)?, rest(t, beta)?);
    let root = t.unary("math.sqrt", &of_squares);
    let scaled = t.binary("math.mul", rate, &root)?;
    let corrected = t.binary("math.div", &scaled, &of_mean)?;
    let begins = t.compared("math.gt", count, &Tensor::real(0.0))?;
    t.select(&begins, &corrected, rate)
}
