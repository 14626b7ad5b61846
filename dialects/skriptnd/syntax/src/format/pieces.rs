//! What lines are laid out from: words, groups and possible line breaks.

/// Where the lines of a group begin.
#[derive(Debug, Clone, Copy)]
pub(super) enum Indent {
    /// This far right of the lines of the group around it.
    Deeper(usize),
    /// Where the group begins.
    Here,
}

/// When a line ends at a break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// If its group does not fit on a line.
    Group,
    /// If what follows, up to the next break of its group, does not fit on the line.
    Fill,
    /// If what follows, up to the next break of its group, does not fit on the line but would fit on one of its own; or
    /// if not even what follows up to the next break of any group fits.
    Late,
    /// In any case.
    Always,
}

/// What lines are made of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Piece<'a> {
    /// Text; a string literal may have several lines.
    Text(&'a str),
    /// A group begins.
    Open(Indent),
    /// It ends.
    Close,
    /// The group is broken, whatever its width.
    Broken,
    /// A blank or, where the line ends, a new line.
    Break {
        /// When the line ends.
        when: When,
        /// The text in place of it where the line does not end.
        flat: &'static str,
        /// Relative to the lines of the group.
        offset: isize,
        /// Whether an empty line follows.
        blank: bool,
    },
    /// A comment, to the end of the line.
    Comment {
        /// With `#`.
        text: &'a str,
        /// Whether it begins its line.
        own_line: bool,
        /// Whether an empty line stands before it.
        blank: bool,
    },
}
