use super::*;

fn run(operator: &str, attributes: &[(&str, Attribute)], inputs: &[&Tensor]) -> Result<Vec<Tensor>, String> {
    let attributes: Vec<_> = attributes.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
    kernel(operator).unwrap()(&Call { attributes: &attributes, inputs })
}

fn reals(shape: &[usize], items: &[f32]) -> Tensor {
    Tensor { shape: shape.to_vec(), data: TensorData::F32(items.to_vec()) }
}

fn ints(shape: &[usize], items: &[i64]) -> Tensor {
    Tensor { shape: shape.to_vec(), data: TensorData::I64(items.to_vec()) }
}

#[test]
fn nonzero_lists_positions_by_dimension() {
    let x = reals(&[2, 3], &[0.0, 1.0, f32::NAN, -2.0, 0.0, -0.0]);
    assert_eq!(run("layout.nonzero", &[], &[&x]).unwrap(), [ints(&[2, 3], &[0, 0, 1, 1, 2, 0])]);
    assert_eq!(run("layout.nonzero", &[], &[&Tensor::scalar(true)]).unwrap(), [ints(&[0, 1], &[])]);
    assert_eq!(run("layout.nonzero", &[], &[&ints(&[3, 0], &[])]).unwrap(), [ints(&[2, 0], &[])]);
}

fn top_k(k: i64, axis: i64, largest: bool, sorted: bool, x: &Tensor) -> Vec<Tensor> {
    let attributes = [
        ("k", Attribute::Int(k)),
        ("axis", Attribute::Int(axis)),
        ("largest", Attribute::Bool(largest)),
        ("sorted", Attribute::Bool(sorted)),
    ];
    run("algo.top_k", &attributes, &[x]).unwrap()
}

#[test]
fn top_k_prefers_lower_positions() {
    let x = reals(&[2, 4], &[3.0, 1.0, 3.0, 2.0, -1.0, 0.0, -1.0, 5.0]);
    let expected = [reals(&[2, 3], &[3.0, 3.0, 2.0, 5.0, 0.0, -1.0]), ints(&[2, 3], &[0, 2, 3, 3, 1, 0])];
    assert_eq!(top_k(3, -1, true, true, &x), expected);
    let expected = [reals(&[2, 2], &[3.0, 1.0, -1.0, -1.0]), ints(&[2, 2], &[0, 1, 0, 2])];
    let smallest = top_k(2, 1, false, false, &x);
    assert_eq!(smallest[1].shape, expected[1].shape);
    assert_eq!(smallest[1], ints(&[2, 2], &[1, 3, 0, 2]), "in the order of the input");
    assert_eq!(top_k(1, 0, true, true, &x)[0], reals(&[1, 4], &[3.0, 1.0, 3.0, 5.0]));
    assert_eq!(top_k(9, 0, true, true, &x)[0].shape, [2, 4], "no more than there are");
}

