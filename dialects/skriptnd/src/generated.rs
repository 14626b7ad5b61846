//! What `td/skriptnd` declares, generated when the crate is built.
//!
//! A builder knows what it misses. With the operand given, an operation can be built:
//!
//! ```no_run
//! use skriptnd_dialect::generated::nn::{ReluOp, ReluOpBuilder};
//! use skriptnd_mlir::{Failure, ir::{Builder, Value}};
//!
//! fn relu<'c, 'a>(builder: &Builder<'c, 'a>, x: Value<'c, 'a>) -> Result<ReluOp<'c, 'a>, Failure> {
//!     ReluOpBuilder::new(builder).x(x).build()
//! }
//! ```
//!
//! Without it, nothing can:
//!
//! ```compile_fail
//! use skriptnd_dialect::generated::nn::{ReluOp, ReluOpBuilder};
//! use skriptnd_mlir::{Failure, ir::Builder};
//!
//! fn relu<'c, 'a>(builder: &Builder<'c, 'a>) -> Result<ReluOp<'c, 'a>, Failure> {
//!     ReluOpBuilder::new(builder).build()
//! }
//! ```
//!
//! And a dialect without its hooks is none:
//!
//! ```compile_fail
//! struct Hooks;
//!
//! let dialect = skriptnd_dialect::generated::dialect(Hooks);
//! ```

include!(concat!(env!("OUT_DIR"), "/definitions.rs"));
include!(concat!(env!("OUT_DIR"), "/operations.rs"));
include!(concat!(env!("OUT_DIR"), "/dialect.rs"));
include!(concat!(env!("OUT_DIR"), "/passes.rs"));
include!(concat!(env!("OUT_DIR"), "/rewrites.rs"));

include!(concat!(env!("OUT_DIR"), "/constraints.rs"));
