//! What the bridge calls.

use super::DialectSpec;
use crate::Error;

pub(crate) fn register(registry: &melior::dialect::DialectRegistry, dialect: DialectSpec) -> Result<(), Error> {
    todo!()
}
