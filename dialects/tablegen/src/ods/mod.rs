//! The ODS model: what `Op`, `Dialect`, `EnumInfo` and `Pass` records declare, as plain data.
//!
//! The model knows nothing of TableGen any more, but for the places of its parts, and nothing yet of Rust.

mod ambiguity;
mod builder;
mod confined;
mod constraint;
mod conversion;
mod default;
mod definition;
mod dialect;
mod enumeration;
mod format;
mod formula;
mod interface;
mod lexer;
mod operation;
mod operation_class;
mod optional_group;
mod parse_definition_format;
mod parse_format;
mod pass;
mod pass_option;
mod property;
mod property_kind;
mod read_arguments;
mod read_definition;
mod read_formula;
mod read_operation;
mod resolve_format;
mod resolve_types;
mod seen;
mod spoken;
mod stored;
mod traits;

pub use builder::{Builder, Parameter};
pub use constraint::{AttributeKind, Constraint};
pub use definition::{Definition, DefinitionKind, DefinitionParameter};
pub use dialect::Dialect;
pub use enumeration::{Enumeration, EnumerationCase};
pub use format::{Clause, DefinitionElement, Element, Format, Reference, TypeSource};
pub use formula::Formula;
pub use interface::{Interface, InterfaceKind, Method, is_reached};
pub use operation::{Argument, Arity, Attribute, DerivedAttribute, Operand, Operation, Region, Successor};
pub use pass::{Pass, PassStatistic};
pub use pass_option::{OptionDefault, OptionKind, PassOption, Word};
pub(crate) use pass_option::{integer_range, last_unsigned};
pub use property::Property;
pub use property_kind::PropertyKind;
pub(crate) use stored::{as_attributes, store_in_attributes, value as stored_value};
pub use traits::{Effect, EffectKind, InterfaceUse, Trait, TypeRelation};

use std::{collections::BTreeMap, sync::Arc};

use tblgen::Record;

use crate::{
    error::{Diagnostic, Error, Place, Result},
    predicate::{self, Table},
    records::{self, Records},
};
use spoken::Spoken;

/// What is asked of a dialect: what is not needs not be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Itself, with its operations, types and attributes, and what these use.
    Dialect,
    /// Enumerations, too.
    Enumerations,
    /// Interfaces, too.
    Interfaces,
    /// Passes, too.
    Passes,
}

/// All that the records of one file declare.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// Dialects, in the order of their definition.
    pub dialects: Vec<Dialect>,
    /// Operations, in the order of their definition.
    pub operations: Vec<Operation>,
    /// Types and attributes of one's own, in the order of their definition.
    pub definitions: Vec<Definition>,
    /// Interfaces, in the order of their definition.
    pub interfaces: Vec<Interface>,
    /// Enumerations, in the order of their definition.
    pub enumerations: Vec<Enumeration>,
    /// Passes, in the order of their definition.
    pub passes: Vec<Pass>,
    /// What C++ names are in Rust.
    pub cpp: Arc<Table>,
}

impl Model {
    /// Reads the model.
    ///
    /// # Errors
    /// All independent errors of all records.
    pub fn read(records: &Records) -> Result<Self> {
        Self::read_dialect(records, None)
    }

    /// Reads the model of one dialect: what belongs to others, and what it does not use, need not be right. `None` for all
    /// of which the file speaks: types and attributes that MLIR's own files bring along for other dialects are theirs.
    ///
    /// # Errors
    /// All independent errors of the records that are asked for.
    pub fn read_dialect(records: &Records, name: Option<&str>) -> Result<Self> {
        Self::read_part(records, name, Part::Dialect)
    }

