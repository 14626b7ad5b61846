include "rust/OpBase.td"
include "mlir/IR/PatternBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"

def Toy_Dialect : Dialect { let name = "toy"; let summary = "sums and shifts of integers"; }

def IntType : TypeDef<Toy_Dialect, "Int"> {
  let summary = "an integer";
  let mnemonic = "int";
  let parameters = (ins "unsigned":$bits);
  let assemblyFormat = "`<` $bits `>`";
  let genVerifyDecl = 1;
}

class Toy_Op<string mnemonic, list<Trait> traits = []>
    : Op<Toy_Dialect, mnemonic, !listconcat(traits, [Pure, SameOperandsAndResultType])> {
  let results = (outs IntType:$result);
}

def AddOp : Toy_Op<"add", [Commutative]> {
  let arguments = (ins IntType:$lhs, IntType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def ShiftOp : Toy_Op<"shift"> {
  let arguments = (ins IntType:$value, I64Attr:$amount);
  let assemblyFormat = "$value `by` $amount attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def IsWide : Constraint<RustPred<"crate::bits($0) > 1">, "has more than one bit">;
def DoubleIsShift : Pat<(AddOp $x, $x), (ShiftOp $x, ConstantAttr<I64Attr, "1">), [(IsWide $x)]>;

def ToySimplify : Pass<"toy-simplify"> { let summary = "Apply the rewrite rules and fold"; }
