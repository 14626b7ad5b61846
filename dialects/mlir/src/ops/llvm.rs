//! The LLVM dialect: types, globals, functions of blocks, and what their blocks do.

use melior::dialect::llvm::r#type as kinds;

use super::segments;
use crate::Failure;
use crate::ir::{Attribute, BlockRef, Builder, Context, OperationRef, Type, Value, attributes, types};

/// `!llvm.ptr`
pub fn pointer_type(context: &Context) -> Type<'_> {
    Type(kinds::pointer(&context.0, 0))
}

/// `!llvm.array<count x element>`
pub fn array_type(element: Type<'_>, count: u32) -> Type<'_> {
    Type(kinds::array(element.0, count))
}

/// `!llvm.func<result (inputs)>`; without a result it is `void`.
pub fn function_type<'c>(context: &'c Context, inputs: &[Type<'c>], result: Option<Type<'c>>) -> Type<'c> {
    let inputs: Vec<_> = inputs.iter().map(|input| input.0).collect();
    Type(kinds::function(result.map_or_else(|| kinds::void(&context.0), |result| result.0), &inputs, false))
}

/// `llvm.call_intrinsic`: a function that LLVM knows by its name.
pub fn call_intrinsic<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    arguments: &[Value<'c, 'a>],
    result: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(CALL_INTRINSIC, arguments, &intrinsic(builder.context(), name, arguments), result)
}

/// The same of a function that has effects and no result.
pub fn call_intrinsic_for_effect<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    arguments: &[Value<'c, 'a>],
) -> Result<(), Failure> {
    builder.operation(CALL_INTRINSIC, arguments, &intrinsic(builder.context(), name, arguments), &[]).map(drop)
}

const CALL_INTRINSIC: &str = "llvm.call_intrinsic";

fn intrinsic<'c>(context: &'c Context, name: &str, arguments: &[Value<'c, '_>]) -> [(&'static str, Attribute<'c>); 3] {
    let segments = [i32::try_from(arguments.len()).unwrap_or(i32::MAX), 0];
    [
        ("intrin", attributes::string(context, name)),
        ("op_bundle_sizes", attributes::segment_sizes(context, &[])),
        ("operandSegmentSizes", attributes::segment_sizes(context, &segments)),
    ]
}

/// `llvm.inline_asm` that has effects beside its results; constraints are those of LLVM.
pub fn inline_asm<'c, 'a>(
    builder: &Builder<'c, 'a>,
    (text, constraints): (&str, &str),
    arguments: &[Value<'c, 'a>],
    results: &[Type<'c>],
) -> Result<OperationRef<'c, 'a>, Failure> {
    let context = builder.context();
    let attributes = [
        ("asm_string", attributes::string(context, text)),
        ("constraints", attributes::string(context, constraints)),
        ("has_side_effects", attributes::unit(context)),
    ];
    builder.operation("llvm.inline_asm", arguments, &attributes, results)
}

/// Who sees a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Whoever the object is linked with.
    External,
    /// What the object is linked with to one library or program, and nobody outside of that.
    Hidden,
    /// The object alone.
    Internal,
}

impl Linkage {
    fn attribute(self, context: &Context) -> Result<Attribute<'_>, Failure> {
        let text = match self {
            Linkage::External | Linkage::Hidden => "#llvm.linkage<external>",
            Linkage::Internal => "#llvm.linkage<internal>",
        };
        attributes::parse(context, text).ok_or_else(|| Failure::new("the context has no LLVM dialect"))
    }

    /// LLVM's number for the visibility.
    fn visibility(self, context: &Context) -> Result<Attribute<'_>, Failure> {
        let number = i64::from(self == Linkage::Hidden);
        let attribute = attributes::typed_integer(types::integer(context, 64), number);
        attribute.ok_or_else(|| Failure::new("no visibility"))
    }
}

/// `llvm.mlir.global constant`: data that nobody writes.
pub fn constant_global<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    linkage: Linkage,
    r#type: Type<'c>,
    value: Attribute<'c>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let constant = ("constant", attributes::unit(builder.context()));
    global(builder, name, linkage, (r#type, value), &[constant])
}

/// `llvm.mlir.global`: data that others may write.
pub fn variable_global<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    linkage: Linkage,
    r#type: Type<'c>,
    value: Attribute<'c>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    global(builder, name, linkage, (r#type, value), &[])
}

