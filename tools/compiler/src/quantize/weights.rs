//! Weights as whole numbers of few bits.

use super::parameters::{Form, Method, Parameters};
use skriptnd_runtime::{Tensor, TensorData};

/// Which elements of a weight have one scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// All.
    All,
    /// Those with the same index in this dimension.
    Channels(usize),
    /// So many that follow each other in the first dimension, each with the same index in the second one.
    Groups {
        /// The dimension that is cut into groups.
        along: usize,
        /// How many elements a group has.
        length: usize,
    },
}

/// A weight as whole numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantized {
    /// The extents.
    pub shape: Vec<usize>,
    /// The whole numbers.
    pub values: Vec<i8>,
    /// The scales in row-major order.
    pub scales: Vec<f32>,
    /// The extents of the scales: each is 1, that of the weight, or the number of groups.
    pub scale_shape: Vec<usize>,
    /// How they were made.
    pub grouping: Grouping,
    /// The bits of the whole numbers.
    pub bits: u32,
}

impl Quantized {
    /// The whole numbers of a weight, symmetric around 0.
    ///
    /// # Errors
    /// Where it is no tensor of reals, or one of them is no finite number.
    pub fn of(weight: &Tensor, grouping: Grouping, bits: u32, method: Method) -> Result<Quantized, String> {
        let TensorData::F32(items) = &weight.data else { return Err("it has no reals".into()) };
        if let Some(at) = items.iter().position(|item| !item.is_finite()) {
            return Err(format!("element {at} is {}, which no whole number stands for", items[at]));
        }
        let scale_shape = scale_shape(&weight.shape, grouping);
        let places: Vec<usize> = places(&weight.shape, &scale_shape, grouping).collect();
        let mut groups = vec![Vec::new(); scale_shape.iter().product()];
        for (item, place) in items.iter().zip(&places) {
            groups[*place].push(*item);
        }
        let form = Form { bits, signed: true };
        let parameters: Vec<Parameters> = groups.iter().map(|group| of_group(group, form, method)).collect();
        let whole =
            |(item, place): (&f32, &usize)| (parameters[*place].quantized(*item) / parameters[*place].scale).round();
        Ok(Quantized {
            shape: weight.shape.clone(),
            values: items.iter().zip(&places).map(|pair| whole(pair) as i8).collect(),
            scales: parameters.iter().map(|parameters| parameters.scale).collect(),
            scale_shape,
            grouping,
            bits,
        })
    }

    /// The reals that the whole numbers stand for.
    pub fn reals(&self) -> Vec<f32> {
        let places = places(&self.shape, &self.scale_shape, self.grouping);
        self.values.iter().zip(places).map(|(value, place)| f32::from(*value) * self.scales[place]).collect()
    }
}

fn scale_shape(shape: &[usize], grouping: Grouping) -> Vec<usize> {
    let extent = |(dimension, extent): (usize, &usize)| match grouping {
        Grouping::All => 1,
        Grouping::Channels(channels) => {
            if dimension == channels {
                *extent
            } else {
                1
            }
        }
        Grouping::Groups { along, length } if dimension == along => extent.div_ceil(length),
        Grouping::Groups { .. } => *extent,
    };
    shape.iter().enumerate().map(extent).collect()
}

/// The number of the scale of each element.
fn places<'s>(shape: &'s [usize], scales: &'s [usize], grouping: Grouping) -> impl Iterator<Item = usize> + 's {
    let count = shape.iter().product();
    (0..count).map(move |at: usize| {
        let (mut rest, mut place, mut stride) = (at, 0, 1);
        for dimension in (0..shape.len()).rev() {
            let index = rest % shape[dimension];
            rest /= shape[dimension];
            let index = match grouping {
                Grouping::Groups { along, length } if dimension == along => index / length,
                _ if scales[dimension] == 1 => 0,
                _ => index,
            };
            place += index * stride;
            stride *= scales[dimension];
        }
        place
    })
}

/// How many lengths of a range are tried.
const TRIED: usize = 80;

