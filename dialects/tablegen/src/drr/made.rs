//! Operations that a pattern makes: their operands, attributes and types.

use super::{
    emit::{Binding, Emitted, Emitter},
    model::{ResultArgument, ResultNode, ResultOperation, TypeSource},
    natives::NativeKind,
    read::typed_constant,
    results::{ATTRIBUTE, Made, Passed, VALUE, VALUES},
};
use crate::ods::{Argument, Arity, Trait};

impl Emitter<'_> {
    /// Emits an operation; `types` are those of the results that it replaces.
    pub fn made_operation(&mut self, operation: &ResultOperation, types: Option<Vec<String>>) -> Emitted<Made> {
        let declared = self.library.get(operation.operation).clone();
        let mut parts = Parts::default();
        for (argument, declaration) in operation.arguments.iter().zip(&declared.arguments) {
            match declaration {
                Argument::Operand(index) => {
                    let values =
                        self.operands(argument, declared.operands[*index].arity, &declared.operands[*index].name)?;
                    parts.sizes.push(match values.as_slice() {
                        [(_, VALUES)] => None,
                        values => Some(values.len()),
                    });
                    parts.operands.extend(values);
                }
                Argument::Attribute(index) => {
                    self.made_attribute(argument, &declared.attributes[*index], &mut parts)?
                }
                Argument::Property(index) => {
                    let name = &declared.properties[*index].name;
                    return Err(format!("'{name}' of '{}' is a property, which PDL cannot set", declared.name()));
                }
            }
        }
        if declared.has_trait("AttrSizedOperandSegments") {
            let sizes = self.segment_sizes(&parts);
            parts.attributes.push(("operandSegmentSizes".into(), sizes));
        }
        let inferred = types.is_none() && operation.types.is_none() && !shares_type(&declared);
        if inferred && !parts.copies.is_empty() {
            return Err(format!(
                "'{}' needs (returnType ...): its types depend on attributes that may be absent",
                declared.name()
            ));
        }
        let types = self.types(operation, &declared, types, &parts)?;
        let wish = operation.symbol.as_ref().map_or(declared.mnemonic.clone(), |symbol| symbol.name.clone());
        let name = self.fresh(&wish);
        self.line(parts.line(&name, &declared.name(), &types));
        for (from, source, to) in &parts.copies {
            let kind = NativeKind::CopyAttribute { from: from.clone(), to: to.clone() };
            let function = self.natives.add(&format!("copy:{from}:{to}"), kind);
            let kinds = "!pdl.operation, !pdl.operation";
            self.line(format!("pdl.apply_native_rewrite {function:?}({source}, {name} : {kinds})"));
        }
        let index = operation.symbol.as_ref().and_then(|symbol| symbol.index);
        if let Some(symbol) = &operation.symbol {
            let types =
                (0..declared.results.len()).map(|index| types.get(index).map(|(name, _)| name.clone())).collect();
            let binding = Binding::Operation { name: name.clone(), operation: operation.operation, types };
            self.bind(&symbol.name, binding)?;
        }
        Ok(Made::Operation { name, operation: operation.operation, index })
    }

    fn operands(&mut self, argument: &ResultArgument, arity: Arity, name: &str) -> Emitted<Vec<Passed>> {
        let values = match argument {
            ResultArgument::Absent => Vec::new(),
            ResultArgument::Group(items) => {
                items.iter().map(|item| self.operand(item, name)).collect::<Emitted<Vec<_>>>()?
            }
            argument => vec![self.operand(argument, name)?],
        };
        let open = values.iter().any(|(_, kind)| *kind == VALUES);
        match (arity, values.len()) {
            (Arity::One, 1) if !open => Ok(values),
            (Arity::Optional, 0 | 1) => Ok(values),
            (Arity::Variadic | Arity::VariadicOfVariadic, 1) => Ok(values),
            (Arity::Variadic | Arity::VariadicOfVariadic, _) if !open => Ok(values),
            _ => Err(format!("operand '{name}' cannot take what is given")),
        }
    }

    fn operand(&mut self, argument: &ResultArgument, name: &str) -> Emitted<Passed> {
        match argument {
            ResultArgument::Reference(reference) => self.reference(reference),
            ResultArgument::Node(node) => {
                let made = self.node(node, VALUE, None)?;
                self.single(made)
            }
            _ => Err(format!("operand '{name}' needs a value")),
        }
    }

    fn made_attribute(
        &mut self,
        argument: &ResultArgument,
        declared: &crate::ods::Attribute,
        parts: &mut Parts,
    ) -> Emitted<()> {
        let name = match argument {
            ResultArgument::Absent if declared.optional || declared.default.is_some() => return Ok(()),
            ResultArgument::Reference(reference) => match self.lookup(reference)? {
                Binding::Attribute { name } => name,
                Binding::OptionalAttribute { operation, attribute } => {
                    parts.copies.push((attribute, operation, declared.name.clone()));
                    return Ok(());
                }
                Binding::Native { names } => names
                    .get(reference.index.unwrap_or(0))
                    .cloned()
                    .ok_or_else(|| format!("'${}' has no such value", reference.name))?,
                _ => return Err(format!("'${}' is not an attribute, which '{}' needs", reference.name, declared.name)),
            },
            ResultArgument::Constant(text) => self.constant(text),
            ResultArgument::Integer(value) => {
                let text = typed_constant(&value.to_string(), declared.kind, &declared.constraint.summary);
                self.constant(&text)
            }
            ResultArgument::Node(node) => match node.as_ref() {
                ResultNode::Native(call) => match self.native(call, ATTRIBUTE)?.pop() {
                    Some((name, _)) => name,
                    None => return Err(format!("attribute '{}' needs a native call that returns one", declared.name)),
                },
                _ => return Err(format!("attribute '{}' cannot be an operation", declared.name)),
            },
            ResultArgument::Absent | ResultArgument::Group(_) => {
                return Err(format!("attribute '{}' must be given", declared.name));
            }
        };
        parts.attributes.push((declared.name.clone(), name));
        Ok(())
    }

    fn segment_sizes(&mut self, parts: &Parts) -> String {
        let name = self.fresh("segments");
        if parts.sizes.iter().all(Option::is_some) {
            let sizes: Vec<String> = parts.sizes.iter().flatten().map(usize::to_string).collect();
            self.line(format!("{name} = pdl.attribute = array<i32: {}>", sizes.join(", ")));
            return name;
        }
        let shown: Vec<String> =
            parts.sizes.iter().map(|size| size.map_or("*".to_string(), |size| size.to_string())).collect();
        let kind = NativeKind::SegmentSizes(parts.sizes.clone());
        let function = self.natives.add(&format!("segments:{}", shown.join(",")), kind);
        let ranges: Vec<&str> =
            parts.operands.iter().filter(|(_, kind)| *kind == VALUES).map(|(name, _)| name.as_str()).collect();
        let kinds = vec![VALUES; ranges.len()].join(", ");
        let ranges = ranges.join(", ");
        self.line(format!("{name} = pdl.apply_native_rewrite {function:?}({ranges} : {kinds}) : {ATTRIBUTE}"));
        name
    }

    /// The types of the results: those replaced, those said, or those that a trait gives; none where they are inferred.
    fn types(
        &mut self,
        operation: &ResultOperation,
        declared: &crate::ods::Operation,
        replaced: Option<Vec<String>>,
        parts: &Parts,
    ) -> Emitted<Vec<(String, &'static str)>> {
        let kind = |index: usize| match declared.results.get(index).map(|result| result.arity) {
            Some(Arity::Optional | Arity::Variadic | Arity::VariadicOfVariadic) => "!pdl.range<type>",
            _ => "!pdl.type",
        };
        if let Some(types) = replaced {
            return Ok(types.into_iter().enumerate().map(|(index, name)| (name, kind(index))).collect());
        }
        if let Some(sources) = &operation.types {
            if sources.len() != declared.results.len() {
                return Err(format!(
                    "'{}' has {} results, (returnType ...) gives {}",
                    declared.name(),
                    declared.results.len(),
                    sources.len()
                ));
            }
            return sources.iter().map(|source| Ok((self.type_of(source)?, "!pdl.type"))).collect();
        }
        if declared.results.is_empty() {
            return Ok(Vec::new());
        }
        if shares_type(declared) {
            let first = parts.operands.first().and_then(|(name, _)| self.known_type(name));
            return match first {
                Some(name) => Ok(declared.results.iter().map(|_| (name.clone(), "!pdl.type")).collect()),
                None => Err(format!("the type of '{}' is not known here; say it by (returnType ...)", declared.name())),
            };
        }
        let infers = |item: &Trait| matches!(item, Trait::Interface(name) if name.contains("InferTypeOpInterface"));
        match declared.traits.iter().any(infers) {
            true => Ok(Vec::new()),
            false => {
                Err(format!("the types of '{}' cannot be inferred; say them by (returnType ...)", declared.name()))
            }
        }
    }

    fn type_of(&mut self, source: &TypeSource) -> Emitted<String> {
        match source {
            TypeSource::Of(reference) => match self.lookup(reference)? {
                Binding::Value { r#type, .. } => Ok(r#type),
                Binding::Operation { operation, types, .. } => {
                    let index = self.result_index(operation, reference)?;
                    types[index].clone().ok_or_else(|| format!("the type of '${}' is not known here", reference.name))
                }
                _ => Err(format!("'${}' is not one value", reference.name)),
            },
            TypeSource::Native(call) => match self.native(call, "!pdl.type")?.pop() {
                Some((name, _)) => Ok(name),
                None => Err("a native call in (returnType ...) must return a type".into()),
            },
        }
    }

    /// The type of a value that the pattern bound.
    fn known_type(&self, value: &str) -> Option<String> {
        self.bindings.values().find_map(|binding| match binding {
            Binding::Value { name, r#type } if name == value => Some(r#type.clone()),
            _ => None,
        })
    }
}

fn shares_type(declared: &crate::ods::Operation) -> bool {
    declared.has_trait("SameOperandsAndResultType")
}

/// What an operation is made of.
#[derive(Default)]
struct Parts {
    operands: Vec<Passed>,
    /// How many values stand for each declared operand; `None` for a range.
    sizes: Vec<Option<usize>>,
    attributes: Vec<(String, String)>,
    /// Attributes copied if they are there: name at the source, source, name here.
    copies: Vec<(String, String, String)>,
}

impl Parts {
    fn line(&self, name: &str, operation: &str, types: &[(String, &'static str)]) -> String {
        let list = |items: &[Passed]| {
            let names: Vec<&str> = items.iter().map(|(name, _)| name.as_str()).collect();
            let kinds: Vec<&str> = items.iter().map(|(_, kind)| *kind).collect();
            format!("{} : {}", names.join(", "), kinds.join(", "))
        };
        let mut line = format!("{name} = pdl.operation {operation:?}");
        if !self.operands.is_empty() {
            line.push_str(&format!("({})", list(&self.operands)));
        }
        if !self.attributes.is_empty() {
            let entries: Vec<String> = self.attributes.iter().map(|(key, name)| format!("{key:?} = {name}")).collect();
            line.push_str(&format!(" {{{}}}", entries.join(", ")));
        }
        if !types.is_empty() {
            line.push_str(&format!(" -> ({})", list(types)));
        }
        line
    }
}
