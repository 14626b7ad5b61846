//! Constants in memory. Upstream's bufferization makes them for one function after the other in an order that differs from
//! run to run; what is compiled must not.

use crate::Error;
use skriptnd_mlir::ir::{Builder, OperationRef, attributes, operations_named};
use skriptnd_mlir::ops::memref;
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashMap;

/// Names constants by the order in which they are used, and puts them into it.
pub fn order<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    let globals = operations_named(module, memref::GLOBAL);
    let named: HashMap<_, _> =
        globals.iter().filter_map(|global| Some((global.get_string("sym_name")?, *global))).collect();
    let first = module.region(0).ok().and_then(|region| region.first_block()?.first_operation());
    let (Some(first), context) = (first, module.context()) else { return Ok(()) };
    let place = Builder::before(first)?;
    let mut ordered = HashMap::new();
    for user in operations_named(module, memref::GET_GLOBAL) {
        let Some(old) = user.get("name").and_then(attributes::as_symbol) else { continue };
        let Some(global) = named.get(old) else { continue };
        let next = ordered.len();
        let name = match ordered.get(old) {
            Some(name) => name,
            None => {
                let name = format!("constant_{next}");
                let copied = place.located(global.location()).copy(*global, &[])?;
                copied.set("sym_name", attributes::string(context, &name));
                &*ordered.entry(old).or_insert(name)
            }
        };
        user.set("name", attributes::symbol(context, name));
    }
    for global in globals {
        with_rewriter(global, |rewriter| rewriter.erase(global))?;
    }
    Ok(())
}
