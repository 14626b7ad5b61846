//! What is only known inside of a block.

use crate::extent::Extent;
use crate::translate::statements::target_names;
use skriptnd_syntax::build::Statement;
use std::collections::HashSet;

/// Names that a block declares.
#[derive(Debug, Default)]
pub(super) struct Local {
    names: HashSet<String>,
}

impl Local {
    /// Those of statements.
    pub(super) fn of<'s>(statements: impl Iterator<Item = &'s Statement>) -> Local {
        let names = statements.flat_map(|statement| &statement.targets).flat_map(target_names);
        Local { names: names.map(str::to_owned).collect() }
    }

    /// With more names.
    pub(super) fn and(mut self, names: impl Iterator<Item = String>) -> Local {
        self.names.extend(names);
        self
    }

    /// Whether an extent is that of something in the block.
    pub(super) fn is_in(&self, extent: &Extent) -> bool {
        extent.has_symbol(&|symbol| self.names.contains(symbol.split(['.', '[']).next().unwrap_or(symbol)))
    }
}
