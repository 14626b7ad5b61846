//! Random valid graphs as texts of cases. A graph is made of steps, each of which is a few numbers: what they mean depends on
//! the tensors that are there, so that a list of steps with some left out, or with smaller numbers, is a graph as well.
//!
//! Reals are chosen so that sums and products are exact, whatever the order; functions that are not exact give tensors that are
//! only moved from then on. So backends may be asked for the same values.

mod control;
mod data;
mod elementwise;
pub mod integers;
mod layout;
pub mod open;
mod packs;
mod state;
mod windows;

use std::fmt::{self, Display, Write};

/// The numbers of one step.
pub type Step = [u16; 6];

/// More elements make a case slow, and no better.
const MAX_ELEMENTS: usize = 400;
/// Binary digits in which reals are exact.
const EXACT_BITS: u32 = 22;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Real,
    Int,
    Bool,
}

impl Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Real => "real",
            Type::Int => "int",
            Type::Bool => "bool",
        })
    }
}

/// Binary digits before and behind the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Digits {
    whole: u32,
    fraction: u32,
}

impl Digits {
    const NONE: Digits = Digits { whole: 0, fraction: 0 };

    fn sum(self, other: Digits) -> Digits {
        Digits { whole: self.whole.max(other.whole) + 1, fraction: self.fraction.max(other.fraction) }
    }

    fn product(self, other: Digits) -> Digits {
        Digits { whole: self.whole + other.whole, fraction: self.fraction + other.fraction }
    }

    fn sum_of(self, count: usize) -> Digits {
        Digits { whole: self.whole + usize::BITS - count.leading_zeros(), ..self }
    }
}

#[derive(Debug, Clone)]
struct Tensor {
    name: String,
    ty: Type,
    shape: Vec<usize>,
    /// None: not exact.
    digits: Option<Digits>,
}

impl Tensor {
    fn is_exact(&self) -> bool {
        self.digits.is_some()
    }

    fn rank(&self) -> usize {
        self.shape.len()
    }
}

/// Numbers of a step, used one after the other.
struct Choices<'a> {
    numbers: &'a [u16],
    at: usize,
}

impl Choices<'_> {
    fn next(&mut self) -> usize {
        let number = self.numbers[self.at % self.numbers.len()].rotate_left(3 * (self.at / self.numbers.len()) as u32);
        self.at += 1;
        number.into()
    }

    /// Below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        self.next() % limit
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A graph while it is made.
#[derive(Default)]
struct Graph {
    tensors: Vec<Tensor>,
    operators: String,
    inputs: String,
    /// Some of the tensors that are given are variables.
    variables: Vec<Tensor>,
    statements: String,
    directives: String,
    /// Directives of further runs, which give packs of another length.
    others: [String; 2],
    /// Outputs that nothing else uses, as they are declared.
    given: String,
    /// Whether sums and products are rounded, and each bit is expected.
    is_rough: bool,
}

/// The text of a case without expected values.
pub fn text(steps: &[Step]) -> String {
    graph(steps).finish(false)
}

/// The same with quantized tensors, with which runs compute.
pub fn quantized(steps: &[Step]) -> String {
    graph(steps).finish(true)
}

/// The same with reals of all bits, and operators that every backend has to round alike.
pub fn rough(steps: &[Step]) -> String {
    let graph = of_steps(steps, Graph { is_rough: true, ..Graph::default() });
    graph.finish(false).replace("#: tolerance 1e-4", "#: tolerance 0 ulp")
}

fn graph(steps: &[Step]) -> Graph {
    of_steps(steps, Graph::default())
}

fn of_steps(steps: &[Step], mut graph: Graph) -> Graph {
    graph.input(&mut Choices { numbers: &[1, 0, 2, 3, 5, 9], at: 0 }, Type::Real);
    graph.input(&mut Choices { numbers: &[2, 2, 2, 3, 7, 1], at: 0 }, Type::Int);
    for step in steps {
        graph.step(&mut Choices { numbers: step, at: 0 });
    }
    graph
}

