//! Tensors in memory: dense, row-major.

use std::fmt;

/// Types of elements, as a running model knows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize, serde::Serialize)]
pub enum ElementType {
    /// `real`
    #[serde(rename = "real")]
    F32,
    /// `int`
    #[serde(rename = "int")]
    I64,
    /// `bool`
    #[serde(rename = "bool")]
    Bool,
}

impl ElementType {
    /// Bytes per element in memory.
    pub fn size(self) -> usize {
        match self {
            ElementType::F32 => 4,
            ElementType::I64 => 8,
            ElementType::Bool => 1,
        }
    }
}

impl fmt::Display for ElementType {
    /// The keyword of the language.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ElementType::F32 => "real",
            ElementType::I64 => "int",
            ElementType::Bool => "bool",
        })
    }
}

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

impl TensorData {
    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            TensorData::F32(items) => items.len(),
            TensorData::I64(items) => items.len(),
            TensorData::Bool(items) => items.len(),
        }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Type of the elements.
    pub fn element_type(&self) -> ElementType {
        match self {
            TensorData::F32(_) => ElementType::F32,
            TensorData::I64(_) => ElementType::I64,
            TensorData::Bool(_) => ElementType::Bool,
        }
    }
}

/// A tensor with its extents, outermost first. The number of elements is the product of the extents.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// Extents.
    pub shape: Vec<usize>,
    /// Elements in row-major order.
    pub data: TensorData,
}

impl Tensor {
    /// A tensor of rank 0.
    pub fn scalar(data: impl Into<TensorData>) -> Tensor {
        Tensor { shape: Vec::new(), data: data.into() }
    }

    /// A tensor of zeros.
    pub fn zeros(element_type: ElementType, shape: Vec<usize>) -> Tensor {
        let count = volume(&shape).unwrap_or(0);
        let data = match element_type {
            ElementType::F32 => TensorData::F32(vec![0.0; count]),
            ElementType::I64 => TensorData::I64(vec![0; count]),
            ElementType::Bool => TensorData::Bool(vec![false; count]),
        };
        Tensor { shape, data }
    }

    /// Type of the elements.
    pub fn element_type(&self) -> ElementType {
        self.data.element_type()
    }

    /// On one line, as much of it as fits: `y: real[2] = 1.0, 2.5`.
    pub fn summary(&self, name: &str) -> String {
        const SHOWN: usize = 8;
        let first: Vec<String> = match &self.data {
            TensorData::F32(items) => items.iter().take(SHOWN).map(|item| format!("{item:?}")).collect(),
            TensorData::I64(items) => items.iter().take(SHOWN).map(|item| item.to_string()).collect(),
            TensorData::Bool(items) => items.iter().take(SHOWN).map(|item| item.to_string()).collect(),
        };
        let rest = if self.data.len() > SHOWN { ", ..." } else { "" };
        format!("{name}: {}{:?} = {}{rest}", self.element_type(), self.shape, first.join(", "))
    }

    /// Gives it another shape: further elements are 0, those that have no place are dropped.
    ///
    /// # Errors
    /// Where there is not enough memory: how many bytes it would take. It keeps its shape.
    pub fn resize(&mut self, shape: impl AsRef<[usize]>) -> Result<(), usize> {
        let shape = shape.as_ref();
        match &mut self.data {
            TensorData::F32(items) => resize(items, shape, 0.0)?,
            TensorData::I64(items) => resize(items, shape, 0)?,
            TensorData::Bool(items) => resize(items, shape, false)?,
        }
        self.shape.clear();
        self.shape.extend(shape);
        Ok(())
    }

    /// Bytes that the elements take.
    pub fn size_in_bytes(&self) -> usize {
        self.data.len() * self.element_type().size()
    }
}

impl From<f32> for TensorData {
    fn from(value: f32) -> Self {
        TensorData::F32(vec![value])
    }
}

impl From<i64> for TensorData {
    fn from(value: i64) -> Self {
        TensorData::I64(vec![value])
    }
}

impl From<bool> for TensorData {
    fn from(value: bool) -> Self {
        TensorData::Bool(vec![value])
    }
}

fn resize<T: Copy>(items: &mut Vec<T>, shape: &[usize], further: T) -> Result<(), usize> {
    let bytes = || volume(shape).unwrap_or(usize::MAX).saturating_mul(size_of::<T>());
    let count = volume(shape).ok_or_else(bytes)?;
    let more = count.saturating_sub(items.len());
    items.try_reserve_exact(more).map_err(|_| bytes())?;
    items.resize(count, further);
    Ok(())
}

/// Product of the extents; none if that of the extents other than 0 does not fit, so that strides always do.
pub fn volume(shape: &[usize]) -> Option<usize> {
    let product = shape.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent.max(1)))?;
    Some(if shape.contains(&0) { 0 } else { product })
}
