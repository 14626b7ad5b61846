//! Variables, and what they become.

use super::{Digits, Graph, Tensor, Type, nested};

impl Graph {
    /// A variable with values; a graph has it in place of an input.
    pub(super) fn variable(&mut self, ty: Type, shape: Vec<usize>, values: &[String]) {
        let name = format!("v{}", self.tensors.len());
        self.direct(&format!("#: variable {name} = {ty}{shape:?} {}", nested(&shape, values)));
        let tensor = Tensor { name, ty, shape, digits: Some(Digits { whole: 2, fraction: 1 }) };
        self.variables.push(tensor.clone());
        self.tensors.push(tensor);
    }

    /// The blocks that declare variables and give each a new value, if there is a later tensor like it.
    pub(super) fn state(&self) -> (String, String) {
        if self.variables.is_empty() {
            return Default::default();
        }
        let declare = |v: &Tensor| format!("        {}: {}{:?};\n", v.name, v.ty, v.shape);
        let declared: String = self.variables.iter().map(declare).collect();
        let updates: String = self.variables.iter().filter_map(|variable| self.update(variable)).collect();
        let updates = if updates.is_empty() { updates } else { format!("    @update {{\n{updates}    }}\n") };
        (format!("@variable {{\n{declared}    }}\n    "), updates)
    }

    fn update(&self, variable: &Tensor) -> Option<String> {
        let fits =
            |t: &&Tensor| t.name != variable.name && t.ty == variable.ty && t.shape == variable.shape && t.is_exact();
        let other = self.tensors.iter().rfind(fits)?;
        let operator = if variable.ty == Type::Bool { "xor" } else { "sub" };
        Some(format!("        {} = math.{operator}({}, {});\n", variable.name, other.name, variable.name))
    }
}
