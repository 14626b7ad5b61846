//! Predicates: what the C++ expressions of a constraint say, as Rust.
//!
//! Upstream's constraints are trees of C++ fragments that are put together as text (`And`, `Or`, `Neg`,
//! `SubstLeaves`, `Concat`). They are put together here in the same way; the text is then read as the small part of
//! C++ that upstream's .td files use, and said again in Rust on the helpers of `skriptnd_mlir::predicate`.
//! A constraint of one's own may hold Rust right away: `RustPred<"...">`, with the same placeholders.

use std::sync::Arc;

use tblgen::Record;

pub use crate::cpp::{ClassTest, Kind, Scope, Table, interface_test, snake_case};

use crate::{
    cpp,
    error::{Error, Place, Result},
    records::{self, Records},
};

/// Depth of nested combiners beyond which a predicate is refused.
const MAXIMUM_DEPTH: usize = 64;

/// The predicate of a constraint: C++ text with placeholders, in which Rust leaves stand as `rust!{...}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predicate {
    text: String,
    /// What the names in it are in Rust.
    table: Arc<Table>,
}

impl Predicate {
    /// Reads the predicate record, which the record `of` has.
    ///
    /// # Errors
    /// Where it is no predicate, or its C++ cannot be an expression.
    pub fn read(records: &Records, record: Record<'_>, of: Record<'_>) -> Result<Self> {
        // Equal predicates are one record, which may have been made in a file of MLIR first.
        let own = |place: Place| match place.position().is_none_or(|(file, ..)| records.is_upstream(file)) {
            true => Place::of(records, of),
            false => place,
        };
        let wrong = |error: Error| own(error.diagnostics()[0].place().clone()).error(error.message());
        let text = text(records, record, &[], 0).map_err(wrong)?;
        let Some(slip) = cpp::slip(&text) else { return Ok(Self { text, table: table(records) }) };
        let place = own(Place::of(records, record));
        // `CPred` puts what it holds in brackets.
        let code = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(&text);
        Err(place.error(format!("the predicate '{code}' is no expression: {slip}")))
    }

    /// Another predicate, in C++, where names stand for the same.
    pub fn saying(&self, text: &str) -> Self {
        Self { text: text.into(), table: self.table.clone() }
    }

    /// The predicate that always holds.
    pub fn always() -> Self {
        Self { text: "true".into(), table: Arc::default() }
    }

    /// Whether it always holds.
    pub fn is_trivial(&self) -> bool {
        self.text.chars().filter(|c| !matches!(c, '(' | ')' | ' ')).eq("true".chars())
    }

    /// Whether it asks for the operation, `$_op`.
    pub(crate) fn asks_operation(&self) -> bool {
        self.text.contains("$_op")
    }

    /// The C++ text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The members of an operation that it speaks of, `$name`; placeholders are none.
    pub(crate) fn names(&self) -> Vec<&str> {
        let behind = self.text.split('$').skip(1);
        let name = |rest: &'_ str| rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        behind
            .map(|rest| &rest[..name(rest)])
            .filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
            .collect()
    }

    /// The C++ as a tree.
    pub(crate) fn expression(&self) -> std::result::Result<cpp::Expression, String> {
        cpp::parse(&self.text)
    }

    /// How it is found out whether something is of a C++ class that the files or the user declare.
    pub(crate) fn class(&self, name: &str) -> Option<&ClassTest> {
        self.table.class(name)
    }

    /// The Rust expression with the same meaning; `scope` says what the placeholders stand for.
    pub fn to_rust(&self, scope: &Scope) -> std::result::Result<String, String> {
        cpp::translate(&cpp::parse(&self.text)?, scope, &self.table)
    }
}

/// What C++ names are in Rust: what the files declare, and what the user says.
pub(crate) fn table(records: &Records) -> Arc<Table> {
    records.table(|table| declared_classes(records, table))
}

/// The classes of types and attributes that the files declare, and their interfaces. Those of upstream are C++.
fn declared_classes(records: &Records, table: &mut Table) {
    for record in records.derived("Interface").into_iter().filter(|record| is_test_of_rust(records, *record)) {
        let part = |field| records::text(record, field).unwrap_or_default();
        let name = part("cppInterfaceName");
        table.add_class(&format!("{}::{name}", part("cppNamespace")), ClassTest::Interface(name));
    }
    for record in records.derived("AttrOrTypeDef") {
        if let (Some(class), Some(name)) = (records::text(record, "cppType"), registered_name(record)) {
            table.add_class(&class, ClassTest::Registered(name));
        }
    }
    for record in
        records.derived("EnumAttrInfo").into_iter().filter(|record| records::flag(*record, "genSpecializedAttr"))
    {
        let part = |field| records::text(record, field).unwrap_or_default();
        let base = records::definition(record, "baseAttrClass").and_then(|base| records::definition(base, "predicate"));
        if let Some(Ok(text)) = base.map(|base| text(records, base, &[], 0)) {
            let class = format!("{}::{}", part("cppNamespace"), part("specializedAttrClassName"));
            table.add_class(&class, ClassTest::Predicate(text));
        }
    }
}

