//! The match section of a pattern.

use super::{
    emit::{Emitter, MatchedOperation},
    library::Declared,
    model::{OperandMatch, Reference, SourceOperation, Target},
    natives::ParameterKind,
    parts::{Side, is_told_apart},
    pdl::{Binding, Passed, TYPES, VALUE, VALUES, array},
    source_attributes::is_late,
};
use crate::{
    error::{Error, Place, Result},
    ods::{Arity, Constraint, Operand},
};

impl Emitter<'_, '_> {
    /// Emits what matches the operation, operands first.
    pub fn source(&mut self, source: &SourceOperation) -> Result<MatchedOperation> {
        let declared = self.library.get(source.operation);
        let mut attributes = Vec::new();
        let mut errors = Vec::new();
        let operands = self.operands(source, &declared, &mut attributes).unwrap_or_else(|error| {
            errors.push(error);
            Vec::new()
        });
        for ((attribute, declaration), kind) in
            source.attributes.iter().zip(&declared.operation.attributes).zip(&declared.kinds)
        {
            // What may be absent needs the operation, which comes last.
            let late = is_late(attribute, declaration, kind.default.as_deref().and_then(|value| kind.attribute(value)));
            match self.attribute(attribute, late) {
                Ok(Some(name)) => attributes.push((declaration.name.clone(), name)),
                Ok(None) => {}
                Err(error) => errors.push(error),
            }
        }
        let matched = self.operation(source, &declared, &operands, &attributes);
        errors.extend(self.late_attributes(source, &declared, &matched).err());
        if hides_operands(source, &declared) {
            errors.extend(self.take_operands_apart(source, &matched).err());
        }
        if let Some(symbol) = &source.symbol {
            errors.extend(self.check_result(symbol, &declared).err());
            let binding = Binding::Operation { name: matched.name.clone(), operation: matched.operation };
            errors.extend(self.bind(symbol, binding).err());
        }
        Error::collect(errors).map(|()| matched)
    }

    /// The result that the name of an operation says is there.
    fn check_result(&self, symbol: &Reference, declared: &Declared) -> Result<()> {
        match symbol.index {
            Some(index) if index >= declared.operation.results.len() => {
                self.error(&symbol.place, format!("'{}' has no result {index}", declared.operation.name()))
            }
            _ => Ok(()),
        }
    }

    fn operands(
        &mut self,
        source: &SourceOperation,
        declared: &Declared,
        attributes: &mut Vec<(String, String)>,
    ) -> Result<Vec<Passed>> {
        let sized = declared.operation.has_trait("AttrSizedOperandSegments");
        let declarations = &declared.operation.operands;
        let sizes: Vec<Option<usize>> =
            source.operands.iter().zip(declarations).map(|(operand, declared)| size(operand, declared)).collect();
        for (operand, declaration) in source.operands.iter().zip(declarations) {
            self.check_group(operand, declaration)?;
        }
        if declared.operation.has_trait("SameVariadicOperandSize") {
            self.check_same_sizes(source, declared, &sizes)?;
        }
        let mut operands = Vec::new();
        let mut errors = Vec::new();
        if sizes.iter().all(Option::is_some) {
            for operand in &source.operands {
                errors.extend(self.fixed(operand, &mut operands).err());
            }
            if sized {
                let name = self.fresh("segments");
                let sizes: Vec<String> = sizes.iter().flatten().map(usize::to_string).collect();
                self.line(format!("{name} = pdl.attribute = {}", array(&sizes)));
                attributes.push(("operandSegmentSizes".to_string(), name));
            }
        } else if hides_operands(source, declared) {
            return self.operands_to_take_apart(source, declared);
        } else {
            for ((operand, size), declaration) in source.operands.iter().zip(&sizes).zip(declarations) {
                errors.extend(self.grouped(operand, *size, &mut operands).err());
                if let (Arity::Optional, Some((name, VALUES))) = (declaration.arity, operands.last()) {
                    self.optional.insert(name.clone());
                }
            }
        }
        Error::collect(errors).map(|()| operands)
    }

    /// What the declaration says of all groups of an operation.
    fn check_same_sizes(&self, source: &SourceOperation, declared: &Declared, sizes: &[Option<usize>]) -> Result<()> {
        let groups = declared.operation.operands.iter().zip(sizes).filter(|(operand, _)| operand.arity != Arity::One);
        let mut known = groups.filter_map(|(_, size)| *size);
        let first = known.next();
        if known.any(|size| Some(size) != first) {
            let name = declared.operation.name();
            return self.error(&source.place, format!("the variadic operands of '{name}' have the same size"));
        }
        Ok(())
    }

    /// `variadic` is for operands that are.
    fn check_group(&self, operand: &OperandMatch, declared: &Operand) -> Result<()> {
        match operand {
            OperandMatch::Group { place, .. } if declared.arity == Arity::One => {
                self.error(place, format!("operand '{}' is one value, not a group", declared.name))
            }
            OperandMatch::Group { place, items, .. } if declared.arity == Arity::Optional && items.len() > 1 => {
                self.error(place, format!("operand '{}' is one value at most", declared.name))
            }
            _ => Ok(()),
        }
    }

