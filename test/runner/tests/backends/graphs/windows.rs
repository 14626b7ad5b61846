//! Matrix products, convolutions and pooling.

use super::{Choices, Digits, Graph, Tensor, Type};

/// Of whole numbers up to 8.
const FILTER_DIGITS: Digits = Digits { whole: 4, fraction: 0 };

impl Graph {
    pub(super) fn window(&mut self, choices: &mut Choices) {
        let is_matrix = |x: &Tensor| x.ty == Type::Real && x.rank() >= 2 && x.is_exact();
        let Some(x) = self.any(choices, is_matrix) else { return };
        match (choices.below(3), x.rank()) {
            (0, 3) => self.convolution(choices, &x),
            (1, _) => self.pool(choices, &x),
            _ => self.product(choices, &x),
        }
    }

    /// Transposed where that fits; sometimes of a matrix with itself.
    fn product(&mut self, choices: &mut Choices, x: &Tensor) {
        let [.., m, k] = x.shape[..] else { return };
        let fits = |y: &Tensor| {
            y.ty == Type::Real && y.is_exact() && y.rank() == 2 && x.rank() == 2 && (y.shape[0] == k || y.shape[1] == k)
        };
        let Some(y) = self.any(choices, fits) else { return };
        let transposed = y.shape[0] != k;
        let n = if transposed { y.shape[0] } else { y.shape[1] };
        let digits = x.digits.zip(y.digits).map(|(a, b)| a.product(b).sum_of(k));
        let call = format!("linalg.matmul{{transB={transposed}}}({}, {})", x.name, y.name);
        self.result(call, Type::Real, vec![m, n], digits);
    }

    /// Of one dimension, with a filter that is computed of the input; a finite one, as what lies outside is taken for zeros.
    fn convolution(&mut self, choices: &mut Choices, x: &Tensor) {
        let [batch, channels, extent] = x.shape[..] else { return };
        let size = 1 + choices.below(extent.min(3));
        let (stride, padding) = (1 + choices.below(2), choices.below(2));
        let positions = (extent + 2 * padding - size) / stride + 1;
        let digits = x.digits.map(|digits| digits.product(FILTER_DIGITS).sum_of(channels * size));
        let part = self.intermediate(format!("layout.slice{{axes=[2], begin=[0], end=[{size}]}}({})", x.name));
        let whole = self.intermediate(format!("layout.cast<int>({part})"));
        let low = self.intermediate(format!("math.min({whole}, 8)"));
        let bounded = self.intermediate(format!("math.max({low}, -8)"));
        let filter = self.intermediate(format!("layout.cast<real>({bounded})"));
        let call = format!("nn.conv{{stride=[{stride}], padding=[{padding}, {padding}]}}({}, {filter})", x.name);
        self.result(call, Type::Real, vec![batch, batch, positions], digits);
    }

    fn pool(&mut self, choices: &mut Choices, x: &Tensor) {
        let axis = choices.below(x.rank());
        let size = 1 + choices.below(x.shape[axis].min(3));
        let stride = 1 + choices.below(2);
        let mut shape = x.shape.clone();
        shape[axis] = (x.shape[axis] - size) / stride + 1;
        let (operator, digits) = match choices.chance(50) {
            true => ("max_pool", x.digits),
            false => ("sum_pool", x.digits.map(|digits: Digits| digits.sum_of(size))),
        };
        let attributes = format!("axes=[{axis}], size=[{size}], stride=[{stride}], padding=[0, 0]");
        self.result(format!("nn.{operator}{{{attributes}}}({})", x.name), Type::Real, shape, digits);
    }
}
