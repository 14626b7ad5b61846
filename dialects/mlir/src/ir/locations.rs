//! Making and reading locations.

use std::fmt;

use melior::ir::AttributeLike;
use mlir_sys::{MlirAttribute, MlirLocation, mlirLocationFusedGet};

use super::Context;
use super::context::context_of;

/// What is said of a place of a model and one of a rule.
const MADE_BY_RULE: &str = "made by a rule";

/// What is said of a place in a text whose name is that of what the text was made of.
const MADE_OF: &str = "made of";

/// Where something in the IR comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Location<'c>(pub(crate) melior::ir::Location<'c>);

impl<'c> Location<'c> {
    /// Nothing is known.
    pub fn unknown(context: &'c Context) -> Self {
        Self(melior::ir::Location::unknown(&context.0))
    }

    /// A place in a file; lines and columns count from one.
    pub fn new(context: &'c Context, file: &str, line: usize, column: usize) -> Self {
        Self(melior::ir::Location::new(&context.0, file, line, column))
    }

    /// A range of a file, up to the place behind its end.
    pub fn range(context: &'c Context, file: &str, start: (usize, usize), end: (usize, usize)) -> Self {
        let (line, column) = start;
        Self(melior::ir::Location::file_line_col_range(&context.0, file, line, column, end.0, end.1))
    }

    /// A place with a name.
    pub fn named(context: &'c Context, name: &str, place: Location<'c>) -> Self {
        Self(melior::ir::Location::name(&context.0, name, place.0))
    }

    /// A place in what is called elsewhere.
    pub fn call_site(callee: Location<'c>, caller: Location<'c>) -> Self {
        Self(melior::ir::Location::call_site(callee.0, caller.0))
    }

