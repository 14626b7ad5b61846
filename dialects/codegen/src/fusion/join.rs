//! Groups that become one kernel: reductions of rows with what feeds and follows them, such as the steps of softmax or of a
//! normalization. A row stays in the nearest cache from the first step to the last.

use super::group::Group;
use super::memory::is_view;
use super::places::Places;
use super::rows::{Rows, common};
use skriptnd_mlir::ir::{OperationRef, Value};
use std::collections::{HashMap, HashSet};

/// Groups that one kernel may have.
const MOST_GROUPS: usize = 16;

/// Groups that become one kernel.
pub struct Joined<'c, 'a> {
    /// In the order in which they run.
    pub groups: Vec<Group<'c, 'a>>,
    /// The loops around all, where there are several.
    pub rows: Option<Rows>,
}

/// Joins groups whose rows are the same.
pub fn join<'c: 'a, 'a>(mut groups: Vec<Group<'c, 'a>>, places: &Places) -> Vec<Joined<'c, 'a>> {
    groups.sort_by_key(|group| group.operations.last().and_then(|last| places.of_operation(*last)));
    let mut joining = Joining { kernels: Vec::new(), members: HashMap::new(), places };
    for group in groups {
        joining.add(group);
    }
    joining.kernels
}

struct Joining<'p, 'c, 'a> {
    kernels: Vec<Joined<'c, 'a>>,
    /// The kernel of each operation so far.
    members: HashMap<usize, usize>,
    places: &'p Places,
}

impl<'c: 'a, 'a> Joining<'_, 'c, 'a> {
    fn add(&mut self, group: Group<'c, 'a>) {
        let operations: Vec<usize> = group.operations.iter().map(OperationRef::key).collect();
        let found = self.source(&group).and_then(|kernel| Some((kernel, self.rows_with(kernel, &group)?)));
        let kernel = match found {
            Some((kernel, rows)) => {
                self.kernels[kernel].groups.push(group);
                self.kernels[kernel].rows = Some(rows);
                kernel
            }
            None => {
                self.kernels.push(Joined { groups: vec![group], rows: None });
                self.kernels.len() - 1
            }
        };
        self.members.extend(operations.into_iter().map(|operation| (operation, kernel)));
    }

    /// The last kernel that computes something that a group reads.
    fn source(&self, group: &Group<'c, 'a>) -> Option<usize> {
        let read = group.space.reads().map(|(operand, _)| group.space.operands[operand]);
        read.filter_map(|value| self.members.get(&maker(value)?.key()).copied()).max()
    }

    /// The common rows of a kernel and a group, if that may become the last of it.
    fn rows_with(&self, kernel: usize, group: &Group<'c, 'a>) -> Option<Rows> {
        let groups = &self.kernels[kernel].groups;
        let all = || groups.iter().chain([group]);
        let last = *group.operations.last()?;
        let fits = groups.len() < MOST_GROUPS
            && all().any(|group| group.space.has_reduction())
            && all()
                .all(|group| has_rows(group) && group.operations.last().is_some_and(|own| own.block() == last.block()));
        let own: HashSet<usize> = all().flat_map(|group| group.operations.iter().map(OperationRef::key)).collect();
        if !fits || !groups.iter().all(|group| self.places.may_wait(group, &own, last)) {
            return None;
        }
        let (mut groups, kept): (Vec<_>, Vec<_>) = all().map(|group| (group.clone(), group.kept_dims())).unzip();
        groups.iter_mut().for_each(Group::drop_units);
        let mut rows = common(&groups)?;
        for (dims, kept) in rows.dims.iter_mut().zip(kept) {
            dims.iter_mut().for_each(|dim| *dim = kept[*dim]);
        }
        Some(rows)
    }
}

/// The operation that computes a tensor, or that of which it is a view.
fn maker<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut made = value.defining_operation()?;
    while is_view(made) {
        made = made.operand(0).ok()?.defining_operation()?;
    }
    Some(made)
}

/// Whether a group goes through its operands element by element, and computes on numbers alone: what a product of matrices
/// reads several times needs tiles of several rows.
fn has_rows(group: &Group<'_, '_>) -> bool {
    let space = &group.space;
    let even = space.accesses().all(|access| access.steps.iter().all(|step| step.is_even()));
    let asks = |dim: usize| space.main.computation.asks(dim) && !space.dims[dim].is_reduced;
    !(0..space.dims.len()).any(asks) && even && !space.fetches() && !space.is_contraction() && group.reads_once()
}
