//! Loops.

use super::operators::pack_name;
use super::writer::{Writer, element, noted_names, result_names, type_of};
use crate::call::{self, operator_path};
use crate::generated::discardable::ParametersAttribute;
use crate::generated::operations::LoopOp;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::value::{Symbolic, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{OperationRef, RegionRef, Value, attributes, block_arguments};
use skriptnd_syntax::build::{
    Block, Carried, Computation, Condition, Expression, Extent, Loop, Port, Statement, Target,
};

/// A loop with what the model calls its results and the parameters of its body.
struct Named<'c, 'a> {
    operation: LoopOp<'c, 'a>,
    results: Vec<String>,
    parameters: Vec<String>,
}

impl<'c: 'a, 'a> Named<'c, 'a> {
    fn of(operation: LoopOp<'c, 'a>) -> Self {
        let parameters = noted_names(operation.operation(), ParametersAttribute::NAME);
        Named { results: result_names(operation.operation()), parameters, operation }
    }

    /// The packs that are collected: where their names stand, and their items.
    fn collected(&self) -> Result<Vec<(usize, Vec<Value<'c, 'a>>)>, Failure> {
        let (finals, collected) = (self.operation.finals().len(), self.operation.collected());
        let yielded = super::control::yielded(self.operation.body()?)?.len();
        let size = collected.len().checked_div(yielded.saturating_sub(finals)).unwrap_or(0);
        let packs = collected.chunks(size.max(1)).enumerate();
        Ok(packs.map(|(at, items)| (finals + at * size, items.to_vec())).collect())
    }

    /// Whether the number of iterations depends on data.
    fn is_counted_by_data(&self) -> Result<bool, Failure> {
        Ok(self.operation.count().is_some() || self.operation.condition()?.first_block().is_some())
    }
}

