//===- Rewrites.td - Rewrites of graphs ------------------------------------===//
//
// What `skriptnd-rewrite` applies to whole operators, before any of them is
// taken apart. Native functions are in dialects/skriptnd/src/natives.rs.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_REWRITES_TD
#define SKRIPTND_REWRITES_TD

include "mlir/IR/PatternBase.td"
include "SkriptND.td"

//===----------------------------------------------------------------------===//
// Constraints and native functions
//===----------------------------------------------------------------------===//

def HasOneUse : Constraint<CPred<"$_self.hasOneUse()">, "has one use">;
def SameType : Constraint<CPred<"$0.getType() == $1.getType()">, "have one type">;
def StaticType : Type<HasStaticShapePred, "tensor of static shape">;
// A value that depends on variables and constants only: it is computed once, before the model runs.
def IsPrepared : Constraint<RustPred<"crate::natives::is_prepared($0)">, "depends on variables only">;
def IsChannelAxis : Constraint<RustPred<"crate::natives::is_channel_axis($0, $1, $2)">, "is the channel axis">;
def IsIdentityPermutation
    : Constraint<RustPred<"crate::natives::is_identity_permutation($0, $1)">, "permutes nothing">;
def CanComposePermutations
    : Constraint<RustPred<"crate::natives::can_compose_permutations($0, $1, $2, $3, $4)">, "are permutations">;

def ComposePermutations : NativeCodeCall<"crate::natives::compose_permutations">;
def RankOf : NativeCodeCall<"crate::natives::rank_of">;
def ShapeOf : NativeCodeCall<"crate::natives::shape_of">;
def ScalarOf : NativeCodeCall<"crate::natives::scalar_of">;
def ScalarType : NativeCodeCall<"crate::natives::scalar_type">;

//===----------------------------------------------------------------------===//
// Identities
//===----------------------------------------------------------------------===//

def RemoveIdentity : Pat<(Math_IdenOp:$y $x), (replaceWithValue $x), [(SameType $x, $y)]>;

def RemoveCast : Pat<(Layout_CastOp:$y $x, $_), (replaceWithValue $x), [(SameType $x, $y), (StaticType $x)]>;

// A concatenation of one tensor.
def RemoveConcat : Pat<(Layout_ConcatOp:$y (variadic $x), $_), (replaceWithValue $x), [(SameType $x, $y)]>;

// An operator that keeps all elements in their order, and how it is matched.
class Rearrangement<string operator, dag match> {
  string name = operator;
  dag matched = match;
}

defvar Rearrangements = [
  Rearrangement<"Reshape", (Layout_ReshapeOp:$y $x, $_, $_, $_)>,
  Rearrangement<"Flatten", (Layout_FlattenOp:$y $x, $_, $_)>,
  Rearrangement<"Unflatten", (Layout_UnflattenOp:$y $x, $_, $_)>,
  Rearrangement<"Squeeze", (Layout_SqueezeOp:$y $x, $_)>,
  Rearrangement<"Unsqueeze", (Layout_UnsqueezeOp:$y $x, $_)>
];

// Where the shape stays as it is, these change nothing; nor do repetitions.
foreach view = !listconcat(Rearrangements, [
  Rearrangement<"Broadcast", (Layout_BroadcastOp:$y $x, $_, $_)>,
  Rearrangement<"Tile", (Layout_TileOp:$y $x, $_, $_)>
]) in
  def "Remove" # view.name : Pat<view.matched, (replaceWithValue $x), [(StaticType $x), (SameType $x, $y)]>;

def RemoveTranspose : Pat<
  (Layout_TransposeOp:$y $x, I64Attr:$axis, DenseI64ArrayAttr:$perm), (replaceWithValue $x),
  [(IsIdentityPermutation $axis, $perm), (SameType $x, $y)]>;

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

// One rearrangement after another is a reshape of the first one's operand; if that is the identity, it is removed.
class Merge<dag sequence> : Pat<
  sequence, (Layout_ReshapeOp $x, 0, (RankOf $x), (ShapeOf $z)), [(StaticType $z)]>;

foreach first = Rearrangements in {
  def "Merge" # first.name # "Reshape" : Merge<(Layout_ReshapeOp:$z first.matched, $_, $_, $_)>;
  def "Merge" # first.name # "Flatten" : Merge<(Layout_FlattenOp:$z first.matched, $_, $_)>;
  def "Merge" # first.name # "Unflatten" : Merge<(Layout_UnflattenOp:$z first.matched, $_, $_)>;
  def "Merge" # first.name # "Squeeze" : Merge<(Layout_SqueezeOp:$z first.matched, $_)>;
  def "Merge" # first.name # "Unsqueeze" : Merge<(Layout_UnsqueezeOp:$z first.matched, $_)>;
}

def MergeTransposes : Pat<
  (Layout_TransposeOp (Layout_TransposeOp $x, I64Attr:$axis1, DenseI64ArrayAttr:$perm1),
                      I64Attr:$axis2, DenseI64ArrayAttr:$perm2),
  (Layout_TransposeOp $x, 0, (ComposePermutations $axis1, $perm1, $axis2, $perm2, $x)),
  [(CanComposePermutations $axis1, $perm1, $axis2, $perm2, $x)]>;

