//! From the source patterns of `Pattern` records to what is matched.

use tblgen::{Record, TypedInit};

use super::{
    library::Declared,
    model::{
        AttributeMatch, AttributeTest, NativeFunction, NativeMatch, NativeOutput, OperandMatch, Placeholder, Reference,
        SourceOperation, Target,
    },
    read::{Given, NO_STRING, Reader, all, given, shown},
};
use crate::{constant, dag::Dag, error::Result, ods::Argument, records};

/// Patterns that the `either`s of one pattern may stand for.
const MAXIMUM_ALTERNATIVES: usize = 64;

/// An argument of a matched operation.
#[derive(Clone)]
enum Matched {
    Operand(OperandMatch),
    Attribute(AttributeMatch),
}

/// What stands for one or two arguments, in each order that `either` admits.
type Alternatives = Vec<Vec<Matched>>;

impl<'a> Reader<'_, 'a> {
    /// The operation to be matched, in each order that `either` admits.
    pub fn source(&self, dag: Dag<'a>) -> Result<Vec<SourceOperation>> {
        let record = dag.operator();
        let Some(index) = self.library.find(record) else {
            if record.subclass_of("NativeCodeCall") {
                return self.dag_error(dag, "a native call cannot be the root: it is asked of what defines an operand");
            }
            return self
                .dag_error(dag, format!("'{}' cannot be matched: it is not an operation", records::name(record)));
        };
        let index = index?;
        let declared = self.library.get(index);
        self.check_count(dag, &declared)?;
        let mut position = 0;
        let mut parts: Vec<Result<Alternatives>> = Vec::new();
        for argument in given(dag) {
            let either = self.either(argument)?;
            position += if either.is_some() { 2 } else { 1 };
            parts.push(match either {
                Some(either) => self.either_orders(either, &declared, position - 2),
                None => self.argument(argument, &declared, position - 1),
            });
        }
        let mut alternatives = vec![Vec::new()];
        for part in all(parts)? {
            alternatives = product(&alternatives, &part);
            if alternatives.len() > MAXIMUM_ALTERNATIVES {
                return self.dag_error(dag, format!("'either' stands for more than {MAXIMUM_ALTERNATIVES} patterns"));
            }
        }
        Ok(alternatives.into_iter().map(|arguments| self.assemble(dag, index, arguments)).collect())
    }

    /// `either` stands for two arguments.
    fn check_count(&self, dag: Dag<'a>, declared: &Declared) -> Result<()> {
        let (name, expected) = (declared.operation.name(), declared.operation.arguments.len());
        let (mut count, mut superfluous) = (0, None);
        for argument in given(dag) {
            count += if self.either(argument)?.is_some() { 2 } else { 1 };
            superfluous = superfluous.or((count > expected).then_some(argument));
        }
        let message = || format!("operation '{name}' has {expected} arguments, the pattern gives {count}");
        match superfluous {
            // The first one too many, or the whole.
            Some(argument) => self.argument_error(argument, message()),
            None if count < expected => self.dag_error(dag, message()),
            None => Ok(()),
        }
    }

    fn assemble(&self, dag: Dag<'a>, operation: usize, arguments: Vec<Matched>) -> SourceOperation {
        let (mut operands, mut attributes) = (Vec::new(), Vec::new());
        for argument in arguments {
            match argument {
                Matched::Operand(operand) => operands.push(operand),
                Matched::Attribute(attribute) => attributes.push(attribute),
            }
        }
        SourceOperation { operation, symbol: self.symbol(dag), operands, attributes, place: self.dag_place(dag) }
    }

    fn either(&self, argument: Given<'a>) -> Result<Option<Dag<'a>>> {
        let dag = self.nested(argument)?;
        Ok(dag.filter(|dag| records::name(dag.operator()) == "either"))
    }

    fn either_orders(&self, either: Dag<'a>, declared: &Declared, position: usize) -> Result<Alternatives> {
        if let Some(name) = either.operator_name() {
            return self.dag_error(either, format!("'either' cannot be named '${name}'"));
        }
        for argument in &declared.operation.arguments[position..position + 2] {
            if !matches!(argument, Argument::Operand(_)) {
                let (name, operation) = (declared.operation.argument_name(*argument), declared.operation.name());
                return self.dag_error(either, format!("argument '{name}' of '{operation}' cannot be in 'either'"));
            }
        }
        let items: Vec<_> = given(either).collect();
        let [first, second] = items.as_slice() else {
            return self.dag_error(either, "'either' takes two operands");
        };
        let operands = all([self.operand(*first), self.operand(*second)])?;
        let [first, second] = operands.as_slice() else { return self.error("'either' takes two operands") };
        let pairs = |left: &[OperandMatch], right: &[OperandMatch]| -> Alternatives {
            let pair = |left: &OperandMatch| {
                let left = left.clone();
                right.iter().map(move |right| vec![Matched::Operand(left.clone()), Matched::Operand(right.clone())])
            };
            left.iter().flat_map(pair).collect()
        };
        let mut orders = pairs(first, second);
        orders.extend(pairs(second, first));
        Ok(orders)
    }

    fn argument(&self, argument: Given<'a>, declared: &Declared, position: usize) -> Result<Alternatives> {
        match declared.operation.arguments[position] {
            Argument::Operand(_) => {
                Ok(self.operand(argument)?.into_iter().map(|operand| vec![Matched::Operand(operand)]).collect())
            }
            Argument::Attribute(index) => {
                Ok(vec![vec![Matched::Attribute(self.attribute(argument, &declared.kinds[index])?)]])
            }
            Argument::Property(_) if argument.value.is_none() && matches!(argument.name, None | Some("_")) => {
                Ok(vec![Vec::new()])
            }
            Argument::Property(index) => {
                let (name, operation) = (&declared.operation.properties[index].name, declared.operation.name());
                let message =
                    format!("the property '{name}' of '{operation}' is stored as no attribute, which PDL matches");
                self.argument_error(argument, message)
            }
        }
    }

    /// The name bound to an argument, which has no suffix: that says which result of an operation is meant.
    fn bound(&self, argument: Given<'a>) -> Result<Option<Reference>> {
        match argument.name.filter(|name| *name != "_").map(|name| self.reference(name, argument)) {
            Some(Reference { index: Some(_), .. }) => {
                let name = argument.name.unwrap_or_default();
                self.argument_error(argument, format!("'${name}' names a result, which an argument is not"))
            }
            bound => Ok(bound),
        }
    }

    fn operand(&self, argument: Given<'a>) -> Result<Vec<OperandMatch>> {
        let symbol = self.bound(argument)?;
        if let Some(dag) = self.nested(argument)? {
            return match (records::name(dag.operator()), symbol) {
                ("variadic", symbol) => self.group(dag, symbol.or(self.symbol(dag))),
                (_, Some(symbol)) => {
                    let message = format!("the name stands with the operation: (Op:${} ...)", symbol.name);
                    self.argument_error(argument, message)
                }
                _ if dag.operator().subclass_of("NativeCodeCall") => {
                    Ok(vec![OperandMatch::Native(self.native_match(dag)?.into())])
                }
                _ => {
                    let nested = self.source(dag)?;
                    Ok(nested.into_iter().map(|operation| OperandMatch::Nested(operation.into())).collect())
                }
            };
        }
        let constraint = match argument.value {
            None => None,
            Some(value) => match records::as_record(value) {
                Some(record) if record.subclass_of("TypeConstraint") => {
                    Some(self.constraint(record, &self.place(argument))?)
                }
                _ => {
                    let message = format!("{} is not a type constraint, which an operand needs", shown(value));
                    return self.argument_error(argument, message);
                }
            },
        };
        Ok(vec![OperandMatch::Capture { symbol, constraint, place: self.place(argument) }])
    }

    fn group(&self, dag: Dag<'a>, symbol: Option<Reference>) -> Result<Vec<OperandMatch>> {
        let mut alternatives = vec![Vec::new()];
        for item in all(given(dag).map(|item| self.operand(item)))? {
            if let Some(OperandMatch::Group { .. }) = item.first() {
                return self.dag_error(dag, "groups cannot be nested");
            }
            let item: Vec<Vec<_>> = item.into_iter().map(|operand| vec![operand]).collect();
            alternatives = product(&alternatives, &item);
        }
        let place = self.dag_place(dag);
        let group = |items| OperandMatch::Group { symbol: symbol.clone(), items, place: place.clone() };
        Ok(alternatives.into_iter().map(group).collect())
    }

    fn native_match(&self, dag: Dag<'a>) -> Result<NativeMatch> {
        if let Some(name) = dag.operator_name() {
            let message = format!("the native call cannot be named '${name}': it names what it tells in its arguments");
            return self.dag_error(dag, message);
        }
        let function = self.native_function(dag)?;
        let is_asked = matches!(function.target, Target::Method(_) | Target::Expression(_));
        if is_asked && !function.parameters.contains(&Placeholder::This) {
            let message = format!("'{}' is not given '$_self', the operation that it is asked of", function.text);
            return self.dag_error(dag, message);
        }
        let outputs = all(given(dag).map(|argument| self.native_output(argument, &function)))?;
        Ok(NativeMatch { function, outputs, place: self.dag_place(dag) })
    }

    fn native_output(&self, argument: Given<'a>, function: &NativeFunction) -> Result<NativeOutput> {
        let symbol = self.bound(argument)?;
        let record = argument.value.map(|value| (value, records::as_record(value)));
        match record {
            None => Ok(NativeOutput { symbol, test: None, is_attribute: false }),
            Some((_, Some(record))) if record.subclass_of("ConstantAttr") => {
                let test = Some(AttributeTest::Constant(self.constant(record, argument)?));
                Ok(NativeOutput { symbol, test, is_attribute: true })
            }
            Some((_, Some(record))) if record.subclass_of("AttrConstraint") || record.subclass_of("TypeConstraint") => {
                let test = Some(AttributeTest::Constraint(self.constraint(record, &self.place(argument))?));
                Ok(NativeOutput { symbol, test, is_attribute: record.subclass_of("AttrConstraint") })
            }
            Some((value, _)) => {
                let message = format!("{} is no constraint on what '{}' tells", shown(value), function.text);
                self.argument_error(argument, message)
            }
        }
    }

    fn attribute(&self, argument: Given<'a>, kind: &constant::Kind) -> Result<AttributeMatch> {
        let symbol = self.bound(argument)?;
        let native = self.nested(argument)?.filter(|dag| dag.operator().subclass_of("NativeCodeCall"));
        let test = match (native, argument.value) {
            (Some(dag), _) => {
                if let Some(symbol) = symbol {
                    let message = format!("the native call cannot be named '${}'", symbol.name);
                    return self.argument_error(argument, message);
                }
                Some(AttributeTest::Native(self.native_match(dag)?.into()))
            }
            (None, None) => None,
            (None, Some(value)) => Some(self.attribute_test(argument, value, kind)?),
        };
        Ok(AttributeMatch { symbol, test, place: self.place(argument) })
    }

    fn attribute_test(
        &self,
        argument: Given<'a>,
        value: TypedInit<'a>,
        kind: &constant::Kind,
    ) -> Result<AttributeTest> {
        if let TypedInit::String(_) | TypedInit::Code(_) = value {
            return self.argument_error(argument, NO_STRING);
        }
        if let Ok(number) = i64::try_from(value) {
            return match kind.attribute(&number.to_string()) {
                Some(constant) => Ok(AttributeTest::Constant(constant)),
                None => self.argument_error(argument, format!("{number} is not a value of '{}'", kind.name)),
            };
        }
        match records::as_record(value) {
            Some(record) if kind.property.is_some() && record.subclass_of("AttrConstraint") => {
                let message = format!("{} is not a property constraint, which a property needs", shown(value));
                self.argument_error(argument, message)
            }
            Some(record) if records::name(record) == "IsNullAttr" => Ok(AttributeTest::Absent),
            Some(record) if record.subclass_of("ConstantAttr") => {
                Ok(AttributeTest::Constant(self.constant(record, argument)?))
            }
            Some(record) if record.subclass_of("EnumCase") => {
                Ok(AttributeTest::Constant(self.enumeration_case(record, kind, argument)?))
            }
            Some(record) if record.subclass_of("AttrConstraint") => {
                Ok(AttributeTest::Constraint(self.constraint(record, &self.place(argument))?))
            }
            Some(record) if kind.property.is_some() && record.subclass_of("PropConstraint") => {
                self.property_test(record, kind, argument)
            }
            _ => self.argument_error(
                argument,
                format!("{} is not an attribute constraint, which an attribute needs", shown(value)),
            ),
        }
    }

    /// What a property must fulfil: its C++ is about the value that the attribute stores.
    fn property_test(&self, record: Record<'a>, kind: &constant::Kind, argument: Given<'a>) -> Result<AttributeTest> {
        if record.subclass_of("ConstantProp") {
            let value = records::text(record, "value").unwrap_or_default();
            return match kind.attribute(&value) {
                Some(constant) => Ok(AttributeTest::Constant(constant)),
                None => self.argument_error(argument, format!("{value} is not a value of '{}'", kind.name)),
            };
        }
        let mut constraint = self.constraint(record, &self.place(argument))?;
        if let Some(value) = kind.property.as_ref().filter(|value| !value.is_empty()) {
            let text = constraint.predicate.text().replace("$_self", value);
            constraint.predicate = constraint.predicate.saying(&text);
        }
        Ok(AttributeTest::Constraint(constraint))
    }

    /// `ConstantAttr<I64Attr, "1">` as MLIR writes it.
    pub fn constant(&self, record: Record<'a>, argument: Given<'a>) -> Result<String> {
        let value = records::text(record, "value").unwrap_or_default();
        let Ok(base) = record.def_value("attr") else {
            return self.argument_error(argument, "a constant attribute needs a kind");
        };
        let kind = constant::Kind::read(base);
        match kind.attribute(&value) {
            Some(constant) => Ok(constant),
            None if kind.refuses(&value) => {
                self.argument_error(argument, format!("{value} is not a value of '{}'", kind.name))
            }
            None => {
                let message = format!("the constant '{value}' of '{}' cannot be said in MLIR's syntax", kind.name);
                self.argument_error(argument, message)
            }
        }
    }

    /// A case of an enumeration, as the attribute that the operation declares.
    pub fn enumeration_case(&self, record: Record<'a>, kind: &constant::Kind, argument: Given<'a>) -> Result<String> {
        let symbol = records::text(record, "symbol").unwrap_or_default();
        match kind.attribute(&symbol) {
            Some(constant) => Ok(constant),
            None => self.argument_error(argument, format!("'{symbol}' is not a case of '{}'", kind.name)),
        }
    }
}

/// Each of `lists` continued with each of `items`.
fn product<T: Clone>(lists: &[Vec<T>], items: &[Vec<T>]) -> Vec<Vec<T>> {
    let continued = |list: &Vec<T>| -> Vec<Vec<T>> {
        items.iter().map(|item| list.iter().chain(item).cloned().collect()).collect()
    };
    lists.iter().flat_map(continued).collect()
}
