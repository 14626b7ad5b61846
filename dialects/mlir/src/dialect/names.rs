//! How an operation names values, blocks and operations inside of it in text (`OpAsmOpInterface`).

use crate::ir::{BlockRef, OperationRef, RegionRef, Value};

/// Values with the names that text gives them. That of a result holds for those behind it, up to the next that has one.
pub type ValueNames<'c, 'a> = Vec<(Value<'c, 'a>, String)>;

type ResultNames = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>) -> ValueNames<'c, 'a> + Send + Sync;
type ArgumentNames = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, RegionRef<'c, 'a>) -> ValueNames<'c, 'a> + Send + Sync;
type BlockNames = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>) -> Vec<(BlockRef<'c, 'a>, String)> + Send + Sync;

#[derive(Default)]
pub(crate) struct Names {
    pub(crate) results: Option<Box<ResultNames>>,
    pub(crate) arguments: Option<Box<ArgumentNames>>,
    pub(crate) blocks: Option<Box<BlockNames>>,
    pub(crate) default_dialect: &'static str,
}

impl Names {
    pub(crate) fn any(&self) -> bool {
        let named = self.results.is_some() || self.arguments.is_some() || self.blocks.is_some();
        named || !self.default_dialect.is_empty()
    }
}
