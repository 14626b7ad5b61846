//! What people get wrong about files and options: each message names the file or option, what was expected and found,
//! and what to do about it.

use std::fs;
use std::path::Path;
use std::process::Command;

const MODEL: &str = "\
import math;

graph G {
    @attrib { k: int = 2; }
    @input { x: real[2, 3]; y: real[2, 3]; }
    @output { z: real[2, 3]; }
    @compose { s = math.add(x, y); z = math.mul(s, real(k)); }
}

graph Decoder {
    @input { x: real[2, 3]; }
    @output { z: real[2, 3]; }
    @compose { z = math.neg(x); }
}
";
const VARIABLES: &str = "\
import math;

graph G {
    @input { x: real[2, 3]; }
    @variable { weight: real[2, 3]; bias: real[2, 3]; }
    @output { z: real[2, 3]; }
    @compose { t = math.add(x, weight); z = math.add(t, bias); }
}
";
const OPEN: &str = "\
import math;

graph G {
    @input { x: real[n|10, 3]; }
    @output { z: real[n|10, 3]; }
    @compose { z = math.neg(x); }
}
";
const PACK: &str = "\
import math;

graph G {
    @input { xs: real[3]..(2); }
    @output { z: real[3]; }
    @compose { z = math.add(xs[0], xs[1]); }
}
";
/// Graphs of which the one needs a value.
const NEEDY: &str =
    "graph B { @attrib { n: int; } @input { x: real[n]; } @output { y: real[n]; } @compose { y = x; } }\n";
const NEEDLESS: &str = "graph A { @input { x: real[n|4]; } @output { y: real[n|4]; } @compose { y = x; } }\n";
const COUNTED: &str = "\
graph P {
    @attrib { n: int = 2; k: real = 0.5; }
    @input { xs: real[2]..(n); }
    @output { ys: real[2]..(n); }
    @compose { ys = xs; }
}
";
const SILENT: &str = "\
graph G {
    @input { x: real[2]; }
    @compose { y = f(x); }
}

operator f {
    @input { x: real[n]; }
    @output { y: real[n]; }
    @lower { y[i,] = x[i,], i < n; }
}
";

/// The arguments, the exit code, and what standard error has to say, a `|` between its parts.
type Mistake = (&'static str, i32, &'static str);

const TENSORS: &[Mistake] = &[
    (
        "run m --input x=int.npy --input y=ok.npy",
        1,
        "`x` must be real, but int is given|read from int.npy|astype(\"float32\")",
    ),
    ("run m --input x=bool.npy --input y=ok.npy", 1, "`x` must be real, but bool is given|read from bool.npy|help:"),
    (
        "run m --input x=rank.npy --input y=ok.npy",
        1,
        "shape [2, 3], but [2, 3, 1] is given|read from rank.npy|reshape([2, 3])",
    ),
    (
        "run m --input x=shape.npy --input y=ok.npy",
        1,
        "shape [2, 3], but [4, 4] is given|read from shape.npy|give an array of this shape",
    ),
    (
        "run m --input x=many.npz",
        1,
        "many.npz: expected a NumPy array (.npy) or an NNEF tensor (.dat), found a NumPy archive|numpy.save",
    ),
    ("run m --input x=table.csv", 1, "table.csv: expected a NumPy array|found a table (.csv)|numpy.loadtxt"),
    ("run m --input x=model.pt", 1, "model.pt: expected|found a file of PyTorch|tensor.numpy()"),
    ("run m --input x=lfs.npy", 1, "lfs.npy: expected|found a pointer of Git LFS|git lfs pull"),
    ("run m --input x=m/main.sknd", 1, "m/main.sknd: expected|found a SkriptND source|without `--input`"),
    ("run m --input x=empty.npy", 1, "empty.npy: expected|found an empty file|numpy.save"),
    (
        "run m --input x=cut.npy",
        1,
        "cut.npy: at byte|expected 24 bytes of data for shape [2, 3], found 19|write it again",
    ),
    ("run m --input x=short.npy", 1, "short.npy: at byte 20: the file ends within the header|write it again"),
    (
        "run m --input x=object.npy",
        1,
        "object.npy: at byte 10: type `|O` is not supported; expected float16|array.astype",
    ),
    ("run m --input x=garbage.npy", 1, "garbage.npy: at byte 11: expected a string|numpy.save"),
    (
        "run m --input x=cut.dat",
        1,
        "cut.dat: at byte|expected 24 bytes of data for shape [2, 3], found 20|write it again",
    ),
    ("run m --input x=m", 1, "`x`: m: expected a tensor file, found a folder|help:"),
    ("run m --input x=okk.npy", 1, "`x`: okk.npy: No such file|the tensors in . are "),
    ("run m --input x=nowhere/ok.npy", 1, "nowhere/ok.npy: No such file|there is no folder nowhere"),
];

