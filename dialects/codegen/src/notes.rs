//! What a pass finds out for later ones: attributes of the module, so that every pass runs by hand as well.

use crate::Error;
use skriptnd_mlir::ir::{Attribute, OperationRef};

/// What the lowering of the `skriptnd` dialect marks arguments and results of the graph's function by, with their names.
/// TableGen, which the two crates share, knows no attributes beside those of operations; so the names stand in
/// `dialects/skriptnd/src/passes/convert` and here.
pub const INPUT: &str = "skriptnd.input";
/// See [`INPUT`].
pub const VARIABLE: &str = "skriptnd.variable";
/// See [`INPUT`].
pub const OUTPUT: &str = "skriptnd.output";
/// See [`INPUT`].
pub const STATE: &str = "skriptnd.state";
/// See [`INPUT`]: the result with the shapes that a run has found, where data determine extents.
pub const FOUND: &str = "skriptnd.found";
/// See [`INPUT`]: an argument that is an extent which only a run knows.
pub const EXTENT: &str = "skriptnd.extent";
/// See [`INPUT`]: the argument that random numbers without a seed begin with.
pub const SEED: &str = "skriptnd.seed";
/// Marks an argument or result that is a pack of which only a run knows the length: its items stand along the first dimension.
pub const PACK: &str = "skriptnd.pack";
/// What the extents of an argument or result are, where only a run knows one.
pub const SHAPE: &str = "skriptnd.shape";
/// The form in which the elements of an argument are stored, if that is narrower than what they are computed with.
pub const STORAGE: &str = "skriptnd.storage";
/// The type of what such elements are computed with.
pub const OF: &str = "skriptnd.of";
/// The upper bound of an extent.
pub const BOUND: &str = "skriptnd.bound";
/// Which dimension of which input tells an extent.
pub const FROM: &str = "skriptnd.from";

/// For what code is generated: a dictionary of `triple`, `cpu` and `features`.
pub const TARGET: &str = "skriptnd.target";
/// What the graph takes and gives: a dictionary of `graph`, `arguments` and `results`.
pub const INTERFACE: &str = "skriptnd.interface";
/// The types of prepared tensors, in the order of the arguments of `run` that they become.
pub const PREPARED: &str = "skriptnd.prepared";
/// Which arguments of `run` are extents that only a run knows.
pub const EXTENTS: &str = "skriptnd.extent_arguments";
/// Which argument of `run` has the extents of all inputs, outputs and new values of variables, if there is one.
pub const SHAPES: &str = "skriptnd.shapes_argument";
/// What is said of the faults that a run may report, in the order of their numbers: JSON, as the metadata have it.
pub const FAULTS: &str = "skriptnd.faults";
/// The functions that take a record of faults, by their names.
pub const RECORDING: &str = "skriptnd.recording";
/// The bytes of the workspace of each function, by its name.
pub const WORKSPACE: &str = "skriptnd.workspace";
/// The number of different kernels.
pub const KERNELS: &str = "skriptnd.kernels";

/// A note of an earlier pass.
///
/// # Errors
/// Where there is none: which pass has to run before, by its name.
pub fn read<'c: 'a, 'a>(module: OperationRef<'c, 'a>, name: &str, pass: &str) -> Result<Attribute<'c>, Error> {
    module.get(name).ok_or_else(|| Error::malformed(format!("no attribute `{name}`; `{pass}` makes it")))
}