#[test]
fn nonmax_suppression_of_overlapping_boxes() {
    // Boxes 0 and 1 share 9 of 11 parts; 2 is apart. Given by opposite corners in any order.
    let boxes = reals(&[1, 3, 4], &[0.0, 0.0, 1.0, 1.0, 1.1, 1.0, 0.1, 0.0, 5.0, 5.0, 6.0, 6.0]);
    let scores = reals(&[1, 2, 3], &[0.5, 0.9, 0.3, 0.1, 0.2, 0.8]);
    let attributes = |limit: f64, most: i64, score: Attribute, format: &str| {
        [
            ("box_format", Attribute::Str(format.to_string())),
            ("iou_threshold", Attribute::Real(limit)),
            ("max_outputs_per_class", Attribute::Int(most)),
            ("score_threshold", score),
        ]
    };
    let suppress = |attributes: [(&'static str, Attribute); 4]| {
        run("algo.nonmax_suppress", &attributes, &[&boxes, &scores]).unwrap().remove(0)
    };
    let rows = suppress(attributes(0.5, 3, Attribute::Null, "CORNERS"));
    assert_eq!(rows, ints(&[4, 3], &[0, 0, 1, 0, 0, 2, 0, 1, 2, 0, 1, 1]));
    let rows = suppress(attributes(0.9, 2, Attribute::Real(0.2), "CORNERS"));
    assert_eq!(rows, ints(&[3, 3], &[0, 0, 1, 0, 0, 0, 0, 1, 2]));
    let rows = suppress(attributes(0.5, 0, Attribute::Null, "CENTER"));
    assert_eq!(rows, ints(&[0, 3], &[]));
}

#[test]
fn regions_are_pooled_in_bins() {
    let x = reals(&[1, 1, 3, 4], &[1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.]);
    let pool = |operator: &str, region: &[f32]| {
        let bins = Attribute::Pack(vec![Attribute::Int(2), Attribute::Int(2)]);
        run(operator, &[("output_size", bins)], &[&x, &reals(&[1, 4], region), &ints(&[1], &[0])]).unwrap().remove(0)
    };
    // Columns 0 to 3 in bins of 2, rows 0 to 2 in bins that share row 1.
    let all = [0.0, 0.0, 3.0, 2.0];
    assert_eq!(pool("image.max_roi_pool", &all), reals(&[1, 1, 2, 2], &[6.0, 8.0, 10.0, 12.0]));
    assert_eq!(pool("image.avg_roi_pool", &all), reals(&[1, 1, 2, 2], &[3.5, 5.5, 7.5, 9.5]));
    assert_eq!(pool("image.max_roi_pool", &[9.0, 9.0, 9.0, 9.0]), reals(&[1, 1, 2, 2], &[0.0; 4]), "outside");
    // Divided exactly: the 49th of 98 bins over two elements begins with the second one.
    let line = [("output_size", Attribute::Pack(vec![Attribute::Int(98)]))];
    let inputs = [&reals(&[1, 1, 2], &[5.0, 1.0]), &reals(&[1, 2], &[0.0, 1.0]), &ints(&[1], &[0])];
    let halves = [[5.0; 49], [1.0; 49]].concat();
    assert_eq!(run("image.max_roi_pool", &line, &inputs).unwrap().remove(0), reals(&[1, 1, 98], &halves));
    let bins = Attribute::Pack(vec![Attribute::Int(1), Attribute::Int(1)]);
    let missing = run("image.max_roi_pool", &[("output_size", bins)], &[&x, &reals(&[1, 4], &all), &ints(&[1], &[1])]);
    assert!(missing.unwrap_err().contains("region 0 lies in batch item 1, but there are 1"));
}

#[test]
fn random_numbers_follow_their_seed_and_distribution() {
    let shape = ("shape", Attribute::Pack(vec![Attribute::Int(200), Attribute::Int(100)]));
    let draw = |operator: &str, a: (&'static str, f64), b: (&'static str, f64), seed: Attribute| {
        let attributes = [shape.clone(), (a.0, Attribute::Real(a.1)), (b.0, Attribute::Real(b.1)), ("seed", seed)];
        match run(operator, &attributes, &[]).unwrap().remove(0).data {
            TensorData::F32(items) => items,
            _ => unreachable!(),
        }
    };
    let moments = |items: &[f32]| {
        let mean = items.iter().sum::<f32>() / items.len() as f32;
        (mean, (items.iter().map(|item| (item - mean).powi(2)).sum::<f32>() / items.len() as f32).sqrt())
    };
    let uniform = |seed| draw("rand.uniform", ("min", -1.0), ("max", 3.0), seed);
    let items = uniform(Attribute::Int(7));
    assert!(items.iter().all(|item| (-1.0..3.0).contains(item)));
    let (mean, deviation) = moments(&items);
    assert!((mean - 1.0).abs() < 0.03 && (deviation - 4.0 / 12f32.sqrt()).abs() < 0.03, "{mean} {deviation}");
    assert_eq!(uniform(Attribute::Int(7)), items);
    assert_ne!(uniform(Attribute::Int(8)), items);
    assert_ne!(uniform(Attribute::Null), uniform(Attribute::Null));
    let (mean, deviation) = moments(&draw("rand.normal", ("mean", 5.0), ("std", 2.0), Attribute::Int(1)));
    assert!((mean - 5.0).abs() < 0.05 && (deviation - 2.0).abs() < 0.05, "{mean} {deviation}");
    let attributes = [shape.clone(), ("prob", Attribute::Real(0.25)), ("seed", Attribute::Int(1))];
    let TensorData::Bool(items) = run("rand.bernoulli", &attributes, &[]).unwrap().remove(0).data else {
        unreachable!()
    };
    let share = items.iter().filter(|&&item| item).count() as f32 / items.len() as f32;
    assert!((share - 0.25).abs() < 0.01, "{share}");
}

#[test]
fn wrong_calls_are_refused() {
    let x = ints(&[2], &[1, 2]);
    assert_eq!(run("layout.nonzero", &[], &[]).unwrap_err(), "input 0 is missing");
    assert_eq!(run("algo.nonmax_suppress", &[], &[&x]).unwrap_err(), "input 0 must be real, not int");
    assert!(kernel("nn.conv").is_none());
}