/// Percentiles of the few weights of a channel would tell nothing: those are from the least to the greatest.
fn of_group(group: &[f32], form: Form, method: Method) -> Parameters {
    let most = group.iter().map(|item| f64::from(item.abs())).fold(0.0, f64::max);
    let whole = Parameters::of_range([0.0, most], form);
    if method != Method::Mse {
        return whole;
    }
    let error = |parameters: &Parameters| -> f64 {
        group.iter().map(|item| f64::from(parameters.quantized(*item) - item).powi(2)).sum()
    };
    let shorter = (TRIED / 4..TRIED).map(|part| Parameters::of_range([0.0, most * part as f64 / TRIED as f64], form));
    let with_error = |parameters: Parameters| (error(&parameters), parameters);
    let all = shorter.map(with_error);
    all.fold(with_error(whole), |best, other| if other.0 < best.0 { other } else { best }).1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(shape: &[usize], items: Vec<f32>) -> Tensor {
        Tensor { shape: shape.to_vec(), data: TensorData::F32(items) }
    }

    #[test]
    fn each_channel_has_its_scale() {
        let given = weight(&[2, 3], vec![1.27, -0.5, 0.0, 12.7, -6.35, 0.1]);
        let rows = Quantized::of(&given, Grouping::Channels(0), 8, Method::MinMax).unwrap();
        assert_eq!(
            (rows.scale_shape.as_slice(), rows.values.as_slice()),
            (&[2, 1][..], &[127, -50, 0, 127, -64, 1][..])
        );
        let columns = Quantized::of(&given, Grouping::Channels(1), 8, Method::MinMax).unwrap();
        assert_eq!((columns.scale_shape.as_slice(), columns.scales[0]), (&[1, 3][..], 0.1));
        let all = Quantized::of(&given, Grouping::All, 4, Method::MinMax).unwrap();
        assert_eq!((all.scales.len(), all.values.as_slice()), (1, &[1, 0, 0, 7, -4, 0][..]));
        for (found, expected) in rows.reals().iter().zip([1.27, -0.5, 0.0, 12.7, -6.4, 0.1]) {
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
    }

    #[test]
    fn groups_may_have_fewer_elements_at_the_end() {
        let items: Vec<f32> = (0..10).map(|at| at as f32).collect();
        let along = |along| Grouping::Groups { along, length: 2 };
        let rows = Quantized::of(&weight(&[2, 5], items.clone()), along(1), 8, Method::MinMax).unwrap();
        assert_eq!(rows.scale_shape, [2, 3]);
        let most = rows.scales.iter().map(|scale| (scale * 127.0).round()).collect::<Vec<_>>();
        assert_eq!(most, [1.0, 3.0, 4.0, 6.0, 8.0, 9.0]);
        let columns = Quantized::of(&weight(&[5, 2], items), along(0), 8, Method::MinMax).unwrap();
        assert_eq!(columns.scale_shape, [3, 2]);
        let most = columns.scales.iter().map(|scale| (scale * 127.0).round()).collect::<Vec<_>>();
        assert_eq!(most, [2.0, 3.0, 6.0, 7.0, 8.0, 9.0]);
    }

    #[test]
    fn the_least_error_is_no_greater_than_that_of_the_whole_range() {
        let items: Vec<f32> = (0..64).map(|at| ((at * 37 % 64) as f32 / 32.0 - 1.0).powi(3)).chain([9.0]).collect();
        let error = |method| {
            let found = Quantized::of(&weight(&[65], items.clone()), Grouping::All, 4, method).unwrap();
            found.reals().iter().zip(&items).map(|(found, item)| (found - item).powi(2)).sum::<f32>()
        };
        assert!(error(Method::Mse) <= error(Method::MinMax));
    }

    #[test]
    fn what_is_not_finite_is_refused() {
        let told = Quantized::of(&weight(&[2], vec![0.0, f32::NAN]), Grouping::All, 8, Method::MinMax).unwrap_err();
        assert_eq!(told, "element 1 is NaN, which no whole number stands for");
        let zeros = Quantized::of(&weight(&[2], vec![0.0; 2]), Grouping::Channels(0), 8, Method::Mse).unwrap();
        assert_eq!((zeros.values, zeros.scales), (vec![0, 0], vec![1.0, 1.0]));
    }
}
