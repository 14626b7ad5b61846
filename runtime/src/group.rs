//! Processes that share the work of a model: which of them this is, and the exchange by which each gets what the others computed.

mod mpi;

use crate::error::ModelError;
pub use mpi::{Launched, Mpi};
use std::ffi::c_void;

/// `skriptnd_processes` of `skriptnd.h`: what compiled code asks for its part, and calls to gather those of all.
#[repr(C)]
#[derive(Debug)]
pub struct GroupFunctions {
    /// What the function is given.
    pub context: *mut c_void,
    /// Gathers what all processes have written of a memory.
    pub gather: Gather,
    /// The number of this process, from 0 on.
    pub rank: i64,
    /// How many there are.
    pub processes: i64,
}

/// What gathers: the context, a memory, the element in it that the description begins at, and the words of that.
pub type Gather = unsafe extern "C" fn(*mut c_void, *mut u8, i64, *const i64, i64);

/// Processes that exchange bytes.
pub trait Exchange {
    /// The number of this process, from 0 on.
    fn rank(&self) -> usize;

    /// How many there are.
    fn processes(&self) -> usize;

    /// Gives all processes what each has: `all` has room for `counts` bytes of each, one behind the other.
    ///
    /// # Errors
    /// Where the processes can't reach each other.
    fn all_gather(&self, own: &[u8], counts: &[usize], all: &mut [u8]) -> Result<(), String>;
}

/// Where elements lie of which each process computes a part: a loop that is cut in whole units, and loops within it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Places {
    element: usize,
    unit: usize,
    /// The loop that is cut: its extent, and elements of memory between neighbours.
    cut: (usize, isize),
    /// The others, the longest steps first.
    others: Vec<(usize, isize)>,
}

impl Places {
    /// From the words that compiled code gives.
    fn of(words: &[i64]) -> Option<Places> {
        let [element, unit, extent, step, others @ ..] = words else { return None };
        let number = |word: &i64| usize::try_from(*word).ok();
        let others = others.chunks_exact(2);
        let others = others.map(|pair| Some((number(&pair[0])?, isize::try_from(pair[1]).ok()?)));
        let mut others = others.collect::<Option<Vec<_>>>()?;
        others.sort_by_key(|(_, step)| std::cmp::Reverse(step.unsigned_abs()));
        let cut = (number(extent)?, isize::try_from(*step).ok()?);
        Some(Places { element: number(element)?, unit: number(unit).filter(|unit| *unit > 0)?, cut, others })
    }

    /// The elements of the cut loop that belong to a process.
    fn part(&self, rank: usize, processes: usize) -> std::ops::Range<usize> {
        let units = self.cut.0.div_ceil(self.unit);
        let begin = |rank: usize| (units * rank / processes * self.unit).min(self.cut.0);
        begin(rank)..begin(rank + 1)
    }

    /// Bytes that a process computes.
    fn bytes(&self, part: &std::ops::Range<usize>) -> usize {
        self.others.iter().fold(part.len() * self.element, |bytes, (extent, _)| bytes * extent)
    }

    /// Tells of each run of neighbours in a part where it begins, in elements of memory, and how many elements it has.
    fn runs(&self, part: &std::ops::Range<usize>, visit: &mut impl FnMut(isize, usize)) {
        let mut loops = self.others.clone();
        let at = loops.iter().position(|(_, step)| step.unsigned_abs() < self.cut.1.unsigned_abs());
        loops.insert(at.unwrap_or(loops.len()), (part.len(), self.cut.1));
        if part.is_empty() || loops.iter().any(|(extent, _)| *extent == 0) {
            return;
        }
        // The innermost loops that go from neighbour to neighbour are one run.
        let mut run = 1;
        while let Some((extent, _)) = loops.last().filter(|(_, step)| usize::try_from(*step) == Ok(run)) {
            run *= extent;
            loops.pop();
        }
        let begin = isize::try_from(part.start).unwrap_or(0) * self.cut.1;
        walk(&loops, begin, &mut |place| visit(place, run));
    }
}

fn walk(loops: &[(usize, isize)], place: isize, visit: &mut impl FnMut(isize)) {
    let Some(((extent, step), inner)) = loops.split_first() else { return visit(place) };
    (0..*extent).fold(place, |place, _| {
        walk(inner, place, visit);
        place + step
    });
}

/// Exchanges what processes have written of a memory.
///
/// # Safety
/// All elements that the places name must lie in the memory, which nobody else uses meanwhile.
unsafe fn exchange(group: &dyn Exchange, memory: *mut u8, places: &Places) -> Result<(), String> {
    let parts: Vec<_> = (0..group.processes()).map(|rank| places.part(rank, group.processes())).collect();
    let counts: Vec<usize> = parts.iter().map(|part| places.bytes(part)).collect();
    let element = places.element;
    let at = |place: isize| place * isize::try_from(element).unwrap_or(0);
    let mut own = Vec::with_capacity(counts[group.rank()]);
    places.runs(&parts[group.rank()], &mut |place, count| {
        // SAFETY: the caller vouches for the elements.
        own.extend_from_slice(unsafe { std::slice::from_raw_parts(memory.offset(at(place)), count * element) });
    });
    let mut all = vec![0; counts.iter().sum()];
    group.all_gather(&own, &counts, &mut all)?;
    let mut rest = all.as_slice();
    for (rank, part) in parts.iter().enumerate() {
        let (mut bytes, behind) = rest.split_at(counts[rank]);
        rest = behind;
        if rank == group.rank() {
            continue;
        }
        places.runs(part, &mut |place, count| {
            let (run, behind) = bytes.split_at(count * element);
            bytes = behind;
            // SAFETY: likewise, and `all` is other memory.
            unsafe { memory.offset(at(place)).copy_from_nonoverlapping(run.as_ptr(), run.len()) };
        });
    }
    Ok(())
}

