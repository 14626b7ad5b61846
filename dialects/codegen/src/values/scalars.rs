//! The ranges of what scalar operations give, from those of their operands.

use super::range::{Range, Ranges};
use super::relative;
use skriptnd_mlir::ir::{OperationRef, Type, Value, attributes, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate, IntegerPredicate};
use skriptnd_mlir::ops::math;

/// Integers up to this magnitude are exact as bounds, and others are not rounded to them.
const EXACT: f64 = ((1u64 << 53) - 1) as f64;
/// From here on numbers of 32 bits have no fraction.
const WITHOUT_FRACTION: f64 = (1u64 << 23) as f64;

/// That of an operation's result; none where only the type is known.
pub(super) fn result<'c: 'a, 'a>(ranges: &Ranges, operation: OperationRef<'c, 'a>) -> Option<Range> {
    let kind = types::element(operation.result(0).ok()?.r#type());
    let operands: Vec<Range> = operation.operands().map(|operand| ranges.get(operand)).collect();
    match (operation.full_name(), operands.as_slice()) {
        (arith::SELECT, _) => selected(ranges, operation),
        (name, [value]) => converted(name, *value, (kind, operation)),
        (name, [left, right]) if kind.is_float() => {
            let range = real(name, *left, *right).and_then(|range| rounded(range, kind));
            let values = || Some([operation.operand(0).ok()?, operation.operand(1).ok()?]);
            match (name, values()) {
                (arith::ADDF, Some(values)) => Some(relative::limited(ranges, values, range?)),
                _ => range,
            }
        }
        (arith::MAXSI, [left, right]) => Some(greater(*left, *right)),
        (arith::MINSI, [left, right]) => Some(less(*left, *right)),
        (name, [left, right]) => integer(name, *left, *right).filter(|range| is_held(*range, kind)),
        _ => None,
    }
}

/// Whether a type has all of them, as they are.
pub(super) fn is_held(range: Range, kind: Type<'_>) -> bool {
    let all = Range::of_type(kind);
    range.is_in(all.least, all.most) && range.is_in(-EXACT, EXACT)
}

