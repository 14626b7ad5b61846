//! Values of attributes for the graphs of source patterns.

/// A value of an attribute that rules want to be absent, which says something else than its absence.
pub fn present(attribute: &str) -> Option<&'static str> {
    match attribute {
        "stride" => Some("array<i64: 1>"),
        "alpha" => Some("0.5 : f64"),
        _ if attribute.ends_with("_align") => Some("0 : i64"),
        _ => None,
    }
}

/// A value with which an operator that rearranges does something.
pub fn done(operation: &str, attribute: &str) -> Option<&'static str> {
    Some(match (operation, attribute) {
        ("layout.cast", "R") => "i64",
        ("layout.flatten", "rank") => "2 : i64",
        ("layout.reshape" | "layout.unflatten", "shape") => "array<i64: 1, 1>",
        ("layout.squeeze" | "layout.unsqueeze", "axes") => "array<i64: 0>",
        ("layout.broadcast", "shape") | ("layout.tile", "repeats") => "array<i64: 2>",
        ("layout.transpose", "perm") => "array<i64: 1, 0, 2, 3>",
        ("layout.pad", "padding") => "array<i64: 1, 0, 0, 0, 0, 0, 0, 0>",
        _ => return None,
    })
}

/// The extents of an operand, where rules have operands of different shapes.
pub fn extents(rule: &str, operand: &str) -> Option<&'static [u64]> {
    if !rule.starts_with("FoldBatchNorm") {
        return None;
    }
    Some(match (operand, rule.contains("Linear")) {
        ("x", true) => &[2, 3],
        ("filter", true) => &[4, 3],
        ("x", false) => &[2, 3, 5, 4],
        ("filter", false) if rule.contains("NLast") => &[2, 2, 3, 4],
        ("filter", false) => &[4, 3, 2, 2],
        _ => &[4],
    })
}

/// A value that the operators accept and the rule's conditions hold for; `number` counts operations of a kind.
pub fn value(rule: &str, operation: &str, attribute: &str, number: usize) -> Option<&'static str> {
    let merges = rule.starts_with("Merge");
    Some(match (operation, attribute) {
        ("layout.reshape", "axis") | ("layout.flatten", "axis") | ("layout.unflatten", "axis") => "0 : i64",
        ("layout.reshape", "rank") => "1 : i64",
        ("layout.flatten", "rank") if merges => "2 : i64",
        ("layout.flatten", "rank") => "1 : i64",
        ("layout.reshape" | "layout.unflatten", "shape") if merges => "array<i64: 1, 1>",
        ("layout.reshape" | "layout.unflatten", "shape") => "array<i64: 1>",
        ("layout.squeeze" | "layout.unsqueeze", "axes") if merges => "array<i64: 0>",
        ("layout.squeeze" | "layout.unsqueeze", "axes") => "array<i64>",
        ("layout.broadcast" | "layout.tile", "axes") => "array<i64: 0>",
        ("layout.broadcast", "shape") | ("layout.tile", "repeats") => "array<i64: 1>",
        ("layout.transpose", "axis") => "0 : i64",
        ("layout.transpose", "perm") if merges => "array<i64: 2, 0, 3, 1>",
        ("layout.transpose", "perm") => "array<i64: 0, 1, 2, 3>",
        ("layout.concat", "axis") => "2 : i64",
        ("layout.slice", "axes") => "array<i64: 2>",
        ("layout.slice", "begin") if rule == "SliceLast" => "array<i64: 2>",
        ("layout.slice", "begin") => "array<i64: 0>",
        ("layout.slice", "end") if rule == "SliceLast" => "array<i64: 4>",
        ("layout.slice", "end") => "array<i64: 2>",
        ("layout.pad", "padding") => "array<i64: 0, 0, 0, 0, 0, 0, 0, 0>",
        ("layout.cast", "R") if rule == "CastOfCast" && number == 0 => "i64",
        ("layout.cast", "R") => "f32",
        ("layout.shuffle", "axis") => "1 : i64",
        ("layout.shuffle", "groups") if number == 0 => "2 : i64",
        ("layout.shuffle", "groups") => "4 : i64",
        (_, "block_size") => "array<i64: 2, 2>",
        (_, "blocks_first") => "true",
        (_, "data_format") => "\"NCX\"",
        ("nn.conv", "filter_format") if rule.contains("NLast") => "\"XCN\"",
        ("nn.conv", "filter_format") => "\"NCX\"",
        ("nn.batch_norm", "epsilon") => "0.125 : f64",
        ("nn.batch_norm", "channel_axis") => "1 : i64",
        _ => return None,
    })
}
