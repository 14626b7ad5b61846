//! Elementwise operations become part of what reads them: a chain or a tree of them is one operation, and a reduction
//! computes what it adds up. What is between them is never stored.
//!
//! An operation disappears where everything that reads it becomes one operation; then it is computed once, as before. It is
//! computed for several readers if that is less work than to store and to load: when it is a few sums or products of one
//! tensor and what is spread over it.

use super::accumulated::read_accumulated;
use super::fusible::{
    MOST_REPEATED, ends_reduction, follows_reduction, is_copy, is_cut, is_elementwise, is_extension, is_kept_along,
    is_quick, is_short, reads_destination, turns,
};
use super::operations::{copy_body, set_maps};
use crate::views::shapes::volume;
use crate::views::structured::Structured;
use crate::{Error, Target};
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_arguments, block_operations, operations_named, types};
use skriptnd_mlir::ops::linalg;
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::{HashMap, HashSet};

/// Operations on scalars that one operation may have afterwards: what LLVM does to one block takes more than proportional
/// time.
const MOST_OPERATIONS: usize = 256;

/// Operands that one operation may read afterwards.
const MOST_INPUTS: usize = 24;

/// Readers for which something is computed again.
const MOST_READERS: usize = 4;

/// Fuses the elementwise operations of a function into their readers. Returns how many operations went.
pub fn fuse<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    read_accumulated(function)?;
    // What is stored in fewer bits is so where it is computed, rather than where it is read.
    let is_cut = |operation: &OperationRef<'c, 'a>| Structured::read(*operation).is_some_and(|own| is_cut(&own));
    let cut = operations_named(function, linalg::GENERIC).into_iter().filter(is_cut).collect();
    Ok(take_in(function, cut, target)? + take_in(function, operations_named(function, linalg::GENERIC), target)?)
}

/// Fuses into operations what they read, the last ones first.
fn take_in<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    roots: Vec<OperationRef<'c, 'a>>,
    target: &Target,
) -> Result<usize, Error> {
    let (mut gone, mut repeated) = (HashSet::new(), HashSet::new());
    let operations = operations_named(function, linalg::GENERIC);
    let places = operations.iter().enumerate().map(|(place, operation)| (operation.key(), place)).collect();
    for operation in roots.into_iter().rev() {
        if gone.contains(&operation.key()) || operation.result_count() == 0 {
            continue;
        }
        if repeated.contains(&operation.key()) && !operation.is_used() {
            with_rewriter(operation, |rewriter| rewriter.erase(operation))?;
            gone.insert(operation.key());
            continue;
        }
        let Some(root) = Structured::read(operation).filter(is_root) else { continue };
        let tree = Tree::around(root, (&places, target));
        if tree.parts.len() == 1 || !tree.has_extents() {
            continue;
        }
        tree.build()?;
        gone.extend(tree.whole().map(|part| part.operation.key()));
        repeated.extend(tree.repeated().map(|part| part.operation.key()));
    }
    Ok(gone.len())
}

/// Whether an operation may compute what it reads: products of matrices use each element many times, and have forms of
/// their own.
fn is_root(operation: &Structured<'_, '_>) -> bool {
    let whole = block_operations(operation.body).all(|operation| operation.region_count() == 0);
    whole && !operation.adds_products()
}

/// Where a part of a tree has an operand from.
#[derive(Clone, Copy)]
enum Input {
    /// Another part.
    Part(usize),
    /// An operand of the whole, by its number.
    Leaf(usize),
}

/// An operation that becomes part of another one.
struct Part<'c, 'a> {
    of: Structured<'c, 'a>,
    /// Its dimensions as expressions in those of the whole.
    dims: Map,
    inputs: Vec<Input>,
    /// Whether it stays for other readers, as far as this tree knows.
    is_repeated: bool,
}

/// A producer that may become part of a tree, and who reads it there.
struct Found<'c, 'a> {
    of: Structured<'c, 'a>,
    dims: Map,
    readers: Vec<(usize, usize)>,
}

