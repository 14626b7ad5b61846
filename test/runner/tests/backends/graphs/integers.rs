//! Random networks of integers: products of matrices, convolutions, windows of channels, the greatest of windows, sums of tensors with
//! zero points, tables. What is added up is multiplied by numbers of 31 bits, shifted and limited to few bits again.

use super::{Choices, Step, nested, volume};
use std::fmt::Write;

/// Multiplications of a product, at most: the oracle does one after the other.
const MOST_TERMS: usize = 60_000;
/// Operations of a network, at most.
const MOST_OPERATIONS: usize = 4;

/// What networks are made of.
const OPERATORS: &str = "\
operator product {
    @attrib { zero: int; }
    @input { x: int[M, K]; f: int[K, N]; }
    @output { y: int[M, N]; }
    @lower {
        y[i, n] = 0, i < M, n < N;
        y[i, n] += (x[i, k] - zero) * f[k, n], i < M, n < N, k < K;
    }
}
operator convolution {
    @attrib { zero: int; stride: int; }
    @input { x: int[H, W, C]; f: int[U, V, C, N]; }
    @output { y: int[(H - U) / stride + 1, (W - V) / stride + 1, N]; }
    @lower {
        y[i, j, n] = 0, i < (H - U) / stride + 1, j < (W - V) / stride + 1, n < N;
        y[i, j, n] += (x[stride * i + u, stride * j + v, c] - zero) * f[u, v, c, n],
            i < (H - U) / stride + 1, j < (W - V) / stride + 1, n < N, u < U, v < V, c < C;
    }
}
operator channels {
    @attrib { zero: int; }
    @input { x: int[H, W, C]; f: int[U, V, C]; }
    @output { y: int[H - U + 1, W - V + 1, C]; }
    @lower {
        y[i, j, c] = 0, i < H - U + 1, j < W - V + 1, c < C;
        y[i, j, c] += (x[i + u, j + v, c] - zero) * f[u, v, c], i < H - U + 1, j < W - V + 1, c < C, u < U, v < V;
    }
}
operator greatest {
    @attrib { size: int; least: int; }
    @input { x: int[H, W, C]; }
    @output { y: int[H / size, W / size, C]; }
    @lower {
        y[i, j, c] = least, i < H / size, j < W / size, c < C;
        y[i, j, c] >= x[size * i + u, size * j + v, c], i < H / size, j < W / size, c < C, u < size, v < size;
    }
}
operator requantize {
    @attrib { half: int; power: int; zero: int; least: int; most: int; }
    @input { x: int[s..(d)]; bias: int[c]; multiplier: int[c]; }
    @output { y: int[s..]; }
    @lower {
        y[i..] = ((x[i..] + bias[i[d - 1],]) * multiplier[i[d - 1],] + half) / power + zero << most >> least, i < s;
    }
}
operator sum {
    @attrib { zx: int; zy: int; mx: int; my: int; half: int; power: int; least: int; most: int; }
    @input { x: int[s..]; y: int[s..]; }
    @output { z: int[s..]; }
    @lower {
        z[i..] = ((x[i..] - zx) * mx + (y[i..] - zy) * my + half) / power << most >> least,
            i < s;
    }
}
operator table {
    @attrib { least: int; }
    @input { x: int[s..]; values: int[n]; }
    @output { y: int[s..]; }
    @lower { y[i..] = values[x[i..] - least >> 0 << n - 1,], i < s; }
}
";

/// Numbers that are stored in few bits.
#[derive(Debug, Clone, Copy)]
struct Form {
    storage: &'static str,
    least: i64,
    most: i64,
}

const FORMS: [Form; 4] = [
    Form { storage: "u8", least: 0, most: 255 },
    Form { storage: "i8", least: -128, most: 127 },
    Form { storage: "i16", least: -32768, most: 32767 },
    Form { storage: "u16", least: 0, most: 65535 },
];

/// A network while it is made.
struct Network {
    /// What the last operation gives, and its shape and numbers.
    last: (String, Vec<usize>, Form),
    declared: String,
    statements: String,
    directives: String,
    /// Outputs besides the last result.
    given: String,
    /// Whether all results are outputs, or the last one.
    gives_all: bool,
    count: usize,
}

/// The text of a case without expected values.
pub fn text(steps: &[Step]) -> String {
    let first = [&steps[0][..], &[7, 3]].concat();
    let mut choices = Choices { numbers: &first, at: 0 };
    let mut network = Network::with_input(&mut choices);
    for step in &steps[..steps.len().min(MOST_OPERATIONS)] {
        network.operation(&mut Choices { numbers: step, at: 0 });
    }
    network.finish()
}

