//! Operators as MLIR operations: verification and type inference from their SkriptND definitions.

use crate::call::{self, OPERAND_SEGMENTS, RESULT_SEGMENTS};
use crate::definitions;
use crate::generated::discardable::{IdentityAttribute, LengthsAttribute};
use crate::lowering::limits::Limits;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::graph::{Argument, OperatorCall, TensorType};
use skriptnd_language::compose::{Definitions, Instance, Operand, first_of_same, note_identity};
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::InferenceInput;
use skriptnd_mlir::ir::{Attribute, OperationRef, Type, Value, attributes};
use skriptnd_syntax::ast::Operator;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An invocation that an operation stands for.
struct Invocation {
    definitions: Definitions,
    call: OperatorCall,
    operands: Vec<Operand>,
    /// Upper bounds of the symbols in attributes.
    bounds: Vec<(Arc<str>, i64)>,
    /// Whether all extents of operands that only a run knows have names.
    is_named: bool,
}

impl Invocation {
    fn of<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        let name = operation.full_name();
        let definitions = definitions::of(operation, call::operator_path(name).unwrap_or(name));
        let operands: Vec<Value<'c, 'a>> = operation.operands().collect();
        let attributes = call::attributes_of(operation);
        let sizes = operation.get_integers(OPERAND_SEGMENTS);
        let mut read = Invocation::read(definitions, name, &attributes, &operands, sizes)?;
        read.bound(&|| Limits::around(operation));
        Ok(read)
    }

    fn read<'c>(
        definitions: Definitions,
        name: &str,
        attributes: &[(impl AsRef<str>, Attribute<'c>)],
        values: &[Value<'c, '_>],
        sizes: Option<Vec<i64>>,
    ) -> Result<Self, Failure> {
        let call = call::read_call(name, attributes)?;
        let definition = definition(&definitions, &call.operator)?;
        if call::has_segments(Some(definition.operands()), &[]) && sizes.is_none() {
            return Err(format!("needs the attribute '{OPERAND_SEGMENTS}'").into());
        }
        let noted = |wanted| attributes.iter().find(|(name, _)| name.as_ref() == wanted).map(|(_, noted)| *noted);
        let first = match noted(IdentityAttribute::NAME) {
            Some(noted) => identity(noted, values)?,
            None => first_of_same(values.iter().map(Value::key)),
        };
        let (types, is_named) = types(values, &first)?;
        let operands = call::group(&types, sizes, definition.operands())?;
        let expected = definition.operands().count();
        if operands.len() != expected {
            let found = operands.len();
            return Err(format!("operator '{}' has {expected} inputs, found {found}", call.operator).into());
        }
        let mut operands: Vec<Operand> = operands.into_iter().map(Operand::of).collect();
        if let Some(lengths) = noted(LengthsAttribute::NAME) {
            note_lengths(&mut operands, lengths)?;
        }
        note_identity(&mut operands, &first);
        Ok(Invocation { definitions, call, operands, bounds: Vec::new(), is_named })
    }

    /// Notes the bounds of extents that only a run knows.
    fn bound(&mut self, limits: &dyn Fn() -> Limits) {
        let is_open = |ty: &TensorType| ty.shape.iter().any(|extent| extent.as_known().is_none());
        let is_sum = |operand: &Operand| !matches!(operand.length, None | Some(SymExpr::Const(_) | SymExpr::Symbol(_)));
        let mut symbols: BTreeSet<Arc<str>> = BTreeSet::new();
        self.call.attributes.values().for_each(|value| value.symbols(&mut |symbol| symbols.extend([symbol.clone()])));
        // What bounds a sum follows from its symbols; the bound of one that stands alone goes with it.
        let sums = |extent: &&Extent| !matches!(extent.value, SymExpr::Const(_) | SymExpr::Symbol(_));
        let open = self.operands.iter().flat_map(Operand::items).flat_map(|ty| &ty.shape).filter(sums);
        open.for_each(|extent| extent.value.symbols(&mut |symbol| symbols.extend([symbol.clone()])));
        let is_open = self.operands.iter().flat_map(Operand::items).any(is_open);
        if is_open || !symbols.is_empty() || self.operands.iter().any(is_sum) {
            let limits = limits();
            let bound = |symbol: Arc<str>| limits.get(&symbol).map(|bound| (symbol, bound));
            self.bounds = symbols.into_iter().filter_map(bound).collect();
            for operand in &mut self.operands {
                operand.argument = operand.argument.map(|ty| limits.bounded(ty.clone()));
                if let Some(length) = operand.length.as_ref().filter(|_| is_sum(operand)) {
                    let mut bounds = Vec::new();
                    length
                        .symbols(&mut |symbol| bounds.extend(limits.get(symbol).map(|bound| (symbol.clone(), bound))));
                    operand.bounds = bounds;
                }
            }
        }
    }

    fn instance(&self) -> Result<Arc<Instance>, Failure> {
        definitions::instance(&self.definitions, &self.call, &self.operands, &self.bounds)
    }
}

