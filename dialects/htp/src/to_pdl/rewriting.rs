//! The replacement of a rule in PDL: ops whose names, operands and types follow from the text; all else is built by one
//! native function from its text.

use super::names::native;
use super::pattern::{ATTRIBUTE, OPERATION, Pattern, Typed, VALUE, op_word, operand_list, type_list};
use crate::apply::plan::{CONST_OP, OUT_OP, SHAPE_OP};
use crate::dialect;
use crate::grammar::model::*;
use crate::grammar::write::Writer;
use std::collections::HashMap;
use std::fmt::Write;

/// Elements of a constant that a pattern shows.
const MAX_SHOWN: i64 = 64;

/// The modifiers around a part, and the type that they give its ops if the match has it.
#[derive(Clone)]
struct Around<'r> {
    modifiers: Vec<&'r Modifier>,
    ty: Option<String>,
    /// Whether all that is changed is the output definition.
    only_output: bool,
}

/// What a part has become.
struct Made<'r> {
    value: String,
    /// Its type, if PDL has it.
    ty: Option<String>,
    /// The op that gives it, if it is a new one.
    op: Option<&'r OpName>,
    /// The operation all of whose outputs take the place of the root's.
    outputs: Option<String>,
}

pub struct Rewriting<'p, 'r> {
    pattern: &'p mut Pattern<'r>,
    body: String,
    /// The new ops that get the root's id and split history.
    heirs: Vec<String>,
    /// What is made once, by what makes it.
    shared: HashMap<String, String>,
    /// Tags whose output definition a new op gets.
    outputs: Vec<&'r str>,
    /// Whether the replacement may be undefined, or not fit.
    open: bool,
}

impl<'p, 'r> Rewriting<'p, 'r> {
    /// The body of the rewrite; what must hold for it becomes constraints of the pattern.
    pub fn write(pattern: &'p mut Pattern<'r>) -> String {
        let rule = pattern.rule;
        let (root, root_type) = pattern.root.clone();
        let (heirs, outputs, shared) = (Vec::new(), Vec::new(), HashMap::new());
        let mut rewriting = Rewriting { pattern, body: String::new(), heirs, shared, outputs, open: false };
        let around = Around { modifiers: Vec::new(), ty: Some(root_type.clone()), only_output: true };
        let made = rewriting.whole(&rule.replacement, &around);
        rewriting.requirements(&rule.replacement, &made, &root_type);
        let mut operands = vec![("%rule".to_owned(), ATTRIBUTE), (root.clone(), OPERATION)];
        operands.push((made.value.clone(), VALUE));
        operands.extend(rewriting.heirs.iter().map(|op| (op.clone(), OPERATION)));
        rewriting.line(&format!("apply_native_rewrite {:?}{}", native::REPLACED, operand_list(&operands)));
        match &made.outputs {
            Some(op) => rewriting.line(&format!("replace {root} with {op}")),
            None => rewriting.line(&format!("replace {root} with ({} : {VALUE})", made.value)),
        }
        rewriting.body
    }

    /// What the match must fulfil so that the replacement is defined and is what the root was.
    fn requirements(&mut self, replacement: &Replacement, made: &Made<'r>, root_type: &str) {
        if matches!(replacement.kind, ReplacementKind::Existing(_)) && !self.open {
            let root = self.pattern.root.0.clone();
            let operands = [made.value.clone(), self.pattern.result(&root)].map(|value| (value, VALUE));
            self.pattern.constraint(native::OUTPUT, &operands);
        } else if self.open || made.ty.as_deref() != Some(root_type) {
            let text = self.writer().replacement(replacement);
            self.pattern.text_constraint(native::DEFINED, &text);
        } else {
            for tag in std::mem::take(&mut self.outputs) {
                let value = self.pattern.tag(tag);
                self.pattern.constraint(native::TENSOR, &[(value, VALUE)]);
            }
        }
    }

