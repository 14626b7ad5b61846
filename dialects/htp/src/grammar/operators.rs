//! What expressions are made of: operators, and what can be asked of operands.

/// Operators that take one or more operands, from left to right.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    And,
    Or,
    Xor,
    Add,
    Mul,
    Min,
    Max,
}

/// Arithmetic of two operands.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    Sub,
    Div,
    /// The sign of the first operand.
    Rem,
    /// The sign of the second operand.
    Mod,
    RoundUp,
}

/// Comparisons.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Gt,
    Le,
    Ge,
}

impl Comparison {
    /// The sign.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Eq => "==",
            Comparison::Ne => "!=",
            Comparison::Lt => "<",
            Comparison::Gt => ">",
            Comparison::Le => "<=",
            Comparison::Ge => ">=",
        }
    }

    /// What holds where this one does not.
    pub fn negated(self) -> Self {
        match self {
            Comparison::Eq => Comparison::Ne,
            Comparison::Ne => Comparison::Eq,
            Comparison::Lt => Comparison::Ge,
            Comparison::Gt => Comparison::Le,
            Comparison::Le => Comparison::Gt,
            Comparison::Ge => Comparison::Lt,
        }
    }

    /// The same with its operands in the other order.
    pub fn mirrored(self) -> Self {
        match self {
            Comparison::Eq | Comparison::Ne => self,
            Comparison::Lt => Comparison::Gt,
            Comparison::Gt => Comparison::Lt,
            Comparison::Le => Comparison::Ge,
            Comparison::Ge => Comparison::Le,
        }
    }
}

/// What can be asked of an operand.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    Rank,
    StepSize,
    ZeroOffset,
    DType,
    ElementSize,
    Inputs,
    Outputs,
}

/// What can be asked of two operands.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    Encoding,
    Op,
    Shape,
}

/// What can be asked of an element of a constant.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstantQuery {
    Int,
    IntValid,
    Float,
    FloatValid,
}

/// Variables of an `AUTOSPLIT` or `OP_ITER`.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitVariable {
    Dim,
    Start,
    Size,
}
