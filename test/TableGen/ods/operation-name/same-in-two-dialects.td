// GENERATE: op-decls op-defs op-doc irdl
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T_Dialect : Dialect { let name = "t"; let cppNamespace = "::t"; }
def U_Dialect : Dialect { let name = "u"; let cppNamespace = "::u"; }
def T_AddOp : Op<T_Dialect, "add"> { let arguments = (ins I32:$x); let hasVerifier = 1; }
def U_AddOp : Op<U_Dialect, "add"> { let arguments = (ins F32:$x); let results = (outs F32:$r); let hasFolder = 1; }
def U_SubOp : Op<U_Dialect, "sub">;
def T_Box : TypeDef<T_Dialect, "Box"> { let mnemonic = "box"; }
def U_Box : TypeDef<U_Dialect, "Box"> { let mnemonic = "box"; }
// CHECK: pub struct TAddOp<'c, 'a>
// CHECK: pub trait UAddOpHooks
// CHECK: pub struct SubOp<'c, 'a>
// CHECK: pub static T_ADD: OperationDefinition
// CHECK: pub static U_ADD: OperationDefinition
// CHECK: pub static SUB: OperationDefinition
// CHECK: pub struct TBoxType<'c>
// CHECK: pub struct UBoxType<'c>
