//! Changes a text token by token, so that more of what comes out parses than after changes of bytes.

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

/// One change: a token removed, doubled, exchanged with another, replaced by or followed by a word of the language. The
/// result has at most `limit` bytes.
pub fn mutate_text(text: &str, seed: u32, limit: usize) -> String {
    let mut random = Random(u64::from(seed) | 1 << 40);
    let mut tokens = split(text);
    for _ in 0..1 + random.below(4) {
        if tokens.is_empty() {
            tokens.push("graph");
        }
        let (at, other) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(7) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[other]),
            2 => tokens.swap(at, other),
            3 => tokens[at] = tokens[other],
            4 => tokens[at] = WORDS[random.below(WORDS.len())],
            5 => tokens.insert(at, WORDS[random.below(WORDS.len())]),
            _ => {
                let (start, end) = (at.min(other), at.max(other).min(at.min(other) + 40));
                let part = tokens[start..end].to_vec();
                let place = random.below(tokens.len() + 1);
                tokens.splice(place..place, part);
            }
        }
    }
    let mut result = tokens.concat();
    let mut end = result.len().min(limit);
    while !result.is_char_boundary(end) {
        end -= 1;
    }
    result.truncate(end);
    result
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
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}
