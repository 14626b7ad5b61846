//! `--cpu` of commands that execute what they compile.

use super::backend::Backend;
use super::vtcm_options::VtcmOptions;
use crate::failure::Failure;
use clap::Args;
#[cfg(feature = "mlir")]
use {
    skriptnd_codegen::target::needed,
    skriptnd_codegen::{Target, Vtcm},
    skriptnd_hexagon::processor as hexagon,
    skriptnd_runtime::processor,
};

/// For which processor is compiled what is executed.
#[derive(Debug, Clone, Default, Args)]
pub struct CpuOptions {
    /// The processor to compile for, as `skriptnd compile --cpu` takes it: this machine's or a lesser one, or, with --backend
    /// hexagon, one that the emulator runs (`hexagonv66+hvxv66+hvx-length128b`) [default: this machine's; `hexagonv67`]
    #[arg(long, value_name = "NAME[+FEATURE]..")]
    cpu: Option<String>,
    #[command(flatten)]
    vtcm: VtcmOptions,
}

impl CpuOptions {
    /// Of a processor, if it is named.
    #[cfg(feature = "mlir")]
    pub fn named(cpu: Option<String>) -> Self {
        CpuOptions { cpu, ..CpuOptions::default() }
    }

    /// Whether a backend compiles at all.
    pub fn check(&self, backend: Backend) -> Result<(), Failure> {
        match (&self.cpu, backend) {
            (Some(cpu), Backend::Interpret) => Err(Failure::usage(format!(
                "--cpu {cpu}: the interpreter compiles nothing; --backend native and hexagon do"
            ))),
            (_, Backend::Interpret | Backend::Native) if self.vtcm.is_given() => Err(Failure::usage(format!(
                "{}: there is VTCM on Hexagon only: --backend hexagon",
                self.vtcm.option().trim()
            ))),
            _ => Ok(()),
        }
    }

    /// As it is given in a command, behind a space; nothing where it is not.
    pub fn option(&self) -> String {
        self.cpu.as_ref().map(|cpu| format!(" --cpu {cpu}")).unwrap_or_default() + &self.vtcm.option()
    }

    /// Refuses it where a model was compiled before.
    #[cfg(feature = "mlir")]
    pub fn check_fixed(&self) -> Result<(), Failure> {
        match &self.cpu {
            Some(cpu) => Err(Failure::usage(format!("--cpu {cpu}: a compiled model has this fixed; compile it again"))),
            None if self.vtcm.is_given() => Err(Failure::usage(format!(
                "{}: a compiled model has this fixed; compile it again",
                self.vtcm.option().trim()
            ))),
            None => Ok(()),
        }
    }

    /// VTCM that kernels may take on the emulator.
    #[cfg(feature = "mlir")]
    pub fn vtcm(&self, target: &Target) -> Result<Option<Vtcm>, Failure> {
        self.vtcm.of(target, true)
    }

    /// What a backend compiles for, which this machine or its emulator can run.
    #[cfg(feature = "mlir")]
    pub fn target(&self, backend: Backend) -> Result<Target, Failure> {
        let cpu = self.cpu.as_deref();
        if let Some(several) = cpu.filter(|cpu| cpu.contains(',')) {
            let text = format!("--cpu {several}: several processors are for `skriptnd compile`; name one");
            return Err(Failure::usage(text));
        }
        let target = match backend {
            Backend::Hexagon => Target::named(Some(skriptnd_hexagon::target::TRIPLE), cpu),
            Backend::Native | Backend::Interpret => cpu.map_or_else(Target::host, |cpu| Target::named(None, Some(cpu))),
        };
        let wrong =
            |error: &dyn std::fmt::Display| Failure::usage(format!("--cpu {}: {error}", cpu.unwrap_or_default()));
        target.check().map_err(|error| wrong(&error))?;
        if backend == Backend::Hexagon {
            let target = target.for_emulator();
            hexagon::check_features(target.features.iter().map(String::as_str)).map_err(|error| wrong(&error))?;
            return Ok(target);
        }
        let missing = processor::missing(&needed::features(&target));
        match missing.is_empty() || cpu.is_none() {
            true => Ok(target),
            false => Err(wrong(&format!("this machine's processor lacks {}", missing.join(", ")))
                .with_help("`skriptnd compile` makes code for other processors")),
        }
    }
}
