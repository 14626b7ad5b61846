//! Several versions of a model's code in one artifact, which itself takes the best that the processor has.
//!
//! Each version is compiled as a model of its own, whose functions nobody outside sees; in front of them stand those of the
//! interface ([`choice`]). So the artifact needs nothing of the program that loads it.

mod choice;

use crate::artifact::code::{Clock, CompileOptions, CompileReport, Compiled, Emit, generate, lower};
use crate::interface::{Planned, export, header};
use crate::target::GENERIC;
use crate::target::needed;
use crate::{Error, Target, link};
use skriptnd_mlir::ir::Module;
use skriptnd_mlir::llvm::{Emission, LlvmModule, OptimizationOptions};
use skriptnd_runtime::metadata::Version;

/// The only architecture whose processors tell all programs alike what they have.
const ARCHITECTURE: &str = "x86_64";

/// The targets that processors behind commas name, from the least to the best; one where there is no comma.
///
/// # Errors
/// Where a processor is not known, where there are no versions for the target, or where two of the processors can't be told apart
/// or none of the two has all that the other has.
pub fn targets(triple: Option<&str>, cpus: Option<&str>) -> Result<Vec<Target>, Error> {
    let cpus: Vec<_> = cpus.map_or(vec![None], |cpus| cpus.split(',').map(Some).collect());
    if cpus.len() > 1 && cpus.iter().flatten().any(|cpu| cpu.trim().is_empty()) {
        return Err(Error::Target(format!("`{}`: a processor is missing beside a comma", cpus_text(&cpus))));
    }
    let mut targets: Vec<_> = cpus.into_iter().map(|cpu| Target::named(triple, cpu.map(str::trim))).collect();
    targets.iter().try_for_each(Target::check)?;
    let is_one = targets.len() == 1;
    if let Some(other) = targets.iter().find(|target| !is_one && target.architecture() != ARCHITECTURE) {
        let triple = &other.spec.triple;
        return Err(Error::Target(format!(
            "several versions of the code are for {ARCHITECTURE}, and {triple} is not: name one processor"
        )));
    }
    targets.sort_by_key(|target| needed::features(target).len());
    targets.windows(2).try_for_each(|pair| check_order(&pair[0], &pair[1]))?;
    Ok(targets)
}

fn cpus_text(cpus: &[Option<&str>]) -> String {
    cpus.iter().map(|cpu| cpu.unwrap_or_default()).collect::<Vec<_>>().join(",")
}

/// Refuses a processor that does not have all that the one before has, and more.
fn check_order(less: &Target, more: &Target) -> Result<(), Error> {
    let (least, best) = (needed::features(less), needed::features(more));
    let (less, more) = (shown(less), shown(more));
    let missing: Vec<_> = least.iter().filter(|feature| !best.contains(feature)).map(String::as_str).collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return Err(Error::Target(format!(
            "versions of the code must be such that each can do all that the one before it can: `{more}` lacks {missing}, which `{less}` has"
        )));
    }
    if least.len() == best.len() {
        return Err(Error::Target(format!(
            "the code for `{less}` and for `{more}` asks for the same of a processor: name one of them"
        )));
    }
    Ok(())
}

/// A processor as users name it.
fn shown(target: &Target) -> String {
    let features = target.spec.features.replace(",+", "+");
    format!("{}{}", target.cpu(), if features.starts_with('+') && features.len() < 80 { features.as_str() } else { "" })
}

/// Compiles a module for a target and for better ones.
///
/// # Errors
/// As [`crate::compile()`].
pub fn compile(module: &Module<'_>, options: &CompileOptions) -> Result<Compiled, Error> {
    if !matches!(options.emit, Emit::SharedLibrary | Emit::Object) || !options.target.has_elf_files() {
        return Err(Error::Unsupported(
            "several versions of the code in this form; emit a shared library or an object of ELF".into(),
        ));
    }
    let prefix = options.prefix.as_deref().unwrap_or(export::PREFIX);
    let mut clock = Clock::start();
    let (mut objects, mut all, mut kernels, mut diagnostics) = (Vec::new(), Vec::new(), 0, Vec::new());
    let mut scheduled = Vec::new();
    for (number, target) in [&options.target].into_iter().chain(&options.better).enumerate() {
        let own = CompileOptions {
            target: target.clone(),
            prefix: Some(version_prefix(prefix, number)),
            better: Vec::new(),
            ..options.clone()
        };
        let mut version = module.copy();
        let lowered = lower(&mut version, &own, true, &mut clock)?;
        objects.extend(generate(&version, &lowered.planned.interface.graph, &own, &mut clock)?);
        kernels = lowered.kernels;
        scheduled.extend(lowered.scheduled);
        for said in lowered.diagnostics {
            // What all versions say is said once.
            if !diagnostics.contains(&said) {
                diagnostics.push(said);
            }
        }
        all.push(lowered.planned);
    }
    let versions: Vec<_> = all.iter().map(version).collect();
    let planned = together(all)?;
    let mut report = CompileReport { kernels, scheduled, ..CompileReport::of(&planned) };
    report.metadata.versions = versions;
    objects.push(choosing(&report, &planned, prefix, options)?);
    clock.lap("generate");
    let code = match options.emit {
        Emit::SharedLibrary => link::shared_library(&objects, &options.target)?,
        _ => link::object(objects)?,
    };
    clock.lap("link");
    report.header = options.prefix.as_deref().map(|prefix| header::declarations(&planned, prefix));
    report.timing = clock.summed();
    Ok(Compiled { code, report, diagnostics })
}

