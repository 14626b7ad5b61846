//! Tensors in memory: dense, row-major.

/// Element storage.
#[derive(Debug, Clone, PartialEq)]
pub enum TensorData {
    /// `real`
    F32(Vec<f32>),
    /// `int`
    I64(Vec<i64>),
    /// `bool`
    Bool(Vec<bool>),
}

/// A tensor with its extents, outermost first. The number of elements is the product of the extents.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// Extents.
    pub shape: Vec<usize>,
    /// Elements in row-major order.
    pub data: TensorData,
}
