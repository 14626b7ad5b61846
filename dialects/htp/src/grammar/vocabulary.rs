//! The names of the rule language: where each may stand and how many operands it takes.

/// Parts of a rule that a name may belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// `match_op`.
    Match,
    /// `cst_expr`.
    Scalar,
    /// `cst_opref`.
    Operand,
    /// `repl_op`.
    Replacement,
}

impl Place {
    /// For messages: what is wanted in such a place.
    pub fn describe(self) -> &'static str {
        match self {
            Place::Match => "Op, OpVarIn, LET or an operand tag",
            Place::Scalar => "a constraint expression",
            Place::Operand => "an operand tag, INPUT_OF or OUTPUT_OF",
            Place::Replacement => "a replacement",
        }
    }
}

/// One name and how it is used.
#[derive(Debug, Clone, Copy)]
pub struct Production {
    /// The name before the parenthesis.
    pub name: &'static str,
    /// Where it may stand.
    pub places: &'static [Place],
    /// The least number of operands.
    pub min: usize,
    /// The greatest number of operands; `None` if there is none.
    pub max: Option<usize>,
    /// How it is written.
    pub form: &'static str,
    /// Whether only the `sdk` mode has it.
    pub extension: bool,
}

/// What an operand of a call is, by the look of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// A string constant.
    Text,
    /// A bare name.
    Name,
    /// `cst_opref`.
    Operand,
    /// `repl_op`.
    Replacement,
    /// An op of a match.
    Match,
    /// A number or a condition.
    Scalar,
    /// A dtype.
    DType,
    /// What the place of the call says.
    Same,
}

impl Slot {
    /// Of an operand in a production's form.
    fn of(written: &str) -> Self {
        match written {
            "function" | "TensorClass" => Slot::Name,
            "operand" => Slot::Operand,
            "replacement" | "base" | "shape" | "start_shape" | "size_shape" => Slot::Replacement,
            "Op(...)" => Slot::Match,
            "dtype" => Slot::DType,
            "a" | "b" => Slot::Same,
            _ if written.starts_with('"') => Slot::Text,
            _ => Slot::Scalar,
        }
    }
}

impl Production {
    /// What its operands are when there are so many; those that may be repeated are left out.
    pub fn slots(&self, count: usize) -> Vec<Slot> {
        let forms = self.form.split(" or ").map(|form| {
            let operands = form.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or_default();
            operands.split(", ").filter(|written| !written.ends_with("...")).map(Slot::of).collect::<Vec<_>>()
        });
        let forms: Vec<_> = forms.collect();
        let fitting = forms.iter().find(|slots| slots.len() == count);
        fitting.or(forms.first()).cloned().unwrap_or_default()
    }
}

const fn fixed(name: &'static str, places: &'static [Place], count: usize, form: &'static str) -> Production {
    Production { name, places, min: count, max: Some(count), form, extension: false }
}

const fn at_least(name: &'static str, places: &'static [Place], min: usize, form: &'static str) -> Production {
    Production { name, places, min, max: None, form, extension: false }
}

const fn extension(name: &'static str, places: &'static [Place], form: &'static str) -> Production {
    Production { name, places, min: 1, max: Some(1), form, extension: true }
}

const M: &[Place] = &[Place::Match];
const S: &[Place] = &[Place::Scalar];
const O: &[Place] = &[Place::Operand, Place::Replacement];
const R: &[Place] = &[Place::Replacement];
const MR: &[Place] = &[Place::Match, Place::Replacement];
const SOR: &[Place] = &[Place::Scalar, Place::Operand, Place::Replacement];

