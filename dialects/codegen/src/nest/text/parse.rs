//! From text to a schedule, with the places of its parts.

use crate::nest::atom::Atom;
use crate::nest::legal::{Illegal, check};
use crate::nest::schedule::{Form, Grouped, Kind, Lanes, Loop, Pack, Schedule, Tail};
use crate::nest::space::Space;
use crate::target::Target;
use pest::Parser;
use pest::error::{ErrorVariant, LineColLocation};
use pest::iterators::Pair;

mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "nest/text/schedule.pest"]
    pub struct Grammar;
}

use grammar::{Grammar, Rule};

/// Line and column, counted from one.
type Place = (usize, usize);

/// What is wrong in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line and column, counted from one.
    pub place: Place,
    /// What.
    pub message: String,
}

/// A schedule that was read, for the kernel of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub place: Place,
    /// What was read.
    pub schedule: Schedule,
    /// Where dimensions stand.
    dims: Vec<(usize, Place)>,
}

impl Written {
    /// Whether the schedule fits the space, and the target has its atom.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check(&self, space: &Space, target: &Target) -> Result<(), Problem> {
        let missing = self.schedule.grouped().filter(|grouped| !grouped.atom.is_of(target));
        let missing = missing.map(|Grouped { dim, atom }| Illegal {
            dim: Some(dim),
            reason: format!("the target has no {}", atom.name),
        });
        let scaled = self.schedule.vectors().filter(|vectors| vectors.is_scalable && !target.isa.is_scalable());
        let missing = missing.or(scaled.map(|vectors| Illegal {
            dim: Some(vectors.dim),
            reason: "the length of the target's vectors is known: it has no factor".into(),
        }));
        missing.map_or_else(|| check(space, &self.schedule), Err).map_err(|Illegal { dim, reason }| {
            let stands = |dim| self.dims.iter().rev().find(|(known, _)| *known == dim).map(|(_, place)| *place);
            Problem { place: dim.and_then(stands).unwrap_or(self.place), message: reason }
        })
    }
}

/// Reads the text of a schedule.
///
/// # Errors
/// What is wrong in it.
pub fn parse(text: &str) -> Result<Written, Problem> {
    let mut file = Grammar::parse(Rule::file, text).map_err(|error| problem(&error))?;
    let kernel = file.next().and_then(|file| file.into_inner().next());
    let kernel = kernel.ok_or_else(|| Problem { place: (1, 1), message: "no kernel".into() })?;
    let mut written = Written {
        key: String::new(),
        place: kernel.line_col(),
        schedule: Schedule { loops: Vec::new(), packs: Vec::new() },
        dims: Vec::new(),
    };
    for pair in kernel.into_inner() {
        match pair.as_rule() {
            Rule::key => {
                written.key = pair.as_str().to_string();
                written.place = pair.line_col();
            }
            Rule::r#loop => written.add(pair)?,
            Rule::pack => written.pack(pair)?,
            _ => {}
        }
    }
    Ok(written)
}

