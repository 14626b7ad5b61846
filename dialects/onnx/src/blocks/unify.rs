//! One operator for runs of statements that are the same but for tensors, extents and numbers.

mod interface;

use super::Part;
use super::facts::Facts;
use super::names::Naming;
use super::symbols::Forms;
use interface::Interface;
use skriptnd_syntax::build::{Computation, Expression, Invocation, Operator, Statement, Target};

/// An operator, which has no name yet, and its application in the place of each run.
#[derive(Debug)]
pub(super) struct Block {
    pub operator: Operator,
    pub calls: Vec<Statement>,
}

/// The operator for runs of statements, if there is one.
pub(super) fn unified(runs: &[&[Part]], facts: &Facts, naming: &Naming<'_>) -> Option<Block> {
    let length = runs.first()?.len();
    if runs.iter().any(|run| run.len() != length) {
        return None;
    }
    let mut interface = Interface::of(runs, facts, naming)?;
    let statements: Option<Vec<Statement>> =
        (0..length).map(|at| statement(&statements_at(runs, at), &mut interface, naming)).collect();
    let outputs = interface.outputs()?;
    let constants = interface.constants()?;
    let operator = Operator {
        name: String::new(),
        attributes: interface.symbols.attributes().map(|(attribute, _)| attribute).collect(),
        inputs: interface.inputs.iter().map(|input| input.port.clone()).collect(),
        outputs: outputs.iter().map(|output| output.port.clone()).collect(),
        constants,
        statements: statements?,
    };
    let calls = (0..runs.len()).map(|run| {
        let target = |output: &interface::Output| match &output.names[run] {
            Some(name) => Target::Name(name.clone()),
            None => Target::Ignored,
        };
        let invocation = Invocation {
            label: naming.labels.get(run).cloned(),
            operator: String::new(),
            dtypes: Vec::new(),
            attributes: interface.symbols.attributes().map(|(known, forms)| (known.name, forms[run].clone())).collect(),
            operands: interface.inputs.iter().map(|input| Expression::name(&input.tensors[run])).collect(),
        };
        Statement::new(outputs.iter().map(target).collect(), Computation::Invocation(invocation))
    });
    let calls = calls.collect();
    Some(Block { operator, calls })
}

/// The statements with a number, one of each run.
fn statements_at<'p>(runs: &[&'p [Part]], at: usize) -> Vec<&'p Statement> {
    runs.iter().map(|run| &run[at].statement).collect()
}

/// The application of each statement, where all are of the same operator.
pub(super) fn invocations<'s>(statements: &[&'s Statement]) -> Option<Vec<&'s Invocation>> {
    let invocation = |statement: &&'s Statement| match &statement.value {
        Computation::Invocation(invocation) => Some(invocation),
        _ => None,
    };
    let found: Vec<&Invocation> = statements.iter().map(invocation).collect::<Option<_>>()?;
    let first = *found.first()?;
    let is_same = |other: &&Invocation| {
        let names = other.attributes.iter().map(|(name, _)| name);
        other.operator == first.operator
            && other.dtypes == first.dtypes
            && other.operands.len() == first.operands.len()
            && names.eq(first.attributes.iter().map(|(name, _)| name))
    };
    found.iter().all(is_same).then_some(found)
}

fn statement(statements: &[&Statement], interface: &mut Interface<'_>, naming: &Naming<'_>) -> Option<Statement> {
    let invocations = invocations(statements)?;
    let first = invocations[0];
    let mut attributes = Vec::new();
    for (at, (name, _)) in first.attributes.iter().enumerate() {
        let forms: Vec<&Expression> = invocations.iter().map(|other| &other.attributes[at].1).collect();
        attributes.push((name.clone(), interface.symbols.value(&forms, name, &mut interface.names)?));
    }
    let operands = (0..first.operands.len()).map(|at| {
        let forms: Vec<&Expression> = invocations.iter().map(|other| &other.operands[at]).collect();
        operand(&forms, interface)
    });
    let invocation = Invocation {
        label: first.label.as_deref().map(|label| naming.within(label).to_owned()),
        operator: first.operator.clone(),
        dtypes: first.dtypes.clone(),
        operands: operands.collect::<Option<_>>()?,
        attributes,
    };
    let targets = statements[0].targets.iter().map(|target| interface.target(target)).collect::<Option<_>>()?;
    Some(Statement::new(targets, Computation::Invocation(invocation)))
}

fn operand(forms: &Forms<'_>, interface: &mut Interface<'_>) -> Option<Expression> {
    if let Expression::List(items) = forms[0] {
        let item = |at: usize| {
            let items = forms.iter().map(|form| match form {
                Expression::List(others) if others.len() == items.len() => others.get(at),
                _ => None,
            });
            operand(&items.collect::<Option<Vec<_>>>()?, interface)
        };
        return (0..items.len()).map(item).collect::<Option<_>>().map(Expression::List);
    }
    match interface.tensor(forms) {
        Some(name) => Some(Expression::Name(name?)),
        None => interface.symbols.value(forms, "value", &mut interface.names),
    }
}
