//! The way from linalg on tensors to the LLVM dialect: a textual pipeline of upstream's passes and ours.

use crate::emit::{Along, Folders, Sharded};
use crate::nest::staged::Vtcm;
use crate::target::GENERIC;
use crate::{Error, Target};
use std::path::{Path, PathBuf};

/// The name under which `skriptnd-opt` knows the pipeline.
pub const NAME: &str = "linalg-to-llvm";

/// One form of structured operation for the rewrites.
const GENERALIZE: &str = "inline,symbol-dce,func.func(linalg-generalize-named-ops,canonicalize,cse)";

/// Integers between reals are reals, or have few bits; then layouts, forms of products and convolutions, packed weights, and the
/// split of what is prepared from what is run. Where the rounding of the formulas is to be kept, sums have their bits, and the passes are
/// left out that give other sums; what kernels may do follows from `skriptnd.exact` ([`crate::nest::space::Rounding`]).
fn arrange(exact: bool) -> String {
    let (widen, scales, copies, winograd, weights) = match exact {
        true => ("codegen-widen-sums,", "", "", "", ""),
        false => (
            "",
            "codegen-scale-products,",
            "codegen-absorb-copies,codegen-relax-powers,codegen-divide-products,",
            "codegen-winograd,",
            "codegen-read-stored-weights,",
        ),
    };
    format!(
        "codegen-describe-interface,codegen-truths-as-bytes,\
         func.func(codegen-batch-iterations,codegen-inline-numbers,canonicalize,codegen-note-encodings,codegen-join-groups,codegen-requantize-in-words,\
         codegen-compute-in-fewer-bits,canonicalize,codegen-note-encodings,{widen}{scales}\
         codegen-store-narrow,codegen-multiply-narrow,codegen-narrow-accumulators,codegen-absorb-collapses,\
         {copies}codegen-separate-windows,codegen-channels-last,{winograd}codegen-shift-factors,{weights}codegen-pack-filters,codegen-carry-in-place),\
         codegen-split-preparation,func.func(canonicalize,cse),codegen-lower-pads,func.func(canonicalize,cse)"
    )
}

/// Operations on tensors that need not be stored between become one. What depends on variables only is gone before: it is not
/// computed in a run.
const FUSE: &str = "func.func(canonicalize,codegen-fuse-elementwise,codegen-compute-in-fewer-bits,canonicalize,cse)";

/// Tensors to buffers. Loops may go on with other buffers than they began with, until they get fixed ones. Destinations are
/// separated behind the last elimination of common subexpressions, which would make one of all empty tensors again. Kernels
/// are formed when it is known where results belong, and so that bufferization sees in which order they run.
fn bufferize(target: &Target) -> String {
    let alignment = target.alignment();
    format!(
        "func.func(codegen-distinct-results,codegen-separate-destinations,codegen-separate-reads,\
         codegen-write-parts,codegen-protect-arguments),\
         eliminate-empty-tensors,func.func(linalg-generalize-named-ops,codegen-form-kernels),empty-tensor-to-alloc-tensor,\
         one-shot-bufferize{{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map \
         allow-return-allocs-from-loops=1 buffer-alignment={alignment}}},\
         codegen-order-constants,func.func(codegen-fix-loop-buffers)"
    )
}

/// Results become arguments that the caller gives.
const RESULTS: &str = "canonicalize,buffer-results-to-out-params{hoist-static-allocs=1 hoist-dynamic-allocs=1 \
     modify-public-functions=1},codegen-pass-shapes,\
     func.func(canonicalize,cse,fold-memref-alias-ops,linalg-generalize-named-ops,canonicalize,cse)";

