//! Operators that the language has no formula for: data decides how many results there are, or the order of the
//! steps matters. The interpreter calls them through [`kernel`]; compiled code computes the same (`lowering/intrinsic` of
//! the dialect).

mod nonzero;
pub mod random;
mod roi_pool;
mod suppress;
mod top_k;

use crate::tensor::{Tensor, TensorData, volume};

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Attribute {
    /// Absent.
    Null,
    /// `int`
    Int(i64),
    /// `real`
    Real(f64),
    /// `bool`
    Bool(bool),
    /// `str`
    Str(String),
    /// A pack.
    Pack(Vec<Attribute>),
}

/// One invocation: every attribute of the operator, and its inputs in order.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// By name, defaults filled in.
    pub attributes: &'a [(String, Attribute)],
    /// Packs are flattened; absent ones are left out.
    pub inputs: &'a [&'a Tensor],
}

/// Computes the outputs of an operator in order.
pub type Kernel = fn(&Call) -> Result<Vec<Tensor>, String>;

/// The kernel of an operator, by its full name.
pub fn kernel(operator: &str) -> Option<Kernel> {
    Some(match operator {
        "layout.nonzero" => nonzero::nonzero,
        "algo.top_k" => top_k::top_k,
        "algo.nonmax_suppress" => suppress::nonmax_suppress,
        "image.max_roi_pool" => roi_pool::max_roi_pool,
        "image.avg_roi_pool" => roi_pool::avg_roi_pool,
        "rand.uniform" => random::uniform,
        "rand.normal" => random::normal,
        "rand.bernoulli" => random::bernoulli,
        _ => return None,
    })
}

/// Room for the elements of a tensor of this shape.
fn room<T>(shape: &[usize]) -> Result<Vec<T>, String> {
    let mut items = Vec::new();
    let reserved = volume(shape).is_some_and(|count| items.try_reserve_exact(count).is_ok());
    if reserved { Ok(items) } else { Err(format!("there is no memory for a result of shape {shape:?}")) }
}

impl Call<'_> {
    fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    fn int(&self, name: &str) -> Result<i64, String> {
        match self.attribute(name) {
            Some(Attribute::Int(value)) => Ok(*value),
            _ => Err(format!("attribute `{name}` must be an int")),
        }
    }

    fn real(&self, name: &str) -> Result<f64, String> {
        match self.attribute(name) {
            Some(Attribute::Real(value)) => Ok(*value),
            _ => Err(format!("attribute `{name}` must be a real")),
        }
    }

    fn optional_real(&self, name: &str) -> Result<Option<f64>, String> {
        match self.attribute(name) {
            None | Some(Attribute::Null) => Ok(None),
            _ => self.real(name).map(Some),
        }
    }

    fn bool(&self, name: &str) -> Result<bool, String> {
        match self.attribute(name) {
            Some(Attribute::Bool(value)) => Ok(*value),
            _ => Err(format!("attribute `{name}` must be a bool")),
        }
    }

    fn str(&self, name: &str) -> Result<&str, String> {
        match self.attribute(name) {
            Some(Attribute::Str(value)) => Ok(value),
            _ => Err(format!("attribute `{name}` must be a str")),
        }
    }

    /// A pack of extents.
    fn extents(&self, name: &str) -> Result<Vec<usize>, String> {
        let Some(Attribute::Pack(items)) = self.attribute(name) else {
            return Err(format!("attribute `{name}` must be a pack of int"));
        };
        let extent = |item: &Attribute| match item {
            Attribute::Int(value) => usize::try_from(*value).ok(),
            _ => None,
        };
        items
            .iter()
            .map(extent)
            .collect::<Option<_>>()
            .ok_or_else(|| format!("attribute `{name}` must not be negative"))
    }

    fn input(&self, number: usize) -> Result<&Tensor, String> {
        self.inputs.get(number).copied().ok_or_else(|| format!("input {number} is missing"))
    }

    fn reals(&self, number: usize) -> Result<(&[usize], &[f32]), String> {
        match self.input(number)? {
            Tensor { shape, data: TensorData::F32(items) } => Ok((shape, items)),
            other => Err(format!("input {number} must be real, not {}", other.element_type())),
        }
    }

    fn ints(&self, number: usize) -> Result<(&[usize], &[i64]), String> {
        match self.input(number)? {
            Tensor { shape, data: TensorData::I64(items) } => Ok((shape, items)),
            other => Err(format!("input {number} must be int, not {}", other.element_type())),
        }
    }
}

#[cfg(test)]
mod tests;
