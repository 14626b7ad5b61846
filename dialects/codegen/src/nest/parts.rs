//! How dimensions are cut into parts.

use skriptnd_mlir::ir::types::Width;

/// A vector along the vectorized dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Offset from the tile's start.
    pub offset: i64,
    /// Lanes.
    pub lanes: i64,
    /// How many of the lanes stand for elements.
    pub filled: i64,
    /// Whether all of these are so many times a number that only the processor knows.
    pub is_scalable: bool,
}

impl Piece {
    /// A single element, the first.
    pub const ELEMENT: Piece = Piece { offset: 0, lanes: 1, filled: 1, is_scalable: false };

    /// How wide it is.
    pub fn width(self) -> Width {
        Width { lanes: self.lanes, is_scalable: self.is_scalable }
    }

    /// Whether some lanes stand for no element.
    pub fn is_masked(self) -> bool {
        self.filled < self.lanes
    }
}

/// Cuts `extent` elements into vectors of at most `lanes`, each a power of two long.
pub fn pieces(extent: i64, lanes: i64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut offset, mut length) = (0, lanes.max(1));
    while offset < extent {
        while length > extent - offset {
            length /= 2;
        }
        pieces.push(Piece { offset, lanes: length, filled: length, is_scalable: false });
        offset += length;
    }
    pieces
}

/// Cuts `extent` elements into vectors of `lanes`, of which the last is masked; a single element needs none, where there are not only
/// whole vectors.
pub fn masked_pieces(extent: i64, lanes: i64, only_whole: bool) -> Vec<Piece> {
    let (full, rest) = (extent / lanes * lanes, extent % lanes);
    let mut pieces = pieces(full, lanes);
    match rest {
        0 => {}
        1 if !only_whole => pieces.push(Piece { offset: full, ..Piece::ELEMENT }),
        _ => pieces.push(Piece { offset: full, lanes, filled: rest, is_scalable: false }),
    }
    pieces
}

/// The vectors of a tile whose lengths only the processor knows.
pub fn scalable_pieces(tile: i64, lanes: i64) -> Vec<Piece> {
    pieces(tile, lanes).into_iter().map(|piece| Piece { is_scalable: true, ..piece }).collect()
}

/// The lengths of parts behind those of `length` elements, where only a run knows how many are left: each is needed once, at most.
pub fn shorter(length: i64) -> impl Iterator<Item = i64> {
    (0..i64::BITS - 1).rev().map(|bit| 1 << bit).filter(move |shorter| *shorter < length)
}

/// The largest size of parts of which `extent` needs the fewest.
pub fn even_share(extent: i64, most: i64) -> i64 {
    let parts = (extent + most - 1) / most.max(1);
    (extent + parts - 1) / parts.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(pieces: Vec<Piece>) -> Vec<(i64, i64)> {
        pieces.into_iter().map(|piece| (piece.offset, piece.lanes)).collect()
    }

    #[test]
    fn remainders_are_cut_into_powers_of_two() {
        assert_eq!(cut(pieces(32, 16)), [(0, 16), (16, 16)]);
        assert_eq!(cut(pieces(27, 16)), [(0, 16), (16, 8), (24, 2), (26, 1)]);
        assert_eq!(cut(pieces(3, 1)), [(0, 1), (1, 1), (2, 1)]);
        assert_eq!(cut(pieces(0, 16)), []);
    }

    #[test]
    fn masked_remainders_are_one_vector() {
        assert_eq!(masked_pieces(27, 16, false)[1], Piece { offset: 16, lanes: 16, filled: 11, is_scalable: false });
        assert_eq!(cut(masked_pieces(33, 16, false)), [(0, 16), (16, 16), (32, 1)]);
        assert_eq!(cut(masked_pieces(33, 16, true)), [(0, 16), (16, 16), (32, 16)]);
        assert_eq!(cut(masked_pieces(16, 16, false)), [(0, 16)]);
    }
}
