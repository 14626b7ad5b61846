//! The protocol of the benchmark harness: one line in, one line of JSON out.
//!
//! At the start `{"ready":1, ...}`; `run N` gives `{"lat_us":[...]}`; `out PREFIX` writes the outputs as raw little-endian
//! float32 to `PREFIX.0` and so on and gives `{"ok":1}`; `quit` ends.

use super::engine::{Engine, time_once};
use super::output::print_json;
use crate::failure::Failure;
use serde_json::{Value as Json, json};
use skriptnd_runtime::{ElementType, Storage, Tensor, TensorData, atomic};
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub fn serve(engine: &mut dyn Engine, compile: Duration) -> Result<(), Failure> {
    print_json(&json!({
        "ready": 1,
        "compile_s": compile.as_secs_f64(),
        "load_s": 0,
        "version": env!("CARGO_PKG_VERSION"),
    }));
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::input(format!("standard input: {error}")))?;
        match line.trim() {
            "quit" => break,
            "" => {}
            command => print_json(&answer(engine, command)?),
        }
    }
    Ok(())
}

fn answer(engine: &mut dyn Engine, command: &str) -> Result<Json, Failure> {
    if let Some(count) = command.strip_prefix("run ").and_then(|count| count.trim().parse::<u32>().ok()) {
        let times: Vec<_> = (0..count).map(|_| time_once(engine)).collect::<Result<_, _>>()?;
        return Ok(json!({ "lat_us": times }));
    }
    if let Some(prefix) = command.strip_prefix("out ") {
        for (at, tensor) in engine.outputs()?.iter().enumerate() {
            write_raw(Path::new(&format!("{}.{at}", prefix.trim())), tensor)?;
        }
        return Ok(json!({ "ok": 1 }));
    }
    Ok(json!({ "error": format!("expected `run N`, `out PREFIX` or `quit`, found `{command}`") }))
}

/// `MODEL.inN.bin`, where MODEL is a folder, or a file without its ending `.sknd`, `.onnx` or `.so`.
pub fn input_file(model: &Path, number: usize) -> PathBuf {
    let is_file = model.extension().is_some_and(|ending| ["sknd", "onnx", "so"].iter().any(|known| ending == *known));
    let stem = if is_file { model.with_extension("") } else { model.components().collect() };
    let mut name = stem.into_os_string();
    name.push(format!(".in{number}.bin"));
    name.into()
}

/// Reads raw little-endian elements: real as float32, int as int32 or int64 or as it is stored, whichever the file's length says, bool
/// as one byte.
pub fn read_raw(
    file: &Path,
    element_type: ElementType,
    storage: Option<Storage>,
    shape: Vec<usize>,
) -> Result<Tensor, Failure> {
    let failed = |reason: String| Failure::input(format!("{}: {reason}", file.display()));
    let count: usize = shape.iter().product();
    let bytes = std::fs::read(file).map_err(|error| failed(error.to_string()))?;
    let least = storage.and_then(Storage::range).map_or(i64::MIN, |(least, _)| least);
    let mut sizes = match element_type {
        ElementType::F32 => vec![4],
        ElementType::I64 => vec![8, 4],
        ElementType::Bool => vec![1],
    };
    let stored = storage.map(Storage::size).filter(|size| element_type == ElementType::I64 && *size < 4);
    sizes.extend(stored);
    let Some(size) = sizes.iter().find(|size| bytes.len() == *size * count) else {
        let expected: Vec<_> = sizes.iter().map(|size| (size * count).to_string()).collect();
        let (expected, found) = (expected.join(" or "), bytes.len());
        return Err(failed(format!("expected {expected} bytes for {element_type}{shape:?}, found {found}")));
    };
    let items = bytes.chunks_exact(*size);
    let data = match element_type {
        ElementType::F32 => TensorData::F32(items.map(|item| f32::from_bits(unsigned(item) as u32)).collect()),
        ElementType::I64 if Some(*size) == stored && least == 0 => {
            TensorData::I64(items.map(|item| unsigned(item) as i64).collect())
        }
        ElementType::I64 => TensorData::I64(items.map(signed).collect()),
        ElementType::Bool => TensorData::Bool(items.map(|item| item[0] != 0).collect()),
    };
    Ok(Tensor { shape, data })
}

fn unsigned(item: &[u8]) -> u64 {
    item.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// With the sign of the highest byte.
fn signed(item: &[u8]) -> i64 {
    let unused = 64 - 8 * item.len();
    ((unsigned(item) << unused) as i64) >> unused
}

fn write_raw(file: &Path, tensor: &Tensor) -> Result<(), Failure> {
    let items: Vec<f32> = match &tensor.data {
        TensorData::F32(items) => items.clone(),
        TensorData::I64(items) => items.iter().map(|&item| item as f32).collect(),
        TensorData::Bool(items) => items.iter().map(|&item| f32::from(u8::from(item))).collect(),
    };
    let write = |out: &mut dyn Write| items.iter().try_for_each(|item| out.write_all(&item.to_le_bytes()));
    atomic::write_file(file, |out| write(out)).map_err(|error| Failure::input(format!("{}: {error}", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], element_type: ElementType, count: usize) -> Result<TensorData, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        read_raw(file.path(), element_type, None, vec![count])
            .map(|tensor| tensor.data)
            .map_err(|failure| failure.to_string())
    }

    #[test]
    fn elements_are_read_as_the_input_has_them() {
        let words = [[1, 0, 0, 0], [0xFE, 0xFF, 0xFF, 0xFF]].concat();
        assert_eq!(read(&words, ElementType::I64, 2), Ok(TensorData::I64(vec![1, -2])));
        assert_eq!(read(&words, ElementType::I64, 1), Ok(TensorData::I64(vec![-0x1_FFFF_FFFF])));
        assert_eq!(read(&1.5f32.to_le_bytes(), ElementType::F32, 1), Ok(TensorData::F32(vec![1.5])));
        assert_eq!(read(&[0, 1], ElementType::Bool, 2), Ok(TensorData::Bool(vec![false, true])));
        let error = read(&words, ElementType::I64, 3).unwrap_err();
        assert!(error.ends_with("expected 24 or 12 bytes for int[3], found 8"), "{error}");
    }

    #[test]
    fn integers_are_read_as_they_are_stored() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), [1, 0xFE]).unwrap();
        let read = |storage| read_raw(file.path(), ElementType::I64, Some(storage), vec![2]);
        assert_eq!(read(Storage::I8).unwrap().data, TensorData::I64(vec![1, -2]));
        assert_eq!(read(Storage::U8).unwrap().data, TensorData::I64(vec![1, 254]));
        assert!(
            read(Storage::I16).unwrap_err().to_string().ends_with("expected 16 or 8 or 4 bytes for int[2], found 2")
        );
    }

    #[test]
    fn inputs_lie_beside_the_model() {
        for (model, file) in [
            ("a/net.v2", "a/net.v2.in0.bin"),
            ("a/net/", "a/net.in0.bin"),
            ("net.sknd", "net.in0.bin"),
            ("net.onnx", "net.in0.bin"),
            ("a/net.so", "a/net.in0.bin"),
        ] {
            assert_eq!(input_file(Path::new(model), 0), Path::new(file));
        }
    }
}
