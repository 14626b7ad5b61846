//! One operation in IRDL.

use super::{
    admitted::Admitted,
    names::{self, Names, symbol},
    values::Values,
};
use crate::{
    ods::{Arity, Attribute, AttributeKind, Definition, Enumeration, Model, Operand, Operation, Region, TypeRelation},
    writer::Writer,
};

/// What is written of an operation. Operands and results are numbered, operands first.
pub struct Writing<'a> {
    operation: &'a Operation,
    model: &'a Model,
    /// What the type of each operand and result must be.
    admitted: Vec<Admitted>,
    /// The first of those that must have the same type.
    leaders: Vec<usize>,
    /// Whether all values that one stands for have the same type.
    uniform: Vec<bool>,
}

impl<'a> Writing<'a> {
    /// Of an operation.
    pub fn new(operation: &'a Operation, model: &'a Model) -> Self {
        let own = |name: &str| own(model, name);
        let admitted: Vec<Admitted> = operation
            .operands
            .iter()
            .chain(&operation.results)
            .map(|value| Admitted::of(&value.constraint.predicate, '!', &own))
            .collect();
        let leaders = (0..admitted.len()).collect();
        let uniform = admitted.iter().map(Admitted::is_single).collect();
        let mut writing = Self { operation, model, admitted, leaders, uniform };
        writing.relate();
        writing
    }

    /// Whether all values that an operand or a result stands for have one type.
    pub fn is_uniform(&self, index: usize) -> bool {
        self.uniform[index]
    }

    /// Finds what must have the same type.
    fn relate(&mut self) {
        let (operands, all) = (self.operation.operands.len(), self.admitted.len());
        if self.operation.has_trait("SameTypeOperands") {
            self.equal(&(0..operands).collect::<Vec<_>>());
        }
        // It asks for compatible types, which are the same unless extents are open.
        if self.operation.has_trait("SameOperandsAndResultType") && self.admitted.iter().any(Admitted::has_known_shapes)
        {
            self.equal(&(0..all).collect::<Vec<_>>());
        }
        for relation in &self.operation.type_relations {
            match relation {
                TypeRelation::Same(names) => {
                    let known: Vec<usize> = names.iter().filter_map(|name| self.single(name)).collect();
                    self.unite(&known);
                }
                TypeRelation::Transformed { from, to, transformer, ranged: false, .. } if transformer == "$_self" => {
                    let known: Vec<usize> = [from, to].into_iter().filter_map(|name| self.single(name)).collect();
                    self.unite(&known);
                }
                TypeRelation::Transformed { .. } | TypeRelation::Elements { .. } => {}
            }
        }
    }

    /// The number of an operand or a result that is one value.
    fn single(&self, name: &str) -> Option<usize> {
        let mut values = self.operation.operands.iter().chain(&self.operation.results);
        values.position(|value| value.name == name && value.arity == Arity::One)
    }

    /// All values of these have the same type.
    fn equal(&mut self, indices: &[usize]) {
        self.unite(indices);
        indices.iter().for_each(|index| self.uniform[*index] = true);
    }

    /// These have the same type.
    fn unite(&mut self, indices: &[usize]) {
        let Some(leader) = indices.iter().map(|index| self.leaders[*index]).min() else { return };
        let joined: Vec<usize> = indices.iter().map(|index| self.leaders[*index]).collect();
        self.leaders.iter_mut().filter(|found| joined.contains(found)).for_each(|found| *found = leader);
    }

    /// Writes it.
    pub fn write(&self, writer: &mut Writer) {
        writer.block(format_args!("irdl.operation @{} {{", symbol(&self.operation.mnemonic)), "}", |writer| {
            let (mut values, mut names) = (Values::default(), Names::default());
            let types = self.types(&mut values);
            let (required, absent): (Vec<_>, Vec<_>) =
                self.operation.attributes.iter().partition(|attribute| !attribute.may_be_absent());
            let attributes: Vec<String> = required
                .into_iter()
                .map(|attribute| format!("{:?} = {}", attribute.name, values.fresh(&self.attribute(attribute))))
                .collect();
            values.finish().iter().for_each(|line| writer.line(line));
            let (operands, results) = types.split_at(self.operation.operands.len());
            entries("operand", &self.operation.operands, operands, &mut names, writer);
            entries("result", &self.operation.results, results, &mut names, writer);
            if !attributes.is_empty() {
                writer.line(format_args!("irdl.attributes {{{}}}", attributes.join(", ")));
            }
            if !absent.is_empty() {
                let absent: Vec<&str> = absent.into_iter().map(|attribute| attribute.name.as_str()).collect();
                writer.line(format_args!("// IRDL admits anything for what may be absent: {}", absent.join(", ")));
            }
            regions(&self.operation.regions, &mut names, writer);
        });
    }

