//! Reading locations.

use melior::ir::Location;

/// A place in a text and what stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The name given to the place, such as that of what is called there.
    pub name: Option<String>,
    /// The file.
    pub file: String,
    /// Line and column of the beginning.
    pub start: (usize, usize),
    /// Line and column behind the end.
    pub end: (usize, usize),
}

/// A place and those that it was called from, innermost first; empty if nothing is known. Of places that were fused the
/// first that is known counts.
pub fn call_stack(location: Location<'_>) -> Vec<Frame> {
    if location.is_call_site() {
        let mut frames = call_stack(location.call_site_callee());
        frames.extend(call_stack(location.call_site_caller()));
        return frames;
    }
    if location.is_name() {
        let mut frames = call_stack(location.name_child_location());
        if let Some(first) = frames.first_mut() {
            first.name = text(location.name_value());
        }
        return frames;
    }
    if location.is_fused() {
        let parts = (0..location.fused_num_locations()).map(|number| call_stack(location.fused_location(number)));
        return parts.into_iter().find(|frames| !frames.is_empty()).unwrap_or_default();
    }
    if !location.is_file_line_col_range() {
        return Vec::new();
    }
    vec![Frame {
        name: None,
        file: text(location.file_line_col_range_filename()).unwrap_or_default(),
        start: (location.file_line_col_range_start_line(), location.file_line_col_range_start_column()),
        end: (location.file_line_col_range_end_line(), location.file_line_col_range_end_column()),
    }]
}

fn text(identifier: melior::ir::Identifier<'_>) -> Option<String> {
    identifier.as_string_ref().as_str().ok().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::Context;

    #[test]
    fn stacks_are_read_from_the_inside() {
        let context = Context::new();
        let inner = Location::file_line_col_range(&context, "a.sknd", 3, 5, 3, 9);
        let outer = Location::name(&context, "main.f", Location::new(&context, "b.sknd", 7, 1));
        let unknown = Location::unknown(&context);
        let stack = call_stack(Location::fused(
            &context,
            &[unknown, Location::call_site(inner, outer)],
            melior::ir::Attribute::unit(&context),
        ));
        assert_eq!(stack.len(), 2);
        assert_eq!((stack[0].file.as_str(), stack[0].start, stack[0].end), ("a.sknd", (3, 5), (3, 9)));
        assert_eq!((stack[1].name.as_deref(), stack[1].start), (Some("main.f"), (7, 1)));
        assert_eq!(call_stack(unknown), []);
    }
}
