//! Reading .td files: the records that TableGen evaluates them to.

use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};

use indexmap::{IndexMap, IndexSet};
use tblgen::error::{SourceError, SourceLoc};
use tblgen::{Record, RecordKeeper, TypedInit, init::ListInit};

use crate::{
    cpp::Table,
    error::{Diagnostic, Error, Place, Result},
    evaluation::Prepared,
    paths::llvm_prefix,
    source::{Source, Sources},
};

/// The evaluated records of one .td file and of all that it includes.
pub struct Records {
    keeper: RecordKeeper<'static>,
    /// The name that diagnostics show.
    file_name: String,
    /// The name under which TableGen read the file.
    read_name: String,
    sources: Sources,
    /// Where MLIR's own files are.
    upstream: PathBuf,
    /// Where records are defined, by their ids: TableGen renders a message for each question.
    places: RefCell<HashMap<u32, Place>>,
    /// The files that it includes, directly or not.
    included: Vec<PathBuf>,
    warnings: RefCell<Vec<Diagnostic>>,
    left_out: RefCell<IndexMap<(String, &'static str), LeftOut>>,
    /// What a file says of C++ names in predicates.
    own_table: Table,
    /// The same with what the records declare.
    table: OnceCell<Arc<Table>>,
}

/// A field that has no counterpart in Rust.
struct LeftOut {
    /// Where it is set first.
    place: Place,
    /// The records that set it, each once: one may be read as several things.
    records: IndexSet<String>,
}

impl Records {
    /// Reads the file `path`; `include` statements are searched in `include_directories` and among the files that this crate
    /// brings along.
    ///
    /// # Errors
    /// Files that cannot be read, and what TableGen says of them.
    pub fn from_file(path: &Path, include_directories: &[PathBuf]) -> Result<Self> {
        Self::of(Prepared::file(path, include_directories)?)
    }

    /// Reads `text`, which diagnostics call `name`.
    ///
    /// # Errors
    /// The same.
    pub fn from_text(text: &str, name: &str, include_directories: &[PathBuf]) -> Result<Self> {
        Self::of(Prepared::text(text, name, include_directories)?)
    }

    fn of(prepared: Prepared) -> Result<Self> {
        let keeper = prepared.input().evaluate()?;
        let Prepared { file_name, read_name, included, warnings, text, .. } = prepared;
        let sources = Sources::default();
        if let Some(text) = text {
            sources.keep(&read_name, &text);
        }
        Ok(Self {
            keeper,
            file_name,
            read_name,
            sources,
            upstream: llvm_prefix().join("include"),
            places: RefCell::default(),
            included,
            warnings: RefCell::new(warnings),
            left_out: RefCell::default(),
            own_table: Table::default(),
            table: OnceCell::new(),
        })
    }

    /// The files that it includes, directly or not, and that are still there.
    pub fn included_files(&self) -> impl Iterator<Item = &Path> {
        self.included.iter().map(PathBuf::as_path).filter(|path| path.is_file())
    }

    /// The name of the file that was read.
    pub fn file_name(&self) -> &str {
        &self.file_name
    }

    /// All records of definitions that derive from `class`, in the order of their definition.
    pub fn derived(&self, class: &str) -> Vec<Record<'_>> {
        let mut records: Vec<_> = self.keeper.all_derived_definitions_if_defined(class).collect();
        records.sort_by_key(|record| record.id());
        records
    }

