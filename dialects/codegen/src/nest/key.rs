//! A short name for what a kernel computes: the same wherever and whenever it is compiled.

use super::space::Space;
use std::hash::Hasher;

/// FNV-1a: its values do not change with versions of the standard library.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Space {
    /// Tells spaces apart.
    pub fn key(&self) -> String {
        let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
        // The derived `Hash` writes numbers as this machine has them; their text is the same everywhere.
        hasher.write(format!("{self:?}").as_bytes());
        format!("{:016x}", hasher.finish())
    }
}
