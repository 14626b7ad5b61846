//! The C++ classes of types and attributes.

/// Classes of types that a predicate may ask for, and the helper that answers.
pub const TYPE_CLASSES: [&str; 18] = [
    "TensorType",
    "RankedTensorType",
    "UnrankedTensorType",
    "MemRefType",
    "UnrankedMemRefType",
    "BaseMemRefType",
    "VectorType",
    "FixedVectorType",
    "ScalableVectorType",
    "ShapedType",
    "TupleType",
    "IntegerType",
    "IndexType",
    "FloatType",
    "BFloat16Type",
    "ComplexType",
    "FunctionType",
    "NoneType",
];

/// Classes of attributes that a predicate may ask for.
pub const ATTRIBUTE_CLASSES: [&str; 25] = [
    "IntegerAttr",
    "BoolAttr",
    "FloatAttr",
    "StringAttr",
    "TypeAttr",
    "UnitAttr",
    "ArrayAttr",
    "DictionaryAttr",
    "SymbolRefAttr",
    "FlatSymbolRefAttr",
    "AffineMapAttr",
    "ElementsAttr",
    "DenseElementsAttr",
    "DenseIntElementsAttr",
    "DenseFPElementsAttr",
    "DenseArrayAttr",
    "DenseBoolArrayAttr",
    "DenseI8ArrayAttr",
    "DenseI16ArrayAttr",
    "DenseI32ArrayAttr",
    "DenseI64ArrayAttr",
    "DenseF32ArrayAttr",
    "DenseF64ArrayAttr",
    "LocationAttr",
    "TypedAttr",
];

/// The name under which a small float type is registered: that of `Float8E5M2Type` is `builtin.f8E5M2`.
pub fn float_name(class: &str) -> Option<String> {
    let name = class.strip_prefix("Float")?.strip_suffix("Type")?;
    match name {
        "" => None,
        "TF32" => Some("builtin.tf32".into()),
        _ => Some(format!("builtin.f{name}")),
    }
}
