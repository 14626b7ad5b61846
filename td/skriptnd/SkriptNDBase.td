//===- SkriptNDBase.td - The skriptnd dialect: base classes ----------------===//
//
// The dialect, its types and attributes, and the classes that its operations
// derive from.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_BASE_TD
#define SKRIPTND_BASE_TD

include "rust/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def SkriptND_Dialect : Dialect {
  let name = "skriptnd";
  let summary = "Neural networks in SkriptND, the language of NNEF 2.0";
  let description = [{
    A `skriptnd.graph` holds a composed graph. Each operator of the language, standard or custom, is an operation
    `skriptnd.<module>.<operator>`; what it accepts, the types of its results, its decomposition and its formula
    follow from its definition in SkriptND. Standard operators are declared here as well, with traits,
    documentation and rewrites.

    Tensors are ranked; `real` is `f32`, `int` is `i64`, `bool` is `i1`. Attributes have their SkriptND names:
    `int` is an `i64`, `real` an `f64`, packs of them are dense arrays, other packs arrays of attributes; a null
    value is an absent attribute. What depends on extents that only a run knows is an expression in place of a number,
    `{int = "2 * n"}`, and a pack with such an item is an array of attributes. Operators with optional or pack inputs carry `operandSegmentSizes`, those with
    pack outputs `resultSegmentSizes`.

    All operators are written alike; a pack stands in brackets, and `none` for an optional input that is null:

    ```mlir
    %y = skriptnd.nn.conv(%x, %w, none) {groups = 1 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
    %z = skriptnd.layout.concat([%a, %b]) {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x3xf32>) -> tensor<1x5xf32>
    ```
  }];
  let cppNamespace = "::skriptnd";
  let hasConstantMaterializer = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class SkriptND_TensorOf<list<Type> elements, string name>
    : RankedTensorOf<elements, [], name # " tensor">;

def SkriptND_Real : SkriptND_TensorOf<[F32], "real">;
def SkriptND_Int : SkriptND_TensorOf<[I64], "int">;
def SkriptND_Bool : SkriptND_TensorOf<[I1], "bool">;
// The generic types of the language: `num`, `arith`, `type`.
def SkriptND_Num : SkriptND_TensorOf<[F32, I64], "num">;
def SkriptND_Arith : SkriptND_TensorOf<[F32, I64, I1], "arith">;
def SkriptND_Any : SkriptND_TensorOf<[F32, I64, I1], "any">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// A string out of a list.
class SkriptND_OneOf<list<string> values> : ConfinedAttr<StrAttr, [AttrConstraint<
    CPred<"::llvm::is_contained({\"" # !interleave(values, "\", \"") #
          "\"}, ::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
    "which is one of " # !interleave(values, ", ")>]>;

// A pack of integers that are all positive, or not negative.
def SkriptND_PositiveInts : ConfinedAttr<DenseI64ArrayAttr, [DenseArrayStrictlyPositive<DenseI64ArrayAttr>]>;
def SkriptND_NonNegativeInts : ConfinedAttr<DenseI64ArrayAttr, [DenseArrayNonNegative<DenseI64ArrayAttr>]>;
def SkriptND_PositiveInt : ConfinedAttr<I64Attr, [IntPositive]>;
def SkriptND_NonNegativeInt : ConfinedAttr<I64Attr, [IntNonNegative]>;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

class SkriptND_Op<string mnemonic, list<Trait> traits = []>
    : Op<SkriptND_Dialect, mnemonic, traits>;

#endif // SKRIPTND_BASE_TD
