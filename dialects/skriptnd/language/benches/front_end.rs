//! How long it takes to parse, check and compose models of growing size. `first use` is measured in a process of its
//! own, so that it includes reading what the model needs of the standard library.

mod models;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use skriptnd_language::compose::{ComposeOptions, Definitions, compose};
use skriptnd_language::library::Library;
use skriptnd_language::sema;
use skriptnd_source::{FileId, FileProvider};
use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

/// A model that consists of one text.
struct Model(String);

impl FileProvider for Model {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_owned(), self.0.clone())))
    }
}

/// Everything that `skriptnd check` does but reading the files; the number of operations.
fn check(model: &Model) -> usize {
    let (library, mut found) = Library::load(model);
    found.extend(sema::check(&library).diagnostics);
    let (graph, composed) = compose(&library.into(), &ComposeOptions::default());
    found.extend(composed);
    assert!(found.is_empty(), "{:?}", found.iter().next());
    graph.map_or(0, |graph| graph.body.operations.len())
}

/// A kind of model, and how large it gets.
type Shape = (&'static str, fn(usize) -> String, &'static [usize]);

const SHAPES: [Shape; 5] = [
    ("chain", models::chain, &[1_000, 5_000, 20_000]),
    ("definitions", models::definitions, &[1_000, 5_000, 20_000]),
    ("pack", models::pack, &[1_000, 5_000]),
    ("numbers", models::numbers, &[10_000, 100_000]),
    ("variables", models::variables, &[1_000, 10_000]),
];

fn stages(criterion: &mut Criterion) {
    let model = Model(models::chain(1_000));
    let (library, _) = Library::load(&model);
    let mut group = criterion.benchmark_group("1000 operations");
    group.bench_function("parse", |bencher| bencher.iter(|| skriptnd_syntax::parse(FileId(0), black_box(&model.0))));
    group.bench_function("check", |bencher| bencher.iter(|| sema::check(black_box(&library))));
    group.bench_function("compose", |bencher| {
        bencher.iter(|| compose(black_box(&Definitions::from(library.clone())), &ComposeOptions::default()));
    });
    group.bench_function("all", |bencher| bencher.iter(|| check(black_box(&model))));
    group.finish();
}

fn growth(criterion: &mut Criterion) {
    for (name, make, sizes) in SHAPES {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for size in sizes {
            let model = Model(make(*size));
            group.throughput(Throughput::Elements(*size as u64));
            group.bench_with_input(BenchmarkId::from_parameter(size), &model, |bencher, model| {
                bencher.iter(|| check(black_box(model)));
            });
        }
        group.finish();
    }
}

/// The argument that makes this program check one model, once, and print how many nanoseconds it took.
const ONCE: &str = "--check-once";

fn first_use(criterion: &mut Criterion) {
    let Ok(program) = std::env::current_exe() else { return };
    let once = || {
        let output = Command::new(&program).arg(ONCE).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok().map(Duration::from_nanos)
    };
    let mut group = criterion.benchmark_group("1000 operations");
    group.bench_function("first use", |bencher| {
        bencher.iter_custom(|iterations| (0..iterations).filter_map(|_| once()).sum());
    });
    group.finish();
}

criterion_group!(benches, stages, first_use, growth);

fn main() {
    if std::env::args().any(|argument| argument == ONCE) {
        let model = Model(models::chain(1_000));
        let start = std::time::Instant::now();
        check(&model);
        println!("{}", start.elapsed().as_nanos());
        return;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
