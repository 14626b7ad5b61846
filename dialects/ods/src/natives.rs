//! The native functions that patterns translated from DRR call, and what generated ones need.

use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Context, Value, attributes};
use skriptnd_mlir::rewrite::{Editor, PdlValue};

type Matched<'c, 'a> = Option<Vec<PdlValue<'c, 'a>>>;
type Rewritten<'c, 'a> = Result<Vec<PdlValue<'c, 'a>>, Failure>;

/// The value in an argument.
pub fn value<'c, 'a>(arguments: &[PdlValue<'c, 'a>], index: usize) -> Option<Value<'c, 'a>> {
    match arguments.get(index)? {
        PdlValue::Value(value) => Some(*value),
        _ => None,
    }
}

/// The values in an argument, be it one or several.
pub fn values<'c, 'a>(arguments: &[PdlValue<'c, 'a>], index: usize) -> Option<Vec<Value<'c, 'a>>> {
    match arguments.get(index)? {
        PdlValue::Value(value) => Some(vec![*value]),
        PdlValue::Values(values) => Some(values.clone()),
        _ => None,
    }
}

/// The attribute in an argument.
pub fn attribute<'c>(arguments: &[PdlValue<'c, '_>], index: usize) -> Option<Attribute<'c>> {
    match arguments.get(index)? {
        PdlValue::Attribute(attribute) => Some(*attribute),
        _ => None,
    }
}

/// A constraint: the operation does not have the attribute.
pub fn attribute_absent(
    name: &'static str,
) -> impl for<'c, 'a> Fn(&'c Context, &[PdlValue<'c, 'a>]) -> Matched<'c, 'a> + Send + Sync + 'static {
    move |_, arguments| match arguments {
        [PdlValue::Operation(operation)] => operation.get(name).is_none().then(Vec::new),
        _ => None,
    }
}

/// A constraint: there are no values.
pub fn group_empty<'c, 'a>(_: &'c Context, arguments: &[PdlValue<'c, 'a>]) -> Matched<'c, 'a> {
    values(arguments, 0)?.is_empty().then(Vec::new)
}

/// A rewrite: an attribute of the first operation, if it is there, becomes an attribute of the second.
pub fn copy_attribute(
    from: &'static str,
    to: &'static str,
) -> impl for<'c, 'a> Fn(&Editor<'c, 'a>, &[PdlValue<'c, 'a>]) -> Rewritten<'c, 'a> + Send + Sync + 'static {
    move |editor, arguments| match arguments {
        [PdlValue::Operation(source), PdlValue::Operation(target)] => {
            if let Some(attribute) = source.get(from) {
                editor.set_attribute(*target, to, attribute);
            }
            Ok(Vec::new())
        }
        _ => Err(Failure::new("two operations are needed to copy an attribute")),
    }
}

/// A rewrite: the sizes of operand groups; those of unknown size are given as ranges, in order.
pub fn segment_sizes(
    sizes: &'static [Option<usize>],
) -> impl for<'c, 'a> Fn(&Editor<'c, 'a>, &[PdlValue<'c, 'a>]) -> Rewritten<'c, 'a> + Send + Sync + 'static {
    move |editor, arguments| {
        let mut next = 0;
        let mut segments = Vec::new();
        for size in sizes {
            segments.push(match size {
                Some(size) => *size as i32,
                None => {
                    let group = values(arguments, next).ok_or("a group of operands is missing")?;
                    next += 1;
                    group.len() as i32
                }
            });
        }
        Ok(vec![PdlValue::Attribute(attributes::segment_sizes(editor.context(), &segments))])
    }
}
