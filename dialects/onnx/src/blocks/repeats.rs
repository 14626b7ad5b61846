//! Runs of statements that are repeated, wherever they begin: the branches of the tree of all suffixes.

use super::FEWEST;
use super::group::{Group, Run};
use super::tokens::{Likeness, Tokens};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// So many times the number of statements is looked at, at most: the work grows like the graph does.
const WORK: usize = 64;

/// What is repeated: the length, and where.
type Repeat = (usize, Vec<usize>);

/// The runs of statements that are alike, those first that would make the text shorter by most.
pub(super) fn groups(tokens: &Tokens) -> Vec<Group> {
    let words = tokens.forms();
    let mut budget = WORK * words.len();
    let mut repeats = repeats(words, &mut budget);
    repeats.sort_by_key(|(length, starts)| (Reverse((starts.len() - 1) * (length - 1)), starts[0]));
    let mut groups = Vec::new();
    let mut budget = WORK * words.len();
    for (length, starts) in repeats {
        let Some(left) = budget.checked_sub(length * starts.len()) else { break };
        budget = left;
        if !is_periodic(&words[starts[0]..starts[0] + length]) {
            groups.extend(alike(length, &starts, tokens));
        }
    }
    groups
}

/// The runs that use their own results in the same way.
fn alike(length: usize, starts: &[usize], tokens: &Tokens) -> Vec<Group> {
    let mut alike: BTreeMap<u64, Vec<Run>> = BTreeMap::new();
    for begin in starts {
        let run = Run { begin: *begin, depth: None };
        alike.entry(tokens.of_run(*begin, begin + length, Likeness::Form)).or_default().push(run);
    }
    let mut groups: Vec<Vec<Run>> = alike.into_values().filter(|runs| runs.len() > 1).collect();
    groups.sort_by_key(|runs| (Reverse(runs.len()), runs[0].begin));
    groups.into_iter().map(|runs| Group { length, runs, sites: 0, inner: 0 }).collect()
}

/// Whether words are some of them again and again: then those are what is repeated.
fn is_periodic(words: &[u64]) -> bool {
    let mut borders = vec![0; words.len()];
    for at in 1..words.len() {
        let mut border: usize = borders[at - 1];
        while border > 0 && words[at] != words[border] {
            border = borders[border - 1];
        }
        borders[at] = border + usize::from(words[at] == words[border]);
    }
    let period = words.len() - borders.last().copied().unwrap_or(0);
    period < words.len() && words.len() % period == 0
}

/// What is repeated without overlapping itself.
fn repeats(words: &[u64], budget: &mut usize) -> Vec<Repeat> {
    let order = suffixes(words);
    let shared = shared(words, &order);
    let mut found = Vec::new();
    for (length, begin, end) in branches(&shared) {
        let count = end - begin;
        // More would lie over each other.
        if length < FEWEST || count * length > 2 * words.len() || *budget < count {
            continue;
        }
        *budget -= count;
        let mut starts = order[begin..end].to_vec();
        starts.sort_unstable();
        let closest = starts.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(length);
        let length = if closest >= FEWEST { length.min(closest) } else { length };
        let mut end = 0;
        starts.retain(|begin| {
            let is_free = *begin >= end;
            if is_free {
                end = begin + length;
            }
            is_free
        });
        if starts.len() > 1 {
            found.push((length, starts));
        }
    }
    found
}

/// The suffixes of words in order, by where they begin.
fn suffixes(words: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..words.len()).collect();
    let mut ranks: Vec<usize> = ranked(&mut order, |at| words[at]);
    let mut width = 1;
    while width < words.len() && ranks.iter().max().is_some_and(|most| most + 1 < words.len()) {
        let next = ranked(&mut order, |at| (ranks[at], ranks.get(at + width).map_or(0, |rank| rank + 1)));
        ranks = next;
        width *= 2;
    }
    order
}

/// Sorts places by keys, and gives the rank of each.
fn ranked<K: Ord>(order: &mut [usize], key: impl Fn(usize) -> K) -> Vec<usize> {
    order.sort_unstable_by_key(|at| key(*at));
    let mut ranks = vec![0; order.len()];
    for pair in order.windows(2) {
        ranks[pair[1]] = ranks[pair[0]] + usize::from(key(pair[0]) != key(pair[1]));
    }
    ranks
}

/// How many words each suffix shares with the one before it in order.
fn shared(words: &[u64], order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, at)| places[*at] = place);
    let mut shared = vec![0; order.len()];
    let mut length = 0;
    for at in 0..words.len() {
        let Some(before) = places[at].checked_sub(1).map(|place| order[place]) else {
            length = 0;
            continue;
        };
        let longest = words.len() - at.max(before);
        while length < longest && words[at + length] == words[before + length] {
            length += 1;
        }
        shared[places[at]] = length;
        length = length.saturating_sub(1);
    }
    shared
}

/// Suffixes beside each other in order that share so many words, and with others fewer: the length, and the places in order.
fn branches(shared: &[usize]) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (place, length) in shared.iter().copied().chain([0]).enumerate() {
        let mut begin = place.saturating_sub(1);
        while let Some((longer, first)) = open.last().copied().filter(|(open, _)| *open > length) {
            open.pop();
            found.push((longer, first, place));
            begin = first;
        }
        if length > 0 && open.last().is_none_or(|(open, _)| *open < length) {
            open.push((length, begin));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<u64> {
        text.bytes().map(u64::from).collect()
    }

    fn found(text: &str) -> Vec<Repeat> {
        let mut found = repeats(&words(text), &mut 1000);
        found.sort_by_key(|(length, starts)| (Reverse((starts.len() - 1) * (length - 1)), starts[0]));
        found
    }

    #[test]
    fn layers_are_found_where_the_first_begins() {
        assert_eq!(found("xabcdeabcdeabcdey")[0], (5, vec![1, 6, 11]));
        assert_eq!(found("abcde1abcde2abcde")[0], (5, vec![0, 6, 12]));
        assert_eq!(found("abcdefgh"), []);
        assert_eq!(found(""), []);
    }

    #[test]
    fn what_repeats_itself_is_known() {
        assert!(is_periodic(&words("abababab")) && is_periodic(&words("aaaa")));
        assert!(!is_periodic(&words("ababa")) && !is_periodic(&words("abcd")) && !is_periodic(&words("a")));
    }

    #[test]
    fn suffixes_are_in_order() {
        assert_eq!(suffixes(&words("banana")), [5, 3, 1, 0, 4, 2]);
        assert_eq!(shared(&words("banana"), &suffixes(&words("banana"))), [0, 1, 3, 0, 0, 2]);
    }

    #[test]
    fn equal_words_are_few_repeats() {
        let equal = vec![7; 20_000];
        let mut budget = WORK * equal.len();
        let found = repeats(&equal, &mut budget);
        assert!(found.iter().map(|(_, starts)| starts.len()).sum::<usize>() < 10, "{}", found.len());
        assert!(budget > (WORK - 2) * equal.len());
    }
}
