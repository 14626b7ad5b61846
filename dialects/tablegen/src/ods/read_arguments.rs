//! `arguments`, `results`, `regions` and `successors` of an `Op` record.

use tblgen::{Record, TypedInit};

use super::{
    confined,
    constraint::{AttributeKind, Constraint},
    conversion,
    default::{self, DefaultValue},
    operation::{Argument, Arity, Attribute, Operand, Operation, Region, Successor},
    property::Property,
    traits::Effect,
};
use crate::{
    constant,
    dag::DagArgument,
    error::{Error, Place, Result},
    fields::{Class, Fields},
    predicate::{Predicate, registered_name},
    records::{self, Records},
};

/// An entry of a dag: what it is declared as, and where.
struct Entry<'a> {
    name: String,
    record: Record<'a>,
    summary: Option<String>,
    effects: Vec<Effect>,
    place: Place,
}

impl Operation {
    pub(super) fn read_arguments(&mut self, fields: &Fields<'_>) -> Result<()> {
        let mut errors = Vec::new();
        let dag = fields.marked("arguments", "ins")?;
        for (index, argument) in dag.arguments().enumerate() {
            let read = Entry::read(fields, "arguments", index, dag.len(), argument)
                .and_then(|entry| self.read_argument(fields.records, entry));
            errors.extend(read.err());
        }
        Error::collect(errors).map_err(|error| error.within(&fields.whereabouts("arguments")))
    }

    fn read_argument(&mut self, records: &Records, entry: Entry<'_>) -> Result<()> {
        let name = entry.name.clone();
        if name.is_empty() && !entry.record.subclass_of("TypeConstraint") {
            let what = if entry.record.subclass_of("Property") { "a property" } else { "an attribute" };
            return Err(entry.place.error(format!("{what} needs a name")).help("write CONSTRAINT:$name"));
        }
        if !name.is_empty() && self.arguments.iter().any(|argument| self.argument_name(*argument) == name) {
            return Err(entry.place.error(format!("two arguments are named '{name}'")));
        }
        let sizes =
            [("operandSegmentSizes", "AttrSizedOperandSegments"), ("resultSegmentSizes", "AttrSizedResultSegments")];
        if let Some((_, owner)) = sizes.into_iter().find(|(reserved, owner)| *reserved == name && self.has_trait(owner))
        {
            return Err(entry.place.error(format!("the attribute '{name}' is that of the trait {owner}")));
        }
        if entry.record.subclass_of("TypeConstraint") {
            let operand = operand(records, entry)?;
            self.arguments.push(Argument::Operand(self.operands.len()));
            self.operands.push(operand);
        } else if entry.record.subclass_of("DerivedAttr") {
            let message = format!("the derived attribute '{name}' cannot be an argument");
            return Err(entry.place.error(message).help(format!("declare it as a member: 'DerivedAttr {name} = ...'")));
        } else if entry.record.subclass_of("AttrConstraint") {
            let attribute = attribute(records, entry)?;
            self.arguments.push(Argument::Attribute(self.attributes.len()));
            self.attributes.push(attribute);
        } else if entry.record.subclass_of("Property") {
            let property = Property::read(records, entry.record, name, entry.summary, entry.place)?;
            self.arguments.push(Argument::Property(self.properties.len()));
            self.properties.push(property);
        } else {
            let found = records.shown(entry.record);
            let message = format!("argument '{name}' is '{found}', which is neither a type nor an attribute");
            return Err(entry
                .place
                .error(message)
                .help("an argument is a TypeConstraint, an AttrConstraint or a Property"));
        }
        Ok(())
    }

    pub(super) fn read_results(&mut self, fields: &Fields<'_>) -> Result<()> {
        let mut errors = Vec::new();
        let dag = fields.marked("results", "outs")?;
        for (index, result) in dag.arguments().enumerate() {
            let read = Entry::read(fields, "results", index, dag.len(), result)
                .and_then(|entry| self.read_result(fields.records, entry));
            errors.extend(read.err());
        }
        Error::collect(errors).map_err(|error| error.within(&fields.whereabouts("results")))
    }

