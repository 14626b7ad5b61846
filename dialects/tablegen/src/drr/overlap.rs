//! Patterns that never apply, and such that are told apart by their order alone.

use std::collections::{HashMap, HashSet};

use super::index::{Features, Fit, Index};
use super::model::{AttributeMatch, AttributeTest, OperandMatch, Pattern, SourceOperation};
use crate::error::Diagnostic;

/// What is said of patterns, which stand in the order in which they are tried.
pub struct Told {
    /// The warnings.
    pub warnings: Vec<Diagnostic>,
    /// Those that never apply.
    pub never: HashSet<usize>,
}

/// Compares each pattern with those that go before it.
pub fn told(patterns: &[Pattern]) -> Told {
    let mut told = Told { warnings: Vec::new(), never: HashSet::new() };
    let earlier = Earlier::new(patterns);
    for (index, late) in patterns.iter().enumerate() {
        if let Some(early) = earlier.covering(index) {
            let message = format!(
                "pattern '{}' never applies: '{}' matches whatever it matches and goes first",
                late.name, early.name
            );
            told.never.insert(index);
            told.warnings.push(beside(early, Diagnostic::warning(late.place.clone(), message)));
        } else if let Some(early) = earlier.meeting(index) {
            let message = format!(
                "patterns '{}' and '{}' of benefit {} may match at one operation: the first of the file goes first",
                early.definition, late.definition, late.benefit
            );
            told.warnings.push(beside(early, Diagnostic::warning(late.place.clone(), message)));
        }
    }
    told
}

/// A warning about two patterns, with the place of the first.
fn beside(early: &Pattern, warning: Diagnostic) -> Diagnostic {
    match early.place.position() {
        Some((file, line, column)) => warning.note(format!("'{}' stands at {file}:{line}:{column}", early.definition)),
        None => warning,
    }
}

/// The patterns as they are looked for.
struct Earlier<'p> {
    patterns: &'p [Pattern],
    /// What each fixes, and what it asks for.
    features: Vec<(Features, Features)>,
    /// Those that match without a condition.
    plain: Index,
    /// All, by their benefits.
    equal: HashMap<i64, Index>,
}

impl<'p> Earlier<'p> {
    fn new(patterns: &'p [Pattern]) -> Self {
        let of = |pattern: &Pattern| (Features::fixed(&pattern.source), Features::asked(&pattern.source));
        let features: Vec<_> = patterns.iter().map(of).collect();
        let is_plain = |index: &usize| {
            let pattern: &Pattern = &patterns[*index];
            pattern.constraints.is_empty() && !repeats(&pattern.source)
        };
        let plain = (0..patterns.len()).filter(is_plain).map(|index| (index, &features[index].1)).collect();
        let mut equal: HashMap<i64, Vec<(usize, &Features)>> = HashMap::new();
        for (index, pattern) in patterns.iter().enumerate() {
            equal.entry(pattern.benefit).or_default().push((index, &features[index].0));
        }
        let plain = Index::new(plain);
        let equal = equal.into_iter().map(|(benefit, patterns)| (benefit, Index::new(patterns))).collect();
        Self { patterns, features, plain, equal }
    }

    /// The first that matches whatever this one does, without a condition.
    fn covering(&self, index: usize) -> Option<&'p Pattern> {
        let late = &self.patterns[index];
        let accepts = |early: usize| {
            let early = &self.patterns[early];
            early.definition != late.definition && covers(&early.source, &late.source)
        };
        let found = self.plain.first(Fit::Covers, &self.features[index].1, index, &accepts);
        found.map(|early| &self.patterns[early])
    }

    /// The first of the same benefit that may match where this one does.
    fn meeting(&self, index: usize) -> Option<&'p Pattern> {
        let late = &self.patterns[index];
        let accepts = |early: usize| {
            let early = &self.patterns[early];
            // Those of one text are told apart by what it is given.
            early.place != late.place && overlap(&early.source, &late.source)
        };
        let found = self.equal.get(&late.benefit)?.first(Fit::Meets, &self.features[index].0, index, &accepts);
        found.map(|early| &self.patterns[early])
    }
}

/// Whether the more general pattern matches whatever the other one does.
pub fn covers(general: &SourceOperation, special: &SourceOperation) -> bool {
    general.operation == special.operation
        && general.operands.iter().zip(&special.operands).all(|(general, special)| match (general, special) {
            (OperandMatch::Capture { constraint: None, .. }, _) => true,
            (
                OperandMatch::Capture { constraint: Some(left), .. },
                OperandMatch::Capture { constraint: Some(right), .. },
            ) => left == right,
            (OperandMatch::Nested(general), OperandMatch::Nested(special)) => covers(general, special),
            _ => false,
        })
        && general.attributes.iter().zip(&special.attributes).all(|(general, special)| {
            match (&general.test, &special.test) {
                (None, _) => true,
                (Some(AttributeTest::Constant(left)), Some(AttributeTest::Constant(right))) => left == right,
                (Some(AttributeTest::Absent), Some(AttributeTest::Absent)) => true,
                (Some(AttributeTest::Constraint(left)), Some(AttributeTest::Constraint(right))) => left == right,
                _ => false,
            }
        })
}

