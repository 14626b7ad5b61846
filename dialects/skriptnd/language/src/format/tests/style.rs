//! What the style is.
