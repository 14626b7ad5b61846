//! What the server knows of what is edited.

use super::documents::Documents;
use super::models::Models;

/// The open texts and their models.
pub struct Workspace {
    pub documents: Documents,
    pub models: Models,
    /// Whether the editor takes snippets.
    pub snippets: bool,
}

impl Workspace {
    /// Of an editor that has opened nothing yet.
    pub fn new(snippets: bool) -> Workspace {
        Workspace { documents: Documents::default(), models: Models::default(), snippets }
    }
}