/// All productions that are written as calls.
pub const PRODUCTIONS: &[Production] = &[
    // Match
    at_least("Op", MR, 1, "Op(\"name\", operand...)"),
    at_least("OpVarIn", M, 1, "OpVarIn(\"name\", operand...)"),
    fixed("LET", M, 2, "LET(\"tag\", Op(...))"),
    extension("OPCONST", M, "OPCONST(\"tag\")"),
    // Constraint
    fixed("LAYOUT_CHUNKSIZE", S, 2, "LAYOUT_CHUNKSIZE(TensorClass, dimension)"),
    fixed("OPTION_INT", S, 1, "OPTION_INT(\"option\")"),
    fixed("OPTION_UINT", S, 1, "OPTION_UINT(\"option\")"),
    fixed("OPTION_BOOL", S, 1, "OPTION_BOOL(\"option\")"),
    fixed("OPTION_FLOAT", S, 1, "OPTION_FLOAT(\"option\")"),
    fixed("UINT", S, 1, "UINT(value)"),
    fixed("INT", S, 1, "INT(value)"),
    fixed("FLOAT", S, 1, "FLOAT(value)"),
    fixed("DTYPE", S, 1, "DTYPE(integer)"),
    fixed("NOT", S, 1, "NOT(condition)"),
    fixed("NEG", S, 1, "NEG(value)"),
    fixed("ABS", S, 1, "ABS(value)"),
    fixed("IS_POW2", S, 1, "IS_POW2(integer)"),
    fixed("SELECT", SOR, 3, "SELECT(condition, a, b)"),
    fixed("ROUNDUP", S, 2, "ROUNDUP(integer, power_of_two)"),
    at_least("AND", S, 1, "AND(condition...)"),
    at_least("OR", S, 1, "OR(condition...)"),
    at_least("XOR", S, 1, "XOR(condition...)"),
    at_least("ADD", S, 1, "ADD(value...)"),
    at_least("MUL", S, 1, "MUL(value...)"),
    at_least("MIN", S, 1, "MIN(value...)"),
    at_least("MAX", S, 1, "MAX(value...)"),
    fixed("SUB", S, 2, "SUB(a, b)"),
    fixed("DIV", S, 2, "DIV(a, b)"),
    fixed("REM", S, 2, "REM(integer, integer)"),
    fixed("MOD", S, 2, "MOD(integer, integer)"),
    fixed("EQ", S, 2, "EQ(a, b)"),
    fixed("NE", S, 2, "NE(a, b)"),
    fixed("LT", S, 2, "LT(a, b)"),
    fixed("GT", S, 2, "GT(a, b)"),
    fixed("LE", S, 2, "LE(a, b)"),
    fixed("GE", S, 2, "GE(a, b)"),
    fixed("RANK_OF", S, 1, "RANK_OF(operand)"),
    fixed("DIM_OF", S, 2, "DIM_OF(operand, dimension)"),
    fixed("STEPSIZE_OF", S, 1, "STEPSIZE_OF(operand)"),
    extension("ZERO_OFFSET_OF", S, "ZERO_OFFSET_OF(operand)"),
    fixed("DTYPE_OF", S, 1, "DTYPE_OF(operand)"),
    fixed("ELEMENTSIZE_OF", S, 1, "ELEMENTSIZE_OF(operand)"),
    fixed("INPUTS_OF", S, 1, "INPUTS_OF(operand)"),
    fixed("OUTPUTS_OF", S, 1, "OUTPUTS_OF(operand)"),
    fixed("SAME_ENCODING", S, 2, "SAME_ENCODING(operand, operand)"),
    fixed("SAME_OP", S, 2, "SAME_OP(operand, operand)"),
    fixed("SAME_SHAPE", S, 2, "SAME_SHAPE(operand, operand)"),
    fixed("CONSTVAL_INT", S, 2, "CONSTVAL_INT(operand, index)"),
    fixed("CONSTVAL_INT_VALID", S, 2, "CONSTVAL_INT_VALID(operand, index)"),
    fixed("CONSTVAL_FLOAT", S, 2, "CONSTVAL_FLOAT(operand, index)"),
    fixed("CONSTVAL_FLOAT_VALID", S, 2, "CONSTVAL_FLOAT_VALID(operand, index)"),
    fixed("SPLIT_DIM", S, 1, "SPLIT_DIM(\"split\")"),
    fixed("SPLIT_START", S, 1, "SPLIT_START(\"split\")"),
    fixed("SPLIT_SIZE", S, 1, "SPLIT_SIZE(\"split\")"),
    fixed("ITER_VAR", S, 1, "ITER_VAR(\"split\")"),
    at_least("EXTERNAL_CONSTRAINT", S, 2, "EXTERNAL_CONSTRAINT(function, \"tag\", value...)"),
    fixed("IS_QUINT8", S, 1, "IS_QUINT8(operand)"),
    fixed("IS_QINT8", S, 1, "IS_QINT8(operand)"),
    fixed("IS_QUINT16", S, 1, "IS_QUINT16(operand)"),
    fixed("IS_QINT16", S, 1, "IS_QINT16(operand)"),
    fixed("IS_QINT32", S, 1, "IS_QINT32(operand)"),
    fixed("IS_INT32", S, 1, "IS_INT32(operand)"),
    fixed("IS_FLOAT16", S, 1, "IS_FLOAT16(operand)"),
    fixed("IS_FLOAT32", S, 1, "IS_FLOAT32(operand)"),
    fixed("IS_FLOAT", S, 1, "IS_FLOAT(operand)"),
    fixed("DIM_BATCHES", S, 1, "DIM_BATCHES(operand)"),
    fixed("DIM_HEIGHT", S, 1, "DIM_HEIGHT(operand)"),
    fixed("DIM_WIDTH", S, 1, "DIM_WIDTH(operand)"),
    fixed("DIM_DEPTH", S, 1, "DIM_DEPTH(operand)"),
    fixed("DIM_FILTHEIGHT", S, 1, "DIM_FILTHEIGHT(operand)"),
    fixed("DIM_FILTWIDTH", S, 1, "DIM_FILTWIDTH(operand)"),
    fixed("DIM_FILTDEPTH", S, 1, "DIM_FILTDEPTH(operand)"),
    fixed("DIM_NFILTS", S, 1, "DIM_NFILTS(operand)"),
    extension("int", S, "int(value)"),
    extension("size_t", S, "size_t(value)"),
    extension("float", S, "float(value)"),
    // Operands
    fixed("INPUT_OF", O, 2, "INPUT_OF(operand, index)"),
    fixed("OUTPUT_OF", O, 2, "OUTPUT_OF(operand, index)"),
    // Replacement
    fixed("Operand", R, 1, "Operand(\"tag\")"),
    fixed("WrapOp", R, 2, "WrapOp(\"name\", replacement)"),
    fixed("WrapOpAlways", R, 2, "WrapOpAlways(\"name\", replacement)"),
    at_least("gen_Shape", R, 1, "gen_Shape(extent...)"),
    fixed("gen_ShapeOf", R, 1, "gen_ShapeOf(operand)"),
    fixed("gen_ConstScalar_f32", R, 1, "gen_ConstScalar_f32(value)"),
    fixed("gen_ConstScalar_i32", R, 1, "gen_ConstScalar_i32(integer)"),
    fixed("gen_ConstArr_f32", R, 2, "gen_ConstArr_f32(value, count)"),
    fixed("gen_ConstArr_i32", R, 2, "gen_ConstArr_i32(integer, count)"),
    at_least("gen_ConstArr_vals_i32", R, 1, "gen_ConstArr_vals_i32(integer...)"),
    fixed("AUTOSPLIT", R, 4, "AUTOSPLIT(dimension, \"split\", size, replacement)"),
    fixed("OP_ITER", R, 5, "OP_ITER(base, \"split\", low, high, replacement)"),
    fixed("ITER_INPUT_OF", R, 2, "ITER_INPUT_OF(operand, \"split\")"),
    at_least("AUTOSPLIT_SHAPEFN_APPLY", R, 2, "AUTOSPLIT_SHAPEFN_APPLY(function, \"split\", operand...)"),
    fixed("WITH_SIZE", R, 2, "WITH_SIZE(shape, replacement)"),
    fixed("WITH_TYPE", R, 2, "WITH_TYPE(operand, replacement)"),
    fixed("WITH_SAME_OUTPUT", R, 2, "WITH_SAME_OUTPUT(operand, replacement)"),
    fixed("WITH_OUTPUT_TYPE", R, 4, "WITH_OUTPUT_TYPE(dtype, zero_offset, stepsize, replacement)"),
    fixed("WITH_MULTI_OUT", R, 2, "WITH_MULTI_OUT(outputs, replacement)"),
    fixed("ResizeDim", R, 3, "ResizeDim(dimension, extent, replacement)"),
    fixed("WITH_SAME_ID", R, 2, "WITH_SAME_ID(operand, replacement)"),
    Production {
        name: "WITH_SPLIT_HISTORY",
        places: R,
        min: 2,
        max: Some(3),
        form: "WITH_SPLIT_HISTORY(operand, replacement) or WITH_SPLIT_HISTORY(operand, integer, replacement)",
        extension: false,
    },
    fixed("EXTERNAL_REPLACE", R, 1, "EXTERNAL_REPLACE(function)"),
    at_least("SHAPEFN_APPLY", R, 1, "SHAPEFN_APPLY(function, operand...)"),
    fixed("AUTOSPLIT_SLICE", R, 3, "AUTOSPLIT_SLICE(operand, start_shape, size_shape)"),
    fixed("TYPICAL_SLICE", R, 2, "TYPICAL_SLICE(operand, \"split\")"),
    fixed("CHANGEDIM_SLICE", R, 3, "CHANGEDIM_SLICE(operand, \"split\", new_dimension)"),
    at_least("OpMultiOut", R, 3, "OpMultiOut(outputs, output, \"name\", operand...)"),
];

