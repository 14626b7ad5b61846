//! The native functions that patterns translated from DRR call, and what generated ones need.

use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Location, OperationRef, Type, Value, attributes};
use skriptnd_mlir::rewrite::{Editor, Natives, PdlValue};

mod parts;

pub use parts::{Part, Side};

/// The arguments of a native function, read one after the other.
pub struct Given<'c, 'a, 'v> {
    rest: &'v [PdlValue<'c, 'a>],
}

impl<'c: 'a, 'a, 'v> Given<'c, 'a, 'v> {
    /// All arguments.
    pub fn new(arguments: &'v [PdlValue<'c, 'a>]) -> Self {
        Self { rest: arguments }
    }

    fn next(&mut self) -> Option<&'v PdlValue<'c, 'a>> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// A value.
    pub fn value(&mut self) -> Option<Value<'c, 'a>> {
        match self.next()? {
            PdlValue::Value(value) => Some(*value),
            _ => None,
        }
    }

    /// Any number of values.
    pub fn values(&mut self) -> Option<Vec<Value<'c, 'a>>> {
        match self.next()? {
            PdlValue::Value(value) => Some(vec![*value]),
            PdlValue::Values(values) => Some(values.clone()),
            _ => None,
        }
    }

    /// One value at most.
    pub fn optional_value(&mut self) -> Option<Option<Value<'c, 'a>>> {
        self.values().and_then(|values| at_most_one(&values))
    }

    /// So many values.
    pub fn several(&mut self, count: usize) -> Option<Vec<Value<'c, 'a>>> {
        (0..count).map(|_| self.value()).collect()
    }

    /// One value of an operation.
    pub fn part_value(&mut self, part: &Part<'_>) -> Option<Value<'c, 'a>> {
        part.values(self.operation()?)?.first().copied()
    }

    /// One value of an operation at most.
    pub fn part_optional_value(&mut self, part: &Part<'_>) -> Option<Option<Value<'c, 'a>>> {
        self.part_values(part).and_then(|values| at_most_one(&values))
    }

    /// Values of an operation.
    pub fn part_values(&mut self, part: &Part<'_>) -> Option<Vec<Value<'c, 'a>>> {
        part.values(self.operation()?)
    }

    /// An attribute: itself, or that of an operation by its name, or what stands for an absent one.
    pub fn attribute(&mut self) -> Option<Attribute<'c>> {
        match self.next()? {
            PdlValue::Attribute(attribute) => Some(*attribute),
            of => {
                let (operation, name, default) = (operation_of(of)?, self.attribute()?, self.attribute()?);
                Some(operation.get(attributes::as_string(name)?).unwrap_or(default))
            }
        }
    }

    /// An attribute that may be absent: itself, or that of an operation by its name.
    pub fn optional_attribute(&mut self) -> Option<Option<Attribute<'c>>> {
        match self.next()? {
            PdlValue::Attribute(attribute) => Some(Some(*attribute)),
            of => {
                let (operation, name) = (operation_of(of)?, self.attribute()?);
                Some(operation.get(attributes::as_string(name)?))
            }
        }
    }

    /// A type.
    pub fn r#type(&mut self) -> Option<Type<'c>> {
        match self.next()? {
            PdlValue::Type(r#type) => Some(*r#type),
            _ => None,
        }
    }

    /// An operation.
    pub fn operation(&mut self) -> Option<OperationRef<'c, 'a>> {
        operation_of(self.next()?)
    }

    /// The operation that defines a value.
    pub fn defining_operation(&mut self) -> Option<OperationRef<'c, 'a>> {
        self.value()?.defining_operation()
    }

    /// A place: a string, if one is given, and the places of so many values and operations.
    pub fn location(&mut self, text: bool, sources: usize) -> Option<Location<'c>> {
        let text = if text { Some(self.attribute()?) } else { None };
        let sources: Vec<&PdlValue<'c, 'a>> = (0..sources).map(|_| self.next()).collect::<Option<_>>()?;
        location(text, &sources)
    }
}

/// An operation, or the one that makes a result which stands for it: PDL does not know all operations that are matched.
fn operation_of<'c: 'a, 'a>(value: &PdlValue<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    match value {
        PdlValue::Operation(operation) => Some(*operation),
        PdlValue::Value(value) => value.defining_operation(),
        _ => None,
    }
}

