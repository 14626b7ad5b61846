//! What a copy of an operand within some loops is: where its elements lie, and what is copied.

use super::access::{Access, Step};
use super::computation::{Computation, Ref};
use super::element::Element;
use super::rows_of_bytes::RowsOfBytes;
use super::scaled::Scaled;
use super::schedule::{Kind, Loop, Pack, Schedule};
use super::space::{Dim, Operand, Source, Space, Stage};
use std::borrow::Cow;

/// Bytes that a copy has at most.
const MOST_BYTES: i64 = 4 << 20;
/// Bytes of a line of the cache, of which copies have whole ones.
const LINE: i64 = 64;

/// A copy of an operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// Its number among the operands.
    pub number: usize,
    /// What is copied, and from where.
    pub source: (usize, Access),
    /// Where elements lie, from the block on that is copied.
    pub target: Access,
    /// How many elements there is room for.
    pub elements: i64,
    /// What they are.
    pub element: Element,
    /// Elements along each dimension in a copy at most; 1 along those that the operand does not move along.
    pub extents: Vec<i64>,
}

impl Packed {
    /// The first copy of a schedule.
    ///
    /// # Errors
    /// Why there can be none.
    pub fn of(space: &Space, schedule: &Schedule, pack: Pack) -> Result<Packed, String> {
        let loops = &schedule.loops[..pack.depth.min(schedule.loops.len())];
        if pack.depth > schedule.around().len() {
            return Err(format!("%{} is packed around tiles, not within", pack.operand));
        }
        let (element, access) = source(space, schedule, pack.operand)?;
        let extent = |(dim, step): (usize, &Step)| match step.moves() {
            true => extent(space, schedule, loops, dim),
            false => Ok(1),
        };
        let extents: Vec<i64> = access.steps.iter().enumerate().map(extent).collect::<Result<_, _>>()?;
        let (target, elements) = laid_out(space, schedule, access, &extents);
        let line = LINE / element.bytes().clamp(1, LINE);
        let elements = elements.saturating_add(line - 1) / line * line;
        if elements.saturating_mul(element.bytes()) > MOST_BYTES {
            return Err(format!("{elements} elements of %{} are too many to be packed", pack.operand));
        }
        let (number, source) = (space.operands.len(), (pack.operand, access.clone()));
        Ok(Packed { number, source, target, elements, element, extents })
    }

    /// The space in which the copy is read.
    pub fn reading(&self, space: &Space) -> Space {
        let mut space = space.clone();
        space.operands.push(Operand::Private {
            number: self.number,
            r#type: String::new(),
            element: Some(self.element),
        });
        for source in &mut space.main.sources {
            if matches!(source, Source::Memory(operand, _) if *operand == self.source.0) {
                *source = Source::Memory(self.number, self.target.clone());
            }
        }
        space
    }

    /// What is computed to copy, where the space is the one in which the copy is read. `length` gives the elements along a dimension
    /// that are copied, if they are known.
    pub fn copying(&self, space: &Space, length: impl Fn(usize) -> Option<i64>) -> Space {
        let dim = |dim: usize| {
            let is_open = self.moves(dim) && length(dim).is_none();
            let extent = if self.moves(dim) { length(dim).unwrap_or(self.extents[dim]) } else { 1 };
            Dim { extent, is_open, multiple: 1, is_reduced: false, is_shared: false }
        };
        let computation = Computation {
            arguments: vec![self.element; 2],
            instructions: Vec::new(),
            result: Ref::Argument(0),
            further: Vec::new(),
        };
        let sources = vec![Source::Memory(self.source.0, self.source.1.clone()), Source::Unused];
        Space {
            dims: (0..space.dims.len()).map(dim).collect(),
            block: None,
            init: None,
            main: Stage { computation, sources },
            epilogues: Vec::new(),
            output: (self.number, self.target.clone()),
            further: Vec::new(),
            ..space.clone()
        }
    }

    /// Whether the operand moves along a dimension, of which a copy has several elements.
    pub fn moves(&self, dim: usize) -> bool {
        self.source.1.steps[dim].moves() && self.extents[dim] > 1
    }

