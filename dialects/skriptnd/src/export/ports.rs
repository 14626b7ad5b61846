//! What a graph takes and gives: its inputs and outputs.

use super::EmptyPack;
use super::checked::Declared;
use super::writer::{Writer, element, type_of};
use crate::call::operator_path;
use crate::generated::discardable::{NameAttribute, PackAttribute, StorageAttribute};
use crate::generated::operations::{IfOp, ItemsOp, LoopOp, PackOp, ShapedOp};
use skriptnd_language::compose::extent::{Extent as Known, SymExpr};
use skriptnd_language::compose::graph::TensorType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, BlockRef, Value, attributes};
use skriptnd_syntax::build::{Computation, Expression, Extent, Port, Statement, Target};

/// An argument or result, or several that are a pack.
pub(super) struct Slot<'c, 'a> {
    pub name: String,
    values: Vec<Value<'c, 'a>>,
    /// Whether they are items of a pack.
    is_pack: bool,
    /// Whether the value is a whole pack.
    is_open: bool,
    storage: Option<String>,
}

impl Writer {
    fn note_storage(&mut self, slot: &Slot<'_, '_>) {
        self.storage.extend(slot.storage.clone().map(|storage| (slot.name.clone(), storage)));
    }

    /// An input.
    pub(super) fn input<'c: 'a, 'a>(&mut self, slot: &Slot<'c, 'a>) -> Result<(), Failure> {
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
    pub(super) fn empty(&mut self, packs: &[EmptyPack], are_inputs: bool) -> Result<Vec<String>, Failure> {
        for EmptyPack { at, name, ty } in packs {
            let unknown = Extent::Known(Expression::Name("~".into()), None);
            let extents = ty.shape.iter().map(|extent| Ok(self.given(extent)?.unwrap_or_else(|| unknown.clone())));
            let extents = extents.collect::<Result<_, Failure>>()?;
            let port = Port { name: name.clone(), element: element(ty.dtype)?, extents };
            let ports = if are_inputs { &mut self.graph.inputs } else { &mut self.graph.outputs };
            ports.insert((*at).min(ports.len()), port);
            self.graph.packs.push((name.clone(), Some(Extent::Known(Expression::Int(0), None))));
        }
        Ok(packs.iter().map(|pack| pack.name.clone()).collect())
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

    /// Which results of the block are outputs; of those that are given twice, the first one.
    pub(super) fn want<'c: 'a, 'a>(&mut self, outputs: &[Slot<'c, 'a>], block: BlockRef<'c, 'a>) {
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
    pub(super) fn output<'c: 'a, 'a>(
        &mut self,
        slot: &Slot<'c, 'a>,
        statements: &mut Vec<Statement>,
    ) -> Result<(), Failure> {
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
}

/// Whether a value gets its name from a statement of the block.
fn is_named<'c: 'a, 'a>(value: Value<'c, 'a>, block: BlockRef<'c, 'a>) -> bool {
    let made = value.defining_operation().filter(|made| made.block() == Some(block));
    made.is_some_and(|made| {
        let name = made.full_name();
        operator_path(name).is_some() || [IfOp::NAME, LoopOp::NAME].contains(&name)
    })
}

/// The tensor itself where only its extents have other names.
pub(super) fn unshaped<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(input) = value.defining_operation().and_then(ShapedOp::new).and_then(|shaped| shaped.input().ok()) {
        value = input;
    }
    value
}

/// Arguments or results by what they are declared as.
pub(super) fn slots<'c, 'a>(values: Vec<Value<'c, 'a>>, marks: Option<Vec<Attribute<'c>>>) -> Vec<Slot<'c, 'a>> {
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
