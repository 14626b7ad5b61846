//! What is known in a graph or a function while its nodes are made: the extents that only a run knows.

use super::arithmetic::{binary, builtin, nearest_integer, unary};
use super::attributes as attr;
use super::few::{Few, Sums};
use super::nodes::{self, Nodes};
use super::resized::Resized;
use crate::constant::Constant;
use crate::element::ElementType;
use skriptnd_language::compose::extent::{Extent, RealExpr, SymExpr, SymOp};
use skriptnd_language::compose::value::{ScalarType, Symbolic, Value};
use skriptnd_syntax::ast::{BinaryOp, Builtin};
use std::collections::HashMap;
use std::sync::Arc;

/// Nodes, and where extents come from.
#[derive(Debug, Default)]
pub struct Scope {
    /// The nodes so far.
    pub nodes: Nodes,
    /// By symbol: the tensor that has it for an extent.
    sources: HashMap<Arc<str>, Source>,
    /// Expressions that there are as values of rank 0.
    values: HashMap<SymExpr, String>,
    /// Expressions that there are as vectors of one element.
    singles: HashMap<SymExpr, String>,
    /// Lists of expressions that there are as vectors.
    lists: HashMap<Vec<SymExpr>, String>,
    /// Values of 64 bits that there are in few bits, too.
    pub few: HashMap<String, Few>,
    /// Such values that are sums of products of bytes.
    pub sums: HashMap<String, Sums>,
    /// Variables that may be tables.
    pub tables: HashMap<String, Constant>,
    /// Results of resizing.
    pub resized: HashMap<String, Resized>,
    /// The vectors that tensors are in another shape.
    pub vectors: HashMap<String, String>,
}

/// An extent of a tensor that is `factor * symbol + offset`.
#[derive(Debug, Clone)]
struct Source {
    tensor: String,
    dimension: usize,
    factor: i64,
    offset: i64,
}

/// What was before a branch or a body.
pub struct Outer {
    nodes: nodes::Outer,
    sources: HashMap<Arc<str>, Source>,
    values: HashMap<SymExpr, String>,
    singles: HashMap<SymExpr, String>,
    lists: HashMap<Vec<SymExpr>, String>,
}

/// Why something has no form in ONNX.
pub type Why = String;

impl Scope {
    /// Begins a branch or a body.
    pub fn enter(&mut self) -> Outer {
        let Scope { sources, values, singles, lists, .. } = self;
        let [values, singles] = [values, singles].map(|known| known.clone());
        let (sources, lists) = (sources.clone(), lists.clone());
        Outer { nodes: self.nodes.enter(), sources, values, singles, lists }
    }

    /// Ends it: its nodes.
    pub fn leave(&mut self, outer: Outer) -> Vec<crate::proto::NodeProto> {
        (self.sources, self.values) = (outer.sources, outer.values);
        (self.singles, self.lists) = (outer.singles, outer.lists);
        self.nodes.leave(outer.nodes)
    }

    /// Notes which symbols a tensor tells.
    pub fn bind(&mut self, tensor: &str, shape: &[Extent]) {
        for (dimension, extent) in shape.iter().enumerate() {
            let Some((symbol, factor, offset)) = extent.value.affine().filter(|(_, factor, _)| *factor != 0) else {
                continue;
            };
            let source = Source { tensor: tensor.to_owned(), dimension, factor, offset };
            let is_better = |known: &Source| (factor, offset) == (1, 0) && (known.factor, known.offset) != (1, 0);
            if self.sources.get(&symbol).is_none_or(is_better) {
                self.sources.insert(symbol, source);
            }
        }
    }

    /// Notes that a value has another name.
    pub fn rename(&mut self, value: &str, name: &str) {
        self.nodes.rename_last(value, name);
        for known in [self.few.remove(value)].into_iter().flatten() {
            self.few.insert(name.to_owned(), known);
        }
        for known in [self.sums.remove(value)].into_iter().flatten() {
            self.sums.insert(name.to_owned(), known);
        }
        for known in [self.resized.remove(value)].into_iter().flatten() {
            self.resized.insert(name.to_owned(), known);
        }
        for known in [self.vectors.remove(value)].into_iter().flatten() {
            self.vectors.insert(name.to_owned(), known);
        }
    }

    /// The elements of a constant, or of a variable that may be a table.
    pub fn table(&self, name: &str) -> Option<&Constant> {
        self.nodes.known(name).or_else(|| self.tables.get(name))
    }

