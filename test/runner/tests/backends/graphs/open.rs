//! Graphs whose inputs have open extents. What runs find of them is 0, 1, and the bound: with loops without iterations, tensors
//! without elements, and faults of what may not be done with these.

use super::{Choices, Step, Type, nested, value, volume};
use std::fmt::{Display, Write};

/// The open extents with their bounds.
const SYMBOLS: [(&str, usize); 3] = [("n", 9), ("m", 3), ("k", 17)];
/// What runs find of them: 0 and 1 are meant, 2 stands for the bound.
const RUNS: [[usize; 3]; 6] = [[0, 2, 1], [2, 0, 2], [1, 1, 0], [2, 2, 2], [0, 0, 0], [2, 1, 1]];
/// Results of at most so many additions and multiplications are computed with; they are exact.
const DEPTH: u32 = 4;

/// Operators by name with their definitions: with indices that data give, guards, and arithmetic on extents.
const CUSTOM: [(&str, &str); 7] = [
    ("picked", "x: real[n]; at: int[k]; | y: real[k]; | y[i,] = -1.5, i < k; y[i,] := x[|at[i,]|,], i < k;"),
    ("bounded", "x: real[n]; at: int[k]; | y: real[k]; | y[i,] = x[|at[i,] <> 0 : n - 1|,], i < k;"),
    ("chosen", "x: real[n]; at: int[k]; | y: real[k]; | y[i,] = at[i,] >= 0 && at[i,] < n ? x[at[i,],] : 2.0, i < k;"),
    ("added", "x: real[n]; at: int[k]; | y: real[n]; | y[i,] = x[i,], i < n; y[at[j,],] += 1.0, j < k;"),
    ("turned", "x: real[n]; at: int[k]; | y: real[n]; | y[i,] = x[(i + 1) % n,] + x[n - 1 - i,], i < n, j < k;"),
    ("shared", "x: real[n]; at: int[k]; | y: int[k, n]; | y[i, j] = (i + j) / at[i,], i < k, j < n;"),
    ("carried", "x: real[n]; at: int[k]; | y: real[]; | y[] = 0.5; y[] := x[i,] > 0.0 ? x[i,] : y[], i < n, j < k;"),
];

/// A tensor of which the extents are names or numbers; what an operator makes of them is a name of its own.
#[derive(Clone)]
struct Tensor {
    name: String,
    ty: Type,
    shape: Vec<String>,
    /// How often it was computed with; none if it is not exact.
    depth: Option<u32>,
}

impl Tensor {
    fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether an operator made an extent. Of what is asserted of those that data determine, compiled code tells the first only.
    fn is_derived(&self, axis: usize) -> bool {
        self.shape[axis].starts_with('d')
    }
}

#[derive(Default)]
struct Graph {
    tensors: Vec<Tensor>,
    operators: String,
    inputs: String,
    statements: String,
    /// Directives of each run.
    runs: [String; RUNS.len()],
    outputs: String,
}

/// The text of a case without expected values.
pub fn text(steps: &[Step]) -> String {
    let mut graph = Graph::default();
    graph.input(&mut Choices { numbers: &[1, 0, 3, 5, 9, 4], at: 0 }, Type::Real, &["n"]);
    graph.input(&mut Choices { numbers: &[2, 7, 5, 6, 4, 1], at: 0 }, Type::Int, &["k"]);
    graph.input(&mut Choices { numbers: &[8, 1, 7, 3, 2, 5], at: 0 }, Type::Real, &["n", "m"]);
    for step in steps {
        graph.step(&mut Choices { numbers: step, at: 0 });
    }
    graph.finish()
}

impl Graph {
    fn step(&mut self, choices: &mut Choices) {
        match choices.below(12) {
            0 => self.another_input(choices),
            1 | 2 => self.elementwise(choices),
            3 => self.reduction(choices),
            4 | 5 => self.moved(choices),
            6 => self.gather(choices),
            7 => self.custom(choices),
            8 => self.window(choices),
            9 => self.product(choices),
            10 => self.repeated(choices),
            _ => self.found(choices),
        }
    }

