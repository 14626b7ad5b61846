//! Groups that become one kernel: reductions of rows with what feeds and follows them, such as the steps of softmax or of a
//! normalization. A row stays in the nearest cache from the first step to the last.

use super::group::Group;
use super::memory::is_view;
use super::places::Places;
use super::rows::{Rows, common};
use super::turned::{is_filter_near, is_turned};
use crate::nest::access::Access;
use crate::target::Target;
use crate::views::shapes::volume;
use skriptnd_mlir::ir::{OperationRef, Value};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Groups that one kernel may have.
const MOST_GROUPS: usize = 16;

/// What an extent that only a run knows is taken for where attention pays with long ones.
const LONG: i64 = 1024;

/// Groups that become one kernel.
pub struct Joined<'c, 'a> {
    /// In the order in which they run.
    pub groups: Vec<Group<'c, 'a>>,
    /// The loops around all, where there are several.
    pub rows: Option<Rows>,
}

/// Joins groups whose rows are the same.
pub fn join<'c: 'a, 'a>(mut groups: Vec<Group<'c, 'a>>, places: &Places, target: &Target) -> Vec<Joined<'c, 'a>> {
    groups.sort_by_key(|group| group.operations.last().and_then(|last| places.of_operation(*last)));
    // Where there are whole vectors only, products have layouts and atoms of their own.
    let takes_products = !target.isa.only_whole;
    let mut joining =
        Joining { kernels: Vec::new(), members: HashMap::new(), places, takes_products, near: target.cache_bytes / 4 };
    for group in groups {
        joining.add(group);
    }
    joining.kernels.into_iter().flat_map(Joined::without_lonely_product).collect()
}

impl Joined<'_, '_> {
    /// A product of matrices at the begin without another behind the rows has better tiles by itself.
    fn without_lonely_product(mut self) -> Vec<Self> {
        let products = self.groups.iter().filter(|group| group.space.is_contraction()).count();
        if products != 1 || self.groups.len() == 1 || is_turned(&self.groups) {
            return vec![self];
        }
        let others = self.groups.split_off(1);
        let mut kernels = vec![Joined { rows: None, ..self }];
        match others.len() {
            1 => kernels.push(Joined { groups: others, rows: None }),
            _ => match rows_of(&others) {
                Some(rows) => kernels.push(Joined { groups: others, rows: Some(rows) }),
                None => kernels.extend(others.into_iter().map(|group| Joined { groups: vec![group], rows: None })),
            },
        }
        kernels
    }
}

/// The common rows of some groups, as dimensions that they have with those of extent 1.
fn rows_of(groups: &[Group<'_, '_>]) -> Option<Rows> {
    let (mut groups, kept): (Vec<_>, Vec<_>) = groups.iter().map(|group| (group.clone(), group.kept_dims())).unzip();
    groups.iter_mut().for_each(Group::drop_units);
    let mut rows = common(&groups)?;
    for (dims, kept) in rows.dims.iter_mut().zip(kept) {
        dims.iter_mut().for_each(|dim| *dim = kept[*dim]);
    }
    Some(rows)
}

struct Joining<'p, 'c, 'a> {
    kernels: Vec<Joined<'c, 'a>>,
    /// The kernel of each operation so far.
    members: HashMap<usize, usize>,
    places: &'p Places,
    /// Whether products of matrices may be among the groups of a kernel.
    takes_products: bool,
    /// Bytes that are read again and again from a near cache.
    near: i64,
}

impl<'c: 'a, 'a> Joining<'_, 'c, 'a> {
    fn add(&mut self, group: Group<'c, 'a>) {
        let operations: Vec<usize> = group.operations.iter().map(OperationRef::key).collect();
        let found = self.sources(&group).into_iter().find_map(|kernel| Some((kernel, self.rows_with(kernel, &group)?)));
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

    /// The kernels that compute something that a group reads, the last first.
    fn sources(&self, group: &Group<'c, 'a>) -> Vec<usize> {
        let read = group.space.reads().map(|(operand, _)| group.space.operands[operand]);
        let made = read.filter_map(|value| self.members.get(&maker(value)?.key()).copied());
        made.collect::<BTreeSet<_>>().into_iter().rev().collect()
    }

    /// The common rows of a kernel and a group, if that may become the last of it.
    fn rows_with(&self, kernel: usize, group: &Group<'c, 'a>) -> Option<Rows> {
        let groups = &self.kernels[kernel].groups;
        let all: Vec<Group<'c, 'a>> = groups.iter().chain([group]).cloned().collect();
        let last = *group.operations.last()?;
        let fits = all.len() <= MOST_GROUPS
            && all.iter().any(|group| group.space.has_reduction())
            && all.iter().all(|group| group.operations.last().is_some_and(|own| own.block() == last.block()))
            && all.iter().all(|group| has_rows(group) || self.takes_products && group.space.is_contraction())
            && has_products_around(&all, self.near);
        let own: HashSet<usize> = all.iter().flat_map(|group| group.operations.iter().map(OperationRef::key)).collect();
        let may_wait = |group: &Group<'c, 'a>| self.places.may_wait(group, &own, last);
        (fits && groups.iter().all(may_wait)).then(|| rows_of(&all)).flatten()
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
    !(0..space.dims.len()).any(asks) && even && !space.fetches() && group.reads_once()
}

/// Whether products of matrices are the first group, and then perhaps another one behind the reductions of rows, as in attention: what lies
/// between them is more than what they read.
fn has_products_around(groups: &[Group<'_, '_>], near: i64) -> bool {
    let products: Vec<usize> = (0..groups.len()).filter(|&group| groups[group].space.is_contraction()).collect();
    let reduces = |between: &[Group<'_, '_>]| between.iter().any(|group| group.space.has_reduction());
    match products[..] {
        [] => true,
        [0] if is_turned(groups) => is_filter_near(&groups[0], near),
        [0] => is_widening(&groups[0]),
        [0, second] => reduces(&groups[1..second]) && is_widening(&groups[0]),
        _ => false,
    }
}

/// Whether a product gives more elements than it reads, where extents that only a run knows are long.
fn is_widening(group: &Group<'_, '_>) -> bool {
    let space = &group.space;
    let extent = |dim: usize| if space.dims[dim].is_open { LONG } else { space.dims[dim].extent };
    let elements = |access: &Access| {
        let moving = (0..space.dims.len()).filter(|&dim| access.steps[dim].moves());
        volume(&moving.map(extent).collect::<Vec<_>>())
    };
    let read = space.main.memory().map(|(_, access)| elements(access));
    elements(&space.output.1) >= read.fold(0, i64::saturating_add)
}