fn global<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    linkage: Linkage,
    (r#type, value): (Type<'c>, Attribute<'c>),
    further: &[(&str, Attribute<'c>)],
) -> Result<OperationRef<'c, 'a>, Failure> {
    let context = builder.context();
    let space = attributes::typed_integer(types::integer(context, 32), 0);
    let space = space.ok_or_else(|| Failure::new("no address space"))?;
    let attributes = [
        ("sym_name", attributes::string(context, name)),
        ("global_type", attributes::r#type(r#type)),
        ("linkage", linkage.attribute(context)?),
        ("value", value),
        ("addr_space", space),
    ];
    builder.with_empty_regions("llvm.mlir.global", &[], &[&attributes, further].concat(), &[], 1)
}

/// `llvm.func` without a body.
pub fn declare<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    inputs: &[Type<'c>],
    result: Option<Type<'c>>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    symbol(builder, name, Linkage::External, inputs, result)
}

/// `llvm.func` with a body that starts with one block; [`Function::block`] adds others.
pub fn define<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    linkage: Linkage,
    inputs: &[Type<'c>],
    result: Option<Type<'c>>,
) -> Result<Function<'c, 'a>, Failure> {
    let operation = symbol(builder, name, linkage, inputs, result)?;
    let (entry, arguments) = builder.append_block(operation, 0, inputs)?;
    Ok(Function { operation, entry, arguments })
}

fn symbol<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    linkage: Linkage,
    inputs: &[Type<'c>],
    result: Option<Type<'c>>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let context = builder.context();
    let attributes = [
        ("sym_name", attributes::string(context, name)),
        ("function_type", attributes::r#type(function_type(context, inputs, result))),
        ("linkage", linkage.attribute(context)?),
        ("visibility_", linkage.visibility(context)?),
    ];
    builder.with_empty_regions(FUNC, &[], &attributes, &[], 1)
}

/// The name of functions.
pub const FUNC: &str = "llvm.func";
/// The name of [`call`].
pub const CALL: &str = "llvm.call";

/// A function whose body is being built.
#[derive(Clone)]
pub struct Function<'c, 'a> {
    /// The operation.
    pub operation: OperationRef<'c, 'a>,
    /// Appends to the first block.
    pub entry: Builder<'c, 'a>,
    /// The arguments of the function.
    pub arguments: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Function<'c, 'a> {
    /// Adds a block with arguments of these types behind the others; branches name it by [`Builder::block`].
    pub fn block(&self, arguments: &[Type<'c>]) -> Result<(Builder<'c, 'a>, Vec<Value<'c, 'a>>), Failure> {
        self.entry.append_block(self.operation, 0, arguments)
    }
}

/// `llvm.mlir.constant` of an integer type.
pub fn integer<'c, 'a>(builder: &Builder<'c, 'a>, r#type: Type<'c>, value: i64) -> Result<Value<'c, 'a>, Failure> {
    let attribute = attributes::typed_integer(r#type, value);
    let attribute = attribute.ok_or_else(|| Failure::new(format!("{type} is no integer type")))?;
    builder.value("llvm.mlir.constant", &[], &[("value", attribute)], r#type)
}

/// `llvm.mlir.constant` of type `i1`.
pub fn boolean<'c, 'a>(builder: &Builder<'c, 'a>, value: bool) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let value = ("value", attributes::boolean(context, value));
    builder.value("llvm.mlir.constant", &[], &[value], types::integer(context, 1))
}

/// `llvm.mlir.zero`: the null pointer, or zeros of another type.
pub fn zero<'c, 'a>(builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
    builder.value("llvm.mlir.zero", &[], &[], r#type)
}

/// `llvm.mlir.addressof`
pub fn address_of<'c, 'a>(builder: &Builder<'c, 'a>, symbol: &str) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let name = ("global_name", attributes::symbol(context, symbol));
    builder.value("llvm.mlir.addressof", &[], &[name], pointer_type(context))
}

/// An index of `llvm.getelementptr`.
#[derive(Clone, Copy, Debug)]
pub enum Index<'c, 'a> {
    /// A number that is part of the operation.
    Constant(i32),
    /// A value.
    Value(Value<'c, 'a>),
}

/// `llvm.getelementptr`: a pointer to an element of what `base` points to.
pub fn getelementptr<'c, 'a>(
    builder: &Builder<'c, 'a>,
    base: Value<'c, 'a>,
    element: Type<'c>,
    indices: &[Index<'c, 'a>],
) -> Result<Value<'c, 'a>, Failure> {
    /// What stands for an index that is a value.
    const DYNAMIC: i32 = i32::MIN;
    let context = builder.context();
    let (mut operands, mut constants) = (vec![base], Vec::new());
    for index in indices {
        match *index {
            Index::Constant(DYNAMIC) => return Err(Failure::new(format!("{DYNAMIC} cannot be an index"))),
            Index::Constant(index) => constants.push(index),
            Index::Value(index) => {
                constants.push(DYNAMIC);
                operands.push(index);
            }
        }
    }
    let attributes = [
        ("rawConstantIndices", attributes::segment_sizes(context, &constants)),
        ("elem_type", attributes::r#type(element)),
    ];
    builder.value("llvm.getelementptr", &operands, &attributes, pointer_type(context))
}

/// `llvm.load`
pub fn load<'c, 'a>(
    builder: &Builder<'c, 'a>,
    pointer: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("llvm.load", &[pointer], &[], r#type)
}

/// `llvm.alloca` of so many elements.
pub fn alloca<'c, 'a>(builder: &Builder<'c, 'a>, element: Type<'c>, count: i64) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let count = integer(builder, types::integer(context, 64), count)?;
    let attributes = [("elem_type", attributes::r#type(element))];
    builder.value("llvm.alloca", &[count], &attributes, pointer_type(context))
}

/// `llvm.select`
pub fn select<'c, 'a>(
    builder: &Builder<'c, 'a>,
    condition: Value<'c, 'a>,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("llvm.select", &[condition, a, b], &[], a.r#type())
}

/// `llvm.store`
pub fn store<'c, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>, pointer: Value<'c, 'a>) -> Result<(), Failure> {
    builder.operation("llvm.store", &[value, pointer], &[], &[]).map(drop)
}

/// `llvm.call` of a function that returns nothing.
pub fn call<'c, 'a>(builder: &Builder<'c, 'a>, callee: &str, arguments: &[Value<'c, 'a>]) -> Result<(), Failure> {
    builder.operation(CALL, arguments, &called(builder.context(), callee, arguments), &[]).map(drop)
}

/// `llvm.call` of a function that returns a value.
pub fn call_value<'c, 'a>(
    builder: &Builder<'c, 'a>,
    callee: &str,
    arguments: &[Value<'c, 'a>],
    result: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(CALL, arguments, &called(builder.context(), callee, arguments), result)
}

/// `llvm.call` of a function that a pointer leads to, and that returns nothing.
pub fn call_pointer<'c, 'a>(
    builder: &Builder<'c, 'a>,
    callee: Value<'c, 'a>,
    arguments: &[Value<'c, 'a>],
) -> Result<(), Failure> {
    let context = builder.context();
    let operands = [&[callee], arguments].concat();
    let attributes =
        [("op_bundle_sizes", attributes::segment_sizes(context, &[])), segments(context, &[operands.len(), 0])];
    builder.operation(CALL, &operands, &attributes, &[]).map(drop)
}

fn called<'c>(context: &'c Context, callee: &str, arguments: &[Value<'c, '_>]) -> [(&'static str, Attribute<'c>); 3] {
    [
        ("callee", attributes::symbol(context, callee)),
        ("op_bundle_sizes", attributes::segment_sizes(context, &[])),
        segments(context, &[arguments.len(), 0]),
    ]
}

/// `llvm.return`
pub fn r#return<'c, 'a>(builder: &Builder<'c, 'a>, value: Option<Value<'c, 'a>>) -> Result<(), Failure> {
    builder.operation("llvm.return", value.as_slice(), &[], &[]).map(drop)
}

/// Where a branch goes, and what the arguments of the block become.
pub type Destination<'c, 'a, 'v> = (BlockRef<'c, 'a>, &'v [Value<'c, 'a>]);

/// `llvm.br`
pub fn br<'c, 'a>(builder: &Builder<'c, 'a>, to: Destination<'c, 'a, '_>) -> Result<(), Failure> {
    builder.branch("llvm.br", to.1, &[], &[to.0])
}

/// `llvm.cond_br`
pub fn cond_br<'c, 'a>(
    builder: &Builder<'c, 'a>,
    condition: Value<'c, 'a>,
    then: Destination<'c, 'a, '_>,
    otherwise: Destination<'c, 'a, '_>,
) -> Result<(), Failure> {
    let operands = [&[condition], then.1, otherwise.1].concat();
    let sizes = segments(builder.context(), &[1, then.1.len(), otherwise.1.len()]);
    builder.branch("llvm.cond_br", &operands, &[sizes], &[then.0, otherwise.0])
}

/// How `llvm.icmp` compares: its predicates have the numbers of those of `arith.cmpi`.
pub use super::arith::IntegerPredicate as Predicate;

/// `llvm.icmp`
pub fn icmp<'c, 'a>(
    builder: &Builder<'c, 'a>,
    predicate: Predicate,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let predicate = ("predicate", attributes::integer(context, predicate as i64));
    builder.value("llvm.icmp", &[left, right], &[predicate], types::integer(context, 1))
}

binary! {
    add = "llvm.add";
    and = "llvm.and";
    mul = "llvm.mul";
    or = "llvm.or";
    udiv = "llvm.udiv";
}

conversion! {
    inttoptr = "llvm.inttoptr";
    ptrtoint = "llvm.ptrtoint";
    trunc = "llvm.trunc";
}
