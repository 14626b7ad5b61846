//! Programs whose work several processes share: each reads its part of the weights, and the first one writes the outputs.

use super::{Failure, Options, Ready, finish, ready};
use crate::error::ModelError;
use crate::group::{Exchange, GroupFunctions, Launched, Mpi};
use crate::intrinsic::random::entropy;
use crate::library::Library;
use crate::metadata::Shard;
use crate::variable::note::Note;

/// What is said of processes where a program tells how it is run.
pub fn help(shard: &Shard) -> String {
    let count = shard.processes.map_or("N".into(), |count| count.to_string());
    format!(
        "\nSeveral processes share the work: mpirun -n {count} PROGRAM OPTIONS. The first one writes and prints the outputs.\n"
    )
}

/// Whether this process speaks for all that were started.
pub fn is_first() -> bool {
    Launched::find().is_none_or(|launched| launched.rank == 0)
}

/// Runs a model as one of several processes. Where one fails, all end, and it says why.
pub fn run(library: Library, options: Result<Options, Failure>, name: &str, note: &Note) -> Result<String, Failure> {
    let launched = Launched::find();
    if options.is_err() && launched.is_none() {
        return options.map(|_| String::new());
    }
    let world = Mpi::start().map_err(|error| {
        let failure = options.as_ref().err().map_or(1, Failure::code);
        // Without MPI, processes know nothing of each other: one on each host says what is wrong there.
        match launched.is_some_and(|launched| launched.rank_on_host > 0) {
            true => Failure::Said(failure),
            false => explained(error),
        }
    })?;
    // It is there as long as the process: compiled code knows it.
    let world: &'static Mpi = Box::leak(Box::new(world));
    // Where one process has ended with an error, MPI ends the others: what is wrong is said before any may.
    let done = run_in(world, library, options, note).map_err(|failure| Failure::Said(failure.say(name)));
    world.finish();
    done
}

fn run_in(
    world: &'static Mpi,
    library: Library,
    options: Result<Options, Failure>,
    note: &Note,
) -> Result<String, Failure> {
    let options = &all(world, options)?;
    let joined = library.join(GroupFunctions::of(world)).map_err(explained);
    all(world, joined)?;
    let (mut session, inputs): Ready = all(world, ready(library, options, note))?;
    if session.model().metadata().takes_seed && options.seed.is_none() {
        session.set_seed(common_seed(world)?);
    }
    let outputs = session.run(&inputs).map_err(|error| {
        // Others wait for what this one does not compute any more.
        if let Failure::Input(text) = Failure::from(error) {
            eprintln!("process {}: {text}", world.rank());
        }
        world.abort(1);
        Failure::Said(1)
    })?;
    if world.rank() == 0 { finish(&session, outputs, options) } else { Ok(String::new()) }
}

/// What a process has, if all have; otherwise the first that has none says why.
fn all<T>(world: &Mpi, own: Result<T, Failure>) -> Result<T, Failure> {
    match (world.first_no(own.is_ok()), own) {
        (Some(first), Err(Failure::Input(text))) if first == world.rank() && first > 0 => {
            Err(Failure::Input(format!("process {first}: {text}")))
        }
        (Some(first), Err(failure)) if first == world.rank() => Err(failure),
        (Some(_), own) => Err(Failure::Said(own.err().map_or(1, |failure| failure.code()))),
        (None, own) => own,
    }
}

/// The first process's random word, with which all draw the same numbers.
fn common_seed(world: &Mpi) -> Result<u64, Failure> {
    let (own, count) = (entropy().to_le_bytes(), world.processes());
    let mut words = vec![0; own.len() * count];
    let gathered = world.all_gather(&own, &vec![own.len(); count], &mut words);
    gathered.map_err(|reason| explained(ModelError::Mpi(reason)))?;
    Ok(words.first_chunk().map_or(0, |first| u64::from_le_bytes(*first)))
}

fn explained(error: ModelError) -> Failure {
    let help = match &error {
        ModelError::Processes { expected, .. } => format!("start the program with `mpirun -n {expected}`"),
        ModelError::NoMpi { .. } => {
            "install Open MPI (on Debian `openmpi-bin`), or name its library by SKRIPTND_MPI=FILE".into()
        }
        _ => return error.into(),
    };
    Failure::Input(format!("error: {error}\n  = help: {help}"))
}
