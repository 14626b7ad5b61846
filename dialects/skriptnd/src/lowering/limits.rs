//! What is known of extents before the run that gives them values: their largest values, and that none is negative.

use crate::generated::operations::GraphOp;
use skriptnd_language::compose::extent::{Extent, SymExpr, SymOp};
use skriptnd_language::compose::graph::{Graph, TensorType};
use skriptnd_mlir::ir::{Attribute, Context, OperationRef, attributes};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// What an extent without a bound is taken for where a size is only estimated.
const TYPICAL: i64 = 64;

/// Room for so many along a dimension is made for the bound of what data determine; where the bound is above it, for what the extents
/// of the run let it be, if that is known.
const SMALL_ROOM: i64 = 1 << 16;

/// The largest values of symbols, as far as they have any, and the smallest ones where those are known to be above 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    most: HashMap<Arc<str>, i64>,
    least: BTreeMap<Arc<str>, i64>,
    /// What symbols are at most by those that inputs tell, which are themselves.
    rooms: BTreeMap<Arc<str>, SymExpr>,
    /// What is not negative in any run that computes anything, as conditions say.
    required: Vec<SymExpr>,
}

/// The graph's attribute that declares them.
const EXTENTS: &str = "extents";

impl Limits {
    /// What a composed graph says: of extents that inputs tell the smallest bound that follows from one of their dimensions, as a
    /// run does not begin with others; of those that data determine what all results keep to.
    pub fn of(graph: &Graph) -> Limits {
        let shapes = |id| graph.tensor(id).ty.shape.iter();
        let given = graph.inputs.iter().flat_map(|port| port.tensors.items()).flat_map(|id| shapes(*id));
        let mut limits = Limits::default();
        for (name, bound) in given.filter_map(Extent::symbol_bound) {
            let known = limits.most.entry(name).or_insert(bound);
            *known = bound.min(*known);
        }
        let told: HashSet<Arc<str>> = limits.most.keys().cloned().collect();
        let lengths = graph.pack_lengths.iter().map(|(_, length)| length);
        let made = graph.tensors.iter().flat_map(|tensor| &tensor.ty.shape).chain(lengths);
        for (name, bound) in made.filter_map(declared_bound).filter(|(name, _)| !told.contains(name)) {
            let known = limits.most.entry(name).or_insert(bound);
            *known = bound.max(*known);
        }
        limits
    }

    /// Those that the graph around an operation declares.
    pub fn around<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Limits {
        let mut current = Some(operation);
        while let Some(candidate) = current {
            if candidate.full_name() == GraphOp::NAME {
                return Limits::declared(candidate);
            }
            current = candidate.parent_operation();
        }
        Limits::default()
    }

    /// Those that a graph declares.
    pub fn declared<'c: 'a, 'a>(graph: OperationRef<'c, 'a>) -> Limits {
        let entries = graph.get(EXTENTS).and_then(attributes::as_dictionary).unwrap_or_default();
        let bound = |(name, bound): (&str, Attribute<'_>)| Some((Arc::from(name), attributes::as_integer(bound)?));
        Limits { most: entries.into_iter().filter_map(bound).collect(), ..Limits::default() }
    }