impl Written {
    fn add(&mut self, pair: Pair<'_, Rule>) -> Result<(), Problem> {
        let place = pair.line_col();
        let mut own = Loop { dim: 0, step: 1, kind: Kind::Parallel, form: Form::Elements };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::kind => own.kind = kind(part.as_str()),
                Rule::dim => {
                    own.dim = usize::try_from(number(&part, &part.as_str()[1..])?).unwrap_or(usize::MAX);
                    self.dims.push((own.dim, part.line_col()));
                    self.order(own.kind, place)?;
                }
                Rule::count => {
                    let place = part.line_col();
                    own.step = numbers(part)?.first().copied().unwrap_or(1);
                    if own.kind == Kind::Unroll {
                        return refuse(place, "a dimension is either unrolled or cut into blocks");
                    }
                }
                Rule::vectors => self.vectorize(&mut own, part)?,
                Rule::atom => self.group(&mut own, part)?,
                _ => {}
            }
        }
        self.schedule.loops.push(own);
        Ok(())
    }

    fn pack(&mut self, pair: Pair<'_, Rule>) -> Result<(), Problem> {
        for operand in pair.into_inner().filter(|part| part.as_rule() == Rule::operand) {
            let number = usize::try_from(number(&operand, &operand.as_str()[1..])?).unwrap_or(usize::MAX);
            self.schedule.packs.push(Pack { operand: number, depth: self.schedule.loops.len() });
        }
        Ok(())
    }

    /// Whether a loop of a kind may stand behind those that were read.
    fn order(&self, kind: Kind, place: Place) -> Result<(), Problem> {
        let last = self.schedule.loops.last();
        let is_block = |own: &&Loop| own.kind == Kind::Reduce && own.form == Form::Elements && own.step != 1;
        match (last.filter(|own| !is_block(own)).map(|last| last.kind), kind) {
            (Some(Kind::Reduce | Kind::Unroll), Kind::Parallel) => {
                refuse(place, "loops along parallel dimensions stand before those along reduced ones")
            }
            (Some(Kind::Unroll), Kind::Reduce) => {
                refuse(place, "dimensions that are unrolled stand behind those that have loops")
            }
            _ => Ok(()),
        }
    }

    fn group(&mut self, own: &mut Loop, part: Pair<'_, Rule>) -> Result<(), Problem> {
        let Some(name) = part.into_inner().next() else { return Ok(()) };
        let place = name.line_col();
        let Some(atom) = Atom::named(name.as_str()) else {
            return refuse(place, format!("there is no atom `{}`", name.as_str()));
        };
        if own.kind == Kind::Parallel {
            return refuse(place, "products are added along reduced dimensions");
        }
        if let Some(other) = self.schedule.grouped() {
            return refuse(place, format!("d{} has groups already; one dimension can have them", other.dim));
        }
        own.form = Form::Groups(atom);
        self.dims.push((own.dim, place));
        Ok(())
    }

    fn vectorize(&mut self, own: &mut Loop, part: Pair<'_, Rule>) -> Result<(), Problem> {
        let place = part.line_col();
        if own.kind == Kind::Unroll {
            return refuse(place, "a dimension is either unrolled or cut into vectors");
        }
        if let Some(other) = self.schedule.vectors() {
            return refuse(place, format!("d{} is cut into vectors already; one dimension can be", other.dim));
        }
        let masked = part.clone().into_inner().any(|part| part.as_rule() == Rule::masked);
        let tail = if masked { Tail::Mask } else { Tail::Split };
        let scaled: Vec<_> = part.clone().into_inner().filter(|part| part.as_rule() == Rule::scaled).collect();
        let is_scalable = !scaled.is_empty();
        let lengths = match is_scalable {
            true => scaled.into_iter().map(numbers).collect::<Result<Vec<_>, _>>()?.concat(),
            false => numbers(part)?,
        };
        if let [tile, count] = lengths[..] {
            own.step = tile;
            own.form = Form::Vectors(Lanes { count, is_scalable, tail });
        }
        Ok(())
    }
}

fn kind(text: &str) -> Kind {
    match text {
        "reduce" => Kind::Reduce,
        "unroll" => Kind::Unroll,
        _ => Kind::Parallel,
    }
}

fn refuse<T>(place: Place, message: impl Into<String>) -> Result<T, Problem> {
    Err(Problem { place, message: message.into() })
}

fn numbers(pair: Pair<'_, Rule>) -> Result<Vec<i64>, Problem> {
    let numbers = pair.into_inner().filter(|part| part.as_rule() == Rule::number);
    numbers.map(|part| number(&part, part.as_str())).collect()
}

fn number(at: &Pair<'_, Rule>, text: &str) -> Result<i64, Problem> {
    text.parse::<u32>().map(i64::from).or_else(|_| refuse(at.line_col(), format!("{text} is too large")))
}

fn problem(error: &pest::error::Error<Rule>) -> Problem {
    let place = match error.line_col {
        LineColLocation::Pos(place) | LineColLocation::Span(place, _) => place,
    };
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return Problem { place, message: error.variant.message().into_owned() };
    };
    let mut expected: Vec<&str> = positives.iter().map(|rule| name(*rule)).collect();
    expected.dedup();
    Problem { place, message: format!("expected {}", expected.join(" or ")) }
}

fn name(rule: Rule) -> &'static str {
    match rule {
        Rule::kernel => "`kernel`",
        Rule::key => "the key of a kernel",
        Rule::r#loop | Rule::kind => "`loop`, `reduce`, `unroll`",
        Rule::pack => "`pack`",
        Rule::operand => "an operand such as `%1`",
        Rule::dim => "a dimension such as `d0`",
        Rule::count => "`by` and a number",
        Rule::vectors => "`by 32 in vectors of 16`",
        Rule::scaled => "`[4]`",
        Rule::atom => "`with` and an atom",
        Rule::name => "the name of an atom",
        Rule::masked => "`masked`",
        Rule::number => "a number",
        Rule::EOI => "the end of the file",
        Rule::file | Rule::WHITESPACE | Rule::COMMENT => "something else",
    }
}
