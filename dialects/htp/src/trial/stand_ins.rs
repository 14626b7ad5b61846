//! Functions in place of external ones that nobody has bound, and values of options that nobody has given: they let a rule be
//! tried, whatever they mean.

use super::{Hints, Random};
use crate::apply::{Argument, Environment, Functions, NewNode, NewSource, Replaced, Scalar, Scope};
use crate::check::{options_of, unbound};
use crate::grammar::model::Rule;

/// The names of what something stands in for.
pub fn needed(environment: &Environment, rule: &Rule) -> Vec<String> {
    let functions = unbound(rule, &environment.functions).into_iter();
    let mut options = read_options(rule);
    options.retain(|name| !environment.options.has(name));
    options.sort();
    options.dedup();
    functions.chain(options).collect()
}

/// What rules are applied with, and something for each function that the rule names and nobody has bound: constraints hold,
/// shapes are those of the first operand, or 0 where the name speaks of a start, in splits of one element for each slice, and
/// nodes are replaced by ones of another name. Options are what the condition compares with.
pub fn bound(mut environment: Environment, rule: &Rule, random: &mut Random) -> Environment {
    let missing = unbound(rule, &environment.functions);
    let mut functions = std::mem::take(&mut environment.functions);
    for name in missing {
        functions = stand_in(functions, &name);
    }
    environment.functions = functions;
    options(environment, rule, random)
}

/// The names of the options that a rule asks for; those that allow it are on unless somebody says otherwise.
fn read_options(rule: &Rule) -> Vec<String> {
    let read = options_of(rule).into_iter().map(|(name, _)| name);
    read.filter(|name| !rule.flags.contains(name)).collect()
}

/// The same for options only.
pub fn options(mut environment: Environment, rule: &Rule, random: &mut Random) -> Environment {
    let hints = Hints::of(rule);
    for name in &read_options(rule) {
        let known = random.choose(&hints.numbers).unwrap_or(1.0) as f32;
        let value = random.choose(&[0.0, 1.0, known, known + 1.0, known - 1.0]).unwrap_or(1.0);
        environment.options.suggest(name, Scalar::Float(value));
    }
    environment
}

fn stand_in(functions: Functions, name: &str) -> Functions {
    let replacing = format!("{name}.replaced");
    let functions = match functions.has_shape(name) {
        true => functions,
        false => {
            let is_start = name.contains("start");
            functions.shape(name, move |split, arguments| Some(shape(split, arguments, is_start)))
        }
    };
    let functions = functions.constrain(name, |_, _| Some(true));
    functions.replace(name, move |subject| {
        let inputs = (0..subject.inputs.len()).map(NewSource::Input).collect();
        let node = NewNode { op: replacing.clone(), inputs, output: subject.output.clone(), elements: None };
        Some(Replaced { nodes: vec![node], result: NewSource::Node(0) })
    })
}

/// Where a slice starts, or what it extends over: it becomes smaller, so that conditions can tell it from the whole.
fn shape(split: Option<&Scope>, arguments: &[Argument], is_start: bool) -> Vec<u64> {
    let dims = arguments.iter().find_map(|argument| argument.dims().map(<[u64]>::to_vec));
    let dims = dims.unwrap_or_else(|| vec![1; 4]);
    let mut shape = if is_start { vec![0; dims.len()] } else { dims.clone() };
    let Some(split) = split else { return shape };
    // A number among the operands is the dimension, if there is such a one.
    let numbers = arguments.iter().filter(|argument| argument.dims().is_none()).filter_map(Argument::extent);
    let wanted = numbers.chain([split.dimension]).filter_map(|number| usize::try_from(number).ok());
    if let Some(dimension) = wanted.into_iter().find(|dimension| *dimension < dims.len()) {
        let index = split.start.checked_div(split.size).unwrap_or(0);
        shape[dimension] = if is_start { index.min(dims[dimension].saturating_sub(1)) } else { dims[dimension].min(1) };
    }
    shape
}
