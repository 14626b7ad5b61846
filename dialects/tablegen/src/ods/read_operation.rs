//! What an `Op` record says.

use tblgen::Record;

use super::{
    constraint::{AttributeKind, Constraint},
    operation::{Argument, Arity, Attribute, Operand, Operation, Region, Successor},
    parse_format::parse_format,
    traits::Trait,
};
use crate::{
    error::{Error, Place, Result},
    records::{self, Dag, Records},
};

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
