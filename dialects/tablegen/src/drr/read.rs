//! From `Pattern` records to patterns.

use std::collections::{HashMap, HashSet};

use tblgen::{Record, TypedInit, init::DagInit};

use super::{
    library::Library,
    model::{ExtraConstraint, Pattern, Reference, SourceOperation},
    place::Dags,
};
use crate::{
    dag::{Dag, DagArgument},
    error::{Error, Place, Result},
    ods::Constraint,
    records::{self, Records},
};

/// Operations of one source pattern beyond which it is refused.
const MAXIMUM_OPERATIONS: usize = 128;
/// What is said of strings among arguments.
pub(super) const NO_STRING: &str = "a string is no argument; say ConstantStrAttr<StrAttr, \"...\">";
/// The greatest benefit that PDL can say.
const MAXIMUM_BENEFIT: i64 = 32767;

/// Reads all patterns; one with `either` becomes one for each order. Of those that are wrong all errors are told.
pub fn patterns<'a>(records: &'a Records, library: &Library<'a>) -> (Vec<Pattern>, Vec<Error>) {
    let mut patterns = Vec::new();
    let mut errors = Vec::new();
    let found = records.derived("Pattern");
    let mut names = Names::new(&found);
    for record in found {
        let place = records.place_of(record);
        let dags = Dags::read(records.source_at(&place).as_deref(), place, &|name| records.defines(name));
        let name = names.of(records, record);
        match (Reader { records, library, record, name, dags }).pattern() {
            Ok(read) => patterns.extend(read),
            Err(error) => errors.push(error),
        }
    }
    (patterns, errors)
}

/// The names of patterns. One whose definition has none is called by what it matches, and numbered: TableGen's own numbers
/// change with what is included.
struct Names {
    taken: HashSet<String>,
    numbers: HashMap<String, usize>,
}

