//===- Passes.td - From linalg on tensors to the LLVM dialect ---------------===//

#ifndef CODEGEN_PASSES_TD
#define CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

// In the order in which the pipeline `linalg-to-llvm` runs them. What one finds out for others stands in attributes of the
// module (`dialects/codegen/src/notes.rs`).

def SetTarget : Pass<"codegen-set-target", "::mlir::ModuleOp"> {
  let summary = "Say for what code is generated";
  let description = [{
    Sets the attribute `skriptnd.target` of the module, which schedules read, and the width of an index in its data
    layout. Without options a target that the module has stays, and otherwise it is the host. With `exact`, the module gets the
    attribute `skriptnd.exact` as well, by which no kernel regroups sums or rounds products and sums together.
  }];
  let options = [
    Option<"triple", "triple", "std::string", "", "Target triple; the host's if empty">,
    Option<"cpu", "cpu", "std::string", "", "Processor by LLVM's name for it">,
    ListOption<"features", "features", "std::string", "Features beyond those of the processor, such as +avx2,+fma">,
    Option<"exact", "exact", "bool", "false", "Keep the order and the rounding of the formulas">,
  ];
}

def DescribeInterface : Pass<"codegen-describe-interface", "::mlir::ModuleOp"> {
  let summary = "Note what the graph takes and gives, before its form changes";
  let description = [{
    The one public function of the module is the graph. Its name, its inputs and variables, and its outputs and states
    become the attribute `skriptnd.interface` of the module; the function is called `run` from here on.
  }];
}

