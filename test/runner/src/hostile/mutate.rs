//! Changes a text token by token, so that more of what comes out parses than after changes of bytes; or byte by byte.

use std::ops::Range;

/// Words and marks of the language that are put in.
const WORDS: &[&str] = &[
    "graph",
    "operator",
    "public",
    "import",
    "@attrib",
    "@input",
    "@output",
    "@variable",
    "@constant",
    "@using",
    "@assert",
    "@compose",
    "@lower",
    "@update",
    "@quantize",
    "@dtype",
    "int",
    "real",
    "bool",
    "str",
    "type",
    "num",
    "arith",
    "optional",
    "if",
    "then",
    "elif",
    "else",
    "for",
    "in",
    "while",
    "do",
    "with",
    "yield",
    "unroll",
    "is",
    "true",
    "false",
    "inf",
    "..",
    "...",
    "~",
    "<-",
    "->",
    "=>",
    "??",
    "?",
    ":=",
    "<<",
    ">>",
    "<?",
    ">?",
    "**",
    "\\",
    "|",
    "||",
    "&&",
    "!",
    "==",
    "!=",
    "<=",
    ">=",
    "+=",
    "*=",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "0",
    "1",
    "-1",
    "2",
    "7",
    "64",
    "9223372036854775807",
    "1e300",
    "0.5",
    "'a'",
    "\"{x}\"",
    ".shape",
    ".rank",
    ".size",
    "^(r)",
    "`sqrt`",
    "nn.conv",
    "math.add",
    "layout.reshape",
    "layout.concat",
];

/// Changes the text in the first `size` bytes of a buffer, in the manner of libFuzzer; the size afterwards is at most
/// `largest`.
pub fn mutate_buffer(data: &mut [u8], size: usize, largest: usize, seed: u32) -> usize {
    let text = String::from_utf8_lossy(&data[..size]);
    let changed = mutate_text(&text, seed, largest.min(data.len()));
    data[..changed.len()].copy_from_slice(changed.as_bytes());
    changed.len()
}

/// What is put in the place of numbers.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1000000",
    "2147483648",
    "9223372036854775807",
    "(-9223372036854775807 - 1)",
    "1e308",
    "-1e-320",
    "99999999999999999999",
    "[7 ..(1000000000)]",
];

/// Up to four changes: a token removed, doubled, exchanged with another, replaced by or followed by a word of the
/// language; a number replaced by an extreme one; a block doubled or put into itself. The result has at most `limit`
/// bytes.
pub fn mutate_text(text: &str, seed: u32, limit: usize) -> String {
    let mut random = Random::new(seed);
    let mut tokens = split(text);
    for _ in 0..1 + random.below(4) {
        if tokens.is_empty() {
            tokens.push("graph");
        }
        change(&mut tokens, &mut random);
    }
    cut(tokens.concat(), limit)
}

fn change(tokens: &mut Vec<&str>, random: &mut Random) {
    let (at, other) = (random.below(tokens.len()), random.below(tokens.len()));
    match random.below(9) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[other]),
        2 => tokens.swap(at, other),
        3 => tokens[at] = tokens[other],
        4 => tokens[at] = WORDS[random.below(WORDS.len())],
        5 => tokens.insert(at, WORDS[random.below(WORDS.len())]),
        6 => {
            let is_number = |token: &&str| token.starts_with(|c: char| c.is_ascii_digit());
            if let Some(number) = tokens[at..].iter().position(is_number) {
                tokens[at + number] = NUMBERS[random.below(NUMBERS.len())];
            }
        }
        7 => {
            if let Some(block) = block_from(tokens, at) {
                let part = tokens[block.clone()].to_vec();
                let place = if random.below(2) == 0 { block.end } else { block.start + 1 };
                tokens.splice(place..place, part);
            }
        }
        _ => {
            let (start, end) = (at.min(other), at.max(other).min(at.min(other) + 40));
            let part = tokens[start..end].to_vec();
            let place = random.below(tokens.len() + 1);
            tokens.splice(place..place, part);
        }
    }
}

/// The first bracket behind a place, with all up to where it closes.
fn block_from(tokens: &[&str], at: usize) -> Option<Range<usize>> {
    let start = at + tokens[at..].iter().position(|token| ["(", "[", "{"].contains(token))?;
    let mut depth = 0;
    let length = tokens[start..].iter().position(|token| {
        depth += i32::from(["(", "[", "{"].contains(token)) - i32::from([")", "]", "}"].contains(token));
        depth == 0
    })?;
    Some(start..start + length + 1)
}

/// Up to four changes of bytes: one removed, replaced, doubled, or the rest cut off. What is no UTF-8 any more becomes
/// replacement characters.
pub fn mutate_bytes(text: &str, seed: u32, limit: usize) -> String {
    let mut random = Random::new(seed);
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match (bytes.get(at).copied(), random.below(8)) {
            (None, _) => bytes.push(b'{'),
            (Some(_), 0) => drop(bytes.remove(at)),
            (Some(byte), 1) => bytes.insert(at, byte),
            (Some(_), 2) => bytes.truncate(at),
            (Some(byte), 3) => bytes[at] = byte ^ 1 << random.below(8),
            (Some(_), 4) => bytes.insert(at, random.below(256) as u8),
            (Some(_), _) => bytes[at] = 1 + random.below(126) as u8,
        }
    }
    cut(String::from_utf8_lossy(&bytes).into_owned(), limit)
}

fn cut(mut text: String, limit: usize) -> String {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

/// Words, numbers, single marks and stretches of white space.
fn split(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '@' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |(at, c): &(usize, char)| *at > 0 && (kind(first) == 0 || kind(*c) != kind(first));
        let end = rest.char_indices().find(same).map_or(rest.len(), |(at, _)| at);
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

/// A xorshift generator: the same seed gives the same change.
struct Random(u64);

impl Random {
    fn new(seed: u32) -> Self {
        Random(u64::from(seed) | 1 << 40)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}