/// What there is of one value at most; none if there are more.
fn at_most_one<'c, 'a>(values: &[Value<'c, 'a>]) -> Option<Option<Value<'c, 'a>>> {
    match values {
        [] => Some(None),
        [value] => Some(Some(*value)),
        _ => None,
    }
}

/// The place that `(location ...)` says: that of the only thing, the fused places of several, which may have a text about
/// them, or a text alone.
fn location<'c: 'a, 'a>(text: Option<Attribute<'c>>, sources: &[&PdlValue<'c, 'a>]) -> Option<Location<'c>> {
    let places: Vec<Location<'c>> = sources.iter().flat_map(|source| places(source)).collect();
    match (text, places.as_slice()) {
        (None, []) => None,
        (None, [place]) => Some(*place),
        (None, places @ [first, ..]) => Some(Location::fused(first.context(), places)),
        (Some(text), []) => {
            let context = text.context();
            Some(Location::named(context, attributes::as_string(text)?, Location::unknown(context)))
        }
        (Some(text), places) => Some(Location::fused_about(text.context(), attributes::as_string(text)?, places)),
    }
}

fn places<'c: 'a, 'a>(source: &PdlValue<'c, 'a>) -> Vec<Location<'c>> {
    match source {
        PdlValue::Operation(operation) => vec![operation.location()],
        PdlValue::Value(value) => vec![value.location()],
        PdlValue::Values(values) => values.iter().map(|value| value.location()).collect(),
        _ => Vec::new(),
    }
}

/// What a rewrite reports that is given something else than its pattern says.
pub fn mismatch() -> Failure {
    Failure::new("a native function is given something else than its pattern says")
}

/// The functions that all translated patterns share, by the names under which PDL calls them.
pub fn library() -> Natives {
    Natives::new()
        // The operation does not have the attribute of a name.
        .constraint("drr.absent", |_, arguments| {
            let mut given = Given::new(arguments);
            let (operation, name) = (given.operation()?, given.attribute()?);
            operation.get(attributes::as_string(name)?).is_none().then(Vec::new)
        })
        // There are no values.
        .constraint("drr.empty", |_, arguments| Given::new(arguments).values()?.is_empty().then(Vec::new))
        .constraint("drr.equal", |_, arguments| parts::equal(arguments)?.then(Vec::new))
        .constraint("drr.grouped", |_, arguments| parts::grouped(arguments)?.then(Vec::new))
        .constraint("drr.same", |_, arguments| same(arguments)?.then(Vec::new))
        .constraint("drr.inner", |_, arguments| parts::value(arguments, Side::Operands))
        .constraint("drr.defined", |_, arguments| {
            let (PdlValue::Value(value), mut given) = (arguments.first()?, Given::new(arguments.get(1..)?)) else {
                return None;
            };
            let (name, index) = (given.attribute()?, attributes::as_integer(given.attribute()?)?);
            let operation = value.defining_operation()?;
            let is_result = operation.result(usize::try_from(index).ok()?).is_ok_and(|result| result == *value);
            (is_result && operation.full_name() == attributes::as_string(name)?).then(Vec::new)
        })
        .constraint("drr.attribute", |_, arguments| {
            let attribute = Given::new(arguments).optional_attribute()??;
            Some(vec![PdlValue::Attribute(attribute)])
        })
        .constraint("drr.other", |_, arguments| {
            let mut given = Given::new(arguments);
            let (operation, index) = (given.operation()?, attributes::as_integer(given.attribute()?)?);
            let other = operation.result(usize::try_from(index).ok()?).ok()?;
            Some(vec![PdlValue::Value(other)])
        })
        // An attribute or a value is another one.
        .constraint("drr.is", |_, arguments| match arguments {
            [PdlValue::Attribute(left), PdlValue::Attribute(right)] => (left == right).then(Vec::new),
            [PdlValue::Value(left), PdlValue::Value(right)] => (left == right).then(Vec::new),
            _ => None,
        })
        .rewrite("drr.default", |_, arguments| or_default(arguments).ok_or_else(mismatch))
        .rewrite("drr.copy", |editor, arguments| copy(editor, arguments).ok_or_else(mismatch))
        .rewrite("drr.segments", |_, arguments| segments(arguments).ok_or_else(mismatch))
        .rewrite("drr.owner", |_, arguments| {
            let operation = Given::new(arguments).defining_operation();
            operation.map(|operation| vec![PdlValue::Operation(operation)]).ok_or_else(mismatch)
        })
        .rewrite("drr.type_of", |_, arguments| {
            let r#type = match arguments {
                [PdlValue::Value(value)] => Some(value.r#type()),
                [PdlValue::Attribute(attribute)] => Some(attributes::as_type(*attribute).unwrap_or(attribute.r#type())),
                _ => None,
            };
            r#type.map(|r#type| vec![PdlValue::Type(r#type)]).ok_or_else(mismatch)
        })
        .rewrite("drr.operand", |_, arguments| parts::value(arguments, Side::Operands).ok_or_else(mismatch))
        .rewrite("drr.operands", |_, arguments| parts::values(arguments, Side::Operands).ok_or_else(mismatch))
        .rewrite("drr.result", |_, arguments| parts::value(arguments, Side::Results).ok_or_else(mismatch))
        .rewrite("drr.results", |_, arguments| parts::values(arguments, Side::Results).ok_or_else(mismatch))
        .rewrite("drr.result_types", |_, arguments| parts::types(arguments).ok_or_else(mismatch))
        .rewrite("drr.locate", |editor, arguments| locate(editor, arguments).ok_or_else(mismatch))
}

/// Whether an attribute of an operation is another one, or that of another operation; the last argument, if there is one
/// more, stands for absent ones.
fn same<'c: 'a, 'a>(arguments: &[PdlValue<'c, 'a>]) -> Option<bool> {
    let mut given = Given::new(arguments);
    let (operation, name) = (given.operation()?, given.attribute()?);
    let other = match operation_of(given.rest.first()?) {
        Some(other) => {
            given.next();
            other.get(attributes::as_string(given.attribute()?)?)
        }
        None => Some(given.attribute()?),
    };
    let default = if given.rest.is_empty() { None } else { Some(given.attribute()?) };
    Some(operation.get(attributes::as_string(name)?).or(default) == other.or(default))
}

/// The attribute of a name, or what stands for an absent one.
fn or_default<'c: 'a, 'a>(arguments: &[PdlValue<'c, 'a>]) -> Option<Vec<PdlValue<'c, 'a>>> {
    let mut given = Given::new(arguments);
    let (operation, name, default) = (given.operation()?, given.attribute()?, given.attribute()?);
    Some(vec![PdlValue::Attribute(operation.get(attributes::as_string(name)?).unwrap_or(default))])
}

