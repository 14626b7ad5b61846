//! Functions of the model, whose bodies stand in the place of the nodes that call them.

use super::{DEEPEST, Translator, domain};
use crate::node::name_of;
use crate::proto::{AttributeProto, FunctionProto, NodeProto};
use crate::value::Value;
use std::collections::HashMap;

/// Calls of functions, in each other as well: a few functions that call each other twice are millions.
const MOST_CALLED: usize = 1 << 14;

impl<'m> Translator<'m> {
    pub(super) fn function(&self, proto: &NodeProto) -> Option<&'m FunctionProto> {
        self.file.model.functions.iter().find(|function| {
            function.name == proto.op_type
                && domain(&function.domain) == domain(&proto.domain)
                && function.overload == proto.overload
        })
    }

    /// Translates the body of a function in place of a node that calls it.
    pub(super) fn call_function(
        &mut self,
        function: &'m FunctionProto,
        proto: &'m NodeProto,
        inputs: Vec<Option<Value>>,
        mut attributes: HashMap<&'m str, &'m AttributeProto>,
    ) -> Result<(), String> {
        if self.depth >= DEEPEST {
            return Err(format!("functions call each other more than {DEEPEST} deep"));
        }
        self.called += 1;
        if self.called > MOST_CALLED {
            return Err(format!("functions are called more than {MOST_CALLED} times"));
        }
        for default in &function.attribute_proto {
            attributes.entry(&default.name).or_insert(default);
        }
        let mut scope = HashMap::new();
        let given = inputs.into_iter().chain(std::iter::repeat(None));
        for (name, value) in function.input.iter().zip(given) {
            scope.insert(name.as_str(), value.unwrap_or(Value::Nothing));
        }
        // A function sees none of the names around it.
        let around = std::mem::replace(&mut self.scopes, vec![scope]);
        let imports = function.opset_import.iter();
        self.versions.push(imports.map(|set| (domain(&set.domain), set.version)).collect());
        self.depth += 1;
        self.scope = Some(self.scope.clone().unwrap_or_default().with(&name_of(proto), &function.name));
        self.nodes(&function.node, &attributes);
        self.depth -= 1;
        self.versions.pop();
        let results: Vec<Option<Value>> = function.output.iter().map(|name| self.lookup(name).cloned()).collect();
        self.scopes = around;
        for (name, value) in proto.output.iter().zip(results) {
            if let (false, Some(value)) = (name.is_empty(), value) {
                self.define(name, value);
            }
        }
        Ok(())
    }
}
