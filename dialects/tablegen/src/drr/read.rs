//! From `Pattern` records to patterns.

use tblgen::{Record, TypedInit, init::DagInit};

use super::{
    model::{
        AttributeMatch, AttributeTest, ExtraConstraint, Library, OperandMatch, Pattern, Reference, SourceOperation,
    },
    pattern_error,
};
use crate::{
    error::{Place, Result},
    ods::{Argument, AttributeKind, Constraint},
    records::{self, Dag, DagArgument, Records},
};

/// Operations of one source pattern beyond which it is refused.
const MAXIMUM_OPERATIONS: usize = 128;
/// Patterns that the `either`s of one pattern may stand for.
const MAXIMUM_ALTERNATIVES: usize = 64;

/// Reads all patterns; one with `either` becomes one for each order.
pub fn patterns(records: &Records, library: &Library) -> Result<Vec<Pattern>> {
    let mut patterns = Vec::new();
    for record in records.derived("Pattern") {
        patterns.extend(Reader { records, library, record }.pattern()?);
    }
    Ok(patterns)
}

/// Reads one pattern.
pub(super) struct Reader<'a> {
    pub records: &'a Records,
    pub library: &'a Library,
    pub record: Record<'a>,
}

impl<'a> Reader<'a> {
    pub fn error<T>(&self, message: impl AsRef<str>) -> Result<T> {
        Err(pattern_error(self.records, self.record, message))
    }

    fn dag(&self, value: TypedInit<'a>) -> Result<Dag<'a>> {
        match DagInit::try_from(value) {
            Ok(dag) => Dag::new(self.records, self.record, dag),
            Err(_) => self.error(format!("'{value}' is not a dag")),
        }
    }

    fn dags(&self, field: &str) -> Result<Vec<Dag<'a>>> {
        let Ok(list) = self.record.list_init_value(field) else { return Ok(Vec::new()) };
        (0..list.len()).filter_map(|index| list.get(index)).map(|value| self.dag(value)).collect()
    }

    fn pattern(&self) -> Result<Vec<Pattern>> {
        let source = records::dag(self.records, self.record, "sourcePattern")?;
        let alternatives = self.source(source)?;
        let results = self.dags("resultPatterns")?;
        let results = results.into_iter().map(|dag| self.node(dag)).collect::<Result<Vec<_>>>()?;
        let constraints = self.dags("constraints")?;
        let constraints = constraints.into_iter().map(|dag| self.extra_constraint(dag)).collect::<Result<Vec<_>>>()?;
        let supplemental = self.dags("supplementalPatterns")?;
        let supplemental = supplemental.into_iter().map(|dag| self.node(dag)).collect::<Result<Vec<_>>>()?;
        let delta = self.delta()?;
        let name = records::name(self.record);
        let several = alternatives.len() > 1;
        let named = |index: usize| if several { format!("{name}_{index}") } else { name.to_string() };
        let pattern = |(index, source): (usize, SourceOperation)| {
            let count = source.count();
            if count > MAXIMUM_OPERATIONS {
                return self.error(format!("more than {MAXIMUM_OPERATIONS} operations are matched"));
            }
            Ok(Pattern {
                name: named(index),
                benefit: count as i64 + delta,
                source,
                results: results.clone(),
                constraints: constraints.clone(),
                supplemental: supplemental.clone(),
                place: Place::of(self.records, self.record),
            })
        };
        alternatives.into_iter().enumerate().map(pattern).collect()
    }

    fn delta(&self) -> Result<i64> {
        let dag = records::dag(self.records, self.record, "benefitDelta")?;
        let value = dag.arguments().next().and_then(|argument| argument.value);
        match (records::name(dag.operator()), value.map(i64::try_from)) {
            ("addBenefit", Some(Ok(delta))) if (-1000..=1000).contains(&delta) => Ok(delta),
            _ => self.error("the benefit must be (addBenefit N) with N between -1000 and 1000"),
        }
    }

