//! What a run reports where it can't go on, as a message whose values only the run knows: the interpreter fills them in at
//! once, compiled code carries the message along with the condition.

use crate::compose::graph::Argument;
use skriptnd_runtime::fault::filled;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};
use skriptnd_syntax::ast::{BinaryOp, Param};

/// One kind of fault at one place of a formula or a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Identifies the kind.
    pub code: Code,
    /// One sentence; `{0}` and `{1}` stand for values of the run.
    pub message: String,
    /// What the place is; may be empty.
    pub label: &'static str,
    /// What to do about it; may be empty.
    pub help: &'static str,
}

impl Fault {
    /// An unguarded index outside of its tensor; the value is the index. Where only a run knows the extent, it is the next
    /// value.
    pub fn index_outside(tensor: &str, dimension: usize, extent: Option<i64>) -> Fault {
        let extent = extent.map_or_else(|| "{1}".to_owned(), |extent| extent.to_string());
        Fault {
            code: Code::IndexOutOfRange,
            message: format!("index {{0}} is outside of dimension {dimension} of `{tensor}`, whose extent is {extent}"),
            label: "in this formula",
            help: "an index that may be outside must be guarded: `|i|` skips, `|i <> a : b|` remaps",
        }
    }

    /// A division by 0 or a negative power of 0; the values are the operands.
    pub fn undefined(op: BinaryOp) -> Fault {
        let (what, help) = match op {
            BinaryOp::Pow => (
                "negative power of zero",
                "guard the base with a condition, `| a != 0`, or a choice, `a != 0 ? a ** b : 0`",
            ),
            _ => ("division by zero", "guard it with a condition, `| b != 0`, or a choice, `b != 0 ? a / b : 0`"),
        };
        Fault {
            code: Code::DivisionByZero,
            message: format!("{what}: `{{0}} {} {{1}}` has no value", op.symbol()),
            label: "in this formula",
            help,
        }
    }

    /// An attribute that divides by an extent that is 0.
    pub fn undefined_attribute(name: &str) -> Fault {
        Fault {
            code: Code::UndefinedAttribute,
            message: format!("attribute `{name}` has no value for the extents of this run"),
            label: "an index beyond its pack, a division by zero, or a number beyond 64 bits",
            help: "",
        }
    }

    /// An extent of a result that divides by one that is 0; the values are those of the sides.
    pub fn division() -> Fault {
        let message = "division by zero: `{0} / {1}`".to_owned();
        Fault { code: Code::DivisionByZero, message, label: "", help: "" }
    }

    /// A condition on extents that divides by one that is 0.
    pub fn undefined_condition(condition: &str) -> Fault {
        let message = format!("`{condition}` has no value for these extents: division by zero or overflow");
        Fault { code: Code::DivisionByZero, message, label: "", help: "" }
    }

    /// A loop that is to run more often than the packs that it goes through have items; the value is the count.
    pub fn loop_count(items: usize) -> Fault {
        let message = format!("the iteration count is {{0}}, but the packs that are scanned have {items} items");
        Fault { code: Code::LoopCount, message, label: "", help: "" }
    }

    /// The same where only the run knows how many items the packs have: that is the second value.
    pub fn open_loop_count() -> Fault {
        let message = "the iteration count is {0}, but the packs that are scanned have {1} items".to_owned();
        Fault { code: Code::LoopCount, message, label: "", help: "" }
    }

    /// A loop that collects more items than are declared.
    pub fn pack_overflow(most: i64) -> Fault {
        let message = format!("the loop goes beyond the {most} items that its results can have");
        Fault { code: Code::LoopCount, message, label: "", help: "" }
    }

    /// A loop that is to run less than no time; the value is the count.
    pub fn negative_count() -> Fault {
        let message = "the iteration count is {0}; it must not be negative".to_owned();
        Fault { code: Code::LoopCount, message, label: "", help: "" }
    }

    /// A region that lies in a batch item which is not there; the values are the numbers of both. Where only a run knows how
    /// many items there are, it is the next value.
    pub fn batch_item_missing(operator: &str, batch: Option<i64>) -> Fault {
        let batch = batch.map_or_else(|| "{2}".to_owned(), |batch| batch.to_string());
        Fault {
            code: Code::InvalidOperand,
            message: format!("`{operator}`: region {{0}} lies in batch item {{1}}, but there are {batch}"),
            label: "invoked here",
            help: "",
        }
    }

    /// The message of a run with these values.
    pub fn diagnostic(&self, span: Span, values: &[i64]) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.code, span, filled(&self.message, values)).with_label(self.label);
        if self.help.is_empty() { diagnostic } else { diagnostic.with_help(self.help) }
    }
}

/// The names in an operator's definition of the tensors that its operands, or its results, consist of.
pub fn tensor_names<'p, T>(params: impl IntoIterator<Item = &'p Param>, arguments: &[Argument<T>]) -> Vec<String> {
    let names = params.into_iter().zip(arguments).flat_map(|(param, argument)| {
        let name = &param.name.text;
        let item = move |number: usize| match argument {
            Argument::Pack(_) => format!("{name}[{number}]"),
            _ => name.to_string(),
        };
        (0..argument.items().len()).map(item)
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_guards_what_makes_it_undefined() {
        assert!(Fault::undefined(BinaryOp::Pow).help.contains("`a != 0 ? a ** b : 0`"));
        for op in [BinaryOp::Div, BinaryOp::CeilDiv, BinaryOp::Mod] {
            assert!(Fault::undefined(op).help.contains("`b != 0 ? a / b : 0`"));
        }
    }
}
