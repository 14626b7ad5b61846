//! Loads and stores of vectors whose lanes lie in several rows: whole vectors of what lies there are loaded and put together, and
//! stored with masks.

use super::kernel::{Kernel, Tile, mask};
use crate::Error;
use crate::nest::access::Access;
use crate::nest::alignment;
use crate::nest::parts::Piece;
use crate::nest::woven::Woven;
use skriptnd_mlir::ir::{Type, Value, attributes, types};
use skriptnd_mlir::ops::{memref, vector};

/// What stands in masks and orders for a lane that nothing is known of.
const NOTHING: i64 = -1;

/// Lanes in rows, in memory.
#[derive(Clone, Copy)]
pub(super) struct Rows<'c, 'a> {
    /// How they lie.
    pub woven: Woven,
    /// The memory, of one dimension.
    pub memory: Value<'c, 'a>,
    /// The first lane's address.
    pub address: Value<'c, 'a>,
    /// How many elements that is behind one at which a vector would be aligned, if that is known.
    pub behind: Option<i64>,
}

impl<'c> Rows<'c, '_> {
    fn element(&self) -> Type<'c> {
        types::element(self.memory.r#type())
    }
}

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// How the lanes of a piece lie along rows, if they do.
    pub(super) fn woven(self, access: &Access, piece: Piece) -> Option<Woven> {
        let step = access.steps[self.nest.schedule.vectors()?.dim];
        // Of a rest, lanes may be fewer than an element is repeated.
        Woven::of(step, piece.lanes).or_else(|| Woven::repeated(step)).filter(|_| !piece.is_scalable)
    }

    /// How far the address of a piece is behind one where vectors are aligned.
    pub(super) fn behind(
        self,
        (operand, access): (usize, &Access),
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: Piece,
    ) -> Option<i64> {
        // A rest that begins earlier begins anywhere.
        let whole = self.begin(operand).filter(|_| tile.behind == 0)?;
        alignment::behind(self.nest, access, (row, piece), whole / self.nest.space.element(operand)?.bytes())
    }

    pub(super) fn load_woven(
        self,
        tile: &Tile<'c, 'a>,
        piece: Piece,
        rows: Rows<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let (builder, Rows { woven, memory, address, .. }) = (&self.builder, rows);
        let (lanes, element) = (piece.lanes, rows.element());
        let kind = types::lanes(element, lanes);
        if woven.has_columns() {
            return self.load_columns(kind, rows);
        }
        if woven.within == 0 {
            return self.load_repeated(tile, piece, rows);
        }
        let span = woven.span(piece.filled);
        if span < lanes {
            let mask = vector::create_mask(builder, builder.index(span)?, lanes)?;
            let zeros = builder.broadcast(self.zero(element)?, lanes)?;
            let loaded = vector::masked_load(builder, (memory, address), (mask, zeros), None)?;
            return Ok(vector::shuffle(builder, [loaded, loaded], &order(woven, piece, Some))?);
        }
        self.load_windows(piece, kind, rows)
    }

    /// Elements of which each is repeated: those that some lane stands for, and none behind them.
    fn load_repeated(self, tile: &Tile<'c, 'a>, piece: Piece, rows: Rows<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let (builder, Rows { woven, memory, address, .. }) = (&self.builder, rows);
        let (count, element) = (woven.span(piece.lanes), rows.element());
        if count == 1 {
            return Ok(builder.broadcast(memref::load(builder, memory, &[address])?, piece.lanes)?);
        }
        let few = if piece.is_masked() {
            let firsts: Vec<i64> = (0..count).map(|number| number * woven.size).collect();
            let mask = vector::shuffle(builder, [mask(tile)?; 2], &firsts)?;
            let zeros = builder.broadcast(self.zero(element)?, count)?;
            vector::masked_load(builder, (memory, address), (mask, zeros), None)?
        } else {
            vector::load(builder, (memory, address), types::lanes(element, count), None)?
        };
        Ok(vector::shuffle(builder, [few, few], &order(woven, piece, Some))?)
    }

    /// Rows of which no vector has all: pairs of vectors, the lanes of which are put together.
    fn load_windows(self, piece: Piece, kind: Type<'c>, rows: Rows<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let (builder, lanes, Rows { woven, memory, address, .. }) = (&self.builder, piece.lanes, rows);
        let windows = woven.windows(piece.filled, lanes);
        let load = |start: &i64| {
            let place = (memory, builder.index_plus(address, *start)?);
            Ok::<_, Error>(vector::load(builder, place, kind, None)?)
        };
        let loaded = windows.iter().map(load).collect::<Result<Vec<_>, _>>()?;
        let window = |distance: i64| windows.iter().rposition(|start| *start <= distance).unwrap_or(0);
        let mut parts = Vec::new();
        for (pair, vectors) in loaded.chunks(2).enumerate() {
            let place = |distance: i64| {
                let own = window(distance).checked_sub(2 * pair).filter(|own| *own < 2)?;
                Some(distance - windows[2 * pair + own] + own as i64 * lanes)
            };
            let last = vectors.last().copied().unwrap_or(vectors[0]);
            parts.push(vector::shuffle(builder, [vectors[0], last], &order(woven, piece, place))?);
        }
        let mut result = parts[0];
        for (number, part) in parts.iter().enumerate().skip(1) {
            let is_own = |lane: i64| window(woven.distance(lane.min(piece.filled - 1))) / 2 >= number;
            let order: Vec<i64> = (0..lanes).map(|lane| if is_own(lane) { lane + lanes } else { lane }).collect();
            result = vector::shuffle(builder, [result, *part], &order)?;
        }
        Ok(result)
    }

    /// Columns: of each of their places a vector, the first lanes of which are put together with those of the others.
    fn load_columns(self, kind: Type<'c>, rows: Rows<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let (builder, Rows { woven, memory, address, .. }) = (&self.builder, rows);
        let lanes = types::shape(kind).and_then(|shape| *shape.first()?).map_or(0, |lanes| lanes as i64);
        let load = |place: i64| {
            let place = builder.index_plus(address, place * woven.within)?;
            Ok::<_, Error>(vector::load(builder, (memory, place), kind, None)?)
        };
        let mut vectors = (0..woven.size).map(load).collect::<Result<Vec<_>, _>>()?;
        let order: Vec<i64> = (0..lanes).map(|lane| lane / 2 + lane % 2 * lanes).collect();
        while vectors.len() > 1 {
            let (first, second) = vectors.split_at(vectors.len() / 2);
            let pairs = first.iter().zip(second).map(|(first, second)| [*first, *second]);
            vectors = pairs.map(|pair| Ok(vector::shuffle(builder, pair, &order)?)).collect::<Result<_, Error>>()?;
        }
        vectors.pop().ok_or_else(|| Error::malformed("columns without elements"))
    }

    pub(super) fn store_woven(self, piece: Piece, value: Value<'c, 'a>, rows: Rows<'c, 'a>) -> Result<(), Error> {
        let (builder, Rows { woven, memory, address, behind }) = (&self.builder, rows);
        let (lanes, before) = (piece.lanes, behind.unwrap_or(0));
        for start in (0..before + woven.span(piece.filled)).step_by(usize::try_from(lanes).unwrap_or(1)) {
            let mut order = vec![NOTHING; usize::try_from(lanes).unwrap_or(0)];
            for lane in 0..piece.filled {
                if let Ok(place) = usize::try_from(before + woven.distance(lane) - start) {
                    order.get_mut(place).into_iter().for_each(|own| *own = lane);
                }
            }
            if order.iter().all(|lane| *lane == NOTHING) {
                continue;
            }
            let mask = self.mask_of(&order)?;
            let spread = vector::shuffle(builder, [value, value], &order)?;
            let place = builder.index_plus(address, start - before)?;
            let alignment = behind.map(|_| self.target.alignment());
            vector::masked_store(builder, (memory, place), (mask, spread), alignment)?;
        }
        Ok(())
    }

    /// Which lanes of an order there are.
    fn mask_of(self, order: &[i64]) -> Result<Value<'c, 'a>, Error> {
        let context = self.builder.context();
        let kind = types::vector(types::integer(context, 1), &[order.len() as u64]);
        let lanes: Vec<&str> = order.iter().map(|lane| if *lane == NOTHING { "false" } else { "true" }).collect();
        let text = format!("dense<[{}]> : {kind}", lanes.join(", "));
        let mask = attributes::parse(context, &text).ok_or_else(|| Error::malformed("no constant mask"))?;
        Ok(self.builder.constant(mask, kind)?)
    }
}

/// Which lanes of what is loaded become those of a piece; what is in others does not matter.
fn order(woven: Woven, piece: Piece, place: impl Fn(i64) -> Option<i64>) -> Vec<i64> {
    let lane = |lane: i64| if lane < piece.filled { place(woven.distance(lane)).unwrap_or(NOTHING) } else { NOTHING };
    (0..piece.lanes).map(lane).collect()
}
