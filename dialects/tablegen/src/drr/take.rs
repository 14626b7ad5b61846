//! Operands and results whose groups PDL cannot tell apart: it knows segment attributes, and one group behind single
//! values. For others a pattern matches the whole list, asks how it is grouped, and takes it apart when it rewrites.

use super::{
    emit::{Emitter, MatchedOperation},
    library::Declared,
    model::{OperandMatch, Reference, SourceOperation},
    natives::ParameterKind,
    parts::{Part, Side},
    pdl::{ATTRIBUTE, Binding, Passed, TYPE, TYPES, VALUE, VALUES, array},
};
use crate::{
    error::{Error, Result},
    ods::Arity,
};

impl Emitter<'_, '_> {
    /// The operands up to the first group, and one range for the others.
    pub fn operands_to_take_apart(&mut self, source: &SourceOperation, declared: &Declared) -> Result<Vec<Passed>> {
        let sized = declared.operation.has_trait("AttrSizedOperandSegments");
        let mut operands = Vec::new();
        let mut errors = Vec::new();
        for (operand, declaration) in source.operands.iter().zip(&declared.operation.operands) {
            if declaration.arity == Arity::One {
                errors.extend(self.fixed(operand, &mut operands).err());
            } else {
                operands.push((self.values(None)?, VALUES));
                if !sized {
                    break;
                }
            }
        }
        Error::collect(errors).map(|()| operands)
    }

    /// Asks how the operands of a matched operation are grouped, and binds those that its range hides.
    pub fn take_operands_apart(&mut self, source: &SourceOperation, matched: &MatchedOperation) -> Result<()> {
        let declared = self.library.get(source.operation);
        self.ask_for_groups(source, matched);
        let groups: Vec<bool> = declared.operation.operands.iter().map(|operand| operand.arity != Arity::One).collect();
        let sized = declared.operation.has_trait("AttrSizedOperandSegments");
        let first = groups.iter().position(|group| *group).unwrap_or(groups.len());
        let mut errors = Vec::new();
        for (index, operand) in source.operands.iter().enumerate() {
            if groups[index] || (!sized && index > first) {
                let part = Part::of(&declared.operation, Side::Operands, index);
                errors.extend(self.hidden(operand, part, matched).err());
            }
        }
        Error::collect(errors)
    }

    /// Asks whether the operands of a matched operation are grouped as they are declared and matched.
    pub fn ask_for_groups(&mut self, source: &SourceOperation, matched: &MatchedOperation) {
        let declared = self.library.get(source.operation);
        let groups: Vec<bool> = declared.operation.operands.iter().map(|operand| operand.arity != Arity::One).collect();
        let size = |operand: &OperandMatch, group: bool| match operand {
            OperandMatch::Group { items, .. } => items.len().to_string(),
            OperandMatch::Capture { .. } if group => "-1".into(),
            _ => "1".into(),
        };
        let sizes: Vec<String> =
            source.operands.iter().zip(&groups).map(|(operand, group)| size(operand, *group)).collect();
        let (declaration, sizes) = (self.groups(&groups), self.constant_called("sizes", &array(&sizes)));
        let given = [self.matched_as(&matched.name), (declaration, ATTRIBUTE), (sizes, ATTRIBUTE)];
        self.library("drr.grouped", &given, None);
    }

    /// An operand that a range hides.
    pub fn hidden(&mut self, operand: &OperandMatch, part: Part, matched: &MatchedOperation) -> Result<()> {
        match operand {
            OperandMatch::Capture { symbol, constraint, .. } => {
                if let Some(constraint) = constraint
                    && part.is_single()
                {
                    let value = self.hidden_value(&matched.name, &part);
                    self.constrain(constraint, vec![(vec![(value, VALUE)], ParameterKind::Values(Some(1)))], true);
                } else if let Some(constraint) = constraint {
                    let about = (vec![self.matched_as(&matched.name)], ParameterKind::PartValues(part.clone()));
                    self.constrain(constraint, vec![about], true);
                }
                self.bind_part(symbol.as_ref(), part, matched)
            }
            OperandMatch::Group { symbol, items, .. } => {
                let mut errors = Vec::new();
                for (item, operand) in items.iter().enumerate() {
                    let part = Part { item: Some(item), ..part.clone() };
                    errors.extend(self.hidden(operand, part, matched).err());
                }
                errors.extend(self.bind_part(symbol.as_ref(), part, matched).err());
                Error::collect(errors)
            }
            OperandMatch::Nested(source) => {
                let value = self.hidden_value(&matched.name, &part);
                self.inner_operation(source, value)
            }
            OperandMatch::Native(native) => {
                let value = self.hidden_value(&matched.name, &part);
                self.native_test(native, (value, VALUE), ParameterKind::DefiningOperation)
            }
        }
    }

