//! Compiling a model to a file.

use super::note::weights_folder;
use super::{artifact, build, failure, session};
use crate::driver::compile_options::{self, Emit};
use crate::driver::kept::{self, keep};
use crate::driver::model::{Composed, Model};
use crate::driver::onnx::is_onnx;
use crate::driver::output::{self, OutputFile, is_standard_output, milliseconds, print_json};
use crate::driver::progress::Progress;
use crate::driver::shard_options::{self, Shard};
use crate::driver::steps;
use crate::driver::variables::{self, VariableOptions};
use crate::failure::{Failure, print_message};
use crate::registry::registry;
use serde_json::{Value as Json, json};
use skriptnd_codegen::interface::export;
use skriptnd_codegen::{Along, CompileReport, Scheduled, Schedules, Sharded, Source, Target, link, pipeline, versions};
use skriptnd_compiler::{Built, Request, Rules};
use skriptnd_runtime::atomic::Mode;
use std::path::Path;
use std::time::{Duration, Instant};

/// Compiles a model to a file.
pub fn compile(options: &compile_options::Options, rules: Option<&Rules>, emit: Emit) -> Result<(), Failure> {
    let progress = Progress::new();
    let targets = checked_targets(options, emit)?;
    keep_given(options)?;
    let model = match (is_onnx(&options.model), emit) {
        // What is compiled reads the weights, so they stay beside it.
        (true, Emit::So | Emit::Exe) if !options.embed_weights => {
            Model::imported(&options.model, &options.graph, &weights_folder(&options.output))?
        }
        _ => Model::find(&options.model, &options.graph)?,
    };
    let started = Instant::now();
    let mut composed = model.compose(&options.graph)?;
    let given = VariableOptions::default();
    let source = variables::Source::new(&given, &model, &composed.graph)?;
    if rules.is_some() {
        steps::fix(&mut composed.graph, &source);
    }
    source.note_values(&mut composed.graph);
    kept::check(&options.output)?;
    let front = ("front end", started.elapsed());
    if matches!(emit, Emit::Mlir | Emit::Linalg) {
        options.warn_about_code();
        let text = dialect_text(&composed, (emit, composed.exact), rules)?;
        output::write(&options.output, Mode::Plain, text)?;
        say((options, &model), &CompileReport::default(), &[front], started.elapsed());
        return Ok(());
    }
    let has_note = emit == Emit::So || emit == Emit::Exe && targets.iter().any(Target::is_hexagon);
    let Built { code, report, steps, .. } = code((options, rules, emit), (&model, &composed), targets, progress)?;
    let header = options.prefix.as_ref().zip(report.header.as_ref()).map(|(prefix, header)| {
        OutputFile::prepare(&options.output.with_file_name(format!("{prefix}.h")), Mode::Plain, header)
    });
    let header = header.transpose()?;
    write(options, (emit, has_note), code, (&model, &composed))?;
    header.map_or(Ok(()), OutputFile::finish)?;
    say((options, &model), &report, &[&[front], &steps[..]].concat(), started.elapsed());
    Ok(())
}

/// What code is made for, if the options fit each other.
fn checked_targets(options: &compile_options::Options, emit: Emit) -> Result<Vec<Target>, Failure> {
    if let Some(prefix) = options.prefix.as_ref().filter(|prefix| !pipeline::is_identifier(prefix)) {
        return Err(Failure::usage(format!("--prefix {prefix}: names of C can't begin with it")));
    }
    let mut targets = versions::targets(Some(&options.target), options.cpu.as_deref()).map_err(Failure::usage)?;
    check_versions(options, emit, &targets)?;
    check_weights(options, emit, &targets)?;
    check_shard(options, emit, &targets)?;
    targets.iter().try_for_each(|target| check_form(emit, target))?;
    targets.iter().try_for_each(|target| options.vtcm.of(target, false).map(drop))?;
    if matches!(emit, Emit::Exe | Emit::Runner) {
        targets = targets.into_iter().map(Target::for_emulator).collect();
    }
    Ok(targets)
}

