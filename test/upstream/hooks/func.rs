impl CallIndirectOpHooks for Permissive {
    fn call() -> CallInterface {
        CallInterface { callee_attribute: String::new() }
    }
}

impl FuncOpHooks for Permissive {
    fn default_dialect() -> &'static str {
        "xfunc"
    }
}
