//! No edge crosses a box, whatever the graph.

use super::{HEIGHT, Label, Layout, Place, Point};
use crate::driver::drawing::{Drawing, Node};
use crate::driver::graph_options::GraphOptions;
use crate::driver::model::Model;
use skriptnd_runtime::intrinsic::random::Generator;
use std::path::Path;

/// Boxes whose edges come from earlier ones.
fn drawing(boxes: usize, edges: &[(usize, usize)]) -> Drawing {
    let node = |at: usize| Node { title: "m".repeat(at % 50), is_operation: at % 3 > 0 };
    let label = |at: usize| ["2x3", "1x64x224x224", "3 × 2x3", "", "n|1000x8"][at % 5].to_string();
    let edges = edges.iter().enumerate().map(|(at, &(from, to))| (from, to, label(at))).collect();
    Drawing { boxes: (0..boxes).map(node).collect(), edges }
}

/// Whether a line is inside of a box somewhere. Its length in the box is that of the parameters that all four sides leave.
fn crosses((x1, y1): Point, (x2, y2): Point, place: &Place) -> bool {
    let (dx, dy) = ((x2 - x1) as f64, (y2 - y1) as f64);
    let (mut from, mut to) = (0.0f64, 1.0f64);
    let sides = [(-dx, x1 - place.left), (dx, place.right - x1), (-dy, y1 - place.top), (dy, place.top + HEIGHT - y1)];
    for (direction, distance) in sides {
        match direction {
            0.0 if distance <= 0 => return false,
            0.0 => {}
            _ if direction < 0.0 => from = from.max(distance as f64 / direction),
            _ => to = to.min(distance as f64 / direction),
        }
    }
    to - from > 1e-9
}

fn overlap(a: &Place, b: &Place) -> bool {
    a.top == b.top && a.left < b.right && b.left < a.right
}

/// Checks a picture: boxes beside each other, edges from the one to the other and through none.
fn check(drawing: &Drawing, what: &str) {
    let layout = Layout::of(drawing).unwrap();
    let mut by_row = layout.places.clone();
    by_row.sort_by_key(|place| (place.top, place.left));
    assert!(by_row.windows(2).all(|pair| !overlap(&pair[0], &pair[1])), "{what}: boxes overlap");
    let inside = |place: &Place| place.left > 0 && place.right < layout.width && place.top + HEIGHT < layout.height;
    assert!(layout.places.iter().all(inside), "{what}: outside of the picture");
    for (way, (from, to, _)) in layout.ways.iter().zip(&drawing.edges) {
        let (begin, end) = (layout.places[*from], layout.places[*to]);
        let (first, last) = (way[0], way[way.len() - 1]);
        assert!(first.1 == begin.top + HEIGHT && begin.left < first.0 && first.0 < begin.right, "{what}");
        assert!(last.1 == end.top && end.left < last.0 && last.0 < end.right, "{what}");
        for line in way.windows(2) {
            let crossed = layout.places.iter().find(|place| crosses(line[0], line[1], place));
            assert_eq!(crossed, None, "{what}: the edge from {from} to {to} crosses a box");
        }
    }
    check_labels(drawing, &layout, what);
}

/// A rectangle: left, right, upper and lower side.
type Area = [i64; 4];

/// About what a label takes, with letters of 9 pixels.
fn area(label: &Label) -> Area {
    let (x, y) = label.at;
    [x, x + 6 * label.text.chars().count() as i64, y - 8, y + 2]
}

fn meet(a: Area, b: Area) -> bool {
    a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3]
}

/// Checks that labels are there, and beside each other and all boxes.
fn check_labels(drawing: &Drawing, layout: &Layout, what: &str) {
    let areas: Vec<Area> = layout.labels.iter().map(area).collect();
    for (at, (label, own)) in layout.labels.iter().zip(&areas).enumerate() {
        let [left, right, top, bottom] = *own;
        assert!(left > 0 && right < layout.width && top > 0 && bottom < layout.height, "{what}: {label:?}");
        let other = areas[..at].iter().position(|other| meet(*own, *other)).map(|other| &layout.labels[other]);
        assert_eq!(other, None, "{what}: {label:?} meets another label");
        let met = layout.places.iter().find(|box_| meet(*own, [box_.left, box_.right, box_.top, box_.top + HEIGHT]));
        assert_eq!(met, None, "{what}: {label:?} meets a box");
    }
    for (_, _, text) in drawing.edges.iter().filter(|(_, _, text)| !text.is_empty()) {
        assert!(layout.labels.iter().any(|label| label.text == *text), "{what}: no label {text}");
    }
}

#[test]
fn labels_stand_beside_each_other() {
    check(&drawing(2, &[(0, 1); 9]), "many edges between two boxes");
    check(&drawing(30, &(1..30).map(|to| (0, to)).collect::<Vec<_>>()), "many edges from one box");
    check(&drawing(30, &(0..29).map(|from| (from, 29)).collect::<Vec<_>>()), "many edges to one box");
    let mut long = drawing(6, &[(0, 5), (1, 5), (2, 5), (0, 4), (1, 4), (2, 4), (2, 4)]);
    long.edges.iter_mut().for_each(|(from, to, text)| *text = format!("{from}{}", "x12345".repeat(10 * *to)));
    check(&long, "long labels");
}

