//! Signals: windows, spectra.

use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Known, Tensor, made};
use std::f64::consts::PI;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "HannWindow" => window(node, &[0.5, 0.5]),
        "HammingWindow" => window(node, &[25.0 / 46.0, 21.0 / 46.0]),
        "BlackmanWindow" => window(node, &[0.42, 0.5, 0.08]),
        "MelWeightMatrix" => mel_weights(node),
        "DFT" => dft(t, node),
        "STFT" => stft(t, node),
        _ => return None,
    };
    one(result)
}

/// The sum of cosines with these factors, of which every other one is taken off.
fn window(node: &Node<'_>, factors: &[f64]) -> Result<Tensor, String> {
    let size = *node.fixed_ints(0)?.first().ok_or("its size is missing")?;
    let size = made(&[size])?;
    let period = if node.flag("periodic", true)? { size } else { size.saturating_sub(1) }.max(1);
    let value = |at: usize| {
        let angle = 2.0 * PI * at as f64 / period as f64;
        let term = |(order, factor): (usize, &f64)| {
            let sign = if order % 2 == 0 { 1.0 } else { -1.0 };
            sign * factor * (order as f64 * angle).cos()
        };
        factors.iter().enumerate().map(term).sum()
    };
    numbers(node, vec![size], (0..size).map(value).collect())
}

/// Known numbers of the type that an attribute tells.
fn numbers(node: &Node<'_>, shape: Vec<usize>, values: Vec<f64>) -> Result<Tensor, String> {
    let element = node.element("output_datatype")?.unwrap_or(ElementType::Float);
    if element.is_real() {
        return Ok(Tensor::known(element, shape, Known::Reals(values)));
    }
    let whole = values.into_iter().map(|value| Extent::from(value as i64)).collect();
    Ok(Tensor::known(element, shape, Known::Ints(whole)))
}

/// Triangles over the bins of a spectrum, that are as wide on the scale of mels.
fn mel_weights(node: &Node<'_>) -> Result<Tensor, String> {
    let whole = |at: usize| -> Result<i64, String> { Ok(*node.fixed_ints(at)?.first().ok_or("an operand is empty")?) };
    let (bands, length, rate) = (whole(0)?, whole(1)?, whole(2)?);
    let real = |at: usize| -> Result<f64, String> { Ok(*node.known_reals(at)?.first().ok_or("an operand is empty")?) };
    let (low, high) = (real(3)?, real(4)?);
    let (bins, count) = (made(&[length / 2 + 1])?, made(&[length / 2 + 1, bands])?);
    let bands = made(&[bands])?;
    if rate <= 0 {
        return Err("its `sample_rate` is expected to be positive".into());
    }
    let mel = |hertz: f64| 2595.0 * (1.0 + hertz / 700.0).log10();
    let step = (mel(high) - mel(low)) / (bands + 2) as f64;
    let edge = |at: usize| {
        let hertz = 700.0 * (10f64.powf((at as f64 * step + mel(low)) / 2595.0) - 1.0);
        ((length as f64 + 1.0) * hertz / rate as f64).floor() as i64
    };
    let mut weights = vec![0.0; count];
    for band in 0..bands {
        let (first, middle, last) = (edge(band), edge(band + 1), edge(band + 2));
        let mut put = |bin: i64, value: f64| {
            if let Some(bin) = usize::try_from(bin).ok().filter(|bin| *bin < bins) {
                weights[bin * bands + band] = value;
            }
        };
        match middle - first {
            0 => put(middle, 1.0),
            width => (first..=middle).for_each(|bin| put(bin, (bin - first) as f64 / width as f64)),
        }
        (middle..last).for_each(|bin| put(bin, (last - bin) as f64 / (last - middle) as f64));
    }
    numbers(node, vec![bins, bands], weights)
}

/// A Fourier transform of one dimension.
#[derive(Debug, Clone, Copy)]
struct Transform {
    /// How many elements there are.
    taken: usize,
    /// How many are transformed: zeros stand for those that there are not.
    length: usize,
    /// Numbers of an element: real, or real and imaginary.
    parts: usize,
    inverse: bool,
    onesided: bool,
}

impl Transform {
    /// How many elements the result has, and numbers of each.
    fn result(&self) -> (usize, usize) {
        match (self.onesided, self.inverse) {
            (true, false) => (self.length / 2 + 1, 2),
            (true, true) => (self.length, 1),
            (false, _) => (self.length, 2),
        }
    }

    /// The matrix that rows of elements are multiplied by: its rows are the numbers of elements, its columns those of results.
    fn matrix(&self, window: &[f64]) -> Result<Tensor, String> {
        let (results, numbers) = self.result();
        let extents =
            [self.taken, self.parts, results, numbers].map(|extent| i64::try_from(extent).unwrap_or(i64::MAX));
        let mut values = Vec::with_capacity(made(&extents)?);
        for row in 0..self.taken {
            for part in 0..self.parts {
                let weight = self.weight(row) * window.get(row).copied().unwrap_or(1.0);
                for column in 0..results {
                    let angle = 2.0 * PI * ((row * column) % self.length) as f64 / self.length as f64;
                    let turned = if self.inverse { angle } else { -angle };
                    // (cos + i sin) times 1 or i.
                    let product = if part == 0 { [turned.cos(), turned.sin()] } else { [-turned.sin(), turned.cos()] };
                    values.extend(product[..numbers].iter().map(|number| number * weight));
                }
            }
        }
        let shape = vec![self.taken * self.parts, results * numbers];
        Ok(Tensor::known(ElementType::Float, shape, Known::Reals(values)))
    }

