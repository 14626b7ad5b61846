//! How wide groups are, and what follows a break.

use super::pieces::{Piece, When};

/// Wider than any line.
const ENDLESS: usize = usize::MAX / 4;

/// Flat widths of what begins at a piece.
#[derive(Clone, Copy, Default)]
pub(super) struct Widths {
    /// Of the group that opens here, with what is glued to its end; of what follows a break, up to the next break of its
    /// group.
    pub(super) whole: usize,
    /// Of what follows a break, up to the next break of any group.
    pub(super) first: usize,
}

/// Measures what begins at each piece.
pub(super) fn measure(pieces: &[Piece<'_>]) -> Vec<Widths> {
    let mut widths = vec![Widths::default(); pieces.len()];
    let mut ruler = Ruler { to_any: 0, groups: vec![Level::default()] };
    for (piece, width) in pieces.iter().zip(&mut widths).rev() {
        *width = ruler.pass(piece);
    }
    widths
}

/// Goes through the pieces from their end.
struct Ruler {
    /// Width from here to the next break.
    to_any: usize,
    /// The groups around, outermost first.
    groups: Vec<Level>,
}

impl Ruler {
    fn pass(&mut self, piece: &Piece<'_>) -> Widths {
        let to_any = self.to_any;
        match piece {
            Piece::Close => self.groups.push(Level { inside: 0, to_break: to_any, after: to_any }),
            Piece::Open(_) => {
                let group = self.groups.pop().unwrap_or_default();
                self.add(group.inside);
                return Widths { whole: group.inside.saturating_add(group.after), first: 0 };
            }
            Piece::Text(text) => {
                let lines = text.contains('\n');
                let first = text.lines().next().unwrap_or_default().chars().count();
                self.to_any = if lines { first } else { to_any + first };
                self.add(if lines { ENDLESS } else { first });
            }
            Piece::Broken => self.add(ENDLESS),
            Piece::Comment { .. } => self.stop(ENDLESS),
            Piece::Break { when, flat, .. } => {
                let to_break = self.groups.last().map_or(0, |group| group.to_break);
                self.stop(if *when == When::Always { ENDLESS } else { flat.len() });
                return Widths { whole: flat.len() + to_break, first: flat.len() + to_any };
            }
        }
        Widths::default()
    }

    /// Something so wide is in the innermost group.
    fn add(&mut self, width: usize) {
        if let Some(group) = self.groups.last_mut() {
            group.inside = group.inside.saturating_add(width).min(ENDLESS);
            group.to_break = group.to_break.saturating_add(width).min(ENDLESS);
        }
    }

    /// A line may end here.
    fn stop(&mut self, width: usize) {
        self.add(width);
        self.to_any = 0;
        if let Some(group) = self.groups.last_mut() {
            group.to_break = 0;
        }
    }
}

/// What is known of a group while its pieces are measured from its end.
#[derive(Default)]
struct Level {
    /// Flat width of what has been passed of it.
    inside: usize,
    /// Width from here to its next break.
    to_break: usize,
    /// Width from its end to the next break.
    after: usize,
}
