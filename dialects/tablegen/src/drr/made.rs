//! Operations that a pattern makes: their operands, attributes and types.

use super::{
    emit::Emitter,
    library::{Declared, ResultType},
    made_attributes::{Parts, Wanted, argument_place},
    model::{Reference, ResultArgument, ResultOperation, TypeSource},
    parts::{Part, Side, is_told_apart},
    pdl::{ATTRIBUTE, Binding, OPERATION, Passed, TYPE, TYPES, VALUE, VALUES, array},
    results::{Made, Replaced, node_place},
    source::operation_line,
};
use crate::{
    error::{Error, Place, Result},
    ods::{Argument, Arity, Operand, Operation},
};

impl Emitter<'_, '_> {
    /// Emits an operation, which may replace results of the root.
    pub fn made_operation(&mut self, operation: &ResultOperation, replaced: Option<Replaced<'_>>) -> Result<Made> {
        let declared = self.library.get(operation.operation);
        let made = self.operation_of_parts(operation, &declared, replaced);
        match (&operation.symbol, &made) {
            // Its name is known though it is wrong: that is told once.
            (Some(symbol), Err(_)) if self.known(symbol).is_none() => {
                let binding = Binding::Operation { name: String::new(), operation: operation.operation };
                self.bind(symbol, binding)?;
            }
            _ => {}
        }
        made
    }

    fn operation_of_parts(
        &mut self,
        operation: &ResultOperation,
        declared: &Declared,
        replaced: Option<Replaced<'_>>,
    ) -> Result<Made> {
        let mut parts = self.parts(operation, declared)?;
        if declared.operation.has_trait("AttrSizedOperandSegments") {
            let sizes = self.segment_sizes(&parts);
            parts.attributes.push(("operandSegmentSizes".into(), sizes));
        }
        if declared.operation.has_trait("AttrSizedResultSegments") {
            self.result_segments(operation, declared, &mut parts)?;
        }
        let types = self.types_of(operation, declared, replaced, &mut parts)?;
        let wish = operation.symbol.as_ref().map_or(declared.operation.mnemonic.as_str(), |symbol| &symbol.name);
        let name = self.fresh(wish.rsplit('.').next().unwrap_or(wish));
        self.line(operation_line(&name, &declared.operation.name(), &parts.operands, &parts.attributes, &types));
        self.result_types.insert(name.clone(), types);
        for (from, source, to) in &parts.copies {
            let (from, to) = (self.text(from), self.text(to));
            let given = [self.matched_as(source), (from, ATTRIBUTE), (name.clone(), OPERATION), (to, ATTRIBUTE)];
            self.library("drr.copy", &given, None);
        }
        // PDL knows the place of what it matched itself.
        let location = match &operation.tail.location {
            Some(location) => self.location_parts(location)?,
            None if self.inner.is_empty() => Vec::new(),
            None => self.matched.iter().map(|name| self.matched_as(name)).collect(),
        };
        if !location.is_empty() {
            let given: Vec<Passed> = [(name.clone(), OPERATION)].into_iter().chain(location).collect();
            self.library("drr.locate", &given, None);
        }
        let index = operation.symbol.as_ref().and_then(|symbol| symbol.index);
        if let Some(symbol) = &operation.symbol {
            self.bind(symbol, Binding::Operation { name: name.clone(), operation: operation.operation })?;
        }
        Ok(Made::Operation { name, operation: operation.operation, index })
    }

    fn parts(&mut self, operation: &ResultOperation, declared: &Declared) -> Result<Parts> {
        let mut parts = Parts::default();
        let mut errors = Vec::new();
        for (argument, declaration) in operation.arguments.iter().zip(&declared.operation.arguments) {
            let outcome = match declaration {
                Argument::Operand(index) => self
                    .operand_values(argument, &declared.operation.operands[*index], &operation.place)
                    .map(|values| {
                        parts.sizes.push(match values.as_slice() {
                            [(_, VALUES)] => None,
                            values => Some(values.len()),
                        });
                        parts.operands.extend(values);
                    }),
                Argument::Attribute(index) => {
                    let (attribute, kind) = (&declared.operation.attributes[*index], &declared.kinds[*index]);
                    let default = kind.default.as_deref().and_then(|value| kind.attribute(value));
                    let wanted = Wanted { attribute, default };
                    self.made_attribute(argument, &wanted, &operation.place, &mut parts)
                }
                Argument::Property(index) => {
                    let (name, operation_name) =
                        (&declared.operation.properties[*index].name, declared.operation.name());
                    let message = format!(
                        "the property '{name}' of '{operation_name}' is stored as no attribute, which PDL sets"
                    );
                    self.error(&argument_place(argument, &operation.place), message)
                }
            };
            errors.extend(outcome.err());
        }
        Error::collect(errors).map(|()| parts)
    }

