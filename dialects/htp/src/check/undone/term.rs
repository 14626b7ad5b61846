//! Matches and replacements as terms over what the tags of a match name.

use crate::grammar::model::*;
use crate::grammar::write::Writer;

/// An op of a graph with all that it takes, as far as a rule tells it.
#[derive(Debug, Clone)]
pub enum Term<'r> {
    /// What a tag of the first match names.
    Leaf(&'r str),
    /// A constant, by its text.
    Constant(String),
    /// An op of this name, and what it takes. `tag` names it in the first match; a `typed` one may have another output than such an
    /// op has there.
    Op { name: String, operands: Vec<Term<'r>>, tag: Option<&'r str>, typed: bool },
}

/// Terms are the same if all graphs that they stand for are.
impl PartialEq for Term<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Term::Leaf(one), Term::Leaf(other)) => one == other,
            (Term::Constant(one), Term::Constant(other)) => one == other,
            (
                Term::Op { name, operands, typed: false, .. },
                Term::Op { name: other, operands: others, typed: false, .. },
            ) => name == other && operands == others,
            _ => false,
        }
    }
}

impl<'r> Term<'r> {
    /// The name of an op, with its package.
    pub fn name(&self) -> Option<&str> {
        if let Term::Op { name, .. } = self { Some(name) } else { None }
    }

    /// The ops within it, by the operands that lead to them.
    pub fn places(&self) -> Vec<Vec<usize>> {
        let Term::Op { operands, .. } = self else { return Vec::new() };
        let mut places = vec![Vec::new()];
        for (index, operand) in operands.iter().enumerate() {
            places.extend(operand.places().into_iter().map(|rest| [&[index], rest.as_slice()].concat()));
        }
        places
    }

    /// What stands at a place.
    pub fn at(&self, place: &[usize]) -> Option<&Term<'r>> {
        let Some((first, rest)) = place.split_first() else { return Some(self) };
        match self {
            Term::Op { operands, .. } => operands.get(*first)?.at(rest),
            _ => None,
        }
    }

    /// The same with something else at a place.
    pub fn with(&self, place: &[usize], new: Term<'r>) -> Term<'r> {
        let Some((first, rest)) = place.split_first() else { return new };
        let mut changed = self.clone();
        if let Term::Op { operands, .. } = &mut changed
            && let Some(operand) = operands.get_mut(*first)
        {
            *operand = operand.with(rest, new);
        }
        changed
    }
}

/// A rule whose match and replacement are terms.
pub struct Terms<'r> {
    rule: &'r Rule,
    root: String,
    /// The match.
    pub matched: Term<'r>,
    /// What is made of it.
    pub made: Term<'r>,
}

/// The tags of a rule that name something of the first match, with its name.
type Named<'r> = Vec<(&'r str, Option<&'r str>)>;

/// What the tags of a rule are in a term.
type Bound<'r, 't> = Vec<(&'r str, &'t Term<'r>)>;

impl<'r> Terms<'r> {
    /// Of a rule; `None` where the rule tells only a part of what it matches or makes.
    pub fn of(rule: &'r Rule) -> Option<Self> {
        let matched = matched(&rule.pattern, &rule.pattern, &rule.package, 0)?;
        let root = rule.pattern.name.qualified(&rule.package);
        let mut terms = Terms { rule, root, made: matched.clone(), matched };
        terms.made = terms.apply(&terms.matched.clone())?.0;
        Some(terms)
    }

    /// The name of the root, with its package.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// What the rule makes of a term that it matches; with the tags of the rule that name something of the first match.
    pub fn apply(&self, term: &Term<'r>) -> Option<(Term<'r>, Named<'r>)> {
        let mut bound = Bound::new();
        if !matches(&self.rule.pattern, &self.rule.package, term, &mut bound) {
            return None;
        }
        let making = Making { package: &self.rule.package, root: term, bound: &bound };
        let mut made = making.part(&self.rule.replacement, false)?;
        // What takes the root's place has its output, whatever modifiers say.
        if let (Term::Op { typed, .. }, Term::Op { typed: of_root, .. }) = (&mut made, term) {
            *typed = *of_root;
        }
        let name = |term: &Term<'r>| match term {
            Term::Leaf(tag) => Some(*tag),
            Term::Op { tag, .. } => *tag,
            Term::Constant(_) => None,
        };
        Some((made, bound.iter().map(|(tag, term)| (*tag, name(term))).collect()))
    }
}

