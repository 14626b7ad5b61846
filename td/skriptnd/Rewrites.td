//===- Rewrites.td - Rewrites of graphs ------------------------------------===//
//
// What `skriptnd-rewrite` applies to whole operators, before any of them is
// taken apart. Native functions are in dialects/skriptnd/src/natives.rs. What is stated here holds for all operands; the
// tests build graphs of each source pattern and compare what the interpreter computes before and afterwards.
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
// Numbers may be combined in another order than that of the formulas, and rounded elsewhere.
def MayRegroup : Constraint<RustPred<"crate::natives::may_regroup($0)">, "may be rounded in another way">;
def IsChannelAxis : Constraint<RustPred<"crate::natives::is_channel_axis($0, $1, $2)">, "is the channel axis">;
def IsIdentityPermutation
    : Constraint<RustPred<"crate::natives::is_identity_permutation($0, $1)">, "permutes nothing">;
def CanComposePermutations
    : Constraint<RustPred<"crate::natives::can_compose_permutations($0, $1, $2, $3, $4)">, "are permutations">;

// All elements of a constant are 0 or false, or 1 or true.
def IsZero : Constraint<RustPred<"crate::natives::is_uniform($0, 0.0)">, "is zero">;
def IsNegativeZero : Constraint<RustPred<"crate::natives::is_uniform($0, -0.0)">, "is -0.0, or 0 of an integer type">;
def IsOne : Constraint<RustPred<"crate::natives::is_uniform($0, 1.0)">, "is one">;
def IsNothing : Constraint<RustPred<"crate::natives::is_nothing($0)">, "has zeros only">;
class IsSliceFrom<int operand> : Constraint<
  RustPred<"crate::natives::is_slice_from(" # operand # ", $0, $1, $2, $3)">, "begins where an operand does">;
def IsShuffleBack : Constraint<RustPred<"crate::natives::is_shuffle_back($0, $1, $2, $3)">, "undoes the other">;

def ComposePermutations : NativeCodeCall<"composePermutations">;
def RankOf : NativeCodeCall<"rankOf">;
def ShapeOf : NativeCodeCall<"shapeOf">;
def ScalarOf : NativeCodeCall<"scalarOf">;
def ScalarType : NativeCodeCall<"scalarType">;

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

// Before `NegatedPlus`, which changes the order.
def AddNegated : Pat<
  (Math_AddOp $x, (Math_NegOp $y), $lhs_align, $rhs_align), (Math_SubOp $x, $y, $lhs_align, $rhs_align), [], [],
  (addBenefit 1)>;

def SubtractNegated : Pat<
  (Math_SubOp $x, (Math_NegOp $y), $lhs_align, $rhs_align), (Math_AddOp $x, $y, $lhs_align, $rhs_align)>;

//===----------------------------------------------------------------------===//
// Batch normalisation after a linear operator
//===----------------------------------------------------------------------===//

// With k = scale / sqrt(variance + epsilon), which has one element a channel, batch normalisation (section 4.4.4) of
// `filter * x + b` is `(k filter) * x + (k (b - mean) + bias)`. All of this depends on variables only, so it is
// computed once, before the model runs. It is rounded in another way than the formulas.

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
    [(MayRegroup $mean), (IsPrepared $filter), (IsPrepared $mean), (IsPrepared $variance)],
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

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

// All of these and those that follow hold exactly, to the sign of a zero, and for integers that wrap: also where modules are to be
// rounded as the formulas are.

// An operator of one operand.
class Unary<string operator, Op op> {
  string name = operator;
  Op definition = op;
}

// What cancels itself.
def NegateNegated : Pat<(Math_NegOp (Math_NegOp $x)), (replaceWithValue $x)>;
def InvertInverted : Pat<(Math_NotOp (Math_NotOp $x)), (replaceWithValue $x)>;

// What is done already. Rounding leaves integers as they are, whichever way they were made.
defvar Roundings = [Unary<"Floor", Math_FloorOp>, Unary<"Ceil", Math_CeilOp>, Unary<"Round", Math_RoundOp>];
foreach first = Roundings in
foreach second = Roundings in
  def second.name # first.name : Pat<(second.definition (first.definition:$y $x)), (replaceWithValue $y)>;

def SignOfSign : Pat<(Math_SignOp (Math_SignOp:$y $x)), (replaceWithValue $y)>;

foreach inner = [Unary<"Abs", Math_AbsOp>, Unary<"Exponential", Math_ExpOp>, Unary<"Logistic", NN_SigmoidOp>] in
  def "AbsOf" # inner.name : Pat<(Math_AbsOp (inner.definition:$y $x)), (replaceWithValue $y)>;
// The square of an integer may be negative, for it wraps.
def AbsOfSquare : Pat<(Math_AbsOp (Math_SqrOp:$y SkriptND_Real:$x)), (replaceWithValue $y)>;

