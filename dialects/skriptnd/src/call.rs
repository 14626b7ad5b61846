//! Between operations `skriptnd.<module>.<operator>` and invocations of the language.

use crate::scalars::{dtype_of, scalar_type};
use indexmap::IndexMap;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::graph::{Argument, OperatorCall, TensorType};
use skriptnd_language::compose::value::{ScalarType, Symbolic, Value};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Context, OperationRef, Type, attributes, types};
use skriptnd_syntax::ast::{Operator, Param, TypeExpr, TypeName};
use std::sync::Arc;

/// What operations of the dialect begin with.
pub const PREFIX: &str = "skriptnd.";
/// The attribute with the number of operands of each declared input.
pub const OPERAND_SEGMENTS: &str = "operandSegmentSizes";
/// The attribute with the number of results of each declared output.
pub const RESULT_SEGMENTS: &str = "resultSegmentSizes";

/// What expressions of extents in attributes are.
const INT: &str = "int";
const BOOL: &str = "bool";
const REAL: &str = "real";
/// The entries of a pack that is long, or of which only a run knows the length.
const ITEM: &str = "item";
const LENGTH: &str = "length";

/// Uniform packs longer than this are written as an item and their length.
const WRITTEN_OUT: u64 = 1 << 10;

/// The operator's path in the language, such as `nn.conv`; none for the dialect's other operations.
pub fn operator_path(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX).filter(|path| path.contains('.'))
}

/// The invocation that an operation stands for. Absent attributes are left out.
pub fn read_call<'c>(name: &str, attributes: &[(impl AsRef<str>, Attribute<'c>)]) -> Result<OperatorCall, Failure> {
    let operator = operator_path(name).ok_or("does not name an operator")?;
    let mut call = OperatorCall { operator: Arc::from(operator), dtypes: IndexMap::new(), attributes: IndexMap::new() };
    for (name, attribute) in attributes {
        let name = name.as_ref();
        if matches!(name, OPERAND_SEGMENTS | RESULT_SEGMENTS) || name.contains('.') {
            continue;
        }
        if let Some(r#type) = attributes::as_type(*attribute) {
            let dtype = dtype_of(r#type).ok_or_else(|| format!("attribute '{name}' is no type of the language"))?;
            call.dtypes.insert(name.into(), dtype);
            continue;
        }
        let value = read_value(*attribute)
            .ok_or_else(|| format!("attribute '{name}' is no value of the language: {attribute}"))?;
        call.attributes.insert(name.into(), value);
    }
    Ok(call)
}

fn read_value(attribute: Attribute<'_>) -> Option<Value> {
    if let Some(symbolic) = read_symbolic(attribute) {
        return Some(symbolic);
    }
    // Booleans first: they are integers of one bit.
    let single = attributes::as_bool(attribute)
        .map(Value::Bool)
        .or_else(|| attribute.is_integer().then(|| attributes::as_integer(attribute)).flatten().map(Value::Int))
        .or_else(|| attributes::as_real(attribute).map(Value::Real))
        .or_else(|| attribute.is_string().then(|| Value::Str(attributes::as_string(attribute).unwrap_or("").into())));
    if single.is_some() {
        return single;
    }
    if let Some(items) = attributes::as_array(attribute) {
        return items.into_iter().map(read_value).collect::<Option<_>>().map(Value::Pack);
    }
    let integers = attributes::as_integers(attribute).map(|items| items.into_iter().map(Value::Int).collect());
    let pack: Option<Vec<Value>> =
        integers.or_else(|| attributes::as_reals(attribute).map(|items| items.into_iter().map(Value::Real).collect()));
    pack.or_else(|| attributes::as_booleans(attribute).map(|items| items.into_iter().map(Value::Bool).collect()))
        .map(Value::Pack)
}

/// The attribute of a value; none for null. `param` is its declaration, which tells the type of an empty pack. A failure
/// says what the attribute is or does.
pub fn write_value<'c>(
    context: &'c Context,
    value: &Value,
    param: Option<&Param>,
) -> Result<Option<Attribute<'c>>, Failure> {
    Ok(Some(match value {
        Value::Null => return Ok(None),
        Value::Int(value) => attributes::integer(context, *value),
        Value::Real(value) => attributes::real(context, *value),
        Value::Bool(value) => attributes::boolean(context, *value),
        Value::Str(value) => attributes::string(context, value),
        Value::Symbolic(symbolic) => return write_symbolic(context, symbolic).map(Some),
        Value::Repeat(item, count) if *count > WRITTEN_OUT => return write_repeated(context, item, count).map(Some),
        Value::Repeat(item, count) => {
            let items = vec![(**item).clone(); usize::try_from(*count).unwrap_or(0)];
            return write_value(context, &Value::Pack(items), param);
        }
        Value::Pack(items) => pack(context, items, param)?,
    }))
}

