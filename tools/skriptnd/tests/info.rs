//! `skriptnd info`

use crate::models::{fails, succeeds};
use serde_json::Value as Json;
use skriptnd_runtime::read_tensor;

const TEXT: &str = "import math;

graph G {
    @input { x: real[n|8,3]; }
    @output { y: real[n,3]; }
    @variable { w: real[1,3]; }
    @compose { y = math.mul(x, w); }
}
";

#[test]
fn models_and_what_is_compiled_tell_the_same() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("main.sknd"), TEXT).unwrap();
    let told = succeeds(folder.path(), &["info", "main.sknd"]);
    for line in
        ["inputs\n  x: real[n|8, 3]", "outputs\n  y: real[n|8, 3]", "  main.G.w: real[1, 3]", "variables: 12 bytes"]
    {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(told.contains("  n: at most 8, told by dimension 0 of x"), "{told}");
    succeeds(folder.path(), &["info", "main.sknd", "--template", "weights"]);
    let zeros = read_tensor(&folder.path().join("weights/main.G.w.dat")).unwrap();
    assert_eq!(zeros.shape, [1, 3]);
    fails(folder.path(), &["info", "main.sknd", "--template", "weights"], 1, "is there already");
    let spelled = folder.path().join("weights/w.npy");
    std::fs::rename(folder.path().join("weights/main.G.w.dat"), folder.path().join("kept.dat")).unwrap();
    skriptnd_runtime::write_npy(&spelled, &zeros).unwrap();
    fails(folder.path(), &["info", "main.sknd", "--template", "weights"], 1, "w.npy");
    fails(folder.path(), &["info", "main.sknd", "--weights", "none"], 2, "does not depend on the values");
    succeeds(folder.path(), &["compile", "main.sknd", "-o", "net.so"]);
    assert_eq!(succeeds(folder.path(), &["info", "net.so"]), told);
    let json: Json =
        serde_json::from_str(&succeeds(folder.path(), &["info", "net.so", "--bind", "n=4", "--json"])).unwrap();
    assert_eq!((&json["variable_bytes"], &json["needs"]["extents"]["n"]), (&12.into(), &4.into()));
    assert!(json["needs"]["peak_bytes"].is_u64() && json["abi"].is_u64(), "{json}");
    fails(folder.path(), &["info", "net.so", "--bind", "n=9"], 1, "--bind n=9: at most 8 is allowed");
    fails(folder.path(), &["info", "net.so", "--bind", "m=1"], 2, "no such open extent; it has: n");
    fails(folder.path(), &["info", "net.so", "--graph", "G"], 2, "a compiled model has this fixed");
}
