//! Reads cases.

use crate::apply::plan::{CONST_OP, SHAPE_OP, array_output, shape_output};
use crate::apply::{Channels, Elements, Encoding, OutputDef};
use crate::direct::{Node, Output, PlainGraph};
use crate::grammar::model::qualified;
use std::collections::HashMap;

/// A graph, and what is to become of it.
#[derive(Debug, Clone)]
pub struct Case {
    /// What stands behind `case`.
    pub name: String,
    /// The line where it begins.
    pub line: usize,
    /// The graph.
    pub graph: PlainGraph,
    /// What the rules make of it; none where they change nothing.
    pub expected: Option<PlainGraph>,
}

/// A line that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {reason}")]
pub struct CaseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// Reads the text of a file of cases; `package` is that of ops whose names have none.
pub fn read(text: &str, package: &str) -> Result<Vec<Case>, CaseError> {
    let mut cases = Vec::new();
    let mut reader: Option<Reader<'_>> = None;
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let number = index + 1;
        let at = |reason: String| CaseError { line: number, reason };
        if let Some(name) = line.strip_prefix("case ") {
            cases.extend(reader.take().map(Reader::finish).transpose()?);
            reader = Some(Reader::new(name.trim(), number, package));
        } else if !line.is_empty() {
            let reader = reader.as_mut().ok_or_else(|| at("expected `case NAME` first".to_owned()))?;
            reader.statement(line).map_err(at)?;
        }
    }
    cases.extend(reader.map(Reader::finish).transpose()?);
    Ok(cases)
}

struct Reader<'a> {
    name: &'a str,
    line: usize,
    package: &'a str,
    graph: PlainGraph,
    names: HashMap<&'a str, Output>,
    /// The inputs of the first graph, which the second has, too.
    inputs: Vec<(&'a str, OutputDef)>,
    given: Option<PlainGraph>,
    is_unchanged: bool,
}

impl<'a> Reader<'a> {
    fn new(name: &'a str, line: usize, package: &'a str) -> Self {
        let (graph, names, inputs) = (PlainGraph::default(), HashMap::new(), Vec::new());
        Reader { name, line, package, graph, names, inputs, given: None, is_unchanged: false }
    }

    fn finish(self) -> Result<Case, CaseError> {
        let Reader { name, line, graph, given, is_unchanged, .. } = self;
        let at = |reason: &str| CaseError { line, reason: reason.to_owned() };
        let (graph, expected) = match (given, is_unchanged) {
            (Some(given), false) => (given, Some(graph)),
            (None, true) => (graph, None),
            _ => return Err(at("expected one of `becomes` and `unchanged`")),
        };
        if graph.outputs.is_empty() || expected.as_ref().is_some_and(|expected| expected.outputs.is_empty()) {
            return Err(at("expected `output NAME`"));
        }
        Ok(Case { name: name.to_owned(), line, graph, expected })
    }

    fn statement(&mut self, line: &'a str) -> Result<(), String> {
        if line == "unchanged" {
            self.is_unchanged = true;
            return Ok(());
        }
        if line == "becomes" {
            return self.begin_expected();
        }
        if let Some(input) = line.strip_prefix("input ") {
            let (name, ty) = input.split_once(':').ok_or("expected `input NAME: TYPE`")?;
            let output = read_type(ty)?;
            self.inputs.push((name.trim(), output.clone()));
            return self.define(name.trim(), Node::new(None, &[], output, None));
        }
        if let Some(names) = line.strip_prefix("output ") {
            for name in names.split(',') {
                let output = self.named(name)?;
                self.graph.outputs.push(output);
            }
            return Ok(());
        }
        let (name, value) =
            line.split_once('=').ok_or("expected `NAME = OP(...): TYPE`, or `input`, `output`, `becomes`")?;
        let node = self.node(value.trim())?;
        self.define(name.trim(), node)
    }

    fn begin_expected(&mut self) -> Result<(), String> {
        if self.given.is_some() {
            return Err("a case has one graph that is expected".to_owned());
        }
        self.given = Some(std::mem::take(&mut self.graph));
        self.names.clear();
        for (name, output) in std::mem::take(&mut self.inputs) {
            self.define(name, Node::new(None, &[], output, None))?;
        }
        Ok(())
    }

    fn named(&self, name: &str) -> Result<Output, String> {
        self.names.get(name.trim()).copied().ok_or_else(|| format!("there is no `{}`", name.trim()))
    }

    fn define(&mut self, name: &'a str, node: Node) -> Result<(), String> {
        let output = self.graph.add(node).output(0);
        match self.names.insert(name, output) {
            None => Ok(()),
            Some(_) => Err(format!("there is a `{name}` already")),
        }
    }

