//! Extents that data determine: what is found, collected or grows is summed up to a known shape.

use super::{Choices, Graph, Tensor, Type, volume};

/// A loop runs at most so often.
const ROUNDS: usize = 4;

impl Graph {
    pub(super) fn data(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, |x| x.is_exact() && x.ty != Type::Bool && x.rank() > 0) else { return };
        let Some(y) = self.any(choices, |y| y.is_exact() && y.ty == x.ty && y.shape == x.shape) else { return };
        match choices.below(5) {
            0 => self.found(&x),
            1 => self.chosen(&x),
            2 => self.collected(choices, &x, &y),
            3 => self.growing(choices, &x, &y),
            _ => self.longer(choices, &x, &y),
        }
    }

    /// The shape of what is found, and the sum of the positions.
    fn found(&mut self, x: &Tensor) {
        let (zero, name) = (if x.ty == Type::Int { "0" } else { "0.0" }, &x.name);
        let mask = self.intermediate(format!("math.gt({name}, {zero})"));
        let places = self.intermediate(format!("layout.nonzero({mask})"));
        self.result(format!("layout.shape({places})"), Type::Int, vec![2], None);
        let sum = format!("math.sum_reduce{{axes=[1], squeeze=true}}({places})");
        self.result(sum, Type::Int, vec![x.rank()], None);
    }

    /// Rows of which some are left out.
    fn chosen(&mut self, x: &Tensor) {
        let rows = self.intermediate(match x.rank() {
            1 => format!("math.abs({})", x.name),
            rank => {
                let axes: Vec<usize> = (1..rank).collect();
                format!("math.max_reduce{{axes={axes:?}, squeeze=true}}({})", x.name)
            }
        });
        let limit = if x.ty == Type::Int { "1" } else { "1.0" };
        let mask = self.intermediate(format!("math.gt({rows}, {limit})"));
        let places = self.intermediate(format!("layout.nonzero({mask})"));
        let flat = self.intermediate(format!("layout.flatten({places})"));
        let kept = self.intermediate(format!("layout.gather{{axis=0}}({}, {flat})", x.name));
        self.summed(&kept, x, x.shape[0]);
    }

    /// As many items as a tensor says.
    fn collected(&mut self, choices: &mut Choices, x: &Tensor, y: &Tensor) {
        let Some(count) = self.count(choices) else { return };
        let (items, last) = (format!("p{}", self.statements.len()), format!("q{}", self.statements.len()));
        let body = format!("t = math.add(s, {}); yield t, s;", y.name);
        let condition = choices.pick(&["", "", "while go "]);
        let (carried, results, body) = match condition {
            "" => (format!("s = {}", x.name), last.clone(), body),
            _ => {
                let Some(flag) = self.flag(choices) else { return };
                let body = format!("t = math.add(s, {}); yield t, {}, s;", y.name, flag.name);
                (format!("s = {}, go = true", x.name), format!("{last}, ~"), body)
            }
        };
        self.statements.push_str(&format!(
            "        {results}, {items}..({ROUNDS}) = with {carried} {condition}do..({count}) {{ {body} }};\n"
        ));
        let digits = x.digits.zip(y.digits).map(|(a, b)| a.sum(b).sum_of(ROUNDS * ROUNDS));
        self.result(format!("math.neg({last})"), x.ty, x.shape.clone(), digits);
        let most = (2 * ROUNDS + 1) * ROUNDS * x.shape.iter().max().copied().unwrap_or(1);
        let digits = x.digits.zip(y.digits).map(|(a, b)| a.sum(b).sum_of(most));
        let pack = match choices.below(4) {
            0 => items,
            1 => format!("[{}, {items}..]", y.name),
            2 => format!("[{items}.., {}]", x.name),
            _ => format!("[{items}.., {}, {items}..]", y.name),
        };
        let (operator, axis, mut shape) = match choices.chance(50) {
            true => ("stack", choices.below(x.rank() + 1), x.shape.clone()),
            false => ("concat", choices.below(x.rank()), x.shape.clone()),
        };
        if operator == "concat" {
            shape.remove(axis);
        }
        let whole = self.intermediate(format!("layout.{operator}{{axis={axis}}}({pack})"));
        self.result(format!("math.sum_reduce{{axes=[{axis}], squeeze=true}}({whole})"), x.ty, shape, digits);
    }

    /// A tensor that gets longer with each iteration.
    fn growing(&mut self, choices: &mut Choices, x: &Tensor, y: &Tensor) {
        let Some(count) = self.count(choices) else { return };
        let most = x.shape[0] * (ROUNDS + 1);
        let shape: Vec<String> =
            std::iter::once(format!("~|{most}")).chain(x.shape[1..].iter().map(usize::to_string)).collect();
        let grown = self.intermediate(format!(
            "with s: {}[{}] = {} do..({count}) layout.concat{{axis=0}}([{}])",
            x.ty,
            shape.join(", "),
            x.name,
            choices.pick(&["s, ", ""]).to_owned() + &y.name + choices.pick(&[", s", ""]),
        ));
        self.summed(&grown, x, most);
    }

    /// A branch of which one side gives more.
    fn longer(&mut self, choices: &mut Choices, x: &Tensor, y: &Tensor) {
        let Some(flag) = self.flag(choices) else { return };
        let (x_name, y_name) = (&x.name, &y.name);
        let both =
            format!("if {} then math.neg({x_name}) else layout.concat{{axis=0}}([{x_name}, {y_name}])", flag.name);
        let taken = self.intermediate(both);
        self.summed(&taken, x, 2 * x.shape[0]);
    }

    /// The sum of at most so many rows like those of a tensor.
    fn summed(&mut self, rows: &str, like: &Tensor, most: usize) {
        let digits = like.digits.map(|digits| digits.sum_of(most));
        let sum = format!("math.sum_reduce{{axes=[0], squeeze=true}}({rows})");
        self.result(sum, like.ty, like.shape[1..].to_vec(), digits);
    }

    /// A number of iterations that only the run knows.
    fn count(&mut self, choices: &mut Choices) -> Option<String> {
        let number = self.any(choices, |number| number.ty == Type::Int && volume(&number.shape) == 1)?;
        let scalar = match number.rank() {
            0 => number.name,
            _ => self.intermediate(format!("layout.reshape{{shape=[]}}({})", number.name)),
        };
        let least = self.intermediate(format!("math.max({scalar}, 0)"));
        Some(self.intermediate(format!("math.min({least}, {ROUNDS})")))
    }
}
