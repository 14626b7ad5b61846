//! Tensors of images of another size.

use skriptnd_language::compose::extent::SymExpr;

/// A tensor that was resized along some dimensions, which may be resized along others at once.
#[derive(Debug, Clone)]
pub struct Resized {
    /// The tensor.
    pub x: String,
    /// What its extents were.
    pub shape: Vec<SymExpr>,
    /// Attributes that say how.
    pub method: Vec<(&'static str, String)>,
    /// The parameter of a cubic kernel.
    pub parameter: f64,
    /// Along which dimensions.
    pub along: Along,
}

/// The dimensions, and how large they become.
#[derive(Debug, Clone)]
pub enum Along {
    /// To these extents.
    Sizes(Vec<(i64, SymExpr)>),
    /// By these factors.
    Scales(Vec<(i64, f32)>),
}

impl Along {
    /// The dimensions.
    pub fn axes(&self) -> Vec<i64> {
        match self {
            Along::Sizes(sizes) => sizes.iter().map(|(axis, _)| *axis).collect(),
            Along::Scales(scales) => scales.iter().map(|(axis, _)| *axis).collect(),
        }
    }

    /// Both; none where they are of different kinds, or have a dimension in common.
    pub fn with(&self, other: &Along) -> Option<Along> {
        let own = self.axes();
        if other.axes().iter().any(|axis| own.contains(axis)) {
            return None;
        }
        match (self, other) {
            (Along::Sizes(a), Along::Sizes(b)) => Some(Along::Sizes([a.clone(), b.clone()].concat())),
            (Along::Scales(a), Along::Scales(b)) => Some(Along::Scales([a.clone(), b.clone()].concat())),
            _ => None,
        }
    }
}
