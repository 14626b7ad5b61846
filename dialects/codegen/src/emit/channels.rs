//! Sharing products by output channels: which kernels, along which loop, and what of the weights each process prepares.

use super::planner::{Planner, is_all};
use super::read::{self, Bound};
use super::sequence::Sequence;
use super::sharded::{Along, Shared, Sharing, refuse};
use crate::fusion::memory::{is_view, root};
use crate::interface::Interface;
use crate::nest::share::{self, Needed, Share, Whole};
use crate::views::functions::{self, PREPARE, RUN};
use crate::{Error, notes};
use skriptnd_mlir::Severity;
use skriptnd_mlir::ir::{Location, OperationRef, Value, attributes, block_arguments, emit};
use skriptnd_mlir::ops::memref;
use std::collections::HashSet;

/// Where products stand whose weights each process needs as a whole.
type Left<'c> = Vec<(Location<'c>, Whole)>;

impl<'c: 'a, 'a> Planner<'_, '_, 'c> {
    /// Shares products with weights by the channels of what they give.
    ///
    /// # Errors
    /// Where there is none that can be shared.
    pub fn by_channels(mut self, module: OperationRef<'c, 'a>, all: &[Sequence<'c, 'a>]) -> Result<Sharing, Error> {
        let mut sharing = Sharing::default();
        let arguments = Arguments::of(module)?;
        let (run, prepare): (Vec<_>, Vec<_>) =
            all.iter().partition(|sequence| sequence.last().is_some_and(functions::is_in_run));
        let own: HashSet<usize> = all.iter().flat_map(Sequence::operations).map(|operation| operation.key()).collect();
        let (mut needed, mut left) = (Needed::default(), Vec::new());
        for sequence in run {
            self.share_product(sequence, &arguments, (&mut sharing, &mut needed, &mut left))?;
        }
        if sharing.is_empty() {
            return Err(nothing_to_share(module, &left));
        }
        for (location, reason) in &left {
            let text = format!("each process keeps all weights of this product: {reason}");
            emit(*location, Severity::Warning, &text);
        }
        let mut prepared = Needed::default();
        for (given, taken) in &arguments.prepared {
            let is_whole = has_other_uses(*given, &own);
            prepared.read(taken.key(), needed.part(given.key()).filter(|_| !is_whole).cloned());
        }
        for sequence in prepare.into_iter().rev() {
            self.share_preparation(sequence, &own, (&mut sharing, &mut prepared))?;
        }
        Ok(sharing)
    }

