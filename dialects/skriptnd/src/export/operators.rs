//! Invocations of operators.

use super::writer::{Writer, element, result_names, type_of};
use crate::call::{self, RESULT_SEGMENTS};
use crate::generated::discardable::LengthsAttribute;
use crate::generated::operations::VariableOp;
use crate::{definitions, operator};
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::graph::{Argument, OperatorCall};
use skriptnd_language::written;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{OperationRef, Value, attributes};
use skriptnd_syntax::ast::{Operator, Param};
use skriptnd_syntax::build::{Computation, Element, Expression, Invocation, Statement, Target};

impl Writer {
    /// The statements that invoke the operator of an operation.
    pub(super) fn operator<'c: 'a, 'a>(
        &mut self,
        operation: OperationRef<'c, 'a>,
        path: &str,
    ) -> Result<Vec<Statement>, Failure> {
        let definitions = definitions::of(operation, path);
        let unknown = || Failure::new(format!("operator '{path}' is not defined"));
        let definition = definitions.operator(path).ok_or_else(unknown)?;
        let call = call::read_call(operation.full_name(), &call::attributes_of(operation))?;
        let mut arguments = operator::arguments(operation)?;
        let variables = arguments.split_off(definition.inputs.len().min(arguments.len()));
        let invocation = Invocation {
            label: self.owner(&variables, (definition, path))?,
            operator: written::operator_name(path).to_owned(),
            dtypes: dtypes(operation, &call, definition)?,
            attributes: self.attributes(&call, definition)?,
            operands: self.operands(operation, &arguments)?,
        };
        let values = operation.result_values();
        let results = call::group(&values, operation.get_integers(RESULT_SEGMENTS), &definition.outputs)?;
        let like = path.rsplit('.').next().unwrap_or(path);
        let (targets, behind) = self.targets(operation, (&results, &definition.outputs), like)?;
        let invoked = Statement::new(targets, Computation::Invocation(invocation));
        Ok([invoked].into_iter().chain(behind).collect())
    }

    /// The attributes that are not what they are without being given.
    pub(super) fn attributes(
        &self,
        call: &OperatorCall,
        definition: &Operator,
    ) -> Result<Vec<(String, Expression)>, Failure> {
        let mut known = call.clone();
        for value in known.attributes.values_mut() {
            *value = self.known_value(value)?;
        }
        written::attributes(&known, definition).map_err(Failure::new)
    }

    /// The operands; those at the end that are left out don't stand there.
    fn operands<'c: 'a, 'a>(
        &self,
        operation: OperationRef<'c, 'a>,
        arguments: &[Argument<Value<'c, 'a>>],
    ) -> Result<Vec<Expression>, Failure> {
        let lengths = operation.get(LengthsAttribute::NAME).and_then(attributes::as_strings).unwrap_or_default();
        let mut operands = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            operands.push(match argument {
                Argument::Null => Expression::Absent,
                Argument::Single(value) => self.value(*value)?,
                Argument::Pack(items) => self.pack(items, lengths.get(at).copied().filter(|text| !text.is_empty()))?,
            });
        }
        while operands.last() == Some(&Expression::Absent) {
            operands.pop();
        }
        Ok(operands)
    }

    /// The label of an invocation whose operator has variables, by which their files are named; none where it has none. These
    /// variables are not the graph's.
    fn owner<'c: 'a, 'a>(
        &mut self,
        variables: &[Argument<Value<'c, 'a>>],
        (definition, path): (&Operator, &str),
    ) -> Result<Option<String>, Failure> {
        let mut owner: Option<(String, String)> = None;
        for (argument, param) in variables.iter().zip(&definition.variables) {
            let own =
                || Failure::new(format!("has a value for the variable `{}` that is not its own", param.name.text));
            let [value] = argument.items() else { return Err(own()) };
            let made = value.defining_operation().and_then(VariableOp::new).filter(|_| value.has_one_use());
            let label = made.ok_or_else(own)?.label()?;
            let scope =
                label.strip_suffix(&*param.name.text).and_then(|scope| scope.strip_suffix('.')).ok_or_else(own)?;
            let name = match &owner {
                Some((known, name)) if known == scope => name.clone(),
                Some(_) => return Err(own()),
                None => {
                    let graph = format!("main.{}.", self.graph.name);
                    let scope = scope.strip_prefix(&graph).or_else(|| path.rsplit('.').next()).unwrap_or(scope);
                    let like = self.local(Some(scope)).unwrap_or(scope).to_owned();
                    self.names.fresh(&like)
                }
            };
            self.give_away(label, &format!("{name}.{}", param.name.text));
            owner = Some((scope.to_owned(), name));
        }
        Ok(owner.map(|(_, name)| name))
    }

    /// Makes a variable of the graph one of an invocation.
    fn give_away(&mut self, label: &str, name: &str) {
        if let Some(variable) = self.variables.iter_mut().find(|variable| variable.label == label) {
            self.graph.variables.retain(|port| port.name != variable.name);
            variable.name = name.to_owned();
        }
        self.labels.remove(label);
        self.given_away.insert(label.to_owned());
    }

    /// Names for results, and statements that say what there is without optional ones.
    fn targets<'c: 'a, 'a>(
        &mut self,
        operation: OperationRef<'c, 'a>,
        (results, params): (&[Argument<Value<'c, 'a>>], &[Param]),
        like: &str,
    ) -> Result<(Vec<Target>, Vec<Statement>), Failure> {
        let mut names = result_names(operation).into_iter();
        let (mut targets, mut behind) = (Vec::new(), Vec::new());
        for (at, result) in results.iter().enumerate() {
            let noted = names.by_ref().take(result.items().len()).collect::<Vec<_>>().into_iter().next();
            let is_pack = matches!(result, Argument::Pack(_));
            let noted = noted.as_deref().map(|noted| if is_pack { pack_name(noted) } else { noted });
            // Of several results, the operator's own name for each tells more.
            let own = if results.len() > 1 { params.get(at).map_or(like, |param| &param.name.text) } else { like };
            let like = self.local(noted).unwrap_or(own).to_owned();
            let is_optional = params.get(at).is_some_and(|param| param.spec.optional);
            targets.push(match result {
                Argument::Pack(items) => {
                    let instance = operator::instance(operation)?;
                    let is_known = instance.as_ref().is_some_and(|instance| instance.symbols.is_empty());
                    let length = instance.and_then(|instance| instance.output_length(at).cloned());
                    let pack = (items.as_slice(), is_known, length);
                    match is_optional {
                        true => self.optional_pack(pack, (&like, noted), &mut behind),
                        false => self.pack_target(pack, &like, noted),
                    }
                }
                Argument::Single(value) if value.is_used() => self.single_target(*value, is_optional, &like, noted)?,
                _ => Target::Ignored,
            });
        }
        Ok((targets, behind))
    }

    /// A target for an optional pack, of which the statement behind makes one that is not. It is there: whether it is, follows from
    /// what the operator is given.
    fn optional_pack(
        &mut self,
        pack: (&[Value<'_, '_>], bool, Option<SymExpr>),
        (like, noted): (&str, Option<&str>),
        behind: &mut Vec<Statement>,
    ) -> Target {
        let optional = self.names.fresh(like);
        let present = self.pack_target(pack, &format!("{like}_present"), noted);
        let value = Computation::Expression(Expression::Written(format!("{optional} ?? []")));
        behind.push(Statement::new(vec![present], value));
        Target::Name(optional)
    }

    fn single_target<'c: 'a, 'a>(
        &mut self,
        value: Value<'c, 'a>,
        is_optional: bool,
        like: &str,
        noted: Option<&str>,
    ) -> Result<Target, Failure> {
        let name = if is_optional { self.names.fresh(like) } else { self.define_result(value, like) };
        if is_optional {
            // With something for where it isn't there, what is there is optional no longer.
            self.define(value, Expression::Written(format!("{name} ?? {}", zero(value)?)));
        }
        self.called.extend(noted.map(|noted| (noted.to_owned(), name.clone())));
        Ok(Target::Name(name))
    }

    fn pack_target(
        &mut self,
        (items, is_known, told): (&[Value<'_, '_>], bool, Option<SymExpr>),
        like: &str,
        noted: Option<&str>,
    ) -> Target {
        let name = self.name_of_pack(items, like);
        let symbol = noted.map(|noted| SymExpr::Symbol(format!("{noted}.count").into()));
        let length = told.or_else(|| symbol.filter(|length| self.limits.upper_bound(length).is_some()));
        if let Some(SymExpr::Symbol(symbol)) = &length {
            self.symbols.entry(symbol.clone()).or_insert(SymExpr::Symbol(format!("{name}.size").into()));
        }
        self.call_pack(noted, &name, items.len());
        // How many there are, the text says where it is known.
        let target = match !is_known || length.is_some() || items.is_empty() {
            true => Target::Name(name.clone()),
            false => Target::Items(name.clone(), Expression::Int(i64::try_from(items.len()).unwrap_or(i64::MAX))),
        };
        self.define_pack(&name, items, true, length);
        target
    }

    /// Gives a single result a name.
    pub(super) fn define_result<'c: 'a, 'a>(&mut self, value: Value<'c, 'a>, like: &str) -> String {
        let name = self.name(value, like);
        self.define_as(value, &name);
        name
    }
}

/// `ys` of `ys.0`, the item of a pack.
pub(super) fn pack_name(name: &str) -> &str {
    let parts = name.rsplit_once('.').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    parts.map_or(name, |(pack, _)| pack)
}

/// A value for a tensor that is not there.
fn zero(value: Value<'_, '_>) -> Result<&'static str, Failure> {
    Ok(match element(type_of(value)?.dtype)? {
        Element::Real => "0.0",
        Element::Int => "0",
        Element::Bool => "false",
    })
}

/// The types that are given by name: all, if one does not follow from the operands.
fn dtypes(
    operation: OperationRef<'_, '_>,
    call: &OperatorCall,
    definition: &Operator,
) -> Result<Vec<Element>, Failure> {
    if call.dtypes.is_empty() {
        return Ok(Vec::new());
    }
    let instance = operator::instance(operation)?.ok_or("has an operand whose extents have no names")?;
    let known = definition.dtypes.iter().filter_map(|param| instance.call.dtypes.get(&*param.name.text));
    known.map(|dtype| element(*dtype)).collect()
}
