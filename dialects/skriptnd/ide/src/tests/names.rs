//! Names: what they stand for, where they are introduced, what is known of them.

use super::marked;
use crate::RenameError;

const SCALE: &str = "import layout;

# Multiplies by a factor.
operator scale {
    @attrib {
        factor: real = 2.0; # by how much
    }
    @input {
        x: real[s..];
    }
    @output {
        y: real[s..];
    }
    @using {
        volume = s * ..;
        half = factor / 2.0;
    }
    @lower {
        z = x[i..] * factor,
        y[i..] = z,
            i < s;
    }
}
";

/// The operator with a graph behind it, marked where `place` stands first after `from`.
fn model(from: &str, place: &str) -> super::Marked {
    let graph = "graph G {
    @attrib {
        n: int = 3;
    }
    @input {
        a: real[n, 4];
    }
    @output {
        b: real[n, 4];
    }
    @compose {
        c = scale{factor=0.5}(a);
        b = l: {
            c = scale(c);
            yield c;
        };
    }
}
";
    let text = format!("{SCALE}\n{graph}");
    let start = text.find(from).unwrap();
    let at = start + text[start..].find(place).unwrap();
    marked(&format!("{}${}", &text[..at], &text[at..]), &[])
}

#[test]
fn the_model_is_valid() {
    let model = model("graph", "a:");
    let errors: Vec<_> = model.snapshot.diagnostics.iter().map(|d| &d.message).collect();
    assert!(!model.snapshot.diagnostics.has_errors(), "{errors:?}");
}

#[test]
fn hover_tells_what_is_declared_and_what_is_known() {
    let operator = model("c = scale", "scale").hover();
    assert!(operator.contains("operator scale {"), "{operator}");
    assert!(operator.contains("factor: real = 2.0; # by how much"), "{operator}");
    assert!(operator.contains("Multiplies by a factor.") && operator.contains("here: `factor=0.5`"), "{operator}");
    let attribute = model("factor / 2.0", "factor").hover();
    assert!(attribute.contains("an attribute of `scale`") && attribute.contains("by how much"), "{attribute}");
    assert!(attribute.contains("value: `0.5`, `2"), "{attribute}");
    let helper = model("volume", "volume").hover();
    assert!(helper.contains("a helper symbol of `scale`") && helper.contains("value: `12`"), "{helper}");
    let extent = model("x: real[s", "s..").hover();
    assert!(extent.contains("an extent of `scale`") && extent.contains("value: `[3, 4]`"), "{extent}");
    let input = model("x: real", "x").hover();
    assert!(input.contains("in the graph: `real[3, 4]`"), "{input}");
    let tensor = model("c = scale", "c").hover();
    assert!(tensor.contains("an intermediate tensor of `G`") && tensor.contains("`real[3, 4]`"), "{tensor}");
    let graph_attribute = model("n: int", "n").hover();
    assert!(graph_attribute.contains("value: `3`"), "{graph_attribute}");
}

#[test]
fn hover_knows_the_graph_around_a_place() {
    const TEXT: &str = "import math;\n\
        graph G { @input { x: real[2]; } @output { y: real[2]; } @compose { y = math.neg(x); } }\n\
        graph H { @attrib { n: int = 5; } @input { x: real[n]; } @output { y: real[n]; }\n\
            @compose { y = math.abs(x); } }";
    let hover = |place: &str| marked(&TEXT.replacen(place, &format!("${place}"), 1), &[]).hover();
    assert!(hover("x: real[n]").contains("in the graph: `real[5]`"), "{}", hover("x: real[n]"));
    assert!(hover("n: int").contains("value: `5`"), "{}", hover("n: int"));
    assert!(hover("x: real[2]").contains("in the graph: `real[2]`"), "{}", hover("x: real[2]"));
    assert!(hover("abs").contains("here: `"), "{}", hover("abs"));
}

#[test]
fn hover_knows_graphs_behind_one_that_needs_values_and_updates() {
    const TEXT: &str = "import math;\n\
        graph G { @attrib { k: int; } @input { x: real[k]; } @output { y: real[k]; } @compose { y = math.neg(x); } }\n\
        graph H { @attrib { n: int = 5; } @input { x: real[n]; z: real[m|7]; } @output { y: real[n]; }\n\
            @variable { v: real[n]; } @compose { y = math.abs(x); } @update { v = math.sign(v); } }";
    let hover = |place: &str| marked(&TEXT.replacen(place, &format!("${place}"), 1), &[]).hover();
    assert!(hover("n: int").contains("value: `5`"), "{}", hover("n: int"));
    assert!(!hover("k: int").contains("value"), "nothing says which");
    assert!(hover("sign").contains("here: `"), "{}", hover("sign"));
    assert!(!hover("m|7").contains("value"), "its name is no value: {}", hover("m|7"));
}

