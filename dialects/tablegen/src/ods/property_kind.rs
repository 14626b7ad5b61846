//! What Rust sees of properties: the values behind the C++ types that store them.

use tblgen::Record;

use crate::{
    constant::{self, list, truth, typed},
    records::{self, Records},
};

/// The Rust type behind a property, by the C++ type that stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PropertyKind {
    /// `bool`.
    Bool,
    /// `bool`, written by its presence.
    Unit,
    /// An integer of this width.
    Integer(u32),
    /// A string.
    String,
    /// Several integers of this width in one dense array.
    Integers(u32),
    /// A value of an enumeration.
    Enumeration {
        /// The name of its definition.
        definition: String,
        /// The number of bits that a value is stored in.
        width: u32,
    },
    /// A value or nothing: an array of one or none.
    Optional {
        /// The kind of the value.
        value: Box<PropertyKind>,
        /// Whether text has it as `some<value>`.
        bracketed: bool,
    },
    /// An array of values.
    List(Box<PropertyKind>),
    /// Of a C++ class without a counterpart, or with C++ that converts it: the attribute itself.
    Other,
}

/// Depth of templates beyond which a C++ type is one without a counterpart.
const MAXIMUM_DEPTH: usize = 16;

impl PropertyKind {
    /// The kind of a property that upstream's C++ converts. `base` is the record without what confines it or gives it a
    /// default value.
    pub(super) fn read(records: &Records, record: Record<'_>, base: Record<'_>, storage: &str) -> Self {
        let is_unit = ["UnitProp", "UnitProperty"].contains(&records::name(base)) || base.subclass_of("_cls_UnitProp");
        if is_unit {
            return Self::Unit;
        }
        if base.subclass_of("EnumProp") && !records::flag(base, "storeInCustomAttribute") {
            return records::definition(base, "enum").map_or(Self::Other, Self::of_enumeration);
        }
        let conversion = records::text(record, "convertToAttribute").unwrap_or_default();
        let reader = Reader {
            records,
            has_dense_lists: !conversion.contains("ArrayAttr::get($_ctxt, elems)"),
            is_bracketed: records::text(record, "parser").is_some_and(|parser| parser.contains("{\"none\", \"some\"}")),
        };
        reader.kind(storage, 0).unwrap_or(Self::Other)
    }

    /// The definition of the enumeration whose values it holds.
    pub(crate) fn enumeration(&self) -> Option<&str> {
        match self {
            Self::Enumeration { definition, .. } => Some(definition),
            Self::Optional { value, .. } | Self::List(value) => value.enumeration(),
            _ => None,
        }
    }

    fn of_enumeration(record: Record<'_>) -> Self {
        let width = record.int_value("bitwidth").ok().and_then(|width| u32::try_from(width).ok());
        Self::Enumeration { definition: records::name(record).to_string(), width: width.unwrap_or(32) }
    }

    /// The attribute that stores a C++ constant, as MLIR writes it; none where the C++ has no counterpart.
    pub(super) fn attribute_of(&self, records: &Records, value: &str) -> Option<String> {
        let value = value.trim();
        match self {
            Self::Bool => truth(value).map(str::to_string),
            Self::Integer(width) => typed(value, &format!("i{width}")),
            Self::String => {
                (value.len() > 1 && value.starts_with('"') && value.ends_with('"')).then(|| value.to_string())
            }
            Self::Enumeration { definition, .. } => enumerated(records, definition)?.attribute(value),
            Self::Optional { .. } if value.trim_start_matches("::") == "std::nullopt" => Some("[]".into()),
            Self::Optional { value: inner, .. } => Some(format!("[{}]", inner.attribute_of(records, value)?)),
            Self::Integers(width) => {
                let items = list(value, |item| typed(item, &format!("i{width}")))?;
                let digits = items.replace(&format!(" : i{width}"), "");
                Some(if digits.is_empty() { format!("array<i{width}>") } else { format!("array<i{width}: {digits}>") })
            }
            Self::List(inner) => Some(format!("[{}]", list(value, |item| inner.attribute_of(records, item))?)),
            Self::Unit => truth(value).map(|value| if value == "true" { "unit".into() } else { value.to_string() }),
            Self::Other => None,
        }
    }

    /// Whether a C++ constant is a literal of another kind or too large, or names a case that the enumeration has not.
    pub(super) fn refuses(&self, records: &Records, value: &str) -> bool {
        match self {
            Self::Bool | Self::Integer(_) | Self::String => {
                constant::is_literal(value.trim()) && self.attribute_of(records, value).is_none()
            }
            Self::Enumeration { definition, .. } => {
                enumerated(records, definition).is_some_and(|kind| kind.refuses(value))
            }
            Self::Optional { .. } | Self::Integers(_) | Self::List(_) | Self::Unit | Self::Other => false,
        }
    }
}

/// How cases of an enumeration become attributes.
fn enumerated(records: &Records, definition: &str) -> Option<constant::Kind> {
    let found = records.derived("EnumInfo").into_iter().find(|record| records::name(*record) == definition)?;
    Some(constant::Kind::read(found))
}

/// What tells the kinds of one property.
struct Reader<'a> {
    records: &'a Records,
    has_dense_lists: bool,
    is_bracketed: bool,
}

impl Reader<'_> {
    fn kind(&self, storage: &str, depth: usize) -> Option<PropertyKind> {
        let storage = storage.trim().trim_start_matches("::");
        let inside = |class: &str| storage.strip_prefix(class)?.trim_start().strip_prefix('<')?.strip_suffix('>');
        let kind = |text: &str| self.kind(text, depth + 1).filter(|_| depth < MAXIMUM_DEPTH);
        if let Some(value) = inside("std::optional") {
            return Some(PropertyKind::Optional { value: kind(value)?.into(), bracketed: self.is_bracketed });
        }
        if let Some(item) = inside("llvm::SmallVector").or_else(|| inside("SmallVector")) {
            return Some(match kind(item)? {
                PropertyKind::Integer(width @ (32 | 64)) if self.has_dense_lists => PropertyKind::Integers(width),
                item => PropertyKind::List(item.into()),
            });
        }
        match storage {
            "bool" => Some(PropertyKind::Bool),
            "std::string" => Some(PropertyKind::String),
            other => integer(other).map(PropertyKind::Integer).or_else(|| self.enumeration(other)),
        }
    }

    fn enumeration(&self, class: &str) -> Option<PropertyKind> {
        let is_it = |record: &Record<'_>| {
            records::text(*record, "cppType").is_some_and(|name| name.trim_start_matches("::") == class)
        };
        self.records.derived("EnumInfo").into_iter().find(is_it).map(PropertyKind::of_enumeration)
    }
}

/// The width of a C++ integer type.
fn integer(name: &str) -> Option<u32> {
    let name = name.strip_prefix("std::").unwrap_or(name);
    let width = name.strip_prefix('u').unwrap_or(name).strip_prefix("int")?.strip_suffix("_t")?;
    width.parse().ok().filter(|width| [8, 16, 32, 64].contains(width))
}