    /// The attribute that declares them; none if there are none.
    pub fn attribute<'c>(&self, context: &'c Context) -> Option<Attribute<'c>> {
        let sorted: BTreeMap<&str, i64> = self.most.iter().map(|(name, bound)| (&**name, *bound)).collect();
        let entries: Vec<_> =
            sorted.into_iter().map(|(name, bound)| (name, attributes::integer(context, bound))).collect();
        (!entries.is_empty()).then(|| attributes::dictionary(context, &entries))
    }

    /// Declares them in a graph.
    pub fn set<'c>(graph: OperationRef<'c, '_>, attribute: Attribute<'c>) {
        graph.set(EXTENTS, attribute);
    }

    /// Those of other symbols, by name.
    pub fn without(&self, symbols: &HashSet<Arc<str>>) -> BTreeMap<Arc<str>, i64> {
        let others = self.most.iter().filter(|(name, _)| !symbols.contains(*name));
        others.map(|(name, bound)| (name.clone(), *bound)).collect()
    }

    /// Adds a symbol under a name that none has, and no model can write: `index.s~1`.
    pub fn declare_new(&mut self, symbol: &str, bound: i64) -> Arc<str> {
        let original = symbol.split('~').find(|part| !part.is_empty()).unwrap_or("extent");
        let mut number = self.most.len();
        let mut name: Arc<str> = format!("{original}~{number}").into();
        while self.most.contains_key(&name) {
            number += 1;
            name = format!("{original}~{number}").into();
        }
        self.most.insert(name.clone(), bound);
        name
    }

    /// The same where symbols have smallest values; none where one is above its largest.
    pub fn with_least(&self, least: BTreeMap<Arc<str>, i64>) -> Option<Limits> {
        let fits = least.iter().all(|(name, least)| self.get(name).is_none_or(|most| *least <= most));
        fits.then(|| Limits { least, ..self.clone() })
    }

    /// The same type with the bounds of its extents.
    pub fn bounded(&self, mut ty: TensorType) -> TensorType {
        for extent in ty.shape.iter_mut().filter(|extent| extent.as_known().is_none()) {
            extent.bound = self.upper_bound(&extent.value);
        }
        ty
    }

    /// The largest value of a symbol.
    pub fn get(&self, name: &str) -> Option<i64> {
        self.most.get(name).copied()
    }

    /// Notes which symbols inputs tell.
    pub fn note_told<'s>(&mut self, symbols: impl Iterator<Item = &'s str>) {
        self.rooms.extend(symbols.map(|symbol| (Arc::from(symbol), SymExpr::Symbol(symbol.into()))));
    }

    /// Notes that a symbol which data determine is at most as large as an expression.
    pub fn note_most(&mut self, symbol: &str, expr: &SymExpr) {
        if self.rooms.contains_key(symbol) {
            return;
        }
        let bound = self.get(symbol);
        let room = match bound.filter(|bound| *bound <= SMALL_ROOM) {
            Some(bound) => Some(SymExpr::Const(bound)),
            None => self.at_most(expr),
        };
        let lower = |room: &SymExpr| bound.filter(|bound| self.upper_bound(room).is_none_or(|most| *bound < most));
        let room = room.and_then(|room| match lower(&room) {
            Some(bound) => SymExpr::apply(SymOp::Min, vec![room, SymExpr::Const(bound)]),
            None => Some(room),
        });
        self.rooms.extend(room.map(|room| (Arc::from(symbol), room)));
    }

    /// What an expression is at most, by symbols that inputs tell, where that is known.
    pub fn at_most(&self, expr: &SymExpr) -> Option<SymExpr> {
        let is_told = |name: &str| matches!(self.rooms.get(name), Some(SymExpr::Symbol(told)) if **told == *name);
        let growing = expr.growing(&|name| !is_told(name))?;
        let mut has_rooms = true;
        growing.symbols(&mut |symbol| has_rooms &= self.rooms.contains_key(symbol));
        if has_rooms { growing.substitute(&|name| self.rooms.get(name).cloned()) } else { None }
    }

    /// What a symbol is at most: by those that inputs tell, or its bound.
    pub fn room(&self, symbol: &str) -> Option<SymExpr> {
        self.rooms.get(symbol).cloned().or_else(|| self.get(symbol).map(SymExpr::Const))
    }

    /// Notes a condition without which nothing is computed.
    pub fn note_holds(&mut self, condition: &SymExpr) {
        let SymExpr::Apply(op, parts) = condition else { return };
        match (op, parts.as_slice()) {
            (SymOp::And, parts) => parts.iter().for_each(|part| self.note_holds(part)),
            (SymOp::Eq, [a, b]) => self.required.extend([a.minus(b), b.minus(a)].into_iter().flatten()),
            (SymOp::Le, [a, b]) => self.required.extend(b.minus(a)),
            (SymOp::Lt, [a, b]) => self.required.extend(b.minus(a).and_then(|more| more.minus(&SymExpr::Const(1)))),
            _ => {}
        }
    }

    /// Whether an expression is nowhere negative.
    pub fn is_never_negative(&self, expr: &SymExpr) -> bool {
        // What is required helps where terms vanish with it.
        let is_less = |rest: &SymExpr| terms(rest) < terms(expr);
        let mut rests = self.required.iter().filter_map(|required| expr.minus(required)).filter(is_less);
        self.has_no_negative(expr) || rests.any(|rest| self.has_no_negative(&rest))
    }

    fn has_no_negative(&self, expr: &SymExpr) -> bool {
        if self.least.is_empty() {
            return expr.is_never_negative(&|name| self.get(name));
        }
        // What a symbol is above its smallest value has no other limits than any symbol.
        let least = |name: &str| self.least.get(name).copied();
        let above = |name: &str| SymExpr::Symbol(name.into()).plus(&SymExpr::Const(least(name)?));
        let left = |name: &str| self.get(name).map(|most| most - least(name).unwrap_or(0));
        expr.substitute(&above).is_some_and(|expr| expr.is_never_negative(&left))
    }

    /// Whether `a <= b` wherever both have values.
    pub fn is_at_most(&self, a: &SymExpr, b: &SymExpr) -> bool {
        b.minus(a).is_some_and(|difference| self.is_never_negative(&difference))
    }

    /// The expression, or 0 where it is negative.
    pub fn not_negative(&self, expr: SymExpr) -> Option<SymExpr> {
        let zero = SymExpr::Const(0);
        if self.is_at_most(&expr, &zero) {
            Some(zero)
        } else if self.is_never_negative(&expr) {
            Some(expr)
        } else {
            SymExpr::apply(SymOp::Max, vec![expr, zero])
        }
    }

    /// The largest value.
    pub fn upper_bound(&self, expr: &SymExpr) -> Option<i64> {
        expr.upper_bound(&|name| self.get(name))
    }

    /// A value that a run might find.
    pub fn estimate(&self, expr: &SymExpr) -> Option<i64> {
        expr.evaluate(&|name| Some(self.get(name).map_or(TYPICAL, |bound| bound.min(TYPICAL))))
    }
}

