//! What is known while a graph is written: the expressions of values and extents.

use super::Variable;
use super::spelling::spelled;
use crate::call::read_named_type;
use crate::lowering::limits::Limits;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{OperationRef, Value, attributes};
use skriptnd_syntax::build::{self, Element, Expression};
use skriptnd_syntax::names::Fresh;
use std::collections::HashMap;
use std::sync::Arc;

/// Writes a graph.
#[derive(Default)]
pub(super) struct Writer {
    pub names: Fresh,
    /// What stands for values, by their keys.
    values: HashMap<usize, Expression>,
    /// What the text calls tensors, by their names in the model.
    pub called: HashMap<String, String>,
    /// How many blocks there are around.
    pub depth: usize,
    /// Packs that have a name.
    pub packs: Vec<Pack>,
    /// What stands for extents that only a run knows.
    pub symbols: HashMap<Arc<str>, SymExpr>,
    pub limits: Limits,
    /// Outputs that values are given as, by the keys of these.
    pub wanted: HashMap<usize, String>,
    pub graph: build::Graph,
    pub variables: Vec<Variable>,
    /// Names of variables by the names of their files.
    pub labels: HashMap<String, String>,
    pub storage: Vec<(String, String)>,
}

/// A pack that has a name.
pub(super) struct Pack {
    /// Keys of its items.
    pub items: Vec<usize>,
    /// What stands for all of it.
    pub whole: Expression,
    /// Whether only the run knows how many items there are.
    pub is_open: bool,
}

impl Writer {
    /// Nothing written; these names are the module's.
    pub fn new(taken: Vec<String>) -> Writer {
        let mut writer = Writer::default();
        for name in &taken {
            writer.names.take(name);
        }
        writer
    }

    pub fn define(&mut self, value: Value<'_, '_>, expression: Expression) {
        self.values.insert(value.key(), expression);
    }

    pub fn value(&self, value: Value<'_, '_>) -> Result<Expression, Failure> {
        self.values
            .get(&value.key())
            .cloned()
            .ok_or_else(|| "has an operand that nothing in the text stands for".into())
    }

    /// A name for a result: that of the output which it is, or a new one.
    pub fn name(&mut self, value: Value<'_, '_>, like: &str) -> String {
        match self.wanted.remove(&value.key()) {
            Some(name) => name,
            None => self.names.fresh(like),
        }
    }

    /// Notes that the extents of a value that nothing else tells are its own.
    pub fn learn(&mut self, value: Value<'_, '_>, name: &str) {
        let Some(ty) = read_named_type(value.r#type()) else { return };
        for (at, extent) in ty.shape.iter().enumerate() {
            if let SymExpr::Symbol(symbol) = &extent.value {
                let own = || SymExpr::Symbol(format!("{name}.shape[{at}]").into());
                self.symbols.entry(symbol.clone()).or_insert_with(own);
            }
        }
    }

    /// An expression of extents as the text has it.
    pub fn extent(&self, expr: &SymExpr) -> Result<Expression, Failure> {
        let known = self.known(expr)?;
        Ok(match &known {
            SymExpr::Const(value) => Expression::Int(*value),
            SymExpr::Symbol(name) => Expression::Name(name.to_string()),
            other => Expression::Written(spelled(&other.to_string())?),
        })
    }

    /// The expression with what the text has for its symbols.
    pub fn known(&self, expr: &SymExpr) -> Result<SymExpr, Failure> {
        let mut unknown = None;
        expr.symbols(&mut |symbol| {
            if !self.symbols.contains_key(symbol) && unknown.is_none() {
                unknown = Some(symbol.to_string());
            }
        });
        if let Some(symbol) = unknown {
            return Err(format!("depends on the extent `{symbol}`, which nothing in the text tells").into());
        }
        let renamed = expr.substitute(&|symbol| self.symbols.get(symbol).cloned());
        renamed.ok_or_else(|| format!("has an extent without a value: {expr}").into())
    }
}

/// The type of a value.
pub(super) fn type_of(value: Value<'_, '_>) -> Result<TensorType, Failure> {
    let r#type = value.r#type();
    read_named_type(r#type).ok_or_else(|| format!("has a value of type {type}, whose extents have no names").into())
}

/// The keyword of a type of elements.
pub(super) fn element(dtype: ScalarType) -> Result<Element, Failure> {
    match dtype.keyword() {
        "real" => Ok(Element::Real),
        "int" => Ok(Element::Int),
        "bool" => Ok(Element::Bool),
        other => Err(format!("has elements of type {other}").into()),
    }
}

/// What the model called the results of an operation, as far as it is noted.
pub(super) fn result_names(operation: OperationRef<'_, '_>) -> Vec<String> {
    let noted = operation.get(crate::generated::discardable::ResultsAttribute::NAME);
    noted.and_then(attributes::as_strings).unwrap_or_default().into_iter().map(str::to_owned).collect()
}
