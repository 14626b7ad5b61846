//! Affine maps as plain Rust values: indexing maps are read from attributes, analysed and changed, and made attributes
//! again.

use std::fmt;

use melior::ir::AttributeLike;
use mlir_sys::{
    MlirAffineExpr, MlirContext, mlirAffineAddExprGet, mlirAffineBinaryOpExprGetLHS, mlirAffineBinaryOpExprGetRHS,
    mlirAffineConstantExprGet, mlirAffineConstantExprGetValue, mlirAffineDimExprGet, mlirAffineDimExprGetPosition,
    mlirAffineExprIsAAdd, mlirAffineExprIsABinary, mlirAffineExprIsAConstant, mlirAffineExprIsADim,
    mlirAffineExprIsAFloorDiv, mlirAffineExprIsAMod, mlirAffineExprIsAMul, mlirAffineFloorDivExprGet,
    mlirAffineMapAttrGet, mlirAffineMapAttrGetValue, mlirAffineMapGet, mlirAffineMapGetNumDims,
    mlirAffineMapGetNumResults, mlirAffineMapGetNumSymbols, mlirAffineMapGetResult, mlirAffineModExprGet,
    mlirAffineMulExprGet,
};

use super::{Attribute, Context};

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

    /// By what a dimension is multiplied in a sum; none where the expression is no sum of multiples.
    pub fn coefficient(&self, dim: usize) -> Option<i64> {
        match self {
            Expr::Const(_) => Some(0),
            Expr::Dim(own) => Some(i64::from(*own == dim)),
            Expr::Add(a, b) => Some(a.coefficient(dim)? + b.coefficient(dim)?),
            Expr::Mul(a, factor) => Some(a.coefficient(dim)? * factor),
            Expr::FloorDiv(..) | Expr::Mod(..) => None,
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

impl Expr {
    /// Reads an expression of MLIR's; none for symbols, products of dimensions, and what is nested too deeply.
    fn read(expr: MlirAffineExpr, depth: usize) -> Option<Expr> {
        if depth > MOST_NESTED {
            return None;
        }
        // SAFETY: the expression is valid, and each accessor is asked of the kind of expression that it is for.
        unsafe {
            if mlirAffineExprIsADim(expr) {
                return usize::try_from(mlirAffineDimExprGetPosition(expr)).ok().map(Expr::Dim);
            }
            if mlirAffineExprIsAConstant(expr) {
                return Some(Expr::Const(mlirAffineConstantExprGetValue(expr)));
            }
            if !mlirAffineExprIsABinary(expr) {
                return None;
            }
            let left = Expr::read(mlirAffineBinaryOpExprGetLHS(expr), depth + 1)?;
            let right = Expr::read(mlirAffineBinaryOpExprGetRHS(expr), depth + 1)?;
            match right {
                right if mlirAffineExprIsAAdd(expr) => Some(left.plus(right)),
                Expr::Const(factor) if mlirAffineExprIsAMul(expr) => Some(left.times(factor)),
                Expr::Const(by) if mlirAffineExprIsAFloorDiv(expr) && by > 0 => Some(Expr::FloorDiv(left.into(), by)),
                Expr::Const(by) if mlirAffineExprIsAMod(expr) && by > 0 => Some(Expr::Mod(left.into(), by)),
                _ => None,
            }
        }
    }

    /// The same expression for MLIR, which simplifies it.
    fn make(&self, context: MlirContext) -> MlirAffineExpr {
        // SAFETY: the context is valid, and so are the expressions made in it.
        unsafe {
            let constant = |value| mlirAffineConstantExprGet(context, value);
            match self {
                Expr::Dim(dim) => mlirAffineDimExprGet(context, *dim as isize),
                Expr::Const(value) => constant(*value),
                Expr::Add(a, b) => mlirAffineAddExprGet(a.make(context), b.make(context)),
                Expr::Mul(a, factor) => mlirAffineMulExprGet(a.make(context), constant(*factor)),
                Expr::FloorDiv(a, divisor) => mlirAffineFloorDivExprGet(a.make(context), constant(*divisor)),
                Expr::Mod(a, divisor) => mlirAffineModExprGet(a.make(context), constant(*divisor)),
            }
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

    /// The map in an attribute; none for what the maps of structured operations don't have, such as symbols.
    pub fn of(attribute: Attribute<'_>) -> Option<Map> {
        if !attribute.0.is_affine_map() {
            return None;
        }
        // SAFETY: it is an affine map, and the numbers of results are within it.
        unsafe {
            let map = mlirAffineMapAttrGetValue(attribute.to_raw());
            let result = |index| Expr::read(mlirAffineMapGetResult(map, index), 0);
            let results = (0..mlirAffineMapGetNumResults(map)).map(result).collect::<Option<_>>()?;
            let plain = mlirAffineMapGetNumSymbols(map) == 0;
            plain.then_some(Map { dims: usize::try_from(mlirAffineMapGetNumDims(map)).ok()?, results })
        }
    }

    /// The map as an attribute.
    pub fn attribute<'c>(&self, context: &'c Context) -> Attribute<'c> {
        let raw = context.to_raw();
        let mut results: Vec<_> = self.results.iter().map(|expr| expr.make(raw)).collect();
        // SAFETY: the context is valid, the expressions are copied, and the attribute belongs to the context.
        unsafe {
            let map = mlirAffineMapGet(raw, self.dims as isize, 0, results.len() as isize, results.as_mut_ptr());
            Attribute::from_raw(mlirAffineMapAttrGet(map))
        }
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

/// How deep expressions may nest; maps of structured operations need few levels.
const MOST_NESTED: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::attributes;

    fn map(text: &str) -> Option<Map> {
        Map::of(attributes::parse(&Context::new(), text)?)
    }

    #[test]
    fn maps_survive_attributes() {
        let context = Context::new();
        for text in [
            "affine_map<() -> ()>",
            "affine_map<(d0, d1) -> (d1, d0)>",
            "affine_map<(d0, d1, d2) -> (d0 * 2 + d1 * 3, d2 floordiv 32, d2 mod 32, 0)>",
            "affine_map<(d0, d1) -> (d0 * 2 + d1 - 3)>",
        ] {
            let attribute = attributes::parse(&context, text).unwrap();
            let map = Map::of(attribute).unwrap();
            assert_eq!(map.attribute(&context), attribute, "{map}");
        }
    }

    #[test]
    fn what_is_no_map_of_dimensions_is_refused() {
        for text in ["affine_map<(d0)[s0] -> (s0)>", "affine_map<(d0) -> (d0 ceildiv 2)>", "unit", "3 : i64"] {
            assert_eq!(map(text), None, "{text}");
        }
        let deep = (0..100).fold(String::from("d0"), |deep, _| format!("(({deep}) floordiv 3 + 1)"));
        assert_eq!(map(&format!("affine_map<(d0) -> ({deep})>")), None);
    }

    #[test]
    fn a_permutation_and_its_inverse_cancel() {
        let permutation = map("affine_map<(d0, d1, d2) -> (d2, d0, d1)>").unwrap();
        let both = permutation.after(&permutation.inverse().unwrap()).unwrap();
        assert_eq!(both, Map::identity(3));
        assert_eq!(map("affine_map<(d0, d1) -> (d0, d0)>").unwrap().inverse(), None);
    }
}
