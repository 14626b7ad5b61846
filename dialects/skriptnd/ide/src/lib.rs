//! What an editor asks about a model: what stands at a place, where it is introduced, what may follow; and what is
//! legal in it and probably not meant. It works on texts that are being typed: what could be parsed is looked at, and
//! never more is asked of it.

mod completion;
mod context;
mod describe;
mod facts;
mod hover;
mod lint;
mod outline;
mod places;
mod signature;
mod snapshot;
#[cfg(test)]
mod tests;

pub use completion::{Completion, CompletionKind};
pub use describe::{declarations, excerpt};
pub use hover::Hover;
pub use lint::lint;
pub use outline::{OutlineItem, OutlineKind};
pub use places::RenameError;
pub use signature::Signature;
pub use snapshot::Snapshot;
