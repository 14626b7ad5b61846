//! Operators that move elements.

use super::{Choices, Digits, Graph, Tensor, Type, volume};

impl Graph {
    pub(super) fn layout(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, |x| x.rank() > 0) else { return };
        let axis = choices.below(x.rank());
        match choices.below(9) {
            0 => self.reshape(choices, &x),
            1 => self.transpose(choices, &x),
            2 => self.slice(choices, &x, axis),
            3 => self.pad(choices, &x, axis),
            4 => self.concat(choices, &x, axis),
            5 => self.stack(choices, &x),
            6 => self.split(choices, &x, axis),
            7 => self.tile(choices, &x, axis),
            _ => self.gather(choices, &x, axis),
        }
    }

    fn moved(&mut self, call: String, x: &Tensor, shape: Vec<usize>) {
        self.result(call, x.ty, shape, x.digits);
    }

    fn reshape(&mut self, choices: &mut Choices, x: &Tensor) {
        let all = volume(&x.shape);
        let inner = choices.pick(&[1, 2, 3, 4, 5, 6]);
        let shape = if all % inner == 0 { vec![all / inner, inner] } else { vec![all] };
        self.moved(format!("layout.reshape{{shape={shape:?}}}({})", x.name), x, shape);
    }

    fn transpose(&mut self, choices: &mut Choices, x: &Tensor) {
        let mut perm: Vec<usize> = (0..x.rank()).collect();
        for at in (1..perm.len()).rev() {
            perm.swap(at, choices.below(at + 1));
        }
        let shape = perm.iter().map(|&from| x.shape[from]).collect();
        self.moved(format!("layout.transpose{{perm={perm:?}}}({})", x.name), x, shape);
    }

    fn slice(&mut self, choices: &mut Choices, x: &Tensor, axis: usize) {
        let extent = x.shape[axis];
        let begin = choices.below(extent);
        let end = begin + 1 + choices.below(extent - begin);
        let stride = choices.pick(&[1, 1, 2, 3]);
        let mut shape = x.shape.clone();
        shape[axis] = (end - begin).div_ceil(stride);
        let call =
            format!("layout.slice{{axes=[{axis}], begin=[{begin}], end=[{end}], stride=[{stride}]}}({})", x.name);
        self.moved(call, x, shape);
    }

    fn pad(&mut self, choices: &mut Choices, x: &Tensor, axis: usize) {
        let method = choices.pick(&["CONSTANT", "REFLECT", "REPLICATE", "SYMMETRIC"]);
        let most = match method {
            "REFLECT" => x.shape[axis] - 1,
            "SYMMETRIC" => x.shape[axis],
            _ => 3,
        };
        let (before, behind) = (choices.below(most + 1), choices.below(most + 1));
        let mut shape = x.shape.clone();
        shape[axis] += before + behind;
        let call = format!("layout.pad{{axes=[{axis}], padding=[{before}, {behind}], method='{method}'}}({})", x.name);
        self.moved(call, x, shape);
    }

    /// Sometimes of a tensor with itself.
    fn concat(&mut self, choices: &mut Choices, x: &Tensor, axis: usize) {
        let fits = |y: &Tensor| {
            let same = |at: usize| at == axis || x.shape[at] == y.shape[at];
            y.ty == x.ty && y.rank() == x.rank() && (0..x.rank()).all(same)
        };
        let Some(y) = self.any(choices, fits) else { return };
        let mut shape = x.shape.clone();
        shape[axis] += y.shape[axis];
        let digits = x.digits.zip(y.digits).map(|(a, b)| a.sum(b));
        let call = format!("layout.concat{{axis={axis}}}([{}, {}])", x.name, y.name);
        self.result(call, x.ty, shape, digits);
    }

    fn stack(&mut self, choices: &mut Choices, x: &Tensor) {
        let Some(y) = self.any(choices, |y| y.ty == x.ty && y.shape == x.shape) else { return };
        let axis = choices.below(x.rank() + 1);
        let mut shape = x.shape.clone();
        shape.insert(axis, 2);
        let digits = x.digits.zip(y.digits).map(|(a, b)| a.sum(b));
        let call = format!("layout.stack{{axis={axis}}}([{}, {}])", x.name, y.name);
        self.result(call, x.ty, shape, digits);
    }

    fn split(&mut self, choices: &mut Choices, x: &Tensor, axis: usize) {
        let extent = x.shape[axis];
        if extent < 2 {
            return;
        }
        let first = 1 + choices.below(extent - 1);
        let part = |size: usize| {
            let mut shape = x.shape.clone();
            shape[axis] = size;
            shape
        };
        let a = self.fresh(x.ty, part(first), x.digits);
        let b = self.fresh(x.ty, part(extent - first), x.digits);
        let sizes = [first, extent - first];
        let call = format!("layout.split{{axis={axis}, sizes={sizes:?}}}({})", x.name);
        self.statements.push_str(&format!("        [{a}, {b}] = {call};\n"));
    }

    fn tile(&mut self, choices: &mut Choices, x: &Tensor, axis: usize) {
        let repeats = 1 + choices.below(3);
        let mut shape = x.shape.clone();
        shape[axis] *= repeats;
        self.moved(format!("layout.tile{{axes=[{axis}], repeats=[{repeats}]}}({})", x.name), x, shape);
    }

    /// With indices that the data give; what is outside wraps around, mostly.
    fn gather(&mut self, choices: &mut Choices, x: &Tensor, axis: usize) {
        let Some(at) = self.any(choices, |at| at.ty == Type::Int && at.rank() <= 2) else { return };
        let index = match choices.chance(5) {
            true => at.name.clone(),
            false => self.intermediate(format!("math.mod({}, {})", at.name, x.shape[axis])),
        };
        let shape = [&x.shape[..axis], &at.shape, &x.shape[axis + 1..]].concat();
        self.moved(format!("layout.gather{{axis={axis}}}({}, {index})", x.name), x, shape);
    }

    /// A scalar that is true or false.
    pub(super) fn flag(&mut self, choices: &mut Choices) -> Option<Tensor> {
        if let Some(flag) = self.any(choices, |x| x.ty == Type::Bool && x.rank() == 0) {
            return Some(flag);
        }
        let x = self.any(choices, |x| x.ty == Type::Bool)?;
        let axes: Vec<usize> = (0..x.rank()).collect();
        let call = format!("math.any_reduce{{axes={axes:?}, squeeze=true}}({})", x.name);
        self.result(call, Type::Bool, Vec::new(), Some(Digits::NONE));
        self.tensors.last().cloned()
    }
}
