//! Instructions that find the elements of a table of bytes for all lanes of a vector at once.

use super::{Length, Target};

/// What a target has of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// Of 128 bytes in two registers (`vpermi2b`).
    Pairs,
    /// Of 16 bytes, which each part of a register has for itself; nothing where the place is negative (`pshufb`). So many lanes.
    Parts(i64),
    /// Of 64 bytes in four registers; nothing, or what there was, where the place is beyond (`tbl`, `tbx`).
    Fours,
}

impl Lookup {
    /// Lanes of its registers.
    pub fn lanes(self) -> i64 {
        match self {
            Lookup::Pairs => 64,
            Lookup::Parts(lanes) => lanes,
            Lookup::Fours => 16,
        }
    }

    /// Lanes from which on it takes less than one element after the other.
    pub fn least(self) -> i64 {
        match self {
            Lookup::Pairs | Lookup::Fours => 4,
            Lookup::Parts(lanes) => lanes / 2,
        }
    }
}

impl Target {
    /// What it has to look up bytes.
    pub fn lookup(&self) -> Option<Lookup> {
        match (self.architecture(), self.isa.length) {
            ("x86_64", Length::Fixed(512)) if self.has("avx512vbmi") => Some(Lookup::Pairs),
            ("x86_64", Length::Fixed(512)) if self.has("avx512bw") => Some(Lookup::Parts(64)),
            ("x86_64", Length::Fixed(_)) if self.has("avx2") => Some(Lookup::Parts(32)),
            ("aarch64", Length::Fixed(_)) => Some(Lookup::Fours),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_look_up_bytes() {
        let lookup = |triple: &str, cpu: &str| Target::named(Some(triple), Some(cpu)).lookup();
        let x86 = |cpu: &str| lookup("x86_64-unknown-linux-gnu", cpu);
        assert_eq!((x86("znver4"), x86("skylake-avx512")), (Some(Lookup::Pairs), Some(Lookup::Parts(64))));
        assert_eq!((x86("x86-64-v3"), x86("x86-64-v2")), (Some(Lookup::Parts(32)), None));
        assert_eq!(lookup("aarch64-unknown-linux-gnu", "generic"), Some(Lookup::Fours));
        assert_eq!(lookup("riscv64-unknown-linux-gnu", "generic-rv64+v"), None);
    }
}