impl Writer {
    /// A loop. Results get their names first: what is carried may be called like its last value, which the body does not see.
    pub(super) fn repetition<'c: 'a, 'a>(&mut self, operation: LoopOp<'c, 'a>) -> Result<Statement, Failure> {
        let repeated = Named::of(operation);
        let packs = self.scans(operation)?;
        let firsts = operation.carried().iter().map(|value| self.value(*value)).collect::<Result<Vec<_>, _>>()?;
        let targets = self.loop_targets(&repeated)?;
        let names = self.parameters(&repeated, &targets, packs.len())?;
        let body = operation.body()?;
        let parameters: Vec<Value<'c, 'a>> = body.first_block().into_iter().flat_map(block_arguments).collect();
        let mut carried = Vec::new();
        for (((name, first), value), inner) in names.iter().zip(firsts).zip(operation.carried()).zip(parameters) {
            carried.push(self.carried(name, first, (value, inner))?);
        }
        let condition = match operation.condition()?.first_block() {
            Some(_) => Some(Condition::Block(self.loop_region(operation.condition()?, &names)?)),
            None => None,
        };
        let (scanned, index) = names[carried.len()..].split_at(packs.len());
        let value = Loop {
            items: scanned.iter().cloned().zip(packs).collect(),
            count: self.count(operation)?,
            index: index.first().cloned(),
            test_last: operation.test_last(),
            body: self.loop_region(body, &names)?,
            carried,
            condition,
        };
        self.loop_results(&repeated, &targets)?;
        Ok(Statement::new(targets, Computation::Loop(value)))
    }

    /// Names for what a loop gives; its values are not known by them yet.
    fn loop_targets(&mut self, repeated: &Named<'_, '_>) -> Result<Vec<Target>, Failure> {
        let mut targets = Vec::new();
        for (at, value) in repeated.operation.finals().into_iter().enumerate() {
            let like = self.local(repeated.results.get(at)).unwrap_or("last").to_owned();
            targets.push(if value.is_used() { Target::Name(self.name(value, &like)) } else { Target::Ignored });
        }
        let is_found = repeated.is_counted_by_data()?;
        for (at, items) in repeated.collected()? {
            let noted = repeated.results.get(at).map(|noted| pack_name(noted));
            let like = self.local(noted).unwrap_or("items").to_owned();
            let pack = self.name_of_pack(&items, &like);
            let most = Expression::Int(i64::try_from(items.len()).unwrap_or(i64::MAX));
            targets.push(if is_found { Target::Items(pack, most) } else { Target::Name(pack) });
        }
        Ok(targets)
    }

    /// What a loop gives is known by the names of the targets.
    fn loop_results<'c: 'a, 'a>(&mut self, repeated: &Named<'c, 'a>, targets: &[Target]) -> Result<(), Failure> {
        let finals = repeated.operation.finals();
        for (value, target) in finals.iter().zip(targets) {
            if let Target::Name(name) = target {
                self.define_as(*value, name);
            }
        }
        let is_open = repeated.is_counted_by_data()? || repeated.operation.extent().is_some();
        let lengths = repeated.operation.operation().get("lengths").and_then(attributes::as_strings);
        let mut lengths = lengths.unwrap_or_default().into_iter();
        for ((at, items), target) in repeated.collected()?.iter().zip(&targets[finals.len()..]) {
            let (Target::Name(pack) | Target::Items(pack, _)) = target else { continue };
            let symbol = lengths.next();
            let length = symbol.map(|symbol| SymExpr::Symbol(symbol.into()));
            let length = length.or_else(|| repeated.operation.extent()?.parse().ok());
            self.define_pack(pack, items, is_open, length);
            self.call_pack(repeated.results.get(*at).map(|noted| pack_name(noted)), pack, items.len());
            if let Some(symbol) = symbol {
                let size = SymExpr::Symbol(format!("{pack}.size").into());
                self.symbols.entry(symbol.into()).or_insert(size);
            }
        }
        for (at, target) in targets.iter().enumerate().take(finals.len()) {
            if let (Some(noted), Target::Name(name)) = (repeated.results.get(at), target) {
                self.called.insert(noted.clone(), name.clone());
            }
        }
        Ok(())
    }

    /// Names for the parameters of the body: what is carried, items of packs, the index.
    fn parameters(
        &mut self,
        repeated: &Named<'_, '_>,
        targets: &[Target],
        packs: usize,
    ) -> Result<Vec<String>, Failure> {
        let carried = repeated.operation.carried().len();
        let count = carried + packs + usize::from(repeated.operation.has_index()?);
        self.depth += 1;
        let mut names = Vec::new();
        for at in 0..count {
            let like = if at < carried { "carried" } else { if at < carried + packs { "item" } else { "i" } };
            let own = self.local(repeated.parameters.get(at));
            let last = repeated.results.get(at).map(|noted| noted.rsplit('.').next().unwrap_or(noted));
            names.push(match targets.get(at).filter(|_| at < carried) {
                Some(Target::Name(name)) if own.is_some() && own == last => name.clone(),
                _ => {
                    let like = own.unwrap_or(like).to_owned();
                    self.names.fresh(&like)
                }
            });
        }
        self.depth -= 1;
        Ok(names)
    }

    /// A value that is carried; its type is written where it is not that of the first one.
    fn carried<'c: 'a, 'a>(
        &mut self,
        name: &str,
        first: Expression,
        (initial, inner): (Value<'c, 'a>, Value<'c, 'a>),
    ) -> Result<Carried, Failure> {
        let ty = type_of(inner)?;
        let is_scalar = matches!(first, Expression::Int(_) | Expression::Real(_) | Expression::Bool(_));
        let is_typed = initial.r#type() != inner.r#type() || (is_scalar && !ty.shape.is_empty());
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
        let lengths = scan_extents(repeated);
        let (mut packs, scanned) = (Vec::new(), repeated.scanned());
        let mut rest = scanned.as_slice();
        for (at, length) in repeated.scan_lengths().unwrap_or_default().into_iter().enumerate() {
            let parts = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
            let (items, others) = parts.ok_or("has other operands than its scanned packs have items")?;
            packs.push(self.pack(items, lengths.get(at).copied().filter(|text| !text.is_empty()))?);
            rest = others;
        }
        Ok(packs)
    }

    /// How many iterations there are at most, where no pack tells.
    fn count(&self, repeated: LoopOp<'_, '_>) -> Result<Option<Expression>, Failure> {
        if let Some(count) = repeated.count() {
            return self.value(count).map(Some);
        }
        let open = scan_extents(repeated);
        if let Some(text) = repeated.extent() {
            if open.contains(&text) {
                return Ok(None);
            }
            let expr = text.parse().map_err(|()| format!("has `{text}`, which is no extent"))?;
            return self.extent(&expr).map(Some);
        }
        let lengths = repeated.scan_lengths().unwrap_or_default();
        let is_known = |at: usize| open.get(at).is_none_or(|length| length.is_empty());
        let is_told = |bound: i64| lengths.iter().enumerate().any(|(at, length)| *length == bound && is_known(at));
        Ok(repeated.bound().filter(|bound| !is_told(*bound)).map(Expression::Int))
    }

    /// A region of a loop, whose parameters have these names.
    fn loop_region<'c: 'a, 'a>(&mut self, region: RegionRef<'c, 'a>, names: &[String]) -> Result<Block, Failure> {
        let parameters = region.first_block().into_iter().flat_map(block_arguments);
        let known = self.symbols.clone();
        for (value, name) in parameters.zip(names) {
            self.define_as(value, name);
        }
        let block = self.inner(region);
        self.symbols = known;
        block
    }
}

/// A tensor of one value that is made for a loop to begin with: the loop has the type. Its extents, only a run knows.
pub(super) fn first_of_loop<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
) -> Result<Option<(Value<'c, 'a>, Expression)>, Failure> {
    let is_constant = operator_path(operation.full_name()) == Some("layout.constant");
    let made = operation.result_values().into_iter().next().filter(|value| is_constant && value.has_one_use());
    let Some(made) = made.filter(|_| result_names(operation).is_empty()) else { return Ok(None) };
    let begins = |(user, number): (OperationRef<'c, 'a>, usize)| {
        LoopOp::new(user).is_some_and(|repeated| number < repeated.carried().len())
    };
    if !made.uses().into_iter().all(begins) {
        return Ok(None);
    }
    let call = call::read_call(operation.full_name(), &call::attributes_of(operation))?;
    Ok(match call.attributes.get("value") {
        Some(Constant::Symbolic(Symbolic::Pack { item, .. })) => match &**item {
            Constant::Int(value) => Some((made, Expression::Int(*value))),
            Constant::Real(value) => Some((made, Expression::Real(*value))),
            Constant::Bool(value) => Some((made, Expression::Bool(*value))),
            _ => None,
        },
        _ => None,
    })
}

/// How many items the scanned packs have: expressions of extents, empty where that is known.
fn scan_extents<'c>(repeated: LoopOp<'c, '_>) -> Vec<&'c str> {
    repeated.operation().get("scan_extents").and_then(attributes::as_strings).unwrap_or_default()
}
