//! What `skriptnd rules` and `skriptnd-translate --htp-rules-to-pdl` do.

use crate::apply::{Functions, Options};
use crate::cases;
use crate::check::{Terms, check, check_against, check_options, check_together, is_supported, overlaps};
use crate::engine::{Engine, Limits};
pub use crate::explain::Format;
use crate::explain::{explain, explain_ops, picture};
use crate::grammar::model::Rule;
use crate::grammar::{Directories, RuleFile, diagnostics, read, read_text};
pub use crate::settings::Settings;
use crate::to_pdl;
use crate::trial::{Evaluator, MAX_WORK, Meaning, Verdict, stand_ins, try_meaning, try_rule};
use crate::{placement, registered};
use skriptnd_mlir::Registry;
use skriptnd_mlir::diagnostics::Position;
use skriptnd_mlir::ir::Root;
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Severity, render};
use std::path::{Path, PathBuf};

/// The rules of a file, and what was found in it.
#[derive(Debug, Default)]
pub struct RuleSet {
    /// What the file holds, or several together.
    pub file: RuleFile,
    /// The rules without errors.
    pub rules: Vec<Rule>,
    /// The file and what it includes.
    pub sources: SourceMap,
    /// What was found.
    pub found: Diagnostics,
}

impl RuleSet {
    /// Reads and checks a file.
    pub fn load(path: &Path, settings: &Settings) -> Result<Self, String> {
        Ok(Self::parse(&path.display().to_string(), &read_text(path)?, settings))
    }

    /// Reads and checks the files of a package: the rules of one pass are those of all files, in their order.
    pub fn load_all(paths: &[PathBuf], settings: &Settings) -> Result<Self, String> {
        let mut set = Self::default();
        for path in paths {
            set.add(&path.display().to_string(), &read_text(path)?, settings);
        }
        Ok(set.checked_together().with_options_checked(settings))
    }

    /// Warns of options that are given, and that none of the rules reads.
    fn with_options_checked(mut self, settings: &Settings) -> Self {
        // Wrong ones are told by whoever takes them.
        let options = Options::parse(&settings.options).ok().filter(|_| !self.found.has_errors());
        if let Some((options, first)) = options.zip(self.rules.first()) {
            check_options(&options, &self.rules, first.span.file, &mut self.found);
            self.found = in_order(&self.found);
        }
        self
    }

    /// The warnings about options of files that are each a package: what one of them reads is read.
    pub fn unread_options(paths: &[PathBuf], settings: &Settings) -> Result<Self, String> {
        let mut set = Self::default();
        if settings.options.is_empty() {
            return Ok(set);
        }
        for path in paths {
            set.add(&path.display().to_string(), &read_text(path)?, settings);
        }
        set.found = if set.found.has_errors() { return Ok(Self::default()) } else { Diagnostics::default() };
        Ok(set.with_options_checked(settings))
    }

    /// Checks a text; the name appears in diagnostics.
    pub fn parse(name: &str, text: &str, settings: &Settings) -> Self {
        let mut set = Self::default();
        set.add(name, text, settings);
        set.checked_together()
    }

    /// With what is said of all rules together.
    fn checked_together(mut self) -> Self {
        check_together(&self.rules, &mut self.found);
        self.found = in_order(&self.found);
        self
    }

    /// Adds what a file holds. Its macros are its own.
    fn add(&mut self, name: &str, text: &str, settings: &Settings) {
        let mut found = Diagnostics::default();
        let (includes, sources) = (Directories(settings.includes.clone()), &mut self.sources);
        let file = read(name, text, settings.mode, &includes, settings.prelude(), sources, &mut found);
        let terms = Terms { mode: settings.mode, passes: &settings.passes, package: settings.package.as_deref() };
        let rules = check(&file, terms, sources, &mut found);
        check_against(&self.rules, &rules, &mut found);
        self.rules.extend(rules);
        if file.is_empty() && !found.has_errors() {
            sources.find(name).into_iter().for_each(|file| found.push(diagnostics::no_rules(file)));
        }
        self.found.extend(in_order(&found));
        self.file.extend(file);
    }

    /// Without the rules that need what is not at hand, and with warnings about them.
    pub fn for_application(mut self, functions: &Functions) -> Self {
        let found = &mut self.found;
        self.rules.retain(|rule| is_supported(rule, functions, found));
        self.found = in_order(&self.found);
        self
    }

    /// All that was found, as text.
    pub fn messages(&self) -> String {
        self.found.iter().map(|diagnostic| render(diagnostic, &self.sources)).collect()
    }
}

/// In the order of the text: a reader goes through a file once.
fn in_order(found: &Diagnostics) -> Diagnostics {
    let mut list: Vec<_> = found.iter().cloned().collect();
    list.sort_by_key(|diagnostic| (diagnostic.span.file, diagnostic.span.start));
    let mut sorted = Diagnostics::default();
    list.into_iter().for_each(|diagnostic| sorted.push(diagnostic));
    sorted
}

