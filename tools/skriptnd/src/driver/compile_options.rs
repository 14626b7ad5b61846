//! Options of `skriptnd compile`.

use super::graph_options::GraphOptions;
use super::rule_options::RuleOptions;
use super::run_options::Threads;
use super::shard_options::Shard;
use super::tuned::TunedOptions;
use super::vtcm_options::VtcmOptions;
#[cfg(feature = "mlir")]
use crate::failure::print_message;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What compilation ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// A shared library
    So,
    /// An object file
    Obj,
    /// Assembly
    Asm,
    /// LLVM IR
    Llvm,
    /// MLIR's LLVM dialect, as it is translated to LLVM IR
    LlvmDialect,
    /// The model on tensors: linalg, arith, scf
    Linalg,
    /// MLIR of the imported model
    Mlir,
    /// An executable for this machine that reads and writes tensor files, or one for Hexagon that `skriptnd run` gives them
    Exe,
    /// What emulators of other machines run: its tensors come and go by standard input and output (runtime/bare)
    Runner,
}

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The model: a folder with `main.sknd`, a .sknd file, or an .onnx file
    pub model: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// What to write; without it, the ending of OUT decides
    #[arg(long, value_enum)]
    pub emit: Option<Emit>,
    /// The machine to compile for: `host` or a triple
    #[arg(long, value_name = "host|TRIPLE", default_value = "host")]
    pub target: String,
    /// The processor of the target: a name that LLVM has (`x86-64-v3`, `znver4`, `cortex-a76`), `native` for that of this
    /// machine, or `generic` for what all of the architecture have; features may stand behind it, or alone
    /// (`cortex-a76+dotprod`, `+sve`). The code runs on processors that have all that it may use; others refuse it.
    /// Of several, as `x86-64-v2,x86-64-v3,x86-64-v4`, there are versions of the code for each in one library, object or executable,
    /// which itself takes the best that the processor has; x86-64 only, and each takes the time and the place of one
    /// [default: `native` for `--target host`, else what programs for the triple are usually made for]
    #[arg(long, value_name = "NAME[,NAME]..")]
    pub cpu: Option<String>,
    #[command(flatten)]
    pub graph: GraphOptions,
    /// Put the values of the variables into the library, object or executable, which then needs no other file; at most 1 GiB
    #[arg(long)]
    pub embed_weights: bool,
    /// Begin the names of an object's functions with NAME in place of `skriptnd`, so that several models go into one program,
    /// and write their declarations to NAME.h beside OUT
    #[arg(long, value_name = "NAME")]
    pub prefix: Option<String>,
    /// Apply rules of an HTP op package; given several times, each pass has the rules of all files, in their order
    #[arg(long, value_name = "FILE")]
    pub htp_rules: Vec<PathBuf>,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Let floating-point operations be reordered
    #[arg(long, conflicts_with = "exact")]
    pub fast_math: bool,
    /// Take schedules of kernels from the files of a folder
    #[arg(long, value_name = "DIR")]
    pub schedules: Option<PathBuf>,
    /// Write the schedules of all kernels to files of a folder
    #[arg(long, value_name = "DIR")]
    pub dump_schedules: Option<PathBuf>,
    #[command(flatten)]
    pub tuned: TunedOptions,
    /// Remark on standard error what is computed element after element, with the place and the reason
    #[arg(long)]
    pub remarks: bool,
    /// Mark the operations of the model, so that `skriptnd bench OUT.so --profile` can tell the time that each takes
    #[arg(long)]
    pub profile: bool,
    /// Share the work among the processes that `mpirun` starts, N or as many as there are: by `channel` each has a part of the
    /// weights of every product, by `batch` a part of the batch. Results are the same bits as without it
    #[arg(long, value_name = "channel|batch[=N]")]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub vtcm: VtcmOptions,
    #[command(flatten)]
    pub threads: Threads,
    /// Say how long each step takes, and on standard error each pass of code generation
    #[arg(long)]
    pub time: bool,
    /// Print one JSON object about the compilation
    #[arg(long)]
    pub json: bool,
}

impl Options {
    /// Says which options make no difference to what is written before code is generated.
    #[cfg(feature = "mlir")]
    pub fn warn_about_code(&self) {
        let given = [
            ("--target", self.target != "host"),
            ("--cpu", self.cpu.is_some()),
            ("--embed-weights", self.embed_weights),
            ("--fast-math", self.fast_math),
            ("--schedules", self.schedules.is_some()),
            ("--dump-schedules", self.dump_schedules.is_some()),
            ("--tuned", self.tuned.is_given()),
            ("--remarks", self.remarks),
            ("--profile", self.profile),
            ("--shard", self.shard.is_some()),
            ("--vtcm", self.vtcm.is_given()),
        ];
        for (option, _) in given.into_iter().filter(|(_, given)| *given) {
            let text = "makes no difference to a model that is not compiled to code yet";
            print_message(format_args!("skriptnd: warning: {option} {text}\n"));
        }
    }
}

const EXAMPLES: &str = "\
A shared library has the functions of runtime/include/skriptnd.h; beside OUT.so, OUT.variables.json says where the variables are
(those below its folder may be moved with it); with --embed-weights it has them itself.
It needs the C library of the target, but neither that nor any tool to be made. An executable says with --help what it takes.

Examples:
  skriptnd compile model -o model.so
  skriptnd compile model -o model.so --target aarch64-unknown-linux-gnu
  skriptnd compile model --embed-weights -o model.so
  skriptnd compile model -o model.so --cpu x86-64-v2,x86-64-v3,x86-64-v4
  skriptnd compile model --attr batch=4 --bind n=128 -o model.o --target aarch64-unknown-linux-gnu
  skriptnd compile model -o model.o --prefix digits
  skriptnd compile model --weights tuned.safetensors -o model.so
  skriptnd compile model --emit exe -o model.exe && ./model.exe --input image.npy --output-dir out
  skriptnd compile model --shard channel=2 --emit exe -o model.exe && mpirun -n 2 ./model.exe --input image.npy --output-dir out
  skriptnd compile model --emit linalg -o - | skriptnd-opt --canonicalize
  skriptnd compile model --dump-schedules loops -o model.so
  skriptnd compile model --tuned none -o model.so
  skriptnd compile model --profile -o model.so && skriptnd bench model.so --profile
  skriptnd compile model --target hexagon --cpu hexagonv66+hvxv66+hvx-length128b --emit exe -o model.exe && skriptnd run model.exe
  skriptnd compile model --target hexagon --cpu hexagonv73+hvxv73+hvx-length128b --vtcm 4MiB --prefix model -o model.o
  skriptnd compile model --htp-rules rules.htp --mode sdk -I include --emit runner --target hexagon-unknown-linux-musl -o model";
