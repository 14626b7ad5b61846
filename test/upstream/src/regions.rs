//! Types that regions hand on.

use skriptnd_ods::mlir::Failure;
use skriptnd_ods::mlir::dialect::InferenceInput;
use skriptnd_ods::mlir::ir::{Type, block_operations};

/// The types of what the first block of the first region yields.
pub fn yielded<'c>(input: &InferenceInput<'c, '_>) -> Result<Vec<Type<'c>>, Failure> {
    let block = input.regions.first().and_then(|region| region.first_block());
    let last = block.and_then(|block| block_operations(block).last());
    let yields = last.filter(|last| last.full_name() == "xscf.yield");
    yields.map(|last| last.operand_types()).ok_or_else(|| Failure::new("expected a region that yields"))
}
