//! Extents as a person would write them: `(w - 1) / 2 + 1`.

use super::{Extent, RealExpr, SymExpr, SymOp};
use skriptnd_syntax::ast::BinaryOp;
use std::fmt;

/// How tightly operators bind, as in section 2.4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Any,
    Logic,
    Comparison,
    Extremum,
    Sum,
    Product,
    Power,
    Atom,
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bound {
            Some(bound) => write!(f, "{}|{bound}", self.value),
            None => self.value.fmt(f),
        }
    }
}

impl fmt::Display for SymExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Level::Any)
    }
}

impl fmt::Display for RealExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Level::Any)
    }
}

impl SymExpr {
    fn level(&self) -> Level {
        match self {
            SymExpr::Const(..0) => Level::Sum,
            SymExpr::Const(_) | SymExpr::Symbol(_) | SymExpr::Truncated(_) | SymExpr::Fold(_) => Level::Atom,
            SymExpr::Sum(_) => Level::Sum,
            SymExpr::Product(factors) if matches!(factors.first(), Some(SymExpr::Const(..0))) => Level::Sum,
            SymExpr::Product(_) => Level::Product,
            SymExpr::Apply(op, _) => op.level(),
            SymExpr::Compared(..) => Level::Comparison,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, around: Level) -> fmt::Result {
        if self.level() < around {
            f.write_str("(")?;
            self.write(f, Level::Any)?;
            return f.write_str(")");
        }
        match self {
            SymExpr::Const(value) => write!(f, "{value}"),
            SymExpr::Symbol(name) => f.write_str(name),
            SymExpr::Sum(terms) => write_sum(f, terms),
            SymExpr::Product(factors) => write_product(f, factors),
            SymExpr::Truncated(real) => write!(f, "int({real})"),
            SymExpr::Compared(op, sides) => {
                sides[0].write(f, Level::Extremum)?;
                f.write_str(op.infix())?;
                sides[1].write(f, Level::Extremum)
            }
            SymExpr::Apply(op, parts) => write_apply(f, *op, parts),
            SymExpr::Fold(fold) => write!(f, "({} of {} for # < {})", fold.op.name(), fold.item, fold.length),
        }
    }
}

/// Constants behind the other terms, negative ones subtracted.
fn write_sum(f: &mut fmt::Formatter<'_>, terms: &[SymExpr]) -> fmt::Result {
    let is_negative = |term: &SymExpr| match term {
        SymExpr::Const(value) => *value < 0,
        SymExpr::Product(factors) => matches!(factors.first(), Some(SymExpr::Const(..0))),
        _ => false,
    };
    let constant = |term: &&SymExpr| matches!(term, SymExpr::Const(_));
    let (constants, others): (Vec<&SymExpr>, Vec<&SymExpr>) = terms.iter().partition(constant);
    let (negative, positive): (Vec<&SymExpr>, Vec<&SymExpr>) = others.into_iter().partition(|term| is_negative(term));
    for (at, term) in positive.into_iter().chain(negative).chain(constants).enumerate() {
        match (at, is_negative(term).then(|| term.scaled(-1)).flatten()) {
            (0, _) => term.write(f, Level::Sum)?,
            (_, Some(positive)) => {
                f.write_str(" - ")?;
                positive.write(f, Level::Product)?;
            }
            (_, None) => {
                f.write_str(" + ")?;
                term.write(f, Level::Product)?;
            }
        }
    }
    Ok(())
}

fn write_product(f: &mut fmt::Formatter<'_>, factors: &[SymExpr]) -> fmt::Result {
    // A sign binds more than `/`, which rounds downwards.
    let (factors, first) = match factors {
        [SymExpr::Const(-1), rest @ ..] => {
            f.write_str("-")?;
            (rest, Level::Power)
        }
        factors => (factors, Level::Product),
    };
    for (at, factor) in factors.iter().enumerate() {
        if at > 0 {
            f.write_str(" * ")?;
        }
        match factor {
            SymExpr::Const(value) => write!(f, "{value}")?,
            // `/` and `*` bind alike, from the left.
            factor => factor.write(f, if at == 0 { first } else { Level::Power })?,
        }
    }
    Ok(())
}

fn write_apply(f: &mut fmt::Formatter<'_>, op: SymOp, parts: &[SymExpr]) -> fmt::Result {
    let function = |f: &mut fmt::Formatter<'_>, name: &str| match parts {
        [value] => write!(f, "{name}({value})"),
        _ => f.write_str(name),
    };
    match (op, parts) {
        (SymOp::Abs, _) => function(f, "abs"),
        (SymOp::Sign, _) => function(f, "sign"),
        (SymOp::Not, [value]) => {
            f.write_str("!")?;
            value.write(f, Level::Atom)
        }
        (SymOp::Select, [condition, then, otherwise]) => {
            condition.write(f, Level::Logic)?;
            write!(f, " ? {then} : {otherwise}")
        }
        _ => {
            for (at, part) in parts.iter().enumerate() {
                if at > 0 {
                    f.write_str(op.infix())?;
                }
                part.write(f, if at == 0 { op.level() } else { op.level().next() })?;
            }
            Ok(())
        }
    }
}

