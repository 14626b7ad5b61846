//! A graph: its inputs, variables and outputs, and its operations in their order.

use super::checked::{Read, Requirement};
use super::loops::first_of_loop;
use super::ports::{slots, unshaped};
use super::writer::{Writer, element, type_of};
use super::{Notes, Variable};
use crate::call::operator_path;
use crate::generated::discardable::StorageAttribute;
use crate::generated::operations::{
    ArrangeOp, AssertOp, ConstantOp, ExtentOp, GraphOp, IfOp, ItemsOp, KeepOp, LoopOp, PackOp, ReturnOp, ShapedOp,
    UpdateOp, VariableOp, YieldOp,
};
use crate::lowering::limits::Limits;
use crate::report::report;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{BlockRef, OperationRef, Value, attributes, block_arguments, block_operations};
use skriptnd_syntax::build::{self, Computation, Expression, Extent, Port, Statement, Target};

/// A graph that was written.
pub(super) struct Written {
    pub graph: build::Graph,
    pub variables: Vec<Variable>,
    /// How tensors are stored, by their names.
    pub storage: Vec<(String, String)>,
    /// What it asserts, as it is read from the text.
    pub asserted: Vec<Requirement>,
}

impl Writer {
    /// Writes a graph.
    pub(super) fn graph<'c: 'a, 'a>(
        mut self,
        graph: GraphOp<'c, 'a>,
        notes: &Notes,
        read: Option<&Read>,
        requirements: &[Requirement],
    ) -> Result<Written, Failure> {
        self.graph.name = graph.sym_name()?.to_owned();
        self.limits = Limits::declared(graph.operation());
        let block = graph.body()?.first_block().ok_or("has no body")?;
        let last = block_operations(block).last().and_then(ReturnOp::new).ok_or("returns nothing")?;
        let inputs = slots(block_arguments(block).collect(), graph.arg_attrs());
        let outputs = slots(last.outputs().into_iter().map(unshaped).collect(), graph.res_attrs());
        let empty = notes.empty_inputs.iter().chain(&notes.empty_outputs).map(|pack| &pack.name);
        for name in inputs.iter().chain(&outputs).map(|slot| &slot.name).chain(empty) {
            self.names.take(name);
        }
        inputs.iter().try_for_each(|slot| self.input(slot))?;
        self.empty(&notes.empty_inputs, true)?;
        if let Some(read) = read {
            self.scoped.clone_from(&read.names);
            let is_read = |own: &&Requirement| {
                let renamed = self.renamed(own);
                read.requirements.iter().any(|known| known == *own || known.is_like(&renamed))
            };
            self.requirements = requirements.iter().filter(|own| !is_read(own)).cloned().collect();
        }
        self.variables(block)?;
        self.want(&outputs, block);
        let mut statements = self.statements(block)?;
        for slot in &outputs {
            self.output(slot, &mut statements)?;
        }
        for port in self.empty(&notes.empty_outputs, false)? {
            let nothing = Computation::Expression(Expression::List(Vec::new()));
            statements.push(Statement::new(vec![Target::Name(port)], nothing));
        }
        self.graph.statements = statements;
        self.notes(notes, graph.operation())?;
        let rest = std::mem::take(&mut self.requirements);
        rest.iter().try_for_each(|requirement| self.requirement(requirement))?;
        let asserted = rest.iter().map(|requirement| self.renamed(requirement)).collect();
        Ok(Written { graph: self.graph, variables: self.variables, storage: self.storage, asserted })
    }

    /// A requirement as it is read from the text, if inputs tell its symbols.
    fn renamed(&self, requirement: &Requirement) -> Requirement {
        let renamed = |text: &String| {
            let known = text.parse().ok().and_then(|expr| self.known(&expr).ok());
            known.map_or_else(|| text.clone(), |expr| expr.to_string())
        };
        Requirement {
            condition: renamed(&requirement.condition),
            message: requirement.message.clone(),
            values: requirement.values.iter().map(renamed).collect(),
        }
    }

    /// The variables, wherever they are read.
    fn variables<'c: 'a, 'a>(&mut self, block: BlockRef<'c, 'a>) -> Result<(), Failure> {
        for variable in block_operations(block).flat_map(skriptnd_mlir::ir::walk).filter_map(VariableOp::new) {
            let (label, output) = (variable.label()?.to_owned(), variable.output()?);
            if let Some(name) = self.labels.get(&label) {
                let name = name.clone();
                self.define(output, Expression::Name(name));
                continue;
            }
            let own =
                label.strip_prefix("main.").and_then(|rest| rest.strip_prefix(&self.graph.name)?.strip_prefix('.'));
            let own = own.or_else(|| label.strip_prefix("main.")).unwrap_or(&label);
            let name = self.names.fresh(own);
            let ty = type_of(output)?;
            let extents = ty.shape.iter().map(|extent| Ok(Extent::Known(self.extent(&extent.value)?, None)));
            let extents = extents.collect::<Result<_, Failure>>()?;
            self.graph.variables.push(Port { name: name.clone(), element: element(ty.dtype)?, extents });
            let storage = variable.operation().get_string(StorageAttribute::NAME);
            self.storage.extend(storage.map(|storage| (name.clone(), storage.to_owned())));
            self.define(output, Expression::Name(name.clone()));
            self.called.insert(own.to_owned(), name.clone());
            self.labels.insert(label.clone(), name.clone());
            self.variables.push(Variable { name, label });
        }
        Ok(())
    }

    /// The statements of a block.
    pub(super) fn statements<'c: 'a, 'a>(&mut self, block: BlockRef<'c, 'a>) -> Result<Vec<Statement>, Failure> {
        let mut statements = Vec::new();
        for operation in block_operations(block) {
            let written = self.operation(operation, &mut statements);
            report(operation, written)?;
        }
        Ok(statements)
    }

    fn operation<'c: 'a, 'a>(
        &mut self,
        operation: OperationRef<'c, 'a>,
        statements: &mut Vec<Statement>,
    ) -> Result<(), Failure> {
        if let Some((value, first)) = first_of_loop(operation)? {
            self.define(value, first);
        } else if let Some(path) = operator_path(operation.full_name()) {
            statements.extend(self.operator(operation, path)?);
        } else if let Some(branch) = IfOp::new(operation) {
            statements.push(self.branch(branch)?);
        } else if let Some(repeated) = LoopOp::new(operation) {
            statements.push(self.repetition(repeated)?);
        } else if let Some(constant) = ConstantOp::new(operation) {
            self.constant_tensor(constant)?;
        } else if let Some(update) = UpdateOp::new(operation) {
            self.update(update)?;
        } else if let Some(shaped) = ShapedOp::new(operation) {
            self.shaped(shaped)?;
        } else if let Some(items) = ItemsOp::new(operation) {
            let Expression::Name(name) = self.value(items.whole()?)? else {
                return Err("takes a pack without a name".into());
            };
            let length = type_of(items.whole()?)?.shape.first().map(|extent| extent.value.clone());
            self.define_pack(&name, &items.items(), true, length);
        } else if let Some(pack) = PackOp::new(operation) {
            let length = type_of(pack.whole()?)?.shape.first().map(|extent| extent.value.to_string());
            let whole = self.pack(&pack.items(), length.as_deref())?;
            self.define(pack.whole()?, whole);
        } else if let Some(arranged) = ArrangeOp::new(operation) {
            self.arranged(arranged)?;
        } else if let Some(extent) = ExtentOp::new(operation) {
            self.told(extent)?;
        } else if !is_silent(operation) {
            return Err("has no form in the language".into());
        }
        Ok(())
    }

    fn update(&mut self, update: UpdateOp<'_, '_>) -> Result<(), Failure> {
        let label = update.label()?;
        if self.given_away.contains(label) {
            // The definition of the operator says so.
            let made = update.value()?.defining_operation();
            let is_own = |operand: Value<'_, '_>| {
                let variable = operand.defining_operation().and_then(VariableOp::new);
                variable.is_some_and(|variable| variable.label().is_ok_and(|own| own == label))
            };
            return match made.is_some_and(|made| made.operands().into_iter().any(is_own)) {
                true => Ok(()),
                false => Err(format!("updates '{label}', which is a variable of an operator").into()),
            };
        }
        let name = self.labels.get(label).cloned().ok_or_else(|| format!("updates '{label}', which is no variable"))?;
        let value = self.value(update.value()?)?;
        self.graph.updates.push((name, value));
        Ok(())
    }

    /// A tensor whose extents have other names is the same in the text.
    fn shaped(&mut self, shaped: ShapedOp<'_, '_>) -> Result<(), Failure> {
        let (input, output) = (shaped.input()?, shaped.output()?);
        let value = self.value(input)?;
        if let Expression::Name(name) = &value {
            self.learn(output, name);
        }
        self.define(output, value);
        Ok(())
    }

    /// A pack that is put together of others.
    fn arranged(&mut self, arranged: ArrangeOp<'_, '_>) -> Result<(), Failure> {
        let items = arranged.items();
        let mut rest = items.as_slice();
        let mut parts = Vec::new();
        let lengths = arranged.lengths()?.into_iter().map(|text| attributes::as_string(text).unwrap_or_default());
        for (count, length) in arranged.parts()?.into_iter().zip(lengths) {
            let split = usize::try_from(count).ok().and_then(|count| rest.split_at_checked(count));
            let (part, others) = split.ok_or("has other operands than parts")?;
            match part {
                [single] if length == "1" => parts.push(self.value(*single)?.text()),
                part => parts.push(format!("{}..", self.pack(part, Some(length))?.text())),
            }
            rest = others;
        }
        self.define_whole(Expression::Name(format!("[{}]", parts.join(", "))), &arranged.arranged(), true, None);
        Ok(())
    }

    /// An extent that data determine is what its expression says.
    fn told(&mut self, extent: ExtentOp<'_, '_>) -> Result<(), Failure> {
        let text = extent.value()?;
        let value: SymExpr = text.parse().map_err(|()| format!("has `{text}`, which is no extent"))?;
        let known = self.known(&value)?;
        self.symbols.entry(extent.symbol()?.into()).or_insert(known);
        Ok(())
    }
}

/// Whether the text has nothing of an operation: what uses values only, and what operators require themselves.
fn is_silent(operation: OperationRef<'_, '_>) -> bool {
    [ReturnOp::NAME, YieldOp::NAME, KeepOp::NAME, VariableOp::NAME, AssertOp::NAME].contains(&operation.full_name())
}
