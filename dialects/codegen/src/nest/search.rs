//! The schedule of a space: of those that may be good, the one that is expected to cost least.

use super::access::{Access, Step};
use super::atom::Atom;
use super::computation::{Instruction, Ref};
use super::copies::{self, two_level};
use super::cost::cost;
use super::decided::Deciding;
use super::dots::Dots;
use super::element::Element;
use super::legal::{
    MOST_POINTS, check, crosses, has_vector_form, is_steady, panel, tile_points, usual_reductions, vectorized,
};
use super::matrices;
use super::op::Op;
use super::packed::Packed;
use super::parts::even_share;
use super::rows_of_bytes::RowsOfBytes;
use super::scaled::Scaled;
use super::schedule::{Form, Grouped, Kind, Loop, Rows, Schedule, Tail, Vectors};
use super::space::{Dim, Source, Space, TYPICAL};
use super::table::is_of_bytes;
use super::traffic::streamed;
use super::windows::is_crowded;
use crate::target::Target;

/// Numbers of vectors in a tile: powers of two, of which common extents are multiples.
const VECTORS: [i64; 3] = [4, 2, 1];
/// The same where there are whole vectors only: few channels may fill three.
const WHOLE_VECTORS: [i64; 4] = [4, 3, 2, 1];
/// More of them where rows of a matrix are added up that are read once: the more of a row is read at a time, the better.
const STREAMED_VECTORS: [i64; 2] = [12, 8];
/// Tiles that threads should have of them.
const STREAMED_TILES: i64 = 8;
/// The same where the vectorized dimension is reduced: each vector has to be combined with the others at the end.
const REDUCED_VECTORS: [i64; 3] = [2, 1, 4];
/// Rows that a tile may have.
const MOST_ROWS: i64 = 16;
/// Columns of a tile of single products, and its rows at most: loads start beside products, where there are fewer of them, and enough registers
/// are left for what is loaded.
const COLUMNS: i64 = 4;
/// Rows of a tile that is transposed, where there are whole vectors only.
const ROWS_ACROSS: i64 = 32;
/// Rows with which an operand is used often enough that others matter more.
const FEW_ROWS: i64 = 4;
/// Points of the innermost loop up to which reductions are unrolled into it.
const MOST_UNROLLED: i64 = 160;
/// Bytes of a lane of a vector as its length is counted.
const WORD: i64 = 4;
/// By how much a schedule must be better than one that comes before it.
const MARGIN: f64 = 0.999;

/// The schedule of a space on a target.
pub fn choose(space: &Space, target: &Target) -> Schedule {
    let search = Search { space, target };
    let mut best: Option<(f64, Schedule)> = None;
    for schedule in search.candidates() {
        if check(space, &schedule).is_err() {
            continue;
        }
        let found = cost(space, &schedule, target);
        if best.as_ref().is_none_or(|(least, _)| found < least * MARGIN) {
            best = Some((found, schedule));
        }
    }
    let best = best.map_or_else(|| search.plain(), |(_, schedule)| schedule);
    with_copies(space, best, target)
}

/// The schedule, or one that copies what is found slowly where it lies, if that is expected to cost less.
fn with_copies(space: &Space, schedule: Schedule, target: &Target) -> Schedule {
    let waiting = copies::waiting(space, &schedule);
    if waiting == 0.0 || !target.has_threads() {
        return schedule;
    }
    let others = two_level(space, &schedule).into_iter().filter(|other| check(space, other).is_ok());
    let judged = others.filter_map(|other| {
        let (reading, _) = Packed::all(space, &other).ok()?;
        Some((cost(space, &other, target) + copies::waiting(&reading, &other), other))
    });
    let best = judged.min_by(|(a, _), (b, _)| a.total_cmp(b));
    let most = (cost(space, &schedule, target) + waiting) * MARGIN;
    best.filter(|(found, _)| *found < most).map_or(schedule, |(_, other)| other)
}

/// The schedules of a space that may be good, in the order in which they are judged; some of them may not be legal.
pub fn candidates(space: &Space, target: &Target) -> Vec<Schedule> {
    Search { space, target }.candidates()
}

