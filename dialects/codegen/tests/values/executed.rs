//! Executes a function one operation after the other, and tells of each number that is computed.

use super::{MOST_ROWS, Random};
use skriptnd_codegen::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{OperationRef, Type, Value, attributes, block_arguments, block_operations, types};
use skriptnd_mlir::ops::linalg;
use std::collections::HashMap;

/// A number of a program; truths are 0 and 1.
#[derive(Debug, Clone, Copy)]
pub enum Number {
    Integer(i64),
    Real(f32),
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (self, other) {
            (Number::Integer(own), Number::Integer(other)) => own == other,
            (Number::Real(own), Number::Real(other)) => own == other || own.is_nan() && other.is_nan(),
            _ => false,
        }
    }
}

/// What an operation gives; none where that is not defined.
pub type Given = Option<Number>;

/// Elements in their order, with the extents.
#[derive(Clone)]
struct Tensor {
    shape: Vec<usize>,
    elements: Vec<Given>,
}

impl Tensor {
    fn filled(shape: Vec<usize>, value: Given) -> Tensor {
        let count = shape.iter().product();
        Tensor { shape, elements: vec![value; count] }
    }

    /// Where an element is.
    fn place(&self, at: &[usize]) -> usize {
        self.shape.iter().zip(at).fold(0, |place, (extent, at)| place * extent + at)
    }

    fn get(&self, at: &[usize]) -> Given {
        self.elements[self.place(at)]
    }

    /// All indices.
    fn points(&self) -> Vec<Vec<usize>> {
        points(&self.shape)
    }
}

fn points(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for extent in shape {
        all = all.into_iter().flat_map(|at| (0..*extent).map(move |next| [at.clone(), vec![next]].concat())).collect();
    }
    all
}

/// Tells of a number that a value, or an element of it, is, or that what a scalar operation gives is not defined.
type Tell<'t> = &'t mut dyn FnMut(Value<'_, '_>, Given);