    fn node(&self, value: &str) -> Result<Node, String> {
        if let Some(extents) = value.strip_prefix("shape ") {
            return Ok(Node::new(Some(SHAPE_OP), &[], shape_output(read_extents(extents)?), None));
        }
        if let Some(constant) = value.strip_prefix('[') {
            return read_constant(constant);
        }
        let (op, rest) = value.split_once('(').ok_or("expected `OP(operands): TYPE`")?;
        let (operands, ty) = rest.split_once(')').ok_or("expected `)`")?;
        let ty = ty.trim().strip_prefix(':').ok_or("expected `: TYPE` behind the operands")?;
        let operands = operands.split(',').filter(|operand| !operand.trim().is_empty());
        let inputs = operands.map(|operand| self.named(operand)).collect::<Result<Vec<_>, _>>()?;
        Ok(Node::new(Some(&qualified(op.trim(), self.package)), &inputs, read_type(ty)?, None))
    }
}

/// `1, 2]` with a type behind it, if there is one.
fn read_constant(text: &str) -> Result<Node, String> {
    let (elements, ty) = text.split_once(']').ok_or("expected `]`")?;
    let is_real = elements.contains('.');
    let wrong = |text: &str| format!("expected a number, found `{text}`");
    let words = elements.split(',').map(str::trim).filter(|word| !word.is_empty());
    let elements = if is_real {
        Elements::Reals(words.map(|word| word.parse().map_err(|_| wrong(word))).collect::<Result<_, _>>()?)
    } else {
        Elements::Ints(words.map(|word| word.parse().map_err(|_| wrong(word))).collect::<Result<_, _>>()?)
    };
    let output = match ty.trim().strip_prefix(':') {
        Some(ty) => read_type(ty)?,
        None => array_output(&elements),
    };
    Ok(Node::new(Some(CONST_OP), &[], output, Some(elements)))
}

/// `[1, 8, 8, 3]`.
fn read_extents(text: &str) -> Result<Vec<u64>, String> {
    let inner = text.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let words = inner.ok_or("expected extents as `[1, 8, 8, 3]`")?.split(',').map(str::trim);
    let extents = words.filter(|word| !word.is_empty());
    extents.map(|word| word.parse().map_err(|_| format!("expected an extent, found `{word}`"))).collect()
}

/// `QUInt8(128, 0.5)[1, 8]`, `Float32[]`.
fn read_type(text: &str) -> Result<OutputDef, String> {
    let (element, extents) = text.trim().split_once('[').ok_or("expected a type as `Float32[1, 8]`")?;
    let dims = read_extents(&format!("[{extents}"))?;
    let (name, quantization) = match element.split_once('(') {
        Some((name, rest)) => (name, rest.trim().strip_suffix(')').and_then(|inner| inner.split_once(','))),
        None => (element, None),
    };
    let encoding = read_values(name.trim())?;
    let encoding = match quantization {
        None if encoding.dtype().is_quantized() => {
            return Err(format!("expected `{}(zero offset, step size)`", name.trim()));
        }
        None => encoding,
        Some((zeros, steps)) => quantized(encoding, zeros, steps)?,
    };
    Ok(OutputDef { dims, encoding })
}

/// `Float32`, `QUInt8`, `QInt4` or `QInt8<-127:127>`, without quantization.
fn read_values(name: &str) -> Result<Encoding, String> {
    let unknown = || format!("`{name}` is no DType");
    let (tag, range) = match name.split_once('<') {
        Some((tag, range)) => (tag.trim(), Some(range.strip_suffix('>').ok_or_else(unknown)?)),
        None => (name, None),
    };
    let bits =
        tag.strip_prefix("QInt").map(|bits| (bits, true)).or(tag.strip_prefix("QUInt").map(|bits| (bits, false)));
    let Some((bits, is_signed)) = bits else { return tag.parse().map(Encoding::plain).map_err(|_| unknown()) };
    let bits = bits.parse().map_err(|_| unknown())?;
    let encoding = Encoding::of_integers(bits, is_signed, range.is_some()).ok_or_else(unknown)?;
    let is_own = |range: &str| encoding.limits().is_some_and(|(least, most)| range == format!("{least}:{most}"));
    if range.is_none_or(is_own) { Ok(encoding) } else { Err(format!("`{name}` has a range that no type has")) }
}

