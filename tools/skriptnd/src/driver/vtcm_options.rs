//! `--vtcm`: how much of it kernels may take.

use clap::Args;
#[cfg(feature = "mlir")]
use {
    crate::failure::Failure,
    skriptnd_codegen::{Target, Vtcm},
    skriptnd_hexagon::dialect::{has_dma, has_vtcm},
};

/// Fewer than this: the DMA counts bytes so far, and no processor has as many.
const MOST_BYTES: i64 = 1 << 24;

#[derive(Debug, Clone, Default, Args)]
pub struct VtcmOptions {
    /// Let kernels for Hexagon have so many bytes of VTCM (`4MiB`, `512KiB`, `65536`): they copy there what they read again and
    /// again or in order, from v68 on by DMA
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    vtcm: Option<i64>,
}

impl VtcmOptions {
    /// Whether it is given.
    pub fn is_given(&self) -> bool {
        self.vtcm.is_some()
    }

    /// As it is given in a command, behind a space; nothing where it is not.
    pub fn option(&self) -> String {
        self.vtcm.map(|bytes| format!(" --vtcm {bytes}")).unwrap_or_default()
    }

    /// What kernels may take; `emulated` is what runs on an emulator, which has no DMA.
    #[cfg(feature = "mlir")]
    pub fn of(&self, target: &Target, emulated: bool) -> Result<Option<Vtcm>, Failure> {
        let Some(bytes) = self.vtcm else { return Ok(None) };
        if !target.is_hexagon() {
            let triple = &target.spec.triple;
            return Err(Failure::usage(format!("--vtcm {bytes}: there is VTCM on Hexagon only, and not for {triple}")));
        }
        let cpu = target.cpu();
        match has_vtcm(cpu) {
            true => Ok(Some(Vtcm { bytes, by_dma: has_dma(cpu) && !emulated })),
            false => Err(Failure::usage(format!("--vtcm {bytes}: `{cpu}` has no VTCM, which begins with version 65"))),
        }
    }
}

/// A number of bytes, KiB or MiB.
fn bytes(text: &str) -> Result<i64, String> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20)];
    let unit = units.into_iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (number, factor) = unit.unwrap_or((text, 1));
    let bytes = number.trim().parse::<i64>().ok().filter(|number| *number > 0);
    let bytes = bytes.and_then(|number| number.checked_mul(factor)).filter(|bytes| *bytes < MOST_BYTES);
    bytes.ok_or_else(|| format!("expected bytes, from 1 to below 16MiB, such as `4MiB` or `512KiB`, found `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        assert_eq!(["4MiB", "512KiB", "65536", "1 MiB"].map(bytes), [4 << 20, 512 << 10, 65536, 1 << 20].map(Ok));
        for text in ["", "0", "-1", "4MB", "16MiB", "9223372036854775807MiB", "MiB"] {
            assert!(bytes(text).unwrap_err().ends_with(&format!("found `{text}`")));
        }
    }
}