/// Executes a function with random numbers. Returns all that it returns.
pub fn execute(function: OperationRef<'_, '_>, random: &mut Random, tell: Tell<'_>) -> Vec<Given> {
    let rows = random.below(MOST_ROWS + 1);
    let body = function.region(0).unwrap().first_block().unwrap();
    let mut known: HashMap<usize, Tensor> = HashMap::new();
    for argument in block_arguments(body) {
        let (shape, element) = (types::shape(argument.r#type()), types::element(argument.r#type()));
        let Some(shape) = shape else {
            known.insert(argument.key(), Tensor::filled(Vec::new(), Some(Number::Integer(rows as i64))));
            continue;
        };
        let shape = shape.into_iter().map(|extent| extent.map_or(rows, |known| known as usize)).collect();
        let mut tensor = Tensor::filled(shape, None);
        let any = |_: &Given| match element.is_float() {
            true => Some(Number::Real(random.real())),
            false => Some(Number::Integer(random.integer(types::width(element).unwrap()))),
        };
        tensor.elements = tensor.elements.iter().map(any).collect();
        known.insert(argument.key(), tensor);
    }
    for operation in block_operations(body).filter(|operation| operation.result_count() == 1) {
        let operand = |number: usize| known[&operation.operand(number).unwrap().key()].clone();
        let result = operation.result(0).unwrap();
        // Where one extent is open, it is that of the rows, or of what rows became.
        let shape = |open: usize| -> Vec<usize> {
            let shape = types::shape(result.r#type()).unwrap_or_default().into_iter();
            shape.map(|extent| extent.map_or(open, |known| known as usize)).collect()
        };
        let tensor = match operation.full_name() {
            linalg::GENERIC => structured(&Structured::read(operation).unwrap(), &known, tell),
            "tensor.empty" => Tensor::filled(shape(rows), None),
            "tensor.dim" => {
                let dim = outside(&known, operation.operand(1).unwrap());
                let Some(Number::Integer(dim)) = dim else { panic!("{dim:?}") };
                Tensor::filled(Vec::new(), Some(Number::Integer(operand(0).shape[dim as usize] as i64)))
            }
            "tensor.collapse_shape" | "tensor.expand_shape" => {
                let source = operand(0);
                let known: usize = shape(1).iter().product();
                Tensor { shape: shape(source.elements.len() / known), ..source }
            }
            "tensor.pad" => {
                let region = operation.region(0).unwrap().first_block().unwrap();
                let fill = known[&region.terminator().unwrap().operand(0).unwrap().key()].elements[0];
                moved(Tensor::filled(shape(rows), fill), &operand(0), &numbers(operation, "static_low"))
            }
            "tensor.insert_slice" => moved(operand(1), &operand(0), &numbers(operation, "static_offsets")),
            "tensor.extract_slice" => {
                let (source, offsets) = (operand(0), numbers(operation, "static_offsets"));
                let from =
                    |at: Vec<usize>| source.get(&at.iter().zip(&offsets).map(|(at, by)| at + by).collect::<Vec<_>>());
                let elements = points(&shape(rows)).into_iter().map(from).collect();
                Tensor { shape: shape(rows), elements }
            }
            _ => {
                let operands: Vec<Given> = operation.operands().map(|value| outside(&known, value)).collect();
                Tensor::filled(shape(rows), scalar(operation, &operands))
            }
        };
        told(result, &tensor, tell);
        known.insert(result.key(), tensor);
    }
    let returned = body.terminator().unwrap().operands().collect::<Vec<_>>();
    returned.into_iter().flat_map(|value| known[&value.key()].elements.clone()).collect()
}

/// A tensor with the elements of another one, so far from the first.
fn moved(mut into: Tensor, source: &Tensor, offsets: &[usize]) -> Tensor {
    for at in source.points() {
        let to: Vec<usize> = at.iter().zip(offsets).map(|(at, by)| at + by).collect();
        let place = into.place(&to);
        into.elements[place] = source.get(&at);
    }
    into
}

fn numbers(operation: OperationRef<'_, '_>, name: &str) -> Vec<usize> {
    operation.get_integers(name).unwrap().into_iter().map(|number| number as usize).collect()
}

fn told(value: Value<'_, '_>, tensor: &Tensor, tell: Tell<'_>) {
    if !types::is_integer(types::element(value.r#type()), 1) {
        tensor.elements.iter().filter(|number| number.is_some()).for_each(|number| tell(value, *number));
    }
}

/// A structured operation with one result.
fn structured(operation: &Structured<'_, '_>, known: &HashMap<usize, Tensor>, tell: Tell<'_>) -> Tensor {
    let mut result = known[&operation.outputs[0].key()].clone();
    for at in points(&loops(operation, known)) {
        let mut scalars: HashMap<usize, Given> = HashMap::new();
        let operands = operation.inputs.iter().map(|input| &known[&input.key()]);
        for ((argument, tensor), map) in block_arguments(operation.body).zip(operands).zip(&operation.maps) {
            scalars.insert(argument.key(), tensor.get(&element(map, &at)));
        }
        let written = result.place(&element(operation.output_map().unwrap(), &at));
        let partial = block_arguments(operation.body).last().unwrap();
        scalars.insert(partial.key(), result.elements[written]);
        for step in block_operations(operation.body) {
            let given: Vec<Given> = step
                .operands()
                .map(|operand| scalars.get(&operand.key()).copied().flatten().or_else(|| outside(known, operand)))
                .collect();
            if step.full_name() == linalg::YIELD {
                result.elements[written] = given[0];
                continue;
            }
            let numbers = if step.result_count() == 2 { words(step, &given) } else { vec![scalar(step, &given)] };
            for (value, number) in step.results().zip(numbers) {
                match number {
                    Some(_) => told(value, &Tensor { shape: Vec::new(), elements: vec![number] }, tell),
                    None => tell(value, None),
                }
                scalars.insert(value.key(), number);
            }
        }
    }
    result
}

/// How often each loop of a structured operation is gone through: what an operand has there that is indexed by it.
fn loops(operation: &Structured<'_, '_>, known: &HashMap<usize, Tensor>) -> Vec<usize> {
    let of = |dim: usize| {
        let mut all = operation.operands().zip(&operation.maps).filter_map(|(operand, map)| {
            let place = map.results.iter().position(|expr| expr.as_dim() == Some(dim))?;
            known[&operand.key()].shape.get(place).copied()
        });
        all.next().unwrap()
    };
    (0..operation.extents.len()).map(of).collect()
}

/// A scalar that was computed before the operation.
fn outside(known: &HashMap<usize, Tensor>, value: Value<'_, '_>) -> Given {
    known.get(&value.key()).and_then(|tensor| tensor.elements[0])
}

fn element(map: &Map, at: &[usize]) -> Vec<usize> {
    let one = |expr: &Expr| match expr {
        Expr::Dim(dim) => at[*dim],
        Expr::Const(number) => *number as usize,
        other => panic!("{other:?}"),
    };
    map.results.iter().map(one).collect()
}

/// The lower and the upper word of a product, or a sum and what is carried.
fn words(operation: OperationRef<'_, '_>, operands: &[Given]) -> Vec<Given> {
    let [Some(Number::Integer(left)), Some(Number::Integer(right))] = operands else { return vec![None; 2] };
    let kinds: Vec<Type<'_>> = operation.result_types();
    let all = match operation.full_name() {
        "arith.mulsi_extended" => left * right,
        "arith.addui_extended" => i64::from(*left as u32) + i64::from(*right as u32),
        other => panic!("{other}"),
    };
    vec![Some(wrapped(all, kinds[0])), Some(wrapped(all >> 32, kinds[1]))]
}

/// What a scalar operation gives.
fn scalar(operation: OperationRef<'_, '_>, operands: &[Given]) -> Given {
    let kind = operation.result(0).unwrap().r#type();
    let name = operation.full_name();
    let predicate = operation.get_integer("predicate");
    match (name, operands) {
        ("arith.constant", _) => constant(operation, kind),
        ("arith.select", [Some(Number::Integer(truth)), yes, no]) => {
            if *truth & 1 == 1 {
                *yes
            } else {
                *no
            }
        }
        (_, [Some(Number::Real(left)), Some(Number::Real(right))]) => match predicate {
            Some(predicate) => Some(Number::Integer(compared(predicate, *left, *right).into())),
            None => Some(Number::Real(real(name, *left, *right))),
        },
        (_, [Some(Number::Integer(left)), Some(Number::Integer(right))]) => {
            let own = types::width(operation.operand(0).unwrap().r#type()).unwrap_or(64);
            let number = match predicate {
                Some(predicate) => ordered(predicate, *left, *right, own).into(),
                None => integer(name, *left, *right, own),
            };
            Some(wrapped(number, kind))
        }
        (_, [Some(Number::Integer(value))]) => Some(converted(operation, *value)),
        (_, [Some(Number::Real(value))]) if name == "arith.fptosi" => {
            let most = 2f64.powi(types::width(kind).unwrap() as i32 - 1);
            let whole = f64::from(*value).trunc();
            (-most..most).contains(&whole).then_some(Number::Integer(whole as i64))
        }
        (_, [Some(Number::Real(value))]) => Some(Number::Real(match name {
            "math.round" => value.round(),
            "math.floor" => value.floor(),
            "math.ceil" => value.ceil(),
            "math.trunc" => value.trunc(),
            // Of two that differ in the sign, the greater.
            "math.absf" => value.abs(),
            other => panic!("{other}"),
        })),
        _ => None,
    }
}

/// What a conversion of an integer gives.
fn converted(operation: OperationRef<'_, '_>, value: i64) -> Number {
    if operation.full_name() == "arith.index_cast" {
        return Number::Integer(value);
    }
    let kind = operation.result(0).unwrap().r#type();
    let bits = types::width(operation.operand(0).unwrap().r#type()).unwrap();
    let signed = if bits == 1 { -(value & 1) } else { value };
    let unsigned = unsigned(signed, bits);
    match operation.full_name() {
        "arith.sitofp" => Number::Real(signed as f32),
        "arith.uitofp" => Number::Real(unsigned as f32),
        "arith.extui" => wrapped(unsigned as i64, kind),
        _ => wrapped(signed, kind),
    }
}

fn constant(operation: OperationRef<'_, '_>, kind: Type<'_>) -> Given {
    let value = operation.get("value").unwrap();
    match attributes::as_real(value) {
        Some(real) => Some(Number::Real(real as f32)),
        None => Some(wrapped(attributes::as_integer(value).unwrap(), kind)),
    }
}

/// The bits of an integer that a type has.
fn wrapped(value: i64, kind: Type<'_>) -> Number {
    // Indices have 64.
    let unused = 64 - types::width(kind).unwrap_or(64);
    let signed = value << unused >> unused;
    Number::Integer(if unused == 63 { signed & 1 } else { signed })
}

/// The bits of an integer as a number without a sign.
fn unsigned(value: i64, bits: u32) -> u64 {
    value as u64 & (u64::MAX >> (64 - bits))
}

fn integer(name: &str, left: i64, right: i64, bits: u32) -> i64 {
    let [own, other] = [left, right].map(|value| unsigned(value, bits));
    match name {
        "arith.addi" => left.wrapping_add(right),
        "arith.subi" => left.wrapping_sub(right),
        "arith.muli" => left.wrapping_mul(right),
        "arith.maxsi" => left.max(right),
        "arith.minsi" => left.min(right),
        "arith.maxui" => own.max(other) as i64,
        "arith.minui" => own.min(other) as i64,
        "arith.andi" => left & right,
        "arith.ori" => left | right,
        "arith.xori" => left ^ right,
        "arith.shli" => left << right,
        "arith.shrsi" => left >> right,
        "arith.shrui" => (own >> other) as i64,
        "arith.remsi" => left.wrapping_rem(right),
        "arith.remui" => (own % other) as i64,
        other => panic!("{other}"),
    }
}

/// A comparison of integers by the number of its predicate.
fn ordered(predicate: i64, left: i64, right: i64, bits: u32) -> bool {
    let [own, other] = [left, right].map(|value| unsigned(value, bits));
    match predicate {
        0 => left == right,
        1 => left != right,
        2 => left < right,
        3 => left <= right,
        4 => left > right,
        5 => left >= right,
        6 => own < other,
        7 => own <= other,
        8 => own > other,
        _ => own >= other,
    }
}

fn real(name: &str, left: f32, right: f32) -> f32 {
    let either = |chosen: f32| if left.is_nan() || right.is_nan() { f32::NAN } else { chosen };
    match name {
        "arith.addf" => left + right,
        "arith.subf" => left - right,
        "arith.mulf" => left * right,
        "arith.divf" => left / right,
        "arith.maximumf" => either(left.max(right)),
        "arith.minimumf" => either(left.min(right)),
        "arith.maxnumf" => left.max(right),
        "arith.minnumf" => left.min(right),
        other => panic!("{other}"),
    }
}

/// A comparison by the number of its predicate.
fn compared(predicate: i64, left: f32, right: f32) -> bool {
    let is_ordered = !left.is_nan() && !right.is_nan();
    match predicate {
        0 => false,
        1 => left == right,
        2 => left > right,
        3 => left >= right,
        4 => left < right,
        5 => left <= right,
        6 => is_ordered && left != right,
        7 => is_ordered,
        8..=12 => !is_ordered || compared([1, 2, 3, 4, 5][predicate as usize - 8], left, right),
        13 => left != right,
        14 => !is_ordered,
        _ => true,
    }
}
