//! Branches that data decide (specification, section 2.10.1): `scf.if` on the only element of the condition. Extents in which the
//! branches differ come from the one that is taken.

use super::rooms::{Room, told};
use super::{Converter, loops};
use crate::generated::operations::IfOp;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{BlockRef, Builder, Type, Value, block_operations, types};
use skriptnd_mlir::ops::scf;

/// Converts a branch; gives its results.
pub(super) fn convert<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    branch: IfOp<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let condition = loops::element(&builder, converter.value(branch.condition()?)?)?;
    let named = branch.operation().result_types();
    let rooms = named.iter().map(|r#type| converter.room(&builder, *r#type)).collect::<Result<Vec<_>, _>>()?;
    let word = types::integer(builder.context(), 64);
    let mut kinds: Vec<Type<'c>> = rooms.iter().map(|room| room.kind).collect();
    kinds.extend(vec![word; told(&rooms)]);
    let made = scf::r#if(&builder, condition, &kinds)?;
    for (inner, region) in [(made.then, branch.consequent()), (made.otherwise, branch.alternative())] {
        let block = region?.first_block().ok_or("a branch without a body")?;
        scf::r#yield(&inner, &region_results(converter, inner, block, &rooms)?)?;
    }
    let results = made.operation.result_values();
    let (stored, extents) = results.split_at(rooms.len());
    converter.tell_all(&builder, &rooms, extents)?;
    stored.iter().zip(named).map(|(stored, r#type)| converter.taken(&builder, *stored, r#type)).collect()
}

/// What a branch yields: the results in their rooms, then the extents that they tell. What is known inside is not known outside.
fn region_results<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
    rooms: &[Room<'c>],
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let outside = converter.extents.clone();
    let values = converter.block(builder, block)?;
    let kinds = block_operations(block).last().map(|terminator| terminator.operand_types()).unwrap_or_default();
    let (mut yielded, mut extents) = (Vec::new(), Vec::new());
    for ((value, kind), room) in values.into_iter().zip(kinds).zip(rooms) {
        let (stored, told) = converter.stored(&builder, (value, kind), room, None)?;
        yielded.push(stored);
        extents.extend(told);
    }
    converter.extents = outside;
    yielded.extend(extents);
    Ok(yielded)
}
