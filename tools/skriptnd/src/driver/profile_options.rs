//! What `skriptnd bench` is asked to tell of a model's operations.

use super::output::check_place;
use crate::failure::Failure;
use clap::Args;
use std::path::PathBuf;

/// Options of `skriptnd bench` about profiles.
#[derive(Debug, Args)]
pub struct ProfileOptions {
    /// Tell how long each operation of the model takes, by its line in the source, and how near it is to the machine's limit
    #[arg(long, conflicts_with = "worker")]
    pub profile: bool,
    /// Write the operations of one run to a file that https://ui.perfetto.dev opens
    #[arg(long, value_name = "FILE.json", requires = "profile")]
    pub trace: Option<PathBuf>,
    /// Draw what each operation reaches below the limits of the machine to a file
    #[arg(long, value_name = "FILE.svg", requires = "profile")]
    pub roofline: Option<PathBuf>,
}

impl ProfileOptions {
    /// Whether what is asked for can be written.
    pub fn check(&self) -> Result<(), Failure> {
        self.trace.iter().chain(&self.roofline).try_for_each(|file| check_place(file))
    }
}
