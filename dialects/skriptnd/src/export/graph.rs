//! A graph: its inputs, variables and outputs, and its operations in their order.

use super::checked::{Declared, Read, Requirement};
use super::writer::{Writer, element, type_of};
use super::{EmptyPack, Notes, Variable};
use crate::call::operator_path;
use crate::generated::discardable::{NameAttribute, PackAttribute, StorageAttribute};
use crate::generated::operations::{
    ArrangeOp, AssertOp, ConstantOp, ExtentOp, GraphOp, IfOp, ItemsOp, KeepOp, LoopOp, PackOp, ReturnOp, ShapedOp,
    UpdateOp, VariableOp, YieldOp,
};
use crate::lowering::limits::Limits;
use crate::report::report;
use skriptnd_language::compose::extent::{Extent as Known, SymExpr};
use skriptnd_language::compose::graph::TensorType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, BlockRef, OperationRef, Value, attributes, block_arguments, block_operations};
use skriptnd_syntax::build::{self, Computation, Expression, Extent, Port, Statement, Target};

/// A graph, its variables, and how its tensors are stored.
type Written = (build::Graph, Vec<Variable>, Vec<(String, String)>);

/// An argument or result, or several that are a pack.
struct Slot<'c, 'a> {
    name: String,
    values: Vec<Value<'c, 'a>>,
    /// Whether they are items of a pack.
    is_pack: bool,
    /// Whether the value is a whole pack.
    is_open: bool,
    storage: Option<String>,
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
        let outputs = slots(last.outputs(), graph.res_attrs());
        let empty = notes.empty_inputs.iter().chain(&notes.empty_outputs).map(|pack| &pack.name);
        for name in inputs.iter().chain(&outputs).map(|slot| &slot.name).chain(empty) {
            self.names.take(name);
        }
        inputs.iter().try_for_each(|slot| self.input(slot))?;
        self.empty(&notes.empty_inputs, true);
        if let Some(read) = read {
            self.scoped.clone_from(&read.names);
            let is_read =
                |own: &&Requirement| read.requirements.contains(own) || read.requirements.contains(&self.renamed(own));
            self.requirements = requirements.iter().filter(|own| !is_read(own)).cloned().collect();
        }
        self.variables(block)?;
        self.want(&outputs, block);
        let mut statements = self.statements(block)?;
        for slot in &outputs {
            self.output(slot, &mut statements)?;
        }
        for port in self.empty(&notes.empty_outputs, false) {
            let nothing = Computation::Expression(Expression::List(Vec::new()));
            statements.push(Statement::new(vec![Target::Name(port)], nothing));
        }
        self.graph.statements = statements;
        self.notes(notes)?;
        let rest = std::mem::take(&mut self.requirements);
        rest.iter().try_for_each(|requirement| self.requirement(requirement))?;
        Ok((self.graph, self.variables, self.storage))
    }

    fn note_storage(&mut self, slot: &Slot<'_, '_>) {
        self.storage.extend(slot.storage.clone().map(|storage| (slot.name.clone(), storage)));
    }

    fn input<'c: 'a, 'a>(&mut self, slot: &Slot<'c, 'a>) -> Result<(), Failure> {
        self.note_storage(slot);
        self.called.insert(slot.name.clone(), slot.name.clone());
        if slot.is_pack {
            self.call_pack(Some(&slot.name), &slot.name, slot.values.len());
        }
        let first = *slot.values.first().ok_or("has an input without a value")?;
        let mut ty = type_of(first)?;
        if slot.is_open {
            let length = ty.shape.remove(0);
            let length = self.declared(&length)?;
            self.graph.packs.push((slot.name.clone(), Some(length)));
            self.define(first, Expression::Name(slot.name.clone()));
            let taken = first.uses().into_iter().find_map(|(user, _)| ItemsOp::new(user));
            self.call_pack(Some(&slot.name), &slot.name, taken.map_or(0, |items| items.items().len()));
        } else if slot.is_pack {
            let length = i64::try_from(slot.values.len()).unwrap_or(i64::MAX);
            self.graph.packs.push((slot.name.clone(), Some(Extent::Known(Expression::Int(length), None))));
            self.define_pack(&slot.name, &slot.values, false, None);
        } else {
            self.define(first, Expression::Name(slot.name.clone()));
        }
        let types = slot.values.iter().map(|value| type_of(*value)).collect::<Result<Vec<_>, _>>()?;
        let extents = match slot.is_pack && types.iter().any(|other| other.shape != ty.shape) {
            true => self.distinct(&types)?,
            false => ty.shape.iter().map(|extent| self.declared(extent)).collect::<Result<_, _>>()?,
        };
        self.graph.inputs.push(Port { name: slot.name.clone(), element: element(ty.dtype)?, extents });
        Ok(())
    }

    /// Declares packs without items among the inputs or the outputs. Gives their names.
    fn empty(&mut self, packs: &[EmptyPack], are_inputs: bool) -> Vec<String> {
        let ports = if are_inputs { &mut self.graph.inputs } else { &mut self.graph.outputs };
        for EmptyPack { at, name, element } in packs {
            let port = Port { name: name.clone(), element: *element, extents: Vec::new() };
            ports.insert((*at).min(ports.len()), port);
            self.graph.packs.push((name.clone(), Some(Extent::Known(Expression::Int(0), None))));
        }
        packs.iter().map(|pack| pack.name.clone()).collect()
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

    /// The extents of a pack's items, each of which has its own.
    fn distinct(&mut self, types: &[TensorType]) -> Result<Vec<Extent>, Failure> {
        let rank = types.first().map_or(0, |ty| ty.shape.len());
        let mut extents = Vec::new();
        for at in 0..rank {
            let own: Option<Vec<&Known>> = types.iter().map(|ty| ty.shape.get(at)).collect();
            let own = own.ok_or("has a pack of tensors of several ranks")?;
            let mut items = Vec::new();
            for extent in &own {
                let Extent::Known(item, None) = self.declared(extent)? else {
                    return Err("has a pack of tensors whose extents differ, and only the run knows them".into());
                };
                items.push(item);
            }
            let is_same = items.iter().all(|item| *item == items[0]);
            let list = || Expression::Name(format!("..{}", Expression::List(items.clone()).text()));
            extents.push(Extent::Known(if is_same { items[0].clone() } else { list() }, None));
        }
        Ok(extents)
    }

    /// An extent of an input; one of a symbol that is new has its bound.
    fn declared(&mut self, extent: &Known) -> Result<Extent, Failure> {
        let new = extent.value.affine().filter(|(symbol, ..)| !self.symbols.contains_key(symbol));
        let Some((symbol, factor, offset)) = new else {
            return Ok(Extent::Known(self.extent(&extent.value)?, None));
        };
        let name = self.names.fresh(&symbol);
        self.symbols.insert(symbol.clone(), SymExpr::Symbol(name.as_str().into()));
        let bound = self.limits.get(&symbol).and_then(|most| most.checked_mul(factor)?.checked_add(offset));
        Ok(Extent::Known(self.extent(&extent.value)?, bound))
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
            let name = self.names.fresh(own.unwrap_or(&label));
            let ty = type_of(output)?;
            let extents = ty.shape.iter().map(|extent| Ok(Extent::Known(self.extent(&extent.value)?, None)));
            let extents = extents.collect::<Result<_, Failure>>()?;
            self.graph.variables.push(Port { name: name.clone(), element: element(ty.dtype)?, extents });
            let storage = variable.operation().get_string(StorageAttribute::NAME);
            self.storage.extend(storage.map(|storage| (name.clone(), storage.to_owned())));
            self.define(output, Expression::Name(name.clone()));
            self.called.insert(own.unwrap_or(&label).to_owned(), name.clone());
            self.labels.insert(label.clone(), name.clone());
            self.variables.push(Variable { name, label });
        }
        Ok(())
    }

    /// Which results of the block are outputs; of those that are given twice, the first one.
    fn want<'c: 'a, 'a>(&mut self, outputs: &[Slot<'c, 'a>], block: BlockRef<'c, 'a>) {
        for slot in outputs {
            let packed = slot.values.first().filter(|_| slot.is_open).and_then(Value::defining_operation);
            let items = packed.and_then(PackOp::new).map(|pack| pack.items());
            let Some(values) = items.or((!slot.is_open).then(|| slot.values.clone())) else { continue };
            if !values.iter().all(|value| is_named(*value, block)) {
                continue;
            }
            let keys: Vec<usize> = values.iter().map(Value::key).collect();
            match keys.as_slice() {
                [] => {}
                [key] if !slot.is_pack && !slot.is_open => {
                    self.wanted.entry(*key).or_insert_with(|| slot.name.clone());
                }
                _ => _ = self.wanted_packs.entry(keys).or_insert_with(|| slot.name.clone()),
            }
        }
    }

    /// An output, and the statement that gives it where no operation does.
    fn output<'c: 'a, 'a>(&mut self, slot: &Slot<'c, 'a>, statements: &mut Vec<Statement>) -> Result<(), Failure> {
        self.note_storage(slot);
        let types = slot.values.iter().map(|value| type_of(*value)).collect::<Result<Vec<_>, _>>()?;
        let mut ty = types.first().cloned().ok_or("has an output without a value")?;
        let given = if slot.is_open {
            let length = ty.shape.remove(0);
            self.graph.packs.push((slot.name.clone(), self.given(&length)?));
            self.value(slot.values[0])?
        } else if slot.is_pack {
            let length = i64::try_from(slot.values.len()).unwrap_or(i64::MAX);
            self.graph.packs.push((slot.name.clone(), Some(Extent::Known(Expression::Int(length), None))));
            self.pack(&slot.values, None)?
        } else {
            self.value(slot.values[0])?
        };
        if given != Expression::name(&slot.name) || self.graph.inputs.iter().any(|port| port.name == slot.name) {
            statements.push(Statement::new(vec![Target::Name(slot.name.clone())], Computation::Expression(given)));
        }
        let extents = match slot.is_pack && types.iter().any(|other| other.shape != ty.shape) {
            true => ty.shape.iter().map(|_| Extent::Known(Expression::Name("~".into()), None)).collect(),
            false => {
                let extents = ty.shape.iter().enumerate();
                extents.map(|(at, extent)| self.found(&slot.name, at, extent)).collect::<Result<_, _>>()?
            }
        };
        self.graph.outputs.push(Port { name: slot.name.clone(), element: element(ty.dtype)?, extents });
        Ok(())
    }

    /// An extent of an output: what is declared, what inputs tell, or what is found.
    fn found(&mut self, name: &str, at: usize, extent: &Known) -> Result<Extent, Failure> {
        for number in 0..self.requirements.len() {
            let declared = match self.requirements[number].of_output(name, at, &extent.value) {
                Some(Declared::Extent(value)) => self.given(&Known { value, bound: None })?,
                Some(Declared::Bound(bound)) => Some(Extent::Found(Expression::Int(bound))),
                None => None,
            };
            if let Some(declared) = declared {
                self.requirements.remove(number);
                return Ok(declared);
            }
        }
        Ok(self.given(extent)?.unwrap_or(Extent::Known(Expression::Name("~".into()), None)))
    }

    /// An extent that inputs tell; none that only data tell.
    fn given(&self, extent: &Known) -> Result<Option<Extent>, Failure> {
        let Ok(known) = self.known(&extent.value) else { return Ok(None) };
        let mut is_told = true;
        known.symbols(&mut |symbol| is_told &= !symbol.contains('.'));
        if is_told { Ok(Some(Extent::Known(self.extent(&extent.value)?, None))) } else { Ok(None) }
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
        if let Some(path) = operator_path(operation.full_name()) {
            statements.push(self.operator(operation, path)?);
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

/// Whether a value gets its name from a statement of the block.
fn is_named<'c: 'a, 'a>(value: Value<'c, 'a>, block: BlockRef<'c, 'a>) -> bool {
    let made = value.defining_operation().filter(|made| made.block() == Some(block));
    made.is_some_and(|made| {
        let name = made.full_name();
        operator_path(name).is_some() || [IfOp::NAME, LoopOp::NAME].contains(&name)
    })
}

/// Arguments or results by what they are declared as.
fn slots<'c, 'a>(values: Vec<Value<'c, 'a>>, marks: Option<Vec<Attribute<'c>>>) -> Vec<Slot<'c, 'a>> {
    let mut slots: Vec<Slot<'c, 'a>> = Vec::new();
    let mut marks = marks.unwrap_or_default().into_iter();
    for (number, value) in values.into_iter().enumerate() {
        let entries = marks.next().and_then(attributes::as_dictionary).unwrap_or_default();
        let entry = |name: &str| entries.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        let text = |name: &str| entry(name).and_then(attributes::as_string).map(str::to_owned);
        let name = text(NameAttribute::NAME).unwrap_or_else(|| format!("value{number}"));
        let (storage, is_open) = (text(StorageAttribute::NAME), entry(PackAttribute::NAME).is_some());
        let item = name.rsplit_once('.').filter(|(_, at)| at.bytes().all(|byte| byte.is_ascii_digit()));
        match (item, slots.last_mut()) {
            (Some((pack, _)), Some(slot)) if slot.is_pack && slot.name == pack => slot.values.push(value),
            (Some((pack, _)), _) => {
                slots.push(Slot { name: pack.to_owned(), values: vec![value], is_pack: true, is_open: false, storage });
            }
            (None, _) => slots.push(Slot { name, values: vec![value], is_pack: false, is_open, storage }),
        }
    }
    slots
}
