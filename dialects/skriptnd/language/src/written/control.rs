//! Branches of a graph.

use super::{Unwritable, Writer};
use crate::compose::graph::{Argument, Operation, Region};
use skriptnd_syntax::build::{self, Block, Computation, Expression, Port, Statement, Target};

impl Writer<'_> {
    /// Conditions are computed before the branch that they are of.
    pub(super) fn branch(
        &mut self,
        operation: &Operation,
        arms: &[(Region, Region)],
        otherwise: &Region,
    ) -> Result<Vec<Statement>, Unwritable> {
        let nothing = || Unwritable { span: operation.span, what: "a branch without a condition".into() };
        let (((condition, consequent), rest), typed) =
            (arms.split_first().ok_or_else(nothing)?, self.typed(operation)?);
        let mut statements = Vec::new();
        for inner in &condition.operations {
            statements.extend(self.statements(inner)?);
        }
        let decided = self.argument(condition.results.first().ok_or_else(nothing)?)?;
        let then = self.block(consequent)?;
        let otherwise = match rest {
            [] => self.block(otherwise)?,
            rest => {
                let inner = self.branch(operation, rest, otherwise)?;
                let results = operation.outputs.iter().map(|output| self.argument(output)).collect::<Result<_, _>>()?;
                self.renamed(Block { statements: inner, results })
            }
        };
        statements.push(Statement::new(typed, Computation::Branch(decided, then, otherwise)));
        self.learn(operation);
        Ok(statements)
    }

    /// The results of an inner branch have names of their own.
    fn renamed(&mut self, mut block: Block) -> Block {
        let Some(last) = block.statements.last_mut() else { return block };
        for (target, result) in last.targets.iter_mut().zip(&mut block.results) {
            let name = match target {
                Target::Name(name) | Target::Typed(Port { name, .. }) => name,
                _ => continue,
            };
            *name = self.fresh.fresh(name);
            *result = Expression::Name(name.clone());
        }
        block
    }

    /// Targets with types where only data tell an extent.
    fn typed(&mut self, operation: &Operation) -> Result<Vec<Target>, Unwritable> {
        let mut targets = Vec::new();
        for output in &operation.outputs {
            let Argument::Single(id) = output else {
                return Err(Unwritable { span: operation.span, what: "a branch that gives a pack".into() });
            };
            let name = self.name(*id);
            let port = self.port(&name, *id)?;
            let is_found = port.extents.iter().any(|extent| matches!(extent, build::Extent::Found(_)));
            targets.push(if is_found { Target::Typed(port) } else { Target::Name(name) });
        }
        Ok(targets)
    }

    fn block(&mut self, region: &Region) -> Result<Block, Unwritable> {
        let mut statements = Vec::new();
        // What a block finds is known within it.
        let found = self.found.clone();
        for inner in &region.operations {
            statements.extend(self.statements(inner)?);
        }
        self.found = found;
        let results = region.results.iter().map(|result| self.argument(result)).collect::<Result<_, _>>()?;
        Ok(Block { statements, results })
    }
}
