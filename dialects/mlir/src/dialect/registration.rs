//! Handing definitions to the bridge.

use std::collections::HashSet;

use melior::dialect::DialectRegistry;

use super::effects::Effects;
use super::{Arity, DefinitionSpec, DialectSpec, OperationSpec, Trait};
use crate::Error;
use crate::ffi::{self, capability};
use crate::rewrite::PdlPatterns;

/// Registers a dialect. Its definition is never freed: contexts may outlive the registry.
pub(crate) fn register(registry: &DialectRegistry, dialect: DialectSpec) -> Result<(), Error> {
    check(registry, &dialect)?;
    let dialect: &'static DialectSpec = Box::leak(Box::new(dialect));
    let operations = dialect.operations.iter().map(operation_definition).collect();
    let (operations, operation_count) = ffi::keep_slice(operations);
    let (types, type_count) = ffi::keep_slice(dialect.types.iter().map(definition).collect());
    let (attributes, attribute_count) = ffi::keep_slice(dialect.attributes.iter().map(definition).collect());
    let unknown = dialect.unknown_operations.as_ref();
    let registered = ffi::DialectDefinition {
        spec: (&raw const *dialect).cast(),
        name: ffi::text(&dialect.namespace),
        operations,
        operation_count,
        types,
        type_count,
        attributes,
        attribute_count,
        dependent_dialects: ffi::keep_strings(&needed_dialects(dialect)),
        allow_unknown: unknown.is_some(),
        unknown_pure: unknown.is_some_and(|unknown| unknown.pure),
        unknown_assembly: unknown.is_some_and(|unknown| unknown.assembly.is_some()),
        verifies_operation_attributes: dialect.attribute_verifiers.of_operations.is_some(),
        verifies_argument_attributes: dialect.attribute_verifiers.of_region_arguments.is_some(),
        verifies_result_attributes: dialect.attribute_verifiers.of_region_results.is_some(),
        materializes_constants: dialect.materialize_constant.is_some(),
        has_patterns: !dialect.patterns.is_empty() || !dialect.pdl_patterns.is_empty(),
    };
    // SAFETY: the registry is valid, and the definition is never freed.
    unsafe { ffi::skndRegisterDialect(registry.to_raw(), Box::leak(Box::new(registered))) };
    Ok(())
}

/// The dialects that are loaded with a dialect: those it depends on, and those that its patterns name, as far as they are
/// registered.
fn needed_dialects(dialect: &DialectSpec) -> Vec<String> {
    let named = dialect.pdl_patterns.iter().flat_map(PdlPatterns::named_dialects).map(str::to_string);
    dialect.dependent_dialects.iter().cloned().chain(named).collect()
}

/// Refuses what MLIR would abort on.
fn check(registry: &DialectRegistry, dialect: &DialectSpec) -> Result<(), Error> {
    let refuse = |name: &str, reason: &str| Err(Error::Definition { name: name.into(), reason: reason.into() });
    // SAFETY: the string outlives the calls, and the registry is valid.
    let (valid, taken) = unsafe {
        let name = ffi::text(&dialect.namespace);
        (ffi::skndIsValidNamespace(name), ffi::skndRegistryHasDialect(registry.to_raw(), name))
    };
    if !valid || dialect.namespace.contains('.') {
        return refuse(&dialect.namespace, "not a valid dialect namespace");
    }
    if taken {
        return refuse(&dialect.namespace, "a dialect of this namespace is registered already");
    }
    for name in &dialect.dependent_dialects {
        // SAFETY: as above.
        if !unsafe { ffi::skndRegistryHasDialect(registry.to_raw(), ffi::text(name)) } {
            return refuse(&dialect.namespace, &format!("it depends on the unknown dialect `{name}`"));
        }
    }
    let mut names = HashSet::new();
    for operation in &dialect.operations {
        let mnemonic = operation.name.strip_prefix(&dialect.namespace).and_then(|rest| rest.strip_prefix('.'));
        if mnemonic.is_none_or(str::is_empty) {
            return refuse(&operation.name, &format!("it is not in the namespace `{}`", dialect.namespace));
        }
        if !names.insert(&operation.name) {
            return refuse(&operation.name, "it is defined twice");
        }
        if let Err(reason) = reserve(operation) {
            return refuse(&operation.name, reason);
        }
    }
    for definitions in [&dialect.types, &dialect.attributes] {
        let mut names = HashSet::new();
        for definition in definitions {
            let name = format!("{}.{}", dialect.namespace, definition.name);
            if !is_mnemonic(&definition.name) {
                return refuse(&name, "its name cannot be read back");
            }
            if !names.insert(&definition.name) {
                return refuse(&name, "it is defined twice");
            }
        }
    }
    Ok(())
}

