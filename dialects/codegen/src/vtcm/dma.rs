//! The DMA as what processors know: descriptors in memory, and the instructions that start and wait.
//!
//! A descriptor has four words: the address of the next one, the length and what kind it is, and the two addresses. One of rows has four more: none
//! that matters, the bytes and the number of the rows, their distances, and none.

use super::begin;
use crate::Error;
use crate::views::functions::VTCM;
use skriptnd_hexagon::dialect::is_in_vtcm;
use skriptnd_hexagon::generated::operations::{DmaStartOp, DmaWaitOp, RegionOp};
use skriptnd_mlir::ir::{
    BlockRef, Builder, OperationRef, Type, Value, attributes, block_arguments, block_operations, operations_named,
    region_blocks, types, walk,
};
use skriptnd_mlir::ops::{arith, func, llvm, memref};
use skriptnd_mlir::rewrite::with_rewriter;

/// Words of a descriptor, and the bytes of which its address is a multiple.
const WORDS: u64 = 8;
const ALIGNMENT: i64 = 32;
/// In the second word: that the copies of a chain are done in order, and that there are rows.
const IN_ORDER: i64 = 1 << 30;
const ROWS: i64 = 1 << 24;

/// The instructions, of which the first lets the DMA see what was stored before. LLVM's intrinsics are said to touch no memory but that of their
/// arguments: it leaves them out, and moves loads of what is copied across them.
const START: (&str, &str) = ("release($0):at\n\tdmstart($0)", "r,~{memory}");
const WAIT: (&str, &str) = ("$0 = dmwait", "=r,~{memory}");

/// Lowers the operations of the `hexagon` dialect in a module.
pub fn lower<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    regions(module)?;
    let all = walk(module);
    all.iter().try_for_each(|operation| forget_space(*operation))?;
    for function in operations_named(module, func::FUNC) {
        for operation in walk(function) {
            for block in operation.regions().flat_map(region_blocks) {
                chains(function, block)?;
            }
        }
    }
    for wait in all.into_iter().filter_map(DmaWaitOp::new) {
        let builder = Builder::before(wait.operation())?;
        llvm::inline_asm(&builder, WAIT, &[], &[word(&builder)])?;
        with_rewriter(wait.operation(), |rewriter| rewriter.erase(wait.operation()))?;
    }
    Ok(())
}

/// Calls a function, which is declared, for the memory of all regions.
fn regions<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    let regions: Vec<RegionOp<'c, 'a>> = walk(module).into_iter().filter_map(RegionOp::new).collect();
    let types: Vec<Type<'c>> =
        regions.iter().map(|region| Ok(region.memory()?.r#type())).collect::<Result<_, Error>>()?;
    let length = |kind: &Type<'_>| types::shape(*kind).and_then(|shape| shape.first().copied().flatten());
    let Some(largest) = types.into_iter().max_by_key(length) else { return Ok(()) };
    let largest =
        attributes::in_memory_space(largest, None).ok_or_else(|| Error::malformed("a region of no memory"))?;
    let body = module.region(0).ok().and_then(|region| region.first_block());
    let body = body.ok_or_else(|| Error::malformed("a module without a body"))?;
    let context = module.context();
    let declaration = [
        ("sym_name", attributes::string(context, VTCM)),
        ("function_type", attributes::r#type(types::function(context, &[], &[largest]))),
        ("sym_visibility", attributes::string(context, "private")),
    ];
    Builder::at_end(body, module.location()).with_empty_regions(func::FUNC, &[], &declaration, &[], 1)?;
    for region in regions {
        let builder = Builder::before(region.operation())?;
        let own = region.memory()?.r#type();
        let mut memory = func::call(&builder, VTCM, &[], &[largest])?.result(0)?;
        let plain = attributes::in_memory_space(own, None).ok_or_else(|| Error::malformed("a region of no memory"))?;
        if plain != largest {
            memory = memref::reinterpret_cast(&builder, memory, plain)?;
        }
        with_rewriter(region.operation(), |rewriter| rewriter.replace(region.operation(), &[memory]))?;
    }
    Ok(())
}

/// Gives what is in VTCM, in an operation's results and the arguments of its blocks, the type of what is anywhere.
fn forget_space<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<(), Error> {
    let arguments = operation.regions().flat_map(region_blocks).flat_map(block_arguments);
    for value in operation.result_values().into_iter().chain(arguments) {
        let kind = value.r#type();
        if let Some(plain) = attributes::in_memory_space(kind, None).filter(|_| is_in_vtcm(kind)) {
            value.set_type(plain);
        }
    }
    Ok(())
}

/// Lowers the copies that a block starts: those one behind the other, without a wait between, are one chain.
fn chains<'c: 'a, 'a>(function: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> Result<(), Error> {
    let mut chain: Vec<DmaStartOp<'c, 'a>> = Vec::new();
    let operations: Vec<_> = block_operations(block).collect();
    for operation in operations {
        if let Some(start) = DmaStartOp::new(operation) {
            chain.push(start);
        } else if DmaWaitOp::new(operation).is_some() || operation.region_count() > 0 {
            self::chain(function, &std::mem::take(&mut chain))?;
        }
    }
    self::chain(function, &chain)
}

/// Writes the descriptors of copies, each with the address of the next one, and starts the first where the last was.
fn chain<'c: 'a, 'a>(function: OperationRef<'c, 'a>, copies: &[DmaStartOp<'c, 'a>]) -> Result<(), Error> {
    let Some(last) = copies.last() else { return Ok(()) };
    let begin = begin(function)?;
    let kind = types::memref(word(&begin), &[Some(WORDS)]).ok_or_else(|| Error::malformed("no descriptor"))?;
    let descriptors = copies.iter().map(|_| memref::alloca(&begin, kind, ALIGNMENT));
    let descriptors = descriptors.collect::<Result<Vec<_>, _>>()?;
    for (number, copy) in copies.iter().enumerate() {
        describe(*copy, descriptors[number], descriptors.get(number + 1).copied())?;
    }
    let builder = Builder::before(last.operation())?;
    llvm::inline_asm(&builder, START, &[address(&builder, descriptors[0])?], &[])?;
    for copy in copies {
        with_rewriter(copy.operation(), |rewriter| rewriter.erase(copy.operation()))?;
    }
    Ok(())
}

