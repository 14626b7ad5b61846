//! Nodes as they are made: names, constants, and what several operators are made of.

use super::attributes as attr;
use crate::constant::Constant;
use crate::element::ElementType;
use crate::proto::{AttributeProto, NodeProto};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The nodes of a graph, a function, or a branch or body in these.
#[derive(Debug, Default)]
pub struct Nodes {
    nodes: Vec<NodeProto>,
    /// Names of values, those of outer graphs too.
    taken: HashSet<String>,
    /// Constants that there are, by their bytes.
    constants: HashMap<Key, String>,
    /// What constants are.
    known: HashMap<String, Constant>,
    /// What names of new values begin with.
    stem: String,
    /// Domains of the functions that are called.
    pub domains: BTreeSet<String>,
}

/// What tells constants apart.
type Key = (ElementType, Vec<usize>, Vec<u8>);

/// Constants of more bytes are not looked for.
const SHARED_BYTES: usize = 256;

/// What was before the nodes of a branch or a body.
pub struct Outer {
    nodes: Vec<NodeProto>,
    constants: HashMap<Key, String>,
}

impl Nodes {
    /// A name that no other value has, as near to this one as can be.
    pub fn fresh(&mut self, name: &str) -> String {
        let name = if name.is_empty() { "value" } else { name };
        if self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let mut number = 1;
        loop {
            let other = format!("{name}_{number}");
            if self.taken.insert(other.clone()) {
                return other;
            }
            number += 1;
        }
    }

    /// Calls the values that are made from here on by what they are made for.
    pub fn name_after(&mut self, stem: &str) {
        stem.clone_into(&mut self.stem);
    }

    /// Begins a branch or a body.
    pub fn enter(&mut self) -> Outer {
        Outer { nodes: std::mem::take(&mut self.nodes), constants: self.constants.clone() }
    }

    /// Ends it: its nodes.
    pub fn leave(&mut self, outer: Outer) -> Vec<NodeProto> {
        self.constants = outer.constants;
        std::mem::replace(&mut self.nodes, outer.nodes)
    }

    /// All nodes.
    pub fn finish(self) -> Vec<NodeProto> {
        self.nodes
    }

    /// A node with one result.
    pub fn add(&mut self, operator: &str, inputs: &[&str], attributes: Vec<AttributeProto>) -> String {
        let inputs = inputs.iter().map(|input| (*input).to_owned()).collect();
        self.several(("", operator), inputs, 1, attributes).swap_remove(0)
    }

    /// A node with some results, of a domain.
    pub fn several(
        &mut self,
        (domain, operator): (&str, &str),
        inputs: Vec<String>,
        outputs: usize,
        attributes: Vec<AttributeProto>,
    ) -> Vec<String> {
        let stem = format!("{}_{operator}", self.stem);
        let stem = stem.trim_start_matches('_').to_owned();
        let output: Vec<String> = (0..outputs).map(|_| self.fresh(&stem)).collect();
        self.push((domain, operator), inputs, output.clone(), attributes);
        output
    }