impl Network {
    fn with_input(choices: &mut Choices) -> Network {
        let form = choices.pick(&[FORMS[0], FORMS[1], FORMS[0], FORMS[2]]);
        let shape = match choices.chance(50) {
            true => vec![extent(choices, 70), extent(choices, 70)],
            false => vec![3 + extent(choices, 9), 3 + extent(choices, 9), extent(choices, 40)],
        };
        let values = numbers(choices, volume(&shape), (form.least, form.most));
        let directives =
            format!("#: storage x = {}\n#: input x = int{shape:?} {}\n", form.storage, nested(&shape, &values));
        let last = ("x".to_owned(), shape, form);
        let gives_all = choices.chance(30);
        let (declared, statements, given) = (String::new(), String::new(), String::new());
        Network { last, declared, statements, directives, given, gives_all, count: 0 }
    }

    /// Adds an operation, and what makes few bits of its results.
    fn operation(&mut self, choices: &mut Choices) {
        let is_image = self.last.1.len() == 3;
        match (choices.below(6), is_image) {
            (0, true) => self.greatest(choices),
            (1, _) => self.sum(choices),
            (2, _) => self.table(choices),
            (3, true) => self.channels(choices),
            (_, true) => self.convolution(choices),
            (_, false) => self.product(choices),
        }
    }

    fn product(&mut self, choices: &mut Choices) {
        let [m, k] = self.last.1[..] else { return };
        let n = extent(choices, 70).min(MOST_TERMS / (m * k)).max(1);
        let filter = self.variable(choices, &[k, n], FORMS[1]);
        let zero = zero(choices, self.last.2);
        self.requantized(choices, format!("product{{zero={zero}}}({}, {filter})", self.last.0), vec![m, n], k);
    }

    fn convolution(&mut self, choices: &mut Choices) {
        let [h, w, c] = self.last.1[..] else { return };
        let (size, stride) = (1 + choices.below(3.min(h.min(w))), 1 + choices.below(2));
        let places = [h, w].map(|extent| (extent - size) / stride + 1);
        let n = extent(choices, 70).min(MOST_TERMS / (places[0] * places[1] * c * size * size)).max(1);
        let filter = self.variable(choices, &[size, size, c, n], FORMS[1]);
        let zero = zero(choices, self.last.2);
        let call = format!("convolution{{zero={zero}, stride={stride}}}({}, {filter})", self.last.0);
        self.requantized(choices, call, vec![places[0], places[1], n], c * size * size);
    }

    fn channels(&mut self, choices: &mut Choices) {
        let [h, w, c] = self.last.1[..] else { return };
        let size = 1 + choices.below(3.min(h.min(w)));
        let filter = self.variable(choices, &[size, size, c], FORMS[1]);
        let zero = zero(choices, self.last.2);
        let call = format!("channels{{zero={zero}}}({}, {filter})", self.last.0);
        self.requantized(choices, call, vec![h - size + 1, w - size + 1, c], size * size);
    }

    /// Sums of so many products, in few bits again.
    fn requantized(&mut self, choices: &mut Choices, sums: String, shape: Vec<usize>, terms: usize) {
        let channels = *shape.last().unwrap_or(&1);
        let sums = self.statement(&sums);
        self.give(&sums, &shape);
        let wide = Form { storage: choices.pick(&["i32", "i64", "i16"]), least: -30_000, most: 30_000 };
        let bias = self.variable(choices, &[channels], wide);
        let of_31_bits = Form { storage: "i32", least: 1 << 30, most: (1 << 31) - 1 };
        let multiplier = self.variable(choices, &[channels], of_31_bits);
        let bits = if self.last.2.storage.ends_with("16") { 14 } else { 6 };
        let shift = 31 + bits + (usize::BITS - terms.leading_zeros()) / 2 + choices.below(3) as u32;
        let form = choices.pick(&[FORMS[0], FORMS[1], FORMS[0], FORMS[2], FORMS[3]]);
        let (half, power, Form { least, most, .. }) = (1i64 << (shift - 1), 1i64 << shift, form);
        let zero = zero(choices, form);
        let limits = format!("half={half}, power={power}, zero={zero}, least={least}, most={most}");
        let name = self.statement(&format!("requantize{{{limits}}}({sums}, {bias}, {multiplier})"));
        self.go_on((name, shape, form));
    }

