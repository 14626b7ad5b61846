//! Formulas of small operators, printed and compared with what section 2.12 says they are.

use crate::compose::extent::Extent;
use crate::compose::formula::{AccessIndex, Assignment, Formula, Guard, ScalarExpr, ScalarKind, TensorRef};
use crate::compose::graph::{Argument, OperatorCall, TensorType};
use crate::compose::tests::definitions;
use crate::compose::value::{ScalarType, Value};
use crate::compose::{InstanceBody, Operand};
use indexmap::IndexMap;
use std::fmt::Write;

fn tensor(ref_: TensorRef) -> String {
    match ref_ {
        TensorRef::Input(at) => format!("x{at}"),
        TensorRef::Output(at) => format!("y{at}"),
        TensorRef::Constant(at) => format!("c{at}"),
    }
}

fn indices(assignment: &Assignment, indices: &[AccessIndex]) -> String {
    let text = indices.iter().map(|index| {
        let inner = scalar(assignment, &index.index);
        match &index.guard {
            Guard::None => inner,
            Guard::Skip => format!("|{inner}|"),
            Guard::Remap { below, above } => {
                format!("|{inner} <> {} : {}|", scalar(assignment, below), scalar(assignment, above))
            }
        }
    });
    text.collect::<Vec<_>>().join(",")
}

fn scalar(assignment: &Assignment, expr: &ScalarExpr) -> String {
    let inner = |expr: &ScalarExpr| scalar(assignment, expr);
    match &expr.kind {
        ScalarKind::Const(value) => value.to_string(),
        ScalarKind::Index(at) => assignment.loops[*at].name.clone(),
        ScalarKind::Local(at) => format!("l{at}"),
        ScalarKind::Access { tensor: ref_, indices: list } => {
            format!("{}[{}]", tensor(*ref_), indices(assignment, list))
        }
        ScalarKind::Unary(op, a) => format!("{op:?}({})", inner(a)),
        ScalarKind::Binary(op, a, b) => {
            let op = op.symbol();
            format!("({} {op} {})", inner(a), inner(b))
        }
        ScalarKind::Select(c, a, b) => format!("({} ? {} : {})", inner(c), inner(a), inner(b)),
        ScalarKind::Cast(a) => format!("{}({})", expr.dtype.keyword(), inner(a)),
        ScalarKind::Builtin(function, a) => format!("{function:?}({})", inner(a)),
    }
}

fn print(formula: &Formula) -> String {
    let mut text = String::new();
    for assignment in &formula.assignments {
        for (at, local) in assignment.locals.iter().enumerate() {
            write!(text, "l{at} = {}, ", scalar(assignment, local)).expect("a string");
        }
        let targets: Vec<String> = assignment
            .targets
            .iter()
            .map(|target| format!("{}[{}]", tensor(target.tensor), indices(assignment, &target.indices)))
            .collect();
        let values: Vec<String> = assignment.values.iter().map(|value| scalar(assignment, value)).collect();
        write!(text, "{} {:?} {}", targets.join(" "), assignment.op, values.join(" ")).expect("a string");
        for index in &assignment.loops {
            write!(text, ", {} < {}", index.name, index.extent).expect("a string");
        }
        if let Some(condition) = &assignment.condition {
            write!(text, " | {}", scalar(assignment, condition)).expect("a string");
        }
        text.push_str("; ");
    }
    text.trim_end().to_owned()
}

fn real(shape: &[i64]) -> Argument<TensorType> {
    let shape = shape.iter().map(|extent| Extent::known(*extent)).collect();
    Argument::Single(TensorType { dtype: ScalarType::Real, shape })
}

fn pack(items: &[Argument<TensorType>]) -> Argument<TensorType> {
    Argument::Pack(items.iter().flat_map(|item| item.items().to_vec()).collect())
}

fn formula_of(operator: &str, attributes: &[(&str, Value)], operands: &[Argument<TensorType>]) -> Formula {
    let definitions = definitions(operator);
    let path = if operator.contains("operator o ") { "main.o" } else { "nn.conv" };
    let attributes: IndexMap<String, Value> =
        attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let call = OperatorCall { operator: path.into(), dtypes: IndexMap::new(), attributes };
    let operands: Vec<_> = operands.iter().cloned().map(Operand::of).collect();
    match definitions.instance(&call, &operands) {
        Ok(instance) => match &instance.body {
            InstanceBody::Formula(formula) => formula.clone(),
            other => panic!("{other:?}"),
        },
        Err(diagnostics) => panic!("{:?}", diagnostics.iter().map(|d| &d.message).collect::<Vec<_>>()),
    }
}

