//! What an operator for runs of statements takes and gives.

use super::super::Part;
use super::super::facts::Facts;
use super::super::names::Naming;
use super::super::symbols::{Forms, Symbols};
use super::{invocations, statements_at};
use crate::translate::names::Names;
use crate::translate::{TEMPORARY, target_names};
use skriptnd_syntax::build::{Expression, Extent, Port, Target};
use std::collections::HashMap;

/// Names for extents of tensors with so many dimensions; there are others for what these don't do for.
const EXTENTS: [&[&str]; 5] = [&[], &["n"], &["n", "m"], &["n", "l", "c"], &["n", "c", "h", "w"]];
const OTHERS: [&str; 8] = ["n", "m", "k", "l", "p", "q", "r", "s"];

/// A tensor that an operator takes.
#[derive(Debug)]
pub(super) struct Input {
    pub port: Port,
    /// What is given for it in the place of each run.
    pub tensors: Vec<String>,
}

/// A tensor around the runs, by its name at each, and the statement of the first that reads it first.
struct Taken<'p> {
    tensors: Vec<&'p str>,
    reader: &'p Part,
}

/// A tensor that an operator gives.
#[derive(Debug)]
pub(super) struct Output {
    pub port: Port,
    /// What it is called in the place of each run; none where nothing there reads it.
    pub names: Vec<Option<String>>,
}

/// What is known of the operator for runs of statements.
#[derive(Debug)]
pub(super) struct Interface<'p> {
    facts: &'p Facts,
    /// The numbers behind the last statements.
    ends: Vec<usize>,
    /// What each run gives, in order, and the numbers of those by name.
    given: Vec<Vec<&'p str>>,
    numbers: Vec<HashMap<&'p str, usize>>,
    /// What the operator calls that.
    locals: Vec<String>,
    /// What the operator calls other tensors, by what they are in each run.
    called: HashMap<Vec<&'p str>, String>,
    /// Tensors around the runs.
    pub inputs: Vec<Input>,
    /// Constants that all runs read.
    shared: Vec<&'p str>,
    /// All names of the operator.
    pub names: Names,
    /// Those of extents and attributes.
    pub symbols: Symbols,
}

