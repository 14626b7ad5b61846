//! `skriptnd rules`

use super::graph_options::GraphOptions;
use super::rule_options::RuleOptions;
#[cfg(feature = "mlir")]
use super::{
    sources::check_rules as check_rules_file,
    steps,
    variables::{Source, VariableOptions},
};
use crate::failure::Failure;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
#[cfg(feature = "mlir")]
use {
    super::backend::Backend,
    super::cpu_options::CpuOptions,
    super::model::Model,
    super::output::{json_name, print_json, print_line},
    crate::diagnostics::List,
    crate::failure::print_message,
    crate::registry::registry,
    serde_json::json,
    skriptnd_compiler::meaning::Operators,
    skriptnd_htp::commands::{
        Format, Output, RuleSet, Settings, check_rules, draw_rules, explain_rules, list_overlaps, test_rules,
    },
    skriptnd_runtime::atomic::Mode,
};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Reads rule files and says what is wrong with them
    Check(CheckRules),
    /// Tells what each rule matches, when, and what takes its place
    Explain(Box<Explain>),
    /// Applies each rule to random graphs in two ways, which must agree, and sees whether it ends, and whether it computes what its
    /// match does where all ops are known; then runs the cases of FILE.htp that stand in FILE.cases
    Test(TestRules),
}

#[derive(Debug, Args)]
pub struct Check {
    /// Rule files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Print one JSON object: what is wrong, and what is said of each file
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CheckRules {
    #[command(flatten)]
    check: Check,
    /// Say which rules of one pass can match the same node
    #[arg(long)]
    overlaps: bool,
}

#[derive(Debug, Args)]
pub struct TestRules {
    #[command(flatten)]
    check: Check,
    /// Compute both sides of rules by code for a Hexagon processor as well, on the emulator: it must give what the interpreter does
    /// (`hexagonv66+hvxv66+hvx-length128b`)
    #[arg(long, value_name = "NAME[+FEATURE]..")]
    cpu: Option<String>,
}

#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    check: Check,
    /// Say of each rule where it is applied to this model, or which operation came nearest and what it lacks; all files are
    /// those of one package
    #[arg(long, value_name = "MODEL", conflicts_with = "draw")]
    on: Option<PathBuf>,
    #[command(flatten)]
    graph: GraphOptions,
    /// Draw pattern and replacement of each rule to a file in this folder, FILE-LINE.svg or FILE-LINE.dot
    #[arg(long, value_name = "FOLDER")]
    draw: Option<PathBuf>,
    /// The pictures' format
    #[arg(long, value_enum, default_value_t = Drawn::Svg, requires = "draw")]
    format: Drawn,
}

/// How pictures are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Drawn {
    /// A picture for browsers
    Svg,
    /// A text for Graphviz
    Dot,
}

impl Options {
    pub fn json(&self) -> bool {
        self.shared().json
    }

