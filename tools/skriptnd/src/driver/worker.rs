//! The protocol of the benchmark harness: one line in, one line of JSON out.
//!
//! At the start `{"ready":1, ...}`; `run N` gives `{"lat_us":[...]}`; `out PREFIX` writes the outputs as raw little-endian
//! float32 to `PREFIX.0` and so on and gives `{"ok":1}`; `quit` ends.

use super::bench::{Engine, time_once};
use super::inputs::known_shape;
use super::output::print_json;
use crate::failure::Failure;
use serde_json::{Value as Json, json};
use skriptnd_language::compose::graph::TensorType;
use skriptnd_runtime::{Tensor, TensorData, atomic};
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
        engine.run()?;
        for (at, tensor) in engine.outputs().into_iter().enumerate() {
            write_raw(Path::new(&format!("{}.{at}", prefix.trim())), tensor)?;
        }
        return Ok(json!({ "ok": 1 }));
    }
    Ok(json!({ "error": format!("expected `run N`, `out PREFIX` or `quit`, found `{command}`") }))
}

/// `MODEL.inN.bin`, where MODEL is without its extension, if there is such a file.
pub fn input_file(model: &Path, number: usize) -> Option<PathBuf> {
    let stem = model.with_extension("");
    let file = PathBuf::from(format!("{}.in{number}.bin", stem.display()));
    file.is_file().then_some(file)
}

/// Reads raw float32.
pub fn read_raw(file: &Path, ty: &TensorType) -> Result<Tensor, Failure> {
    let shape = known_shape(ty)?;
    let count: usize = shape.iter().product();
    let bytes = std::fs::read(file).map_err(|error| Failure::input(format!("{}: {error}", file.display())))?;
    if bytes.len() != 4 * count {
        let found = bytes.len();
        return Err(Failure::input(format!("{}: expected {} bytes, found {found}", file.display(), 4 * count)));
    }
    let words = bytes.chunks_exact(4).map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    Ok(Tensor { shape, data: TensorData::F32(words.collect()) })
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