/// The edges of the picture of a model, as `from -> to: label`.
fn edges_of(text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.sknd");
    std::fs::write(&file, text).unwrap();
    let checked = GraphOptions::default().load(&Model::find(&file, &GraphOptions::default()).unwrap());
    let drawing = Drawing::of(&checked.compose(&Default::default()).0.unwrap());
    check(&drawing, text);
    let title = |at: usize| drawing.boxes[at].title.clone();
    drawing.edges.iter().map(|(from, to, label)| format!("{} -> {}: {label}", title(*from), title(*to))).collect()
}

#[test]
fn a_pack_is_one_edge() {
    let graph = |inputs: &str, body: &str| {
        format!(
            "import layout;\ngraph G {{ @input {{ {inputs} }} @output {{ y: real[4, 2]; }} @compose {{ {body} }} }}\n"
        )
    };
    let packed = edges_of(&graph("xs: real[2, 2]..(2);", "y = layout.concat{axis=0}(xs);"));
    assert_eq!(packed, ["xs -> layout.concat: 2 × 2x2", "layout.concat -> y: 4x2"]);
    let split = "parts = layout.split{axis=0, sizes=[1,2,1]}(x); y = layout.concat{axis=0}(parts);";
    let packed = edges_of(&graph("x: real[4, 2];", split));
    assert_eq!(packed[1], "layout.split -> layout.concat: 1x2, 2x2, 1x2");
    let split = "parts = layout.split{axis=0, sizes=[1,0,1,0,2]}(x); y = layout.concat{axis=0}(parts);";
    let packed = edges_of(&graph("x: real[4, 2];", split));
    assert_eq!(packed[1], "layout.split -> layout.concat: 5 tensors");
}

#[test]
fn lines_in_boxes_are_found() {
    let place = Place { left: 10, right: 20, top: 0 };
    assert!(crosses((0, 5), (30, 6), &place) && crosses((15, -9), (15, 90), &place));
    assert!(!crosses((15, -9), (15, 0), &place) && !crosses((10, -9), (10, 90), &place));
    assert!(!crosses((0, 0), (9, 90), &place) && crosses((12, 3), (13, 4), &place));
}

#[test]
fn skips_go_around() {
    check(&drawing(0, &[]), "nothing");
    check(&drawing(3, &[]), "no edges");
    check(&drawing(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (0, 3)]), "a skip");
    check(&drawing(4, &[(0, 1), (0, 1), (1, 2), (2, 3), (0, 3), (0, 3)]), "several edges between two boxes");
    let chain = (1..40).map(|at| (at - 1, at));
    check(&drawing(40, &chain.clone().chain((0..19).map(|at| (at, 38 - at))).collect::<Vec<_>>()), "like a U");
    let all = (0..40).flat_map(|to| (0..to).map(move |from| (from, to)));
    check(&drawing(40, &all.collect::<Vec<_>>()), "everything with everything");
    let used = (1..40).map(|to| (0, to));
    check(&drawing(40, &chain.chain(used).collect::<Vec<_>>()), "an input that everything takes");
}

#[test]
fn what_only_begins_stands_near_what_needs_it() {
    let layout = Layout::of(&drawing(5, &[(0, 2), (2, 3), (3, 4), (1, 4)])).unwrap();
    assert_eq!(layout.places[1].top, layout.places[3].top);
}

#[test]
fn in_random_graphs_no_edge_crosses_a_box() {
    let mut generator = Generator::new(3);
    let mut below = |count: usize| (generator.unit() * count as f64) as usize;
    for number in 0..300 {
        let boxes = 2 + below(60);
        let reach = 1 + below(boxes);
        let count = below(3 * boxes);
        let mut edge = || {
            let to = 1 + below(boxes - 1);
            (to - 1 - below(reach.min(to)), to)
        };
        let edges: Vec<_> = (0..count).map(|_| edge()).collect();
        check(&drawing(boxes, &edges), &format!("random graph {number}"));
    }
}

#[test]
fn in_models_no_edge_crosses_a_box() {
    let mut drawn = 0;
    for folder in ["models", "Integration/Inputs", "conformance/control-flow"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test").join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let Ok(model) = Model::find(&path, &GraphOptions::default()) else { continue };
            let checked = GraphOptions::default().load(&model);
            for name in checked.graphs() {
                if let (Some(graph), _) = checked.compose(&skriptnd_language::compose::ComposeOptions {
                    graph: Some(name.to_owned()),
                    ..Default::default()
                }) {
                    check(&Drawing::of(&graph), &format!("{}, {name}", path.display()));
                    drawn += 1;
                }
            }
        }
    }
    assert!(drawn > 50, "only {drawn} graphs are drawn");
}

#[test]
fn a_picture_without_end_is_refused() {
    let boxes = 3000;
    let edges: Vec<_> = (1..boxes).flat_map(|at| [(at - 1, at), (at - 1, boxes - 1)]).collect();
    assert!(Layout::of(&drawing(boxes, &edges)).is_none());
}