fn formula(blocks: &str, attributes: &[(&str, Value)], operands: &[Argument<TensorType>]) -> String {
    print(&formula_of(&format!("operator o {{ {blocks} }}"), attributes, operands))
}

#[test]
fn accumulation_starts_from_the_null_element() {
    let matmul = "@input { a: real[m,k]; b: real[k,n]; } @output { c: real[m,n]; }
        @lower { c[i,j] += a[i,l] * b[l,j], i < m, l < k, j < n; }";
    assert_eq!(
        formula(matmul, &[], &[real(&[2, 3]), real(&[3, 4])]),
        "y0[i0,i1] Set 0.0, i0 < 2, i1 < 4; \
         y0[i,j] Add (x0[i,l] * x1[l,j]), i < 2, l < 3, j < 4;"
    );
    let product = matmul.replace("+=", "*=");
    assert!(formula(&product, &[], &[real(&[2, 3]), real(&[3, 4])]).starts_with("y0[i0,i1] Set 1.0"));
}

#[test]
fn absent_operands_leave_their_fallback() {
    let biased = "@input { x: real[n]; b: optional real[n]; } @output { y: real[n]; }
        @lower { y[i,] = x[i,] + (b[i,] ?? 0.5), i < n; }";
    assert_eq!(formula(biased, &[], &[real(&[3])]), "y0[i] Set (x0[i] + 0.5), i < 3;");
    assert_eq!(formula(biased, &[], &[real(&[3]), real(&[3])]), "y0[i] Set (x0[i] + x1[i]), i < 3;");
}

#[test]
fn convolution_is_affine() {
    let ints = |values: &[i64]| Value::Pack(values.iter().map(|value| Value::Int(*value)).collect());
    let text = "import nn; graph G { @output { y: int; } @compose { y = 0; } }";
    let attributes = [("stride", Value::Int(2)), ("padding", ints(&[1, 0, 1, 0]))];
    let conv = formula_of(text, &attributes, &[real(&[1, 4, 5, 5]), real(&[6, 4, 3, 1])]);
    let update = print(&Formula { assignments: conv.assignments[1..].to_vec(), ..conv.clone() });
    for part in ["|(((i0 * 2) + j0) + -1)|", "|((i1 * 2) + j1)|", "< 6", "< 4"] {
        assert!(update.contains(part), "{part} in {update}");
    }
    assert_eq!(conv.assignments.len(), 2);
    assert!(conv.assignments[1].locals.is_empty(), "index arithmetic is substituted");
}

#[test]
fn indices_of_tensor_packs_are_unrolled() {
    let concat = "@input { xs: real[..z]..(n); } @output { y: real[z + ..]; }
        @using { offs = [0, (z + ...)..]; }
        @lower { y[offs[k] + i,] = xs[k][i,], k < n, i < z[k]; }";
    let operands = [pack(&[real(&[2]), real(&[3])])];
    assert_eq!(formula(concat, &[], &operands), "y0[i] Set x0[i], i < 2; y0[(i + 2)] Set x1[i], i < 3;");
    let packed = "@input { xs: real[n]..(k); } @output { ys: real[n]..(k); } @lower { ys[i,] = -xs[i,], i < n; }";
    let operands = [pack(&[real(&[2]), real(&[2])])];
    assert_eq!(formula(packed, &[], &operands), "y0[i] y1[i] Set Neg(x0[i]) Neg(x1[i]), i < 2;");
    let unrolled = "@input { xs: real[n]..(k); } @output { ys: real[n]..(k); }
        @lower { unroll..(a -> k) ys[a][i,] = xs[a][i,] * real(a), i < n; }";
    assert_eq!(formula(unrolled, &[], &operands), "y0[i] Set (x0[i] * 0.0), i < 2; y1[i] Set (x1[i] * 1.0), i < 2;");
}