#[test]
fn definitions_follow_the_scopes() {
    assert_eq!(model("z = x", "x").definition(), "main.sknd:9: x: real[s..];");
    assert_eq!(model("y[i..] = z", "z").definition(), "main.sknd:19: z = x[i..] * factor,");
    assert_eq!(model("y[i..] = z", "i").definition(), "main.sknd:21: i < s;");
    assert_eq!(model("i < s", "s").definition(), "main.sknd:9: x: real[s..];");
    assert_eq!(model("factor=0.5", "factor").definition(), "main.sknd:6: factor: real = 2.0; # by how much");
    assert_eq!(model("scale(c)", "c)").definition(), "main.sknd:36: c = scale{factor=0.5}(a);");
    assert_eq!(model("yield c", "c;").definition(), "main.sknd:38: c = scale(c);");
    assert_eq!(model("scale(c)", "scale").definition(), "main.sknd:4: operator scale {");
    let library = marked("import nn; graph G { @output { y: real[]; } @compose { y = nn.re$lu(1.0); } }", &[]);
    assert!(library.definition().starts_with("stdlib/nn.sknd:") && library.definition().contains("operator relu {"));
    let module = marked("import l$ib; graph G {}", &[("lib", "operator o {}")]);
    assert_eq!(module.definition(), "lib.sknd:1: operator o {}");
    assert_eq!(marked("graph G { @using { a = $1; } }", &[]).definition(), "");
}

#[test]
fn references_are_found_in_all_modules() {
    let factor = [
        "6: factor: real = 2.0; # by how much",
        "16: half = factor / 2.0;",
        "19: z = x[i..] * factor,",
        "36: c = scale{factor=0.5}(a);",
    ];
    let expected: Vec<String> = factor.iter().map(|line| format!("main.sknd:{line}")).collect();
    assert_eq!(model("factor: real", "factor").references(), expected);
    assert_eq!(model("factor=0.5", "factor").references(), expected);
    let lib = "operator o { @input { x: real[]; } @output { y: real[]; } @lower { y[] = x[]; } }";
    let text = "import lib;\ngraph G { @output { y: real[]; } @compose {\nz = lib.$o(1.0);\ny = lib.o(z); } }";
    let found = marked(text, &[("lib", lib)]).references();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("lib.sknd:1:"), "{found:?}");
}

#[test]
fn renaming_is_refused_where_it_can_not_be() {
    let rename = |from: &str, place: &str, to: &str| {
        let model = model(from, place);
        model.snapshot.rename(model.file, model.offset, to).map(|spans| spans.len())
    };
    assert_eq!(rename("z = x", "z", "w"), Ok(2));
    assert_eq!(rename("operator scale", "scale", "times"), Ok(3));
    assert_eq!(rename("z = x", "z", "x"), Err(RenameError::Taken));
    assert_eq!(rename("operator scale", "scale", "G"), Err(RenameError::Taken));
    assert_eq!(rename("z = x", "z", "2z"), Err(RenameError::NotAName));
    assert_eq!(rename("z = x", "z", "while"), Err(RenameError::NotAName));
    assert_eq!(rename("import layout", "layout", "lib"), Err(RenameError::Module));
    assert_eq!(rename("2.0;", "2.0", "two"), Err(RenameError::NothingHere));
    let library = marked("import nn; graph G { @output { y: real[]; } @compose { y = nn.re$lu(1.0); } }", &[]);
    assert_eq!(library.snapshot.rename(library.file, library.offset, "r"), Err(RenameError::Standard));
}

#[test]
fn an_outline_has_what_is_declared() {
    let model = model("graph", "a:");
    let outline = model.snapshot.outline(model.file);
    let names: Vec<&str> = outline.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["scale", "G"]);
    assert_eq!(outline[0].detail, "Multiplies by a factor.");
    let children: Vec<String> = outline[0].children.iter().map(|c| format!("{} {}", c.name, c.detail)).collect();
    assert_eq!(children, ["factor attribute real = 2.0", "x input real[s..]", "y output real[s..]"]);
}
