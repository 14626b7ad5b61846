//! Powers of integers in 64 bits, which wrap around.

use crate::element::ElementType;
use crate::export::attributes as attr;
use crate::export::nodes::Nodes;
use crate::proto::{GraphProto, ValueInfoProto};

/// How many bits an exponent has.
const BITS: i64 = 63;

/// With an exponent that is known, and not negative.
pub fn known(nodes: &mut Nodes, base: &str, exponent: i64) -> String {
    let (mut rest, mut square) = (exponent, base.to_owned());
    let mut result: Option<String> = None;
    loop {
        if rest % 2 == 1 {
            result = Some(match result {
                Some(result) => nodes.add("Mul", &[&result, &square], Vec::new()),
                None => square.clone(),
            });
        }
        rest /= 2;
        if rest == 0 {
            return result.unwrap_or_else(|| nodes.int(1));
        }
        square = nodes.add("Mul", &[&square, &square], Vec::new());
    }
}

/// With any exponent: a loop over its bits. With a negative one it is the reciprocal, rounded towards zero: not 0 for 1 and -1
/// only, which have the powers of whether it is odd.
pub fn of(nodes: &mut Nodes, base: &str, exponent: &str) -> String {
    let [zero, one, two, less] = [0, 1, 2, -1].map(|value| nodes.int(value));
    let is_negative = nodes.add("Less", &[exponent, &zero], Vec::new());
    let is_odd = nodes.add("Mod", &[exponent, &two], Vec::new());
    let size = nodes.add("Where", &[&is_negative, &is_odd, exponent], Vec::new());
    // All that is carried has the shape of the result.
    let both = nodes.add("Mul", &[base, exponent], Vec::new());
    let shape = nodes.add("Shape", &[&both], Vec::new());
    let initial = [&*one, base, &*size].map(|value| nodes.add("Expand", &[value, &shape], Vec::new()));
    let (count, goes_on) = (nodes.int(BITS), nodes.truth(true));
    let body = vec![attr::graph("body", step(nodes))];
    let inputs = [count, goes_on].into_iter().chain(initial).collect();
    let power = nodes.several(("", "Loop"), inputs, 3, body).swap_remove(0);
    let [is_one, is_less] = [&one, &less].map(|unit| nodes.add("Equal", &[base, unit], Vec::new()));
    let is_unit = nodes.add("Or", &[&is_one, &is_less], Vec::new());
    let is_more = nodes.add("Not", &[&is_unit], Vec::new());
    let vanishes = nodes.add("And", &[&is_negative, &is_more], Vec::new());
    nodes.add("Where", &[&vanishes, &zero, &power], Vec::new())
}

/// One bit: the result so far, the base to a power of 2, and what is left of the exponent.
fn step(nodes: &mut Nodes) -> GraphProto {
    let outer = nodes.enter();
    let names = ["bit", "goes_on", "power", "square", "rest"].map(|name| nodes.fresh(name));
    let [_, _, power, square, rest] = &names;
    let (one, two) = (nodes.int(1), nodes.int(2));
    let bit = nodes.add("Mod", &[rest, &two], Vec::new());
    let is_set = nodes.cast(&bit, ElementType::Bool);
    let factor = nodes.add("Where", &[&is_set, square, &one], Vec::new());
    let power = nodes.add("Mul", &[power, &factor], Vec::new());
    let square = nodes.add("Mul", &[square, square], Vec::new());
    let rest = nodes.add("Div", &[rest, &two], Vec::new());
    // Until nothing is left of the greatest exponent.
    let none = nodes.ints(&[0]);
    let all = nodes.ints(&[-1]);
    let flat = nodes.add("Reshape", &[&rest, &all], Vec::new());
    let some = nodes.several(("", "Concat"), vec![flat, none], 1, vec![attr::int("axis", 0)]).swap_remove(0);
    let greatest = nodes.add("ReduceMax", &[&some], vec![attr::int("keepdims", 0)]);
    let zero = nodes.int(0);
    let goes_on = nodes.add("Greater", &[&greatest, &zero], Vec::new());
    let info = |name: &str, element| ValueInfoProto { r#type: attr::open_type(element), name: name.to_owned() };
    let types = [ElementType::Int64, ElementType::Bool, ElementType::Int64, ElementType::Int64, ElementType::Int64];
    let input = names.iter().zip(types).map(|(name, element)| match element {
        ElementType::Bool => attr::info(name, element, &[]),
        _ if *name == names[0] => attr::info(name, element, &[]),
        _ => info(name, element),
    });
    let input = input.collect();
    let output = vec![
        attr::info(&goes_on, ElementType::Bool, &[]),
        info(&power, ElementType::Int64),
        info(&square, ElementType::Int64),
        info(&rest, ElementType::Int64),
    ];
    let node = nodes.leave(outer);
    GraphProto { node, name: "bit".to_owned(), input, output, ..GraphProto::default() }
}
