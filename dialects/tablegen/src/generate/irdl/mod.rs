//! `-gen-irdl`: the dialects in IRDL, as far as it can say what is declared.
//!
//! What IRDL cannot say admits more: element types of containers, ranks, what hand-written verifiers check. What it has no
//! form for at all (names with dots, variadic regions) is left out with a warning.

mod constraints;

use self::constraints::Constraints;
use crate::ods::{
    Arity, Attribute, AttributeKind, Definition, DefinitionKind, Dialect, Enumeration, Model, Operand, Operation,
    Region,
};
use crate::{error::Diagnostic, predicate::snake_case, writer::Writer};

/// The text of a module of `irdl.dialect` operations, which `mlir-opt --irdl-file` loads, and what it lacks.
pub fn irdl(model: &Model) -> (String, Vec<Diagnostic>) {
    let model = &crate::ods::as_attributes(model);
    let mut writer = Writer::default();
    let mut left_out = Vec::new();
    for dialect in &model.dialects {
        writer.block(format_args!("irdl.dialect @{} {{", dialect.name), "}", |writer| {
            let own = model.definitions.iter().filter(|definition| definition.dialect == dialect.name);
            own.for_each(|definition| match hidden(definition, model) {
                Some(reason) => {
                    let name = definition.mnemonic.as_deref().unwrap_or(&definition.class);
                    let message = format!("IRDL has no '{}.{name}': {reason}", definition.dialect);
                    writer.line(format_args!("// {message}"));
                    left_out.push(Diagnostic::warning(definition.place.clone(), message));
                }
                None => self::definition(definition, writer),
            });
            let own = model.operations.iter().filter(|operation| operation.dialect == dialect.name);
            own.for_each(|operation| match reason_to_leave_out(operation) {
                Some(reason) => {
                    let message = format!("IRDL has no operation '{}': {reason}", operation.name());
                    writer.line(format_args!("// {message}"));
                    left_out.push(Diagnostic::warning(operation.place.clone(), message));
                }
                None => Writing { model, dialect }.operation(operation, writer),
            });
        });
    }
    (writer.finish(), left_out)
}

fn reason_to_leave_out(operation: &Operation) -> Option<&'static str> {
    match operation {
        _ if !is_name(&operation.mnemonic) => Some("names have lowercase letters, digits and underscores only"),
        _ if operation.regions.iter().any(|region| region.variadic) => Some("regions cannot be variadic"),
        _ => None,
    }
}

/// The names of IRDL.
fn is_name(mnemonic: &str) -> bool {
    mnemonic.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Why a type or attribute is left out.
fn hidden(definition: &Definition, model: &Model) -> Option<&'static str> {
    let Some(mnemonic) = &definition.mnemonic else { return Some("it has no mnemonic") };
    let same = |dialect: &str, name: &str| dialect == definition.dialect && name == mnemonic;
    let mut earlier = model.definitions.iter().take_while(|other| other.definition != definition.definition);
    match definition {
        _ if !is_name(mnemonic) => Some("names have lowercase letters, digits and underscores only"),
        _ if model.operations.iter().any(|operation| same(&operation.dialect, &operation.mnemonic)) => {
            Some("an operation has this name")
        }
        _ if earlier.any(|other| same(&other.dialect, other.mnemonic.as_deref().unwrap_or_default())) => {
            Some("another type or attribute has this name")
        }
        _ => None,
    }
}

fn definition(definition: &Definition, writer: &mut Writer) {
    let mnemonic = definition.mnemonic.as_deref().unwrap_or_default();
    let kind = match definition.kind {
        DefinitionKind::Type => "type",
        DefinitionKind::Attribute => "attribute",
    };
    if definition.parameters.is_empty() {
        writer.line(format_args!("irdl.{kind} @{mnemonic}"));
        return;
    }
    writer.block(format_args!("irdl.{kind} @{mnemonic} {{"), "}", |writer| {
        // Parameters are C++ values: IRDL knows attributes and types alone.
        writer.line("%any = irdl.any");
        let names: Vec<String> =
            definition.parameters.iter().map(|parameter| format!("{}: %any", snake_case(&parameter.name))).collect();
        writer.line(format_args!("irdl.parameters({})", names.join(", ")));
    });
}