/// Takes what the bridge has a limited number of.
fn reserve(operation: &OperationSpec) -> Result<(), &'static str> {
    // SAFETY: the strings outlive the calls.
    let (infers, is_default, casts) = unsafe {
        (
            operation.infer_types.is_none() || ffi::skndReserveInference(ffi::text(&operation.name)),
            ffi::skndReserveDefaultDialect(ffi::text(operation.names.default_dialect)),
            operation.uses.are_cast_compatible.is_none() || ffi::skndReserveCast(ffi::text(&operation.name)),
        )
    };
    match (infers, is_default, casts) {
        (false, ..) => Err("too many operations of the process infer types"),
        (_, false, _) => Err("too many dialects of the process are default dialects"),
        (.., false) => Err("too many operations of the process are casts"),
        _ => Ok(()),
    }
}

/// Whether the parser takes it as one word.
fn is_mnemonic(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_$.".contains(c))
}

fn definition(definition: &'static DefinitionSpec) -> ffi::Definition {
    ffi::Definition {
        spec: (&raw const *definition).cast(),
        name: ffi::text(&definition.name),
        alias: definition.alias,
    }
}

fn operation_definition(operation: &'static OperationSpec) -> ffi::OperationDefinition {
    let traits: Vec<u32> = operation.traits.iter().map(|&r#trait| r#trait as u32).collect();
    let (traits, trait_count) = ffi::keep_slice(traits);
    let callee = operation.call.as_ref().map_or("", |call| &call.callee_attribute);
    ffi::OperationDefinition {
        spec: (&raw const *operation).cast(),
        name: ffi::text(&operation.name),
        traits,
        trait_count,
        operands: arity(operation.operands),
        results: arity(operation.results),
        regions: arity(operation.regions),
        successors: arity(operation.successors),
        attribute_names: ffi::keep_strings(&operation.attribute_names),
        parents: ffi::keep_strings(&operation.parents),
        callee_attribute: ffi::text(callee),
        default_dialect: ffi::text(operation.names.default_dialect),
        capabilities: capabilities(operation),
    }
}

fn capabilities(operation: &OperationSpec) -> u32 {
    let effects = match operation.effects {
        Effects::Unknown => false,
        Effects::None => !operation.traits.contains(&Trait::RecursiveMemoryEffects),
        Effects::Fixed(_) | Effects::Computed(_) => true,
    };
    [
        (operation.verify.is_some(), capability::VERIFY),
        (operation.verify_regions.is_some(), capability::VERIFY_REGIONS),
        (operation.parse.is_some() && operation.print.is_some(), capability::ASSEMBLY),
        (operation.fold.is_some(), capability::FOLD),
        (operation.infer_types.is_some(), capability::INFER_TYPES),
        (effects, capability::EFFECTS),
        (operation.call.is_some(), capability::CALL),
        (operation.function.is_some(), capability::FUNCTION),
        (operation.region_successors.is_some(), capability::REGION_BRANCH),
        (operation.names.any(), capability::NAMES),
        (operation.uses.successor_operands.is_some(), capability::BRANCH),
        (operation.uses.are_cast_compatible.is_some(), capability::CAST),
        (operation.uses.verify_symbols.is_some(), capability::SYMBOL_USER),
    ]
    .iter()
    .filter(|(present, _)| *present)
    .fold(0, |all, (_, capability)| all | capability)
}

fn arity(arity: Arity) -> ffi::Arity {
    ffi::Arity { minimum: arity.minimum, maximum: arity.maximum.unwrap_or(usize::MAX) }
}
