//! Windows that slide over dimensions: what the language leaves to a rule is written out.

use super::Call;
use crate::export::attributes as attr;
use crate::export::scope::{Scope, Why, may_be_zero};
use crate::proto::AttributeProto;
use skriptnd_language::compose::extent::{Extent, SymExpr, SymOp};

/// Windows along some dimensions.
pub struct Windows {
    pub size: Vec<SymExpr>,
    pub stride: Vec<i64>,
    pub dilation: Vec<i64>,
    /// Elements before each dimension, then behind each of them; those that are negative are left out.
    pub padding: Vec<SymExpr>,
    /// Of the dimensions.
    extents: Vec<SymExpr>,
}

/// A tensor over which windows slide, and how many elements a node itself adds before and behind each dimension.
pub struct Padded {
    pub name: String,
    pub padding: Vec<i64>,
    /// Whether the node adds all elements.
    pub is_whole: bool,
}

impl Windows {
    /// Of these sizes over dimensions of these extents; none where steps depend on extents that only a run knows.
    pub fn of(call: &Call<'_>, size: Vec<SymExpr>, extents: &[&Extent]) -> Option<Windows> {
        let (stride, dilation) = (call.ints("stride")?, call.ints("dilation")?);
        let count = size.len();
        if count == 0 || [stride.len(), dilation.len(), extents.len()].iter().any(|length| *length != count) {
            return None;
        }
        let extents = extents.iter().map(|extent| extent.value.clone()).collect();
        let mut windows = Windows { size, stride, dilation, padding: Vec::new(), extents };
        windows.padding = match call.value("padding") {
            Some(_) => call.expressions("padding")?,
            None => windows.automatic(call)?,
        };
        if windows.padding.len() != 2 * count {
            return None;
        }
        if call.holds("ceil_mode") {
            for at in 0..count {
                let room = windows.room(at)?;
                let more = SymExpr::apply(SymOp::Mod, vec![negated(&room)?, SymExpr::Const(windows.stride[at])])?;
                windows.padding[count + at] = windows.padding[count + at].plus(&more)?;
            }
        }
        (!windows.may_lack_elements()).then_some(windows)
    }

    /// Whether a dimension without elements may become one of windows by what is added to it: nodes take none of that, also
    /// not as what ONNX Runtime makes of `Pad` before them.
    fn may_lack_elements(&self) -> bool {
        let count = self.size.len();
        let added = |at: usize| self.padding[at].as_known().zip(self.padding[count + at].as_known());
        (0..count).any(|at| {
            let is_short = |(before, behind): (i64, i64)| {
                self.span(at).and_then(|span| span.as_known()).is_some_and(|span| before + behind < span)
            };
            may_be_zero(&self.extents[at]) && added(at).is_some_and(|added| !is_short(added))
        })
    }

    /// How many elements a window reaches over.
    pub fn span(&self, at: usize) -> Option<SymExpr> {
        span(&self.size[at], self.dilation[at])
    }

    /// How far the first window of a dimension can move.
    fn room(&self, at: usize) -> Option<SymExpr> {
        let count = self.size.len();
        self.extents[at].plus(&self.padding[at])?.plus(&self.padding[count + at])?.minus(&self.span(at)?)
    }

    /// Such that there is a window for each `stride`-th element.
    fn automatic(&self, call: &Call<'_>) -> Option<Vec<SymExpr>> {
        let round = if call.holds("ceil_mode") { SymOp::CeilDiv } else { SymOp::FloorDiv };
        let total = |at: usize| {
            let (extent, stride) = (self.extents[at].clone(), SymExpr::Const(self.stride[at]));
            let windows = SymExpr::apply(round, vec![extent.clone(), stride.clone()])?;
            windows.minus(&SymExpr::Const(1))?.times(&stride)?.plus(&self.span(at)?)?.minus(&extent)
        };
        let totals = (0..self.size.len()).map(total).collect::<Option<Vec<_>>>()?;
        aligned(call, &totals)
    }

    /// What a node adds itself; none where only a run knows how much, or where elements are cut off.
    pub fn own_padding(&self) -> Option<Vec<i64>> {
        let padding = self.padding.iter().map(SymExpr::as_known).collect::<Option<Vec<_>>>()?;
        padding.iter().all(|padding| *padding >= 0).then_some(padding)
    }

    /// A tensor whose last dimensions are those of the windows, with what is added by a node of its own where `is_own` does
    /// not let the other one add it.
    pub fn padded(
        &self,
        scope: &mut Scope,
        x: &str,
        value: f64,
        is_own: &dyn Fn(&[i64]) -> bool,
    ) -> Result<Padded, Why> {
        if let Some(padding) = self.own_padding().filter(|padding| is_own(padding)) {
            return Ok(Padded { name: x.to_owned(), padding, is_whole: true });
        }
        let padding = vec![0; self.padding.len()];
        Ok(Padded { name: self.pad(scope, x, value)?, padding, is_whole: false })
    }

    /// A tensor of rank `2 + count` with what is added before and behind its last dimensions.
    pub fn pad(&self, scope: &mut Scope, x: &str, value: f64) -> Result<String, Why> {
        let (before, behind) = self.padding.split_at(self.size.len());
        let none = || [SymExpr::Const(0), SymExpr::Const(0)].into_iter();
        let all: Vec<SymExpr> =
            none().chain(before.iter().cloned()).chain(none()).chain(behind.iter().cloned()).collect();
        let padding = scope.vector(&all)?;
        let value = scope.nodes.real(value);
        Ok(scope.nodes.add("Pad", &[x, &padding, &value], vec![attr::text("mode", "constant")]))
    }

    /// The attributes of a node whose windows these are, but for the size.
    pub fn attributes(&self, padding: &[i64]) -> Vec<AttributeProto> {
        let mut attributes = vec![attr::ints("strides", &self.stride), attr::ints("pads", padding)];
        // ONNX Runtime makes other operators of some, which have no dilations.
        if self.dilation.iter().any(|step| *step != 1) {
            attributes.push(attr::ints("dilations", &self.dilation));
        }
        attributes
    }

    /// The extents of windows, where they are known.
    pub fn known_size(&self) -> Option<Vec<i64>> {
        self.size.iter().map(SymExpr::as_known).collect()
    }
}

/// The number of groups; none where it is that of channels, of which only a run knows how many there are.
pub fn groups(call: &Call<'_>, channels: &Extent) -> Option<i64> {
    match call.int("groups")? {
        0 => channels.as_known(),
        groups => Some(groups),
    }
}

fn negated(value: &SymExpr) -> Option<SymExpr> {
    SymExpr::Const(0).minus(value)
}

/// How many elements a window of some elements reaches over.
pub fn span(size: &SymExpr, dilation: i64) -> Option<SymExpr> {
    size.minus(&SymExpr::Const(1))?.times(&SymExpr::Const(dilation))?.plus(&SymExpr::Const(1))
}

/// What is added at both ends, of which there is an odd element at one.
pub fn aligned(call: &Call<'_>, totals: &[SymExpr]) -> Option<Vec<SymExpr>> {
    let round = if call.text("padding_align") == Some("UPPER") { SymOp::FloorDiv } else { SymOp::CeilDiv };
    let half = |total: &SymExpr| SymExpr::apply(round, vec![total.clone(), SymExpr::Const(2)]);
    let before = totals.iter().map(half).collect::<Option<Vec<_>>>()?;
    let behind = totals.iter().zip(&before).map(|(total, before)| total.minus(before)).collect::<Option<Vec<_>>>()?;
    Some([before, behind].concat())
}
