//! Loads a compiled model and runs it in several threads. With the model of `../c/counter.sknd`, whose output is its input plus
//! the variable `sum`, to which the input is then added:
//!
//! ```text
//! skriptnd compile ../c/counter.sknd -o counter.so
//! cargo run -- counter.so
//! ```

use skriptnd_runtime::{Library, Model, ModelError, Tensor, TensorData, Variable};
use std::path::Path;
use std::process::ExitCode;

const THREADS: usize = 4;
const RUNS: usize = 3;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: skriptnd-example MODEL.so");
        return ExitCode::from(2);
    };
    match run(Path::new(&path)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(path: &Path) -> Result<(), ModelError> {
    let library = Library::load(path)?;
    for info in &library.metadata().inputs {
        println!("input {}: {}", info.name, info.element_type);
    }
    // All variables begin with zeros. `Model::with_files` reads them from a folder.
    let zeros = library.metadata().variables.iter().map(|info| info.zeros(info.shape().unwrap_or_default()));
    let variables = zeros.map(Variable::Owned).collect();
    let model = Model::new(library, variables)?;
    // Each thread has a session of its own; the model is shared.
    let results = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..=THREADS)
            .map(|number| {
                scope.spawn({
                    let model = &model;
                    move || count(model, number)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect::<Result<Vec<_>, _>>()
    })?;
    for (number, last) in results.iter().enumerate() {
        println!("thread {}: y = {last:?}", number + 1);
    }
    Ok(())
}

/// The output of the last of a few runs on an input that consists of one number.
fn count(model: &Model, number: usize) -> Result<TensorData, ModelError> {
    let mut session = model.session()?;
    let x = Tensor { shape: vec![3], data: TensorData::F32(vec![number as f32; 3]) };
    let mut outputs = Vec::new();
    for _ in 0..RUNS {
        outputs = session.run(std::slice::from_ref(&x))?;
    }
    outputs.pop().map(|output| output.data).ok_or_else(|| ModelError::NoState("y".into()))
}
