//! How near one node comes to a rule.

use super::{Miss, Reached};
use crate::apply::{Bindings, Environment, Evaluation, Graph, Scalar, undefined_part};
use crate::dialect::{self, encoding};
use crate::engine::graph::{IrGraph, has_types};
use crate::explain::condition;
use crate::grammar::model::*;
use crate::grammar::root_outputs;
use skriptnd_mlir::diagnostics::Position;
use skriptnd_mlir::ir::{OperationRef, Value};
use skriptnd_source::Span;

/// Where a node departs from a rule.
struct Departure<'c, 'a> {
    reached: Reached,
    reason: String,
    span: Span,
    node: OperationRef<'c, 'a>,
}

/// Where a node that has the name of a rule's root departs from the rule.
pub fn examine<'c: 'a, 'a>(rule: &Rule, root: OperationRef<'c, 'a>, environment: &Environment) -> Miss {
    let mut matching = Matching { rule, tags: Vec::new(), parts: 0 };
    let departure = matching
        .op(&rule.pattern, root)
        .and_then(|()| holds(rule, root, &matching.tags, environment))
        .and_then(|()| is_defined(rule, root, &matching.tags, environment));
    let departure = departure.err().unwrap_or_else(|| Departure {
        reached: Reached::Turn,
        reason: "another rule of the pass goes first".to_owned(),
        span: rule.span,
        node: root,
    });
    let Departure { reached, reason, span, node } = departure;
    Miss { rule: 0, reached, reason, span, position: Position::of(node.location()) }
}

struct Matching<'r, 'c, 'a> {
    rule: &'r Rule,
    tags: Vec<(&'r str, Value<'c, 'a>)>,
    /// Parts of the match that are there.
    parts: usize,
}

type Outcome<'c, 'a> = Result<(), Departure<'c, 'a>>;

impl<'r, 'c: 'a, 'a> Matching<'r, 'c, 'a> {
    fn departs(&self, node: OperationRef<'c, 'a>, span: Span, reason: String) -> Outcome<'c, 'a> {
        Err(Departure { reached: Reached::Match(self.parts), reason, span, node })
    }

    fn op(&mut self, pattern: &'r MatchOp, node: OperationRef<'c, 'a>) -> Outcome<'c, 'a> {
        let (wanted, found) = (pattern.operands.len(), node.operand_count());
        let name = pattern.name.qualified(&self.rule.package);
        if found < wanted || (found > wanted && !pattern.open) {
            let least = if pattern.open { " or more" } else { "" };
            let reason = format!("this `{name}` has {found} operands, and the rule wants {wanted}{least}");
            return self.departs(node, pattern.span, reason);
        }
        let is_root = std::ptr::eq(pattern, &self.rule.pattern);
        let results = node.result_count();
        if results != 1 && !(is_root && Some(results) == root_outputs(self.rule)) {
            let reason = format!("this `{name}` has {results} results, and a match is of ops of one");
            return self.departs(node, pattern.span, reason);
        }
        let Ok(result) = node.result(0) else { return Ok(()) };
        match encoding::output_def(result.r#type()) {
            Some(def) if def.encoding.dtype() != DType::Unknown => {}
            _ => {
                let reason = format!(
                    "the result of this `{name}` is no tensor of a static shape and a DType: {}",
                    result.r#type()
                );
                return self.departs(node, pattern.span, reason);
            }
        }
        self.parts += 1;
        if let Some(tag) = &pattern.tag {
            self.bind(tag, result, node, pattern.span)?;
        }
        for (index, (operand, value)) in pattern.operands.iter().zip(node.operands().collect::<Vec<_>>()).enumerate() {
            match operand {
                MatchOperand::Tag(tag, span) => self.bind(tag, value, node, *span)?,
                MatchOperand::Op(inner) => self.operand(inner, index, value, node)?,
            }
        }
        Ok(())
    }

    fn operand(
        &mut self,
        inner: &'r MatchOp,
        index: usize,
        value: Value<'c, 'a>,
        user: OperationRef<'c, 'a>,
    ) -> Outcome<'c, 'a> {
        let wanted = inner.name.qualified(&self.rule.package);
        let name = dialect::qualified_name(user.full_name());
        let Some(definition) = value.defining_operation() else {
            let reason = format!("operand {index} of `{name}` is an input of the graph, and the rule wants `{wanted}`");
            return self.departs(user, inner.span, reason);
        };
        let found = dialect::qualified_name(definition.full_name());
        if found != wanted {
            let reason = format!("operand {index} of `{name}` is `{found}`, and the rule wants `{wanted}`");
            return self.departs(definition, inner.span, reason);
        }
        self.op(inner, definition)
    }

    fn bind(&mut self, tag: &'r str, value: Value<'c, 'a>, node: OperationRef<'c, 'a>, span: Span) -> Outcome<'c, 'a> {
        match self.tags.iter().find(|(known, _)| *known == tag) {
            Some((_, bound)) if *bound != value => {
                self.departs(node, span, format!("\"{tag}\" is two different nodes, and the rule wants one"))
            }
            Some(_) => Ok(()),
            None => {
                self.tags.push((tag, value));
                self.parts += 1;
                Ok(())
            }
        }
    }
}

