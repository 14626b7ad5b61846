//! Operation interfaces beyond memory effects.

use std::any::Any;

use crate::ir::{Attribute, Context, Location, RegionRef, Type, Value};

/// How something has the interfaces that Rust declares: for each a function, whose type tells the interface.
#[derive(Default)]
pub(crate) struct Implementations(Vec<Box<dyn Any + Send + Sync>>);

impl Implementations {
    pub(crate) fn add<F: Copy + Send + Sync + 'static>(&mut self, implementation: F) {
        self.0.push(Box::new(implementation));
    }

    pub(crate) fn find<F: Copy + 'static>(&self) -> Option<F> {
        self.0.iter().find_map(|implementation| implementation.downcast_ref()).copied()
    }
}

/// What result types are inferred from (`InferTypeOpInterface`).
pub struct InferenceInput<'c, 'a> {
    /// The context.
    pub context: &'c Context,
    /// Where the operation will stand, if known.
    pub location: Option<Location<'c>>,
    /// The operands.
    pub operands: Vec<Value<'c, 'a>>,
    /// The attributes, sorted by name.
    pub attributes: Vec<(&'c str, Attribute<'c>)>,
    /// The regions.
    pub regions: Vec<RegionRef<'c, 'a>>,
}

impl<'c> InferenceInput<'c, '_> {
    /// The attribute of a name.
    pub fn attribute(&self, name: &str) -> Option<Attribute<'c>> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    /// The operands' types.
    pub fn operand_types(&self) -> Vec<Type<'c>> {
        self.operands.iter().map(Value::r#type).collect()
    }
}

/// An operation that calls a symbol (`CallOpInterface`); all its operands are arguments.
#[derive(Clone, Debug)]
pub struct CallInterface {
    /// The attribute that names the callee; empty where the first operand is the callee.
    pub callee_attribute: String,
}

/// A function: a symbol whose first region is its body, whose type stands in an attribute `function_type`, with
/// `arg_attrs` and `res_attrs` (`FunctionOpInterface`, `CallableOpInterface`).
#[derive(Clone, Copy, Debug, Default)]
pub struct FunctionInterface;

/// A point that control flow branches from or to (`RegionBranchOpInterface`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionPoint {
    /// The operation itself: before it enters a region, or after it left the last.
    Parent,
    /// A region of the operation.
    Region(usize),
}

/// Where control can flow. The target's block arguments (or, for the parent, the operation's results) receive what the
/// branching terminator yields, or these operands when it is the operation that enters.
pub struct RegionSuccessor {
    /// The target.
    pub point: RegionPoint,
    /// The operands of the operation that it hands on when it enters the target.
    pub operands: std::ops::Range<usize>,
}
