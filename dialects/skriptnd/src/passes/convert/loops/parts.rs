//! What a loop says of itself.

use super::{Whole, element, enter, index_tensor};
use crate::generated::operations::LoopOp;
use crate::passes::convert::Converter;
use crate::passes::convert::packs::Layout;
use crate::passes::named_shape;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{BlockRef, Builder, Type, Value, attributes, block_arguments};

/// A `skriptnd.loop` with what its attributes say.
pub(super) struct LoopParts<'c, 'a> {
    pub(super) operation: LoopOp<'c, 'a>,
    pub(super) carried: Vec<Value<'c, 'a>>,
    /// Items by pack.
    pub(super) scanned: Vec<Vec<Value<'c, 'a>>>,
    /// A count that is known only at run time.
    pub(super) count: Option<Value<'c, 'a>>,
    /// The same as an expression of extents.
    pub(super) extent: Option<Value<'c, 'a>>,
    /// At most so many iterations; exactly so many without count and condition.
    pub(super) limit: Option<i64>,
    /// How many items packs have, where only the run knows it.
    pub(super) lengths: Vec<Value<'c, 'a>>,
    pub(super) has_index: bool,
    pub(super) test_last: bool,
    pub(super) condition: Option<BlockRef<'c, 'a>>,
    pub(super) body: BlockRef<'c, 'a>,
    pub(super) collected: usize,
}

pub(super) fn read<'c: 'a, 'a>(
    converter: &Converter<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operation: LoopOp<'c, 'a>,
) -> Result<LoopParts<'c, 'a>, Failure> {
    let items = converter.values(&operation.scanned())?;
    let mut items = items.as_slice();
    let mut packs = Vec::new();
    for length in operation.scan_lengths().unwrap_or_default() {
        let split = usize::try_from(length).ok().and_then(|length| items.split_at_checked(length));
        let (pack, rest) = split.ok_or("has lengths of packs that don't match its operands")?;
        packs.push(pack.to_vec());
        items = rest;
    }
    let open = operation.scan_extents_attribute().and_then(attributes::as_strings).unwrap_or_default();
    let open = open.into_iter().filter(|text| !text.is_empty()).map(|text| converter.expression(builder, text));
    let open = open.collect::<Result<_, _>>()?;
    let lengths = packs.iter().map(|pack| pack.len() as i64);
    let known = operation.bound().map(|bound| bound.max(0));
    Ok(LoopParts {
        operation,
        carried: converter.values(&operation.carried())?,
        extent: operation.extent().map(|text| converter.expression(builder, text)).transpose()?,
        limit: lengths.chain(known).min(),
        scanned: packs,
        count: operation.count().map(|count| converter.value(count)).transpose()?,
        lengths: open,
        has_index: operation.has_index().unwrap_or(false),
        test_last: operation.test_last(),
        condition: operation.condition()?.first_block(),
        body: operation.body()?.first_block().ok_or("needs a body")?,
        collected: operation.collected().len(),
    })
}

impl<'c: 'a, 'a> LoopParts<'c, 'a> {
    /// What only the run knows of how often the loop runs.
    pub(super) fn counts(&self, builder: &Builder<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let count = self.count.map(|count| element(builder, count)).transpose()?;
        Ok(count.into_iter().chain(self.extent).chain(self.lengths.iter().copied()).collect())
    }

    /// The arguments of body and condition.
    pub(super) fn arguments(
        &self,
        builder: &Builder<'c, 'a>,
        carried: &[Value<'c, 'a>],
        items: &[Value<'c, 'a>],
        index: Value<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let mut arguments = [carried, items].concat();
        if self.has_index {
            arguments.push(index_tensor(builder, index)?);
        }
        Ok(arguments)
    }

    /// The items of one iteration.
    pub(super) fn items(&self, number: usize) -> Vec<Value<'c, 'a>> {
        self.scanned.iter().filter_map(|pack| pack.get(number).copied()).collect()
    }

    /// Gives the extents in which the items of packs differ the values of one iteration.
    pub(super) fn tell_items(
        &self,
        converter: &mut Converter<'c, 'a>,
        builder: &Builder<'c, 'a>,
        number: usize,
    ) -> Result<(), Failure> {
        let parameters: Vec<Value<'c, 'a>> = block_arguments(self.body).skip(self.carried.len()).collect();
        let scanned = self.operation.scanned();
        let mut first = 0;
        for (pack, parameter) in self.scanned.iter().zip(parameters) {
            if let Some(item) = scanned.get(first + number) {
                let (general, own) = (named_shape(parameter.r#type())?, named_shape(item.r#type())?);
                for (extent, value) in general.shape.iter().zip(&own.shape) {
                    if let Some(symbol) = converter.extents.untold(extent) {
                        let value = converter.extents.int(builder, value)?;
                        converter.tell(builder, &symbol, value)?;
                    }
                }
            }
            first += pack.len();
        }
        Ok(())
    }

    /// Whether all items of a pack have one type, with the same extents.
    pub(super) fn is_uniform(&self) -> bool {
        let named: Vec<Type<'c>> = self.operation.scanned().iter().map(|item| item.r#type()).collect();
        let mut rest = named.as_slice();
        self.scanned.iter().all(|pack| {
            let (items, others) = rest.split_at(pack.len().min(rest.len()));
            rest = others;
            items.windows(2).all(|pair| pair[0] == pair[1])
        })
    }

    /// The packs that the loop goes through, each as one tensor.
    pub(super) fn wholes(
        &self,
        converter: &Converter<'c, 'a>,
        builder: &Builder<'c, 'a>,
    ) -> Result<Vec<Whole<'c, 'a>>, Failure> {
        let named = self.operation.scanned();
        let mut first = 0;
        let mut wholes = Vec::new();
        for pack in &self.scanned {
            let (Some(item), Some(named)) = (pack.first(), named.get(first)) else { continue };
            let (shape, form) = (named_shape(named.r#type())?, (item.r#type(), pack.len() as i64));
            let layout = Layout::of(builder, &converter.extents, &shape, form)?;
            wholes.push(Whole { tensor: converter.packs.whole(builder, pack, &layout)?, layout });
            first += pack.len();
        }
        Ok(wholes)
    }

    pub(super) fn test(
        &self,
        converter: &mut Converter<'c, 'a>,
        builder: Builder<'c, 'a>,
        arguments: &[Value<'c, 'a>],
        index: Value<'c, 'a>,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        let Some(condition) = self.condition else { return Ok(None) };
        let yielded = enter(converter, builder, condition, (arguments, index))?;
        element(&builder, *yielded.first().ok_or("has a condition that yields nothing")?).map(Some)
    }

    pub(super) fn types(&self) -> Vec<Type<'c>> {
        self.carried.iter().map(|value| value.r#type()).collect()
    }
}