    /// The operation to be matched, in each order that `either` admits.
    fn source(&self, dag: Dag<'a>) -> Result<Vec<SourceOperation>> {
        let record = dag.operator();
        let Some(index) = self.library.find(record) else {
            return self.error(format!("'{}' cannot be matched: it is not an operation", records::name(record)));
        };
        let operation = self.library.get(index);
        // `either` stands for two arguments.
        let mut count = 0;
        let mut alternatives = vec![Vec::new()];
        for argument in dag.arguments() {
            match self.either(argument)? {
                Some((first, second)) => {
                    count += 2;
                    let swapped = product(&product(&alternatives, &second), &first);
                    alternatives = product(&product(&alternatives, &first), &second);
                    alternatives.extend(swapped);
                }
                None => {
                    let declared = operation.arguments.get(count).copied();
                    count += 1;
                    alternatives = product(&alternatives, &self.argument(argument, declared, index)?);
                }
            }
            if alternatives.len() > MAXIMUM_ALTERNATIVES {
                return self.error(format!("'either' stands for more than {MAXIMUM_ALTERNATIVES} patterns"));
            }
        }
        if count != operation.arguments.len() {
            return self.error(format!(
                "operation '{}' has {} arguments, the pattern gives {count}",
                operation.name(),
                operation.arguments.len()
            ));
        }
        let symbol = dag.operator_name().filter(|name| name != "_");
        alternatives.into_iter().map(|arguments| self.assemble(index, symbol.clone(), arguments)).collect()
    }

    fn assemble(&self, index: usize, symbol: Option<String>, arguments: Vec<Matched>) -> Result<SourceOperation> {
        let mut operation = SourceOperation { operation: index, symbol, operands: Vec::new(), attributes: Vec::new() };
        let declared = self.library.get(index);
        for (argument, declaration) in arguments.into_iter().zip(&declared.arguments) {
            match (argument, declaration) {
                (Matched::Operand(operand), Argument::Operand(_)) => operation.operands.push(operand),
                (Matched::Attribute(attribute), Argument::Attribute(_)) => operation.attributes.push(attribute),
                _ => {
                    let name = declared.argument_name(*declaration);
                    return self.error(format!("argument '{name}' of '{}' cannot be in 'either'", declared.name()));
                }
            }
        }
        Ok(operation)
    }

    fn either(&self, argument: DagArgument<'a>) -> Result<Option<(Vec<Matched>, Vec<Matched>)>> {
        let Some(TypedInit::Dag(dag)) = argument.value else { return Ok(None) };
        let dag = Dag::new(self.records, self.record, dag)?;
        if records::name(dag.operator()) != "either" {
            return Ok(None);
        }
        let items: Vec<_> = dag.arguments().collect();
        let [first, second] = items.as_slice() else { return self.error("'either' takes two operands") };
        let read = |argument: &DagArgument<'a>| -> Result<Vec<Matched>> {
            Ok(self.operand(*argument)?.into_iter().map(Matched::Operand).collect())
        };
        Ok(Some((read(first)?, read(second)?)))
    }

    fn argument(&self, argument: DagArgument<'a>, declared: Option<Argument>, index: usize) -> Result<Vec<Matched>> {
        match declared {
            Some(Argument::Operand(_)) => Ok(self.operand(argument)?.into_iter().map(Matched::Operand).collect()),
            Some(Argument::Attribute(_)) => Ok(vec![Matched::Attribute(self.attribute(argument)?)]),
            Some(Argument::Property(_)) => {
                self.error(format!("a property of '{}' cannot be matched by PDL", self.library.get(index).name()))
            }
            None => {
                let operation = self.library.get(index);
                let count = operation.arguments.len();
                self.error(format!("operation '{}' has {count} arguments, the pattern gives more", operation.name()))
            }
        }
    }

    fn operand(&self, argument: DagArgument<'a>) -> Result<Vec<OperandMatch>> {
        let symbol = symbol(argument);
        let capture = |constraint| Ok(vec![OperandMatch::Capture { symbol: symbol.clone(), constraint }]);
        match argument.value {
            None => capture(None),
            Some(TypedInit::Dag(dag)) => {
                let dag = Dag::new(self.records, self.record, dag)?;
                match records::name(dag.operator()) {
                    "variadic" => self.group(dag, symbol),
                    _ if dag.operator().subclass_of("NativeCodeCall") => {
                        self.error("a native call cannot be matched; state it as a constraint")
                    }
                    _ => {
                        let nested = self.source(dag)?;
                        Ok(nested.into_iter().map(|operation| OperandMatch::Nested(operation.into())).collect())
                    }
                }
            }
            Some(value) => match records::as_record(value) {
                Some(record) if record.subclass_of("TypeConstraint") => {
                    capture(Some(Constraint::read(self.records, record)?))
                }
                _ => self.error(format!("'{value}' is not a type constraint, which an operand needs")),
            },
        }
    }

    fn group(&self, dag: Dag<'a>, symbol: Option<String>) -> Result<Vec<OperandMatch>> {
        let symbol = symbol.or(dag.operator_name());
        let mut alternatives = vec![Vec::new()];
        for item in dag.arguments() {
            alternatives = product(&alternatives, &self.operand(item)?);
        }
        Ok(alternatives.into_iter().map(|items| OperandMatch::Group { symbol: symbol.clone(), items }).collect())
    }

    fn attribute(&self, argument: DagArgument<'a>) -> Result<AttributeMatch> {
        let symbol = symbol(argument);
        let Some(value) = argument.value else { return Ok(AttributeMatch { symbol, test: None }) };
        let test = match (value, records::as_record(value)) {
            (_, Some(record)) if records::name(record) == "IsNullAttr" => AttributeTest::Absent,
            (_, Some(record)) if record.subclass_of("ConstantAttr") => AttributeTest::Constant(self.constant(record)?),
            (_, Some(record)) if record.subclass_of("AttrConstraint") => {
                AttributeTest::Constraint(Constraint::read(self.records, record)?)
            }
            (TypedInit::String(_) | TypedInit::Code(_), _) => {
                AttributeTest::Constant(String::try_from(value).unwrap_or_default())
            }
            _ => return self.error(format!("'{value}' is not an attribute constraint, which an attribute needs")),
        };
        Ok(AttributeMatch { symbol, test: Some(test) })
    }

    /// `ConstantAttr<I64Attr, "1">` as MLIR writes it.
    pub fn constant(&self, record: Record<'a>) -> Result<String> {
        let value = records::text(record, "value").unwrap_or_default();
        let Ok(mut base) = record.def_value("attr") else { return self.error("a constant attribute needs a kind") };
        while let Some(inner) = base.optional_def_value("baseAttr") {
            base = inner;
        }
        let summary = records::text(base, "summary").unwrap_or_default();
        Ok(typed_constant(&value, AttributeKind::read(base), &summary))
    }

    fn extra_constraint(&self, dag: Dag<'a>) -> Result<ExtraConstraint> {
        let record = dag.operator();
        if !record.subclass_of("Constraint") {
            return self.error(format!("'{}' is not a constraint", records::name(record)));
        }
        // `(F32Tensor:$value)` and `(F32Tensor $value)` mean the same.
        let bound = dag.operator_name().map(|name| Reference::new(&name));
        let mut arguments: Vec<Reference> = bound.into_iter().collect();
        for argument in dag.arguments() {
            match (argument.value, argument.name) {
                (None, Some(name)) => arguments.push(Reference::new(name)),
                _ => return self.error(format!("the constraint {dag} takes bound names only")),
            }
        }
        Ok(ExtraConstraint {
            constraint: Constraint::read(self.records, record)?,
            is_type: record.subclass_of("TypeConstraint"),
            arguments,
        })
    }
}