const INPUTS: &[Mistake] = &[
    ("run m --input ok.npy", 1, "no value is given for input `y`|--input y=FILE"),
    ("run m", 1, "no value is given for input `x`|no value is given for input `y`"),
    ("run m --seed -1", 2, "'-1' for '--seed <N>'|from 0 to 18446744073709551615, found `-1`"),
    ("run m --seed=18446744073709551616", 2, "to 18446744073709551615, found `18446744073709551616`"),
    ("run m --seed 1.5", 2, "from 0 to 18446744073709551615, found `1.5`"),
    (
        "run m --input ok.npy --input ok.npy --input ok.npy",
        2,
        "graph G has only 2 inputs, which all have a value: x, y|help:",
    ),
    ("run m --input x=ok.npy --input x=int.npy", 2, "input `x` is given twice: ok.npy and int.npy|help:"),
    ("run m --input X=ok.npy", 2, "has no input `X`; its inputs are: x, y|did you mean `x`?"),
    ("run m --input x=ok.npy,ok.npy", 2, "2 files, but the input `x` is one tensor|help:"),
    ("run m --input x=", 2, "the name of a file is missing|--input x=FILE"),
    ("run pack.sknd --input ok.npy", 1, "`xs` is a pack of 2 tensors; the number given is 1|--input xs=FILE,FILE"),
    (
        "run v --input ok.npy",
        1,
        "`weight`: there is no file v/main.G.weight.dat, nor .npy, nor v/G.weight.dat|variable `bias`: there is no file|--variable bias=FILE",
    ),
    (
        "run v --input ok.npy --variable weigth=ok.npy",
        2,
        "no variable `weigth`; it has: weight, bias|did you mean `weight`?",
    ),
    ("run v --input ok.npy --variable weight=ok.npy --variable bias=cut.dat", 1, "`bias`: cut.dat: at byte|help:"),
    (
        "run v --input ok.npy --variable weight=ok.npy --variable bias=shape.npy",
        1,
        "`bias` must have shape [2, 3]|read from shape.npy|help:",
    ),
    ("run v --input ok.npy --load-state m", 1, "m: has no variable of graph G|weight.npy"),
    ("run v --input ok.npy --load-state nowhere", 1, "nowhere: No such file|--load-state takes the folder"),
    ("run v --input ok.npy --load-state ok.npy", 1, "ok.npy: expected a folder, found a file|--save-state"),
];

