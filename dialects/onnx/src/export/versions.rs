//! The versions of what is written.

use crate::proto::OperatorSetIdProto;

/// The version of ONNX's operators that models are written for.
pub const OPSET: i64 = 21;

/// The version of the format that has these.
pub const IR_VERSION: i64 = 10;

/// The version of a domain's operators.
pub fn opset(domain: &str, version: i64) -> OperatorSetIdProto {
    OperatorSetIdProto { domain: domain.to_owned(), version }
}