/// Compiles, and links what was asked for.
fn code(
    (options, rules, emit): (&compile_options::Options, Option<&Rules>, Emit),
    (model, composed): (&Model, &Composed),
    targets: Vec<Target>,
    progress: Progress,
) -> Result<Built, Failure> {
    let least = targets.first().cloned().unwrap_or_else(Target::host);
    let mut built = build(composed, request((options, rules), composed, emit, targets)?, &progress)?;
    if options.embed_weights {
        progress.step("linking");
        built.code = embed(built.code, (options, emit, &least), (model, composed), &built.report)?;
    }
    if emit == Emit::Exe && !least.is_hexagon() {
        progress.step("linking");
        built.code = artifact::program(&built.code, model, composed, options)?;
    }
    Ok(built)
}

/// Keeps the files that the options name from being overwritten.
fn keep_given(options: &compile_options::Options) -> Result<(), Failure> {
    options.htp_rules.iter().for_each(|file| keep(file, "a file of rules"));
    options.dump_schedules.as_deref().map_or(Ok(()), expect_folder)?;
    let Some(folder) = &options.schedules else { return Ok(()) };
    let unreadable = |error| Failure::input(format!("{}: {error}", folder.display()));
    expect_folder(folder)?;
    let files = std::fs::read_dir(folder).map_err(unreadable)?;
    files.flatten().for_each(|file| keep(&file.path(), "a schedule that is given"));
    kept::check_folders(options.dump_schedules.as_ref(), Some(folder), "the folder of the schedules that are given")
}

/// Refuses a file in the place of a folder of schedules.
fn expect_folder(path: &Path) -> Result<(), Failure> {
    if path.exists() && !path.is_dir() {
        let path = path.display();
        return Err(Failure::input(format!("{path}: expected a folder of schedules, found a file")));
    }
    Ok(())
}

/// Whether a target has what is asked for.
fn check_form(emit: Emit, target: &Target) -> Result<(), Failure> {
    let (triple, runs_here) = (&target.spec.triple, target.is_of_this_machine());
    let missing = |what, instead| Err(Failure::usage(format!("there are no {what} for {triple}: {instead}")));
    match emit {
        Emit::So if target.is_hexagon() => missing("shared libraries", "--emit obj, or --emit exe for the emulator"),
        Emit::So if !link::has_shared_libraries(target) => missing("shared libraries", "--emit obj, and link it there"),
        // `skriptnd run` gives it its tensors.
        Emit::Exe if target.is_hexagon() => target.check_for_programs().map_err(Failure::usage),
        Emit::Exe if !runs_here && link::has_shared_libraries(target) => missing(
            "programs that read tensor files",
            "--emit so, and load it there by a program in C (runtime/examples/bare/counter.c)",
        ),
        Emit::Exe if !runs_here => missing("programs that read tensor files", "--emit obj, and link it there"),
        Emit::Runner if !target.is_emulated() => missing("emulators", "they run Hexagon, AArch64 and RISC-V (riscv64)"),
        Emit::Runner => target.check_for_programs().map_err(Failure::usage),
        _ => Ok(()),
    }
}

/// Whether there can be several versions of the code.
fn check_versions(options: &compile_options::Options, emit: Emit, targets: &[Target]) -> Result<(), Failure> {
    if targets.len() < 2 {
        return Ok(());
    }
    if !matches!(emit, Emit::So | Emit::Obj | Emit::Exe) || !targets.iter().all(Target::has_elf_files) {
        return Err(Failure::usage(
            "--cpu with several processors is for --emit so, obj or exe, where these are ELF files",
        ));
    }
    if options.profile {
        return Err(Failure::usage("--profile is for one processor: name one with --cpu"));
    }
    if options.schedules.is_some() || options.dump_schedules.is_some() {
        return Err(Failure::usage("schedules are those of one processor: name one with --cpu"));
    }
    Ok(())
}

/// Whether processes can share what is written.
fn check_shard(options: &compile_options::Options, emit: Emit, targets: &[Target]) -> Result<(), Failure> {
    if options.shard.is_none() {
        return Ok(());
    }
    if targets.len() > 1 {
        return Err(Failure::usage("--shard is for one processor, which all processes have: name one with --cpu"));
    }
    if options.prefix.is_some() {
        return Err(Failure::usage("--shard and --prefix: processes share one model of a program"));
    }
    if emit == Emit::Runner || targets.iter().any(|target| target.is_hexagon() || !target.has_threads()) {
        return Err(Failure::usage("--shard is for machines with a system, on which MPI runs"));
    }
    Ok(())
}