/// A pack as its length and what its item at the position `#` is.
fn write_repeated<'c>(context: &'c Context, item: &Value, length: &impl ToString) -> Result<Attribute<'c>, Failure> {
    let item = write_value(context, item, None)?.ok_or("has a null item")?;
    let entries = [(ITEM, item), (LENGTH, attributes::string(context, &length.to_string()))];
    Ok(attributes::dictionary(context, &entries))
}

/// What depends on extents: a dictionary whose only entry is an expression, under what its value is.
fn write_symbolic<'c>(context: &'c Context, value: &Symbolic) -> Result<Attribute<'c>, Failure> {
    let (key, text) = match value {
        Symbolic::Int(expr) => (INT, expr.to_string()),
        Symbolic::Bool(expr) => (BOOL, expr.to_string()),
        Symbolic::Real(expr) => (REAL, expr.to_string()),
        Symbolic::Pack { item, length } => return write_repeated(context, item, length),
        Symbolic::Str(_) => {
            return Err("depends on extents that are known only at run time".into());
        }
    };
    Ok(attributes::dictionary(context, &[(key, attributes::string(context, &text))]))
}

/// Whether an attribute is, or has in it, what depends on extents, or is a long pack: it stands in place of one of the declared
/// kind.
pub fn is_symbolic(attribute: Attribute<'_>) -> bool {
    match attributes::as_array(attribute) {
        Some(items) => items.into_iter().any(is_symbolic),
        None => read_symbolic(attribute).is_some(),
    }
}

fn read_symbolic(attribute: Attribute<'_>) -> Option<Value> {
    let entries = attributes::as_dictionary(attribute)?;
    if let [(ITEM, item), (LENGTH, length)] = entries.as_slice() {
        let (item, length) = (Box::new(read_value(*item)?), attributes::as_string(*length)?.parse().ok()?);
        return Some(match length {
            SymExpr::Const(known) => Value::Repeat(item, u64::try_from(known).ok()?),
            length => Value::Symbolic(Symbolic::Pack { item, length }),
        });
    }
    let [(key, text)] = entries.as_slice() else { return None };
    let text = attributes::as_string(*text)?;
    Some(Value::Symbolic(match *key {
        INT => Symbolic::Int(text.parse().ok()?),
        BOOL => Symbolic::Bool(text.parse().ok()?),
        REAL => Symbolic::Real(text.parse().ok()?),
        _ => return None,
    }))
}

