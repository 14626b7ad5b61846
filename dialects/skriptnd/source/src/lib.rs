//! Source texts, places in them, and what is said about them: what every reader of a text shares, be it a model or a
//! file of rules. Nothing here knows what the texts mean, and nothing reads files but through a [`FileProvider`].

pub mod diagnostics;
pub mod origins;
mod shown;
mod sources;
mod span;

pub use shown::{clipped, shown};
pub use sources::{FileProvider, SourceFile, SourceMap};
pub use span::{FileId, Span};
