//! What there is to know of the operations on scalars: one table.

use super::element::{Constant, Literal};
use skriptnd_mlir::ops::arith::{FloatPredicate, IntegerPredicate};
use std::fmt;

/// What is known of an operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facts {
    /// What MLIR calls it.
    pub name: &'static str,
    /// What it costs at a point, where a sum costs 1.
    pub cost: u32,
    /// What changes nothing where it is combined with it, if the operation is associative and commutative.
    pub neutral: Option<Literal>,
    /// Whether it fails for some operands, so that lanes that stand for no point may not be computed.
    pub faults: bool,
    /// Whether it has a form for vectors whose length only the processor knows; others LLVM would take apart, lane by lane.
    pub is_scalable: bool,
    /// Whether it makes real numbers whole or whole ones real, as quantization does.
    pub is_between_integers: bool,
    /// Whether it becomes many sums and products of which each waits for the one before.
    pub is_chain: bool,
}

impl Facts {
    /// Of an instruction that all processors have.
    const fn instruction(name: &'static str) -> Facts {
        Facts {
            name,
            cost: 1,
            neutral: None,
            faults: false,
            is_scalable: true,
            is_between_integers: false,
            is_chain: false,
        }
    }

    /// Of a function that takes tens of instructions.
    const fn function(name: &'static str) -> Facts {
        Facts { is_scalable: false, ..Facts::instruction(name).costs(20) }
    }

    /// Of a function that processors have, or that becomes sums and products.
    const fn steps(name: &'static str) -> Facts {
        Facts::instruction(name).costs(20)
    }

    /// Of a quotient or a remainder of real numbers.
    const fn quotient(name: &'static str) -> Facts {
        Facts::instruction(name).costs(8)
    }

    /// Of a quotient or a remainder of integers: there is none by 0.
    const fn division(name: &'static str) -> Facts {
        Facts { faults: true, ..Facts::quotient(name) }
    }

    /// Of what has no code.
    const fn nothing(name: &'static str) -> Facts {
        Facts::instruction(name).costs(0)
    }

    const fn costs(self, cost: u32) -> Facts {
        Facts { cost, ..self }
    }

    const fn real(self, neutral: f64) -> Facts {
        Facts { neutral: Some(Literal::Real(neutral)), ..self }
    }

    const fn integer(self, neutral: i64) -> Facts {
        Facts { neutral: Some(Literal::Integer(neutral)), ..self }
    }

    const fn between_integers(self) -> Facts {
        Facts { is_between_integers: true, ..self }
    }

    const fn chain(self) -> Facts {
        Facts { is_chain: true, ..self }
    }

    const fn not_scalable(self) -> Facts {
        Facts { is_scalable: false, ..self }
    }
}

macro_rules! operations {
    ($($op:ident = $kind:ident($name:literal) $(.$fact:ident($($value:expr)?))*;)*) => {
        /// An operation on scalars.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Op {
            $(#[doc = concat!("`", $name, "`")] $op,)*
            /// A number.
            Constant(Constant),
            /// The index of the point along a dimension.
            Index(usize),
            /// Compares floating-point numbers.
            CmpF(FloatPredicate),
            /// Compares integers.
            CmpI(IntegerPredicate),
            /// The greater of two reals, or either where one is no number.
            GreaterF,
            /// A product with a reciprocal.
            QuotientF,
        }

        impl Op {
            /// Those that nothing more has to be said of.
            const PLAIN: &[Op] = &[$(Op::$op),*];

            /// What is known of it.
            pub const fn facts(self) -> Facts {
                match self {
                    $(Op::$op => Facts::$kind($name)$(.$fact($($value)?))*,)*
                    Op::Constant(_) => Facts::nothing("arith.constant"),
                    Op::Index(_) => Facts::nothing("linalg.index"),
                    Op::CmpF(_) => Facts::instruction("arith.cmpf"),
                    Op::CmpI(_) => Facts::instruction("arith.cmpi"),
                    Op::GreaterF => Facts::instruction("arith.maximumf").real(f64::NEG_INFINITY),
                    Op::QuotientF => Facts::instruction("arith.divf"),
                }
            }
        }
    };
}

