//! What a package registers of its ops, as attributes of them: the functions that compute each, what they cost and use, and how its tensors lie for
//! them.

use crate::dialect::{encoding, operation_name};
use crate::generated::dialect_attributes::{FormatAttr, VariantAttr};
use crate::generated::discardable::{TakenAttribute, VariantsAttribute};
use crate::generated::operations::{ConstOp, ShapeOp};
use crate::generated::{Layout, Place};
use crate::grammar::model::{DType, qualified};
use crate::grammar::vocabulary::DEFAULT_PACKAGE;
use crate::grammar::{MOST_COSTS, OpRegistration, RuleFile, TensorProperties};
use crate::layout::TensorClass;
use skriptnd_mlir::Failure;
use skriptnd_mlir::diagnostics::Severity;
use skriptnd_mlir::ir::{Attribute, OperationRef, Value, attributes, emit, walk};
use std::collections::{HashMap, HashSet};

/// How a tensor lies, and in which memory, as far as that is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Format {
    /// How it lies.
    pub layout: Layout,
    /// In which memory.
    pub place: Place,
}

impl Format {
    /// Of which nothing is told.
    const ANY: Format = Format { layout: Layout::Any, place: Place::Any };

    /// With what another tells where this one tells nothing.
    pub fn or(self, other: Format) -> Format {
        let layout = if self.layout == Layout::Any { other.layout } else { self.layout };
        let place = if self.place == Place::Any { other.place } else { self.place };
        Format { layout, place }
    }

    /// What both tell; none where they contradict each other.
    fn and(self, other: Format) -> Option<Format> {
        let both = self.or(other);
        (both == other.or(self)).then_some(both)
    }
}

/// A function that computes an op.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The function; empty where none is registered.
    pub function: String,
    /// The word for its costs.
    pub cost: String,
    /// What it uses.
    pub flags: Vec<String>,
    /// The formats of the result and of each operand.
    pub tensors: Vec<Format>,
}

/// What is registered of one op.
#[derive(Default)]
struct Registered<'f> {
    functions: Vec<&'f OpRegistration>,
    properties: Vec<&'f TensorProperties>,
}

/// Notes at each op what a file registers of it. Warns where an op has another number of operands than is told, and once of each op whose
/// tensors no function takes.
pub fn note(container: OperationRef<'_, '_>, file: &RuleFile, package: Option<&str>) -> Result<(), Failure> {
    let own = |name: &str, declared: &Option<String>| {
        operation_name(&qualified(name, package.or(declared.as_deref()).unwrap_or(DEFAULT_PACKAGE)))
    };
    let mut ops: HashMap<String, Registered<'_>> = HashMap::new();
    for op in &file.ops {
        ops.entry(own(&op.op, &op.package)).or_default().functions.push(op);
    }
    for properties in &file.properties {
        ops.entry(own(&properties.op, &properties.package)).or_default().properties.push(properties);
    }
    if ops.is_empty() {
        return Ok(());
    }
    let mut unfit = HashSet::new();
    for node in walk(container) {
        let Some(registered) = ops.get(node.full_name()) else { continue };
        if !note_variants(node, registered)? && unfit.insert(node.full_name()) {
            let name = node.full_name();
            let message =
                format!("no function that is registered for '{name}' takes tensors of its types and properties");
            emit(node.location(), Severity::Warning, &message);
        }
    }
    Ok(())
}

/// Notes the variants of an op; false where it has none.
fn note_variants(node: OperationRef<'_, '_>, registered: &Registered<'_>) -> Result<bool, Failure> {
    let tensors = tensors(node);
    let told = properties(node, &registered.properties, tensors.len());
    let mut variants: Vec<Variant> = told.iter().map(|formats| of_properties(formats)).collect();
    if !registered.functions.is_empty() {
        let functions = registered.functions.iter();
        variants = functions.flat_map(|function| of_function(function, &tensors, &told)).collect();
    }
    if variants.is_empty() {
        return Ok(false);
    }
    let variants = variants.iter().map(|variant| variant.attribute(node)).collect::<Result<Vec<_>, _>>()?;
    VariantsAttribute::set(node, &variants)?;
    Ok(true)
}