    /// Reads the model of one dialect, of which a part is asked for.
    ///
    /// # Errors
    /// All independent errors of the records that are asked for.
    pub fn read_part(records: &Records, name: Option<&str>, part: Part) -> Result<Self> {
        let mut errors = Vec::new();
        let wanted = |dialect: Option<String>| name.is_none() || dialect.is_none() || dialect.as_deref() == name;
        let of_dialect = |record: &Record<'_>| wanted(Operation::dialect_of(*record));
        let spoken = name.is_none().then(|| Spoken::of(records));
        let definition = |record: &Record<'_>| {
            (record.subclass_of("TypeDef") || record.subclass_of("AttrDef"))
                && wanted(Definition::dialect_of(*record))
                && spoken.as_ref().is_none_or(|spoken| spoken.holds(*record))
        };
        let dialect = |record: &Record<'_>| wanted(records::text(*record, "name"));
        let mut model = Self {
            dialects: each(records, "Dialect", dialect, Dialect::read, &mut errors),
            operations: each(records, "Op", of_dialect, Operation::read, &mut errors),
            definitions: each(records, "AttrOrTypeDef", definition, Definition::read, &mut errors),
            cpp: predicate::table(records),
            ..Self::default()
        };
        errors.extend(Dialect::named_twice(&model.dialects));
        // The rest belongs to no dialect: of one, what it does not use may be wrong.
        let is_asked = |of: Part| name.is_none() || part == of;
        let enumeration = |record: &Record<'_>| is_asked(Part::Enumerations) || model.holds(*record);
        let enumerations = each_needed(records, "EnumInfo", enumeration, Enumeration::read, &mut errors);
        let interface = |record: &Record<'_>| is_asked(Part::Interfaces) || model.has(*record);
        let interfaces = each_needed(records, "Interface", interface, Interface::read, &mut errors);
        let passes = each_needed(records, "PassBase", |_| is_asked(Part::Passes), Pass::read, &mut errors);
        model.enumerations = enumerations;
        model.interfaces = interfaces.into_iter().flatten().collect();
        model.passes = passes;
        errors.extend(model.twins());
        model.unreached(records);
        Error::collect(errors).map(|()| model)
    }

    /// Warns of each interface that MLIR's own code looks for in C++, where it finds none of what Rust declares.
    fn unreached(&self, records: &Records) {
        let operations = self.operations.iter().map(|item| (item.name(), &item.place, &item.interfaces));
        let definitions = self.definitions.iter().map(|item| (item.name(), &item.place, &item.interfaces));
        let is_own = |place: &Place| place.position().is_some_and(|(file, ..)| !records.is_upstream(file));
        for (name, _, interfaces) in operations.chain(definitions).filter(|(_, place, _)| is_own(place)) {
            let of_upstream = |used: &&InterfaceUse| self.interface_of(used).is_some_and(|found| found.is_upstream);
            for used in interfaces.iter().filter(of_upstream).filter(|used| !is_reached(&used.name)) {
                let message = format!(
                    "MLIR itself does not find the interface '{}' in '{name}', which Rust declares: only Rust does",
                    used.name
                );
                records.warn(Diagnostic::warning(used.place.clone(), message));
            }
        }
    }

    /// Whether operations, types or attributes hold values of an enumeration.
    fn holds(&self, enumeration: Record<'_>) -> bool {
        let definition = Some(records::name(enumeration));
        let class = records::text(enumeration, "className");
        let is_class = |cpp_type: &str| class.as_ref().is_some_and(|class| cpp_type.ends_with(class.as_str()));
        self.operations.iter().any(|operation| {
            operation.attributes.iter().any(|attribute| attribute.enumeration.as_deref() == definition)
                || operation.properties.iter().any(|property| property.kind.enumeration() == definition)
        }) || self.definitions.iter().any(|item| {
            item.enumeration.as_deref() == definition || item.parameters.iter().any(|item| is_class(&item.cpp_type))
        })
    }

    /// Whether operations, types or attributes have an interface.
    fn has(&self, interface: Record<'_>) -> bool {
        let name = records::text(interface, "cppInterfaceName").unwrap_or_default();
        let of_operations = self.operations.iter().flat_map(|operation| &operation.interfaces);
        let of_definitions = self.definitions.iter().flat_map(|definition| &definition.interfaces);
        of_operations.chain(of_definitions).any(|used| used.name == name)
    }

    /// An error for each pass, type and attribute that another one is already.
    fn twins(&self) -> Vec<Error> {
        let mut taken = BTreeMap::new();
        let mut errors = Vec::new();
        let mut take = |what: String, definition, place: &Place| {
            if let Some(other) = taken.insert(what.clone(), definition) {
                errors.push(place.error(format!("'{other}' and '{definition}' are both {what}")));
            }
        };
        for pass in &self.passes {
            take(format!("passes '{}'", pass.argument), &pass.definition, &pass.place);
        }
        for item in &self.definitions {
            let (kind, sigil) = if item.kind == DefinitionKind::Type { ("types", '!') } else { ("attributes", '#') };
            take(format!("{kind} '{sigil}{}'", item.name()), &item.definition, &item.place);
            take(format!("the class '{}'", item.cpp_type), &item.definition, &item.place);
        }
        errors
    }

    /// The interface of a C++ name in a namespace; in any, where none is said.
    pub fn interface(&self, name: &str, namespace: &str) -> Option<&Interface> {
        let is_it = |interface: &&Interface| {
            interface.name == name && (namespace.is_empty() || interface.namespace == namespace)
        };
        self.interfaces.iter().find(is_it)
    }

    /// The interface that a record names among its traits.
    pub fn interface_of(&self, used: &InterfaceUse) -> Option<&Interface> {
        self.interface(&used.name, &used.namespace)
    }

    /// The same with the operations of one dialect only.
    pub fn of_dialect(mut self, name: &str) -> Self {
        self.dialects.retain(|dialect| dialect.name == name);
        self.operations.retain(|operation| operation.dialect == name);
        self.definitions.retain(|definition| definition.dialect == name);
        self
    }

    /// The same with some of the operations only.
    pub fn with_operations(mut self, wanted: impl Fn(&Operation) -> bool) -> Self {
        self.operations.retain(wanted);
        self
    }

    /// The dialect of the model; of several the one that has operations.
    ///
    /// # Errors
    /// Where there is none, or more than one.
    pub fn only_dialect(&self) -> Result<&Dialect> {
        let used: Vec<&Dialect> = match self.dialects.as_slice() {
            [only] => vec![only],
            several => {
                let has_operations =
                    |dialect: &&Dialect| self.operations.iter().any(|operation| operation.dialect == dialect.name);
                several.iter().filter(has_operations).collect()
            }
        };
        match used.as_slice() {
            [only] => Ok(only),
            [] => Err(Error::new("no dialect is declared")),
            several => {
                let names: Vec<&str> = several.iter().map(|dialect| dialect.name.as_str()).collect();
                Err(Error::new(format!(
                    "more than one dialect is declared ({}): choose one with -dialect",
                    names.join(", ")
                )))
            }
        }
    }
}