    /// Binds a name to a part; one that is bound already says what the part must be.
    fn bind_part(&mut self, symbol: Option<&Reference>, part: Part, matched: &MatchedOperation) -> Result<()> {
        let Some(symbol) = symbol else { return Ok(()) };
        match self.known(symbol) {
            None => self.bind(symbol, Binding::Part { operation: matched.name.clone(), part }),
            Some(bound) => self.equal(&matched.name, &part, bound, symbol),
        }
    }

    /// Asks whether a part is what a name is bound to.
    pub fn equal(&mut self, operation: &str, part: &Part, bound: Binding, symbol: &Reference) -> Result<()> {
        let mut given = self.place_of(operation, part).to_vec();
        match bound {
            Binding::Value(name) if part.is_single() => given.push((name, VALUE)),
            Binding::Values(name) if !part.is_single() => given.push((name, VALUES)),
            Binding::Part { operation, part: other } if other.is_single() == part.is_single() => {
                given.extend(self.place_of(&operation, &other));
            }
            _ => {
                let message = format!("'${}' is bound twice, and not to as many values", symbol.name);
                return self.error(&symbol.place, message);
            }
        }
        self.library("drr.equal", &given, None);
        Ok(())
    }

    /// The values of a part, in the rewrite section.
    pub fn taken(&mut self, operation: &str, part: &Part) -> Passed {
        let (function, kind) = match (part.side, part.is_single()) {
            (Side::Operands, true) => ("drr.operand", VALUE),
            (Side::Operands, false) => ("drr.operands", VALUES),
            (Side::Results, true) => ("drr.result", VALUE),
            (Side::Results, false) => ("drr.results", VALUES),
        };
        let given = self.place_of(operation, part);
        (self.library(function, &given, Some(("part", kind))), kind)
    }

    /// What is passed to a native function for a part: it takes it by itself where nothing is made yet.
    pub fn passed_part(&mut self, operation: String, part: Part) -> (Vec<Passed>, ParameterKind) {
        if self.rewriting {
            let taken = self.taken(&operation, &part);
            let kind = match taken.1 {
                VALUE => ParameterKind::Value,
                _ if part.is_optional => ParameterKind::OptionalValue,
                _ => ParameterKind::Values(None),
            };
            return (vec![taken], kind);
        }
        let kind = match part.is_single() {
            true => ParameterKind::PartValue(part),
            false if part.is_optional => ParameterKind::PartOptionalValue(part),
            false => ParameterKind::PartValues(part),
        };
        (vec![self.matched_as(&operation)], kind)
    }

    /// The type or the types of a part of the results.
    pub fn types_taken(&mut self, operation: &str, part: &Part) -> Passed {
        if !part.is_single() {
            let given = self.place_of(operation, part);
            return (self.library("drr.result_types", &given, Some(("types", TYPES))), TYPES);
        }
        let (value, _) = self.taken(operation, part);
        (self.library("drr.type_of", &[(value, VALUE)], Some(("type", TYPE))), TYPE)
    }

    /// What the functions that take parts are given.
    pub fn place_of(&mut self, operation: &str, part: &Part) -> [Passed; 3] {
        let path: Vec<String> = [Some(part.index), part.item].iter().flatten().map(usize::to_string).collect();
        let (groups, path) = (self.groups(&part.groups), self.constant_called("index", &array(&path)));
        [self.matched_as(operation), (groups, ATTRIBUTE), (path, ATTRIBUTE)]
    }

    fn groups(&mut self, groups: &[bool]) -> String {
        let groups: Vec<&str> = groups.iter().map(|group| if *group { "1" } else { "0" }).collect();
        self.constant_called("groups", &array(&groups))
    }
}
