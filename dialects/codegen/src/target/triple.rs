//! Triples: which there are, and what they say.

/// The parts of a triple that make a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Triple<'a> {
    /// The processor's.
    pub architecture: &'a str,
    /// The operating system, `none` or `elf` where there is none; without a version.
    pub system: &'static str,
    /// The C library or the form of files, if there is one; without a version.
    pub environment: &'static str,
}

/// Those that LLVM's linked targets have.
const ARCHITECTURES: [&str; 7] = ["x86_64", "aarch64", "riscv64", "hexagon", "riscv32", "i686", "i386"];
/// They make no difference.
const VENDORS: [&str; 7] = ["unknown", "pc", "none", "apple", "alpine", "redhat", "suse"];
/// Systems with their environments. For the last ones files have other forms than ELF.
const SYSTEMS: [(&str, &[&str]); 11] = [
    ("linux", &["gnu", "musl", "android"]),
    ("none", &["", "elf"]),
    ("elf", &[""]),
    ("unknown", &["elf"]),
    ("freebsd", &[""]),
    ("netbsd", &[""]),
    ("openbsd", &[""]),
    ("darwin", &[""]),
    ("macos", &[""]),
    ("macosx", &[""]),
    ("windows", &["msvc", "gnu"]),
];
const NOT_ELF: [&str; 4] = ["darwin", "macos", "macosx", "windows"];

/// What messages name.
const USUAL: [&str; 9] = [
    "x86_64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
    "riscv64-unknown-linux-gnu",
    "riscv64-unknown-linux-musl",
    "hexagon-unknown-linux-musl",
    "aarch64-unknown-none-elf",
    "riscv64-unknown-none-elf",
];

