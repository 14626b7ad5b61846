//! Operations: arguments, results, regions, successors and what else an `Op` record says.

use tblgen::Record;

use super::{
    constraint::{AttributeKind, Constraint},
    format::{Format, parse_format},
    traits::Trait,
};
use crate::{
    error::{Error, Place, Result},
    records::{self, Dag, Records},
};

/// How many values stand for one declared operand or result (regions and successors likewise).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// A declared operand or result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// The name in the declaration; results may have none.
    pub name: String,
    /// How many values it stands for.
    pub arity: Arity,
    /// What the type of each must fulfil.
    pub constraint: Constraint,
    /// What `Arg<..., "...">` or `Res<..., "...">` says about it.
    pub summary: Option<String>,
}

/// A declared attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The name in the declaration, which is that of the attribute.
    pub name: String,
    /// What it must fulfil.
    pub constraint: Constraint,
    /// What Rust sees.
    pub kind: AttributeKind,
    /// Whether it may be absent.
    pub optional: bool,
    /// The value that stands for an absent one, as the .td file writes it.
    pub default: Option<String>,
    /// The name of the enumeration that it holds.
    pub enumeration: Option<String>,
    /// What `Arg<..., "...">` says about it.
    pub summary: Option<String>,
}

/// An entry of `arguments`: which operand or which attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// The index of an operand.
    Operand(usize),
    /// The index of an attribute.
    Attribute(usize),
}

/// A declared region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The name in the declaration.
    pub name: String,
    /// Whether it stands for any number of regions.
    pub variadic: bool,
    /// What each must fulfil.
    pub constraint: Constraint,
}

/// A declared successor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Successor {
    /// The name in the declaration.
    pub name: String,
    /// Whether it stands for any number of blocks.
    pub variadic: bool,
}

/// An `Op` record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The name of the definition.
    pub definition: String,
    /// The name of the dialect.
    pub dialect: String,
    /// The name without the dialect.
    pub mnemonic: String,
    /// The C++ namespace, which becomes the Rust module.
    pub namespace: String,
    /// One line about it.
    pub summary: Option<String>,
    /// Markdown about it.
    pub description: Option<String>,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// Attributes in order.
    pub attributes: Vec<Attribute>,
    /// Operands and attributes in the order of `arguments`, by which patterns refer to them.
    pub arguments: Vec<Argument>,
    /// Results in order.
    pub results: Vec<Operand>,
    /// Regions in order.
    pub regions: Vec<Region>,
    /// Successors in order.
    pub successors: Vec<Successor>,
    /// Traits and interfaces.
    pub traits: Vec<Trait>,
    /// The custom assembly.
    pub format: Option<Format>,
    /// Whether parser and printer are written by hand.
    pub has_custom_assembly: bool,
    /// Whether there is a further verifier.
    pub has_verifier: bool,
    /// Whether there are canonicalization patterns.
    pub has_canonicalizer: bool,
    /// Whether there is a folder.
    pub has_folder: bool,
    /// Where it is defined.
    pub place: Place,
}

