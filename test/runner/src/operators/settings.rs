//! The settings of an operator: the graphs of `<module>/<operator>.sknd`, written by the scripts beside it.

use super::archive::{self, Arrays};
use crate::case::{Case, Expectation, File};
use crate::directive;
use crate::marker;
use crate::model::Model;
use skriptnd_runtime::Tensor;
use std::fs;
use std::path::Path;

/// All settings of one operator.
#[derive(Debug)]
pub struct Settings {
    /// The operator with its module, as in `layout.concat`.
    pub operator: String,
    /// Each of them.
    pub graphs: Vec<Setting>,
}

/// A graph that invokes the operator.
#[derive(Debug)]
pub struct Setting {
    /// The graph's name.
    pub name: String,
    /// The graph alone, with its data.
    pub file: File,
}

impl Settings {
    /// Reads the settings of an operator, and their data from the archive beside them.
    ///
    /// # Errors
    /// Where a file can't be read or understood.
    pub fn load(path: &Path) -> Result<Settings, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let arrays = archive::read(&path.with_extension("npz"))?;
        let part = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let module = path.parent().map(part).unwrap_or_default();
        let file = format!("{module}/{}.sknd", part(path));
        let graphs = separate(&text).into_iter().map(|graph| graph.setting(&file, &arrays)).collect();
        Ok(Settings { operator: format!("{module}.{}", part(path)), graphs: within(path, graphs)? })
    }

    /// How many settings are valid ones.
    pub fn valid(&self) -> usize {
        self.graphs.iter().filter(|graph| graph.is_valid()).count()
    }
}

fn within<T>(path: &Path, result: Result<T, String>) -> Result<T, String> {
    result.map_err(|reason| format!("{}: {reason}", path.display()))
}

impl Setting {
    /// Whether it computes something, rather than being refused.
    pub fn is_valid(&self) -> bool {
        self.file.cases.iter().any(|case| matches!(case.expectation, Expectation::Values { .. }))
    }
}

/// A graph as it stands in the file.
#[derive(Debug, Default, PartialEq)]
struct Graph {
    name: String,
    /// The file without the other graphs, whose lines are empty so that places remain.
    text: String,
    /// What comments before it say.
    directives: Vec<String>,
}

/// Takes a file apart.
fn separate(text: &str) -> Vec<Graph> {
    let kept = |line: &str| if line.starts_with("import ") { line.to_owned() } else { String::new() };
    let empty: Vec<String> = text.lines().map(kept).collect();
    let (mut graphs, mut directives) = (Vec::new(), Vec::new());
    let mut current: Option<(String, Vec<String>)> = None;
    for (at, line) in text.lines().enumerate() {
        if let Some(directive) = line.strip_prefix("#:") {
            directives.push(directive.to_owned());
        } else if let Some(rest) = line.strip_prefix("graph ") {
            current = Some((rest.trim_end_matches([' ', '{']).to_owned(), empty.clone()));
        }
        if let Some((_, lines)) = &mut current {
            lines[at] = line.to_owned();
        }
        if line == "}"
            && let Some((name, mut lines)) = current.take()
        {
            drop_unnamed(&mut lines);
            graphs.push(Graph { name, text: lines.join("\n"), directives: std::mem::take(&mut directives) });
        }
    }
    graphs
}

/// Leaves out what only other graphs of the file need.
fn drop_unnamed(lines: &mut [String]) {
    let text = lines.join("\n");
    let names = |line: &str| line.strip_prefix("import ").is_none_or(|rest| text.contains(&rest.replace(';', ".")));
    lines.iter_mut().filter(|line| !names(line)).for_each(String::clear);
}

impl Graph {
    fn setting(self, file: &str, arrays: &Arrays) -> Result<Setting, String> {
        let markers = marker::read(file, &self.text).into_iter().collect::<Result<Vec<_>, _>>()?;
        let cases = if markers.is_empty() { vec![self.case(arrays)?] } else { Vec::new() };
        let model = Model::of_text(file, self.text);
        Ok(Setting { name: self.name, file: File { model, cases, markers } })
    }

    fn case(&self, arrays: &Arrays) -> Result<Case, String> {
        let mut case = Case { graph: self.name.clone(), ..Case::default() };
        for text in &self.directives {
            case.add(directive::parse(text)?)?;
        }
        let prefix = format!("{}/", self.name);
        for (key, tensor) in arrays {
            if let Some(key) = key.strip_prefix(&prefix) {
                case.add(given(key, tensor)?)?;
            }
        }
        Ok(case)
    }
}

/// An array as a directive gives it: its name says what it is for.
fn given(key: &str, tensor: &Tensor) -> Result<directive::Directive, String> {
    use directive::{Directive, Given};
    let unknown = || format!("the array `{key}` is neither input, output, variable nor state");
    let (role, name) = key.split_once('/').ok_or_else(unknown)?;
    let (port, item) = match name.rsplit_once('.').map(|(port, item)| (port, item.parse())) {
        Some((port, Ok(item))) => (port, Some(item)),
        _ => (name, None),
    };
    let value = Given::Tensor(item, tensor.clone());
    Ok(match role {
        "input" => Directive::Input(port.to_owned(), value),
        "output" => Directive::Output(port.to_owned(), value),
        "variable" => Directive::Variable(name.to_owned(), tensor.clone()),
        "state" => Directive::State(name.to_owned(), tensor.clone()),
        _ => return Err(unknown()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_are_separated() {
        let text = "# About\nimport math;\n\n#: tolerance 0.5\ngraph a {\n}\n\ngraph b {\n    x = math.y;\n}\n";
        let graph = |name: &str, text: &str, directives: &[&str]| Graph {
            name: name.into(),
            text: text.into(),
            directives: directives.iter().map(|text| text.to_string()).collect(),
        };
        let expected = [
            graph("a", "\n\n\n\ngraph a {\n}\n\n\n\n", &[" tolerance 0.5"]),
            graph("b", "\nimport math;\n\n\n\n\n\ngraph b {\n    x = math.y;\n}", &[]),
        ];
        assert_eq!(separate(text), expected);
    }
}
