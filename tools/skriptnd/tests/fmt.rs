//! `skriptnd fmt` on files.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const UGLY: &str = "import nn\ngraph G{@input{x:real[1];}@output{y:real[1];}@compose{y=nn.relu(x);}} # end\n";
const NEAT: &str = "import nn;\n\ngraph G {\n    @input {\n        x: real[1];\n    }\n    @output {\n        \
    y: real[1];\n    }\n    @compose {\n        y = nn.relu(x);\n    }\n} # end\n";
const BROKEN: &str = "graph G { @input { x: ; } }\n";

fn fmt(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skriptnd"));
    command.current_dir(folder).arg("fmt").args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that does not read its input may have ended.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn files_and_folders_are_formatted_in_place() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("lib")).unwrap();
    for name in ["main.sknd", "lib/a.sknd", "lib/notes.txt"] {
        fs::write(folder.path().join(name), UGLY).unwrap();
    }
    let output = fmt(folder.path(), &["."], "");
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!([read("main.sknd"), read("lib/a.sknd"), read("lib/notes.txt")], [NEAT, NEAT, UGLY]);
}

#[test]
fn a_file_with_syntax_errors_is_left_alone_and_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.sknd"), BROKEN).unwrap();
    fs::write(folder.path().join("b.sknd"), UGLY).unwrap();
    let output = fmt(folder.path(), &["a.sknd", "nowhere.sknd", "b.sknd"], "");
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(errors.contains("a.sknd:1:23: error:") && errors.contains("nowhere.sknd: "), "{errors}");
    assert_eq!(fs::read_to_string(folder.path().join("a.sknd")).unwrap(), BROKEN);
    assert_eq!(fs::read_to_string(folder.path().join("b.sknd")).unwrap(), NEAT);
}

#[test]
fn check_and_diff_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.sknd"), UGLY).unwrap();
    fs::write(folder.path().join("b.sknd"), NEAT).unwrap();
    let output = fmt(folder.path(), &["--check", "a.sknd", "b.sknd"], "");
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), "a.sknd\n"));
    let output = fmt(folder.path(), &["--diff", "a.sknd", "b.sknd"], "");
    assert!(output.status.success());
    let diff = text(&output.stdout);
    assert!(diff.starts_with("--- a.sknd\n+++ a.sknd\n") && diff.contains("\n+import nn;\n"), "{diff}");
    assert_eq!(fs::read_to_string(folder.path().join("a.sknd")).unwrap(), UGLY);
    assert!(fmt(folder.path(), &["--check", "b.sknd"], "").status.success());
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let output = fmt(folder.path(), &["-"], UGLY);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), NEAT));
    let output = fmt(folder.path(), &["-"], BROKEN);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), ""));
    assert!(text(&output.stderr).starts_with("<stdin>:1:23: error:"), "{output:?}");
    assert_eq!(fmt(folder.path(), &[], "").status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("real.sknd");
    fs::write(&real, UGLY).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, folder.path().join("link.sknd")).unwrap();
    assert!(fmt(folder.path(), &["link.sknd"], "").status.success());
    assert!(fs::symlink_metadata(folder.path().join("link.sknd")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_to_string(&real).unwrap(), NEAT);
}
