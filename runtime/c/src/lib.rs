//! The library that programs link to run compiled SkriptND models.
//!
//! A *library* is what `skriptnd compile` made: a shared library that is loaded, or an object that is linked into the
//! program. With the values of its variables it is a *model*, which nothing changes any more. A *session* runs a model, with
//! a workspace and with values of the variables that runs change. Sessions of one model run at the same time in several
//! threads; one session is used by one thread at a time.
//!
//! Functions return a status: 0, or what is wrong, which `skriptnd_message` puts into words; `skriptnd_last_error` gives the
//! details of the last failure of the calling thread. All arguments are checked as far as that can be done: a pointer that
//! leads nowhere can't be seen. Whatever happens, no function ends the process. What is made is freed by the `_free` function
//! of its kind, in any order: a model keeps its library, a session its model.

mod call;
mod library;
mod model;
mod program;
mod session;
mod status;
mod tensor;

pub use call::{skriptnd_last_error, skriptnd_message};
pub use library::*;
pub use model::*;
pub use program::*;
pub use session::*;
pub use status::*;
pub use tensor::*;