    fn writer(&self) -> Writer<'r> {
        Writer { package: &self.pattern.rule.package, renamed: &[] }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "    {text}");
    }

    fn assign(&mut self, wanted: &str, text: &str) -> String {
        let value = self.pattern.names.fresh(wanted);
        self.line(&format!("{value} = {text}"));
        value
    }

    /// All of a replacement; `WITH_MULTI_OUT` says how many outputs of the root it replaces.
    fn whole(&mut self, part: &'r Replacement, around: &Around<'r>) -> Made<'r> {
        let types = self.pattern.outputs.clone();
        match &part.kind {
            ReplacementKind::Modified(Modifier::MultiOut(_), body) if types.len() > 1 => match &body.kind {
                ReplacementKind::Op(name, operands) => {
                    let inner = self.operands(operands, around);
                    let made = self.op(name, &inner, &types);
                    Made { outputs: self.heirs.last().cloned(), ..made }
                }
                _ => self.part(part, around),
            },
            _ => self.part(part, around),
        }
    }

    fn operands(&mut self, operands: &'r [Replacement], around: &Around<'r>) -> Vec<Typed> {
        operands.iter().map(|operand| (self.part(operand, around).value, VALUE)).collect()
    }

    fn part(&mut self, part: &'r Replacement, around: &Around<'r>) -> Made<'r> {
        match &part.kind {
            ReplacementKind::Existing(OperandRef { kind: OperandRefKind::Tag(tag), .. }) => {
                let (value, ty) = (self.pattern.tag(tag), self.pattern.tag_type(tag));
                Made { value, ty, op: None, outputs: None }
            }
            ReplacementKind::Op(name, operands) if name.text != OUT_OP && around.only_output => {
                let inner = self.operands(operands, around);
                let ty = self.op_type(name, around);
                self.op(name, &inner, &[ty])
            }
            ReplacementKind::Wrap(name, inner, always) if around.only_output => {
                let made = self.part(inner, around);
                match (&made.op, &made.ty) {
                    (Some(wrapped), Some(ty)) if *always || self.differ(wrapped, name) => {
                        let ty = ty.clone();
                        self.op(name, &[(made.value, VALUE)], &[ty])
                    }
                    (Some(_), _) if !*always => made,
                    _ => self.built(part, around),
                }
            }
            ReplacementKind::Constant(constant) => {
                self.constant(part, constant).unwrap_or_else(|| self.built(part, around))
            }
            ReplacementKind::Modified(modifier, body) => {
                let changed = self.modified(modifier, around);
                self.part(body, &changed)
            }
            _ => self.built(part, around),
        }
    }

    fn differ(&self, a: &OpName, b: &OpName) -> bool {
        let package = &self.pattern.rule.package;
        a.qualified(package) != b.qualified(package)
    }

    fn modified(&mut self, modifier: &'r Modifier, around: &Around<'r>) -> Around<'r> {
        let mut changed = around.clone();
        changed.modifiers.push(modifier);
        changed.ty = match modifier {
            Modifier::SameOutput(OperandRef { kind: OperandRefKind::Root, .. }) => Some(self.pattern.root.1.clone()),
            Modifier::SameOutput(OperandRef { kind: OperandRefKind::Tag(tag), .. }) => {
                self.outputs.push(tag);
                self.pattern.tag_type(tag)
            }
            _ => None,
        };
        let is_output = match modifier {
            Modifier::SameId(_) | Modifier::MultiOut(_) | Modifier::SplitHistory(..) => false,
            Modifier::Size(_)
            | Modifier::Type(_)
            | Modifier::SameOutput(_)
            | Modifier::OutputType(..)
            | Modifier::ResizeDim(..) => true,
        };
        changed.only_output &= is_output;
        changed
    }

    /// A new op, whose first output counts.
    fn op(&mut self, name: &'r OpName, operands: &[Typed], types: &[String]) -> Made<'r> {
        let opcode = dialect::operation_name(&name.qualified(&self.pattern.rule.package));
        let word = op_word(&name.text);
        let (list, results) = (operand_list(operands), type_list(types));
        let op = self.assign(&word, &format!("operation {opcode:?}{list} -> {results}"));
        self.heirs.push(op.clone());
        let value = self.assign(&format!("{word}_result"), &format!("result 0 of {op}"));
        Made { value, ty: types.first().cloned(), op: Some(name), outputs: None }
    }

    /// The type of a new op.
    fn op_type(&mut self, name: &OpName, around: &Around<'r>) -> String {
        match &around.ty {
            Some(ty) => ty.clone(),
            None => {
                let op = format!("Op(\"{}\")", name.qualified(&self.pattern.rule.package));
                let text = self.within(around, op);
                self.text_rewrite(native::TYPE, &text, "type", "!pdl.type")
            }
        }
    }

    /// A text with modifiers around it.
    fn within(&self, around: &Around<'r>, text: String) -> String {
        let writer = self.writer();
        around.modifiers.iter().rev().fold(text, |text, modifier| writer.modified(modifier, text))
    }

    /// What a native function makes of a text about the root and the tags that it names: one thing for each text.
    fn text_rewrite(&mut self, native: &str, text: &str, wanted: &str, ty: &str) -> String {
        self.open = true;
        let key = format!("{native} {text}");
        if let Some(made) = self.shared.get(&key) {
            return made.clone();
        }
        let tags = self.pattern.tags_in(text);
        let mut operands = vec![(self.pattern.root.0.clone(), OPERATION)];
        for (name, attribute) in self.pattern.about_text(text, &tags) {
            operands.push((self.once(name, &format!("attribute = {attribute}")), ATTRIBUTE));
        }
        operands.extend(tags.iter().map(|tag| (self.pattern.tag(tag), VALUE)));
        let made = self.assign(wanted, &format!("apply_native_rewrite {native:?}{} : {ty}", operand_list(&operands)));
        self.shared.insert(key, made.clone());
        made
    }

    /// What PDL can't build, with the modifiers around it.
    fn built(&mut self, part: &'r Replacement, around: &Around<'r>) -> Made<'r> {
        let text = self.within(around, self.writer().replacement(part));
        Made { value: self.text_rewrite(native::BUILD, &text, "built", VALUE), ty: None, op: None, outputs: None }
    }

    /// A constant that the text tells.
    fn constant(&mut self, part: &Replacement, constant: &ConstantBuilder) -> Option<Made<'r>> {
        let (name, elements, ty) = match constant {
            ConstantBuilder::ShapeOf(_) => {
                let text = self.writer().replacement(part);
                (SHAPE_OP, String::new(), self.text_rewrite(native::TYPE, &text, "shape_type", "!pdl.type"))
            }
            ConstantBuilder::Shape(extents) => {
                let extents = extents.iter().map(whole).collect::<Option<Vec<_>>>()?;
                let dims: String = extents.iter().map(|extent| format!("{extent}x")).collect();
                let fits = extents.iter().all(|extent| *extent >= 0);
                let ty = fits.then(|| self.known_type("shape_type", &format!("tensor<{dims}i32>")))?;
                (SHAPE_OP, String::new(), ty)
            }
            _ => {
                let (elements, count, element) = shown(constant)?;
                let ty = self.known_type("array_type", &format!("tensor<1x1x1x{count}x{element}>"));
                let elements = self.once("elements", &format!("attribute = {elements}"));
                (CONST_OP, format!(" {{{:?} = {elements}}}", dialect::ELEMENTS), ty)
            }
        };
        let opcode = dialect::operation_name(name);
        let word = op_word(name);
        let op = self.once(&word, &format!("operation {opcode:?}{elements} -> ({ty} : !pdl.type)"));
        let value = self.once(&format!("{word}_result"), &format!("result 0 of {op}"));
        Some(Made { value, ty: Some(ty), op: None, outputs: None })
    }

    fn known_type(&mut self, wanted: &str, ty: &str) -> String {
        self.once(wanted, &format!("type : {ty}"))
    }

    fn once(&mut self, wanted: &str, text: &str) -> String {
        if let Some(made) = self.shared.get(text) {
            return made.clone();
        }
        let made = self.assign(wanted, text);
        self.shared.insert(text.to_owned(), made.clone());
        made
    }
}

