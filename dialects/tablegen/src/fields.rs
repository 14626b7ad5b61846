//! A record that is read field by field and says in the end what nobody asked for.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
};

use tblgen::{Record, RecordValue, TypedInit};

use crate::{
    dag::Dag,
    error::{Error, Place, Result},
    records::{self, Records},
};

/// A class of records that the reader knows.
pub struct Class {
    /// The name of the class in upstream's files.
    pub name: &'static str,
    /// The fields that add C++ members or say how C++ is written; they are left out with a warning.
    pub cpp: &'static [&'static str],
    /// The fields that say nothing that is not said elsewhere: TableGen's own bookkeeping.
    pub derived: &'static [&'static str],
}

/// A record that is being read. Whatever is set in it and was not asked for is reported by [`Fields::finish`].
pub struct Fields<'a> {
    /// All records.
    pub records: &'a Records,
    /// The record.
    pub record: Record<'a>,
    asked: RefCell<BTreeSet<String>>,
    /// Where fields were given their values, as far as somebody asked.
    places: RefCell<HashMap<String, Place>>,
}

impl<'a> Fields<'a> {
    /// Begins to read the record.
    pub fn new(records: &'a Records, record: Record<'a>) -> Self {
        Self { records, record, asked: RefCell::default(), places: RefCell::default() }
    }

