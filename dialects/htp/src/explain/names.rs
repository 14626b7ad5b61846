//! Names for what an explanation would say over and over.

use super::lines::closing;

/// What is shorter reads as well without a name.
const SHORTEST: usize = 40;
/// How often something is said at least that gets a name.
const LEAST: usize = 3;
/// Names, as far as no tag of the rule is called so.
const NAMES: [&str; 4] = ["n", "m", "k", "l"];

/// Gives names to sums and products that several texts say, and puts them in place of those; the names with what they stand for.
pub fn named(texts: &mut [String], is_taken: impl Fn(&str) -> bool) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for name in NAMES.into_iter().filter(|name| !is_taken(name)) {
        let Some(said) = most_said(texts) else { break };
        texts.iter_mut().for_each(|text| *text = text.replace(&said, name));
        found.push((name, said[1..said.len() - 1].to_owned()));
    }
    found
}

/// The longest sum or product in parentheses that is said often.
fn most_said(texts: &[String]) -> Option<String> {
    let all: Vec<&str> = texts.iter().flat_map(|text| calculations(text)).collect();
    let often = |said: &&&str| all.iter().filter(|other| other == said).count() >= LEAST;
    let said = all.iter().filter(often).max_by_key(|said| said.len())?;
    Some((*said).to_owned())
}

/// The sums and products of a text, with their parentheses.
fn calculations(text: &str) -> Vec<&str> {
    let opening = text.char_indices().filter(|(_, c)| *c == '(').map(|(at, _)| at);
    let all = opening.filter_map(|open| {
        // What stands behind a name is a call.
        let is_group = open == 0 || matches!(text.as_bytes()[open - 1], b' ' | b'(' | b'[');
        let group = closing(text, open).filter(|_| is_group).map(|close| &text[open..=close])?;
        (group.len() >= SHORTEST && is_calculation(group)).then_some(group)
    });
    all.collect()
}

fn is_calculation(group: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| group.contains(word));
    has(&[" + ", " - ", " * ", " / ", " rem ", " mod "])
        && !has(&[" or ", " and ", " == ", " != ", " < ", " > ", " <= ", " >= ", " ? ", ", "])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_often_gets_a_name() {
        let sum = "(1 + (dimension 1 of start / dimension 1 of first))";
        let mut texts = vec![format!("{sum} < 3"), format!("{sum} > 1 or f({sum})"), "(1 + 2) > 1".to_owned()];
        let names = named(&mut texts, |name| name == "n");
        assert_eq!(names, [("m", sum[1..sum.len() - 1].to_owned())]);
        assert_eq!(texts, ["m < 3", "m > 1 or f(m)", "(1 + 2) > 1"]);
        let mut twice = vec![format!("{sum} < {sum}")];
        assert_eq!(named(&mut twice, |_| false), []);
        for text in ["(", "((((", "(é + é)", ""] {
            let mut odd = vec![text.repeat(50); 3];
            named(&mut odd, |_| false);
        }
    }
}
