use super::*;
use std::cell::RefCell;

const FILE: &str = "include \"mlir/IR/OpBase.td\"\n\
    def T : Dialect { let name = \"t\"; }\n\
    def A : Op<T, \"add\">;\ndef B : Op<T, \"sub\">;\n\
    def P : TypeDef<T, \"Point\"> { let mnemonic = \"point\"; }\ndef Q : AttrDef<T, \"Shade\"> { let mnemonic = \"shade\"; }\n";

/// The exit code, and what is written to which file.
fn run(arguments: &[&str]) -> (i32, Vec<(Option<PathBuf>, String)>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a b.td");
    fs::write(&file, FILE).unwrap();
    let written = RefCell::new(Vec::new());
    let write = |file: Option<&Path>, text: &str| {
        written.borrow_mut().push((file.map(Path::to_path_buf), text.to_string()));
        Ok(())
    };
    let all = arguments.iter().map(ToString::to_string).chain([file.to_string_lossy().into_owned()]);
    let languages = Languages { parse_pdl: &|_| Ok(()), check_formula: &|_| Vec::new() };
    (main(all, &write, &languages), written.into_inner())
}

fn text(arguments: &[&str]) -> String {
    let (code, written) = run(arguments);
    assert_eq!((code, written.len()), (0, 1), "{arguments:?}");
    written.into_iter().next().unwrap().1
}

#[test]
fn operations_are_chosen_by_their_names() {
    let found = |arguments: &[&str]| {
        let text = text(&[&["-gen-op-doc"], arguments].concat());
        [text.contains("`t.add`"), text.contains("`t.sub`")]
    };
    assert_eq!(found(&[]), [true, true]);
    assert_eq!(found(&["-op-include-regex=t\\.a"]), [true, false]);
    assert_eq!(found(&["--op-exclude-regex", "(add|mul)$"]), [false, true]);
    assert_eq!(found(&["-op-include-regex=", "-op-exclude-regex=^add"]), [true, true]);
    assert_eq!(run(&["-gen-op-doc", "-op-include-regex=("]).0, 2);
}

#[test]
fn types_and_attributes_are_made_alone() {
    let found = |option| {
        let text = text(&[option, "-typedefs-dialect=t"]);
        ["struct PointType", "POINT_TYPE:", "struct ShadeAttr", "SHADE_ATTR:", "struct A<", "static ADD:"]
            .map(|name| text.contains(name))
    };
    assert_eq!(found("-gen-typedef-decls"), [true, false, false, false, false, false]);
    assert_eq!(found("-gen-typedef-defs"), [false, true, false, false, false, false]);
    assert_eq!(found("-gen-attrdef-decls"), [false, false, true, false, false, false]);
    assert_eq!(found("-gen-attrdef-defs"), [false, false, false, true, false, false]);
    assert_eq!(run(&["-gen-typedef-decls", "-typedefs-dialect=u"]).0, 1);
}

#[test]
fn dependencies_are_written_for_make() {
    let (code, written) = run(&["-gen-op-doc", "-o", "out.md", "-d", "out.d", "-I/nowhere"]);
    let [(rule, dependencies), (output, _)] = &written[..] else { panic!("{written:?}") };
    assert_eq!((code, rule.as_deref(), output.as_deref()), (0, Some(Path::new("out.d")), Some(Path::new("out.md"))));
    assert!(dependencies.starts_with("out.md: ") && dependencies.ends_with("/a\\ b.td\n"), "{dependencies}");
    assert!(dependencies.contains("mlir/IR/OpBase.td "), "{dependencies}");
    assert_eq!(run(&["-gen-op-doc", "-d", "out.d"]).0, 2);
}

#[test]
fn what_would_be_the_same_is_not_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.md");
    let arguments = ["-gen-op-doc", "-write-if-changed", "-o", output.to_str().unwrap()];
    let (_, first) = run(&arguments);
    fs::write(&output, &first[0].1).unwrap();
    assert_eq!(run(&arguments), (0, Vec::new()));
    fs::write(&output, "").unwrap();
    assert_eq!(run(&arguments), (0, first));
}

/// What is wrong with a command line.
fn wrong(arguments: &[&str]) -> String {
    let all = arguments.iter().map(ToString::to_string).chain(["x.td".to_string()]);
    parse(all).expect_err("the command line is wrong")
}

#[test]
fn folders_are_given_in_all_forms() {
    let parsed = parse(["-gen-op-doc", "-Ia", "-I=b", "-I", "c", "--I=d", "x.td"].map(String::from)).unwrap();
    assert_eq!(parsed.include_directories, ["a", "b", "c", "d"].map(PathBuf::from));
}

#[test]
fn options_of_upstream_that_are_missing_say_what_to_do_instead() {
    for define in ["-DX", "-D=X", "-D", "--DX"] {
        let expected = format!("'{define}' is not supported: write '#define NAME' in the file itself");
        assert_eq!(wrong(&["-gen-op-defs", define]), expected);
    }
    assert!(wrong(&["--op-shard-count=4"]).starts_with("'--op-shard-count=4' is not supported: "));
    assert!(wrong(&["-gen-pass-decls", "-name=Toy"]).starts_with("'-name=Toy' is not supported: "));
    let expected = "unknown option '-gen-python-op-bindings': none of the generators is called so";
    assert_eq!(wrong(&["-gen-python-op-bindings"]), expected);
    assert_eq!(wrong(&["-only-x"]), "unknown option '-only-x'");
}

#[test]
fn what_has_one_value_is_given_once() {
    assert_eq!(wrong(&["-gen-op-defs", "-o", "a.rs", "-o=b.rs"]), "more than one '-o'");
    assert_eq!(wrong(&["-gen-op-defs", "-dialect=a", "-dialect=b"]), "more than one '-dialect'");
}