    fn operation(
        &mut self,
        source: &SourceOperation,
        declared: &Declared,
        operands: &[Passed],
        attributes: &[(String, String)],
    ) -> MatchedOperation {
        let wish = source.symbol.as_ref().map_or(declared.operation.mnemonic.as_str(), |symbol| &symbol.name);
        let wish = wish.rsplit('.').next().unwrap_or(wish);
        let name = self.fresh(wish);
        let mut types = Vec::new();
        if !is_told_apart(&declared.operation, Side::Results) {
            let all = self.fresh("types");
            self.line(format!("{all} = pdl.types"));
            types.push((all, TYPES));
        }
        for result in declared.operation.results.iter().filter(|_| is_told_apart(&declared.operation, Side::Results)) {
            let r#type = self.fresh(&format!("{}_type", name.trim_start_matches('%')));
            let single = result.arity == Arity::One;
            self.line(format!("{type} = {}", if single { "pdl.type" } else { "pdl.types" }, r#type = r#type));
            types.push((r#type, if single { "!pdl.type" } else { "!pdl.range<type>" }));
        }
        self.line(operation_line(&name, &declared.operation.name(), operands, attributes, &types));
        self.matched.push(name.clone());
        self.result_types.insert(name.clone(), types.clone());
        MatchedOperation { name, operation: source.operation, types }
    }

    /// An operand list where every group has a known size.
    pub fn fixed(&mut self, operand: &OperandMatch, operands: &mut Vec<Passed>) -> Result<()> {
        match operand {
            OperandMatch::Capture { symbol, constraint, place } => {
                let name = self.value(symbol.as_ref(), constraint.as_ref(), place)?;
                operands.push((name, VALUE));
            }
            OperandMatch::Nested(source) => operands.push((self.nested(source)?, VALUE)),
            OperandMatch::Native(native) => operands.push((self.native_match(native)?, VALUE)),
            OperandMatch::Group { symbol, items, .. } => {
                let first = operands.len();
                let mut errors = Vec::new();
                for item in items {
                    errors.extend(self.fixed(item, operands).err());
                }
                Error::collect(errors)?;
                if let Some(symbol) = symbol {
                    let names = operands[first..].iter().map(|(name, _)| name.clone()).collect();
                    self.bind(symbol, Binding::Group(names))?;
                }
            }
        }
        Ok(())
    }

    /// An operand list with one entry for each declared operand.
    fn grouped(&mut self, operand: &OperandMatch, size: Option<usize>, operands: &mut Vec<Passed>) -> Result<()> {
        match (operand, size) {
            (OperandMatch::Capture { symbol, constraint, .. }, None) => {
                let name = self.values(symbol.as_ref())?;
                if let Some(constraint) = constraint {
                    let about = (vec![(name.clone(), VALUES)], ParameterKind::Values(None));
                    self.constrain(constraint, vec![about], true);
                }
                operands.push((name, VALUES));
                Ok(())
            }
            (_, Some(1)) => self.fixed(operand, operands),
            (_, Some(0)) => {
                let name = self.values(None)?;
                self.library("drr.empty", &[(name.clone(), VALUES)], None);
                operands.push((name, VALUES));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub fn value(
        &mut self,
        symbol: Option<&Reference>,
        constraint: Option<&Constraint>,
        place: &Place,
    ) -> Result<String> {
        let name = match symbol.and_then(|symbol| self.known(symbol)) {
            // A name used twice: PDL compares.
            Some(Binding::Value(name)) => name,
            Some(Binding::Operation { name, operation }) => {
                let values = symbol.map(|symbol| self.results_of(&name, operation, symbol)).transpose()?;
                match values.unwrap_or_default().as_slice() {
                    // PDL compares nothing where a result is used twice.
                    [result @ (_, VALUE)] => {
                        let name = self.operand("operand");
                        self.library("drr.is", &[(name.clone(), VALUE), result.clone()], None);
                        name
                    }
                    _ => return self.error(place, "one value is needed: say which result by '$name__N'"),
                }
            }
            Some(Binding::Part { operation, part }) if part.is_single() => {
                let name = self.operand("operand");
                if let Some(symbol) = symbol {
                    self.equal(&operation, &part, Binding::Value(name.clone()), symbol)?;
                }
                name
            }
            Some(_) => {
                let name = symbol.map(|symbol| symbol.name.as_str()).unwrap_or_default();
                return self.error(place, format!("'${name}' is bound twice, and not to one value"));
            }
            None => {
                let name = self.operand(symbol.map_or("operand", |symbol| &symbol.name));
                if let Some(symbol) = symbol {
                    self.bind(symbol, Binding::Value(name.clone()))?;
                }
                name
            }
        };
        if let Some(constraint) = constraint {
            let about = (vec![(name.clone(), VALUE)], ParameterKind::Values(Some(1)));
            self.constrain(constraint, vec![about], true);
        }
        Ok(name)
    }

    /// A new operand of any type.
    fn operand(&mut self, wish: &str) -> String {
        let name = self.fresh(wish);
        let r#type = self.fresh(&format!("{}_type", name.trim_start_matches('%')));
        self.line(format!("{type} = pdl.type", r#type = r#type));
        self.line(format!("{name} = pdl.operand : {type}", r#type = r#type));
        self.types.insert(name.clone(), r#type);
        name
    }

    pub fn values(&mut self, symbol: Option<&Reference>) -> Result<String> {
        match (symbol, symbol.and_then(|symbol| self.known(symbol))) {
            (_, Some(Binding::Values(name))) => return Ok(name),
            (Some(symbol), Some(Binding::Part { operation, part })) => {
                let name = self.fresh("operands");
                self.line(format!("{name} = pdl.operands"));
                self.equal(&operation, &part, Binding::Values(name.clone()), symbol)?;
                return Ok(name);
            }
            _ => {}
        }
        let name = self.fresh(symbol.map_or("operands", |symbol| &symbol.name));
        self.line(format!("{name} = pdl.operands"));
        if let Some(symbol) = symbol {
            self.bind(symbol, Binding::Values(name.clone()))?;
        }
        Ok(name)
    }

    fn nested(&mut self, source: &SourceOperation) -> Result<String> {
        let matched = self.source(source)?;
        let index = self.operand_result(source)?;
        Ok(self.result(&matched.name, index))
    }

    /// Which result of an operation inside is the operand.
    pub fn operand_result(&self, source: &SourceOperation) -> Result<usize> {
        let declared = self.library.get(source.operation);
        let index = source.symbol.as_ref().and_then(|symbol| symbol.index);
        let (name, count) = (declared.operation.name(), declared.operation.results.len());
        match (index, count) {
            (Some(index), _) if index >= count => self.error(&source.place, format!("'{name}' has no result {index}")),
            (None, 0) => self.error(&source.place, format!("'{name}' has no result that could be an operand")),
            (None, 2..) => self.error(&source.place, format!("'{name}' has {count} results: say which by '$op__N'")),
            (Some(index), _) if declared.operation.results[..index].iter().any(|result| result.arity != Arity::One) => {
                self.error(&source.place, format!("result {index} of '{name}' stands behind a group of unknown size"))
            }
            (index, _) => Ok(index.unwrap_or(0)),
        }
    }
}

/// The name that a native function should have.
pub(super) fn wish_of(target: &Target, definition: &str) -> String {
    match target {
        Target::Path(path) => path.rsplit("::").next().unwrap_or(path).to_string(),
        Target::Method(method) | Target::Expression(method) => method.clone(),
        _ => definition.to_string(),
    }
}

/// Whether operands of a match stand where PDL cannot tell them apart.
fn hides_operands(source: &SourceOperation, declared: &Declared) -> bool {
    let operands = source.operands.iter().zip(&declared.operation.operands);
    let sizes: Vec<Option<usize>> = operands.map(|(operand, declared)| size(operand, declared)).collect();
    let sized = declared.operation.has_trait("AttrSizedOperandSegments");
    let several = sized && sizes.iter().any(|size| size.is_some_and(|size| size > 1));
    sizes.contains(&None) && (several || !is_told_apart(&declared.operation, Side::Operands))
}

/// How many values the match admits for a declared operand; `None` for any number.
fn size(operand: &OperandMatch, declared: &Operand) -> Option<usize> {
    match (operand, declared.arity) {
        (OperandMatch::Group { items, .. }, _) => Some(items.len()),
        (OperandMatch::Nested(_) | OperandMatch::Native(_), _) | (_, Arity::One) => Some(1),
        (OperandMatch::Capture { .. }, _) => None,
    }
}

/// `%name = pdl.operation "name"(...) {...} -> (...)`
pub(super) fn operation_line(
    name: &str,
    operation: &str,
    operands: &[Passed],
    attributes: &[(String, String)],
    types: &[Passed],
) -> String {
    let list = |items: &[Passed]| {
        let names: Vec<&str> = items.iter().map(|(name, _)| name.as_str()).collect();
        let kinds: Vec<&str> = items.iter().map(|(_, kind)| *kind).collect();
        format!("{} : {}", names.join(", "), kinds.join(", "))
    };
    let mut line = format!("{name} = pdl.operation {operation:?}");
    if !operands.is_empty() {
        line.push_str(&format!("({})", list(operands)));
    }
    if !attributes.is_empty() {
        let entries: Vec<String> = attributes.iter().map(|(key, name)| format!("{key:?} = {name}")).collect();
        line.push_str(&format!(" {{{}}}", entries.join(", ")));
    }
    if !types.is_empty() {
        line.push_str(&format!(" -> ({})", list(types)));
    }
    line
}
