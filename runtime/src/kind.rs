//! What a file is, by its first bytes and its name: so that a message can say what was given in place of what was expected.
//! Nothing depends on it but messages.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How much of a file is looked at.
const LOOKED_AT: u64 = 4096;

/// A kind of file that somebody may give for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A file without a byte.
    Empty,
    /// A source of SkriptND, by its name.
    SkriptNd,
    /// A protobuf of ONNX.
    Onnx,
    /// What ONNX Runtime makes of ONNX.
    Ort,
    /// `torch.save`: a zip archive with pickled objects, or pickled objects alone.
    PyTorch,
    /// A flat buffer of TensorFlow Lite.
    TfLite,
    /// A protobuf of TensorFlow.
    TensorFlow,
    /// Weights with a header in JSON.
    Safetensors,
    /// Weights of llama.cpp.
    Gguf,
    /// HDF5, as Keras wrote it.
    Hdf5,
    /// A zip archive of Keras.
    Keras,
    /// A protobuf of Core ML.
    CoreMl,
    /// The text of an NNEF 1 graph.
    Nnef1,
    /// An array of NumPy.
    Npy,
    /// A zip archive of such arrays.
    Npz,
    /// An NNEF tensor.
    Dat,
    /// A shared library, or a program that can be loaded anywhere.
    Library,
    /// Machine code that is not linked.
    Object,
    /// Machine code of another system than Linux.
    ForeignCode,
    /// Text or bytecode of MLIR.
    Mlir,
    /// Text or bitcode of LLVM.
    Llvm,
    /// Rules of an HTP op package.
    HtpRules,
    /// Declarations in TableGen.
    TableGen,
    /// A picture.
    Image,
    /// An archive or what is packed otherwise.
    Archive,
    /// Columns of numbers.
    Csv,
    /// JSON.
    Json,
    /// A program in Python.
    Python,
    /// What stands for a file that Git has elsewhere.
    GitLfs,
    /// A text whose characters have two bytes.
    Utf16,
    /// A text whose characters have four bytes.
    Utf32,
    /// Another text.
    Text,
}

use FileKind as Kind;

/// How to get what a pointer stands for.
const FETCH: &str = "`git lfs pull` fetches it";

/// What a file begins with, where a few bytes tell it.
const BEGINNINGS: &[(&[u8], Kind)] = &[
    (b"\x93NUMPY", Kind::Npy),
    (b"\x4E\xEF\x01\x00", Kind::Dat),
    (b"\x89HDF\r\n\x1A\n", Kind::Hdf5),
    (b"GGUF", Kind::Gguf),
    (b"ML\xEFR", Kind::Mlir),
    (b"BC\xC0\xDE", Kind::Llvm),
    (b"MZ", Kind::ForeignCode),
    (b"\xCF\xFA\xED\xFE", Kind::ForeignCode),
    (b"\xCA\xFE\xBA\xBE", Kind::ForeignCode),
    (b"\x89PNG", Kind::Image),
    (b"\xFF\xD8\xFF", Kind::Image),
    (b"GIF8", Kind::Image),
    (b"\x1F\x8B", Kind::Archive),
    (b"7z\xBC\xAF", Kind::Archive),
    (b"\xFD7zXZ", Kind::Archive),
    (b"BZh", Kind::Archive),
    (b"\x28\xB5\x2F\xFD", Kind::Archive),
    (b"version https://git-lfs", Kind::GitLfs),
    (b"\xFF\xFE\0\0", Kind::Utf32),
    (b"\0\0\xFE\xFF", Kind::Utf32),
    (b"\xFF\xFE", Kind::Utf16),
    (b"\xFE\xFF", Kind::Utf16),
];

/// What names of files end with.
const ENDINGS: &[(&str, Kind)] = &[
    ("sknd", Kind::SkriptNd),
    ("onnx", Kind::Onnx),
    ("ort", Kind::Ort),
    ("pt", Kind::PyTorch),
    ("pth", Kind::PyTorch),
    ("ckpt", Kind::PyTorch),
    ("tflite", Kind::TfLite),
    ("pb", Kind::TensorFlow),
    ("safetensors", Kind::Safetensors),
    ("gguf", Kind::Gguf),
    ("h5", Kind::Hdf5),
    ("hdf5", Kind::Hdf5),
    ("keras", Kind::Keras),
    ("mlmodel", Kind::CoreMl),
    ("nnef", Kind::Nnef1),
    ("npy", Kind::Npy),
    ("npz", Kind::Npz),
    ("dat", Kind::Dat),
    ("so", Kind::Library),
    ("o", Kind::Object),
    ("dylib", Kind::ForeignCode),
    ("dll", Kind::ForeignCode),
    ("mlir", Kind::Mlir),
    ("ll", Kind::Llvm),
    ("bc", Kind::Llvm),
    ("htp", Kind::HtpRules),
    ("td", Kind::TableGen),
    ("csv", Kind::Csv),
    ("json", Kind::Json),
    ("py", Kind::Python),
    ("zip", Kind::Archive),
    ("tgz", Kind::Archive),
    ("tar", Kind::Archive),
    ("png", Kind::Image),
    ("jpg", Kind::Image),
    ("jpeg", Kind::Image),
];

