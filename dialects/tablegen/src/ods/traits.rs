//! Traits and interfaces.

use tblgen::{Record, TypedInit};

use crate::{
    error::{Error, Result},
    predicate::Predicate,
    records::{self, Records},
};

/// An effect of `MemoryEffects<[...]>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectKind {
    /// Memory is read.
    Read,
    /// Memory is written.
    Write,
    /// Memory is allocated.
    Allocate,
    /// Memory is freed.
    Free,
}

/// A trait or an interface of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trait {
    /// A trait without parameters, by its C++ name.
    Native(String),
    /// A trait with parameters: the parents of `HasParent`, the terminator of `SingleBlockImplicitTerminator`.
    Parametric {
        /// The C++ name.
        name: String,
        /// The parameters as they are written.
        parameters: String,
    },
    /// A predicate over operands, attributes and results, with its description.
    Predicate {
        /// What a message says must hold.
        summary: String,
        /// What must hold.
        predicate: Predicate,
    },
    /// The effects on memory; none of them for `Pure`.
    Effects(Vec<EffectKind>),
    /// An interface, by its C++ name.
    Interface(String),
}

impl Trait {
    /// Reads the list of traits in `field`, lists within it included.
    pub fn read_list(records: &Records, record: Record<'_>, field: &str) -> Result<Vec<Self>> {
        let mut traits = Vec::new();
        let list = record
            .list_init_value(field)
            .map_err(|_| Error::at(records, record, format!("'{}' needs a list '{field}'", records::name(record))))?;
        for index in 0..list.len() {
            let item = list.get(index).and_then(records::as_record);
            let item =
                item.ok_or_else(|| Error::at(records, record, format!("an entry of '{field}' is not a trait")))?;
            Self::read(records, record, item, &mut traits)?;
        }
        Ok(traits)
    }

    fn read(records: &Records, owner: Record<'_>, record: Record<'_>, traits: &mut Vec<Self>) -> Result<()> {
        let text = |field| records::text(record, field).unwrap_or_default();
        if record.subclass_of("TraitList") {
            traits.extend(Self::read_list(records, record, "traits")?);
        } else if record.subclass_of("PredTrait") {
            let predicate = record.def_value("predicate").map_err(|_| {
                Error::at(records, owner, format!("trait '{}' needs a predicate", records::name(record)))
            })?;
            traits.push(Self::Predicate { summary: text("summary"), predicate: Predicate::read(records, predicate)? });
        } else if record.subclass_of("SideEffectsTraitBase") {
            traits.push(Self::Effects(effects(records, owner, record)?));
        } else if record.subclass_of("ParamNativeTrait") {
            // The C++ name is written as `HasParent<A, B>::Impl`; the parts are read where they stand alone.
            let full = text("trait");
            let (name, rest) = full.split_once('<').unwrap_or((&full, ""));
            let parameters = rest.rsplit_once('>').map_or(rest, |(inner, _)| inner);
            traits.push(Self::Parametric { name: name.into(), parameters: parameters.trim().into() });
        } else if record.subclass_of("InterfaceTrait") || record.subclass_of("Interface") {
            let name = records::text(record, "cppInterfaceName").unwrap_or_else(|| text("trait"));
            traits.push(Self::Interface(name));
        } else if record.subclass_of("NativeTrait") || record.subclass_of("GenInternalTrait") {
            let name = text("trait");
            let name = name.rsplit("::").next().unwrap_or_default();
            traits.push(Self::Native(name.to_string()));
        } else {
            let message = format!("'{}' is not a trait that is supported", records::name(record));
            return Err(Error::at(records, owner, message));
        }
        Ok(())
    }
}

fn effects(records: &Records, owner: Record<'_>, record: Record<'_>) -> Result<Vec<EffectKind>> {
    let Ok(list) = record.list_init_value("effects") else { return Ok(Vec::new()) };
    let items: Vec<TypedInit> = (0..list.len()).filter_map(|index| list.get(index)).collect();
    items
        .into_iter()
        .map(|item| {
            let effect = records::as_record(item).and_then(|effect| records::text(effect, "effect"));
            match effect.as_deref().map(|effect| effect.rsplit("::").next().unwrap_or_default()) {
                Some("Read") => Ok(EffectKind::Read),
                Some("Write") => Ok(EffectKind::Write),
                Some("Allocate") => Ok(EffectKind::Allocate),
                Some("Free") => Ok(EffectKind::Free),
                _ => Err(Error::at(records, owner, "unknown memory effect")),
            }
        })
        .collect()
}
