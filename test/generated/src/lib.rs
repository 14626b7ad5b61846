//! Dialects that use every feature of the declarations.

use skriptnd_ods::mlir::ir::OperationRef;

include!(concat!(env!("OUT_DIR"), "/interfaces.rs"));

include!(concat!(env!("OUT_DIR"), "/passes.rs"));

/// The dialect `first`.
pub mod first {
    include!(concat!(env!("OUT_DIR"), "/first.rs"));
}

pub mod kinds;

/// The dialect `second`.
pub mod second {
    include!(concat!(env!("OUT_DIR"), "/second.rs"));
}

/// The dialect `parts`.
pub mod parts {
    include!(concat!(env!("OUT_DIR"), "/parts.rs"));
}

/// The dialect `wood`.
pub mod wood {
    include!(concat!(env!("OUT_DIR"), "/wood.rs"));
}

/// The dialect `paper`.
pub mod paper {
    include!(concat!(env!("OUT_DIR"), "/paper.rs"));
}

/// The dialect `notes`.
pub mod notes {
    include!(concat!(env!("OUT_DIR"), "/notes.rs"));
}

/// The dialect `integers`.
#[expect(
    clippy::bad_bit_mask,
    clippy::identity_op,
    clippy::overly_complex_bool_expr,
    reason = "predicates that are odd on purpose"
)]
pub mod integers {
    include!(concat!(env!("OUT_DIR"), "/integers.rs"));
}

/// The dialect `numbers`.
pub mod numbers {
    include!(concat!(env!("OUT_DIR"), "/numbers.rs"));
}

/// The dialect `made`.
pub mod made {
    include!(concat!(env!("OUT_DIR"), "/made.rs"));
}

/// Dialects whose names clash with those of Rust and of the generated code.
pub mod nasty {
    include!(concat!(env!("OUT_DIR"), "/nasty.rs"));
}

/// What the C++ function `roundedUp` is.
pub fn rounded_up(operation: OperationRef<'_, '_>) -> i64 {
    operation.operand_count() as i64 + 1
}

/// What a secret of C++ is here.
#[derive(Debug, PartialEq, Eq)]
pub struct Secret(pub i64);
