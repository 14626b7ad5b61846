//! The composition of one definition: constants, variables, statements, results, updates.

use super::{Builder, Context};
use crate::compose::binding::Binding;
use crate::compose::constants;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::graph::{Graph, Origin, Port};
use crate::compose::infer::declared_types;
use crate::compose::session::{Definition, Session};
use crate::compose::tensors::{Argument, TensorId, TensorType};
use crate::compose::tensors::{FormalId, TermTensor};
use crate::compose::term::Term;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_syntax::ast::{OperatorKind, Param};
use std::collections::HashMap;
use std::rc::Rc;

/// The composition of one operator as a graph of its own. It may be invoked from several places: chains of invocations
/// begin at it. With the number of operations that it is composed of, all the way down.
pub(crate) fn compose_operator<'a>(
    session: &Session<'a>,
    definition: &Rc<Definition<'a>>,
    binding: &Binding,
) -> (Option<(Graph, u64)>, Diagnostics) {
    let mut builder = Builder::new(session);
    let mut cx = Context {
        definition: definition.clone(),
        env: binding.env.clone(),
        scope: String::new(),
        files: definition.path.to_string(),
        chain: Vec::new(),
        updating: false,
    };
    let inputs = builder.declare_inputs(&mut cx, binding);
    let outputs = builder.compose_definition(&mut cx, binding.outputs.as_deref());
    let names = definition.operator.outputs.iter().map(|param| param.name.text.to_string());
    let failed = builder.diagnostics.has_errors();
    let Some(outputs) = outputs.filter(|_| !failed) else { return (None, builder.diagnostics) };
    let ports = names.zip(outputs).map(|(name, tensors)| Port { name, tensors }).collect();
    let count = builder.inner_operations;
    let (graph, diagnostics) = builder.finish(definition.operator.name.text.to_string(), [inputs, ports], &[]);
    (Some((graph, count)), diagnostics)
}