    fn read_result(&mut self, records: &Records, entry: Entry<'_>) -> Result<()> {
        if !entry.record.subclass_of("TypeConstraint") {
            let found = records.shown(entry.record);
            return Err(entry.place.error(format!("a result is '{found}', which is not a type")));
        }
        if entry.record.subclass_of("VariadicOfVariadic") {
            return Err(entry.place.error("results cannot be a VariadicOfVariadic").help("use Variadic"));
        }
        self.check_name(&entry, "result")?;
        self.results.push(operand(records, entry)?);
        Ok(())
    }

    /// Members share one space of names.
    fn check_name(&self, entry: &Entry<'_>, what: &str) -> Result<()> {
        let other = match self.find(&entry.name) {
            Some(other) if !entry.name.is_empty() => other.kind(),
            _ => return Ok(()),
        };
        let message = match other == what {
            true => format!("two {what}s are named '{}'", entry.name),
            false => format!("{what} and {other} have one name, '{}'", entry.name),
        };
        Err(entry.place.error(message))
    }

    pub(super) fn read_blocks(&mut self, fields: &Fields<'_>) -> Result<()> {
        let mut errors = Vec::new();
        errors.extend(self.read_regions(fields).err().map(|error| error.within(&fields.whereabouts("regions"))));
        errors.extend(self.read_successors(fields).err().map(|error| error.within(&fields.whereabouts("successors"))));
        Error::collect(errors)
    }

    fn read_regions(&mut self, fields: &Fields<'_>) -> Result<()> {
        let dag = fields.marked("regions", "region")?;
        for (index, region) in dag.arguments().enumerate() {
            let entry = Entry::read(fields, "regions", index, dag.len(), region)?;
            if !entry.record.subclass_of("RegionConstraint") {
                let found = fields.records.shown(entry.record);
                return Err(entry.place.error(format!("a region is '{found}', which is no constraint on regions")));
            }
            self.check_name(&entry, "region")?;
            let variadic = entry.record.subclass_of("VariadicRegion");
            if variadic && index + 1 < dag.len() {
                return Err(entry.place.error("only the last region can be variadic"));
            }
            let constraint = Constraint::read(fields.records, entry.record)?;
            self.regions.push(Region { name: entry.name, variadic, constraint, place: entry.place });
        }
        Ok(())
    }

    fn read_successors(&mut self, fields: &Fields<'_>) -> Result<()> {
        let dag = fields.marked("successors", "successor")?;
        for (index, successor) in dag.arguments().enumerate() {
            let entry = Entry::read(fields, "successors", index, dag.len(), successor)?;
            if !entry.record.subclass_of("SuccessorConstraint") {
                let found = fields.records.shown(entry.record);
                return Err(entry
                    .place
                    .error(format!("a successor is '{found}', which is no constraint on successors")));
            }
            self.check_name(&entry, "successor")?;
            let variadic = entry.record.subclass_of("VariadicSuccessor");
            if variadic && index + 1 < dag.len() {
                return Err(entry.place.error("only the last successor can be variadic"));
            }
            let constraint = Constraint::read(fields.records, entry.record)?;
            self.successors.push(Successor { name: entry.name, variadic, constraint, place: entry.place });
        }
        Ok(())
    }
}

impl<'a> Entry<'a> {
    /// Takes `Arg<...>` and `Res<...>` apart.
    fn read(fields: &Fields<'a>, field: &str, index: usize, count: usize, argument: DagArgument<'a>) -> Result<Self> {
        let place = fields.argument_place(field, index, count);
        let error = |message: String| place.error(message).note(fields.whereabouts(field));
        let record = argument
            .value
            .and_then(records::as_record)
            .ok_or_else(|| error(format!("an entry of '{field}' is not a constraint")))?;
        let name = argument.name.unwrap_or_default().to_string();
        if !record.subclass_of("OpVariable") {
            return Ok(Self { name, record, summary: None, effects: Vec::new(), place });
        }
        let variable = Fields::new(fields.records, record);
        let constraint = variable.definition("constraint");
        let constraint = constraint.ok_or_else(|| error(format!("'{name}' has no constraint")))?;
        let effects = variable.definitions("decorators")?;
        let effects = effects.into_iter().map(|effect| Effect::read(fields.records, effect)).collect::<Result<_>>()?;
        let summary = variable.text("summary");
        variable.finish(&Class { name: "OpVariable", cpp: &[], derived: &[] })?;
        Ok(Self { name, record: constraint, summary, effects, place })
    }
}

