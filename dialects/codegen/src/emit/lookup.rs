//! Elements of tables of bytes by instructions that find those of many lanes at once, of several points where these are short.

use super::body::Body;
use super::fetch::is_one;
use super::kernel::Kernel;
use crate::Error;
use crate::nest::computation::Ref;
use crate::nest::op::Op;
use crate::nest::space::Stage;
use crate::nest::table::{self, is_of_bytes};
use crate::target::lookup::Lookup;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{llvm, vector};

/// Bytes of a table that an instruction looks at in each part of a register.
const PART: i64 = 16;
/// Bytes that places without a sign tell apart.
const POSITIVE: i64 = 128;

/// Lanes of a point from one on that lie in one register.
#[derive(Clone, Copy)]
struct Piece {
    point: usize,
    first: i64,
    lanes: i64,
}

impl Kernel<'_, '_, '_> {
    /// How many points fill a register of what the target looks up for a stage; 1 where there is nothing to look up.
    pub(super) fn looked_up(self, stage: &Stage) -> usize {
        let (space, vectors) = (&self.nest.space, self.nest.schedule.vectors());
        let lookup = self.target.lookup().filter(|_| {
            stage.computation.instructions.iter().any(|instruction| is_of_bytes(&space.operands, instruction))
        });
        let lanes = vectors.map_or(1, |vectors| vectors.lanes);
        lookup.map_or(1, |lookup| (lookup.lanes() / lanes).max(1).unsigned_abs() as usize)
    }
}

/// The lanes of all points in registers of so many.
fn registers(lanes: &[i64], most: i64) -> Vec<Vec<Piece>> {
    let pieces = lanes.iter().enumerate().flat_map(|(point, &lanes)| {
        let piece = move |first: i64| Piece { point, first, lanes: most.min(lanes - first) };
        (0..lanes).step_by(most.unsigned_abs() as usize).map(piece)
    });
    let mut registers: Vec<Vec<Piece>> = Vec::new();
    let mut free = 0;
    for piece in pieces {
        match registers.last_mut().filter(|_| free >= piece.lanes) {
            Some(last) => last.push(piece),
            None => {
                free = most;
                registers.push(vec![piece]);
            }
        }
        free -= piece.lanes;
    }
    registers
}

fn joined<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    pieces: &[Piece],
    places: &[Value<'c, 'a>],
    lanes: i64,
) -> Result<Value<'c, 'a>, Error> {
    let (mut register, mut at) = (zeros(builder, lanes)?, 0);
    for piece in pieces {
        let own = vector::slice(builder, places[piece.point], piece.first, piece.lanes)?;
        register = vector::insert_slice(builder, own, register, at)?;
        at += piece.lanes;
    }
    Ok(register)
}

fn zeros<'c: 'a, 'a>(builder: &Builder<'c, 'a>, lanes: i64) -> Result<Value<'c, 'a>, Error> {
    all(builder, 0, lanes)
}

/// The same byte in all lanes.
fn all<'c: 'a, 'a>(builder: &Builder<'c, 'a>, byte: i64, lanes: i64) -> Result<Value<'c, 'a>, Error> {
    let byte = builder.integer(types::integer(builder.context(), 8), byte)?;
    Ok(builder.broadcast(byte, lanes)?)
}