/// Whether it is an interface of types or attributes that Rust declares.
fn is_test_of_rust(records: &Records, record: Record<'_>) -> bool {
    let is_upstream = records.place_of(record).position().is_some_and(|(file, ..)| records.is_upstream(file));
    let is_of_value = record.subclass_of("AttrInterface") || record.subclass_of("TypeInterface");
    is_of_value && !is_upstream && !record.anonymous() && !record.subclass_of("DeclareInterfaceMethods")
}

/// The name that a type or an attribute is registered under; one without a mnemonic is called as its class.
pub fn registered_name(record: Record<'_>) -> Option<String> {
    let named = records::text(record, "typeName").or_else(|| records::text(record, "attrName"));
    // Without a mnemonic the name of the class in upstream's file ends in a dot, or is not set.
    named.filter(|name| !name.ends_with('.')).or_else(|| {
        let dialect = records::text(records::definition(record, "dialect")?, "name")?;
        Some(format!("{dialect}.{}", snake_case(&records::text(record, "cppClassName")?)))
    })
}

/// The text of a predicate; `substitutions` are applied to its leaves, the innermost first.
fn text(records: &Records, record: Record<'_>, substitutions: &[(String, String)], depth: usize) -> Result<String> {
    if depth > MAXIMUM_DEPTH {
        return Err(Error::at(records, record, format!("predicates are nested more than {MAXIMUM_DEPTH} deep")));
    }
    if record.subclass_of("CombinedPred") {
        return combined(records, record, substitutions, depth);
    }
    if record.subclass_of("RustPred") {
        let code = records::text(record, "rust").unwrap_or_default();
        return Ok(format!("rust!{{{}}}", substitute(&code, substitutions)));
    }
    match records::text(record, "predExpr") {
        Some(code) => Ok(substitute(&code, substitutions)),
        None => Err(Error::at(records, record, format!("'{}' is not a predicate", records.shown(record)))),
    }
}

fn substitute(code: &str, substitutions: &[(String, String)]) -> String {
    substitutions.iter().rev().fold(code.to_string(), |code, (pattern, with)| code.replace(pattern.as_str(), with))
}

fn combined(records: &Records, record: Record<'_>, outer: &[(String, String)], depth: usize) -> Result<String> {
    let mut substitutions = outer.to_vec();
    if record.subclass_of("SubstLeaves") {
        let field = |name| records::text(record, name).unwrap_or_default();
        substitutions.push((field("pattern"), field("replacement")));
    }
    let mut children = Vec::new();
    for child in children_of(records, record)? {
        children.push(text(records, child, &substitutions, depth + 1)?);
    }
    let only = |children: Vec<String>| children.into_iter().next().unwrap_or_else(|| "true".into());
    let kind = record.def_value("kind").map(records::name).unwrap_or_default();
    Ok(match kind {
        "PredCombinerAnd" if children.is_empty() => "true".into(),
        "PredCombinerAnd" => format!("(({}))", children.join(") && (")),
        "PredCombinerOr" if children.is_empty() => "false".into(),
        "PredCombinerOr" => format!("(({}))", children.join(") || (")),
        "PredCombinerNot" => format!("!({})", only(children)),
        "PredCombinerSubstLeaves" => only(children),
        "PredCombinerConcat" => {
            let around = |name| substitute(record.str_value(name).unwrap_or_default(), outer);
            format!("{}{}{}", around("prefix"), only(children), around("suffix"))
        }
        other => return Err(Error::at(records, record, format!("unknown predicate combiner '{other}'"))),
    })
}

fn children_of<'a>(records: &Records, record: Record<'a>) -> Result<Vec<Record<'a>>> {
    let list = record
        .list_init_value("children")
        .map_err(|_| Error::at(records, record, "a combined predicate needs a list of children"))?;
    let wrong = || Error::at(records, record, "what is combined is not a predicate");
    let children = records::items(list).ok_or_else(wrong)?.into_iter();
    children.map(|child| child.and_then(records::as_record).ok_or_else(wrong)).collect()
}

#[cfg(test)]
mod tests;