    fn operand_values(&mut self, argument: &ResultArgument, declared: &Operand, place: &Place) -> Result<Vec<Passed>> {
        let (name, place) = (&declared.name, argument_place(argument, place));
        let values = match argument {
            ResultArgument::Absent => Vec::new(),
            ResultArgument::Group(items) => {
                let mut values = Vec::new();
                for item in items {
                    values.extend(self.operand_value(item, name, &place)?);
                }
                values
            }
            argument => self.operand_value(argument, name, &place)?,
        };
        let open = values.iter().any(|(_, kind)| *kind == VALUES);
        match (declared.arity, values.len()) {
            (Arity::One, 1) if !open => Ok(values),
            (Arity::Optional, 0 | 1) => Ok(values),
            (Arity::Variadic | Arity::VariadicOfVariadic, 1) => Ok(values),
            (Arity::Variadic | Arity::VariadicOfVariadic, _) if !open => Ok(values),
            (Arity::One, 0) => self.error(&place, format!("operand '{name}' must be given")),
            (Arity::Variadic | Arity::VariadicOfVariadic, _) => {
                self.error(&place, format!("operand '{name}' cannot join values of unknown number with others"))
            }
            (_, count) => {
                let given = if open { "any number are".to_string() } else { format!("{count} are") };
                self.error(&place, format!("operand '{name}' takes one value, {given} given"))
            }
        }
    }

    fn operand_value(&mut self, argument: &ResultArgument, name: &str, place: &Place) -> Result<Vec<Passed>> {
        let values = match argument {
            ResultArgument::Reference(reference) => {
                self.note_root_use(reference);
                self.reference(reference)?
            }
            ResultArgument::Node(node) => {
                let made = self.node(node, VALUE, None)?;
                vec![self.single(made, &node_place(node))?]
            }
            _ => return self.error(place, format!("operand '{name}' needs a value")),
        };
        match values.iter().all(|(_, kind)| matches!(*kind, VALUE | VALUES)) {
            true => Ok(values),
            false => self.error(place, format!("operand '{name}' needs a value")),
        }
    }

    /// Notes that something made takes a result of the root.
    fn note_root_use(&mut self, reference: &Reference) {
        let root = self.matched.last().cloned();
        match self.known(reference) {
            Some(Binding::Operation { name, .. }) if Some(&name) == root.as_ref() => {
                self.root_uses.push((reference.index, reference.place.clone()));
            }
            _ => {}
        }
    }

    fn segment_sizes(&mut self, parts: &Parts) -> String {
        let known = parts.sizes.iter().all(Option::is_some);
        let sizes: Vec<String> =
            parts.sizes.iter().map(|size| size.map_or("-1".to_string(), |size| size.to_string())).collect();
        let name = self.fresh("segments");
        self.line(format!("{name} = pdl.attribute = {}", array(&sizes)));
        if known {
            return name;
        }
        let mut given = vec![(name, ATTRIBUTE)];
        given.extend(parts.operands.iter().filter(|(_, kind)| *kind == VALUES).cloned());
        self.library("drr.segments", &given, Some(("segments", ATTRIBUTE)))
    }

    fn result_segments(&mut self, operation: &ResultOperation, declared: &Declared, parts: &mut Parts) -> Result<()> {
        if declared.operation.results.iter().any(|result| result.arity != Arity::One) {
            let message = format!("the groups of results of '{}' have no known size", declared.operation.name());
            return self.error(&operation.place, message);
        }
        let ones = vec!["1"; declared.operation.results.len()].join(", ");
        let name = self.fresh("result_segments");
        self.line(format!("{name} = pdl.attribute = array<i32: {ones}>"));
        parts.attributes.push(("resultSegmentSizes".into(), name));
        Ok(())
    }

    /// The types of the results: those said, those replaced, or those that follow from the declaration; none where the
    /// operation infers them itself.
    fn types_of(
        &mut self,
        operation: &ResultOperation,
        declared: &Declared,
        replaced: Option<Replaced<'_>>,
        parts: &mut Parts,
    ) -> Result<Vec<Passed>> {
        let whole = replaced.filter(|replaced| replaced.count == declared.operation.results.len());
        let whole = whole.filter(|_| operation.symbol.as_ref().is_none_or(|symbol| symbol.index.is_none()));
        match (&operation.tail.types, whole) {
            (Some((_, place)), Some(_)) => {
                self.error(place, "what replaces the root has the types of the root: 'returnType' cannot change them")
            }
            (Some((sources, place)), None) => self.said_types(sources, declared, place),
            (None, Some(replaced)) => Ok(self.replaced_types(&replaced)),
            (None, None) => self.inferred_types(operation, declared, parts),
        }
    }