    /// Whether there is a definition of this name.
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.keeper.def(name).is_ok()
    }

    /// All records of definitions, in the order of their definition.
    pub fn definitions(&self) -> Vec<Record<'_>> {
        let mut records: Vec<_> = self.keeper.defs().map(|(_, record)| record).collect();
        records.sort_by_key(|record| record.id());
        records
    }

    /// Lets a file say what C++ names in predicates are in Rust; [`Table::read`] has its form.
    ///
    /// # Errors
    /// Lines that are not in that form.
    pub fn with_predicates(mut self, file: &Path) -> Result<Self> {
        self.own_table.read(file)?;
        self.table = OnceCell::new();
        Ok(self)
    }

    /// What C++ names in predicates are in Rust: what a file says of them, and what `declared` adds.
    pub(crate) fn table(&self, declared: impl FnOnce(&mut Table)) -> Arc<Table> {
        let make = || {
            let mut table = self.own_table.clone();
            declared(&mut table);
            Arc::new(table)
        };
        self.table.get_or_init(make).clone()
    }

    /// The class of this name.
    pub fn class(&self, name: &str) -> Option<Record<'_>> {
        self.keeper.class(name).ok()
    }

    /// Whether a file is one of MLIR's own.
    pub(crate) fn is_upstream(&self, file: &str) -> bool {
        Path::new(file).starts_with(&self.upstream)
    }

    /// Whether a place is in the files of MLIR that all dialects share: their classes hold what they say of one thing in
    /// several fields.
    pub(crate) fn is_common(&self, place: &Place) -> bool {
        let inside = place.position().and_then(|(file, ..)| Path::new(file).strip_prefix(&self.upstream).ok());
        inside.is_some_and(|file| {
            ["mlir/IR", "mlir/Interfaces", "mlir/Pass"].iter().any(|folder| file.starts_with(folder))
        })
    }

    /// Notes a field that is left out of a record of the file itself, and why.
    pub(crate) fn leave_out(
        &self,
        field: &str,
        reason: &'static str,
        record: Record<'_>,
        place: impl FnOnce() -> Place,
    ) {
        if !self.place_of(record).is_in(&self.file_name) {
            return;
        }
        let mut left_out = self.left_out.borrow_mut();
        let entry = left_out.entry((field.to_string(), reason));
        let left_out = entry.or_insert_with(|| LeftOut { place: place(), records: IndexSet::new() });
        left_out.records.insert(self.shown(record));
    }

    /// Notes what is left out for another reason.
    pub fn warn(&self, warning: Diagnostic) {
        self.warnings.borrow_mut().push(warning);
    }

    /// The same of what is met several times and said once.
    pub(crate) fn warn_once(&self, warning: Diagnostic) {
        let is_new = !self.warnings.borrow().contains(&warning);
        if is_new {
            self.warn(warning);
        }
    }

    /// The same where the file itself is concerned, not one that it includes.
    pub(crate) fn warn_of_own(&self, warning: Diagnostic) {
        if warning.place().is_in(&self.file_name) {
            self.warn(warning);
        }
    }

    /// Does something of whose warnings nobody asks: what operations leave out of Rust does not concern patterns.
    pub(crate) fn quietly<T>(&self, work: impl FnOnce() -> T) -> T {
        let (warnings, left_out) = (self.warnings.take(), self.left_out.take());
        let done = work();
        self.warnings.replace(warnings);
        self.left_out.replace(left_out);
        done
    }

    /// What was left out so far: one warning for each field, and what else was noted.
    pub fn take_warnings(&self) -> Vec<Diagnostic> {
        let left_out = self.left_out.take();
        let warning = |((field, reason), entry): ((String, &str), LeftOut)| {
            let others = match entry.records.len() {
                0 | 1 => String::new(),
                2 => " and 1 other".into(),
                several => format!(" and {} others", several - 1),
            };
            let message = format!("'{field}' {reason}: it is left out of '{}'{others}", entry.records[0]);
            Diagnostic::warning(entry.place, message)
        };
        left_out.into_iter().map(warning).chain(self.warnings.take()).collect()
    }

    /// The place `offset` bytes into the string `text`, which is the value of the field at `field`; `None` where the
    /// string is put together of others.
    pub fn place_in_string(&self, field: &Place, text: &str, offset: usize) -> Option<Place> {
        self.sources.in_string(self.read_name(field), field, text, offset)
    }

    /// The place of one argument of the dag that is the value of the field at `field`; that of the field where the dag is
    /// put together of others.
    pub fn place_in_dag(&self, field: &Place, index: usize, count: usize) -> Place {
        self.sources.in_dag(self.read_name(field), field, index, count).unwrap_or_else(|| field.clone())
    }

    /// The place of one item of the list that is the value of the field at `field`; that of the field where the list is put
    /// together of others.
    pub fn place_in_list(&self, field: &Place, index: usize, count: usize) -> Place {
        self.sources.in_list(self.read_name(field), field, index, count).unwrap_or_else(|| field.clone())
    }

    /// Where a string stands among the arguments of the classes of the definition at `definition`; that place where it does
    /// not.
    pub fn place_in_head(&self, definition: &Place, text: &str) -> Place {
        self.sources.in_head(self.read_name(definition), definition, text).unwrap_or_else(|| definition.clone())
    }

    /// Where the definition at `definition` has a record without a name; TableGen makes one record of all that are alike.
    pub(crate) fn place_within(&self, definition: &Place, record: Record<'_>) -> Option<Place> {
        let place = self.place_of(record);
        let written = self.sources.instance(self.read_name(&place), &place)?;
        self.sources.instance_in(self.read_name(definition), definition, &written)
    }

    /// What messages call a record: its name or, where it has none, its class with the arguments as they are written.
    pub(crate) fn shown(&self, record: Record<'_>) -> String {
        if !record.anonymous() {
            return name(record).to_string();
        }
        let place = self.place_of(record);
        let written = self.sources.instance(self.read_name(&place), &place);
        let class = || record.direct_super_classes().last().map(name).unwrap_or_default();
        written.filter(|text| text.len() <= LONGEST_SHOWN).unwrap_or_else(|| format!("{}<...>", class()))
    }

    /// Whether a record without a name is a definition of its own, not an argument of one.
    pub(crate) fn is_definition(&self, record: Record<'_>) -> bool {
        let place = self.place_of(record);
        let source = self.source_at(&place);
        let text = source
            .as_ref()
            .zip(place.position())
            .and_then(|(source, (_, line, column))| source.text.get(source.offset(line, column)?..));
        text.is_some_and(|text| text.strip_prefix("def").is_some_and(|rest| rest.trim_start().starts_with(':')))
    }

    fn read_name<'p>(&'p self, place: &'p Place) -> &'p str {
        let shown = place.position().map_or("", |(file, ..)| file);
        if shown == self.file_name { &self.read_name } else { shown }
    }

    /// The text of the file in which a place is.
    pub(crate) fn source_at(&self, place: &Place) -> Option<Rc<Source>> {
        self.sources.file(self.read_name(place))
    }

    /// Where a record is defined.
    pub(crate) fn place_of(&self, record: Record<'_>) -> Place {
        self.places.borrow_mut().entry(record.id()).or_insert_with(|| Place::of(self, record)).clone()
    }

    /// Takes apart what TableGen renders: `FILE:LINE:COLUMN: error: MESSAGE`, the source line, a caret.
    fn place(&self, rendered: &str) -> Option<Place> {
        let (head, rest) = rendered.split_once(&format!(": error: {MESSAGE}"))?;
        // Lines before say which file included which.
        let mut parts = head.lines().last()?.rsplitn(3, ':');
        let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let file = parts.next()?;
        let shown = if file == self.read_name { &self.file_name } else { file };
        Some(Place::at(shown, line, column, rest.lines().nth(1).unwrap_or_default()))
    }
}