impl<'p> Interface<'p> {
    /// What runs take; what they give follows from their statements.
    pub fn of(runs: &[&'p [Part]], facts: &'p Facts, naming: &Naming<'_>) -> Option<Interface<'p>> {
        let names = |run: &&'p [Part]| {
            run.iter().flat_map(|part| &part.statement.targets).flat_map(target_names).collect::<Vec<_>>()
        };
        let given: Vec<Vec<&str>> = runs.iter().map(names).collect();
        let count = given[0].len();
        if given.iter().any(|names| names.len() != count) {
            return None;
        }
        let number = |names: &Vec<&'p str>| names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
        let mut interface = Interface {
            facts,
            ends: runs.iter().map(|run| run.last().map(|part| part.end)).collect::<Option<_>>()?,
            numbers: given.iter().map(number).collect(),
            given,
            locals: Vec::new(),
            called: HashMap::new(),
            inputs: Vec::new(),
            shared: Vec::new(),
            names: Names::default(),
            symbols: Symbols::default(),
        };
        let taken = interface.taken(runs)?;
        interface.take(&taken, naming)?;
        interface.name_results(naming);
        interface.tell_extents()?;
        Some(interface)
    }

    /// The tensors around the runs, by what they are in each, in the order in which they are read.
    fn taken(&self, runs: &[&'p [Part]]) -> Option<Vec<Taken<'p>>> {
        let mut taken = Vec::new();
        let mut known = std::collections::HashSet::new();
        for at in 0..runs[0].len() {
            let invocations = invocations(&statements_at(runs, at))?;
            for operand in 0..invocations[0].operands.len() {
                let forms: Vec<&'p Expression> = invocations.iter().map(|other| &other.operands[operand]).collect();
                self.collect(&forms, &mut |tensors| {
                    if known.insert(tensors.clone()) {
                        taken.push(Taken { tensors, reader: &runs[0][at] });
                    }
                });
            }
        }
        Some(taken)
    }

    fn collect(&self, forms: &[&'p Expression], found: &mut impl FnMut(Vec<&'p str>)) {
        if let Expression::List(items) = forms[0] {
            for at in 0..items.len() {
                let item =
                    |form: &&'p Expression| if let Expression::List(items) = *form { items.get(at) } else { None };
                if let Some(items) = forms.iter().map(item).collect::<Option<Vec<_>>>() {
                    self.collect(&items, found);
                }
            }
        }
        let is_inside = |(run, name): (usize, &&str)| self.numbers[run].contains_key(*name);
        if let Some(tensors) = self.names_of(forms).filter(|tensors| !tensors.iter().enumerate().any(is_inside)) {
            found(tensors);
        }
    }

    /// The tensors that expressions name.
    fn names_of(&self, forms: &[&'p Expression]) -> Option<Vec<&'p str>> {
        let name = |form: &&'p Expression| match *form {
            Expression::Name(name) if self.facts.is_tensor(name) => Some(name.as_str()),
            _ => None,
        };
        forms.iter().map(name).collect()
    }

    /// Makes inputs and constants of tensors around the runs: what is computed comes before weights.
    fn take(&mut self, taken: &[Taken<'p>], naming: &Naming<'_>) -> Option<()> {
        let facts = self.facts;
        let is_variable = |taken: &Taken<'_>| facts.variables.contains(taken.tensors[0]);
        let is_weight = |taken: &&Taken<'p>| is_variable(taken) || facts.constants.contains_key(taken.tensors[0]);
        let (weights, computed): (Vec<&Taken<'p>>, Vec<&Taken<'p>>) = taken.iter().partition(is_weight);
        for taken in computed.into_iter().chain(weights) {
            let tensors = &taken.tensors;
            let is_same = tensors.iter().all(|name| *name == tensors[0]);
            let name = if is_variable(taken) {
                let rank = facts.type_of(tensors[0])?.extents.len();
                self.names.fresh(&naming.weight(tensors[0], rank, taken.reader))
            } else if is_same || facts.constants.contains_key(tensors[0]) {
                self.names.fresh(naming.within(tensors[0]))
            } else {
                self.names.fresh("x")
            };
            self.called.insert(tensors.clone(), name.clone());
            if is_same && self.facts.constants.contains_key(tensors[0]) {
                self.shared.push(tensors[0]);
                continue;
            }
            let types: Vec<_> = tensors.iter().map(|name| self.facts.type_of(name)).collect::<Option<_>>()?;
            let (element, rank) = (types[0].element, types[0].extents.len());
            if types.iter().any(|other| other.element != element || other.extents.len() != rank) {
                return None;
            }
            let tensors = tensors.iter().map(|name| (*name).to_owned()).collect();
            self.inputs.push(Input { port: Port { name, element, extents: Vec::new() }, tensors });
        }
        Some(())
    }

    fn name_results(&mut self, naming: &Naming<'_>) {
        for at in 0..self.given[0].len() {
            let name = naming.within(self.given[0][at]);
            let is_temporary = name.strip_prefix(TEMPORARY).is_some_and(|rest| !rest.contains(char::is_alphabetic));
            self.locals.push(self.names.fresh(if is_temporary { TEMPORARY } else { name }));
        }
    }

    /// Declares the extents of inputs, which tell the operator's symbols.
    fn tell_extents(&mut self) -> Option<()> {
        for input in &mut self.inputs {
            let types: Vec<_> = input.tensors.iter().map(|name| self.facts.type_of(name)).collect::<Option<_>>()?;
            let rank = types[0].extents.len();
            for dimension in 0..rank {
                let forms: Vec<&Expression> = types.iter().map(|other| &other.extents[dimension]).collect();
                let is_computed = !self.facts.variables.contains(&input.tensors[0]);
                let own = EXTENTS.get(rank).filter(|_| is_computed).and_then(|names| names.get(dimension));
                let like: Vec<&str> = own.copied().into_iter().chain(OTHERS).collect();
                let told = self.symbols.told(&forms, &like, &mut self.names)?;
                input.port.extents.push(Extent::Known(told, None));
            }
        }
        Some(())
    }

    /// What the operator calls tensors; `None` where the expressions are none, and inside where they can't have one name.
    pub fn tensor(&self, forms: &Forms<'_>) -> Option<Option<String>> {
        let name = |form: &&Expression| match form {
            Expression::Name(name) => Some(name.clone()),
            _ => None,
        };
        let names: Option<Vec<String>> = forms.iter().map(name).collect();
        let is_tensor = |form: &&Expression| matches!(form, Expression::Name(name) if self.facts.is_tensor(name));
        if !forms.iter().any(is_tensor) {
            return None;
        }
        let Some(names) = names else { return Some(None) };
        let numbers: Vec<Option<usize>> =
            names.iter().zip(&self.numbers).map(|(name, numbers)| numbers.get(name.as_str()).copied()).collect();
        Some(match numbers[0] {
            Some(number) if numbers.iter().all(|other| *other == Some(number)) => Some(self.locals[number].clone()),
            Some(_) => None,
            None => self.called.get(&names.iter().map(String::as_str).collect::<Vec<_>>()).cloned(),
        })
    }

    /// A target of the first run as the operator has it.
    pub fn target(&self, target: &Target) -> Option<Target> {
        let local = |name: &String| self.numbers[0].get(name.as_str()).map(|number| self.locals[*number].clone());
        Some(match target {
            Target::Name(name) => Target::Name(local(name)?),
            Target::Pack(names) => Target::Pack(names.iter().map(local).collect::<Option<_>>()?),
            Target::Ignored => Target::Ignored,
            Target::Typed(_) | Target::Items(..) => return None,
        })
    }

    /// What the statements behind the runs read.
    pub fn outputs(&mut self) -> Option<Vec<Output>> {
        let mut outputs = Vec::new();
        for number in 0..self.locals.len() {
            let is_read = |(run, names): (usize, &Vec<&str>)| self.facts.is_read_from(names[number], self.ends[run]);
            let read: Vec<bool> = self.given.iter().enumerate().map(is_read).collect();
            if !read.contains(&true) {
                continue;
            }
            let name = |(names, is_read): (&Vec<&str>, &bool)| is_read.then(|| names[number].to_owned());
            let names = self.given.iter().zip(&read).map(name).collect();
            outputs.push(Output { port: self.output(number)?, names });
        }
        (!outputs.is_empty()).then_some(outputs)
    }

    fn output(&mut self, number: usize) -> Option<Port> {
        let types = self.given.iter().map(|names| self.facts.type_of(names[number]));
        let types: Vec<_> = types.collect::<Option<_>>()?;
        let (element, rank) = (types[0].element, types[0].extents.len());
        if types.iter().any(|other| other.element != element || other.extents.len() != rank) {
            return None;
        }
        let mut extents = Vec::new();
        for dimension in 0..rank {
            let forms: Vec<&Expression> = types.iter().map(|other| &other.extents[dimension]).collect();
            extents.push(Extent::Known(self.symbols.given(&forms, &mut self.names)?, None));
        }
        Some(Port { name: self.locals[number].clone(), element, extents })
    }

    /// The constants that all runs read.
    pub fn constants(&mut self) -> Option<Vec<(Port, Expression)>> {
        let runs = self.ends.len();
        let mut constants = Vec::new();
        for name in std::mem::take(&mut self.shared) {
            let (port, value) = self.facts.constants.get(name)?;
            let mut extents = Vec::new();
            for extent in &port.extents {
                let Extent::Known(extent, _) = extent else { return None };
                let extent = self.symbols.extent(&vec![extent; runs], "extent", &mut self.names)?;
                extents.push(Extent::Known(extent, None));
            }
            let name = self.called.get(&vec![name; runs])?.clone();
            constants.push((Port { name, element: port.element, extents }, value.clone()));
        }
        Some(constants)
    }
}