/// The attributes that operations of any dialect may carry: constraints, or C++ classes as strings.
pub(super) fn discardable(fields: &Fields<'_>) -> Result<Vec<Attribute>> {
    let field = "discardableAttrs";
    let dag = fields.marked(field, "ins")?;
    let (mut attributes, mut errors) = (Vec::<Attribute>::new(), Vec::new());
    for (index, argument) in dag.arguments().enumerate() {
        let place = fields.argument_place(field, index, dag.len());
        let name = argument.name.unwrap_or_default().to_string();
        let error = |message: String| Err(place.error(message).note(fields.whereabouts(field)));
        let read = match argument.value {
            _ if name.is_empty() => error("a discardable attribute needs a name".into()),
            _ if attributes.iter().any(|other| other.name == name) => error(format!("'{name}' is declared twice")),
            Some(TypedInit::String(class) | TypedInit::Code(class)) => {
                Ok(Attribute::of_class(name, class.to_str().unwrap_or_default(), place))
            }
            _ => Entry::read(fields, field, index, dag.len(), argument).and_then(|entry| {
                if entry.record.subclass_of("Attr") {
                    let read = attribute(fields.records, entry)?;
                    if read.default.is_some() && read.kind != AttributeKind::Unit {
                        let stands_for = "has a default value: it stands for no absent attribute here";
                        return error(format!("'{}' {stands_for}", read.name));
                    }
                    return Ok(read);
                }
                let found = fields.records.shown(entry.record);
                error(format!("a discardable attribute is '{found}', which is no constraint on attributes"))
            }),
        };
        match read {
            Ok(attribute) => attributes.push(attribute),
            Err(error) => errors.push(error),
        }
    }
    Error::collect(errors).map(|()| attributes)
}

impl Attribute {
    /// One of which only the C++ class that stores it is known.
    fn of_class(name: String, class: &str, place: Place) -> Self {
        let class = class.trim();
        let constraint = Constraint {
            definition: String::new(),
            summary: format!("'{}'", class.trim_start_matches("::")),
            predicate: Predicate::always(),
        };
        Self {
            name,
            constraint,
            kind: AttributeKind::of_class(class),
            optional: true,
            default: None,
            default_text: None,
            enumeration: None,
            base: String::new(),
            written_name: None,
            storage: class.into(),
            returned: class.into(),
            const_builder: None,
            value_type: None,
            value_type_builder: None,
            property: None,
            effects: Vec::new(),
            summary: None,
            place,
        }
    }
}

/// The name of a definition; empty for one without a name.
fn named(record: Record<'_>) -> String {
    if record.anonymous() { String::new() } else { records::name(record).to_string() }
}

const TYPE: Class = Class {
    name: "TypeConstraint",
    cpp: &[],
    // Of the constraint that is wrapped, where one is; the name is for `-gen-type-constraint-defs`.
    derived: &["baseType", "cppType", "cppFunctionName", "builderCall", "description", "cppNamespace", "dialect"],
};
const ATTRIBUTE: Class = Class {
    name: "Attr",
    cpp: &[],
    // Of the attribute that is wrapped, where one is.
    derived: &[
        "baseAttr",
        "convertFromStorage",
        "cppFunctionName",
        "valueType",
        "description",
        "cppNamespace",
        "dialect",
    ],
};

fn operand(records: &Records, entry: Entry<'_>) -> Result<Operand> {
    let fields = Fields::new(records, entry.record);
    let arity = match entry.record {
        _ if entry.record.subclass_of("VariadicOfVariadic") => Arity::VariadicOfVariadic,
        _ if entry.record.subclass_of("Variadic") => Arity::Variadic,
        _ if entry.record.subclass_of("Optional") => Arity::Optional,
        _ => Arity::One,
    };
    let base = fields.definition("baseType").unwrap_or(entry.record);
    let operand = Operand {
        arity,
        // The wrapper's own summary, "variadic of ...", is what messages show.
        constraint: Constraint::of(&fields)?,
        base: named(base),
        cpp_type: records::text(base, "cppType").unwrap_or_else(|| "::mlir::Type".into()),
        builder_call: records::text(base, "builderCall"),
        minimum: fields.integer("minSize").and_then(|minimum| usize::try_from(minimum).ok()).unwrap_or(0),
        segments: fields.text("segmentAttrName"),
        name: entry.name,
        effects: entry.effects,
        summary: entry.summary,
        place: entry.place,
    };
    fields.finish(&TYPE)?;
    Ok(operand)
}