/// Classes with longer arguments are shown without these.
const LONGEST_SHOWN: usize = 80;

/// Stands for a message that is not known yet.
const MESSAGE: &str = "\u{1}";

/// The message alone, in the form that `tblgen` decorates with a place.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Message(String);

impl Error {
    /// An error at a record or at a field of a record.
    pub fn at(records: &Records, place: impl SourceLoc, message: impl Into<String>) -> Self {
        Place::of(records, place).error(message)
    }
}

impl Place {
    /// The place of a record or of a field of a record.
    pub fn of(records: &Records, place: impl SourceLoc) -> Self {
        let error = SourceError::new(place.source_location(), Message(MESSAGE.into()));
        let rendered = error.add_source_info(records.keeper.source_info()).to_string();
        records.place(&rendered).unwrap_or_default()
    }
}

/// The name of a record, empty where it is not UTF-8.
pub fn name(record: Record<'_>) -> &str {
    record.name().unwrap_or_default()
}

/// The string in `field`, or `None` if the field is missing, unset or empty.
pub fn text(record: Record<'_>, field: &str) -> Option<String> {
    record.optional_str_value(field).ok().flatten().filter(|text| !text.is_empty()).map(str::to_string)
}

/// The bit in `field`; false where it is missing or unset.
pub fn flag(record: Record<'_>, field: &str) -> bool {
    record.bit_value(field).unwrap_or(false)
}

/// The definition in `field`, or `None` if the field is missing or unset.
pub fn definition<'a>(record: Record<'a>, field: &str) -> Option<Record<'a>> {
    if record.has_field(field) { record.optional_def_value(field) } else { None }
}

/// The items of a list, `None` for an unset one (`?`); nothing where one is a field of an unset record. That has no type, for
/// which `tblgen` would ask.
pub fn items(list: ListInit<'_>) -> Option<Vec<Option<TypedInit<'_>>>> {
    let shown = list.to_string();
    let outside_of_texts = shown.split('"').step_by(2);
    let is_resolved = !outside_of_texts.into_iter().any(|part| part.contains("?."));
    is_resolved.then(|| (0..list.len()).map(|index| list.get(index)).collect())
}

/// The record that an initializer refers to.
pub fn as_record(value: TypedInit<'_>) -> Option<Record<'_>> {
    Record::try_from(value).ok()
}