    /// The values of the types of operands and results: one for all that must have the same type.
    fn types(&self, values: &mut Values) -> Vec<String> {
        let mut types: Vec<String> = Vec::new();
        for (index, leader) in self.leaders.iter().enumerate() {
            let known = types.get(*leader).cloned();
            types.push(known.unwrap_or_else(|| {
                let same = self.leaders.iter().zip(&self.admitted).filter(|(found, _)| **found == index);
                values.fresh(&Admitted::all(same.map(|(_, admitted)| admitted.clone())))
            }));
        }
        types
    }

    fn attribute(&self, attribute: &Attribute) -> Admitted {
        let enumeration = attribute.enumeration.as_ref();
        let enumeration = enumeration
            .and_then(|name| self.model.enumerations.iter().find(|enumeration| enumeration.definition == *name));
        match enumeration {
            Some(enumeration) if !enumeration.is_bits => Admitted::one_of(cases(enumeration)),
            _ if attribute.kind == AttributeKind::Unit && attribute.property.is_some() => {
                Admitted::one_of(["unit", "true", "false"].map(|text| Admitted::Is(text.into())))
            }
            _ if attribute.kind == AttributeKind::Unit => Admitted::Is("unit".into()),
            _ => Admitted::of(&attribute.constraint.predicate, '#', &|name| own(self.model, name)),
        }
    }
}

/// The symbol of a type or an attribute that is registered under a name.
fn own(model: &Model, registered: &str) -> Option<String> {
    let (dialect, mnemonic) = registered.split_once('.')?;
    let is_it =
        |definition: &&Definition| definition.dialect == dialect && definition.mnemonic.as_deref() == Some(mnemonic);
    let has_dialect = model.dialects.iter().any(|known| known.name == dialect && names::refusal(dialect).is_none());
    let found = model.definitions.iter().find(is_it).filter(|_| has_dialect)?;
    names::hidden(found, model).is_none().then(|| format!("@{}::@{}", symbol(dialect), symbol(mnemonic)))
}

fn cases(enumeration: &Enumeration) -> impl Iterator<Item = Admitted> {
    enumeration.cases.iter().map(|case| match enumeration.is_text {
        true => Admitted::Is(format!("{:?}", case.text)),
        false => Admitted::Is(format!("{} : i{}", case.value, enumeration.width)),
    })
}

/// Writes what operands or results are called, how many they are and what types they have.
fn entries(side: &str, values: &[Operand], types: &[String], names: &mut Names, writer: &mut Writer) {
    let entries = values.iter().zip(types).map(|(value, constraint)| {
        let arity = match value.arity {
            Arity::One => "",
            Arity::Optional => "optional ",
            Arity::Variadic | Arity::VariadicOfVariadic => "variadic ",
        };
        format!("{}: {arity}{constraint}", names.of(&value.name, side))
    });
    let entries: Vec<String> = entries.collect();
    if !entries.is_empty() {
        writer.line(format_args!("irdl.{side}s({})", entries.join(", ")));
    }
}

fn regions(regions: &[Region], names: &mut Names, writer: &mut Writer) {
    let mut entries = Vec::new();
    for (index, region) in regions.iter().enumerate() {
        // `SizedRegion<n>` says its number of blocks in its predicate.
        let text = region.constraint.predicate.text();
        let size = text.split_once("hasNItems($_self, ").and_then(|(_, rest)| rest.split_once(')'));
        let size = size.map_or(String::new(), |(size, _)| format!(" with size {size}"));
        writer.line(format_args!("%region{index} = irdl.region{size}"));
        entries.push(format!("{}: %region{index}", names.of(&region.name, "region")));
    }
    if !entries.is_empty() {
        writer.line(format_args!("irdl.regions({})", entries.join(", ")));
    }
}
