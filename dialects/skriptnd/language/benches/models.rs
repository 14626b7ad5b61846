//! Models of any size, for benchmarks and for tests of how the front end scales.

use std::fmt::Write;

/// A chain of `count` operations of the kinds that networks consist of: convolutions with variables of their own,
/// elementwise operators, concatenations and reshapes.
pub fn chain(count: usize) -> String {
    let (mut variables, mut statements) = (String::new(), String::new());
    let mut last = "x".to_owned();
    for at in 0..count {
        let value = match at % 6 {
            0 => {
                _ = writeln!(variables, "        filter{at}: real[16,16,3,3];\n        bias{at}: real[16];");
                format!("nn.conv{{stride=[1, 1], padding=[1, 1, 1, 1]}}({last}, filter{at}, bias{at})")
            }
            1 => format!("nn.relu({last})"),
            2 => format!("math.add({last}, x)"),
            3 => format!("layout.concat{{axis=1}}([{last}, x])"),
            4 => {
                _ = writeln!(variables, "        filter{at}: real[16,32,1,1];");
                format!("nn.conv{{padding=[0, 0, 0, 0]}}({last}, filter{at})")
            }
            _ => format!("layout.reshape{{shape=[1, -1, 8, 8]}}({last})"),
        };
        _ = writeln!(statements, "        t{at} = {value};");
        last = format!("t{at}");
    }
    graph(&variables, &statements, &last)
}

/// A chain of `count` invocations of as many operators, each of which invokes two of the standard library.
pub fn definitions(count: usize) -> String {
    let mut text = String::new();
    let mut statements = String::new();
    let mut last = "x".to_owned();
    for at in 0..count {
        _ = write!(
            text,
            "operator layer{at} {{\n    @input {{\n        x: real[n,c,h,w];\n    }}\n    @output {{\n        y: real[n,c,h,w];\n    \
             }}\n    @compose {{\n        a = math.add(x, {at}.0);\n        y = nn.relu(a);\n    }}\n}}\n\n"
        );
        _ = writeln!(statements, "        t{at} = layer{at}({last});");
        last = format!("t{at}");
    }
    graph("", &statements, &last) + &text
}

/// A pack of `count` tensors, made one by one and joined.
pub fn pack(count: usize) -> String {
    let statements: String = (0..count).map(|at| format!("        t{at} = math.add(x, {at}.0);\n")).collect();
    let names: Vec<String> = (0..count).map(|at| format!("t{at}")).collect();
    let joined = format!("        all = layout.concat{{axis=1}}([{}]);\n", names.join(", "));
    graph("", &(statements + &joined), "all")
}

/// A constant of `count` numbers.
pub fn numbers(count: usize) -> String {
    let list: Vec<String> = (0..count).map(|at| format!("{}.5", at % 100)).collect();
    let joined =
        format!("        t = layout.constant<real>{{shape=[1, {count}, 1, 1], value=[{}]}}();\n", list.join(", "));
    graph("", &joined, "t")
}

/// `count` variables that are added up.
pub fn variables(count: usize) -> String {
    let variables: String = (0..count).map(|at| format!("        v{at}: real[1,16,1,1];\n")).collect();
    let mut statements = String::new();
    let mut last = "x".to_owned();
    for at in 0..count {
        _ = writeln!(statements, "        t{at} = math.add({last}, v{at});");
        last = format!("t{at}");
    }
    graph(&variables, &statements, &last)
}

/// A graph with these variables and statements that ends with a copy of `last`.
fn graph(variables: &str, statements: &str, last: &str) -> String {
    format!(
        "import nn;\nimport math;\nimport layout;\n\ngraph Net {{\n    @input {{\n        x: real[1,16,8,8];\n    }}\n    \
         @output {{\n        y: real[~,~,~,~];\n    }}\n    @variable {{\n{variables}    }}\n    @compose {{\n{statements}        \
         y = math.add({last}, 1.0);\n    }}\n}}\n\n"
    )
}
