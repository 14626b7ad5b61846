//! Packs of which only a run knows the length.

use super::Importer;
use crate::generated::operations::{ArrangeOpBuilder, AssertOpBuilder};
use skriptnd_language::compose::extent::{Extent, SymExpr, SymOp};
use skriptnd_language::compose::graph::{Argument, TensorId};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Builder, Value, attributes};
use skriptnd_source::diagnostics::Code;
use std::collections::BTreeMap;

/// Items of a pack that stand together.
struct Part<'t> {
    items: &'t [TensorId],
    /// How many of them there are, where only the run knows it.
    open: Option<SymExpr>,
}

impl Part<'_> {
    fn length(&self) -> SymExpr {
        self.open.clone().unwrap_or(SymExpr::Const(self.items.len() as i64))
    }
}

impl<'s, 'l, 'c: 'a, 'a> Importer<'s, 'l, 'c, 'a> {
    /// The length of a pack, where only the run knows it.
    pub(super) fn length(&self, argument: &Argument) -> Option<&'s Extent> {
        let Argument::Pack(items) = argument else { return None };
        self.graph.pack_length(items)
    }

    /// Notes packs whose length only the run knows.
    pub(super) fn note_packs<'t>(&mut self, arguments: impl Iterator<Item = &'t Argument>) {
        for items in arguments.map(Argument::items) {
            if let Some(first) = items.first().filter(|_| self.graph.pack_length(items).is_some()) {
                self.missing.extend(items.iter().enumerate().map(|(place, id)| (*id, (*first, place))));
            }
        }
    }

    /// Expressions of the lengths of packs, empty for those that are known; none if all are.
    pub(super) fn lengths(&self, arguments: &[Argument]) -> Result<Option<Attribute<'c>>, Failure> {
        let text = |argument: &Argument| match self.own_length(argument) {
            Some(length) if length.as_known().is_none() => Ok(self.symbols.of(&length)?.to_string()),
            _ => Ok(String::new()),
        };
        let texts = arguments.iter().map(text).collect::<Result<Vec<_>, Failure>>()?;
        if texts.iter().all(String::is_empty) {
            return Ok(None);
        }
        let texts: Vec<_> = texts.iter().map(|text| attributes::string(self.context(), text)).collect();
        Ok(Some(attributes::array(self.context(), &texts)))
    }

    /// The length of a pack that the run knows, also where it is put together of such ones and others.
    fn own_length(&self, argument: &Argument) -> Option<SymExpr> {
        if let Some(length) = self.length(argument) {
            return Some(length.value.clone());
        }
        let parts = self.parts(argument);
        parts.iter().any(|part| part.open.is_some()).then(|| joined_length(&parts)).flatten()
    }

    /// The length of a pack that the graph gives, where only the run knows it: such packs may stand in it in part.
    pub fn given_length(&self, argument: &Argument) -> Result<Option<SymExpr>, Failure> {
        let Argument::Pack(_) = argument else { return Ok(None) };
        let parts = self.given_parts(argument);
        if parts.iter().all(|part| part.open.is_none()) {
            return Ok(None);
        }
        let length = joined_length(&parts).ok_or("gives a pack that is too long")?;
        self.symbols.of(&length).map(Some)
    }

    /// The values of an output; those of a pack are as many as there can be.
    pub fn given_values(&self, builder: &Builder<'c, 'a>, argument: &Argument) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let values = self.all_values(builder, std::slice::from_ref(argument))?;
        match self.given_parts(argument).as_slice() {
            [_] => Ok(values),
            parts if parts.iter().all(|part| part.open.is_none()) => Ok(values),
            parts => self.arranged(builder, values, parts),
        }
    }

    /// The parts of a pack, of which each may be a part of one of a length that the run knows.
    fn given_parts<'t>(&self, argument: &'t Argument) -> Vec<Part<'t>> {
        let (mut rest, mut parts) = (argument.items(), Vec::new());
        while let Some(first) = rest.first() {
            let (count, open) = match (self.graph.leading_pack(rest), self.missing.get(first)) {
                (Some((count, length)), _) => (count, Some(length.value.clone())),
                (None, None) => (1, None),
                (None, Some((pack, from))) => {
                    let follows = |(at, id): (usize, &TensorId)| self.missing.get(id) == Some(&(*pack, from + at));
                    let count = rest.iter().enumerate().take_while(|(at, id)| follows((*at, id))).count();
                    (count, self.whole_length(*pack).and_then(|length| part_length(length, (*from, count))))
                }
            };
            let (items, others) = rest.split_at(count.max(1));
            parts.push(Part { items, open });
            rest = others;
        }
        parts
    }

    /// The length of the pack that begins with a tensor, with all its items.
    fn whole_length(&self, first: TensorId) -> Option<&'s SymExpr> {
        let mut last = first;
        while self.missing.get(&TensorId(last.0 + 1)).is_some_and(|(pack, _)| *pack == first) {
            last.0 += 1;
        }
        let items: Vec<TensorId> = (first.0..=last.0).map(TensorId).collect();
        self.graph.pack_length(&items).map(|length| &length.value)
    }

    /// The parts of a pack: packs of a length that the run knows, and single items.
    fn parts<'t>(&self, argument: &'t Argument) -> Vec<Part<'t>>
    where
        's: 't,
    {
        let Argument::Pack(items) = argument else { return Vec::new() };
        let (mut rest, mut parts) = (items.as_slice(), Vec::new());
        while !rest.is_empty() {
            let open = self.graph.leading_pack(rest);
            let (part, others) = rest.split_at(open.map_or(1, |(count, _)| count));
            parts.push(Part { items: part, open: open.map(|(_, length)| length.value.clone()) });
            rest = others;
        }
        parts
    }

    /// The values of an argument. Where packs of which items may be missing stand among other items, those behind them get the
    /// places that they have in the run.
    pub(super) fn argument_values(
        &self,
        builder: &Builder<'c, 'a>,
        argument: &Argument,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let values = self.all_values(builder, std::slice::from_ref(argument))?;
        let parts = match argument {
            Argument::Pack(_) => self.parts(argument),
            _ => vec![Part { items: argument.items(), open: None }],
        };
        for part in parts.iter().filter(|part| part.open.is_none()) {
            self.require_present(builder, part.items)?;
        }
        match self.length(argument).is_some() || parts.iter().all(|part| part.open.is_none()) {
            true => Ok(values),
            false => self.arranged(builder, values, &parts),
        }
    }

    /// The values of tensors that stand by themselves.
    pub fn present_values(
        &self,
        builder: &Builder<'c, 'a>,
        arguments: &[Argument],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        for argument in arguments.iter().filter(|argument| matches!(argument, Argument::Single(_))) {
            self.require_present(builder, argument.items())?;
        }
        self.all_values(builder, arguments)
    }

    /// The items of parts, without gaps.
    fn arranged(
        &self,
        builder: &Builder<'c, 'a>,
        values: Vec<Value<'c, 'a>>,
        parts: &[Part<'_>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let types: Vec<_> = values.iter().map(|value| value.r#type()).collect();
        if types.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err("has a pack of tensors of several shapes of which only the run knows the length".into());
        }
        let length = |part: &Part<'_>| Ok(self.symbols.of(&part.length())?.to_string());
        let lengths = parts.iter().map(length).collect::<Result<Vec<_>, Failure>>()?;
        let lengths: Vec<_> = lengths.iter().map(|text| attributes::string(self.context(), text)).collect();
        let counts: Vec<i64> = parts.iter().map(|part| part.items.len() as i64).collect();
        let arranged = ArrangeOpBuilder::new(builder).items(values).parts(&counts).lengths(&lengths);
        Ok(arranged.arranged_type(types).build()?.arranged())
    }

    /// Items of packs that stand by themselves must be there.
    fn require_present(&self, builder: &Builder<'c, 'a>, items: &[TensorId]) -> Result<(), Failure> {
        let mut last: BTreeMap<TensorId, usize> = BTreeMap::new();
        for (pack, place) in items.iter().filter_map(|id| self.missing.get(id)) {
            let known = last.entry(*pack).or_default();
            *known = (*known).max(*place);
        }
        for (pack, place) in last {
            let Some(length) = self.whole_length(pack) else { continue };
            let length = self.symbols.of(length)?;
            let is_there = SymExpr::apply(SymOp::Lt, vec![SymExpr::Const(place as i64), length.clone()]);
            AssertOpBuilder::new(builder)
                .condition(&is_there.ok_or("has a pack that is too long")?.to_string())
                .message(&format!("index {place} is outside of a pack of {{0}} items"))
                .values(&[attributes::string(self.context(), &length.to_string())])
                .code(Code::IndexRange.name())
                .build()?;
        }
        Ok(())
    }
}

/// How many items a pack of a length has among `count` from one on.
fn part_length(length: &SymExpr, (from, count): (usize, usize)) -> Option<SymExpr> {
    let behind = length.minus(&SymExpr::Const(from as i64))?;
    let there = SymExpr::apply(SymOp::Min, vec![behind, SymExpr::Const(count as i64)])?;
    SymExpr::apply(SymOp::Max, vec![there, SymExpr::Const(0)])
}

/// The length of all parts together.
fn joined_length(parts: &[Part<'_>]) -> Option<SymExpr> {
    parts.iter().try_fold(SymExpr::Const(0), |length, part| length.plus(&part.length()))
}