/// An element that is computed at every point and is no integer of at most 32 bits, if there is one; a real, if there is.
pub fn no_word(space: &Space) -> Option<Element> {
    let fits = |element: &Element| matches!(element, Element::Integer(..=32));
    let main = &space.main;
    // Where an element of a table is, a byte tells.
    let is_place = |instruction: &&Instruction| instruction.op == Op::IndexCast && space.has_tables_only();
    let instructions = main.computation.instructions.iter().filter(|it| !is_place(it));
    let results = instructions.flat_map(|instruction| &instruction.results);
    // Reals whose bits are used are words.
    let is_word = |number: usize| main.computation.is_cast_only(Ref::Argument(number));
    let sources = main.computation.arguments.iter().zip(&main.sources).enumerate();
    let arguments = sources.filter(|(number, (_, source))| **source != Source::Unused && !is_word(*number));
    let arguments = arguments.map(|(_, (element, _))| element);
    let mut others = results.chain(arguments).copied().filter(|element| !fits(element));
    let first = others.next()?;
    [first].into_iter().chain(others).find(|element| element.is_real()).or(Some(first))
}

struct Search<'n> {
    space: &'n Space,
    target: &'n Target,
}

impl Search<'_> {
    fn candidates(&self) -> Vec<Schedule> {
        let mut candidates = Vec::new();
        for grouped in self.grouped() {
            for vectors in self.vectors(grouped) {
                for rows in self.rows(vectors, grouped) {
                    for order in self.orders(vectors, rows) {
                        candidates.push(self.schedule(vectors, rows, order, grouped));
                    }
                }
            }
        }
        candidates
    }

    /// The atoms of the target that fit, and none.
    fn grouped(&self) -> Vec<Option<Grouped>> {
        let Some(grouping) = self.space.grouping() else { return vec![None] };
        let fits = |atom: &&Atom| atom.group == grouping.size && atom.fit(grouping.numbers, grouping.sum).is_some();
        let atoms = Atom::grouped_of(self.target).filter(fits);
        atoms.map(|atom| Some(Grouped { dim: grouping.dim, atom })).chain([None]).collect()
    }

    /// One element after the other.
    fn plain(&self) -> Schedule {
        self.schedule(None, None, self.space.dims_that_are(false).collect(), None)
    }

    fn schedule(
        &self,
        vectors: Option<Vectors>,
        rows: Option<Rows>,
        order: Vec<usize>,
        grouped: Option<Grouped>,
    ) -> Schedule {
        let dot = vectors.map(|vectors| vectors.dim).filter(|dim| self.space.dims[*dim].is_reduced);
        let of = |dim: usize, kind: Kind| {
            let vectors = vectors.filter(|vectors| vectors.dim == dim);
            let rows = rows.filter(|rows| rows.dim == dim && kind == Kind::Parallel);
            let grouped = grouped.filter(|grouped| grouped.dim == dim);
            let step = vectors.map(|vectors| vectors.tile).or(rows.map(|rows| rows.count)).unwrap_or(1);
            let groups = grouped.map(|grouped| Form::Groups(grouped.atom));
            Loop { dim, step, kind, form: vectors.map(Vectors::form).or(groups).unwrap_or(Form::Elements) }
        };
        let reductions = usual_reductions(self.space, dot).into_iter().map(|dim| of(dim, Kind::Reduce));
        let loops = order.into_iter().map(|dim| of(dim, Kind::Parallel)).chain(reductions).collect();
        let mut schedule = Schedule { loops, packs: Vec::new() };
        let unrolled = if dot.is_none() { self.unrolled(&schedule) } else { 0 };
        schedule.loops.iter_mut().rev().take(unrolled).for_each(|own| own.kind = Kind::Unroll);
        schedule
    }

    /// The innermost reductions as far as they are short.
    fn unrolled(&self, schedule: &Schedule) -> usize {
        // Indices that are constants are worth it where elements are fetched by them; what is stored at each point takes longer than its loop.
        let is_long = self.space.is_indexed() && !self.space.fetches() || !self.space.on_the_way().is_empty();
        if is_long || is_crowded(self.space, schedule, self.target) {
            return 0;
        }
        let mut work = tile_points(schedule) * self.words(schedule);
        let short = |dim: &&usize| {
            work = work.saturating_mul(schedule.iterations(self.space, **dim));
            work <= MOST_UNROLLED && !self.space.dims[**dim].is_open
        };
        schedule.reductions().iter().rev().take_while(short).count()
    }

    /// Vectors of words to which products are added for a vector of lanes, where an input has one group for all of them.
    fn words(&self, schedule: &Schedule) -> i64 {
        let is_shared = schedule.grouped().is_some() && self.space.grouping().is_some_and(|own| !own.is_apart);
        let vectors = schedule.vectors().filter(|_| is_shared && self.target.isa.only_whole);
        vectors.map_or(1, |vectors| (vectors.lanes / self.target.isa.lanes()).max(1))
    }

    fn vectors(&self, grouped: Option<Grouped>) -> Vec<Option<Vectors>> {
        let mut found = Vec::new();
        let fits = !self.target.isa.only_words || no_word(self.space).is_none();
        if self.target.isa.lanes() > 1 && fits && has_vector_form(self.space) {
            let parallel = if self.target.isa.only_whole { &WHOLE_VECTORS[..] } else { &VECTORS };
            for dim in 0..self.space.dims.len() {
                let extent = self.space.dims[dim].extent;
                let counts = if self.space.dims[dim].is_reduced { &REDUCED_VECTORS } else { parallel };
                let widening = self.widening(dim, grouped);
                let counts = counts.iter().chain(self.streamed(dim));
                for (count, (lanes, is_scalable)) in counts.flat_map(|&count| self.lengths(count, widening)) {
                    let tile = count * lanes;
                    let panel = panel(self.space, dim, lanes);
                    if extent > 1 && panel.is_none_or(|size| size % tile == 0 || lanes % size == 0) {
                        let tails = self.tails(dim).filter(|tail| self.has_tail(dim, (lanes, is_scalable), **tail));
                        found.extend(tails.map(|&tail| Vectors { dim, lanes, tile, is_scalable, tail }));
                    }
                }
            }
        }
        found.extend(self.columns());
        found.retain(|vectors| vectorized(self.space, *vectors, self.crossing(*vectors), grouped).is_ok());
        found.into_iter().map(Some).chain([None]).collect()
    }

    /// Columns of single elements on Hexagon, which has no vectors of them: products of reals, and what is computed element by element.
    fn columns(&self) -> impl Iterator<Item = Vectors> {
        let space = self.space;
        let is_real = |(operand, _): (usize, &Access)| space.element(operand) == Some(Element::Real(32));
        let is_product = space.is_contraction() && space.walked().all(is_real);
        let has_columns = self.target.is_hexagon() && (is_product || self.is_single());
        let is_near = move |dim: usize| {
            space.accesses().all(|access| matches!(access.steps[dim], Step::Linear(_)))
                && space.output.1.steps[dim] == Step::Linear(1)
                && !space.dims[dim].is_open
                && space.dims[dim].extent >= COLUMNS
        };
        let dims = space.dims_that_are(false).filter(move |dim| has_columns && is_near(*dim));
        dims.map(|dim| Vectors { dim, lanes: 1, tile: COLUMNS, is_scalable: false, tail: Tail::Split })
    }

    /// Whether elements are computed each by itself, and have no vectors.
    fn is_single(&self) -> bool {
        let is_plain = !self.space.has_reduction() && self.space.further.is_empty() && !self.space.is_indexed();
        is_plain && (self.target.isa.lanes() < 2 || no_word(self.space).is_some())
    }

    /// Numbers of vectors of a dimension along which sums are of rows that lie apart.
    fn streamed(&self, dim: usize) -> impl Iterator<Item = &'static i64> {
        let Dim { extent, is_reduced, .. } = self.space.dims[dim];
        let is_apart = |access: &Access| access.steps[dim] == Step::Linear(1) && streamed(self.space, access);
        let is_streamed = !is_reduced && self.space.has_reduction();
        let is_streamed = is_streamed && self.space.main.memory().any(|(_, access)| is_apart(access));
        let fits = move |count: &&i64| is_streamed && extent >= STREAMED_TILES * self.target.isa.lanes() * **count;
        STREAMED_VECTORS.iter().filter(fits)
    }

    /// So many vectors in all lengths that the target has: lanes, and whether they are multiplied by what only the processor
    /// knows.
    fn lengths(&self, count: i64, widening: i64) -> impl Iterator<Item = (i64, (i64, bool))> {
        let isa = self.target.isa;
        let (count, widening) = if self.is_chain() { (1, widening * count) } else { (count, widening) };
        let scalable = isa.scalable().map(|(lanes, _)| (lanes, true));
        let short = self.short_panels().map(|lanes| (lanes, false));
        let fixed = [(isa.lanes() * widening, false)].into_iter().chain(short);
        scalable.into_iter().chain(fixed).map(move |length| (count, length))
    }

    /// Lanes of the vectors that short panels are written by, where targets have such.
    fn short_panels(&self) -> Option<i64> {
        let isa = &self.target.isa;
        let is_written = !self.space.has_reduction() && !isa.only_whole;
        let panel = |step: &Step| match *step {
            Step::Panel { size, inner: 1, .. } => Some(1 << size.trailing_zeros().min(isa.lanes().ilog2())),
            _ => None,
        };
        let lanes = self.space.output.1.steps.iter().find_map(panel);
        lanes.filter(|lanes| is_written && (2..isa.lanes()).contains(lanes))
    }

    /// Whether the vectors of a tile are computed side by side, as one that LLVM takes apart: one after the other, each takes so many
    /// operations that wait for each other that processors don't look ahead to the next. Bytes are looked up for more lanes than words have, and
    /// words that become narrower fill a vector together, where no instruction makes each a shorter one.
    fn is_chain(&self) -> bool {
        let is_fixed = !self.target.isa.only_whole && !self.target.isa.is_scalable();
        let instructions = &self.space.main.computation.instructions;
        let is_looked_up = |it: &Instruction| self.target.lookup().is_some() && is_of_bytes(&self.space.operands, it);
        let is_narrowed = |it: &Instruction| it.op == Op::TruncI && !self.target.has("avx512f");
        let is_chain = |it: &Instruction| it.op.facts().is_chain || is_looked_up(it) || is_narrowed(it);
        is_fixed && !self.space.has_reduction() && instructions.iter().any(is_chain)
    }

    /// How many vectors of words a vector of lanes is, so that the narrowest elements that are loaded or stored fill one where the
    /// target has whole ones only.
    fn widening(&self, dim: usize, grouped: Option<Grouped>) -> i64 {
        if !self.target.isa.only_whole || RowsOfBytes::of(self.space, dim).is_some() {
            return 1;
        }
        let grouping = grouped.and_then(|_| self.space.grouping());
        let is_factor = |access: &Access| grouping.is_some_and(|grouping| grouping.has_words(access));
        let walked = self.space.walked().filter(|(_, access)| access.steps[dim].moves() && !is_factor(access));
        let bytes = walked.filter_map(|(operand, _)| Some(self.space.element(operand)?.bytes()));
        WORD / bytes.min().unwrap_or(WORD).clamp(1, WORD)
    }

    /// What can be done with the rest of a dimension.
    fn tails(&self, dim: usize) -> impl Iterator<Item = &'static Tail> {
        let isa = &self.target.isa;
        let has_words = |operand: usize| self.space.element(operand).is_some_and(|element| element.bytes() >= WORD);
        let is_word = |(operand, access): (usize, &Access)| match access.steps[dim] {
            Step::Linear(0) => true,
            Step::Linear(1) => has_words(operand),
            _ => false,
        };
        let mut fetched = (0..self.space.operands.len()).filter(|operand| self.space.is_fetched(*operand));
        let is_open = self.space.dims[dim].is_open;
        let masks_words = isa.masks_words && is_open && self.space.walked().all(is_word) && fetched.all(has_words);
        isa.tails.iter().chain(masks_words.then_some(&Tail::Mask))
    }

    /// Whether the rest of a dimension is good so: where the target has whole vectors only there is none, or it is masked; others add
    /// up short vectors of what is known.
    fn has_tail(&self, dim: usize, (lanes, is_scalable): (i64, bool), tail: Tail) -> bool {
        let Dim { extent, is_open, is_reduced, .. } = self.space.dims[dim];
        match self.target.isa.only_whole {
            true => !is_open && extent % lanes == 0 || tail == Tail::Mask,
            false => tail == Tail::Split || is_open || !is_reduced || is_scalable,
        }
    }

    /// The rows of a tile that is transposed in registers: as many as a vector has lanes.
    fn crossing(&self, vectors: Vectors) -> Option<Rows> {
        let rows = |dim: usize| match self.target.isa.only_whole {
            // What of the vectors belongs to further rows is not used, but few rows leave them in registers.
            true => Rows { dim, count: even_share(self.space.dims[dim].extent, ROWS_ACROSS) },
            false => Rows { dim, count: vectors.lanes },
        };
        let rows = self.transposed().map(rows);
        // What is masked is gathered: smaller squares are better, where there are any.
        let is_split = vectors.tail == Tail::Split || !self.target.isa.tails.contains(&Tail::Split);
        // Whole vectors are put together of known ones.
        let is_known = |access: &Access| access.steps[vectors.dim].linear().is_some();
        let is_whole =
            self.target.isa.only_whole && !self.space.dims[vectors.dim].is_open && self.space.accesses().all(is_known);
        let crosses = |rows: &Rows| {
            (is_whole || is_split && !self.target.isa.only_whole && vectors.lanes <= self.target.isa.lanes())
                && vectors.tile == vectors.lanes
                && !vectors.is_scalable
                && rows.dim != vectors.dim
                && self.space.reads().any(|(_, access)| crosses(self.space, access, vectors.dim, Some(*rows)))
        };
        rows.filter(|_| !self.space.is_indexed()).filter(crosses)
    }

    fn rows(&self, vectors: Option<Vectors>, grouped: Option<Grouped>) -> Vec<Option<Rows>> {
        if let Some(rows) = vectors.and_then(|vectors| self.crossing(vectors)) {
            return vec![Some(rows)];
        }
        if let Some(deciding) = Deciding::of(self.space, &self.space.main.computation) {
            // What rows have in common fills the registers for one vector.
            let fits = |vectors: Vectors| vectors.tile == vectors.lanes;
            let rows = Rows { dim: deciding.dim, count: deciding.rows(self.space) };
            return vec![Some(rows).filter(|_| vectors.is_none_or(fits)), None];
        }
        let Some(dim) = self.row_dimension(vectors) else { return vec![None] };
        let dot = vectors.is_some_and(|vectors| self.space.dims[vectors.dim].is_reduced);
        let width = vectors.map_or(1, |vectors| self.width(vectors, grouped));
        let multiplies_matrices = grouped.is_some_and(|grouped| grouped.atom.function_of_matrices().is_some());
        let most = match dot {
            true => self.target.streams,
            false if multiplies_matrices => matrices::BESIDE * matrices::ROWS,
            false if vectors.is_some_and(|vectors| vectors.lanes == 1) => COLUMNS,
            false => ((self.target.isa.registers - width - 1) / width).clamp(1, MOST_ROWS).min(MOST_POINTS / width),
        };
        let known = self.space.dims[dim];
        let mut counts: Vec<i64> = (1..=most)
            .rev()
            .map(|most| if known.is_open { most } else { even_share(known.extent, most).max(1) })
            .collect();
        counts.dedup();
        counts.into_iter().map(|count| Some(Rows { dim, count })).collect()
    }

    /// Whether results along a dimension lie one behind the other, each shorter than a vector: what is stored behind the elements of one is
    /// stored again with the next.
    fn follows(&self, vectors: Vectors, dim: usize) -> bool {
        let Dim { extent, is_open, .. } = self.space.dims[vectors.dim];
        let is_short = self.target.isa.only_whole && !is_open && extent < vectors.lanes;
        is_short && self.space.output.1.steps[dim] == Step::Linear(extent)
    }

    /// How many registers a row of a tile has, but for columns that are added up by themselves.
    fn width(&self, vectors: Vectors, grouped: Option<Grouped>) -> i64 {
        let lanes = vectors.lanes.min(self.space.lanes_of_results(self.target));
        let extent = self.space.dims[vectors.dim].extent;
        match grouped.and_then(|_| Dots::along(self.space, vectors.dim, self.target)) {
            Some(_) if extent <= vectors.tile => (extent / lanes).max(1),
            _ => (vectors.tile / lanes).max(1),
        }
    }

    /// The dimension to unroll: one along which an operand is used again.
    fn row_dimension(&self, vectors: Option<Vectors>) -> Option<usize> {
        let space = self.space;
        if space.is_indexed() {
            return None;
        }
        if !space.has_reduction() {
            return self.transposed().filter(|_| vectors.is_none());
        }
        let dot = vectors.is_some_and(|vectors| space.dims[vectors.dim].is_reduced);
        let follows = |dim: usize| vectors.is_some_and(|vectors| self.follows(vectors, dim));
        let moves = |dim: usize| space.main.memory().all(|(_, access)| access.steps[dim].moves());
        // Sums wait for the ones before, but not for those of other rows.
        let waits = !space.on_the_way().is_empty();
        let reused = |dim: usize| follows(dim) || waits || !moves(dim);
        let is_vectorized = |dim: usize| vectors.is_some_and(|vectors| vectors.dim == dim);
        let fits = |&dim: &usize| is_steady(space, dim) && !is_vectorized(dim) && (dot || reused(dim));
        if let Some(dim) = space.shared_groups().filter(|dim| fits(dim)) {
            return Some(dim);
        }
        let distance = |dim: usize| space.output.1.steps[dim].typical();
        // What only a run knows may be 1: a known dimension that fills half a tile is better.
        let fills = |dim: usize| match space.dims[dim] {
            Dim { extent, is_open: true, .. } => extent / TYPICAL * FEW_ROWS,
            Dim { extent, .. } => extent,
        };
        let filled = |dim: usize| fills(dim).min(2 * FEW_ROWS);
        let score = |&dim: &usize| {
            (reused(dim) && filled(dim) > 1, filled(dim), !space.dims[dim].is_open, std::cmp::Reverse(distance(dim)))
        };
        (0..space.dims.len()).filter(fits).max_by_key(score)
    }

    /// Where neighbours in an input are far apart in the output, the dimension along which they are: unrolled, it uses
    /// all of each line of the cache that is loaded.
    fn transposed(&self) -> Option<usize> {
        let space = self.space;
        let near = |steps: &[Step], dim: usize| steps[dim] == Step::Linear(1) && space.dims[dim].extent > 1;
        let read = |dim: usize| space.reads().any(|(_, access)| near(&access.steps, dim));
        (0..space.dims.len()).find(|&dim| !near(&space.output.1.steps, dim) && is_steady(space, dim) && read(dim))
    }

    /// Parallel dimensions as they lie in the output: with the vectors innermost, so that what belongs to them is walked
    /// for every tile of rows, or outermost, so that it is walked once, panel by panel.
    fn orders(&self, vectors: Option<Vectors>, rows: Option<Rows>) -> Vec<Vec<usize>> {
        let distance = |dim: usize| self.space.output.1.steps[dim].typical();
        let rows = rows.map(|rows| rows.dim);
        let vector = vectors.map(|vectors| vectors.dim).filter(|dim| !self.space.dims[*dim].is_reduced);
        let mut others: Vec<usize> =
            self.space.dims_that_are(false).filter(|&dim| Some(dim) != vector && Some(dim) != rows).collect();
        others.sort_by_key(|&dim| std::cmp::Reverse(distance(dim)));
        let inside = others.iter().copied().chain(rows).chain(vector).collect();
        let outside = vector.into_iter().chain(others.iter().copied()).chain(rows).collect();
        match vector.is_some() && self.space.has_reduction() {
            // Weights of few bits are of models that no cache holds: they are read once.
            true if Scaled::of(self.space).is_some() => vec![outside],
            true => vec![inside, outside],
            false => vec![inside],
        }
    }
}

#[cfg(test)]
mod tests;
