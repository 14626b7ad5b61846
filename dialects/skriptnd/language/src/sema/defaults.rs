//! Default values of attributes and inputs (section 2.5): their types, and whether they can be evaluated at all.

use super::checker::Checker;
use super::diagnostics as say;
use super::extents::unknown_names;
use super::symbols::SymbolKind;
use super::types::Base;
use skriptnd_syntax::ast::{Expr, Name, PackSpec, Param};

impl Checker<'_> {
    /// A default value: of the declared type; a single one stands for all items of a pack.
    pub(super) fn default(&mut self, param: &Param, value: &Expr) {
        let declared = self.base_quietly(param);
        let role = format!("the default of `{}`", param.name.text);
        let ty = self.expect(value, &declared, &role);
        let is_attribute = self.symbols.get(&param.name.text).is_some_and(|known| known.kind == SymbolKind::Attribute);
        match &param.spec.pack {
            // The type that the list was meant to have is wrong, which is reported.
            None if ty.packed && (declared == Base::Unknown || is_attribute && param.spec.shape.is_some()) => {}
            None if ty.packed => self.report(say::wrong_type(value.span, &role, "a single value", &ty)),
            Some(PackSpec { length: None, .. }) if !ty.packed && !ty.is_unknown() => {
                self.report(say::uniform_without_length(value.span, &param.name.text, &ty));
            }
            _ => {}
        }
    }

    /// The base type of a declared parameter, problems of which have been reported.
    fn base_quietly(&mut self, param: &Param) -> Base {
        self.symbols.get(&param.name.text).map_or(Base::Unknown, |symbol| symbol.ty.base.clone())
    }

    /// Reports defaults that wait for one another.
    pub(super) fn circular_defaults(&mut self) {
        let attributes = &self.operator.attributes;
        let needs: Vec<Vec<usize>> = attributes
            .iter()
            .map(|attribute| {
                let names = attribute.value.iter().flat_map(|value| unknown_names(value, |_| false));
                names.filter_map(|name| attributes.iter().position(|other| other.name.text == name.text)).collect()
            })
            .collect();
        let mut reported = vec![false; attributes.len()];
        for start in 0..attributes.len() {
            if reported[start] {
                continue;
            }
            if let Some(cycle) = cycle_through(start, &needs) {
                cycle.iter().for_each(|at| reported[*at] = true);
                let names: Vec<&Name> = cycle.iter().map(|at| &attributes[*at].name).collect();
                let span = attributes[start].value.as_ref().map_or(attributes[start].span, |value| value.span);
                self.report(say::circular_default(span, &names));
            }
        }
    }
}

/// The shortest way from a node back to itself.
fn cycle_through(start: usize, needs: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut before: Vec<Option<usize>> = vec![None; needs.len()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for &next in &needs[at] {
            if next == start {
                let mut way: Vec<usize> = std::iter::successors(Some(at), |at| before[*at]).collect();
                way.reverse();
                return Some(way);
            }
            if before[next].is_none() {
                before[next] = Some(at);
                queue.push_back(next);
            }
        }
    }
    None
}