/// A conversion or a function of one operand.
fn converted<'c: 'a, 'a>(
    name: &str,
    value: Range,
    (kind, operation): (Type<'c>, OperationRef<'c, 'a>),
) -> Option<Range> {
    let source = types::element(operation.operand(0).ok()?.r#type());
    let each = |function: fn(f64) -> f64| Range {
        least: function(value.least),
        most: function(value.most),
        is_whole: true,
        ..value
    };
    match name {
        arith::EXTSI | arith::EXTF => Some(value),
        arith::EXTUI => Some(without_sign(value, source)),
        arith::TRUNCI | arith::INDEX_CAST => is_held(value, kind).then_some(value),
        arith::SITOFP => rounded(value, kind),
        arith::UITOFP => rounded(without_sign(value, source), kind),
        arith::FPTOSI => Some(Range { is_number: true, ..each(f64::trunc) }).filter(|range| is_held(*range, kind)),
        math::ROUND => Some(each(f64::round)),
        math::FLOOR => Some(each(f64::floor)),
        math::CEIL => Some(each(f64::ceil)),
        math::TRUNC => Some(each(f64::trunc)),
        _ => None,
    }
}

/// The same bits without a sign.
fn without_sign(value: Range, source: Type<'_>) -> Range {
    let all = Range::of_type(source);
    match value.least >= 0.0 {
        true => value,
        false => Range { least: 0.0, most: all.most * 2.0 + 1.0, ..all },
    }
}

/// Real arithmetic; it is monotone, also where results are rounded.
fn real(name: &str, left: Range, right: Range) -> Option<Range> {
    let is_whole = left.is_whole && right.is_whole;
    let corners = |function: fn(f64, f64) -> f64, is_whole: bool| {
        let pairs =
            [(left.least, right.least), (left.least, right.most), (left.most, right.least), (left.most, right.most)];
        let all = pairs.map(|(left, right)| function(left, right));
        let known = all.iter().all(|value| !value.is_nan());
        known.then(|| Range {
            is_whole,
            is_number: left.is_finite() && right.is_finite(),
            ..all.into_iter().map(Range::one).fold(Range::NOTHING, Range::hull)
        })
    };
    match name {
        arith::ADDF => corners(|left, right| left + right, is_whole),
        arith::SUBF => corners(|left, right| left - right, is_whole),
        arith::MULF => corners(|left, right| left * right, is_whole),
        arith::DIVF if right.least > 0.0 || right.most < 0.0 => corners(|left, right| left / right, false),
        arith::MAXIMUMF => Some(greater(left, right)),
        arith::MINIMUMF => Some(less(left, right)),
        // Of a number and none they give the number.
        arith::MAXNUMF | arith::MINNUMF => Some(left.hull(right)),
        _ => None,
    }
}

fn greater(left: Range, right: Range) -> Range {
    Range { least: left.least.max(right.least), most: left.most.max(right.most), ..left.hull(right) }
}

fn less(left: Range, right: Range) -> Range {
    Range { least: left.least.min(right.least), most: left.most.min(right.most), ..left.hull(right) }
}

/// A range whose numbers are rounded to a type; none for types that are not computed in.
fn rounded(range: Range, kind: Type<'_>) -> Option<Range> {
    let context = kind.context();
    if kind == types::f64(context) {
        return Some(range);
    }
    let has_fraction = range.least < WITHOUT_FRACTION && range.most > -WITHOUT_FRACTION;
    (kind == types::f32(context)).then(|| Range {
        least: f64::from(range.least as f32),
        most: f64::from(range.most as f32),
        is_whole: range.is_whole || !has_fraction,
        ..range
    })
}

/// Arithmetic of integers that don't leave their type.
fn integer(name: &str, left: Range, right: Range) -> Option<Range> {
    let whole = |least: f64, most: f64| Some(Range { least, most, ..Range::NOTHING });
    match name {
        arith::ADDI => whole(left.least + right.least, left.most + right.most),
        arith::SUBI => whole(left.least - right.most, left.most - right.least),
        arith::MULI => {
            let all =
                [left.least * right.least, left.least * right.most, left.most * right.least, left.most * right.most];
            all.into_iter().map(Range::one).reduce(Range::hull)
        }
        arith::SHRSI if right.least == right.most && (0.0..63.0).contains(&right.least) => {
            let shifted = |value: f64| (value / 2f64.powf(right.least)).floor();
            whole(shifted(left.least), shifted(left.most))
        }
        // Bits of a mask without a sign.
        arith::ANDI if right.least == right.most && right.least >= 0.0 => {
            let is_kept = is_ones(right.most) && left.is_in(0.0, right.most);
            if is_kept { Some(left) } else { whole(0.0, right.most) }
        }
        arith::DIVSI if right.least > 0.0 => {
            let all =
                [left.least / right.least, left.least / right.most, left.most / right.least, left.most / right.most];
            all.into_iter().map(|quotient| Range::one(quotient.trunc())).reduce(Range::hull)
        }
        arith::REMSI if right.least > 0.0 => {
            let (least, most) = (1.0 - right.most, right.most - 1.0);
            let least = if left.least >= 0.0 { 0.0 } else { least };
            // What is less than any divisor stays.
            if left.is_in(1.0 - right.least, right.least - 1.0) { Some(left) } else { whole(least, most) }
        }
        _ => None,
    }
}

/// Whether a number is a row of ones in bits.
pub fn is_ones(number: f64) -> bool {
    (0.0..=EXACT).contains(&number) && (number as u64 + 1).is_power_of_two()
}

/// One of two, where its condition lets it be taken; the condition may limit it.
fn selected<'c: 'a, 'a>(ranges: &Ranges, selection: OperationRef<'c, 'a>) -> Option<Range> {
    let [condition, yes, no] = selection.operands().collect::<Vec<_>>()[..] else { return None };
    if is_never(ranges, condition) {
        return Some(ranges.get(no));
    }
    if let Some(divisor) = floored_divisor(ranges, (condition, yes, no)) {
        return Some(Range { least: 0.0, most: divisor - 1.0, ..Range::NOTHING });
    }
    Some(limited(ranges, condition, (yes, true)).hull(limited(ranges, condition, (no, false))))
}

/// By what is divided where one of two is a remainder, and the other, for negative ones, the same with the divisor added.
fn floored_divisor<'c: 'a, 'a>(
    ranges: &Ranges,
    (condition, added, remainder): (Value<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>),
) -> Option<f64> {
    let named = |value: Value<'c, 'a>, name| value.defining_operation().filter(|found| found.full_name() == name);
    let (sum, divided) = (named(added, arith::ADDI)?, named(remainder, arith::REMSI)?);
    let (more, divisor) = (ranges.get(sum.operand(1).ok()?), ranges.get(divided.operand(1).ok()?));
    let is_same = sum.operand(0).ok()?.key() == remainder.key() && more == divisor;
    let is_one = divisor.least == divisor.most && divisor.least > 0.0;
    (is_same && is_one && is_of_negative(ranges, condition, remainder)).then_some(divisor.least)
}