const OPTIONS: &[Mistake] = &[
    ("check m --graph Decodr", 1, "defines no graph `Decodr`|did you mean `Decoder`? its graphs are G, Decoder"),
    ("check m --graph Nothing", 1, "defines no graph `Nothing`|its graphs are G, Decoder"),
    ("check m --attr k={", 2, "'k={'|is no JSON|values are written"),
    ("check m --attr k=abc", 2, "'k=abc'|is no JSON|a string needs its own quotes"),
    ("check m --attr k=\"a\"", 1, "attribute `k` of the graph must be int, found str|--attr k=2"),
    ("check m --attr kk=2", 1, "no attribute `kk`|`k`"),
    ("check needing.sknd", 1, "attribute `n` of the graph needs a value|--attr n="),
    ("check needy.sknd --attr m=1", 1, "the graph has no attribute `m`"),
    ("check needless.sknd --attr m=1", 1, "the graph has no attribute `m`"),
    ("check needy.sknd --bind m=1", 1, "no input of the graph has a dynamic extent `m`"),
    ("check needless.sknd --bind m=1", 1, "no input of the graph has a dynamic extent `m`"),
    ("check open.sknd --bind n=11", 1, "extent `n` is fixed to 11; it must be between 0 and its bound 10|--bind n=10"),
    ("check open.sknd --bind rows=3", 1, "no input of the graph has a dynamic extent `rows`|its dynamic extents are n"),
    ("check open.sknd --bind n=-1", 2, "'n=-1'|expected a number from 0 to 9223372036854775807, found `-1`"),
    ("check counted.sknd --attr n=-1", 1, "the number of tensors in `xs` must not be negative; it is -1|help:"),
    ("check counted.sknd --attr n=99999999999999999999", 2, "n=99999999999999999999: the number is too large for int"),
    ("check counted.sknd --attr n=9223372036854775808", 2, "n=9223372036854775808: the number is too large for int"),
    ("check counted.sknd --attr k=\"a\"", 1, "must be real, found str|help:"),
    ("run m --threads -1", 2, "invalid value '-1' for '--threads <N>': -1 is not in 1..=1024"),
    ("bench m --iterations -3", 2, "invalid value '-3' for '--iterations <N>': -3 is not in 1.."),
    ("run m --random-inputs -1", 2, "invalid value '-1' for '--random-inputs <SEED>': -1 is not in 0..=65535"),
    ("run m --random-variables -1", 2, "expected a whole number from 0 to 18446744073709551615, found `-1`"),
    ("run m --seed -0.5", 2, "'--seed <N>'|expected a whole number from 0 to 18446744073709551615, found `-0.5`"),
    (
        "run m --backend interpret --time-limit -1",
        2,
        "expected a whole number from 1 to 18446744073709551615, found `-1`",
    ),
    ("run m --backend interpret --memory-limit -1", 2, "-1 is not in 0..=4294967295"),
    ("rules check ok.npy --limit -1", 2, "-1 is not in 1.."),
    ("check open.sknd --bind n=many", 2, "'n=many'|expected a whole number, found `many`"),
    (
        "run m --random-inputs 1 --output-dir ok.npy",
        1,
        "--output-dir ok.npy: expected a folder, found the file ok.npy|help:",
    ),
    (
        "run m --random-inputs 1 --output-dir ok.npy/out",
        1,
        "--output-dir ok.npy/out: expected a folder, found the file ok.npy|help:",
    ),
    ("run m --random-inputs 1 --save-state ok.npy", 1, "--save-state ok.npy: expected a folder|help:"),
    ("run m --outputdir out", 2, "'--outputdir'|'--output-dir'"),
    ("compile m -o nowhere/m.so", 1, "nowhere/m.so: there is no folder nowhere|mkdir -p nowhere"),
    ("graph m -o nowhere/m.svg", 1, "nowhere/m.svg: there is no folder nowhere|mkdir -p nowhere"),
    ("rnu m", 2, "'rnu'|did you mean `run`?"),
    ("chekc m", 2, "'chekc'|'check'"),
    ("quantise m", 2, "'quantise'|the commands are check, run,"),
    ("m --input x=ok.npy", 2, "'m'|a command stands before the model: `skriptnd run m`"),
];