/// An operation with the elementwise operations that it takes in.
struct Tree<'c, 'a> {
    /// The first is the operation that takes in.
    parts: Vec<Part<'c, 'a>>,
    leaves: Vec<(Value<'c, 'a>, Map)>,
    length: usize,
    /// Whether there are whole vectors only, in which what is transposed is copied alone.
    only_whole: bool,
}

impl<'c: 'a, 'a> Tree<'c, 'a> {
    /// `places` tells which operations stand before others.
    fn around(root: Structured<'c, 'a>, (places, target): (&HashMap<usize, usize>, &Target)) -> Self {
        let length = block_operations(root.body).count();
        let dims = Map::identity(root.extents.len());
        let only_whole = target.isa.only_whole;
        let mut tree = Tree { parts: Vec::new(), leaves: Vec::new(), length, only_whole };
        let mut found: HashMap<usize, Option<Found<'c, 'a>>> = HashMap::new();
        let mut order = Vec::new();
        tree.add(root, dims, false);
        let (mut next, mut has_end) = (0, false);
        loop {
            let mut ends = Vec::new();
            while next < tree.parts.len() {
                ends.extend(tree.take_in(next, &mut found, &mut order));
                next += 1;
            }
            // A kernel sums once: of several that end sums, all but the last belong to these.
            let last = ends.into_iter().filter(|_| !has_end).max_by_key(|key| places.get(key));
            let Some(met) = last.and_then(|key| found.remove(&key).flatten()) else { break };
            tree.take(met, false);
            has_end = true;
        }
        for key in order {
            if let Some(Some(found)) = found.remove(&key)
                && found.is_worth_repeating()
            {
                tree.take(found, true);
            }
        }
        tree
    }

    /// Takes in what nothing but a part reads, and notes in which order all that it reads is met. Returns what ends sums, which is not taken in yet.
    fn take_in(
        &mut self,
        part: usize,
        found: &mut HashMap<usize, Option<Found<'c, 'a>>>,
        order: &mut Vec<usize>,
    ) -> Vec<usize> {
        let mut ends = Vec::new();
        for input in 0..self.parts[part].of.inputs.len() {
            let Some(key) = self.meet(part, input, found) else { continue };
            order.push(key);
            match found.get(&key).and_then(Option::as_ref).filter(|met| met.is_read_here_only()) {
                Some(met) if ends_reduction(&met.of) => ends.push(key),
                Some(_) => found.remove(&key).flatten().into_iter().for_each(|met| self.take(met, false)),
                None => {}
            }
        }
        ends
    }

    /// Parts that are computed nowhere else, without the root.
    fn whole(&self) -> impl Iterator<Item = &Structured<'c, 'a>> {
        self.parts.iter().skip(1).filter(|part| !part.is_repeated).map(|part| &part.of)
    }

    fn repeated(&self) -> impl Iterator<Item = &Structured<'c, 'a>> {
        self.parts.iter().filter(|part| part.is_repeated).map(|part| &part.of)
    }

    /// Appends a part, all of whose operands are leaves.
    fn add(&mut self, of: Structured<'c, 'a>, dims: Map, is_repeated: bool) -> usize {
        let mut inputs = Vec::new();
        for (input, map) in of.inputs.iter().zip(&of.maps) {
            let map = map.after(&dims).unwrap_or_else(|| map.clone());
            inputs.push(Input::Leaf(self.leaf(*input, map)));
        }
        self.parts.push(Part { of, dims, inputs, is_repeated });
        self.parts.len() - 1
    }

    fn leaf(&mut self, value: Value<'c, 'a>, map: Map) -> usize {
        let is_it = |(known, other): &(Value<'c, 'a>, Map)| known.key() == value.key() && *other == map;
        self.leaves.iter().position(is_it).unwrap_or_else(|| {
            self.leaves.push((value, map));
            self.leaves.len() - 1
        })
    }

    /// Notes that a part reads what another operation computes; the key of that if it may become a part.
    fn meet(&self, part: usize, input: usize, found: &mut HashMap<usize, Option<Found<'c, 'a>>>) -> Option<usize> {
        let reader = &self.parts[part];
        if reader.is_repeated {
            return None;
        }
        let producer = reader.of.inputs[input].defining_operation()?;
        let read = reader.of.maps[input].after(&reader.dims)?;
        let dims = || self.producer(producer, &read);
        let known = found
            .entry(producer.key())
            .or_insert_with(|| dims().map(|(of, dims)| Found { of, dims, readers: Vec::new() }));
        let same = known.as_ref().is_some_and(|known| dims().is_some_and(|(_, dims)| dims == known.dims));
        match known {
            Some(known) if same => known.readers.push((part, input)),
            known => *known = None,
        }
        same.then(|| producer.key())
    }

    /// What a producer is that may become a part where the whole reads it so, with its dimensions.
    fn producer(&self, producer: OperationRef<'c, 'a>, read: &Map) -> Option<(Structured<'c, 'a>, Map)> {
        let root = &self.parts[0].of;
        let of = Structured::read(producer).filter(is_elementwise)?;
        if producer.block() != root.operation.block() {
            return None;
        }
        let dims = of.output_map()?.inverse()?.after(read)?;
        // What is repeated for several pixels may be stored in fewer bits.
        let is_repeated = |expr: &Expr| matches!(expr, Expr::Mod(..)) && is_extension(&of);
        let is_plain = |expr: &Expr| matches!(expr, Expr::Dim(_) | Expr::Const(0)) || is_repeated(expr);
        let once = volume(&root.extents) <= volume(&of.extents) || is_copy(&of);
        let written = root.output_map().filter(|_| root.is_parallel());
        let is_kept = |map: &Map| is_kept_along(&of, map, &dims);
        let kept = match written {
            Some(written) if self.only_whole && !is_copy(&of) => is_kept(written) || turns(&of) && is_short(root),
            _ => [Some(read), written].into_iter().flatten().any(is_kept),
        };
        let kept = kept && !reads_destination(root, &of, &dims);
        let is_free = root.is_parallel() || !follows_reduction(&of) && !ends_reduction(&of);
        (read.results.iter().all(is_plain) && once && kept && is_free).then_some((of, dims))
    }

    /// Makes a producer a part, if the whole does not get too long.
    fn take(&mut self, found: Found<'c, 'a>, is_repeated: bool) {
        let length = block_operations(found.of.body).count();
        if self.length + length > MOST_OPERATIONS || self.read_leaves().len() + found.of.inputs.len() > MOST_INPUTS {
            return;
        }
        self.length += length;
        let number = self.add(found.of, found.dims, is_repeated);
        for (part, input) in found.readers {
            self.parts[part].inputs[input] = Input::Part(number);
        }
    }

    /// The leaves that are still read.
    fn read_leaves(&self) -> Vec<usize> {
        let inputs = self.parts.iter().flat_map(|part| &part.inputs);
        let mut read: Vec<usize> =
            inputs.filter_map(|input| if let Input::Leaf(leaf) = input { Some(*leaf) } else { None }).collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// Whether the operands that are left tell the extents of all dimensions.
    fn has_extents(&self) -> bool {
        let root = &self.parts[0].of;
        let leaves = self.read_leaves();
        let outputs = &root.maps[root.inputs.len()..];
        let mut told = leaves.iter().map(|leaf| &self.leaves[*leaf].1).chain(outputs).flat_map(|map| &map.results);
        let told: HashSet<usize> = told.by_ref().filter_map(Expr::as_dim).collect();
        (0..root.extents.len()).all(|dim| told.contains(&dim))
    }

    /// Puts one operation in the place of all.
    fn build(&self) -> Result<(), Error> {
        let root = &self.parts[0].of;
        let leaves = self.read_leaves();
        let inputs: Vec<_> = leaves.iter().map(|leaf| self.leaves[*leaf].0).collect();
        let mut maps: Vec<_> = leaves.iter().map(|leaf| self.leaves[*leaf].1.clone()).collect();
        maps.extend_from_slice(&root.maps[root.inputs.len()..]);
        let builder = Builder::before(root.operation)?;
        let fused = linalg::generic(&builder, &inputs, &root.outputs, &maps, &root.reduced)?;
        let (read, written) = fused.arguments.split_at(inputs.len());
        let mut body =
            Body { tree: self, builder: fused.builder, known: vec![None; self.parts.len()], read: HashMap::new() };
        body.read = leaves.into_iter().zip(read.iter().copied()).collect();
        let results = body.part(0, written)?;
        linalg::r#yield(&body.builder, &results)?;
        set_maps(fused.operation, &maps);
        with_rewriter(root.operation, |rewriter| {
            rewriter.replace(root.operation, &fused.operation.result_values())?;
            self.whole().try_for_each(|part| rewriter.erase(part.operation))
        })?;
        Ok(())
    }
}

