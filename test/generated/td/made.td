// Rules about operations without results, and rules that ask Rust for operations.

include "rust/OpBase.td"
include "mlir/IR/PatternBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Made : Dialect {
  let name = "made";
  let cppNamespace = "::made";
}

class Made_Op<string mnemonic, list<Trait> traits = []> : Op<Made, mnemonic, traits>;
class None<string mnemonic> : Made_Op<mnemonic> { let arguments = (ins AnyType:$x); }
class One<string mnemonic> : Made_Op<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins AnyType:$x);
  let results = (outs AnyType:$y);
}

def SourceOp : Made_Op<"source"> { let results = (outs AnyType:$y); }
def UseOp : Made_Op<"use"> { let arguments = (ins Variadic<AnyType>:$xs); }

// An operation without results beside what replaces the root.
def BesideOp : One<"beside">;
def MarkOp : None<"mark">;
def PlainOp : One<"plain">;
def CopyTag : NativeCodeCallVoid<"copyTag($0, $1)">;
def : Pattern<(BesideOp:$source $x), [(MarkOp:$mark $x), (PlainOp:$plain $x)], [], [(CopyTag $source, $plain)]>;

// Roots without results: replaced by operations, with places, by nothing, in either order.
def SplitOp : None<"split">;
def : Pattern<(SplitOp:$source $x), [(MarkOp (PlainOp $x), (location $source)), (MarkOp $x, (location "made"))]>;
def DropOp : None<"drop">;
def : Pattern<(DropOp (PlainOp $x)), []>;
def PairOp : Made_Op<"pair"> { let arguments = (ins AnyType:$x, AnyType:$y); }
def : Pattern<(PairOp (either $a, (PlainOp $b))), [(MarkOp $b), (MarkOp $a)]>;

// Attributes, groups and values go along.
def CountOp : Made_Op<"count", [SameOperandsAndResultType]> {
  let arguments = (ins AnyType:$x, I32Attr:$count, OptionalAttr<StrAttr>:$text);
  let results = (outs AnyType:$y);
}
def NoteOp : Made_Op<"note"> { let arguments = (ins Variadic<AnyType>:$xs, I32Attr:$count, OptionalAttr<StrAttr>:$text); }
def : Pattern<(CountOp $x, $count, $text), [(NoteOp (variadic $x, $x), $count, $text), (replaceWithValue $x)]>;

// Natives that build.
def HalvesOp : Made_Op<"halves"> {
  let arguments = (ins AnyType:$x);
  let results = (outs AnyType:$low, AnyType:$high);
}
def Halves : NativeCodeCall<"halves($_builder, $_loc, $0)", 2>;
def : Pat<(HalvesOp $x), (Halves $x)>;
def WrapOp : One<"wrap">;
def BodyOp : Made_Op<"body", [SingleBlock]> {
  let results = (outs AnyType:$y);
  let regions = (region SizedRegion<1>:$body);
}
def YieldOp : Made_Op<"yield", [Terminator]> { let arguments = (ins AnyType:$x); }
def Wrapped : NativeCodeCall<"wrapped($_builder, $0)">;
def : Pat<(WrapOp $x), (PlainOp (Wrapped $x))>;
def BadOp : One<"bad">;
def Bad : NativeCodeCall<"bad($_builder, $0)">;
def : Pat<(BadOp $x), (Bad $x)>;
def SpoilOp : One<"spoil">;
def Spoil : NativeCodeCallVoid<"spoil($_builder, $0)">;
def : Pattern<(SpoilOp $x), [(NoteOp:$note (variadic $x), ConstantAttr<I32Attr, "1">, ConstantAttr<StrAttr, "a">), (replaceWithValue $x)], [], [(Spoil $note)]>;
