//! What a program computes, by loops over all index symbols in their order and nothing else (section 2.12).

use crate::program::{Access, Expr, Position, Program, Statement, Tensor, Type, Value};

/// Something without a value happened in an iteration that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault;

/// What happens in one iteration.
#[derive(Default)]
struct Events {
    skipped: bool,
    fault: bool,
}

struct Iteration<'a> {
    tensors: &'a [Tensor],
    indices: &'a [i64],
    locals: Vec<Value>,
    events: Events,
}

/// The elements of the output's tensors.
pub fn run(program: &Program) -> Result<Vec<Vec<Value>>, Fault> {
    let mut tensors = program.tensors.clone();
    for statement in &program.statements {
        let output = tensors.len() - 1;
        if let (1, Some(start)) = (program.statements.len(), null_element(statement.op, tensors[output].ty)) {
            tensors[output].items.iter_mut().flatten().for_each(|item| *item = start);
        }
        execute(statement, &mut tensors, &mut Vec::new())?;
    }
    Ok(tensors.pop().map(|output| output.items).unwrap_or_default())
}

fn null_element(op: &str, ty: Type) -> Option<Value> {
    match (op, ty) {
        ("+=", Type::Int) => Some(Value::Int(0)),
        ("+=", _) => Some(Value::Real(0.0)),
        ("*=", Type::Int) => Some(Value::Int(1)),
        ("*=", _) => Some(Value::Real(1.0)),
        ("&=", _) => Some(Value::Bool(true)),
        ("|=", _) => Some(Value::Bool(false)),
        _ => None,
    }
}

fn execute(statement: &Statement, tensors: &mut Vec<Tensor>, indices: &mut Vec<i64>) -> Result<(), Fault> {
    let Some(bound) = statement.bounds.get(indices.len()) else { return iterate(statement, tensors, indices) };
    let mut iteration = Iteration { tensors, indices, locals: Vec::new(), events: Events::default() };
    let Value::Int(bound) = iteration.eval(bound) else { return Err(Fault) };
    for index in 0..bound {
        indices.push(index);
        execute(statement, tensors, indices)?;
        indices.pop();
    }
    Ok(())
}

fn iterate(statement: &Statement, tensors: &mut [Tensor], indices: &[i64]) -> Result<(), Fault> {
    let mut iteration = Iteration { tensors, indices, locals: Vec::new(), events: Events::default() };
    for local in &statement.locals {
        let value = iteration.eval(local);
        iteration.locals.push(value);
    }
    let mut own = std::mem::take(&mut iteration.events);
    let holds = statement.condition.as_ref().is_none_or(|condition| iteration.eval(condition) == Value::Bool(true));
    let condition = std::mem::take(&mut iteration.events);
    let values: Vec<Value> = statement.values.iter().map(|value| iteration.eval(value)).collect();
    let output = &iteration.tensors[statement.target.tensor];
    let count = output.items.len();
    let items = match &statement.target.item {
        Some(item) => vec![iteration.eval(item)],
        None => (0..count as i64).map(Value::Int).collect(),
    };
    let address = iteration.address(&statement.target);
    let rest = iteration.events;
    own.skipped |= condition.skipped || rest.skipped;
    if own.skipped || (!holds && !condition.fault) {
        return Ok(());
    }
    if own.fault || condition.fault || rest.fault {
        return Err(Fault);
    }
    for (at, item) in items.into_iter().enumerate() {
        let (Value::Int(item), Some(address)) = (item, address) else { return Err(Fault) };
        let place = &mut tensors[statement.target.tensor].items[item as usize][address];
        *place = combine(statement.op, *place, values[at.min(values.len() - 1)]);
    }
    Ok(())
}

fn combine(op: &str, old: Value, new: Value) -> Value {
    match op {
        "+=" => binary("+", old, new),
        "*=" => binary("*", old, new),
        "<=" | "<?=" => binary("<<", old, new),
        ">=" | ">?=" => binary(">>", old, new),
        "&=" => binary("&&", old, new),
        "|=" => binary("||", old, new),
        _ => Some(new),
    }
    .unwrap_or(new)
}

