//! Options that say which graph of a model, and with which attributes and extents.

use super::import_options::ImportOptions;
use super::once::only_once;
use crate::failure::Failure;
use clap::Args;
use serde_json::{Number, Value as Json};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_language::compose::{ComposeOptions, Integers};
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use skriptnd_runtime::Storage;
use skriptnd_source::FileProvider;
use skriptnd_syntax::ast::{Operator, OperatorKind, TypeExpr, TypeName};

/// Which graph, and what is fixed from outside.
#[derive(Debug, Clone, Default, Args)]
pub struct GraphOptions {
    /// The graph; without it, the first one of the main module (`check`: all)
    #[arg(long, value_name = "NAME")]
    pub graph: Option<String>,
    /// A graph attribute, its value as JSON: `--attr size=[8,8] --attr mode='"SAME"'`
    #[arg(long = "attr", value_name = "K=JSON", value_parser = parse_attribute)]
    attributes: Vec<Attribute>,
    /// A generic type of the graph
    #[arg(long = "dtype", value_name = "T=real|int|bool", value_parser = parse_dtype)]
    dtypes: Vec<(String, ScalarType)>,
    /// A value for an extent that the model leaves open
    #[arg(long = "bind", value_name = "EXTENT=VALUE", value_parser = parse_binding)]
    bindings: Vec<(String, i64)>,
    /// Compute with the values that `@quantize` gives tensors; without it, quantization is a note that changes nothing
    #[arg(long)]
    quantized: bool,
    /// Combine numbers in the order of the formulas, and round where these are: results are the interpreter's bits but for
    /// functions such as `exp` (docs/semantics.md says what is promised); it takes several times longer
    #[arg(long)]
    pub exact: bool,
    /// Compute with the integers that stand for reals, where tensors are quantized: sums are multiplied by a number of 31 bits
    /// and rounded once, halves up, to the same bits on every backend. What runs, compiles or compares a model does so without
    /// this option where no sum can leave 32 bits; with it, sums that do count as the nearest that these have
    #[arg(long, conflicts_with = "exact")]
    integers: bool,
    /// Compute with reals where tensors are quantized, as the operators say
    #[arg(long, conflicts_with = "integers")]
    reals: bool,
    /// How an input, variable or output is stored: i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 or bool; `real` and
    /// `int` are all inputs and variables of that type. `storage.json` in the model's folder says it, too
    #[arg(long = "storage", value_name = "NAME=TYPE", value_parser = parse_storage)]
    pub storage: Vec<(String, Storage)>,
    #[command(flatten)]
    pub import: ImportOptions,
    /// Whether what each operation gives is an output of the graph, behind its own.
    #[arg(skip)]
    pub keeps_results: bool,
    /// Whether the graph is composed to be executed, so that it need not be what the text says, but compute the same.
    #[arg(skip)]
    pub is_executed: bool,
}

/// A graph attribute as it is given.
#[derive(Debug, Clone)]
struct Attribute {
    name: String,
    /// The value as it is written.
    text: String,
    json: Json,
}

impl GraphOptions {
    /// Reads a model's texts and checks them.
    pub fn load(&self, files: &dyn FileProvider) -> CheckedModel {
        let model = CheckedModel::load(files);
        let model = if self.quantized { model.executing_quantization() } else { model };
        match self.integers() {
            Integers::Never => model,
            integers => model.computing_integers(integers),
        }
    }

    /// Where quantized tensors are computed with as integers.
    fn integers(&self) -> Integers {
        match (self.integers, self.is_executed && !self.exact && !self.reals) {
            (true, _) => Integers::Everywhere,
            (false, true) => Integers::Within,
            (false, false) => Integers::Never,
        }
    }

    /// Whether the graph computes what `@quantize` says.
    #[cfg(feature = "mlir")]
    pub fn is_quantized(&self) -> bool {
        self.quantized
    }

    /// The extents that are given, with their values.
    #[cfg(feature = "mlir")]
    pub fn bound_extents(&self) -> &[(String, i64)] {
        &self.bindings
    }

    /// The same without values of extents.
    #[cfg(feature = "mlir")]
    pub fn without_bindings(&self) -> GraphOptions {
        GraphOptions { bindings: Vec::new(), ..self.clone() }
    }

