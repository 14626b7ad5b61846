//! One `#:` comment.

use crate::literal;
use crate::tolerance::Tolerance;
use serde_json::Value as Json;
use skriptnd_language::compose::value::Value;
use skriptnd_runtime::{Storage, Tensor};

/// What graphs compute where tensors are quantized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quantization {
    /// What they would without.
    #[default]
    Noted,
    /// With the values that `@quantize` gives tensors.
    Executed,
    /// The same with the integers that stand for these.
    Integers,
}

/// What a comment says.
#[derive(Debug)]
pub enum Directive {
    /// `run G`
    Run(String),
    /// `attribute n = 3`
    Attribute(String, Value),
    /// `bind s = 4`
    Bind(String, i64),
    /// `storage x = i8`
    Storage(String, Storage),
    /// `quantization executed`, `quantization integers`
    Quantized(Quantization),
    /// `input x = [1.0]`
    Input(String, Given),
    /// `variable w = [1.0]`
    Variable(String, Tensor),
    /// `output y = [1.0]`
    Output(String, Given),
    /// `state w = [1.0]`
    State(String, Tensor),
    /// `tolerance 1e-3`, `tolerance 2 ulp`
    Tolerance(Tolerance),
    /// `fails 3:5 text`, or `fails text` where the place is not in the main module
    Fails {
        /// Line and column from 1, if given.
        place: Option<(usize, usize)>,
        /// Part of the message.
        text: String,
    },
}

/// A value of an input or output.
#[derive(Debug, Clone)]
pub enum Given {
    /// A tensor, or the item of a pack with this number.
    Tensor(Option<usize>, Tensor),
    /// `pack []`
    EmptyPack,
}

/// Reads what follows `#:`.
pub fn parse(text: &str) -> Result<Directive, String> {
    let text = text.trim();
    let (word, rest) = text.split_once(' ').ok_or_else(|| format!("`{text}` says too little"))?;
    let rest = rest.trim();
    Ok(match word {
        "run" => Directive::Run(rest.to_string()),
        "attribute" => {
            let (name, json) = assignment(rest)?;
            let json: Json = serde_json::from_str(json).map_err(|error| format!("{json}: {error}"))?;
            Directive::Attribute(name.to_string(), value(&json)?)
        }
        "bind" => {
            let (name, number) = assignment(rest)?;
            Directive::Bind(name.to_string(), number.parse().map_err(|_| format!("`{number}` is no int"))?)
        }
        "storage" => {
            let (name, storage) = assignment(rest)?;
            Directive::Storage(name.to_string(), storage.parse()?)
        }
        "quantization" if rest == "executed" => Directive::Quantized(Quantization::Executed),
        "quantization" if rest == "integers" => Directive::Quantized(Quantization::Integers),
        "input" => named(rest).map(|(name, given)| Directive::Input(name, given))?,
        "output" => named(rest).map(|(name, given)| Directive::Output(name, given))?,
        "variable" => {
            let (name, text) = assignment(rest)?;
            Directive::Variable(name.to_string(), literal::tensor(text)?)
        }
        "state" => {
            let (name, text) = assignment(rest)?;
            Directive::State(name.to_string(), literal::tensor(text)?)
        }
        "tolerance" => Directive::Tolerance(rest.parse()?),
        "fails" => fails(rest),
        _ => return Err(format!("`{word}` is no directive")),
    })
}

fn assignment(text: &str) -> Result<(&str, &str), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`"))?;
    Ok((name.trim(), value.trim()))
}

fn named(text: &str) -> Result<(String, Given), String> {
    let (name, text) = assignment(text)?;
    if text.strip_prefix("pack").is_some_and(|rest| rest.trim() == "[]") {
        return Ok((name.to_string(), Given::EmptyPack));
    }
    let (name, item) = match name.split_once('.') {
        Some((name, item)) => (name, Some(item.parse().map_err(|_| format!("`{item}` is no item's number"))?)),
        None => (name, None),
    };
    Ok((name.to_string(), Given::Tensor(item, literal::tensor(text)?)))
}

fn fails(text: &str) -> Directive {
    let place = text.split_once(' ').and_then(|(place, text)| Some((place_of(place)?, text.trim())));
    let (place, text) = place.map_or((None, text), |(place, text)| (Some(place), text));
    Directive::Fails { place, text: text.to_string() }
}

/// `LINE:COLUMN`
fn place_of(text: &str) -> Option<(usize, usize)> {
    let (line, column) = text.split_once(':')?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

/// The attribute value of JSON.
pub(crate) fn value(json: &Json) -> Result<Value, String> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::String(text) => Value::Str(text.as_str().into()),
        Json::Array(items) => Value::Pack(items.iter().map(value).collect::<Result<_, _>>()?),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(value), _) => Value::Int(value),
            (None, Some(value)) => Value::Real(value),
            _ => return Err(format!("{number} does not fit")),
        },
        Json::Object(_) => return Err("an object is no attribute value".to_string()),
    })
}