fn pack<'c>(context: &'c Context, items: &[Value], param: Option<&Param>) -> Result<Attribute<'c>, Failure> {
    let declared = param.map(|param| &param.spec.base);
    let integers: Option<Vec<i64>> =
        items.iter().map(|item| if let Value::Int(value) = item { Some(*value) } else { None }).collect();
    let reals: Option<Vec<f64>> =
        items.iter().map(|item| if let Value::Real(value) = item { Some(*value) } else { None }).collect();
    match (integers, reals) {
        (Some(_), Some(_)) if matches!(declared, Some(TypeExpr::Concrete(TypeName::Real, _))) => {
            Ok(attributes::reals(context, &[]))
        }
        (Some(_), Some(_)) if matches!(declared, Some(TypeExpr::Concrete(TypeName::Str | TypeName::Bool, _))) => {
            Ok(attributes::array(context, &[]))
        }
        (Some(integers), _) => Ok(attributes::integers(context, &integers)),
        (None, Some(reals)) => Ok(attributes::reals(context, &reals)),
        (None, None) => {
            let items = items.iter().map(|item| write_value(context, item, None)).collect::<Result<Vec<_>, _>>()?;
            let items: Option<Vec<_>> = items.into_iter().collect();
            Ok(attributes::array(context, &items.ok_or("has a null item")?))
        }
    }
}

/// The attributes of an invocation: its values, its generic types, and how operands and results are grouped.
pub fn write_call<'c>(
    context: &'c Context,
    call: &OperatorCall,
    definition: Option<&Operator>,
    inputs: &[usize],
    outputs: &[usize],
) -> Result<Vec<(String, Attribute<'c>)>, Failure> {
    let mut written = Vec::new();
    for (name, value) in &call.attributes {
        let param = definition.and_then(|operator| operator.attributes.iter().find(|p| *p.name.text == **name));
        let attribute = write_value(context, value, param)
            .map_err(|failure| Failure::new(format!("has an attribute '{name}' that {failure}")))?;
        written.extend(attribute.map(|attribute| (name.clone(), attribute)));
    }
    for (name, dtype) in &call.dtypes {
        if !is_deducible(definition, name) {
            written.push((name.clone(), attributes::r#type(scalar_type(context, *dtype)?)));
        }
    }
    if has_segments(definition.map(|operator| operator.operands()), inputs) {
        written.push((OPERAND_SEGMENTS.into(), segments(context, inputs)));
    }
    if has_segments(definition.map(|operator| &operator.outputs), outputs) {
        written.push((RESULT_SEGMENTS.into(), segments(context, outputs)));
    }
    Ok(written)
}

fn segments<'c>(context: &'c Context, sizes: &[usize]) -> Attribute<'c> {
    let sizes: Vec<i32> = sizes.iter().map(|&size| i32::try_from(size).unwrap_or(i32::MAX)).collect();
    attributes::segment_sizes(context, &sizes)
}

/// Whether an operator groups its operands (or results): if a parameter is optional or a pack.
pub fn has_segments<'p>(params: Option<impl IntoIterator<Item = &'p Param>>, sizes: &[usize]) -> bool {
    match params {
        Some(params) => params.into_iter().any(|param| param.spec.optional || param.spec.pack.is_some()),
        None => sizes.iter().any(|&size| size != 1),
    }
}

/// Whether a generic type follows from the operands.
fn is_deducible(definition: Option<&Operator>, name: &str) -> bool {
    let names = |param: &Param| matches!(&param.spec.base, TypeExpr::Generic(generic) if *generic.text == *name);
    definition.is_some_and(|operator| operator.inputs.iter().any(|param| !param.spec.optional && names(param)))
}

