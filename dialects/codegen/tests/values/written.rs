//! Random programs of operations whose results something is claimed of.

use super::{MOST_ROWS, Random};

/// The types of numbers.
const KINDS: [&str; 5] = ["i64", "i64", "i32", "i8", "f32"];

/// Writes a program: values by their types, the last ones last.
pub struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    /// Names and types of scalars in the body that is written.
    scalars: Vec<(String, &'static str)>,
    /// Tensors of the whole shape.
    tensors: Vec<(String, &'static str)>,
    /// The rows of tensors: a number, or one that only a run knows.
    rows: &'static str,
    count: usize,
}

impl<'r> Writer<'r> {
    pub fn new(random: &'r mut Random) -> Writer<'r> {
        let rows = random.of(&["2", "?"]);
        Writer { random, text: String::new(), scalars: Vec::new(), tensors: Vec::new(), rows, count: 0 }
    }

    /// A function of three tensors.
    pub fn program(mut self) -> String {
        for (number, kind) in ["i64", "f32", "i8"].into_iter().enumerate() {
            self.tensors.push((format!("%x{number}"), kind));
        }
        for _ in 0..3 {
            self.elementwise();
            match self.random.below(5) {
                0 | 1 => self.reduced(),
                2 => self.padded(),
                3 => self.inserted(),
                _ => self.reshaped(),
            }
        }
        let shape = self.shape();
        let arguments = format!("%x0: tensor<{shape}xi64>, %x1: tensor<{shape}xf32>, %x2: tensor<{shape}xi8>");
        let (names, kinds): (Vec<String>, Vec<String>) =
            self.tensors.split_off(3).into_iter().map(|(name, kind)| (name, format!("tensor<{shape}x{kind}>"))).unzip();
        let (names, kinds) = (names.join(", "), kinds.join(", "));
        format!(
            "#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>
#column = affine_map<(a, b) -> (b)>
func.func @random({arguments}, %rows: i64 {{skriptnd.bound = {MOST_ROWS} : i64}}) -> ({kinds}) {{
  %n = arith.index_cast %rows : i64 to index
{}  return {names} : {kinds}
}}\n",
            self.text
        )
    }

    /// The shape of tensors.
    fn shape(&self) -> String {
        format!("{}x3", self.rows)
    }

    /// How many rows there are, in the sizes of operations.
    fn size(&self) -> &'static str {
        if self.rows == "?" { "%n" } else { self.rows }
    }

    /// An empty tensor.
    fn empty(&mut self, shape: &str, kind: &str) -> String {
        let (name, open) = (self.name(), if shape.contains('?') { "%n" } else { "" });
        self.text += &format!("  {name} = tensor.empty({open}) : tensor<{shape}x{kind}>\n");
        name
    }

    fn name(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    /// A line that computes something of a type.
    fn line(&mut self, what: &str, kind: &'static str) -> String {
        let name = self.name();
        self.text += &format!("    {name} = {what}\n");
        self.scalars.push((name.clone(), kind));
        name
    }

    /// A scalar of a type, one of the last ones or a constant.
    fn scalar(&mut self, kind: &'static str) -> String {
        let known: Vec<String> =
            self.scalars.iter().filter(|(_, own)| *own == kind).map(|(name, _)| name.clone()).collect();
        let last = known.len().saturating_sub(4);
        match known.len() > last && self.random.below(5) > 0 {
            true => known[last + self.random.below(known.len() - last)].clone(),
            false => self.constant(kind),
        }
    }

    fn constant(&mut self, kind: &'static str) -> String {
        let number = match kind {
            "f32" => real(self.random.real()),
            "i1" => self.random.below(2).to_string(),
            _ => self.random.integer(bits(kind)).to_string(),
        };
        let number = if kind == "i1" { ["false", "true"][usize::from(number == "1")].to_string() } else { number };
        let typed = if kind == "i1" { String::new() } else { format!(" : {kind}") };
        self.line(&format!("arith.constant {number}{typed}"), kind)
    }

    /// A number within a range, of a scalar.
    fn limited(&mut self, kind: &'static str) -> String {
        let value = self.scalar(kind);
        let (first, second) = match kind {
            "f32" => ("arith.maximumf", "arith.minimumf"),
            _ => ("arith.maxsi", "arith.minsi"),
        };
        let [least, most] = [self.constant(kind), self.constant(kind)];
        let value = self.line(&format!("{first} {value}, {least} : {kind}"), kind);
        self.line(&format!("{second} {value}, {most} : {kind}"), kind)
    }

    /// One more operation on scalars.
    fn step(&mut self) {
        let kind = self.random.of(&KINDS);
        match self.random.below(9) {
            0 => drop(self.limited(kind)),
            1 | 2 if kind == "f32" => {
                let name =
                    self.random.of(&["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"]);
                self.binary(&format!("arith.{name}"), kind);
            }
            1 | 2 => {
                let name = self.random.of(&["addi", "subi", "muli", "maxsi", "minsi"]);
                self.binary(&format!("arith.{name}"), kind);
            }
            3 if kind == "f32" => {
                let (name, value) = (self.random.of(&["round", "floor", "ceil", "trunc"]), self.scalar(kind));
                self.line(&format!("math.{name} {value} : f32"), kind);
            }
            3 => self.by_constant(kind),
            4 | 5 => self.converted(kind),
            6 => self.compared(kind),
            7 => self.selected(kind),
            _ => self.idiom(),
        }
    }

    fn binary(&mut self, name: &str, kind: &'static str) {
        let [left, right] = [self.scalar(kind), self.scalar(kind)];
        self.line(&format!("{name} {left}, {right} : {kind}"), kind);
    }

    /// What is claimed of where the second operand is known.
    fn by_constant(&mut self, kind: &'static str) {
        let value = self.scalar(kind);
        let (name, number) = match self.random.below(3) {
            0 => ("shrsi", self.random.below(bits(kind) as usize) as i64),
            1 => ("andi", self.random.of(&[0, 1, 7, 127, 12])),
            _ => ("remsi", self.random.of(&[1, 2, 7, 100])),
        };
        let number = self.line(&format!("arith.constant {number} : {kind}"), kind);
        self.line(&format!("arith.{name} {value}, {number} : {kind}"), kind);
    }

    fn converted(&mut self, kind: &'static str) {
        let from = self.random.of(&["i1", "i8", "i32", "i64", "f32"]);
        let value = self.scalar(from);
        let name = match (from, kind) {
            ("f32", "f32") => return,
            ("f32", _) => "fptosi",
            (_, "f32") => self.random.of(&["sitofp", "uitofp"]),
            _ if bits(from) > bits(kind) => "trunci",
            _ if bits(from) < bits(kind) => self.random.of(&["extsi", "extui"]),
            _ => return,
        };
        self.line(&format!("arith.{name} {value} : {from} to {kind}"), kind);
    }

    fn compared(&mut self, kind: &'static str) {
        let [left, right] = [self.scalar(kind), self.scalar(kind)];
        let what = match kind {
            "f32" => format!("cmpf {}", self.random.of(&["olt", "ole", "ogt", "oge", "ord", "oeq", "une"])),
            _ => format!("cmpi {}", self.random.of(&["slt", "eq", "ne", "sgt"])),
        };
        let truth = self.line(&format!("arith.{what}, {left}, {right} : {kind}"), "i1");
        // What is compared is chosen, so that the condition tells something of it.
        let chosen = if self.random.below(2) == 0 { [left, right] } else { [right, left] };
        self.line(&format!("arith.select {truth}, {}, {} : {kind}", chosen[0], chosen[1]), kind);
    }

    fn selected(&mut self, kind: &'static str) {
        let (truth, yes, no) = (self.scalar("i1"), self.scalar(kind), self.scalar(kind));
        self.line(&format!("arith.select {truth}, {yes}, {no} : {kind}"), kind);
    }

    /// Remainders that are not negative, and reals as integers.
    fn idiom(&mut self) {
        match self.random.below(4) {
            0 => self.remainder(),
            1 => self.quantized(),
            2 => self.scaled(),
            _ => self.truncated(),
        }
    }

    /// An integer less a zero, times a scale.
    fn scaled(&mut self) {
        let integer = self.limited("i8");
        let whole = self.line(&format!("arith.sitofp {integer} : i8 to f32"), "f32");
        let zero = self.random.of(&[0, 3, -128]);
        let zero = self.line(&format!("arith.constant {zero}.0 : f32"), "f32");
        let scale = self.random.of(&["0.1", "1.0", "-0.02", "3.5"]);
        let scale = self.line(&format!("arith.constant {scale} : f32"), "f32");
        let moved = self.line(&format!("arith.subf {whole}, {zero} : f32"), "f32");
        self.line(&format!("arith.mulf {moved}, {scale} : f32"), "f32");
    }

    fn remainder(&mut self) {
        let (value, number) = (self.scalar("i64"), self.random.of(&[2, 3, 10]));
        let divisor = self.line(&format!("arith.constant {number} : i64"), "i64");
        let zero = self.line("arith.constant 0 : i64", "i64");
        let rest = self.line(&format!("arith.remsi {value}, {divisor} : i64"), "i64");
        let negative = self.line(&format!("arith.cmpi slt, {rest}, {zero} : i64"), "i1");
        let more = self.line(&format!("arith.addi {rest}, {divisor} : i64"), "i64");
        self.line(&format!("arith.select {negative}, {more}, {rest} : i64"), "i64");
    }

    /// A real with a zero of its own that is whole, rounded, between limits.
    fn quantized(&mut self) {
        let integer = self.limited("i8");
        let zero = self.line(&format!("arith.sitofp {integer} : i8 to f32"), "f32");
        let value = self.scalar("f32");
        let limits = self.random.of(&[[0, 255], [-128, 127], [3, 5]]);
        let [least, most] = limits.map(|limit| {
            let limit = self.line(&format!("arith.constant {limit}.0 : f32"), "f32");
            self.line(&format!("arith.subf {limit}, {zero} : f32"), "f32")
        });
        let above = self.line(&format!("arith.maximumf {value}, {least} : f32"), "f32");
        let between = self.line(&format!("arith.minimumf {above}, {most} : f32"), "f32");
        let magic = self.line("arith.constant 12582912.0 : f32", "f32");
        let up = self.line(&format!("arith.addf {between}, {magic} : f32"), "f32");
        let whole = self.line(&format!("arith.subf {up}, {magic} : f32"), "f32");
        self.line(&format!("arith.addf {whole}, {zero} : f32"), "f32");
    }

    fn truncated(&mut self) {
        let value = if self.random.below(2) == 0 { self.limited("f32") } else { self.scalar("f32") };
        let magic = self.line("arith.constant 12582912.0 : f32", "f32");
        let up = self.line(&format!("arith.addf {value}, {magic} : f32"), "f32");
        let whole = self.line(&format!("arith.subf {up}, {magic} : f32"), "f32");
        let most = self.line("arith.constant 2147483648.0 : f32", "f32");
        let least = self.line("arith.constant -2147483648.0 : f32", "f32");
        let zero = self.line("arith.constant 0.0 : f32", "f32");
        let above = self.line(&format!("arith.cmpf oge, {whole}, {least} : f32"), "i1");
        let below = self.line(&format!("arith.cmpf olt, {whole}, {most} : f32"), "i1");
        let fits = self.line(&format!("arith.andi {above}, {below} : i1"), "i1");
        let known = self.line(&format!("arith.select {fits}, {whole}, {zero} : f32"), "f32");
        self.line(&format!("arith.fptosi {known} : f32 to i32"), "i32");
    }

    fn tensor(&mut self) -> (String, &'static str) {
        let last = self.tensors.len().saturating_sub(4);
        let all = self.tensors[last..].to_vec();
        all[self.random.below(all.len())].clone()
    }

    /// A tensor of a structured operation on elements.
    fn elementwise(&mut self) {
        let read: Vec<_> = (0..1 + self.random.below(3)).map(|_| self.tensor()).collect();
        let kind = self.random.of(&KINDS);
        let shape = self.shape();
        let (empty, made) = (self.empty(&shape, kind), self.name());
        let maps = vec!["#id"; read.len() + 1].join(", ");
        let names: Vec<&str> = read.iter().map(|(name, _)| name.as_str()).collect();
        let kinds: Vec<String> = read.iter().map(|(_, kind)| format!("tensor<{shape}x{kind}>")).collect();
        let arguments: Vec<_> = read.iter().map(|(_, kind)| (self.name(), *kind)).collect();
        let listed: Vec<String> = arguments.iter().map(|(name, kind)| format!("{name}: {kind}, ")).collect();
        self.text += &format!(
            "  {made} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [\"parallel\", \"parallel\"]}}
      ins({} : {}) outs({empty} : tensor<{shape}x{kind}>) {{
  ^bb0({}{made}o: {kind}):\n",
            names.join(", "),
            kinds.join(", "),
            listed.concat()
        );
        self.scalars = arguments;
        (0..4 + self.random.below(9)).for_each(|_| self.step());
        let given = self.scalar(kind);
        self.text += &format!("    linalg.yield {given} : {kind}\n  }} -> tensor<{shape}x{kind}>\n");
        self.tensors.push((made, kind));
    }

    /// A tensor that begins with one number.
    fn filled(&mut self, (shape, map, loops): (&str, &str, &str), kind: &'static str) -> String {
        let number = if kind == "f32" { real(self.random.real()) } else { self.random.integer(bits(kind)).to_string() };
        let (constant, empty, made) = (self.name(), self.empty(shape, kind), self.name());
        self.text += &format!(
            "  {constant} = arith.constant {number} : {kind}
  {made} = linalg.generic {{indexing_maps = [affine_map<({map}) -> ()>, affine_map<({map}) -> ({map})>], iterator_types = [{loops}]}}
      ins({constant} : {kind}) outs({empty} : tensor<{shape}x{kind}>) {{
  ^bb0({made}i: {kind}, {made}o: {kind}):
    linalg.yield {made}i : {kind}
  }} -> tensor<{shape}x{kind}>\n"
        );
        made
    }

    /// The sum, the greatest or the least of each row or column, repeated along it.
    fn reduced(&mut self) {
        let (source, kind) = self.tensor();
        let names: &[&str] = match kind {
            "f32" => &["addf", "maximumf", "minimumf"],
            _ => &["addi", "maxsi", "minsi"],
        };
        let combine = self.random.of(names);
        let (map, length, loops) = match self.random.below(2) {
            0 => ("#row", self.rows, "\"parallel\", \"reduction\""),
            _ => ("#column", "3", "\"reduction\", \"parallel\""),
        };
        let (shape, begin) = (self.shape(), self.filled((length, "a", "\"parallel\""), kind));
        let (empty, sums, made) = (self.empty(&shape, kind), self.name(), self.name());
        self.text += &format!(
            "  {sums} = linalg.generic {{indexing_maps = [#id, {map}], iterator_types = [{loops}]}}
      ins({source} : tensor<{shape}x{kind}>) outs({begin} : tensor<{length}x{kind}>) {{
  ^bb0({sums}i: {kind}, {sums}o: {kind}):
    {sums}s = arith.{combine} {sums}o, {sums}i : {kind}
    linalg.yield {sums}s : {kind}
  }} -> tensor<{length}x{kind}>
  {made} = linalg.generic {{indexing_maps = [{map}, #id], iterator_types = [\"parallel\", \"parallel\"]}}
      ins({sums} : tensor<{length}x{kind}>) outs({empty} : tensor<{shape}x{kind}>) {{
  ^bb0({made}i: {kind}, {made}o: {kind}):
    linalg.yield {made}i : {kind}
  }} -> tensor<{shape}x{kind}>\n"
        );
        self.tensors.push((made, kind));
    }

    /// The first columns of a tensor with a border before them.
    fn padded(&mut self) {
        let (source, kind) = self.tensor();
        let number = if kind == "f32" { real(self.random.real()) } else { self.random.integer(bits(kind)).to_string() };
        let (constant, padded, made) = (self.name(), self.name(), self.name());
        let (shape, rows, size) = (self.shape(), self.rows, self.size());
        self.text += &format!(
            "  {constant} = arith.constant {number} : {kind}
  {padded} = tensor.pad {source} low[0, 1] high[0, 0] {{
  ^bb0({padded}i: index, {padded}j: index):
    tensor.yield {constant} : {kind}
  }} : tensor<{shape}x{kind}> to tensor<{rows}x4x{kind}>
  {made} = tensor.extract_slice {padded}[0, 0] [{size}, 3] [1, 1] : tensor<{rows}x4x{kind}> to tensor<{shape}x{kind}>\n"
        );
        self.tensors.push((made, kind));
    }

    /// A column of a tensor in the place of another one's.
    fn inserted(&mut self) {
        let (source, kind) = self.tensor();
        let (shape, rows, size) = (self.shape(), self.rows, self.size());
        let into = self.filled((&shape, "a, b", "\"parallel\", \"parallel\""), kind);
        let (slice, made) = (self.name(), self.name());
        self.text += &format!(
            "  {slice} = tensor.extract_slice {source}[0, 1] [{size}, 1] [1, 1] : tensor<{shape}x{kind}> to tensor<{rows}x1x{kind}>
  {made} = tensor.insert_slice {slice} into {into}[0, 2] [{size}, 1] [1, 1] : tensor<{rows}x1x{kind}> into tensor<{shape}x{kind}>\n"
        );
        self.tensors.push((made, kind));
    }

    /// A tensor through another shape.
    fn reshaped(&mut self) {
        let (source, kind) = self.tensor();
        let (flat, made) = (self.name(), self.name());
        let (shape, size, all) = (self.shape(), self.size(), if self.rows == "?" { "?" } else { "6" });
        self.text += &format!(
            "  {flat} = tensor.collapse_shape {source} [[0, 1]] : tensor<{shape}x{kind}> into tensor<{all}x{kind}>
  {made} = tensor.expand_shape {flat} [[0, 1]] output_shape [{size}, 3] : tensor<{all}x{kind}> into tensor<{shape}x{kind}>\n"
        );
        self.tensors.push((made, kind));
    }
}

fn bits(kind: &str) -> u32 {
    kind[1..].parse().unwrap_or(32)
}

/// A real as text, by its bits where it has no other form.
fn real(value: f32) -> String {
    format!("0x{:08X}", value.to_bits())
}