/// What a command has to say.
#[derive(Debug)]
pub struct Output {
    /// The result, for standard output.
    pub text: String,
    /// The rules, and what was found in them, for standard error.
    pub set: RuleSet,
    /// Whether there were no errors.
    pub good: bool,
}

/// `skriptnd rules check FILES`: for each of the files of a package how many rules it has, unless it has errors.
pub fn check_rules(paths: &[PathBuf], settings: &Settings) -> Result<(RuleSet, Vec<(usize, String)>), String> {
    let set = RuleSet::load_all(paths, settings)?;
    let of_file = |path: &PathBuf| {
        let name = path.display().to_string();
        let file = set.sources.find(&name);
        let count = set.rules.iter().filter(|rule| Some(rule.span.file) == file).count();
        let is_wrong = |found: &Diagnostic| Some(found.span.file) == file && found.severity == Severity::Error;
        let noun = if count == 1 { "rule" } else { "rules" };
        let text = if set.found.iter().any(is_wrong) { String::new() } else { format!("{name}: {count} {noun}\n") };
        (count, text)
    };
    let told = paths.iter().map(of_file).collect();
    Ok((set, told))
}

/// `skriptnd rules explain FILE`: what was understood of each rule, what it needs that is not at hand, and the ops that
/// the package registers.
pub fn explain_rules(path: &Path, settings: &Settings) -> Result<Output, String> {
    let set = RuleSet::load(path, settings)?;
    let good = !set.found.has_errors();
    let functions = settings.environment()?.functions;
    let mut text = String::new();
    for rule in &set.rules {
        text.push_str(&explain(rule));
        let mut missing = Diagnostics::default();
        is_supported(rule, &functions, &mut missing);
        for diagnostic in missing.iter() {
            text.push_str(&format!("  but      {}\n", diagnostic.message));
        }
    }
    text.push_str(&explain_ops(&set.file));
    Ok(Output { text, set, good })
}

/// `skriptnd rules explain FILE --on MODEL`: what the rules of a package do with a graph in the `htp` dialect, where each is
/// applied, or which node came nearest and what it lacks; and what is taken of what a package registers.
pub fn explain_on(graph: &mut Root<'_, '_>, set: &RuleSet, settings: &Settings) -> Result<String, String> {
    let engine = Engine::new(&set.rules, &set.sources, settings.environment()?);
    let engine = engine.with_limits(settings.limits(Limits::default())).explaining(true);
    let applied = engine.run(graph).map_err(|error| error.to_string())?;
    let mut text = String::new();
    for (index, rule) in set.rules.iter().enumerate() {
        let firings = applied.firings.iter().filter(|firing| firing.rule == index);
        let places: Vec<String> =
            firings.map(|firing| firing.position.as_ref().map_or("?".to_owned(), ToString::to_string)).collect();
        if !places.is_empty() {
            text.push_str(&format!("{}: applied to {}: {}\n", rule.name, places.len(), places.join(", ")));
        }
        for miss in applied.misses.iter().filter(|miss| miss.rule == index && places.is_empty()) {
            let node = miss.position.as_ref().map(|node| format!("; the nearest node: {node}")).unwrap_or_default();
            let (line, column) = set.sources.position(miss.span);
            text.push_str(&format!("{}: not applied, by {line}:{column}: {}{node}\n", rule.name, miss.reason));
        }
    }
    let placed = registered::note(graph.operation(), &set.file, settings.package.as_deref());
    for choice in placed.and_then(|()| placement::place(graph.operation())).map_err(|failure| failure.to_string())? {
        let node = Position::of(choice.location).map_or("?".to_owned(), |position| position.to_string());
        text.push_str(&format!("{node}: {}\n", choice.text));
    }
    Ok(text)
}

/// `skriptnd rules explain FILE --draw FOLDER`: the picture of each rule, and the name of a file for it.
pub fn draw_rules(set: &RuleSet, format: Format) -> Vec<(String, String)> {
    let drawn = set.rules.iter().map(|rule| {
        let (file, line) = rule.name.rsplit_once(':').unwrap_or((&rule.name, ""));
        let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or("rules");
        (format!("{stem}-{line}.{}", format.ending()), picture(rule, format))
    });
    drawn.collect()
}

/// `skriptnd rules check FILE --overlaps`: the rules of one pass whose patterns fit the same node.
pub fn list_overlaps(set: &RuleSet) -> String {
    let pairs = overlaps(&set.rules).into_iter();
    let told = pairs.map(|(earlier, later)| {
        let (earlier, later) = (&set.rules[earlier], &set.rules[later]);
        let root = earlier.pattern.name.qualified(&earlier.package);
        format!("{}: overlaps with {}: both can match {root}, and this one is tried first\n", earlier.name, later.name)
    });
    told.collect()
}

