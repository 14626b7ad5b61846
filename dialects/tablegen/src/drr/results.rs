//! The rewrite section of a pattern.

use super::{
    emit::{Binding, Emitted, Emitter},
    model::{NativeCall, Pattern, Reference, ResultArgument, ResultNode, ResultOperation},
    natives::NativeKind,
    source::MatchedOperation,
};
use crate::ods::Arity;

/// Something made: an operation, or values.
pub(super) enum Made {
    Operation { name: String, operation: usize, index: Option<usize> },
    Values(Vec<(String, &'static str)>),
}

/// An operand of something made, with its PDL type.
pub(super) type Passed = (String, &'static str);

pub(super) const VALUE: &str = "!pdl.value";
pub(super) const VALUES: &str = "!pdl.range<value>";
pub(super) const ATTRIBUTE: &str = "!pdl.attribute";

impl Emitter<'_> {
    /// Emits what makes the results and replaces the root.
    pub fn results(&mut self, pattern: &Pattern, root: &MatchedOperation) -> Emitted<()> {
        let count = self.library.get(root.operation).results.len();
        let first = self.first_replacement(&pattern.results, count)?;
        let mut replaced = 0;
        let mut replacements = Vec::new();
        for (index, node) in pattern.results.iter().enumerate() {
            let replaces = index >= first;
            let values = self.declared_values(node)?;
            let types = match (replaces, node) {
                (true, ResultNode::Operation(operation)) => self.replaced_types(operation, root, replaced, values),
                _ => None,
            };
            let made = self.node(node, VALUE, types)?;
            if replaces {
                replaced += values;
                replacements.push(made);
            }
        }
        self.replace(root, count, replacements)?;
        for node in &pattern.supplemental {
            match node {
                ResultNode::Native(call) => drop(self.native(call, VALUE)?),
                _ => return Err("a supplemental pattern must be a native call".into()),
            }
        }
        Ok(())
    }

    fn declared_values(&self, node: &ResultNode) -> Emitted<usize> {
        Ok(match node {
            ResultNode::Value(_) => 1,
            ResultNode::Native(call) => call.returns,
            ResultNode::Operation(operation) => match operation.symbol.as_ref().and_then(|symbol| symbol.index) {
                Some(_) => 1,
                None => self.library.get(operation.operation).results.len(),
            },
        })
    }

    /// The last results replace those of the root; what comes before only helps.
    fn first_replacement(&self, results: &[ResultNode], count: usize) -> Emitted<usize> {
        let mut covered = 0;
        for (index, node) in results.iter().enumerate().rev() {
            if covered == count {
                return Ok(index + 1);
            }
            covered += self.declared_values(node)?;
            if covered > count {
                return Err(
                    "an operation cannot both help and replace the root: it has more results than are left".into()
                );
            }
        }
        match covered == count {
            true => Ok(0),
            false => Err(format!("the root has {count} results, the pattern gives {covered}")),
        }
    }

    /// A replacement has the types of what it replaces.
    fn replaced_types(
        &self,
        operation: &ResultOperation,
        root: &MatchedOperation,
        first: usize,
        values: usize,
    ) -> Option<Vec<String>> {
        let declared = self.library.get(operation.operation).results.len();
        (declared == values).then(|| root.types[first..first + values].to_vec())
    }

    fn replace(&mut self, root: &MatchedOperation, count: usize, replacements: Vec<Made>) -> Emitted<()> {
        if count == 0 {
            self.line(format!("pdl.erase {}", root.name));
            return Ok(());
        }
        if let [Made::Operation { name, index: None, .. }] = replacements.as_slice() {
            self.line(format!("pdl.replace {} with {name}", root.name));
            return Ok(());
        }
        let mut values = Vec::new();
        for made in replacements {
            values.extend(self.values_of(made)?);
        }
        let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
        let kinds: Vec<&str> = values.iter().map(|(_, kind)| *kind).collect();
        self.line(format!("pdl.replace {} with ({} : {})", root.name, names.join(", "), kinds.join(", ")));
        Ok(())
    }

    fn values_of(&mut self, made: Made) -> Emitted<Vec<Passed>> {
        match made {
            Made::Values(values) => Ok(values),
            Made::Operation { name, index: Some(index), .. } => Ok(vec![(self.result(&name, index), VALUE)]),
            Made::Operation { name, operation, index: None } => {
                let arities: Vec<Arity> =
                    self.library.get(operation).results.iter().map(|result| result.arity).collect();
                Ok(arities.into_iter().enumerate().map(|(index, arity)| self.group_of(&name, index, arity)).collect())
            }
        }
    }

    fn group_of(&mut self, operation: &str, index: usize, arity: Arity) -> Passed {
        match arity {
            Arity::One => (self.result(operation, index), VALUE),
            _ => {
                let name = self.fresh("results");
                self.line(format!("{name} = pdl.results {index} of {operation} -> {VALUES}"));
                (name, VALUES)
            }
        }
    }

    pub fn node(&mut self, node: &ResultNode, wanted: &'static str, types: Option<Vec<String>>) -> Emitted<Made> {
        match node {
            ResultNode::Operation(operation) => self.made_operation(operation, types),
            ResultNode::Native(call) => Ok(Made::Values(self.native(call, wanted)?)),
            ResultNode::Value(reference) => Ok(Made::Values(vec![self.reference(reference)?])),
        }
    }

    pub fn native(&mut self, call: &NativeCall, wanted: &'static str) -> Emitted<Vec<Passed>> {
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            match argument {
                ResultArgument::Group(items) => {
                    for item in items {
                        arguments.push(self.passed(item)?);
                    }
                }
                argument => arguments.push(self.passed(argument)?),
            }
        }
        let wish = call.path.rsplit("::").next().unwrap_or(&call.path).to_string();
        let function = self.natives.add(&wish, NativeKind::Function(call.path.clone()));
        let results: Vec<String> = (0..call.returns).map(|_| self.fresh(&wish)).collect();
        let returned: Vec<Passed> = results.iter().map(|name| (name.clone(), wanted)).collect();
        let (names, kinds): (Vec<String>, Vec<&str>) = arguments.into_iter().unzip();
        let given =
            if names.is_empty() { String::new() } else { format!("({} : {})", names.join(", "), kinds.join(", ")) };
        let (left, right) = match returned.as_slice() {
            [] => (String::new(), String::new()),
            _ => (format!("{} = ", results.join(", ")), format!(" : {}", vec![wanted; call.returns].join(", "))),
        };
        self.line(format!("{left}pdl.apply_native_rewrite {function:?}{given}{right}"));
        if let Some(symbol) = &call.symbol {
            self.bindings.insert(symbol.name.clone(), Binding::Native { names: results });
        }
        Ok(match call.symbol.as_ref().and_then(|symbol| symbol.index) {
            Some(index) => returned.into_iter().skip(index).take(1).collect(),
            None => returned,
        })
    }

    /// An argument of a native function: anything bound, a constant, something made.
    fn passed(&mut self, argument: &ResultArgument) -> Emitted<Passed> {
        match argument {
            ResultArgument::Reference(reference) => match self.lookup(reference)? {
                Binding::Attribute { name } => Ok((name, ATTRIBUTE)),
                _ => self.reference(reference),
            },
            ResultArgument::Constant(text) => Ok((self.constant(text), ATTRIBUTE)),
            ResultArgument::Integer(value) => Ok((self.constant(&format!("{value} : i64")), ATTRIBUTE)),
            ResultArgument::Node(node) => {
                let made = self.node(node, VALUE, None)?;
                self.single(made)
            }
            ResultArgument::Group(_) => Err("groups cannot be nested".into()),
            ResultArgument::Absent => Err("'?' cannot be given to a native function".into()),
        }
    }

    pub fn constant(&mut self, text: &str) -> String {
        let name = self.fresh("constant");
        self.line(format!("{name} = pdl.attribute = {text}"));
        name
    }

    pub fn single(&mut self, made: Made) -> Emitted<Passed> {
        let values = self.values_of(made)?;
        match <[Passed; 1]>::try_from(values) {
            Ok([value]) => Ok(value),
            Err(values) => Err(format!("one value is needed, {} are given", values.len())),
        }
    }

    /// The value or values that a name stands for.
    pub fn reference(&mut self, reference: &Reference) -> Emitted<Passed> {
        match self.lookup(reference)? {
            Binding::Value { name, .. } => Ok((name, VALUE)),
            Binding::Values { name } => Ok((name, VALUES)),
            Binding::Operation { name, operation, .. } => {
                let index = self.result_index(operation, reference)?;
                let arity = self.library.get(operation).results[index].arity;
                Ok(self.group_of(&name, index, arity))
            }
            Binding::Native { names } => names
                .get(reference.index.unwrap_or(0))
                .map(|name| (name.clone(), VALUE))
                .ok_or_else(|| format!("'${}' has no such value", reference.name)),
            Binding::Attribute { .. } | Binding::OptionalAttribute { .. } => {
                Err(format!("'${}' is an attribute; a value is needed", reference.name))
            }
        }
    }
}