impl Level {
    /// The level of what stands on the right of an operator of this level.
    pub fn next(self) -> Level {
        match self {
            Level::Any => Level::Logic,
            Level::Logic => Level::Comparison,
            Level::Comparison => Level::Extremum,
            Level::Extremum => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Power,
            Level::Power | Level::Atom => Level::Atom,
        }
    }
}

impl SymOp {
    /// How tightly it binds.
    pub(crate) fn level(self) -> Level {
        match self {
            SymOp::Select => Level::Any,
            SymOp::And | SymOp::Or => Level::Logic,
            SymOp::Lt | SymOp::Le | SymOp::Eq | SymOp::Ne => Level::Comparison,
            SymOp::Min | SymOp::Max => Level::Extremum,
            SymOp::FloorDiv | SymOp::CeilDiv | SymOp::Mod => Level::Product,
            SymOp::Pow => Level::Power,
            SymOp::Abs | SymOp::Sign | SymOp::Not => Level::Atom,
        }
    }

    /// What stands between its operands.
    pub(crate) fn infix(self) -> &'static str {
        match self {
            SymOp::FloorDiv => " / ",
            SymOp::CeilDiv => " \\ ",
            SymOp::Mod => " % ",
            SymOp::Pow => " ** ",
            SymOp::Min => " << ",
            SymOp::Max => " >> ",
            SymOp::Lt => " < ",
            SymOp::Le => " <= ",
            SymOp::Eq => " == ",
            SymOp::Ne => " != ",
            SymOp::And => " && ",
            SymOp::Or => " || ",
            SymOp::Abs | SymOp::Sign | SymOp::Not | SymOp::Select => ", ",
        }
    }
}

impl RealExpr {
    fn level(&self) -> Level {
        match self {
            RealExpr::Const(value) if value.get() < 0.0 => Level::Sum,
            RealExpr::Const(_) | RealExpr::Int(_) | RealExpr::Builtin(..) => Level::Atom,
            RealExpr::Unary(..) => Level::Sum,
            RealExpr::Binary(op, _) => level_of(*op),
            RealExpr::Select(..) => Level::Any,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, around: Level) -> fmt::Result {
        if self.level() < around {
            f.write_str("(")?;
            self.write(f, Level::Any)?;
            return f.write_str(")");
        }
        match self {
            RealExpr::Const(value) => write!(f, "{:?}", value.get()),
            RealExpr::Int(expr) => write!(f, "real({expr})"),
            RealExpr::Unary(_, value) => {
                f.write_str("-")?;
                value.write(f, Level::Power)
            }
            RealExpr::Builtin(function, value) => write!(f, "{function}({value})"),
            RealExpr::Binary(op, sides) => {
                sides[0].write(f, level_of(*op))?;
                write!(f, " {} ", op.symbol())?;
                sides[1].write(f, level_of(*op).next())
            }
            RealExpr::Select(condition, sides) => write!(f, "{condition} ? {} : {}", sides[0], sides[1]),
        }
    }
}

/// How tightly an operator on reals binds.
pub fn level_of(op: BinaryOp) -> Level {
    match op {
        BinaryOp::Min | BinaryOp::Max => Level::Extremum,
        BinaryOp::Add | BinaryOp::Sub => Level::Sum,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::CeilDiv | BinaryOp::Mod => Level::Product,
        BinaryOp::Pow => Level::Power,
        _ => Level::Comparison,
    }
}
