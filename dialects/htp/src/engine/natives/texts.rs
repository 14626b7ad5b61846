//! Native functions that read the text that a pattern carries: a condition, or a part of a replacement.

use super::super::graph::{self, IrGraph};
use super::{Session, values};
use crate::apply::{Bindings, Evaluation, plan_part, plan_replacement};
use crate::check::{parse_condition, parse_replacement};
use crate::dialect::encoding;
use crate::grammar::model::{Expr, Replacement};
use crate::grammar::vocabulary::DEFAULT_PACKAGE;
use crate::to_pdl::names::native;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Context, OperationRef, Value, attributes};
use skriptnd_mlir::rewrite::{Editor, PdlValue};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// What was read, by its text; with the tags that the text may name.
type Known<T> = RwLock<HashMap<String, Vec<(Vec<String>, Arc<T>)>>>;

/// What was read of texts.
#[derive(Debug, Default)]
pub struct Texts {
    conditions: Known<Expr>,
    replacements: Known<Replacement>,
}

/// What a function with a text is given.
struct Given<'c, 'a> {
    root: OperationRef<'c, 'a>,
    text: &'c str,
    package: &'c str,
    names: Vec<&'c str>,
    values: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Given<'c, 'a> {
    fn of(arguments: &[PdlValue<'c, 'a>]) -> Option<Self> {
        let [PdlValue::Operation(root), PdlValue::Attribute(text), PdlValue::Attribute(tags), rest @ ..] = arguments
        else {
            return None;
        };
        let (package, rest) = match rest {
            [PdlValue::Attribute(package), rest @ ..] => (attributes::as_string(*package)?, rest),
            rest => (DEFAULT_PACKAGE, rest),
        };
        let (names, values) = (attributes::as_strings(*tags)?, values(rest)?);
        let text = attributes::as_string(*text)?;
        (names.len() == values.len()).then_some(Given { root: *root, text, package, names, values })
    }

    fn bindings<'n>(&'n self) -> Option<Bindings<'n, Value<'c, 'a>>> {
        let root = self.root.result(0).ok()?;
        let tags = self.names.iter().copied().zip(self.values.iter().copied()).collect();
        Some(Bindings { root, tags })
    }

    fn read<T>(&self, known: &Known<T>, read: impl Fn(&str, &[&str]) -> Result<T, String>) -> Option<Arc<T>> {
        let all = known.read().unwrap_or_else(PoisonError::into_inner);
        let with_tags = all.get(self.text).and_then(|of| of.iter().find(|(names, _)| *names == self.names));
        if let Some((_, found)) = with_tags {
            return Some(Arc::clone(found));
        }
        drop(all);
        let new = Arc::new(read(self.text, &self.names).ok()?);
        let names = self.names.iter().map(|name| (*name).to_owned()).collect();
        let mut all = known.write().unwrap_or_else(PoisonError::into_inner);
        all.entry(self.text.to_owned()).or_default().push((names, Arc::clone(&new)));
        Some(new)
    }
}

/// Whether the texts that patterns carry can be read.
pub fn check(native: &str, given: &[Option<Attribute<'_>>]) -> Result<(), String> {
    let reads = [native::HOLDS, native::DEFINED, native::TYPE, native::BUILD];
    if !reads.contains(&native) {
        return Ok(());
    }
    let [_, Some(text), Some(tags), ..] = given else { return Err("expected a root, a text and tags".to_owned()) };
    let text = attributes::as_string(*text).ok_or("expected a text as second argument")?;
    let tags = attributes::as_strings(*tags).ok_or("expected the names of tags as third argument")?;
    match native {
        native::HOLDS => parse_condition(text, &tags).map(drop),
        _ => parse_replacement(text, &tags).map(drop),
    }
}

/// Whether a condition holds.
pub fn holds(session: &Session, arguments: &[PdlValue<'_, '_>]) -> Option<bool> {
    let given = Given::of(arguments)?;
    let condition = given.read(&session.texts.conditions, parse_condition)?;
    Some(Evaluation::new(&IrGraph::default(), &given.bindings()?, &session.environment).holds(&condition))
}

/// Whether a replacement is defined, fits and has types.
pub fn is_defined(session: &Session, context: &Context, arguments: &[PdlValue<'_, '_>]) -> Option<bool> {
    let given = Given::of(arguments)?;
    let replacement = given.read(&session.texts.replacements, parse_replacement)?;
    let plan =
        plan_replacement(&replacement, given.package, &IrGraph::default(), &given.bindings()?, &session.environment)?;
    Some(graph::has_types(context, &plan))
}

fn undefined() -> Failure {
    Failure::new("the replacement is undefined")
}

/// The type of what a replacement makes.
pub fn type_of<'c: 'a, 'a>(
    session: &Session,
    editor: &Editor<'c, 'a>,
    arguments: &[PdlValue<'c, 'a>],
) -> Result<Vec<PdlValue<'c, 'a>>, Failure> {
    let planned = || {
        let given = Given::of(arguments)?;
        let part = given.read(&session.texts.replacements, parse_replacement)?;
        let (_, output) =
            plan_part(&part, given.package, &IrGraph::default(), &given.bindings()?, &session.environment)?;
        encoding::tensor_type(editor.context(), &output)
    };
    Ok(vec![PdlValue::Type(planned().ok_or_else(undefined)?)])
}

/// Builds what a text says.
pub fn build<'c: 'a, 'a>(
    session: &Session,
    editor: &Editor<'c, 'a>,
    arguments: &[PdlValue<'c, 'a>],
) -> Result<Vec<PdlValue<'c, 'a>>, Failure> {
    let given = Given::of(arguments).ok_or_else(undefined)?;
    let graph = IrGraph::before_rewrite(given.root, &session.ids);
    let plan = || {
        let part = given.read(&session.texts.replacements, parse_replacement)?;
        let (plan, _) = plan_part(&part, given.package, &graph, &given.bindings()?, &session.environment)?;
        Some(plan)
    };
    let plan = plan().ok_or_else(undefined)?;
    let (value, made) = graph::build(&editor.before(given.root)?, given.root, &plan, &session.ids)?;
    session.note_built(&made);
    Ok(vec![PdlValue::Value(value)])
}