impl Graph {
    fn step(&mut self, choices: &mut Choices) {
        match choices.below(15) {
            0 => {
                let ty = choices.pick(&[Type::Real, Type::Int, Type::Bool]);
                self.input(choices, ty);
            }
            1..=4 => self.elementwise(choices),
            5..=7 => self.layout(choices),
            8 => self.reduction(choices),
            9 => self.window(choices),
            10 => self.control(choices),
            11 | 12 => self.data(choices),
            13 => self.pack(choices),
            _ => self.custom(choices),
        }
    }

    /// An input with values.
    fn input(&mut self, choices: &mut Choices, ty: Type) {
        let rank = choices.below(4);
        let mut shape: Vec<usize> = (0..rank).map(|_| choices.pick(&[1, 2, 3, 4, 5, 7])).collect();
        while volume(&shape) > MAX_ELEMENTS / 4 {
            shape.pop();
        }
        let name = format!("i{}", self.tensors.len());
        let extremes = choices.chance(25);
        let own = |choices: &mut Choices| match (ty, self.is_rough) {
            (Type::Real, true) => rough_value(choices),
            _ => value(choices, ty, extremes),
        };
        let values: Vec<String> = (0..volume(&shape)).map(|_| own(choices)).collect();
        if choices.chance(15) {
            return self.variable(ty, shape, &values);
        }
        let is_open = choices.chance(30);
        let declared: Vec<String> = shape
            .iter()
            .enumerate()
            .map(|(at, extent)| match is_open && *extent > 1 {
                true => format!("{name}_{at}|{}", extent + at),
                false => extent.to_string(),
            })
            .collect();
        let _ = writeln!(self.inputs, "        {name}: {ty}[{}];", declared.join(", "));
        self.direct(&format!("#: input {name} = {ty}{shape:?} {}", nested(&shape, &values)));
        self.tensors.push(Tensor { name, ty, shape, digits: Some(Digits { whole: 2, fraction: 1 }) });
    }

    /// A directive of every run.
    fn direct(&mut self, text: &str) {
        for run in [&mut self.directives].into_iter().chain(&mut self.others) {
            let _ = writeln!(run, "{text}");
        }
    }

    /// A tensor that fulfils a condition, of those that are there; later ones rather than earlier ones.
    fn any(&mut self, choices: &mut Choices, fits: impl Fn(&Tensor) -> bool) -> Option<Tensor> {
        let fitting: Vec<&Tensor> = self.tensors.iter().rev().filter(|tensor| fits(tensor)).collect();
        if fitting.is_empty() {
            return None;
        }
        let first = choices.below(fitting.len());
        Some(fitting[first.min(choices.below(fitting.len()))].clone())
    }

    /// A result of the expression.
    fn result(&mut self, expression: impl Display, ty: Type, shape: Vec<usize>, digits: Option<Digits>) {
        if volume(&shape) > MAX_ELEMENTS {
            return;
        }
        let name = self.fresh(ty, shape, digits);
        let _ = writeln!(self.statements, "        {name} = {expression};");
    }

    /// The name of an intermediate value, which no other step uses.
    fn intermediate(&mut self, expression: impl Display) -> String {
        let name = format!("u{}", self.statements.len());
        let _ = writeln!(self.statements, "        {name} = {expression};");
        name
    }

    /// The name of another result.
    fn fresh(&mut self, ty: Type, shape: Vec<usize>, digits: Option<Digits>) -> String {
        let name = format!("t{}", self.tensors.len());
        let is_short = |digits: &Digits| digits.whole + digits.fraction <= EXACT_BITS;
        let digits = digits.filter(|digits| ty != Type::Real || self.is_rough || is_short(digits));
        self.tensors.push(Tensor { name: name.clone(), ty, shape, digits });
        name
    }

