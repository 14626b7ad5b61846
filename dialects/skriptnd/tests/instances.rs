//! Every different invocation is instantiated once, from composition to linalg, and sources are read once for a module.

use skriptnd_dialect::{definitions, import_model, register};
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::model::CheckedModel;
use skriptnd_mlir::Registry;
use skriptnd_mlir::ir::{Context, Module, OperationRef, PrintForm, parse_module, print, verify, walk};
use skriptnd_mlir::pass::{PipelineOptions, run};
use skriptnd_source::FileProvider;
use std::fmt::Write;

struct Text(String);

impl FileProvider for Text {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_owned(), self.0.clone())))
    }
}

/// A chain of as many pairs of equal invocations: of an operator with a formula, and of one that invokes it twice.
fn chain(pairs: usize) -> CheckedModel {
    let mut text =
        "operator scaled { @attrib { factor: real = 2.0; } @input { x: real[s..]; } @output { y: real[s..]; }
            @lower { y[i..] = factor * x[i..], i < s; } }
        operator twice { @input { x: real[s..]; } @output { y: real[s..]; }
            @compose { t = scaled(x); y = scaled(t); } }
        graph G { @input { x: real[2,3]; } @output { y: real[2,3]; } @compose {\n"
            .to_owned();
    let mut last = "x".to_owned();
    for at in 0..pairs {
        _ = writeln!(text, "t{at} = scaled({last}); u{at} = twice(t{at});");
        last = format!("u{at}");
    }
    _ = writeln!(text, "y = scaled{{factor=3.0}}({last}); }} }}");
    let model = CheckedModel::load(&Text(text));
    assert!(model.diagnostics.is_empty(), "{:?}", model.diagnostics);
    model
}

fn context() -> Context {
    let mut registry = Registry::new();
    register(&mut registry).unwrap();
    registry.context()
}

fn operators<'c, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    let operations = walk(module.as_operation());
    operations.into_iter().filter(|operation| operation.full_name().starts_with("skriptnd.main.")).collect()
}

#[test]
fn what_is_composed_is_instantiated_once_on_the_way_to_linalg() {
    let model = chain(40);
    let graph = model.compose(&ComposeOptions::default()).0.unwrap();
    // `scaled` with two factors, and `twice`.
    assert_eq!(model.definitions.made_instances(), 3);
    let context = context();
    let mut module = import_model(&context, &model.definitions, &graph).unwrap();
    verify(module.as_operation()).unwrap();
    run(&mut module, "builtin.module(skriptnd-decompose)", &PipelineOptions::default()).unwrap();
    assert_eq!(operators(&module).len(), 121);
    run(&mut module, "builtin.module(convert-skriptnd-to-linalg)", &PipelineOptions::default()).unwrap();
    assert!(operators(&module).is_empty());
    assert_eq!(model.definitions.made_instances(), 3);
}

#[test]
fn the_sources_of_a_parsed_module_are_read_once() {
    let model = chain(1000);
    let graph = model.compose(&ComposeOptions::default()).0.unwrap();
    let text =
        print(import_model(&context(), &model.definitions, &graph).unwrap().as_operation(), PrintForm::default());
    let context = context();
    let module = parse_module(&context, &text, "model.mlir").unwrap();
    verify(module.as_operation()).unwrap();
    let operators = operators(&module);
    assert_eq!(operators.len(), 2001);
    let first = definitions::of(operators[0], "main.scaled");
    assert!(operators.iter().all(|operator| definitions::of(*operator, "main.twice").is(&first)));
    assert!(!first.is(&model.definitions));
    assert_eq!(first.made_instances(), 3);
}

#[test]
fn contexts_do_not_share_what_stands_at_the_same_place() {
    // Contexts and attributes of the second round may lie where those of the first one were.
    for factor in [2, 3, 4, 5] {
        let text = format!(
            "module attributes {{skriptnd.sources = {{main = [\"main.sknd\", \"operator f {{ @input {{ x: real[n]; }} \
             @output {{ y: real[{factor} * n]; }} @lower {{ y[i,] = x[i % n,], i < {factor} * n; }} }}\"]}}}} {{
              skriptnd.graph @G(%x: tensor<2xf32>) -> (tensor<{size}xf32>) {{
                %y = skriptnd.main.f(%x) : (tensor<2xf32>) -> tensor<{size}xf32>
                skriptnd.return %y : tensor<{size}xf32>
              }}
            }}",
            size = 2 * factor
        );
        let context = context();
        let module = parse_module(&context, &text, "model.mlir").unwrap();
        verify(module.as_operation()).unwrap();
    }
}
