//! Types of vectors, with lanes that scale.

use skriptnd_ods::mlir::Failure;
use skriptnd_ods::mlir::dialect::InferenceInput;
use skriptnd_ods::mlir::ir::Type;
use skriptnd_ods::predicate;

use crate::support::{known, parsed};

/// The extents as text has them, and the type of an element.
fn parts(vector: Type<'_>) -> Option<(Vec<String>, Type<'_>)> {
    let text = vector.to_string();
    let mut rest = text.strip_prefix("vector<")?;
    let mut extents = Vec::new();
    while let Some((extent, behind)) = rest.split_once('x') {
        if extent.is_empty() || !extent.chars().all(|c| c.is_ascii_digit() || "[]".contains(c)) {
            break;
        }
        extents.push(extent.to_string());
        rest = behind;
    }
    Some((extents, predicate::element_type(vector)))
}

fn text(extents: &[String], element: Type<'_>) -> String {
    let extents: String = extents.iter().map(|extent| format!("{extent}x")).collect();
    format!("vector<{extents}{element}>")
}

/// With another last extent.
pub fn with_last(vector: Type<'_>, change: impl Fn(u64) -> u64) -> Type<'_> {
    let Some((mut extents, element)) = parts(vector) else { return vector };
    match extents.last_mut() {
        Some(last) => {
            let number = last.trim_matches(['[', ']']).parse().map(&change).unwrap_or_default();
            *last = if last.starts_with('[') { format!("[{number}]") } else { number.to_string() };
        }
        None => extents.push("2".into()),
    }
    known(vector.context(), &text(&extents, element))
}

/// What is at a position: an element, or a vector of the dimensions behind.
pub fn inside<'c>(input: &InferenceInput<'c, '_>) -> Result<Vec<Type<'c>>, Failure> {
    let source = input.operand_types().into_iter().next().ok_or_else(|| Failure::new("expected an operand"))?;
    let (extents, element) = parts(source).ok_or_else(|| Failure::new("expected a vector"))?;
    let depth = input.attribute("static_position").map_or(0, |position| predicate::integers(position).len());
    match extents.get(depth..) {
        None | Some([]) => Ok(vec![element]),
        Some(rest) => parsed(input.context, &text(rest, element)).map(|found| vec![found]),
    }
}

/// Whether one is a vector of one element, and the other that element.
pub fn is_single(vector: &[Type<'_>], element: &[Type<'_>]) -> bool {
    let ([vector], [element]) = (vector, element) else { return false };
    parts(*vector).is_some_and(|(extents, of)| extents == ["1"] && of == *element)
}

/// One type for each element.
pub fn elements<'c>(input: &InferenceInput<'c, '_>) -> Vec<Type<'c>> {
    let source = input.operand_types().into_iter().next();
    let each = source.map(|source| {
        let count = usize::try_from(predicate::get_num_elements(source)).unwrap_or_default();
        vec![predicate::element_type(source); count]
    });
    each.unwrap_or_default()
}

/// As many as the mask has, of what the operands have behind their first dimension.
pub fn shuffled<'c>(input: &InferenceInput<'c, '_>) -> Result<Vec<Type<'c>>, Failure> {
    let source = input.operand_types().into_iter().next().ok_or_else(|| Failure::new("expected operands"))?;
    let (mut extents, element) = parts(source).ok_or_else(|| Failure::new("expected vectors"))?;
    let count = input.attribute("mask").map_or(0, |mask| predicate::integers(mask).len()).max(1);
    extents.splice(..extents.len().min(1), [count.to_string()]);
    parsed(input.context, &text(&extents, element)).map(|found| vec![found])
}