/// Ops of a match within each other: terms of deeper ones are left out.
const DEEPEST: usize = 16;

fn matched<'r>(op: &'r MatchOp, whole: &'r MatchOp, package: &str, depth: usize) -> Option<Term<'r>> {
    if op.open || depth > DEEPEST {
        return None;
    }
    let operand = |operand: &'r MatchOperand| match operand {
        MatchOperand::Op(inner) => matched(inner, whole, package, depth + 1),
        // A tag may stand for an op that is named elsewhere.
        MatchOperand::Tag(tag, _) => match named(whole, tag) {
            Some(inner) => matched(inner, whole, package, depth + 1),
            None => Some(Term::Leaf(tag)),
        },
    };
    let operands = op.operands.iter().map(operand).collect::<Option<Vec<_>>>()?;
    let name = op.name.qualified(package);
    Some(Term::Op { name, operands, tag: op.tag.as_deref(), typed: false })
}

fn named<'r>(within: &'r MatchOp, tag: &str) -> Option<&'r MatchOp> {
    if within.tag.as_deref() == Some(tag) {
        return Some(within);
    }
    within.operands.iter().find_map(|operand| match operand {
        MatchOperand::Op(op) => named(op, tag),
        MatchOperand::Tag(..) => None,
    })
}

fn matches<'r, 't>(pattern: &'r MatchOp, package: &str, term: &'t Term<'r>, bound: &mut Bound<'r, 't>) -> bool {
    let Term::Op { name, operands, .. } = term else { return false };
    let fits = !pattern.open && pattern.operands.len() == operands.len() && pattern.name.qualified(package) == *name;
    let bind = |bound: &mut Bound<'r, 't>, tag: &'r str, term: &'t Term<'r>| match bound
        .iter()
        .find(|(known, _)| *known == tag)
    {
        Some((_, known)) => *known == term,
        None => {
            bound.push((tag, term));
            true
        }
    };
    fits && pattern.tag.as_ref().is_none_or(|tag| bind(bound, tag, term))
        && pattern.operands.iter().zip(operands).all(|(operand, term)| match operand {
            MatchOperand::Tag(tag, _) => bind(bound, tag, term),
            MatchOperand::Op(inner) => matches(inner, package, term, bound),
        })
}

struct Making<'m, 'r, 't> {
    package: &'m str,
    root: &'t Term<'r>,
    bound: &'m Bound<'r, 't>,
}

impl<'r> Making<'_, 'r, '_> {
    /// `typed`: whether a modifier around it gives it another output than the root has.
    fn part(&self, part: &Replacement, typed: bool) -> Option<Term<'r>> {
        match &part.kind {
            ReplacementKind::Existing(operand) => match &operand.kind {
                OperandRefKind::Root => Some(self.root.clone()),
                OperandRefKind::Tag(tag) => {
                    self.bound.iter().find(|(known, _)| known == tag).map(|(_, term)| (*term).clone())
                }
                _ => None,
            },
            ReplacementKind::Op(name, operands) if !name.text.starts_with('$') => {
                let operands = operands.iter().map(|operand| self.part(operand, typed)).collect::<Option<Vec<_>>>()?;
                Some(self.op(name, operands, typed))
            }
            ReplacementKind::Wrap(name, inner, always) => {
                let inner = self.part(inner, typed)?;
                let is_one = inner.name() == Some(&name.qualified(self.package));
                Some(if is_one && !always { inner } else { self.op(name, vec![inner], typed) })
            }
            ReplacementKind::Constant(_) => {
                // What asks the graph asks other nodes in other terms.
                let text = Writer { package: "", renamed: &[] }.replacement(part);
                (!text.contains('"')).then_some(Term::Constant(text))
            }
            ReplacementKind::Modified(modifier, body) => match modifier {
                Modifier::SameId(_) | Modifier::SplitHistory(..) => self.part(body, typed),
                Modifier::MultiOut(_) => None,
                _ => self.part(body, true),
            },
            _ => None,
        }
    }

    fn op(&self, name: &OpName, operands: Vec<Term<'r>>, typed: bool) -> Term<'r> {
        Term::Op { name: name.qualified(self.package), operands, tag: None, typed }
    }
}
