//! `skriptnd tune`, and what takes the schedules that it keeps. They are made up here: what is faster is no matter.

use crate::models::{fails, skriptnd, succeeds};
use serde_json::Value as Json;
use skriptnd_codegen::Target;
use skriptnd_codegen::tuned::{Cache, Entry};
use skriptnd_runtime::{TensorData, read_tensor};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

const TEXT: &str = "import linalg;

graph Net {
    @input { a: real[24, 40]; b: real[40, 48]; }
    @output { y: real[24, 48]; }
    @compose { y = linalg.matmul(a, b); }
}
";

/// A folder with a model.
fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("net.sknd"), TEXT).unwrap();
    folder
}

/// Keeps other schedules for all kernels of the model: rows one by one.
fn keep_others(folder: &Path) -> Vec<String> {
    succeeds(folder, &["compile", "net.sknd", "--tuned", "none", "--dump-schedules", "loops", "-o", "net.o"]);
    let (cache, mut keys) = (Cache::new(&folder.join("kept"), &Target::host()), Vec::new());
    for file in fs::read_dir(folder.join("loops")).unwrap().map(|file| file.unwrap().path()) {
        let plain = |line: &str| match line.trim_start().starts_with("loop d0") {
            true => "  loop d0;\n".to_string(),
            false => format!("{line}\n"),
        };
        let text = fs::read_to_string(&file).unwrap().lines().map(plain).collect();
        let key = file.file_stem().unwrap().to_str().unwrap().to_string();
        cache.keep(&key, &Entry { text, us: 1.0, chosen_us: 2.0, threads: 1 }).unwrap();
        keys.push(key);
    }
    keys.sort();
    keys
}

/// What `compile` says, and its code.
fn compiled(folder: &Path, options: &[&str]) -> (Json, Vec<u8>) {
    let told = succeeds(folder, &[&["compile", "net.sknd", "-o", "net.o", "--json"], options].concat());
    (serde_json::from_str(&told).unwrap(), fs::read(folder.join("net.o")).unwrap())
}

fn taken(told: &Json) -> Vec<&str> {
    let mut keys: Vec<&str> =
        told["tuned"]["kernels"].as_array().unwrap().iter().map(|kernel| kernel["kernel"].as_str().unwrap()).collect();
    keys.sort_unstable();
    keys
}

/// The only entry's file, or all.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(folder.join("kept")).unwrap().map(|entry| entry.unwrap().path());
    folders.flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())).collect()
}

#[test]
fn kept_schedules_are_taken_and_left_out() {
    let folder = prepared();
    let folder = folder.path();
    let keys = keep_others(folder);
    let (plain, code) = compiled(folder, &["--tuned", "none"]);
    assert_eq!((taken(&plain), plain["tuned"]["folder"].is_null()), (Vec::new(), true));
    let (told, tuned) = compiled(folder, &["--tuned", "kept"]);
    assert_eq!((taken(&told), &told["tuned"]["folder"]), (keys.iter().map(String::as_str).collect(), &"kept".into()));
    assert_eq!(told["tuned"]["kernels"][0]["lines"][0], "net.sknd:6: linalg.matmul");
    assert_ne!(code, tuned);
    assert_eq!(compiled(folder, &["--tuned", "kept"]).1, tuned, "it is the same each time");
    let time = succeeds(folder, &["compile", "net.sknd", "-o", "net.o", "--tuned", "kept", "--time"]);
    assert!(time.ends_with(&format!("tuned        {0} of {0} kernels\n", keys.len())), "{time}");
    // Others of this machine, none of other targets.
    let (other, _) = compiled(folder, &["--tuned", "kept", "--target", "aarch64-unknown-linux-gnu"]);
    assert_eq!(taken(&other), Vec::<&str>::new());
}

#[test]
fn the_environment_says_where_they_are() {
    let folder = prepared();
    let folder = folder.path();
    let keys = keep_others(folder);
    let count = |variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skriptnd"));
        command.current_dir(folder).args(["compile", "net.sknd", "-o", "net.o", "--json"]);
        for name in ["SKRIPTND_TUNED", "SKRIPTND_CACHE", "XDG_CACHE_HOME", "HOME"] {
            command.env_remove(name);
        }
        let output = command.envs(variables.iter().copied()).output().unwrap();
        taken(&serde_json::from_slice(&output.stdout).unwrap()).len()
    };
    assert_eq!((count(&[("SKRIPTND_TUNED", "kept")]), count(&[])), (keys.len(), 0));
    fs::create_dir_all(folder.join(".cache/skriptnd")).unwrap();
    std::os::unix::fs::symlink(folder.join("kept"), folder.join(".cache/skriptnd/schedules")).unwrap();
    let home = folder.to_str().unwrap();
    assert_eq!((count(&[("HOME", home)]), count(&[("HOME", home), ("SKRIPTND_TUNED", "none")])), (keys.len(), 0));
}

