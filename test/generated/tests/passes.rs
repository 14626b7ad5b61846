//! Passes whose options and statistics are declared.

use std::sync::{Arc, Mutex};

use skriptnd_generated::passes::TestKindsVisibility;
use skriptnd_generated::passes::{self, TestKindsFusionMode, TestKindsModes, TestKindsOptions, TestKindsStatistic};
use skriptnd_ods::mlir::ir::{self, Module};
use skriptnd_ods::mlir::{Registry, pass};

#[test]
fn options_are_typed_and_have_their_defaults() {
    let seen = Arc::new(Mutex::new(Vec::<TestKindsOptions>::new()));
    let sink = Arc::clone(&seen);
    pass::register(passes::generated_test_kinds("main", move |_, run, options| {
        TestKindsStatistic::NumRuns.add(run, 1);
        sink.lock().unwrap().push(options.clone());
        Ok(())
    }))
    .unwrap();
    pass::register(passes::generated_test_functions(|_, _| Ok(()))).unwrap();
    let context = Registry::new().context();
    let mut module: Module<'_> = ir::parse_module(&context, "func.func private @f()", "t.mlir").unwrap();
    let mut run = |options: &str| {
        let pipeline = format!("builtin.module(generated-test-kinds{{{options}}},func.func(generated-test-functions))");
        pass::run(&mut module, &pipeline, &Default::default()).map(drop)
    };
    run("").unwrap();
    let default = TestKindsOptions {
        flag: true,
        small: -128,
        number: 16,
        natural: u64::from(u32::MAX),
        largest: u64::MAX,
        ratio: 0.3,
        title: "a \"b\"".into(),
        r#type: "main".into(),
        fusion_mode: TestKindsFusionMode::Greedy,
        visibility: TestKindsVisibility::Default,
        flags: Vec::new(),
        numbers: Vec::new(),
        naturals: Vec::new(),
        ratios: Vec::new(),
        titles: Vec::new(),
        modes: Vec::new(),
    };
    assert_eq!(seen.lock().unwrap().pop(), Some(default.clone()));
    run("flag=0 fusion-mode=sibling visibility=hidden flags=true,0 numbers=-1,2 naturals=255 ratios=0.5 titles=a,b modes=Slow,Fast")
        .unwrap();
    let given = TestKindsOptions {
        flag: false,
        fusion_mode: TestKindsFusionMode::Sibling,
        visibility: TestKindsVisibility::Hidden,
        flags: vec![true, false],
        numbers: vec![-1, 2],
        naturals: vec![255],
        ratios: vec![0.5],
        titles: vec!["a".into(), "b".into()],
        modes: vec![TestKindsModes::Slow, TestKindsModes::Fast],
        ..default
    };
    assert_eq!(seen.lock().unwrap().pop(), Some(given));
    for (options, reason) in [
        ("small=128", "expected an integer from -128 to 127, found 128"),
        ("naturals=1,256", "expected an integer from 0 to 255, found 256"),
        ("fusion-mode=all", "expected one of 'greedy', 'sibling', found 'all'"),
        ("flags=maybe", "found 'maybe'"),
    ] {
        let error = run(options).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let runs = pass::statistics().into_iter().find(|statistic| statistic.name == "num-runs");
    assert_eq!(runs.map(|statistic| (statistic.pass, statistic.value)), Some(("generated-test-kinds".into(), 2)));
    assert_eq!(TestKindsFusionMode::Greedy.text(), "greedy");
}