fn holds<'c: 'a, 'a>(
    rule: &Rule,
    root: OperationRef<'c, 'a>,
    tags: &[(&str, Value<'c, 'a>)],
    environment: &Environment,
) -> Outcome<'c, 'a> {
    let departs = |met, span, reason| Err(Departure { reached: Reached::Condition(met), reason, span, node: root });
    if !environment.options.allow(&rule.flags) {
        return departs(
            0,
            rule.pass.span,
            format!("an option is false that the rule wants: {}", rule.flags.join(", ")),
        );
    }
    let Ok(result) = root.result(0) else { return Ok(()) };
    let (graph, bindings) = (IrGraph::default(), Bindings { root: result, tags: tags.to_vec() });
    let evaluation = Evaluation::new(&graph, &bindings, environment);
    if evaluation.holds(&rule.constraint) {
        return Ok(());
    }
    let mut met = 0;
    let failing = failing(&evaluation, &rule.constraint, &mut met);
    let told = condition(rule, failing);
    let reason = match values(&evaluation, failing) {
        Some(values) => format!("`{told}` does not hold: {values}"),
        None if evaluation.evaluate(failing).is_none() => format!("`{told}` is undefined for this node"),
        None => format!("`{told}` does not hold"),
    };
    departs(met, failing.span, reason)
}

/// The first condition that does not hold of those that all must; `met` counts those before it.
fn failing<'e, G: Graph>(evaluation: &Evaluation<'_, G>, condition: &'e Expr, met: &mut usize) -> &'e Expr {
    let ExprKind::Reduce(Reduction::And, operands) = &condition.kind else { return condition };
    for operand in operands {
        if !evaluation.holds(operand) {
            return failing(evaluation, operand, met);
        }
        *met += 1;
    }
    condition
}

/// What the sides of a condition are.
fn values<G: Graph>(evaluation: &Evaluation<'_, G>, condition: &Expr) -> Option<String> {
    match &condition.kind {
        ExprKind::Not(inner) => values(evaluation, inner),
        ExprKind::Compare(_, first, second) => {
            let [first, second] = [first, second].map(|side| evaluation.evaluate(side).map(shown));
            Some(format!("the first is {}, the second {}", first?, second?))
        }
        ExprKind::Same(Sameness::Op, ..) => None,
        ExprKind::Same(sameness, first, second) => {
            let of = |operand| evaluation.graph.output_def(evaluation.operand(operand)?);
            let (first, second) = (of(first)?, of(second)?);
            Some(match sameness {
                Sameness::Shape => format!("{:?} and {:?}", first.dims, second.dims),
                _ => format!("{} and {}", first.encoding, second.encoding),
            })
        }
        _ => None,
    }
}

fn shown(value: Scalar) -> String {
    match value {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Size(value) => value.to_string(),
        Scalar::Float(value) => format!("{value:?}"),
        Scalar::DType(tag) => tag.to_string(),
    }
}

fn is_defined<'c: 'a, 'a>(
    rule: &Rule,
    root: OperationRef<'c, 'a>,
    tags: &[(&str, Value<'c, 'a>)],
    environment: &Environment,
) -> Outcome<'c, 'a> {
    let departs = |span, reason| Err(Departure { reached: Reached::Replacement, reason, span, node: root });
    let Ok(result) = root.result(0) else { return Ok(()) };
    let (graph, bindings) = (IrGraph::default(), Bindings { root: result, tags: tags.to_vec() });
    let given = (&rule.replacement, rule.package.as_str());
    if let Some(undefined) = undefined_part(given.0, given.1, &graph, &bindings, environment) {
        return departs(undefined.span, format!("the replacement is undefined for this node: {}", undefined.reason));
    }
    let plan = crate::apply::plan_replacement(given.0, given.1, &graph, &bindings, environment);
    match plan.is_some_and(|plan| has_types(root.context(), &plan)) {
        true => Ok(()),
        false => departs(rule.replacement.span, "the replacement has a type that MLIR has not".to_owned()),
    }
}
