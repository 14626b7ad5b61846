// What the back ends for documentation write beside operations and passes.
// RUN: skriptnd-tblgen -gen-typedef-doc %s -dialect test | FileCheck %s --check-prefix=TYPE
// RUN: skriptnd-tblgen -gen-attrdef-doc %s -dialect test | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: skriptnd-tblgen -gen-enum-doc %s | FileCheck %s --check-prefix=ENUM
// RUN: skriptnd-tblgen -gen-op-interface-docs %s | FileCheck %s --check-prefix=INTERFACE
// RUN: skriptnd-tblgen -gen-type-interface-docs %s | FileCheck %s --check-prefix=TYPEINTERFACE
// RUN: skriptnd-tblgen -gen-dialect-doc %s -dialect test | FileCheck %s --check-prefix=DIALECT
// RUN: skriptnd-tblgen -gen-op-doc %s -dialect test | FileCheck %s --check-prefix=REFERENCE
// RUN: skriptnd-tblgen -gen-pass-doc %s | FileCheck %s --check-prefix=PASS

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Pass/PassBase.td"

def Test_Dialect : Dialect { let name = "test"; let cppNamespace = "::test"; }

// TYPE: ### `!test.buffer`
// TYPE: _A buffer_
// TYPE: Syntax: `!test.buffer<$shape(, $space)?>`
// TYPE: | `shape` | how large (`int64_t`) |
// TYPE: | `space` | `int`, default `0` |
def Test_Buffer : TypeDef<Test_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "A buffer";
  let parameters = (ins TypeParameter<"int64_t", "how large">:$shape, DefaultValuedParameter<"int", "0">:$space);
  let assemblyFormat = "`<` $shape (`,` ` ` $space^)? `>`";
}

// ATTRIBUTE: ### `#test.range`
// ATTRIBUTE: Syntax: `#test.range<from = $from, to = $to>`
def Test_Range : AttrDef<Test_Dialect, "Range"> {
  let mnemonic = "range";
  let parameters = (ins "int64_t":$from, "int64_t":$to);
  let assemblyFormat = "`<` struct(params) `>`";
}

// ENUM: ### `Flags`
// ENUM: A set: its cases are joined by `|`.
// ENUM: | `fast` | `Fast` = 1 |
// ENUM: | `both` | `Both` = 3, a group |
def Fast : I32BitEnumCaseBit<"Fast", 0, "fast">;
def Wide : I32BitEnumCaseBit<"Wide", 1, "wide">;
def Both : BitEnumCaseGroup<"Both", [Fast, Wide], "both">;
def Flags : I32BitEnum<"Flags", "how it is done", [Fast, Wide, Both]> { let cppNamespace = "::test"; }

// INTERFACE: ## `Sized`
// INTERFACE: #### `size`
// INTERFACE: static int64_t size(bool all);
// INTERFACE: How large it is.
// INTERFACE: Whoever has the interface must implement it.
def Sized : OpInterface<"Sized"> {
  let methods = [StaticInterfaceMethod<"How large it is.", "int64_t", "size", (ins "bool":$all)>];
}

// TYPEINTERFACE-NOT: ## `Sized`
// TYPEINTERFACE: ## `Shaped`
// TYPEINTERFACE: It has a default.
def Shaped : TypeInterface<"Shaped"> {
  let methods = [InterfaceMethod<"Its rank.", "int64_t", "rank", (ins), "", "return 0;">];
}

// DIALECT: # 'test' dialect
// DIALECT: ## Types
// DIALECT: ### `!test.buffer`
// DIALECT: ## Attributes
// DIALECT: ### `#test.range`
// DIALECT: ## Enumerations
// DIALECT: ### `Flags`

// REFERENCE: ### `test.add`
// REFERENCE: Reference:
// REFERENCE: result[i..] = lhs[i..] + rhs[i..], i < s;
// REFERENCE: #### Operands
// REFERENCE: | Operand | Description |
def Test_AddOp : Op<Test_Dialect, "add"> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs);
  let results = (outs AnyTensor:$result);
  code reference = [{ result[i..] = lhs[i..] + rhs[i..], i < s; }];
}

// PASS: ### `-count`
// PASS: #### Options
// PASS: -most : how many
// PASS: #### Statistics
// PASS: seen : what was seen
def Count : Pass<"count"> {
  let summary = "Counts";
  let options = [Option<"most", "most", "int64_t", "3", "how many">];
  let statistics = [Statistic<"seen", "seen", "what was seen">];
}
