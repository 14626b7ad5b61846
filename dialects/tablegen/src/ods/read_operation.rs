//! What an `Op` record says.

use std::collections::BTreeSet;

use tblgen::Record;

use super::{
    builder::Builder,
    constraint::AttributeKind,
    dialect::Dialect,
    formula::Formula,
    lexer::is_word,
    operation::{Arity, DerivedAttribute, Operation},
    operation_class::{guessed_operation, operation_of_class},
    parse_format::parse_format,
    traits::{OF_OPERATIONS, Trait, Traits},
};
use crate::{
    cpp,
    error::{Diagnostic, Error, Result},
    fields::{Class, Fields},
    predicate::Predicate,
    records::{self, Records},
};

const OPERATION: Class = Class {
    name: "Op",
    cpp: &["extraClassDeclaration", "extraClassDefinition", "useCustomPropertiesEncoding"],
    derived: &[],
};

impl Operation {
    /// Reads the record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let mut errors = Vec::new();
        let mut operation = Self::head(&fields)?;
        operation.read_flags(&fields);
        errors.extend(operation.read_traits(&fields).err());
        errors.extend(operation.read_arguments(&fields).err());
        errors.extend(operation.read_results(&fields).err());
        errors.extend(operation.read_blocks(&fields).err());
        errors.extend(operation.read_derived(&fields).err());
        match Builder::read_list(&fields, "builders") {
            Ok(builders) if builders.is_empty() && operation.skips_default_builders => {
                let message = "default builders are skipped and no custom builders provided";
                errors.push(fields.error("skipDefaultBuilders", message));
            }
            Ok(builders) => operation.builders = builders,
            Err(error) => errors.push(error),
        }
        errors.extend(operation.check_segments(&fields).err());
        match Formula::read(&fields, &operation) {
            Ok(reference) => operation.reference = reference,
            Err(error) => errors.push(error),
        }
        if errors.is_empty() {
            errors.extend(operation.check_relations(&fields).err());
            errors.extend(operation.check_groups().err());
        }
        // What the format refers to is only known if all of the above is.
        match fields.set_text("assemblyFormat") {
            Some(text) if errors.is_empty() => match parse_format(&fields, &text, &operation) {
                Ok(_) if operation.has_custom_assembly => {
                    let message = "'assemblyFormat' is left out: 'hasCustomAssemblyFormat' lets Rust parse and print";
                    records.warn(Diagnostic::warning(fields.field_place("assemblyFormat"), message));
                }
                Ok(format) => {
                    operation.format = Some(format);
                    operation.format_text = Some(text);
                }
                Err(error) => errors.push(error),
            },
            _ => {}
        }
        errors.extend(fields.finish(&OPERATION).err());
        Error::collect(errors).map(|()| operation)
    }

    /// The dialect that an operation belongs to, without reading more of it.
    pub fn dialect_of(record: Record<'_>) -> Option<String> {
        record.def_value("opDialect").ok().and_then(|dialect| records::text(dialect, "name"))
    }

    fn head(fields: &Fields<'_>) -> Result<Self> {
        let definition = fields.name().to_string();
        let error = |message: String| fields.place().error(message);
        fields.note("opDialect");
        fields.check_named("an operation")?;
        if let Some(dialect) = fields.definition("opDialect") {
            // One slip is told once.
            Dialect::name_of(&Fields::new(fields.records, dialect))?;
        }
        let dialect = Self::dialect_of(fields.record)
            .ok_or_else(|| error(format!("operation '{definition}' needs a dialect")))?;
        let named_at = |name: &str| fields.records.place_in_head(&fields.field_place("opName"), name);
        let mnemonic = fields.text("opName").ok_or_else(|| {
            let error = named_at("").error(format!("operation '{definition}' needs a name"));
            error.note(fields.whereabouts("opName"))
        })?;
        if !mnemonic.split('.').all(is_word) {
            let error = named_at(&mnemonic).error(format!("'{mnemonic}' is no name of an operation"));
            let help = "write words of letters, digits, '_' and '$' with dots between";
            return Err(error.note(fields.whereabouts("opName")).help(help));
        }
        Ok(Self {
            definition,
            dialect,
            mnemonic,
            namespace: fields.text("cppNamespace").unwrap_or_default(),
            summary: fields.text("summary"),
            description: fields.text("description"),
            group: fields.definition("opDocGroup").and_then(|group| records::text(group, "summary")),
            place: fields.place(),
            ..Self::default()
        })
    }

    fn read_flags(&mut self, fields: &Fields<'_>) {
        let former = ["parser", "printer"].map(|field| fields.text(field));
        self.has_custom_assembly = fields.flag("hasCustomAssemblyFormat") || former.iter().any(Option::is_some);
        self.former_verifier = fields.text("verifier");
        self.has_verifier = fields.flag("hasVerifier") || self.former_verifier.is_some();
        self.has_region_verifier = fields.flag("hasRegionVerifier");
        self.has_canonicalize_method = fields.flag("hasCanonicalizeMethod");
        self.has_canonicalizer = fields.flag("hasCanonicalizer") || self.has_canonicalize_method;
        self.has_folder = fields.flag("hasFolder");
        self.members += &records::text(fields.record, "extraClassDeclaration").unwrap_or_default();
        self.skips_default_builders = fields.flag("skipDefaultBuilders");
    }

    fn read_traits(&mut self, fields: &Fields<'_>) -> Result<()> {
        let traits = Traits::read_of_operation(fields, "traits")?;
        self.name_operations(fields, &traits.traits);
        self.traits = traits.traits;
        self.interfaces = traits.interfaces;
        self.effects = traits.effects;
        self.type_relations = traits.relations;
        self.members += &traits.members;
        Ok(())
    }

    /// Finds the operations that traits name.
    fn name_operations(&mut self, fields: &Fields<'_>, traits: &[Trait]) {
        for item in traits {
            let Trait::Parametric { name, parameters } = item else { continue };
            if !OF_OPERATIONS.contains(&name.as_str()) {
                continue;
            }
            for class in parameters.split(',').map(str::trim) {
                let known = operation_of_class(fields.records, class, &self.dialect);
                let operation = known.unwrap_or_else(|| {
                    let guess = guessed_operation(class, &self.dialect, &self.namespace);
                    let message = format!(
                        "the trait {name} names '{class}', which nothing defines here: it is taken for '{guess}'"
                    );
                    fields.records.warn_of_own(Diagnostic::warning(fields.place(), message));
                    guess
                });
                self.named_operations.insert(class.to_string(), operation);
            }
        }
    }

    /// Attributes that are computed are members of the record and no arguments.
    fn read_derived(&mut self, fields: &Fields<'_>) -> Result<()> {
        for (name, record) in fields.own_definitions("Attr") {
            if !record.subclass_of("DerivedAttr") {
                let message = format!("'{name}' is an attribute outside of 'arguments' that is not derived");
                return Err(fields.error(&name, message).help("declare it in 'arguments', or as a DerivedAttr"));
            }
            if let Some(other) = self.find(&name) {
                let message = format!("derived attribute and {} have one name, '{name}'", other.kind());
                return Err(fields.error(&name, message));
            }
            self.derived.push(DerivedAttribute {
                returned: records::text(record, "returnType").unwrap_or_default(),
                body: records::text(record, "body").unwrap_or_default(),
                to_attribute: records::text(record, "convertFromStorage"),
                place: fields.field_place(&name),
                name,
            });
        }
        Ok(())
    }

    /// Predicates are about members of the operation.
    fn check_relations(&self, fields: &Fields<'_>) -> Result<()> {
        let operation = self.name();
        let is_known = |name: &str| self.find(name).is_some() || self.derived.iter().any(|item| item.name == name);
        let mut errors = Vec::new();
        for record in Traits::records(fields, "traits")? {
            let Some(predicate) = records::definition(record, "predicate") else { continue };
            let predicate = Predicate::read(fields.records, predicate, record)?;
            let summary = records::text(record, "summary").unwrap_or_default();
            for name in predicate.names().into_iter().filter(|name| !is_known(name)).collect::<BTreeSet<_>>() {
                let message = format!("the trait '{summary}' is about '{name}', which operation '{operation}' has not");
                errors.push(Traits::place(fields, "traits", record).error(message).note(fields.whereabouts("traits")));
            }
            if predicate.text().contains("$_self") {
                let message = format!("the trait '{summary}' is about '$_self', which stands for nothing in a trait");
                let error = Traits::place(fields, "traits", record).error(message).note(fields.whereabouts("traits"));
                errors.push(error.help("'$_op' is the operation, '$name' one of its parts"));
            }
            if let Some(message) = self.number_out_of_range(&predicate) {
                let error = Traits::place(fields, "traits", record).error(format!("the trait '{summary}' {message}"));
                errors.push(error.note(fields.whereabouts("traits")));
            }
        }
        errors.extend(self.check_derived_type(fields).err());
        if self.has_trait("SameOperandsAndResultType") && self.operands.is_empty() && !self.results.is_empty() {
            let message = format!("operation '{operation}' has no operand whose type its results could have");
            errors.push(fields.error("traits", message));
        }
        Error::collect(errors)
    }

    /// What a predicate asks of an operand or result that is never there.
    fn number_out_of_range(&self, predicate: &Predicate) -> Option<String> {
        let expression = predicate.expression().ok()?;
        let sides = [("getOperand", "operand", &self.operands), ("getResult", "result", &self.results)];
        sides.into_iter().find_map(|(method, what, values)| {
            let is_open = values.iter().any(|value| value.arity != Arity::One);
            let count = values.len();
            let is_outside = |number: &i64| !is_open && usize::try_from(*number).is_ok_and(|number| number >= count);
            let number = cpp::numbers_of(&expression, method).into_iter().find(is_outside)?;
            let plural = if count == 1 { "" } else { "s" };
            Some(format!("is about {what} {number} of operation '{}', which has {count} {what}{plural}", self.name()))
        })
    }

    /// `FirstAttrDerivedResultType` takes the type of the results from the first attribute.
    fn check_derived_type(&self, fields: &Fields<'_>) -> Result<()> {
        if !self.has_trait("FirstAttrDerivedResultType") {
            return Ok(());
        }
        if let Some(first) = self.attributes.first() {
            let message = format!(
                "FirstAttrDerivedResultType takes the type of the results from the first attribute, and '{}' may be absent",
                first.name
            );
            let error = first.place.error(message).note(fields.whereabouts("arguments"));
            return if first.may_be_absent() { Err(error) } else { Ok(()) };
        }
        let message =
            "FirstAttrDerivedResultType takes the type of the results from the first attribute, and operation";
        let error = fields.error("traits", format!("{message} '{}' has none", self.name()));
        Err(error.help("declare one in 'arguments', such as TypeAttr:$type"))
    }

    /// The attribute with the sizes of groups is an argument, too.
    fn check_groups(&self) -> Result<()> {
        Error::collect(self.operands.iter().filter_map(|operand| {
            let name = operand.segments.as_deref()?;
            let sizes = self.attributes.iter().find(|attribute| attribute.name == name);
            let is_list = sizes.is_some_and(|sizes| sizes.kind == AttributeKind::Integers(32));
            let message = format!("the sizes of the groups of '{}' need an attribute '{name}'", operand.name);
            let help = format!("add DenseI32ArrayAttr:${name} to 'arguments'");
            (!is_list).then(|| operand.place.error(message).help(help))
        }))
    }

    /// With more than one group of unknown size, something must say how many values belong to each; with less, nothing.
    fn check_segments(&self, fields: &Fields<'_>) -> Result<()> {
        let sides = [
            ("operands", "arguments", &self.operands, "AttrSizedOperandSegments", "SameVariadicOperandSize"),
            ("results", "results", &self.results, "AttrSizedResultSegments", "SameVariadicResultSize"),
        ];
        let traits = fields.definitions("traits")?;
        // There are traits of our own that mean the same for one group.
        let says = |name: &str| traits.iter().any(|record| records::name(*record) == name);
        let mut errors = Vec::new();
        for (what, field, values, sized, same) in sides {
            let open = values.iter().filter(|value| value.arity != Arity::One).count();
            let message = match (self.has_trait(sized), self.has_trait(same)) {
                (true, true) => format!("operation '{}' has both the traits {sized} and {same}", self.name()),
                (false, false) if open > 1 => format!(
                    "operation '{}' has more than one group of optional or variadic {what}: it needs the trait {sized} or {same}",
                    self.name()
                ),
                (true, false) if open < 2 && says(sized) => {
                    format!("op must have at least two variadic {what} to use '{sized}' trait")
                }
                _ => continue,
            };
            errors.push(fields.place().error(message).note(fields.whereabouts(field)));
        }
        Error::collect(errors)
    }
}