#[test]
fn packs_expand_to_dimensions() {
    let reduce = "@attrib { axes: int..(k); } @input { x: real[s..(d)]; } @output { y: real[(mask ? 1 : s)..]; }
        @using { mask = [0:d] in axes; } @lower { y[(mask ? 0 : i)..] += x[i..], i < s; }";
    let axes = [("axes", Value::Pack(vec![Value::Int(1)]))];
    assert_eq!(
        formula(reduce, &axes, &[real(&[2, 3])]),
        "y0[i0,i1] Set 0.0, i0 < 2, i1 < 1; y0[i0,0] Add x0[i0,i1], i0 < 2, i1 < 3;"
    );
}

#[test]
fn intermediate_values_are_kept_where_they_compute() {
    let cubed = "@input { x: real[s..]; } @output { y: real[s..]; }
        @lower { z = x[i..] * x[i..], k = i + 0, y[k..] = z + z, i < s; }";
    assert_eq!(formula(cubed, &[], &[real(&[2])]), "l0 = (x0[i0] * x0[i0]), y0[i0] Set (l0 + l0), i0 < 2;");
}

#[test]
fn conditions_and_data_dependent_indices() {
    let argmax = "@input { x: real[n]; } @output { y: int[]; }
        @lower { y[] = 0; y[] := i, i < n | x[i,] > x[y[],]; }";
    assert_eq!(formula(argmax, &[], &[real(&[3])]), "y0[] Set 0; y0[] Update i, i < 3 | (x0[i] > x0[y0[]]);");
    let packed = "@input { x: real[m, n]; } @output { y: int[]..(2); }
        @lower { y[] = 0; y[] := [i, j], i < m, j < n | x[i,j] > x[y[]..]; }";
    assert_eq!(
        formula(packed, &[], &[real(&[2, 3])]),
        "y0[] y1[] Set 0 0; y0[] y1[] Update i j, i < 2, j < 3 | (x0[i,j] > x0[y0[],y1[]]);"
    );
}

#[test]
fn known_packs_become_tables() {
    let table = "@attrib { v: int..(n); } @output { y: int[n]; } @lower { y[i,] = v[i] + 1, i < n; }";
    let values = [("v", Value::Pack(vec![Value::Int(7), Value::Int(9)]))];
    let formula_ = formula_of(&format!("operator o {{ {table} }}"), &values, &[]);
    assert_eq!(print(&formula_), "y0[i] Set (c0[i] + 1), i < 2;");
    assert_eq!(formula_.constants[0].value.to_string(), "[7, 9]");
    // All items the same: no table is needed, and an empty one is never asked.
    assert_eq!(formula(table, &[("v", Value::Repeat(Box::new(Value::Int(3)), 100))], &[]), "y0[i] Set 4, i < 100;");
    assert_eq!(formula(table, &[("v", Value::Pack(Vec::new()))], &[]), "");
}

#[test]
fn guards_and_remaps() {
    let smooth = "@attrib { w: int; } @input { x: real[s]; } @output { y: real[s]; }
        @lower { y[i,] += x[|i + j - w / 2|,], i < s, j < w; }";
    let window = [("w", Value::Int(3))];
    assert!(formula(smooth, &window, &[real(&[5])]).contains("Add x0[|((i + j) + -1)|], i < 5, j < 3"));
    let clamp = "@attrib { w: int; } @input { x: real[s]; } @output { y: real[s + 2 * w]; }
        @lower { y[i,] = x[|i - w <> 0 : s - 1|,], i < s + 2 * w; }";
    assert_eq!(formula(clamp, &window, &[real(&[5])]), "y0[i] Set x0[|(i + -3) <> 0 : 4|], i < 11;");
}

#[test]
fn constants_by_index() {
    let identity = "@attrib { n: int; } @constant { e: real[n,n] = i == j ? 1.0 : 0.0, i < n, j < n; }
        @output { y: real[n,n]; } @lower { y[i,j] = e[i,j], i < n, j < n; }";
    let formula = formula_of(&format!("operator o {{ {identity} }}"), &[("n", Value::Int(2))], &[]);
    assert_eq!(formula.constants[0].value.to_string(), "[1.0, 0.0, 0.0, 1.0]");
    assert_eq!(formula.constants[0].shape, [2, 2]);
    let packed =
        "@constant { e: int[s..] = (i * [10, 1]) + .., i < s; } @output { y: int[s..]; } @using { s = [2, 3]; }
        @lower { y[i..] = e[i..], i < s; }";
    let formula = formula_of(&format!("operator o {{ {packed} }}"), &[], &[]);
    assert_eq!(formula.constants[0].value.to_string(), "[0, 1, 2, 10, 11, 12]");
}
