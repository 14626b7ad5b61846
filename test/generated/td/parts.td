// What operations are built of: default values, types that follow, groups of groups, builders.

include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Parts : Dialect {
  let name = "parts";
  let cppNamespace = "::parts";
}

class Parts_Op<string mnemonic, list<Trait> traits = []> : Op<Parts, mnemonic, traits>;

def Low : I32EnumAttrCase<"Low", 3, "low">;
def High : I32EnumAttrCase<"High", 5, "high">;
def Level : I32EnumAttr<"Level", "how much", [Low, High]> { let genSpecializedAttr = 0; }

// Attributes that may be absent, in all forms.
def Parts_DefaultsOp : Parts_Op<"defaults"> {
  let arguments = (ins
    DefaultValuedAttr<I64Attr, "7">:$count,
    DefaultValuedAttr<StrAttr, "\"NCX\"">:$layout,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 2}">:$steps,
    DefaultValuedAttr<Level, "::parts::Level::High">:$level,
    DefaultValuedOptionalAttr<F32Attr, "0.5f">:$scale,
    DefaultValuedAttr<ConfinedAttr<I32Attr, [IntMinValue<1>]>, "4">:$confined,
    OptionalAttr<I64Attr>:$extra,
    UnitAttr:$fast
  );
  let assemblyFormat = "(`count` $count^)? (`fast` $fast^)? attr-dict";
}

def Parts_SameOp : Parts_Op<"same", [SameOperandsAndResultType]> {
  let arguments = (ins AnyType:$x, AnyType:$y);
  let results = (outs AnyType:$z);
}

def Parts_MatchOp : Parts_Op<"match", [AllTypesMatch<["x", "y"]>, TypesMatchWith<"element", "x", "z", "getElementTypeOrSelf($_self)">]> {
  let arguments = (ins AnyType:$x, Variadic<AnyType>:$rest);
  let results = (outs AnyType:$y, AnyType:$z, I1:$truth);
  let assemblyFormat = "$x `,` $rest attr-dict `:` type($x) `,` type($rest)";
}

def Parts_DerivedOp : Parts_Op<"derived", [FirstAttrDerivedResultType]> {
  let arguments = (ins TypeAttr:$to, AnyType:$x);
  let results = (outs AnyType:$y);
}

def Parts_AdaptedOp : Parts_Op<"adapted", [InferTypeOpAdaptor]> {
  let arguments = (ins AnyType:$x, Variadic<AnyType>:$rest, DefaultValuedAttr<I64Attr, "0">:$which);
  let results = (outs AnyType:$y);
  let hasFolder = 1;
}

def Parts_GroupsOp : Parts_Op<"groups"> {
  let arguments = (ins AnyType:$first, VariadicOfVariadic<AnyType, "sizes">:$groups, DenseI32ArrayAttr:$sizes);
  let assemblyFormat = "$first `:` type($first) `,` $groups `:` type($groups) attr-dict";
}

// Only its own builders.
def Parts_BuiltOp : Parts_Op<"built"> {
  let arguments = (ins AnyType:$x, F32Attr:$scale);
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$x, CArg<"float", "0.5f">:$scale), [{ build(x, scale); }]>,
    OpBuilder<(ins "::llvm::function_ref<void()>":$body)>
  ];
}

// Any number of regions, of blocks to go to.
def Parts_RegionsOp : Parts_Op<"regions", [NoTerminator]> {
  let regions = (region AnyRegion:$first, VariadicRegion<AnyRegion>:$rest);
  let assemblyFormat = "$first (`then` $rest^)? attr-dict";
}
def Parts_JumpOp : Parts_Op<"jump", [Terminator]> {
  let successors = (successor AnySuccessor:$first, VariadicSuccessor<AnySuccessor>:$rest);
  let assemblyFormat = "$first `or` $rest attr-dict";
}

// Properties, which attributes store.
def Parts_Span : Property<"::parts::Span", "a span"> {
  let convertFromAttribute = [{ return spanFrom($_storage, $_attr, $_diag); }];
  let convertToAttribute = [{ return spanTo($_ctxt, $_storage); }];
  let parser = [{ return parseSpan($_parser, $_storage); }];
  let printer = "printSpan($_printer, $_storage)";
}
def Parts_PropertiesOp : Parts_Op<"properties"> {
  let arguments = (ins
    ConfinedProp<I64Prop, CPred<"$_self > 3">, "above three">:$count,
    ArrayProp<StringProp>:$words,
    OptionalProp<ConfinedProp<I64Prop, CPred<"$_self > 3">>>:$maybe,
    OptionalProp<StringProp, 0>:$bracketed,
    ArrayProp<ConfinedProp<I64Prop, CPred<"$_self > 3">>>:$numbers,
    NamedEnumProp<Level, "level">:$level,
    DefaultValuedProp<EnumProp<Level>, "::parts::Level::High">:$high,
    Parts_Span:$span,
    UnitProp:$fast
  );
  let assemblyFormat = [{
    $count $words ($maybe^)? `or` $bracketed $numbers $level (`high` $high^)? `span` $span (`fast` $fast^)? attr-dict
  }];
}

// Lists that may stand there, the first thing in their groups.
def Parts_ListsOp : Parts_Op<"lists"> {
  let arguments = (ins OptionalAttr<DenseI64ArrayAttr>:$sizes, OptionalAttr<DenseBoolArrayAttr>:$flags,
                       OptionalAttr<DenseF32ArrayAttr>:$reals);
  let assemblyFormat = "($sizes^)? (`flags` $flags^)? (`:` $reals^)? attr-dict";
}

// What stands outside of groups, or tells of itself.
def Parts_PlainOp : Parts_Op<"plain"> {
  let arguments = (ins UnitProp:$flag, UnitAttr:$unit, OptionalAttr<I64Attr>:$extra, DefaultValuedAttr<I64Attr, "7">:$n);
  let assemblyFormat = "$flag $unit `:` $extra `:` $n attr-dict";
}

// Constraints on parts that ask for the operation, and one on a successor.
def Parts_OneOfTwo : Type<CPred<"$_self.isF32() && $_op.getNumOperands() == 2">, "one of two floats">;
def Parts_Bound : Attr<CPred<"$_op.getNumOperands() == 2">, "bound to two">;
def Parts_Taking : Successor<CPred<"$_self->getNumArguments() == 1">, "a block with an argument">;
def Parts_AskingOp : Parts_Op<"asking", [Terminator]> {
  let arguments = (ins Variadic<Parts_OneOfTwo>:$x, OptionalAttr<Parts_Bound>:$bound);
  let successors = (successor VariadicSuccessor<Parts_Taking>:$next);
}