    fn weight(&self, row: usize) -> f64 {
        if row >= self.length {
            return 0.0;
        }
        if !self.inverse {
            return 1.0;
        }
        // One side of a spectrum stands for the other as well, but for what is its own mirror image.
        let is_own_mirror = row == 0 || 2 * row == self.length;
        let sides = match self.onesided {
            true if 2 * row > self.length => 0.0,
            true if !is_own_mirror => 2.0,
            _ => 1.0,
        };
        sides / self.length as f64
    }
}

impl Translator<'_> {
    /// The transform of the dimension before the last one, which holds the parts of complex numbers.
    fn transformed(&mut self, tensor: &Tensor, transform: &Transform, window: &[f64]) -> Result<Tensor, String> {
        let outer = tensor.shape[..tensor.rank() - 2].to_vec();
        let matrix = transform.matrix(window)?;
        let rows = self.reshaped(tensor, [outer.clone(), vec![matrix.shape[0].clone()]].concat())?;
        let product = self.product(&rows, &matrix)?;
        let (results, numbers) = transform.result();
        self.reshaped(&product, [outer, vec![(results as i64).into(), (numbers as i64).into()]].concat())
    }
}

fn fixed(extent: &Extent) -> Result<usize, String> {
    let known = extent.known().and_then(|known| usize::try_from(known).ok());
    known.ok_or_else(|| "it transforms an extent that only a run knows: import the model with fixed extents".into())
}

fn dft(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let axis = match node.optional(2) {
        Some(_) => *node.fixed_ints(2)?.first().ok_or("its axis is missing")?,
        None => node.int_or("axis", if node.version < 20 { 1 } else { -2 })?,
    };
    let axis = tensor.axis(axis)?;
    let last = tensor.rank() - 1;
    if axis == last {
        return Err("its axis is the last one, which holds the parts of complex numbers".into());
    }
    let (inverse, onesided) = (node.flag("inverse", false)?, node.flag("onesided", false)?);
    let (taken, parts) = (fixed(&tensor.shape[axis])?, fixed(&tensor.shape[last])?);
    let length = match node.optional(1) {
        Some(_) => *node.fixed_ints(1)?.first().ok_or("its length is missing")?,
        None if inverse && onesided => 2 * (taken as i64 - 1),
        None => taken as i64,
    };
    let length =
        usize::try_from(length).ok().filter(|length| *length > 0).ok_or("its length is expected to be positive")?;
    let perm: Vec<usize> = (0..last).filter(|at| *at != axis).chain([axis, last]).collect();
    let moved = t.transposed(&tensor, &perm);
    let transform = Transform { taken, length, parts, inverse, onesided };
    let result = t.transformed(&moved, &transform, &[])?;
    let mut back = vec![0; perm.len()];
    perm.iter().enumerate().for_each(|(to, from)| back[*from] = to);
    Ok(Tensor { element: tensor.element, ..t.transposed(&result, &back) })
}

fn stft(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let signal = node.input(0)?.clone();
    if signal.rank() != 3 {
        return Err(format!("its signal has {} dimensions, where 3 are expected", signal.rank()));
    }
    let step = *node.fixed_ints(1)?.first().filter(|step| **step > 0).ok_or("its step is expected to be positive")?;
    let window = node.optional(2).cloned();
    let length = match (node.optional(3), &window) {
        (Some(_), _) => Extent::from(*node.fixed_ints(3)?.first().ok_or("its frame length is missing")?),
        (None, Some(window)) => window.shape.first().cloned().ok_or("its window has no dimensions")?,
        (None, None) => signal.shape[1].clone(),
    };
    let (taken, parts) = (fixed(&length)?, fixed(&signal.shape[2])?);
    let rest = signal.shape[1].sub(&length).div(&step.into()).ok_or("its step is 0")?;
    let shape = vec![signal.shape[0].clone(), rest.add(&1.into()), length.clone(), signal.shape[2].clone()];
    let call = t.call("onnx.frames").int("step", step).attribute("length", length.expression());
    let frames = call.on(&signal).gives(signal.element, shape);
    let transform = Transform { taken, length: taken, parts, inverse: false, onesided: node.flag("onesided", true)? };
    match window.as_ref().map(Tensor::reals) {
        // A window that is known goes into the matrix.
        Some(Some(known)) => t.transformed(&frames, &transform, &known),
        Some(None) => {
            let window = window.ok_or("its window is missing")?;
            let column = t.reshaped(&window, vec![length, 1.into()])?;
            let weighted = t.binary("math.mul", &frames, &column)?;
            t.transformed(&weighted, &transform, &[])
        }
        None => t.transformed(&frames, &transform, &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(transform: &Transform) -> Vec<f64> {
        transform
            .matrix(&[])
            .unwrap()
            .reals()
            .unwrap()
            .into_iter()
            .map(|value| (value * 1e6).round() / 1e6 + 0.0)
            .collect()
    }

    #[test]
    fn one_side_of_a_spectrum_stands_for_both() {
        let forward = Transform { taken: 2, length: 2, parts: 1, inverse: false, onesided: true };
        assert_eq!(rows(&forward), [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0]);
        let back = Transform { taken: 3, length: 4, parts: 2, inverse: true, onesided: true };
        assert_eq!(rows(&back)[..4], [0.25; 4]);
        assert_eq!(rows(&back)[8..12], [0.5, 0.0, -0.5, 0.0]);
    }

    #[test]
    fn too_long_signals_are_refused() {
        let long = Transform { taken: 50000, length: 50000, parts: 1, inverse: false, onesided: false };
        assert!(long.matrix(&[]).unwrap_err().contains("are the most"));
    }
}
