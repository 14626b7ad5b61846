//===- Hexagon.td - The hexagon dialect: VTCM and DMA -----------------------===//

#ifndef HEXAGON_TD
#define HEXAGON_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Hexagon_Dialect : Dialect {
  let name = "hexagon";
  let summary = "What Hexagon has beside instructions for numbers: VTCM, and the DMA that fills it";
  let description = [{
    VTCM is memory beside the vector unit, which programs ask the system for. Kernels put there what they read again and again, tile by tile, while
    the DMA brings the next tile. Memory in it has the memory space `#hexagon.vtcm`.

    For which processor code is made says the attribute `skriptnd.target` of the module around an operation, which `codegen-set-target`
    sets. Where it names one without what an operation needs, the operation is an error: VTCM begins with version 65, the
    DMA that programs start themselves with version 68.
  }];
  let cppNamespace = "::skriptnd::hexagon";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Hexagon_VtcmAttr : AttrDef<Hexagon_Dialect, "Vtcm"> {
  let mnemonic = "vtcm";
  let summary = "the memory space of VTCM";
  let description = [{
    ```mlir
    memref<8192xi8, #hexagon.vtcm>
    ```
  }];
}

def Hexagon_WholeAttr : AttrDef<Hexagon_Dialect, "Whole"> {
  let mnemonic = "whole";
  let summary = "that what the kernel of an operation reads is in VTCM as a whole";
  let description = [{
    Who cut an operation into slices has chosen what is there at a time. It is a note at the place of an operation, which goes where that goes: to whatever the
    operation becomes, through all that fuses it with others. It changes no result; a budget that is too small for it is a warning.

    ```mlir
    %0 = skriptnd.nn.relu(%x) : (tensor<4xf32>) -> tensor<4xf32> loc(fused<#hexagon.whole>["graph.mlir":3:8])
    ```
  }];
}

def Hexagon_RowsAttr : AttrDef<Hexagon_Dialect, "Rows"> {
  let mnemonic = "rows";
  let summary = "rows that a DMA copies";
  let description = [{
    How many rows there are, and how many elements the begins of neighbours are apart where they come from and where they go.

    ```mlir
    #hexagon.rows<8 from 256 to 64>
    ```
  }];
  let parameters = (ins AttrParameter<"int64_t", "how many">:$count,
                        AttrParameter<"int64_t", "the distance of rows in the source">:$source,
                        AttrParameter<"int64_t", "the distance of rows in the target">:$target);
  let assemblyFormat = "`<` $count `from` $source `to` $target `>`";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

class Hexagon_Op<string mnemonic, list<Trait> traits> : Op<Hexagon_Dialect, mnemonic, traits>;

def Hexagon_Memory : MemRefRankOf<[AnyType], [1]>;

def Hexagon_RegionOp : Hexagon_Op<"region", [Pure]> {
  let summary = "The VTCM that a run is given";
  let description = [{
    It is the same memory for all functions of a module, of which one at a time runs. Its bytes are those of the largest region that a
    module asks for.

    ```mlir
    %vtcm = hexagon.region : memref<65536xi8, #hexagon.vtcm>
    ```
  }];
  let results = (outs Hexagon_Memory:$memory);
  let assemblyFormat = "attr-dict `:` type($memory)";
  let hasVerifier = 1;
}

def Hexagon_DmaStartOp : Hexagon_Op<"dma_start", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Start to copy elements between memory and VTCM";
  let description = [{
    The elements are there when a `hexagon.dma_wait` behind it is done; until then nothing may write the source, or touch the target. Copies that are started
    one behind the other are a chain, which the DMA does in order; it must be idle before the first of them. With `rows`, each row has so many
    elements.

    ```mlir
    hexagon.dma_start %weights[%tile] to %vtcm[%slot] length %n : memref<65536xi8> to memref<8192xi8, #hexagon.vtcm>
    hexagon.dma_start %image[%row] to %vtcm[%slot] length %n rows <8 from 256 to 64> : memref<65536xi8> to memref<8192xi8, #hexagon.vtcm>
    ```
  }];
  let arguments = (ins
    Hexagon_Memory:$source, Index:$from,
    Hexagon_Memory:$target, Index:$to,
    Index:$length,
    OptionalAttr<Hexagon_RowsAttr>:$rows
  );
  let assemblyFormat = [{
    $source `[` $from `]` `to` $target `[` $to `]` `length` $length (`rows` $rows^)? attr-dict
    `:` type($source) `to` type($target)
  }];
  let hasVerifier = 1;
}

def Hexagon_DmaWaitOp : Hexagon_Op<"dma_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Wait until the DMA is idle";
  let description = [{
    The processor tells no copies apart, so there is nothing to name: all that was started is done behind it.

    ```mlir
    hexagon.dma_wait
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif // HEXAGON_TD
