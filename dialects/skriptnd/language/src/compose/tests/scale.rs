use super::definitions;
use crate::compose::{ComposeOptions, compose};
use crate::{sema, steps};

#[path = "../../../benches/models.rs"]
mod models;

/// A model four times as large takes four times as many steps.
fn assert_linear(name: &str, make: fn(usize) -> String, size: usize) {
    let steps = |count: usize| {
        let definitions = definitions(&make(count));
        steps::taken(|| {
            assert!(sema::check(&definitions).diagnostics.is_empty(), "{name}");
            let (graph, found) = compose(&definitions, &ComposeOptions::default());
            assert!(graph.is_some() && found.is_empty(), "{name}");
        })
    };
    let (small, large) = (steps(size), steps(4 * size));
    assert!(small > size, "{name}: {small} steps are fewer than there can be");
    assert!(large < 5 * small, "{name}: {small} steps for {size}, {large} for {}", 4 * size);
}

#[test]
fn steps_grow_with_the_model() {
    assert_linear("chain", models::chain, 60);
    assert_linear("definitions", models::definitions, 50);
    assert_linear("pack", models::pack, 100);
    assert_linear("numbers", models::numbers, 500);
    assert_linear("variables", models::variables, 100);
}