impl Operation {
    /// Reads the record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let definition = records::name(record).to_string();
        let error = |message: String| Error::at(records, record, message);
        let dialect = record
            .def_value("opDialect")
            .ok()
            .and_then(|dialect| records::text(dialect, "name"))
            .ok_or_else(|| error(format!("operation '{definition}' needs a dialect")))?;
        let mnemonic =
            records::text(record, "opName").ok_or_else(|| error(format!("operation '{definition}' needs a name")))?;
        let mut operation = Self {
            dialect,
            mnemonic,
            namespace: records::text(record, "cppNamespace").unwrap_or_default(),
            summary: records::text(record, "summary"),
            description: records::text(record, "description"),
            operands: Vec::new(),
            attributes: Vec::new(),
            arguments: Vec::new(),
            results: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            traits: Trait::read_list(records, record, "traits")?,
            format: None,
            has_custom_assembly: records::flag(record, "hasCustomAssemblyFormat"),
            has_verifier: records::flag(record, "hasVerifier"),
            has_canonicalizer: records::flag(record, "hasCanonicalizer")
                || records::flag(record, "hasCanonicalizeMethod"),
            has_folder: records::flag(record, "hasFolder"),
            place: Place::of(records, record),
            definition,
        };
        operation.read_arguments(records, record)?;
        operation.read_results(records, record)?;
        operation.read_blocks(records, record)?;
        operation.check_segments(records, record)?;
        if let Some(text) = records::text(record, "assemblyFormat") {
            operation.format = Some(parse_format(records, record, &text, &operation)?);
        }
        Ok(operation)
    }

    /// The name with the dialect.
    pub fn name(&self) -> String {
        format!("{}.{}", self.dialect, self.mnemonic)
    }

    /// Whether one of its traits is `name`.
    pub fn has_trait(&self, name: &str) -> bool {
        self.traits.iter().any(|item| matches!(item, Trait::Native(native) if native == name))
    }

    /// The name of an entry of `arguments`.
    pub fn argument_name(&self, argument: Argument) -> &str {
        match argument {
            Argument::Operand(index) => &self.operands[index].name,
            Argument::Attribute(index) => &self.attributes[index].name,
        }
    }

    fn read_arguments(&mut self, records: &Records, record: Record<'_>) -> Result<()> {
        let dag = marked(records, record, "arguments", "ins")?;
        for argument in dag.arguments() {
            let constraint = constraint_record(records, record, "arguments", argument.value)?;
            let name = argument.name.unwrap_or_default().to_string();
            if name.is_empty() {
                return Err(field_error(records, record, "arguments", "an argument needs a name".into()));
            }
            let (constraint, summary) = unwrap_decorated(constraint);
            if constraint.subclass_of("TypeConstraint") {
                self.arguments.push(Argument::Operand(self.operands.len()));
                self.operands.push(operand(records, constraint, name, summary)?);
            } else if constraint.subclass_of("AttrConstraint") {
                self.arguments.push(Argument::Attribute(self.attributes.len()));
                self.attributes.push(attribute(records, constraint, name, summary)?);
            } else {
                let found = records::name(constraint);
                let message = format!("argument '{name}' is '{found}', which is neither a type nor an attribute");
                return Err(field_error(records, record, "arguments", message));
            }
        }
        self.check_names(records, record)
    }

    fn check_names(&self, records: &Records, record: Record<'_>) -> Result<()> {
        let mut names: Vec<&str> = self.arguments.iter().map(|argument| self.argument_name(*argument)).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                let message = format!("operation '{}' has two arguments named '{}'", self.name(), pair[0]);
                Err(field_error(records, record, "arguments", message))
            }
            None => Ok(()),
        }
    }

    fn read_results(&mut self, records: &Records, record: Record<'_>) -> Result<()> {
        for result in marked(records, record, "results", "outs")?.arguments() {
            let constraint = constraint_record(records, record, "results", result.value)?;
            let (constraint, summary) = unwrap_decorated(constraint);
            if !constraint.subclass_of("TypeConstraint") {
                let message = format!("a result is '{}', which is not a type", records::name(constraint));
                return Err(field_error(records, record, "results", message));
            }
            let name = result.name.unwrap_or_default().to_string();
            self.results.push(operand(records, constraint, name, summary)?);
        }
        Ok(())
    }

    fn read_blocks(&mut self, records: &Records, record: Record<'_>) -> Result<()> {
        for region in marked(records, record, "regions", "region")?.arguments() {
            let constraint = constraint_record(records, record, "regions", region.value)?;
            self.regions.push(Region {
                name: region.name.unwrap_or_default().to_string(),
                variadic: constraint.subclass_of("VariadicRegion"),
                constraint: Constraint::read(records, constraint)?,
            });
        }
        for successor in marked(records, record, "successors", "successor")?.arguments() {
            let constraint = constraint_record(records, record, "successors", successor.value)?;
            self.successors.push(Successor {
                name: successor.name.unwrap_or_default().to_string(),
                variadic: constraint.subclass_of("VariadicSuccessor"),
            });
        }
        Ok(())
    }

    /// With more than one group of unknown size, something must say how many values belong to each.
    fn check_segments(&self, records: &Records, record: Record<'_>) -> Result<()> {
        let sides = [
            ("operands", &self.operands, "AttrSizedOperandSegments", "SameVariadicOperandSize"),
            ("results", &self.results, "AttrSizedResultSegments", "SameVariadicResultSize"),
        ];
        for (what, values, sized, same) in sides {
            let open = values.iter().filter(|value| value.arity != Arity::One).count();
            if open > 1 && !self.has_trait(sized) && !self.has_trait(same) {
                let message = format!(
                    "operation '{}' has more than one group of optional or variadic {what}: it needs the trait {sized} or {same}",
                    self.name()
                );
                return Err(Error::at(records, record, message));
            }
        }
        Ok(())
    }
}

fn field_error(records: &Records, record: Record<'_>, field: &str, message: String) -> Error {
    match record.value(field) {
        Ok(value) => Error::at(records, value, message),
        Err(_) => Error::at(records, record, message),
    }
}

/// The dag in `field`, whose operator must be the `marker`.
fn marked<'a>(records: &Records, record: Record<'a>, field: &str, marker: &str) -> Result<Dag<'a>> {
    let dag = records::dag(records, record, field)?;
    match records::name(dag.operator()) {
        found if found == marker => Ok(dag),
        found => {
            Err(field_error(records, record, field, format!("'{field}' must start with '{marker}', not '{found}'")))
        }
    }
}

fn constraint_record<'a>(
    records: &Records,
    record: Record<'a>,
    field: &str,
    value: Option<tblgen::TypedInit<'a>>,
) -> Result<Record<'a>> {
    value
        .and_then(records::as_record)
        .ok_or_else(|| field_error(records, record, field, format!("an entry of '{field}' is not a constraint")))
}

/// The constraint inside `Arg<...>` and `Res<...>`, and their summary.
fn unwrap_decorated(record: Record<'_>) -> (Record<'_>, Option<String>) {
    match record.subclass_of("OpVariable") {
        true => (record.def_value("constraint").unwrap_or(record), records::text(record, "summary")),
        false => (record, None),
    }
}

fn operand(records: &Records, record: Record<'_>, name: String, summary: Option<String>) -> Result<Operand> {
    let arity = match record {
        _ if record.subclass_of("Variadic") => Arity::Variadic,
        _ if record.subclass_of("Optional") => Arity::Optional,
        _ => Arity::One,
    };
    // The wrapper's own summary, "variadic of ...", is what messages show.
    Ok(Operand { name, arity, constraint: Constraint::read(records, record)?, summary })
}

fn attribute(records: &Records, record: Record<'_>, name: String, summary: Option<String>) -> Result<Attribute> {
    let mut base = record;
    while let Some(inner) = base.optional_def_value("baseAttr") {
        base = inner;
    }
    let enumeration = match base.subclass_of("EnumAttrInfo") || base.subclass_of("EnumInfo") {
        true => Some(records::name(base).to_string()),
        false => None,
    };
    Ok(Attribute {
        name,
        constraint: Constraint::read(records, record)?,
        kind: AttributeKind::read(base),
        optional: records::flag(record, "isOptional"),
        default: records::text(record, "defaultValue"),
        enumeration,
        summary,
    })
}