    /// Several places.
    pub fn fused(context: &'c Context, places: &[Location<'c>]) -> Self {
        let places: Vec<_> = places.iter().map(|place| place.to_raw()).collect();
        let count = places.len().try_into().unwrap_or_default();
        let nothing = MlirAttribute { ptr: std::ptr::null() };
        // SAFETY: the context and the places are valid, and so many; no attribute means that nothing is said of them.
        unsafe {
            let fused = mlirLocationFusedGet(context.to_raw(), count, places.as_ptr(), nothing);
            Self(melior::ir::Location::from_raw(fused))
        }
    }

    /// Several places, with a text about them.
    pub fn fused_about(context: &'c Context, text: &str, places: &[Location<'c>]) -> Self {
        let places: Vec<_> = places.iter().map(|place| place.0).collect();
        let text = melior::ir::attribute::StringAttribute::new(&context.0, text).into();
        Self(melior::ir::Location::fused(&context.0, &places, text))
    }

    /// A place in a text with what the text was made of there.
    pub fn made_of(context: &'c Context, origin: &str, place: Location<'c>) -> Self {
        Self::fused_about(context, MADE_OF, &[Self::named(context, origin, place)])
    }

    /// What the text was made of at this place.
    pub(crate) fn origin(self) -> Option<String> {
        let named = self.about(MADE_OF, 1).then(|| self.0.fused_location(0)).filter(|named| named.is_name())?;
        text(named.name_value())
    }

    /// Whether that is said of so many places.
    fn about(self, text: &str, count: usize) -> bool {
        if !self.0.is_fused() || self.0.fused_num_locations() != count {
            return false;
        }
        let about = self.0.fused_metadata();
        let is_known = !about.to_raw().ptr.is_null();
        let about = is_known.then(|| melior::ir::attribute::StringAttribute::try_from(about).ok()).flatten();
        about.is_some_and(|about| about.value() == text)
    }

    /// A place in a model at which a rule has made something. Of what several rules have made in a row the last one is told.
    pub fn made_by(context: &'c Context, rule: Location<'c>, place: Location<'c>) -> Self {
        let of = place.maker().map_or(place, |(_, of)| of);
        Self::fused_about(context, MADE_BY_RULE, &[of, rule])
    }

    /// The place of the rule that made what is here, and where in the model that was.
    fn maker(self) -> Option<(Self, Self)> {
        let is_made = self.about(MADE_BY_RULE, 2);
        is_made.then(|| (Self(self.0.fused_location(1)), Self(self.0.fused_location(0))))
    }

    /// The place of the rule that made what is here or what it was called from, if one did.
    pub fn rule(self) -> Option<Self> {
        let mut pending = vec![self.0];
        while let Some(location) = pending.pop() {
            if let Some((rule, _)) = Self(location).maker() {
                return Some(rule);
            }
            pending.extend(parts(location));
        }
        None
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        context_of(self.0.context())
    }

    pub(crate) fn to_raw(self) -> MlirLocation {
        self.0.to_raw()
    }

    /// # Safety
    ///
    /// The location must be valid, and its context live as long as the chosen lifetime.
    pub(crate) unsafe fn from_raw(raw: MlirLocation) -> Self {
        // SAFETY: as the caller promises.
        Self(unsafe { melior::ir::Location::from_raw(raw) })
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The places that one consists of, the last one first.
pub(super) fn parts(location: melior::ir::Location<'_>) -> Vec<melior::ir::Location<'_>> {
    if location.is_name() {
        vec![location.name_child_location()]
    } else if location.is_call_site() {
        vec![location.call_site_caller(), location.call_site_callee()]
    } else if location.is_fused() {
        (0..location.fused_num_locations()).rev().map(|index| location.fused_location(index)).collect()
    } else {
        Vec::new()
    }
}

/// A place in a text and what stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The name given to the place, such as that of what is called there.
    pub name: Option<String>,
    /// What the text was made of there, if a program wrote it.
    pub origin: Option<String>,
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
    frames(location.0)
}

fn frames(location: melior::ir::Location<'_>) -> Vec<Frame> {
    if location.is_call_site() {
        let mut stack = frames(location.call_site_callee());
        stack.extend(frames(location.call_site_caller()));
        return stack;
    }
    if location.is_name() {
        let mut stack = frames(location.name_child_location());
        if let Some(first) = stack.first_mut() {
            first.name = text(location.name_value());
        }
        return stack;
    }
    if location.is_fused() {
        let parts = (0..location.fused_num_locations()).map(|number| frames(location.fused_location(number)));
        let mut stack = parts.into_iter().find(|frames| !frames.is_empty()).unwrap_or_default();
        if let (Some(first), Some(origin)) = (stack.first_mut(), Location(location).origin()) {
            (first.name, first.origin) = (None, Some(origin));
        }
        return stack;
    }
    if !location.is_file_line_col_range() {
        return Vec::new();
    }
    vec![Frame {
        name: None,
        origin: None,
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
    use crate::diagnostics::Position;

    #[test]
    fn the_last_rule_is_told() {
        let context = Context::new();
        let at = |file, line| Location::new(&context, file, line, 1);
        let once = Location::made_by(&context, at("a.htp", 2), at("main.sknd", 7));
        let twice = Location::made_by(&context, at("a.htp", 3), once);
        let within = Location::call_site(at("nn.sknd", 5), Location::named(&context, "nn.relu", twice));
        assert_eq!(within.rule(), Some(at("a.htp", 3)));
        assert_eq!(twice, Location::made_by(&context, at("a.htp", 3), at("main.sknd", 7)));
        assert_eq!(Location::fused(&context, &[at("a.htp", 2), at("main.sknd", 7)]).rule(), None);
    }

    #[test]
    fn stacks_are_read_from_the_inside() {
        let context = Context::new();
        let inner = Location::range(&context, "a.sknd", (3, 5), (3, 9));
        let outer = Location::named(&context, "main.f", Location::new(&context, "b.sknd", 7, 1));
        let unknown = Location::unknown(&context);
        let stack = call_stack(Location::fused(&context, &[unknown, Location::call_site(inner, outer)]));
        assert_eq!(stack.len(), 2);
        assert_eq!((stack[0].file.as_str(), stack[0].start, stack[0].end), ("a.sknd", (3, 5), (3, 9)));
        assert_eq!((stack[1].name.as_deref(), stack[1].start), (Some("main.f"), (7, 1)));
        assert_eq!(call_stack(unknown), []);
    }

    #[test]
    fn places_tell_what_the_text_was_made_of() {
        let context = Context::new();
        let place = Location::made_of(&context, "node `a` (Conv)", Location::new(&context, "a.onnx", 3, 5));
        let caller = Location::named(&context, "main.f", place);
        let stack = call_stack(Location::call_site(Location::new(&context, "b.sknd", 7, 1), caller));
        let told = |at: usize| (stack[at].name.as_deref(), stack[at].origin.as_deref(), stack[at].file.as_str());
        assert_eq!((told(0), told(1)), ((None, None, "b.sknd"), (Some("main.f"), Some("node `a` (Conv)"), "a.onnx")));
        assert_eq!(Position::of(caller).unwrap().to_string(), "a.onnx: node `a` (Conv)");
        let made = Location::made_by(&context, Location::new(&context, "r.htp", 2, 1), place);
        assert_eq!(Position::of(made).unwrap().to_string(), "a.onnx: node `a` (Conv)");
        assert_eq!(Position::of(made.rule().unwrap()).unwrap().to_string(), "r.htp:2:1");
    }
}
