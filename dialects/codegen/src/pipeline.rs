//! The way from linalg on tensors to the LLVM dialect: a textual pipeline of upstream's passes and ours.

use crate::{Error, Target};

/// The name under which `skriptnd-opt` knows the pipeline.
pub const NAME: &str = "linalg-to-llvm";

/// One form of structured operation for the rewrites.
const GENERALIZE: &str = "inline,symbol-dce,canonicalize,cse,linalg-generalize-named-ops,canonicalize,cse";

/// Layouts, packed weights, and the split of what is prepared from what is run.
const ARRANGE: &str = "codegen-describe-interface,\
     func.func(codegen-absorb-collapses,codegen-channels-last,codegen-pack-filters,codegen-carry-in-place),\
     codegen-split-preparation,canonicalize,cse,codegen-lower-pads,canonicalize,cse";

/// Tensors to buffers. Loops may go on with other buffers than they began with, until they get fixed ones. Destinations are
/// separated behind the last elimination of common subexpressions, which would make one of all empty tensors again.
const BUFFERIZE: &str = "func.func(codegen-distinct-results,codegen-separate-destinations,codegen-write-parts,codegen-protect-arguments),\
     eliminate-empty-tensors,empty-tensor-to-alloc-tensor,\
     one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map \
     allow-return-allocs-from-loops=1},func.func(codegen-fix-loop-buffers)";

/// Results become arguments that the caller gives.
const RESULTS: &str = "canonicalize,buffer-results-to-out-params{hoist-static-allocs=1 hoist-dynamic-allocs=1 \
     modify-public-functions=1},codegen-pass-shapes,canonicalize,cse,fold-memref-alias-ops,linalg-generalize-named-ops,canonicalize,cse";

/// Structured operations become kernels, and what has none becomes loops.
const EMIT: &str = "func.func(codegen-structure-copies,codegen-erase-empty),codegen-emit-kernels,\
     convert-linalg-to-loops,canonicalize,cse,func.func(codegen-flatten-empty-arguments)";

/// What a run writes besides its results.
const PLAN: &str = "codegen-record-faults,codegen-plan-memory";

/// Everything to the LLVM dialect. Each conversion is told the width of an index: not all of them ask the module's data
/// layout.
fn convert(index_width: u32, prefix: Option<&str>) -> String {
    let index = format!("index-bitwidth={index_width}");
    let export = prefix.map(|prefix| format!("{{prefix={prefix}}}")).unwrap_or_default();
    format!(
        "func.func(codegen-expand-exponential,codegen-hide-functions),\
         canonicalize,cse,expand-strided-metadata,lower-affine,func.func(loop-invariant-code-motion),\
         convert-scf-to-cf,canonicalize,cse,convert-math-to-llvm,convert-math-to-libm,convert-vector-to-llvm,\
         expand-strided-metadata,lower-affine,convert-arith-to-llvm{{{index}}},convert-index-to-llvm{{{index}}},\
         finalize-memref-to-llvm{{{index}}},convert-func-to-llvm{{use-bare-ptr-memref-call-conv=1 {index}}},\
         convert-cf-to-llvm{{{index}}},convert-ub-to-llvm{{{index}}},reconcile-unrealized-casts,canonicalize,cse,\
         codegen-export-interface{export}"
    )
}

/// The pipeline for a target, to be run on a module that `convert-skriptnd-to-linalg` made. `prefix`: what the names of the
/// exported functions begin with, if not as usual.
///
/// # Errors
/// Where LLVM does not know the target, or its name can't stand in a pipeline, or the prefix is none for names of C.
pub fn linalg_to_llvm(target: &Target, prefix: Option<&str>) -> Result<String, Error> {
    if let Some(prefix) = prefix.filter(|prefix| !is_identifier(prefix)) {
        return Err(Error::Unsupported(format!("the prefix `{prefix}`: names of C can't begin with it")));
    }
    let first = set_target(target)?;
    let last = convert(target.spec.pointer_width()?, prefix);
    Ok([&first, GENERALIZE, ARRANGE, BUFFERIZE, RESULTS, EMIT, PLAN, &last].join(","))
}

/// Whether a text is an identifier of C.
pub fn is_identifier(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().all(is_word) && text.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

fn set_target(target: &Target) -> Result<String, Error> {
    let spec = &target.spec;
    let options = [("triple", &spec.triple), ("cpu", &spec.cpu), ("features", &spec.features)];
    let mut text = Vec::new();
    for (name, value) in options.into_iter().filter(|(_, value)| !value.is_empty()) {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-_.,".contains(&byte);
        if !value.bytes().all(plain) {
            return Err(Error::Unsupported(format!("a target whose {name} is `{value}`")));
        }
        text.push(format!("{name}={value}"));
    }
    Ok(format!("codegen-set-target{{{}}}", text.join(" ")))
}

/// The target that the options of the pipeline name, written as those of `codegen-set-target`.
///
/// # Errors
/// Where there is another option.
pub fn target(options: &str) -> Result<Target, String> {
    let (mut triple, mut cpu, mut features) = ("", "", "");
    for option in options.split_whitespace() {
        match option.split_once('=') {
            Some(("triple", value)) => triple = value,
            Some(("cpu", value)) => cpu = value,
            Some(("features", value)) => features = value,
            _ => return Err(format!("no option `{option}`; there are `triple`, `cpu` and `features`")),
        }
    }
    Ok(Target::described(triple, cpu, features))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::passes;

    #[test]
    fn the_target_goes_through_the_text() {
        let wanted = target("triple=x86_64-unknown-linux-gnu cpu=znver3 features=+avx2,-fma").unwrap();
        let text = linalg_to_llvm(&wanted, None);
        let begin = "codegen-set-target{triple=x86_64-unknown-linux-gnu cpu=znver3 features=+avx2,-fma},inline,";
        assert!(text.unwrap().starts_with(begin));
        assert_eq!(target("").unwrap(), Target::host());
    }

    #[test]
    fn it_has_every_pass_that_is_declared() {
        let text = linalg_to_llvm(&Target::host(), None).unwrap();
        let missing = passes::ARGUMENTS.iter().find(|argument| !text.contains(*argument));
        assert_eq!(missing, None);
    }

    #[test]
    fn other_options_are_refused() {
        assert_eq!(target("tripel=x").unwrap_err(), "no option `tripel=x`; there are `triple`, `cpu` and `features`");
        let odd = Target::described("x86_64-unknown-linux-gnu", "a}b", "");
        assert_eq!(linalg_to_llvm(&odd, None).unwrap_err().to_string(), "a target whose cpu is `a}b`");
        for prefix in ["", "1st", "a-b"] {
            assert!(linalg_to_llvm(&Target::host(), Some(prefix)).is_err());
        }
    }
}
