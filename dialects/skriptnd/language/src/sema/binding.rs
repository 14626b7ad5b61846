//! The binding order of inputs (section 2.6.1): whether the ranks of packed extents follow from a tensor's rank.

use super::checker::Checker;
use super::diagnostics as say;
use super::extents::unknown_names;
use skriptnd_syntax::ast::{Expr, ExprKind, Name, Param};
use std::collections::HashSet;
use std::sync::Arc;

/// Names whose values are known before or after binding an input.
#[derive(Default)]
struct Known {
    names: HashSet<Arc<str>>,
}

/// Reports the inputs for which there is no binding order.
pub(super) fn check(checker: &mut Checker<'_>) {
    let operator = checker.operator;
    let mut known = Known::default();
    for attribute in &operator.attributes {
        let constant = attribute.value.as_ref().is_none_or(|value| unknown_names(value, |_| false).is_empty());
        if attribute.spec.pack.is_none() && !attribute.spec.optional && constant {
            known.names.insert(attribute.name.text.clone());
        }
    }
    let (required, optional): (Vec<&Param>, Vec<&Param>) =
        operator.inputs.iter().filter(|input| input.spec.shape.is_some()).partition(|input| !input.spec.optional);
    // Optional inputs come last: they may be absent and then determine nothing.
    for inputs in [required, optional] {
        for input in known.bind_all(inputs) {
            let names: Vec<String> = known.open_packs(input).iter().map(|name| name.text.to_string()).collect();
            let lengths = known.packed_attribute_lengths(checker, input);
            checker.report(say::ambiguous_shape(input.spec.span, &input.name.text, &names, &lengths));
        }
    }
}

impl Known {
    /// Binds inputs in any order that is possible; gives those that remain.
    fn bind_all<'a>(&mut self, mut inputs: Vec<&'a Param>) -> Vec<&'a Param> {
        let mut progress = true;
        while std::mem::take(&mut progress) {
            inputs.retain(|input| {
                let bound = self.bind(input);
                progress |= bound;
                !bound
            });
        }
        inputs
    }

    /// Binds an input if its shape is unambiguous.
    fn bind(&mut self, input: &Param) -> bool {
        if self.open_packs(input).len() > 1 {
            return false;
        }
        let lengths = input.spec.shape.iter().flatten().filter_map(|extent| extent.pack.as_ref()?.length.as_ref());
        let extents = input.spec.shape.iter().flatten().filter_map(|extent| extent.extent.as_ref());
        let own = input.spec.pack.iter().filter_map(|pack| pack.length.as_ref()).chain(&input.spec.rank);
        for expr in lengths.chain(extents).chain(own) {
            self.names.extend(unknown_names(expr, |_| false).into_iter().map(|name| name.text));
        }
        true
    }

    /// The packed extents of an input whose length is not known.
    fn open_packs(&self, input: &Param) -> Vec<Name> {
        let rank: Vec<Name> = input.spec.rank.iter().flat_map(|rank| unknown_names(rank, |_| false)).collect();
        let is_known = |name: &str| self.names.contains(name) || rank.iter().any(|r| &*r.text == name);
        let is_open = |expr: &Expr| !unknown_names(expr, is_known).is_empty();
        let mut open = Vec::new();
        for extent in input.spec.shape.iter().flatten() {
            let Some(pack) = &extent.pack else { continue };
            let unknown = match (&pack.length, &extent.extent) {
                // A pack that is known has a length, and gives it to a length that is not.
                (_, Some(value)) if matches!(value.kind, ExprKind::Name(_)) && !is_open(value) => false,
                (Some(length), _) => is_open(length),
                (None, Some(value)) => is_open(value),
                (None, None) => true,
            };
            if unknown {
                let name = extent.extent.as_ref().and_then(|value| unknown_names(value, |_| false).into_iter().next());
                open.push(name.unwrap_or_else(|| Name { text: "~".into(), span: extent.span }));
            }
        }
        open
    }

    /// Lengths in the shape that only packed attributes determine, which doesn't count.
    fn packed_attribute_lengths(&self, checker: &Checker<'_>, input: &Param) -> Vec<String> {
        let mut lengths = Vec::new();
        for extent in input.spec.shape.iter().flatten() {
            let length = extent.pack.as_ref().and_then(|pack| pack.length.as_ref());
            for name in length.iter().flat_map(|length| unknown_names(length, |name| self.names.contains(name))) {
                let of_attribute = checker.operator.attributes.iter().any(|attribute| {
                    let own = attribute.spec.pack.as_ref().and_then(|pack| pack.length.as_ref());
                    own.is_some_and(|own| unknown_names(own, |_| false).iter().any(|n| n.text == name.text))
                });
                if of_attribute {
                    lengths.push(name.text.to_string());
                }
            }
        }
        lengths
    }
}
