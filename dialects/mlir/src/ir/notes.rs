//! Notes at places: attributes that go wherever the place of an operation goes.

use super::Attribute;
use super::locations::{Location, parts};
use melior::ir::AttributeLike;
use mlir_sys::mlirLocationFusedGet;

impl<'c> Location<'c> {
    /// A place with a note about what stands there.
    pub fn noted(note: Attribute<'c>, place: Location<'c>) -> Self {
        let places = [place.to_raw()];
        // SAFETY: the context, the place and the note are valid.
        unsafe {
            let fused = mlirLocationFusedGet(place.context().to_raw(), 1, places.as_ptr(), note.to_raw());
            Self(melior::ir::Location::from_raw(fused))
        }
    }

    /// Whether there is such a note, at this place or at one that it was called from or fused with.
    pub fn has_note(self, is_wanted: impl Fn(Attribute<'c>) -> bool) -> bool {
        let mut pending = vec![self.0];
        while let Some(location) = pending.pop() {
            let note = location.is_fused().then(|| location.fused_metadata().to_raw());
            // SAFETY: it is a note of a location, which lives as long as the context.
            let note = note.filter(|raw| !raw.ptr.is_null()).map(|raw| unsafe { Attribute::from_raw(raw) });
            if note.is_some_and(&is_wanted) {
                return true;
            }
            pending.extend(parts(location));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::locations::call_stack;
    use super::super::{Context, attributes};
    use super::*;

    #[test]
    fn notes_are_found_wherever_a_place_goes() {
        let context = Context::new();
        let (note, other) = (attributes::string(&context, "note"), attributes::string(&context, "other"));
        let place = Location::new(&context, "main.sknd", 7, 1);
        let noted = Location::noted(note, Location::made_by(&context, Location::new(&context, "a.htp", 2, 1), place));
        let within = Location::call_site(Location::new(&context, "nn.sknd", 5, 1), noted);
        let fused = Location::fused(&context, &[place, within]);
        assert!(fused.has_note(|found| found == note) && !fused.has_note(|found| found == other));
        assert!(!place.has_note(|_| true));
        assert_eq!((fused.rule(), call_stack(noted)), (noted.rule(), call_stack(place)));
    }
}
