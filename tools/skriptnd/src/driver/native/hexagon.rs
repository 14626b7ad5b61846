//! Models compiled for Hexagon, on an emulator.

use super::session::{add_unchanged, read_variables};
use super::{build, failure, fault};
use crate::driver::finished::{Finished, forms};
use crate::driver::model::{Composed, Model};
use crate::driver::output;
use crate::driver::progress::Progress;
use crate::driver::run_options::Options;
use crate::driver::variables;
use crate::failure::{Failure, print_message};
use skriptnd_codegen::{Emit, Target};
use skriptnd_compiler::Built;
use skriptnd_compiler::Error;
use skriptnd_compiler::hexagon;
use skriptnd_compiler::tensors::assigned;
use skriptnd_interpret::flat_inputs;
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::Tensor;
use skriptnd_runtime::atomic::Mode;
use skriptnd_runtime::intrinsic::random::{Generator, entropy};
use skriptnd_runtime::metadata::Metadata;
use std::time::Instant;

/// Compiles a model for Hexagon and runs it; the packets that the emulator counted are printed.
pub fn run_hexagon(
    options: &Options,
    model: &Model,
    composed: &Composed,
    inputs: Vec<Option<Argument<Tensor>>>,
    progress: &Progress,
) -> Result<Finished, Failure> {
    let started = Instant::now();
    let target = Target::named(Some(skriptnd_hexagon::target::TRIPLE), None);
    let Built { code, report, .. } = build(composed, composed.request(target, Emit::Runner), progress)?;
    let inputs = flat_inputs(&composed.graph, inputs).map_err(|found| composed.fail(&found))?;
    let folder = skriptnd_mlir::link::temporary_folder().map_err(Failure::input)?;
    let executable = folder.path().join("model");
    output::write(&executable, Mode::Executable, code)?;
    let interface = report.metadata.clone();
    let variables = read_tensors(options, model, composed, &interface)?;
    let compile = started.elapsed();
    progress.step("running on the emulator");
    let started = Instant::now();
    let outcome = {
        let mut seeds = Generator::new(options.seed.unwrap_or_else(entropy));
        hexagon::run(&executable, &interface, &inputs, &variables, &mut seeds)
    };
    let (results, answer) = outcome.map_err(|error| match error {
        Error::Failed(failed) => fault::fault(&failed, composed),
        other => failure(composed, other),
    })?;
    let run = started.elapsed();
    print_message(format_args!("{} packets, {} instructions\n", answer.packets, answer.instructions));
    let (outputs, variables) = assigned(&composed.graph, &interface, results);
    let peak_bytes = interface.used_workspace(usize::try_from(answer.workspace).unwrap_or(0));
    let stored = forms(&composed.graph);
    let mut finished = Finished { outputs, stored, variables, compile, run, peak_bytes, draws: interface.takes_seed };
    if options.save_state.is_some() {
        let source = variables::Source::new(&options.variables, model, &composed.graph)?;
        add_unchanged(&composed.graph, &source, &mut finished)?;
    }
    Ok(finished)
}

fn read_tensors(
    options: &Options,
    model: &Model,
    composed: &Composed,
    interface: &Metadata,
) -> Result<Vec<Tensor>, Failure> {
    let source = variables::Source::new(&options.variables, model, &composed.graph)?;
    let variables = read_variables(composed, &source, interface.variables.iter().map(|info| info.name.as_str()))?;
    let tensors = interface.variables.iter().zip(variables);
    tensors.map(|(info, variable)| variable.to_tensor(info).map_err(Failure::input)).collect()
}