    fn finish(self, is_quantized: bool) -> String {
        let (quantize, executed) = match is_quantized {
            true => (self.quantization(), "#: quantization executed\n"),
            false => (String::new(), ""),
        };
        let (declared, updates) = self.state();
        let has_packs = self.others[0] != self.directives;
        let Graph { tensors, operators, inputs, statements, directives, others, given, .. } = self;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let words = || statements.split(|c| !is_word(c));
        let is_used = |name: &str| words().filter(|word| *word == name).count() > 1;
        let is_result = |tensor: &&Tensor| tensor.name.starts_with('t') && !is_used(&tensor.name);
        let mut results: Vec<&Tensor> = tensors.iter().filter(is_result).collect();
        // One of many is given to nobody, and is computed all the same.
        if results.len() > 2 {
            results.remove(0);
        }
        if results.is_empty() {
            results.extend(tensors.iter().rfind(|tensor| tensor.name.starts_with('t')));
        }
        let mut outputs: String = results
            .iter()
            .map(|tensor| format!("        {}: {}[{}];\n", tensor.name, tensor.ty, vec!["~"; tensor.rank()].join(", ")))
            .collect();
        outputs.push_str(&given);
        let others = others.iter().filter(|_| has_packs);
        let others: String = others.map(|run| format!("#: run G\n#: tolerance 1e-4\n{executed}{run}")).collect();
        let mut statements = statements;
        if outputs.is_empty() {
            outputs = "        y: real[];\n".to_owned();
            statements.push_str("        y = math.add(1.0, 2.0);\n");
        }
        format!(
            "import layout;\nimport linalg;\nimport math;\nimport nn;\nimport quant;\n\n{operators}graph G {{\n    @input {{\n{inputs}    }}\n    \
             {declared}@output {{\n{outputs}    }}\n    @compose {{\n{statements}    }}\n{updates}{quantize}}}\n#: run G\n#: tolerance 1e-4\n{executed}{directives}{others}"
        )
    }
}

impl Graph {
    /// Quantization of the exact results, in steps that keep them exact.
    fn quantization(&self) -> String {
        const TYPES: [&str; 6] = [
            "zero_point=128, scale=0.5, bits=8, signed=false",
            "zero_point=0, scale=0.25, bits=8",
            "zero_point=-3, scale=1.0, bits=8",
            "zero_point=0, scale=0.5, bits=8, symmetric=true",
            "zero_point=1000, scale=0.125, bits=16, signed=false",
            "zero_point=0, scale=0.5, bits=32",
        ];
        let is_result = |tensor: &&Tensor| tensor.ty == Type::Real && tensor.is_exact() && tensor.name.starts_with('t');
        let results = self.tensors.iter().filter(is_result).enumerate();
        let lines: String = results
            .map(|(at, tensor)| (&tensor.name, TYPES[(at + tensor.shape.len()) % TYPES.len()]))
            .map(|(name, ty)| format!("        {name}: quant.zero_point_linear_quantize{{{ty}}};\n"))
            .collect();
        if lines.is_empty() { lines } else { format!("    @quantize {{\n{lines}    }}\n") }
    }
}

fn volume(shape: &[usize]) -> usize {
    shape.iter().product()
}

fn value(choices: &mut Choices, ty: Type, extremes: bool) -> String {
    let number = choices.next();
    match ty {
        Type::Bool => (number % 2 == 1).to_string(),
        Type::Int if extremes => ["0", "1", "-1", "9223372036854775807", "-9223372036854775808", "4611686018427387904"]
            [number % 6]
            .to_owned(),
        Type::Int => (number as i64 % 13 - 4).to_string(),
        Type::Real if extremes => ["0.0", "-0.0", "inf", "-inf", "nan", "1.5"][number % 6].to_owned(),
        Type::Real => format!("{:?}", (number % 9) as f64 / 2.0 - 2.0),
    }
}

/// A number between -2 and 2 of 24 bits, hardly one like another.
fn rough_value(choices: &mut Choices) -> String {
    let number = (choices.next() as u32 + 1).wrapping_mul(2_654_435_769);
    let value = f64::from(number) / f64::from(1u32 << 30) - 2.0;
    format!("{:?}", f64::from(value as f32))
}

/// Nested lists of the values.
fn nested(shape: &[usize], values: &[String]) -> String {
    match shape {
        [] => values[0].clone(),
        [_, inner @ ..] => {
            let items: Vec<String> = values.chunks(volume(inner)).map(|chunk| nested(inner, chunk)).collect();
            format!("[{}]", items.join(", "))
        }
    }
}