/// What the names of a version's functions begin with.
fn version_prefix(prefix: &str, number: usize) -> String {
    format!("{prefix}_version{number}")
}

fn version(planned: &Planned) -> Version {
    let Planned { target, has_matrices, .. } = planned;
    Version { cpu: target.cpu().to_string(), features: needed::of_code(target, *has_matrices) }
}

/// What is said of the versions together: they take and give the same, and the memory that is enough for each.
fn together(all: Vec<Planned>) -> Result<Planned, Error> {
    let mut all = all.into_iter();
    let mut planned = all.next().ok_or_else(|| Error::malformed("no version of the code"))?;
    for other in all {
        if other.interface != planned.interface || other.faults != planned.faults {
            return Err(Error::malformed("versions of the code that take, give or report different things"));
        }
        planned.parallel_loops = planned.parallel_loops.max(other.parallel_loops);
        let (own, other) = (&mut planned.memory, &other.memory);
        own.prepared_bytes = own.prepared_bytes.max(other.prepared_bytes);
        own.run_bytes = own.run_bytes.max(other.run_bytes);
        own.prepare_bytes = own.prepare_bytes.max(other.prepare_bytes);
    }
    Ok(planned)
}

/// The object with the functions of the interface.
fn choosing(
    report: &CompileReport,
    planned: &Planned,
    prefix: &str,
    options: &CompileOptions,
) -> Result<Vec<u8>, Error> {
    let text = choice::module(&report.metadata, planned, prefix)?;
    // It has to say so on processors that have none of them.
    let everywhere = Target::named(Some(&options.target.spec.triple), Some(GENERIC)).spec;
    let mut llvm = LlvmModule::parse(&text, "choice.ll")?;
    llvm.optimize(&everywhere, &OptimizationOptions::default())?;
    Ok(llvm.emit(&everywhere, Emission::Object)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIPLE: Option<&str> = Some("x86_64-unknown-linux-gnu");

    fn names(cpus: &str) -> Vec<String> {
        targets(TRIPLE, Some(cpus)).unwrap().iter().map(shown).collect()
    }

    fn refused(triple: &str, cpus: &str) -> String {
        targets(Some(triple), Some(cpus)).unwrap_err().to_string()
    }

    #[test]
    fn versions_stand_from_the_least_to_the_best() {
        assert_eq!(names("x86-64-v4,x86-64-v2, x86-64-v3"), ["x86-64-v2", "x86-64-v3", "x86-64-v4"]);
        assert_eq!(names("haswell+avxvnni,generic,haswell"), ["generic", "haswell", "haswell+avxvnni"]);
        assert_eq!(targets(TRIPLE, None).unwrap(), [Target::named(TRIPLE, None)]);
        assert_eq!(names("znver3").len(), 1);
    }

    #[test]
    fn processors_that_have_no_order_are_refused() {
        let x86 = "x86_64-unknown-linux-gnu";
        assert_eq!(
            refused(x86, "bdver1,x86-64-v3"),
            "versions of the code must be such that each can do all that the one before it can: `x86-64-v3` lacks \
             sse4a, fma4, xop, which `bdver1` has"
        );
        assert_eq!(
            refused(x86, "x86-64-v3,x86-64-v3"),
            "the code for `x86-64-v3` and for `x86-64-v3` asks for the same of a processor: name one of them"
        );
        assert_eq!(refused(x86, "x86-64-v3,"), "`x86-64-v3,`: a processor is missing beside a comma");
        assert!(refused(x86, "x86-64-v3,x86-64-v33").contains("x86-64-v33"));
        assert_eq!(
            refused("aarch64-unknown-linux-gnu", "cortex-a72,cortex-a76"),
            "several versions of the code are for x86_64, and aarch64-unknown-linux-gnu is not: name one processor"
        );
    }
}
