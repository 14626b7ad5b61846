//! Options of passes: their kinds, what they may be, and what they are in a run.

use std::ffi::c_void;
use std::fmt::Display;

use mlir_sys::MlirStringRef;

use super::{PassRun, PassSpec};
use crate::ffi;

/// The value of a pass option; as a default it also says which type the option has.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// `true` or `false`.
    Flag(bool),
    /// An integer.
    Integer(i64),
    /// An integer that is not negative.
    Unsigned(u64),
    /// A number.
    Real(f64),
    /// A string.
    Text(String),
    /// Comma-separated integers.
    Integers(Vec<i64>),
    /// Comma-separated integers that are not negative.
    Unsigneds(Vec<u64>),
    /// Comma-separated numbers.
    Reals(Vec<f64>),
    /// Comma-separated strings.
    Texts(Vec<String>),
}

/// Which values of its type an option may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Admitted {
    /// Every one.
    #[default]
    All,
    /// One of these words, with a line about each.
    Words(Vec<(String, String)>),
    /// The integers from the first to the last.
    Integers(i64, i64),
    /// The unsigned integers up to this one.
    Unsigneds(u64),
}

/// An option of a pass, written `name=value` in a pipeline and on the command line.
#[derive(Clone, Debug)]
pub struct OptionSpec {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) default: OptionValue,
    admitted: Admitted,
}

impl OptionSpec {
    /// An option; words that it may be stand in its description, too.
    pub(super) fn new(name: String, mut description: String, default: OptionValue, admitted: Admitted) -> Self {
        if let Admitted::Words(words) = &admitted {
            for (word, meaning) in words {
                let colon = if meaning.is_empty() { "" } else { ": " };
                description.push_str(&format!("\n      {word}{colon}{meaning}"));
            }
        }
        Self { name, description, default, admitted }
    }

    /// Why a value is not admitted.
    fn refusal(&self, value: &OptionValue) -> Option<String> {
        let refuse = |expected: String, found: &dyn Display| {
            Some(format!("option '{}': expected {expected}, found {found}", self.name))
        };
        match &self.admitted {
            Admitted::All => None,
            Admitted::Words(words) => {
                let known = |text: &&String| words.iter().all(|(word, _)| word != *text);
                let texts = match value {
                    OptionValue::Text(text) => std::slice::from_ref(text),
                    OptionValue::Texts(texts) => texts.as_slice(),
                    _ => &[],
                };
                let wrong = texts.iter().find(known)?;
                let words: Vec<String> = words.iter().map(|(word, _)| format!("'{word}'")).collect();
                refuse(format!("one of {}", words.join(", ")), &format_args!("'{wrong}'"))
            }
            Admitted::Integers(first, last) => {
                let integers = match value {
                    OptionValue::Integer(integer) => std::slice::from_ref(integer),
                    OptionValue::Integers(integers) => integers.as_slice(),
                    _ => &[],
                };
                let wrong = integers.iter().find(|integer| !(first..=last).contains(integer))?;
                refuse(format!("an integer from {first} to {last}"), wrong)
            }
            Admitted::Unsigneds(last) => {
                let integers = match value {
                    OptionValue::Unsigned(integer) => std::slice::from_ref(integer),
                    OptionValue::Unsigneds(integers) => integers.as_slice(),
                    _ => &[],
                };
                let wrong = integers.iter().find(|integer| *integer > last)?;
                refuse(format!("an integer from 0 to {last}"), wrong)
            }
        }
    }

    /// What the bridge registers.
    pub(super) fn definition(&'static self) -> ffi::OptionDefinition {
        let mut definition = ffi::OptionDefinition {
            kind: self.kind(),
            name: ffi::keep_c_string(&self.name),
            description: ffi::keep_c_string(&self.description),
            integer: 0,
            real: 0.0,
            text: ffi::text(""),
            integers: std::ptr::null(),
            reals: std::ptr::null(),
            texts: std::ptr::null(),
            count: 0,
        };
        match &self.default {
            OptionValue::Flag(value) => definition.integer = (*value).into(),
            OptionValue::Integer(value) => definition.integer = *value,
            OptionValue::Unsigned(value) => definition.integer = *value as i64,
            OptionValue::Real(value) => definition.real = *value,
            OptionValue::Text(value) => definition.text = ffi::text(value),
            OptionValue::Integers(values) => {
                (definition.integers, definition.count) = (values.as_ptr(), values.len());
            }
            OptionValue::Unsigneds(values) => {
                (definition.integers, definition.count) = (values.as_ptr().cast(), values.len());
            }
            OptionValue::Reals(values) => (definition.reals, definition.count) = (values.as_ptr(), values.len()),
            OptionValue::Texts(values) => {
                let texts = ffi::keep_strings(values);
                (definition.texts, definition.count) = (texts.data, texts.size);
            }
        }
        definition
    }

