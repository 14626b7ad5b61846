//! Expressions of the constraint language and their types.

use super::checker::Checker;
use super::constant::whole;
use super::diagnostics;
use super::number::Number;
use super::shorthands::expand_macro;
use super::signature::{Given, GivenKind};
use crate::grammar::Mode;
use crate::grammar::model::*;
use crate::grammar::term::{Term, TermKind};
use crate::grammar::vocabulary::Place;
use skriptnd_source::Span;

impl Checker<'_> {
    /// The constraint of a rule.
    pub fn constraint(&mut self, term: &Term) -> Option<Expr> {
        let written = self.scalar_as(term, Type::Bool)?;
        let span = written.span;
        // What must be a constant is asked first: it is part of the match.
        let is_constant = |(tag, span): (String, Span)| {
            let operand = OperandRef { kind: OperandRefKind::Tag(tag), span };
            let first = Expr { kind: ExprKind::Integer(0), ty: Type::Int, span };
            let kind = ExprKind::ConstantValue(ConstantQuery::FloatValid, operand, Box::new(first));
            Expr { kind, ty: Type::Bool, span }
        };
        let mut all: Vec<Expr> = std::mem::take(&mut self.constants).into_iter().map(is_constant).collect();
        if all.is_empty() {
            return Some(written);
        }
        all.push(written);
        Some(Expr { kind: ExprKind::Reduce(Reduction::And, all), ty: Type::Bool, span })
    }

    /// An expression of a given type.
    pub fn scalar_as(&mut self, term: &Term, wanted: Type) -> Option<Expr> {
        let expr = self.scalar(term)?;
        if expr.ty == wanted {
            return Some(expr);
        }
        // C++ takes a number for a condition; the published grammar does not.
        if wanted == Type::Bool && expr.ty.is_number() && self.mode == Mode::Sdk {
            self.report_at(term, diagnostics::number_as_condition(term.span, expr.ty));
            let zero = Expr { kind: ExprKind::Integer(0), ty: Type::Int, span: expr.span };
            let span = expr.span;
            let kind = ExprKind::Compare(Comparison::Ne, Box::new(expr), Box::new(zero));
            return Some(Expr { kind, ty: Type::Bool, span });
        }
        self.report_at(term, diagnostics::type_expected(term.span, &wanted.to_string(), expr.ty));
        None
    }

    /// An expression of type `int` or `size`.
    pub fn integer(&mut self, term: &Term) -> Option<Expr> {
        self.scalar_where(term, "int or size", Type::is_integer)
    }

    /// An expression of type `int`, `size` or `float`.
    pub fn numeric(&mut self, term: &Term) -> Option<Expr> {
        self.scalar_where(term, "int, size or float", Type::is_number)
    }

    fn scalar_where(&mut self, term: &Term, wanted: &str, fits: fn(Type) -> bool) -> Option<Expr> {
        let expr = self.scalar(term)?;
        if fits(expr.ty) {
            return Some(expr);
        }
        self.report_at(term, diagnostics::type_expected(term.span, wanted, expr.ty));
        None
    }

    /// Any expression.
    pub fn scalar(&mut self, term: &Term) -> Option<Expr> {
        let (kind, ty) = match &term.kind {
            TermKind::Call { .. } => self.scalar_call(term)?,
            TermKind::Number { sign, digits } => match self.number(term, *sign, digits)? {
                Number::Int(value) => (ExprKind::Integer(value), Type::Int),
                Number::Size(value) => (ExprKind::Integer(value), Type::Size),
                Number::Float(value) => (ExprKind::Float(value), Type::Float),
            },
            TermKind::Name(name) => self.constant(term, name)?,
            TermKind::Scoped(scope, name) => self.dtype_tag(term, scope, name)?,
            TermKind::Strings(_) => {
                self.report_at(term, diagnostics::expected_place(term, Place::Scalar));
                return None;
            }
        };
        Some(Expr { kind, ty, span: term.span })
    }

    fn constant(&mut self, term: &Term, name: &str) -> Option<(ExprKind, Type)> {
        match name {
            "OK" | "true" => Some((ExprKind::Bool(true), Type::Bool)),
            "false" => Some((ExprKind::Bool(false), Type::Bool)),
            "INF" => Some((ExprKind::Float(f32::INFINITY), Type::Float)),
            "NEG_INF" => Some((ExprKind::Float(f32::NEG_INFINITY), Type::Float)),
            _ => {
                self.unknown(term, name, diagnostics::unknown_constant(term.span, name));
                None
            }
        }
    }

    fn dtype_tag(&mut self, term: &Term, scope: &str, name: &str) -> Option<(ExprKind, Type)> {
        if scope != "DType" {
            self.report_at(term, diagnostics::unknown_scope(term.span, scope, name));
            return None;
        }
        // The text's own example, `DType::Float`, is no tag of the enumeration.
        if name == "Float" {
            self.report_at(term, diagnostics::dtype_float(term.span));
            return Some((ExprKind::DType(DType::Float32), Type::DType));
        }
        let tag: Option<DType> = name.parse().ok();
        if tag.is_none() {
            self.report_at(term, diagnostics::unknown_dtype(term.span, name));
        }
        tag.map(|tag| (ExprKind::DType(tag), Type::DType))
    }

    fn scalar_call(&mut self, term: &Term) -> Option<(ExprKind, Type)> {
        let (production, operands) = self.call(term, Place::Scalar)?;
        let name = production.name;
        match name {
            "LAYOUT_CHUNKSIZE" => self.chunk_size(operands),
            "OPTION_INT" | "OPTION_UINT" | "OPTION_BOOL" | "OPTION_FLOAT" => {
                let option = self.string(&operands[0], "the name of an option")?;
                let ty = match name {
                    "OPTION_INT" => Type::Int,
                    "OPTION_UINT" => Type::Size,
                    "OPTION_BOOL" => Type::Bool,
                    _ => Type::Float,
                };
                Some((ExprKind::Option(option), ty))
            }
            "UINT" | "size_t" => self.cast(operands, Type::Size),
            "INT" | "int" => self.cast(operands, Type::Int),
            "FLOAT" | "float" => self.cast(operands, Type::Float),
            "DTYPE" => self.cast(operands, Type::DType),
            "NOT" => Some((ExprKind::Not(Box::new(self.scalar_as(&operands[0], Type::Bool)?)), Type::Bool)),
            "NEG" | "ABS" => {
                let operand = self.numeric(&operands[0])?;
                let ty = operand.ty;
                let operand = Box::new(operand);
                Some((if name == "NEG" { ExprKind::Neg(operand) } else { ExprKind::Abs(operand) }, ty))
            }
            "IS_POW2" => Some((ExprKind::IsPow2(Box::new(self.integer(&operands[0])?)), Type::Bool)),
            "SELECT" => self.select(term, operands),
            "AND" | "OR" | "XOR" | "ADD" | "MUL" | "MIN" | "MAX" => self.reduction(name, operands),
            "SUB" | "DIV" | "REM" | "MOD" | "ROUNDUP" => self.arithmetic(name, operands),
            "EQ" | "NE" | "LT" | "GT" | "LE" | "GE" => self.comparison(term, name, operands),
            "DIM_OF" => {
                let (operand, index) = (self.operand(&operands[0]), self.index(name, &operands[1]));
                Some((ExprKind::DimOf(operand?, Box::new(index?)), Type::Size))
            }
            "SAME_ENCODING" | "SAME_OP" | "SAME_SHAPE" => {
                let sameness = match name {
                    "SAME_ENCODING" => Sameness::Encoding,
                    "SAME_OP" => Sameness::Op,
                    _ => Sameness::Shape,
                };
                let (first, second) = (self.operand(&operands[0]), self.operand(&operands[1]));
                Some((ExprKind::Same(sameness, first?, second?), Type::Bool))
            }
            "CONSTVAL_INT" | "CONSTVAL_INT_VALID" | "CONSTVAL_FLOAT" | "CONSTVAL_FLOAT_VALID" => {
                self.constant_value(name, operands)
            }
            "SPLIT_DIM" => self.split_variable(SplitVariable::Dim, operands),
            "SPLIT_START" | "ITER_VAR" => self.split_variable(SplitVariable::Start, operands),
            "SPLIT_SIZE" => self.split_variable(SplitVariable::Size, operands),
            "EXTERNAL_CONSTRAINT" => self.external_constraint(operands),
            _ => self.property(term.span, name, &operands[0]),
        }
    }

    fn chunk_size(&mut self, operands: &[Term]) -> Option<(ExprKind, Type)> {
        let class = self.bare_name(&operands[0], "the name of a tensor class");
        let dimension = self.integer_constant(&operands[1], "a dimension")?;
        let Ok(known) = u32::try_from(dimension) else {
            self.report_at(&operands[1], diagnostics::chunk_dimension(operands[1].span, dimension));
            return None;
        };
        Some((ExprKind::ChunkSize(class?, known), Type::Size))
    }

    /// An integer constant, not an expression.
    pub fn integer_constant(&mut self, term: &Term, what: &str) -> Option<i64> {
        if let TermKind::Number { sign, digits } = &term.kind
            && let Number::Int(value) | Number::Size(value) = self.number(term, *sign, digits)?
        {
            return Some(value);
        }
        self.report_at(term, diagnostics::constant_expected(term, what));
        None
    }

    fn cast(&mut self, operands: &[Term], to: Type) -> Option<(ExprKind, Type)> {
        let operand = self.scalar(&operands[0])?;
        let allowed = match to {
            Type::DType => operand.ty.is_integer() || operand.ty == Type::DType,
            Type::Int => true,
            _ => operand.ty != Type::DType,
        };
        if !allowed {
            self.report_at(&operands[0], diagnostics::bad_cast(operands[0].span, operand.ty, to));
            return None;
        }
        if to == Type::Size {
            self.warn_negative(&operand);
        }
        Some((ExprKind::Cast(Box::new(operand)), to))
    }

    fn select(&mut self, term: &Term, operands: &[Term]) -> Option<(ExprKind, Type)> {
        let condition = self.scalar_as(&operands[0], Type::Bool);
        let (first, second) = (self.scalar(&operands[1]), self.scalar(&operands[2]));
        let (first, second) = (first?, second?);
        let ty = self.join(term, "SELECT", &first, &second)?;
        Some((ExprKind::Select(Box::new(condition?), Box::new(first), Box::new(second)), ty))
    }

    fn reduction(&mut self, name: &str, operands: &[Term]) -> Option<(ExprKind, Type)> {
        let (reduction, logical) = match name {
            "AND" => (Reduction::And, true),
            "OR" => (Reduction::Or, true),
            "XOR" => (Reduction::Xor, true),
            "ADD" => (Reduction::Add, false),
            "MUL" => (Reduction::Mul, false),
            "MIN" => (Reduction::Min, false),
            _ => (Reduction::Max, false),
        };
        let checked: Vec<Option<Expr>> = operands
            .iter()
            .map(|operand| if logical { self.scalar_as(operand, Type::Bool) } else { self.numeric(operand) })
            .collect();
        let checked = checked.into_iter().collect::<Option<Vec<_>>>()?;
        let mut ty = checked.first()?.ty;
        for operand in &checked {
            ty = ty.join(operand.ty)?;
        }
        if ty == Type::Size {
            checked.iter().for_each(|operand| self.warn_negative(operand));
        }
        Some((ExprKind::Reduce(reduction, checked), ty))
    }

    fn arithmetic(&mut self, name: &str, operands: &[Term]) -> Option<(ExprKind, Type)> {
        let operator = match name {
            "SUB" => Arithmetic::Sub,
            "DIV" => Arithmetic::Div,
            "REM" => Arithmetic::Rem,
            "MOD" => Arithmetic::Mod,
            _ => Arithmetic::RoundUp,
        };
        let check = if matches!(operator, Arithmetic::Sub | Arithmetic::Div) { Self::numeric } else { Self::integer };
        let first = check(self, &operands[0]);
        // What takes whole numbers is told so once.
        let second = if first.is_some() { check(self, &operands[1]) } else { self.scalar(&operands[1]) };
        let (first, second) = (first?, second?);
        let divisor = whole(&second);
        if let (Arithmetic::RoundUp, Some(value)) = (operator, divisor)
            && (value <= 0 || !value.unsigned_abs().is_power_of_two())
        {
            self.report_at(&operands[1], diagnostics::not_power_of_two(second.span, value));
            return None;
        }
        if let (Arithmetic::Div | Arithmetic::Rem | Arithmetic::Mod, Some(0), true) =
            (operator, divisor, first.ty.is_integer())
        {
            self.report_at(&operands[1], diagnostics::division_by_zero(second.span));
            return None;
        }
        let ty = first.ty.join(second.ty)?;
        if ty == Type::Size {
            self.warn_negative(&first);
            self.warn_negative(&second);
        }
        Some((ExprKind::Arithmetic(operator, Box::new(first), Box::new(second)), ty))
    }

    fn comparison(&mut self, term: &Term, name: &str, operands: &[Term]) -> Option<(ExprKind, Type)> {
        let comparison = match name {
            "EQ" => Comparison::Eq,
            "NE" => Comparison::Ne,
            "LT" => Comparison::Lt,
            "GT" => Comparison::Gt,
            "LE" => Comparison::Le,
            _ => Comparison::Ge,
        };
        if operands.iter().all(|operand| matches!(operand.kind, TermKind::Strings(_))) {
            self.report_at(term, diagnostics::operands_compared(term.span, name));
            return None;
        }
        let (first, second) = (self.scalar(&operands[0]), self.scalar(&operands[1]));
        let (first, second) = (first?, second?);
        let ty = self.join(term, name, &first, &second)?;
        if !ty.is_number() && !matches!(comparison, Comparison::Eq | Comparison::Ne) {
            self.report_at(term, diagnostics::not_ordered(term.span, name, ty));
            return None;
        }
        Some((ExprKind::Compare(comparison, Box::new(first), Box::new(second)), Type::Bool))
    }

    /// The common type of two operands.
    fn join(&mut self, term: &Term, name: &str, first: &Expr, second: &Expr) -> Option<Type> {
        let joined = first.ty.join(second.ty);
        match joined {
            None => self.report_at(term, diagnostics::types_differ(name, term.span, first, second)),
            Some(Type::Size) => {
                self.warn_negative(first);
                self.warn_negative(second);
            }
            Some(_) => {}
        }
        joined
    }

    fn constant_value(&mut self, name: &str, operands: &[Term]) -> Option<(ExprKind, Type)> {
        let (query, ty) = match name {
            "CONSTVAL_INT" => (ConstantQuery::Int, Type::Int),
            "CONSTVAL_INT_VALID" => (ConstantQuery::IntValid, Type::Bool),
            "CONSTVAL_FLOAT" => (ConstantQuery::Float, Type::Float),
            _ => (ConstantQuery::FloatValid, Type::Bool),
        };
        let (operand, index) = (self.operand(&operands[0]), self.index(name, &operands[1]));
        Some((ExprKind::ConstantValue(query, operand?, Box::new(index?)), ty))
    }

    fn split_variable(&mut self, variable: SplitVariable, operands: &[Term]) -> Option<(ExprKind, Type)> {
        let tag = self.split_reference(&operands[0])?;
        Some((ExprKind::Split(variable, tag), Type::Size))
    }

    fn external_constraint(&mut self, operands: &[Term]) -> Option<(ExprKind, Type)> {
        let function = self.bare_name(&operands[0], "the name of a function");
        let operand = if matches!(operands[1].kind, TermKind::Strings(_)) {
            self.operand_tag(&operands[1])
        } else {
            self.report_at(&operands[1], diagnostics::string_expected(&operands[1], "an operand tag"));
            None
        };
        let mut values = Vec::new();
        for value in &operands[2..] {
            let checked = self.scalar(value);
            if let Some(Expr { ty: Type::DType, .. }) = checked {
                self.report_at(value, diagnostics::type_expected(value.span, "bool, int, size or float", Type::DType));
                values.push(None);
            } else {
                values.push(checked);
            }
        }
        let values = values.into_iter().collect::<Option<Vec<_>>>()?;
        let (function, operand) = (function?, operand?);
        let node = Given { kind: GivenKind::Node, span: operands[1].span };
        let given: Vec<Given> = [node].into_iter().chain(values.iter().map(Given::scalar)).collect();
        self.signature(&operands[0], &function, false, &given);
        Some((ExprKind::External(function, operand, values), Type::Bool))
    }

    /// Properties, and the macros that stand for comparisons of them.
    fn property(&mut self, span: Span, name: &str, operand: &Term) -> Option<(ExprKind, Type)> {
        let operand = self.operand(operand)?;
        let property = match name {
            "RANK_OF" => (Property::Rank, Type::Size),
            "STEPSIZE_OF" => (Property::StepSize, Type::Float),
            "ZERO_OFFSET_OF" => (Property::ZeroOffset, Type::Int),
            "DTYPE_OF" => (Property::DType, Type::DType),
            "ELEMENTSIZE_OF" => (Property::ElementSize, Type::Size),
            "INPUTS_OF" => (Property::Inputs, Type::Size),
            "OUTPUTS_OF" => (Property::Outputs, Type::Size),
            _ => return expand_macro(span, name, operand),
        };
        Some((ExprKind::Property(property.0, operand), property.1))
    }
}