    /// Gives a symbol a value of rank 0.
    pub fn give(&mut self, symbol: &Arc<str>, value: &str) {
        self.values.insert(SymExpr::Symbol(symbol.clone()), value.to_owned());
    }

    /// Whether a value is that of an extent, which others may ask for.
    pub fn is_extent(&self, value: &str) -> bool {
        self.values.values().chain(self.singles.values()).any(|known| known == value)
    }

    /// Whether a symbol has a value.
    pub fn knows(&self, symbol: &Arc<str>) -> bool {
        self.sources.contains_key(symbol) || self.values.contains_key(&SymExpr::Symbol(symbol.clone()))
    }

    /// An expression of extents as a value of rank 0.
    ///
    /// # Errors
    /// Where nothing tells one of its symbols, or ONNX can't compute it.
    pub fn extent(&mut self, expression: &SymExpr) -> Result<String, Why> {
        if let SymExpr::Const(value) = expression {
            return Ok(self.nodes.int(*value));
        }
        if let Some(known) = self.values.get(expression) {
            return Ok(known.clone());
        }
        let single = self.single(expression)?;
        let value = self.nodes.scalar(&single);
        self.values.insert(expression.clone(), value.clone());
        Ok(value)
    }

    /// An expression of extents as a vector of one element.
    fn single(&mut self, expression: &SymExpr) -> Result<String, Why> {
        if let Some(known) = self.singles.get(expression) {
            return Ok(known.clone());
        }
        let value = match self.values.get(expression).cloned() {
            Some(value) => {
                let one = self.nodes.ints(&[1]);
                self.nodes.add("Reshape", &[&value, &one], Vec::new())
            }
            None => self.computed(expression)?,
        };
        if expression.as_known().is_none() {
            self.singles.insert(expression.clone(), value.clone());
        }
        Ok(value)
    }

    fn computed(&mut self, expression: &SymExpr) -> Result<String, Why> {
        match expression {
            SymExpr::Const(value) => Ok(self.nodes.ints(&[*value])),
            SymExpr::Symbol(name) => self.symbol(name),
            SymExpr::Sum(parts) => self.folded(BinaryOp::Add, parts),
            SymExpr::Product(parts) => self.folded(BinaryOp::Mul, parts),
            SymExpr::Apply(op, parts) => self.applied(*op, parts),
            SymExpr::Truncated(real) => {
                let is_finite = is_finite(real);
                let real = self.real(real)?;
                match is_finite {
                    true => Ok(self.nodes.cast(&real, attr::element_of(ScalarType::Int))),
                    false => Ok(nearest_integer(&mut self.nodes, &real, ElementType::Double, false)),
                }
            }
            SymExpr::Compared(op, sides) => {
                let (a, b) = (self.real(&sides[0])?, self.real(&sides[1])?);
                let op = comparison(*op).ok_or("a comparison of reals is none that ONNX has")?;
                let holds = binary(&mut self.nodes, op, ScalarType::Real, &a, &b);
                Ok(self.nodes.cast(&holds, attr::element_of(ScalarType::Int)))
            }
            SymExpr::Fold(_) => Err("an extent is a fold over a pack whose length only a run knows".to_owned()),
        }
    }

    fn symbol(&mut self, name: &Arc<str>) -> Result<String, Why> {
        let Some(source) = self.sources.get(name).cloned() else {
            return Err(format!("nothing tells the extent `{name}` here"));
        };
        let extent = self.nodes.single_extent(&source.tensor, source.dimension);
        let offset = self.nodes.int(source.offset);
        let factor = self.nodes.int(source.factor);
        let extent = if source.offset == 0 { extent } else { self.nodes.add("Sub", &[&extent, &offset], Vec::new()) };
        Ok(if source.factor == 1 { extent } else { self.nodes.add("Div", &[&extent, &factor], Vec::new()) })
    }

    fn folded(&mut self, op: BinaryOp, parts: &[SymExpr]) -> Result<String, Why> {
        let mut parts = parts.iter();
        let mut folded = self.single(parts.next().unwrap_or(&SymExpr::Const(0)))?;
        for part in parts {
            let part = self.single(part)?;
            folded = binary(&mut self.nodes, op, ScalarType::Int, &folded, &part);
        }
        Ok(folded)
    }