    fn greatest(&mut self, choices: &mut Choices) {
        let [h, w, c] = self.last.1[..] else { return };
        let size = 1 + choices.below(3.min(h.min(w)));
        let least = self.last.2.least;
        let name = self.statement(&format!("greatest{{size={size}, least={least}}}({})", self.last.0));
        self.go_on((name, vec![h / size, w / size, c], self.last.2));
    }

    /// Of the tensor and a variable of its shape, with the zero of each.
    fn sum(&mut self, choices: &mut Choices) {
        let (name, shape, form) = self.last.clone();
        let other = self.variable(choices, &shape, FORMS[0]);
        let [zx, zy] = [zero(choices, form), zero(choices, FORMS[0])];
        let [mx, my] = [0, 1].map(|_| (1i64 << 30) + choices.next() as i64 * 16_001);
        let (half, power) = (1i64 << 30, 1i64 << 31);
        let given = choices.pick(&[FORMS[0], FORMS[1], FORMS[2]]);
        let (least, most) = (given.least, given.most);
        let attributes =
            format!("zx={zx}, zy={zy}, mx={mx}, my={my}, half={half}, power={power}, least={least}, most={most}");
        let name = self.statement(&format!("sum{{{attributes}}}({name}, {other})"));
        self.go_on((name, shape, given));
    }

    fn table(&mut self, choices: &mut Choices) {
        let given = choices.pick(&[FORMS[0], FORMS[1]]);
        let entries = if choices.chance(50) { 256 } else { 1 + choices.below(255) };
        let values = self.variable(choices, &[entries], given);
        let least = self.last.2.least;
        let name = self.statement(&format!("table{{least={least}}}({}, {values})", self.last.0));
        self.go_on((name, self.last.1.clone(), given));
    }

    /// What the next operation takes.
    fn go_on(&mut self, last: (String, Vec<usize>, Form)) {
        let (name, shape, form) = std::mem::replace(&mut self.last, last);
        if name != "x" && self.gives_all {
            self.give(&name, &shape);
            let _ = writeln!(self.directives, "#: storage {name} = {}", form.storage);
        }
    }

    /// A result that is an output, where all are.
    fn give(&mut self, name: &str, shape: &[usize]) {
        if self.gives_all {
            let _ = writeln!(self.given, "        {name}: int{shape:?};");
        }
    }

    fn statement(&mut self, expression: &str) -> String {
        self.count += 1;
        let name = format!("t{}", self.count);
        let _ = writeln!(self.statements, "        {name} = {expression};");
        name
    }

    /// A variable with numbers of a form, which is not always said.
    fn variable(&mut self, choices: &mut Choices, shape: &[usize], form: Form) -> String {
        self.count += 1;
        let name = format!("v{}", self.count);
        let values = numbers(choices, volume(shape), (form.least, form.most));
        let _ = writeln!(self.declared, "        {name}: int{shape:?};");
        let _ = writeln!(self.directives, "#: variable {name} = int{shape:?} {}", nested(shape, &values));
        if form.storage != "i64" {
            let _ = writeln!(self.directives, "#: storage {name} = {}", form.storage);
        }
        name
    }

    fn finish(self) -> String {
        let Network { last: (name, shape, form), declared, statements, directives, given, .. } = self;
        let input = directives
            .split_once("x = int")
            .map_or("", |(_, rest)| rest.split_once(']').map_or("", |(shape, _)| shape));
        format!(
            "{OPERATORS}graph G {{\n    @input {{\n        x: int{input}];\n    }}\n    @variable {{\n{declared}    }}\n    @output {{\n{given}        \
             {name}: int{shape:?};\n    }}\n    @compose {{\n{statements}    }}\n}}\n#: run G\n{directives}#: storage {name} = {}\n",
            form.storage
        )
    }
}

/// Odd ones, and 1 and what fills vectors among them.
fn extent(choices: &mut Choices, most: usize) -> usize {
    let any = 1 + choices.below(most);
    choices.pick(&[1, 3, 16, 32, 64, any, any, any]).min(most)
}

/// A number that stands for 0.
fn zero(choices: &mut Choices, form: Form) -> i64 {
    let other = form.least + (choices.next() as i64) % (form.most - form.least + 1);
    choices.pick(&[0, 0, other])
}

/// So many numbers of a range, both ends among them.
fn numbers(choices: &mut Choices, count: usize, (least, most): (i64, i64)) -> Vec<String> {
    let mut state = choices.next() as u64;
    let span = (most - least + 1) as u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        match (state >> 58) % 16 {
            0 => least,
            1 => most,
            _ => least + ((state >> 33) % span) as i64,
        }
    };
    (0..count).map(|_| next().to_string()).collect()
}
