//! Names in messages.

/// How many are shown.
const LISTED: usize = 10;

/// Names, the first of them where they are many.
pub fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut shown: Vec<String> = names.take(LISTED + 1).map(|name| format!("`{name}`")).collect();
    if shown.len() > LISTED {
        shown[LISTED] = "...".to_owned();
    }
    shown.join(", ")
}
