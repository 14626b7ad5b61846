//! From the result patterns of `Pattern` records to what is made.

use tblgen::TypedInit;

use super::{
    model::{NativeCall, Reference, ResultArgument, ResultNode, ResultOperation, TypeSource},
    read::Reader,
};
use crate::{
    error::Result,
    records::{self, Dag, DagArgument},
};

impl<'a> Reader<'a> {
    /// What a result pattern makes.
    pub fn node(&self, dag: Dag<'a>) -> Result<ResultNode> {
        let record = dag.operator();
        if record.subclass_of("NativeCodeCall") {
            return Ok(ResultNode::Native(self.native(dag)?));
        }
        if records::name(record) == "replaceWithValue" {
            let arguments: Vec<_> = dag.arguments().collect();
            return match arguments.as_slice() {
                [DagArgument { value: None, name: Some(name) }] => Ok(ResultNode::Value(Reference::new(name))),
                _ => self.error("'replaceWithValue' takes one bound name"),
            };
        }
        let Some(index) = self.library.find(record) else {
            return self.error(format!("'{}' cannot be made: it is not an operation", records::name(record)));
        };
        let mut arguments = Vec::new();
        let mut types = None;
        for argument in dag.arguments() {
            match self.return_type(argument)? {
                Some(found) => types = Some(found),
                None if types.is_some() => return self.error("'returnType' must be the last argument"),
                None => arguments.push(self.result_argument(argument)?),
            }
        }
        let operation = self.library.get(index);
        let (declared, given) = (operation.arguments.len(), arguments.len());
        if declared != given {
            let name = operation.name();
            return self.error(format!("operation '{name}' has {declared} arguments, the pattern gives {given}"));
        }
        let symbol = dag.operator_name().map(|name| Reference::new(&name));
        Ok(ResultNode::Operation(ResultOperation { operation: index, symbol, arguments, types }))
    }

    fn return_type(&self, argument: DagArgument<'a>) -> Result<Option<Vec<TypeSource>>> {
        let Some(TypedInit::Dag(dag)) = argument.value else { return Ok(None) };
        let dag = Dag::new(self.records, self.record, dag)?;
        match records::name(dag.operator()) {
            "returnType" => {}
            "location" => {
                return self.error("'location' is not supported: operations get the place of what they replace");
            }
            _ => return Ok(None),
        }
        let mut types = Vec::new();
        for argument in dag.arguments() {
            types.push(match (argument.value, argument.name) {
                (None, Some(name)) => TypeSource::Of(Reference::new(name)),
                (Some(TypedInit::Dag(dag)), _) => {
                    TypeSource::Native(self.native(Dag::new(self.records, self.record, dag)?)?)
                }
                _ => return self.error("'returnType' takes bound names and native calls"),
            });
        }
        Ok(Some(types))
    }

    fn native(&self, dag: Dag<'a>) -> Result<NativeCall> {
        let record = dag.operator();
        if !record.subclass_of("NativeCodeCall") {
            return self.error(format!("'{}' is not a native call", records::name(record)));
        }
        let expression = records::text(record, "expression").unwrap_or_default();
        let given = dag.arguments().map(|argument| self.result_argument(argument)).collect::<Result<Vec<_>>>()?;
        let Some((path, order)) = call(&expression, given.len()) else {
            return self.error(format!("the native call '{expression}' is not of the form 'function($0, $1)'"));
        };
        let mut arguments = Vec::new();
        for position in order {
            match given.get(position) {
                Some(argument) => arguments.push(argument.clone()),
                None => return self.error(format!("the native call '{expression}' has no argument ${position}")),
            }
        }
        let returns = record.int_value("numReturns").ok().and_then(|count| usize::try_from(count).ok()).unwrap_or(1);
        let symbol = dag.operator_name().map(|name| Reference::new(&name));
        Ok(NativeCall { path, symbol, arguments, returns })
    }

    fn result_argument(&self, argument: DagArgument<'a>) -> Result<ResultArgument> {
        let Some(value) = argument.value else {
            return Ok(match argument.name {
                Some(name) => ResultArgument::Reference(Reference::new(name)),
                None => ResultArgument::Absent,
            });
        };
        match value {
            TypedInit::Dag(dag) => {
                let dag = Dag::new(self.records, self.record, dag)?;
                if records::name(dag.operator()) == "variadic" {
                    let items = dag.arguments().map(|item| self.result_argument(item)).collect::<Result<Vec<_>>>()?;
                    return Ok(ResultArgument::Group(items));
                }
                Ok(ResultArgument::Node(self.node(dag)?.into()))
            }
            TypedInit::Int(_) => match i64::try_from(value) {
                Ok(value) => Ok(ResultArgument::Integer(value)),
                Err(_) => self.error(format!("'{value}' is not an integer")),
            },
            TypedInit::String(_) | TypedInit::Code(_) => {
                Ok(ResultArgument::Constant(String::try_from(value).unwrap_or_default()))
            }
            _ => match records::as_record(value) {
                Some(record) if record.subclass_of("ConstantAttr") => {
                    Ok(ResultArgument::Constant(self.constant(record)?))
                }
                _ => self.error(format!("'{value}' cannot be an argument of something made")),
            },
        }
    }
}

/// The path and the positions of the arguments of `path::function($1, $0)`; `$_builder` and `$_self` are Rust's own.
/// A name alone takes all arguments in order.
fn call(expression: &str, given: usize) -> Option<(String, Vec<usize>)> {
    let expression = expression.trim();
    let is_path = |path: &str| {
        !path.is_empty()
            && path.split("::").all(|part| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_'))
    };
    let Some((path, rest)) = expression.split_once('(') else {
        return is_path(expression).then(|| (expression.to_string(), (0..given).collect()));
    };
    let arguments = rest.trim_end().strip_suffix(')')?;
    let mut order = Vec::new();
    for argument in arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty()) {
        match argument.strip_prefix('$')? {
            "_builder" | "_self" => {}
            position => match position.strip_suffix("...") {
                Some(first) => order.extend(first.parse::<usize>().ok()?..given),
                None => order.push(position.parse().ok()?),
            },
        }
    }
    is_path(path.trim()).then(|| (path.trim().to_string(), order))
}