struct Writing<'a> {
    model: &'a Model,
    dialect: &'a Dialect,
}

impl Writing<'_> {
    fn operation(&self, operation: &Operation, writer: &mut Writer) {
        writer.block(format_args!("irdl.operation @{} {{", operation.mnemonic), "}", |writer| {
            let own = |name: &str| self.own(name);
            let mut constraints = Constraints::new(&own);
            let operands = values("operands", &operation.operands, &mut constraints);
            let results = values("results", &operation.results, &mut constraints);
            let required =
                operation.attributes.iter().filter(|attribute| !attribute.optional && attribute.default.is_none());
            let attributes: Vec<String> = required
                .map(|attribute| format!("{:?} = {}", attribute.name, self.attribute(attribute, &mut constraints)))
                .collect();
            constraints.finish().iter().for_each(|line| writer.line(line));
            [operands, results].into_iter().flatten().for_each(|line| writer.line(line));
            if !attributes.is_empty() {
                writer.line(format_args!("irdl.attributes {{{}}}", attributes.join(", ")));
            }
            regions(&operation.regions, writer);
        });
    }

    /// The symbol of a type or attribute of this dialect that is registered under a name.
    fn own(&self, registered: &str) -> Option<String> {
        let mnemonic = registered.strip_prefix(self.dialect.name.as_str())?.strip_prefix('.')?;
        let is_it = |definition: &&Definition| {
            definition.dialect == self.dialect.name && definition.mnemonic.as_deref() == Some(mnemonic)
        };
        self.model.definitions.iter().find(is_it).filter(|found| hidden(found, self.model).is_none())?;
        Some(format!("@{}::@{mnemonic}", self.dialect.name))
    }

    fn attribute(&self, attribute: &Attribute, constraints: &mut Constraints<'_>) -> String {
        let enumeration = attribute.enumeration.as_ref();
        let enumeration = enumeration
            .and_then(|name| self.model.enumerations.iter().find(|enumeration| enumeration.definition == *name));
        match enumeration {
            Some(enumeration) if !enumeration.is_bits => constraints.any_of_attributes(&cases(enumeration)),
            _ => match attribute.kind {
                AttributeKind::Unit => constraints.is("unit"),
                _ => constraints.of(&attribute.constraint.predicate, '#'),
            },
        }
    }
}

fn cases(enumeration: &Enumeration) -> Vec<String> {
    enumeration.cases.iter().map(|case| format!("{} : i{}", case.value, enumeration.width)).collect()
}

fn values(side: &str, values: &[Operand], constraints: &mut Constraints<'_>) -> Option<String> {
    let entry = |(index, value): (usize, &Operand)| {
        let arity = match value.arity {
            Arity::One => "",
            Arity::Optional => "optional ",
            Arity::Variadic | Arity::VariadicOfVariadic => "variadic ",
        };
        let constraint = constraints.of(&value.constraint.predicate, '!');
        format!("{}: {arity}{constraint}", named(&value.name, side, index))
    };
    let entries: Vec<String> = values.iter().enumerate().map(entry).collect();
    (!entries.is_empty()).then(|| format!("irdl.{side}({})", entries.join(", ")))
}

fn regions(regions: &[Region], writer: &mut Writer) {
    let mut entries = Vec::new();
    for (index, region) in regions.iter().enumerate() {
        // `SizedRegion<n>` says its number of blocks in its predicate.
        let text = region.constraint.predicate.text();
        let size = text.split_once("hasNItems($_self, ").and_then(|(_, rest)| rest.split_once(')'));
        let size = size.map_or(String::new(), |(size, _)| format!(" with size {size}"));
        writer.line(format_args!("%region{index} = irdl.region{size}"));
        entries.push(format!("{}: %region{index}", named(&region.name, "region", index)));
    }
    if !entries.is_empty() {
        writer.line(format_args!("irdl.regions({})", entries.join(", ")));
    }
}

/// The names of IRDL have no uppercase letters.
fn named(name: &str, side: &str, index: usize) -> String {
    match name {
        "" => format!("{side}_{index}"),
        name => snake_case(name),
    }
}
