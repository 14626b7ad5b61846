//! What the kernels of a module take of VTCM.

use super::Emitter;
use crate::nest::staged::{NotWhole, Staging, Vtcm, arranged};
use crate::nest::{Nest, Schedule, Space};
use crate::{Error, Target};
use skriptnd_hexagon::generated::dialect_attributes::WholeAttr;
use skriptnd_mlir::Severity;
use skriptnd_mlir::ir::locations::call_stack;
use skriptnd_mlir::ir::{Location, OperationRef, emit, emit_with};

/// What kernels may take, and what became of it.
pub(super) struct Taken<'c> {
    vtcm: Vtcm,
    /// Whether a kernel takes some.
    is_taken: bool,
    /// Bytes with which some kernel would take some.
    least: Option<i64>,
    /// Kernels whose operands shall be there as a whole, and why they are not.
    wholes: Vec<(Location<'c>, Option<NotWhole>)>,
}

impl<'c> Taken<'c> {
    pub fn of(vtcm: Vtcm) -> Self {
        Taken { vtcm, is_taken: false, least: None, wholes: Vec::new() }
    }

    pub fn by_dma(&self) -> bool {
        self.vtcm.by_dma
    }

    /// A schedule that was chosen without looking at VTCM, in the order that most suits it; any does where what the kernel reads is there as a whole.
    pub fn arranged(&mut self, space: &Space, schedule: Schedule, (is_whole, target): (bool, &Target)) -> Schedule {
        if is_whole && Staging::whole(space, &schedule, self.vtcm).is_ok() {
            return schedule;
        }
        let (schedule, least) = arranged(space, schedule, self.vtcm, target);
        self.least = self.least.into_iter().chain(least).min();
        schedule
    }

    /// What a kernel has there as a whole, if that is possible.
    fn whole(&mut self, nests: &[Nest], place: Location<'c>) -> Option<Staging> {
        let staging = match nests {
            [nest] => Staging::whole(&nest.space, &nest.schedule, self.vtcm),
            _ => Err(NotWhole::NoVectors),
        };
        self.wholes.push((place, staging.as_ref().err().copied()));
        staging.ok()
    }

    /// Warns of places where what is read is not there as a whole, once of each. Sums and the like that are computed beside a product read no vectors.
    fn warn_of_parts(&self) {
        let line = |place: Location<'c>| call_stack(place).pop().map(|frame| (frame.file, frame.start));
        let lines: Vec<_> = self.wholes.iter().map(|(place, _)| line(*place)).collect();
        for (index, (place, reason)) in self.wholes.iter().enumerate() {
            let Some(reason) = reason else { continue };
            let mut here = self.wholes.iter().enumerate().filter(|(other, _)| lines[*other] == lines[index]);
            let is_told = here.any(|(other, (_, told))| match reason {
                NotWhole::NoVectors => other < index || *told != Some(NotWhole::NoVectors),
                _ => other < index && *told == Some(*reason),
            });
            if !is_told {
                warn_of(*place, *reason, self.vtcm.bytes);
            }
        }
    }

    /// Refuses a budget that is too small for all that could be in VTCM; warns where there is nothing.
    pub fn check(self, module: OperationRef<'_, '_>) -> Result<(), Error> {
        self.warn_of_parts();
        let bytes = self.vtcm.bytes;
        match self.least {
            _ if self.is_taken => Ok(()),
            Some(least) => Err(Error::Unsupported(format!(
                "{bytes} bytes of VTCM hold no tile of any kernel: the smallest one takes {least}"
            ))),
            None => {
                let text = "no kernel reads vectors that would be worth to be in VTCM: it is not used";
                emit(module.location(), Severity::Warning, text);
                Ok(())
            }
        }
    }
}

/// Whether it is noted at the place of one of the operations that what their kernel reads shall be in VTCM as a whole.
pub(super) fn is_whole<'c: 'a, 'a>(mut operations: impl Iterator<Item = OperationRef<'c, 'a>>) -> bool {
    operations.any(|operation| operation.location().has_note(|note| WholeAttr::new(note).is_some()))
}

/// Warns that what a kernel reads is not in VTCM as a whole.
fn warn_of(place: Location<'_>, reason: NotWhole, budget: i64) {
    let told = match reason {
        NotWhole::NoVectors => "no vectors are read, or of memory that is written as well".to_owned(),
        NotWhole::Scattered => "most of what lies between the elements that are read are others".to_owned(),
        NotWhole::NoRoom(bytes) => format!("that takes {bytes} bytes of {budget}"),
    };
    let rule = place.rule().and_then(|rule| call_stack(rule).pop());
    let rule = rule.map(|at| format!("the rule at {}:{}:{} made it", at.file, at.start.0, at.start.1));
    let message = format!("what this reads is not in VTCM as a whole: {told}");
    emit_with(place, Severity::Warning, &message, &rule.into_iter().collect::<Vec<_>>());
}

impl<'c> Emitter<'_, 'c, '_> {
    /// What a kernel has in VTCM: as a whole where that is noted at its place, as far as it can be. What is prepared is prepared once, and threads would share
    /// one place.
    pub(super) fn staging(&mut self, nests: &[Nest], may_take: bool, whole: Option<Location<'c>>) -> Staging {
        let (Some(taken), true) = (&mut self.vtcm, may_take) else { return Staging::default() };
        let wanted = whole.and_then(|place| taken.whole(nests, place));
        let staging = match (wanted, nests) {
            (Some(whole), _) => whole,
            (None, [nest]) => Staging::of(&nest.space, &nest.schedule, taken.vtcm),
            (None, _) => Staging::default(),
        };
        taken.is_taken |= !staging.is_empty();
        taken.least = taken.least.into_iter().chain(staging.least).min();
        staging
    }
}