/// Reads how many items packs have.
fn note_lengths(operands: &mut [Operand], attribute: Attribute<'_>) -> Result<(), Failure> {
    let lengths = attributes::as_strings(attribute).filter(|lengths| lengths.len() == operands.len());
    let lengths = lengths.ok_or_else(|| format!("'{}' needs an expression for each input", LengthsAttribute::NAME))?;
    for (operand, text) in operands.iter_mut().zip(lengths).filter(|(_, text)| !text.is_empty()) {
        let length =
            text.parse().map_err(|()| format!("'{}' has `{text}`, which is no extent", LengthsAttribute::NAME))?;
        operand.length = Some(length);
    }
    Ok(())
}

/// Reads which operands were the same tensor.
fn identity(attribute: Attribute<'_>, values: &[Value<'_, '_>]) -> Result<Vec<usize>, Failure> {
    let first = attributes::as_integers(attribute).filter(|first| first.len() == values.len());
    let first: Option<Vec<usize>> = first.and_then(|first| first.into_iter().map(|at| at.try_into().ok()).collect());
    let first = first
        .ok_or_else(|| format!("'{}' needs the number of an operand for each operand", IdentityAttribute::NAME))?;
    for (at, same) in first.iter().enumerate() {
        if *same > at || first[*same] != *same {
            return Err(
                format!("'{}' has {same} for operand {at}, which is no first one", IdentityAttribute::NAME).into()
            );
        }
        if values[at].r#type() != values[*same].r#type() {
            return Err(
                format!("'{}' takes operand {at} for {same}, which has another type", IdentityAttribute::NAME).into()
            );
        }
    }
    Ok(first)
}

/// The types of operands, and whether all their extents are known or named; others are symbols, the same for the same
/// tensor.
fn types(values: &[Value<'_, '_>], first: &[usize]) -> Result<(Vec<TensorType>, bool), Failure> {
    let mut is_named = true;
    let mut types = Vec::with_capacity(values.len());
    for (value, first) in values.iter().zip(first) {
        let r#type = value.r#type();
        let (dtype, extents) =
            call::read_type(r#type).ok_or_else(|| format!("operand type {} is no tensor of the language", r#type))?;
        is_named &= extents.iter().all(Option::is_some);
        // No name of a model has a question mark.
        let unnamed = |at| Extent { value: SymExpr::Symbol(format!("?{first}.{at}").into()), bound: None };
        let shape = extents.into_iter().enumerate().map(|(at, extent)| extent.unwrap_or_else(|| unnamed(at)));
        types.push(TensorType { dtype, shape: shape.collect() });
    }
    Ok((types, is_named))
}

/// The checked invocation that an operation stands for; none if extents of its operands are neither known nor named.
pub fn instance<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<Option<Arc<Instance>>, Failure> {
    let invocation = Invocation::of(operation)?;
    if invocation.is_named { invocation.instance().map(Some) } else { Ok(None) }
}

/// What an operation hands to each input of its operator.
pub fn arguments<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<Vec<Argument<Value<'c, 'a>>>, Failure> {
    let name = operation.full_name();
    let path = call::operator_path(name).ok_or("does not name an operator")?;
    let definitions = definitions::of(operation, path);
    let values: Vec<Value<'c, 'a>> = operation.operands().collect();
    call::group(&values, operation.get_integers(OPERAND_SEGMENTS), definition(&definitions, path)?.operands())
}

fn definition<'d>(definitions: &'d Definitions, path: &str) -> Result<&'d Operator, Failure> {
    definitions::operator(definitions, path).ok_or_else(|| unknown_operator(definitions, path))
}

