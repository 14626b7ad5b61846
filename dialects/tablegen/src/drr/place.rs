//! Where the arguments of a pattern's dags stand in the text.
//!
//! TableGen says where a definition begins and no more. Its text is searched for dags that look like the one in question:
//! what is put together of several definitions stands nowhere, and is reported at the definition.

use std::{cell::Cell, ops::Range};

use tblgen::{TypedInit, init::DagInit};

use crate::{
    dag::{Dag, DagArgument},
    error::Place,
    records,
    source::Source,
};

/// The dags in the text of one definition.
pub struct Dags {
    place: Place,
    nodes: Vec<Node>,
    /// Where what is read now begins: an equal dag before is another one.
    begin: Cell<usize>,
}

/// A dag as it is written.
struct Node {
    operator: String,
    /// Whether the operator is a class with arguments, which makes a definition without a name.
    anonymous: bool,
    /// Whether the operator is something else than a definition.
    is_parameter: bool,
    /// Its bytes in the text.
    range: Range<usize>,
    place: Place,
    arguments: Vec<Argument>,
}

struct Argument {
    place: Place,
    name: Option<String>,
    /// The word that it begins with.
    word: String,
    /// The operator of a dag within.
    operator: Option<String>,
}

impl Dags {
    /// Reads the text of the definition at `place`; it is known what is defined.
    pub fn read(source: Option<&Source>, place: Place, is_defined: &dyn Fn(&str) -> bool) -> Self {
        let mut nodes = Vec::new();
        if let Some((source, (file, line, column))) = source.zip(place.position())
            && let Some(at) = source.offset(line, column)
        {
            Scanner { source, at, file, nodes: &mut nodes }.definition();
        }
        nodes.iter_mut().for_each(|node| node.is_parameter = !node.anonymous && !is_defined(&node.operator));
        Self { place, nodes, begin: Cell::new(0) }
    }

    /// Where the definition stands.
    pub fn definition(&self) -> Place {
        self.place.clone()
    }

    /// Where the dag stands.
    pub fn of(&self, dag: Dag<'_>) -> Place {
        self.find(dag).map_or_else(|| self.definition(), |node| node.place.clone())
    }

    /// Where an argument of the dag stands.
    pub fn argument(&self, dag: Dag<'_>, index: usize) -> Place {
        let argument = self.find(dag).and_then(|node| node.arguments.get(index));
        argument.map_or_else(|| self.definition(), |argument| argument.place.clone())
    }

    /// What is asked for from now on stands behind the dag.
    pub fn continue_behind(&self, dag: Dag<'_>) {
        if let Some(node) = self.find(dag) {
            self.begin.set(node.range.end);
        }
    }

    fn find(&self, dag: Dag<'_>) -> Option<&Node> {
        let arguments: Vec<_> = dag.arguments().collect();
        let operator = dag.operator();
        let wanted = if operator.anonymous() { None } else { Some(records::name(operator)) };
        let same = |node: &&Node| {
            wanted.map_or(node.anonymous, |name| name == node.operator)
                && node.arguments.len() == arguments.len()
                && node.arguments.iter().zip(&arguments).all(|(written, argument)| written.is(argument))
        };
        let mut behind = self.nodes.iter().filter(|node| node.range.start >= self.begin.get());
        behind.find(same).or_else(|| self.nodes.iter().find(same)).or_else(|| self.alike(&arguments))
    }

    /// A dag with the names of such arguments, whose operator is a parameter of a class.
    fn alike(&self, arguments: &[DagArgument<'_>]) -> Option<&Node> {
        let names = |node: &&Node| {
            node.is_parameter
                && node.range.start >= self.begin.get()
                && node.arguments.len() == arguments.len()
                && node
                    .arguments
                    .iter()
                    .zip(arguments)
                    .all(|(written, argument)| written.name.as_deref() == argument.name)
        };
        self.nodes.iter().filter(names).min_by_key(|node| node.range.start)
    }
}

impl Argument {
    fn is(&self, argument: &DagArgument<'_>) -> bool {
        let operator = match argument.value {
            Some(TypedInit::Dag(dag)) => operator_of(dag),
            _ => None,
        };
        let named = match argument.value.map(records::as_record) {
            // A class with arguments makes a definition without a name.
            Some(Some(record)) => record.anonymous() || records::name(record) == self.word,
            Some(None) => true,
            None => self.word.is_empty(),
        };
        let same_operator = match (&self.operator, operator) {
            (Some(written), Some(operator)) => *written == operator,
            _ => true,
        };
        named && same_operator && self.name.as_deref() == argument.name
    }
}

/// The operator of a dag, if it has a name.
fn operator_of(dag: DagInit<'_>) -> Option<String> {
    let shown = dag.to_string();
    let name: String = shown.strip_prefix('(')?.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty() && !name.starts_with("anonymous_")).then_some(name)
}