/// Structured operations become kernels, and what has none becomes loops.
fn emit(schedules: &Folders) -> Result<String, Error> {
    let Folders { given, taken, tuned, .. } = schedules;
    let folders = [("schedules", given), ("dump-schedules", taken), ("tuned-schedules", tuned)];
    let mut options = Vec::new();
    for (name, folder) in folders {
        options.extend(folder.as_deref().map(|folder| Ok(format!("{name}={}", quoted(folder)?))));
    }
    options.extend((schedules.alternatives > 0).then(|| Ok(format!("alternatives={}", schedules.alternatives))));
    options.extend(schedules.random.map(|seed| Ok(format!("random-schedules={seed}"))));
    options.extend(schedules.report.then(|| Ok("report=true".to_string())));
    options.extend(schedules.profile.then(|| Ok("profile=true".to_string())));
    let sharded = schedules.sharded.into_iter();
    options.extend(sharded.clone().map(|sharded| Ok(format!("shard={}", sharded.along.name()))));
    options.extend(sharded.filter_map(|sharded| sharded.processes).map(|count| Ok(format!("processes={count}"))));
    let mut placed = String::new();
    if let Some(Vtcm { bytes, by_dma }) = schedules.vtcm {
        options.push(Ok(format!("vtcm={bytes}")));
        options.extend((!by_dma).then(|| Ok("dma=false".to_string())));
        placed = format!("codegen-place-in-vtcm{{budget={bytes}}},");
    }
    let options = options.into_iter().collect::<Result<Vec<_>, Error>>()?.join(" ");
    Ok(format!(
        "func.func(codegen-structure-copies,codegen-erase-empty),codegen-emit-kernels{{{options}}},{placed}\
         func.func(convert-linalg-to-loops,canonicalize,cse,codegen-flatten-empty-arguments)"
    ))
}

/// A path as it stands in a pipeline, which was read from one.
fn quoted(path: &Path) -> Result<String, Error> {
    let text = path.to_str().filter(|text| !text.contains(['{', '}']));
    let quote = ['"', '\''].into_iter().find(|quote| text.is_some_and(|text| !text.contains(*quote)));
    let refused = || {
        let reason =
            "options of pipelines can't have names with braces, or with both kinds of quotes: give it another name";
        Error::Unsupported(format!("the folder of schedules {}: {reason}", path.display()))
    };
    text.zip(quote).map(|(text, quote)| format!("{quote}{text}{quote}")).ok_or_else(refused)
}

/// What a run writes besides its results.
fn plan(schedules: &Folders) -> &'static str {
    match schedules.vtcm {
        Some(_) => "codegen-record-faults,codegen-plan-memory,codegen-lower-hexagon",
        None => "codegen-record-faults,codegen-plan-memory",
    }
}

/// Everything to the LLVM dialect. Each conversion is told the width of an index: not all of them ask the module's data
/// layout. What works on functions one by one is written so, that MLIR may do it for several at once.
fn convert(index_width: u32, exported: Exported<'_>) -> String {
    let index = format!("index-bitwidth={index_width}");
    let prefix = exported.prefix.map(|prefix| format!("prefix={prefix}"));
    let version = exported.is_version.then(|| "version=true".to_string());
    let export = prefix.into_iter().chain(version).collect::<Vec<_>>().join(" ");
    let export = if export.is_empty() { export } else { format!("{{{export}}}") };
    format!(
        "func.func(codegen-expand-elementary,codegen-hide-functions,canonicalize,cse,expand-strided-metadata,\
         lower-affine,loop-invariant-code-motion,codegen-keep-iterations-apart,convert-scf-to-cf,canonicalize,cse,convert-math-to-llvm),\
         convert-math-to-libm,func.func(convert-vectors-to-llvm{{{index}}},expand-strided-metadata,lower-affine,\
         convert-arith-to-llvm{{{index}}},convert-index-to-llvm{{{index}}}),\
         finalize-memref-to-llvm{{{index}}},convert-func-to-llvm{{use-bare-ptr-memref-call-conv=1 {index}}},\
         convert-cf-to-llvm{{{index}}},llvm.func(convert-ub-to-llvm{{{index}}}),reconcile-unrealized-casts,\
         llvm.func(canonicalize,cse),codegen-export-interface{export}"
    )
}