/// The type of a tensor; none for types that are no tensors of the language. Extents that only a run knows have no value
/// where the type does not say what they are, and no bound: the graph around has those of symbols.
pub fn read_type(r#type: Type<'_>) -> Option<(ScalarType, Vec<Option<Extent>>)> {
    let shape = types::is_ranked_tensor(r#type).then(|| types::shape(r#type)).flatten()?;
    let noted = match attributes::encoding(r#type) {
        Some(encoding) => Some(attributes::as_array(encoding).filter(|noted| noted.len() == shape.len())?),
        None => None,
    };
    let extent = |(at, extent): (usize, Option<u64>)| match (extent, &noted) {
        (Some(known), _) => i64::try_from(known).ok().map(|known| Some(Extent::known(known))),
        (None, Some(noted)) => Some(Some(read_extent(attributes::as_string(noted[at])?)?)),
        (None, None) => Some(None),
    };
    let extents = shape.into_iter().enumerate().map(extent).collect::<Option<_>>()?;
    Some((dtype_of(types::element(r#type))?, extents))
}

/// The type of a tensor whose extents are all known, or named.
pub fn read_named_type(r#type: Type<'_>) -> Option<TensorType> {
    let (dtype, shape) = read_type(r#type)?;
    Some(TensorType { dtype, shape: shape.into_iter().collect::<Option<_>>()? })
}

/// The type of a tensor whose extents are all known.
pub fn read_static_type(r#type: Type<'_>) -> Option<TensorType> {
    read_named_type(r#type).filter(|ty| ty.shape.iter().all(|extent| extent.as_known().is_some()))
}

/// Reads an extent that only a run knows.
fn read_extent(text: &str) -> Option<Extent> {
    Some(Extent { value: text.parse().ok()?, bound: None })
}

/// The MLIR type of a tensor. Extents that only a run knows are dynamic; the type's encoding says what they are:
/// `tensor<?x?x64xf32, ["n", "2 * n", 64]>`. The graph has the bounds of symbols.
pub fn write_type<'c>(context: &'c Context, ty: &TensorType) -> Result<Type<'c>, Failure> {
    let shape = dimensions(ty)?;
    let element = scalar_type(context, ty.dtype)?;
    let made = if shape.contains(&None) {
        let noted = |extent: &Extent| match extent.as_known() {
            Some(known) => attributes::integer(context, known),
            None => attributes::string(context, &extent.value.to_string()),
        };
        let noted: Vec<_> = ty.shape.iter().map(noted).collect();
        attributes::encoded_tensor(element, &shape, attributes::array(context, &noted))
    } else {
        types::tensor(element, &shape)
    };
    made.ok_or_else(|| "no such tensor type".into())
}

fn dimensions(ty: &TensorType) -> Result<Vec<Option<u64>>, Failure> {
    let extent = |extent: &Extent| match extent.as_known() {
        Some(known) => u64::try_from(known).map(Some).map_err(|_| Failure::new("an extent is negative")),
        None => Ok(None),
    };
    ty.shape.iter().map(extent).collect()
}

/// The same type without names of extents, as other dialects have it.
pub fn plain_type(r#type: Type<'_>) -> Type<'_> {
    let plain =
        attributes::encoding(r#type).and_then(|_| types::tensor(types::element(r#type), &types::shape(r#type)?));
    plain.unwrap_or(r#type)
}

/// Groups items by the sizes in an attribute, or one by one. `params` tells packs from single tensors.
pub fn group<'p, T: Clone>(
    items: &[T],
    sizes: Option<Vec<i64>>,
    params: impl IntoIterator<Item = &'p Param>,
) -> Result<Vec<Argument<T>>, Failure> {
    let sizes = sizes.unwrap_or_else(|| vec![1; items.len()]);
    let params: Vec<&Param> = params.into_iter().collect();
    let mut rest = items;
    let mut groups = Vec::with_capacity(sizes.len());
    for (number, size) in sizes.iter().enumerate() {
        let split = usize::try_from(*size).ok().and_then(|size| rest.split_at_checked(size));
        let (group, remaining) = split.ok_or("segment sizes do not match the number of values")?;
        rest = remaining;
        let param = params.get(number);
        let is_pack = param.is_some_and(|param| param.spec.pack.is_some());
        let is_null = group.is_empty() && param.is_none_or(|param| param.spec.optional || !is_pack);
        groups.push(match group {
            [] if is_null => Argument::Null,
            [single] if !is_pack => Argument::Single(single.clone()),
            group if is_pack => Argument::Pack(group.to_vec()),
            _ => return Err(format!("argument {} is no pack", number + 1).into()),
        });
    }
    if rest.is_empty() { Ok(groups) } else { Err("segment sizes do not match the number of values".into()) }
}

/// The attributes of an operation by name.
pub fn attributes_of<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<(String, Attribute<'c>)> {
    operation.attributes().map(|(name, attribute)| (name.to_owned(), attribute)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions;

    fn written(context: &Context, path: &str, name: &str, value: Value) -> String {
        let definitions = definitions::standard();
        let operator = definitions.operator(path).unwrap();
        let param = operator.attributes.iter().find(|param| *param.name.text == *name).unwrap();
        write_value(context, &value, Some(param)).unwrap().map_or("absent".into(), |attribute| attribute.to_string())
    }

    #[test]
    fn values_survive_attributes() {
        let context = Context::new();
        let strings = Value::Pack(vec![Value::Str("a".into()), Value::Str("".into())]);
        let values = [
            Value::Int(i64::MAX),
            Value::Real(0.1),
            Value::Bool(true),
            Value::Str("".into()),
            Value::Pack(vec![Value::Int(3), Value::Int(-1)]),
            Value::Pack(vec![Value::Real(0.5)]),
            Value::Pack(vec![Value::Bool(true), Value::Bool(false)]),
            strings,
        ];
        for value in values {
            let attribute = write_value(&context, &value, None).unwrap().unwrap();
            assert_eq!(read_value(attribute), Some(value), "{attribute}");
        }
        let repeated = Value::Repeat(Box::new(Value::Int(2)), 3);
        let attribute = write_value(&context, &repeated, None).unwrap().unwrap();
        assert_eq!(attribute.to_string(), "array<i64: 2, 2, 2>");
        let hostile = Value::Repeat(Box::new(Value::Int(2)), u64::MAX);
        assert!(write_value(&context, &hostile, None).is_ok_and(|written| written.is_some()));
    }

    #[test]
    fn extents_survive_types_and_attributes() {
        let context = Context::new();
        let extent = |text: &str| Extent { value: text.parse().unwrap(), bound: None };
        let shape = vec![extent("n"), extent("2 * w + 1"), Extent::known(64)];
        let ty = TensorType { dtype: ScalarType::Real, shape };
        let r#type = write_type(&context, &ty).unwrap();
        assert_eq!(r#type.to_string(), r#"tensor<?x?x64xf32, ["n", "2 * w + 1", 64]>"#);
        assert_eq!(read_named_type(r#type), Some(ty));
        assert_eq!((read_static_type(r#type), plain_type(r#type).to_string()), (None, "tensor<?x?x64xf32>".into()));
        let count = Value::Pack(vec![Value::Symbolic(Symbolic::Int("2 * n".parse().unwrap())), Value::Int(3)]);
        let attribute = write_value(&context, &count, None).unwrap().unwrap();
        assert_eq!(attribute.to_string(), r#"[{int = "2 * n"}, 3]"#);
        assert_eq!(read_value(attribute), Some(count));
    }

    #[test]
    fn empty_packs_have_the_declared_type() {
        let context = Context::new();
        assert_eq!(written(&context, "nn.max_pool", "axes", Value::Pack(Vec::new())), "array<i64>");
        assert_eq!(written(&context, "nn.conv", "padding", Value::Null), "absent");
    }

    #[test]
    fn operands_are_grouped_by_their_parameters() {
        let definitions = definitions::standard();
        let conv = &definitions.operator("nn.conv").unwrap().inputs;
        let groups = group(&[1, 2], Some(vec![1, 1, 0]), conv).unwrap();
        assert_eq!(groups, [Argument::Single(1), Argument::Single(2), Argument::Null]);
        let concat = &definitions.operator("layout.concat").unwrap().inputs;
        assert_eq!(group(&[7], Some(vec![1]), concat).unwrap(), [Argument::Pack(vec![7])]);
        for sizes in [vec![1, 2, 0], vec![1, 1, 1], vec![1, -1, 2], vec![1, 1]] {
            let result = group(&[1, 2], Some(sizes.clone()), conv);
            assert_eq!(result.is_ok(), sizes == [1, 1], "{sizes:?}");
        }
    }
}
