//! Which name was probably meant.

/// Longer names are not compared: that takes a time that grows with the square of their length.
const LONGEST: usize = 100;

/// The candidate closest to `name`, if one is close enough to be a misspelling of it.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(same) = candidates.iter().find(|other| **other != name && other.eq_ignore_ascii_case(name)) {
        return Some(same);
    }
    let length = name.chars().count();
    let limit = (length / 3).clamp(1, 3);
    if length > LONGEST {
        return None;
    }
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name && !candidate.is_empty())
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        // Exchanging neighbours counts as one edit.
        .map(|candidate| (strsim::osa_distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_misspellings_only() {
        let names = ["conv", "relu", "softmax", "x"];
        assert_eq!(nearest("cnov", names), Some("conv"));
        assert_eq!(nearest("softmx", names), Some("softmax"));
        assert_eq!(nearest("z", names), None, "a single letter has nothing in common with another");
        assert_eq!(nearest("batch_norm", names), None);
        assert_eq!(nearest("mean", ["tan", "min"]), None, "half of a word is no misspelling");
    }
}
