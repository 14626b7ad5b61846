//! What the invocation that is being typed takes.

use super::context::Context;
use crate::snapshot::Snapshot;
use skriptnd_source::FileId;
use skriptnd_syntax::ast::Param;

/// The operands or attributes of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// All of it on one line.
    pub label: String,
    /// The parts of the label that are its parameters, in bytes.
    pub parameters: Vec<(u32, u32)>,
    /// What is known of each parameter.
    pub documentation: Vec<String>,
    /// Which parameter is being typed.
    pub active: Option<u32>,
    /// Documentation of the operator.
    pub about: String,
}

impl Snapshot {
    /// What the invocation around this byte takes.
    pub fn signature(&self, file: FileId, offset: u32) -> Option<Signature> {
        let context = Context::at(self.text(file), offset as usize);
        if context.silent {
            return None;
        }
        // Brackets of lists and expressions within the invocation don't matter.
        for bracket in context.brackets.iter().rev().filter(|bracket| bracket.kind != b'[') {
            let Some((path, operator)) = self.callee(file, context.callee(bracket.at)) else { continue };
            let attributes = bracket.kind == b'{';
            let params = if attributes { &operator.attributes } else { &operator.inputs };
            let (open, close) = if attributes { ("{", "}") } else { ("(", ")") };
            let name = context.item(bracket).split('=').next().unwrap_or_default().trim();
            let active = match attributes {
                true => params.iter().position(|param| *param.name.text == *name),
                false => Some(bracket.commas),
            };
            let mut signature = self.list(&format!("{path}{open}"), params, close);
            signature.active = active.and_then(|at| u32::try_from(at).ok());
            signature.about = operator.documentation.clone();
            return Some(signature);
        }
        None
    }

    fn list(&self, before: &str, params: &[Param], after: &str) -> Signature {
        let mut label = before.to_owned();
        let mut parameters = Vec::new();
        for (at, param) in params.iter().enumerate() {
            if at > 0 {
                label.push_str(", ");
            }
            let start = label.len() as u32;
            label.push_str(&self.parameter(param));
            parameters.push((start, label.len() as u32));
        }
        label.push_str(after);
        let documentation = params.iter().map(|param| param.documentation.clone()).collect();
        Signature { label, parameters, documentation, active: None, about: String::new() }
    }
}
