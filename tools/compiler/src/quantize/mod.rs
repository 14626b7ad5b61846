//! Quantization after training: from what a graph computes for sample inputs to the same graph on few bits.
//!
//! [`flat`] takes operators apart that have products inside, [`folded`] makes norms part of weights, [`plan`] says which tensors are quantized, [`seen`] gathers what
//! values they have, [`parameters`] and [`weights`] make scales and whole numbers of these, and [`write`] writes the model.

mod asserts;
pub mod error;
pub mod flat;
pub mod folded;
pub mod operators;
pub mod parameters;
pub mod plan;
pub mod seen;
pub mod weights;
pub mod write;

pub use error::Deviation;
pub use flat::{flatten, left_whole};
pub use folded::fold;
pub use parameters::{Form, Method, Parameters};
pub use plan::Plan;
pub use seen::Seen;
pub use weights::{Grouping, Quantized};
pub use write::{Contents, File, Fixed, Written, is_variable, write};
