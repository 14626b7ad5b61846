//! What differs among runs, or depends on extents of the graph: extents that an operator's inputs tell, and its attributes.

use crate::extent::Extent;
use crate::translate::names::Names;
use skriptnd_syntax::ast::BinaryOp;
use skriptnd_syntax::build::{Attribute, Element, Expression};

/// The attribute whose items are extents.
const SHAPE: &str = "shape";

/// So many symbols are tried as factors of others.
const MOST_FACTORS: usize = 8;

/// What an expression is in each of the runs.
pub(super) type Forms<'e> = [&'e Expression];

/// A name of an operator for what its applications tell.
#[derive(Debug)]
struct Symbol {
    name: String,
    /// What it is in each run.
    forms: Vec<Expression>,
    /// Its type, where it is an attribute.
    attribute: Option<(Element, bool)>,
}

/// The names of an operator for what its applications tell.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    known: Vec<Symbol>,
}

impl Symbols {
    /// An extent of an input: what it is in all runs, or a name that it tells.
    pub fn told(&mut self, forms: &Forms<'_>, like: &[&str], names: &mut Names) -> Option<Expression> {
        if let Some(found) = self.simple(forms) {
            return Some(found);
        }
        if !forms.iter().all(|form| is_extent(form)) {
            return None;
        }
        let name = match forms[0] {
            Expression::Name(name) if is_uniform(forms) => names.fresh(name),
            _ => names.name_of(like),
        };
        Some(self.add(name, forms, None))
    }

    /// An extent of an output: also a multiple of what inputs tell.
    pub fn given(&mut self, forms: &Forms<'_>, names: &mut Names) -> Option<Expression> {
        self.simple(forms).or_else(|| self.multiple(forms)).or_else(|| self.extent(forms, "extent", names))
    }

    /// An extent or a whole number; an attribute where nothing else tells it.
    pub fn extent(&mut self, forms: &Forms<'_>, like: &str, names: &mut Names) -> Option<Expression> {
        if let Some(found) = self.found(forms) {
            return Some(found);
        }
        if !forms.iter().all(|form| is_extent(form)) {
            return None;
        }
        let like = match (forms[0], is_uniform(forms)) {
            (Expression::Name(name), true) => name,
            (Expression::Binary(operation, ..), true) => {
                let (left, right) = sides(forms, *operation)?;
                let left = self.extent(&left, like, names)?;
                return Some(Expression::binary(*operation, left, self.extent(&right, like, names)?));
            }
            _ => like,
        };
        let name = names.fresh(like);
        Some(self.add(name, forms, Some((Element::Int, false))))
    }

    /// The value of an attribute, or a number among operands.
    pub fn value(&mut self, forms: &Forms<'_>, like: &str, names: &mut Names) -> Option<Expression> {
        if is_uniform(forms) && is_literal(forms[0]) {
            return Some(forms[0].clone());
        }
        let lists: Option<Vec<&[Expression]>> =
            forms.iter().map(|form| if let Expression::List(items) = form { Some(&items[..]) } else { None }).collect();
        let Some(lists) = lists else { return self.number(forms, like, names) };
        let length = lists[0].len();
        if lists.iter().any(|list| list.len() != length) {
            return None;
        }
        let item = |at: usize| lists.iter().map(|list| &list[at]).collect::<Vec<_>>();
        let found: Option<Vec<Expression>> = (0..length).map(|at| self.found(&item(at))).collect();
        if let Some(found) = found {
            return Some(Expression::List(found));
        }
        // Extents are named one by one.
        let element = |at: usize| literals(&item(at));
        if let Some(element) =
            element(0).filter(|_| like != SHAPE).filter(|first| (0..length).all(|at| element(at) == Some(*first)))
        {
            return Some(self.attribute(forms, like, (element, true), names));
        }
        let items: Option<Vec<Expression>> = (0..length).map(|at| self.extent(&item(at), "extent", names)).collect();
        items.map(Expression::List)
    }

    fn number(&mut self, forms: &Forms<'_>, like: &str, names: &mut Names) -> Option<Expression> {
        match literals(forms) {
            Some(Element::Real) => Some(self.attribute(forms, like, (Element::Real, false), names)),
            _ => self.extent(forms, like, names),
        }
    }

    /// The attributes, with what they are in each run.
    pub fn attributes(&self) -> impl Iterator<Item = (Attribute, &[Expression])> {
        self.known.iter().filter_map(|symbol| {
            let (element, is_list) = symbol.attribute?;
            Some((Attribute { name: symbol.name.clone(), element, is_list }, &symbol.forms[..]))
        })
    }