fn each<T>(
    records: &Records,
    class: &str,
    wanted: impl Fn(&Record<'_>) -> bool,
    read: fn(&Records, Record<'_>) -> Result<T>,
    errors: &mut Vec<Error>,
) -> Vec<T> {
    let mut items = Vec::new();
    for record in records.derived(class).into_iter().filter(|record| wanted(record)) {
        match read(records, record) {
            Ok(item) => items.push(item),
            Err(error) => errors.push(error.within(&whereabouts(records, record))),
        }
    }
    items
}

/// Of what is no part of a field.
fn whereabouts(records: &Records, record: Record<'_>) -> String {
    format!("in '{}'", records.shown(record))
}

/// The same of all records, of which those that are not needed are left out where they are wrong.
fn each_needed<T>(
    records: &Records,
    class: &str,
    needed: impl Fn(&Record<'_>) -> bool,
    read: fn(&Records, Record<'_>) -> Result<T>,
    errors: &mut Vec<Error>,
) -> Vec<T> {
    let mut items = Vec::new();
    for record in records.derived(class) {
        match read(records, record) {
            Ok(item) => items.push(item),
            Err(error) if needed(&record) => errors.push(error.within(&whereabouts(records, record))),
            Err(_) => {}
        }
    }
    items
}

#[cfg(test)]
mod format_tests;
#[cfg(test)]
mod tests;
