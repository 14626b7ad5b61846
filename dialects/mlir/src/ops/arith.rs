//! The arith dialect.

use crate::Failure;
use crate::ir::{Attribute, Builder, Context, Type, Value, attributes, types};

/// `arith.constant`
pub fn constant<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: Attribute<'c>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(CONSTANT, &[], &[("value", value)], r#type)
}

/// The name of [`constant`].
pub const CONSTANT: &str = "arith.constant";

/// The attribute for what may be computed in another way.
pub const FAST_MATH: &str = "fastmath";

/// The attribute [`FAST_MATH`] with these flags, as MLIR names them: `nnan`, `nsz`, `arcp`, ...
///
/// # Errors
/// Where they are none, or the arith dialect is not loaded.
pub fn fast_math<'c>(context: &'c Context, flags: &str) -> Result<Attribute<'c>, Failure> {
    let attribute = attributes::parse(context, &format!("#arith.fastmath<{flags}>"));
    attribute.ok_or_else(|| Failure::new(format!("no way of computing is called `{flags}`")))
}

binary! {
    addf ADDF = "arith.addf";
    addi ADDI = "arith.addi";
    andi ANDI = "arith.andi";
    divf DIVF = "arith.divf";
    divsi DIVSI = "arith.divsi";
    divui = "arith.divui";
    maximumf MAXIMUMF = "arith.maximumf";
    maxnumf MAXNUMF = "arith.maxnumf";
    maxsi MAXSI = "arith.maxsi";
    maxui MAXUI = "arith.maxui";
    minimumf MINIMUMF = "arith.minimumf";
    minnumf MINNUMF = "arith.minnumf";
    minsi MINSI = "arith.minsi";
    minui MINUI = "arith.minui";
    mulf MULF = "arith.mulf";
    muli MULI = "arith.muli";
    ori ORI = "arith.ori";
    remf REMF = "arith.remf";
    remsi REMSI = "arith.remsi";
    remui = "arith.remui";
    shli SHLI = "arith.shli";
    shrsi SHRSI = "arith.shrsi";
    shrui = "arith.shrui";
    subf SUBF = "arith.subf";
    subi SUBI = "arith.subi";
    xori XORI = "arith.xori";
}

unary! {
    negf NEGF = "arith.negf";
}

conversion! {
    bitcast = "arith.bitcast";
    extf EXTF = "arith.extf";
    extsi EXTSI = "arith.extsi";
    extui EXTUI = "arith.extui";
    fptosi FPTOSI = "arith.fptosi";
    index_cast INDEX_CAST = "arith.index_cast";
    sitofp SITOFP = "arith.sitofp";
    truncf TRUNCF = "arith.truncf";
    trunci TRUNCI = "arith.trunci";
    uitofp UITOFP = "arith.uitofp";
}

/// `arith.mulsi_extended`: the lower and the upper half of a product of twice as many bits.
pub fn mulsi_extended<'c, 'a>(
    builder: &Builder<'c, 'a>,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Result<[Value<'c, 'a>; 2], Failure> {
    let kind = left.r#type();
    let product = builder.operation("arith.mulsi_extended", &[left, right], &[], &[kind, kind])?;
    Ok([product.result(0)?, product.result(1)?])
}

/// `arith.addui_extended`: a sum and whether it is more than its bits hold.
pub fn addui_extended<'c, 'a>(
    builder: &Builder<'c, 'a>,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Result<[Value<'c, 'a>; 2], Failure> {
    let bit = types::integer(builder.context(), 1);
    let sum = builder.operation("arith.addui_extended", &[left, right], &[], &[left.r#type(), bit])?;
    Ok([sum.result(0)?, sum.result(1)?])
}

/// How `arith.cmpi` compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i64)]
pub enum IntegerPredicate {
    /// Equal.
    Eq = 0,
    /// Not equal.
    Ne = 1,
    /// Less, with signs.
    Slt = 2,
    /// Less or equal, with signs.
    Sle = 3,
    /// Greater, with signs.
    Sgt = 4,
    /// Greater or equal, with signs.
    Sge = 5,
    /// Less, without signs.
    Ult = 6,
    /// Less or equal, without signs.
    Ule = 7,
    /// Greater, without signs.
    Ugt = 8,
    /// Greater or equal, without signs.
    Uge = 9,
}

impl IntegerPredicate {
    const ALL: [Self; 10] = {
        use IntegerPredicate as P;
        [P::Eq, P::Ne, P::Slt, P::Sle, P::Sgt, P::Sge, P::Ult, P::Ule, P::Ugt, P::Uge]
    };

    /// The predicate of `arith.cmpi` with this number.
    pub fn of(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|predicate| *predicate as i64 == number)
    }
}

/// How `arith.cmpf` compares. Ordered comparisons fail with NaN, unordered ones hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i64)]
pub enum FloatPredicate {
    /// Never.
    False = 0,
    /// Ordered and equal.
    Oeq = 1,
    /// Ordered and greater.
    Ogt = 2,
    /// Ordered and greater or equal.
    Oge = 3,
    /// Ordered and less.
    Olt = 4,
    /// Ordered and less or equal.
    Ole = 5,
    /// Ordered and not equal.
    One = 6,
    /// Ordered: both are numbers.
    Ord = 7,
    /// Unordered or equal.
    Ueq = 8,
    /// Unordered or greater.
    Ugt = 9,
    /// Unordered, or greater or equal.
    Uge = 10,
    /// Unordered or less.
    Ult = 11,
    /// Unordered, or less or equal.
    Ule = 12,
    /// Unordered or not equal.
    Une = 13,
    /// Unordered: one is not a number.
    Uno = 14,
    /// Always.
    True = 15,
}

impl FloatPredicate {
    const ALL: [Self; 16] = {
        use FloatPredicate as P;
        [
            P::False,
            P::Oeq,
            P::Ogt,
            P::Oge,
            P::Olt,
            P::Ole,
            P::One,
            P::Ord,
            P::Ueq,
            P::Ugt,
            P::Uge,
            P::Ult,
            P::Ule,
            P::Une,
            P::Uno,
            P::True,
        ]
    };

    /// The predicate of `arith.cmpf` with this number.
    pub fn of(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|predicate| *predicate as i64 == number)
    }
}

/// The name of [`cmpi`].
pub const CMPI: &str = "arith.cmpi";

/// `arith.cmpi`
pub fn cmpi<'c, 'a>(
    builder: &Builder<'c, 'a>,
    predicate: IntegerPredicate,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let predicate = attributes::integer(builder.context(), predicate as i64);
    builder.value(CMPI, &[left, right], &[("predicate", predicate)], truth(left.r#type()))
}

/// The name of [`cmpf`].
pub const CMPF: &str = "arith.cmpf";

/// `arith.cmpf`
pub fn cmpf<'c, 'a>(
    builder: &Builder<'c, 'a>,
    predicate: FloatPredicate,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let predicate = attributes::integer(builder.context(), predicate as i64);
    builder.value(CMPF, &[left, right], &[("predicate", predicate)], truth(left.r#type()))
}

/// `i1`, or vectors of it as long as those compared.
fn truth(compared: Type<'_>) -> Type<'_> {
    let bit = types::integer(compared.context(), 1);
    types::with_lanes_of(compared, bit).unwrap_or(bit)
}

/// The name of [`select`].
pub const SELECT: &str = "arith.select";

/// `arith.select`
pub fn select<'c, 'a>(
    builder: &Builder<'c, 'a>,
    condition: Value<'c, 'a>,
    yes: Value<'c, 'a>,
    no: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(SELECT, &[condition, yes, no], &[], yes.r#type())
}
