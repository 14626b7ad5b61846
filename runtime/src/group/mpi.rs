//! Processes that MPI has started. Its library is loaded when a program asks for it: nothing else needs to have it.

use super::Exchange;
use crate::error::ModelError;
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW, Symbol};
use std::error::Error;
use std::ffi::{c_int, c_void};

/// The variable of the environment that names another library.
const LIBRARY: &str = "SKRIPTND_MPI";
/// The libraries of Open MPI, by which handles are addresses of variables.
const NAMES: [&str; 2] = ["libmpi.so.40", "libmpi.so"];
/// As many bytes as one call gathers: counts are integers of 32 bits.
const MOST_BYTES: usize = 1 << 30;

/// Variables of the environment by which `mpirun` numbers processes, or `srun` those of Open MPI: in all, and on their host.
const RANKS: [[&str; 2]; 2] = [["OMPI_COMM_WORLD_RANK", "PMIX_RANK"], ["OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"]];

/// What a process knows of itself before MPI is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launched {
    /// Its number.
    pub rank: usize,
    /// Its number among those on its host.
    pub rank_on_host: usize,
}

impl Launched {
    /// What the environment says; none where nobody has started several processes.
    pub fn find() -> Option<Launched> {
        Launched::of(|name| std::env::var(name).ok())
    }

    fn of(variable: impl Fn(&str) -> Option<String>) -> Option<Launched> {
        let [rank, rank_on_host] =
            RANKS.map(|names| names.iter().find_map(|name| variable(name)?.parse::<usize>().ok()));
        Some(Launched { rank: rank?, rank_on_host: rank_on_host.or(rank)? })
    }
}

type Handle = *mut c_void;
type AllGather = unsafe extern "C" fn(
    *const c_void,
    c_int,
    Handle,
    *mut c_void,
    *const c_int,
    *const c_int,
    Handle,
    Handle,
) -> c_int;

/// The processes that `mpirun` has started, of which this is one.
#[derive(Debug)]
pub struct Mpi {
    library: Library,
    world: Handle,
    byte: Handle,
    all_gather: AllGather,
    rank: usize,
    processes: usize,
}

impl Mpi {
    /// Loads MPI and becomes one of its processes.
    ///
    /// # Errors
    /// Where there is no such library, or it is of another make.
    pub fn start() -> Result<Mpi, ModelError> {
        let given = std::env::var(LIBRARY).ok();
        let names: Vec<&str> = given.as_deref().map_or(NAMES.to_vec(), |name| vec![name]);
        // Its parts look for its symbols, so everybody sees them.
        // SAFETY: the system's library, or one that the user names, is trusted to be initialised.
        let open = |name: &&str| unsafe { Library::open(Some(*name), RTLD_NOW | RTLD_GLOBAL) };
        let mut tried: Vec<_> = names.iter().map(open).collect();
        let found = tried.iter().position(Result::is_ok).map(|place| tried.swap_remove(place));
        match found.or_else(|| tried.into_iter().next()) {
            Some(Ok(library)) => Mpi::of(library).map_err(ModelError::Mpi),
            Some(Err(error)) => {
                // What the system says is what the error comes from.
                let reason = error.source().map_or_else(|| error.to_string(), ToString::to_string);
                Err(ModelError::NoMpi { tried: names.join(", "), reason })
            }
            None => Err(ModelError::NoMpi { tried: String::new(), reason: String::new() }),
        }
    }

    fn of(library: Library) -> Result<Mpi, String> {
        let foreign = "it is not Open MPI";
        // SAFETY: the types are those of the standard and of Open MPI's headers, whose symbols these are.
        unsafe {
            let address = |name: &[u8]| library.get::<*mut c_void>(name).map(Symbol::into_raw).map_err(|_| foreign);
            let (world, byte) = (address(b"ompi_mpi_comm_world\0")?, address(b"ompi_mpi_byte\0")?);
            let start = function::<unsafe extern "C" fn(*mut c_int, *mut c_void, c_int, *mut c_int) -> c_int>(
                &library,
                b"MPI_Init_thread\0",
            )?;
            let mut level = 0;
            // Others than the thread that starts it run as well, but do not call it.
            if start(std::ptr::null_mut(), std::ptr::null_mut(), 1, &raw mut level) != 0 {
                return Err("it does not start".into());
            }
            let number = |name: &[u8]| -> Result<usize, String> {
                let ask = function::<unsafe extern "C" fn(Handle, *mut c_int) -> c_int>(&library, name)?;
                let mut number = 0;
                let told = ask(world, &raw mut number);
                usize::try_from(number).ok().filter(|_| told == 0).ok_or_else(|| "it tells no number".into())
            };
            let (rank, processes) = (number(b"MPI_Comm_rank\0")?, number(b"MPI_Comm_size\0")?);
            let all_gather = function::<AllGather>(&library, b"MPI_Allgatherv\0")?;
            Ok(Mpi { library, world, byte, all_gather, rank, processes })
        }
    }