impl FileKind {
    /// What a file is; none if it is nothing known.
    ///
    /// # Errors
    /// Where it can't be read.
    pub fn of(path: &Path) -> io::Result<Option<FileKind>> {
        // Opening a pipe waits for its writer.
        if !path.metadata()?.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(LOOKED_AT).read_to_end(&mut bytes)?;
        Ok(FileKind::recognize(path, &bytes))
    }

    /// What a file with this name is that begins with these bytes: the bytes decide, as far as they tell.
    pub fn recognize(name: &Path, bytes: &[u8]) -> Option<FileKind> {
        let ending = name.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        let named = || ENDINGS.iter().find(|(known, _)| Some(*known) == ending.as_deref()).map(|(_, kind)| *kind);
        if bytes.is_empty() {
            return Some(FileKind::Empty);
        }
        let begins = || BEGINNINGS.iter().find(|(beginning, _)| bytes.starts_with(beginning)).map(|(_, kind)| *kind);
        let told = begins().or_else(|| container(bytes, named())).or_else(|| text(bytes));
        let named = || named().filter(|kind| *kind != Kind::Library || !is_text(bytes));
        told.or_else(named).or_else(|| is_text(bytes).then_some(Kind::Text))
    }

    /// In words, with an article.
    pub fn phrase(self) -> &'static str {
        match self {
            Kind::Empty => "an empty file",
            Kind::SkriptNd => "a SkriptND source",
            Kind::Onnx => "an ONNX model",
            Kind::Ort => "a model of ONNX Runtime (.ort)",
            Kind::PyTorch => "a file of PyTorch",
            Kind::TfLite => "a TensorFlow Lite model",
            Kind::TensorFlow => "a TensorFlow model",
            Kind::Safetensors => "a safetensors file, which has weights and no model",
            Kind::Gguf => "a GGUF file",
            Kind::Hdf5 => "an HDF5 file, as Keras writes models",
            Kind::Keras => "a Keras model",
            Kind::CoreMl => "a Core ML model",
            Kind::Nnef1 => "an NNEF 1 graph",
            Kind::Npy => "a NumPy array (.npy)",
            Kind::Npz => "a NumPy archive (.npz)",
            Kind::Dat => "an NNEF tensor (.dat)",
            Kind::Library => "a shared library",
            Kind::Object => "an object file",
            Kind::ForeignCode => "a library or program of another system",
            Kind::Mlir => "a file of MLIR",
            Kind::Llvm => "a file of LLVM",
            Kind::HtpRules => "a file of HTP rules",
            Kind::TableGen => "a TableGen file",
            Kind::Image => "a picture",
            Kind::Archive => "an archive",
            Kind::Csv => "a table (.csv)",
            Kind::Json => "a JSON file",
            Kind::Python => "a Python program",
            Kind::GitLfs => "a pointer of Git LFS, whose file was not fetched",
            Kind::Utf16 => "a text in UTF-16",
            Kind::Utf32 => "a text in UTF-32",
            Kind::Text => "a text",
        }
    }

    /// What to do with it where a model was expected.
    pub fn help_for_model(self) -> &'static str {
        match self {
            Kind::Onnx => {
                "give it as MODEL under a name that ends in .onnx, or write it as SkriptND by `skriptnd import FILE.onnx -o DIR`"
            }
            Kind::Ort => "give the .onnx file that it was made of",
            Kind::PyTorch => {
                "export the model as ONNX, `torch.onnx.export(model, inputs, \"model.onnx\")`, and give that file as MODEL"
            }
            Kind::TfLite | Kind::TensorFlow | Kind::Hdf5 | Kind::Keras => {
                "write the model as ONNX, by `python -m tf2onnx.convert` for example, and give that file as MODEL"
            }
            Kind::CoreMl => "export the model that it was made of as ONNX, and give that file as MODEL",
            Kind::Safetensors => {
                "weights are given by `--weights FILE`, with the model that they are of, as SkriptND or ONNX, as MODEL"
            }
            Kind::Gguf => {
                "write the model in SkriptND, and save each tensor as a .npy file beside it, named by its variable"
            }
            Kind::Nnef1 => {
                "SkriptND is NNEF 2, whose syntax differs: write the graph anew; the .dat files of its variables can stay"
            }
            Kind::Npy | Kind::Npz | Kind::Dat | Kind::Csv | Kind::Image => {
                "tensors are given by `--input NAME=FILE` and `--variable NAME=FILE`; the model stands before them"
            }
            Kind::Library => {
                "`skriptnd run` takes a model that `skriptnd compile` made; other commands take its source"
            }
            Kind::Object => "objects are for other programs to link; `skriptnd run` takes what `--emit so` writes",
            Kind::ForeignCode => "compile the model for this system: `skriptnd compile MODEL -o model.so`",
            Kind::Mlir | Kind::Llvm => "`skriptnd-opt` and `skriptnd-translate` take it",
            Kind::HtpRules => "`skriptnd rules check` takes it, and `skriptnd compile MODEL --htp-rules FILE`",
            Kind::TableGen => "`skriptnd-tblgen` takes it",
            Kind::Archive => "unpack it, and give the folder that has `main.sknd`",
            Kind::GitLfs => FETCH,
            Kind::Utf16 => "save it as UTF-8: `iconv -f UTF-16 -t UTF-8 FILE > main.sknd`",
            Kind::Utf32 => "save it as UTF-8: `iconv -f UTF-32 -t UTF-8 FILE > main.sknd`",
            Kind::Empty | Kind::SkriptNd | Kind::Json | Kind::Python | Kind::Text => {
                "MODEL is a folder with `main.sknd`, a .sknd file, or an .onnx file"
            }
        }
    }

    /// What to do with it where a tensor was expected.
    pub fn help_for_tensor(self) -> &'static str {
        match self {
            Kind::Npz => "save each of its arrays: `numpy.save(\"x.npy\", numpy.load(FILE)[\"x\"])`",
            Kind::PyTorch => "save the tensor with `numpy.save(\"x.npy\", tensor.numpy())`",
            Kind::Safetensors => {
                "--weights takes all variables from such a file; one tensor: `numpy.save(\"x.npy\", safetensors.numpy.load_file(FILE)[\"x\"])`"
            }
            Kind::Csv => {
                "save it with `numpy.save(\"x.npy\", numpy.loadtxt(FILE, delimiter=\",\", dtype=\"float32\"))`"
            }
            Kind::Json => "save it with `numpy.save(\"x.npy\", numpy.array(json.load(open(FILE)), \"float32\"))`",
            Kind::Image => "save its pixels with `numpy.save(\"x.npy\", ...)`, in the shape that the model takes",
            Kind::SkriptNd => "a model is given without `--input`, before the options",
            Kind::GitLfs => FETCH,
            _ => "`numpy.save(\"x.npy\", array)` writes a file that can be read",
        }
    }
}

