//! The match section of a pattern.

use super::{
    emit::{Binding, Emitted, Emitter},
    model::{AttributeMatch, AttributeTest, OperandMatch, Reference, SourceOperation},
    natives::{NativeKind, ParameterKind},
};
use crate::ods::{Arity, Operand};

/// A matched operation.
pub(super) struct MatchedOperation {
    pub name: String,
    pub operation: usize,
    /// The types of its declared results.
    pub types: Vec<String>,
}

const VALUE: &str = "!pdl.value";
const VALUES: &str = "!pdl.range<value>";

impl Emitter<'_> {
    /// Emits what matches the operation, operands first.
    pub fn source(&mut self, source: &SourceOperation) -> Emitted<MatchedOperation> {
        let declared = self.library.get(source.operation);
        let sized = declared.has_trait("AttrSizedOperandSegments");
        let sizes: Vec<Option<usize>> =
            source.operands.iter().zip(&declared.operands).map(|(operand, declared)| size(operand, declared)).collect();
        let mut operands = Vec::new();
        let mut attributes = Vec::new();
        if sizes.iter().all(Option::is_some) {
            for operand in &source.operands {
                self.fixed(operand, &mut operands)?;
            }
            if sized {
                let name = self.fresh("segments");
                let sizes: Vec<String> = sizes.iter().flatten().map(usize::to_string).collect();
                self.line(format!("{name} = pdl.attribute = array<i32: {}>", sizes.join(", ")));
                attributes.push(("operandSegmentSizes".to_string(), name));
            }
        } else {
            if !sized && sizes.iter().rposition(Option::is_none) != Some(sizes.len() - 1) {
                let name = declared.name();
                return Err(format!("'{name}' needs AttrSizedOperandSegments for groups that are not last"));
            }
            for (operand, size) in source.operands.iter().zip(&sizes) {
                self.grouped(operand, *size, &mut operands)?;
            }
        }
        let wish = source.symbol.clone().unwrap_or_else(|| declared.mnemonic.clone());
        // Names of absent and optional attributes need the operation, which comes last.
        for (attribute, declared) in source.attributes.iter().zip(&declared.attributes) {
            let optional = declared.optional || declared.default.is_some();
            if let Some(name) = self.attribute(attribute, optional)? {
                attributes.push((declared.name.clone(), name));
            }
        }
        let matched = self.operation(source, &wish, &operands, &attributes);
        self.late_attributes(source, &matched)?;
        self.bind_operation(source, &matched)?;
        Ok(matched)
    }

    fn operation(
        &mut self,
        source: &SourceOperation,
        wish: &str,
        operands: &[(String, &str)],
        attributes: &[(String, String)],
    ) -> MatchedOperation {
        let declared = self.library.get(source.operation);
        let mut types = Vec::new();
        let mut kinds = Vec::new();
        for result in &declared.results {
            let name = self.fresh("type");
            let single = result.arity == Arity::One;
            self.line(format!("{name} = {}", if single { "pdl.type" } else { "pdl.types" }));
            types.push(name);
            kinds.push(if single { "!pdl.type" } else { "!pdl.range<type>" });
        }
        let name = self.fresh(wish);
        let mut line = format!("{name} = pdl.operation {:?}", declared.name());
        if !operands.is_empty() {
            let names: Vec<&str> = operands.iter().map(|(name, _)| name.as_str()).collect();
            let kinds: Vec<&str> = operands.iter().map(|(_, kind)| *kind).collect();
            line.push_str(&format!("({} : {})", names.join(", "), kinds.join(", ")));
        }
        if !attributes.is_empty() {
            let entries: Vec<String> = attributes.iter().map(|(key, name)| format!("{key:?} = {name}")).collect();
            line.push_str(&format!(" {{{}}}", entries.join(", ")));
        }
        if !types.is_empty() {
            line.push_str(&format!(" -> ({} : {})", types.join(", "), kinds.join(", ")));
        }
        self.line(line);
        MatchedOperation { name, operation: source.operation, types }
    }

    fn bind_operation(&mut self, source: &SourceOperation, matched: &MatchedOperation) -> Emitted<()> {
        let Some(symbol) = &source.symbol else { return Ok(()) };
        let types = matched.types.iter().cloned().map(Some).collect();
        let binding = Binding::Operation { name: matched.name.clone(), operation: matched.operation, types };
        self.bind(&Reference::new(symbol).name, binding)
    }

    /// An operand list where every group has a known size.
    fn fixed(&mut self, operand: &OperandMatch, operands: &mut Vec<(String, &'static str)>) -> Emitted<()> {
        match operand {
            OperandMatch::Capture { symbol, constraint } => {
                let name = self.value(symbol.as_deref(), constraint.as_ref())?;
                operands.push((name, VALUE));
            }
            OperandMatch::Nested(source) => {
                let name = self.nested(source)?;
                operands.push((name, VALUE));
            }
            OperandMatch::Group { symbol, items } => {
                if let Some(symbol) = symbol {
                    return Err(format!("'${symbol}' names a group of fixed size: name its parts"));
                }
                for item in items {
                    self.fixed(item, operands)?;
                }
            }
        }
        Ok(())
    }

    /// An operand list with one entry for each declared operand.
    fn grouped(
        &mut self,
        operand: &OperandMatch,
        size: Option<usize>,
        operands: &mut Vec<(String, &'static str)>,
    ) -> Emitted<()> {
        match (operand, size) {
            (OperandMatch::Capture { symbol, constraint }, None) => {
                let name = self.values(symbol.as_deref())?;
                if let Some(constraint) = constraint {
                    self.constrain(constraint, vec![(name.clone(), ParameterKind::Values)], true)?;
                }
                operands.push((name, VALUES));
                Ok(())
            }
            (_, Some(1)) => self.fixed(operand, operands),
            (_, Some(0)) => {
                let name = self.values(None)?;
                let function = self.natives.add("empty", NativeKind::GroupEmpty);
                self.line(format!("pdl.apply_native_constraint {function:?}({name} : {VALUES})"));
                operands.push((name, VALUES));
                Ok(())
            }
            _ => Err("a group of several operands cannot stand beside one of unknown size".into()),
        }
    }

    fn value(&mut self, symbol: Option<&str>, constraint: Option<&crate::ods::Constraint>) -> Emitted<String> {
        let bound = symbol.and_then(|symbol| self.bindings.get(symbol).cloned());
        let name = match bound {
            // A name used twice: PDL compares.
            Some(Binding::Value { name, .. }) => name,
            Some(Binding::Operation { name, operation, .. }) => {
                let index = self.result_index(operation, &Reference::new(symbol.unwrap_or_default()))?;
                self.result(&name, index)
            }
            Some(_) => return Err(format!("'${}' is not one value", symbol.unwrap_or_default())),
            None => {
                let r#type = self.fresh("type");
                self.line(format!("{type} = pdl.type", r#type = r#type));
                let name = self.fresh(symbol.unwrap_or("operand"));
                self.line(format!("{name} = pdl.operand : {type}", r#type = r#type));
                if let Some(symbol) = symbol {
                    self.bind(symbol, Binding::Value { name: name.clone(), r#type })?;
                }
                name
            }
        };
        if let Some(constraint) = constraint {
            self.constrain(constraint, vec![(name.clone(), ParameterKind::Value)], true)?;
        }
        Ok(name)
    }

    fn values(&mut self, symbol: Option<&str>) -> Emitted<String> {
        if let Some(Binding::Values { name }) = symbol.and_then(|symbol| self.bindings.get(symbol)) {
            return Ok(name.clone());
        }
        let name = self.fresh(symbol.unwrap_or("operands"));
        self.line(format!("{name} = pdl.operands"));
        if let Some(symbol) = symbol {
            self.bind(symbol, Binding::Values { name: name.clone() })?;
        }
        Ok(name)
    }

    fn nested(&mut self, source: &SourceOperation) -> Emitted<String> {
        let matched = self.source(source)?;
        let reference = Reference::new(source.symbol.as_deref().unwrap_or("op"));
        let index = self.result_index(matched.operation, &reference)?;
        Ok(self.result(&matched.name, index))
    }

    /// The attribute to be matched in the dictionary, if it must be there.
    fn attribute(&mut self, attribute: &AttributeMatch, optional: bool) -> Emitted<Option<String>> {
        let bound = attribute.symbol.as_ref().and_then(|symbol| self.bindings.get(symbol).cloned());
        let name = match (&attribute.test, bound) {
            (Some(AttributeTest::Absent), _) => return Ok(None),
            (_, Some(Binding::Attribute { name })) => name,
            (_, Some(_)) => {
                let symbol = attribute.symbol.as_deref().unwrap_or_default();
                return Err(format!("'${symbol}' is bound twice, and not to attributes that are always there"));
            }
            (None, None) if optional || attribute.symbol.is_none() => return Ok(None),
            (Some(AttributeTest::Constant(text)), None) => {
                let name = self.fresh(attribute.symbol.as_deref().unwrap_or("constant"));
                self.line(format!("{name} = pdl.attribute = {text}"));
                name
            }
            (_, None) => {
                let name = self.fresh(attribute.symbol.as_deref().unwrap_or("attribute"));
                self.line(format!("{name} = pdl.attribute"));
                name
            }
        };
        if let Some(AttributeTest::Constraint(constraint)) = &attribute.test {
            self.constrain(constraint, vec![(name.clone(), ParameterKind::Attribute)], false)?;
        }
        if let Some(symbol) = &attribute.symbol {
            self.bindings.insert(symbol.clone(), Binding::Attribute { name: name.clone() });
        }
        Ok(Some(name))
    }

    /// What concerns attributes that may be missing.
    fn late_attributes(&mut self, source: &SourceOperation, matched: &MatchedOperation) -> Emitted<()> {
        let declared = self.library.get(source.operation);
        for (attribute, declared) in source.attributes.iter().zip(&declared.attributes) {
            match (&attribute.test, &attribute.symbol) {
                (Some(AttributeTest::Absent), _) => self.absent(&matched.name, &declared.name)?,
                (None, Some(symbol)) if !self.bindings.contains_key(symbol) => {
                    let operation = matched.name.clone();
                    self.bind(symbol, Binding::OptionalAttribute { operation, attribute: declared.name.clone() })?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// How many values the match admits for a declared operand; `None` for any number.
fn size(operand: &OperandMatch, declared: &Operand) -> Option<usize> {
    match (operand, declared.arity) {
        (OperandMatch::Group { items, .. }, _) => Some(items.len()),
        (OperandMatch::Nested(_), _) | (_, Arity::One) => Some(1),
        (OperandMatch::Capture { .. }, _) => None,
    }
}