/// For what code is made, and with which schedules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// For what.
    pub target: Target,
    /// Where schedules come from and go to.
    pub schedules: Folders,
    /// Whether numbers are combined in the order of the formulas, and rounded where these are.
    pub exact: bool,
}

/// What a module exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exported<'a> {
    /// What the names begin with, if not as usual.
    pub prefix: Option<&'a str>,
    /// Whether it is one of several versions of the same model, which are linked to one library.
    pub is_version: bool,
}

/// The pipeline with these settings, to be run on a module that `convert-skriptnd-to-linalg` made.
///
/// # Errors
/// Where LLVM does not know the target, or a name can't stand in a pipeline, or the prefix is none for names of C.
pub fn linalg_to_llvm(settings: &Settings, exported: Exported<'_>) -> Result<String, Error> {
    if let Some(prefix) = exported.prefix.filter(|prefix| !is_identifier(prefix)) {
        return Err(Error::Unsupported(format!("the prefix `{prefix}`: names of C can't begin with it")));
    }
    let first = set_target(&settings.target, settings.exact)?;
    let emit = emit(&settings.schedules)?;
    let last = convert(settings.target.index_width()?, exported);
    let bufferize = bufferize(&settings.target);
    Ok([
        &first,
        GENERALIZE,
        &arrange(settings.exact),
        FUSE,
        &bufferize,
        RESULTS,
        &emit,
        plan(&settings.schedules),
        &last,
    ]
    .join(","))
}

/// Whether a text is an identifier of C.
pub fn is_identifier(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().all(is_word) && text.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

fn set_target(target: &Target, exact: bool) -> Result<String, Error> {
    let spec = &target.spec;
    // Without both, the host's triple would mean the host's processor.
    let is_generic = spec.cpu.is_empty() && spec.features.is_empty();
    let cpu = if is_generic { GENERIC } else { &spec.cpu };
    let options = [("triple", spec.triple.as_str()), ("cpu", cpu), ("features", &spec.features)];
    let mut text = Vec::new();
    for (name, value) in options.into_iter().filter(|(_, value)| !value.is_empty()) {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-_.,".contains(&byte);
        if !value.bytes().all(plain) {
            return Err(Error::Unsupported(format!("a target whose {name} is `{value}`")));
        }
        text.push(format!("{name}={value}"));
    }
    text.extend(exact.then(|| "exact=true".to_string()));
    Ok(format!("codegen-set-target{{{}}}", text.join(" ")))
}

/// The settings that the options of the pipeline name, written as those of `codegen-set-target` and
/// `codegen-emit-kernels`.
///
/// # Errors
/// Where there is another option, or a value that an option does not take.
pub fn settings(options: &str) -> Result<Settings, String> {
    let (mut triple, mut cpu, mut features, mut exact) = ("", "", "", false);
    let (mut along, mut processes) = (None, None);
    let (mut vtcm, mut by_dma) = (None, true);
    let mut schedules = Folders::default();
    let path = |value: &str| Some(PathBuf::from(unquoted(value)));
    for option in words(options) {
        match option.split_once('=') {
            Some(("triple", value)) => triple = value,
            Some(("cpu", value)) => cpu = value,
            Some(("features", value)) => features = value,
            Some(("schedules", value)) => schedules.given = path(value),
            Some(("dump-schedules", value)) => schedules.taken = path(value),
            Some(("tuned-schedules", value)) => schedules.tuned = path(value),
            Some(("alternatives", value)) => schedules.alternatives = taken(option, value.parse().ok(), "a number")?,
            Some(("exact", value)) => exact = taken(option, value.parse().ok(), "`true` or `false`")?,
            Some(("report", value)) => schedules.report = taken(option, value.parse().ok(), "`true` or `false`")?,
            Some(("profile", value)) => schedules.profile = taken(option, value.parse().ok(), "`true` or `false`")?,
            Some(("shard", value)) => {
                along = Some(taken(option, Along::named(value), "`channel` or `batch`")?);
            }
            Some(("processes", value)) => {
                let count = value.parse().ok().filter(|count| *count > 0);
                processes = Some(taken(option, count, "a number above 0")?);
            }
            Some(("vtcm", value)) => {
                vtcm = Some(taken(option, value.parse().ok().filter(|bytes| *bytes > 0), "a number above 0")?);
            }
            Some(("dma", value)) => by_dma = taken(option, value.parse().ok(), "`true` or `false`")?,
            Some(("random-schedules", value)) => {
                let seed = value.parse().ok().filter(|seed| *seed > 0);
                schedules.random = Some(taken(option, seed, "a number above 0")?);
            }
            _ => return Err(format!("no option `{option}`; there are {OPTIONS}")),
        }
    }
    if along.is_none() && processes.is_some() {
        return Err("option `processes`: only what `shard` says is shared among processes".into());
    }
    schedules.sharded = along.map(|along| Sharded { along, processes });
    schedules.vtcm = vtcm.map(|bytes| Vtcm { bytes, by_dma });
    Ok(Settings { target: Target::described(triple, cpu, features), schedules, exact })
}

/// A value without the quotes around it.
fn unquoted(value: &str) -> &str {
    let inside = ['"', '\''].into_iter().find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote));
    inside.unwrap_or(value)
}

