//! The codes of diagnostics.

use strum::{Display, EnumIter, EnumMessage, EnumString, IntoEnumIterator, IntoStaticStr};

/// What kind of message a diagnostic is. Its name in kebab case, e.g. `undeclared-identifier`, stays the same when
/// messages get better; `test/codes.txt` has examples of what each means.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumIter, EnumString, IntoStaticStr, EnumMessage,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Code {
    /// `type`, `arith` and `num` restrict generic types; nothing has them as its own type.
    AbstractType,
    /// The index of a tensor of one dimension needs a comma; without it, `x[i]` is an item of a pack.
    AccessComma,
    /// A check behind `misplaced-access`: the elements of a tensor are read in formulas only.
    AccessOutsideLower,
    /// A tensor has as many indices as dimensions.
    AccessRank,
    /// A check behind `type-mismatch`: `+=`, `&=` and the like are defined for the types that their operators are
    /// defined for.
    AccumulatedType,
    /// A shape with several packs of extents tells only how long they are together. All but one need a length.
    AmbiguousShape,
    /// An invocation has more arguments than the operator has inputs. Attributes stand in braces before the arguments,
    /// and the tensors of a pack in brackets.
    ArgumentCount,
    /// An input that is a pack takes its shape from the tensors that are given for it, so it needs at least one, and a
    /// list: `[x]`.
    ArgumentKind,
    /// An operator doesn't allow these attributes and shapes. The notes have the values that it shows.
    AssertionFailed,
    /// A check behind `too-many-assignments`: an output is initialised once and changed once.
    AssignedAgain,
    /// Every tensor has a name of its own. A variable gets its new value in `@update`.
    AssignedTwice,
    /// A check behind `type-mismatch`: a formula gives elements of the type that its output is declared with.
    AssignedType,
    /// A single value stands for all items of an attribute that is a pack, if something tells how many they are.
    AttributeLength,
    /// A value from outside, as `--attr` gives it, has not the type that the graph declares for the attribute. Write
    /// `1.0` for a real number and `[1, 2]` for a pack.
    AttributeType,
    /// Numbers and truth values can be converted to one another; strings are made by formatting.
    BadCast,
    /// The default of a generic type is one of the types that it may stand for.
    BadDefault,
    /// The operators that can be folded over a pack give, for two items, another item; subtraction, for instance, can't
    /// be.
    BadFold,
    /// In a string, braces hold an expression that is replaced by its value. Braces that are meant as text have a
    /// backslash.
    BadFormat,
    /// `a[i] <- b` is the pack `a` with another item `b` in place `i`. Packs have one dimension, so `i` is one index,
    /// or a pack of indices for several new items.
    BadSubstitution,
    /// A check behind `type-mismatch`: a condition or an operand of `&&` and `||` is a truth value.
    BoolExpected,
    /// The branches of `if` give as many results as one another, of the same types and ranks.
    BranchMismatch,
    /// Whichever branch is taken, the result is the same kind of thing: where it is a pack, all branches give packs of
    /// as many tensors.
    BranchResults,
    /// A check behind `type-mismatch`: both values of `?:` have one type.
    BranchTypes,
    /// A check behind `type-mismatch`: functions such as `sqrt` compute with real numbers; convert an integer by
    /// `real(n)`.
    BuiltinType,
    /// The body of a loop gives a new value for each tensor behind `with`.
    CarriedCount,
    /// A pack is indexed by the run, and its items are known to the run only, so that the formula holds all of them.
    /// Let a loop over the length of the pack choose among them.
    ChoiceLimit,
    /// The default of an attribute can't use the attribute itself, nor one whose default uses it.
    CircularDefault,
    /// A generic type is restricted by `type`, `arith` or `num`. What has one type needs no name for it.
    ConcreteBound,
    /// A condition is one truth value.
    Condition,
    /// A condition of the run is one truth value, and this tensor has more or fewer elements than one. Its shape was
    /// not known before; reduce it, with `math.any_reduce` for instance.
    ConditionShape,
    /// A condition that is a tensor has a single element.
    ConditionType,
    /// The value of a constant may be a formula. Its indices then run over the shape of the constant, no less and no
    /// more.
    ConstantBounds,
    /// One branch is never taken. This is a warning.
    ConstantCondition,
    /// The elements of a constant with a formula are computed and stored when composing. Large tensors are computed in
    /// the run, by an operator, or are variables, which are read from files.
    ConstantLimit,
    /// A pack of constants has one value for each of its tensors, so these stand in a list.
    ConstantPack,
    /// A check behind `constant-without-value`: a constant has its value in the definition.
    ConstantValue,
    /// A list that is the value of a constant has one item for each element, in row-major order. A single value stands
    /// for all.
    ConstantVolume,
    /// A constant has its value in the definition; a variable has it in a file.
    ConstantWithoutValue,
    /// How far an index runs must be known before the formula is computed.
    DataDependentBound,
    /// What a loop carries may be declared with a shape; the value that it starts from has that shape.
    DeclaredType,
    /// An input that is not given takes its default, whose shape then follows from other inputs or from attributes.
    DefaultShape,
    /// Compiled code gives something else than the interpreter, which executes the formulas as they are written. That is a
    /// defect of the compiler, or a sum in another order, if the difference is small: `skriptnd compare --tolerance`.
    Departing,
    /// `..` before an extent in the shape of a pack of tensors takes a pack of extents, one for each tensor. A single
    /// extent is the same for all of them.
    DistinctExtent,
    /// Integers can't be divided by 0, and the message names the values. Where a divisor may be 0, ask before.
    DivisionByZero,
    /// In rules, `DType::Float` is no tag of `DType`; it is taken as `DType::Float32`.
    DtypeFloat,
    /// An invocation gives an attribute one value.
    DuplicateAttribute,
    /// A definition has each block once.
    DuplicateBlock,
    /// The same import stands twice. This is a warning.
    DuplicateImport,
    /// All names of a definition differ: those of attributes, inputs, extents, helper symbols and outputs.
    DuplicateName,
    /// Two definitions of a module have the same name.
    DuplicateOperator,
    /// A part of a dimension becomes a pack of elements, which the composed formula lists. It must be known where it
    /// ends, so this works for fixed extents only.
    DynamicSlice,
    /// How often an unrolled loop runs is known before the run; an ordinary loop may ask a tensor.
    DynamicUnroll,
    /// Something must end a loop: a count, a pack to run over, or a condition.
    EndlessLoop,
    /// A pack of indices chooses several items and stands as it is between the brackets; `..` puts items into a list.
    ExpandedIndex,
    /// A check behind `not-a-pack`: a single value is repeated by `..(n)`, with a length.
    ExpansionLength,
    /// The macros around a rule are nested deeper, or make it longer, than rules are.
    ExpansionLimit,
    /// A value that only the run knows has so many parts that it would fill the composed graph, by a recursion or long
    /// packs in most cases. Fix the extents that it depends on, or compute it by an operator.
    ExpressionLimit,
    /// A name or a form that tools know and the published grammar of rules does not; `--mode strict` refuses it.
    Extension,
    /// An extent that varies from run to run has an upper bound, the same wherever it stands.
    ExtentBound,
    /// The extents of inputs are found by solving for the names in them, which works for `n`, `2 * n + 1` and the like.
    /// Give other formulas a name of their own, or take the name in them from an attribute.
    ExtentNotAffine,
    /// A file is larger than 4 GiB. Data belongs to the files of variables.
    FileTooLarge,
    /// The formula of an operator became too large when composing, by unrolled loops or long packs in most cases. Write
    /// a loop over an index in their place.
    FormulaLimit,
    /// A generic type follows from the arguments, and an empty list has no type.
    GenericNotDeduced,
    /// Only the main module has graphs; what other modules share are operators.
    GraphInModule,
    /// A generic type of a graph that runs follows from nothing: it is given, as by `--dtype T=real`, or has a default.
    GraphTypeMissing,
    /// Formulas belong to operators; a graph is composed of invocations.
    GraphWithFormula,
    /// A check behind `misplaced-bound`: bars guard the indices of tensors in formulas.
    GuardOutsideLower,
    /// An index symbol has the name of an attribute or extent, which can't be used in this formula. This is a warning.
    HidingIndex,
    /// The main module is what is run: nothing imports it. Move what several modules need to a module of its own.
    ImportOfMain,
    /// A file that a rule file includes was not found or can't be read, or includes go too deep.
    Include,
    /// The compiler has made a graph that contradicts itself. This is a fault of the compiler; please report it with
    /// the model.
    InconsistentGraph,
    /// A tensor has one index for each dimension; `i..` stands for as many as its bounds have.
    IndexCount,
    /// A formula reads outside of a tensor. Indices between bars are guarded: what lies outside is left out or
    /// remapped.
    IndexOutOfRange,
    /// The items of a pack are numbered from 0; negative indices count from its end, -1 being the last item.
    IndexRange,
    /// A check behind `type-mismatch`: indices are integers.
    IndexType,
    /// A program that runs a graph gave more or fewer inputs than the graph has.
    InputCount,
    /// A check behind `type-mismatch`: extents, lengths and bounds are integers.
    IntExpected,
    /// Integers have 64 bits, and nothing wraps around. What is larger, or not a number, can't become one.
    IntegerOverflow,
    /// An operator that is built in, one that the language can't express as a formula, got elements that it can't
    /// compute with. The message says which.
    InvalidOperand,
    /// Operators invoke each other without end. A recursion ends by a condition on attributes or shapes, which comes
    /// true at some time.
    InvocationLimit,
    /// A formula of so many iterations would never end. The bounds of its indices are probably not what was meant.
    IterationLimit,
    /// `LET` in a match names one op, by a tag of its own, and neither the root nor an op around itself.
    Let,
    /// The macro that registers a rule, and its parenthesis, stand at the start of one line: other tools look for them
    /// there.
    LineStart,
    /// A number is larger than what can be computed with.
    LiteralRange,
    /// A loop with `for` takes one item of its packs per iteration, so it can't run more often than they have items.
    LoopCount,
    /// What a loop carries may change its extent only below a bound that is known when composing, since tensors are
    /// stored in memory of a known size.
    LoopGrowth,
    /// A loop over several packs takes one item of each per iteration, so they have as many items.
    LoopLengths,
    /// A statement of a formula has more index symbols than a tensor can have dimensions.
    LoopLimit,
    /// A loop takes the items of a pack one by one, and its body is composed once for all of them, so they have one
    /// type and rank. `unroll` in place of `do` composes the body for each.
    LoopPack,
    /// What the body of a loop gives for a carried tensor is carried to the next iteration, so it has the same shape.
    LoopResults,
    /// A formula computes the outputs of its operator. Inputs, constants and variables keep their values.
    LoweredOther,
    /// A `#define` that can't be read, or a macro that is used with other arguments than it has, or that has the name
    /// of a part of the rule language.
    Macro,
    /// A mask, which is a pack of truth values, chooses the items that `a[mask]` has. New items are put in by index, or
    /// chosen by `?:` item by item.
    MaskInSubstitution,
    /// A tensor of the run is larger than the memory, or than the limit that was given for the run.
    MemoryLimit,
    /// Elements of tensors are read in formulas; statements pass whole tensors to operators.
    MisplacedAccess,
    /// Bars guard indices of tensors.
    MisplacedBound,
    /// Nothing follows `yield` in its block.
    MisplacedYield,
    /// An input that is neither optional nor has a default is not given.
    MissingArgument,
    /// An attribute that is neither optional nor has a default is not given.
    MissingAttribute,
    /// `1..` reads like the beginning of a real number.
    MissingBlank,
    /// The extents of constants and variables are given by attributes, inputs or numbers.
    MissingExtent,
    /// `:=`, `<=` and `>=` change a value, which an assignment with `=` gives first.
    MissingInitialisation,
    /// A run needs a value for each input of the graph that has no default: `--input NAME=FILE`.
    MissingInput,
    /// Statements and declarations end with a semicolon, the last one of a block too.
    MissingSemicolon,
    /// Tensors have shapes; only outputs of graphs may leave them out.
    MissingShape,
    /// A block ends with `yield` and its results.
    MissingYield,
    /// A check behind `type-mismatch`: the items of a list have one type.
    MixedList,
    /// Operators of another module are known where it is imported.
    ModuleNotImported,
    /// A power of integers is an integer, and `2 ** -1` is none. Compute with reals.
    NegativeExponent,
    /// A dimension of a tensor has 0 elements or more, and so has the bound of one. The message says what was computed.
    NegativeExtent,
    /// A pack has 0 items or more. The message says which number was computed for its length.
    NegativeLength,
    /// An index runs from 0 up to its bound; a negative one is a mistake in most cases. Use `max` where it is none.
    NegativeLoop,
    /// A constant below zero meets an unsigned size in a rule and becomes a huge number.
    NegativeSize,
    /// An invocation is a statement of its own; its result has a name.
    NestedInvocation,
    /// Packs don't contain packs, so only one of the indices may choose several things: tensors of a pack, or elements
    /// of a tensor. Choose one tensor first: `xs[k][i,:]`.
    NestedPack,
    /// Brackets, expressions or operators are nested deeper than any program that was written by hand. Give parts of an
    /// expression names in `@using`; end a recursion earlier.
    NestingLimit,
    /// `?` and `??` ask whether an optional value is there. This one always is.
    NeverNull,
    /// A check behind others: only what has a `@compose` block can be composed.
    NoComposition,
    /// An operator with neither formula nor composition can be invoked, but not run. This is a warning.
    NoComputation,
    /// The main module has a graph, which is what runs.
    NoGraph,
    /// An operator that has neither formula nor composition can be composed, but the run doesn't know how to compute
    /// it.
    NoKernel,
    /// A graph has outputs, or variables that it updates: without them, running it gives nothing.
    NoOutput,
    /// What stands in `@quantize` maps a tensor to one of the same shape: an operator with one input and one output.
    NoQuantization,
    /// A file that was given as one of rules has none: it may be the wrong file. This is a warning.
    NoRules,
    /// A check behind `bad-cast`: numbers and truth values can be converted to one another, strings can't.
    NoSuchCast,
    /// A check behind `bad-fold`: operators that give an item for two items can be folded over a pack.
    NoSuchFold,
    /// The main module has no graph of the name that was asked for, with `--graph` for instance.
    NoSuchGraph,
    /// A check behind `unknown-member`: tensors have `.shape` and `.rank`, packs of tensors have `.size`.
    NoSuchMember,
    /// Only packs are expanded, folded, indexed and taken apart.
    NotAPack,
    /// Statements give values to outputs and to new names.
    NotAssignable,
    /// A backend can't compile the graph; the message says what of it. `skriptnd check --backend` tells before anything
    /// is written, and the interpreter runs it: `--backend interpret`.
    NotCompiled,
    /// A fault of the formatter: what it would write means something else than the file. The file is left as it is.
    NotFormatted,
    /// A check behind `not-a-pack`: packs can be indexed, and in formulas tensors.
    NotIndexable,
    /// A check behind `missing-initialisation`: `:=`, `<=` and `>=` change a value, which an assignment with `=` gives
    /// first.
    NotInitialised,
    /// A rule is well formed, but needs what is not at hand when rules are applied: an external function that nobody has
    /// bound, or the layout of an unknown class of tensors. It is left out. This is a warning.
    NotSupported,
    /// A number of a rule is malformed, or beyond the range of its type: an int has 32 bits, a size is written with
    /// `U`.
    Number,
    /// A constant of a rule that begins with `0` is octal, as in C.
    Octal,
    /// A check behind `pack-index`: a pack has one index or one range.
    OneIndex,
    /// A list on the left takes a pack apart. Only one of its parts can take the rest, otherwise nobody knows where the
    /// first ends.
    OpenParts,
    /// A range in a list has both ends.
    OpenRange,
    /// A part of a rule has more or fewer operands than it takes.
    OperandCount,
    /// `"*"` stands for the root of a match in constraint and replacement; within the match it tags nothing.
    OperandTag,
    /// A check behind `type-mismatch`: the operands of an operator have one type, which the operator is defined for.
    OperandType,
    /// Unrolled loops or recursions made a graph of more operations than can be handled. A loop with `do` is one
    /// operation, how often it may run.
    OperationLimit,
    /// What is optional is null where it isn't given; it has no other default.
    OptionalDefault,
    /// `a ?? b` is `b` where `a` is null. The last value of such a chain is always there, or nothing is gained.
    OptionalFallback,
    /// What may be null needs a test or a fallback where a value is expected.
    OptionalNotResolved,
    /// A block gives tensors, never null. Choose another tensor for an optional input that is not given.
    OptionalYield,
    /// `@update` gives variables their values for the next run. Outputs are computed in `@compose`.
    OutputInUpdate,
    /// An output has no value.
    OutputNotAssigned,
    /// A result is not what its declaration says.
    OutputType,
    /// Outputs are assigned in `@compose` or `@lower`.
    OutputWithValue,
    /// A formula assigns the same element several times, so that only the last value remains. This is a warning.
    OverwrittenElement,
    /// A check behind `not-a-pack`: only packs are folded and expanded.
    PackExpected,
    /// A check behind others: `a[i] <- x` replaces one item by one value; several are replaced by `a[[0, 2]] <- [x,
    /// y]`.
    PackForItem,
    /// A pack has one index and no comma: `a[i]`. The comma in `x[i,]` says that `x` is a tensor.
    PackIndex,
    /// A run was given more or fewer tensors for an input than its pack has.
    PackLength,
    /// A pack of constants or variables has its length in its declaration, since no argument tells it.
    PackLengthMissing,
    /// Packs that are taken item by item have as many items, and a list on the left has a name for each item of the
    /// pack.
    PackLengths,
    /// A pack of so many items would take too much memory. Packs hold attributes and extents; use a tensor for data.
    PackLimit,
    /// Packs don't contain packs. `..` puts the items of one into a list, and a single value isn't a pack.
    PackNotExpanded,
    /// A pack of tensors is given where one tensor is expected.
    PackedArgument,
    /// The number that is added to a pass group is a decimal constant without sign or suffix.
    PassOffset,
    /// The tensors inside of an operator are its own affair unless it is `public`. Its variables and constants can
    /// always be quantized from outside.
    PrivateTensor,
    /// Quantization is executed item by item, which needs to know how many there are. It can stay a note that changes nothing.
    QuantizedLength,
    /// Quantization is about how the elements of a tensor are stored. Attributes are known when composing and aren't
    /// stored.
    QuantizedOther,
    /// A tensor is stored in one way, so `@quantize` names it once.
    QuantizedTwice,
    /// A tensor has more dimensions than can be handled. A pack of extents is probably longer than was meant.
    RankLimit,
    /// An operator whose input has a fixed number of dimensions takes tensors with as many. Reshape the argument, or
    /// declare the input with `s..`, which stands for any number of extents.
    RankMismatch,
    /// A graph's inputs come from outside, so nothing but their declarations tells how many dimensions they have.
    RankMissing,
    /// An operator invokes itself with the same attributes and shapes, so its composition has no end.
    Recursion,
    /// `_` alone is no name.
    ReservedName,
    /// A construction of a rule stands where the rule language forbids it.
    Restriction,
    /// An invocation gives more or fewer results than there are names.
    ResultCount,
    /// A check behind others: `ys..` on the left takes a pack of tensors; a plain name takes one tensor.
    ResultKind,
    /// `ROUNDUP` rounds up to a multiple of a power of 2.
    Roundup,
    /// A rule is followed by a comma or a parenthesis, so its own parentheses may not be where they were meant. A closing
    /// one is a warning.
    RuleEnd,
    /// An index of the run chooses an item of a pack of attributes, if these are numbers or truth values. Strings are
    /// known when composing only.
    RunTimeIndex,
    /// Strings exist when composing only: names, modes, messages. The elements of tensors are known at run time, too
    /// late to write them into a string; compare the numbers themselves.
    RunTimeText,
    /// How many items a pack has, how often a loop is unrolled and the like is settled when composing. An extent that
    /// varies from run to run is known too late; make it a number, or an attribute of the graph.
    RunTimeValue,
    /// A check behind `optional-not-resolved`: a condition that only the run knows chooses between two values, so it
    /// needs both.
    SelectAlternative,
    /// The extents of an argument don't go with those of others.
    ShapeMismatch,
    /// A graph's inputs come from outside, so their declarations have the shapes.
    ShapeMissing,
    /// An operator takes several tensors as a pack, which is written in brackets.
    SingleArgument,
    /// Each `AUTOSPLIT` and `OP_ITER` of a rule gives a split tag of its own, which its last operand uses.
    SplitTag,
    /// A rule with `AUTOSPLIT` compares no dimension, so it splits even what fits one slice, again and again.
    SplitUnguarded,
    /// A string constant of a rule is closed on its line, is not empty, and holds printable ASCII characters without
    /// blanks.
    StringConstant,
    /// A string is longer than any message or name. A recursion that doubles it is the usual reason.
    StringLimit,
    /// The elements of tensors are numbers and truth values. Strings are given to operators as attributes.
    StringTensor,
    /// The text can't be read here. The message says what could stand in this place.
    Syntax,
    /// A check behind `lowered-other`: a formula computes the elements of outputs.
    TargetIsNoOutput,
    /// `+` and the like compute with single values, when composing and in formulas. Tensors are given to operators.
    TensorAsValue,
    /// Attributes are values that are known when composing: numbers, truth values, strings and packs of them.
    TensorAttribute,
    /// A check behind others: arguments of inputs and results of a graph are tensors, or numbers and truth values that
    /// stand for them.
    TensorExpected,
    /// Helper symbols in `@using` are values that are known when composing, or names for parts of a formula; they have
    /// no shape. A pack of values is written with `..`.
    TensorHelper,
    /// No machine has room for such a tensor. An extent in its shape is probably not what was meant.
    TensorTooLarge,
    /// The run takes longer than the limit that was given for it.
    TimeLimit,
    /// The elements of an output are initialised once with `=` and then changed once by `+=`, `:=` or the like. What
    /// takes more steps is computed by several operators.
    TooManyAssignments,
    /// After so many errors the rest of them follow from the first in most cases. Mend these and check again.
    TooManyErrors,
    /// A part of a rule has another type than its place takes. Comparisons give bool, and numbers convert by calls such
    /// as `INT(x)`.
    Type,
    /// A check behind others: a type is no value. `int()` is its default value, `int(x)` a conversion.
    TypeAsValue,
    /// An operator with a generic type says which types it may stand for: `num` are `int` and `real`, `arith` also
    /// `bool`.
    TypeBound,
    /// An operator has fewer generic types than are given.
    TypeCount,
    /// A value has another type than is expected. Nothing is converted by itself.
    TypeMismatch,
    /// A check behind `type-bound`: a generic type stands for some types only.
    TypeNotAdmitted,
    /// A generic type follows from the arguments and attributes that have it; otherwise it is written.
    TypeNotDeduced,
    /// An extent `~` of a result depends on data. Its bound tells how much memory the result may take.
    UnboundedExtent,
    /// `&&` and `||` have the same precedence and are read from the left. This is a warning.
    UnclearLogic,
    /// A parenthesis of a rule is never closed.
    Unclosed,
    /// A block or a definition has no end.
    UnclosedBrace,
    /// A name is known nowhere.
    UndeclaredIdentifier,
    /// The value of an attribute follows from extents that only the run knows, and for those of this run there is none:
    /// an index beyond its pack, a division by zero, a number beyond 64 bits.
    UndefinedAttribute,
    /// Something stands in a rule where its place takes something else.
    Unexpected,
    /// A default that is one value is repeated for all items of a pack, if its declaration says how many these are.
    UniformWithoutLength,
    /// An operator has no attribute of this name.
    UnknownAttribute,
    /// The blocks are `@dtype`, `@attrib`, `@input`, `@output`, `@constant`, `@variable`, `@using`, `@assert`,
    /// `@lower`, `@compose`, `@update` and `@quantize`.
    UnknownBlock,
    /// An op of a package is registered with a cost that there is not.
    UnknownCost,
    /// `DType` has no such tag.
    UnknownDtype,
    /// `--bind` names an extent that no input of the graph has, or the run needs one that no input determines. Such
    /// extents are written with a bound, `n|100`.
    UnknownExtent,
    /// An op of a package is registered with a flag that is none of the published ones.
    UnknownFlag,
    /// There is no built-in function of this name.
    UnknownFunction,
    /// Of a tensor, `.shape` and `.rank` are known when composing, of a pack of tensors `.size`.
    UnknownMember,
    /// A module is a file of the model's folder, or one of the standard library.
    UnknownModule,
    /// A name in a rule, or of a rule's registration, is none of the rule language, nor a macro of the files that were read
    /// (`-I DIR`).
    UnknownName,
    /// A module has no operator of this name.
    UnknownOperator,
    /// A rule names a pass group that there is not (`--passes` gives other ones).
    UnknownPass,
    /// A constraint or replacement uses a tag that the match of the rule does not give.
    UnknownTag,
    /// `@quantize` names tensors of the graph, and by `label.tensor` those inside of its operators.
    UnknownTensor,
    /// Types are `int`, `real`, `bool` and `str`, without a size, and the generic ones of `@dtype`.
    UnknownType,
    /// A block has no beginning.
    UnopenedBrace,
    /// The file of a module can't be read. The message has the reason that the system gives.
    UnreadableModule,
    /// A variable has its value in a file, named like the variable, in the folder of the model. It is missing or can't
    /// be understood; a value that stands in the definition belongs to `@constant`.
    UnreadableVariable,
    /// `unroll` repeats its body when composing. How often a loop of the run is repeated may depend on the run: write
    /// `do`.
    UnrollCount,
    /// `unroll` repeats its body in the composed graph, which would become too large. An ordinary loop does the same in
    /// the run.
    UnrollLimit,
    /// `unroll` repeats its body when composing, when no tensor can be asked. A loop that a condition ends is written
    /// with `do`.
    UnrollWithCondition,
    /// A string begins and has no end.
    UnterminatedString,
    /// An attribute changes nothing. This is a warning; a name that begins with `_` gives none.
    UnusedAttribute,
    /// A constant is declared, and nothing uses it. This is a warning; a name that begins with `_` gives none.
    UnusedConstant,
    /// A module is imported, and nothing of it is named. This is a warning.
    UnusedImport,
    /// An index repeats an assignment without changing it. This is a warning.
    UnusedIndex,
    /// An input changes nothing, and no shape follows from it. This is a warning; a name that begins with `_` gives
    /// none.
    UnusedInput,
    /// No graph needs an operator of the main module, which others can't import. This is a warning; a name that begins
    /// with `_` gives none.
    UnusedOperator,
    /// Nothing uses the results of an invocation. This is a warning; a name that begins with `_` gives none.
    UnusedResult,
    /// Nothing uses a helper symbol or an intermediate value. This is a warning; a name that begins with `_` gives
    /// none.
    UnusedSymbol,
    /// Nothing has a generic type. This is a warning.
    UnusedType,
    /// A variable is read from its file, and nothing uses it. This is a warning; a name that begins with `_` gives
    /// none.
    UnusedVariable,
    /// An update belongs to a run as a whole: a variable gets one new value at its end. Inside of a loop or a branch it
    /// would get several, or none.
    UpdateInRegion,
    /// The new value of a variable is kept for the next run, so it has the variable's type and shape.
    UpdateType,
    /// A name is used above its assignment.
    UsedBeforeAssignment,
    /// Attributes and inputs come first, then helper symbols in their order, then constants, variables and outputs.
    UsedBeforeDefinition,
    /// A rule that never applies, or changes nothing: its condition never holds, it replaces a match by the same, or an
    /// earlier rule of its pass takes all that it matches. Or a part of it that says nothing, or that no graph has: a
    /// comparison whose outcome the match tells, a dimension that no tensor has. This is a warning.
    UselessRule,
    /// A check behind `type-mismatch`: the value of a constant, or what a loop starts from, has the declared type.
    ValueType,
    /// A variable gets its new value in `@update`, when everything else is computed.
    VariableInCompose,
    /// Labels name the files of the variables inside of operators; two invocations can't have the same.
    VariableTwice,
    /// A check behind `variable-with-value`: a variable has its value in a file.
    VariableValue,
    /// A variable has its value in a file.
    VariableWithValue,
    /// A name of the rule language stands in another part of a rule than it belongs to.
    WrongPlace,
    /// A range goes from its begin to its end in steps of its stride; with a stride of 0 it never gets there.
    ZeroStride,
    /// Packs in parentheses are taken item by item, which two dots say.
    ZipNotExpanded,
}

impl Code {
    /// All codes, in the order of their names.
    pub fn all() -> impl Iterator<Item = Code> {
        Code::iter()
    }

    /// What a message of this kind means, in one or more lines.
    pub fn meaning(self) -> &'static str {
        self.get_documentation().unwrap_or_default().trim_end()
    }

    /// The name in kebab case, as options and files write it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn names_are_read_and_sorted() {
        assert_eq!(Code::NotAPack.to_string(), "not-a-pack");
        assert!(Code::all().all(|code| code.name().parse() == Ok(code)));
        assert!(Code::all().map(Code::name).is_sorted());
    }
}
