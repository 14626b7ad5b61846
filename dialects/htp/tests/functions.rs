//! The example of functions in a shared library: built by the C compiler, and called by rules.

use skriptnd_htp::commands::{Settings, check_rules, test_rules};
use std::path::Path;
use std::process::Command;

#[test]
fn rules_call_a_library() {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("librules.so");
    let compiler = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"])
        .arg(runtime.join("include"))
        .arg(runtime.join("examples/c/rules.c"))
        .arg("-o")
        .arg(&library)
        .status();
    assert!(compiler.unwrap().success());
    let rules = runtime.join("examples/c/rules.htp");
    let mut settings = Settings::default();
    assert!(!check_rules(std::slice::from_ref(&rules), &settings).unwrap().0.found.has_errors());
    settings.read_functions(&library).unwrap();
    let output = test_rules(&rules, &settings, 20, None).unwrap();
    assert!(output.good && !output.text.contains("stand-in"), "{}", output.text);
    assert_eq!(output.text.matches(": case ").count(), 5, "{}", output.text);
}

#[test]
fn what_is_no_library_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("librules.so");
    let mut settings = Settings::default();
    assert!(settings.read_functions(&file).unwrap_err().contains("No such file"));
    std::fs::write(&file, "text").unwrap();
    let error = settings.read_functions(&file).unwrap_err();
    assert!(error.starts_with(&*file.display().to_string()), "{error}");
}

/// Whether such a rule ends is for the functions to say.
#[test]
fn rules_with_functions_that_are_not_bound_may_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("halves.htp");
    let half = "AUTOSPLIT_SLICE(\"x\", SHAPEFN_APPLY(half_start, \"x\"), SHAPEFN_APPLY(half_size, \"x\"))";
    let rule = |half: &str| {
        format!(
            "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\"), GT(DIM_OF(\"x\", 1), 8), Op(\"Join\", Op(\"A\", {half})))\n"
        )
    };
    std::fs::write(&file, rule(half)).unwrap();
    let output = test_rules(&file, &Settings::default(), 20, None).unwrap();
    let told = "with stand-ins for half_size, half_start, which never let it end";
    assert!(output.good && output.text.contains(told), "{}", output.text);
    std::fs::write(&file, rule("\"x\"")).unwrap();
    let output = test_rules(&file, &Settings::default(), 20, None).unwrap();
    assert!(!output.good && output.text.contains("FAILED: never ends"), "{}", output.text);
}
