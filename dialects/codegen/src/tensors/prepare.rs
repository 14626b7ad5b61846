//! Splitting a function: what depends only on variables that no run changes, and what takes long to compute of constants, is computed
//! once, by a function of its own.

use super::extended::Extended;
use super::pure::{is_pure, outside_operands, rename_captured};
use crate::interface::Interface;
use crate::values::{self, encoding};
use crate::views::functions::{self, PREPARE, RUN};
use crate::views::shapes::{static_shape, volume};
use crate::views::structured::{self, Structured};
use crate::{Error, notes};
use skriptnd_mlir::ir::affine::Expr;
use skriptnd_mlir::ir::{
    BlockRef, Builder, OperationRef, Type, Value, attributes, block_arguments, block_operations, walk,
};
use skriptnd_mlir::ops::{arith, func, linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::{HashMap, HashSet};

/// A prepared tensor may have so many times the elements of what it is made from; broadcasts are left to the run.
const MOST_GROWTH: i64 = 4;
/// Elements of a tensor that is made larger by a border, whatever it was.
const MOST_FILLED_UP: i64 = 1 << 18;
/// Growth is no concern below so many elements.
const SMALL: i64 = 1024;
/// So many elements are computed of constants in advance, at most.
const MOST_OF_CONSTANTS: i64 = 1 << 16;

/// Moves what depends on fixed variables only into a new function that returns the results that the rest needs; those become
/// further arguments of the function that runs, and their types are noted.
pub fn split<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    let interface = Interface::noted(module)?;
    let variables = interface.variable_arguments();
    let function = functions::named(module, RUN)?;
    let ranges = values::ranges(function);
    let body = entry(function)?;
    let split = Split::find(body, &interface.fixed_arguments())?;
    let (frontier, repeated) = split.frontier(body);
    split.prepare(Builder::at_end(entry(module)?, function.location()), body, &variables, &frontier)?;
    let (location, taken) = (function.location(), block_arguments(body).count());
    for value in &frontier {
        let argument = body.add_argument(value.r#type(), location);
        for (user, index) in value.uses() {
            if !split.contains_user(user) || repeated.contains(&user.key()) {
                user.set_operand(index, argument)?;
            }
        }
    }
    let known = block_arguments(body).take(taken).chain(frontier.iter().copied());
    let known: Vec<_> = known.map(|value| ranges.get(value)).collect();
    let inputs: Vec<Type<'c>> = block_arguments(body).map(|argument| argument.r#type()).collect();
    functions::set_signature(function, &inputs, &functions::signature(function)?.1);
    for list in ["arg_attrs", "res_attrs"] {
        function.unset(list);
    }
    encoding::carry(function, &known);
    let prepared: Vec<_> = frontier.iter().map(|value| attributes::r#type(value.r#type())).collect();
    module.set(notes::PREPARED, attributes::array(module.context(), &prepared));
    Ok(())
}

fn entry<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<BlockRef<'c, 'a>, Error> {
    let block = operation.region(0).ok().and_then(|region| region.first_block());
    block.ok_or_else(|| Error::malformed(format!("`{}` without a body", operation.full_name())))
}

/// Whether an operation puts others around elements, or between them, as their places tell.
fn fills_up(operation: OperationRef<'_, '_>) -> bool {
    let has_places = || walk(operation).iter().any(|inside| inside.full_name() == linalg::INDEX);
    operation.full_name() == tensor::PAD || operation.full_name() == linalg::GENERIC && has_places()
}

/// Whether what reads the results, as they are or extended, begins anew behind the last index of one of their dimensions.
fn is_read_again(operation: OperationRef<'_, '_>) -> bool {
    let begins_anew = |(reader, number): (OperationRef<'_, '_>, usize)| {
        let is_extended = || reader.result(0).is_ok_and(extends) && is_read_again(reader);
        let maps = structured::maps(reader).unwrap_or_default();
        maps.get(number).is_some_and(|map| map.results.iter().any(|expr| matches!(expr, Expr::Mod(..))))
            || is_extended()
    };
    operation.full_name() == linalg::GENERIC
        && operation.result_values().iter().any(|result| result.uses().into_iter().any(begins_anew))
}

/// What a value depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Constant,
    /// Variables, or constants of which more is computed than a run should.
    Variable,
}

/// Operations that can be computed before the run.
struct Split<'c, 'a> {
    /// By the keys of values; those that depend on inputs are missing.
    sources: HashMap<usize, Source>,
    /// In order: those with results that depend on variables, and constants.
    operations: Vec<OperationRef<'c, 'a>>,
    /// Keys of those whose results depend on variables.
    variable: HashSet<usize>,
}

impl<'c: 'a, 'a> Split<'c, 'a> {
    fn find(body: BlockRef<'c, 'a>, variables: &[usize]) -> Result<Self, Error> {
        let mut split = Split { sources: HashMap::new(), operations: Vec::new(), variable: HashSet::new() };
        for (index, argument) in block_arguments(body).enumerate() {
            if variables.contains(&index) {
                split.sources.insert(argument.key(), Source::Variable);
            }
        }
        for operation in block_operations(body) {
            match is_pure(operation) {
                true => split.add(operation),
                false => split.hoist(operation, operation)?,
            }
        }
        Ok(split)
    }

    fn add(&mut self, operation: OperationRef<'c, 'a>) {
        let Some(source) = self.note(operation) else { return };
        self.operations.push(operation);
        if source == Source::Variable {
            self.variable.insert(operation.key());
        }
    }

    /// What the results of an operation depend on, which is noted; none where that is more than variables.
    fn note(&mut self, operation: OperationRef<'c, 'a>) -> Option<Source> {
        if !is_pure(operation) || operation.result_count() == 0 {
            return None;
        }
        let mut source = Source::Constant;
        let mut given = 0i64;
        for value in outside_operands(operation) {
            if *self.sources.get(&value.key())? == Source::Variable {
                source = Source::Variable;
                given = given.max(elements(value));
            }
        }
        let made = operation.result_values().into_iter().map(elements).max().unwrap_or(0);
        if source == Source::Constant && (2..=MOST_OF_CONSTANTS).contains(&made) && takes_long(operation) {
            source = Source::Variable;
            given = made;
        }
        // Few channels of a filter fill whole vectors, and so do few groups, or those of several pixels.
        let is_filled_up = (fills_up(operation) || is_read_again(operation)) && made <= MOST_FILLED_UP;
        if source == Source::Variable && made > SMALL && made > given.saturating_mul(MOST_GROWTH) && !is_filled_up {
            return None;
        }
        for result in operation.result_values() {
            self.sources.insert(result.key(), source);
        }
        Some(source)
    }

    /// Computes before a loop or a branch what inside of it depends on variables only.
    fn hoist(&mut self, around: OperationRef<'c, 'a>, inside: OperationRef<'c, 'a>) -> Result<(), Error> {
        let blocks = inside.regions().flat_map(skriptnd_mlir::ir::region_blocks);
        for operation in blocks.flat_map(block_operations).collect::<Vec<_>>() {
            if !is_pure(operation) {
                self.hoist(around, operation)?;
            } else if self.note(operation) == Some(Source::Variable) && makes_tensors(operation) {
                let moved = self.copy_before(around, operation)?;
                for (old, new) in operation.result_values().into_iter().zip(moved.result_values()) {
                    old.uses().into_iter().try_for_each(|(user, index)| user.set_operand(index, new))?;
                }
                with_rewriter(operation, |rewriter| rewriter.erase(operation))?;
            }
        }
        Ok(())
    }

    /// A copy of an operation before another one, with copies of the constants and scalars that it uses.
    fn copy_before(
        &mut self,
        around: OperationRef<'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> Result<OperationRef<'c, 'a>, Error> {
        let mut known = HashMap::new();
        for value in outside_operands(operation) {
            let inner = |definition: &OperationRef<'c, 'a>| definition.block() != around.block();
            let Some(definition) = value.defining_operation().filter(inner) else { continue };
            let copied = self.copy_before(around, definition)?;
            known.extend(definition.result_values().iter().map(Value::key).zip(copied.result_values()));
        }
        let renamed = |operand: Value<'c, 'a>| known.get(&operand.key()).copied().unwrap_or(operand);
        let operands: Vec<_> = operation.operands().map(renamed).collect();
        let copied = Builder::before(around)?.copy(operation, &operands)?;
        rename_captured(copied, &known)?;
        self.add(copied);
        Ok(copied)
    }

    fn contains_user(&self, user: OperationRef<'c, 'a>) -> bool {
        self.variable.contains(&user.key())
    }

    /// Tensors that the rest of the function needs, and the keys of operations that it repeats: reshapes of variables cost
    /// nothing, what only extends integers is less than to read what is extended, and scalars have no place between the functions.
    fn frontier(&self, body: BlockRef<'c, 'a>) -> (Vec<Value<'c, 'a>>, HashSet<usize>) {
        let mut frontier: Vec<Value<'c, 'a>> = Vec::new();
        let (mut found, mut repeated) = (HashSet::new(), HashSet::new());
        let mut needed: Vec<Value<'c, 'a>> = Vec::new();
        for operation in block_operations(body) {
            if !self.contains_user(operation) {
                needed.extend(outside_operands(operation));
            }
        }
        while let Some(value) = needed.pop() {
            if self.sources.get(&value.key()) != Some(&Source::Variable) || value.is_block_argument() {
                continue;
            }
            let stays = |_: &OperationRef<'c, 'a>| {
                !value.r#type().is_ranked_tensor() || self.is_view_of_variable(value) || extends(value)
            };
            if let Some(definition) = value.defining_operation().filter(stays) {
                if repeated.insert(definition.key()) {
                    needed.extend(outside_operands(definition));
                }
            } else if found.insert(value.key()) {
                frontier.push(value);
            }
        }
        frontier.reverse();
        (frontier, repeated)
    }

    fn is_view_of_variable(&self, value: Value<'c, 'a>) -> bool {
        let mut value = value;
        while let Some(view) = value.defining_operation().filter(|definition| is_reshape(*definition)) {
            match view.operand(0) {
                Ok(operand) => value = operand,
                Err(_) => return false,
            }
        }
        value.is_block_argument()
    }

    /// Builds the function that computes the frontier.
    fn prepare(
        &self,
        builder: Builder<'c, 'a>,
        body: BlockRef<'c, 'a>,
        variables: &[usize],
        frontier: &[Value<'c, 'a>],
    ) -> Result<(), Error> {
        let arguments: Vec<Value<'c, 'a>> = variables.iter().filter_map(|index| body.argument(*index)).collect();
        let inputs: Vec<Type<'c>> = arguments.iter().map(|argument| argument.r#type()).collect();
        let results: Vec<Type<'c>> = frontier.iter().map(|value| value.r#type()).collect();
        let prepare = func::func(&builder, PREPARE, &inputs, &results, &[])?;
        let (inside, given) = (prepare.builder, prepare.arguments);
        let mut known: HashMap<usize, Value<'c, 'a>> = arguments.iter().map(Value::key).zip(given).collect();
        for operation in &self.operations {
            let renamed = |operand: Value<'c, 'a>| known.get(&operand.key()).copied().unwrap_or(operand);
            let operands: Vec<_> = operation.operands().map(renamed).collect();
            let copied = inside.copy(*operation, &operands)?;
            rename_captured(copied, &known)?;
            known.extend(operation.result_values().iter().map(Value::key).zip(copied.result_values()));
        }
        let results: Vec<_> = frontier.iter().filter_map(|value| known.get(&value.key()).copied()).collect();
        Ok(func::r#return(&inside, &results)?)
    }
}

fn extends(value: Value<'_, '_>) -> bool {
    Extended::of(value).is_some_and(|extended| [arith::EXTSI, arith::EXTUI].contains(&extended.extension))
}

/// Whether an operation sums, divides or computes functions.
fn takes_long(operation: OperationRef<'_, '_>) -> bool {
    let is_long = |inner: OperationRef<'_, '_>| {
        let name = inner.full_name();
        name.starts_with("math.") || name.starts_with("arith.") && name.contains("div")
    };
    Structured::read(operation)
        .is_some_and(|structured| !structured.is_parallel() || block_operations(structured.body).any(is_long))
}

fn makes_tensors(operation: OperationRef<'_, '_>) -> bool {
    operation.result_types().into_iter().all(|result| result.is_ranked_tensor())
}

fn is_reshape(operation: OperationRef<'_, '_>) -> bool {
    matches!(operation.full_name(), tensor::COLLAPSE_SHAPE | tensor::EXPAND_SHAPE | tensor::CAST)
}

fn elements(value: Value<'_, '_>) -> i64 {
    static_shape(value.r#type()).map_or(i64::MAX, |shape| volume(&shape))
}
