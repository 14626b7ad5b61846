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
    assert!(check_rules(&rules, &settings).unwrap().good);
    settings.read_functions(&library).unwrap();
    let output = test_rules(&rules, &settings, 20).unwrap();
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