    fn applied(&mut self, op: SymOp, parts: &[SymExpr]) -> Result<String, Why> {
        if let (SymOp::Select, [condition, yes, no]) = (op, parts) {
            let condition = self.condition(condition)?;
            let (yes, no) = (self.single(yes)?, self.single(no)?);
            return Ok(self.nodes.add("Where", &[&condition, &yes, &no], Vec::new()));
        }
        let whole = attr::element_of(ScalarType::Int);
        if let (Some(op), [a, b]) = (comparison(op), parts) {
            let (a, b) = (self.single(a)?, self.single(b)?);
            let holds = binary(&mut self.nodes, op, ScalarType::Int, &a, &b);
            return Ok(self.nodes.cast(&holds, whole));
        }
        let is_logic = matches!(op, SymOp::And | SymOp::Or | SymOp::Not);
        if is_logic {
            let mut truths = parts.iter().map(|part| self.condition(part)).collect::<Result<Vec<_>, _>>()?;
            let mut folded = truths.remove(0);
            for truth in &truths {
                folded = self.nodes.add(if op == SymOp::And { "And" } else { "Or" }, &[&folded, truth], Vec::new());
            }
            let folded = if op == SymOp::Not { self.nodes.add("Not", &[&folded], Vec::new()) } else { folded };
            return Ok(self.nodes.cast(&folded, whole));
        }
        match op {
            SymOp::Abs | SymOp::Sign => {
                let value = self.single(&parts[0])?;
                Ok(self.nodes.add(if op == SymOp::Abs { "Abs" } else { "Sign" }, &[&value], Vec::new()))
            }
            SymOp::FloorDiv => self.quotient(BinaryOp::Div, parts),
            SymOp::CeilDiv => self.quotient(BinaryOp::CeilDiv, parts),
            SymOp::Mod => self.quotient(BinaryOp::Mod, parts),
            SymOp::Pow => self.folded(BinaryOp::Pow, parts),
            SymOp::Min => self.folded(BinaryOp::Min, parts),
            _ => self.folded(BinaryOp::Max, parts),
        }
    }

    /// A division. What divides by a zero is not chosen by conditions around it, or in no iteration, and must not end a run.
    fn quotient(&mut self, op: BinaryOp, parts: &[SymExpr]) -> Result<String, Why> {
        let [dividend, divisor] = parts else { return self.folded(op, parts) };
        let is_plain = divisor.as_known().is_some_and(|by| by > 0) && dividend.is_never_negative(&|_| None);
        let is_extent = divisor.as_known().is_none() && divisor.is_never_negative(&|_| None);
        let (dividend, mut by) = (self.single(dividend)?, self.single(divisor)?);
        if is_extent {
            let one = self.nodes.ints(&[1]);
            by = self.nodes.add("Max", &[&by, &one], Vec::new());
        }
        match divisor.as_known() {
            Some(0) => Ok(by),
            // Of numbers that are not negative, it is the same towards zero.
            Some(_) if is_plain && op == BinaryOp::Div => Ok(self.nodes.add("Div", &[&dividend, &by], Vec::new())),
            _ => Ok(binary(&mut self.nodes, op, ScalarType::Int, &dividend, &by)),
        }
    }

    /// Whether an expression is not 0, as a vector of one element.
    fn condition(&mut self, expression: &SymExpr) -> Result<String, Why> {
        let value = self.single(expression)?;
        Ok(self.nodes.cast(&value, attr::element_of(ScalarType::Bool)))
    }

    /// A real expression of extents as a value of one element, of 64 bits as when composed.
    fn real(&mut self, expression: &RealExpr) -> Result<String, Why> {
        match expression {
            RealExpr::Const(value) => Ok(self.nodes.double(value.get())),
            RealExpr::Int(value) => {
                let value = self.single(value)?;
                Ok(self.nodes.cast(&value, ElementType::Double))
            }
            RealExpr::Unary(op, a) => {
                let a = self.real(a)?;
                Ok(unary(&mut self.nodes, *op, &a))
            }
            RealExpr::Builtin(function, a) => {
                let a = self.real(a)?;
                Ok(builtin(&mut self.nodes, *function, &a, ElementType::Double))
            }
            RealExpr::Binary(op, sides) => {
                let (a, b) = (self.real(&sides[0])?, self.real(&sides[1])?);
                Ok(binary(&mut self.nodes, *op, ScalarType::Real, &a, &b))
            }
            RealExpr::Select(condition, sides) => {
                let condition = self.condition(condition)?;
                let (a, b) = (self.real(&sides[0])?, self.real(&sides[1])?);
                Ok(self.nodes.add("Where", &[&condition, &a, &b], Vec::new()))
            }
        }
    }