/// How processes share it, as code generation takes it.
fn sharded(shard: Shard) -> Sharded {
    let along = match shard.along {
        shard_options::Along::Channel => Along::Channel,
        shard_options::Along::Batch => Along::Batch,
    };
    Sharded { along, processes: shard.processes }
}

/// Whether weights can be in what is written, or named by it.
fn check_weights(options: &compile_options::Options, emit: Emit, targets: &[Target]) -> Result<(), Failure> {
    // Hexagon's assembler is not among what LLVM is asked for here.
    let can_hold = |target: &Target| target.has_elf_files() && !target.is_hexagon();
    let has_place = matches!(emit, Emit::So | Emit::Obj | Emit::Exe) && targets.iter().all(can_hold);
    if options.embed_weights && !has_place {
        let forms = "--embed-weights is for --emit so, obj or exe, where these are ELF files, and not of Hexagon";
        return Err(Failure::usage(forms));
    }
    // An ONNX model takes them in when it is imported.
    let is_read = matches!(emit, Emit::So | Emit::Exe) || options.embed_weights || is_onnx(&options.model);
    if options.graph.import.weights.is_some() && !is_read {
        return Err(Failure::usage(
            "--weights is for what knows where its variables are: --emit so or exe, or --embed-weights",
        ));
    }
    Ok(())
}

/// Links the values of the variables to an object; a library is linked of both.
fn embed(
    code: Vec<u8>,
    (options, emit, target): (&compile_options::Options, Emit, &Target),
    (model, composed): (&Model, &Composed),
    report: &CompileReport,
) -> Result<Vec<u8>, Failure> {
    let given = VariableOptions::default();
    let source = variables::Source::new(&given, model, &composed.graph)?;
    let infos = &report.metadata.variables;
    // Before they are read: they may be more than memory holds.
    let sizes = infos.iter().filter_map(|info| Some(info.size(&info.shape()?)));
    link::weights::check_size(sizes.fold(0, usize::saturating_add)).map_err(|error| failure(composed, error.into()))?;
    let values = session::read_variables(composed, &source, infos.iter().map(|info| info.name.as_str()))?;
    let bytes = infos.iter().zip(values).map(|(info, value)| value.into_bytes(info).map_err(Failure::input));
    let bytes = bytes.collect::<Result<Vec<_>, _>>()?;
    let prefix = options.prefix.as_deref().unwrap_or(export::PREFIX);
    let linked = || {
        let weights = link::weights::object(&bytes, prefix, target)?;
        match emit {
            Emit::So => link::shared_library(&[code, weights], target),
            _ => link::object(vec![code, weights]),
        }
    };
    linked().map_err(|error| failure(composed, error.into()))
}

/// What the compiler is asked for.
fn request<'a>(
    (options, rules): (&'a compile_options::Options, Option<&'a Rules>),
    composed: &'a Composed,
    emit: Emit,
    mut targets: Vec<Target>,
) -> Result<Request<'a>, Failure> {
    let for_hexagon = targets.iter().any(Target::is_hexagon);
    let form = match emit {
        Emit::Exe if for_hexagon => skriptnd_codegen::Emit::Runner,
        Emit::So if !options.embed_weights => skriptnd_codegen::Emit::SharedLibrary,
        Emit::So | Emit::Obj | Emit::Exe => skriptnd_codegen::Emit::Object,
        Emit::Runner => skriptnd_codegen::Emit::Runner,
        Emit::Asm => skriptnd_codegen::Emit::Assembly,
        Emit::Llvm => skriptnd_codegen::Emit::LlvmIr,
        Emit::Mlir | Emit::Linalg | Emit::LlvmDialect => skriptnd_codegen::Emit::LlvmDialect,
    };
    let is_emulated = matches!(emit, Emit::Exe | Emit::Runner);
    let vtcm = targets.first().map_or(Ok(None), |target| options.vtcm.of(target, is_emulated))?;
    Ok(Request {
        fast_math: options.fast_math,
        prefix: options.prefix.clone(),
        rules,
        schedules: Schedules {
            given: options.schedules.clone(),
            taken: options.dump_schedules.clone(),
            tuned: options.tuned.folder(),
            report: options.remarks,
            profile: options.profile,
            sharded: options.shard.map(sharded),
            vtcm,
            ..Schedules::default()
        },
        timing: options.time && !options.json,
        better: targets.split_off(1.min(targets.len())),
        ..composed.request(targets.pop().unwrap_or_else(Target::host), form)
    })
}

