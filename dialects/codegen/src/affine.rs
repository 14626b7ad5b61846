//! Affine maps as plain Rust values. Indexing maps come from attributes as text, are analysed and changed here, and go
//! back as text; nothing else in this crate looks inside an affine expression.

use std::fmt;

/// An affine expression over the dimensions of an iteration space. Divisors are positive constants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A dimension.
    Dim(usize),
    /// A constant.
    Const(i64),
    /// A sum.
    Add(Box<Expr>, Box<Expr>),
    /// A product with a constant.
    Mul(Box<Expr>, i64),
    /// A quotient, rounded down.
    FloorDiv(Box<Expr>, i64),
    /// A remainder that is not negative.
    Mod(Box<Expr>, i64),
}

impl Expr {
    /// The sum of two expressions.
    pub fn plus(self, other: Expr) -> Expr {
        match (self, other) {
            (Expr::Const(0), expr) | (expr, Expr::Const(0)) => expr,
            (Expr::Const(a), Expr::Const(b)) => Expr::Const(a + b),
            (a, b) => Expr::Add(Box::new(a), Box::new(b)),
        }
    }

    /// The product with a constant.
    pub fn times(self, factor: i64) -> Expr {
        match (self, factor) {
            (_, 0) => Expr::Const(0),
            (expr, 1) => expr,
            (Expr::Const(value), factor) => Expr::Const(value * factor),
            (expr, factor) => Expr::Mul(Box::new(expr), factor),
        }
    }

    /// The dimension, if the expression is nothing else.
    pub fn as_dim(&self) -> Option<usize> {
        match self {
            Expr::Dim(dim) => Some(*dim),
            _ => None,
        }
    }

    /// Whether the dimension occurs.
    pub fn uses(&self, dim: usize) -> bool {
        match self {
            Expr::Dim(other) => *other == dim,
            Expr::Const(_) => false,
            Expr::Add(a, b) => a.uses(dim) || b.uses(dim),
            Expr::Mul(a, _) | Expr::FloorDiv(a, _) | Expr::Mod(a, _) => a.uses(dim),
        }
    }

    /// The expression with other expressions for its dimensions; none if a dimension has no replacement.
    pub fn substitute(&self, dims: &[Expr]) -> Option<Expr> {
        Some(match self {
            Expr::Dim(dim) => dims.get(*dim)?.clone(),
            Expr::Const(value) => Expr::Const(*value),
            Expr::Add(a, b) => a.substitute(dims)?.plus(b.substitute(dims)?),
            Expr::Mul(a, factor) => a.substitute(dims)?.times(*factor),
            Expr::FloorDiv(a, divisor) => Expr::FloorDiv(Box::new(a.substitute(dims)?), *divisor),
            Expr::Mod(a, divisor) => Expr::Mod(Box::new(a.substitute(dims)?), *divisor),
        })
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Dim(dim) => write!(f, "d{dim}"),
            Expr::Const(value) => write!(f, "{value}"),
            Expr::Add(a, b) => write!(f, "({a} + {b})"),
            Expr::Mul(a, factor) => write!(f, "({a} * {factor})"),
            Expr::FloorDiv(a, divisor) => write!(f, "({a} floordiv {divisor})"),
            Expr::Mod(a, divisor) => write!(f, "({a} mod {divisor})"),
        }
    }
}

/// An affine map without symbols.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Map {
    /// Number of dimensions.
    pub dims: usize,
    /// One expression per result.
    pub results: Vec<Expr>,
}

impl Map {
    /// The identity.
    pub fn identity(dims: usize) -> Map {
        Map { dims, results: (0..dims).map(Expr::Dim).collect() }
    }

    /// Reads `affine_map<(d0, d1) -> (d1, d0)>`; none for what the maps of structured operations don't have, such as
    /// symbols.
    pub fn parse(text: &str) -> Option<Map> {
        let inner = text.trim().strip_prefix("affine_map<")?.strip_suffix('>')?;
        let (dims, results) = inner.split_once("->")?;
        let dims = dims.trim().strip_prefix('(')?.strip_suffix(')')?;
        let dims = dims.split(',').filter(|name| !name.trim().is_empty()).count();
        let results = results.trim().strip_prefix('(')?.strip_suffix(')')?;
        let mut parser = Parser { rest: results, depth: 0 };
        let mut exprs = Vec::new();
        while !parser.rest.trim().is_empty() {
            if !exprs.is_empty() {
                parser.expect(",")?;
            }
            exprs.push(parser.sum()?);
        }
        Some(Map { dims, results: exprs })
    }

    /// The dimension that each result is; none if one is anything else.
    pub fn as_dims(&self) -> Option<Vec<usize>> {
        self.results.iter().map(Expr::as_dim).collect()
    }

    /// Whether each result is a dimension of its own.
    pub fn is_projected_permutation(&self) -> bool {
        self.as_dims().is_some_and(|dims| (0..dims.len()).all(|i| !dims[i + 1..].contains(&dims[i])))
    }

