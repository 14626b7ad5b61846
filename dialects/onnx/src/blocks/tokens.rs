//! What statements have in common, as numbers: two runs with the same are probably the same but for their tensors.

use super::Part;
use super::facts::Facts;
use crate::translate::target_names;
use skriptnd_syntax::build::{Computation, Expression, Invocation, Statement};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How much has to agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// Operators, types of elements and numbers of dimensions.
    Form,
    /// Extents and numbers, too.
    Values,
}

/// The statements of a graph as numbers.
#[derive(Debug)]
pub(super) struct Tokens {
    forms: Vec<u64>,
    values: Vec<u64>,
    /// Which statements give what a statement reads, in the order in which it is read.
    givers: Vec<Vec<Option<usize>>>,
}

impl Tokens {
    /// Those of statements.
    pub fn of(parts: &[Part], facts: &Facts) -> Tokens {
        let mut tokens = Tokens { forms: Vec::new(), values: Vec::new(), givers: Vec::new() };
        let mut given: HashMap<&str, usize> = HashMap::new();
        for (at, Part { statement, .. }) in parts.iter().enumerate() {
            let mut givers = Vec::new();
            if let Computation::Invocation(invocation) = &statement.value {
                operand_names(&invocation.operands, &mut |name| givers.push(given.get(name).copied()));
            }
            tokens.givers.push(givers);
            tokens.forms.push(token(statement, at, facts, Likeness::Form));
            tokens.values.push(token(statement, at, facts, Likeness::Values));
            given.extend(statement.targets.iter().flat_map(target_names).map(|name| (name, at)));
        }
        tokens
    }

    /// What the statements have in common that are alike.
    pub fn forms(&self) -> &[u64] {
        &self.forms
    }

    /// What a run of statements has in common with those that are like it, which use their own results in the same way.
    pub fn of_run(&self, begin: usize, end: usize, likeness: Likeness) -> u64 {
        let tokens = if likeness == Likeness::Form { &self.forms } else { &self.values };
        let mut hasher = DefaultHasher::new();
        for (token, givers) in tokens[begin..end].iter().zip(&self.givers[begin..end]) {
            token.hash(&mut hasher);
            for giver in givers {
                giver.filter(|giver| *giver >= begin).map(|giver| giver - begin).hash(&mut hasher);
            }
        }
        hasher.finish()
    }
}

fn operand_names<'e>(operands: &'e [Expression], told: &mut impl FnMut(&'e str)) {
    for operand in operands {
        match operand {
            Expression::Name(name) => told(name),
            Expression::List(items) => operand_names(items, told),
            _ => {}
        }
    }
}

fn token(statement: &Statement, at: usize, facts: &Facts, likeness: Likeness) -> u64 {
    let mut hasher = DefaultHasher::new();
    match &statement.value {
        Computation::Invocation(invocation) => {
            for target in &statement.targets {
                std::mem::discriminant(target).hash(&mut hasher);
                target_names(target).into_iter().for_each(|name| tensor(name, facts, likeness, &mut hasher));
            }
            invoked(invocation, facts, likeness, &mut hasher);
        }
        // Blocks have none of the others.
        _ => at.hash(&mut hasher),
    }
    hasher.finish()
}

fn invoked(invocation: &Invocation, facts: &Facts, likeness: Likeness, hasher: &mut DefaultHasher) {
    (&invocation.operator, &invocation.dtypes).hash(hasher);
    for (name, value) in &invocation.attributes {
        name.hash(hasher);
        expression(value, facts, likeness, hasher);
    }
    invocation.operands.iter().for_each(|operand| expression(operand, facts, likeness, hasher));
}

fn tensor(name: &str, facts: &Facts, likeness: Likeness, hasher: &mut DefaultHasher) {
    let Some(found) = facts.type_of(name) else { return };
    (found.element, found.extents.len()).hash(hasher);
    if likeness == Likeness::Values {
        found.extents.iter().for_each(|extent| written(extent, hasher));
    }
}

/// Hashes an expression as it would be written.
fn written(value: &Expression, hasher: &mut DefaultHasher) {
    format!("{value:?}").hash(hasher);
}

fn expression(value: &Expression, facts: &Facts, likeness: Likeness, hasher: &mut DefaultHasher) {
    match value {
        Expression::Name(name) if facts.is_tensor(name) => {
            0u8.hash(hasher);
            tensor(name, facts, likeness, hasher);
        }
        Expression::List(items) => {
            (1u8, items.len()).hash(hasher);
            items.iter().for_each(|item| expression(item, facts, likeness, hasher));
        }
        other if likeness == Likeness::Values => written(other, hasher),
        Expression::Name(_) | Expression::Int(_) | Expression::Binary(..) => 2u8.hash(hasher),
        Expression::Real(_) => 3u8.hash(hasher),
        other => written(other, hasher),
    }
}