impl<'a> Builder<'_, 'a> {
    /// The inputs of an operator that is composed on its own.
    fn declare_inputs(&mut self, cx: &mut Context<'a>, binding: &Binding) -> Vec<Port> {
        let operator = cx.definition.operator;
        let mut ports = Vec::with_capacity(operator.inputs.len());
        let mut known = HashMap::new();
        for (at, param) in operator.inputs.iter().enumerate() {
            let default = binding.defaults.iter().find(|default| default.input == at);
            let argument = match default {
                Some(default) => {
                    default.tensors.map(|(ty, value)| self.add(ty.clone(), Origin::Constant(value.clone()), param.span))
                }
                None => self.input_tensors(cx.env.get(&param.name.text), binding, &mut known, param.span),
            };
            self.name_argument(&argument, &param.name.text);
            self.note_length(&argument, binding.input_lengths.get(at).and_then(Option::as_ref));
            cx.env.set(&param.name.text, Term::of_tensors(&argument));
            // An input that takes its default has no tensors to be given.
            let tensors = if default.is_none() { argument } else { Argument::Null };
            ports.push(Port { name: param.name.text.to_string(), tensors });
        }
        ports
    }

    /// The tensors of a given input, of which some may be those of inputs before it.
    fn input_tensors(
        &mut self,
        given: Option<&Term>,
        binding: &Binding,
        known: &mut HashMap<FormalId, TensorId>,
        span: Span,
    ) -> Argument {
        let given = given.and_then(|term| term.tensors(TermTensor::formal)).unwrap_or(Argument::Null);
        given.map(|id| {
            *known.entry(*id).or_insert_with(|| {
                let ty = binding.types[*id].clone();
                self.add(ty, Origin::Input { default: None }, span)
            })
        })
    }

    /// Composes what a definition says, where its attributes, extents, helper symbols and inputs are in `cx`.
    pub(super) fn compose_definition(
        &mut self,
        cx: &mut Context<'a>,
        declared: Option<&[Argument<TensorType>]>,
    ) -> Option<Vec<Argument>> {
        let definition = cx.definition.clone();
        let operator = definition.operator;
        self.declare_locals(cx);
        let Some(components) = &operator.components else {
            if !operator.outputs.is_empty() {
                self.report(cx, say::composition_missing(&definition.path, operator.name.span));
                return None;
            }
            self.conclude(cx);
            return Some(Vec::new());
        };
        for component in components {
            self.statement(cx, component, definition.info.passes_scope);
        }
        let outputs = self.results(cx, declared);
        self.conclude(cx);
        outputs
    }

    /// Constants and variables.
    pub(super) fn declare_locals(&mut self, cx: &mut Context<'a>) {
        self.declare_constants(cx);
        for param in &cx.definition.operator.variables {
            self.declare_variable(cx, param);
        }
    }

    /// What follows the computation of the outputs: `@update` and `@quantize`.
    pub(super) fn conclude(&mut self, cx: &mut Context<'a>) {
        let operator = cx.definition.operator;
        if !operator.updates.is_empty() {
            let known = self.updates.len();
            let (operations, _) = self.region(|builder| {
                builder.update_depth += 1;
                cx.updating = true;
                operator.updates.iter().for_each(|component| builder.statement(cx, component, false));
                cx.updating = false;
                builder.update_depth -= 1;
                Some(())
            });
            if self.dynamic_depth > 0 && self.updates.len() > known {
                self.report(cx, say::update_in_region(cx.chain.first(), operator.updates[0].span));
            }
            let within =
                if self.update_depth + self.branch_depth > 0 { &mut self.operations } else { &mut self.update };
            within.extend(operations);
        }
        for quantization in &operator.quantizations {
            self.quantize(cx, quantization);
        }
    }

    fn declare_constants(&mut self, cx: &mut Context<'a>) {
        let operator = cx.definition.operator;
        let bounds = self.session.bounds.borrow();
        let declared = constants::declared(operator, &cx.env, &self.tensors, &bounds);
        drop(bounds);
        let Some(declared) = self.check(cx, declared) else {
            operator.constants.iter().for_each(|param| cx.env.set(&param.name.text, Term::Unknown));
            return;
        };
        for ((name, constant), param) in declared.iter().zip(&operator.constants) {
            let argument =
                constant.map(|(ty, value)| self.add(ty.clone(), Origin::Constant(value.clone()), param.span));
            self.name_argument(&argument, &super::nested(&cx.scope, name));
            cx.env.set(name, Term::of_tensors(&argument));
        }
    }

    fn declare_variable(&mut self, cx: &mut Context<'a>, param: &Param) {
        if param.value.is_some() {
            self.report(cx, say::variable_with_value(param));
        }
        let bounds = self.session.bounds.borrow();
        let types = declared_types(&Evaluator::new(&cx.env, &self.tensors), param, &bounds, param.span);
        drop(bounds);
        let Some(types) = self.check(cx, types) else {
            cx.env.set(&param.name.text, Term::Unknown);
            return;
        };
        let file = super::nested(&cx.files, &param.name.text);
        let argument = match self.files.get(&file).cloned() {
            Some(known) if self.is_shared(cx, &known, &types) => known,
            Some(known) => {
                self.report_shared_file(cx, param, &file, &known);
                cx.env.set(&param.name.text, Term::Unknown);
                return;
            }
            None => self.add_variable(cx, param, &types, &file),
        };
        cx.env.set(&param.name.text, Term::of_tensors(&argument));
    }

    /// Another variable has the file: what leads to this one needs a label.
    fn report_shared_file(&mut self, cx: &Context<'a>, param: &Param, file: &str, known: &Argument) {
        let types = known.items().first().map(|id| self.ty(*id).clone());
        let graph = cx.definition.operator.kind == OperatorKind::Graph;
        let invocation = cx.chain.first().map(|frame| frame.span);
        // Where one variable of an invocation has another's file, so have the others.
        if invocation.is_some_and(|span| self.conflicting.contains(&span)) {
            return;
        }
        invocation.into_iter().for_each(|span| self.conflicting.insert(span, ()));
        let mut diagnostic = say::variable_twice(file, param, invocation, types.as_ref().filter(|_| graph));
        diagnostic.chain = cx.chain.iter().skip(1).cloned().collect();
        self.diagnostics.push(diagnostic);
    }

    /// The variables of a sub-graph that is invoked more than once are the same.
    fn is_shared(&self, cx: &Context<'a>, known: &Argument, types: &Argument<TensorType>) -> bool {
        let graph = cx.definition.operator.kind == OperatorKind::Graph;
        graph && known.map(|id| self.ty(*id).clone()) == *types
    }

    fn add_variable(&mut self, cx: &Context<'a>, param: &Param, types: &Argument<TensorType>, file: &str) -> Argument {
        let single = matches!(types, Argument::Single(_));
        let mut number = 0;
        let argument = types.map(|ty| {
            let file = if single { file.to_owned() } else { format!("{file}.{number}") };
            number += 1;
            let id = self.add(ty.clone(), Origin::Variable { file }, param.span);
            self.variables.push(id);
            id
        });
        self.name_argument(&argument, &super::nested(&cx.scope, &param.name.text));
        self.files.insert(file.to_owned(), argument.clone());
        argument
    }
}