/// Kinds of binary files that a few fixed bytes don't tell. `named` is what the name says.
fn container(bytes: &[u8], named: Option<Kind>) -> Option<Kind> {
    let has = |at: usize, word: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(word));
    match bytes {
        [0x7F, b'E', b'L', b'F', ..] => Some(if bytes.get(16) == Some(&1) { Kind::Object } else { Kind::Library }),
        [b'P', b'K', 3, 4, ..] => Some(archive(bytes, named)),
        // A pickled object, protocols 2 to 5.
        [0x80, 2..=5, ..] => Some(Kind::PyTorch),
        _ if has(4, b"TFL3") => Some(Kind::TfLite),
        _ if has(4, b"ORTM") => Some(Kind::Ort),
        _ if has(257, b"ustar") => Some(Kind::Archive),
        _ if has(8, b"{\"") && has(4, &[0; 4]) => Some(Kind::Safetensors),
        _ if is_onnx(bytes) => Some(Kind::Onnx),
        _ if looks_like_utf16(bytes) => Some(Kind::Utf16),
        _ => None,
    }
}

/// A zip archive, by what it begins with and by its name.
fn archive(bytes: &[u8], named: Option<Kind>) -> Kind {
    let name = bytes.get(30..).unwrap_or_default();
    let begins = |word: &[u8]| name.windows(word.len()).take(200).any(|part| part == word);
    match named {
        Some(kind @ (Kind::PyTorch | Kind::Npz | Kind::Keras)) => kind,
        _ if begins(b"data.pkl") => Kind::PyTorch,
        _ if begins(b".npy") => Kind::Npz,
        _ => Kind::Archive,
    }
}

