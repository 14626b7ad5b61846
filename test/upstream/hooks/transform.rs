impl SequenceOpHooks for Permissive {
    fn default_dialect() -> &'static str {
        "xtransform"
    }
}