impl Found<'_, '_> {
    fn is_read_here_only(&self) -> bool {
        self.of.operation.result(0).is_ok_and(|result| match self.readers.len() {
            1 => result.has_one_use(),
            readers => result.uses().len() == readers,
        })
    }

    /// Whether to compute it again for each reader is less work than to store it.
    fn is_worth_repeating(&self) -> bool {
        let Ok(result) = self.of.operation.result(0) else { return false };
        let points = volume(&self.of.extents);
        let large = self.of.inputs.iter().zip(&self.of.maps).filter(|(_, map)| {
            let dims = (0..map.dims).filter(|&dim| map.results.iter().any(|expr| expr.uses(dim)));
            volume(&dims.map(|dim| self.of.extents[dim]).collect::<Vec<_>>()) > points / 4
        });
        let steps = block_operations(self.of.body).filter(|step| step.full_name() != linalg::YIELD);
        let steps: Vec<_> = steps.collect();
        // What is stored in fewer bits is less to load than what it is made of.
        let bits = |value: Value<'_, '_>| types::width(types::element(value.r#type()));
        let large: Vec<_> = large.map(|(input, _)| bits(*input)).collect();
        large.len() <= 1
            && large.iter().all(|own| *own <= bits(result))
            && steps.len() <= MOST_REPEATED
            && steps.into_iter().all(|step| is_quick(step.full_name()))
            && !follows_reduction(&self.of)
            && (is_extension(&self.of) || is_read_by_few(result))
    }
}

/// Whether all that reads a value may compute it, and is not much.
fn is_read_by_few<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let users = value.uses();
    let reads = |(user, index): &(OperationRef<'c, 'a>, usize)| {
        Structured::read(*user).is_some_and(|user| is_root(&user) && *index < user.inputs.len())
    };
    users.len() <= MOST_READERS && users.iter().all(reads)
}

/// The body of what a tree becomes.
struct Body<'t, 'c, 'a> {
    tree: &'t Tree<'c, 'a>,
    builder: Builder<'c, 'a>,
    /// What parts compute, as far as they are there.
    known: Vec<Option<Value<'c, 'a>>>,
    /// Arguments by the numbers of the leaves.
    read: HashMap<usize, Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    /// Appends a part behind those that it needs; what it yields.
    fn part(&mut self, number: usize, written: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Error> {
        let part = &self.tree.parts[number];
        let mut values = HashMap::new();
        let arguments: Vec<_> = block_arguments(part.of.body).collect();
        for (argument, input) in arguments.iter().zip(&part.inputs) {
            if !argument.is_used() {
                continue;
            }
            values.insert(argument.key(), self.input(*input)?);
        }
        for (argument, value) in arguments[part.inputs.len()..].iter().zip(written) {
            values.insert(argument.key(), *value);
        }
        copy_body(part.of.body, &self.builder, values)
    }

    fn input(&mut self, input: Input) -> Result<Value<'c, 'a>, Error> {
        let missing = || Error::malformed("an operand that nothing computes");
        match input {
            Input::Leaf(leaf) => self.read.get(&leaf).copied().ok_or_else(missing),
            Input::Part(part) => match self.known[part] {
                Some(known) => Ok(known),
                None => {
                    let value = self.part(part, &[])?.first().copied().ok_or_else(missing)?;
                    self.known[part] = Some(value);
                    Ok(value)
                }
            },
        }
    }
}