// What is not negative any more stays as it is; the limit of the first one holds.
def MergeRelus : Pat<
  (NN_ReluOp (NN_ReluOp:$y $x, IsNullAttr, $_), IsNullAttr, IsNullAttr), (replaceWithValue $y)>;

def AddNegated : Pat<
  (Math_AddOp $x, (Math_NegOp $y), $lhs_align, $rhs_align), (Math_SubOp $x, $y, $lhs_align, $rhs_align)>;

def SubtractNegated : Pat<
  (Math_SubOp $x, (Math_NegOp $y), $lhs_align, $rhs_align), (Math_AddOp $x, $y, $lhs_align, $rhs_align)>;

//===----------------------------------------------------------------------===//
// Batch normalisation after a linear operator
//===----------------------------------------------------------------------===//

// With k = scale / sqrt(variance + epsilon), which has one element a channel, batch normalisation (section 4.4.4) of
// `filter * x + b` is `(k filter) * x + (k (b - mean) + bias)`. All of this depends on variables only, so it is
// computed once, before the model runs.

// An optional operand: whether it is there, and how it is matched.
class Part<bit isPresent, dag match> {
  bit present = isPresent;
  dag matched = match;
}

// Multiplies the filter by k along its first or its last dimension.
class Scaling<string suffix, dag product> {
  string name = suffix;
  dag scaled = product;
}

foreach linearBias = [Part<0, (variadic)>, Part<1, (variadic $b)>] in
foreach normBias = [Part<0, (variadic)>, Part<1, (variadic $bias)>] in
foreach normScale = [Part<0, (variadic)>, Part<1, (variadic $scale)>] in {
  defvar parts = "B" # linearBias.present # normBias.present # normScale.present;
  defvar deviation = (Math_SqrtOp (Math_AddOp $variance, (SkriptND_ConstantOp (ScalarOf $epsilon), (returnType (ScalarType $variance))), ?, ?, (returnType $variance)), (returnType $variance));
  defvar factor = !if(normScale.present,
    (Math_DivOp:$k $scale, deviation, ?, ?, (returnType $mean)),
    (Math_RcpOp:$k deviation, (returnType $mean)));
  defvar centered = !if(linearBias.present,
    (Math_SubOp $b, $mean, ?, ?, (returnType $mean)),
    (Math_NegOp $mean, (returnType $mean)));
  defvar offset = (Math_MulOp $k, centered, ?, ?, (returnType $mean));
  defvar shifted = !if(normBias.present, (Math_AddOp:$shift offset, $bias, ?, ?, (returnType $mean)),
                                         (Math_MulOp:$shift $k, centered, ?, ?, (returnType $mean)));
  defvar prepared = !listconcat(
    [(IsPrepared $filter), (IsPrepared $mean), (IsPrepared $variance)],
    !if(linearBias.present, [(IsPrepared $b)], []<dag>),
    !if(normBias.present, [(IsPrepared $bias)], []<dag>),
    !if(normScale.present, [(IsPrepared $scale)], []<dag>));

  foreach layout = [
    Scaling<"NFirst", (Math_MulOp $filter, $k, ?, 0, (returnType $filter))>,
    Scaling<"NLast", (Math_MulOp $filter, $k, ?, ?, (returnType $filter))>
  ] in {
    defvar formats = !if(!eq(layout.name, "NFirst"), SkriptND_OneOf<["NCX", "NXC"]>, SkriptND_OneOf<["XCN", "CXN"]>);
    def "FoldBatchNormIntoConv" # layout.name # parts : Pattern<
      (NN_BatchNormOp
        (NN_ConvOp:$linear $x, $filter, linearBias.matched, $stride, $dilation, $padding, $padding_align,
                           $ceil_mode, $groups, StrAttr:$data_format, formats:$filter_format),
        $mean, $variance, normBias.matched, normScale.matched, F64Attr:$epsilon, I64Attr:$channel_axis),
      [factor, shifted,
       (NN_ConvOp $x, layout.scaled, $shift, $stride, $dilation, $padding, $padding_align, $ceil_mode, $groups,
                  $data_format, $filter_format)],
      !listconcat([(HasOneUse $linear), (IsChannelAxis $linear, $channel_axis, $data_format)], prepared)>;
  }

  def "FoldBatchNormIntoLinear" # parts : Pattern<
    (NN_BatchNormOp
      (NN_LinearOp:$linear $x, $filter, linearBias.matched),
      $mean, $variance, normBias.matched, normScale.matched, F64Attr:$epsilon,
      ConfinedAttr<I64Attr, [IntIsOneOf<[1, -1]>]>:$channel_axis),
    [factor, shifted, (NN_LinearOp $x, (Math_MulOp $filter, $k, ?, 0, (returnType $filter)), $shift)],
    !listconcat([(HasOneUse $linear)], prepared)>;
}

#endif // SKRIPTND_REWRITES_TD