    /// Shares a product of the function `run`, if it is one with weights; notes what it needs of these.
    fn share_product(
        &mut self,
        sequence: &Sequence<'c, 'a>,
        arguments: &Arguments<'c, 'a>,
        (sharing, needed, left): (&mut Sharing, &mut Needed, &mut Left<'c>),
    ) -> Result<(), Error> {
        let Some(last) = sequence.last() else { return Ok(()) };
        for bound in self.bound(sequence)? {
            let is_weight = |operand: usize| arguments.weights.contains(&root(bound.values[operand].value).key());
            let found = self.product(sequence, &bound, &is_weight)?;
            for (operand, access) in bound.space.reads().filter(|(operand, _)| is_weight(*operand)) {
                let part = found.ok().flatten().and_then(|share| share.part(&bound.space, access));
                let value = bound.values[operand].value;
                needed.read(root(value).key(), part.filter(|_| is_all(value)));
            }
            match found {
                Ok(Some(share)) => sharing.insert(last, Shared { share, part: None }),
                Ok(None) => {}
                // What is no product reads few.
                Err(reason) if bound.space.is_contraction() => left.push((last.location(), reason)),
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// The loop of a product that is shared.
    fn product(
        &mut self,
        sequence: &Sequence<'c, 'a>,
        bound: &Bound<'c, 'a>,
        is_weight: &dyn Fn(usize) -> bool,
    ) -> Result<Result<Option<Share>, Whole>, Error> {
        let dim = match share::channels(&bound.space, is_weight) {
            Ok(Some(dim)) if is_single(sequence) => dim,
            Ok(Some(_)) => return Ok(Err(Whole::NoLoop)),
            Ok(None) => return Ok(Ok(None)),
            Err(reason) => return Ok(Err(reason)),
        };
        let (schedule, _) = self.files.schedule(&bound.space, self.target)?;
        Ok(Share::of(&bound.space, &schedule, dim, self.wanted).map(Some).ok_or(Whole::OneTile))
    }

    /// Shares a kernel of the function `prepare`, if only a part of what it writes is needed.
    fn share_preparation(
        &mut self,
        sequence: &Sequence<'c, 'a>,
        own: &HashSet<usize>,
        (sharing, needed): (&mut Sharing, &mut Needed),
    ) -> Result<(), Error> {
        let Some(last) = sequence.last() else { return Ok(()) };
        for bound in self.bound(sequence)? {
            let output = bound.values[bound.space.output.0].value;
            let is_free = is_single(sequence) && bound.space.further.is_empty() && is_all(output);
            let part = needed.part(root(output).key()).filter(|_| is_free && !has_other_uses(root(output), own));
            let found = match part {
                Some(part) => {
                    let (schedule, _) = self.files.schedule(&bound.space, self.target)?;
                    part.written_along(&bound.space, &schedule, &bound.space.output.1)
                }
                None => None,
            };
            for (operand, access) in bound.space.reads() {
                let value = bound.values[operand].value;
                let read = found.as_ref().filter(|_| is_all(value));
                let part = read.and_then(|(share, part)| part.read_along(&bound.space, share.dim, access));
                needed.read(root(value).key(), part);
            }
            if let Some((share, part)) = found {
                sharing.insert(last, Shared { share, part: Some(part) });
            }
        }
        Ok(())
    }

    fn bound(&self, sequence: &Sequence<'c, 'a>) -> Result<Vec<Bound<'c, 'a>>, Error> {
        sequence.groups.iter().map(|group| read::read(group, self.rounding)).collect()
    }
}

/// Whether a kernel has one nest of loops.
fn is_single(sequence: &Sequence<'_, '_>) -> bool {
    matches!(sequence.groups.as_slice(), [only] if only.space.shared() == 0)
}

/// Whether other operations than these use a memory.
fn has_other_uses<'c: 'a, 'a>(memory: Value<'c, 'a>, own: &HashSet<usize>) -> bool {
    memory.uses().into_iter().any(|(user, _)| match user.full_name() {
        memref::DIM => false,
        _ if is_view(user) => user.results().any(|view| has_other_uses(view, own)),
        _ => !own.contains(&user.key()),
    })
}

/// Arguments of the functions that are weights.
struct Arguments<'c, 'a> {
    /// Keys of the variables of `run`, and of what is prepared for it.
    weights: HashSet<usize>,
    /// What is prepared: as `run` takes it, and as `prepare` writes it.
    prepared: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
}

impl<'c: 'a, 'a> Arguments<'c, 'a> {
    fn of(module: OperationRef<'c, 'a>) -> Result<Self, Error> {
        let interface = Interface::noted(module)?;
        let prepared = notes::read(module, notes::PREPARED, "codegen-split-preparation")?;
        let count = attributes::as_array(prepared).map_or(0, |types| types.len());
        let values = |name: &str| -> Result<Vec<Value<'c, 'a>>, Error> {
            let body = functions::named(module, name)?.region(0).ok().and_then(|region| region.first_block());
            Ok(body.map(|body| block_arguments(body).collect()).unwrap_or_default())
        };
        let run = values(RUN)?;
        let given = run.iter().copied().skip(interface.arguments.len()).take(count).collect::<Vec<_>>();
        let written = if count > 0 { values(PREPARE)? } else { Vec::new() };
        let written = written.into_iter().skip(interface.variables.len());
        let variables = interface.variable_arguments().into_iter().filter_map(|number| run.get(number));
        let weights = variables.chain(&given).map(Value::key).collect();
        Ok(Arguments { weights, prepared: given.into_iter().zip(written).collect() })
    }
}

/// Reports why nothing is shared, at the places of products with weights if there are such.
fn nothing_to_share(module: OperationRef<'_, '_>, left: &Left<'_>) -> Error {
    for (location, reason) in left {
        refuse(*location, Along::Channel, &reason.to_string());
    }
    if left.is_empty() {
        let place = functions::named(module, RUN).map_or(module.location(), |run| run.location());
        refuse(place, Along::Channel, "the graph has no product with weights");
    }
    Error::Reported
}
