//! Runs of statements that are of one module each.

use super::FEWEST;
use super::group::{Group, Run};
use super::tokens::{Likeness, Tokens};
use crate::scope::Scope;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The runs of statements of modules that are alike, the longest first.
pub(super) fn groups(scopes: &[Scope], tokens: &Tokens) -> Vec<Group> {
    let mut alike: BTreeMap<(usize, u64), BTreeMap<usize, usize>> = BTreeMap::new();
    for (depth, begin, end) in runs(scopes).into_iter().filter(|(_, begin, end)| end - begin >= FEWEST) {
        let found = alike.entry((end - begin, tokens.of_run(begin, end, Likeness::Form))).or_default();
        // Where a module has nothing but another one, the outer tells more.
        let known = found.entry(begin).or_insert(depth);
        *known = depth.min(*known);
    }
    let group = |((length, _), found): ((usize, u64), BTreeMap<usize, usize>)| {
        let runs = found.into_iter().map(|(begin, depth)| Run { begin, depth: Some(depth) }).collect();
        Group { length, runs, sites: 0, inner: 0 }
    };
    let mut groups: Vec<Group> = alike.into_iter().filter(|(_, found)| found.len() > 1).map(group).collect();
    groups.sort_by_key(|group| (Reverse(group.length), group.runs[0].begin));
    groups
}

/// The runs of statements that are of the same module, with how deep it is in others.
fn runs(scopes: &[Scope]) -> Vec<(usize, usize, usize)> {
    let mut runs = Vec::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    for (at, scope) in scopes.iter().enumerate() {
        let modules = scope.modules();
        let same = open.iter().zip(modules).take_while(|((path, _), module)| *path == module.path).count();
        close(&mut open, same, at, &mut runs);
        open.extend(modules[same..].iter().map(|module| (module.path.as_str(), at)));
    }
    close(&mut open, 0, scopes.len(), &mut runs);
    runs
}

/// Ends the runs of modules that are deeper than that.
fn close(open: &mut Vec<(&str, usize)>, depth: usize, at: usize, runs: &mut Vec<(usize, usize, usize)>) {
    while open.len() > depth {
        if let Some((_, begin)) = open.pop() {
            runs.push((open.len(), begin, at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::NodeProto;

    #[test]
    fn runs_are_of_one_module() {
        let names = ["/a/b/x", "/a/b/y", "/a/z", "/c/x"];
        let scope = |name: &str| Scope::of(&NodeProto { name: name.into(), ..NodeProto::default() }).unwrap();
        let scopes: Vec<Scope> = names.into_iter().map(scope).collect();
        assert_eq!(runs(&scopes), [(1, 0, 2), (0, 0, 3), (0, 3, 4)]);
    }
}