    fn ask(&self, field: &str) -> Record<'a> {
        self.asked.borrow_mut().insert(field.to_string());
        self.record
    }

    /// The name of the definition.
    pub fn name(&self) -> &'a str {
        records::name(self.record)
    }

    /// What messages call the record.
    pub fn shown(&self) -> String {
        self.records.shown(self.record)
    }

    /// The string in `field`, or `None` if the field is missing, unset or empty.
    pub fn text(&self, field: &str) -> Option<String> {
        records::text(self.ask(field), field)
    }

    /// The string in `field`, which may be empty, or `None` if the field is missing or unset.
    pub fn set_text(&self, field: &str) -> Option<String> {
        self.ask(field).optional_str_value(field).ok().flatten().map(str::to_string)
    }

    /// The string in `field`, which must be there.
    pub fn required_text(&self, field: &str, what: &str) -> Result<String> {
        self.text(field).ok_or_else(|| self.error(field, format!("{what} '{}' needs '{field}'", self.shown())))
    }

    /// The name in `field`, which C++ and Rust must take for one.
    pub fn required_name(&self, field: &str, what: &str) -> Result<String> {
        let name = self.required_text(field, what)?;
        let is_odd = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        if !name.contains(is_odd) && !name.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(name);
        }
        let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let place = self.records.place_in_head(&self.field_place(field), &name);
        let error = place.error(format!("'{name}' is no name of {article} {what}")).note(self.whereabouts(field));
        Err(error.help("write one word of letters, digits and '_'"))
    }

    /// An error where the record has no name that what is made of it could have.
    pub fn check_named(&self, what: &str) -> Result<()> {
        if !self.record.anonymous() {
            return Ok(());
        }
        let error = self.place().error(format!("{what} needs a name of its definition"));
        Err(error.note(format!("in '{}'", self.shown())).help("write it behind 'def'"))
    }

    /// The bit in `field`; false where it is missing or unset.
    pub fn flag(&self, field: &str) -> bool {
        records::flag(self.ask(field), field)
    }

    /// The integer in `field`.
    pub fn integer(&self, field: &str) -> Option<i64> {
        self.ask(field).int_value(field).ok()
    }

    /// The definition in `field`, if it is set.
    pub fn definition(&self, field: &str) -> Option<Record<'a>> {
        records::definition(self.ask(field), field)
    }

    /// The definitions in the list `field`; none if it is missing or unset.
    pub fn definitions(&self, field: &str) -> Result<Vec<Record<'a>>> {
        let Ok(list) = self.ask(field).list_init_value(field) else { return Ok(Vec::new()) };
        let each = (0..list.len()).map(|index| {
            // An unset entry has no value at all.
            let record = list.get(index).and_then(|value| Record::try_from(value).ok());
            let place = || self.item_place(field, index, list.len());
            let wrong = || place().error(format!("an entry of '{field}' is not a definition"));
            record.ok_or_else(|| wrong().note(self.whereabouts(field)))
        });
        each.collect()
    }

    /// The strings in the list `field`; none if it is missing or unset.
    pub fn texts(&self, field: &str) -> Vec<String> {
        self.values(field).into_iter().filter_map(|value| String::try_from(value).ok()).collect()
    }

    fn values(&self, field: &str) -> Vec<TypedInit<'a>> {
        let Ok(list) = self.ask(field).list_init_value(field) else { return Vec::new() };
        (0..list.len()).filter_map(|index| list.get(index)).collect()
    }

    /// The dag in `field`.
    pub fn dag(&self, field: &str) -> Result<Dag<'a>> {
        let value = self.ask(field).dag_value(field);
        let value =
            value.map_err(|_| self.error(field, format!("'{}' needs a dag in field '{field}'", self.shown())))?;
        Dag::new(self.records, self.record, value).map_err(|error| self.error(field, error.message()))
    }

    /// The dag in `field`, whose operator must be the `marker`.
    pub fn marked(&self, field: &str, marker: &str) -> Result<Dag<'a>> {
        let dag = self.dag(field)?;
        match self.records.shown(dag.operator()) {
            found if found == marker => Ok(dag),
            found => Err(self
                .error(field, format!("'{field}' must start with '{marker}', not '{found}'"))
                .help(format!("write ({marker} ...)"))),
        }
    }

    /// Marks a field as read that is read in another way.
    pub fn note(&self, field: &str) {
        self.ask(field);
    }

    /// Marks all fields of a class as read that are read elsewhere.
    pub fn note_all(&self, class: &str) {
        let values = self.records.class(class).into_iter().flat_map(|class| class.values());
        values.filter_map(|value| value.name.to_str().ok().map(str::to_string)).for_each(|name| self.note(&name));
    }

    /// Where the record is defined.
    pub fn place(&self) -> Place {
        self.records.place_of(self.record)
    }

    /// Where `field` was given its value; the record's place if there is no such field, or if a class of upstream gives it
    /// the value of a parameter.
    pub fn field_place(&self, field: &str) -> Place {
        if let Some(known) = self.places.borrow().get(field) {
            return known.clone();
        }
        let place = self.find_field(field);
        self.places.borrow_mut().insert(field.to_string(), place.clone());
        place
    }

    fn find_field(&self, field: &str) -> Place {
        let own = self.place();
        match self.record.value(field).map(|value| Place::of(self.records, value)) {
            Ok(place) if place.position().is_some() && (!self.is_upstream(&place) || self.is_upstream(&own)) => place,
            _ => own,
        }
    }

    fn is_upstream(&self, place: &Place) -> bool {
        place.position().is_some_and(|(file, ..)| self.records.is_upstream(file))
    }

    /// An error at `field`.
    pub fn error(&self, field: &str, message: impl Into<String>) -> Error {
        self.field_place(field).error(message).note(self.whereabouts(field))
    }

    /// An error at one argument of the dag in `field`.
    pub fn argument_error(&self, field: &str, index: usize, count: usize, message: impl Into<String>) -> Error {
        self.argument_place(field, index, count).error(message).note(self.whereabouts(field))
    }

    /// Where one argument of the dag in `field` stands.
    pub fn argument_place(&self, field: &str, index: usize, count: usize) -> Place {
        self.records.place_in_dag(&self.field_place(field), index, count)
    }

    /// Where one item of the list in `field` stands.
    pub fn item_place(&self, field: &str, index: usize, count: usize) -> Place {
        self.records.place_in_list(&self.field_place(field), index, count)
    }

    /// Field and record in words.
    pub fn whereabouts(&self, field: &str) -> String {
        format!("in field '{field}' of '{}'", self.shown())
    }

    /// The fields that a definition of one of these classes is given directly.
    pub fn own_definitions(&self, class: &str) -> Vec<(String, Record<'a>)> {
        let mut found = Vec::new();
        for value in self.record.values() {
            if let (Ok(name), Ok(record)) = (value.name.to_str(), Record::try_from(value.init)) {
                if record.subclass_of(class) && !self.asked.borrow().contains(name) {
                    found.push((name.to_string(), record));
                }
            }
        }
        found.iter().for_each(|(name, _)| self.note(name));
        found
    }

    /// What is set and was not asked for: an error for a field of the class itself, a warning for what adds C++ only
    /// and for fields that the file's own classes add.
    pub fn finish(self, class: &Class) -> Result<()> {
        let base = self.records.class(class.name);
        // What is left out of records of other files is told where these are read.
        let is_own = self.place().is_in(self.records.file_name());
        let mut errors = Vec::new();
        for value in self.record.values() {
            let Ok(name) = value.name.to_str() else { continue };
            let declared = base.and_then(|base| base.value(name).ok());
            if self.asked.borrow().contains(name) || class.derived.contains(&name) || !is_set(value, declared) {
                continue;
            }
            let place = || self.field_place(name);
            if class.cpp.contains(&name) {
                // What upstream's classes say of C++ is nothing that the author would miss.
                let from_upstream =
                    || self.is_upstream(&Place::of(self.records, value)) && !self.is_upstream(&self.place());
                if !is_own || from_upstream() {
                    continue;
                }
                self.records.leave_out(name, "concerns C++ only", self.record, place);
            } else if declared.is_some() {
                let message = format!("'{name}' of '{}' is not supported", self.shown());
                errors.push(place().error(message).note(self.whereabouts(name)));
            } else if is_own
                && !self.has_another_reader(class, name)
                && !self.records.is_common(&Place::of(self.records, value))
            {
                self.records.leave_out(name, "is no field of ODS and read by nobody", self.record, place);
            }
        }
        Error::collect(errors)
    }

    /// Whether the field is one of a class that the record is read as elsewhere: definitions and enumerations are constraints, too.
    fn has_another_reader(&self, class: &Class, field: &str) -> bool {
        let declares = |name| self.records.class(name).is_some_and(|base| base.value(field).is_ok());
        let mut others = ["TypeDef", "AttrDef", "EnumInfo", "EnumAttrInfo", "Attr", "Interface", "InterfaceTrait"]
            .into_iter()
            .filter(|other| *other != class.name);
        others.any(|other| self.record.subclass_of(other) && declares(other))
    }
}

/// Whether a field says anything: it is set, not empty, and not what its class gives it.
fn is_set(value: RecordValue<'_>, declared: Option<RecordValue<'_>>) -> bool {
    let empty = match value.init {
        TypedInit::Invalid => true,
        TypedInit::String(text) | TypedInit::Code(text) => text.as_bytes().iter().all(u8::is_ascii_whitespace),
        TypedInit::List(list) => list.is_empty(),
        TypedInit::Dag(dag) => dag.num_args() == 0,
        _ => false,
    };
    let template = value.name.to_str().is_ok_and(|name| name.contains(':') || name == "NAME");
    !empty && !template && !value.is_template_arg() && declared.is_none_or(|declared| declared.init != value.init)
}
