//! What code for Hexagon is compiled for.

/// Runs under user-mode emulation.
pub const TRIPLE: &str = "hexagon-unknown-linux-musl";

/// The newest version that Debian's emulator executes.
pub const CPU: &str = "hexagonv67";