    /// The number of the kind in `bridge/Pass.cpp`.
    fn kind(&self) -> u32 {
        match self.default {
            OptionValue::Flag(_) => 0,
            OptionValue::Integer(_) => 1,
            OptionValue::Unsigned(_) => 2,
            OptionValue::Real(_) => 3,
            OptionValue::Text(_) => 4,
            OptionValue::Integers(_) => 5,
            OptionValue::Unsigneds(_) => 6,
            OptionValue::Reals(_) => 7,
            OptionValue::Texts(_) => 8,
        }
    }
}

impl PassRun<'_> {
    /// The value of an option, or nothing if the pass has none of that name.
    pub fn option(&self, name: &str) -> Option<OptionValue> {
        let index = self.spec.options.iter().position(|option| option.name == name)?;
        Some(self.value(index))
    }

    fn value(&self, index: usize) -> OptionValue {
        let (raw, mut count) = (self.raw, 0);
        // SAFETY: the pass is there, and has an option of that kind at that index.
        unsafe {
            match self.spec.options[index].default {
                OptionValue::Flag(_) => OptionValue::Flag(ffi::skndPassFlag(raw, index)),
                OptionValue::Integer(_) => OptionValue::Integer(ffi::skndPassInteger(raw, index)),
                OptionValue::Unsigned(_) => OptionValue::Unsigned(ffi::skndPassUnsigned(raw, index)),
                OptionValue::Real(_) => OptionValue::Real(ffi::skndPassReal(raw, index)),
                OptionValue::Text(_) => OptionValue::Text(ffi::string_from(ffi::skndPassText(raw, index))),
                OptionValue::Integers(_) => {
                    let values = ffi::skndPassIntegers(raw, index, &mut count);
                    OptionValue::Integers(ffi::slice_from(values, count).to_vec())
                }
                OptionValue::Unsigneds(_) => {
                    let values = ffi::skndPassUnsigneds(raw, index, &mut count);
                    OptionValue::Unsigneds(ffi::slice_from(values, count).to_vec())
                }
                OptionValue::Reals(_) => {
                    let values = ffi::skndPassReals(raw, index, &mut count);
                    OptionValue::Reals(ffi::slice_from(values, count).to_vec())
                }
                OptionValue::Texts(_) => {
                    let mut texts = Vec::<String>::new();
                    ffi::skndPassTexts(raw, index, ffi::push_text, (&raw mut texts).cast());
                    OptionValue::Texts(texts)
                }
            }
        }
    }
}

/// The value of an option by its type; what a pass has no such option of is empty.
macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident: $variant:ident -> $type:ty;)*) => {
        impl PassRun<'_> {
            $($(#[$doc])*
            pub fn $name(&self, name: &str) -> $type {
                match self.option(name) {
                    Some(OptionValue::$variant(value)) => value,
                    _ => Default::default(),
                }
            })*
        }
    };
}

getters! {
    /// The value of a flag; false if there is no such flag.
    flag: Flag -> bool;
    /// The value of an integer option; zero if there is none.
    integer: Integer -> i64;
    /// The value of an unsigned integer option; zero if there is none.
    unsigned: Unsigned -> u64;
    /// The value of an option that is a number; zero if there is none.
    real: Real -> f64;
    /// The value of a string option; empty if there is none.
    text: Text -> String;
    /// The value of a list of integers.
    integers: Integers -> Vec<i64>;
    /// The value of a list of unsigned integers.
    unsigneds: Unsigneds -> Vec<u64>;
    /// The value of a list of numbers.
    reals: Reals -> Vec<f64>;
    /// The value of a list of strings.
    texts: Texts -> Vec<String>;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustCheckOptions(
    spec: *const c_void,
    pass: *mut c_void,
    callback: ffi::TextCallback,
    sink: *mut c_void,
) -> bool {
    // SAFETY: the bridge passes the specification that was registered, which is never freed, and the pass that it is of.
    let run = PassRun { raw: pass, spec: unsafe { &*spec.cast::<PassSpec>() } };
    let mut options = run.spec.options.iter().enumerate();
    let refusal = options.find_map(|(index, option)| option.refusal(&run.value(index)));
    if let Some(refusal) = &refusal {
        let text: MlirStringRef = ffi::text(refusal);
        // SAFETY: the callback takes any text, and the sink is its own.
        unsafe { callback(text, sink) };
    }
    refusal.is_none()
}
