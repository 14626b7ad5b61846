//! Calls of kernels whose work threads share. In the place of the kernel stands a function that takes the threads and the number of
//! ranges as well; the interface defines it when functions are those of LLVM.

use super::span::counts;
use super::{Defined, Emitter};
use crate::nest::Space;
use crate::views::functions::{self, RUN};
use crate::{Error, notes};
use skriptnd_mlir::ir::{Builder, Type, Value, attributes, types};
use skriptnd_mlir::ops::{func, llvm};

/// The name of the function that lets threads share the work of a kernel.
pub fn shared(kernel: &str) -> String {
    format!("{kernel}_shared")
}

/// Declares the function for a kernel with these arguments and a span: it takes the number of units, the number of ranges, and the threads;
/// where processes share the kernel, the first unit before them. A ranged kernel takes the number of its range before the span.
pub fn declare<'c: 'a, 'a>(
    end: &Builder<'c, 'a>,
    kernel: &str,
    inputs: &[Type<'c>],
    (is_part, is_ranged): (bool, bool),
) -> Result<(), Error> {
    let context = end.context();
    let counts = &[types::index(context); 3][..if is_part { 3 } else { 2 }];
    let inputs = [inputs, counts, &[llvm::pointer_type(context)]].concat();
    let kind = attributes::r#type(types::function(context, &inputs, &[]));
    let mut attributes = vec![
        ("sym_name", attributes::string(context, &shared(kernel))),
        ("function_type", kind),
        ("sym_visibility", attributes::string(context, "private")),
        (notes::SHARED, attributes::string(context, kernel)),
    ];
    attributes.extend(is_part.then(|| (notes::SHARE, attributes::unit(context))));
    attributes.extend(is_ranged.then(|| (notes::RANGED, attributes::unit(context))));
    end.with_empty_regions(func::FUNC, &[], &attributes, &[], 1)?;
    Ok(())
}

/// Of each nest of a kernel the space, and where open dimensions end.
type Nests<'n, 'c, 'a> = (&'n [Space], &'n [Vec<Option<Value<'c, 'a>>>]);

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Calls a kernel, whose work is shared if it has parallel loops.
    pub(super) fn call(
        &mut self,
        place: Builder<'c, 'a>,
        defined: &Defined,
        mut arguments: Vec<Value<'c, 'a>>,
        (spaces, ends): Nests<'_, 'c, 'a>,
    ) -> Result<(), Error> {
        let Some(parallel) = &defined.parallel else {
            func::call(&place, &defined.name, &arguments, &[])?;
            return Ok(());
        };
        let extent = |nest: usize, dim: usize| match ends[nest][dim] {
            Some(end) => Ok(end),
            None => Ok(place.index(spaces[nest].dims[dim].extent)?),
        };
        arguments.extend(counts(place, parallel, &extent)?);
        arguments.push(self.threads()?);
        func::call(&place, &shared(&defined.name), &arguments, &[])?;
        self.parallel_calls += 1;
        Ok(())
    }

    /// The threads that a run is given, which become its argument.
    pub(super) fn threads(&mut self) -> Result<Value<'c, 'a>, Error> {
        if let Some(known) = self.threads {
            return Ok(known);
        }
        let run = functions::named(self.module, RUN)?;
        let threads = functions::add_argument(run, llvm::pointer_type(run.context()))?;
        self.threads = Some(threads);
        Ok(threads)
    }

    /// Notes which function takes threads, and how many calls have them.
    pub(super) fn note_sharing(&self) {
        let context = self.module.context();
        let sharing: Vec<_> = self.threads.iter().map(|_| attributes::string(context, RUN)).collect();
        self.module.set(notes::SHARING, attributes::array(context, &sharing));
        let count = i64::try_from(self.parallel_calls).unwrap_or(i64::MAX);
        self.module.set(notes::PARALLEL, attributes::integer(context, count));
    }
}
