//===- Formula.td - Operations that carry formulas -------------------------===//
//
// What an operator becomes when its formula (specification, section 2.12) is
// taken from its definition.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_FORMULA_TD
#define SKRIPTND_FORMULA_TD

include "SkriptNDBase.td"

def SkriptND_Scalar : AnyTypeOf<[F32, I64, I1], "real, int or bool">;

def SkriptND_FormulaOp : SkriptND_Op<"formula", [Pure, SingleBlock]> {
  let summary = "One assignment of a formula";
  let description = [{
    A nest of loops over the extents. The arguments of the region are the indices, then what the written tensors are
    so far; the operands are what they were before, the results what they are afterwards. How a value combines with
    the element that it is assigned to is `combine`: `set` and `update` replace it. The operations of the region are
    evaluated on demand: a guard that fails in a branch of a `select` that is not taken has no effect.

    ```mlir
    %1 = skriptnd.formula "add" [4, 3](%0) {
    ^bb0(%i: i64, %j: i64, %y: tensor<4xf32>):
      %2 = skriptnd.apply "add"(%i, %j) : (i64, i64) -> i64
      %3 = skriptnd.access %x[%2] {guards = array<i64: 1>} : (tensor<5xf32>, i64) -> f32
      skriptnd.assign %3 to [%i] {guards = array<i64: 0>, targets = array<i64: 0>} : f32, i64
    } : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins
    SkriptND_OneOf<["set", "update", "add", "mul", "and", "or", "min", "max"]>:$combine,
    DenseI64ArrayAttr:$extents,
    Variadic<SkriptND_Any>:$initial
  );
  let results = (outs Variadic<SkriptND_Any>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $combine $extents `(` $initial `)` $body attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def SkriptND_AccessOp : SkriptND_Op<"access", [Pure, AttrSizedOperandSegments, HasParent<"FormulaOp">]> {
  let summary = "An element of a tensor";
  let description = [{
    For each index, `guards` says what happens outside of the tensor: 0 - it is never outside; 1 - the iteration is
    skipped; 2 - the index is replaced by the next two of `replacements`, the first below and the second above.
  }];
  let arguments = (ins
    SkriptND_Any:$tensor,
    Variadic<I64>:$indices,
    Variadic<I64>:$replacements,
    DenseI64ArrayAttr:$guards
  );
  let results = (outs SkriptND_Scalar:$output);
  let assemblyFormat = [{
    $tensor `[` $indices `]` (`or` `[` $replacements^ `]`)? attr-dict `:` functional-type(operands, results)
  }];
}

def SkriptND_ApplyOp : SkriptND_Op<"apply", [Pure, HasParent<"FormulaOp">]> {
  let summary = "A scalar operator or function of the language";
  let arguments = (ins StrAttr:$function, Variadic<SkriptND_Scalar>:$arguments);
  let results = (outs SkriptND_Scalar:$output);
  let assemblyFormat = "$function `(` $arguments `)` attr-dict `:` functional-type(operands, results)";
}

def SkriptND_AssignOp : SkriptND_Op<"assign", [
    Pure, Terminator, AttrSizedOperandSegments, HasParent<"FormulaOp">]> {
  let summary = "The elements that an iteration assigns, in one step";
  let description = [{
    One value for each element, and in `targets` the number of the tensor that it goes to; `indices` and `replacements`
    are those of all elements, one after the other. Where a condition is given and does not hold, nothing is assigned.
  }];
  let arguments = (ins
    Variadic<SkriptND_Scalar>:$values,
    Variadic<I64>:$indices,
    Variadic<I64>:$replacements,
    Optional<I1>:$condition,
    DenseI64ArrayAttr:$guards,
    DenseI64ArrayAttr:$targets
  );
  let assemblyFormat = [{
    $values `to` `[` $indices `]` (`or` `[` $replacements^ `]`)? (`if` $condition^)? attr-dict `:` type(operands)
  }];
}

//===----------------------------------------------------------------------===//
// What a run requires
//===----------------------------------------------------------------------===//

def SkriptND_RequireOp : SkriptND_Op<"require", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "What must hold in a run";
  let description = [{
    Where the condition does not hold, the run reports a fault: the message with `{0}`, `{1}`, `{2}` replaced by the
    values, the place of the operation's location and the invocations that it was called from. The first fault counts.
    What follows is executed nevertheless, so it must be safe for whatever values.

    The operation stays in the functions that formulas become; generated code writes the fault's number and values to a
    record.

    ```mlir
    skriptnd.require %holds, "index {0} is outside of dimension 0 of `x`, whose extent is 4" (%index)
        {code = "index-out-of-range"} : (i1, i64) -> ()
    ```
  }];
  let arguments = (ins
    I1:$condition,
    StrAttr:$message,
    Variadic<I64>:$values,
    StrAttr:$code,
    OptionalAttr<StrAttr>:$label,
    OptionalAttr<StrAttr>:$help
  );
  let assemblyFormat = [{
    $condition `,` $message (`(` $values^ `)`)? attr-dict `:` functional-type(operands, results)
  }];
}

def SkriptND_HoldsOp : SkriptND_Op<"holds", [MemoryEffects<[MemRead]>]> {
  let summary = "Whether all that was required so far has held";
  let results = (outs I1:$output);
  let assemblyFormat = "attr-dict `:` functional-type(operands, results)";
}

def SkriptND_LeaveOp : SkriptND_Op<"leave", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Ends the run if something that was required has not held";
  let description = [{
    It stands behind requirements of extents that data determine: what follows would compute with shapes that do not fit.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // SKRIPTND_FORMULA_TD
