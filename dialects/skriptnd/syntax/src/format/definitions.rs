//! Modules, definitions and their blocks.

use super::printer::Printer;
use crate::ast::{Module, Name, Operator, OperatorKind, QualifiedName};

impl Printer<'_> {
    pub(super) fn module(&mut self, module: &Module) {
        // Imports may stand between definitions.
        let mut imports = module.imports.iter().peekable();
        let mut operators = module.operators.iter().peekable();
        let mut previous = Previous::Nothing;
        loop {
            let import = imports.next_if(|import| operators.peek().is_none_or(|o| import.span.start < o.span.start));
            if let Some(import) = import {
                self.import(import, previous);
                previous = Previous::Import;
                continue;
            }
            let Some(operator) = operators.next() else { break };
            if previous != Previous::Nothing {
                self.end_definition();
            }
            self.operator(operator);
            previous = Previous::Definition;
        }
        self.lost |= !self.at_end();
    }

    /// One imported module; several may share an `import`, and the semicolon may be missing.
    fn import(&mut self, import: &QualifiedName, previous: Previous) {
        match previous {
            Previous::Definition => self.end_definition(),
            Previous::Import => self.end_line(0, false),
            Previous::Nothing => {}
        }
        if self.comes_next("import") && self.at_word("import") {
            self.skip("import");
        }
        self.print("import");
        self.space();
        self.qualified(import);
        for end in [";", ","] {
            if self.comes_next(end) {
                self.skip(end);
                break;
            }
        }
        self.print(";");
    }

    fn operator(&mut self, operator: &Operator) {
        if operator.public {
            self.name("public");
            self.space();
        }
        self.name(match operator.kind {
            OperatorKind::Operator => "operator",
            OperatorKind::Graph => "graph",
        });
        self.space();
        self.name(&operator.name.text);
        self.space();
        self.word("{");
        if operator.blocks.is_empty() && self.at_once("}") {
            return self.word("}");
        }
        self.open_lines();
        let mut statements = Statements::of(operator);
        for block in &operator.blocks {
            self.end_line(0, false);
            self.operator_block(block, &mut statements);
        }
        self.close_lines();
        self.word("}");
    }

    fn operator_block(&mut self, block: &Name, statements: &mut Statements<'_>) {
        self.word("@");
        self.name(&block.text);
        self.space();
        self.word("{");
        if self.at_once("}") {
            return self.word("}");
        }
        self.open_lines();
        while !self.lost && !self.peek().starts_with('}') {
            self.end_line(0, false);
            self.lost |= statements.print(self, &block.text).is_none();
            self.word(";");
        }
        self.close_lines();
        self.word("}");
    }
}

/// What stands before in the module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Previous {
    Nothing,
    Import,
    Definition,
}

/// The statements of an operator that have not been printed yet. A block may be written several times, so the tree
/// doesn't say which statement stands in which of them; the text does.
struct Statements<'t> {
    operator: &'t Operator,
    printed: [usize; 12],
}

impl<'t> Statements<'t> {
    fn of(operator: &'t Operator) -> Self {
        Statements { operator, printed: [0; 12] }
    }

    /// Prints the next statement of this block.
    fn print(&mut self, printer: &mut Printer<'_>, block: &str) -> Option<()> {
        let operator = self.operator;
        let mut next = |number: usize| {
            self.printed[number] += 1;
            self.printed[number] - 1
        };
        match block {
            "dtype" => printer.dtype(operator.dtypes.get(next(0))?),
            "attrib" => printer.param(operator.attributes.get(next(1))?),
            "input" => printer.param(operator.inputs.get(next(2))?),
            "output" => printer.param(operator.outputs.get(next(3))?),
            "constant" => printer.param(operator.constants.get(next(4))?),
            "variable" => printer.param(operator.variables.get(next(5))?),
            "using" => printer.using(operator.usings.get(next(6))?),
            "assert" => printer.assertion(operator.asserts.get(next(7))?),
            "lower" => printer.lowering(operator.lowerings.get(next(8))?),
            "compose" => printer.component(operator.components.as_ref()?.get(next(9))?),
            "update" => printer.component(operator.updates.get(next(10))?),
            _ => printer.quantization(operator.quantizations.get(next(11))?),
        }
        Some(())
    }
}
