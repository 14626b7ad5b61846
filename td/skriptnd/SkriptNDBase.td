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

  // What a graph's composition knew of an operation, and what marks arguments and results, of graphs and of the functions that these become, until code has been generated.
  let discardableAttrs = (ins
    Arg<DictionaryAttr, "the texts of the model's modules, from paths to pairs of file name and text">:$sources,
    // The language decides when a model is composed what is identical (specification, section 2.4): merging equal values does not
    // change it. Only operators that ask have it; without it the operands say which are the same.
    Arg<UnitAttr, "a module whose numbers are combined in the order of the formulas and rounded where they are: no rewrite changes that">:$exact,
    Arg<DenseI64ArrayAttr, "for each operand the first one that was the same tensor when the model was composed">:$identity,
    Arg<StrArrayAttr, "what a model calls the results of an operation whose extents data determine: messages name them">:$results,
    Arg<StrArrayAttr, "what a model calls the parameters of a loop's body, where the graph is written as text again">:$parameters,
    // There are as many operands as there can be.
    Arg<StrArrayAttr, "how many items packs among the operands have, by input: expressions of extents, empty where known">:$lengths,
    Arg<StrAttr, "the declared name; items of packs have their number behind it">:$name,
    Arg<UnitAttr, "a pack of which only a run knows the length: its items stand along the first dimension">:$pack,
    Arg<StrAttr, "the form in which elements are taken or given, if that is another than what they are computed with">:$storage,
    Arg<TypeAttr, "the type that elements of another form are computed with">:$of,
    Arg<AnyAttr, "which numbers the elements of a variable, an argument, or an operation's only result are: `#skriptnd.encoding`">:$encoding,
    Arg<StrAttr, "an argument that is an input, with its name">:$input,
    Arg<StrAttr, "an argument that is a variable, with the name of its file">:$variable,
    Arg<StrAttr, "a result that is an output, with its name">:$output,
    Arg<StrAttr, "a result that is the new value of a variable, with the name of its file">:$state,
    Arg<StrAttr, "the result with the extents of all others, where data determine some">:$found,
    Arg<StrAttr, "the argument that random numbers without a seed begin with">:$seed,
    Arg<StrAttr, "an argument that is an extent which only a run knows, with its name">:$extent,
    Arg<I64Attr, "the upper bound of an extent">:$bound,
    Arg<DenseI64ArrayAttr, "the dimension of an input that tells an extent `e`: input, dimension, `f`, `o` for `f * e + o`">:$from,
    Arg<ArrayAttr, "the extents of an argument or a result, where only a run knows one: numbers, and `#skriptnd.extent`">:$shape
  );
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

// An extent of the interface, as data: the metadata of compiled models have it in the same parts.
def SkriptND_ExtentAttr : AttrDef<SkriptND_Dialect, "Extent"> {
  let mnemonic = "extent";
  let summary = "an extent that only a run knows";
  let description = [{
    The expression is one of the extents that inputs tell or, where data determine it, the name that the model has for it; the bound is the
    largest value that it may have, if there is one.

    ```mlir
    #skriptnd.extent<"2 * n", bound = 64 : i64>
    ```
  }];
  let parameters = (ins AttrParameter<"::mlir::StringAttr", "what it is">:$expression,
                        OptionalParameter<"::mlir::IntegerAttr", "the largest value">:$bound);
  let assemblyFormat = "`<` $expression (`,` `bound` `=` $bound^)? `>`";
}

// What is known of the numbers of a tensor. Compiled code relies on it, and its interface says it of variables.
def SkriptND_EncodingAttr : AttrDef<SkriptND_Dialect, "Encoding"> {
  let mnemonic = "encoding";
  let summary = "which numbers the elements of a tensor are";
  let description = [{
    Integers are whole numbers from the least to the greatest; of integers without a sign it is said where the numbers are the same with one. Reals
    with a scale are such whole numbers, less the zero, times the scale, and rounded: with a scale of 1 and no zero they are whole. Reals without a
    scale lie between the two, and none of them is no number. Of integers, a scale and a zero only tell which reals they stand for.

    A scale is a number, or `unit` where only a run knows it; so is a zero. Along a dimension, each index has its own.

    ```mlir
    #skriptnd.encoding<-128 to 127>
    #skriptnd.encoding<0 to 255, scale = 2.000000e-02 : f32, zero = 128 : i64>
    #skriptnd.encoding<-127 to 127, scale = dense<[2.000000e-02, 3.000000e-02]> : tensor<2xf32>, along = 0>
    #skriptnd.encoding<-128 to 127, scale = unit>
    ```

    On an operation it is true of what that computes: who changes what an operation computes, or how its elements lie, takes the attribute away, and
    `codegen-note-encodings` finds it again.
  }];
  let parameters = (ins AttrParameter<"int64_t", "the least">:$least, AttrParameter<"int64_t", "the greatest">:$most,
                        OptionalParameter<"::mlir::Attribute", "what they are multiplied by">:$scale,
                        OptionalParameter<"::mlir::Attribute", "what stands for 0">:$zero,
                        OptionalParameter<"std::optional<int64_t>", "the dimension along which these differ">:$along);
  let assemblyFormat = "`<` $least `to` $most (`,` struct($scale, $zero, $along)^)? `>`";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

class SkriptND_Op<string mnemonic, list<Trait> traits = []>
    : Op<SkriptND_Dialect, mnemonic, traits>;

#endif // SKRIPTND_BASE_TD
