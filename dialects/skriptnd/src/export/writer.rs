//! What is known while a graph is written: the expressions of values and extents.

use super::Variable;
use super::checked::Requirement;
use crate::call::read_named_type;
use crate::generated::discardable::ResultsAttribute;
use crate::lowering::limits::Limits;
use skriptnd_language::compose::extent::{POSITION, SymExpr};
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::{ScalarType, Symbolic, Value as Constant};
use skriptnd_language::written;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{OperationRef, Value, attributes};
use skriptnd_syntax::build::{self, Element, Expression};
use skriptnd_syntax::names::Fresh;
use std::collections::{HashMap, HashSet};
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
    /// Extents that hold symbols which nothing tells, with the members that have their values.
    pub told: Vec<(SymExpr, Expression)>,
    pub limits: Limits,
    /// Outputs that values are given as, by the keys of these.
    pub wanted: HashMap<usize, String>,
    /// Outputs that packs are given as, by the keys of all their items.
    pub wanted_packs: HashMap<Vec<usize>, String>,
    pub graph: build::Graph,
    pub variables: Vec<Variable>,
    /// Constants about which something is said by their names.
    pub named_constants: HashSet<String>,
    /// Names of variables by the names of their files.
    pub labels: HashMap<String, String>,
    /// Names of files of variables that operators have.
    pub given_away: HashSet<String>,
    /// Names within blocks with those by which the graph around them knows them.
    pub scoped: Vec<String>,
    pub storage: Vec<(String, String)>,
    /// What has to be required of extents besides what the text requires by itself.
    pub requirements: Vec<Requirement>,
}

/// A pack that has a name.
pub(super) struct Pack {
    /// Keys of its items.
    pub items: Vec<usize>,
    /// What stands for all of it.
    pub whole: Expression,
    /// Whether only the run knows how many items there are.
    pub is_open: bool,
    /// How many, as far as that is noted.
    pub length: Option<SymExpr>,
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

    /// A name for a pack of results: that of the output which it is, or a new one.
    pub fn name_of_pack(&mut self, items: &[Value<'_, '_>], like: &str) -> String {
        let keys: Vec<usize> = items.iter().map(Value::key).collect();
        match self.wanted_packs.remove(&keys) {
            Some(name) => name,
            None => self.names.fresh(like),
        }
    }

    /// Notes that a value has a name, as has what it tells of extents.
    pub fn define_as(&mut self, value: Value<'_, '_>, name: &str) {
        self.define(value, Expression::Name(name.to_owned()));
        self.learn(value, name);
    }

    /// What a tensor is called where it stands: inside of blocks without their labels, which change when it is written again;
    /// nothing where the model has no name for it.
    pub fn local<'n>(&self, noted: Option<&'n (impl AsRef<str> + ?Sized)>) -> Option<&'n str> {
        let noted = noted?.as_ref();
        let is_made_up = noted.split('.').any(|part| part == "unused");
        let own = if self.depth > 0 { noted.rsplit('.').next().unwrap_or(noted) } else { noted };
        Some(own).filter(|_| !is_made_up)
    }

    /// Notes what the text calls a pack of the model, and its items.
    pub fn call_pack(&mut self, noted: Option<&str>, name: &str, count: usize) {
        let Some(noted) = noted else { return };
        self.called.insert(noted.to_owned(), name.to_owned());
        self.called.extend((0..count).map(|at| (format!("{noted}.{at}"), name.to_owned())));
    }

    /// Notes that the extents of a value that nothing else tells are its own.
    pub fn learn(&mut self, value: Value<'_, '_>, name: &str) {
        let Some(ty) = read_named_type(value.r#type()) else { return };
        for (at, extent) in ty.shape.iter().enumerate() {
            if let SymExpr::Symbol(symbol) = &extent.value {
                let own = || SymExpr::Symbol(format!("{name}.shape[{at}]").into());
                self.symbols.entry(symbol.clone()).or_insert_with(own);
                continue;
            }
            let mut is_told = true;
            extent.value.symbols(&mut |symbol| is_told &= self.symbols.contains_key(symbol));
            if !is_told {
                self.told.push((extent.value.clone(), Expression::Name(format!("{name}.shape[{at}]"))));
            }
        }
    }

    /// An expression of extents as the text has it.
    pub fn extent(&self, expr: &SymExpr) -> Result<Expression, Failure> {
        if let Some((_, told)) = self.told.iter().find(|(extent, _)| extent == expr) {
            return Ok(told.clone());
        }
        written::extent(&self.known(expr)?).map_err(|what| format!("has `{expr}`, which holds {what}").into())
    }

    /// The value of an attribute as the text has it.
    pub fn constant(&self, value: &Constant) -> Result<Expression, Failure> {
        let value = self.known_value(value)?;
        written::expression(&value).map_err(|what| format!("has {what} as attribute").into())
    }

    /// A value with what the text has for its symbols.
    pub fn known_value(&self, value: &Constant) -> Result<Constant, Failure> {
        match value {
            Constant::Pack(items) => {
                let items = items.iter().map(|item| self.known_value(item)).collect::<Result<_, _>>()?;
                return Ok(Constant::Pack(items));
            }
            Constant::Repeat(item, count) => return Ok(Constant::Repeat(Box::new(self.known_value(item)?), *count)),
            Constant::Symbolic(Symbolic::Int(expr)) => {
                if let Some((_, told)) = self.told.iter().find(|(extent, _)| extent == expr) {
                    return Ok(Constant::Symbolic(Symbolic::Int(SymExpr::Symbol(told.text().into()))));
                }
            }
            _ => {}
        }
        let mut unknown = None;
        value.symbols(&mut |symbol| unknown = unknown.take().or(self.unknown(symbol)));
        if let Some(symbol) = unknown {
            return Err(untold(&symbol));
        }
        let known = value.substitute(&|symbol| self.symbols.get(symbol).cloned());
        known.ok_or_else(|| "has an attribute that depends on extents without a value".into())
    }

    /// The symbol, if nothing in the text tells it.
    fn unknown(&self, symbol: &Arc<str>) -> Option<Arc<str>> {
        Some(symbol).filter(|symbol| !self.symbols.contains_key(*symbol) && &***symbol != POSITION).cloned()
    }

    /// The expression with what the text has for its symbols.
    pub fn known(&self, expr: &SymExpr) -> Result<SymExpr, Failure> {
        let mut unknown = None;
        expr.symbols(&mut |symbol| unknown = unknown.take().or(self.unknown(symbol)));
        if let Some(symbol) = unknown {
            return Err(untold(&symbol));
        }
        let renamed = expr.substitute(&|symbol| self.symbols.get(symbol).cloned());
        renamed.ok_or_else(|| format!("has an extent without a value: {expr}").into())
    }
}

fn untold(symbol: &str) -> Failure {
    format!("depends on the extent `{symbol}`, which nothing in the text tells").into()
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
    noted_names(operation, ResultsAttribute::NAME)
}

/// The names that an attribute notes.
pub(super) fn noted_names(operation: OperationRef<'_, '_>, attribute: &str) -> Vec<String> {
    let noted = operation.get(attribute).and_then(attributes::as_strings);
    noted.unwrap_or_default().into_iter().map(str::to_owned).collect()
}
