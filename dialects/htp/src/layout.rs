//! Tensor classes: how many elements of each dimension lie together in memory, for `LAYOUT_CHUNKSIZE`, and what functions that are registered say
//! by them of what they take.

use crate::generated::{Layout, Place};
use crate::grammar::model::DType;

/// A class of tensors, as C++ names it: `QUint8CroutonTensor_TCM`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorClass {
    /// The type of its elements; none where it is a class of all.
    pub dtype: Option<DType>,
    /// How they lie.
    pub layout: Layout,
    /// In which memory.
    pub place: Place,
}

/// What names of classes begin with.
const ELEMENTS: [(&str, DType); 14] = [
    ("QUint8", DType::QUInt8),
    ("QuantUint8", DType::QUInt8),
    ("QInt8", DType::QInt8),
    ("QuantInt8", DType::QInt8),
    ("QUint16", DType::QUInt16),
    ("QuantUint16", DType::QUInt16),
    ("QInt16", DType::QInt16),
    ("QuantInt16", DType::QInt16),
    ("QInt32", DType::QInt32),
    ("QuantInt32", DType::QInt32),
    ("Int32", DType::Int32),
    ("F16", DType::Float16),
    ("PlainFloat16", DType::Float16),
    ("F32", DType::Float32),
];

impl TensorClass {
    /// The class of this name; none where it is that of no tensors.
    pub fn of(name: &str) -> Option<Self> {
        let (bare, is_in_tcm) = match name.strip_suffix("_TCM") {
            Some(bare) => (bare, true),
            None => (name, false),
        };
        let kind = bare.strip_suffix("Tensor")?;
        let known = ELEMENTS.into_iter().find(|(word, _)| kind.starts_with(word)).map(|(_, dtype)| dtype);
        let dtype = known.or_else(|| kind.starts_with("PlainFloat").then_some(DType::Float32));
        let layout = match kind {
            "" => Layout::Any,
            _ if kind.contains("Crouton") => Layout::Crouton,
            _ => Layout::Flat,
        };
        let place = match (is_in_tcm, layout) {
            (true, _) => Place::Tcm,
            (false, Layout::Any) => Place::Any,
            (false, _) => Place::Main,
        };
        Some(TensorClass { dtype, layout, place })
    }
}

/// Elements of a chunk of the class along a dimension (batches, height, width, depth); `None` if the class or dimension is unknown.
pub fn chunk_size(class: &str, dimension: u32) -> Option<u64> {
    let class = TensorClass::of(class)?;
    // A crouton holds 2048 bytes.
    let chunk: [u64; 4] = match (class.layout, class.dtype.map(DType::element_size)) {
        (Layout::Crouton, Some(1)) => [1, 8, 8, 32],
        (Layout::Crouton, Some(2)) => [1, 8, 4, 32],
        (Layout::Crouton, Some(4)) => [1, 8, 2, 32],
        (Layout::Crouton, _) => return None,
        _ => [1, 1, 1, 1],
    };
    chunk.get(dimension as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_classes_tell_elements_layout_and_place() {
        let of = |name| TensorClass::of(name).map(|class| (class.dtype, class.layout, class.place));
        assert_eq!(of("QUint8CroutonTensor_TCM"), Some((Some(DType::QUInt8), Layout::Crouton, Place::Tcm)));
        assert_eq!(of("QuantInt16Tensor"), Some((Some(DType::QInt16), Layout::Flat, Place::Main)));
        assert_eq!(of("PlainFloatTensor"), Some((Some(DType::Float32), Layout::Flat, Place::Main)));
        assert_eq!(of("PlainFloat16Tensor_TCM"), Some((Some(DType::Float16), Layout::Flat, Place::Tcm)));
        assert_eq!(of("Tensor"), Some((None, Layout::Any, Place::Any)));
        assert_eq!((of("T"), of("TensorType")), (None, None));
    }

    #[test]
    fn croutons_have_as_many_bytes_whatever_they_hold() {
        let chunk = |class| [0, 1, 2, 3].map(|dimension| chunk_size(class, dimension));
        assert_eq!(chunk("QInt8CroutonTensor"), [Some(1), Some(8), Some(8), Some(32)]);
        assert_eq!(chunk("F16CroutonTensor_TCM"), [Some(1), Some(8), Some(4), Some(32)]);
        assert_eq!(chunk("Int32CroutonTensor"), [Some(1), Some(8), Some(2), Some(32)]);
        assert_eq!(chunk("Tensor"), [Some(1); 4]);
        assert_eq!((chunk("CroutonTensor"), chunk("Words"), chunk_size("Tensor", 4)), ([None; 4], [None; 4], None));
    }
}
