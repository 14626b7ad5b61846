//! Parts of rules that travel as text by themselves, as [`Writer`](crate::grammar::write::Writer) writes them.

use super::{Terms, well_formed};
use crate::grammar::model::{Expr, Replacement, ReplacementKind, Rule};
use crate::grammar::passes::PassTable;
use crate::grammar::{Directories, Mode, read};
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::Diagnostics;

/// A condition, given the tags that it may name.
pub fn parse_condition(text: &str, tags: &[&str]) -> Result<Expr, String> {
    Ok(parse(tags, text, "Op(\"$\")")?.constraint)
}

/// A part of a replacement, given the tags that it may name.
pub fn parse_replacement(text: &str, tags: &[&str]) -> Result<Replacement, String> {
    // As an operand, it may be what a whole replacement may not.
    match parse(tags, "OK", &format!("Op(\"$\", {text})"))?.replacement.kind {
        ReplacementKind::Op(_, operands) if operands.len() == 1 => Ok(operands).map(|mut only| only.swap_remove(0)),
        _ => Err(format!("expected one replacement: {text}")),
    }
}

/// The only rule of a text around parts.
fn parse(tags: &[&str], condition: &str, replacement: &str) -> Result<Rule, String> {
    let tags: String = tags.iter().map(|tag| format!(", \"{tag}\"")).collect();
    let text = format!("DEF_PACKAGE_OPTIMIZATION(EARLY, OpVarIn(\"$\"{tags}), {condition}, {replacement})");
    let (mut sources, mut found) = (SourceMap::default(), Diagnostics::default());
    let file = read("pattern", text.as_str(), Mode::Sdk, &Directories::default(), None, &mut sources, &mut found);
    let passes = PassTable::default();
    let rules = well_formed(&file, Terms { mode: Mode::Sdk, passes: &passes, package: None }, &sources, &mut found);
    match <[Rule; 1]>::try_from(rules) {
        Ok([rule]) => Ok(rule),
        Err(_) => {
            let reason =
                found.iter().map(|diagnostic| diagnostic.message.as_str()).next().unwrap_or("no rule is found");
            Err(format!("{reason}: {condition}, {replacement}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::write::Writer;

    const WRITER: Writer<'_> = Writer { package: "q", renamed: &[] };
    const TAGS: &[&str] = &["x", "a.b:1"];

    #[test]
    fn conditions_are_read_as_they_are_written() {
        for text in [
            "true",
            "AND(EQ(RANK_OF(\"x\"), 4), OR(false, NOT(IS_POW2(8u))), XOR(true, OPTION_BOOL(\"o\")))",
            "LT(ADD(MUL(-3, 2), MIN(1, 2), MAX(DIM_OF(\"*\", 1), 3u)), SUB(INT(2.5), REM(7, MOD(5, ROUNDUP(1, 8)))))",
            "NE(DTYPE(INT(DTYPE_OF(\"a.b:1\"))), SELECT(true, DType::QInt8, DType::UNKNOWN))",
            "GE(DIV(FLOAT(ABS(-2147483648)), 1e-30), NEG(STEPSIZE_OF(\"x\")))",
            "LE(CONSTVAL_FLOAT(\"x\", 0), INF)",
            "GT(CONSTVAL_INT(INPUT_OF(\"*\", 1), 2), ZERO_OFFSET_OF(SELECT(false, \"x\", OUTPUT_OF(\"*\", 0))))",
            "OR(CONSTVAL_INT_VALID(\"x\", 1), CONSTVAL_FLOAT_VALID(\"x\", 1))",
            "AND(SAME_SHAPE(\"x\", \"*\"), SAME_ENCODING(\"x\", \"*\"), SAME_OP(\"x\", \"*\"))",
            "EQ(ADD(INPUTS_OF(\"x\"), OUTPUTS_OF(\"x\"), ELEMENTSIZE_OF(\"x\")), LAYOUT_CHUNKSIZE(FlatTensor, 2))",
            "EXTERNAL_CONSTRAINT(f, \"x\", 1, 2u, 0.5, true, OPTION_INT(\"i\"), OPTION_UINT(\"u\"), OPTION_FLOAT(\"f\"))",
        ] {
            assert_eq!(WRITER.expr(&parse_condition(text, TAGS).unwrap()), text);
        }
    }

    #[test]
    fn replacements_are_read_as_they_are_written() {
        for text in [
            "\"x\"",
            "SELECT(true, \"*\", INPUT_OF(\"a.b:1\", 0))",
            "Op(\"my::A\", WrapOp(\"q::B\", WrapOpAlways(\"$C\", \"x\")), gen_Shape(1, UINT(2)), gen_ShapeOf(\"x\"))",
            "Op(\"q::A\", gen_ConstScalar_f32(0.5), gen_ConstScalar_i32(-1), gen_ConstArr_f32(1.0, 4))",
            "Op(\"q::A\", gen_ConstArr_i32(1, 4), gen_ConstArr_vals_i32(1, RANK_OF(\"x\")))",
            "AUTOSPLIT(1, \"I\", 8, Op(\"q::A\", TYPICAL_SLICE(\"x\", \"I\"), CHANGEDIM_SLICE(\"x\", \"I\", SPLIT_DIM(\"I\"))))",
            "AUTOSPLIT(3, \"I\", 8u, Op(\"q::A\", AUTOSPLIT_SLICE(\"x\", AUTOSPLIT_SHAPEFN_APPLY(f, \"I\", \"x\", 1), \
             gen_Shape(SPLIT_START(\"I\"), SPLIT_SIZE(\"I\")))))",
            "OP_ITER(Op(\"q::A\"), \"J\", 0, 3, ITER_INPUT_OF(\"*\", \"J\"))",
            "WITH_SIZE(SHAPEFN_APPLY(f, \"x\", 2), WITH_TYPE(\"x\", WITH_SAME_OUTPUT(\"*\", Op(\"q::A\"))))",
            "WITH_OUTPUT_TYPE(DType::QUInt8, 128, 0.5, ResizeDim(3, 8, WITH_SAME_ID(\"x\", Op(\"q::A\"))))",
            "WITH_MULTI_OUT(2, WITH_SPLIT_HISTORY(\"x\", 4, WITH_SPLIT_HISTORY(\"*\", Op(\"q::A\"))))",
            "OpMultiOut(2, 1, \"q::A\", \"x\", EXTERNAL_REPLACE(f))",
        ] {
            assert_eq!(WRITER.replacement(&parse_replacement(text, TAGS).unwrap()), text);
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        assert!(parse_condition("EQ(1, \"x\"", TAGS).is_err());
        assert!(parse_condition("true, true", TAGS).is_err());
        assert!(parse_condition("RANK_OF(\"x\")) DEF_PACKAGE_OPTIMIZATION(", TAGS).is_err());
        let error = parse_condition("EQ(RANK_OF(\"z\"), 1)", TAGS).unwrap_err();
        assert!(error.contains("`z`") || error.contains("\"z\""), "{error}");
        assert!(parse_replacement("\"x\", \"x\"", TAGS).is_err());
        assert!(parse_replacement("MACRO(\"x\")", TAGS).is_err());
        assert!(parse_replacement("Op(\"A\")", &["\""]).is_err());
    }
}
