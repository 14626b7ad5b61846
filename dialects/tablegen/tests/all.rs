//! What is generated from declarations, against what they say.
//!
//! One executable, since each holds all of the libraries that it is linked with.

mod agreement;
mod hostile;
mod irdl;
mod rewriters;
mod texts;
mod upstream;
