//! What the machine can do: models that do nothing but compute, or nothing but read, are compiled and measured as others are.

/// Rows and columns of the matrices that are multiplied: products of this size come within some hundredths of what instructions allow.
const SIZE: u64 = 512;
/// Bytes that are read again and again: they lie in the nearest caches, in the last one, and in memory.
const READ: [u64; 3] = [128 << 10, 2 << 20, 256 << 20];
/// Bytes that are multiplied, and their sums.
const BYTES: &str = r#"{"a": "u8", "b": "i8", "y": "i32"}"#;
/// Elements of a row that is added up.
const ROW: u64 = 4096;

/// What numbers an operation multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Multiplied {
    /// Of 32 bits, or of others that are not bytes.
    Reals,
    /// Bytes.
    Bytes,
}

/// What limits a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// Operations on numbers.
    By(Multiplied),
    /// The memory that holds so many bytes, which are gone through.
    ByMemory(u64),
}

/// What the machine can do with so many threads.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Limits {
    /// Operations on 32-bit floating-point numbers in a nanosecond.
    pub gflops: f64,
    /// The same on bytes.
    pub gops_of_bytes: f64,
    /// Bytes that are read in a nanosecond where up to so many are gone through again and again, in increasing order.
    pub bandwidths: Vec<(u64, f64)>,
}

impl Limits {
    /// Bytes in a nanosecond of the nearest memory that holds so many.
    pub fn bandwidth(&self, bytes: u64) -> f64 {
        let holds = |(size, _): &&(u64, f64)| bytes <= *size;
        let found = self.bandwidths.iter().find(holds).or(self.bandwidths.last());
        found.map_or(f64::INFINITY, |(_, bandwidth)| *bandwidth)
    }

    /// Microseconds that the machine needs at least for so much work on so many bytes; none where neither is known.
    pub fn least_us(&self, (work, multiplied): (u64, Multiplied), bytes: u64) -> Option<f64> {
        let most = match multiplied {
            Multiplied::Reals => self.gflops,
            Multiplied::Bytes => self.gops_of_bytes.max(self.gflops),
        };
        let computed = work as f64 / most / 1e3;
        let moved = bytes as f64 / self.bandwidth(bytes) / 1e3;
        (work > 0 || bytes > 0).then_some(computed.max(moved))
    }
}

/// A model that shows a limit.
pub struct Probe {
    /// Its text.
    pub text: String,
    /// How its tensors are stored, as `storage.json` says it.
    pub storage: &'static str,
    /// How much of what is limited a run does: operations on numbers, or bytes.
    pub amount: u64,
    /// What that is.
    pub limited: Limited,
}

/// The models that show the limits.
pub fn probes() -> Vec<Probe> {
    let computes = [(Multiplied::Reals, "real", "{}"), (Multiplied::Bytes, "int", BYTES)];
    let computes = computes.into_iter().map(|(multiplied, kind, storage)| {
        let text = format!(
            "import linalg;\ngraph Computes {{ @input {{ a: {kind}[{SIZE}, {SIZE}]; b: {kind}[{SIZE}, {SIZE}]; }} \
             @output {{ y: {kind}[{SIZE}, {SIZE}]; }} @compose {{ y = linalg.matmul(a, b); }} }}\n"
        );
        Probe { text, storage, amount: 2 * SIZE.pow(3), limited: Limited::By(multiplied) }
    });
    let reads = READ.into_iter().map(|bytes| {
        let rows = bytes / 4 / ROW;
        let text = format!(
            "import math;\ngraph Reads {{ @input {{ x: real[{rows}, {ROW}]; }} @output {{ y: real[{rows}, 1]; }} \
             @compose {{ y = math.sum_reduce{{axes=[1]}}(x); }} }}\n"
        );
        Probe { text, storage: "{}", amount: bytes, limited: Limited::ByMemory(bytes) }
    });
    computes.chain(reads).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_memory_that_holds_an_operation_limits_it() {
        let limits = Limits { gflops: 100.0, gops_of_bytes: 400.0, bandwidths: vec![(1000, 80.0), (10_000, 20.0)] };
        assert_eq!([0, 1000, 1001, 20_000].map(|bytes| limits.bandwidth(bytes)), [80.0, 80.0, 20.0, 20.0]);
        assert_eq!(limits.least_us((200_000, Multiplied::Reals), 800), Some(2.0));
        assert_eq!(limits.least_us((200_000, Multiplied::Bytes), 800), Some(0.5));
        assert_eq!(limits.least_us((1, Multiplied::Reals), 20_000), Some(1.0));
        assert_eq!(limits.least_us((0, Multiplied::Reals), 0), None);
    }
}