/// Writes what was compiled; beside what `skriptnd run` loads from a file, what is needed for that.
fn write(
    options: &compile_options::Options,
    (emit, has_note): (Emit, bool),
    code: Vec<u8>,
    (model, composed): (&Model, &Composed),
) -> Result<(), Failure> {
    if has_note && !options.embed_weights && !is_standard_output(&options.output) {
        return artifact::write(&options.output, code, model, composed);
    }
    let executable = matches!(emit, Emit::So | Emit::Exe | Emit::Runner);
    output::write(&options.output, if executable { Mode::Executable } else { Mode::Plain }, code)
}

/// The imported model, or what it is lowered to.
fn dialect_text(composed: &Composed, (emit, exact): (Emit, bool), rules: Option<&Rules>) -> Result<String, Failure> {
    let registry = registry()?;
    let context = registry.context();
    let module = skriptnd_compiler::import(&context, &composed.definitions, &composed.graph);
    let mut module = module.map_err(|error| failure(composed, error))?;
    if exact {
        skriptnd_compiler::keep_rounding(&module);
    }
    let said = match rules {
        _ if emit == Emit::Linalg => skriptnd_compiler::lower(&mut module, rules),
        Some(rules) => skriptnd_compiler::apply_rules(&mut module, rules),
        None => Ok(Vec::new()),
    };
    let said = said.map_err(|error| failure(composed, error))?;
    said.iter().for_each(|diagnostic| print_message(format_args!("{diagnostic}\n")));
    Ok(module.as_operation().to_string())
}

/// Kernels whose schedules were measured on this machine.
fn tuned(report: &CompileReport) -> impl Iterator<Item = &Scheduled> {
    report.scheduled.iter().filter(|kernel| kernel.source == Source::Tuned)
}

/// The same with where the schedules are from: artifacts differ by them.
fn tuned_json(options: &compile_options::Options, report: &CompileReport) -> Json {
    let kernels = tuned(report).map(|kernel| {
        let lines: Vec<String> = kernel.lines.iter().map(ToString::to_string).collect();
        json!({ "kernel": kernel.key, "lines": lines })
    });
    let folder = options.tuned.folder().map(|folder| folder.to_string_lossy().into_owned());
    json!({ "folder": folder, "kernels": kernels.collect::<Vec<_>>() })
}

fn say(
    (options, model): (&compile_options::Options, &Model),
    report: &CompileReport,
    steps: &[(&str, Duration)],
    whole: Duration,
) {
    if options.json {
        let times: serde_json::Map<_, _> =
            steps.iter().map(|(name, time)| (name.replace(' ', "_"), json!(milliseconds(*time)))).collect();
        let mut told = json!({
            "output": options.output.to_string_lossy(),
            "compile_ms": milliseconds(whole),
            "peak_bytes": report.peak_bytes,
            "prepared_bytes": report.prepared_bytes,
            "kernels": report.kernels,
            "tuned": tuned_json(options, report),
            "steps_ms": times,
        });
        if let Some(bytes) = report.metadata.vtcm_bytes {
            told["vtcm_bytes"] = json!(bytes);
        }
        if let (Some(told), Some(Json::Object(made))) = (told.as_object_mut(), model.interface()) {
            told.extend(made);
        }
        print_json(&told);
    } else if options.time {
        let line = |(name, time): &(&str, Duration)| format!("{name:<12} {:>10.3} ms\n", milliseconds(*time));
        let tuned = tuned(report).count();
        let scheduled = format!("{:<12} {tuned} of {} kernels\n", "tuned", report.kernels);
        let lines: String = steps.iter().map(line).chain([scheduled]).collect();
        if is_standard_output(&options.output) { print_message(lines) } else { output::print(lines) }
    }
}
