//! Random programs.

use crate::program::{Access, Expr, Position, Program, Statement, Tensor, Type, Value};

/// A small generator of random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn value(&mut self, ty: Type) -> Value {
        match ty {
            // Few binary digits: sums and short products are exact in either width.
            Type::Real => Value::Real(self.pick(&[-2.0, -1.0, -0.5, 0.5, 1.0, 2.0])),
            Type::Int => Value::Int(self.below(7) as i64 - 2),
            Type::Bool => Value::Bool(self.chance(50)),
        }
    }
}

/// Makes one program.
struct Generator<'a> {
    random: &'a mut Random,
    tensors: Vec<Tensor>,
    /// Largest values of the index symbols, plus one.
    extents: Vec<usize>,
    locals: Vec<Type>,
    /// Whether the output may be read.
    reads_output: bool,
}

const REAL: Type = Type::Real;
const INT: Type = Type::Int;
const BOOL: Type = Type::Bool;

pub fn program(random: &mut Random) -> Program {
    let mut tensors: Vec<Tensor> = Vec::new();
    let inputs: [(&'static str, Type, &[usize], usize); 6] = [
        ("a", REAL, &[3, 4], 0),
        ("v", REAL, &[5], 0),
        ("k", INT, &[4], 0),
        ("m", INT, &[2, 3], 0),
        ("b", BOOL, &[3], 0),
        ("xs", REAL, &[4], 2),
    ];
    for (name, ty, shape, items) in inputs {
        tensors.push(tensor(random, name, ty, shape.to_vec(), items));
    }
    let (rank, ty) = (random.below(3), random.pick(&[REAL, REAL, INT, BOOL]));
    let shape = (0..rank).map(|_| random.below(4) + 1).collect();
    let items = if random.chance(30) { 2 } else { 0 };
    let mut output = tensor(random, "y", ty, shape, items);
    output.items.iter_mut().flatten().for_each(|item| *item = ty.zero());
    tensors.push(output);
    let mut generator = Generator { random, tensors, extents: Vec::new(), locals: Vec::new(), reads_output: false };
    let statements = generator.statements();
    Program { tensors: generator.tensors, statements }
}

fn tensor(random: &mut Random, name: &'static str, ty: Type, shape: Vec<usize>, items: usize) -> Tensor {
    let volume = shape.iter().product();
    let elements = |random: &mut Random| (0..volume).map(|_| random.value(ty)).collect();
    let items_of = (0..items.max(1)).map(|_| elements(random)).collect();
    Tensor { name, ty, shape, packed: items > 0, items: items_of }
}

impl Generator<'_> {
    fn statements(&mut self) -> Vec<Statement> {
        let ty = self.tensors[self.tensors.len() - 1].ty;
        let ops: &[&str] = match ty {
            Type::Bool => &["=", ":=", "&=", "|="],
            _ => &["=", ":=", ":=", "+=", "+=", "*=", "<=", ">?="],
        };
        let op = self.random.pick(ops);
        let starts = matches!(op, ":=" | "<=" | ">?=") || op != "=" && self.random.chance(50);
        let mut statements = Vec::new();
        if starts || op == "=" {
            statements.push(self.statement("=", true));
        }
        if op != "=" {
            self.reads_output = op == ":=";
            statements.push(self.statement(op, false));
        }
        statements
    }

    /// `whole` assigns every element of the output once.
    fn statement(&mut self, op: &'static str, whole: bool) -> Statement {
        let output = self.tensors.len() - 1;
        let (shape, packed) = (self.tensors[output].shape.clone(), self.tensors[output].packed);
        self.extents.clear();
        self.locals.clear();
        let mut bounds = Vec::new();
        let item = packed && self.random.chance(50);
        if item {
            self.open(2, &mut bounds);
        }
        for &extent in &shape {
            self.open(extent, &mut bounds);
        }
        for _ in 0..if whole { 0 } else { self.random.below(3) } {
            let extent = self.random.below(4) + 1;
            self.open(extent, &mut bounds);
        }
        let locals: Vec<Expr> = (0..self.random.below(3).saturating_sub(1)).map(|_| self.local()).collect();
        let own = |at: usize| Expr::Index(at + usize::from(item));
        let positions = shape.iter().enumerate().map(|(at, &extent)| match whole || self.random.chance(60) {
            true => Position::Plain(own(at)),
            false => self.position(extent, 1),
        });
        let positions = positions.collect();
        let ty = self.tensors[output].ty;
        let count = if packed && !item && self.random.chance(50) { 2 } else { 1 };
        let values = (0..count).map(|_| self.expr(ty, 3)).collect();
        let condition = (!whole && self.random.chance(50)).then(|| self.expr(BOOL, 2));
        let target = Access { tensor: output, item: item.then_some(Expr::Index(0)), positions };
        Statement { bounds, locals, op, target, values, condition }
    }

    /// Another index symbol; sometimes an earlier one is its bound.
    fn open(&mut self, extent: usize, bounds: &mut Vec<Expr>) {
        let dependent = (0..self.extents.len()).find(|&at| self.extents[at] == extent && self.random.chance(10));
        bounds.push(match dependent {
            Some(at) => Expr::Binary("+", Box::new(Expr::Index(at)), Box::new(Expr::Literal(Value::Int(1)))),
            None => Expr::Literal(Value::Int(extent as i64)),
        });
        self.extents.push(extent);
    }

    fn local(&mut self) -> Expr {
        let ty = self.random.pick(&[REAL, INT, BOOL]);
        let local = self.expr(ty, 2);
        self.locals.push(ty);
        local
    }

    fn expr(&mut self, ty: Type, depth: usize) -> Expr {
        if depth == 0 || self.random.chance(20) {
            return self.leaf(ty);
        }
        let inner = depth - 1;
        let boxed = |generator: &mut Self, ty| Box::new(generator.expr(ty, inner));
        match (self.random.below(10), ty) {
            (0, _) => Expr::Select(boxed(self, BOOL), boxed(self, ty), boxed(self, ty)),
            (1, Type::Bool) => Expr::Inverted(boxed(self, BOOL)),
            (1, _) => Expr::Negated(boxed(self, ty)),
            (2, Type::Real | Type::Int) => Expr::Absolute(boxed(self, ty)),
            (2 | 3, _) => {
                let from = self.random.pick(&[REAL, INT, BOOL]);
                Expr::Cast(ty, boxed(self, from))
            }
            (4..=6, Type::Bool) => {
                let (op, of) = (self.random.pick(&["<", "<=", "=="]), self.random.pick(&[REAL, INT]));
                Expr::Binary(op, boxed(self, of), boxed(self, of))
            }
            (_, Type::Bool) => {
                let op = self.random.pick(&["&&", "||", "^", "=>", "=="]);
                Expr::Binary(op, boxed(self, BOOL), boxed(self, BOOL))
            }
            (4 | 5, Type::Int) => self.quotient(inner),
            _ => {
                let op = self.random.pick(&["+", "-", "*", "<<", ">>"]);
                Expr::Binary(op, boxed(self, ty), boxed(self, ty))
            }
        }
    }

    /// A division, by zero sometimes. Zeros that are known when composing are refused whether or not an iteration comes
    /// to them.
    fn quotient(&mut self, depth: usize) -> Expr {
        let op = self.random.pick(&["/", "\\", "%"]);
        let divisor = match self.random.chance(70) {
            true => Expr::Literal(Value::Int(self.random.pick(&[-3, -2, -1, 1, 2, 3]))),
            false => self.load(INT),
        };
        Expr::Binary(op, Box::new(self.expr(INT, depth)), Box::new(divisor))
    }

    fn leaf(&mut self, ty: Type) -> Expr {
        let local = (0..self.locals.len()).find(|&at| self.locals[at] == ty);
        match (self.random.below(10), ty) {
            (0..=1, _) => Expr::Literal(self.random.value(ty)),
            (2..=4, _) if local.is_some() => Expr::Local(local.unwrap_or(0)),
            (2..=5, Type::Int) if !self.extents.is_empty() => Expr::Index(self.random.below(self.extents.len())),
            _ => self.load(ty),
        }
    }

    fn load(&mut self, ty: Type) -> Expr {
        let last = self.tensors.len() - usize::from(!self.reads_output);
        let fitting: Vec<usize> = (0..last).filter(|&at| self.tensors[at].ty == ty).collect();
        let tensor = self.random.pick(&fitting);
        let positions = self.tensors[tensor].shape.clone().into_iter().map(|extent| self.position(extent, 1)).collect();
        let item = self.tensors[tensor].packed.then(|| match self.random.below(3) {
            0 => Expr::Literal(Value::Int(self.random.below(2) as i64)),
            1 if !self.extents.is_empty() => {
                let index = Expr::Index(self.random.below(self.extents.len()));
                Expr::Binary("%", Box::new(index), Box::new(Expr::Literal(Value::Int(2))))
            }
            _ => Expr::Literal(Value::Int(-1)),
        });
        Expr::Load(Box::new(Access { tensor, item, positions }))
    }

    fn position(&mut self, extent: usize, depth: usize) -> Position {
        let index = self.index(depth);
        let literal = |value: usize| Expr::Literal(Value::Int(value as i64));
        match self.random.below(10) {
            0..=2 => Position::Skip(index),
            3 => Position::Remap(index, literal(0), literal(extent - 1)),
            4 => {
                let reflected = Expr::Binary("-", Box::new(literal(0)), Box::new(index.clone()));
                Position::Remap(index, reflected, literal(extent - 1))
            }
            5 if self.random.chance(30) => Position::Plain(index),
            _ => Position::Plain(Expr::Binary("%", Box::new(index), Box::new(literal(extent)))),
        }
    }

    /// Affine, or computed.
    fn index(&mut self, depth: usize) -> Expr {
        if self.extents.is_empty() {
            return Expr::Literal(Value::Int(self.random.below(4) as i64));
        }
        let index = Expr::Index(self.random.below(self.extents.len()));
        let other = Expr::Index(self.random.below(self.extents.len()));
        let number = Expr::Literal(Value::Int(self.random.below(5) as i64 - 1));
        let (index, other, number) = (Box::new(index), Box::new(other), Box::new(number));
        match self.random.below(8) {
            0 | 1 => *index,
            2 => Expr::Binary("+", index, number),
            3 => Expr::Binary("-", number, index),
            4 => Expr::Binary("+", index, other),
            5 => Expr::Binary("-", index, other),
            6 => Expr::Binary("*", index, number),
            _ if depth > 0 => self.load_int(depth - 1),
            _ => Expr::Binary("/", index, Box::new(Expr::Literal(Value::Int(2)))),
        }
    }

    /// An index that the data gives.
    fn load_int(&mut self, depth: usize) -> Expr {
        let tensor = self.random.pick(&[2, 3]);
        let positions =
            self.tensors[tensor].shape.clone().into_iter().map(|extent| self.position(extent, depth)).collect();
        Expr::Load(Box::new(Access { tensor, item: None, positions }))
    }
}
