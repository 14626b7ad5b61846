//! Tensors that are given in the place of those that a model holds.

use super::Translator;
use crate::constant::Constant;
use crate::problem::{Problem, listed};
use crate::proto::TensorProto;

impl<'m> Translator<'m> {
    /// The tensor of an initializer: the one that is given, or the model's own.
    pub(super) fn weight(&mut self, tensor: &'m TensorProto) -> Result<Constant, String> {
        let Some(weights) = self.given_weights else { return self.file.constant(tensor) };
        let [taken, kept] = &mut self.weights;
        if let Some(given) = weights.get(&tensor.name) {
            taken.insert(&tensor.name);
            return in_place_of(tensor, given);
        }
        let own = self.file.constant(tensor)?;
        if own.element.is_real() {
            kept.insert(&tensor.name);
        }
        Ok(own)
    }

    /// Tells of weights that the model has not, and of its own that were not given.
    pub fn check_weights(&mut self) {
        let Some(weights) = self.given_weights else { return };
        let [taken, kept] = &self.weights;
        let some = |names: String| Some(names).filter(|names| !names.is_empty());
        let unread = some(listed(weights.keys().map(String::as_str).filter(|name| !taken.contains(name))));
        let mut kept: Vec<&str> = kept.iter().copied().collect();
        kept.sort_unstable();
        let kept = some(listed(kept.into_iter()));
        if taken.is_empty() {
            let given = unread.unwrap_or("there are none".into());
            let reason = format!("none of the weights that are given is one of its tensors: {given}");
            self.problems.push(Problem::of_file(format!("{reason}; those are {}", kept.unwrap_or("none".into()))));
            return;
        }
        let unread =
            unread.map(|names| format!("these of the weights that are given are none of its tensors: {names}"));
        let kept = kept.map(|names| format!("these of its tensors are not among the weights that are given: {names}"));
        self.warnings.extend([unread, kept].into_iter().flatten().map(Problem::of_file));
    }
}

/// A tensor that is given, in the type and shape of the model's.
pub fn in_place_of(tensor: &TensorProto, given: &Constant) -> Result<Constant, String> {
    let element = crate::element::ElementType::of(tensor.data_type).unwrap_or(given.element);
    let wanted: Vec<i64> = tensor.dims.clone();
    if wanted.len() != given.shape.len() || !wanted.iter().zip(&given.shape).all(|(a, b)| *a == *b as i64) {
        return Err(format!("its shape is {wanted:?}, but the weights that are given have {:?}", given.shape));
    }
    if element.is_real() != given.element.is_real() {
        let (wanted, found) = (element.name(), given.element.name());
        return Err(format!("its elements are {wanted}, but the weights that are given have {found}"));
    }
    given.clone().converted(element)
}
