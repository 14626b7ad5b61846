//! Numbers and extents in the spelling of the language.

use skriptnd_language::compose::extent::POSITION;
use skriptnd_mlir::Failure;
use skriptnd_syntax::build::Expression;

/// An integer; the largest and the smallest are infinite.
pub(super) fn integer(value: i64) -> Expression {
    match value {
        i64::MAX => Expression::Name("int(inf)".into()),
        i64::MIN => Expression::Name("int(-inf)".into()),
        value => Expression::Int(value),
    }
}

/// A real; what is no number has no literal.
pub(super) fn real(value: f64) -> Expression {
    if value.is_nan() { Expression::Written("inf - inf".into()) } else { Expression::Real(value) }
}

/// An expression of extents in the spelling of the language.
pub(super) fn spelled(text: &str) -> Result<String, Failure> {
    if text.contains(POSITION) {
        return Err(format!("has `{text}`, a sum over a pack whose length only the run knows").into());
    }
    let mut spelled = text.to_owned();
    for function in ["abs", "sign"] {
        let is_begin = |at: usize| !spelled[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let call = format!("{function}(");
        let places: Vec<usize> = spelled.match_indices(&call).map(|(at, _)| at).filter(|at| is_begin(*at)).collect();
        places
            .into_iter()
            .rev()
            .for_each(|at| spelled.replace_range(at..at + function.len(), &format!("`{function}`")));
    }
    Ok(spelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_stand_in_back_ticks() {
        assert_eq!(spelled("abs(n - 1) + sign(abs(m))").unwrap(), "`abs`(n - 1) + `sign`(`abs`(m))");
        assert_eq!(spelled("n + 1").unwrap(), "n + 1");
        assert!(spelled("(sum of # for # < n)").is_err());
    }

    #[test]
    fn numbers_without_a_literal_are_expressions() {
        assert_eq!(real(f64::NAN).text(), "inf - inf");
        assert_eq!((real(-0.5).text(), integer(i64::MIN).text()), ("-0.5".into(), "int(-inf)".into()));
    }
}
