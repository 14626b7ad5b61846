//! Native functions in the rewrite section of a pattern.

use super::{
    emit::Emitter,
    model::{LocationSource, NativeCall, Placeholder, ResultArgument, ResultNode, Target},
    natives::{NativeKind, ParameterKind, Place as NativePlace, ReturnKind},
    pdl::{ATTRIBUTE, Binding, OPERATION, Passed, TYPE, TYPES, VALUE, VALUES},
    results::node_place,
    source::wish_of,
    uses,
};
use crate::error::{Diagnostic, Error, Place, Result};

impl Emitter<'_, '_> {
    /// Calls a native function that returns what is wanted.
    pub fn native(&mut self, call: &NativeCall, wanted: &'static str) -> Result<Vec<Passed>> {
        let returned = match &call.function.target {
            Target::Constant(text) => vec![self.native_constant(text, wanted)],
            Target::Owner => vec![(self.known_function(call, "drr.owner", ("owner", OPERATION))?, OPERATION)],
            Target::TypeOf => vec![(self.known_function(call, "drr.type_of", ("type", TYPE))?, TYPE)],
            Target::Path(path) => self.written(call, NativePlace::Path(path.clone()), wanted)?,
            Target::Method(method) | Target::Expression(method) => {
                self.written(call, NativePlace::Method(method.clone()), wanted)?
            }
        };
        if let Some(symbol) = &call.symbol {
            self.bind(symbol, Binding::Native(returned.clone()))?;
        }
        match call.symbol.as_ref().and_then(|symbol| symbol.index) {
            Some(index) => match returned.get(index) {
                Some(value) => Ok(vec![value.clone()]),
                None => self.error(&call.place, format!("the call returns {} values", returned.len())),
            },
            None => Ok(returned),
        }
    }

    fn native_constant(&mut self, text: &str, wanted: &'static str) -> Passed {
        if wanted == TYPE || wanted == TYPES {
            let name = self.fresh("type");
            self.line(format!("{name} = pdl.type : {text}"));
            return (name, TYPE);
        }
        (self.constant(text), ATTRIBUTE)
    }

