//! From the result patterns of `Pattern` records to what is made.

use tblgen::TypedInit;

use super::{
    call,
    model::{
        LocationSource, NativeCall, NativeFunction, Placeholder, ResultArgument, ResultNode, ResultOperation, Tail,
        TypeSource,
    },
    read::{Given, NO_STRING, Reader, all, given, shown},
};
use crate::{constant, dag::Dag, error::Result, ods::Argument, records};

/// How many values a native call may return: each is an operand of its own in the PDL.
const MAXIMUM_RETURNS: usize = 256;

impl<'a> Reader<'_, 'a> {
    /// What a result pattern makes.
    pub fn node(&self, dag: Dag<'a>) -> Result<ResultNode> {
        let record = dag.operator();
        if record.subclass_of("NativeCodeCall") {
            return Ok(ResultNode::Native(self.native(dag)?));
        }
        if records::name(record) == "replaceWithValue" {
            return self.value(dag);
        }
        let Some(index) = self.library.find(record) else {
            return self.dag_error(dag, format!("'{}' cannot be made: it is not an operation", records::name(record)));
        };
        let index = index?;
        let declared = self.library.get(index);
        let operation = &declared.operation;
        let parts = if operation.regions.is_empty() { "successors" } else { "regions" };
        if !(operation.regions.is_empty() && operation.successors.is_empty()) {
            let message = format!("operation '{}' has {parts}, which no pattern can make", operation.name());
            return self.dag_error(dag, message);
        }
        let (positional, tail) = self.tail(dag)?;
        let (expected, count) = (declared.operation.arguments.len(), positional.len());
        if expected != count {
            let name = declared.operation.name();
            let message = format!("operation '{name}' has {expected} arguments, the pattern gives {count}");
            return match positional.get(expected) {
                Some(argument) => self.argument_error(*argument, message),
                None => self.dag_error(dag, message),
            };
        }
        let kinds = declared.operation.arguments.iter().map(|argument| match argument {
            Argument::Attribute(index) => Some(&declared.kinds[*index]),
            _ => None,
        });
        let arguments = positional.into_iter().zip(kinds).map(|(argument, kind)| self.result_argument(argument, kind));
        let arguments = all(arguments)?;
        Ok(ResultNode::Operation(ResultOperation {
            operation: index,
            symbol: self.symbol(dag),
            arguments,
            tail,
            place: self.dag_place(dag),
        }))
    }

    fn value(&self, dag: Dag<'a>) -> Result<ResultNode> {
        if let Some(name) = dag.operator_name() {
            return self.dag_error(dag, format!("'replaceWithValue' cannot be named '${name}'"));
        }
        let arguments: Vec<_> = given(dag).collect();
        match arguments.as_slice() {
            [argument @ Given { value: None, name: Some(name), .. }] => {
                Ok(ResultNode::Value(self.reference(name, *argument)))
            }
            _ => self.dag_error(dag, "'replaceWithValue' takes one bound name"),
        }
    }

    /// The arguments before the directives, and these.
    fn tail(&self, dag: Dag<'a>) -> Result<(Vec<Given<'a>>, Tail)> {
        let mut positional = Vec::new();
        let mut tail = Tail::default();
        for argument in given(dag) {
            let nested = self.nested(argument)?;
            let directive = nested.map(|dag| records::name(dag.operator()).to_string()).unwrap_or_default();
            let behind = tail.types.is_some() || tail.location.is_some();
            match (directive.as_str(), nested) {
                ("returnType", Some(_)) if tail.types.is_some() => {
                    return self.argument_error(argument, "'returnType' is given twice");
                }
                ("location", Some(_)) if tail.location.is_some() => {
                    return self.argument_error(argument, "'location' is given twice");
                }
                ("returnType", Some(dag)) => tail.types = Some((self.return_types(dag)?, self.place(argument))),
                ("location", Some(dag)) => tail.location = Some(self.location(dag)?),
                _ if behind => {
                    return self.argument_error(argument, "'returnType' and 'location' stand behind all arguments");
                }
                _ => positional.push(argument),
            }
        }
        Ok((positional, tail))
    }

    /// `(location $x)`, `(location "text")`, `(location "text", $x, $y)`
    fn location(&self, dag: Dag<'a>) -> Result<LocationSource> {
        if let Some(name) = dag.operator_name() {
            return self.dag_error(dag, format!("'location' cannot be named '${name}'"));
        }
        let mut location = LocationSource { text: None, sources: Vec::new() };
        for argument in given(dag) {
            match (argument.value, argument.name) {
                (None, Some(name)) => location.sources.push(self.reference(name, argument)),
                (Some(value @ (TypedInit::String(_) | TypedInit::Code(_))), None) => {
                    if location.text.replace(String::try_from(value).unwrap_or_default()).is_some() {
                        return self.argument_error(argument, "'location' takes one string");
                    }
                }
                _ => return self.argument_error(argument, "'location' takes bound names and one string"),
            }
        }
        match (&location.text, location.sources.len()) {
            (None, 0) => self.dag_error(dag, "'location' needs bound names or a string"),
            _ => Ok(location),
        }
    }

    fn return_types(&self, dag: Dag<'a>) -> Result<Vec<TypeSource>> {
        if let Some(name) = dag.operator_name() {
            return self.dag_error(dag, format!("'returnType' cannot be named '${name}'"));
        }
        if dag.is_empty() {
            return self.dag_error(dag, "'returnType' needs types");
        }
        all(given(dag).map(|argument| match (argument.value, argument.name) {
            (None, Some(name)) => Ok(TypeSource::Of(self.reference(name, argument))),
            (Some(value @ (TypedInit::String(_) | TypedInit::Code(_))), None) => {
                let text = String::try_from(value).unwrap_or_default();
                Ok(TypeSource::Native(self.type_call(&text, argument)?.into()))
            }
            _ => match self.nested(argument)? {
                Some(dag) if dag.operator().subclass_of("NativeCodeCall") => {
                    Ok(TypeSource::Native(self.native(dag)?.into()))
                }
                _ => self.argument_error(argument, "'returnType' takes bound names, strings and native calls"),
            },
        }))
    }

    /// A string in `returnType`: C++ that makes a type.
    fn type_call(&self, text: &str, argument: Given<'a>) -> Result<NativeCall> {
        let wish = format!("{}_type", self.subject());
        match call::read("", text, &wish, 0, 1) {
            Ok(function) => Ok(NativeCall {
                function,
                symbol: None,
                this: None,
                arguments: Vec::new(),
                location: None,
                place: self.place(argument),
            }),
            Err(message) => self.argument_error(argument, message),
        }
    }

    /// What a native call names.
    pub fn native_function(&self, dag: Dag<'a>) -> Result<NativeFunction> {
        let record = dag.operator();
        let positional = given(dag).filter(|argument| !self.is_directive(*argument)).count();
        let definition = if record.anonymous() { "" } else { records::name(record) };
        let expression = records::text(record, "expression").unwrap_or_default();
        let returns = record.int_value("numReturns").unwrap_or(1);
        let returns = match usize::try_from(returns) {
            Ok(returns) if returns <= MAXIMUM_RETURNS => returns,
            _ => {
                let message = format!("a native call returns 0 to {MAXIMUM_RETURNS} values, not {returns}");
                return self.dag_error(dag, message);
            }
        };
        call::read(definition, &expression, &self.wish(definition), positional, returns)
            .or_else(|message| self.dag_error(dag, message))
    }

    /// What a native call is named after that calls no function.
    fn wish(&self, definition: &str) -> String {
        if definition.is_empty() { self.subject() } else { definition.to_string() }
    }

    fn is_directive(&self, argument: Given<'a>) -> bool {
        matches!(self.nested(argument), Ok(Some(dag)) if matches!(records::name(dag.operator()), "location" | "returnType"))
    }

    pub fn native(&self, dag: Dag<'a>) -> Result<NativeCall> {
        let record = dag.operator();
        if !record.subclass_of("NativeCodeCall") {
            return self.dag_error(dag, format!("'{}' is not a native call", records::name(record)));
        }
        let function = self.native_function(dag)?;
        let (positional, tail) = self.tail(dag)?;
        if let Some((_, place)) = tail.types {
            return Err(place.error(format!(
                "pattern '{}': a native call has no 'returnType': what it returns is what is needed",
                self.name
            )));
        }
        if function.parameters.contains(&Placeholder::This) {
            return self.dag_error(dag, format!("'$_self' of '{}' stands for nothing here", function.text));
        }
        let arguments = all(positional.into_iter().map(|argument| self.result_argument(argument, None)))?;
        let symbol = self.symbol(dag);
        Ok(NativeCall { function, symbol, this: None, arguments, location: tail.location, place: self.dag_place(dag) })
    }

    fn result_argument(&self, argument: Given<'a>, kind: Option<&constant::Kind>) -> Result<ResultArgument> {
        let Some(value) = argument.value else {
            return Ok(match argument.name {
                Some(name) => ResultArgument::Reference(self.reference(name, argument)),
                None => ResultArgument::Absent,
            });
        };
        if let Some(dag) = self.nested(argument)? {
            return self.nested_argument(argument, dag, kind);
        }
        match value {
            TypedInit::Int(_) => match (i64::try_from(value), kind) {
                (Ok(value), None) => Ok(ResultArgument::Integer(value)),
                (Ok(value), Some(kind)) => match kind.attribute(&value.to_string()) {
                    Some(constant) => Ok(ResultArgument::Constant(constant)),
                    None => self.argument_error(argument, format!("{value} is not a value of '{}'", kind.name)),
                },
                (Err(_), _) => self.argument_error(argument, format!("'{value}' is not an integer")),
            },
            TypedInit::String(_) | TypedInit::Code(_) => self.argument_error(argument, NO_STRING),
            _ => self.named_argument(argument, value, kind),
        }
    }

    fn nested_argument(
        &self,
        argument: Given<'a>,
        dag: Dag<'a>,
        kind: Option<&constant::Kind>,
    ) -> Result<ResultArgument> {
        if let Some(name) = argument.name {
            return self.argument_error(argument, format!("the name stands with the operation: (Op:${name} ...)"));
        }
        if records::name(dag.operator()) == "variadic" {
            if let Some(name) = dag.operator_name() {
                return self.dag_error(dag, format!("a group that is made cannot be named '${name}'"));
            }
            return Ok(ResultArgument::Group(all(given(dag).map(|item| self.result_argument(item, kind)))?));
        }
        Ok(ResultArgument::Node(self.node(dag)?.into()))
    }

    fn named_argument(
        &self,
        argument: Given<'a>,
        value: TypedInit<'a>,
        kind: Option<&constant::Kind>,
    ) -> Result<ResultArgument> {
        match records::as_record(value) {
            Some(record) if record.subclass_of("ConstantAttr") => {
                Ok(ResultArgument::Constant(self.constant(record, argument)?))
            }
            Some(record) if record.subclass_of("ConstantProp") => {
                let value = records::text(record, "value").unwrap_or_default();
                match kind.and_then(|kind| kind.attribute(&value)) {
                    Some(constant) => Ok(ResultArgument::Constant(constant)),
                    None => {
                        self.argument_error(argument, format!("{value} is not a value of '{}'", records::name(record)))
                    }
                }
            }
            Some(record) if record.subclass_of("EnumCase") => match kind {
                Some(kind) => Ok(ResultArgument::Constant(self.enumeration_case(record, kind, argument)?)),
                None => self.argument_error(argument, "a case of an enumeration needs an attribute that it becomes"),
            },
            // `NativeCodeCall<"f($_self)">:$name`: a transformation of what has the name.
            Some(record) if record.subclass_of("NativeCodeCall") => {
                let definition = if record.anonymous() { "" } else { records::name(record) };
                let text = records::text(record, "expression").unwrap_or_default();
                let function = call::read(definition, &text, &self.wish(definition), 0, 1)
                    .or_else(|message| self.argument_error(argument, message))?;
                let this = argument.name.map(|name| self.reference(name, argument));
                if function.parameters.contains(&Placeholder::This) && this.is_none() {
                    return self.argument_error(argument, format!("'$_self' of '{text}' stands for nothing here"));
                }
                let place = self.place(argument);
                let call = NativeCall { function, symbol: None, this, arguments: Vec::new(), location: None, place };
                Ok(ResultArgument::Node(ResultNode::Native(call).into()))
            }
            // A constraint on what is made asks for nothing: it holds or the operation is invalid.
            Some(record) if record.subclass_of("Constraint") => match argument.name {
                Some(name) => self.argument_error(
                    argument,
                    format!(
                        "'{}' cannot constrain '${name}' here: state it in the source pattern",
                        records::name(record)
                    ),
                ),
                None => {
                    self.argument_error(argument, format!("{} cannot be an argument of something made", shown(value)))
                }
            },
            _ => self.argument_error(argument, format!("{} cannot be an argument of something made", shown(value))),
        }
    }
}
