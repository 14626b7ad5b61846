//! Packs of which only a run knows the length: the interface of a compiled model has one tensor for each, whose items stand along
//! its first dimension.

use crate::metadata::{Extent, Metadata, TensorInfo};
use crate::tensor::{Tensor, TensorData};

/// One tensor of the items of a pack; `none` gives the one of a pack without items, which don't tell their shape.
///
/// # Errors
/// Where the items differ in type or shape; the reason.
pub fn stacked(items: &[Tensor], none: impl FnOnce() -> Tensor) -> Result<Tensor, String> {
    let Some((first, others)) = items.split_first() else { return Ok(none()) };
    let mut whole = first.clone();
    whole.shape.insert(0, items.len());
    for (number, item) in (1..).zip(others) {
        if item.shape != first.shape {
            return Err(format!("item {number} has shape {:?}, but the first one has {:?}", item.shape, first.shape));
        }
        match (&mut whole.data, &item.data) {
            (TensorData::F32(all), TensorData::F32(own)) => all.extend(own),
            (TensorData::I64(all), TensorData::I64(own)) => all.extend(own),
            (TensorData::Bool(all), TensorData::Bool(own)) => all.extend(own),
            (_, other) => {
                let (found, expected) = (other.element_type(), first.element_type());
                return Err(format!("item {number} is {found}, but the first one is {expected}"));
            }
        }
    }
    Ok(whole)
}

/// The items of a pack that is one tensor.
pub fn taken_apart(whole: &Tensor) -> Vec<Tensor> {
    let Some((&count, shape)) = whole.shape.split_first() else { return Vec::new() };
    let size = whole.data.len().checked_div(count).unwrap_or(0);
    let part = |number: usize| {
        let range = number * size..(number + 1) * size;
        let data = match &whole.data {
            TensorData::F32(all) => TensorData::F32(all[range].to_vec()),
            TensorData::I64(all) => TensorData::I64(all[range].to_vec()),
            TensorData::Bool(all) => TensorData::Bool(all[range].to_vec()),
        };
        Tensor { shape: shape.to_vec(), data }
    };
    (0..count).map(part).collect()
}

impl Metadata {
    /// A pack without items, for the input of this number: the extents of items are those that other inputs tell, or the largest.
    pub fn no_items(&self, number: usize, others: &[Option<Tensor>]) -> Tensor {
        let info = &self.inputs[number];
        let told = |name: &str| {
            let extent = self.extents.iter().find(|extent| extent.name == name)?;
            let dimension = *others.get(extent.input)?.as_ref()?.shape.get(extent.dimension)?;
            usize::try_from(extent.solve(dimension).ok()?).ok()
        };
        let extent = |extent: &Extent| match extent {
            Extent::Known(known) => *known,
            Extent::Open { expression, bound } => told(expression).or(*bound).unwrap_or(0),
        };
        let item = info.extents.iter().skip(1).map(extent);
        info.zeros([0].into_iter().chain(item).collect())
    }
}

impl TensorInfo {
    /// What a tensor of the interface is to the model: the items, if it is a pack of which only a run knows the length.
    pub fn items(&self, tensor: Tensor) -> Vec<Tensor> {
        if self.is_pack { taken_apart(&tensor) } else { vec![tensor] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(items: [i64; 2]) -> Tensor {
        Tensor { shape: vec![2], data: TensorData::I64(items.to_vec()) }
    }

    #[test]
    fn packs_are_put_together_and_taken_apart() {
        let items = [pair([1, 2]), pair([3, 4]), pair([5, 6])];
        let whole = stacked(&items, || unreachable!()).unwrap();
        assert_eq!((whole.shape.as_slice(), &whole.data), ([3, 2].as_slice(), &TensorData::I64((1..7).collect())));
        assert_eq!(taken_apart(&whole), items);
        let none = Tensor { shape: vec![0, 2], data: TensorData::I64(Vec::new()) };
        assert_eq!(taken_apart(&stacked(&[], || none).unwrap()), []);
        let scalars = [Tensor::scalar(1.0), Tensor::scalar(2.0)];
        assert_eq!(taken_apart(&stacked(&scalars, || unreachable!()).unwrap()), scalars);
    }

    #[test]
    fn items_are_alike() {
        let error = |other| stacked(&[pair([1, 2]), other], || unreachable!()).unwrap_err();
        assert_eq!(error(Tensor::scalar(1)), "item 1 has shape [], but the first one has [2]");
        let real = Tensor { shape: vec![2], data: TensorData::F32(vec![0.0; 2]) };
        assert_eq!(error(real), "item 1 is real, but the first one is int");
    }
}
