//! The values of extents that only a run knows: arithmetic on the symbols that a graph gets from its inputs.

use super::{arithmetic, integers};
use crate::lowering::limits::Limits;
use crate::lowering::plan::TensorShape;
use crate::scalars::Scalars as _;
use skriptnd_language::compose::extent::{Fold, FoldOp, POSITION, RealExpr, SymExpr, SymOp};
use skriptnd_language::compose::value::{ScalarType, Symbolic, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{Size, math, scf};
use skriptnd_syntax::ast::{BinaryOp, Builtin, UnaryOp};
use std::collections::HashMap;
use std::sync::Arc;

/// The symbols that are known at some place, as `i64`.
#[derive(Default, Clone)]
pub struct Extents<'c, 'a> {
    symbols: HashMap<String, Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Extents<'c, 'a> {
    /// Gives a symbol its value, of type `i64`.
    pub fn define(&mut self, symbol: &str, value: Value<'c, 'a>) {
        self.symbols.insert(symbol.to_owned(), value);
    }

    /// Gives a symbol a value that data determine. It keeps to what the symbol is at most, whatever the data are: memory for what is
    /// as large is planned by that (see `codegen`'s plan for open buffers).
    pub fn tell(
        &mut self,
        builder: &Builder<'c, 'a>,
        symbol: &str,
        value: Value<'c, 'a>,
        limits: &Limits,
    ) -> Result<(), Failure> {
        let most =
            limits.room(symbol).ok_or_else(|| format!("gives the extent `{symbol}` a value, which has no bound"))?;
        let value = arith::minsi(builder, value, self.int(builder, &most)?)?;
        let value = arith::maxsi(builder, value, builder.int(0)?)?;
        self.define(symbol, value);
        Ok(())
    }

    /// Whether all symbols of an expression have values.
    pub fn knows(&self, expr: &SymExpr) -> bool {
        let mut known = true;
        expr.symbols(&mut |symbol| known &= self.symbols.contains_key(&**symbol));
        known
    }

    /// The symbol that an extent is, if it has no value yet.
    pub fn untold(&self, extent: &SymExpr) -> Option<Arc<str>> {
        match extent {
            SymExpr::Symbol(name) => (!self.symbols.contains_key(&**name)).then(|| name.clone()),
            _ => None,
        }
    }

    /// A known size, or a value of type `index`.
    pub fn size(&self, builder: &Builder<'c, 'a>, expr: &SymExpr) -> Result<Size<'c, 'a>, Failure> {
        match expr.as_known() {
            Some(known) => Ok(Size::Known(known)),
            None => self.index(builder, expr).map(Size::Value),
        }
    }

    /// Several sizes.
    pub fn sizes(&self, builder: &Builder<'c, 'a>, shape: &[SymExpr]) -> Result<Vec<Size<'c, 'a>>, Failure> {
        shape.iter().map(|expr| self.size(builder, expr)).collect()
    }

    /// The values of those that are not known.
    pub fn open(&self, builder: &Builder<'c, 'a>, shape: &[SymExpr]) -> Result<Vec<Value<'c, 'a>>, Failure> {
        shape.iter().filter(|expr| expr.as_known().is_none()).map(|expr| self.index(builder, expr)).collect()
    }

    /// Whether all of some extents are positive, so that a tensor has elements, or loops have iterations; always, if none.
    pub fn are_positive<'x>(
        &self,
        builder: &Builder<'c, 'a>,
        shape: impl IntoIterator<Item = &'x SymExpr>,
        limits: &Limits,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        let mut smallest: Option<Value<'c, 'a>> = None;
        for extent in shape.into_iter().filter(|extent| !limits.is_at_most(&SymExpr::Const(1), extent)) {
            let extent = self.index(builder, extent)?;
            smallest = Some(smallest.map_or(Ok(extent), |before| arith::minsi(builder, before, extent))?);
        }
        let Some(smallest) = smallest else { return Ok(None) };
        arith::cmpi(builder, IntegerPredicate::Sgt, smallest, builder.index(0)?).map(Some)
    }

    /// A value of type `index`.
    pub fn index(&self, builder: &Builder<'c, 'a>, expr: &SymExpr) -> Result<Value<'c, 'a>, Failure> {
        match expr.as_known() {
            Some(known) => builder.index(known),
            None => arith::index_cast(builder, self.int(builder, expr)?, types::index(builder.context())),
        }
    }

    /// A value of type `i64`. Truth values are 0 and 1.
    pub fn int(&self, builder: &Builder<'c, 'a>, expr: &SymExpr) -> Result<Value<'c, 'a>, Failure> {
        match expr {
            SymExpr::Const(value) => builder.int(*value),
            SymExpr::Symbol(name) => self.symbol(name),
            SymExpr::Sum(terms) => self.folded(builder, BinaryOp::Add, terms),
            SymExpr::Product(factors) => self.folded(builder, BinaryOp::Mul, factors),
            SymExpr::Apply(op, parts) => self.apply(builder, *op, parts),
            SymExpr::Truncated(real) => integers::truncated(builder, self.real(builder, real)?),
            SymExpr::Compared(op, sides) => {
                let (a, b) = (self.real(builder, &sides[0])?, self.real(builder, &sides[1])?);
                let op = comparison(*op).ok_or("compares reals by what is no comparison")?;
                widened(builder, arithmetic::binary(builder, op, ScalarType::Real, a, b)?)
            }
            SymExpr::Fold(fold) => self.fold(builder, fold),
        }
    }

    fn symbol(&self, name: &str) -> Result<Value<'c, 'a>, Failure> {
        let value = self.symbols.get(name).copied();
        value.ok_or_else(|| format!("depends on the extent `{name}`, which no input of the graph tells").into())
    }

    fn folded(&self, builder: &Builder<'c, 'a>, op: BinaryOp, parts: &[SymExpr]) -> Result<Value<'c, 'a>, Failure> {
        let (first, rest) = parts.split_first().ok_or("an operator without operands")?;
        rest.iter().try_fold(self.int(builder, first)?, |left, part| {
            let range = part.as_known().map_or(arithmetic::Right::default().range, |known| (known, known));
            let right = arithmetic::Right { constant: None, range };
            arithmetic::binary_with(builder, op, ScalarType::Int, (left, self.int(builder, part)?), &right)
        })
    }

    /// A loop over the items of a pack.
    fn fold(&self, builder: &Builder<'c, 'a>, fold: &Fold) -> Result<Value<'c, 'a>, Failure> {
        // That there is an item where there must be one is required elsewhere.
        let first = fold.op.empty().unwrap_or(if fold.op == FoldOp::Min { i64::MAX } else { i64::MIN });
        let bounds = [builder.index(0)?, self.index(builder, &fold.length)?, builder.index(1)?];
        let repetition = scf::r#for(builder, bounds, &[builder.int(first)?])?;
        let (body, folded) = (repetition.body, *repetition.carried.first().ok_or("a fold without a value")?);
        let mut inside = self.clone();
        inside.define(POSITION, arith::index_cast(&body, repetition.index, types::integer(body.context(), 64))?);
        let next = match fold.op {
            FoldOp::Sum => inside.next(&body, BinaryOp::Add, folded, &fold.item)?,
            FoldOp::Product => inside.next(&body, BinaryOp::Mul, folded, &fold.item)?,
            FoldOp::Min => inside.next(&body, BinaryOp::Min, folded, &fold.item)?,
            FoldOp::Max => inside.next(&body, BinaryOp::Max, folded, &fold.item)?,
            FoldOp::All => arith::andi(&body, folded, widened(&body, inside.truth(&body, &fold.item)?)?)?,
            FoldOp::Any => arith::ori(&body, folded, widened(&body, inside.truth(&body, &fold.item)?)?)?,
        };
        scf::r#yield(&body, &[next])?;
        repetition.operation.result(0)
    }

    fn next(
        &self,
        builder: &Builder<'c, 'a>,
        op: BinaryOp,
        folded: Value<'c, 'a>,
        item: &SymExpr,
    ) -> Result<Value<'c, 'a>, Failure> {
        arithmetic::binary(builder, op, ScalarType::Int, folded, self.int(builder, item)?)
    }

    fn apply(&self, builder: &Builder<'c, 'a>, op: SymOp, parts: &[SymExpr]) -> Result<Value<'c, 'a>, Failure> {
        let zero = || builder.int(0);
        match (op, parts) {
            // That there is a value is required elsewhere (`defined.rs`).
            (SymOp::FloorDiv, _) => self.folded(builder, BinaryOp::Div, parts),
            (SymOp::CeilDiv, _) => self.folded(builder, BinaryOp::CeilDiv, parts),
            (SymOp::Mod, _) => self.folded(builder, BinaryOp::Mod, parts),
            (SymOp::Pow, _) => self.folded(builder, BinaryOp::Pow, parts),
            (SymOp::Min, _) => self.folded(builder, BinaryOp::Min, parts),
            (SymOp::Max, _) => self.folded(builder, BinaryOp::Max, parts),
            (SymOp::Abs, [a]) => {
                let a = self.int(builder, a)?;
                let negative = arith::subi(builder, zero()?, a)?;
                arithmetic::binary(builder, BinaryOp::Max, ScalarType::Int, a, negative)
            }
            (SymOp::Sign, [a]) => {
                let a = self.int(builder, a)?;
                let above = arithmetic::binary(builder, BinaryOp::Max, ScalarType::Int, a, builder.int(-1)?)?;
                arithmetic::binary(builder, BinaryOp::Min, ScalarType::Int, above, builder.int(1)?)
            }
            (SymOp::Not, [a]) => {
                let truth = self.truth(builder, a)?;
                widened(builder, super::truth::negation(builder, truth)?)
            }
            (SymOp::And, [first, rest @ ..]) => self.connected(builder, BinaryOp::And, first, rest),
            (SymOp::Or, [first, rest @ ..]) => self.connected(builder, BinaryOp::Or, first, rest),
            (SymOp::Select, [condition, a, b]) => {
                let condition = self.truth(builder, condition)?;
                arith::select(builder, condition, self.int(builder, a)?, self.int(builder, b)?)
            }
            (_, [a, b]) => {
                let op = comparison(op).ok_or("an operator with a wrong number of operands")?;
                let (a, b) = (self.int(builder, a)?, self.int(builder, b)?);
                widened(builder, arithmetic::binary(builder, op, ScalarType::Int, a, b)?)
            }
            _ => Err("an operator with a wrong number of operands".into()),
        }
    }

    fn connected(
        &self,
        builder: &Builder<'c, 'a>,
        op: BinaryOp,
        first: &SymExpr,
        rest: &[SymExpr],
    ) -> Result<Value<'c, 'a>, Failure> {
        let truth = rest.iter().try_fold(self.truth(builder, first)?, |left, part| {
            super::truth::boolean(builder, op, left, self.truth(builder, part)?)
        })?;
        widened(builder, truth)
    }

    /// A truth value, of type `i1`.
    pub fn truth(&self, builder: &Builder<'c, 'a>, expr: &SymExpr) -> Result<Value<'c, 'a>, Failure> {
        let value = self.int(builder, expr)?;
        arithmetic::binary(builder, BinaryOp::Ne, ScalarType::Int, value, builder.int(0)?)
    }

    /// A real number, of type `f64`: the front end computes with as many digits.
    pub fn real(&self, builder: &Builder<'c, 'a>, expr: &RealExpr) -> Result<Value<'c, 'a>, Failure> {
        let wide = types::f64(builder.context());
        match expr {
            RealExpr::Const(value) => builder.real(wide, value.get()),
            RealExpr::Int(expr) => arith::sitofp(builder, self.int(builder, expr)?, wide),
            RealExpr::Unary(UnaryOp::Neg, value) => arith::negf(builder, self.real(builder, value)?),
            RealExpr::Unary(_, value) => self.real(builder, value),
            RealExpr::Builtin(function, value) => {
                let value = self.real(builder, value)?;
                match function {
                    Builtin::Floor => math::floor(builder, value),
                    Builtin::Ceil => math::ceil(builder, value),
                    Builtin::Abs => math::absf(builder, value),
                    Builtin::Sqrt => math::sqrt(builder, value),
                    Builtin::Exp => math::exp(builder, value),
                    Builtin::Log => math::log(builder, value),
                    Builtin::Round => rounded_number(builder, value),
                    other => Err(format!("computes `{other}` of extents that are known only at run time").into()),
                }
            }
            RealExpr::Binary(op, sides) => {
                let (a, b) = (self.real(builder, &sides[0])?, self.real(builder, &sides[1])?);
                match op {
                    BinaryOp::Add => arith::addf(builder, a, b),
                    BinaryOp::Sub => arith::subf(builder, a, b),
                    BinaryOp::Mul => arith::mulf(builder, a, b),
                    BinaryOp::Div => arith::divf(builder, a, b),
                    BinaryOp::CeilDiv => math::ceil(builder, arith::divf(builder, a, b)?),
                    BinaryOp::Min => arith::minimumf(builder, a, b),
                    BinaryOp::Max => arith::maximumf(builder, a, b),
                    BinaryOp::Pow => math::powf(builder, a, b),
                    _ => Err("computes a remainder of reals that depend on extents".into()),
                }
            }
            RealExpr::Select(condition, sides) => {
                let condition = self.truth(builder, condition)?;
                arith::select(builder, condition, self.real(builder, &sides[0])?, self.real(builder, &sides[1])?)
            }
        }
    }

    /// A real number of a formula.
    fn rounded(&self, builder: &Builder<'c, 'a>, expr: &RealExpr) -> Result<Value<'c, 'a>, Failure> {
        arith::truncf(builder, self.real(builder, expr)?, types::f32(builder.context()))
    }

    /// A scalar constant of a formula.
    pub fn constant(
        &self,
        builder: &Builder<'c, 'a>,
        value: &Constant,
        dtype: ScalarType,
    ) -> Result<Value<'c, 'a>, Failure> {
        match (value, dtype) {
            (Constant::Symbolic(Symbolic::Int(expr)), ScalarType::Int) => self.int(builder, expr),
            (Constant::Symbolic(Symbolic::Bool(expr)), ScalarType::Bool) => self.truth(builder, expr),
            (Constant::Symbolic(Symbolic::Real(expr)), ScalarType::Real) => self.rounded(builder, expr),
            (Constant::Symbolic(Symbolic::Int(expr)), ScalarType::Real) => {
                self.rounded(builder, &RealExpr::of(expr.clone()))
            }
            _ => arithmetic::constant(builder, value, dtype),
        }
    }
}

/// Half away from zero.
fn rounded_number<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let number = |value| builder.real(types::f64(builder.context()), value);
    let binary = |op, a, b| arithmetic::binary(builder, op, ScalarType::Real, a, b);
    let size = math::absf(builder, value)?;
    let whole = math::floor(builder, size)?;
    let is_nearer = binary(BinaryOp::Ge, binary(BinaryOp::Sub, size, whole)?, number(0.5)?)?;
    let rounded = arith::select(builder, is_nearer, binary(BinaryOp::Add, whole, number(1.0)?)?, whole)?;
    let is_negative = binary(BinaryOp::Lt, value, number(0.0)?)?;
    arith::select(builder, is_negative, arith::negf(builder, rounded)?, rounded)
}