/// A table of bytes in memory.
struct Table<'c, 'a> {
    memory: Value<'c, 'a>,
    count: i64,
    lookup: Lookup,
}

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    /// What a fetch by places that differ gives at all points; none where it is not of a table of bytes, or one by one is as good.
    pub(super) fn found(bodies: &[Self], number: usize) -> Result<Option<Vec<Value<'c, 'a>>>, Error> {
        let Some(first) = bodies.first() else { return Ok(None) };
        let Some((table, place)) = first.table(number) else { return Ok(None) };
        let lanes: Vec<i64> = bodies.iter().map(|body| body.point.lanes.lanes).collect();
        let fits =
            |body: &Self| body.point.decided.is_none() && !body.point.lanes.is_scalable && body.is_scattered(place);
        if !bodies.iter().all(fits) || lanes.iter().sum::<i64>() < table.lookup.least() {
            return Ok(None);
        }
        let builder = &first.builder;
        let byte = |lanes: i64| types::lanes(types::integer(builder.context(), 8), lanes);
        let places = bodies.iter().zip(&lanes);
        let places = places.map(|(body, &lanes)| Ok(arith::index_cast(builder, body.lookup(place)?, byte(lanes))?));
        let places = places.collect::<Result<Vec<_>, Error>>()?;
        Ok(Some(table.found(builder, &places, &lanes)?))
    }

    /// The table that an instruction reads from, and the place in it.
    fn table(&self, number: usize) -> Option<(Table<'c, 'a>, Ref)> {
        let instruction = self.computation.instructions.get(number).filter(|it| it.op == Op::Fetch)?;
        let (lookup, &[Ref::Operand(operand), place]) = (self.point.lookup?, instruction.operands.as_slice()) else {
            return None;
        };
        let values = self.point.values;
        let memory = values.flat.get(operand).copied().flatten()?;
        let is_dense = values.strides.get(operand).is_some_and(|strides| matches!(strides[..], [one] if is_one(one)));
        let count = types::shape(memory.r#type())?.first().copied().flatten()?;
        let count = i64::try_from(count).ok().filter(|count| (PART..=table::MOST).contains(count))?;
        let is_byte = types::width(types::element(memory.r#type())) == Some(8);
        (is_dense && is_byte).then_some((Table { memory, count, lookup }, place))
    }
}

impl<'c: 'a, 'a> Table<'c, 'a> {
    /// Its elements in places, of which there are so many in each vector.
    fn found(
        &self,
        builder: &Builder<'c, 'a>,
        places: &[Value<'c, 'a>],
        lanes: &[i64],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let parts = self.parts(builder)?;
        let mut results = lanes.iter().map(|&lanes| zeros(builder, lanes)).collect::<Result<Vec<_>, Error>>()?;
        for pieces in registers(lanes, self.lookup.lanes()) {
            let found = self.looked_up(builder, &parts, joined(builder, &pieces, places, self.lookup.lanes())?)?;
            let mut at = 0;
            for piece in pieces {
                let own = vector::slice(builder, found, at, piece.lanes)?;
                results[piece.point] = vector::insert_slice(builder, own, results[piece.point], piece.first)?;
                at += piece.lanes;
            }
        }
        Ok(results)
    }

    /// The table in registers, as instructions take it.
    fn parts(&self, builder: &Builder<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Error> {
        let lanes = self.lookup.lanes();
        let size = if self.lookup == Lookup::Pairs { lanes } else { PART };
        let parts = (0..self.count).step_by(size as usize).map(|first| self.part(builder, first, size));
        let parts = parts.collect::<Result<Vec<_>, Error>>()?;
        if !matches!(self.lookup, Lookup::Parts(_)) {
            return Ok(parts);
        }
        let order: Vec<i64> = (0..lanes).map(|lane| lane % PART).collect();
        let spread = |part: &Value<'c, 'a>| Ok::<_, Error>(vector::shuffle(builder, [*part, *part], &order)?);
        let parts = parts.iter().map(spread).collect::<Result<Vec<_>, Error>>()?;
        // A place finds something in all parts up to its own: what differs from the part before is added.
        let added = |(number, part): (usize, &Value<'c, 'a>)| match number as i64 * PART % POSITIVE {
            0 => Ok(*part),
            _ => Ok(arith::xori(builder, *part, parts[number - 1])?),
        };
        parts.iter().enumerate().map(added).collect()
    }

    /// So many bytes of it; those behind its end are whatever lies before.
    fn part(&self, builder: &Builder<'c, 'a>, first: i64, size: i64) -> Result<Value<'c, 'a>, Error> {
        let kind = |lanes: i64| types::lanes(types::element(self.memory.r#type()), lanes);
        let load = |at: i64, kind: Type<'c>| vector::load(builder, (self.memory, builder.index(at)?), kind, None);
        let missing = (first + size - self.count).max(0);
        if missing <= first {
            let part = load(first - missing, kind(size))?;
            let order: Vec<i64> = (0..size).map(|lane| (lane + missing) % size).collect();
            return Ok(if missing == 0 { part } else { vector::shuffle(builder, [part, part], &order)? });
        }
        let mask = vector::create_mask(builder, builder.index(self.count - first)?, size)?;
        let place = (self.memory, builder.index(first)?);
        Ok(vector::masked_load(builder, place, (mask, zeros(builder, size)?), None)?)
    }

    fn looked_up(
        &self,
        builder: &Builder<'c, 'a>,
        parts: &[Value<'c, 'a>],
        places: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        match self.lookup {
            Lookup::Pairs => in_pairs(builder, parts, places),
            Lookup::Parts(lanes) => in_parts(builder, parts, places, lanes),
            Lookup::Fours => in_fours(builder, parts, places),
        }
    }
}

fn in_pairs<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    parts: &[Value<'c, 'a>],
    places: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let call = |name: &str, operands: &[Value<'c, 'a>]| llvm::call_intrinsic(builder, name, operands, places.r#type());
    let found = parts.chunks(2).map(|pair| match pair {
        [low, high] => call("llvm.x86.avx512.vpermi2var.qi.512", &[*low, places, *high]),
        _ => call("llvm.x86.avx512.permvar.qi.512", &[pair[0], places]),
    });
    match found.collect::<Result<Vec<_>, _>>()?[..] {
        [low, high] => {
            let zero = zeros(builder, Lookup::Pairs.lanes())?;
            let is_high = arith::cmpi(builder, IntegerPredicate::Slt, places, zero)?;
            Ok(arith::select(builder, is_high, high, low)?)
        }
        [low] => Ok(low),
        _ => Err(Error::malformed("a table of no bytes")),
    }
}

fn in_parts<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    parts: &[Value<'c, 'a>],
    places: Value<'c, 'a>,
    lanes: i64,
) -> Result<Value<'c, 'a>, Error> {
    let shuffle = if lanes == 64 { "llvm.x86.avx512.pshuf.b.512" } else { "llvm.x86.avx2.pshuf.b" };
    let call = |name: &str, operands: &[Value<'c, 'a>]| llvm::call_intrinsic(builder, name, operands, places.r#type());
    let part = all(builder, PART, lanes)?;
    let mut found = zeros(builder, lanes)?;
    for (half, parts) in parts.chunks((POSITIVE / PART) as usize).enumerate() {
        // What belongs to the other half is negative, and stays so.
        let mut places =
            if half == 0 { places } else { arith::xori(builder, places, all(builder, -POSITIVE, lanes)?)? };
        for added in parts {
            found = arith::xori(builder, found, call(shuffle, &[*added, places])?)?;
            places = call("llvm.ssub.sat", &[places, part])?;
        }
    }
    Ok(found)
}

fn in_fours<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    parts: &[Value<'c, 'a>],
    places: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    const FOUR: usize = 4;
    let call = |name: &str, operands: &[Value<'c, 'a>]| llvm::call_intrinsic(builder, name, operands, places.r#type());
    let (zero, four) = (zeros(builder, PART)?, all(builder, FOUR as i64 * PART, PART)?);
    let (mut found, mut left): (Option<Value<'c, 'a>>, _) = (None, places);
    for parts in parts.chunks(FOUR) {
        let table = (0..FOUR).map(|at| parts.get(at).copied().unwrap_or(zero));
        found = Some(match found {
            None => call("llvm.aarch64.neon.tbl4", &table.chain([left]).collect::<Vec<_>>())?,
            Some(found) => {
                left = arith::subi(builder, left, four)?;
                call("llvm.aarch64.neon.tbx4", &[found].into_iter().chain(table).chain([left]).collect::<Vec<_>>())?
            }
        });
    }
    found.ok_or_else(|| Error::malformed("a table of no bytes"))
}