    /// The options that all commands have.
    fn shared(&self) -> &Check {
        match &self.command {
            Command::Check(options) => &options.check,
            Command::Explain(options) => &options.check,
            Command::Test(options) => &options.check,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  skriptnd rules check package.cc --mode sdk -I include
  skriptnd rules check rules.htp --overlaps
  skriptnd rules explain package.cc --draw pictures
  skriptnd rules explain rules.htp --on model.sknd --quantized
  skriptnd rules test rules.htp --passes groups.txt --htp-option precise=true
  skriptnd rules test rules.htp --cpu hexagonv66+hvxv66+hvx-length128b";

pub fn run(options: &Options) -> Result<(), Failure> {
    #[cfg(feature = "mlir")]
    check_files(&options.shared().files)?;
    match &options.command {
        #[cfg(feature = "mlir")]
        Command::Check(options) => check(options),
        #[cfg(feature = "mlir")]
        Command::Explain(options) => explain(options),
        #[cfg(feature = "mlir")]
        Command::Test(TestRules { check, cpu }) => {
            let registry = registry()?;
            let context = registry.context();
            let named = |cpu: &String| CpuOptions::named(Some(cpu.clone())).target(Backend::Hexagon);
            let evaluator = Operators { context: &context, target: cpu.as_ref().map(named).transpose()? };
            for_each_file(check, |file, settings| test_rules(file, settings, TRIALS, Some(&evaluator)))
        }
        #[cfg(not(feature = "mlir"))]
        _ => Err(Failure::usage("this executable was built without MLIR and knows no rules")),
    }
}

#[cfg(feature = "mlir")]
fn explain(options: &Explain) -> Result<(), Failure> {
    if let Some(model) = &options.on {
        return explain_on(&options.check, model, &options.graph);
    }
    if let Some(option) = options.graph.first_given() {
        return Err(Failure::usage(format!("{option} is for --on MODEL")));
    }
    for_each_file(&options.check, |file, settings| {
        let output = explain_rules(file, settings)?;
        options.draw.iter().try_for_each(|folder| draw(&output, folder, options.format))?;
        Ok(output)
    })
}

/// Nothing is said of a file before all can be files of rules.
#[cfg(feature = "mlir")]
fn check_files(files: &[PathBuf]) -> Result<(), Failure> {
    files.iter().for_each(|file| super::kept::keep(file, "a file of rules"));
    files.iter().try_for_each(|file| check_rules_file(file))
}

/// The files are those of one package.
#[cfg(feature = "mlir")]
fn check(options: &CheckRules) -> Result<(), Failure> {
    let CheckRules { check: Check { files, rules, json }, overlaps } = options;
    let names = files.iter().map(|file| if *json { json_name(file) } else { Ok("") }).collect::<Result<Vec<_>, _>>()?;
    let (set, told) = check_rules(files, &rules.settings()?).map_err(Failure::input)?;
    let good = !set.found.has_errors();
    let overlaps = if *overlaps { list_overlaps(&set) } else { String::new() };
    print_message(set.messages());
    if *json {
        let said = names.iter().zip(&told).map(|(name, (count, text))| {
            let own = overlaps.lines().filter(|line| line.starts_with(&format!("{name}:")));
            let text = own.fold(text.clone(), |text, line| text + line + "\n");
            json!({ "file": name, "rules": count, "text": text })
        });
        let said: Vec<_> = said.collect();
        print_json(&List::of(&set.found, &set.sources).to_json_with(good, json!({ "files": said })));
    } else {
        told.iter().flat_map(|(_, text)| text.lines()).chain(overlaps.lines()).for_each(print_line);
    }
    if good { Ok(()) } else { Err(Failure::Reported) }
}

/// What the rules do with a model.
#[cfg(feature = "mlir")]
fn explain_on(options: &Check, model: &std::path::Path, graph: &GraphOptions) -> Result<(), Failure> {
    let settings = options.rules.settings()?;
    let functions = settings.environment().map_err(Failure::usage)?.functions;
    let set = RuleSet::load_all(&options.files, &settings).map_err(Failure::input)?.for_application(&functions);
    print_message(set.messages());
    let good = !set.found.has_errors();
    let text = if good {
        let model = Model::find(model, graph)?;
        let mut composed = model.compose(graph)?;
        let given = VariableOptions::default();
        let source = Source::new(&given, &model, &composed.graph)?;
        steps::fix(&mut composed.graph, &source);
        super::native::explain_rules(&composed, &set, &settings)?
    } else {
        String::new()
    };
    if options.json {
        let list = List::of(&set.found, &set.sources);
        print_json(&list.to_json_with(good, json!({ "rules": set.rules.len(), "text": text })));
    } else {
        text.lines().for_each(print_line);
    }
    if good { Ok(()) } else { Err(Failure::Reported) }
}

#[cfg(feature = "mlir")]
fn draw(output: &Output, folder: &std::path::Path, format: Drawn) -> Result<(), String> {
    let format = if format == Drawn::Svg { Format::Svg } else { Format::Dot };
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (name, picture) in draw_rules(&output.set, format) {
        super::output::write(&folder.join(name), Mode::Plain, picture).map_err(|failure| failure.to_string())?;
    }
    Ok(())
}

/// Graphs that `rules test` makes for each rule.
#[cfg(feature = "mlir")]
const TRIALS: usize = 200;

#[cfg(feature = "mlir")]
fn for_each_file(
    options: &Check,
    command: impl Fn(&std::path::Path, &Settings) -> Result<Output, String>,
) -> Result<(), Failure> {
    let settings = options.rules.settings()?;
    let (mut good, mut list, mut said) = (true, List::default(), Vec::new());
    let unread = RuleSet::unread_options(&options.files, &settings).unwrap_or_default();
    print_message(unread.messages());
    list.append(List::of(&unread.found, &unread.sources));
    for file in &options.files {
        let name = if options.json { json_name(file)?.to_owned() } else { String::new() };
        let output = command(file, &settings).map_err(Failure::input)?;
        good &= output.good;
        print_message(output.set.messages());
        if options.json {
            list.append(List::of(&output.set.found, &output.set.sources));
            said.push(json!({ "file": name, "rules": output.set.rules.len(), "text": output.text }));
        } else {
            output.text.lines().for_each(print_line);
        }
    }
    if options.json {
        print_json(&list.to_json_with(good, json!({ "files": said })));
    }
    if good { Ok(()) } else { Err(Failure::Reported) }
}
