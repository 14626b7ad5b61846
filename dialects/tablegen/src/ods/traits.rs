//! Traits and interfaces of operations, types and attributes.

use tblgen::Record;

use crate::{
    error::{Diagnostic, Error, Place, Result},
    fields::{Class, Fields},
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

/// An effect with what it acts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The kind, for effects on memory.
    pub kind: Option<EffectKind>,
    /// The C++ class of the effect.
    pub effect: String,
    /// The C++ interface that reports it.
    pub interface: String,
    /// The C++ class of the resource.
    pub resource: String,
    /// When it takes place, relative to the other effects of the operation.
    pub stage: i64,
    /// Whether it acts on the whole value.
    pub full: bool,
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

/// An interface as a record names it among its traits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterfaceUse {
    /// The name of the definition; empty for one that is made in place, such as `DeclareOpInterfaceMethods<...>`.
    pub definition: String,
    /// The C++ name.
    pub name: String,
    /// The C++ namespace.
    pub namespace: String,
    /// Whether its methods are to be declared: `DeclareOpInterfaceMethods` and its like.
    pub declares_methods: bool,
    /// The methods that are declared although they have a default.
    pub overridden: Vec<String>,
    /// The C++ that verifies an operation with the interface.
    pub verify: Option<String>,
    /// Where it is named.
    pub place: Place,
}

/// What a trait says of the types of operands and results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeRelation {
    /// `AllTypesMatch`: all of these have the same type.
    Same(Vec<String>),
    /// `TypesMatchWith`: the type of `to` follows from that of `from`.
    Transformed {
        /// The name of what it follows from.
        from: String,
        /// The name of what follows.
        to: String,
        /// The C++ expression of the type, of `$_self`, the type of `from`.
        transformer: String,
        /// The description.
        summary: String,
        /// Whether types of several values are compared one by one.
        ranged: bool,
    },
    /// `ShapedTypeMatchesElementCountAndTypes`: the types of `elements` follow from that of `shaped`.
    Elements {
        /// The name of what has a shape.
        shaped: String,
        /// The name of its elements.
        elements: String,
    },
}

impl TypeRelation {
    /// The trait that says it, and the names of what it is about.
    pub fn names(&self) -> (&'static str, Vec<&str>) {
        match self {
            Self::Same(names) => ("AllTypesMatch", names.iter().map(String::as_str).collect()),
            Self::Transformed { from, to, .. } => ("TypesMatchWith", vec![from, to]),
            Self::Elements { shaped, elements } => ("ShapedTypeMatchesElementCountAndTypes", vec![shaped, elements]),
        }
    }
}

/// The traits of a record.
#[derive(Debug, Default)]
pub struct Traits {
    /// All of them, in their order.
    pub traits: Vec<Trait>,
    /// The interfaces among them.
    pub interfaces: Vec<InterfaceUse>,
    /// The effects that they name.
    pub effects: Vec<Effect>,
    /// What they say of types.
    pub relations: Vec<TypeRelation>,
    /// The C++ members that they add.
    pub members: String,
    /// The records that were read, by their numbers.
    seen: Vec<u32>,
}

/// Fields of traits that add C++ members or order the verification of traits, which goes by their kinds here.
const TRAIT_CPP: &[&str] =
    &["extraConcreteClassDeclaration", "extraConcreteClassDefinition", "extraTraitClassDeclaration"];

impl Traits {
    /// Reads the list of traits in `field`, lists within it included.
    pub fn read(owner: &Fields<'_>, field: &str) -> Result<Self> {
        let mut traits = Self::default();
        let mut errors = Vec::new();
        for record in Self::records(owner, field)? {
            errors.extend(traits.read_one(owner.records, record, &Self::place(owner, field, record)).err());
        }
        Error::collect(errors).map(|()| traits).map_err(|error| error.within(&owner.whereabouts(field)))
    }

    /// Reads those of an operation: what only types and attributes have is none of its traits.
    pub fn read_of_operation(owner: &Fields<'_>, field: &str) -> Result<Self> {
        let foreign = |record: &Record<'_>| !record.has_field("dependentTraits");
        let help = "a trait of an operation is an OpTrait or an OpInterface";
        Self::refuse(owner, field, "operations", help, &foreign)?;
        Self::read(owner, field)
    }