impl Names {
    fn new(patterns: &[Record<'_>]) -> Self {
        let named = patterns.iter().filter(|record| !record.anonymous());
        Self { taken: named.map(|record| records::name(*record).to_string()).collect(), numbers: HashMap::new() }
    }

    fn of(&mut self, records: &Records, record: Record<'_>) -> String {
        if !record.anonymous() {
            return records::name(record).to_string();
        }
        let subject = subject(records, record);
        let number = self.numbers.entry(subject.clone()).or_insert(0);
        loop {
            *number += 1;
            let name = format!("{subject}_{number}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// What is named after a pattern is named after what it matches where the definition has no name.
fn subject(records: &Records, record: Record<'_>) -> String {
    let matched = Dag::in_field(records, record, "sourcePattern").ok().filter(|_| record.anonymous());
    matched.map_or_else(|| records::name(record), |dag| records::name(dag.operator())).to_string()
}

/// Reads one pattern.
pub(super) struct Reader<'r, 'a> {
    pub records: &'a Records,
    pub library: &'r Library<'a>,
    pub record: Record<'a>,
    /// What messages call it.
    pub name: String,
    dags: Dags,
}

/// All of what was read, or all that is wrong.
pub(super) fn all<T>(items: impl IntoIterator<Item = Result<T>>) -> Result<Vec<T>> {
    let mut read = Vec::new();
    let mut errors = Vec::new();
    for item in items {
        match item {
            Ok(item) => read.push(item),
            Err(error) => errors.push(error),
        }
    }
    Error::collect(errors).map(|()| read)
}

/// Both, or all that is wrong with either.
pub(super) fn both<A, B>(first: Result<A>, second: Result<B>) -> Result<(A, B)> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (first, second) => Err(Error::collect([first.err(), second.err()].into_iter().flatten()).unwrap_err()),
    }
}

impl<'a> Reader<'_, 'a> {
    fn named(&self, message: impl AsRef<str>) -> String {
        format!("pattern '{}': {}", self.name, message.as_ref())
    }

    /// An error at the definition.
    pub fn error<T>(&self, message: impl AsRef<str>) -> Result<T> {
        Err(self.dags.definition().error(self.named(message)))
    }

    /// An error at a dag.
    pub fn dag_error<T>(&self, dag: Dag<'a>, message: impl AsRef<str>) -> Result<T> {
        Err(self.dags.of(dag).error(self.named(message)))
    }

    /// An error at an argument of a dag.
    pub fn argument_error<T>(&self, argument: Given<'a>, message: impl AsRef<str>) -> Result<T> {
        Err(self.place(argument).error(self.named(message)))
    }

    /// Where a dag stands.
    pub fn dag_place(&self, dag: Dag<'a>) -> Place {
        self.dags.of(dag)
    }

    /// Where an argument stands.
    pub fn place(&self, argument: Given<'a>) -> Place {
        self.dags.argument(argument.dag, argument.index)
    }

    /// A name that stands at an argument.
    pub fn reference(&self, name: &str, argument: Given<'a>) -> Reference {
        Reference::new(name, self.place(argument))
    }

    /// The name bound to a dag.
    pub fn symbol(&self, dag: Dag<'a>) -> Option<Reference> {
        let name = dag.operator_name().filter(|name| name != "_")?;
        Some(Reference::new(&name, self.dags.of(dag)))
    }

    pub fn dag(&self, value: TypedInit<'a>) -> Result<Dag<'a>> {
        match DagInit::try_from(value) {
            Ok(dag) => Dag::new(self.records, self.record, dag),
            Err(_) => self.error(format!("{} is not a dag", shown(value))),
        }
    }

    /// The dag that an argument is, if it is one.
    pub fn nested(&self, argument: Given<'a>) -> Result<Option<Dag<'a>>> {
        match argument.value {
            Some(TypedInit::Dag(dag)) => Dag::new(self.records, self.record, dag).map(Some),
            _ => Ok(None),
        }
    }

    fn dags(&self, field: &str) -> Result<Vec<Dag<'a>>> {
        let Ok(list) = self.record.list_init_value(field) else { return Ok(Vec::new()) };
        all((0..list.len()).filter_map(|index| list.get(index)).map(|value| self.dag(value)))
    }

    fn list<T>(&self, field: &str, read: fn(&Self, Dag<'a>) -> Result<T>) -> Result<Vec<T>> {
        all(self.dags(field)?.into_iter().map(|dag| self.in_order(dag, read)))
    }

    /// Reads a dag whose text stands behind that of the one before.
    fn in_order<T>(&self, dag: Dag<'a>, read: fn(&Self, Dag<'a>) -> Result<T>) -> Result<T> {
        let read = read(self, dag);
        self.dags.continue_behind(dag);
        read
    }

    fn pattern(&self) -> Result<Vec<Pattern>> {
        let source = Dag::in_field(self.records, self.record, "sourcePattern");
        let source = source.and_then(|dag| self.in_order(dag, Self::source));
        let results = self.list("resultPatterns", Self::node);
        let constraints = self.list("constraints", Self::extra_constraint);
        let supplemental = self.list("supplementalPatterns", Self::node);
        let matched = both(both(source, self.delta()), constraints);
        let (((alternatives, delta), constraints), (results, supplemental)) =
            both(matched, both(results, supplemental))?;
        let name = &self.name;
        let several = alternatives.len() > 1;
        let named = |index: usize| if several { format!("{name}_{index}") } else { name.clone() };
        let pattern = |(index, source): (usize, SourceOperation)| {
            Ok(Pattern {
                name: named(index),
                definition: name.clone(),
                subject: self.subject(),
                benefit: self.benefit(&source, delta)?,
                source,
                results: results.clone(),
                constraints: constraints.clone(),
                supplemental: supplemental.clone(),
                place: self.dags.definition(),
            })
        };
        alternatives.into_iter().enumerate().map(pattern).collect()
    }

    /// What is named after the pattern.
    pub fn subject(&self) -> String {
        subject(self.records, self.record)
    }

    /// The number of operations that are matched, as upstream counts them, and what the pattern adds.
    fn benefit(&self, source: &SourceOperation, delta: i64) -> Result<i64> {
        let count = source.count();
        if count > MAXIMUM_OPERATIONS {
            return self.error(format!("more than {MAXIMUM_OPERATIONS} operations are matched"));
        }
        match (count as i64).checked_add(delta) {
            Some(benefit) if (0..=MAXIMUM_BENEFIT).contains(&benefit) => Ok(benefit),
            _ => self.error(format!(
                "the benefit is that of {count} operations and {delta} more, which is not between 0 and {MAXIMUM_BENEFIT}"
            )),
        }
    }

    fn delta(&self) -> Result<i64> {
        let dag = Dag::in_field(self.records, self.record, "benefitDelta")?;
        let values: Vec<_> = dag.arguments().map(|argument| argument.value.map(i64::try_from)).collect();
        match (records::name(dag.operator()), values.as_slice()) {
            ("addBenefit", [Some(Ok(delta))]) => Ok(*delta),
            _ => self.dag_error(dag, "the benefit must be (addBenefit N)"),
        }
    }

    fn extra_constraint(&self, dag: Dag<'a>) -> Result<ExtraConstraint> {
        let record = dag.operator();
        if !record.subclass_of("Constraint") {
            return self.dag_error(dag, format!("'{}' is not a constraint", records::name(record)));
        }
        if record.subclass_of("RegionConstraint") || record.subclass_of("SuccessorConstraint") {
            let message = format!("{} is about no value and no attribute, which names stand for", shown_name(record));
            return self.dag_error(dag, message);
        }
        // `(F32Tensor:$value)` and `(F32Tensor $value)` mean the same.
        let bound = self.symbol(dag).map(Ok);
        let read = given(dag).map(|argument| match (argument.value, argument.name) {
            (None, Some(name)) => Ok(self.reference(name, argument)),
            _ => self.argument_error(argument, "a constraint takes bound names only"),
        });
        let arguments = all(bound.into_iter().chain(read))?;
        let is_type = record.subclass_of("TypeConstraint");
        if is_type && arguments.len() != 1 {
            return self.dag_error(dag, format!("a type constraint is about one value, not {}", arguments.len()));
        }
        let place = self.dag_place(dag);
        Ok(ExtraConstraint { constraint: self.constraint(record, &place)?, is_type, arguments, place })
    }

    /// A constraint of which no operation is known.
    pub fn constraint(&self, record: Record<'a>, place: &Place) -> Result<Constraint> {
        let constraint = Constraint::read(self.records, record)?;
        let names = constraint.predicate.names();
        let operation = constraint.predicate.text().contains("$_op").then_some("_op");
        match operation.or(names.first().copied()) {
            Some(name) => {
                let message = format!("'${name}' of {} stands for nothing in a pattern", shown_name(record));
                Err(place.error(self.named(message)))
            }
            None => Ok(constraint),
        }
    }
}

/// What a message says of a definition.
fn shown_name(record: Record<'_>) -> String {
    if record.anonymous() { "this constraint".into() } else { format!("'{}'", records::name(record)) }
}

/// What a message says of a value: TableGen numbers definitions without names, which nobody knows.
pub(super) fn shown(value: TypedInit<'_>) -> String {
    let text = value.to_string();
    if text.contains("anonymous_") { "this".to_string() } else { format!("'{text}'") }
}

/// An argument of a dag, which knows where it stands.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub dag: Dag<'a>,
    pub index: usize,
    pub value: Option<TypedInit<'a>>,
    pub name: Option<&'a str>,
}

/// The arguments of a dag.
pub(super) fn given<'a>(dag: Dag<'a>) -> impl Iterator<Item = Given<'a>> {
    dag.arguments().enumerate().map(move |(index, DagArgument { value, name })| Given { dag, index, value, name })
}