    fn attribute(&mut self, forms: &Forms<'_>, like: &str, r#type: (Element, bool), names: &mut Names) -> Expression {
        self.known_as(forms).unwrap_or_else(|| self.add(names.fresh(like), forms, Some(r#type)))
    }

    fn add(&mut self, name: String, forms: &Forms<'_>, attribute: Option<(Element, bool)>) -> Expression {
        let forms = forms.iter().map(|form| (*form).clone()).collect();
        self.known.push(Symbol { name: name.clone(), forms, attribute });
        Expression::Name(name)
    }

    /// The symbol that is that in each run.
    fn known_as(&self, forms: &Forms<'_>) -> Option<Expression> {
        let is_same = |symbol: &&Symbol| symbol.forms.iter().eq(forms.iter().copied());
        self.known.iter().find(is_same).map(|symbol| Expression::Name(symbol.name.clone()))
    }

    /// What is the same number in all runs, or has a name.
    fn simple(&self, forms: &Forms<'_>) -> Option<Expression> {
        let is_number = matches!(forms[0], Expression::Int(_)) && is_uniform(forms);
        if is_number { Some(forms[0].clone()) } else { self.known_as(forms) }
    }

    /// What the names that there are say of an extent.
    fn found(&self, forms: &Forms<'_>) -> Option<Expression> {
        self.simple(forms).or_else(|| self.product(forms)).or_else(|| {
            let Expression::Binary(operation, ..) = forms[0] else { return None };
            let (left, right) = sides(forms, *operation)?;
            Some(Expression::binary(*operation, self.found(&left)?, self.found(&right)?))
        })
    }

    /// A product of two or three extents in all runs, or a part of one where that is so for whatever the extents of the graph are.
    fn product(&self, forms: &Forms<'_>) -> Option<Expression> {
        let wanted: Vec<Extent> = forms.iter().map(|form| extent_of(form)).collect::<Option<_>>()?;
        let is_open = wanted.iter().all(|extent| extent.known().is_none());
        let told = self.known.iter().filter(|symbol| symbol.attribute.is_none()).filter_map(|symbol| {
            let forms: Option<Vec<Extent>> = symbol.forms.iter().map(extent_of).collect();
            Some((symbol.name.as_str(), forms?))
        });
        let factors: Vec<(&str, Vec<Extent>)> = told.take(MOST_FACTORS).collect();
        for chosen in choices(factors.len()) {
            let of_run = |run: usize| chosen.iter().fold(Extent::from(1), |made, at| made.mul(&factors[*at].1[run]));
            let part = of_run(0)
                .div(&wanted[0])
                .and_then(|part| part.known())
                .filter(|part| *part == 1 || is_open && *part > 1);
            let Some(part) = part else { continue };
            if (0..wanted.len()).all(|run| wanted[run].mul(&Extent::from(part)) == of_run(run)) {
                let names = chosen.iter().map(|at| Expression::name(factors[*at].0));
                let product = names.reduce(|left, right| Expression::binary(BinaryOp::Mul, left, right))?;
                let part = (part > 1).then_some(Expression::Int(part));
                return Some(match part {
                    Some(part) => Expression::binary(BinaryOp::Div, product, part),
                    None => product,
                });
            }
        }
        None
    }

    /// A multiple of a named extent in all runs, or a part of one.
    fn multiple(&self, forms: &Forms<'_>) -> Option<Expression> {
        let wanted = numbers(forms.iter().copied())?;
        self.known.iter().find_map(|symbol| {
            let told = numbers(symbol.forms.iter())?;
            let name = Expression::Name(symbol.name.clone());
            if let Some(factor) = factor(&wanted, &told) {
                return Some(Expression::binary(BinaryOp::Mul, Expression::Int(factor), name));
            }
            let factor = factor(&told, &wanted)?;
            Some(Expression::binary(BinaryOp::Div, name, Expression::Int(factor)))
        })
    }
}

/// Two or three of so many, in order.
fn choices(count: usize) -> Vec<Vec<usize>> {
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| vec![first, second]));
    let thirds = |pair: Vec<usize>| (pair[1] + 1..count).map(move |third| [pair.clone(), vec![third]].concat());
    pairs.clone().chain(pairs.flat_map(thirds)).collect()
}

/// The extent that an expression is.
fn extent_of(form: &Expression) -> Option<Extent> {
    match form {
        Expression::Int(value) => Some(Extent::from(*value)),
        Expression::Name(name) => Some(Extent::symbol(name.as_str())),
        Expression::Binary(operation, left, right) => {
            let (left, right) = (extent_of(left)?, extent_of(right)?);
            match operation {
                BinaryOp::Add => Some(left.add(&right)),
                BinaryOp::Sub => Some(left.sub(&right)),
                BinaryOp::Mul => Some(left.mul(&right)),
                BinaryOp::Div => left.div(&right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The sides of expressions that are all the same operation.
fn sides<'e>(forms: &Forms<'e>, operation: BinaryOp) -> Option<(Vec<&'e Expression>, Vec<&'e Expression>)> {
    let sides = forms.iter().map(|form| match form {
        Expression::Binary(other, left, right) if *other == operation => Some((&**left, &**right)),
        _ => None,
    });
    sides.collect()
}

/// What numbers are others times, if that is the same everywhere.
fn factor(products: &[i64], factors: &[i64]) -> Option<i64> {
    let factor = products[0].checked_div(factors[0]).filter(|factor| *factor > 1)?;
    let is_product = |(product, other): (&i64, &i64)| *other > 0 && other.checked_mul(factor) == Some(*product);
    products.iter().zip(factors).all(is_product).then_some(factor)
}

fn numbers<'e>(forms: impl Iterator<Item = &'e Expression>) -> Option<Vec<i64>> {
    forms.map(|form| if let Expression::Int(value) = form { Some(*value) } else { None }).collect()
}

fn is_uniform(forms: &Forms<'_>) -> bool {
    forms.iter().all(|form| *form == forms[0])
}

fn is_literal(form: &Expression) -> bool {
    match form {
        Expression::Name(_) | Expression::Binary(..) => false,
        Expression::List(items) => items.iter().all(is_literal),
        _ => true,
    }
}

/// The type that literals have.
fn literals(forms: &Forms<'_>) -> Option<Element> {
    let is_int = forms.iter().all(|form| matches!(form, Expression::Int(_)));
    let is_real = forms.iter().all(|form| matches!(form, Expression::Real(_)));
    if is_int { Some(Element::Int) } else { is_real.then_some(Element::Real) }
}

/// Whether an expression is a whole number that is known before a run, or is made of the graph's extents.
fn is_extent(form: &Expression) -> bool {
    match form {
        Expression::Int(_) => true,
        Expression::Name(name) => !name.contains(['.', '[']),
        Expression::Binary(_, left, right) => is_extent(left) && is_extent(right),
        _ => false,
    }
}
