//! What the style is.

use super::formatted;
use crate::format::format;
use skriptnd_source::FileId;
use skriptnd_source::diagnostics::Code;

/// The statement, formatted in a block.
fn statement(block: &str, text: &str) -> String {
    let whole = formatted(&format!("operator o{{@{block}{{{text}}}}}"));
    let lines: Vec<&str> = whole.lines().collect();
    let inner = &lines[2..lines.len() - 2];
    inner.iter().map(|line| line.strip_prefix("        ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn definitions_have_an_empty_line_between_them() {
    let text = "\n\nimport nn import math , layout\n# what it does\noperator a{}\ngraph g { @input {\n\n\n x:real[2]; } }\n\n\n\n# end";
    let expected = "import nn;\nimport math;\nimport layout;\n\n# what it does\noperator a {}\n\n\
        graph g {\n    @input {\n        x: real[2];\n    }\n}\n\n# end\n";
    assert_eq!(formatted(text), expected);
}

#[test]
fn at_most_one_empty_line_stays_within_a_block() {
    let text = "operator o {\n\n    @attrib {\n\n        a: int;\n\n\n\n        b: int;\n        c: int;\n\n    }\n\n\n    @using {\n    d = a;\n    }\n\n}\n";
    let expected = "operator o {\n    @attrib {\n        a: int;\n\n        b: int;\n        c: int;\n    }\n\n    \
        @using {\n        d = a;\n    }\n}\n";
    assert_eq!(formatted(text), expected);
}

#[test]
fn the_newer_spelling_becomes_the_specifications() {
    assert_eq!(statement("using", "a = sqrt(b) <? c >? `exp`(d);"), "a = `sqrt`(b) << c >> `exp`(d);");
    assert_eq!(statement("lower", "y[i..] <?= x[i..], i < s;"), "y[i..] <= x[i..],\n    i < s;");
    assert_eq!(
        statement("lower", "with z = x[i,], w = -z: y[i,] >?= w, i < n | w > 0;"),
        "z = x[i,],\nw = -z,\ny[i,] >= w,\n    i < n | w > 0;"
    );
}

#[test]
fn declarations() {
    let cases = [
        ("attrib", "stride:int..(d)=1;"),
        ("input", "x:optional real^(r)[b,c , s..(d+2)]..(n);"),
        ("input", "xs: dynamic int[~|4,..n,~|10 ..(3)]..;"),
        ("dtype", "T:num=real;"),
        ("constant", "I:real[n,n]=i==j?1.0:0.0,i<n,j<n;"),
        ("quantize", "conv.filter:quant.linear<real>{min=0.0,max=1.0};"),
        ("assert", "a>0&&..:\"'a' {a}\",'a':a,b.shape;"),
    ];
    let expected = [
        "stride: int..(d) = 1;",
        "x: optional real^(r)[b, c, s..(d + 2)]..(n);",
        "xs: dynamic int[~|4, ..n, ~|10 ..(3)]..;",
        "T: num = real;",
        "I: real[n, n] = i == j ? 1.0 : 0.0, i < n, j < n;",
        "conv.filter: quant.linear<real>{min=0.0, max=1.0};",
        "a > 0 && ..: \"'a' {a}\", 'a': a, b.shape;",
    ];
    for ((block, text), expected) in cases.into_iter().zip(expected) {
        assert_eq!(statement(block, text), expected);
    }
}

#[test]
fn expressions() {
    let cases = [
        ("[ a.. ,1 ..(5),0:n:-1, (a,b)..(n),c [:-1] ,x1..]", "[a.., 1 ..(5), 0:n:-1, (a, b)..(n), c[:-1], x1..]"),
        ("a [i]<-b", "a[i] <- b"),
        ("-a**2+ !b*- -c", "-a ** 2 + !b * --c"),
        ("a<-b", "a < -b"),
        ("( a )*...", "(a) * ..."),
        ("a:=..", "a := .."),
        ("?a?b??c:int()", "?a ? b ?? c : int()"),
        ("x.shape[0]is 1 in y", "x.shape[0] is 1 in y"),
        ("1.5e-3+1.", "1.5e-3 + 1."),
        ("'a {b+1}' \"c\"", "'a {b+1}' \"c\""),
    ];
    for (text, expected) in cases {
        assert_eq!(statement("using", &format!("z={text};")), format!("z = {expected};"));
    }
    assert_eq!(statement("lower", "y[]=x[|i|, | |a|<>0:b-1|];"), "y[] = x[|i|, | |a| <> 0 : b - 1|];");
}

#[test]
fn control_flow() {
    let text = "y=if c then{z=op(x);yield z;}elif d then x else l:{yield x;};";
    let expected = "y = if c then {\n    z = op(x);\n    yield z;\n} elif d then x else l: {\n    yield x;\n};";
    assert_eq!(statement("compose", text), expected);
    let text = "a,[b..,~],(c,d)..(n) = with s:real[]=0.0,t=x for i:xs,j : ys while s do..(k->n) {yield s;};";
    let expected = "a, [b.., ~], (c, d)..(n) = with s: real[] = 0.0, t = x for i : xs, j : ys while s do..(k -> n) {\n    \
        yield s;\n};";
    assert_eq!(statement("compose", text), expected);
    assert_eq!(statement("update", "v=unroll..(n)f<real>(v,~)while c;"), "v = unroll..(n) f<real>(v, ~) while c;");
}

#[test]
fn long_statements_are_broken() {
    let attributes: Vec<String> = (0..12).map(|n| format!("attribute{n}={n}")).collect();
    let text = format!("y=op{{{}}}(x,z);", attributes.join(","));
    let expected = "y = op{\n    attribute0=0, attribute1=1, attribute2=2, attribute3=3, attribute4=4, attribute5=5, \
        attribute6=6,\n    attribute7=7, attribute8=8, attribute9=9, attribute10=10, attribute11=11\n}(x, z);";
    assert_eq!(statement("compose", &text), expected);
    let terms: Vec<String> = (0..16).map(|n| format!("operand{n}")).collect();
    let broken = statement("using", &format!("y={};", terms.join("&&")));
    assert_eq!(broken.lines().count(), 16, "{broken}");
    assert!(broken.starts_with("y = operand0 &&\n    operand1 &&\n"), "{broken}");
    let list: Vec<String> = (0..60).map(|n| format!("{n}")).collect();
    let broken = statement("attrib", &format!("a:int..=[{}];", list.join(",")));
    assert!(broken.starts_with("a: int.. = [\n    0, 1,") && broken.ends_with(", 59\n];"), "{broken}");
}

#[test]
fn cases_have_a_line_each() {
    assert_eq!(statement("using", "z = a?b:c;"), "z = a ? b : c;");
    assert_eq!(statement("using", "z = a?b:c?d:e;"), "z = a ? b :\n    c ? d :\n    e;");
}

#[test]
fn comments_stay_where_they_are() {
    let text = "#head\n\nimport nn;# nn\noperator o{# o\n@attrib{# attributes\n# before a\na:int;# doc of a\nbcd:int;   # doc\n\n# end\n}# after\n}#last";
    let expected = "#head\n\nimport nn; # nn\n\noperator o { # o\n    @attrib { # attributes\n        # before a\n        \
        a: int;   # doc of a\n        bcd: int; # doc\n\n        # end\n    } # after\n} #last\n";
    assert_eq!(formatted(text), expected);
    let text = "z = [1 # one\n, 2, # two\n# own\n3];";
    assert_eq!(statement("using", text), "z = [\n    1, # one\n    2, # two\n    # own\n    3\n];");
    assert_eq!(statement("using", "z = a + # why\nb;"), "z = a + # why\n    b;");
}

#[test]
fn directives_stay_beside_their_definitions() {
    let text = "operator a {}\n#: run G\n#: output y = 1\n\ngraph G {\n    @compose {\n        y = a(); #~ error: no\n        #~^ error: b\n    }\n}\n";
    assert_eq!(formatted(text), text);
}

#[test]
fn line_ends_and_marks_are_kept() {
    assert_eq!(formatted("import nn;\r\n# a\r\n"), "import nn;\r\n# a\r\n");
    assert_eq!(formatted("\u{FEFF}import nn;"), "import nn;\n");
    assert_eq!(formatted(""), "");
}

#[test]
fn what_does_not_parse_is_left_alone() {
    let diagnostics = format(FileId(0), "graph G { @input { x: ; } }").unwrap_err();
    assert!(diagnostics.has_errors());
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.code != Code::NotFormatted));
}
