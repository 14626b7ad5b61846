//! Texts that nobody wrote: changed copies of the standard library and of what converters write.

use super::formatted;
use crate::parse;
use skriptnd_source::FileId;

const SOURCES: [&str; 4] = [
    include_str!("../../../../language/stdlib/linalg.sknd"),
    include_str!("../../../../language/stdlib/quant.sknd"),
    include_str!("../../../../language/stdlib/algo.sknd"),
    "import nn, lib.ops; public graph G { @attrib { n: int..(d) = [1, 2:n:-1, m..(k)]; o: optional str; b: bool = true; }\n\
     @dtype { T: arith = int; } @input { xs: T^(r)[b, ..s, static c, ~|4, ~|10 ..(3)]..(static k); y: dynamic real[]; }\n\
     @using { [h, t..(2)] = -n ** 2 + !o ?? 1 << 2 >> 3; (u, v)..(k) = [(n, n)..(k)]; w = xs.shape[0] is 1 ? n[-1] : n[1:] <? ..; }\n\
     @assert { n > 0 && ..: 'a' \"b {n}\", 'n': n, w; }\n\
     @lower { unroll..(i -> k) with z = |i|, q = sqrt(z): a[i, b.., | |i| <> 0 : n - 1|] >?= x[i,] + T(1), i < n | z < -q; }\n\
     @compose { a: real[n], ~, [c..(3), (e, f)..(2)] = l: nn.conv<real, T>{n=[1 ..(2)], o='x'}(xs, ~, [y, 1.0e-3]);\n\
     p = with s: real[1] = 0.0, t = y for i: xs, j: [a, a] while s do..(q -> k) { r = f(s); yield r, r; };\n\
     m = if c then a elif d then { yield y; } else lib.ops.f(y); g = unroll..(3) f(y) while g; }\n\
     @update { v = exp(a); } @quantize { l.filter: quant.linear{min=-1.0}; } }",
];

/// A generator of numbers, the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// Words of a text, with the blanks before them.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in text.chars() {
        let joined = (c.is_ascii_alphanumeric() || c == '_') && (last.is_ascii_alphanumeric() || last == '_');
        match words.last_mut() {
            Some(word) if joined || last.is_whitespace() || matches!(last, '\'' | '"') => word.push(c),
            _ => words.push(c.to_string()),
        }
        last = c;
    }
    words
}

#[test]
fn what_parses_is_formatted() {
    let mut random = Random(7);
    let mut parsed = 0;
    for source in SOURCES {
        formatted(source);
        let words = words(source);
        for _ in 0..40 {
            let text = changed(&words, &mut random);
            let (module, diagnostics) = parse(FileId(0), &text);
            if !module.incomplete && !diagnostics.has_errors() {
                parsed += 1;
                formatted(&text);
            }
        }
    }
    assert!(parsed > 40, "{parsed}");
}

/// The words with a few changes.
fn changed(words: &[String], random: &mut Random) -> String {
    const ADDED: [&str; 9] = ["# c\n", " ", "\n", "\n\n\n", "\n# d\n", "-", "?", "!", " # e\n\n"];
    let is_name = |word: &String| word.trim_start().starts_with(|c: char| c.is_ascii_alphanumeric());
    let names: Vec<&String> = words.iter().filter(|word| is_name(word)).collect();
    let mut changed = words.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(changed.len());
        match random.below(8) {
            0 => drop(changed.remove(at)),
            1 => changed.insert(random.below(changed.len()), changed[at].clone()),
            2 if is_name(&changed[at]) => changed[at] = format!(" {}", names[random.below(names.len())].trim_start()),
            _ => changed.insert(at, ADDED[random.below(ADDED.len())].to_owned()),
        }
    }
    changed.concat()
}
