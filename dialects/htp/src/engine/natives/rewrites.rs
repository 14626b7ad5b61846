//! What is done at the end of each rewrite.

use super::super::graph::{ID, SPLIT_HISTORY};
use super::{Change, Made, Session};
use crate::to_pdl::rule_index;
use skriptnd_mlir::Failure;
use skriptnd_mlir::diagnostics::Position;
use skriptnd_mlir::ir::{Location, OperationRef, attributes};
use skriptnd_mlir::rewrite::{Editor, PdlValue};
use std::sync::PoisonError;

/// New ops get op id and split history of the root; what was done is noted.
pub fn replaced<'c: 'a, 'a>(
    session: &Session,
    editor: &Editor<'c, 'a>,
    arguments: &[PdlValue<'c, 'a>],
) -> Result<Vec<PdlValue<'c, 'a>>, Failure> {
    let [PdlValue::Attribute(pattern), PdlValue::Operation(root), PdlValue::Value(result), heirs @ ..] = arguments
    else {
        return Err("expected the pattern's name, the root, what replaces it, and new ops".into());
    };
    // An id that other new ops were given for the root is not one that it had.
    let has_new_id = session.ids.is_new(*root);
    session.ids.end_rewrite();
    for name in [ID, SPLIT_HISTORY] {
        let Some(attribute) = root.get(name).filter(|_| name != ID || !has_new_id) else { continue };
        for heir in heirs {
            if let PdlValue::Operation(heir) = heir {
                editor.set_attribute(*heir, name, attribute);
            }
        }
    }
    let heirs = heirs.iter().filter_map(|heir| if let PdlValue::Operation(heir) = heir { Some(*heir) } else { None });
    let heirs: Vec<_> = heirs.collect();
    let pattern = attributes::as_string(*pattern).unwrap_or_default();
    locate(session, editor, (&heirs, result.defining_operation()), pattern);
    session.note_made(heirs.into_iter().map(Made::of));
    session.note(Change {
        pattern: pattern.to_owned(),
        operation: root.full_name().to_owned(),
        position: Position::of(root.location()),
        made: Vec::new(),
    });
    Ok(Vec::new())
}

/// Says of new ops which rule has made them: of those of the pattern, and of those that native functions have built for it.
fn locate<'c: 'a, 'a>(
    session: &Session,
    editor: &Editor<'c, 'a>,
    (heirs, result): (&[OperationRef<'c, 'a>], Option<OperationRef<'c, 'a>>),
    pattern: &str,
) {
    let mut built = std::mem::take(&mut *session.built.lock().unwrap_or_else(PoisonError::into_inner));
    let Some(rule) = rule_index(pattern).and_then(|index| session.places.get(index)) else { return };
    let rule = Location::new(editor.context(), &rule.file, rule.line, rule.column);
    built.extend(heirs.iter().map(|heir| heir.key()));
    let mut pending: Vec<_> = heirs.iter().copied().chain(result).collect();
    while let Some(op) = pending.pop() {
        if built.remove(&op.key()) {
            editor.set_location(op, Location::made_by(editor.context(), rule, op.location()));
            pending.extend(op.operands().filter_map(|operand| operand.defining_operation()));
        }
    }
}