    fn another_input(&mut self, choices: &mut Choices) {
        let ty = choices.pick(&[Type::Real, Type::Int, Type::Bool]);
        let shapes: [&[&str]; 8] =
            [&[], &["k"], &["n"], &["m", "n"], &["2", "n"], &["n", "m", "k"], &["1", "m", "n"], &["m", "3"]];
        let shape = choices.pick(&shapes);
        self.input(choices, ty, shape);
    }

    fn input(&mut self, choices: &mut Choices, ty: Type, shape: &[&str]) {
        let name = format!("i{}", self.tensors.len());
        let bound = |extent: &&str| SYMBOLS.iter().find(|(symbol, _)| symbol == extent).map(|(_, bound)| *bound);
        let declared: Vec<String> = shape
            .iter()
            .map(|extent| bound(extent).map_or_else(|| (*extent).to_owned(), |bound| format!("{extent}|{bound}")))
            .collect();
        let _ = writeln!(self.inputs, "        {name}: {ty}[{}];", declared.join(", "));
        for (run, found) in self.runs.iter_mut().zip(RUNS) {
            let extent = |extent: &&str| match SYMBOLS.iter().position(|(symbol, _)| symbol == extent) {
                Some(at) if found[at] == 2 => SYMBOLS[at].1,
                Some(at) => found[at],
                None => extent.parse().unwrap_or(1),
            };
            let shape: Vec<usize> = shape.iter().map(extent).collect();
            let values: Vec<String> = (0..volume(&shape)).map(|_| small(choices, ty)).collect();
            let values = if values.is_empty() { "[]".to_owned() } else { nested(&shape, &values) };
            let _ = writeln!(run, "#: input {name} = {ty}{shape:?} {values}");
        }
        let shape = shape.iter().map(|extent| (*extent).to_owned()).collect();
        self.tensors.push(Tensor { name, ty, shape, depth: Some(0) });
    }

    fn any(&self, choices: &mut Choices, fits: impl Fn(&Tensor) -> bool) -> Option<Tensor> {
        let fitting: Vec<&Tensor> = self.tensors.iter().rev().filter(|tensor| fits(tensor)).collect();
        let first = choices.below(fitting.len().max(1));
        fitting.get(first.min(choices.below(fitting.len().max(1)))).map(|tensor| (*tensor).clone())
    }

    /// A result of the expression. Some are given, and used as well; some, nobody uses.
    fn result(&mut self, expression: impl Display, ty: Type, shape: Vec<String>, depth: Option<u32>) -> String {
        let name = format!("t{}", self.tensors.len());
        let _ = writeln!(self.statements, "        {name} = {expression};");
        if self.tensors.len() % 4 != 3 {
            let _ = writeln!(self.outputs, "        {name}: {ty}[{}];", vec!["~"; shape.len()].join(", "));
        }
        let depth = depth.filter(|depth| *depth <= DEPTH);
        self.tensors.push(Tensor { name: name.clone(), ty, shape, depth });
        name
    }

    /// An extent that has no other name.
    fn own(&self, number: usize) -> String {
        format!("d{}_{number}", self.tensors.len())
    }