/// Writes the descriptor of a copy.
fn describe<'c: 'a, 'a>(
    copy: DmaStartOp<'c, 'a>,
    descriptor: Value<'c, 'a>,
    next: Option<Value<'c, 'a>>,
) -> Result<(), Error> {
    let builder = &Builder::before(copy.operation())?;
    let bytes = types::width(types::element(copy.source()?.r#type())).map_or(1, |bits| i64::from(bits.div_ceil(8)));
    // Words have no signs, and constants of MLIR have.
    let number = |value: i64| Ok::<_, Error>(builder.integer(word(builder), i64::from(value as i32))?);
    let next = next.map_or_else(|| number(0), |next| address(builder, next))?;
    let length = arith::index_cast(builder, copy.length()?, word(builder))?;
    let length = arith::muli(builder, length, number(bytes)?)?;
    let ends = [(copy.source()?, copy.from()?), (copy.target()?, copy.to()?)];
    let [source, target] = ends.map(|(memory, from)| place(builder, memory, from, bytes));
    let mut words = match copy.rows() {
        None => vec![next, arith::addi(builder, length, number(IN_ORDER)?)?, source?, target?],
        Some(_) => vec![next, number(IN_ORDER | ROWS)?, source?, target?],
    };
    if let Some(rows) = copy.rows() {
        let region = arith::addi(builder, length, number(rows.count()? << 16)?)?;
        let distances = number(((bytes * rows.target()?) << 16) | (bytes * rows.source()?))?;
        words.extend([number(0)?, region, distances, number(0)?]);
    }
    for (at, value) in (0..).zip(words) {
        memref::store(builder, value, descriptor, &[builder.index(at)?])?;
    }
    Ok(())
}

/// The address of an element of memory of one dimension.
fn place<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    element: Value<'c, 'a>,
    bytes: i64,
) -> Result<Value<'c, 'a>, Error> {
    let (_, offset) = memref::base(builder, memory)?;
    let element = arith::addi(builder, element, offset)?;
    let before = arith::muli(builder, element, builder.index(bytes)?)?;
    let whole = arith::addi(builder, memref::address(builder, memory)?, before)?;
    Ok(arith::index_cast(builder, whole, word(builder))?)
}

/// The address of a descriptor.
fn address<'c: 'a, 'a>(builder: &Builder<'c, 'a>, descriptor: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    Ok(arith::index_cast(builder, memref::address(builder, descriptor)?, word(builder))?)
}

/// Numbers as descriptors have them: addresses on Hexagon are as long.
fn word<'c>(builder: &Builder<'c, '_>) -> Type<'c> {
    types::integer(builder.context(), 32)
}
