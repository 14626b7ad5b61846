//! The match section of a pattern.

use super::{
    emit::{ATTRIBUTE, Binding, Emitter, MatchedOperation, OPERATION, Passed, VALUE, VALUES},
    library::Declared,
    model::{
        ExtraConstraint, NativeMatch, NativeOutput, OperandMatch, Placeholder, Reference, SourceOperation, Target,
    },
    natives::{NativeKind, ParameterKind, Place as NativePlace, ReturnKind},
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
        if let Some(symbol) = &source.symbol {
            let binding = Binding::Operation { name: matched.name.clone(), operation: matched.operation };
            errors.extend(self.bind(symbol, binding).err());
        }
        Error::collect(errors).map(|()| matched)
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
        let mut operands = Vec::new();
        let mut errors = Vec::new();
        if sizes.iter().all(Option::is_some) {
            for operand in &source.operands {
                errors.extend(self.fixed(operand, &mut operands).err());
            }
            if sized {
                let name = self.fresh("segments");
                let sizes: Vec<String> = sizes.iter().flatten().map(usize::to_string).collect();
                self.line(format!("{name} = pdl.attribute = array<i32: {}>", sizes.join(", ")));
                attributes.push(("operandSegmentSizes".to_string(), name));
            }
        } else {
            if !sized && sizes.iter().rposition(Option::is_none) != Some(sizes.len() - 1) {
                let name = declared.operation.name();
                let message = format!("'{name}' needs AttrSizedOperandSegments for groups that are not last");
                return self.error(&source.place, message);
            }
            for (operand, size) in source.operands.iter().zip(&sizes) {
                errors.extend(self.grouped(operand, *size, &mut operands).err());
            }
        }
        Error::collect(errors).map(|()| operands)
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
        for result in &declared.operation.results {
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
    fn fixed(&mut self, operand: &OperandMatch, operands: &mut Vec<Passed>) -> Result<()> {
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
            (OperandMatch::Capture { symbol, constraint, place }, None) => {
                let name = self.values(symbol.as_ref())?;
                if let Some(constraint) = constraint {
                    let about = (vec![(name.clone(), VALUES)], ParameterKind::Values(None));
                    self.constrain(constraint, vec![about], true, place)?;
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
            (OperandMatch::Group { place, .. }, _) => {
                self.error(place, "a group of several operands cannot stand beside one of unknown size")
            }
            _ => Ok(()),
        }
    }

    fn value(&mut self, symbol: Option<&Reference>, constraint: Option<&Constraint>, place: &Place) -> Result<String> {
        let name = match symbol.and_then(|symbol| self.known(symbol)) {
            // A name used twice: PDL compares.
            Some(Binding::Value(name)) => name,
            Some(Binding::Operation { name, operation }) => {
                let values = symbol.map(|symbol| self.results_of(&name, operation, symbol)).transpose()?;
                match values.unwrap_or_default().as_slice() {
                    [(name, VALUE)] => name.clone(),
                    _ => return self.error(place, "one value is needed: say which result by '$name__N'"),
                }
            }
            Some(_) => {
                let name = symbol.map(|symbol| symbol.name.as_str()).unwrap_or_default();
                return self.error(place, format!("'${name}' is bound twice, and not to one value"));
            }
            None => {
                let name = self.fresh(symbol.map_or("operand", |symbol| &symbol.name));
                let r#type = self.fresh(&format!("{}_type", name.trim_start_matches('%')));
                self.line(format!("{type} = pdl.type", r#type = r#type));
                self.line(format!("{name} = pdl.operand : {type}", r#type = r#type));
                self.types.insert(name.clone(), r#type);
                if let Some(symbol) = symbol {
                    self.bind(symbol, Binding::Value(name.clone()))?;
                }
                name
            }
        };
        if let Some(constraint) = constraint {
            let about = (vec![(name.clone(), VALUE)], ParameterKind::Values(Some(1)));
            self.constrain(constraint, vec![about], true, place)?;
        }
        Ok(name)
    }

    fn values(&mut self, symbol: Option<&Reference>) -> Result<String> {
        if let Some(Binding::Values(name)) = symbol.and_then(|symbol| self.known(symbol)) {
            return Ok(name);
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
        let declared = self.library.get(matched.operation);
        let index = source.symbol.as_ref().and_then(|symbol| symbol.index);
        let (name, count) = (declared.operation.name(), declared.operation.results.len());
        match (index, count) {
            (Some(index), _) if index >= count => self.error(&source.place, format!("'{name}' has no result {index}")),
            (None, 0) => self.error(&source.place, format!("'{name}' has no result that could be an operand")),
            (None, 2..) => self.error(&source.place, format!("'{name}' has {count} results: say which by '$op__N'")),
            (index, _) => Ok(self.result(&matched.name, index.unwrap_or(0))),
        }
    }

    /// A native function that is asked about the operation that defines an operand.
    fn native_match(&mut self, native: &NativeMatch) -> Result<String> {
        let value = self.value(None, None, &native.place)?;
        let place = match &native.function.target {
            Target::Path(path) => NativePlace::Path(path.clone()),
            Target::Method(method) => NativePlace::Method(method.clone()),
            _ => return self.error(&native.place, format!("'{}' does not match anything", native.function.text)),
        };
        let mut parameters = Vec::new();
        for placeholder in &native.function.parameters {
            match placeholder {
                Placeholder::This => parameters.push(ParameterKind::DefiningOperation),
                // What is told is returned.
                Placeholder::Argument(_) => {}
                Placeholder::Location => return self.error(&native.place, "'$_loc' is known when something is made"),
            }
        }
        // PDL asks nothing without an argument, which such a function does not read.
        let given = vec![(value.clone(), VALUE); parameters.len().max(1)];
        let kind = |output: &NativeOutput| if output.is_attribute { ReturnKind::Attribute } else { ReturnKind::Value };
        let returns = native.outputs.iter().map(kind).collect();
        let wish = wish_of(&native.function.target, &native.function.definition);
        let kind = NativeKind::Matcher { place, parameters, returns };
        let function = self.natives.add(&wish, kind, &native.function.text);
        self.told(native, &function, &given)?;
        Ok(value)
    }

    /// Calls the function, tests what it tells, and binds that.
    fn told(&mut self, native: &NativeMatch, function: &str, given: &[Passed]) -> Result<()> {
        let mut returned = Vec::new();
        for output in &native.outputs {
            let name = self.fresh(output.symbol.as_ref().map_or("told", |symbol| &symbol.name));
            returned.push((name, if output.is_attribute { ATTRIBUTE } else { VALUE }));
        }
        self.apply(function, given, &returned);
        for (output, (name, kind)) in native.outputs.iter().zip(returned) {
            let is_value = !output.is_attribute;
            if let Some(constraint) = &output.constraint {
                let parameter = if is_value { ParameterKind::Values(Some(1)) } else { ParameterKind::Attribute };
                let about = vec![(vec![(name.clone(), kind)], parameter)];
                self.constrain(constraint, about, is_value, &native.place)?;
            }
            if let Some(symbol) = &output.symbol {
                let binding = if is_value { Binding::Value(name) } else { Binding::Attribute(name) };
                self.bind(symbol, binding)?;
            }
        }
        Ok(())
    }

    /// A constraint over things that the pattern bound.
    pub fn extra_constraint(&mut self, extra: &ExtraConstraint) -> Result<()> {
        let mut about = Vec::new();
        let mut errors = Vec::new();
        for reference in &extra.arguments {
            if let (Some(Binding::OptionalAttribute { operation, attribute, .. }), "IsNullAttr") =
                (self.known(reference), extra.constraint.definition.as_str())
            {
                let name = self.text(&attribute);
                self.library("drr.absent", &[(operation, OPERATION), (name, ATTRIBUTE)], None);
                return Ok(());
            }
            match self.passed_reference(reference) {
                Ok(passed) => about.push(passed),
                Err(error) => errors.push(error),
            }
        }
        Error::collect(errors)?;
        if about.is_empty() {
            return self.error(&extra.place, format!("the constraint '{}' is about nothing", extra.constraint.summary));
        }
        if let (true, [(_, kind)]) = (extra.is_type, about.as_mut_slice()) {
            *kind = match kind {
                ParameterKind::Value => ParameterKind::Values(Some(1)),
                ParameterKind::Values(_) => kind.clone(),
                _ => return self.error(&extra.place, "a type constraint is about a value"),
            };
        }
        self.constrain(&extra.constraint, about, extra.is_type, &extra.place)
    }

    /// A native constraint that does what the predicate says.
    pub fn constrain(
        &mut self,
        constraint: &Constraint,
        about: Vec<(Vec<Passed>, ParameterKind)>,
        is_type: bool,
        place: &Place,
    ) -> Result<()> {
        let (passed, kinds): (Vec<Vec<Passed>>, Vec<ParameterKind>) = about.into_iter().unzip();
        let text = constraint.predicate.text();
        let kind = match NativeKind::predicate(constraint, kinds.clone(), is_type) {
            Ok(kind) => kind,
            // What C++ says beyond the table is asked of the author, under the constraint's name.
            Err(_) if !constraint.definition.is_empty() => {
                let method = crate::predicate::snake_case(&constraint.definition);
                NativeKind::Asked { method, parameters: kinds }
            }
            Err(message) => return self.error(place, format!("cannot say in Rust: {text}: {message}")),
        };
        let function = self.natives.add(&constraint.definition, kind, text);
        self.apply(&function, &passed.concat(), &[]);
        Ok(())
    }
}

/// The name that a native function should have.
pub(super) fn wish_of(target: &Target, definition: &str) -> String {
    match target {
        Target::Path(path) => path.rsplit("::").next().unwrap_or(path).to_string(),
        Target::Method(method) => method.clone(),
        _ => definition.to_string(),
    }
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