impl Iteration<'_> {
    fn eval(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Literal(value) => *value,
            Expr::Index(at) => Value::Int(self.indices[*at]),
            Expr::Local(at) => self.locals[*at],
            Expr::Load(access) => self.load(access),
            Expr::Negated(a) => match self.eval(a) {
                Value::Int(value) => Value::Int(-value),
                Value::Real(value) => Value::Real(-value),
                other => other,
            },
            Expr::Inverted(a) => Value::Bool(self.eval(a) == Value::Bool(false)),
            Expr::Absolute(a) => match self.eval(a) {
                Value::Int(value) => Value::Int(value.abs()),
                Value::Real(value) => Value::Real(value.abs()),
                other => other,
            },
            Expr::Binary(op, a, b) => self.binary(op, a, b),
            Expr::Select(condition, a, b) => {
                if self.eval(condition) == Value::Bool(true) {
                    self.eval(a)
                } else {
                    self.eval(b)
                }
            }
            Expr::Cast(ty, a) => cast(*ty, self.eval(a)),
        }
    }

    /// What the left side decides hides the right one.
    fn binary(&mut self, op: &str, a: &Expr, b: &Expr) -> Value {
        let left = self.eval(a);
        match (op, left) {
            ("&&", Value::Bool(false)) => return Value::Bool(false),
            ("||", Value::Bool(true)) | ("=>", Value::Bool(false)) => return Value::Bool(true),
            _ => {}
        }
        let right = self.eval(b);
        binary(op, left, right).unwrap_or_else(|| {
            self.events.fault = true;
            Value::Int(0)
        })
    }

    fn load(&mut self, access: &Access) -> Value {
        let tensor = &self.tensors[access.tensor];
        let item = match &access.item {
            Some(item) => self.eval(item),
            None => Value::Int(0),
        };
        let count = tensor.items.len() as i64;
        let item = match item {
            Value::Int(item) if (0..count).contains(&item) => item as usize,
            Value::Int(item) if (-count..0).contains(&item) => (item + count) as usize,
            _ => {
                self.events.fault = true;
                0
            }
        };
        self.address(access).map_or(tensor.ty.zero(), |address| tensor.items[item][address])
    }

    /// Where the element is; none outside.
    fn address(&mut self, access: &Access) -> Option<usize> {
        let shape = &self.tensors[access.tensor].shape;
        let mut address = Some(0);
        for (position, &extent) in access.positions.iter().zip(shape) {
            let extent = extent as i64;
            let (index, skips) = match position {
                Position::Plain(index) => (self.int(index), false),
                Position::Skip(index) => (self.int(index), true),
                Position::Remap(index, below, above) => (self.remapped(index, below, above, extent), false),
            };
            if (0..extent).contains(&index) {
                address = address.map(|address| address * extent as usize + index as usize);
            } else {
                address = None;
                self.events.skipped |= skips;
                self.events.fault |= !skips;
            }
        }
        address
    }

    fn remapped(&mut self, index: &Expr, below: &Expr, above: &Expr, extent: i64) -> i64 {
        match self.int(index) {
            index if index < 0 => self.int(below),
            index if index >= extent => self.int(above),
            index => index,
        }
    }

    fn int(&mut self, expr: &Expr) -> i64 {
        if let Value::Int(value) = self.eval(expr) { value } else { i64::MIN }
    }
}

fn cast(ty: Type, value: Value) -> Value {
    let number = match value {
        Value::Real(value) => value,
        Value::Int(value) => value as f64,
        Value::Bool(value) => f64::from(u8::from(value)),
    };
    match ty {
        Type::Real => Value::Real(number),
        Type::Int => Value::Int(number.trunc() as i64),
        Type::Bool => Value::Bool(number != 0.0),
    }
}

fn binary(op: &str, a: Value, b: Value) -> Option<Value> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => int_binary(op, a, b),
        (Value::Real(a), Value::Real(b)) => Some(match op {
            "+" => Value::Real(a + b),
            "-" => Value::Real(a - b),
            "*" => Value::Real(a * b),
            "<<" => Value::Real(a.min(b)),
            ">>" => Value::Real(a.max(b)),
            "<" => Value::Bool(a < b),
            "<=" => Value::Bool(a <= b),
            "==" => Value::Bool(a == b),
            _ => return None,
        }),
        (Value::Bool(a), Value::Bool(b)) => Some(Value::Bool(match op {
            "&&" => a && b,
            "||" => a || b,
            "^" => a ^ b,
            "=>" => !a || b,
            "==" => a == b,
            _ => return None,
        })),
        _ => None,
    }
}

/// With quotients by real division, which is exact for numbers as small as these.
fn int_binary(op: &str, a: i64, b: i64) -> Option<Value> {
    let quotient = (b != 0).then(|| a as f64 / b as f64);
    Some(match op {
        "+" => Value::Int(a.checked_add(b)?),
        "-" => Value::Int(a.checked_sub(b)?),
        "*" => Value::Int(a.checked_mul(b)?),
        "/" => Value::Int(quotient?.floor() as i64),
        "\\" => Value::Int(quotient?.ceil() as i64),
        "%" => Value::Int(a - quotient?.floor() as i64 * b),
        "<<" => Value::Int(a.min(b)),
        ">>" => Value::Int(a.max(b)),
        "<" => Value::Bool(a < b),
        "<=" => Value::Bool(a <= b),
        "==" => Value::Bool(a == b),
        _ => return None,
    })
}
