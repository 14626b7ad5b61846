//! Where schedules lie that were measured on this machine.

use super::sources::is_artifact;
use crate::failure::print_message;
use clap::Args;
use std::path::{Path, PathBuf};

/// In place of a folder: none is taken.
#[cfg(any(feature = "mlir", test))]
const NONE: &str = "none";

/// Which schedules compiled code takes.
#[derive(Debug, Clone, Default, Args)]
pub struct TunedOptions {
    /// Where the schedules of kernels lie that `skriptnd tune` measured to be faster on this machine, or `none` to take none of them
    /// [default: $SKRIPTND_TUNED, else `schedules` in $SKRIPTND_CACHE or ~/.cache/skriptnd]
    #[arg(long, value_name = "DIR|none")]
    tuned: Option<PathBuf>,
}

impl TunedOptions {
    /// The folder, unless none is to be taken.
    #[cfg(feature = "mlir")]
    pub fn folder(&self) -> Option<PathBuf> {
        self.tuned.clone().map_or_else(|| default_folder(&|name| std::env::var_os(name)), |given| named(&given))
    }

    /// Says that the option makes no difference to what a command does.
    pub fn warn_unused(&self, reason: &str) {
        if let Some(tuned) = &self.tuned {
            print_message(format_args!("skriptnd: warning: --tuned {}: {reason}\n", tuned.display()));
        }
    }

    /// Says so where nothing is compiled, or not for this machine.
    pub fn warn_beside(&self, is_native: bool, model: &Path) {
        if !is_native {
            self.warn_unused("only code for this machine takes such schedules");
        } else if is_artifact(model) {
            self.warn_unused("a compiled model has its schedules; compile it again");
        }
    }

    /// Whether it is given.
    #[cfg(feature = "mlir")]
    pub fn is_given(&self) -> bool {
        self.tuned.is_some()
    }
}

#[cfg(any(feature = "mlir", test))]
fn named(given: &Path) -> Option<PathBuf> {
    (given.as_os_str() != NONE).then(|| given.to_owned())
}

/// The folder that the environment says, if it says any.
#[cfg(any(feature = "mlir", test))]
pub fn default_folder(variable: &dyn Fn(&str) -> Option<std::ffi::OsString>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(given) = set("SKRIPTND_TUNED") {
        return named(&given);
    }
    let cache =
        || set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache"))).map(|base| base.join("skriptnd"));
    set("SKRIPTND_CACHE").or_else(cache).map(|folder| folder.join("schedules"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(variables: &[(&str, &str)]) -> Option<String> {
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
        default_folder(&value).map(|folder| folder.display().to_string())
    }

    #[test]
    fn the_nearest_variable_says_where() {
        let all = [("SKRIPTND_TUNED", "/t"), ("SKRIPTND_CACHE", "/c"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(folder(&all).unwrap(), "/t");
        assert_eq!(folder(&all[1..]).unwrap(), "/c/schedules");
        assert_eq!(folder(&all[2..]).unwrap(), "/x/skriptnd/schedules");
        assert_eq!(folder(&all[3..]).unwrap(), "/h/.cache/skriptnd/schedules");
        assert_eq!(folder(&[]), None);
        assert_eq!(folder(&[("SKRIPTND_TUNED", "none"), ("HOME", "/h")]), None);
        assert_eq!(folder(&[("SKRIPTND_TUNED", ""), ("HOME", "/h")]).unwrap(), "/h/.cache/skriptnd/schedules");
    }
}