    /// Whether results and dimensions match one to one.
    pub fn is_permutation(&self) -> bool {
        self.results.len() == self.dims && self.is_projected_permutation()
    }

    /// The map that takes results in another order: result `i` of the new map is result `order[i]` of this one.
    pub fn reordered(&self, order: &[usize]) -> Map {
        Map { dims: self.dims, results: order.iter().filter_map(|&i| self.results.get(i).cloned()).collect() }
    }

    /// This map after `inner`: its dimensions are the results of `inner`.
    pub fn after(&self, inner: &Map) -> Option<Map> {
        let results = self.results.iter().map(|expr| expr.substitute(&inner.results)).collect::<Option<_>>()?;
        Some(Map { dims: inner.dims, results })
    }

    /// For a permutation, the map the other way.
    pub fn inverse(&self) -> Option<Map> {
        let dims = self.as_dims().filter(|_| self.is_permutation())?;
        let mut results = vec![Expr::Const(0); self.dims];
        for (result, dim) in dims.into_iter().enumerate() {
            results[dim] = Expr::Dim(result);
        }
        Some(Map { dims: self.dims, results })
    }
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims: Vec<String> = (0..self.dims).map(|dim| format!("d{dim}")).collect();
        let results: Vec<String> = self.results.iter().map(Expr::to_string).collect();
        write!(f, "affine_map<({}) -> ({})>", dims.join(", "), results.join(", "))
    }
}

/// How deep parentheses may nest; MLIR's own printer needs few.
const MOST_NESTED: usize = 64;

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl Parser<'_> {
    fn accept(&mut self, token: &str) -> bool {
        let trimmed = self.rest.trim_start();
        match trimmed.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        self.accept(token).then_some(())
    }

    fn sum(&mut self) -> Option<Expr> {
        let mut expr = self.product()?;
        loop {
            if self.accept("+") {
                expr = expr.plus(self.product()?);
            } else if self.accept("-") {
                expr = expr.plus(self.product()?.times(-1));
            } else {
                return Some(expr);
            }
        }
    }

    fn product(&mut self) -> Option<Expr> {
        let mut expr = self.atom()?;
        loop {
            if self.accept("*") {
                let Expr::Const(factor) = self.atom()? else { return None };
                expr = expr.times(factor);
            } else if self.accept("floordiv") {
                let Expr::Const(divisor) = self.atom()? else { return None };
                expr = Expr::FloorDiv(Box::new(expr), divisor);
            } else if self.accept("mod") {
                let Expr::Const(divisor) = self.atom()? else { return None };
                expr = Expr::Mod(Box::new(expr), divisor);
            } else {
                return Some(expr);
            }
        }
    }

    fn atom(&mut self) -> Option<Expr> {
        if self.accept("(") {
            self.depth += 1;
            let expr = if self.depth <= MOST_NESTED { self.sum()? } else { return None };
            self.depth -= 1;
            return self.expect(")").map(|()| expr);
        }
        if self.accept("-") {
            return Some(self.atom()?.times(-1));
        }
        if self.accept("d") {
            return Some(Expr::Dim(self.number()?.try_into().ok()?));
        }
        Some(Expr::Const(self.number()?))
    }

    fn number(&mut self) -> Option<i64> {
        let text = self.rest.trim_start();
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        self.rest = &text[end..];
        text[..end].parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str) -> Map {
        Map::parse(text).unwrap()
    }

    #[test]
    fn maps_survive_text() {
        for text in [
            "affine_map<() -> ()>",
            "affine_map<(d0, d1) -> (d1, d0)>",
            "affine_map<(d0, d1, d2) -> (((d0 * 2) + (d1 * 3)), (d2 floordiv 32), (d2 mod 32), 0)>",
        ] {
            assert_eq!(map(text).to_string(), text);
        }
        let sum = map("affine_map<(d0, d1) -> (d0 * 2 + d1 - 3)>");
        assert_eq!(sum.to_string(), "affine_map<(d0, d1) -> ((((d0 * 2) + d1) + -3))>");
    }

    #[test]
    fn text_that_is_no_map_is_refused() {
        for text in ["affine_map<(d0)[s0] -> (s0)>", "affine_map<(d0) -> (d0 * d0)>", "(d0) -> (d0)", ""] {
            assert_eq!(Map::parse(text), None, "{text}");
        }
        let deep = format!("affine_map<() -> ({}1{})>", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(Map::parse(&deep), None);
    }

    #[test]
    fn a_permutation_and_its_inverse_cancel() {
        let permutation = map("affine_map<(d0, d1, d2) -> (d2, d0, d1)>");
        let both = permutation.after(&permutation.inverse().unwrap()).unwrap();
        assert_eq!(both, Map::identity(3));
        assert_eq!(map("affine_map<(d0, d1) -> (d0, d0)>").inverse(), None);
    }
}
