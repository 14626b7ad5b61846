//! Statements of `@lower` (section 2.12).

use super::{Expr, IterCount, LoopBound, Name, PackSpec};
use skriptnd_source::Span;
use strum::{EnumIter, EnumString, IntoStaticStr};

/// How an assignment combines with what is there (section 2.12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AssignOp {
    /// `=`
    Set,
    /// `:=`
    Update,
    /// `+=`
    Add,
    /// `*=`
    Mul,
    /// `&=`
    And,
    /// `|=`
    Or,
    /// `<=` or `<?=`
    Min,
    /// `>=` or `>?=`
    Max,
}

/// One statement of `@lower`.
#[derive(Debug, Clone)]
pub struct Lowering {
    /// `unroll..(k -> n)`
    pub unroll: Option<IterCount>,
    /// Intermediate values.
    pub locals: Vec<(LocalTarget, Expr)>,
    /// The access on the left: always [`ExprKind::Subscript`](super::ExprKind::Subscript).
    pub target: Expr,
    /// How the value is combined with what is there.
    pub op: AssignOp,
    /// The right side.
    pub value: Expr,
    /// Index symbols.
    pub bounds: Vec<LoopBound>,
    /// After `|`.
    pub condition: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// The name of an intermediate value in `@lower`.
#[derive(Debug, Clone)]
pub struct LocalTarget {
    /// What the statement calls it.
    pub name: Name,
    /// A length hint.
    pub pack: Option<PackSpec>,
}