/// An argument of a matched operation.
#[derive(Clone)]
enum Matched {
    Operand(OperandMatch),
    Attribute(AttributeMatch),
}

impl SourceOperation {
    /// The number of operations in it.
    pub fn count(&self) -> usize {
        1 + self.operands.iter().map(OperandMatch::count).sum::<usize>()
    }
}

impl OperandMatch {
    fn count(&self) -> usize {
        match self {
            Self::Capture { .. } => 0,
            Self::Nested(operation) => operation.count(),
            Self::Group { items, .. } => items.iter().map(Self::count).sum(),
        }
    }
}

fn symbol(argument: DagArgument<'_>) -> Option<String> {
    argument.name.filter(|name| *name != "_").map(str::to_string)
}

/// Each of `lists` continued with each of `items`.
fn product<T: Clone>(lists: &[Vec<T>], items: &[T]) -> Vec<Vec<T>> {
    let continued = |list: &Vec<T>| -> Vec<Vec<T>> {
        items.iter().map(|item| list.iter().cloned().chain([item.clone()]).collect()).collect()
    };
    lists.iter().flat_map(continued).collect()
}

/// A constant as MLIR writes it, by the kind of attribute that it is.
pub fn typed_constant(value: &str, kind: AttributeKind, summary: &str) -> String {
    let width = summary.split_once("-bit").map(|(width, _)| width.trim()).unwrap_or("64");
    match kind {
        AttributeKind::Integer if summary.starts_with("index") => format!("{value} : index"),
        AttributeKind::Integer => format!("{value} : i{width}"),
        AttributeKind::Float => format!("{} : f{width}", value.trim_end_matches('f')),
        AttributeKind::String if !value.starts_with('"') => format!("{value:?}"),
        AttributeKind::Unit => "unit".into(),
        _ => value.to_string(),
    }
}