/// Whether a condition holds for a value where that is negative, and else not: it may be asked as well whether it is 0.
fn is_of_negative<'c: 'a, 'a>(ranges: &Ranges, condition: Value<'c, 'a>, value: Value<'c, 'a>) -> bool {
    let Some(definition) = condition.defining_operation() else { return false };
    let compares = |compared: OperationRef<'c, 'a>, predicate: IntegerPredicate| {
        let operands: Vec<_> = compared.operands().collect();
        compared.full_name() == arith::CMPI
            && compared.get_integer("predicate") == Some(predicate as i64)
            && matches!(operands[..], [left, right] if left.key() == value.key() && ranges.get(right) == Range::one(0.0))
    };
    if definition.full_name() != arith::ANDI {
        return compares(definition, IntegerPredicate::Slt);
    }
    let parts: Vec<_> = definition.operands().filter_map(|part| part.defining_operation()).collect();
    let has = |predicate| parts.iter().any(|part| compares(*part, predicate));
    parts.len() == 2 && has(IntegerPredicate::Slt) && has(IntegerPredicate::Ne)
}

/// The range of a value where a condition holds, or doesn't.
fn limited<'c: 'a, 'a>(ranges: &Ranges, condition: Value<'c, 'a>, (value, holds): (Value<'c, 'a>, bool)) -> Range {
    let known = ranges.get(value);
    let range = Range { is_number: known.is_number || (holds && is_of_numbers(condition, value)), ..known };
    let limit = || {
        let (predicate, left, right) = comparison(condition)?;
        let limit = ranges.get(right);
        let is_less = matches!(predicate, FloatPredicate::Olt | FloatPredicate::Ole) == holds;
        // Nothing is less than what is not a number, nor is it not less.
        let is_told = holds || limit.is_number;
        (is_told && left.key() == value.key()).then(|| match is_less {
            true => Range { most: range.most.min(limit.most), ..range },
            false => Range { least: range.least.max(limit.least), ..range },
        })
    };
    limit().unwrap_or(range)
}

/// Values between what is compared and what depends on whether it is a number, at most.
const MOST_BETWEEN: usize = 8;

/// Whether a condition holds only where a value, or what it is computed from, is a number.
fn is_of_numbers<'c: 'a, 'a>(condition: Value<'c, 'a>, value: Value<'c, 'a>) -> bool {
    let Some(definition) = condition.defining_operation() else { return false };
    match definition.full_name() {
        arith::ANDI => definition.operands().any(|part| is_of_numbers(part, value)),
        arith::CMPF => {
            let number = definition.get_integer("predicate");
            let is_ordered = number.is_some_and(|number| number <= FloatPredicate::Ord as i64);
            is_ordered && definition.operands().any(|compared| is_limited(value, compared, MOST_BETWEEN))
        }
        _ => false,
    }
}

/// Whether a value is another one, limited by constants, or with constants added.
fn is_limited<'c: 'a, 'a>(value: Value<'c, 'a>, other: Value<'c, 'a>, steps: usize) -> bool {
    let known = |definition: OperationRef<'c, 'a>| match definition.full_name() {
        // Infinities of both signs add up to none.
        arith::CONSTANT => definition.get("value").and_then(attributes::as_real).is_none_or(f64::is_finite),
        arith::ADDF => steps > 0 && definition.operands().all(|part| is_limited(part, other, steps - 1)),
        arith::SELECT => steps > 0 && definition.operands().skip(1).all(|part| is_limited(part, other, steps - 1)),
        _ => false,
    };
    value.key() == other.key() || value.defining_operation().is_some_and(known)
}

/// Whether a condition holds for no numbers of these ranges, nor for what is not a number.
pub fn is_never<'c: 'a, 'a>(ranges: &Ranges, condition: Value<'c, 'a>) -> bool {
    let definition = condition.defining_operation();
    match definition.map(|definition| (definition.full_name(), definition)) {
        Some((arith::ANDI, both)) => return both.operands().any(|part| is_never(ranges, part)),
        Some((arith::CMPI, compared)) => return is_never_less(ranges, compared).unwrap_or(false),
        _ => {}
    }
    comparison(condition).is_some_and(|(predicate, left, right)| {
        let (left, right) = (ranges.get(left), ranges.get(right));
        match predicate {
            FloatPredicate::Olt => left.least >= right.most,
            FloatPredicate::Ole => left.least > right.most,
            FloatPredicate::Ogt => left.most <= right.least,
            _ => left.most < right.least,
        }
    })
}

/// Whether the first of two integers can't be less.
fn is_never_less<'c: 'a, 'a>(ranges: &Ranges, compared: OperationRef<'c, 'a>) -> Option<bool> {
    let is_less = IntegerPredicate::of(compared.get_integer("predicate")?)? == IntegerPredicate::Slt;
    let [left, right] = [compared.operand(0).ok()?, compared.operand(1).ok()?].map(|operand| ranges.get(operand));
    Some(is_less && left.least >= right.most)
}