#[test]
fn results_stay_within_the_bounds() {
    let folder = prepared();
    let folder = folder.path();
    keep_others(folder);
    let run = |tuned: &str| {
        let options = ["run", "net.sknd", "--random-inputs", "1", "--tuned", tuned, "--output-dir", tuned];
        succeeds(folder, &options);
        match read_tensor(&folder.join(tuned).join("y.npy")).unwrap().data {
            TensorData::F32(values) => values,
            other => panic!("{other:?}"),
        }
    };
    fs::create_dir(folder.join("none")).unwrap();
    let (plain, tuned) = (run("none"), run("kept"));
    assert!(plain.iter().zip(&tuned).all(|(a, b)| (a - b).abs() < 1e-4), "{plain:?} {tuned:?}");
}

#[test]
fn damaged_and_old_ones_are_ignored_with_a_warning() {
    let folder = prepared();
    let folder = folder.path();
    keep_others(folder);
    let plain = compiled(folder, &["--tuned", "none"]).1;
    let change = |from: &str, to: &str| {
        for file in entries(folder) {
            fs::write(&file, fs::read_to_string(&file).unwrap().replacen(from, to, 1)).unwrap();
        }
    };
    let said = |says: &str| {
        let output = skriptnd(folder, &["compile", "net.sknd", "-o", "net.o", "--tuned", "kept"]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && told.contains(says), "{told}");
        assert_eq!(fs::read(folder.join("net.o")).unwrap(), plain, "what is chosen is taken");
        told
    };
    change("loop d0;", "loop d1;");
    let told = said("schedule:1:1: warning: schedule: ignored: it is damaged: it is not what its sum says");
    assert!(told.contains("`skriptnd tune` measures again"), "{told}");
    for file in entries(folder) {
        fs::write(file, "").unwrap();
    }
    said("warning: schedule: ignored: it is damaged: it has one line");
    // A whole entry whose loops do not fit: the place is that in its file.
    let cache = Cache::new(&folder.join("kept"), &Target::host());
    for file in entries(folder) {
        let key = file.file_stem().unwrap().to_str().unwrap();
        let text = format!("kernel {key} {{\n  loop d7;\n}}\n");
        cache.keep(key, &Entry { text, us: 1.0, chosen_us: 2.0, threads: 1 }).unwrap();
    }
    said(".schedule:3:8: warning: schedule: ignored: there is no dimension d7");
    for file in entries(folder) {
        fs::remove_file(file).unwrap();
    }
    let output = skriptnd(folder, &["compile", "net.sknd", "-o", "net.o", "--tuned", "kept"]);
    assert!(output.status.success() && output.stderr.is_empty());
}

#[test]
fn tuning_tells_of_each_kernel_also_several_at_a_time() {
    let folder = prepared();
    let folder = folder.path();
    let tune =
        || succeeds(folder, &["tune", "net.sknd", "--threads", "1", "--seconds", "2", "--cache", "kept", "--json"]);
    let told: Vec<String> = thread::scope(|scope| {
        let all = [scope.spawn(tune), scope.spawn(tune)];
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    for told in told {
        let told: Json = serde_json::from_str(&told).unwrap();
        assert_eq!((&told["threads"], &told["folder"]), (&1.into(), &"kept".into()), "{told}");
        let (before, after) = (told["default_us"].as_f64().unwrap(), told["tuned_us"].as_f64().unwrap());
        assert!(before > 0.0 && after > 0.0, "{told}");
        let kernel = &told["kernels"][0];
        assert_eq!((&kernel["source"], &kernel["operator"]), (&"net.sknd:6".into(), &"linalg.matmul".into()), "{told}");
        assert!(
            kernel["default_us"].as_f64().unwrap() > 0.0
                && kernel["schedule"].is_string() == (kernel["best_us"] != kernel["default_us"])
        );
    }
    let table = succeeds(folder, &["tune", "net.sknd", "--seconds", "1", "--cache", "kept"]);
    assert!(
        table.starts_with(" default us     best us  kernel ") && table.contains("  net.sknd:6: linalg.matmul: "),
        "{table}"
    );
    let output = skriptnd(folder, &["compile", "net.sknd", "-o", "net.o", "--tuned", "kept"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_can_not_be_tuned_is_said() {
    let folder = prepared();
    let folder = folder.path();
    succeeds(folder, &["compile", "net.sknd", "-o", "net.so"]);
    fails(folder, &["tune", "net.so"], 2, "a compiled model has its schedules; give the model itself");
    fails(folder, &["tune", "net.sknd", "--seconds", "0"], 2, "--seconds");
    fs::write(folder.join("file"), "").unwrap();
    fails(folder, &["tune", "net.sknd", "--cache", "file"], 1, "--cache file: expected a folder, found the file file");
    let warned = |arguments: &[&str]| {
        let output = skriptnd(folder, arguments);
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let run = ["run", "net.sknd", "--random-inputs", "1", "--backend", "interpret", "--tuned", "none"];
    assert_eq!(warned(&run), "skriptnd: warning: --tuned none: only code for this machine takes such schedules\n");
    let bench = ["bench", "net.so", "--iterations", "1", "--tuned", "none"];
    let said = "skriptnd: warning: --tuned none: a compiled model has its schedules; compile it again\n";
    assert_eq!(warned(&bench), said);
    let linalg = ["compile", "net.sknd", "--emit", "linalg", "-o", "net.mlir", "--tuned", "none"];
    assert!(
        warned(&linalg).contains("warning: --tuned makes no difference to a model that is not compiled to code yet")
    );
}