    /// Which is the first process that says no, if one does.
    pub fn first_no(&self, yes: bool) -> Option<usize> {
        let mut all = vec![0; self.processes];
        let told = self.all_gather(&[u8::from(yes)], &vec![1; self.processes], &mut all);
        if told.is_err() {
            return Some(self.rank);
        }
        all.iter().position(|said| *said == 0)
    }

    /// Ends all processes with an exit code, at once.
    pub fn abort(&self, code: u8) {
        let abort = function::<unsafe extern "C" fn(Handle, c_int) -> c_int>(&self.library, b"MPI_Abort\0");
        if let Ok(abort) = abort {
            // SAFETY: the standard's function, with its communicator.
            unsafe { abort(self.world, c_int::from(code)) };
        }
    }

    /// Says that this process exchanges nothing more, when all have.
    pub fn finish(&self) {
        if let Ok(finish) = function::<unsafe extern "C" fn() -> c_int>(&self.library, b"MPI_Finalize\0") {
            // SAFETY: the standard's function; it was started.
            unsafe { finish() };
        }
    }
}

/// A function of the library.
fn function<F: Copy>(library: &Library, name: &[u8]) -> Result<F, String> {
    // SAFETY: who asks gives the type that the standard has for the name.
    let found = unsafe { library.get::<F>(name) };
    found.map(|found| *found).map_err(|_| format!("it has no {}", String::from_utf8_lossy(name).trim_end_matches('\0')))
}

impl Exchange for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn processes(&self) -> usize {
        self.processes
    }

    fn all_gather(&self, own: &[u8], counts: &[usize], all: &mut [u8]) -> Result<(), String> {
        let begins: Vec<usize> =
            counts.iter().scan(0, |end, count| Some(std::mem::replace(end, *end + count))).collect();
        let chunk = (MOST_BYTES / self.processes.max(1)).max(1);
        let longest = counts.iter().copied().max().unwrap_or(0);
        let mut received = vec![0; longest.min(chunk) * self.processes];
        for from in (0..longest).step_by(chunk) {
            let now: Vec<usize> = counts.iter().map(|count| count.saturating_sub(from).min(chunk)).collect();
            let number = |count: usize| c_int::try_from(count).unwrap_or(c_int::MAX);
            let (mut lengths, mut places, mut end) = (Vec::new(), Vec::new(), 0);
            for count in &now {
                lengths.push(number(*count));
                places.push(number(end));
                end += count;
            }
            let part = own
                .get(from.min(own.len())..)
                .and_then(|rest| rest.get(..now[self.rank]))
                .ok_or("a part of another length")?;
            // SAFETY: the buffers have the lengths that are given, in bytes; they are not of the same memory.
            let code = unsafe {
                (self.all_gather)(
                    part.as_ptr().cast(),
                    lengths[self.rank],
                    self.byte,
                    received.as_mut_ptr().cast(),
                    lengths.as_ptr(),
                    places.as_ptr(),
                    self.byte,
                    self.world,
                )
            };
            if code != 0 {
                return Err(format!("MPI_Allgatherv gives {code}"));
            }
            let mut rest = received.as_slice();
            for (begin, count) in begins.iter().zip(&now) {
                let (bytes, behind) = rest.split_at(*count);
                all.get_mut(begin + from..begin + from + count).ok_or("less room than parts")?.copy_from_slice(bytes);
                rest = behind;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_numbers_processes() {
        let of = |known: &[(&str, &str)]| {
            let known = known.to_vec();
            Launched::of(|name| known.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned()))
        };
        assert_eq!(of(&[]), None);
        let both = of(&[("OMPI_COMM_WORLD_RANK", "3"), ("OMPI_COMM_WORLD_LOCAL_RANK", "1")]);
        assert_eq!(both, Some(Launched { rank: 3, rank_on_host: 1 }));
        assert_eq!(of(&[("PMIX_RANK", "2")]), Some(Launched { rank: 2, rank_on_host: 2 }));
    }
}