const MODELS: &[Mistake] = &[
    (
        "run silent.sknd --random-inputs 1",
        1,
        "silent.sknd:1:7: error: the graph `G` has no output|`@output { y: real; }`",
    ),
    ("check silent.sknd", 1, "silent.sknd:1:7: error: the graph `G` has no output|`@output { y: real; }`"),
    ("compile silent.sknd -o silent.so", 1, "silent.sknd:1:7: error: the graph `G` has no output|help:"),
    ("run model.onnx", 1, "model.onnx: is no ONNX model: it has no graph"),
    ("check onnx", 1, "onnx: the folder has no main.sknd|model.onnx in it is an ONNX model; give it as MODEL"),
    (
        "check model.pt",
        1,
        "model.pt: expected a SkriptND source, found a file of PyTorch|torch.onnx.export(model, inputs",
    ),
    ("check model.tflite", 1, "model.tflite: expected a SkriptND source, found a TensorFlow Lite model|tf2onnx"),
    ("check model.safetensors", 1, "found a safetensors file|given by `--weights FILE`"),
    ("check model.h5", 1, "found an HDF5 file|help:"),
    ("check graph.nnef", 1, "graph.nnef: expected a SkriptND source, found an NNEF 1 graph|NNEF 2"),
    ("check ok.npy", 1, "ok.npy: expected a SkriptND source, found a NumPy array (.npy)|--input NAME=FILE"),
    ("check cut.dat", 1, "cut.dat: expected a SkriptND source, found an NNEF tensor (.dat)|help:"),
    ("check library.so", 1, "library.so: expected a SkriptND source, found a shared library|`skriptnd run` takes"),
    (
        "run text.so",
        1,
        "text.so: expected a compiled model, which is a shared library, found a text|skriptnd compile MODEL -o",
    ),
    ("check utf16.sknd", 1, "utf16.sknd: expected a SkriptND source, found a text in UTF-16|iconv -f UTF-16"),
    ("check latin.sknd", 1, "latin.sknd:2:6: expected a text in UTF-8, found the byte E9|iconv -f LATIN1"),
    ("check binary.sknd", 1, "binary.sknd: expected a text in UTF-8, found bytes that are no text|help:"),
    ("check empty.sknd", 1, "empty.sknd:1:1: error: the main module has no graph|help:"),
    (
        "check importing.sknd",
        1,
        "importing.sknd:1:8: error: the module `latin` can't be read: latin.sknd:2:6: expected a text in UTF-8|iconv",
    ),
    ("check pakc.sknd", 1, "pakc.sknd: No such file|did you mean pack.sknd?"),
    ("check pack", 1, "pack: No such file|did you mean pack.sknd?"),
    ("check nowhere/m", 1, "nowhere/m: No such file|there is no folder nowhere"),
    (
        "check sources",
        1,
        "sources: the folder has no main.sknd|its sources are one.sknd, two.sknd: give one of them, as sources/one.sknd",
    ),
    ("rules check ok.npy", 1, "ok.npy: expected a file of HTP rules, found a NumPy array|help:"),
    ("rules check rules.htp ok.npy", 1, "ok.npy: expected a file of HTP rules, found a NumPy array|help:"),
    ("rules check m/main.sknd", 1, "m/main.sknd: expected a file of HTP rules, found a SkriptND source|help:"),
    ("rules check utf16.sknd", 1, "utf16.sknd: expected a file of HTP rules, found a text in UTF-16|help:"),
    ("rules check model.onnx", 1, "model.onnx: expected a file of HTP rules, found an ONNX model|help:"),
    ("rules explain model.onnx --on m", 1, "model.onnx: expected a file of HTP rules, found an ONNX model|help:"),
    ("rules check rules.htp --passes ok.npy", 1, "ok.npy: expected a table of pass groups, found a NumPy array|help:"),
    ("rules check rules.htp --prelude m", 1, "m: expected a file of macros, found a folder|help:"),
    ("rules check m", 1, "m: expected a file of HTP rules, found a folder|help:"),
    ("rules test .", 1, ".: expected a file of HTP rules, found a folder|give a file in it, as ./rules.htp"),
    (
        "fmt model.onnx",
        1,
        "model.onnx: expected a SkriptND source, found an ONNX model|`skriptnd import model.onnx -o DIR`",
    ),
    ("fmt latin.sknd", 1, "latin.sknd:2:6: expected a text in UTF-8|help:"),
];

fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    [b"\x93NUMPY\x01\0", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

fn dat() -> Vec<u8> {
    let words: [u32; 31] =
        std::array::from_fn(|at| [24, 2, 2, 3].get(at).copied().unwrap_or(if at == 10 { 32 } else { 0 }));
    [&[0x4E, 0xEF, 1, 0], &words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>()[..], &[0; 24]].concat()
}

/// All that the mistakes are about.
fn files(folder: &Path) {
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    put("m/main.sknd", MODEL.as_bytes());
    put("v/main.sknd", VARIABLES.as_bytes());
    put("open.sknd", OPEN.as_bytes());
    put("pack.sknd", PACK.as_bytes());
    put("silent.sknd", SILENT.as_bytes());
    put("counted.sknd", COUNTED.as_bytes());
    put("needy.sknd", [NEEDY, NEEDLESS].concat().as_bytes());
    put("needless.sknd", [NEEDLESS, NEEDY].concat().as_bytes());
    put("needing.sknd", NEEDY.as_bytes());
    put("rules.htp", b"GEN_REWRITE(A(\"X\"), OK, A(\"X\"))\n");
    put("importing.sknd", b"import latin;\ngraph G { @output { y: real; } @compose { y = latin.one(); } }\n");
    for name in ["one", "two"] {
        put(&format!("sources/{name}.sknd"), MODEL.as_bytes());
    }
    let ok = npy("<f4", "(2, 3)", &[0; 24]);
    put("ok.npy", &ok);
    put("cut.npy", &ok[..ok.len() - 5]);
    put("short.npy", &ok[..20]);
    put("int.npy", &npy("<i8", "(2, 3)", &[0; 48]));
    put("bool.npy", &npy("|b1", "(2, 3)", &[0; 6]));
    put("rank.npy", &npy("<f4", "(2, 3, 1)", &[0; 24]));
    put("shape.npy", &npy("<f4", "(4, 4)", &[0; 64]));
    put("object.npy", &npy("|O", "(2, 3)", &[0; 24]));
    put("garbage.npy", b"\x93NUMPY\x01\0\x08\0{garbage");
    put("cut.dat", &dat()[..148]);
    put("empty.npy", b"");
    put("table.csv", b"1,2,3\n4,5,6\n");
    put("lfs.npy", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 24\n");
    put("many.npz", b"PK\x03\x04..........................x.npy");
    put("model.pt", b"PK\x03\x04..........................archive/data.pkl");
    put("model.onnx", b"\x08\x07\x12\x07pytorch");
    put("exported.bin", b"\x08\x07\x12\x07pytorch");
    put("onnx/model.onnx", b"\x08\x07\x12\x07pytorch");
    put("model.tflite", b"\x1C\0\0\0TFL3");
    put("model.h5", b"\x89HDF\r\n\x1A\n");
    put("model.safetensors", &[&40u64.to_le_bytes()[..], b"{\"w\":{\"dtype\":\"F32\"}}"].concat());
    put("graph.nnef", b"version 1.0;\n\ngraph G(x) -> (y)\n{\n}\n");
    put("library.so", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0");
    put("text.so", MODEL.as_bytes());
    put("utf16.sknd", &MODEL.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    put("latin.sknd", b"#\n# Caf\xE9\ngraph G {}\n");
    put("binary.sknd", &(0..=255).collect::<Vec<u8>>());
    put("empty.sknd", b"");
}

/// The mistakes of which something is not told, with what is said instead.
fn untold(mistakes: &[Mistake]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let wrong = mistakes.iter().filter_map(|(arguments, code, expected)| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skriptnd"));
        let output = command.current_dir(folder.path()).args(arguments.split(' ')).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        // A type of NumPy has a `|`.
        let expected = expected.replace("`|O`", "`\0O`");
        let missing = expected.split('|').map(|part| part.replace('\0', "|")).find(|part| !said.contains(part));
        let helps = said.contains("help: ") || said.contains("tip: ") || said.contains("is no JSON") || *code == 2;
        let told = missing.is_none() && output.status.code() == Some(*code) && helps && output.stdout.is_empty();
        (!told).then(|| format!("{arguments}: {:?}, not said: {missing:?}\n{said}", output.status.code()))
    });
    wrong.collect()
}

#[test]
fn files_that_are_no_fitting_tensors() {
    assert_eq!(untold(TENSORS), Vec::<String>::new());
}

#[test]
fn inputs_and_variables_that_are_not_given_right() {
    assert_eq!(untold(INPUTS), Vec::<String>::new());
}

#[test]
fn options_that_are_misspelt_or_out_of_bounds() {
    assert_eq!(untold(OPTIONS), Vec::<String>::new());
}

#[test]
fn files_that_are_no_models() {
    assert_eq!(untold(MODELS), Vec::<String>::new());
}

#[test]
fn tools_of_mlir_tell_what_files_are() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    for (tool, arguments) in
        [("skriptnd-translate", &["--import-skriptnd", "model.onnx"][..]), ("skriptnd-opt", &["model.onnx"])]
    {
        let link = folder.path().join(tool);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_skriptnd"), &link).unwrap();
        let output = Command::new(&link).current_dir(folder.path()).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("model.onnx: is no ONNX model: it has no graph"), "{tool}: {said}");
        assert!(output.status.code() == Some(1), "{tool}: {said}");
        let output = Command::new(&link)
            .current_dir(folder.path())
            .args(&arguments[..arguments.len() - 1])
            .arg("exported.bin")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("exported.bin: expected a SkriptND source or MLIR, found an ONNX model"),
            "{tool}: {said}"
        );
        assert!(said.contains("skriptnd import FILE.onnx -o DIR") && output.status.code() == Some(1), "{tool}: {said}");
    }
}