/// A whole number that the text tells.
fn whole(expr: &Expr) -> Option<i64> {
    match expr.kind {
        ExprKind::Integer(value) => Some(value),
        _ => None,
    }
}

/// Elements, their number and type, of a constant that the text tells.
fn shown(constant: &ConstantBuilder) -> Option<(String, i64, &'static str)> {
    let int = |expr: &Expr| whole(expr).map(|value| i64::from(value as i32).to_string());
    let float = |expr: &Expr| match expr.kind {
        ExprKind::Float(value) => Some(double(f64::from(value))),
        ExprKind::Integer(value) if expr.ty == Type::Int => Some(double(f64::from(value as f32))),
        _ => None,
    };
    let count = |expr: &Expr| whole(expr).filter(|count| (1..=MAX_SHOWN).contains(count));
    let filled = |value: String, count: i64| vec![value; usize::try_from(count).unwrap_or_default()];
    let (values, element) = match constant {
        ConstantBuilder::ScalarFloat(value) => (vec![float(value)?], "f32"),
        ConstantBuilder::FilledFloat(value, times) => (filled(float(value)?, count(times)?), "f32"),
        ConstantBuilder::ScalarInt(value) => (vec![int(value)?], "i32"),
        ConstantBuilder::FilledInt(value, times) => (filled(int(value)?, count(times)?), "i32"),
        ConstantBuilder::Ints(values) => (values.iter().map(int).collect::<Option<_>>()?, "i32"),
        ConstantBuilder::Shape(_) | ConstantBuilder::ShapeOf(_) => return None,
    };
    let storage = if element == "f32" { "f64" } else { "i64" };
    Some((format!("array<{storage}: {}>", values.join(", ")), values.len() as i64, element))
}

/// A number as MLIR reads it in an array of `f64`.
fn double(value: f64) -> String {
    match value {
        value if !value.is_finite() => format!("0x{:016X}", value.to_bits()),
        value if format!("{value:?}").contains('e') => format!("{value:.17e}"),
        value => format!("{value:?}"),
    }
}
