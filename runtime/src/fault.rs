//! What must hold in a run of a compiled model, and what is said where it does not: the library's metadata have a
//! message for each such fault, into which the values are put that the run leaves in its record.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Words of the record that a run leaves: the number of the fault, which counts from 1, then the values of its message.
pub const RECORD_WORDS: usize = 16;

/// A place in a source text; lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// What the text was made of there, such as a node of a model in another format; empty where nobody knows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub origin: String,
    /// Where it begins.
    pub start: (usize, usize),
    /// Behind its end; where it begins if the end is not known.
    pub end: (usize, usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.start;
        match self.origin.as_str() {
            "" => write!(f, "{}:{line}:{column}", self.file),
            origin => write!(f, "{}: {origin}", self.file),
        }
    }
}

/// A fault that a run may report.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Fault {
    /// Identifies the kind of fault.
    pub code: String,
    /// The message; `{0}`, `{1}`, `{2}` stand for values of the run.
    pub message: String,
    /// What the place is; may be empty.
    pub label: String,
    /// What to do about it; may be empty.
    pub help: String,
    /// Where the statement stands that requires it.
    pub place: Place,
    /// The invocations on the way to it, innermost first.
    pub calls: Vec<Call>,
}

impl Fault {
    /// As metadata have it.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// An invocation on the way to a fault.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Call {
    /// The operator, by its full path.
    pub operator: String,
    /// Where it is invoked.
    pub place: Place,
}

/// A fault of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// What the library says of it.
    pub fault: Fault,
    /// The values of the message.
    pub values: Vec<i64>,
}

impl Failed {
    /// The fault in the record that a run left; none if the library does not know it.
    pub fn of(faults: &[Fault], record: &[i64]) -> Option<Failed> {
        let (number, values) = record.split_first()?;
        let fault = faults.get(usize::try_from(*number).ok()?.checked_sub(1)?)?.clone();
        Some(Failed { fault, values: values.to_vec() })
    }

    /// The message with its values.
    pub fn message(&self) -> String {
        filled(&self.fault.message, &self.values)
    }
}

/// `FILE:LINE:COLUMN: error: MESSAGE`, or `FILE: ORIGIN: error: MESSAGE` where a program wrote the text, then the invocations and the help.
impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { place, calls, .. } = &self.fault;
        let head = calls.iter().map(|call| &call.place).rev().find(|place| !place.origin.is_empty());
        write!(f, "{}: error: {}", head.unwrap_or(place), self.message())?;
        if head.is_some() {
            write!(f, "\n  = note: at {place}")?;
        }
        for Call { operator, place } in calls {
            write!(f, "\n  = note: in {operator} invoked at {place}")?;
        }
        match self.fault.help.as_str() {
            "" => Ok(()),
            help => write!(f, "\n  = help: {help}"),
        }
    }
}

/// A message with values in place of `{0}`, `{1}`, `{2}`; what stands for none of them stays.
pub fn filled(message: &str, values: &[i64]) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        let number =
            from.get(1..2).and_then(|digit| digit.parse::<usize>().ok()).filter(|_| from[2..].starts_with('}'));
        match number.and_then(|number| values.get(number)) {
            Some(value) => {
                text.push_str(&value.to_string());
                rest = &from[3..];
            }
            None => {
                text.push('{');
                rest = &from[1..];
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_put_into_messages() {
        let values = [7, i64::MIN];
        assert_eq!(filled("`{0} / {1}` of {x}", &values), "`7 / -9223372036854775808` of {x}");
        assert_eq!(filled("{2}{", &values), "{2}{");
        assert_eq!(filled("{\u{e9}}{0", &values), "{\u{e9}}{0");
    }

    #[test]
    fn faults_are_read_from_metadata_and_shown_with_their_values() {
        let place = json!({"file": "main.sknd", "start": [3, 5], "end": [3, 9]});
        let call = json!({"operator": "main.f", "place": {"file": "main.sknd", "start": [9, 1], "end": [9, 1]}});
        let mut json = json!({
            "code": "division-by-zero", "message": "`{0} / {1}`", "label": "", "help": "guard it", "place": place,
            "calls": [call],
        });
        let fault = Fault::deserialize(&json).unwrap();
        let failed = Failed::of(&[Fault::default(), fault], &[2, 6, 0, 0]).unwrap();
        let text = "main.sknd:3:5: error: `6 / 0`\n  = note: in main.f invoked at main.sknd:9:1\n  = help: guard it";
        assert_eq!(failed.to_string(), text);
        json["place"]["origin"] = json!("node `a` (Div)");
        let told = Failed { fault: Fault::deserialize(&json).unwrap(), values: vec![6, 0] }.to_string();
        assert!(told.starts_with("main.sknd: node `a` (Div): error: `6 / 0`\n"), "{told}");
        json["calls"][0]["place"]["origin"] = json!("node `b` (Add)");
        json["place"]["origin"] = json!("");
        let told = Failed { fault: Fault::deserialize(&json).unwrap(), values: vec![6, 0] }.to_string();
        let head =
            "main.sknd: node `b` (Add): error: `6 / 0`\n  = note: at main.sknd:3:5\n  = note: in main.f invoked at";
        assert!(told.starts_with(head), "{told}");
        json["place"]["start"] = json!([3]);
        assert!(Fault::deserialize(&json).is_err());
        assert_eq!(Failed::of(&[], &[1, 0, 0, 0]), None);
        assert_eq!(Failed::of(&[Fault::default()], &[0, 0, 0, 0]), None);
    }
}