// What forgets the sign. The magnitude of -0.0 is -0.0 by its formula, so that of a negated real is another one.
def AbsOfNegated : Pat<(Math_AbsOp (Math_NegOp SkriptND_Int:$x)), (Math_AbsOp $x)>;
foreach outer = [Unary<"Square", Math_SqrOp>, Unary<"Cosine", Math_CosOp>, Unary<"HyperbolicCosine", Math_CoshOp>] in
foreach inner = [Unary<"Negated", Math_NegOp>, Unary<"Abs", Math_AbsOp>] in
  def outer.name # "Of" # inner.name : Pat<(outer.definition (inner.definition $x)), (outer.definition $x)>;

def MultiplyNegated : Pat<
  (Math_MulOp (Math_NegOp $x), (Math_NegOp $y), $lhs_align, $rhs_align), (Math_MulOp $x, $y, $lhs_align, $rhs_align)>;
// The least integer has no negative.
def DivideNegated : Pat<
  (Math_DivOp (Math_NegOp SkriptND_Real:$x), (Math_NegOp $y), $lhs_align, $rhs_align),
  (Math_DivOp $x, $y, $lhs_align, $rhs_align)>;
// Operands change places, so nothing may say how they are aligned.
def NegatedPlus : Pat<(Math_AddOp (Math_NegOp $x), $y, IsNullAttr, IsNullAttr), (Math_SubOp $y, $x, ?, ?)>;

// What has a name of its own, with the same formula.
def MultiplySelf : Pat<(Math_MulOp:$z $x, $x, $_, $_), (Math_SqrOp $x), [(SameType $x, $z)]>;
def ReciprocalOfRoot : Pat<(Math_RcpOp (Math_SqrtOp $x)), (Math_RsqrtOp $x)>;
def ReciprocalOfSquare : Pat<(Math_RcpOp (Math_SqrOp $x)), (Math_RsqrOp $x)>;

//===----------------------------------------------------------------------===//
// Comparison, logic, choice
//===----------------------------------------------------------------------===//

// An operator of two operands that gives one of them where they are the same.
class Binary<string operator, Op op> {
  string name = operator;
  Op definition = op;
}

defvar Choices = [Binary<"Min", Math_MinOp>, Binary<"Max", Math_MaxOp>, Binary<"And", Math_AndOp>,
                  Binary<"Or", Math_OrOp>];
foreach choice = Choices in
  def choice.name # "Same" : Pat<(choice.definition:$z $x, $x, $_, $_), (replaceWithValue $x), [(SameType $x, $z)]>;

// The operand was regarded already; not for minimum and maximum, where one may be no number.
foreach choice = [Binary<"And", Math_AndOp>, Binary<"Or", Math_OrOp>] in
  def choice.name # "Again" : Pat<
    (choice.definition:$z (either (choice.definition:$y (either $x, $_), IsNullAttr, IsNullAttr), $x), IsNullAttr, IsNullAttr),
    (replaceWithValue $y), [(SameType $y, $z)]>;

// Absorption, which leaves less than what was regarded already.
foreach outer = [Binary<"And", Math_AndOp>, Binary<"Or", Math_OrOp>] in {
  defvar inner = !if(!eq(outer.name, "And"), Math_OrOp, Math_AndOp);
  def outer.name # "Absorbs" : Pat<
    (outer.definition:$z (either $x, (inner (either $x, $_), IsNullAttr, IsNullAttr)), IsNullAttr, IsNullAttr),
    (replaceWithValue $x), [(SameType $x, $z)], [], (addBenefit 1)>;
}

// Equality is decided for all operands, also for those that are no numbers; an order is not.
def NotEqual : Pat<(Math_NotOp (Math_EqOp $x, $y, $lhs_align, $rhs_align)), (Math_NeOp $x, $y, $lhs_align, $rhs_align)>;
def NotUnequal : Pat<(Math_NotOp (Math_NeOp $x, $y, $lhs_align, $rhs_align)), (Math_EqOp $x, $y, $lhs_align, $rhs_align)>;

// Bounds that lie along other dimensions are other bounds.
def ClampClamped : Pat<
  (Math_ClampOp:$z (Math_ClampOp:$y $x, $a, $b, IsNullAttr, IsNullAttr, IsNullAttr), $a, $b, IsNullAttr, IsNullAttr,
                                    IsNullAttr),
  (replaceWithValue $y), [(SameType $y, $z)]>;

def SelectSame : Pat<(Math_SelectOp:$z $_, $x, $x, $_, $_, $_), (replaceWithValue $x), [(SameType $x, $z)]>;
def SelectByInverted : Pat<
  (Math_SelectOp (Math_NotOp $c), $x, $y, $cond_align, IsNullAttr, IsNullAttr),
  (Math_SelectOp $c, $y, $x, $cond_align, ?, ?)>;

//===----------------------------------------------------------------------===//
// Neutral elements
//===----------------------------------------------------------------------===//

// An operator with a constant that changes nothing, on either side or on the right alone. What changes not even the
// sign of a zero is -0.0 for sums of reals and 0.0 for differences. Nothing goes before it.
class Neutral<string operator, Op op, Constraint constraint, bit onLeft> {
  string name = operator;
  Op definition = op;
  Constraint is = constraint;
  bit commutes = onLeft;
}

