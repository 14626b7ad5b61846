//! Small networks: what one operator finds out about extents, the next ones rely on.

use crate::operators::Case;

/// Each statement is a composition that ends with `y = ...;`.
pub const NETWORKS: &[Case] = &[
    Case {
        inputs: "x: real[n|3, 2, 8, 8]; k: real[3, 2, 3, 3]; l: real[4, 3, 3, 3]; w: real[5, 16]; b: real[5];",
        dtype: "real",
        statement: "a = nn.conv{padding=1}(x, k);
                    p = nn.max_pool{axes=[2, 3], size=[2, 2], stride=[2, 2], padding=0}(a);
                    c = nn.conv{stride=2, padding=1}(p, l);
                    f = layout.flatten{axis=1}(c);
                    o = nn.linear(f, w, b);
                    y = nn.softmax{axes=[1]}(o);",
    },
    Case {
        inputs: "x: real[n|2, 2, h|9, w|7]; k: real[3, 2, 3, 3]; l: real[3, 3, 1, 1]; m: real[4, 3];",
        dtype: "real",
        statement: "a = nn.conv{padding=1, stride=2}(x, k);
                    r = nn.relu(a);
                    c = nn.conv{padding=0}(r, l);
                    s = math.add(c, r);
                    g = math.mean_reduce{axes=[2, 3], squeeze=true}(s);
                    y = nn.linear(g, m);",
    },
    Case {
        inputs: "x: real[s|5, b|2, 3]; w: real[8, 3]; r: real[8, 2]; c: real[8]; m: real[4, 2];",
        dtype: "real",
        statement: "~, h, ~ = nn.lstm(x, w, r, c);
                    o = nn.linear(h, m);
                    y = nn.softmax{axes=[1]}(o);",
    },
    Case {
        inputs: "x: real[b|2, s|5, 4]; q: real[4, 4]; k: real[4, 4]; v: real[4, 4];",
        dtype: "real",
        statement: "xs = layout.reshape{shape=[b * s, 4]}(x);
                    qs = nn.linear(xs, q);
                    ks = nn.linear(xs, k);
                    vs = nn.linear(xs, v);
                    qr = layout.reshape{shape=[b, s, 2, 2]}(qs);
                    qh = layout.transpose{perm=[0, 2, 1, 3]}(qr);
                    kr = layout.reshape{shape=[b, s, 2, 2]}(ks);
                    kh = layout.transpose{perm=[0, 2, 1, 3]}(kr);
                    vr = layout.reshape{shape=[b, s, 2, 2]}(vs);
                    vh = layout.transpose{perm=[0, 2, 1, 3]}(vr);
                    scores = linalg.matmul{transB=true}(qh, kh);
                    weights = nn.softmax{axes=[3]}(scores);
                    mixed = linalg.matmul(weights, vh);
                    back = layout.transpose{perm=[0, 2, 1, 3]}(mixed);
                    joined = layout.reshape{shape=[b, s, 4]}(back);
                    y = math.add(joined, x);",
    },
    Case {
        inputs: "x: real[n|6, 3]; m: real[4, 3];",
        dtype: "real",
        statement: "rows = layout.unstack{axis=0, squeeze=false}(x);
                    whole = layout.concat{axis=0}(rows);
                    o = nn.linear(whole, m);
                    y = nn.relu(o);",
    },
];
