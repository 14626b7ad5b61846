//! Whole networks: those of the test folder, and those beside the project where they are present.

use crate::compose::graph::{Graph, OperationKind};
use crate::compose::{ComposeOptions, Definitions, InstanceBody, Operand, compose};
use crate::library::Library;
use skriptnd_source::FileProvider;
use std::path::{Path, PathBuf};

struct Folder(PathBuf);

impl FileProvider for Folder {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let file = match self.0.is_file() {
            true if path == ["main"] => self.0.clone(),
            true => return None,
            false => self.0.join(path.join("/")).with_extension("sknd"),
        };
        let text = std::fs::read_to_string(&file).ok()?;
        Some(Ok((file.display().to_string(), text)))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Models within a folder, at any depth of up to three.
fn models(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.join("main.sknd").is_file() {
            found.push(path);
        } else if path.is_dir() && depth > 0 {
            models(&path, depth - 1, found);
        }
    }
    found.sort();
}

fn composed(path: &Path) -> (Definitions, Graph) {
    let (library, parsed) = Library::load(&Folder(path.to_owned()));
    let definitions = Definitions::from(library);
    let (graph, diagnostics) = compose(&definitions, &ComposeOptions::default());
    let messages: Vec<&String> = parsed.iter().chain(diagnostics.iter()).map(|d| &d.message).collect();
    (definitions, graph.unwrap_or_else(|| panic!("{}: {messages:?}", path.display())))
}

/// Every operation can be instantiated from what the graph says of it, and gives the types that the graph has.
fn instantiates(definitions: &Definitions, graph: &Graph) {
    let known =
        |types: &crate::compose::graph::TensorType| types.shape.iter().all(|extent| extent.as_known().is_some());
    for operation in &graph.body.operations {
        let OperationKind::Operator(call) = &operation.kind else { continue };
        let operands: Vec<_> = operation.inputs.iter().map(|i| i.map(|id| graph.tensor(*id).ty.clone())).collect();
        if !operands.iter().flat_map(|operand| operand.items()).all(known) {
            continue;
        }
        let operands: Vec<_> = operands.into_iter().map(Operand::of).collect();
        let instance = definitions
            .instance(call, &operands)
            .unwrap_or_else(|d| panic!("{}: {:?}", call.operator, d.iter().map(|d| &d.message).collect::<Vec<_>>()));
        assert_eq!(instance.call, *call);
        let types: Vec<_> = operation.outputs.iter().map(|o| o.map(|id| graph.tensor(*id).ty.clone())).collect();
        for (found, expected) in instance.outputs.iter().zip(&types) {
            for (found, expected) in found.items().iter().zip(expected.items()) {
                assert_eq!(found.dtype, expected.dtype);
                assert!(
                    !known(found) || !known(expected) || found == expected,
                    "{}: {found:?} {expected:?}",
                    call.operator
                );
            }
        }
        if let InstanceBody::Composition(inner) = &instance.body {
            instantiates(definitions, inner);
        }
    }
}

#[test]
fn the_models_of_the_test_folder() {
    let mut found = Vec::new();
    models(&root().join("test/models"), 1, &mut found);
    assert!(found.iter().any(|path| path.ends_with("alexnet")), "{found:?}");
    for path in &found {
        let (definitions, graph) = composed(path);
        instantiates(&definitions, &graph);
    }
    let (_, alexnet) = composed(&root().join("test/models/alexnet"));
    let last = alexnet.outputs[0].tensors.items()[0];
    let shape: Vec<_> = alexnet.tensor(last).ty.shape.iter().filter_map(|extent| extent.as_known()).collect();
    assert_eq!(shape.len(), 2);
}

/// The shape in the header of a NumPy file.
fn npy_shape(path: &Path) -> Vec<i64> {
    let bytes = std::fs::read(path).expect("a readable file");
    let header = String::from_utf8_lossy(&bytes[..bytes.len().min(256)]).into_owned();
    let shape = header.split("'shape': (").nth(1).and_then(|rest| rest.split(')').next()).expect("a shape");
    shape.split(',').filter_map(|extent| extent.trim().parse().ok()).collect()
}

/// Output shapes against what other implementations computed.
#[test]
fn shared_models_have_the_expected_shapes() {
    let folder = root().join("../shared/models");
    let mut found = Vec::new();
    models(&folder, 2, &mut found);
    for path in &found {
        let (definitions, graph) = composed(path);
        instantiates(&definitions, &graph);
        for (at, port) in graph.outputs.iter().enumerate() {
            let expected = path.with_file_name("expected").join(format!("{at}.npy"));
            if !expected.is_file() {
                continue;
            }
            let expected = npy_shape(&expected);
            let ty = &graph.tensor(port.tensors.items()[0]).ty;
            assert_eq!(ty.shape.len(), expected.len(), "{}", path.display());
            for (extent, expected) in ty.shape.iter().zip(expected) {
                let upper = extent.as_known().is_none_or(|known| known == expected);
                let bounded = extent.bound.is_none_or(|bound| expected <= bound);
                assert!(upper && bounded, "{}: {extent} and {expected}", path.display());
            }
        }
    }
}

/// Conformance cases: the valid ones compose, the invalid ones are refused before or while composing.
#[test]
fn shared_conformance_cases() {
    let Ok(entries) = std::fs::read_dir(root().join("../shared/conformance")) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let model = name.ends_with(".sknd") || path.join("main.sknd").is_file();
        if !model {
            continue;
        }
        if !name.starts_with('x') {
            let (definitions, graph) = composed(&path);
            instantiates(&definitions, &graph);
            continue;
        }
        let (library, parsed) = Library::load(&Folder(path.clone()));
        let (_, diagnostics) = compose(&library.into(), &ComposeOptions::default());
        assert!(parsed.has_errors() || diagnostics.has_errors(), "{name} is accepted");
    }
}