fn is_list(kind: AttributeKind) -> bool {
    use AttributeKind::{Array, Bools, Floats, Integers};
    matches!(kind, Integers(_) | Floats(_) | Bools | Array)
}

/// The attribute that stands for an absent one, if the C++ of its value is understood.
fn default_text(record: Record<'_>, kind: AttributeKind, value: &str) -> Option<String> {
    // One number stands for as many as there are, which is not C++.
    let is_whole = !is_list(kind) || value.trim_end().ends_with('}');
    is_whole.then(|| constant::Kind::read(record).attribute(value))?
}

/// The name that formats leave out, of attributes whose C++ class parses and prints without it.
fn written_name(base: Record<'_>) -> Option<String> {
    if base.subclass_of("AttrDef") {
        return records::text(base, "mnemonic").and_then(|_| registered_name(base));
    }
    let storage = records::text(base, "storageType")?;
    let class = storage.trim().trim_start_matches("::").trim_start_matches("mlir::");
    let element = class.strip_prefix("Dense")?.strip_suffix("ArrayAttr")?;
    Some(format!("builtin.array<{}>", if element == "Bool" { "i1".into() } else { element.to_lowercase() }))
}

fn attribute(records: &Records, entry: Entry<'_>) -> Result<Attribute> {
    let record = entry.record;
    let mut base = record;
    while let Some(inner) = records::definition(base, "baseAttr") {
        base = inner;
    }
    let enumeration = match base {
        _ if base.subclass_of("EnumAttrInfo") || base.subclass_of("EnumInfo") => Some(named(base)),
        _ => None,
    };
    let value_type = records::definition(record, "valueType");
    let fields = Fields::new(records, record);
    let default = fields.text("defaultValue");
    let kind = AttributeKind::read(base);
    let default_text = default.as_ref().and_then(|value| default_text(record, kind, value));
    conversion::check(records, base);
    confined::check(records, record, &entry.place)?;
    let constraint = Constraint::of(&fields)?;
    let attribute = Attribute {
        constraint,
        kind,
        optional: fields.flag("isOptional"),
        default_text,
        default,
        base: named(base),
        written_name: written_name(base),
        storage: fields.text("storageType").unwrap_or_default().trim().to_string(),
        returned: fields.text("returnType").unwrap_or_default().trim().to_string(),
        const_builder: fields.text("constBuilderCall"),
        value_type: value_type.map(named),
        value_type_builder: value_type.and_then(|value_type| records::text(value_type, "builderCall")),
        enumeration,
        property: None,
        name: entry.name,
        effects: entry.effects,
        summary: entry.summary,
        place: entry.place,
    };
    fields.finish(&ATTRIBUTE)?;
    check_default(records, (record, base), &attribute)?;
    Ok(attribute)
}

/// Refuses a default value that no attribute of the kind has, and warns of an empty one.
fn check_default(records: &Records, (record, base): (Record<'_>, Record<'_>), attribute: &Attribute) -> Result<()> {
    let Attribute { name, kind, place, constraint, .. } = attribute;
    let Some(value) = &attribute.default else {
        if record.subclass_of("DefaultValuedAttr") {
            default::warn_of_empty(records, name, *kind, place);
        }
        return Ok(());
    };
    let text = attribute.default_text.as_deref();
    let declared = DefaultValue { name, value, text, is_property: false, place };
    if constant::Kind::read(record).refuses(value) {
        return Err(declared.refusal(&records.shown(base)));
    }
    if is_list(*kind) && default::has_bare_comma(value) {
        return Err(declared.refusal(&records.shown(base)).help("write a list in braces: \"{1, 2}\""));
    }
    declared.check(records, *kind == AttributeKind::Unit, constraint)
}