fn comparison(op: SymOp) -> Option<BinaryOp> {
    match op {
        SymOp::Lt => Some(BinaryOp::Lt),
        SymOp::Le => Some(BinaryOp::Le),
        SymOp::Eq => Some(BinaryOp::Eq),
        SymOp::Ne => Some(BinaryOp::Ne),
        _ => None,
    }
}

fn widened<'c: 'a, 'a>(builder: &Builder<'c, 'a>, truth: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    arith::extui(builder, truth, types::integer(builder.context(), 64))
}

/// The type of a tensor; extents that are not known are dynamic.
pub fn tensor_type<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    dtype: ScalarType,
    shape: &[SymExpr],
) -> Result<Type<'c>, Failure> {
    let extent = |expr: &SymExpr| match expr.as_known() {
        Some(known) => u64::try_from(known).map(Some).map_err(|_| Failure::new("an extent is negative")),
        None => Ok(None),
    };
    let extents = shape.iter().map(extent).collect::<Result<Vec<_>, _>>()?;
    types::tensor(builder.scalar_type(dtype)?, &extents).ok_or_else(|| "no such tensor type".into())
}

/// The type of a tensor of this shape.
pub fn type_of<'c: 'a, 'a>(builder: &Builder<'c, 'a>, shape: &TensorShape) -> Result<Type<'c>, Failure> {
    tensor_type(builder, shape.dtype, &shape.shape)
}
