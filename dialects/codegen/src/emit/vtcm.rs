//! What the kernels of a module take of VTCM.

use super::Emitter;
use crate::nest::staged::{Staging, Vtcm, arranged};
use crate::nest::{Nest, Schedule, Space};
use crate::{Error, Target};
use skriptnd_mlir::Severity;
use skriptnd_mlir::ir::{OperationRef, emit};

/// What kernels may take, and what became of it.
pub(super) struct Taken {
    vtcm: Vtcm,
    /// Whether a kernel takes some.
    is_taken: bool,
    /// Bytes with which some kernel would take some.
    least: Option<i64>,
}

impl Taken {
    pub fn of(vtcm: Vtcm) -> Self {
        Taken { vtcm, is_taken: false, least: None }
    }

    pub fn by_dma(&self) -> bool {
        self.vtcm.by_dma
    }

    /// A schedule that was chosen without looking at VTCM, in the order that most suits it.
    pub fn arranged(&mut self, space: &Space, schedule: Schedule, target: &Target) -> Schedule {
        let (schedule, least) = arranged(space, schedule, self.vtcm, target);
        self.least = self.least.into_iter().chain(least).min();
        schedule
    }

    /// Refuses a budget that is too small for all that could be in VTCM; warns where there is nothing.
    pub fn check(self, module: OperationRef<'_, '_>) -> Result<(), Error> {
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

impl Emitter<'_, '_, '_> {
    /// What a kernel has in VTCM. What is prepared is prepared once, and threads would share one place.
    pub(super) fn staging(&mut self, nests: &[Nest], may_take: bool) -> Staging {
        let (Some(taken), [nest], true) = (&mut self.vtcm, nests, may_take) else { return Staging::default() };
        let staging = Staging::of(&nest.space, &nest.schedule, taken.vtcm);
        taken.is_taken |= !staging.is_empty();
        taken.least = taken.least.into_iter().chain(staging.least).min();
        staging
    }
}
