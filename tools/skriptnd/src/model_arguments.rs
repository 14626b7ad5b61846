//! What `skriptnd-opt` and `skriptnd-translate` are told about a model, beside what MLIR knows.

use crate::driver::{GraphOptions, RuleOptions, usage_message};
use crate::failure::Failure;
use clap::Parser;
use std::ffi::OsString;

/// At the beginning of the help, which MLIR writes.
pub const HELP: &str = "
The input may be a model: a folder with main.sknd, a .sknd file, or an .onnx file. Of models only:
  --graph=<name>            - the graph; without it, the first one
  --attr=<k=json>           - a graph attribute
  --dtype=<t=real|int|bool> - a generic type of the graph
  --bind=<extent=value>     - a value for an extent that the model leaves open
  --quantized               - compute with the values that `@quantize` gives tensors
  --bound=<symbol=n>        - the greatest value of an extent that an ONNX model leaves open
  --value=<input=json|file> - an input of an ONNX model that is the same in all runs
  --weights=<file>          - a safetensors file in place of an ONNX model's own tensors
";

/// Behind it, for rules.
pub const HELP_OF_RULES: &str = "Of rule files only:
  --mode=<strict|sdk>       - whether what public rule files do beyond the grammar is accepted
  -I <dir>                  - a folder of included files
  --passes=<table>          - a table of pass groups in place of the built-in one
  --package=<name>          - the package of ops whose names have none
  --htp-option=<k=v>        - an option of the graph
  --limit=<n>               - sweeps over the graph in one pass
  --limit-applications=<n>  - applications of rules in one pass
  --prelude=<file>          - a file of macros in place of the built-in one
  --functions=<library>     - a shared library with external functions
";

const NAMES: [&str; 7] = ["--graph", "--attr", "--dtype", "--bind", "--bound", "--value", "--weights"];
const OF_RULES: [&str; 9] = [
    "--mode",
    "-I",
    "--passes",
    "--package",
    "--htp-option",
    "--limit",
    "--limit-applications",
    "--prelude",
    "--functions",
];
const FLAG: &str = "--quantized";

/// The command line in two parts.
#[derive(Debug)]
pub struct ModelArguments {
    /// What is said of the graph.
    pub graph: GraphOptions,
    /// What is said of rules.
    pub rules: RuleOptions,
    /// What MLIR reads; the program's name is first.
    pub others: Vec<OsString>,
}

#[derive(Debug, Parser)]
#[command(disable_help_flag = true)]
struct OfGraph {
    #[command(flatten)]
    graph: GraphOptions,
    #[command(flatten)]
    rules: RuleOptions,
}

impl ModelArguments {
    /// Takes what is about a model off the command line.
    ///
    /// # Errors
    /// Where one of these options has no value or a wrong one.
    pub fn take(arguments: &[OsString]) -> Result<ModelArguments, Failure> {
        Self::take_named(arguments, &[NAMES.as_slice(), OF_RULES.as_slice()].concat())
    }

    /// The same for a tool that takes no rules.
    ///
    /// # Errors
    /// Where one of these options has no value or a wrong one.
    pub fn take_without_rules(arguments: &[OsString]) -> Result<ModelArguments, Failure> {
        Self::take_named(arguments, &NAMES)
    }

    fn take_named(arguments: &[OsString], names: &[&str]) -> Result<ModelArguments, Failure> {
        let program = || arguments.first().cloned();
        let (mut of_graph, mut others): (Vec<_>, Vec<_>) = (program().into_iter().collect(), Vec::new());
        let mut left = arguments.iter();
        while let Some(argument) = left.next() {
            let text = argument.to_string_lossy();
            let name = text.split_once('=').map_or(&*text, |(name, _)| name);
            if text == FLAG {
                of_graph.push(argument.clone());
                continue;
            }
            if !names.contains(&name) {
                others.push(argument.clone());
                continue;
            }
            of_graph.push(argument.clone());
            if name == text {
                of_graph.extend(left.next().cloned());
            }
        }
        let OfGraph { graph, rules } =
            OfGraph::try_parse_from(of_graph).map_err(|error| Failure::usage(usage_message(&error)))?;
        Ok(ModelArguments { graph, rules, others })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(line: &str) -> Result<ModelArguments, Failure> {
        ModelArguments::take(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_about_the_model_is_taken_off() {
        let taken = take("opt --cse --graph G model --quantized --attr=n=3 --bind n=4 -o out").unwrap();
        assert_eq!(taken.others, ["opt", "--cse", "model", "-o", "out"].map(OsString::from));
        assert_eq!(taken.graph.graph.as_deref(), Some("G"));
        assert_eq!(taken.graph.first_given(), Some("--graph"));
        assert_eq!(take("opt --graphs x").unwrap().graph.first_given(), None);
        assert_eq!(take("translate -I d --mode sdk").unwrap().rules.first_given(), Some("--mode"));
    }

    #[test]
    fn wrong_values_are_wrong_usage() {
        for line in ["opt --bind n=x", "opt --attr", "opt --graph a --graph b"] {
            assert!(matches!(take(line), Err(Failure::Usage(_))), "{line}");
        }
    }
}
