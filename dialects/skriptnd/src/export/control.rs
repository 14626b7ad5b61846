//! Branches and loops.

use super::writer::{Writer, element, result_names, type_of};
use crate::generated::operations::{IfOp, LoopOp, YieldOp};
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{RegionRef, Value, attributes, block_arguments, block_operations};
use skriptnd_syntax::build::{
    Block, Carried, Computation, Condition, Expression, Extent, Loop, Port, Statement, Target,
};

impl Writer {
    /// A branch.
    pub(super) fn branch<'c: 'a, 'a>(&mut self, branch: IfOp<'c, 'a>) -> Result<Statement, Failure> {
        let condition = self.value(branch.condition()?)?;
        let then = self.inner(branch.consequent()?)?;
        let otherwise = self.inner(branch.alternative()?)?;
        let names = result_names(branch.operation());
        let outputs = branch.outputs().into_iter().enumerate();
        let name = |writer: &Writer, at: usize| {
            names.get(at).and_then(|noted| writer.local(noted)).unwrap_or("chosen").to_owned()
        };
        let targets = outputs.map(|(at, value)| {
            let like = name(self, at);
            self.single(value, &like)
        });
        let targets = targets.collect();
        Ok(Statement::new(targets, Computation::Branch(condition, then, otherwise)))
    }

    fn single<'c: 'a, 'a>(&mut self, value: Value<'c, 'a>, like: &str) -> Target {
        if value.is_used() { Target::Name(self.define_result(value, like)) } else { Target::Ignored }
    }

    /// What a region does and gives.
    fn inner<'c: 'a, 'a>(&mut self, region: RegionRef<'c, 'a>) -> Result<Block, Failure> {
        let block = region.first_block().ok_or("has a region without operations")?;
        let known = self.symbols.clone();
        self.depth += 1;
        let statements = self.statements(block);
        let results = self.yielded(region);
        self.depth -= 1;
        self.symbols = known;
        Ok(Block { statements: statements?, results: results? })
    }

    fn yielded(&self, region: RegionRef<'_, '_>) -> Result<Vec<Expression>, Failure> {
        let last = region.first_block().and_then(|block| block_operations(block).last()).and_then(YieldOp::new);
        let values = last.ok_or("has a region that yields nothing")?.values();
        values.into_iter().map(|value| self.value(value)).collect()
    }

    /// A loop.
    pub(super) fn repetition<'c: 'a, 'a>(&mut self, repeated: LoopOp<'c, 'a>) -> Result<Statement, Failure> {
        let noted = result_names(repeated.operation());
        let (finals, collected) = (repeated.finals(), repeated.collected());
        let (initial, scans) = (repeated.carried(), self.scans(repeated)?);
        let noted: Vec<Option<String>> = noted.iter().map(|noted| self.local(noted).map(str::to_owned)).collect();
        let name = |at: usize, like: &str| noted.get(at).cloned().flatten().unwrap_or_else(|| like.to_owned());
        let mut names: Vec<String> = Vec::new();
        for at in 0..initial.len() {
            names.push(self.names.fresh(&name(at, "carried")));
        }
        let carried_names = names.clone();
        let mut items = Vec::new();
        for pack in scans {
            let item = self.names.fresh("item");
            names.push(item.clone());
            items.push((item, pack));
        }
        let index = repeated.has_index()?.then(|| self.names.fresh("i"));
        names.extend(index.clone());
        let firsts = initial.iter().map(|value| self.value(*value)).collect::<Result<Vec<_>, _>>()?;
        let body_region = repeated.body()?;
        let parameters: Vec<Value<'c, 'a>> = body_region.first_block().into_iter().flat_map(block_arguments).collect();
        let mut carried = Vec::new();
        for (((name, first), value), inner) in carried_names.iter().zip(firsts).zip(&initial).zip(&parameters) {
            carried.push(self.carried(name, first, (*value, *inner))?);
        }
        let condition = match repeated.condition()?.first_block() {
            Some(_) => Some(Condition::Block(self.loop_region(repeated.condition()?, &names)?)),
            None => None,
        };
        let count = self.count(repeated, items.is_empty())?;
        let body = self.loop_region(body_region, &names)?;
        let is_open = condition.is_some() || repeated.count().is_some() || repeated.extent().is_some();
        let is_found = condition.is_some() || repeated.count().is_some();
        let lengths = repeated.operation().get("lengths").and_then(attributes::as_strings).unwrap_or_default();
        let packs = body.results.len().saturating_sub(initial.len());
        let value = Loop { carried, items, test_last: repeated.test_last(), condition, count, index, body };
        let mut targets: Vec<Target> =
            finals.iter().enumerate().map(|(at, value)| self.single(*value, &name(at, "last"))).collect();
        let size = collected.len().checked_div(packs).unwrap_or(0);
        for (at, items) in collected.chunks(size.max(1)).enumerate() {
            let noted = result_names(repeated.operation());
            let like = noted
                .get(finals.len() + at * size)
                .map_or("items", |item| item.trim_end_matches(|c: char| c == '.' || c.is_ascii_digit()));
            let like = self.local(like).unwrap_or("items").to_owned();
            let pack = self.names.fresh(&like);
            self.define_pack(&pack, items, is_open);
            if let Some(symbol) = lengths.get(at) {
                let size = SymExpr::Symbol(format!("{pack}.size").into());
                self.symbols.entry((*symbol).into()).or_insert(size);
            }
            let most = Expression::Int(i64::try_from(items.len()).unwrap_or(i64::MAX));
            targets.push(if is_found { Target::Items(pack, most) } else { Target::Name(pack) });
        }
        Ok(Statement::new(targets, Computation::Loop(value)))
    }

    /// A value that is carried; its type is written where it is not that of the first one.
    fn carried<'c: 'a, 'a>(
        &mut self,
        name: &str,
        first: Expression,
        (initial, inner): (Value<'c, 'a>, Value<'c, 'a>),
    ) -> Result<Carried, Failure> {
        let ty = type_of(inner)?;
        let is_typed = initial.r#type() != inner.r#type();
        let mut extents = Vec::new();
        for extent in ty.shape.iter().filter(|_| is_typed) {
            let bound = || self.limits.upper_bound(&extent.value).map(Expression::Int);
            extents.push(match (self.extent(&extent.value), bound()) {
                (Ok(known), _) => Extent::Known(known, None),
                (Err(_), Some(bound)) => Extent::Found(bound),
                (Err(failure), None) => return Err(failure),
            });
        }
        let port = Port { name: name.to_owned(), element: element(ty.dtype)?, extents };
        Ok(Carried { port, first, is_typed })
    }

    /// The packs whose items the iterations take.
    fn scans(&self, repeated: LoopOp<'_, '_>) -> Result<Vec<Expression>, Failure> {
        let lengths = repeated.operation().get("scan_extents").and_then(attributes::as_strings).unwrap_or_default();
        let (mut packs, scanned) = (Vec::new(), repeated.scanned());
        let mut rest = scanned.as_slice();
        for (at, length) in repeated.scan_lengths().unwrap_or_default().into_iter().enumerate() {
            let parts = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
            let (items, others) = parts.ok_or("has other operands than its scanned packs have items")?;
            packs.push(self.pack(items, lengths.get(at).is_some_and(|length| !length.is_empty()))?);
            rest = others;
        }
        Ok(packs)
    }

    /// How many iterations there are at most.
    fn count(&self, repeated: LoopOp<'_, '_>, is_counted: bool) -> Result<Option<Expression>, Failure> {
        if let Some(count) = repeated.count() {
            return self.value(count).map(Some);
        }
        let extent = repeated.extent().filter(|_| is_counted);
        if let Some(text) = extent {
            let expr = text.parse().map_err(|()| format!("has `{text}`, which is no extent"))?;
            return self.extent(&expr).map(Some);
        }
        Ok(repeated.bound().filter(|_| is_counted).map(Expression::Int))
    }

    /// A region of a loop, whose parameters have these names.
    fn loop_region<'c: 'a, 'a>(&mut self, region: RegionRef<'c, 'a>, names: &[String]) -> Result<Block, Failure> {
        let parameters = region.first_block().into_iter().flat_map(block_arguments);
        let known = self.symbols.clone();
        for (value, name) in parameters.zip(names) {
            self.define(value, Expression::Name(name.clone()));
            self.learn(value, name);
        }
        let block = self.inner(region);
        self.symbols = known;
        block
    }
}