def TruthsAsBytes : Pass<"codegen-truths-as-bytes", "::mlir::ModuleOp"> {
  let summary = "Keep truth values in tensors as bytes";
  let description = [{
    Vectors have no elements of one bit in memory. Scalars stay what they are.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def InlineNumbers : Pass<"codegen-inline-numbers", "::mlir::func::FuncOp"> {
  let summary = "Give bodies the integers and exponents that are known as constants";
  let description = [{
    What a structured operation reads for all of its elements alike and constants tell, such as the zero point of a tensor or one of
    several multipliers, is a constant in its body; of reals, exponents are, and for Hexagon, which has no instruction that divides, divisors.
  }];
  let dependentDialects = ["arith"];
}

def NoteEncodings : Pass<"codegen-note-encodings", "::mlir::func::FuncOp"> {
  let summary = "Note which numbers structured operations give";
  let description = [{
    What is known of arguments, and what operations compute of that, tells between which numbers the elements of a tensor lie, whether they are whole,
    and by what scale and zero: `#skriptnd.encoding` says so at each operation of whose result more is known than its type. Passes behind this
    one rely on it, and find out again what operations give that they or others made since. What was noted before goes, but for which reals
    integers stand: import knew that.
  }];
}

def JoinGroups : Pass<"codegen-join-groups", "::mlir::func::FuncOp"> {
  let summary = "Make one of several groups of a convolution of integers where these fill no vector";
  let description = [{
    Where there are whole vectors only, groups whose results have fewer channels than a vector has words become one, as many as fill it. The
    filter has zeros between channels of different groups: products with these are in lanes that would be empty.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def RequantizeInWords : Pass<"codegen-requantize-in-words", "::mlir::func::FuncOp"> {
  let summary = "Quantize sums of whole numbers again in 32 bits";
  let description = [{
    A sum times a multiplier of 31 bits, shifted right and rounded, that is limited to 16 bits or fewer, is computed with the upper words of
    products, where multiplier and shift are known before the run, by other multipliers and shifts, which are computed then, as is a
    number that says whether sums are limited and shifted before at all, but for Hexagon. Results are the same.
  }];
  let dependentDialects = ["arith", "linalg", "math", "tensor"];
}

def ComputeInFewerBits : Pass<"codegen-compute-in-fewer-bits", "::mlir::func::FuncOp"> {
  let summary = "Compute integers of 64 bits in 32 where these hold them";
  let description = [{
    What is converted to reals, cut to fewer bits, or given by a structured operation, where what is known of the values that it
    is computed from says that 32 bits hold it. A whole real that became an integer and becomes a real again stays what it is. Where constants
    limit an integer between reals to what f32 has exactly, as those of a quantized tensor, the real is rounded and limited instead; the result
    is the same, also for what is no integer or not a number.
    Comparisons that no number of these values changes go.
  }];
  let dependentDialects = ["arith", "math"];
}

def WidenSums : Pass<"codegen-widen-sums", "::mlir::func::FuncOp"> {
  let summary = "Add up reals of 32 bits in 64, as the formulas do";
  let description = [{
    Terms that are added or multiplied along a dimension have 32 bits, the sum 64, until the last one is there: that is rounded. What goes on
    with such a sum on the same elements goes on with all bits. It runs where modules are rounded as the formulas are.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def ScaleProducts : Pass<"codegen-scale-products", "::mlir::func::FuncOp"> {
  let summary = "Multiply quantized tensors as whole numbers, and scale the sums";
  let description = [{
    Where both factors of a sum of products are whole numbers of at most 16 bits times a scale, for the tensor or for each
    index of a dimension that the result has, the sum is of the whole numbers, exact in 32 bits, and scaled then. The
    whole numbers are stored in as few bits as an instruction of the target multiplies.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def StoreNarrow : Pass<"codegen-store-narrow", "::mlir::func::FuncOp"> {
  let summary = "Store tensors of integers in the narrowest form that has all their numbers";
  let description = [{
    What is known of the values of a tensor between structured operations says how many bits it needs; what computes it cuts its
    elements, what reads it extends them. Where both become one kernel, neither is left. Constants that are read so are stored in few bits, too.
    Where the greatest or the least is found, borders and what it begins with are numbers of those that are compared, if the results that are
    read are the same. Parts of a tensor begin with elements of their own, if the tensor has the same ones everywhere: so they are stored in few
    bits as well.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def NarrowAccumulators : Pass<"codegen-narrow-accumulators", "::mlir::func::FuncOp"> {
  let summary = "Reduce integers in as few bits as partial results need";
  let description = [{
    Sums of integers of 64 bits that can't leave 32 are added up in 32; the greatest and the least are found in as many bits as what
    is compared needs, 8 at least. Inputs are read as they are stored. Where a target has whole vectors only, sums of windows that can't
    leave 16 bits are added up in those.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def MultiplyNarrow : Pass<"codegen-multiply-narrow", "::mlir::func::FuncOp"> {
  let summary = "Multiply elements in the narrow form in which they are stored";
  let description = [{
    What extends the elements of a tensor goes behind padding and reshaping. Products of two tensors of integers with at most
    16 bits are added in 32 bits where no sum can leave them; reals of 16 bits are extended where they are multiplied.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def AbsorbCollapses : Pass<"codegen-absorb-collapses", "::mlir::func::FuncOp"> {
  let summary = "Let operations read a collapsed tensor as it was before";
  let description = [{
    A collapse of dimensions of extent 1 goes into the indexing maps of the operations that read its result.
  }];
  let dependentDialects = ["affine", "linalg", "tensor"];
}

def AbsorbCopies : Pass<"codegen-absorb-copies", "::mlir::func::FuncOp"> {
  let summary = "Let products read a transposed or repeated tensor as it was before";
  let description = [{
    Where a product uses each element of an operand a few times, as the keys of attention for one query. A transposition goes into the
    indexing map, if the terms of sums lie beside each other then. A tensor that is repeated along a dimension that is merged with another, as keys
    that heads share, is read once: both are dimensions of the product.
  }];
  let dependentDialects = ["affine", "linalg", "tensor"];
}

def RelaxPowers : Pass<"codegen-relax-powers", "::mlir::func::FuncOp"> {
  let summary = "Multiply rows of exponentials by the reciprocals of their sums";
  let description = [{
    An exponential is no exact number, so `fastmath<arcp>` says of quotients of those of differences to the greatest of a row and their sum, as in
    softmax, that one reciprocal serves the row. Where all
    that is computed with the greatest element of a row is computed with the sum of its exponentials, too, what is no number reaches it
    by that, and `fastmath<nnan>` says that the search need not look for it, but on AArch64, where one instruction does either.
  }];
  let dependentDialects = ["arith"];
}

def DivideProducts : Pass<"codegen-divide-products", "::mlir::func::FuncOp"> {
  let summary = "Divide products rather than their factors by the sums of rows";
  let description = [{
    Where the rows of a factor are exponentials that are divided by their sums, as in attention, and the product has fewer elements than the
    factor. It is rounded in another way than the formula.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def SeparateWindows : Pass<"codegen-separate-windows", "::mlir::func::FuncOp"> {
  let summary = "Find the greatest or least of large windows line by line";
  let description = [{
    Where windows along two dimensions overlap so much that it takes fewer comparisons: first of the lines of all windows, then of those. Where
    there are whole vectors only, kernels share what windows have in common themselves.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def ChannelsLast : Pass<"codegen-channels-last", "::mlir::func::FuncOp"> {
  let summary = "Store results of convolutions with the channels innermost";
  let description = [{
    Types and indexing maps of what is around convolutions change, so that copies appear only where a graph begins and
    ends. Where all of them are products of a matrix with many pixels, which lie last, or windows channel by channel along wide lines
    of these, vectors go along pixels, and nothing changes. Integers of few channels are read as they lie, but where there are whole vectors
    only.
  }];
  let dependentDialects = ["affine", "linalg", "tensor"];
}

def Winograd : Pass<"codegen-winograd", "::mlir::func::FuncOp"> {
  let summary = "Give convolutions with filters of 3 by 3 Winograd's form where that is faster";
  let description = [{
    Images and filters, channels last and with stride 1, become values at points of tiles, those of filters once for all
    runs. Products of these are sums over channels; two further operations make the outputs of them. Tiles have 4 by 4 outputs,
    or 2 by 2 where an image has few. Sums are rounded in another way than those of the formula.

    Convolutions of integers have tiles of 2 by 2, 16 bits at the points and 32 in sums, where these lose nothing and the target
    multiplies words as fast as bytes. Their results are those of the formula.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def ShiftFactors : Pass<"codegen-shift-factors", "::mlir::func::FuncOp"> {
  let summary = "Store the factors of products of integers as bytes that the target multiplies";
  let description = [{
    Where an atom of the target multiplies bytes of other signs, or numbers that are stored in 16 bits lie in a range of 256,
    factors are stored less an offset. What the products are short of then, the offset times the sum of the other factor, is
    added: sums of a filter are computed once for all runs, those of an input once for all filters. Where there are whole vectors only,
    factors get zeros behind, so that they have whole groups, also where only a run knows how many products are added up.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def ReadStoredWeights : Pass<"codegen-read-stored-weights", "::mlir::func::FuncOp"> {
  let summary = "Multiply reals by weights of few bits as they are stored";
  let description = [{
    Where one factor of a sum of products is known before the run and is whole numbers of at most 16 bits times a scale, for the
    tensor, for each channel or for groups of a row, the product reads the whole numbers, of 4 bits two from a byte, and scales the
    sum of each group. The weights are packed in panels, so that they are read once and in order.
  }];
  let dependentDialects = ["arith", "linalg", "tensor"];
}

def PackFilters : Pass<"codegen-pack-filters", "::mlir::func::FuncOp"> {
  let summary = "Pack filters in the order in which they are read";
  let description = [{
    A filter becomes panels as wide as the registers of the target. One with so few channels that they leave most of a vector empty becomes
    rows of what is added up, along which vectors go.
  }];
  let dependentDialects = ["affine", "linalg", "tensor"];
}

def BatchIterations : Pass<"codegen-batch-iterations", "::mlir::func::FuncOp"> {
  let summary = "Compute products of a loop that depend on its index only for all iterations at once";
  let description = [{
    A product of a weight and something that the loop's index tells, such as an item of a sequence, reads the whole weight in
    each iteration. Before the loop, one product of matrices reads it once; the loop takes the rows of the result.
  }];
  let dependentDialects = ["linalg", "scf", "tensor"];
}

def CarryInPlace : Pass<"codegen-carry-in-place", "::mlir::func::FuncOp"> {
  let summary = "Let loops compute what they carry into where it was";
  let description = [{
    The last operation of an iteration writes to the carried tensor instead of a new one, where nothing reads that any
    more.
  }];
  let dependentDialects = ["linalg", "tensor"];
}

def SplitPreparation : Pass<"codegen-split-preparation", "::mlir::ModuleOp"> {
  let summary = "Move what depends on variables only into a function of its own";
  let description = [{
    The function `prepare` computes it once; its results are further arguments of `run`. Their types become the attribute
    `skriptnd.prepared` of the module. Attributes of arguments, which told variables from inputs, go.
  }];
  let dependentDialects = ["func", "linalg", "tensor"];
}

def LowerPads : Pass<"codegen-lower-pads", "::mlir::ModuleOp"> {
  let summary = "Give padding a form that bufferizes without copies";
  let description = [{
    Applies the transform sequence of `dialects/codegen/src/schedules/padding.mlir`. Padding by less than nothing becomes a
    slice first. Of large tensors only what is added is filled, slab by slab, but where there are whole vectors only; each of these
    is a tensor of its own, by a number that keeps it apart from others of its shape.
  }];
  let dependentDialects = ["linalg", "tensor", "transform"];
}

def FuseElementwise : Pass<"codegen-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Compute elementwise operations where they are read";
  let description = [{
    A chain or a tree of elementwise operations becomes one operation, and a reduction computes what it adds up. What
    several operations read is computed once, but for a few sums or products of one tensor: to compute these again is less
    work than to store and to load them. Operations with requirements stay as they are, and so does what belongs behind a
    reduction, or would turn vectors into scalars.
  }];
  let dependentDialects = ["arith", "linalg", "math"];
}

def DistinctResults : Pass<"codegen-distinct-results", "::mlir::func::FuncOp"> {
  let summary = "Copy tensors that a function returns twice, or returns as it got them";
  let description = [{
    Every result is written to memory of its own that the caller gives. What is reshaped before it is returned is computed
    into memory of the result's shape, instead of copied there.
  }];
  let dependentDialects = ["bufferization", "linalg", "tensor"];
}

def SeparateDestinations : Pass<"codegen-separate-destinations", "::mlir::func::FuncOp"> {
  let summary = "Give operations that write into the same empty or filled tensor one of their own each";
  let description = [{
    Runs behind the last elimination of common subexpressions, which would make one of all empty tensors again. What begins with
    an argument, which must not change, begins with a copy; so does each sixteenth of the operations that go on with one tensor.
  }];
  let dependentDialects = ["linalg", "tensor"];
}

def SeparateReads : Pass<"codegen-separate-reads", "::mlir::func::FuncOp"> {
  let summary = "Read tensors that have many uses from memory, each use by itself";
  let description = [{
    Arguments, and what is computed into memory of its own, as long as nothing writes into it: bufferization looks at all uses
    of a tensor for each of them.
  }];
  let dependentDialects = ["bufferization"];
}

def WriteParts : Pass<"codegen-write-parts", "::mlir::func::FuncOp"> {
  let summary = "Write the parts of tensors that have many into memory";
  let description = [{
    Parts that begin with what is at their place in a tensor, and that is the same along it, begin with as much of their own.
    A long chain of `tensor.insert_slice` into an empty tensor becomes writes into memory that is read as a tensor behind
    the last: bufferization analyses each insertion together with all that are before it.
  }];
  let dependentDialects = ["bufferization", "memref"];
}

def ProtectArguments : Pass<"codegen-protect-arguments", "::mlir::func::FuncOp"> {
  let summary = "Let bufferization compute nothing in the place of arguments";
  let description = [{
    Inputs, variables and prepared memory belong to the caller.
  }];
}

def FormKernels : Pass<"codegen-form-kernels", "::mlir::func::FuncOp"> {
  let summary = "Decide which structured operations become one kernel";
  let description = [{
    An operation takes in what computes the tensors that it accumulates into, and the elementwise operations behind it that
    alone read it. Reductions of rows become one kernel with what feeds and follows them, such as the steps of softmax or of
    a normalization, where the rows of all are the same, also seen through reshapes: one goes through all steps before the
    next, or several of short rows do. So does a convolution with small filters with a copy that puts its results in another order, line by line.
    The attributes `skriptnd.kernel` (a number), `skriptnd.part` (`initial`, `main` or `epilogue`),
    `skriptnd.rows` (the dimensions of the common loops) and `skriptnd.block` (how many indices of the last one are gone through
    together) say so, and bufferization keeps them. The operations of a kernel are put beside each other.
    An operation without such a number is a kernel by itself.
  }];
  let dependentDialects = ["linalg", "tensor"];
}

def OrderConstants : Pass<"codegen-order-constants", "::mlir::ModuleOp"> {
  let summary = "Name constants in memory by the order in which they are used";
  let description = [{
    Bufferization makes them in an order that differs from run to run, and what is compiled must not. Unused ones go.
  }];
  let dependentDialects = ["memref"];
}

def FixLoopBuffers : Pass<"codegen-fix-loop-buffers", "::mlir::func::FuncOp"> {
  let summary = "Give loops on memrefs that go on with another buffer than they began with a buffer of their own";
  let dependentDialects = ["memref"];
}

def PassShapes : Pass<"codegen-pass-shapes", "::mlir::ModuleOp"> {
  let summary = "Give `run` memory and numbers in place of memrefs whose extents only a run knows";
  let description = [{
    A further argument has the extents of all inputs, outputs and new values of variables; which one becomes the attribute
    `skriptnd.shapes_argument` of the module.
  }];
  let dependentDialects = ["arith", "memref"];
}

def StructureCopies : Pass<"codegen-structure-copies", "::mlir::func::FuncOp"> {
  let summary = "Turn copies between memrefs into structured operations";
  let description = [{
    So they become kernels as all else. Copies of a memref to itself go.
  }];
  let dependentDialects = ["affine", "linalg"];
}

def EraseEmpty : Pass<"codegen-erase-empty", "::mlir::func::FuncOp"> {
  let summary = "Erase structured operations on memrefs that go through no elements";
  let description = [{
    Where an extent is 0 that only a run knows, an element may be read that is not used: what finds its place in a collapsed memref
    divides by 1 then.
  }];
}

def EmitKernels : Pass<"codegen-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn structured operations on memrefs into kernels of loops over vectors";
  let description = [{
    The structured operations that are one kernel (see `codegen-form-kernels`) become a call of a function of loops over vectors
    that keeps its accumulators in registers; equal ones share it. What has no kernel stays. The number of kernels becomes the attribute
    `skriptnd.kernels` of the module.

    Where a kernel of the function `run` takes long, its parallel loops are counted in units, tiles that are not cut: the kernel does a
    span of them, and the run, which is given threads as a further argument, calls a function that is only declared here
    (`skriptnd.shared`), with the number of units and of the ranges that threads may share. `codegen-export-interface` defines it.

    How the loops of a kernel stand is chosen by what they are expected to cost on the target. With `dump-schedules`, each
    choice is written to a file that begins with what is computed; with `schedules`, such files, changed or not, are taken
    instead. One that does not fit its kernel is an error at its place, one without a kernel a warning. Schedules may copy operands where
    loops begin; these copies are memory that is made before the call, a part for each range. With `tuned-schedules`, those
    of a folder are taken that `skriptnd tune` measured for the target on this machine; one that does not fit is ignored, with a warning.
    The attribute `skriptnd.scheduled` of the module then says which schedule each kernel has, and from where; with `alternatives`, also so
    many others that may be better. With `report`, remarks tell what is computed element after element, and why.

    With `profile`, each kernel that `run` calls, and each loop or copy in it that is none, stands between two calls of a function that
    is only declared here; `codegen-export-interface` defines it. The first is given the number of the operation, of which the
    attribute `skriptnd.operations` of the module has the lines, and how many operations on numbers and bytes of memory it takes.

    With `shard=channel`, several processes share the work: each does a part of the output channels of products with weights, in whole
    tiles, and prepares only the weights for these; the parts are gathered behind each product. With `shard=batch`, each computes
    a part of the batch, and what belongs to others is gathered where something needs it. Code, tiles and the order of sums are those without
    it, so results are the same bits. Functions that are only declared here (`skriptnd.rank`, `skriptnd.processes`,
    `skriptnd.gather_`) tell which part that is and gather; `codegen-export-interface` defines them. A product whose weights each
    process keeps is warned of; where nothing can be shared is an error at its place.

    With `vtcm`, kernels have memory with the memory space `#hexagon.vtcm`: operands that are read again and again are copied there before the
    loops, those that are read in order tile by tile, where the schedule has a loop over the tiles. There is room for two, so that the next one is copied while the kernel
    computes, as long as the bytes suffice; with fewer, one is waited for. What of a kernel has most loads comes first. Where the bytes hold
    no tile of any kernel is an error.
  }];
  let options = [
    Option<"schedules", "schedules", "std::string", "", "Folder with schedules to take">,
    Option<"dumpSchedules", "dump-schedules", "std::string", "", "Folder to write the schedules to">,
    Option<"tunedSchedules", "tuned-schedules", "std::string", "", "Folder of schedules that were measured on this machine">,
    Option<"alternatives", "alternatives", "uint64_t", "0", "Note so many other schedules of each kernel">,
    Option<"report", "report", "bool", "false", "Remark what is computed element after element">,
    Option<"profile", "profile", "bool", "false", "Mark operations, so that a profile can tell their times">,
    Option<"shard", "shard", "std::string", "", "Share the work among processes: `channel` or `batch`">,
    Option<"processes", "processes", "uint64_t", "0", "How many processes share it; 0 for any number">,
    Option<"vtcm", "vtcm", "uint64_t", "0", "Bytes of VTCM that a kernel may take">,
    Option<"dma", "dma", "bool", "true", "Fill VTCM by DMA; else by instructions, which emulators have">,
    Option<"randomSchedules", "random-schedules", "uint64_t", "0", "For tests: take legal schedules at random, by this number">,
  ];
  let dependentDialects = ["affine", "arith", "func", "hexagon", "llvm", "math", "memref", "scf", "vector"];
}

def PlaceInVtcm : Pass<"codegen-place-in-vtcm", "::mlir::ModuleOp"> {
  let summary = "Give allocations in VTCM places in the region that a run is given";
  let description = [{
    Each `memref.alloca` with the memory space `#hexagon.vtcm` becomes a view of `hexagon.region`. Functions run one after the other, so places of one begin
    where those of another do. The bytes of the region become the attribute `skriptnd.vtcm` of the module; more than the budget
    are an error.
  }];
  let options = [
    Option<"budget", "budget", "uint64_t", "0", "Bytes that the region may have">,
  ];
  let dependentDialects = ["arith", "hexagon", "memref"];
}

def LowerHexagon : Pass<"codegen-lower-hexagon", "::mlir::ModuleOp"> {
  let summary = "Turn operations on VTCM and DMA into what processors know";
  let description = [{
    `hexagon.region` becomes the call of a function `skriptnd.vtcm` that is only declared here; `codegen-export-interface` defines it. A chain of
    copies becomes descriptors of 16 bytes, of rows 32, and one `dmstart`; `hexagon.dma_wait` becomes `dmwait`. Memory in VTCM has addresses as all other
    has, so its memory space goes.
  }];
  let dependentDialects = ["arith", "func", "llvm", "memref"];
}

def FlattenEmptyArguments : Pass<"codegen-flatten-empty-arguments", "::mlir::func::FuncOp"> {
  let summary = "Give unused arguments without elements a type of one dimension";
  let description = [{
    LLVM's conversion of memrefs refuses some of the others.
  }];
}

def RecordFaults : Pass<"codegen-record-faults", "::mlir::ModuleOp"> {
  let summary = "Turn what a run requires into code that records the first fault";
  let description = [{
    Where `skriptnd.require` does not hold, the number of the fault and the values of its message go to a record, a further
    argument of the function `run`. What is said of each number becomes the attribute `skriptnd.faults` of the module.
  }];
  let dependentDialects = ["arith", "memref", "scf"];
}

def PlanMemory : Pass<"codegen-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Replace the allocations of functions that nothing calls by views of one workspace, a further argument";
  let description = [{
    Buffers that are never alive at the same time share memory. The bytes of each function's workspace become the attribute
    `skriptnd.workspace` of the module.
  }];
  let dependentDialects = ["arith", "memref"];
}

def ExpandElementary : Pass<"codegen-expand-elementary", "::mlir::func::FuncOp"> {
  let summary = "Take `math.exp`, `log`, `tanh`, `erf`, `powf`, `sin` and `cos` of f32, and the remainders of vectors, apart";
  let description = [{
    Vectors, what remains beside them, and scalar loops take the same steps: so the result for an element does not depend
    on where it stands.
  }];
  let dependentDialects = ["arith", "llvm", "math", "vector"];
}

def KeepIterationsApart : Pass<"codegen-keep-iterations-apart", "::mlir::func::FuncOp"> {
  let summary = "Say of loops that their iterations don't overlap where that would keep too many values";
  let description = [{
    LLVM's pipeliner overlaps the iterations of a loop, so that packets are full, and keeps values of several for that. Innermost loops
    over vectors that carry nothing are left to it, and on Hexagon those that add products of reals to few sums, two iterations
    as one; others get LLVM's annotation that it does not take them.
  }];
  let dependentDialects = ["llvm"];
}

def HideFunctions : Pass<"codegen-hide-functions", "::mlir::func::FuncOp"> {
  let summary = "Give functions with a body internal linkage";
  let dependentDialects = ["llvm"];
}

def ExportInterface : Pass<"codegen-export-interface", "::mlir::ModuleOp"> {
  let summary = "Add the functions of the C interface and the metadata";
  let description = [{
    Around the functions `run` and `prepare` of the LLVM dialect, by what earlier passes noted in the attributes of the
    module. A version is one of several in a library, which are called by functions in front of them: it has the functions alone, and
    nobody outside of the library sees them.
  }];
  let options = [
    Option<"prefix", "prefix", "std::string", "", "What the names begin with; `skriptnd` if empty">,
    Option<"isVersion", "version", "bool", "false", "Whether it is one of several versions">,
  ];
  let dependentDialects = ["llvm"];
}

#endif // CODEGEN_PASSES_TD