    /// Reads those of a type or an attribute (`what`), whose interfaces are of a class: none of operations, no predicates.
    pub fn read_of_definition(owner: &Fields<'_>, field: &str, what: &str, interface: &str) -> Result<Self> {
        let is_foreign = |record: &Record<'_>| {
            let is_interface = record.subclass_of("AttrInterface") || record.subclass_of("TypeInterface");
            let other =
                ["PredTrait", "SideEffectsTraitBase", "GenInternalTrait"].iter().any(|class| record.subclass_of(class));
            record.has_field("dependentTraits") || other || is_interface && !record.subclass_of(interface)
        };
        let help = format!("a trait of {what} is a NativeTrait or {interface}");
        Self::refuse(owner, field, what, &help, &is_foreign)?;
        Self::read(owner, field)
    }

    /// An error for each entry of the list in `field` that is foreign to what has it, or has something foreign in it.
    fn refuse(
        owner: &Fields<'_>,
        field: &str,
        what: &str,
        help: &str,
        is_foreign: &dyn Fn(&Record<'_>) -> bool,
    ) -> Result<()> {
        let mut errors = Vec::new();
        for record in Self::entries(owner, field)? {
            if Self::flat(owner, vec![record])?.iter().any(is_foreign) {
                let name = records::text(record, "trait").unwrap_or_else(|| owner.records.shown(record));
                let error = Self::place(owner, field, record).error(format!("'{name}' is no trait of {what}"));
                errors.push(error.note(owner.whereabouts(field)).help(help));
            }
        }
        Error::collect(errors)
    }

    /// The traits in `field` and in lists within it.
    pub fn records<'a>(owner: &Fields<'a>, field: &str) -> Result<Vec<Record<'a>>> {
        Self::flat(owner, Self::entries(owner, field)?)
    }

    /// The entries of `field`, and of the class `Traits` of the early text.
    fn entries<'a>(owner: &Fields<'a>, field: &str) -> Result<Vec<Record<'a>>> {
        let mut entries = owner.definitions(field)?;
        entries.extend(owner.definitions("namedTraits")?);
        Ok(entries)
    }

    /// These traits, with those of lists in place of the lists.
    fn flat<'a>(owner: &Fields<'a>, mut rest: Vec<Record<'a>>) -> Result<Vec<Record<'a>>> {
        let mut flat = Vec::new();
        rest.reverse();
        while let Some(record) = rest.pop() {
            if record.subclass_of("TraitList") {
                let inner = Fields::new(owner.records, record).definitions("traits")?;
                rest.extend(inner.into_iter().rev());
            } else {
                flat.push(record);
            }
        }
        Ok(flat)
    }

    /// Where a trait is named: one that is made in place stands where it is used.
    pub fn place(owner: &Fields<'_>, field: &str, record: Record<'_>) -> Place {
        let within = || owner.records.place_within(&owner.place(), record);
        match owner.records.place_of(record) {
            place if record.anonymous() && place.is_in(owner.records.file_name()) => within().unwrap_or(place),
            _ => owner.field_place(field),
        }
    }

    fn read_one(&mut self, records: &Records, record: Record<'_>, place: &Place) -> Result<()> {
        let fields = Fields::new(records, record);
        if record.subclass_of("PredTrait") {
            self.predicate(&fields, place)?;
        } else if record.subclass_of("SideEffectsTraitBase") {
            self.side_effects(&fields)?;
        } else if record.subclass_of("InterfaceTrait") || record.subclass_of("Interface") {
            self.interface(&fields, place)?;
        } else if record.subclass_of("ParamNativeTrait") {
            // The C++ name is written as `HasParent<A, B>::Impl`; the parts are read where they stand alone.
            let full = fields.text("trait").unwrap_or_default();
            let (name, rest) = full.split_once('<').unwrap_or((&full, ""));
            let parameters = rest.rsplit_once('>').map_or(rest, |(inner, _)| inner);
            let name = name.rsplit("::").find(|part| !part.is_empty()).unwrap_or(name);
            if OF_OPERATIONS.contains(&name) && parameters.split(',').any(|parameter| parameter.trim().is_empty()) {
                let name = if record.subclass_of("ParentOneOf") { "ParentOneOf" } else { name };
                return Err(place.error(format!("the trait {name} needs names of operations, one of which is empty")));
            }
            self.traits.push(Trait::Parametric { name: name.into(), parameters: parameters.trim().into() });
        } else if record.subclass_of("NativeTrait") || record.subclass_of("GenInternalTrait") {
            let name = fields.text("trait").unwrap_or_default();
            let name = name.rsplit("::").next().unwrap_or_default().to_string();
            if name.is_empty() {
                return Err(place.error("a trait needs a name").note(fields.whereabouts("trait")));
            }
            if record.subclass_of("GenInternalTrait") && !GENERATOR.contains(&name.as_str()) {
                let message = format!("the generator knows no trait '{name}': it is left out");
                records.warn(Diagnostic::warning(place.clone(), message));
            } else {
                self.traits.push(Trait::Native(name));
            }
        } else {
            return Err(place.error(format!("'{}' is not a trait that is supported", records.shown(record))));
        }
        for needed in fields.definitions("dependentTraits").unwrap_or_default() {
            if !self.seen.contains(&needed.id()) {
                let (name, needed) = (fields.shown(), records.shown(needed));
                return Err(place.error(format!("{name} requires {needed} to precede it in the list of traits")));
            }
        }
        self.members += &records::text(record, "extraConcreteClassDeclaration").unwrap_or_default();
        self.seen.push(record.id());
        ["cppNamespace", "summary", "predicate"].iter().for_each(|field| fields.note(field));
        fields.finish(&Class { name: "NativeTrait", cpp: TRAIT_CPP, derived: &READ_ELSEWHERE })
    }

    fn predicate(&mut self, fields: &Fields<'_>, place: &Place) -> Result<()> {
        let predicate = fields.definition("predicate");
        let predicate =
            predicate.ok_or_else(|| place.error(format!("trait '{}' needs a predicate", fields.shown())))?;
        let summary = fields.text("summary").unwrap_or_default();
        let predicate = Predicate::read(fields.records, predicate, fields.record)?;
        let text = |field: &str| fields.text(field).unwrap_or_default();
        let record = fields.record;
        if record.subclass_of("AllTypesMatch") {
            self.relations.push(TypeRelation::Same(fields.texts("values")));
        } else if record.subclass_of("TypesMatchWith") {
            self.relations.push(TypeRelation::Transformed {
                from: text("lhs"),
                to: text("rhs"),
                transformer: text("transformer"),
                summary: summary.clone(),
                ranged: record.subclass_of("RangedTypesMatchWith"),
            });
        } else if record.subclass_of("ShapedTypeMatchesElementCountAndTypes") {
            self.relations.push(TypeRelation::Elements { shaped: text("shaped"), elements: text("elements") });
        }
        self.traits.push(Trait::Predicate { summary, predicate });
        Ok(())
    }

    /// `MemoryEffects<[...]>` and its like for effects of other kinds.
    fn side_effects(&mut self, fields: &Fields<'_>) -> Result<()> {
        let effects = fields.definitions("effects")?;
        let effects =
            effects.into_iter().map(|effect| Effect::read(fields.records, effect)).collect::<Result<Vec<_>>>()?;
        let base = fields.text("baseEffectName").unwrap_or_default();
        match base.rsplit("::").nth(1) {
            Some("MemoryEffects") => {
                self.traits.push(Trait::Effects(effects.iter().filter_map(|item| item.kind).collect()))
            }
            _ => self.traits.push(Trait::Interface(fields.text("trait").unwrap_or_default())),
        }
        self.effects.extend(effects);
        Ok(())
    }

    fn interface(&mut self, fields: &Fields<'_>, place: &Place) -> Result<()> {
        let overridden = fields.texts("alwaysOverriddenMethods");
        let methods = fields.definitions("methods")?;
        let is_method =
            |name: &String| methods.iter().any(|method| records::text(*method, "name").as_ref() == Some(name));
        let name = fields.text("cppInterfaceName").unwrap_or_else(|| fields.text("trait").unwrap_or_default());
        // Upstream's own records name methods of former times.
        for unknown in overridden.iter().filter(|name| !is_method(name)) {
            let message = format!("the interface '{name}' has no method '{unknown}': it is left out");
            fields.records.warn(Diagnostic::warning(place.clone(), message));
        }
        // The rest is read where the interface is defined.
        fields.note_all("Interface");
        self.traits.push(Trait::Interface(name.clone()));
        self.interfaces.push(InterfaceUse {
            definition: if fields.record.anonymous() { String::new() } else { fields.name().to_string() },
            name,
            namespace: fields.text("cppNamespace").unwrap_or_default(),
            declares_methods: fields.record.subclass_of("DeclareInterfaceMethods"),
            overridden,
            verify: fields.text("verify"),
            place: place.clone(),
        });
        Ok(())
    }
}