fn unknown_operator(definitions: &Definitions, path: &str) -> Failure {
    let (module, name) = path.rsplit_once('.').unwrap_or(("", path));
    let modules = &definitions.modules;
    let names = modules.get(module).into_iter().flat_map(|module| module.operators.names());
    let nearest = skriptnd_source::diagnostics::nearest(name, names);
    let advice = nearest.map(|nearest| format!("; did you mean '{module}.{nearest}'?")).unwrap_or_default();
    Failure::new(format!("operator '{path}' is not defined{advice}"))
}

/// Verifies an operation from its operator's definition, as far as extents are known.
pub fn verify<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let invocation = Invocation::of(operation)?;
    let instance = invocation.instance()?;
    let definition = definition(&invocation.definitions, &instance.call.operator)?;
    let found = operation.result_types();
    let sizes = operation.get_integers(RESULT_SEGMENTS);
    let grouped = call::group(&found, sizes, &definition.outputs)?;
    if grouped.len() != instance.outputs.len() {
        return Err(format!("has {} results where {} are expected", grouped.len(), instance.outputs.len()).into());
    }
    for ((expected, found), param) in instance.outputs.iter().zip(&grouped).zip(&definition.outputs) {
        check_output(&param.name.text, expected, found)?;
    }
    Ok(())
}

fn check_output(name: &str, expected: &Argument<TensorType>, found: &Argument<Type<'_>>) -> Result<(), Failure> {
    if expected.items().len() != found.items().len() {
        let (expected, found) = (expected.items().len(), found.items().len());
        return Err(format!("output '{name}' consists of {expected} tensors, found {found}").into());
    }
    for (expected, found) in expected.items().iter().zip(found.items()) {
        if !agrees(expected, *found) {
            return Err(format!("output '{name}' is {}, found {found}", describe(expected)).into());
        }
    }
    Ok(())
}

/// Whether a type is the expected one as far as extents are known.
fn agrees(expected: &TensorType, found: Type<'_>) -> bool {
    let Some((dtype, shape)) = call::read_type(found) else { return false };
    let extents = || expected.shape.iter().zip(&shape);
    dtype == expected.dtype
        && shape.len() == expected.shape.len()
        && extents().all(|(expected, found)| match found {
            Some(found) => is_the_same(expected, found),
            None => true,
        })
}

/// Whether two extents may be one: what an invocation leaves to the run may have any name.
fn is_the_same(expected: &Extent, found: &Extent) -> bool {
    match (expected.as_known(), found.as_known()) {
        (Some(expected), Some(found)) => expected == found,
        _ => true,
    }
}

fn describe(ty: &TensorType) -> String {
    let extents: Vec<String> = ty.shape.iter().map(ToString::to_string).collect();
    format!("{}[{}]", ty.dtype.keyword(), extents.join(", "))
}

/// The types of the results, from the definitions of the standard library.
pub fn infer<'c: 'a, 'a>(name: &str, input: &InferenceInput<'c, 'a>) -> Result<Vec<Type<'c>>, Failure> {
    let sizes = input.attribute(OPERAND_SEGMENTS).and_then(attributes::as_integers);
    let invocation = Invocation::read(definitions::standard(), name, &input.attributes, &input.operands, sizes)?;
    if !invocation.is_named {
        return Err("the results' types can't be inferred from extents without names".into());
    }
    let instance = invocation.instance()?;
    let outputs = instance.outputs.iter().flat_map(Argument::items);
    outputs.map(|ty| call::write_type(input.context, ty)).collect()
}
