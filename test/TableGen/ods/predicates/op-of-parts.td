include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def OneOfTwo : Type<CPred<"$_self.isF32() && $_op.getNumOperands() == 2">, "one of two">;
def OfOperation : Attr<CPred<"$_op.getNumResults() == 1">, "of an operation with a result">;
def Asked : Attr<CPred<"isRight($_op, $_self)">, "right">;
def OneBlock : Region<CPred<"$_op.getNumResults() == 1">, "of a result">;
def WithArguments : SuccessorConstraint<CPred<"$_self->getNumArguments() == 2">, "a block with two arguments">;
def A : Op<T, "a"> {
  let arguments = (ins OneOfTwo:$x, OneOfTwo:$y, OfOperation:$n, Asked:$asked);
  let results = (outs OneOfTwo:$r);
  let regions = (region OneBlock:$body);
  let successors = (successor AnySuccessor:$any, WithArguments:$next);
}
// CHECK: fn is_one_of_two(this: Type<'_>, operation: OperationRef<'_, '_>) -> bool { predicate::is_float(this, 32) && predicate::operand_count(operation) == 2 }
// CHECK: summary: "operand 'y' is one of two", holds: |operation| { A_SIGNATURE.operand_group(operation, 1)
// CHECK: fn is_asked(this: Attribute<'_>, operation: OperationRef<'_, '_>) -> bool;
// CHECK: fn is_with_arguments(this: BlockRef<'_, '_>) -> bool;