struct Scanner<'a> {
    source: &'a Source,
    at: usize,
    file: &'a str,
    nodes: &'a mut Vec<Node>,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        self.source.text.get(self.at..).unwrap_or_default()
    }

    fn place(&self, at: usize) -> Place {
        self.source.place(self.file, at)
    }

    /// All dags up to the end of the definition.
    fn definition(&mut self) {
        let mut depth = 0usize;
        while let Some(c) = self.next() {
            match c {
                '(' => drop(self.dag()),
                ';' if depth == 0 => return,
                '{' | '[' | '<' => (depth, self.at) = (depth + 1, self.at + 1),
                '}' | ']' | '>' if depth == 0 => return,
                '}' if depth == 1 => return,
                '}' | ']' | '>' => (depth, self.at) = (depth - 1, self.at + 1),
                _ => self.step(c),
            }
        }
    }

    /// The next character that matters, behind white space and comments.
    fn next(&mut self) -> Option<char> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            let skipped = match trimmed {
                _ if trimmed.starts_with("//") => trimmed.find('\n').unwrap_or(trimmed.len()),
                _ if trimmed.starts_with("/*") => trimmed.find("*/").map_or(trimmed.len(), |end| end + 2),
                _ => 0,
            };
            let space = rest.len() - trimmed.len();
            self.at += space + skipped;
            if skipped == 0 {
                return self.rest().chars().next();
            }
        }
    }

    /// Past one character, or a string.
    fn step(&mut self, c: char) {
        let rest = self.rest();
        let length = match c {
            '"' => {
                let mut escaped = false;
                let end = rest.char_indices().skip(1).find(|(_, c)| {
                    let ends = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    ends
                });
                end.map_or(rest.len(), |(end, _)| end + 1)
            }
            c => c.len_utf8(),
        };
        self.at += length;
    }

    /// The dag at the bracket, with those inside; its operator.
    fn dag(&mut self) -> Option<String> {
        let begin = self.at;
        self.at += 1;
        self.next()?;
        let operator: String = self.rest().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let place = self.place(begin);
        let mut node = Node {
            operator: operator.clone(),
            anonymous: false,
            is_parameter: false,
            range: begin..begin,
            place,
            arguments: Vec::new(),
        };
        // What else belongs to the operator: the arguments of its class, its name.
        self.at += operator.len();
        if self.next()? == '<' {
            node.anonymous = true;
            self.angles();
        }
        if self.next()? == ':' {
            self.at += 2;
            self.name();
        }
        while self.next()? != ')' {
            if self.next()? == ',' {
                self.at += 1;
                continue;
            }
            node.arguments.push(self.argument()?);
        }
        self.at += 1;
        node.range.end = self.at;
        self.nodes.push(node);
        Some(operator)
    }

    fn name(&mut self) -> String {
        let name: String = self.rest().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        self.at += name.len();
        name
    }

    fn angles(&mut self) {
        let mut depth = 0usize;
        while let Some(c) = self.next() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                '(' => {
                    self.dag();
                    continue;
                }
                _ => {}
            }
            self.step(c);
            if depth == 0 {
                return;
            }
        }
    }

    fn argument(&mut self) -> Option<Argument> {
        let place = self.place(self.at);
        let word = self.rest().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let mut argument = Argument { place, name: None, word, operator: None };
        let mut depth = 0usize;
        loop {
            let c = self.next()?;
            match c {
                ',' | ')' if depth == 0 => return Some(argument),
                '(' => {
                    argument.operator = self.dag();
                    continue;
                }
                '$' => {
                    self.at += 1;
                    argument.name = Some(self.name());
                    continue;
                }
                '<' | '[' | '{' => depth += 1,
                '>' | ']' | '}' => depth = depth.checked_sub(1)?,
                _ => {}
            }
            self.step(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_found_where_they_are_written() {
        let text = "def P : Pat<\n  (A:$a (B<\"x)\">:$b $x, // (C $q)\n     I<[1, 2]>:$n), $z),\n  (D $a)>;\ndef Q : Pat<(A $w)>;\n";
        let dags = Dags::read(Some(&Source::new(text.into())), Place::at("f.td", 1, 5, "def P : Pat<"), &|_| true);
        let shown: Vec<_> = dags
            .nodes
            .iter()
            .map(|node| {
                let places = node.arguments.iter().map(|argument| {
                    let (_, line, column) = argument.place.position().unwrap();
                    (line, column, argument.name.clone().unwrap_or_default())
                });
                (node.operator.as_str(), places.collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("B", vec![(2, 21, "x".into()), (3, 6, "n".into())]),
                ("A", vec![(2, 9, String::new()), (3, 21, "z".into())]),
                ("D", vec![(4, 6, "a".into())]),
            ]
        );
    }
}
