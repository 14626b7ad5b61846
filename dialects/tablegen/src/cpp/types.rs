//! Types that C++ builds.

/// The type that a C++ expression over `$_builder` stands for.
pub fn type_of(code: &str) -> Option<String> {
    let code = code.trim().replace("::mlir::", "").replace("$_builder.", "");
    let (function, arguments) = code.split_once('(')?;
    let arguments = arguments.trim_end().strip_suffix(')').unwrap_or(arguments).trim();
    match function.trim_start_matches("mlir::") {
        "getIntegerType" => {
            let (width, sign) = arguments.split_once(',').unwrap_or((arguments, ""));
            let sign = sign.trim().trim_start_matches("/*isSigned=*/").trim();
            let prefix = match sign {
                "" => "i",
                "true" => "si",
                "false" => "ui",
                _ => return None,
            };
            width.trim().parse::<u32>().ok().map(|width| format!("{prefix}{width}"))
        }
        "getIndexType" => Some("index".into()),
        "getNoneType" => Some("none".into()),
        "getBF16Type" => Some("bf16".into()),
        "getTF32Type" => Some("tf32".into()),
        name => {
            let short = name.strip_prefix("get")?.strip_suffix("Type")?;
            let (letter, width) = short.split_at_checked(1)?;
            let known = matches!(letter, "I" | "F") && width.parse::<u32>().is_ok() && arguments.is_empty();
            known.then(|| format!("{}{width}", letter.to_lowercase()))
        }
    }
}
