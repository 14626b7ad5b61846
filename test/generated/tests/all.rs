//! What is generated compiles and does what its declarations say.
//!
//! One executable, since each holds all of the libraries that it is linked with.

mod integers;
mod interfaces;
mod kinds;
mod made;
mod notes;
mod numbers;
mod parts;
mod passes;
mod value_interfaces;