/// Fields of interfaces, which are read where the interface is defined, and of parameters that a trait's name or
/// predicate already has.
const READ_ELSEWHERE: [&str; 3] = ["trait", "verifyWithRegions", "description"];

/// The traits whose parameters are operations.
pub(super) const OF_OPERATIONS: [&str; 2] = ["HasParent", "SingleBlockImplicitTerminator"];

/// The traits that concern what is generated only.
const GENERATOR: [&str; 3] = ["FirstAttrDerivedResultType", "SameVariadicOperandSize", "SameVariadicResultSize"];

impl Effect {
    /// Reads a `SideEffect` record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let effect = fields.text("effect");
        let effect = effect.ok_or_else(|| {
            fields.place().error(format!("'{}' says nothing of a value that is supported", fields.shown()))
        })?;
        let text = |field: &str| fields.text(field).unwrap_or_default();
        Ok(Self {
            kind: match effect.strip_prefix("::mlir::").unwrap_or(&effect) {
                "MemoryEffects::Read" => Some(EffectKind::Read),
                "MemoryEffects::Write" => Some(EffectKind::Write),
                "MemoryEffects::Allocate" => Some(EffectKind::Allocate),
                "MemoryEffects::Free" => Some(EffectKind::Free),
                _ => None,
            },
            interface: text("interfaceTrait"),
            resource: text("resource"),
            stage: fields.integer("stage").unwrap_or(0),
            full: fields.flag("effectOnFullRegion"),
            effect,
        })
    }
}