/// The package of the ops that every graph may use.
pub const DEFAULT_PACKAGE: &str = "q";
/// The calls that are spelled otherwise than a production: names of op strings in `sdk` mode.
pub const FROM_DEFAULT_PACKAGE: &str = "FROM_DEFAULT_PACKAGE";
/// Names that stand for constants.
pub const CONSTANTS: &[&str] = &["OK", "true", "false", "INF", "NEG_INF"];

/// The production of this name.
pub fn production(name: &str) -> Option<&'static Production> {
    PRODUCTIONS.iter().find(|p| p.name == name)
}

/// Whether the language has this name, so that a macro of this name has no effect on rules.
pub fn is_known(name: &str) -> bool {
    production(name).is_some() || CONSTANTS.contains(&name) || name == FROM_DEFAULT_PACKAGE || name == "DType"
}

/// Whether a name is a misspelt one of the language rather than one of somebody else.
pub fn is_like_known(name: &str) -> bool {
    let known = PRODUCTIONS.iter().map(|production| production.name).chain(CONSTANTS.iter().copied());
    let slips = if name.len() < 6 { 1 } else { 2 };
    let is_slip = |known: &str| known.eq_ignore_ascii_case(name) || strsim::osa_distance(known, name) <= slips;
    name.len() <= LONGEST && known.into_iter().any(is_slip)
}

/// No name of the language is as long.
const LONGEST: usize = 64;

/// The candidate nearest to `name`, upper and lower case being equal, if one is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // One or two letters are near to anything.
    let limit = match name.chars().count() {
        0..=2 => 0,
        3..=LONGEST => name.chars().count().div_ceil(3),
        _ => return None,
    };
    let name = name.to_lowercase();
    let measured = candidates.into_iter().map(|c| (strsim::levenshtein(&name, &c.to_lowercase()), c));
    measured.filter(|(distance, _)| *distance <= limit).min_by_key(|(distance, _)| *distance).map(|(_, c)| c)
}
