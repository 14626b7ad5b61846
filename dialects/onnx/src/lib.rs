//! The importer of ONNX models: it writes SkriptND as somebody would have written it, and its weights as files.
//!
//! [`proto`] are the messages of the file, [`file`] finds their bytes; [`translate`] goes through the nodes, with what is known
//! of each value ([`value`], [`extent`]); [`ops`] says what each operator is. [`import`] puts a model's folder together.

mod blocks;
pub mod constant;
mod cut;
pub mod element;
pub mod export;
pub mod extent;
pub mod file;
mod import;
mod made;
pub mod node;
pub mod ops;
mod outputs;
pub mod parts;
mod port;
pub mod problem;
pub mod proto;
pub mod scope;
pub mod targets;
pub mod translate;
pub mod value;

pub use cut::{Cut, Operand, cut};
pub use import::{Imported, Options, import};
pub use outputs::NodeResult;
pub use port::Port;
pub use problem::Problem;