    /// A scalar that is known when composed, or follows from extents, as a value of rank 0 of a type.
    pub fn scalar(&mut self, value: &Value, dtype: ScalarType) -> Result<String, Why> {
        Ok(match (value, dtype) {
            (Value::Int(value), ScalarType::Real) => self.nodes.real(*value as f64),
            (Value::Int(value), _) => self.nodes.int(*value),
            (Value::Real(value), _) => self.nodes.real(*value),
            (Value::Bool(value), _) => self.nodes.truth(*value),
            (Value::Symbolic(Symbolic::Int(value)), ScalarType::Real) => {
                let value = self.extent(value)?;
                self.nodes.cast(&value, attr::element_of(ScalarType::Real))
            }
            (Value::Symbolic(Symbolic::Int(value)), _) => self.extent(value)?,
            (Value::Symbolic(Symbolic::Bool(value)), _) => {
                let value = self.condition(value)?;
                self.nodes.scalar(&value)
            }
            (Value::Symbolic(Symbolic::Real(value)), _) => {
                let value = self.real(value)?;
                let value = self.nodes.cast(&value, attr::element_of(ScalarType::Real));
                self.nodes.scalar(&value)
            }
            _ => return Err("a value is no scalar".to_owned()),
        })
    }

    /// Expressions of extents as a vector.
    ///
    /// # Errors
    /// Where nothing tells one of their symbols.
    pub fn vector(&mut self, items: &[SymExpr]) -> Result<String, Why> {
        if let Some(known) = items.iter().map(SymExpr::as_known).collect::<Option<Vec<_>>>() {
            return Ok(self.nodes.ints(&known));
        }
        if let Some(known) = self.lists.get(items) {
            return Ok(known.clone());
        }
        let mut parts = Vec::new();
        for chunk in items.chunk_by(|a, b| a.as_known().is_some() && b.as_known().is_some()) {
            let known: Option<Vec<i64>> = chunk.iter().map(SymExpr::as_known).collect();
            parts.push(match known {
                Some(known) => self.nodes.ints(&known),
                None => self.single(&chunk[0])?,
            });
        }
        let list = match parts.len() {
            1 => parts.swap_remove(0),
            _ => self.nodes.several(("", "Concat"), parts, 1, vec![attr::int("axis", 0)]).swap_remove(0),
        };
        self.lists.insert(items.to_vec(), list.clone());
        Ok(list)
    }

    /// A shape as a vector.
    ///
    /// # Errors
    /// Where nothing tells one of its symbols.
    pub fn shape(&mut self, shape: &[Extent]) -> Result<String, Why> {
        let items: Vec<SymExpr> = shape.iter().map(|extent| extent.value.clone()).collect();
        self.vector(&items)
    }
}

/// Whether an expression of extents has finite values only, and none beyond 64 bits, as far as its operators tell.
fn is_finite(real: &RealExpr) -> bool {
    match real {
        RealExpr::Const(value) => value.get().abs() < 1e9,
        RealExpr::Int(_) => true,
        RealExpr::Unary(_, a) => is_finite(a),
        RealExpr::Builtin(function, a) => {
            let is_moderate =
                !matches!(function, Builtin::Exp | Builtin::Log | Builtin::Sinh | Builtin::Cosh | Builtin::Atanh);
            is_moderate && is_finite(a)
        }
        RealExpr::Binary(BinaryOp::Pow | BinaryOp::Mod, _) => false,
        RealExpr::Binary(BinaryOp::Div, sides) => {
            let by = sides[1].as_known().is_some_and(|by| by.abs() > 1e-9);
            by && is_finite(&sides[0])
        }
        RealExpr::Binary(_, sides) | RealExpr::Select(_, sides) => sides.iter().all(is_finite),
    }
}

/// Whether an extent may be 0.
pub fn may_be_zero(extent: &SymExpr) -> bool {
    extent.lower_bound(&|_| None).is_none_or(|least| least <= 0)
}

fn comparison(op: SymOp) -> Option<BinaryOp> {
    Some(match op {
        SymOp::Lt => BinaryOp::Lt,
        SymOp::Le => BinaryOp::Le,
        SymOp::Eq => BinaryOp::Eq,
        SymOp::Ne => BinaryOp::Ne,
        _ => return None,
    })
}
