include "rust/OpBase.td"
include "mlir/IR/PatternBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"

def Toy_Dialect : Dialect {
  let name = "toy";
  let summary = "sums and shifts of integers";
}

class Toy_Op<string mnemonic, list<Trait> traits = []>
    : Op<Toy_Dialect, mnemonic, !listconcat(traits, [Pure, SameOperandsAndResultType])>;

def AddOp : Toy_Op<"add", [Commutative]> {
  let arguments = (ins AnySignlessInteger:$lhs, AnySignlessInteger:$rhs);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def ShiftOp : Toy_Op<"shift"> {
  let arguments = (ins AnySignlessInteger:$value, I64Attr:$amount);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$value `by` $amount attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def IsWide : Constraint<RustPred<"crate::width($0) > 1">, "has more than one bit">;
def DoubleIsShift : Pat<(AddOp $x, $x), (ShiftOp $x, ConstantAttr<I64Attr, "1">), [(IsWide $x)]>;

def ToySimplify : Pass<"toy-simplify"> {
  let summary = "Apply the rewrite rules and fold";
}