    /// The types of the results that are replaced.
    fn replaced_types(&mut self, Replaced { root, first, count }: &Replaced<'_>) -> Vec<Passed> {
        let declared = self.library.get(root.operation);
        if is_told_apart(&declared.operation, Side::Results) || *count == declared.operation.results.len() {
            return root.types.iter().skip(*first).take(*count).cloned().collect();
        }
        let part = |index| Part::of(&declared.operation, Side::Results, index);
        (*first..first + count).map(|index| self.types_taken(&root.name, &part(index))).collect()
    }

    fn said_types(&mut self, sources: &[TypeSource], declared: &Declared, place: &Place) -> Result<Vec<Passed>> {
        let (name, results) = (declared.operation.name(), &declared.operation.results);
        // One native call may give all types.
        if let ([TypeSource::Native(call)], true) = (sources, results.len() != 1) {
            return self.native(call, TYPES);
        }
        if sources.len() != results.len() {
            let (count, given) = (results.len(), sources.len());
            return self.error(place, format!("'{name}' has {count} results, 'returnType' gives {given}"));
        }
        let mut types = Vec::new();
        for source in sources {
            types.push(match source {
                TypeSource::Of(reference) => match self.reference(reference)?.as_slice() {
                    [(value, VALUE)] => (self.type_of(&value.clone()), TYPE),
                    _ => return self.error(&reference.place, format!("'${}' is not one value", reference.name)),
                },
                TypeSource::Native(call) => match self.native(call, TYPE)?.pop() {
                    Some((name, TYPE)) => (name, TYPE),
                    _ => return self.error(&call.place, "a native call in 'returnType' must return a type"),
                },
            });
        }
        Ok(types)
    }

    fn inferred_types(
        &mut self,
        operation: &ResultOperation,
        declared: &Declared,
        parts: &mut Parts,
    ) -> Result<Vec<Passed>> {
        let name = declared.operation.name();
        let mut types = Vec::new();
        for known in &declared.result_types {
            let found = match known {
                ResultType::Fixed(text) => {
                    let name = self.fresh("type");
                    self.line(format!("{name} = pdl.type : {text}"));
                    Some(name)
                }
                ResultType::OfOperand(index) => self.operand_type(*index, parts),
                ResultType::OfAttribute(index) => {
                    let name = &declared.operation.attributes[*index].name;
                    let given = parts.attributes.iter().find(|(given, _)| given == name);
                    given.map(|(_, attribute)| {
                        self.library("drr.type_of", &[(attribute.clone(), ATTRIBUTE)], Some(("type", TYPE)))
                    })
                }
                ResultType::Unknown => None,
            };
            match found {
                Some(found) => types.push((found, TYPE)),
                None => break,
            }
        }
        if types.len() == declared.operation.results.len() {
            return Ok(types);
        }
        match infers_types(&declared.operation) {
            false if has_builder(&declared.operation) => self.asked_types(operation, declared, parts),
            // That the results do not fit the root is told already.
            false if self.is_open => Ok(Vec::new()),
            false => {
                let message = format!("the types of '{name}' cannot be inferred; say them by (returnType ...)");
                self.error(&operation.place, message)
            }
            true if !self.fill_in(declared, parts) => {
                let message =
                    format!("'{name}' needs (returnType ...): its types depend on attributes that may be absent");
                self.error(&operation.place, message)
            }
            true => Ok(Vec::new()),
        }
    }

    /// The type of the first value of a declared operand.
    fn operand_type(&mut self, index: usize, parts: &Parts) -> Option<String> {
        let before: Option<usize> = parts.sizes[..index].iter().copied().sum();
        match parts.operands.get(before?) {
            Some((name, VALUE)) if parts.sizes[index] != Some(0) => Some(self.type_of(&name.clone())),
            _ => None,
        }
    }

    /// The type of a value of PDL.
    fn type_of(&mut self, value: &str) -> String {
        if let Some(known) = self.types.get(value) {
            return known.clone();
        }
        let name = self.library("drr.type_of", &[(value.to_string(), VALUE)], Some(("type", TYPE)));
        self.types.insert(value.to_string(), name.clone());
        name
    }
}

/// Whether MLIR can ask the operation for the types of its results.
fn infers_types(operation: &Operation) -> bool {
    operation.infers_types() || operation.has_trait("InferTypeOpAdaptor") || operation.result_types().is_some()
}

/// Whether C++ builds the operation of its arguments alone, and so deduces its types.
fn has_builder(operation: &Operation) -> bool {
    operation.builders.iter().any(|builder| builder.parameters.len() == operation.arguments.len())
}