    fn known_function(&mut self, call: &NativeCall, function: &str, returned: (&str, &'static str)) -> Result<String> {
        let [argument] = call.arguments.as_slice() else {
            return self.error(&call.place, format!("'{}' takes one value", call.function.text));
        };
        if let (OPERATION, Some(owner)) = (returned.1, self.owner(argument)) {
            return Ok(owner);
        }
        match self.passed(argument, &call.place)?.0.as_slice() {
            [value @ (_, VALUE), ..] => {
                let value = value.clone();
                Ok(self.library(function, &[value], Some(returned)))
            }
            _ => self.error(&call.place, format!("'{}' takes one value", call.function.text)),
        }
    }

    /// The operation whose results a name stands for.
    fn owner(&self, argument: &ResultArgument) -> Option<String> {
        let ResultArgument::Reference(reference) = argument else { return None };
        let Some(Binding::Operation { name, operation }) = self.known(reference) else { return None };
        let count = self.library.get(operation).operation.results.len();
        let is_there = reference.index.unwrap_or(0) < count;
        (is_there && !name.is_empty() && !self.inner.contains(&name)).then_some(name)
    }

    /// A function that is written in Rust.
    fn written(&mut self, call: &NativeCall, place: NativePlace, wanted: &'static str) -> Result<Vec<Passed>> {
        let mut given = Vec::new();
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        let mut errors = Vec::new();
        // Each argument is made once, in the order of the dag.
        for argument in &call.arguments {
            match self.passed(argument, &call.place) {
                Ok(passed) => arguments.push(passed),
                Err(error) => errors.push(error),
            }
        }
        Error::collect(errors)?;
        for placeholder in &call.function.parameters {
            let (passed, parameter) = match (placeholder, &call.this) {
                (Placeholder::Argument(position), _) => match arguments.get(*position) {
                    Some(argument) => argument.clone(),
                    None => return self.error(&call.place, format!("there is no argument ${position}")),
                },
                (Placeholder::Location, _) => self.location(call.location.as_ref())?,
                (Placeholder::This, Some(this)) => self.passed_reference(this)?,
                (Placeholder::This, None) => return self.error(&call.place, "'$_self' stands for nothing here"),
            };
            given.extend(passed);
            parameters.push(parameter);
        }
        let wish = wish_of(&call.function.target, &call.function.definition);
        let returned: Vec<Passed> = (0..call.function.returns).map(|_| (self.fresh(&wish), wanted)).collect();
        let returns = vec![return_kind(wanted); call.function.returns];
        let kind = NativeKind::Function { place, parameters, returns };
        let function = self.natives.add_call(&wish, kind, &call.function);
        self.apply(&function, &given, &returned);
        Ok(returned)
    }

    /// The things whose place `$_loc` stands for.
    fn location(&mut self, source: Option<&LocationSource>) -> Result<(Vec<Passed>, ParameterKind)> {
        let given = match source {
            Some(source) => self.location_parts(source)?,
            None => self.matched.iter().map(|name| self.matched_as(name)).collect(),
        };
        let text = source.is_some_and(|source| source.text.is_some());
        let sources = given.len() - usize::from(text);
        Ok((given, ParameterKind::Location { text, sources }))
    }

    /// The string, and the things whose places are taken.
    pub fn location_parts(&mut self, source: &LocationSource) -> Result<Vec<Passed>> {
        let mut given = Vec::new();
        if let Some(text) = &source.text {
            given.push((self.text(text), ATTRIBUTE));
        }
        for reference in &source.sources {
            match self.lookup(reference)? {
                Binding::Operation { name, .. } => given.push((name, OPERATION)),
                Binding::Attribute(_) | Binding::OptionalAttribute { .. } => {
                    return self.error(&reference.place, format!("the attribute '${}' has no place", reference.name));
                }
                _ => given.extend(self.reference(reference)?),
            }
        }
        Ok(given)
    }

    /// An argument of a native function: anything bound, a constant, something made.
    fn passed(&mut self, argument: &ResultArgument, place: &Place) -> Result<(Vec<Passed>, ParameterKind)> {
        match argument {
            ResultArgument::Reference(reference) => self.passed_reference(reference),
            ResultArgument::Constant(text) => Ok((vec![(self.constant(text), ATTRIBUTE)], ParameterKind::Attribute)),
            ResultArgument::Integer(value) => {
                Ok((vec![(self.constant(&format!("{value} : i64")), ATTRIBUTE)], ParameterKind::Attribute))
            }
            ResultArgument::Node(node) => {
                let wanted = match &**node {
                    ResultNode::Native(call) => self.inner_kind(call),
                    _ => VALUE,
                };
                let made = self.node(node, wanted, None)?;
                let place = node_place(node);
                let value = self.single(made, &place)?;
                let kind = match value.1 {
                    OPERATION => ParameterKind::Operation,
                    ATTRIBUTE => ParameterKind::Attribute,
                    TYPE => ParameterKind::Type,
                    VALUES => ParameterKind::Values(None),
                    _ => ParameterKind::Value,
                };
                Ok((vec![value], kind))
            }
            ResultArgument::Group(items) => {
                let mut values = Vec::new();
                for item in items {
                    let (passed, kind) = self.passed(item, place)?;
                    if kind != ParameterKind::Value {
                        return self.error(place, "a group given to a native function has single values");
                    }
                    values.extend(passed);
                }
                let count = values.len();
                Ok((values, ParameterKind::Values(Some(count))))
            }
            ResultArgument::Absent => self.error(place, "'?' cannot be given to a native function"),
        }
    }

    /// What a native call within another one returns: what patterns and the call itself say, or else what it is given.
    fn inner_kind(&mut self, call: &NativeCall) -> &'static str {
        let named = call.symbol.as_ref().and_then(|symbol| uses::of_name(self.pattern, self.library, &symbol.name));
        let is_written = matches!(call.function.target, Target::Path(_) | Target::Method(_) | Target::Expression(_));
        let known = named.or_else(|| self.uses.returned(self.pattern, call));
        if let Some(kind) = known.or_else(|| (call.function.returns != 1).then_some(VALUE)) {
            return kind;
        }
        let arguments = call.arguments.iter().map(|argument| self.is_attribute(argument));
        let this = call.this.iter().map(|this| self.is_attribute(&ResultArgument::Reference(this.clone())));
        let kind =
            if arguments.chain(this).reduce(|left, right| left && right) == Some(true) { ATTRIBUTE } else { VALUE };
        if is_written {
            let (pattern, text) = (&self.pattern.definition, &call.function.text);
            let taken = if kind == ATTRIBUTE { "an attribute" } else { "a value" };
            let message =
                format!("pattern '{pattern}': what '{text}' returns is not known here; it is taken for {taken}");
            self.warnings.push(Diagnostic::warning(call.place.clone(), message));
        }
        kind
    }

    /// Whether an argument of a native function is an attribute.
    fn is_attribute(&self, argument: &ResultArgument) -> bool {
        match argument {
            ResultArgument::Constant(_) | ResultArgument::Integer(_) => true,
            ResultArgument::Reference(reference) => match self.known(reference) {
                Some(Binding::Attribute(_) | Binding::OptionalAttribute { .. }) => true,
                Some(Binding::Native(returned)) => returned.iter().all(|(_, kind)| *kind == ATTRIBUTE),
                _ => false,
            },
            ResultArgument::Node(node) => match &**node {
                ResultNode::Native(call) => match self.uses.returned(self.pattern, call) {
                    Some(kind) => kind == ATTRIBUTE,
                    None => call.arguments.iter().all(|argument| self.is_attribute(argument)),
                },
                _ => false,
            },
            ResultArgument::Group(_) | ResultArgument::Absent => false,
        }
    }
}

fn return_kind(wanted: &str) -> ReturnKind {
    match wanted {
        ATTRIBUTE => ReturnKind::Attribute,
        TYPE => ReturnKind::Type,
        TYPES => ReturnKind::Types,
        _ => ReturnKind::Value,
    }
}
