//! What a composition requires of extents that only a run knows (section 3.1), as operations.

use super::symbols::Symbols;
use crate::generated::operations::AssertOpBuilder;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::graph::RuntimeAssert;
use skriptnd_language::compose::value::{Symbolic, Value};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, attributes};

/// A message that only a run completes.
#[derive(Default)]
struct Template {
    text: String,
    values: Vec<SymExpr>,
}

/// Adds a requirement at the builder's place.
pub(super) fn import<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    required: &RuntimeAssert,
    symbols: &Symbols,
) -> Result<(), Failure> {
    let mut message = Template::default();
    message.add(&symbols.of_value(&required.violation.message)?)?;
    for (label, value) in &required.violation.values {
        message.text.push_str(&format!("\n{label} = "));
        message.add(&symbols.of_value(value)?)?;
    }
    let context = builder.context();
    let values: Vec<_> = message.values.iter().map(|value| attributes::string(context, &value.to_string())).collect();
    AssertOpBuilder::new(builder)
        .condition(&symbols.of(&required.condition)?.to_string())
        .message(&message.text)
        .values(&values)
        .code(required.violation.code.name())
        .help(required.violation.help)
        .build()
        .map(drop)
}

impl Template {
    fn add(&mut self, value: &Value) -> Result<(), Failure> {
        match value {
            Value::Symbolic(Symbolic::Str(parts)) => parts.iter().try_for_each(|part| self.add(part)),
            Value::Symbolic(Symbolic::Int(expr)) => {
                let known = self.values.iter().position(|known| known == expr);
                let number = known.unwrap_or(self.values.len());
                if known.is_none() {
                    self.values.push(expr.clone());
                }
                self.text.push_str(&format!("{{{number}}}"));
                Ok(())
            }
            Value::Pack(items) if items.iter().any(is_symbolic) => {
                self.text.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        self.text.push_str(", ");
                    }
                    self.add(item)?;
                }
                self.text.push(']');
                Ok(())
            }
            Value::Str(text) => {
                self.text.push_str(text);
                Ok(())
            }
            known => {
                self.text.push_str(&known.to_string());
                Ok(())
            }
        }
    }
}

fn is_symbolic(value: &Value) -> bool {
    let mut symbolic = false;
    value.symbols(&mut |_| symbolic = true);
    symbolic
}
