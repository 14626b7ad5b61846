//! What a pass finds out for later ones: attributes of the module, so that every pass runs by hand as well.

use crate::Error;
use skriptnd_mlir::ir::{Attribute, OperationRef};

/// For what code is generated: a dictionary of `triple`, `cpu` and `features`.
pub use skriptnd_hexagon::dialect::TARGET;
/// Folders of schedules, of those that are `given`, `taken` and `tuned`: a dictionary. Options of pipelines can't have all
/// names.
pub const SCHEDULES: &str = "skriptnd.schedules";
/// What the graph takes and gives: a dictionary of `graph`, `arguments` and `results`.
pub const INTERFACE: &str = "skriptnd.interface";
/// What messages call inputs and outputs that have other names in a model of another format: dictionaries
/// of `inputs` and `outputs`.
pub const LABELS: &str = "skriptnd.labels";
/// The types of prepared tensors, in the order of the arguments of `run` that they become.
pub const PREPARED: &str = "skriptnd.prepared";
/// Which arguments of `run` are extents that only a run knows.
pub const EXTENTS: &str = "skriptnd.extent_arguments";
/// Which argument of `run` has the extents of all inputs, outputs and new values of variables, if there is one.
pub const SHAPES: &str = "skriptnd.shapes_argument";
/// What is said of the faults that a run may report, in the order of their numbers: JSON, as the metadata have it.
pub const FAULTS: &str = "skriptnd.faults";
/// The operations that are marked for a profile, in the order of their numbers: JSON, as the metadata have it.
pub const OPERATIONS: &str = "skriptnd.operations";
/// The functions that take a record of faults, by their names.
pub const RECORDING: &str = "skriptnd.recording";
/// The bytes of the workspace of each function, by its name.
pub const WORKSPACE: &str = "skriptnd.workspace";
/// Of memory that each thread has its own of, its number among those of a kernel.
pub const PRIVATE: &str = "skriptnd.private";
/// Of memory of which each range of a kernel's loops has a part, the elements of a part.
pub const PARTS: &str = "skriptnd.parts";
/// Of an empty tensor, its number among those that are filled part by part: with others of its type it would become one, whose parts are
/// copied then wherever but one of them goes on with it.
pub const OWN: &str = "skriptnd.own";
/// Of a kernel whose work threads share, the name of the function that lets them.
pub const SHARED: &str = "skriptnd.shared";
/// Of such a function, that the kernel takes the number of its range before its units.
pub const RANGED: &str = "skriptnd.ranged";
/// The functions that take threads which share their work, by their names.
pub const SHARING: &str = "skriptnd.sharing";
/// Among how many processes the graph is shared, and along what: a dictionary of `along` and `processes`, which is 0 for any number.
pub const SHARDED: &str = "skriptnd.sharded";
/// Of a function that gathers what processes have computed, where their parts lie: words that `skriptnd.h` describes.
pub const GATHER: &str = "skriptnd.gather";
/// Of the function that lets threads share a kernel, that processes share it before: the first unit is an argument.
pub const SHARE: &str = "skriptnd.share";
/// The number of calls whose work threads share.
pub const PARALLEL: &str = "skriptnd.parallel_loops";
/// That some kernels multiply matrices that registers hold.
pub const MATRICES: &str = "skriptnd.matrices";
/// The kernels with their schedules, and what else could be taken: JSON. It is there where schedules that were measured may be taken,
/// or others are asked for.
pub const SCHEDULED: &str = "skriptnd.scheduled";
/// The bytes of VTCM that runs need: those of the kernel that has most there. It is there where they may have some.
pub const VTCM: &str = "skriptnd.vtcm";
/// The number of different kernels.
pub const KERNELS: &str = "skriptnd.kernels";

/// A note of an earlier pass.
///
/// # Errors
/// Where there is none: which pass has to run before, by its name.
pub fn read<'c: 'a, 'a>(module: OperationRef<'c, 'a>, name: &str, pass: &str) -> Result<Attribute<'c>, Error> {
    module.get(name).ok_or_else(|| Error::malformed(format!("no attribute `{name}`; `{pass}` makes it")))
}