    /// A node whose results have names.
    pub fn push(
        &mut self,
        (domain, operator): (&str, &str),
        input: Vec<String>,
        output: Vec<String>,
        attribute: Vec<AttributeProto>,
    ) {
        let (domain, op_type) = (domain.to_owned(), operator.to_owned());
        let name = output.first().cloned().unwrap_or_default();
        self.nodes.push(NodeProto { input, output, name, op_type, attribute, domain, ..NodeProto::default() });
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Whether a value is what the last node gives, and that is none of the first ones.
    pub fn is_last(&self, value: &str, first: usize) -> bool {
        let last = self.nodes.get(first..).and_then(<[NodeProto]>::last).filter(|node| node.op_type != "Constant");
        last.is_some_and(|node| node.output.iter().any(|output| output == value))
    }

    /// Calls a result of the last node otherwise.
    pub fn rename_last(&mut self, value: &str, name: &str) {
        let outputs = self.nodes.last_mut().into_iter().flat_map(|node| &mut node.output);
        outputs.filter(|output| *output == value).for_each(|output| name.clone_into(output));
    }

    /// A tensor whose elements are known.
    pub fn constant(&mut self, constant: &Constant) -> String {
        let key = (constant.element, constant.shape.clone(), constant.bytes.to_vec());
        if let Some(known) = self.constants.get(&key) {
            return known.clone();
        }
        let name = self.add("Constant", &[], vec![attr::tensor("value", attr::tensor_of("", constant))]);
        if key.2.len() <= SHARED_BYTES {
            self.constants.insert(key, name.clone());
        }
        self.known.insert(name.clone(), constant.clone());
        name
    }

    /// What a constant is.
    pub fn known(&self, name: &str) -> Option<&Constant> {
        self.known.get(name)
    }

    /// A vector of whole numbers.
    pub fn ints(&mut self, values: &[i64]) -> String {
        self.constant(&Constant::of_ints(values))
    }

    /// A whole number of rank 0.
    pub fn int(&mut self, value: i64) -> String {
        self.constant(&Constant { shape: Vec::new(), ..Constant::of_ints(&[value]) })
    }

    /// A whole number of 32 bits of rank 0.
    pub fn int32(&mut self, value: i64) -> String {
        let bytes = (value as i32).to_le_bytes().to_vec().into();
        self.constant(&Constant { element: ElementType::Int32, shape: Vec::new(), bytes, ..Constant::of_ints(&[]) })
    }

    /// A real number of rank 0.
    pub fn real(&mut self, value: f64) -> String {
        self.constant(&Constant::of_reals(Vec::new(), &[value as f32]))
    }

    /// A real number of 64 bits of rank 0, as extents are computed with.
    pub fn double(&mut self, value: f64) -> String {
        let bytes = value.to_le_bytes().to_vec().into();
        self.constant(&Constant { element: ElementType::Double, bytes, ..Constant::of_reals(Vec::new(), &[]) })
    }

    /// A truth value of rank 0.
    pub fn truth(&mut self, value: bool) -> String {
        self.constant(&Constant::of_bools(Vec::new(), &[value]))
    }

    /// Whether integers are more than 0: what the greatest of truth values is, or the least one. Of none that is the limit of the type.
    pub fn is_positive(&mut self, value: &str) -> String {
        let zero = self.int(0);
        self.add("Greater", &[value, &zero], Vec::new())
    }

    /// Elements of another type.
    pub fn cast(&mut self, value: &str, to: ElementType) -> String {
        self.add("Cast", &[value], vec![attr::int("to", i64::from(to.number()))])
    }

    /// One extent of a tensor, of rank 0.
    pub fn extent(&mut self, tensor: &str, dimension: usize) -> String {
        let extent = self.single_extent(tensor, dimension);
        self.scalar(&extent)
    }

    /// One extent of a tensor, as a vector.
    pub fn single_extent(&mut self, tensor: &str, dimension: usize) -> String {
        let dimension = i64::try_from(dimension).unwrap_or(i64::MAX);
        self.add("Shape", &[tensor], vec![attr::int("start", dimension), attr::int("end", dimension + 1)])
    }

    /// A tensor of one element as one of rank 0.
    pub fn scalar(&mut self, value: &str) -> String {
        let none = self.ints(&[]);
        self.add("Reshape", &[value, &none], Vec::new())
    }

    /// Permuted dimensions; nothing where they stay.
    pub fn transpose(&mut self, value: &str, permutation: &[usize]) -> String {
        if permutation.iter().enumerate().all(|(at, from)| at == *from) {
            return value.to_owned();
        }
        let permutation: Vec<i64> = permutation.iter().map(|from| *from as i64).collect();
        self.add("Transpose", &[value], vec![attr::ints("perm", &permutation)])
    }

    /// Inserts dimensions of extent 1, by their numbers in the result.
    pub fn unsqueeze(&mut self, value: &str, axes: &[i64]) -> String {
        self.with_axes("Unsqueeze", value, axes)
    }

    /// Removes dimensions of extent 1.
    pub fn squeeze(&mut self, value: &str, axes: &[i64]) -> String {
        self.with_axes("Squeeze", value, axes)
    }

    fn with_axes(&mut self, operator: &str, value: &str, axes: &[i64]) -> String {
        if axes.is_empty() {
            return value.to_owned();
        }
        let axes = self.ints(axes);
        self.add(operator, &[value, &axes], Vec::new())
    }

    /// One of two values; `Where` of ONNX Runtime knows no truth values.
    pub fn select(&mut self, condition: &str, values: [&str; 2], is_truth: bool) -> String {
        let [yes, no] = values;
        if !is_truth {
            return self.add("Where", &[condition, yes, no], Vec::new());
        }
        let not = self.add("Not", &[condition], Vec::new());
        let (yes, no) = (self.add("And", &[condition, yes], Vec::new()), self.add("And", &[&not, no], Vec::new()));
        self.add("Or", &[&yes, &no], Vec::new())
    }
}