    fn elementwise(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, |x| x.depth.is_some()) else { return };
        let Some(y) = self.any(choices, |y| y.ty == x.ty && y.depth.is_some() && (y.shape == x.shape || y.rank() == 0))
        else {
            return;
        };
        let depth = x.depth.zip(y.depth).map(|(a, b)| a.max(b) + 1);
        let compared = choices.chance(20);
        let operator = match x.ty {
            Type::Bool => choices.pick(&["and", "or", "xor"]),
            _ if compared => choices.pick(&["lt", "ge", "eq"]),
            Type::Int => choices.pick(&["add", "min", "max", "mul", "div", "mod"]),
            Type::Real => choices.pick(&["add", "sub", "mul", "min", "max"]),
        };
        let ty = if compared { Type::Bool } else { x.ty };
        let called = self.result(format!("math.{operator}({}, {})", x.name, y.name), ty, x.shape.clone(), depth);
        if ty == Type::Bool && x.ty == Type::Real && choices.chance(50) {
            self.result(format!("math.select({called}, {}, {})", x.name, y.name), x.ty, x.shape, depth);
        }
    }

    fn reduction(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, |x| x.rank() > 0 && x.ty != Type::Bool && x.depth.is_some()) else { return };
        let axis = choices.below(x.rank());
        let mut shape = x.shape.clone();
        let squeeze = choices.chance(50);
        if squeeze {
            drop(shape.remove(axis))
        } else {
            shape[axis] = "1".into()
        }
        let deeper = x.depth.map(|depth| depth + 2);
        match choices.below(if x.ty == Type::Real { 7 } else { 4 }) {
            0 | 1 => {
                let operator = choices.pick(&["sum", "max", "min"]);
                let call = format!("math.{operator}_reduce{{axes=[{axis}], squeeze={squeeze}}}({})", x.name);
                self.result(call, x.ty, shape, deeper);
            }
            2 => {
                let reverse = choices.chance(50);
                self.result(
                    format!("math.cumsum{{axis={axis}, reverse={reverse}}}({})", x.name),
                    x.ty,
                    x.shape,
                    deeper,
                );
            }
            3 if !x.is_derived(axis) => {
                let call = format!("math.argmax{{axis={axis}, squeeze={squeeze}}}({})", x.name);
                self.result(call, Type::Int, shape, Some(0));
            }
            3 => {}
            4 => drop(self.result(format!("nn.softmax{{axes=[{axis}]}}({})", x.name), x.ty, x.shape, None)),
            5 => {
                drop(self.result(format!("nn.l2_norm{{axes=[{axis}], epsilon=0.5}}({})", x.name), x.ty, x.shape, None))
            }
            _ => {
                let call = format!("math.mean_reduce{{axes=[{axis}], squeeze={squeeze}}}({})", x.name);
                self.result(call, x.ty, shape, None);
            }
        }
    }

    fn moved(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, |x| x.rank() > 0) else { return };
        let (axis, mut shape) = (choices.below(x.rank()), x.shape.clone());
        shape[axis] = self.own(0);
        let name = &x.name;
        let call = match choices.below(9) {
            0 => format!("layout.concat{{axis={axis}}}([{name}, {name}])"),
            1 => {
                let (begin, end) = (choices.pick(&["0", "1", "-2"]), choices.pick(&["1", "2", "-1"]));
                format!("layout.slice{{axes=[{axis}], begin=[{begin}], end=[{end}]}}({name})")
            }
            2 => {
                let padding = [choices.below(3), choices.below(3)];
                let method = choices.pick(&["CONSTANT", "REPLICATE", "REFLECT", "SYMMETRIC"]);
                format!("layout.pad{{axes=[{axis}], padding={padding:?}, method='{method}'}}({name})")
            }
            3 => format!("layout.tile{{axes=[{axis}], repeats=[{}]}}({name})", 1 + choices.below(3)),
            4 => {
                shape = vec![self.own(0)];
                format!("layout.flatten({name})")
            }
            5 => {
                shape = x.shape.iter().rev().cloned().collect();
                let perm: Vec<usize> = (0..x.rank()).rev().collect();
                format!("layout.transpose{{perm={perm:?}}}({name})")
            }
            6 => {
                shape = [&["2".to_owned()], x.shape.as_slice()].concat();
                format!("layout.stack{{axis=0}}([{name}, {name}])")
            }
            7 => format!("layout.slice{{axes=[{axis}], begin=[-1], end=[-18], stride=[-1]}}({name})"),
            _ if x.ty == Type::Real => format!("image.linear_upsample{{axes=[{axis}], factor=[2]}}({name})"),
            _ => format!("layout.concat{{axis={axis}}}([{name}, {name}, {name}])"),
        };
        self.result(call, x.ty, shape, x.depth);
    }

    fn gather(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, |x| x.rank() > 0) else { return };
        let Some(at) = self.any(choices, |at| at.ty == Type::Int && at.rank() <= 2) else { return };
        let axis = choices.below(x.rank());
        let index = match choices.chance(60) {
            true => self.result(format!("math.mod({}, 1)", at.name), Type::Int, at.shape.clone(), Some(0)),
            false => at.name,
        };
        let shape = [&x.shape[..axis], &at.shape, &x.shape[axis + 1..]].concat();
        self.result(format!("layout.gather{{axis={axis}}}({}, {index})", x.name), x.ty, shape, x.depth);
    }

    fn custom(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, |x| x.ty == Type::Real && x.rank() == 1 && x.depth.is_some()) else { return };
        let Some(at) = self.any(choices, |at| at.ty == Type::Int && at.rank() == 1) else { return };
        let (name, definition) = choices.pick(&CUSTOM);
        let mut parts = definition.split(" | ");
        let [given, made, formula] = [(); 3].map(|()| parts.next().unwrap_or_default());
        let head = format!("operator {name} {{");
        if !self.operators.contains(&head) {
            let _ =
                writeln!(self.operators, "{head} @input {{ {given} }} @output {{ {made} }} @lower {{ {formula} }} }}");
        }
        let shape = match name {
            "picked" | "bounded" | "chosen" => at.shape,
            "shared" => vec![at.shape[0].clone(), x.shape[0].clone()],
            "carried" => Vec::new(),
            _ => x.shape,
        };
        let ty = if name == "shared" { Type::Int } else { Type::Real };
        self.result(format!("{name}({}, {})", x.name, at.name), ty, shape, x.depth.map(|depth| depth + 1));
    }

    fn window(&mut self, choices: &mut Choices) {
        let is_real = |x: &Tensor| x.ty == Type::Real && x.depth.is_some();
        let Some(x) = self.any(choices, |x| is_real(x) && x.rank() > 0) else { return };
        let axis = choices.below(x.rank());
        let (size, padding) = (1 + choices.below(3), if x.is_derived(axis) { 2 } else { choices.below(3) });
        if x.rank() == 3 && !x.is_derived(2) && choices.chance(60) {
            let filter = self.any(choices, |f| is_real(f) && f.rank() == 3 && f.shape[1] == x.shape[1]);
            let Some(filter) = filter else { return };
            let shape = vec![x.shape[0].clone(), filter.shape[0].clone(), self.own(0)];
            let call = format!("nn.conv{{stride=[1], padding=[{padding}, {padding}]}}({}, {})", x.name, filter.name);
            self.result(call, Type::Real, shape, None);
            return;
        }
        let mut shape = x.shape.clone();
        shape[axis] = self.own(0);
        let operator = choices.pick(&["max_pool", "sum_pool", "avg_pool"]);
        let padding = if !x.is_derived(axis) && choices.chance(30) {
            String::new()
        } else {
            format!(", padding=[{padding}, {padding}]")
        };
        let depth = x.depth.filter(|_| operator != "avg_pool").map(|depth| depth + 1);
        self.result(format!("nn.{operator}{{axes=[{axis}], size=[{size}]{padding}}}({})", x.name), x.ty, shape, depth);
    }

    fn product(&mut self, choices: &mut Choices) {
        let is_matrix = |x: &Tensor| x.ty == Type::Real && x.rank() == 2 && x.depth.is_some();
        let Some(x) = self.any(choices, is_matrix) else { return };
        let Some(y) = self.any(choices, |y| is_matrix(y) && y.shape.contains(&x.shape[1])) else { return };
        let transposed = y.shape[0] != x.shape[1];
        let shape = vec![x.shape[0].clone(), y.shape[usize::from(!transposed)].clone()];
        let depth = x.depth.zip(y.depth).map(|(a, b)| a.max(b) + 3);
        self.result(format!("linalg.matmul{{transB={transposed}}}({}, {})", x.name, y.name), x.ty, shape, depth);
    }

    /// Loops, some of which nobody uses; the data give their counts, which may be negative or too large.
    fn repeated(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, |x| x.ty == Type::Real && x.depth.is_some()) else { return };
        let Some(count) = self.count(choices) else { return };
        let (number, name) = (self.tensors.len(), &x.name);
        match choices.below(3) {
            0 => drop(self.result(format!("with s = {name} do..({count}) math.neg(s)"), x.ty, x.shape, x.depth)),
            1 => {
                let body = "w = math.neg(s); yield w, s;";
                let _ = writeln!(
                    self.statements,
                    "        s{number}, p{number}..(3) = with s = {name} do..({count}) {{ {body} }};"
                );
                let shape = [&[self.own(0)], x.shape.as_slice()].concat();
                if choices.chance(60) {
                    self.result(format!("layout.stack{{axis=0}}(p{number})"), x.ty, shape, x.depth);
                }
            }
            // The type of what grows names extents, which those that operators make have none of.
            _ if x.rank() > 0 && !(1..x.rank()).any(|axis| x.is_derived(axis)) => {
                let shape = [&["~|40".to_owned()], &x.shape[1..]].concat().join(", ");
                let call = format!("with s: real[{shape}] = {name} do..({count}) layout.concat{{axis=0}}([s, {name}])");
                let shape = [&[self.own(0)], &x.shape[1..]].concat();
                self.result(call, x.ty, shape, x.depth);
            }
            _ => {}
        }
    }

    /// A scalar of the data, mostly not a large one.
    fn count(&mut self, choices: &mut Choices) -> Option<String> {
        let at = self.any(choices, |at| at.ty == Type::Int && at.rank() <= 1)?;
        let mut count = at.name.clone();
        if at.rank() > 0 {
            let operator = choices.pick(&["sum", "max"]);
            let call = format!("math.{operator}_reduce{{axes=[0], squeeze=true}}({count})");
            count = self.result(call, Type::Int, Vec::new(), None);
        }
        let is_small = choices.chance(80);
        Some(if is_small { self.result(format!("math.min({count}, 4)"), Type::Int, Vec::new(), None) } else { count })
    }

    /// What data determine the extents of.
    fn found(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, |x| x.ty == Type::Real && x.rank() > 0 && x.depth.is_some()) else { return };
        match choices.below(3) {
            0 => {
                let mask = self.result(format!("math.gt({}, 0.5)", x.name), Type::Bool, x.shape.clone(), Some(0));
                let shape = vec![x.rank().to_string(), self.own(0)];
                self.result(format!("layout.nonzero({mask})"), Type::Int, shape, Some(0));
            }
            1 => drop(self.result(format!("layout.shape({})", x.name), Type::Int, vec![x.rank().to_string()], Some(0))),
            _ => {
                let Some(flag) = self.any(choices, |x| x.ty == Type::Bool) else { return };
                let axes: Vec<usize> = (0..flag.rank()).collect();
                let call = format!("math.any_reduce{{axes={axes:?}, squeeze=true}}({})", flag.name);
                let flag = self.result(call, Type::Bool, vec![], Some(0));
                let mut shape = x.shape.clone();
                shape[0] = self.own(0);
                let name = &x.name;
                let both = format!("if {flag} then math.neg({name}) else layout.concat{{axis=0}}([{name}, {name}])");
                self.result(both, x.ty, shape, x.depth);
            }
        }
    }

    fn finish(self) -> String {
        let Graph { operators, inputs, mut statements, runs, mut outputs, .. } = self;
        if outputs.is_empty() {
            outputs.push_str("        y: real[~];\n");
            statements.push_str("        y = math.neg(i0);\n");
        }
        let runs: String = runs.iter().map(|run| format!("#: run G\n#: tolerance 1e-4\n{run}")).collect();
        format!(
            "import image;\nimport layout;\nimport linalg;\nimport math;\nimport nn;\n\n{operators}graph G {{\n    @input {{\n{inputs}    }}\n    \
             @output {{\n{outputs}    }}\n    @compose {{\n{statements}    }}\n}}\n{runs}"
        )
    }
}

/// A value; as an index, mostly of the first elements.
fn small(choices: &mut Choices, ty: Type) -> String {
    match ty {
        Type::Int => choices.pick(&["0", "1", "0", "2", "-1", "1", "3", "0"]).to_owned(),
        _ => value(choices, ty, false),
    }
}
