//! What is done at the end of each rewrite.

use super::super::graph::{ID, SPLIT_HISTORY};
use super::{Change, Made, Session};
use skriptnd_mlir::Failure;
use skriptnd_mlir::diagnostics::Position;
use skriptnd_mlir::ir::attributes;
use skriptnd_mlir::rewrite::{Editor, PdlValue};

/// New ops get op id and split history of the root; what was done is noted.
pub fn replaced<'c: 'a, 'a>(
    session: &Session,
    editor: &Editor<'c, 'a>,
    arguments: &[PdlValue<'c, 'a>],
) -> Result<Vec<PdlValue<'c, 'a>>, Failure> {
    let [PdlValue::Attribute(pattern), PdlValue::Operation(root), PdlValue::Value(_), heirs @ ..] = arguments else {
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
    session.note_made(heirs.map(Made::of));
    session.note(Change {
        pattern: attributes::as_string(*pattern).unwrap_or_default().to_owned(),
        operation: root.full_name().to_owned(),
        position: Position::of(root.location()),
        made: Vec::new(),
    });
    Ok(Vec::new())
}