impl<'a> Triple<'a> {
    /// The parts of a text, `ARCHITECTURE-[VENDOR-]SYSTEM[-ENVIRONMENT]`; none where one is unknown or missing.
    pub fn parse(text: &'a str) -> Option<Triple<'a>> {
        let (architecture, rest) = text.split_once('-').filter(|(name, _)| ARCHITECTURES.contains(name))?;
        let behind_vendor = rest.split_once('-').filter(|(vendor, _)| VENDORS.contains(vendor));
        let found = system(rest).or_else(|| system(behind_vendor?.1));
        found.map(|(system, environment)| Triple { architecture, system, environment })
    }

    /// Whether there is an operating system.
    pub fn has_system(&self) -> bool {
        !["none", "elf", "unknown"].contains(&self.system)
    }

    /// Whether files for it are ELF files.
    pub fn is_elf(&self) -> bool {
        !NOT_ELF.contains(&self.system)
    }
}

/// A system with its environment.
fn system(text: &str) -> Option<(&'static str, &'static str)> {
    let (name, environment) = text.split_once('-').unwrap_or((text, ""));
    let (name, environments) = SYSTEMS.iter().find(|(known, _)| is_version(known, name))?;
    environments.iter().find(|known| is_version(known, environment)).map(|known| (*name, *known))
}

/// Whether a name is a known one, perhaps with a version behind: `android21`, `darwin23.1.0`.
fn is_version(known: &str, name: &str) -> bool {
    let version = name.strip_prefix(known);
    version.is_some_and(|version| {
        version.is_empty() || !known.is_empty() && version.chars().all(|c| c.is_ascii_digit() || c == '.')
    })
}

/// A text as LLVM reads it, which takes the second part for the vendor; as it is where it is no triple.
fn with_vendor(text: &str) -> String {
    match text.split_once('-') {
        Some((architecture, rest)) if ARCHITECTURES.contains(&architecture) && system(rest).is_some() => {
            format!("{architecture}-unknown-{rest}")
        }
        _ => text.to_string(),
    }
}

/// A triple as LLVM reads it; `hexagon` alone stands for the one that the emulator runs.
pub fn whole(text: &str) -> String {
    match text {
        "hexagon" => skriptnd_hexagon::target::TRIPLE.to_string(),
        other => with_vendor(other),
    }
}

/// What is said of a text that is no triple.
pub fn unknown(text: &str) -> String {
    let mut known = USUAL;
    // Of equal ones the first stays the first.
    known.sort_by(|one, other| similarity(text, other).total_cmp(&similarity(text, one)));
    format!("`{text}` is no known target; known are, the nearest first: {}", known.join(", "))
}

/// How much the parts of a text, of which some may be missing, are like those of a triple; the first counts twice.
fn similarity(text: &str, triple: &str) -> f64 {
    let best = |part| triple.split('-').map(|known| strsim::jaro_winkler(part, known)).fold(0.0, f64::max);
    let text = text.to_lowercase();
    text.split('-').take(1).chain(text.split('-')).map(best).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vendors_and_versions_make_no_difference() {
        let parts = |text| Triple::parse(text).map(|found| (found.architecture, found.system, found.environment));
        for text in ["aarch64-unknown-linux-gnu", "aarch64-linux-gnu", "aarch64-none-linux-gnu"] {
            assert_eq!(parts(text), Some(("aarch64", "linux", "gnu")), "{text}");
        }
        assert_eq!(parts("x86_64-apple-darwin23.1.0"), Some(("x86_64", "darwin", "")));
        assert_eq!(parts("aarch64-linux-android21"), Some(("aarch64", "linux", "android")));
        assert_eq!(parts("riscv64-unknown-elf"), Some(("riscv64", "unknown", "elf")));
        assert_eq!(parts("aarch64-none-elf"), Some(("aarch64", "none", "elf")));
        assert!(Triple::parse("aarch64-none-elf").unwrap().is_elf());
        assert!(!Triple::parse("x86_64-pc-windows-msvc").unwrap().is_elf());
        assert!(USUAL.iter().all(|text| Triple::parse(text).is_some()));
    }

    #[test]
    fn slips_are_no_triples() {
        for text in [
            "",
            "foo",
            "-",
            "aarch64",
            "aarch64-",
            "aarch64-unknown",
            "aarch64-linux",
            "aarch64-unknown-linux",
            "aarch64-linux-gnuu",
            "aarch64-unknown-linux-gnu-",
            "aarch64-unknown-linux-gnu-elf",
            "aarch64-unknwon-linux-gnu",
            "aarch64-unknown-linx-gnu",
            "aarch65-unknown-linux-gnu",
            "AArch64-unknown-linux-gnu",
            "wasm32-unknown-unknown",
            "x86_64-unknown-linux-",
            "x86_64--linux-gnu",
            "x86_64-unknown-linux-gnu ",
            "sparc-unknown-linux-gnu",
        ] {
            assert_eq!(Triple::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_nearest_is_named_first() {
        let first = |text| unknown(text).split("first: ").nth(1).unwrap().split(", ").next().unwrap().to_string();
        assert_eq!(first("aarch64-linux-gnuu"), "aarch64-unknown-linux-gnu");
        assert_eq!(first("x86_64-unknown-linux-mus"), "x86_64-unknown-linux-musl");
        assert_eq!(first("riscv64"), "riscv64-unknown-linux-gnu");
        assert_eq!(first("aarch64"), "aarch64-unknown-linux-gnu");
        assert_eq!(first("AARCH64-LINUX-GNU"), "aarch64-unknown-linux-gnu");
        assert_eq!(first("hexagon"), "hexagon-unknown-linux-musl");
        assert_eq!(first("arm64-linux-gnu"), "aarch64-unknown-linux-gnu");
    }

    #[test]
    fn a_vendor_is_added_where_none_is() {
        assert_eq!(with_vendor("aarch64-linux-gnu"), "aarch64-unknown-linux-gnu");
        assert_eq!(with_vendor("aarch64-none-elf"), "aarch64-unknown-none-elf");
        assert_eq!(with_vendor("riscv64-unknown-elf"), "riscv64-unknown-unknown-elf");
        for text in ["x86_64-pc-linux-gnu", "foo", "aarch64-none-linux-gnu", "host"] {
            assert_eq!(with_vendor(text), text);
        }
    }
}
