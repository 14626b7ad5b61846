//===- Graph.td - Graphs, variables, constants and control flow ------------===//
//
// What of a SkriptND document is no operator.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_GRAPH_TD
#define SKRIPTND_GRAPH_TD

include "SkriptNDBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def SkriptND_GraphOp : SkriptND_Op<"graph", [
    IsolatedFromAbove, SingleBlock, HasParent<"::mlir::ModuleOp">, Symbol,
    DeclareOpInterfaceMethods<FunctionOpInterface>]> {
  let summary = "A composed graph";
  let description = [{
    The arguments of the region are the graph's inputs, the operands of `skriptnd.return` its outputs; their names
    stand in the attribute `skriptnd.name` of arguments and results. Packs of which only a run knows the length are one tensor each, whose
    first extent is the length; the attribute `skriptnd.pack` marks them. Types say what extents are that only a run knows; the graph
    declares how large the symbols are that they are made of: `extents {n <= 32}`.

    ```mlir
    skriptnd.graph @Net(%x: tensor<1x4xf32> {skriptnd.name = "x"}) -> (tensor<1x4xf32> {skriptnd.name = "y"}) {
      %0 = skriptnd.nn.relu(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>
      skriptnd.return %0 : tensor<1x4xf32>
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    Arg<OptionalAttr<DictionaryAttr>, "upper bounds of the extents that only a run knows">:$extents
  );
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def SkriptND_AssertOp : SkriptND_Op<"assert", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "What must hold of extents that only a run knows";
  let description = [{
    The condition and the values are expressions of extents. Where the condition is 0, the run reports a fault: the message
    with `{0}`, `{1}`, ... replaced by the values.

    ```mlir
    skriptnd.assert "n == m", "extents {0} and {1} differ" ["n", "m"] {code = "shape-mismatch"}
    ```
  }];
  let arguments = (ins
    StrAttr:$condition,
    StrAttr:$message,
    StrArrayAttr:$values,
    StrAttr:$code,
    OptionalAttr<StrAttr>:$help
  );
  let assemblyFormat = "$condition `,` $message $values attr-dict";
}

def SkriptND_ShapedOp : SkriptND_Op<"shaped", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "A tensor whose extents have other names";
  let description = [{
    The extents of the operand are those of the result. Symbols of the result's type that only data determine get their
    values from that; others must have the values that the operand's extents have, and all must be within their bounds, or the run reports a
    fault that names the tensor.

    ```mlir
    %y = skriptnd.shaped %x as "y" : (tensor<?xf32, ["found.s_1"]>) -> tensor<?xf32, ["y.s"]>
    ```
  }];
  let arguments = (ins SkriptND_Any:$input, StrAttr:$name);
  let results = (outs SkriptND_Any:$output);
  let assemblyFormat = "$input `as` $name attr-dict `:` functional-type(operands, results)";
}

def SkriptND_ExtentOp : SkriptND_Op<"extent", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Gives an extent that data determine its value";
  let description = [{
    Such as the length of a pack. The value is an expression of extents.

    ```mlir
    skriptnd.extent "items" = "rows.count_1 + 1"
    ```
  }];
  let arguments = (ins StrAttr:$symbol, StrAttr:$value);
  let assemblyFormat = "$symbol `=` $value attr-dict";
}

def SkriptND_ArrangeOp : SkriptND_Op<"arrange", [Pure]> {
  let summary = "One pack of several parts";
  let description = [{
    Parts of which only a run knows the length have as many operands as they can have items; behind the items that there
    are follow those of the next part, without a gap. So there are as many results as operands, and the last ones may be no items.
    All are of one type. `parts` has the number of operands of each part, `lengths` its length, an expression of extents.

    ```mlir
    %p:4 = skriptnd.arrange %a, %b, %c, %z {lengths = ["n", "1"], parts = array<i64: 3, 1>}
        : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
    ```
  }];
  let arguments = (ins Variadic<SkriptND_Any>:$items, DenseI64ArrayAttr:$parts, StrArrayAttr:$lengths);
  let results = (outs Variadic<SkriptND_Any>:$arranged);
  let assemblyFormat = "$items attr-dict `:` functional-type(operands, results)";
}

def SkriptND_ItemsOp : SkriptND_Op<"items", [Pure]> {
  let summary = "The items of a pack that is given as one tensor";
  let description = [{
    The items stand along the first dimension, whose extent is the length of the pack. There are as many results as the pack can have
    items; the last ones may be none, and have any elements.

    ```mlir
    %p:2 = skriptnd.items %x : (tensor<?x3xf32, ["n", 3]>) -> (tensor<3xf32>, tensor<3xf32>)
    ```
  }];
  let arguments = (ins SkriptND_Any:$whole);
  let results = (outs Variadic<SkriptND_Any>:$items);
  let assemblyFormat = "$whole attr-dict `:` functional-type(operands, results)";
}

def SkriptND_PackOp : SkriptND_Op<"pack", [Pure]> {
  let summary = "A pack as one tensor";
  let description = [{
    The items stand along the first dimension of the result, whose extent is how many of them there are; the operands behind are left
    out.

    ```mlir
    %x = skriptnd.pack %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<?x3xf32, ["n", 3]>
    ```
  }];
  let arguments = (ins Variadic<SkriptND_Any>:$items);
  let results = (outs SkriptND_Any:$whole);
  let assemblyFormat = "$items attr-dict `:` functional-type(operands, results)";
}

def SkriptND_ReturnOp : SkriptND_Op<"return", [
    Pure, Terminator, ReturnLike, HasParent<"GraphOp">]> {
  let summary = "The outputs of a graph";
  let arguments = (ins Variadic<SkriptND_Any>:$outputs);
  let assemblyFormat = "attr-dict ($outputs^ `:` type($outputs))?";
}

def SkriptND_YieldOp : SkriptND_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "The results of a region";
  let arguments = (ins Variadic<SkriptND_Any>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def SkriptND_VariableOp : SkriptND_Op<"variable", [Pure]> {
  let summary = "The value of a variable before the graph runs";
  let description = [{
    The label is the name of the file that holds the value, without its extension.
  }];
  let arguments = (ins StrAttr:$label);
  let results = (outs SkriptND_Any:$output);
  let assemblyFormat = "$label attr-dict `:` type($output)";
}

def SkriptND_UpdateOp : SkriptND_Op<"update", [MemoryEffects<[MemWrite]>]> {
  let summary = "The value of a variable after the graph has run";
  let arguments = (ins StrAttr:$label, SkriptND_Any:$value);
  let assemblyFormat = "$label `=` $value attr-dict `:` type($value)";
}

def SkriptND_ConstantOp : SkriptND_Op<"constant", [
    Pure, ConstantLike, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "A tensor known when the graph is compiled";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs SkriptND_Any:$output);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def SkriptND_RoundedOp : SkriptND_Op<"rounded", [Pure, SameOperandsAndResultType]> {
  let summary = "Numbers as they are after they were stored in a narrower form";
  let description = [{
    The language has one type of real numbers. `f16` rounds to the nearest number of half precision, of two the one that is even; what is too
    large becomes infinite.

    ```mlir
    %y = skriptnd.rounded %x to "f16" : tensor<4xf32>
    ```
  }];
  let arguments = (ins SkriptND_Real:$input, SkriptND_OneOf<["f16"]>:$storage);
  let results = (outs SkriptND_Real:$output);
  let assemblyFormat = "$input `to` $storage attr-dict `:` type($output)";
}

def SkriptND_KeepOp : SkriptND_Op<"keep", [MemoryEffects<[MemWrite]>]> {
  let summary = "Results that nobody uses, of what may fail";
  let description = [{
    They are computed all the same, so that the run fails where their formulas require something that does not hold.
  }];
  let arguments = (ins Variadic<SkriptND_Any>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

def SkriptND_IfOp : SkriptND_Op<"if", [
    RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock, NoRegionArguments]> {
  let summary = "A branch that depends on a value computed at run time";
  let description = [{
    The condition is a tensor of one element. Both regions yield the results.
  }];
  let arguments = (ins SkriptND_Bool:$condition);
  let results = (outs Variadic<SkriptND_Any>:$outputs);
  let regions = (region SizedRegion<1>:$consequent, SizedRegion<1>:$alternative);
  let assemblyFormat = [{
    $condition `then` $consequent `else` $alternative attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def SkriptND_LoopOp : SkriptND_Op<"loop", [
    RecursiveMemoryEffects, SingleBlock, AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let summary = "A loop whose iterations are counted at run time";
  let description = [{
    Both regions take the carried tensors, one item of each scanned pack and, with `has_index`, the number of the
    iteration, a tensor of one integer. `condition` yields whether to go on; a region without blocks stands for no condition. `body` yields
    the next values of the carried tensors, then an item of each collected pack. With `test_last` the condition is
    asked behind the body.
  }];
  let arguments = (ins
    Variadic<SkriptND_Any>:$carried,
    Variadic<SkriptND_Any>:$scanned,
    Optional<SkriptND_Int>:$count,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "how many items each scanned pack has">:$scan_lengths,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the regions take the number of the iteration">:$has_index,
    Arg<OptionalAttr<I64Attr>, "at most so many iterations; exactly so many without count and condition">:$bound,
    Arg<OptionalAttr<StrAttr>, "the same as an expression of extents that only a run knows">:$extent,
    Arg<OptionalAttr<StrArrayAttr>, "how many items scanned packs have, where only a run knows it">:$scan_extents,
    Arg<OptionalAttr<StrArrayAttr>, "the extents that the number of iterations gives values">:$lengths,
    UnitAttr:$test_last
  );
  let results = (outs Variadic<SkriptND_Any>:$finals, Variadic<SkriptND_Any>:$collected);
  let regions = (region MaxSizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`carry` `(` $carried^ `:` type($carried) `)`)? (`scan` `(` $scanned^ `:` type($scanned) `)`)?
    (`times` $count^ `:` type($count))? (`test_last` $test_last^)?
    `while` $condition `do` $body attr-dict `->` `(` type($finals) `)` `,` `(` type($collected) `)`
  }];
  let hasVerifier = 1;
}

#endif // SKRIPTND_GRAPH_TD
