//! Instructions that multiply by a power of two, whatever it is: numbers below the normal ones are rounded once.

use crate::Target;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::{llvm, vector};

/// An instruction for vectors of one length, and for those that are several of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Scale {
    /// Architecture and feature, in LLVM's tables, of targets that have it.
    needs: (&'static str, &'static str),
    lanes: i64,
    /// LLVM's function of numbers, powers, what lanes are without the mask, and the mask.
    function: &'static str,
    /// Bits of the mask.
    mask: u32,
    /// Whether it is told how to round, too.
    rounds: bool,
}

const SCALES: [Scale; 3] = [
    Scale {
        needs: ("x86_64", "avx512f"),
        lanes: 16,
        function: "llvm.x86.avx512.mask.scalef.ps.512",
        mask: 16,
        rounds: true,
    },
    Scale {
        needs: ("x86_64", "avx512vl"),
        lanes: 8,
        function: "llvm.x86.avx512.mask.scalef.ps.256",
        mask: 8,
        rounds: false,
    },
    Scale {
        needs: ("x86_64", "avx512vl"),
        lanes: 4,
        function: "llvm.x86.avx512.mask.scalef.ps.128",
        mask: 8,
        rounds: false,
    },
];

/// Round as the processor is told to in general.
const CURRENT_ROUNDING: i64 = 4;

impl Scale {
    /// What the target has for vectors of a type: the longest that these are made of.
    pub fn of(reals: Type<'_>, target: &Target) -> Option<&'static Scale> {
        let lanes = lanes_of(reals)?;
        let fits = |scale: &&Scale| {
            let (architecture, feature) = scale.needs;
            lanes % scale.lanes == 0 && target.architecture() == architecture && target.has(feature)
        };
        SCALES.iter().find(fits)
    }

    /// Numbers times two to the powers, which are whole.
    pub fn apply<'c: 'a, 'a>(
        &self,
        place: &Builder<'c, 'a>,
        numbers: Value<'c, 'a>,
        powers: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let parts = lanes_of(numbers.r#type()).unwrap_or_default() / self.lanes;
        if parts == 1 {
            return self.apply_to_register(place, numbers, powers);
        }
        (0..parts).map(|part| part * self.lanes).try_fold(numbers, |scaled, first| {
            let part = |vector| vector::slice(place, vector, first, self.lanes);
            let part = self.apply_to_register(place, part(numbers)?, part(powers)?)?;
            vector::insert_slice(place, part, scaled, first)
        })
    }

    fn apply_to_register<'c: 'a, 'a>(
        &self,
        place: &Builder<'c, 'a>,
        numbers: Value<'c, 'a>,
        powers: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let context = place.context();
        let all = place.integer(types::integer(context, self.mask), -1)?;
        let mut arguments = vec![numbers, powers, numbers, all];
        if self.rounds {
            arguments.push(place.integer(types::integer(context, 32), CURRENT_ROUNDING)?);
        }
        llvm::call_intrinsic(place, self.function, &arguments, numbers.r#type())
    }
}

/// How many lanes vectors of a type have; none where only the processor knows.
fn lanes_of(reals: Type<'_>) -> Option<i64> {
    let lanes = types::shape(reals)?.into_iter().flatten().product();
    (types::vector(types::element(reals), &[lanes]) == reals).then(|| i64::try_from(lanes).ok())?
}
