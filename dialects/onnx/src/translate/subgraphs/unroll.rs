//! Iterations one after the other.

use super::Outcome;
use super::repeat::Repetition;
use crate::element::ElementType;
use crate::extent::Extent;
use crate::translate::{Given, Translator};
use crate::value::{Known, Tensor, Value};

impl<'m> Translator<'m> {
    /// The statements of so many iterations, fewer where the condition is known not to hold any more.
    pub(super) fn unrolled(&mut self, repetition: &Repetition<'m>, trips: Option<i64>, given: &Given<'m>) -> Outcome {
        const MOST: i64 = 4096;
        if repetition.condition.is_some() {
            return Err(Some(
                "its condition must be known, as sequences that it carries get their lengths from that: give it by \
                 `--value`"
                    .into(),
            ));
        }
        let states = repetition.carried.len();
        let mut carried = repetition.carried.clone();
        let mut collected: Vec<Vec<Tensor>> = vec![Vec::new(); repetition.collected()];
        let mut at = 0;
        while trips.is_none_or(|trips| at < trips) {
            if at >= MOST {
                return Err(Some(format!(
                    "it has more than {MOST} iterations, and carries what needs them all written out"
                )));
            }
            let results = self.iteration(repetition, &Tensor::int(at), &carried, given)?;
            let (going, results) = repetition.parted(results);
            for (all, value) in collected.iter_mut().zip(&results[states..]) {
                all.extend(super::tensors_of(std::slice::from_ref(value)).cloned());
            }
            carried = results[..states].to_vec();
            at += 1;
            match going.map(|going| going.bools().and_then(|going| going.first().copied())) {
                Some(Some(false)) => break,
                Some(None) => {
                    return Err(Some("its condition depends on data, and it carries what needs to be known".into()));
                }
                _ => {}
            }
        }
        let collected = if at == 0 { self.empty(repetition, given)? } else { self.stacks(&collected) };
        Ok(carried.into_iter().chain(collected.into_iter().map(Value::Tensor)).collect())
    }

    /// What an iteration gives.
    pub(super) fn iteration(
        &mut self,
        repetition: &Repetition<'m>,
        index: &Tensor,
        carried: &[Value],
        given: &Given<'m>,
    ) -> Outcome {
        let mut arguments = Vec::new();
        if repetition.is_loop {
            // In an iteration the condition holds.
            let holds = Tensor::known(ElementType::Bool, Vec::new(), Known::Bools(vec![true]));
            arguments.extend([index.clone(), holds].map(Value::Tensor));
        }
        arguments.extend(carried.iter().cloned());
        for scanned in &repetition.scanned {
            let last = scanned.tensor.shape[scanned.axis].sub(&Extent::from(1));
            let at = match (scanned.is_reversed, index.ints()) {
                (false, _) => index.clone(),
                (true, Some(index)) => Tensor::int(last.sub(&index[0])),
                (true, None) => self.binary("math.sub", &Tensor::int(last), index)?,
            };
            arguments.push(Value::Tensor(self.item(&scanned.tensor, scanned.axis, &at)));
        }
        self.inner(repetition.graph, arguments, given)
    }

    /// What lies at an index of a dimension.
    pub(super) fn item(&mut self, tensor: &Tensor, axis: usize, index: &Tensor) -> Tensor {
        let mut shape = tensor.shape.clone();
        shape.remove(axis);
        self.call("layout.gather").int("axis", axis as i64).on(tensor).on(index).gives(tensor.element, shape)
    }

    fn stacks(&mut self, collected: &[Vec<Tensor>]) -> Vec<Tensor> {
        collected.iter().map(|parts| self.stacked(&parts.iter().collect::<Vec<_>>(), 0)).collect()
    }

    /// What no iteration collects: the extents of its items are those of one that is not done.
    fn empty(&mut self, repetition: &Repetition<'m>, given: &Given<'m>) -> Result<Vec<Tensor>, Option<String>> {
        if repetition.collected() == 0 {
            return Ok(Vec::new());
        }
        let carried = &repetition.carried;
        let (made, _) = self.in_block(|t| t.iteration(repetition, &Tensor::int(0), carried, given));
        let (_, results) = repetition.parted(made?);
        let mut empty = Vec::new();
        for item in super::tensors_of(&results[carried.len()..]) {
            let shape = [vec![Extent::from(0)], item.shape.clone()].concat();
            let zero = match item.element {
                ElementType::Bool => Known::Bools(vec![false]),
                element if element.is_real() => Known::Reals(vec![0.0]),
                _ => Known::Ints(vec![Extent::from(0)]),
            };
            let zero = Tensor::known(item.element, Vec::new(), zero);
            empty.push(self.filled(&zero, shape)?);
        }
        Ok(empty)
    }
}