/// An attribute of one operation, if it is there, becomes an attribute of another.
fn copy<'c: 'a, 'a>(editor: &Editor<'c, 'a>, arguments: &[PdlValue<'c, 'a>]) -> Option<Vec<PdlValue<'c, 'a>>> {
    let mut given = Given::new(arguments);
    let (source, from, target, to) = (given.operation()?, given.attribute()?, given.operation()?, given.attribute()?);
    if let Some(attribute) = source.get(attributes::as_string(from)?) {
        editor.set_attribute(target, attributes::as_string(to)?, attribute);
    }
    Some(Vec::new())
}

/// The sizes of operand groups; for each that is negative the number of values in a range counts, in order.
fn segments<'c: 'a, 'a>(arguments: &[PdlValue<'c, 'a>]) -> Option<Vec<PdlValue<'c, 'a>>> {
    let mut given = Given::new(arguments);
    let sizes = given.attribute()?;
    let size = |size: i64| match i32::try_from(size).ok()? {
        known @ 0.. => Some(known),
        _ => i32::try_from(given.values()?.len()).ok(),
    };
    let known: Vec<i32> = attributes::as_integers(sizes)?.into_iter().map(size).collect::<Option<_>>()?;
    Some(vec![PdlValue::Attribute(attributes::segment_sizes(sizes.context(), &known))])
}

/// Gives an operation a place.
fn locate<'c: 'a, 'a>(editor: &Editor<'c, 'a>, arguments: &[PdlValue<'c, 'a>]) -> Option<Vec<PdlValue<'c, 'a>>> {
    let mut given = Given::new(arguments);
    let operation = given.operation()?;
    let text = matches!(given.rest.first(), Some(PdlValue::Attribute(_)));
    let sources = given.rest.len() - usize::from(text);
    editor.set_location(operation, given.location(text, sources)?);
    Some(Vec::new())
}
