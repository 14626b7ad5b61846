//! Formulas as data: an operator with one formula for its output, and its text.

use std::fmt::{self, Display};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Real,
    Int,
    Bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Real(f64),
    Int(i64),
    Bool(bool),
}

#[derive(Debug, Clone)]
pub enum Expr {
    Literal(Value),
    Index(usize),
    Local(usize),
    Load(Box<Access>),
    Negated(Box<Expr>),
    Inverted(Box<Expr>),
    Absolute(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(Type, Box<Expr>),
}

/// What an index of a tensor is.
#[derive(Debug, Clone)]
pub enum Position {
    Plain(Expr),
    Skip(Expr),
    Remap(Expr, Expr, Expr),
}

#[derive(Debug, Clone)]
pub struct Access {
    pub tensor: usize,
    /// Of a pack of tensors.
    pub item: Option<Expr>,
    pub positions: Vec<Position>,
}

/// A tensor, or a pack of as many tensors as there are lists of elements.
#[derive(Debug, Clone)]
pub struct Tensor {
    pub name: &'static str,
    pub ty: Type,
    pub shape: Vec<usize>,
    pub packed: bool,
    pub items: Vec<Vec<Value>>,
}

#[derive(Debug, Clone)]
pub struct Statement {
    /// Bounds of the index symbols, outermost first; a bound may depend on earlier symbols.
    pub bounds: Vec<Expr>,
    pub locals: Vec<Expr>,
    pub op: &'static str,
    /// Without an item, of a pack: all its tensors.
    pub target: Access,
    /// One, or one for each tensor of the pack.
    pub values: Vec<Expr>,
    pub condition: Option<Expr>,
}

/// The last tensor is the output.
#[derive(Debug, Clone)]
pub struct Program {
    pub tensors: Vec<Tensor>,
    pub statements: Vec<Statement>,
}

impl Type {
    pub fn keyword(self) -> &'static str {
        match self {
            Type::Real => "real",
            Type::Int => "int",
            Type::Bool => "bool",
        }
    }

    pub fn zero(self) -> Value {
        match self {
            Type::Real => Value::Real(0.0),
            Type::Int => Value::Int(0),
            Type::Bool => Value::Bool(false),
        }
    }
}

impl Program {
    pub fn output(&self) -> &Tensor {
        &self.tensors[self.tensors.len() - 1]
    }

    /// The model: the operator, and a graph that invokes it.
    pub fn text(&self) -> String {
        let inputs: String =
            self.tensors[..self.tensors.len() - 1].iter().map(|tensor| format!("{tensor}; ")).collect();
        let output = self.output();
        let names: Vec<&str> = self.tensors[..self.tensors.len() - 1].iter().map(|tensor| tensor.name).collect();
        let result = if output.packed { format!("y..({})", output.items.len()) } else { "y".to_owned() };
        let statements: String = self.statements.iter().map(|statement| self.statement(statement)).collect();
        format!(
            "operator o {{\n    @input {{ {inputs}}}\n    @output {{ {output}; }}\n    @lower {{\n{statements}    }}\n}}\n\
             graph G {{\n    @input {{ {inputs}}}\n    @output {{ {output}; }}\n    @compose {{ {result} = o({}); }}\n}}\n",
            names.join(", ")
        )
    }

    fn statement(&self, statement: &Statement) -> String {
        let mut text = "        ".to_owned();
        for (at, local) in statement.locals.iter().enumerate() {
            text += &format!("l{at} = {}, ", self.expr(local));
        }
        let values: Vec<String> = statement.values.iter().map(|value| self.expr(value)).collect();
        let value = if values.len() == 1 { values[0].clone() } else { format!("[{}]", values.join(", ")) };
        text += &format!("{} {} {value}", self.access(&statement.target), statement.op);
        for (at, bound) in statement.bounds.iter().enumerate() {
            text += &format!(", i{at} < {}", self.expr(bound));
        }
        if let Some(condition) = &statement.condition {
            text += &format!(" | {}", self.expr(condition));
        }
        text + ";\n"
    }

    fn access(&self, access: &Access) -> String {
        let item = access.item.as_ref().map_or_else(String::new, |item| format!("[{}]", self.expr(item)));
        let positions: Vec<String> = access
            .positions
            .iter()
            .map(|position| match position {
                Position::Plain(index) => self.expr(index),
                Position::Skip(index) => format!("|{}|", self.expr(index)),
                Position::Remap(index, below, above) => {
                    format!("|{} <> {} : {}|", self.expr(index), self.expr(below), self.expr(above))
                }
            })
            .collect();
        let comma = if positions.len() == 1 { "," } else { "" };
        format!("{}{item}[{}{comma}]", self.tensors[access.tensor].name, positions.join(", "))
    }

    fn expr(&self, expr: &Expr) -> String {
        let text = |inner: &Expr| self.expr(inner);
        match expr {
            Expr::Literal(value) => value.to_string(),
            Expr::Index(at) => format!("i{at}"),
            Expr::Local(at) => format!("l{at}"),
            Expr::Load(access) => self.access(access),
            Expr::Negated(a) => format!("(-{})", text(a)),
            Expr::Inverted(a) => format!("(!{})", text(a)),
            Expr::Absolute(a) => format!("`abs`({})", text(a)),
            Expr::Binary(op, a, b) => format!("({} {op} {})", text(a), text(b)),
            Expr::Select(condition, a, b) => format!("({} ? {} : {})", text(condition), text(a), text(b)),
            Expr::Cast(ty, a) => format!("{}({})", ty.keyword(), text(a)),
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Real(value) => write!(f, "({value:?})"),
            Value::Int(value) => write!(f, "({value})"),
            Value::Bool(value) => value.fmt(f),
        }
    }
}

/// As declared.
impl Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extents: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        write!(f, "{}: {}[{}]", self.name, self.ty.keyword(), extents.join(","))?;
        if self.packed { write!(f, "..({})", self.items.len()) } else { Ok(()) }
    }
}
