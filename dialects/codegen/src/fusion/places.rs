//! Where operations stand, before any is moved.

use super::group::Group;
use super::memory::is_view;
use skriptnd_mlir::ir::{OperationRef, walk};
use std::collections::{HashMap, HashSet};

/// Where operations stood at first.
pub struct Places(HashMap<usize, usize>);

impl Places {
    /// Of all operations of a function.
    pub fn of(function: OperationRef<'_, '_>) -> Self {
        Places(walk(function).into_iter().enumerate().map(|(place, operation)| (operation.key(), place)).collect())
    }

    /// That of an operation.
    pub fn of_operation(&self, operation: OperationRef<'_, '_>) -> Option<usize> {
        self.0.get(&operation.key()).copied()
    }

    /// Whether the operations of a group may be computed where a later operation is: what else needs their results stands
    /// behind it.
    pub fn may_wait(&self, group: &Group<'_, '_>, own: &HashSet<usize>, until: OperationRef<'_, '_>) -> bool {
        let until = self.of_operation(until);
        let mut made: Vec<_> = group.operations.iter().flat_map(|operation| operation.result_values()).collect();
        while let Some(value) = made.pop() {
            for (user, _) in value.uses().into_iter().filter(|(user, _)| !own.contains(&user.key())) {
                match is_view(user) {
                    true => made.extend(user.result_values()),
                    false if self.of_operation(user) > until => {}
                    false => return false,
                }
            }
        }
        true
    }
}
