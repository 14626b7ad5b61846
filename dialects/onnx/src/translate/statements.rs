//! Statements of the text: which names they give and read, which of them are needed, and other names for them.

use skriptnd_syntax::build::{Block, Computation, Condition, Expression, Extent, Invocation, Port, Statement, Target};
use std::collections::HashSet;

pub(super) mod rename {
    //! Another name for what a statement gives, also where it is read.

    use super::{Block, Computation, Condition, Expression, Extent, Invocation, Statement, Target};

    pub(in crate::translate) fn statement(statement: &mut Statement, from: &str, to: &str) {
        for target in &mut statement.targets {
            match target {
                Target::Name(name) => replace(name, from, to),
                Target::Typed(port) => replace(&mut port.name, from, to),
                Target::Items(name, length) => {
                    replace(name, from, to);
                    expression(length, from, to);
                }
                Target::Pack(names) => names.iter_mut().for_each(|name| replace(name, from, to)),
                Target::Ignored => {}
            }
        }
        match &mut statement.value {
            Computation::Invocation(invocation) => invoked(invocation, from, to),
            Computation::Expression(value) => expression(value, from, to),
            Computation::Branch(condition, then, otherwise) => {
                expression(condition, from, to);
                block(then, from, to);
                block(otherwise, from, to);
            }
            Computation::Loop(repeated) => {
                for carried in &mut repeated.carried {
                    expression(&mut carried.first, from, to);
                    carried.port.extents.iter_mut().for_each(|extent| match extent {
                        Extent::Known(value, _) | Extent::Found(value) => expression(value, from, to),
                    });
                }
                repeated.items.iter_mut().for_each(|(_, pack)| expression(pack, from, to));
                if let Some(Condition::Expression(condition)) = &mut repeated.condition {
                    expression(condition, from, to);
                }
                repeated.count.iter_mut().for_each(|value| expression(value, from, to));
                block(&mut repeated.body, from, to);
            }
        }
    }

    fn block(block: &mut Block, from: &str, to: &str) {
        block.statements.iter_mut().for_each(|inner| statement(inner, from, to));
        block.results.iter_mut().for_each(|result| expression(result, from, to));
    }

    fn invoked(invocation: &mut Invocation, from: &str, to: &str) {
        invocation.attributes.iter_mut().for_each(|(_, value)| expression(value, from, to));
        invocation.operands.iter_mut().for_each(|operand| expression(operand, from, to));
    }

    fn expression(value: &mut Expression, from: &str, to: &str) {
        match value {
            Expression::Name(name) => replace(name, from, to),
            Expression::List(items) => items.iter_mut().for_each(|item| expression(item, from, to)),
            Expression::Binary(_, left, right) => {
                expression(left, from, to);
                expression(right, from, to);
            }
            _ => {}
        }
    }

    fn replace(name: &mut String, from: &str, to: &str) {
        if let Some(renamed) = super::renamed(name, from, to) {
            *name = renamed;
        }
    }
}

/// Another name in place of one, or in one with a member such as `x.shape[0]`; none where it is not that one's.
pub(super) fn renamed(name: &str, from: &str, to: &str) -> Option<String> {
    let member = name.strip_prefix(from).filter(|rest| rest.is_empty() || rest.starts_with(['.', '[']))?;
    Some(format!("{to}{member}"))
}

/// The statements that something reads, in their order, with what stands beside them.
pub fn used<T>(statements: Vec<(Statement, T)>, outputs: &[Port]) -> Vec<(Statement, T)> {
    needed(statements, outputs.iter().map(|port| port.name.clone()).collect())
}

/// The statements of a block that what it gives needs.
pub(super) fn used_by(statements: Vec<Statement>, results: &[Expression]) -> Vec<Statement> {
    let mut read = HashSet::new();
    results
        .iter()
        .for_each(|result| reads::of_expression(result, &mut |name| _ = read.insert(base_of(name).to_owned())));
    let kept = needed(statements.into_iter().map(|statement| (statement, ())).collect(), read);
    kept.into_iter().map(|(statement, ())| statement).collect()
}

/// What a name such as `x.shape[0]` is a member of.
fn base_of(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

fn needed<T>(statements: Vec<(Statement, T)>, mut read: HashSet<String>) -> Vec<(Statement, T)> {
    let mut kept = Vec::new();
    for (statement, beside) in statements.into_iter().rev() {
        let is_read = statement.targets.iter().flat_map(target_names).any(|name| read.contains(name));
        if is_read {
            reads::of_statement(&statement, &mut |name| _ = read.insert(base_of(name).to_owned()));
            kept.push((statement, beside));
        }
    }
    kept.reverse();
    kept
}

pub(crate) fn target_names(target: &Target) -> Vec<&str> {
    match target {
        Target::Name(name) => vec![name],
        Target::Typed(port) => vec![&port.name],
        Target::Items(name, _) => vec![name],
        Target::Pack(names) => names.iter().map(String::as_str).collect(),
        Target::Ignored => Vec::new(),
    }
}

pub(crate) mod reads {
    //! The names that statements read.

    use super::{Block, Computation, Condition, Expression, Extent, Port, Statement, Target};

    pub(crate) fn of_statement(statement: &Statement, read: &mut impl FnMut(&str)) {
        statement.targets.iter().for_each(|target| match target {
            Target::Typed(port) => of_port(port, read),
            Target::Items(_, length) => of_expression(length, read),
            Target::Name(_) | Target::Pack(_) | Target::Ignored => {}
        });
        match &statement.value {
            Computation::Invocation(invocation) => {
                invocation.attributes.iter().for_each(|(_, value)| of_expression(value, read));
                invocation.operands.iter().for_each(|operand| of_expression(operand, read));
            }
            Computation::Expression(value) => of_expression(value, read),
            Computation::Branch(condition, then, otherwise) => {
                of_expression(condition, read);
                of_block(then, read);
                of_block(otherwise, read);
            }
            Computation::Loop(repeated) => {
                for carried in &repeated.carried {
                    of_expression(&carried.first, read);
                    of_port(&carried.port, read);
                }
                repeated.items.iter().for_each(|(_, pack)| of_expression(pack, read));
                if let Some(Condition::Expression(condition)) = &repeated.condition {
                    of_expression(condition, read);
                }
                repeated.count.iter().for_each(|value| of_expression(value, read));
                of_block(&repeated.body, read);
            }
        }
    }

    fn of_block(block: &Block, read: &mut impl FnMut(&str)) {
        block.statements.iter().for_each(|statement| of_statement(statement, read));
        block.results.iter().for_each(|result| of_expression(result, read));
    }

    fn of_port(port: &Port, read: &mut impl FnMut(&str)) {
        port.extents.iter().for_each(|extent| match extent {
            Extent::Known(value, _) | Extent::Found(value) => of_expression(value, read),
        });
    }

    pub(in crate::translate) fn of_expression(value: &Expression, read: &mut impl FnMut(&str)) {
        match value {
            Expression::Name(name) => read(name),
            Expression::List(items) => items.iter().for_each(|item| of_expression(item, read)),
            Expression::Binary(_, left, right) => {
                of_expression(left, read);
                of_expression(right, read);
            }
            _ => {}
        }
    }
}