/// A `ModelProto` begins with its `ir_version`, field 1, a small number; what follows is another field of it.
fn is_onnx(bytes: &[u8]) -> bool {
    const FOLLOWING: [u8; 8] = [0x12, 0x1A, 0x22, 0x28, 0x32, 0x3A, 0x42, 0x72];
    matches!(bytes, [0x08, 1..=31, next, ..] if FOLLOWING.contains(next))
}

/// Texts in Latin letters have a zero in every second byte.
fn looks_like_utf16(bytes: &[u8]) -> bool {
    let pairs = bytes.len() / 2;
    let count = |at: usize| bytes.chunks_exact(2).filter(|pair| pair[at] == 0 && pair[1 - at] != 0).count();
    pairs > 8 && (count(0) > pairs * 3 / 4 || count(1) > pairs * 3 / 4)
}

/// Whether there are letters only, of which the last one may be cut off.
fn is_text(bytes: &[u8]) -> bool {
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or(""),
        Err(_) => return false,
    };
    !valid.chars().any(|c| c.is_control() && !c.is_whitespace())
}

/// Kinds of texts that can be told by what they say.
fn text(bytes: &[u8]) -> Option<Kind> {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.clone().next()?;
    let is_version = first.strip_prefix("version").is_some_and(|rest| rest.trim_start().starts_with("1."));
    let is_signature = |line: &str| line.starts_with("graph ") && line.contains('(') && !line.contains('{');
    (is_version || is_signature(first)).then_some(Kind::Nnef1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, bytes: &[u8]) -> Option<Kind> {
        FileKind::recognize(Path::new(name), bytes)
    }

    #[test]
    fn first_bytes_tell_more_than_names() {
        let utf16: Vec<u8> = "import nn;\ngraph G {}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let safetensors = [&40u64.to_le_bytes()[..], b"{\"w\":{\"dtype\":\"F32\""].concat();
        let cases: [(&[u8], Kind); 16] = [
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", Kind::GitLfs),
            (b"\xff\xfe\0\0g\0\0\0", Kind::Utf32),
            (b"", Kind::Empty),
            (b"\x08\x07\x12\x07pytorch", Kind::Onnx),
            (b"\x08\x0a\x3a\x07", Kind::Onnx),
            (b"PK\x03\x04..........................archive/data.pkl", Kind::PyTorch),
            (b"PK\x03\x04..........................x.npy", Kind::Npz),
            (b"\x80\x02\x8a\x0al\xfc", Kind::PyTorch),
            (b"\x1c\0\0\0TFL3", Kind::TfLite),
            (b"\x89HDF\r\n\x1a\n", Kind::Hdf5),
            (b"\x93NUMPY\x01\0", Kind::Npy),
            (b"N\xef\x01\0", Kind::Dat),
            (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0", Kind::Library),
            (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0", Kind::Object),
            (&safetensors, Kind::Safetensors),
            (&utf16, Kind::Utf16),
        ];
        for (bytes, expected) in cases {
            for name in ["model", "model.sknd", "a/model.so", "model.xyz"] {
                assert_eq!(kind(name, bytes), Some(expected), "{name}: {bytes:?}");
            }
        }
    }

    #[test]
    fn texts_are_told_apart() {
        assert_eq!(kind("x", b"# c\n\nversion 1.0;\ngraph G(x) -> (y) {"), Some(Kind::Nnef1));
        assert_eq!(kind("x", b"graph net( input ) -> ( output )\n{"), Some(Kind::Nnef1));
        assert_eq!(kind("x.sknd", b"graph G {\n    @input {"), Some(Kind::SkriptNd));
        assert_eq!(kind("x", "# \u{e4}\ngraph G {\n".as_bytes()), Some(Kind::Text));
        assert_eq!(kind("x", b"graph Caf\xe9 {\n"), None, "Latin-1 is no kind of its own");
    }

    #[test]
    fn names_tell_the_rest() {
        assert_eq!(kind("a.onnx", b"garbage"), Some(Kind::Onnx));
        assert_eq!(kind("a.PTH", b"garbage"), Some(Kind::PyTorch));
        assert_eq!(kind("a.npz", b"PK\x03\x04"), Some(Kind::Npz));
        assert_eq!(kind("a.csv", b"1.0,2.0\n"), Some(Kind::Csv));
        assert_eq!(kind("a", b"1.0,2.0\n"), Some(Kind::Text));
        assert_eq!(kind("a.so", b"graph G {}"), Some(Kind::Text));
        assert_eq!(kind("a.so", b"\0\x01\x02"), Some(Kind::Library));
        assert_eq!(kind("a", b"\0\x01\x02"), None);
    }
}