operations! {
    AddF = instruction("arith.addf").real(0.0);
    MulF = instruction("arith.mulf").real(1.0);
    MaximumF = instruction("arith.maximumf").real(f64::NEG_INFINITY);
    MinimumF = instruction("arith.minimumf").real(f64::INFINITY);
    MaxNumF = instruction("arith.maxnumf").real(f64::NEG_INFINITY);
    MinNumF = instruction("arith.minnumf").real(f64::INFINITY);
    SubF = instruction("arith.subf");
    NegF = instruction("arith.negf");
    DivF = quotient("arith.divf");
    RemF = quotient("arith.remf").not_scalable();
    AddI = instruction("arith.addi").integer(0);
    MulI = instruction("arith.muli").integer(1);
    MaxSI = instruction("arith.maxsi").integer(i64::MIN);
    MinSI = instruction("arith.minsi").integer(i64::MAX);
    AndI = instruction("arith.andi").integer(-1);
    OrI = instruction("arith.ori").integer(0);
    XOrI = instruction("arith.xori").integer(0);
    SubI = instruction("arith.subi");
    MaxUI = instruction("arith.maxui").integer(0);
    MinUI = instruction("arith.minui").integer(-1);
    ShLI = instruction("arith.shli");
    ShRSI = instruction("arith.shrsi");
    ShRUI = instruction("arith.shrui");
    AddUIExtended = instruction("arith.addui_extended").not_scalable();
    MulSIExtended = instruction("arith.mulsi_extended").not_scalable();
    MulUIExtended = instruction("arith.mului_extended").not_scalable();
    DivSI = division("arith.divsi");
    DivUI = division("arith.divui");
    CeilDivSI = division("arith.ceildivsi");
    CeilDivUI = division("arith.ceildivui");
    FloorDivSI = division("arith.floordivsi");
    RemSI = division("arith.remsi");
    RemUI = division("arith.remui");
    Select = instruction("arith.select");
    Bitcast = instruction("arith.bitcast");
    ExtF = instruction("arith.extf");
    ExtSI = instruction("arith.extsi");
    ExtUI = instruction("arith.extui");
    TruncF = instruction("arith.truncf");
    TruncI = instruction("arith.trunci");
    IndexCast = instruction("arith.index_cast");
    IndexCastUI = instruction("arith.index_castui");
    FPToSI = instruction("arith.fptosi").between_integers();
    FPToUI = instruction("arith.fptoui").between_integers();
    SIToFP = instruction("arith.sitofp").between_integers();
    UIToFP = instruction("arith.uitofp").between_integers();
    Round = steps("math.round").between_integers();
    RoundEven = function("math.roundeven").between_integers();
    Floor = steps("math.floor").between_integers();
    Ceil = steps("math.ceil").between_integers();
    Trunc = steps("math.trunc");
    AbsF = instruction("math.absf");
    Fma = instruction("math.fma");
    CopySign = steps("math.copysign");
    Sqrt = steps("math.sqrt");
    Exp = steps("math.exp").chain();
    Log = steps("math.log").chain();
    Erf = steps("math.erf").chain();
    Tanh = steps("math.tanh").chain();
    AbsI = function("math.absi");
    CountLeadingZeros = function("math.ctlz");
    CountTrailingZeros = function("math.cttz");
    CtPop = function("math.ctpop");
    Erfc = function("math.erfc");
    Rsqrt = function("math.rsqrt");
    Cbrt = function("math.cbrt");
    Exp2 = function("math.exp2");
    ExpM1 = function("math.expm1");
    Log2 = function("math.log2");
    Log10 = function("math.log10");
    Log1p = function("math.log1p");
    PowF = function("math.powf");
    FPowI = function("math.fpowi");
    IPowI = function("math.ipowi");
    Sin = function("math.sin");
    Cos = function("math.cos");
    Tan = function("math.tan");
    Asin = function("math.asin");
    Acos = function("math.acos");
    Atan = function("math.atan");
    Atan2 = function("math.atan2");
    Sinh = function("math.sinh");
    Cosh = function("math.cosh");
    Asinh = function("math.asinh");
    Acosh = function("math.acosh");
    Atanh = function("math.atanh");
    IsFinite = function("math.isfinite");
    IsInf = function("math.isinf");
    IsNaN = function("math.isnan");
    IsNormal = function("math.isnormal");
    Fetch = instruction("memref.load");
}

impl Op {
    /// The operation without parameters that MLIR calls so.
    pub fn named(name: &str) -> Option<Op> {
        Op::PLAIN.iter().find(|op| op.facts().name == name).copied()
    }

    /// What MLIR calls it.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Whether it compares two numbers, and equal ones do not hold.
    pub fn is_strict_comparison(self) -> bool {
        use {FloatPredicate as Real, IntegerPredicate as Integer};
        matches!(self, Op::CmpF(Real::Ogt | Real::Olt) | Op::CmpI(Integer::Sgt | Integer::Slt))
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Op::Constant(constant) => write!(f, " {constant}"),
            Op::Index(dim) => write!(f, " {dim}"),
            Op::CmpF(predicate) => write!(f, " {predicate:?}"),
            Op::CmpI(predicate) => write!(f, " {predicate:?}"),
            _ => Ok(()),
        }
    }
}