    /// The space in which all copies of a schedule are read, and these.
    ///
    /// # Errors
    /// The copy that can't be, and why.
    pub fn all<'s>(space: &'s Space, schedule: &Schedule) -> Result<(Cow<'s, Space>, Vec<Packed>), (Pack, String)> {
        let (mut space, mut all) = (Cow::Borrowed(space), Vec::new());
        for pack in &schedule.packs {
            let packed = Packed::of(&space, schedule, *pack).map_err(|reason| (*pack, reason))?;
            space = Cow::Owned(packed.reading(&space));
            all.push(packed);
        }
        Ok((space, all))
    }
}

/// The elements of an operand, and where they are read.
fn source<'s>(space: &'s Space, schedule: &Schedule, operand: usize) -> Result<(Element, &'s Access), String> {
    let mut read = space.main.memory().filter(|(read, _)| *read == operand);
    let (Some((_, access)), None) = (read.next(), read.next()) else {
        return Err(format!("%{operand} is not read once where sums are computed"));
    };
    let element = space.element(operand).filter(|element| matches!(element, Element::Real(_) | Element::Integer(8..)));
    let Some(element) = element.filter(|_| space.is_only_read(operand)) else {
        return Err(format!("%{operand} is no memory of numbers that is only read"));
    };
    let vectors = schedule.vectors();
    let is_scalable = vectors.is_some_and(|vectors| vectors.is_scalable);
    let is_other = vectors.is_some_and(|vectors| RowsOfBytes::of(space, vectors.dim).is_some());
    if is_scalable || is_other || schedule.grouped().is_some() || Scaled::of(space).is_some() {
        return Err("groups, scaled sums and vectors of no known length read nothing that is packed".to_string());
    }
    match space.has_reduction() && space.shared() == 0 {
        true => Ok((element, access)),
        false => Err("nothing is read again".to_string()),
    }
}

/// Elements along a dimension within some loops.
fn extent(space: &Space, schedule: &Schedule, loops: &[Loop], dim: usize) -> Result<i64, String> {
    match loops.iter().rev().find(|own| own.dim == dim) {
        Some(own) if own.step == 1 && own.kind == Kind::Parallel && !schedule.is_block(own) => Ok(1),
        Some(own) if !schedule.is_block(own) => {
            Err(format!("a tile along d{dim} is packed around its loop, not within"))
        }
        Some(own) if space.dims[dim].is_open => Ok(own.step),
        Some(own) => Ok(own.step.min(space.dims[dim].extent)),
        None if space.dims[dim].is_open => Err(format!("only a run knows how much is packed along d{dim}")),
        None => Ok(space.dims[dim].extent),
    }
}

/// Where the elements of a copy lie, and how many there are: those of a vector and of the rows of a tile beside each other, then those along
/// reduced dimensions, then tiles.
fn laid_out(space: &Space, schedule: &Schedule, access: &Access, extents: &[i64]) -> (Access, i64) {
    let vectors = schedule.vectors().map(|vectors| vectors.dim);
    let is_dot = vectors.is_some_and(|dim| space.dims[dim].is_reduced);
    let tiled = vectors.into_iter().chain(schedule.rows().map(|rows| rows.dim)).filter(|_| !is_dot);
    let (mut steps, mut distance) = (vec![Step::Linear(0); extents.len()], 1i64);
    let mut inner = vec![None; extents.len()];
    for dim in tiled.filter(|dim| access.steps[*dim].moves() && extents[*dim] > 1) {
        inner[dim] = Some(distance);
        distance = distance.saturating_mul(schedule.tile(dim));
    }
    let around = schedule.around().iter().rev().filter(|own| own.kind == Kind::Parallel).map(|own| own.dim);
    for dim in schedule.reductions().into_iter().rev().chain(around) {
        if !access.steps[dim].moves() || extents[dim] <= 1 || steps[dim].moves() {
            continue;
        }
        let (tile, extent) = (schedule.tile(dim), extents[dim]);
        (steps[dim], distance) = match inner[dim] {
            Some(inner) if extent > tile => {
                let panels = (extent + tile - 1) / tile;
                (Step::Panel { size: tile, outer: distance, inner }, distance.saturating_mul(panels))
            }
            Some(inner) => (Step::Linear(inner), distance),
            None => (Step::Linear(distance), distance.saturating_mul(extent)),
        };
    }
    (Access { offset: 0, open_offset: None, steps }, distance)
}
