//! Any bytes, as a `.dat` and as a `.npy` file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skriptnd_runtime::TensorFile;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The readers map files, so there must be one.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let base = if PathBuf::from("/dev/shm").is_dir() { PathBuf::from("/dev/shm") } else { std::env::temp_dir() };
    let folder = base.join(format!("skriptnd-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the files");
    folder
});

fuzz_target!(|data: &[u8]| {
    for name in ["tensor.dat", "tensor.npy"] {
        let path = FOLDER.join(name);
        std::fs::write(&path, data).expect("the file is written");
        if let Ok(file) = TensorFile::open(&path)
            && let Ok(tensor) = file.read()
        {
            assert_eq!(tensor.shape.iter().product::<usize>(), tensor.data.len());
            assert!(tensor.data.len() <= 8 * data.len(), "more elements than the file can hold");
        }
    }
});