/// How many terms a sum has.
fn terms(expr: &SymExpr) -> usize {
    match expr {
        SymExpr::Const(0) => 0,
        SymExpr::Sum(terms) => terms.len(),
        _ => 1,
    }
}

/// The bound of an extent that is just a symbol.
fn declared_bound(extent: &Extent) -> Option<(Arc<str>, i64)> {
    match &extent.value {
        SymExpr::Symbol(name) => Some((name.clone(), extent.bound?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_just_a_symbol_declares_its_bound() {
        let extent = |text: &str, bound| Extent { value: text.parse().unwrap(), bound: Some(bound) };
        assert_eq!(declared_bound(&extent("n", 6)), Some(("n".into(), 6)));
        assert_eq!(declared_bound(&extent("2 * n", 6)), None);
    }

    #[test]
    fn what_data_determine_is_told_by_inputs() {
        let parsed = |text: &str| text.parse::<SymExpr>().unwrap();
        let mut limits = Limits::default();
        let bounds = [("n", i64::MAX >> 1), ("found", i64::MAX >> 1), ("few", 9), ("less", 1 << 20), ("other", 7)];
        limits.most.extend(bounds.map(|(name, bound)| (Arc::from(name), bound)));
        limits.note_told(["n"].into_iter());
        limits.note_most("found", &parsed("2 * n"));
        limits.note_most("few", &parsed("n"));
        limits.note_most("less", &parsed("n + found"));
        let most = |text: &str| limits.at_most(&parsed(text)).map(|most| most.to_string());
        assert_eq!(most("found + 1"), Some("2 * n + 1".into()));
        assert_eq!(most("n - found"), Some("n".into()));
        assert_eq!(most("few"), Some("9".into()), "a bound that is small is as good");
        assert_eq!(most("less"), Some(parsed("3 * n << 1048576").to_string()));
        assert_eq!((most("n / found"), most("other")), (None, None));
        assert_eq!(limits.room("other"), Some(SymExpr::Const(7)));
    }

    #[test]
    fn extents_are_never_negative() {
        let n = SymExpr::Symbol("n".into());
        let less = n.minus(&SymExpr::Const(3)).unwrap();
        let mut limits = Limits::default();
        assert!(limits.is_never_negative(&n) && !limits.is_never_negative(&less));
        assert_eq!(limits.not_negative(less.clone()).unwrap().to_string(), "0 >> n - 3");
        limits.most.insert("n".into(), 3);
        assert_eq!(limits.not_negative(less), Some(SymExpr::Const(0)));
        assert!(limits.is_at_most(&n, &SymExpr::Const(3)));
    }

    #[test]
    fn what_is_required_is_known() {
        let parsed = |text: &str| text.parse::<SymExpr>().unwrap();
        let mut limits = Limits::default();
        let (volume, extent) = (parsed("4 * h * w"), parsed("n * m"));
        assert!(!limits.is_at_most(&volume, &extent));
        limits.note_holds(&parsed("4 * h * w == n * m && n < m"));
        assert!(limits.is_at_most(&volume, &extent) && limits.is_at_most(&extent, &volume));
        assert!(!limits.is_at_most(&parsed("4 * h * w + 1"), &extent));
        assert!(limits.is_at_most(&parsed("n"), &parsed("m")) && !limits.is_at_most(&parsed("m"), &parsed("n")));
    }

    #[test]
    fn smallest_values_are_known_of_sums() {
        let n = SymExpr::Symbol("n".into());
        let least = |least: i64| [("n".into(), least)].into_iter().collect();
        let mut limits = Limits::default();
        limits.most.insert("n".into(), 5);
        assert!(limits.with_least(least(6)).is_none());
        let limits = limits.with_least(least(3)).unwrap();
        assert!(limits.is_at_most(&SymExpr::Const(3), &n) && !limits.is_at_most(&SymExpr::Const(4), &n));
        assert!(limits.is_at_most(&n, &SymExpr::Const(5)) && !limits.is_at_most(&n, &SymExpr::Const(4)));
    }
}