/// What spaces outside quotes part.
fn words(options: &str) -> impl Iterator<Item = &str> {
    let mut quote = None;
    let parts = options.split(move |character: char| {
        match quote {
            None if matches!(character, '"' | '\'') => quote = Some(character),
            Some(begin) if begin == character => quote = None,
            _ => {}
        }
        quote.is_none() && character.is_whitespace()
    });
    parts.filter(|part| !part.is_empty())
}

/// The value of an option, if it is one that the option takes.
fn taken<T>(option: &str, value: Option<T>, expected: &str) -> Result<T, String> {
    let (name, found) = option.split_once('=').unwrap_or((option, ""));
    value.ok_or_else(|| format!("option `{name}`: expected {expected}, found `{found}`"))
}

const OPTIONS: &str = "`triple`, `cpu`, `features`, `exact`, `schedules`, `dump-schedules`, `tuned-schedules`, `alternatives`, \
                       `report`, `profile`, `shard`, `processes`, `vtcm`, `dma` and `random-schedules`";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::passes;
    use skriptnd_mlir::llvm::TargetSpec;

    #[test]
    fn the_target_goes_through_the_text() {
        let wanted = settings("triple=x86_64-unknown-linux-gnu cpu=znver3 features=+avx2,-fma").unwrap();
        let text = linalg_to_llvm(&wanted, Exported::default());
        let begin = "codegen-set-target{triple=x86_64-unknown-linux-gnu cpu=znver3 features=+avx2,-fma},inline,";
        assert!(text.unwrap().starts_with(begin));
        assert_eq!(settings("").unwrap().target, Target::host());
    }

    #[test]
    fn folders_may_have_spaces_in_their_names() {
        let wanted = settings("schedules=\"/a b/c\"  dump-schedules='d  e' tuned-schedules=f alternatives=3").unwrap();
        assert_eq!(wanted.schedules.given, Some(PathBuf::from("/a b/c")));
        assert_eq!(wanted.schedules.taken, Some(PathBuf::from("d  e")));
        assert_eq!((wanted.schedules.tuned.as_deref(), wanted.schedules.alternatives), (Some(Path::new("f")), 3));
        let text = linalg_to_llvm(&wanted, Exported::default()).unwrap();
        assert!(
            text.contains("schedules=\"/a b/c\" dump-schedules=\"d  e\" tuned-schedules=\"f\" alternatives=3"),
            "{text}"
        );
        let quotes =
            linalg_to_llvm(&settings("schedules=\"it's\" dump-schedules='a \"b\"'").unwrap(), Exported::default())
                .unwrap();
        assert!(quotes.contains("schedules=\"it's\" dump-schedules='a \"b\"'"), "{quotes}");
    }

    #[test]
    fn a_target_without_processor_and_features_is_not_the_host() {
        let host = Target::host();
        let mut wanted = settings("").unwrap();
        wanted.target = Target::of(TargetSpec { cpu: String::new(), features: String::new(), ..host.spec });
        let text = linalg_to_llvm(&wanted, Exported::default()).unwrap();
        let options = text.strip_prefix("codegen-set-target{").and_then(|text| text.split_once('}')).unwrap().0;
        assert_eq!(settings(options).unwrap().target, wanted.target);
    }

    #[test]
    fn values_that_an_option_does_not_take_are_refused() {
        for (option, expected) in [
            ("exact=1", "option `exact`: expected `true` or `false`, found `1`"),
            ("report=yes", "option `report`: expected `true` or `false`, found `yes`"),
            ("alternatives=few", "option `alternatives`: expected a number, found `few`"),
            ("random-schedules=abc", "option `random-schedules`: expected a number above 0, found `abc`"),
            ("shard=rows", "option `shard`: expected `channel` or `batch`, found `rows`"),
            ("shard=channel processes=0", "option `processes`: expected a number above 0, found `0`"),
            ("processes=2", "option `processes`: only what `shard` says is shared among processes"),
            ("random-schedules=0", "option `random-schedules`: expected a number above 0, found `0`"),
            ("vtcm=4MiB", "option `vtcm`: expected a number above 0, found `4MiB`"),
            ("vtcm=1 dma=no", "option `dma`: expected `true` or `false`, found `no`"),
        ] {
            assert_eq!(settings(option).unwrap_err(), expected);
        }
        assert!(
            settings("report=true").unwrap().schedules.report && !settings("report=false").unwrap().schedules.report
        );
        assert_eq!(settings("random-schedules=7").unwrap().schedules.random, Some(7));
        let vtcm = settings("vtcm=65536 dma=false").unwrap();
        assert_eq!(vtcm.schedules.vtcm, Some(Vtcm { bytes: 65536, by_dma: false }));
        let text = linalg_to_llvm(&vtcm, Exported::default()).unwrap();
        assert!(text.contains("codegen-emit-kernels{vtcm=65536 dma=false},codegen-place-in-vtcm{budget=65536},"));
        // Without it, nothing is there that could be different.
        assert!(!linalg_to_llvm(&settings("").unwrap(), Exported::default()).unwrap().contains("vtcm"));
    }

    #[test]
    fn it_has_every_pass_that_is_declared() {
        let of = |options| linalg_to_llvm(&settings(options).unwrap(), Exported::default()).unwrap();
        let (usual, exact) = (of("vtcm=65536"), of("vtcm=65536 exact=true"));
        let is_missing = |argument: &&&str| !usual.contains(**argument) && !exact.contains(**argument);
        assert_eq!(passes::ARGUMENTS.iter().find(is_missing), None);
        // What differs is what rounds, and by what sums are added up in another order.
        let only = |of: &str, other: &str| -> Vec<&str> {
            passes::ARGUMENTS
                .iter()
                .copied()
                .filter(|argument| of.contains(argument) && !other.contains(argument))
                .collect()
        };
        let rounding = [
            "codegen-scale-products",
            "codegen-absorb-copies",
            "codegen-relax-powers",
            "codegen-divide-products",
            "codegen-winograd",
            "codegen-read-stored-weights",
        ];
        assert_eq!(only(&usual, &exact), rounding);
        assert_eq!(only(&exact, &usual), ["codegen-widen-sums"]);
    }

    #[test]
    fn other_options_are_refused() {
        let refused = settings("tripel=x").unwrap_err();
        assert!(refused.starts_with("no option `tripel=x`; there are `triple`"), "{refused}");
        let odd = settings("triple=x86_64-unknown-linux-gnu cpu=a}b").unwrap();
        assert_eq!(linalg_to_llvm(&odd, Exported::default()).unwrap_err().to_string(), "a target whose cpu is `a}b`");
        for prefix in ["", "1st", "a-b"] {
            assert!(
                linalg_to_llvm(&settings("").unwrap(), Exported { prefix: Some(prefix), ..Exported::default() })
                    .is_err()
            );
        }
    }
}