/// Whether a condition holds for all numbers of these ranges.
pub fn is_always<'c: 'a, 'a>(ranges: &Ranges, condition: Value<'c, 'a>) -> bool {
    comparison(condition).is_some_and(|(predicate, left, right)| {
        let (left, right) = (ranges.get(left), ranges.get(right));
        match predicate {
            FloatPredicate::Olt => left.most < right.least,
            FloatPredicate::Ole => left.most <= right.least,
            FloatPredicate::Ogt => left.least > right.most,
            _ => left.least >= right.most,
        }
    })
}

/// A comparison of reals by order.
pub fn comparison<'c: 'a, 'a>(condition: Value<'c, 'a>) -> Option<(FloatPredicate, Value<'c, 'a>, Value<'c, 'a>)> {
    let compared = condition.defining_operation().filter(|compared| compared.full_name() == arith::CMPF)?;
    let predicate = FloatPredicate::of(compared.get_integer("predicate")?)?;
    let by_order = [FloatPredicate::Olt, FloatPredicate::Ole, FloatPredicate::Ogt, FloatPredicate::Oge];
    by_order.contains(&predicate).then_some((predicate, compared.operand(0).ok()?, compared.operand(1).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that follow from one another without a pattern.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            self.0 >> 33
        }

        /// A number of a range whose ends are often special, and the range.
        fn ranged(&mut self, is_whole: bool) -> (f64, Range) {
            let mut one = || {
                let special = [0.0, 1.0, -1.0, 255.0, -128.0, 8_388_608.0, 12_582_912.0, 0.5];
                let any = (self.next() as f64 - 1_073_741_824.0) / 4096.0;
                let value = if self.next() % 2 == 0 { special[self.next() as usize % special.len()] } else { any };
                f64::from(if is_whole { value.round() } else { value } as f32)
            };
            let (a, b, c) = (one(), one(), one());
            let range = Range::one(a).hull(Range::one(b)).hull(Range::one(c));
            (b, Range { is_whole: is_whole && range.is_whole, ..range })
        }
    }

    fn holds(range: Range, value: f64) -> bool {
        value >= range.least && value <= range.most && (!range.is_whole || value.fract() == 0.0)
    }

    /// An operation of two reals.
    type Operation = fn(f32, f32) -> f32;

    #[test]
    fn what_reals_give_lies_in_the_range() {
        let operations: [(&str, Operation); 6] = [
            (arith::ADDF, |a, b| a + b),
            (arith::SUBF, |a, b| a - b),
            (arith::MULF, |a, b| a * b),
            (arith::DIVF, |a, b| a / b),
            (arith::MAXIMUMF, f32::max),
            (arith::MINIMUMF, f32::min),
        ];
        let context = skriptnd_mlir::ir::Context::default();
        let (mut numbers, mut known) = (Numbers(7), 0);
        for round in 0..20_000 {
            let ((a, left), (b, right)) = (numbers.ranged(round % 3 == 0), numbers.ranged(round % 3 != 1));
            for (name, operation) in operations {
                let Some(range) = real(name, left, right).and_then(|range| rounded(range, types::f32(&context))) else {
                    continue;
                };
                let given = f64::from(operation(a as f32, b as f32));
                assert!(
                    holds(range, given) || given.is_nan(),
                    "{name} of {a} in {left:?}, {b} in {right:?}: {given}, {range:?}"
                );
                assert!(!(given.is_nan() && range.is_number), "{name} of {a} and {b} is not a number");
                known += 1;
            }
        }
        assert!(known > 80_000, "{known}");
    }

    /// An operation of two integers.
    type Whole = fn(i64, i64) -> i64;

    #[test]
    fn what_integers_give_lies_in_the_range() {
        let operations: [(&str, Whole); 7] = [
            (arith::DIVSI, |a, b| a / b.max(1)),
            (arith::ADDI, |a, b| a + b),
            (arith::SUBI, |a, b| a - b),
            (arith::MULI, |a, b| a * b),
            (arith::REMSI, |a, b| a % b),
            (arith::SHRSI, |a, b| a >> b.clamp(0, 62)),
            (arith::ANDI, |a, b| a & b),
        ];
        let mut numbers = Numbers(11);
        for _ in 0..20_000 {
            let ((a, left), (b, mut right)) = (numbers.ranged(true), numbers.ranged(true));
            for (name, operation) in operations {
                if [arith::REMSI, arith::SHRSI, arith::ANDI].contains(&name) {
                    right = Range::one(b);
                }
                let Some(range) = integer(name, left, right) else { continue };
                let given = operation(a as i64, b as i64) as f64;
                assert!(holds(range, given), "{name} of {a} in {left:?}, {b} in {right:?}: {given}, {range:?}");
            }
        }
    }
}