/// `skriptnd rules test FILE`: each rule is applied to `count` random graphs that its pattern was made to match, by PDL and
/// directly. Both must make the same graph, and the rule must not match its own output for ever. With an evaluator, its match and
/// what it makes must compute the same, where all of their ops are known. Then the cases beside the file run.
pub fn test_rules(
    path: &Path,
    settings: &Settings,
    count: usize,
    evaluator: Option<&dyn Evaluator>,
) -> Result<Output, String> {
    let environment = settings.environment()?;
    let set = RuleSet::load(path, settings)?;
    let mut good = !set.found.has_errors();
    let mut registry = Registry::new();
    registry.add_dialect(crate::dialect::undeclared()).map_err(|error| error.to_string())?;
    let context = registry.context();
    let mut text = String::new();
    let cases = if good { cases::load(path, settings)? } else { Vec::new() };
    let rules = if good { set.rules.as_slice() } else { &[] };
    for rule in rules {
        let missing = stand_ins(&environment, rule);
        let verdict = try_rule(&context, rule, &set.sources, settings, count);
        // Whether a rule ends may depend on what the functions do that something stood in for.
        let may_end = matches!(verdict, Verdict::NotEnding(_)) && !missing.is_empty();
        let passed =
            matches!(verdict, Verdict::Applied(_) | Verdict::NeverApplied(_) | Verdict::Bounded(..)) || may_end;
        let meaning = evaluator.filter(|_| passed).map(|evaluator| try_meaning(rule, settings, evaluator));
        let (is_same, meaning) = meaning.map_or((true, String::new()), told_meaning);
        let outcome = if passed && is_same { "passed" } else { "FAILED" };
        text.push_str(&format!("{}: {outcome}: {}{meaning}\n", rule.name, told(verdict, count, &missing)));
        good &= passed && is_same;
    }
    let set = if cases.is_empty() { set } else { set.for_application(&environment.functions) };
    for case in &cases {
        let outcome = cases::run(&context, case, (&set.rules, &set.sources), settings);
        let verdict = outcome.as_ref().err().map_or("passed".to_owned(), |reason| format!("FAILED: {reason}"));
        text.push_str(&format!("{}:{}: case {}: {verdict}\n", cases::beside(path).display(), case.line, case.name));
        good &= outcome.is_ok();
    }
    Ok(Output { text, set, good })
}

/// What came of computing both sides of a rule, and whether they may be the same.
fn told_meaning(meaning: Meaning) -> (bool, String) {
    match meaning {
        Meaning::Same(graphs, 0) => (true, format!("; computes the same on {graphs}")),
        Meaning::Same(graphs, by_code) => {
            (true, format!("; computes the same on {graphs}, on {by_code} of them by code"))
        }
        Meaning::Unknown(reason) => (true, format!("; what it computes is not compared: {reason}")),
        Meaning::Differs(how) => (false, format!("; it does not compute what its match does: {how}")),
    }
}

/// What came of trying a rule on so many graphs; something stood in for what is `missing`.
fn told(verdict: Verdict, count: usize, missing: &[String]) -> String {
    match verdict {
        Verdict::Applied(times) if missing.is_empty() => format!("applied to {times} of {count} graphs"),
        Verdict::Applied(times) => {
            format!("applied to {times} of {count} graphs, with stand-ins for {}", missing.join(", "))
        }
        Verdict::NeverApplied(0) => format!("applied to none of {count} graphs; its constraint may never hold"),
        Verdict::NeverApplied(held) => format!(
            "applied to none of {count} graphs: the condition held {held} times, but the replacement was undefined or of \
             another type"
        ),
        Verdict::Bounded(times, tried) => format!(
            "applied to {times} of {tried} graphs; not tried on all {count}, as no more than {MAX_WORK} parts of \
             replacements are built"
        ),
        Verdict::NotEnding(times) if !missing.is_empty() => format!(
            "applied once to {times} of {count} graphs, with stand-ins for {}, which never let it end",
            missing.join(", ")
        ),
        Verdict::NotEnding(times) => {
            format!(
                "never ends: it matches its own output; applied once, engine and definition make the same of {times} of {count} \
                 graphs"
            )
        }
        Verdict::Differs(engine, direct) => format!("engine and definition differ:\n{engine}---\n{direct}"),
        Verdict::Failed(reason) => reason,
    }
}

/// `skriptnd-translate --htp-rules-to-pdl`: the text of a rule file to the text of a PDL module. Options that are given have
/// their values there. Functions of libraries are named: whoever applies the patterns binds them.
pub fn rules_to_pdl(name: &str, text: &str, settings: &Settings) -> Result<Output, String> {
    let options = settings.environment()?.options;
    let mut set = RuleSet::parse(name, text, settings).with_options_checked(settings);
    for rule in &set.rules {
        is_supported(rule, &Functions::default(), &mut set.found);
    }
    set.found = in_order(&set.found);
    let good = !set.found.has_errors();
    let rules: Vec<Rule> = set.rules.iter().filter_map(|rule| to_pdl::with_options(rule, &options)).collect();
    let text = if good { to_pdl::translate(&rules, &set.sources) } else { String::new() };
    Ok(Output { text, set, good })
}
