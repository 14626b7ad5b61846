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
// DEFS: name: "input",
// DEFS-NEXT: arity: GroupArity::One,
// DEFS-NEXT: minimum: 0,
// DEFS-NEXT: groups: None,
// DEFS-NEXT: summary: "tensor of 32-bit float values",
// DEFS-NEXT: accepts: [[TENSOR:is_f32_tensor]],
// DEFS: name: "value",
// DEFS-NEXT: arity: GroupArity::Optional,
// DEFS-NEXT: minimum: 0,
// DEFS-NEXT: groups: None,
// DEFS-NEXT: summary: "1D tensor of 64-bit signless integer values",
// DEFS: name: "low",
// DEFS-NEXT: arity: GroupArity::Variadic,
// DEFS-NEXT: minimum: 0,
// DEFS-NEXT: groups: None,
// DEFS-NEXT: summary: "variadic of index",
// DEFS: name: "output",
// DEFS: accepts: [[TENSOR]],
// DEFS: name: "padding",
// DEFS-NEXT: required: true,
// DEFS-NEXT: default: None,
// DEFS: name: "wrap",
// DEFS-NEXT: required: false,
// DEFS-NEXT: default: None,
// DEFS: Trait::AttrSizedOperandSegments
// DEFS: effects: Some(&[]),
// DEFS: Element::Optional {
// DEFS-NEXT: then: &[
// DEFS-NEXT: Element::Literal("with"),
// DEFS-NEXT: Element::Variable(Reference::Operand(1)),
// DEFS: anchors: &[Reference::Operand(1)],
// DEFS: fn [[TENSOR]](this: Type<'_>) -> bool {
// DEFS-NEXT: predicate::is_tensor_type(this)
// DEFS: let element_type = predicate::element_type(this);
// DEFS-NEXT: predicate::is_float(element_type, 32)
// DEFS: fn is_of_1d_tensor_of_64_bit_signless_integer_values
// DEFS: predicate::has_rank(this) && predicate::get_rank(this) == 1

// DECLS: pub mod shape {
// DECLS: pub struct PadOp<'c, 'a> {
// DECLS: pub const NAME: &'static str = "test.shape.pad";
// DECLS: operand_segments: true,
// DECLS: pub fn input(self) -> Result<Value<'c, 'a>, Failure> {
// DECLS: pub fn value(self) -> Option<Value<'c, 'a>> {
// DECLS: pub fn low(self) -> Vec<Value<'c, 'a>> {
// DECLS: pub fn padding(self) -> Result<Vec<i64>, Failure> {
// DECLS: pub fn wrap(self) -> Option<bool> {
// DECLS: /// Builds a [`PadOp`]; `input`, `low`, `padding`, `output_type` must be given.
// DECLS: pub struct PadOpBuilder<
// DECLS: const HAS_INPUT: bool,
// DECLS: build: Build<'c, 'a>,
// DECLS: pub fn new(builder: &Builder<'c, 'a>) -> Self {
// DECLS: pub fn padding(
// DECLS-NEXT: mut self,
// DECLS-NEXT: value: &[i64],
// DECLS-NEXT: ) -> PadOpBuilder<'c, 'a, HAS_INPUT, HAS_LOW, true, HAS_OUTPUT_TYPE> {
// DECLS: pub fn output_type(
// DECLS: impl<'c: 'a, 'a> PadOpBuilder<'c, 'a, true, true, true, true> {
// DECLS: pub fn build(self) -> Result<PadOp<'c, 'a>, Failure> {

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
