//! Branches.

use super::writer::{Writer, result_names};
use crate::generated::operations::{IfOp, YieldOp};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{RegionRef, Value, block_operations};
use skriptnd_syntax::build::{Block, Computation, Statement, Target};

impl Writer {
    /// A branch.
    pub(super) fn branch<'c: 'a, 'a>(&mut self, branch: IfOp<'c, 'a>) -> Result<Statement, Failure> {
        let condition = self.value(branch.condition()?)?;
        let then = self.inner(branch.consequent()?)?;
        let otherwise = self.inner(branch.alternative()?)?;
        let names = result_names(branch.operation());
        let mut targets = Vec::new();
        for (at, value) in branch.outputs().into_iter().enumerate() {
            let like = self.local(names.get(at)).unwrap_or("chosen").to_owned();
            targets.push(if value.is_used() {
                Target::Name(self.define_result(value, &like))
            } else {
                Target::Ignored
            });
            if let (Some(noted), Some(Target::Name(name))) = (names.get(at), targets.last()) {
                self.called.insert(noted.clone(), name.clone());
            }
        }
        Ok(Statement::new(targets, Computation::Branch(condition, then, otherwise)))
    }

    /// What a region does and gives.
    pub(super) fn inner<'c: 'a, 'a>(&mut self, region: RegionRef<'c, 'a>) -> Result<Block, Failure> {
        let block = region.first_block().ok_or("has a region without operations")?;
        let known = self.symbols.clone();
        self.depth += 1;
        let statements = self.statements(block);
        let results = yielded(region).and_then(|values| values.into_iter().map(|value| self.value(value)).collect());
        self.depth -= 1;
        self.symbols = known;
        Ok(Block { statements: statements?, results: results? })
    }
}

/// What a region gives.
pub(super) fn yielded<'c: 'a, 'a>(region: RegionRef<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let last = region.first_block().and_then(|block| block_operations(block).last()).and_then(YieldOp::new);
    Ok(last.ok_or("has a region that yields nothing")?.values())
}