/// Whether a name stands twice, which compares.
fn repeats(source: &SourceOperation) -> bool {
    let mut names = Vec::new();
    collect(source, &mut names);
    names.sort();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

fn collect(source: &SourceOperation, names: &mut Vec<String>) {
    names.extend(source.symbol.iter().map(|symbol| symbol.name.clone()));
    names.extend(
        source.attributes.iter().filter_map(|attribute| attribute.symbol.as_ref()).map(|symbol| symbol.name.clone()),
    );
    source.operands.iter().for_each(|operand| collect_operand(operand, names));
}

fn collect_operand(operand: &OperandMatch, names: &mut Vec<String>) {
    match operand {
        OperandMatch::Capture { symbol, .. } => names.extend(symbol.iter().map(|symbol| symbol.name.clone())),
        OperandMatch::Nested(source) => collect(source, names),
        OperandMatch::Group { items, .. } => items.iter().for_each(|item| collect_operand(item, names)),
        OperandMatch::Native(_) => {}
    }
}

/// Whether an operation may be matched by both, as far as operations, constants and numbers of operands tell.
fn overlap(left: &SourceOperation, right: &SourceOperation) -> bool {
    left.operation == right.operation
        && left.operands.iter().zip(&right.operands).all(|(left, right)| operands_overlap(left, right))
        && left.attributes.iter().zip(&right.attributes).all(|(left, right)| attributes_overlap(left, right))
}

fn operands_overlap(left: &OperandMatch, right: &OperandMatch) -> bool {
    match (left, right) {
        (OperandMatch::Nested(left), OperandMatch::Nested(right)) => overlap(left, right),
        (OperandMatch::Group { items: left, .. }, OperandMatch::Group { items: right, .. }) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| operands_overlap(left, right))
        }
        (OperandMatch::Group { items, .. }, OperandMatch::Nested(_))
        | (OperandMatch::Nested(_), OperandMatch::Group { items, .. }) => items.len() == 1,
        _ => true,
    }
}

fn attributes_overlap(left: &AttributeMatch, right: &AttributeMatch) -> bool {
    match (&left.test, &right.test) {
        (Some(AttributeTest::Constant(left)), Some(AttributeTest::Constant(right))) => left == right,
        (Some(AttributeTest::Absent), Some(AttributeTest::Constant(_)))
        | (Some(AttributeTest::Constant(_)), Some(AttributeTest::Absent)) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{drr, records::Records};

    /// Rules about one operation that differ in constants, inner operations, constraints, groups and benefits.
    fn rules() -> String {
        let operands =
            ["$x", "F32:$x", "(Neg $x)", "(Neg (Neg $x))", "(Neg F32:$x)", "(variadic $x)", "(variadic $x, $y)"];
        let attributes =
            ["$a", "I64Attr:$a", "ConstantAttr<I64Attr, \"1\">", "ConstantAttr<I64Attr, \"2\">", "IsNullAttr"];
        let mut text = String::from(
            "include \"mlir/IR/PatternBase.td\"\ninclude \"mlir/IR/CommonAttrConstraints.td\"\n\
             include \"mlir/IR/Constraints.td\"\ninclude \"mlir/IR/OpBase.td\"\n\
             def T : Dialect { let name = \"t\"; }\n\
             def Neg : Op<T, \"neg\"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$y); }\n\
             def Cat : Op<T, \"cat\"> { let arguments = (ins Variadic<AnyType>:$xs, OptionalAttr<I64Attr>:$a);\n\
             let results = (outs AnyType:$y); }\n",
        );
        let mut state = 1u32;
        let mut pick = |count: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize % count
        };
        for number in 0..300 {
            let (operand, attribute) = (operands[pick(operands.len())], attributes[pick(attributes.len())]);
            let benefit = pick(3);
            text.push_str(&format!(
                "def P{number} : Pat<(Cat:$c {operand}, {attribute}), (NativeCodeCall<\"f\">), [], [], (addBenefit {benefit})>;\n"
            ));
        }
        text
    }

    #[test]
    fn what_is_found_is_what_comparing_all_finds() {
        let records = Records::from_text(&rules(), "rules.td", &crate::search_path(std::path::Path::new("r.td"), &[]));
        let (mut patterns, _) = drr::patterns(&records.unwrap()).unwrap();
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.benefit));
        let earlier = Earlier::new(&patterns);
        let name = |found: Option<&Pattern>| found.map(|pattern| pattern.name.clone());
        for (index, late) in patterns.iter().enumerate() {
            let covering = patterns[..index].iter().find(|early| {
                early.constraints.is_empty() && !repeats(&early.source) && covers(&early.source, &late.source)
            });
            assert_eq!(name(earlier.covering(index)), name(covering), "{}", late.name);
            let mut before = patterns[..index].iter();
            let meeting = before.find(|early| early.benefit == late.benefit && overlap(&early.source, &late.source));
            assert_eq!(name(earlier.meeting(index)), name(meeting), "{}", late.name);
        }
        assert!(told(&patterns).warnings.len() > 100);
    }
}