/// The types of the elements of the result and of each operand; none for parameters, which lie nowhere.
fn tensors(node: OperationRef<'_, '_>) -> Vec<Option<DType>> {
    let dtype = |value: Value<'_, '_>| encoding::output_def(value.r#type()).map(|def| def.encoding.dtype());
    let result = node.result(0).ok().and_then(dtype);
    let operands = node.operands().map(|operand| if is_parameter(operand) { None } else { dtype(operand) });
    std::iter::once(result).chain(operands).collect()
}

/// Whether a value is a shape or a constant, which functions are given beside tensors.
pub fn is_parameter(value: Value<'_, '_>) -> bool {
    value.defining_operation().is_some_and(|op| ShapeOp::new(op).is_some() || ConstOp::new(op).is_some())
}

/// The formats of the result and of each operand, in each way that properties tell them; without properties nothing is told of them.
fn properties(node: OperationRef<'_, '_>, all: &[&TensorProperties], count: usize) -> Vec<Vec<Format>> {
    let fitting = all.iter().filter(|properties| properties.operands.len() + 1 == count);
    let told: Vec<Vec<Format>> = fitting.map(|properties| formats(properties)).collect();
    if told.is_empty() && !all.is_empty() {
        let told: Vec<String> = all.iter().map(|of| of.operands.len().to_string()).collect();
        let (name, count, told) = (node.full_name(), count - 1, told.join(" or "));
        let message =
            format!("'{name}' has another number of operands ({count}) than in its tensor properties ({told})");
        emit(node.location(), Severity::Warning, &message);
    }
    if told.is_empty() { vec![vec![Format::ANY; count]] } else { told }
}

/// What is told of the result, and of each operand; `...` stands for those of which no other place, or layout, is told.
fn formats(properties: &TensorProperties) -> Vec<Format> {
    let of = |name: &str| {
        let kinds = properties.layouts.iter().filter(|(_, tensors)| tensors.iter().any(|tensor| tensor == name));
        kinds.fold(Format::ANY, |known, (kind, _)| known.or(format(kind)))
    };
    let names = std::iter::once("*").chain(properties.operands.iter().map(String::as_str));
    names.map(|name| of(name).or(of("..."))).collect()
}

/// What a word of tensor properties tells.
fn format(kind: &str) -> Format {
    match kind {
        "Flat" => Format { layout: Layout::Flat, ..Format::ANY },
        "Crouton" => Format { layout: Layout::Crouton, ..Format::ANY },
        "MainMemory" => Format { place: Place::Main, ..Format::ANY },
        "Tcm" => Format { place: Place::Tcm, ..Format::ANY },
        _ => Format::ANY,
    }
}

fn of_properties(formats: &[Format]) -> Variant {
    Variant { function: String::new(), cost: MOST_COSTS.to_owned(), flags: Vec::new(), tensors: formats.to_vec() }
}

/// The ways in which a function computes an op whose tensors have these elements.
fn of_function(function: &OpRegistration, tensors: &[Option<DType>], told: &[Vec<Format>]) -> Vec<Variant> {
    let classes = classes(&function.function);
    let formats = tensors.iter().enumerate().map(|(place, dtype)| match (dtype, class(&classes, place)) {
        (Some(dtype), Some(class)) => {
            let fits = class.dtype.is_none_or(|of| of == *dtype);
            fits.then_some(Format { layout: class.layout, place: class.place })
        }
        _ => Some(Format::ANY),
    });
    let Some(formats) = formats.collect::<Option<Vec<_>>>() else { return Vec::new() };
    let with = |told: &Vec<Format>| told.iter().zip(&formats).map(|(told, own)| told.and(*own)).collect::<Option<_>>();
    let variant = |tensors| Variant {
        function: function.function.clone(),
        cost: function.cost().to_owned(),
        flags: function.flags.clone(),
        tensors,
    };
    told.iter().filter_map(with).map(variant).collect()
}

/// The classes of tensors that a function's template has.
fn classes(function: &str) -> Vec<TensorClass> {
    let Some((_, arguments)) = function.split_once('<') else { return Vec::new() };
    arguments.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter_map(TensorClass::of).collect()
}

/// The class of the tensor at a place: functions take their results first. The last one is that of all others.
fn class(classes: &[TensorClass], place: usize) -> Option<TensorClass> {
    classes.get(place).or(classes.last()).copied()
}

impl Variant {
    fn attribute<'c>(&self, node: OperationRef<'c, '_>) -> Result<Attribute<'c>, Failure> {
        let context = node.context();
        let format = |format: &Format| Ok(FormatAttr::get(context, format.layout, format.place)?.attribute());
        let tensors = self.tensors.iter().map(format).collect::<Result<Vec<_>, Failure>>()?;
        let flags = self.flags.iter().map(|flag| attributes::string(context, flag)).collect();
        // Attributes live as long as the context, as texts of it do.
        let [function, cost] = [&self.function, &self.cost].map(|text| attributes::string(context, text));
        let text = |attribute| attributes::as_string(attribute).unwrap_or_default();
        Ok(VariantAttr::get(context, text(function), text(cost), flags, tensors)?.attribute())
    }

    /// The variants of an op, in the order of their registrations.
    ///
    /// # Errors
    /// Where its attribute has others, or they tell of another number of operands.
    pub fn all(node: OperationRef<'_, '_>) -> Result<Vec<Variant>, Failure> {
        let variants = VariantsAttribute::get(node).unwrap_or_default().into_iter().map(Variant::of);
        let variants = variants.collect::<Result<Vec<_>, _>>()?;
        let expected = node.operand_count() + 1;
        match variants.iter().find(|variant| variant.tensors.len() != expected) {
            None => Ok(variants),
            Some(other) => Err(Failure::new(format!(
                "expected {expected} formats in `#htp.variant`, of the result and each operand, found {}",
                other.tensors.len()
            ))),
        }
    }

    /// The one that was taken of an op's, if one was.
    ///
    /// # Errors
    /// Where its attribute is another.
    pub fn taken(node: OperationRef<'_, '_>) -> Result<Option<Variant>, Failure> {
        TakenAttribute::get(node).map(Variant::of).transpose()
    }

    fn of(attribute: Attribute<'_>) -> Result<Variant, Failure> {
        let wrong = || Failure::new(format!("expected `#htp.variant`, found {attribute}"));
        let variant = VariantAttr::new(attribute).ok_or_else(wrong)?;
        let format = |tensor| {
            let of = FormatAttr::new(tensor).ok_or_else(wrong)?;
            Ok(Format { layout: of.layout()?, place: of.place()? })
        };
        let flags = variant.flags()?.into_iter().filter_map(attributes::as_string).map(str::to_owned).collect();
        Ok(Variant {
            function: variant.function()?.to_owned(),
            cost: variant.cost()?.to_owned(),
            flags,
            tensors: variant.tensors()?.into_iter().map(format).collect::<Result<_, Failure>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::commands::{RuleSet, Settings};
    use crate::{dialect, passes};
    use skriptnd_mlir::Registry;
    use skriptnd_mlir::ir::{capture, parse_module};

    const RULES: &str = "BEGIN_PKG_OP_DEFINITION(Own)\n\
        DEF_PACKAGE_OP(slow<Tensor>, \"A\")\n\
        DEF_PACKAGE_OP_AND_COST_AND_FLAGS(fast<PlainFloatTensor_TCM>, \"A\", \"FAST\", Flags::RESOURCE_HVX, IS_CONST)\n\
        DEF_PACKAGE_OP(bytes<QUint8CroutonTensor>, \"A\")\n\
        DEF_TENSOR_PROPERTIES(Op(\"A\", \"x\"), Flat(\"*\", \"x\"), Tcm(\"x\"))\n\
        DEF_TENSOR_PROPERTIES(Op(\"A\", \"x\", \"y\"), Flat(\"*\", \"x\"), Tcm(\"x\"), MainMemory(\"...\"))\n\
        DEF_PACKAGE_OP(halves<F16CroutonTensor>, \"C\")\n\
        DEF_TENSOR_PROPERTIES(Op(\"C\", \"x\", \"y\"), Flat(\"*\"))\n\
        DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"B\", \"x\"), OK, Op(\"A\", \"x\", \"x\"))\n";

    fn noted(op: &str) -> (String, String) {
        let settings = Settings::default();
        let set = RuleSet::parse("test.htp", RULES, &settings);
        assert!(set.found.is_empty(), "{}", set.messages());
        let mut registry = Registry::new();
        registry.add_dialect(dialect::dialect()).unwrap();
        let context = registry.context();
        let text =
            format!("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {{\n{op}\nreturn %0 : tensor<4xf32>\n}}\n");
        let mut module = parse_module(&context, &text, "graph.mlir").unwrap();
        let (applied, warnings) =
            capture(&context, || passes::apply(&mut module.root(), &set, &settings, passes::Told::default()));
        applied.unwrap();
        (module.as_operation().to_string(), format!("{warnings:?}"))
    }

    #[test]
    fn ops_show_what_is_registered_of_them() {
        let (text, warnings) = noted("%0 = htp.Own.A(%x) : (tensor<4xf32>) -> tensor<4xf32>");
        for expected in [
            "#htp.variant<\"slow<Tensor>\", \"GLACIAL\", [<flat in any>, <flat in tcm>]>",
            "#htp.variant<\"fast<PlainFloatTensor_TCM>\", \"FAST\" uses[\"RESOURCE_HVX\", \"IS_CONST\"], \
             [<flat in tcm>, <flat in tcm>]>",
        ] {
            assert!(text.contains(expected), "{text}");
        }
        assert!(!text.contains("bytes") && warnings == "[]", "{text} {warnings}");
    }

    #[test]
    fn what_properties_contradict_is_no_variant() {
        // One of its operands is in main memory.
        let (text, _) = noted("%0 = htp.Own.B(%x) : (tensor<4xf32>) -> tensor<4xf32>");
        assert!(text.contains("slow<Tensor>") && !text.contains("fast<"), "{text}");
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let (_, warnings) = noted("%0 = htp.Own.C(%x) : (tensor<4xf32>) -> tensor<4xf32>");
        assert!(warnings.contains("'htp.Own.C' has another number of operands (1) than in its tensor properties (2)"));
        assert!(
            warnings.contains("no function that is registered for 'htp.Own.C' takes tensors of its types"),
            "{warnings}"
        );
    }
}