/// Of `0, 0.5`, or of `0 0, 0.5 0.25 along 3`: zero offsets and step sizes along a dimension.
fn quantized(encoding: Encoding, zeros: &str, steps: &str) -> Result<Encoding, String> {
    fn numbers<T: std::str::FromStr>(text: &str, what: &str) -> Result<Vec<T>, String> {
        text.split_whitespace().map(|word| word.parse().map_err(|_| format!("`{word}` is no {what}"))).collect()
    }
    let (steps, axis) = match steps.split_once("along") {
        Some((steps, axis)) => (steps, Some(axis.trim())),
        None => (steps, None),
    };
    let (zeros, steps) = (numbers(zeros, "zero offset")?, numbers(steps, "step size")?);
    match (axis, &zeros[..], &steps[..]) {
        (None, [zero], [step]) => Ok(encoding.with_step(*zero, *step)),
        (Some(axis), ..) if zeros.len() == steps.len() => {
            let axis = axis.parse().map_err(|_| format!("`{axis}` is no dimension"))?;
            Ok(encoding.with_channels(Channels { axis, each: zeros.into_iter().zip(steps).collect() }))
        }
        _ => Err("expected one zero offset and one step size, or as many of both `along` a dimension".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_graphs() {
        let text = "# two\ncase a b\ninput x: QUInt8(3, 0.5)[2]\nk = [1.5, 2.0]\ny = Add(x, k): Float32[2]\noutput y\nbecomes\n\
                    z = mine::Neg(x): Float32[2]\noutput z\ncase same\ninput x: Float32[]\noutput x\nunchanged\n";
        let cases = read(text, "q").unwrap();
        assert_eq!(cases.iter().map(|case| (&*case.name, case.line)).collect::<Vec<_>>(), [("a b", 2), ("same", 10)]);
        let sum = cases[0].graph.node(cases[0].graph.outputs[0].node);
        assert_eq!((sum.op.as_deref(), sum.inputs.len()), (Some("q::Add"), 2));
        let expected = cases[0].expected.as_ref().unwrap();
        assert_eq!(expected.node(expected.outputs[0].node).op.as_deref(), Some("mine::Neg"));
        assert!(cases[1].expected.is_none());
    }

    #[test]
    fn types_are_read_as_they_are_written() {
        for text in [
            "Float16[2]",
            "QUInt8(128, 0.5)[1, 8]",
            "QInt32(0, 0.25)[]",
            "QInt4(-8, 0.5)[3]",
            "QInt4<-7:7>(0, 0.5)[3]",
            "QInt8<-127:127>(0 1, 0.5 0.25 along 1)[3, 2]",
        ] {
            assert_eq!(read_type(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn says_where_a_line_is_wrong() {
        for (text, expected) in [
            ("input x: Float32[]", "1: expected `case NAME` first"),
            ("case a\ninput x: Real[]", "2: `Real` is no DType"),
            ("case a\ninput x: QInt8[1]", "2: expected `QInt8(zero offset, step size)`"),
            ("case a\ninput x: QInt5(0, 0.5)[1]", "2: `QInt5` is no DType"),
            ("case a\ninput x: QInt8<-7:7>(0, 0.5)[1]", "2: `QInt8<-7:7>` has a range that no type has"),
            ("case a\ninput x: QInt8(0, 0.5 along x)[1]", "2: `x` is no dimension"),
            ("case a\ninput x: QInt8(a, 0.5)[1]", "2: `a` is no zero offset"),
            ("case a\ninput x: QInt8(0, b)[1]", "2: `b` is no step size"),
            (
                "case a\ninput x: QInt8(0, 0.5 0.5)[2]",
                "2: expected one zero offset and one step size, or as many of both `along` a dimension",
            ),
            ("case a\ninput x: Float32[1\noutput x\nunchanged", "2: expected extents as `[1, 8, 8, 3]`"),
            ("case a\ny = Relu(x): Float32[1]", "2: there is no `x`"),
            ("case a\ninput x: Float32[1]\ninput x: Float32[1]", "3: there is a `x` already"),
            ("case a\ninput x: Float32[1]\ny = Relu(x)", "3: expected `: TYPE` behind the operands"),
            ("case a\nk = [1, b]", "2: expected a number, found `b`"),
            ("case a\ninput x: Float32[1]\noutput x", "1: expected one of `becomes` and `unchanged`"),
            ("case a\ninput x: Float32[1]\nunchanged", "1: expected `output NAME`"),
            ("case a\ninput x: Float32[1]\noutput x\nbecomes\nbecomes", "5: a case has one graph that is expected"),
        ] {
            assert_eq!(read(text, "q").unwrap_err().to_string(), expected, "{text}");
        }
    }
}
