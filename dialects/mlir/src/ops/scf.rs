//! The scf dialect.

use crate::Failure;
use crate::ir::{Builder, OperationRef, Type, Value, types};

/// The name of `for`.
pub const FOR: &str = "scf.for";
/// The name of `if`.
pub const IF: &str = "scf.if";
/// The name of `while`.
pub const WHILE: &str = "scf.while";

/// `scf.for`, whose body is to be filled.
pub struct For<'c, 'a> {
    /// The operation.
    pub operation: OperationRef<'c, 'a>,
    /// Builds the body, which ends with `yield`.
    pub body: Builder<'c, 'a>,
    /// The index.
    pub index: Value<'c, 'a>,
    /// The carried values inside.
    pub carried: Vec<Value<'c, 'a>>,
}

/// `scf.for` between two bounds by a step, with the first values of what it carries.
pub fn r#for<'c, 'a>(
    builder: &Builder<'c, 'a>,
    [from, to, step]: [Value<'c, 'a>; 3],
    carried: &[Value<'c, 'a>],
) -> Result<For<'c, 'a>, Failure> {
    let results = value_types(carried);
    let arguments = [&[types::index(builder.context())], results.as_slice()].concat();
    let built = builder.with_body(FOR, &[&[from, to, step], carried].concat(), &[], &results, &arguments)?;
    let (index, carried) = built.arguments.split_first().ok_or("a loop without an index")?;
    Ok(For { operation: built.operation, body: built.builder, index: *index, carried: carried.to_vec() })
}

/// `scf.if`, whose branches are to be filled.
pub struct If<'c, 'a> {
    /// The operation.
    pub operation: OperationRef<'c, 'a>,
    /// Builds what is done where the condition holds; ends with `yield`.
    pub then: Builder<'c, 'a>,
    /// Builds what is done otherwise; ends with `yield`.
    pub otherwise: Builder<'c, 'a>,
}

/// `scf.if` with both branches.
pub fn r#if<'c, 'a>(
    builder: &Builder<'c, 'a>,
    condition: Value<'c, 'a>,
    results: &[Type<'c>],
) -> Result<If<'c, 'a>, Failure> {
    let operation = builder.with_regions(IF, &[condition], &[], results, &[&[], &[]])?;
    let (then, _) = builder.inside(operation, 0)?;
    let (otherwise, _) = builder.inside(operation, 1)?;
    Ok(If { operation, then, otherwise })
}

/// `scf.while`, whose regions are to be filled.
pub struct While<'c, 'a> {
    /// The operation.
    pub operation: OperationRef<'c, 'a>,
    /// Builds what tests; ends with [`condition`].
    pub before: Builder<'c, 'a>,
    /// The state when it is tested.
    pub tested: Vec<Value<'c, 'a>>,
    /// Builds the body; ends with `yield`.
    pub after: Builder<'c, 'a>,
    /// The state at the begin of the body.
    pub state: Vec<Value<'c, 'a>>,
}

/// `scf.while` whose test hands on the state as it is.
pub fn r#while<'c, 'a>(builder: &Builder<'c, 'a>, state: &[Value<'c, 'a>]) -> Result<While<'c, 'a>, Failure> {
    let types = value_types(state);
    let operation = builder.with_regions(WHILE, state, &[], &types, &[&types, &types])?;
    let (before, tested) = builder.inside(operation, 0)?;
    let (after, state) = builder.inside(operation, 1)?;
    Ok(While { operation, before, tested, after, state })
}

/// The name of [`condition`].
pub const CONDITION: &str = "scf.condition";

/// `scf.condition`
pub fn condition<'c, 'a>(
    builder: &Builder<'c, 'a>,
    goes_on: Value<'c, 'a>,
    state: &[Value<'c, 'a>],
) -> Result<(), Failure> {
    builder.operation(CONDITION, &[&[goes_on], state].concat(), &[], &[]).map(drop)
}

terminator! {
    r#yield YIELD = "scf.yield";
}

fn value_types<'c>(values: &[Value<'c, '_>]) -> Vec<Type<'c>> {
    values.iter().map(|value| value.r#type()).collect()
}
