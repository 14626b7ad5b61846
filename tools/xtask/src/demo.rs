//! The main job, shown: the digits model compiled to native code classifies images that it has not seen.

use crate::{build, root, steps};
use anyhow::{Context, Result, bail};
use skriptnd_runtime::{Tensor, TensorData, read_tensor};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Rows and columns of an image.
const EDGE: usize = 8;
/// How many images are shown.
const SHOWN: usize = 6;

/// Builds, compiles, classifies, and prints what came out; false if fewer than 97 % are right.
///
/// # Errors
/// Where one of the steps fails.
pub fn run() -> Result<bool> {
    let tool = build::run(build::Profile::Release)?.join("skriptnd");
    let model = root().join("test/models/digits");
    let folder = build::target_folder().join("demo");
    std::fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    let images = model.join("heldout/images.npy");
    let (pixels, count) = reals(&images, EDGE * EDGE)?;
    let batch = format!("batch={count}");

    steps::announce("compiling the digits model to native code");
    let library = folder.join("digits.so");
    call(&tool, &[os("compile"), model.as_ref(), os("-o"), library.as_ref(), os("--attr"), os(&batch)])?;

    steps::announce(&format!("classifying {count} held-out images"));
    let run = [
        os("run"),
        library.as_ref(),
        os("--input"),
        images.as_ref(),
        os("--output-dir"),
        folder.as_ref(),
        os("--json"),
    ];
    call(&tool, &run)?;
    let (probabilities, _) = reals(&folder.join("probability.npy"), 10)?;
    let labels = integers(&model.join("heldout/labels.npy"))?;
    let predicted: Vec<usize> = probabilities.chunks_exact(10).map(most_likely).collect();
    show(&pixels, &predicted, &labels);

    steps::announce("measuring one image at a time");
    let bench = call(&tool, &[os("bench"), model.as_ref()])?;
    let figures: serde_json::Value =
        serde_json::from_str(bench.trim()).with_context(|| format!("`skriptnd bench` printed {bench:?}"))?;
    let right = predicted.iter().zip(&labels).filter(|(p, l)| i64::try_from(**p) == Ok(**l)).count();
    println!("accuracy   {right} of {count} right, {:.1} %", 100.0 * right as f64 / count as f64);
    println!("latency    {} us a single image (minimum), {} us (median)", figures["min_us"], figures["median_us"]);
    println!("artifacts  {}", artifacts(&folder)?.join("\n           "));
    Ok(right * 100 >= 97 * count)
}

fn os(text: &str) -> &OsStr {
    OsStr::new(text)
}

/// Runs the tool; its standard output.
fn call(tool: &Path, arguments: &[&OsStr]) -> Result<String> {
    let mut command = Command::new(tool);
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().with_context(|| format!("{} did not start", tool.display()))?;
    if !output.status.success() {
        let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
        bail!("`skriptnd {}` failed", words.join(" "));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The elements of a tensor file whose outermost items have `item` elements each, and the number of items.
fn reals(path: &Path, item: usize) -> Result<(Vec<f32>, usize)> {
    match read_tensor(path)? {
        Tensor { data: TensorData::F32(values), .. } => {
            let items = values.len() / item;
            Ok((values, items))
        }
        other => bail!("{} holds {:?}, expected reals", path.display(), other.shape),
    }
}

fn integers(path: &Path) -> Result<Vec<i64>> {
    match read_tensor(path)? {
        Tensor { data: TensorData::I64(values), .. } => Ok(values),
        other => bail!("{} holds {:?}, expected integers", path.display(), other.shape),
    }
}

fn most_likely(probabilities: &[f32]) -> usize {
    (0..probabilities.len()).max_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b])).unwrap_or(0)
}

/// Prints the first images side by side, two pixels a character cell, with what they were taken for.
fn show(pixels: &[f32], predicted: &[usize], labels: &[i64]) {
    const INK: [&str; 5] = ["  ", "░░", "▒▒", "▓▓", "██"];
    println!();
    for row in 0..EDGE {
        let line: Vec<String> = pixels
            .chunks_exact(EDGE * EDGE)
            .take(SHOWN)
            .map(|image| {
                let cells = &image[row * EDGE..(row + 1) * EDGE];
                cells.iter().map(|ink| INK[((ink * 4.0).round() as usize).min(4)]).collect()
            })
            .collect();
        println!("  {}", line.join("  "));
    }
    let captions: Vec<String> = predicted
        .iter()
        .zip(labels)
        .take(SHOWN)
        .map(|(guess, label)| format!("{:<16}", format!("{guess} (is {label})")))
        .collect();
    println!("  {}\n", captions.join("  "));
}

fn artifacts(folder: &Path) -> Result<Vec<String>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths.iter().map(|path| path.display().to_string()).collect())
}