foreach neutral = [
  Neutral<"AddZero", Math_AddOp, IsNegativeZero, 1>, Neutral<"SubtractZero", Math_SubOp, IsZero, 0>,
  Neutral<"MultiplyOne", Math_MulOp, IsOne, 1>, Neutral<"DivideOne", Math_DivOp, IsOne, 0>,
  Neutral<"PowerOne", Math_PowOp, IsOne, 0>, Neutral<"AndTrue", Math_AndOp, IsOne, 1>,
  Neutral<"OrFalse", Math_OrOp, IsZero, 1>, Neutral<"XorFalse", Math_XorOp, IsZero, 1>
] in {
  if neutral.commutes then
    def neutral.name : Pat<
      (neutral.definition:$y (either $x, (SkriptND_ConstantOp $value)), $_, $_), (replaceWithValue $x),
      [(neutral.is $value), (SameType $x, $y)], [], (addBenefit 2)>;
  else
    def neutral.name : Pat<
      (neutral.definition:$y $x, (SkriptND_ConstantOp $value), $_, $_), (replaceWithValue $x),
      [(neutral.is $value), (SameType $x, $y)], [], (addBenefit 2)>;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

// What is made of a bool tells all that the bool does.
def CastOfCast : Pat<
  (Layout_CastOp (Layout_CastOp SkriptND_Bool:$x, $_), $result), (Layout_CastOp $x, $result)>;

// Nothing is added, or in two steps what can be added in one.
def PadNothing : Pat<
  (Layout_PadOp:$y $x, $_, $_, DenseI64ArrayAttr:$padding, $_), (replaceWithValue $x),
  [(IsNothing $padding), (SameType $x, $y)]>;

// A slice of the same extents, without a stride, is the whole.
def SliceWhole : Pat<
  (Layout_SliceOp:$y $x, $_, $_, $_, IsNullAttr), (replaceWithValue $x), [(StaticType $x), (SameType $x, $y)]>;

// A part of a concatenation that is one of its operands.
def SliceFirst : Pat<
  (Layout_SliceOp:$y (Layout_ConcatOp (variadic $a, $b), $axis), DenseI64ArrayAttr:$axes, $begin, $_, IsNullAttr),
  (replaceWithValue $a), [(StaticType $a), (SameType $a, $y), (IsSliceFrom<0> $axis, $axes, $begin, $a)],
  [], (addBenefit 1)>;
def SliceLast : Pat<
  (Layout_SliceOp:$y (Layout_ConcatOp (variadic $a, $b), $axis), DenseI64ArrayAttr:$axes, $begin, $_, IsNullAttr),
  (replaceWithValue $b), [(StaticType $b), (SameType $b, $y), (IsSliceFrom<1> $axis, $axes, $begin, $a)]>;

// Concatenations along one axis are one.
def ConcatConcatFirst : Pat<
  (Layout_ConcatOp (variadic (Layout_ConcatOp (variadic $a, $b), $axis), $c), $axis),
  (Layout_ConcatOp (variadic $a, $b, $c), $axis), [], [], (addBenefit 1)>;
def ConcatConcatLast : Pat<
  (Layout_ConcatOp (variadic $a, (Layout_ConcatOp (variadic $b, $c), $axis)), $axis),
  (Layout_ConcatOp (variadic $a, $b, $c), $axis)>;

// Blocks that are moved and moved back.
class Inverse<string operators, dag sequence> {
  string name = operators;
  dag matched = sequence;
}
foreach inverse = [
  Inverse<"DepthOfSpace", (Layout_DepthToSpaceOp:$y (Layout_SpaceToDepthOp $x, $size, BoolAttr:$first, StrAttr:$format),
                                                 $size, BoolAttr:$first, StrAttr:$format)>,
  Inverse<"SpaceOfDepth", (Layout_SpaceToDepthOp:$y (Layout_DepthToSpaceOp $x, $size, BoolAttr:$first, StrAttr:$format),
                                                 $size, BoolAttr:$first, StrAttr:$format)>,
  Inverse<"BatchOfSpace", (Layout_BatchToSpaceOp:$y (Layout_SpaceToBatchOp $x, $size, IsNullAttr, IsNullAttr),
                                                 $size, IsNullAttr, IsNullAttr)>,
  Inverse<"SpaceOfBatch", (Layout_SpaceToBatchOp:$y (Layout_BatchToSpaceOp $x, $size, IsNullAttr, IsNullAttr),
                                                 $size, IsNullAttr, IsNullAttr)>
] in
  def inverse.name : Pat<inverse.matched, (replaceWithValue $x), [(SameType $x, $y)]>;

def ShuffleBack : Pat<
  (Layout_ShuffleOp (Layout_ShuffleOp $x, $axis, $first), $axis, $second), (replaceWithValue $x),
  [(IsShuffleBack $x, $axis, $first, $second)]>;

#endif // SKRIPTND_REWRITES_TD