/// A group that compiled code can call; what can't be exchanged ends the process with a message.
struct Joined {
    group: &'static dyn Exchange,
}

impl GroupFunctions {
    /// Those of some processes, for as long as this one runs.
    pub fn of(group: &'static dyn Exchange) -> &'static GroupFunctions {
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let (rank, processes) = (number(group.rank()), number(group.processes()));
        let context = std::ptr::from_mut(Box::leak(Box::new(Joined { group }))).cast();
        Box::leak(Box::new(GroupFunctions { context, gather, rank, processes }))
    }
}

/// Gathers for compiled code.
///
/// # Safety
/// As the header says.
unsafe extern "C" fn gather(context: *mut c_void, memory: *mut u8, first: i64, words: *const i64, count: i64) {
    // SAFETY: the context is that of the functions, which is never freed.
    let joined = unsafe { &*context.cast::<Joined>() };
    // SAFETY: compiled code describes its memory by so many words.
    let words = unsafe { std::slice::from_raw_parts(words, usize::try_from(count).unwrap_or(0)) };
    let done = Places::of(words).ok_or("a description of a part that is none".to_owned()).and_then(|places| {
        let offset = isize::try_from(first).unwrap_or(0) * isize::try_from(places.element).unwrap_or(0);
        // SAFETY: likewise, from that element on.
        unsafe { exchange(joined.group, memory.offset(offset), &places) }
    });
    if let Err(reason) = done {
        eprintln!("error: process {}: what the processes computed can't be gathered: {reason}", joined.group.rank());
        std::process::abort();
    }
}

/// Refuses another number of processes than a model was compiled for.
///
/// # Errors
/// Where it differs.
pub fn check_processes(expected: Option<usize>, found: usize) -> Result<(), ModelError> {
    match expected {
        Some(expected) if expected != found => Err(ModelError::Processes { expected, found }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process whose others have computed what is known.
    struct Known {
        rank: usize,
        parts: Vec<Vec<u8>>,
    }

    impl Exchange for Known {
        fn rank(&self) -> usize {
            self.rank
        }

        fn processes(&self) -> usize {
            self.parts.len()
        }

        fn all_gather(&self, own: &[u8], counts: &[usize], all: &mut [u8]) -> Result<(), String> {
            assert_eq!(own, self.parts[self.rank]);
            assert_eq!(counts, self.parts.iter().map(Vec::len).collect::<Vec<_>>());
            all.copy_from_slice(&self.parts.concat());
            Ok(())
        }
    }

    /// Gathers a matrix of bytes whose columns or rows are cut into units.
    fn gathered(words: &[i64], whole: &[u8], parts: &[&[u8]], rank: usize) -> Vec<u8> {
        let places = Places::of(words).unwrap();
        let mut memory = vec![0; whole.len()];
        let own = places.part(rank, parts.len());
        places.runs(&own, &mut |place, count| {
            let begin = usize::try_from(place).unwrap();
            memory[begin..begin + count].copy_from_slice(&whole[begin..begin + count]);
        });
        let group = Known { rank, parts: parts.iter().map(|part| part.to_vec()).collect() };
        // SAFETY: the places are those of the memory.
        unsafe { exchange(&group, memory.as_mut_ptr(), &places) }.unwrap();
        memory
    }

    #[test]
    fn columns_and_rows_are_gathered_where_they_belong() {
        // Two rows of five columns.
        let whole: Vec<u8> = (1..=10).collect();
        let (columns, rows) = ([1, 2, 5, 1, 2, 5], [1, 1, 2, 5, 5, 1]);
        for rank in 0..2 {
            assert_eq!(gathered(&columns, &whole, &[&[1, 2, 6, 7], &[3, 4, 5, 8, 9, 10]], rank), whole);
            assert_eq!(gathered(&rows, &whole, &[&whole[..5], &whole[5..]], rank), whole);
        }
        // More processes than units: some have none.
        for rank in 0..3 {
            assert_eq!(gathered(&rows, &whole, &[&[], &whole[..5], &whole[5..]], rank), whole);
        }
        assert!(gathered(&[1, 1, 0, 1], &[], &[&[], &[]], 0).is_empty());
    }

    #[test]
    fn parts_are_whole_units() {
        let places = Places::of(&[4, 32, 200, 1]).unwrap();
        let parts: Vec<_> = (0..3).map(|rank| places.part(rank, 3)).collect();
        assert_eq!(parts, [0..64, 64..128, 128..200]);
        assert_eq!(places.bytes(&parts[2]), 288);
    }

    #[test]
    fn words_that_describe_nothing_are_refused() {
        assert_eq!(Places::of(&[4, 0, 1, 1]), None);
        assert_eq!(Places::of(&[4, 1]), None);
        assert_eq!(Places::of(&[4, 1, -1, 1]), None);
    }

    #[test]
    fn another_number_of_processes_is_refused() {
        assert!(check_processes(None, 3).is_ok() && check_processes(Some(2), 2).is_ok());
        let error = check_processes(Some(2), 3).unwrap_err().to_string();
        assert_eq!(error, "the model was compiled for 2 processes, found 3");
    }
}