    /// For another graph of the same model, which needs no values.
    pub fn of_graph(&self, name: &str) -> GraphOptions {
        GraphOptions {
            graph: Some(name.to_string()),
            quantized: self.quantized,
            exact: self.exact,
            integers: self.integers,
            reals: self.reals,
            is_executed: self.is_executed,
            ..GraphOptions::default()
        }
    }

    /// The options for composition. Whole numbers are taken as real where the attribute is.
    pub fn compose_options(&self, library: &Library) -> Result<ComposeOptions, Failure> {
        only_once("--attr", self.attributes.iter().map(|attribute| &attribute.name))?;
        only_once("--dtype", self.dtypes.iter().map(|(name, _)| name))?;
        only_once("--bind", self.bindings.iter().map(|(name, _)| name))?;
        let mut attributes = Vec::new();
        for Attribute { name, text, json } in &self.attributes {
            let value = value(json, self.base(library, name))
                .map_err(|reason| Failure::usage(format!("--attr {name}={text}: {reason}")))?;
            attributes.push((name.clone(), value));
        }
        Ok(ComposeOptions {
            graph: self.graph.clone(),
            dtypes: self.dtypes.clone(),
            attributes,
            bindings: self.bindings.clone(),
            storage: Vec::new(),
        })
    }

    /// The first of these options that is given.
    #[cfg(feature = "mlir")]
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--graph", self.graph.is_some()),
            ("--attr", !self.attributes.is_empty()),
            ("--dtype", !self.dtypes.is_empty()),
            ("--bind", !self.bindings.is_empty()),
            ("--quantized", self.quantized),
            ("--exact", self.exact),
            ("--integers", self.integers),
            ("--reals", self.reals),
            ("--storage", !self.storage.is_empty()),
        ];
        let option = given.into_iter().find(|(_, given)| *given).map(|(option, _)| option);
        option.or_else(|| self.import.first_given())
    }

    /// The first option that is given and says something of a model in sources.
    #[cfg(feature = "mlir")]
    pub fn first_of_sources(&self) -> Option<&'static str> {
        self.first_given().or_else(|| self.import.weights.is_some().then_some("--weights"))
    }

    /// The type that an attribute is declared with.
    fn base(&self, library: &Library, attribute: &str) -> Option<TypeName> {
        let graph = declaration(library, self.graph.as_deref())?;
        match graph.attributes.iter().find(|param| &*param.name.text == attribute)?.spec.base {
            TypeExpr::Concrete(name, _) => Some(name),
            TypeExpr::Generic(_) => None,
        }
    }
}

/// The graph of the main module with this name, or the first one.
pub fn declaration<'a>(library: &'a Library, name: Option<&str>) -> Option<&'a Operator> {
    let operators = library.modules.get("main")?.operators.iter();
    let mut graphs = operators.filter(|operator| operator.kind == OperatorKind::Graph);
    graphs.find(|graph| name.is_none_or(|name| *graph.name.text == *name))
}

/// What another graph declares of options that were given for the first one. Its extents stay open.
pub fn options_for(name: &str, library: &Library, given: &ComposeOptions) -> ComposeOptions {
    let mut options = ComposeOptions { bindings: Vec::new(), ..given.clone() };
    options.graph = Some(name.to_owned());
    if let Some(graph) = declaration(library, Some(name)) {
        options.attributes.retain(|(name, _)| graph.attributes.iter().any(|param| *param.name.text == **name));
        options.dtypes.retain(|(name, _)| graph.dtypes.iter().any(|generic| *generic.name.text == **name));
    }
    options
}

fn split(text: &str) -> Result<(&str, &str), String> {
    text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(|| "expected NAME=VALUE".to_string())
}

fn parse_attribute(text: &str) -> Result<Attribute, String> {
    let (name, text) = split(text)?;
    let json = serde_json::from_str(text).map_err(|error| {
        let is_word = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match is_word {
            true => format!("the value is no JSON ({error}); a string needs its own quotes: {name}='\"{text}\"'"),
            false => format!("the value is no JSON ({error}); values are written 3, 0.5, true, '\"text\"' or '[1, 2]'"),
        }
    })?;
    Ok(Attribute { name: name.to_string(), text: text.to_string(), json })
}

