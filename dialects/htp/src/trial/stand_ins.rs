//! Functions in place of external ones that nobody has bound, and values of options that nobody has given: they let a rule be
//! tried, whatever they mean.

use super::{Hints, Random};
use crate::apply::{Argument, Environment, Functions, NewNode, NewSource, Replaced, Scalar};
use crate::check::unbound;
use crate::grammar::model::Rule;

/// The names of what something stands in for.
pub fn needed(environment: &Environment, rule: &Rule) -> Vec<String> {
    let functions = unbound(rule, &environment.functions).into_iter();
    let mut options = Hints::of(&rule.constraint).options;
    options.retain(|name| !environment.options.has(name));
    options.sort();
    options.dedup();
    functions.chain(options).collect()
}

/// What rules are applied with, and something for each function that the rule names and nobody has bound: constraints hold,
/// shapes are those of the first operand, or 0 where the name
/// speaks of a start, and nodes are replaced by ones of another name. Options are what the condition compares with.
pub fn bound(mut environment: Environment, rule: &Rule, random: &mut Random) -> Environment {
    let missing = unbound(rule, &environment.functions);
    let mut functions = std::mem::take(&mut environment.functions);
    for name in missing {
        functions = stand_in(functions, &name);
    }
    environment.functions = functions;
    let hints = Hints::of(&rule.constraint);
    for name in &hints.options {
        let known = random.choose(&hints.numbers).unwrap_or(1.0) as f32;
        let value = random.choose(&[0.0, 1.0, known, known + 1.0, known - 1.0]).unwrap_or(1.0);
        environment.options.suggest(name, Scalar::Float(value));
    }
    environment
}

fn stand_in(functions: Functions, name: &str) -> Functions {
    let first = |arguments: &[Argument]| arguments.iter().find_map(|argument| argument.dims().map(<[u64]>::to_vec));
    let replacing = format!("{name}.replaced");
    let functions = match functions.has_shape(name) {
        true => functions,
        false => {
            let is_start = name.contains("start");
            functions.shape(name, move |_, arguments| {
                let dims = first(arguments).unwrap_or_else(|| vec![1; 4]);
                Some(if is_start { vec![0; dims.len()] } else { dims })
            })
        }
    };
    let functions = functions.constrain(name, |_, _| Some(true));
    functions.replace(name, move |subject| {
        let inputs = (0..subject.inputs.len()).map(NewSource::Input).collect();
        let node = NewNode { op: replacing.clone(), inputs, output: subject.output.clone(), elements: None };
        Some(Replaced { nodes: vec![node], result: NewSource::Node(0) })
    })
}
