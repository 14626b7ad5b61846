//! Dags of TableGen with all that their text says.

use tblgen::{Record, TypedInit, init::DagInit};

use crate::{
    error::{Error, Result},
    records::{Records, name},
};

/// A dag with all that its text says: `tblgen` itself does not give the operator's name and stops at an unset argument.
#[derive(Clone, Copy)]
pub struct Dag<'a> {
    dag: DagInit<'a>,
    operator: Record<'a>,
}

/// One argument of a dag: `value:$name`, either of which may be missing.
#[derive(Clone, Copy)]
pub struct DagArgument<'a> {
    /// The value, `None` for an unset one (`$name` alone).
    pub value: Option<TypedInit<'a>>,
    /// The name after the dollar.
    pub name: Option<&'a str>,
}

impl<'a> Dag<'a> {
    /// The dag in a field of a record.
    ///
    /// # Errors
    /// Where there is none.
    pub fn in_field(records: &Records, record: Record<'a>, field: &str) -> Result<Self> {
        let value = record.dag_value(field).map_err(|_| {
            Error::at(records, record, format!("'{}' needs a dag in field '{field}'", records.shown(record)))
        })?;
        Self::new(records, record, value)
    }

    /// Wraps a dag found in `owner`, whose place is reported when the dag's operator is not a definition.
    pub fn new(records: &Records, owner: Record<'a>, dag: DagInit<'a>) -> Result<Self> {
        // TableGen would end the process when asked for an operator that is no definition.
        let shown = dag.to_string();
        if shown.starts_with("(?") {
            // The names that TableGen gives to records say nothing.
            let shown = if shown.contains("anonymous_") { "the dag".into() } else { format!("the dag {shown}") };
            return Err(Error::at(records, owner, format!("{shown} has no operator")));
        }
        Ok(Self { dag, operator: dag.operator() })
    }

    /// The definition that stands first.
    pub fn operator(self) -> Record<'a> {
        self.operator
    }

    /// The name bound to the operator, as `result` in `(AddOp:$result ...)`.
    pub fn operator_name(self) -> Option<String> {
        let shown = self.dag.to_string();
        let rest = shown.strip_prefix('(')?.strip_prefix(name(self.operator))?.strip_prefix(":$")?;
        Some(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
    }

    /// The arguments in order.
    pub fn arguments(self) -> impl Iterator<Item = DagArgument<'a>> {
        (0..self.dag.num_args())
            .map(move |index| DagArgument { value: self.dag.get(index), name: self.dag.name(index) })
    }

    /// The number of arguments.
    pub fn len(self) -> usize {
        self.dag.num_args()
    }

    /// Whether there are no arguments.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

impl std::fmt::Display for Dag<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.dag.fmt(f)
    }
}