fn parse_dtype(text: &str) -> Result<(String, ScalarType), String> {
    let (name, found) = split(text)?;
    let types = [ScalarType::Real, ScalarType::Int, ScalarType::Bool];
    let dtype = types.into_iter().find(|dtype| dtype.keyword() == found);
    Ok((name.to_string(), dtype.ok_or_else(|| format!("expected real, int or bool, found `{found}`"))?))
}

fn parse_storage(text: &str) -> Result<(String, Storage), String> {
    let (name, found) = split(text)?;
    Ok((name.to_string(), found.parse()?))
}

fn parse_binding(text: &str) -> Result<(String, i64), String> {
    let (name, number) = split(text)?;
    let value = number.parse().ok().filter(|&value: &i64| value >= 0);
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let expected = || match is_whole {
        true => format!("expected a number from 0 to {}, found `{number}`", i64::MAX),
        false => format!("expected a whole number, found `{number}`"),
    };
    Ok((name.to_string(), value.ok_or_else(expected)?))
}

/// The attribute value of JSON for an attribute of some type; serde_json limits how deep it nests.
fn value(json: &Json, base: Option<TypeName>) -> Result<Value, String> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => return of_number(number, base),
        Json::String(text) => Value::Str(text.as_str().into()),
        Json::Array(items) => Value::Pack(items.iter().map(|item| value(item, base)).collect::<Result<_, _>>()?),
        Json::Object(_) => return Err("an object is no attribute value".to_string()),
    })
}

fn of_number(number: &Number, base: Option<TypeName>) -> Result<Value, String> {
    let is_real = |value: &f64| match base {
        Some(TypeName::Real) => true,
        // Whole numbers beyond int are kept as reals.
        Some(TypeName::Int) => value.fract() != 0.0 || value.abs() < -(i64::MIN as f64),
        _ => number.is_f64(),
    };
    match number.as_i64().filter(|_| base != Some(TypeName::Real)) {
        Some(value) => Ok(Value::Int(value)),
        None => number.as_f64().filter(is_real).map(Value::Real).ok_or_else(|| {
            let (least, largest) = (i64::MIN, i64::MAX);
            format!("the number is too large for int, which goes from {least} to {largest}")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_from_json() {
        let read = |text: &str, base| value(&parse_attribute(text).unwrap().json, Some(base));
        let parsed = |text: &str, real| read(text, if real { TypeName::Real } else { TypeName::Int }).unwrap();
        assert_eq!(parsed("a=[1,2]", false), Value::Pack(vec![Value::Int(1), Value::Int(2)]));
        assert_eq!(parsed("a=1", true), Value::Real(1.0));
        assert_eq!(parsed("a=1e-3", false), Value::Real(1e-3));
        assert_eq!(parsed("a=\"x=y\"", false), Value::Str("x=y".into()));
        assert_eq!(parsed("a=null", false), Value::Null);
        assert!(read("a={}", TypeName::Int).unwrap_err().contains("object"));
        let ends = ["a=9223372036854775807", "a=-9223372036854775808"].map(|text| parsed(text, false));
        assert_eq!(ends, [Value::Int(i64::MAX), Value::Int(i64::MIN)]);
        for text in ["a=9223372036854775808", "a=-9223372036854775809", "a=99999999999999999999", "a=[1,1e19]"] {
            assert!(read(text, TypeName::Int).unwrap_err().contains("too large for int"), "{text}");
        }
        assert_eq!(parsed("a=99999999999999999999", true), Value::Real(1e20));
        assert!(parse_attribute("a=SAME").unwrap_err().contains("a='\"SAME\"'"));
        assert!(parse_attribute("a").is_err() && parse_attribute("=1").is_err());
        assert_eq!(parse_dtype("T=int"), Ok(("T".into(), ScalarType::Int)));
        assert!(parse_dtype("T=num").unwrap_err().contains("found `num`"));
        for text in ["n=-1", "n=9223372036854775808"] {
            assert!(parse_binding(text).unwrap_err().contains("from 0 to 9223372036854775807"), "{text}");
        }
        assert_eq!(parse_binding("n=7"), Ok(("n".into(), 7)));
    }
}
