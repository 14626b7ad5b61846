//! What a backend is compared with.

use super::dump::Dump;
use super::random;
use crate::driver::backend::Backend;
use crate::driver::finished::Finished;
use crate::driver::model::Composed;
use crate::driver::run::execute;
use crate::driver::run_options::Options as RunOptions;
use crate::failure::{Failure, print_message};
use skriptnd_language::compose::graph::{Argument, Port};
use skriptnd_onnx::problem::listed;
use skriptnd_runtime::Tensor;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

/// Where the values come from that are expected.
pub enum Reference {
    /// The interpreter computes them.
    Interpreter,
    /// Another runtime has computed them.
    Dump(Dump),
}

/// What is expected, and of which outputs it is not known.
pub struct Expected {
    /// For outputs that are not known, what was computed.
    pub finished: Finished,
    /// Names.
    pub missing: Vec<String>,
}

impl Reference {
    /// What it is for messages.
    pub fn name(&self) -> String {
        match self {
            Reference::Interpreter => "the interpreter".to_owned(),
            Reference::Dump(dump) => dump.name(),
        }
    }

    /// What it has of an output, for messages.
    pub fn own(&self) -> String {
        match self {
            Reference::Interpreter => "the interpreter's".to_owned(),
            Reference::Dump(dump) => format!("that of {}", dump.name()),
        }
    }

    /// The options with the inputs that the reference has.
    pub fn given(&self, options: &RunOptions, composed: &Composed) -> Result<RunOptions, Failure> {
        let mut options = options.clone();
        if let Reference::Dump(dump) = self {
            for port in &composed.graph.inputs {
                if !options.names_input(&port.name) {
                    options.inputs.extend(input(dump, port)?);
                }
            }
        }
        Ok(options)
    }

    /// What is expected of a run that has ended.
    pub fn expected(&self, options: &RunOptions, computed: &Finished) -> Result<Expected, Failure> {
        let expected = match self {
            Reference::Interpreter => {
                let oracle = RunOptions { backend: Backend::Interpret, ..options.clone() };
                Expected { finished: execute(&oracle)?, missing: Vec::new() }
            }
            Reference::Dump(dump) => of_dump(dump, computed)?,
        };
        if computed.draws || expected.finished.draws {
            return Err(random());
        }
        Ok(expected)
    }
}

/// `--input` of what a dump has for an input.
fn input(dump: &Dump, port: &Port) -> Result<Option<OsString>, Failure> {
    let files = match &port.tensors {
        Argument::Pack(items) => {
            let files = (0..items.len()).map(|at| dump.file(&[&format!("{}.{at}", port.name)]));
            files.collect::<Result<Option<Vec<_>>, _>>()?
        }
        _ => dump.file(&[&port.name])?.map(|file| vec![file]),
    };
    let Some(files) = files else { return Ok(None) };
    let mut given = OsString::from(format!("{}=", port.name));
    for (at, file) in files.iter().enumerate() {
        given.push(if at > 0 { "," } else { "" });
        given.push(file);
    }
    Ok(Some(given))
}

/// What a dump has of outputs.
fn of_dump(dump: &Dump, computed: &Finished) -> Result<Expected, Failure> {
    let (mut outputs, mut missing) = (Vec::new(), Vec::new());
    for (name, argument) in &computed.outputs {
        let known = match argument {
            Argument::Pack(items) => {
                let items = (0..items.len()).map(|at| dump.tensor(&[&format!("{name}.{at}")]));
                items
                    .collect::<Result<Option<Vec<Tensor>>, _>>()?
                    .map(|items| Argument::Pack(items.into_iter().map(Arc::new).collect()))
            }
            _ => dump.tensor(&[name])?.map(|tensor| Argument::Single(Arc::new(tensor))),
        };
        missing.extend(known.is_none().then(|| name.clone()));
        outputs.push((name.clone(), known.unwrap_or_else(|| argument.clone())));
    }
    if missing.len() == outputs.len() {
        let names = listed(missing.iter().map(String::as_str));
        let failure = Failure::input(format!("{}: has no output of the model: {}", dump.name(), dump.names()));
        return Err(failure.with_help(format!("tensors are named as in the model: {names}")));
    }
    let finished = Finished {
        outputs,
        stored: computed.stored.clone(),
        variables: Vec::new(),
        compile: Duration::ZERO,
        run: Duration::ZERO,
        peak_bytes: 0,
        draws: false,
    };
    Ok(Expected { finished, missing })
}

/// Says which outputs were not compared.
pub fn note_missing(reference: &Reference, missing: &[String]) {
    if !missing.is_empty() {
        let names = listed(missing.iter().map(String::as_str));
        print_message(format_args!("note: {} has nothing of {names}\n", reference.name()));
    }
}
