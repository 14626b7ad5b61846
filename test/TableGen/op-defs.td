// RUN: skriptnd-tblgen -gen-op-defs %s -dialect test | FileCheck %s --check-prefix=DEFS
// RUN: skriptnd-tblgen -gen-op-decls %s -dialect test | FileCheck %s --check-prefix=DECLS
// RUN: skriptnd-tblgen -gen-op-doc %s | FileCheck %s --check-prefix=DOC
// RUN: skriptnd-tblgen -gen-dialect-doc %s | FileCheck %s --check-prefix=DIALECT
// RUN: skriptnd-tblgen -print-records %s | FileCheck %s --check-prefix=RECORDS

include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Test_Dialect : Dialect {
  let name = "test";
  let summary = "Operations to be generated";
  let cppNamespace = "::test";
}

def Test_PadOp : Op<Test_Dialect, "shape.pad", [Pure, AttrSizedOperandSegments]> {
  let summary = "Pads a tensor";
  let cppNamespace = "::test::shape";
  let arguments = (ins
    F32Tensor:$input,
    Optional<1DTensorOf<[I64]>>:$value,
    Variadic<Index>:$low,
    DenseI64ArrayAttr:$padding,
    OptionalAttr<BoolAttr>:$wrap
  );
  let results = (outs F32Tensor:$output);
  let assemblyFormat = [{
    $input (`with` $value^ `:` type($value))? `low` `[` $low `]` $padding attr-dict `:` type($input) `,` type($low) `->` type($output)
  }];
}

// DEFS: pub static SHAPE_PAD: OperationDefinition = OperationDefinition {
// DEFS: name: "test.shape.pad",
// DEFS: name: "input", arity: GroupArity::One, summary: "tensor of 32-bit float values", accepts: [[TENSOR:constraint_[0-9]+]]
// DEFS: name: "value", arity: GroupArity::Optional, summary: "1D tensor of 64-bit signless integer values"
// DEFS: name: "low", arity: GroupArity::Variadic, summary: "variadic of index"
// DEFS: name: "output", arity: GroupArity::One, summary: "tensor of 32-bit float values", accepts: [[TENSOR]]
// DEFS: name: "padding", required: true
// DEFS: name: "wrap", required: false
// DEFS: Trait::AttrSizedOperandSegments
// DEFS: effects: Some(&[])
// DEFS: Element::Optional { then: &[Element::Literal("with"), Element::Variable(Reference::Operand(1)), {{.*}} anchor: Reference::Operand(1) }
// DEFS: fn [[TENSOR]](this: Type<'_>) -> bool {
// DEFS-NEXT: predicate::is_tensor_type(this){{.*}}let element_type = predicate::element_type(this);{{.*}}predicate::is_float(element_type, 32)
// DEFS: predicate::has_rank(this){{.*}}predicate::get_rank(this) == 1

// DECLS: pub mod shape {
// DECLS: pub struct PadOp<'c, 'a> {
// DECLS: pub const NAME: &'static str = "test.shape.pad";
// DECLS: pub fn input(self) -> Result<Value<'c, 'a>, Failure> {
// DECLS: pub fn value(self) -> Option<Value<'c, 'a>> {
// DECLS: pub fn low(self) -> Vec<Value<'c, 'a>> {
// DECLS: pub fn padding(self) -> Option<Vec<i64>> {
// DECLS: pub fn wrap(self) -> Option<bool> {
// DECLS: pub struct PadOpBuilder<'c, 'a>(Build<'c, 'a>);
// DECLS: pub fn new(builder: &Builder<'c, 'a>, input: Value<'c, 'a>) -> Self {
// DECLS: pub fn output_type(mut self, value: Type<'c>) -> Self {
// DECLS: pub fn padding(mut self, value: &[i64]) -> Self {

// DOC: ### `test.shape.pad`
// DOC: _Pads a tensor_
// DOC: | `padding` | i64 dense array attribute |
// DOC: | `wrap` | bool attribute, optional |
// DOC: | `value` | 1D tensor of 64-bit signless integer values, optional |

// DIALECT: # 'test' dialect
// DIALECT: _Operations to be generated_
// DIALECT: ### `test.shape.pad`

// RECORDS: def Test_PadOp {
// RECORDS: string opName = "shape.pad";
