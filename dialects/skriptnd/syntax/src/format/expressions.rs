//! Expressions, types and extents.

use super::layout::INDENT;
use super::pieces::{Indent, Piece, When};
use super::printer::Printer;
use crate::ast::{BinaryOp, Expr, ExprKind, FoldOp, Item, Member, UnaryOp};

/// An infix operator as the text may have it: in the specification's spelling, and in the newer one.
fn spellings(op: BinaryOp) -> [&'static str; 2] {
    match op {
        BinaryOp::Min => ["<<", "<?"],
        BinaryOp::Max => [">>", ">?"],
        _ => [op.symbol(), op.symbol()],
    }
}

/// Operators that may stand in one chain without parentheses.
fn level(op: BinaryOp) -> u8 {
    use BinaryOp::{Add, And, CeilDiv, Div, Implies, Max, Min, Mod, Mul, Or, Pow, Sub, Xor};
    match op {
        Implies => 0,
        And | Or | Xor => 1,
        Min | Max => 3,
        Add | Sub => 4,
        Mul | Div | CeilDiv | Mod => 5,
        Pow => 6,
        _ => 2,
    }
}

impl<'a> Printer<'a> {
    /// An expression as one group.
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary(op, ..) => self.grouped(|p| p.chain(level(*op), expr)),
            ExprKind::Select(..) => self.select(expr, false),
            ExprKind::Coalesce(left, right) => self.grouped(|p| {
                p.expr(left);
                p.infix(["??"; 2], When::Group);
                p.expr(right);
            }),
            ExprKind::Is(left, right) => self.named_infix(left, "is", right),
            ExprKind::In(left, right) => self.named_infix(left, "in", right),
            ExprKind::Fold { pack, op, cumulative } => self.fold(pack, *op, *cumulative),
            ExprKind::Unary(op, operand) => {
                self.word(match op {
                    UnaryOp::Plus => "+",
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                });
                self.expr(operand);
            }
            ExprKind::NullTest(operand) => {
                self.word("?");
                self.expr(operand);
            }
            _ => self.operand(expr),
        }
    }

    /// The value of a declaration: a table of cases has a line for each.
    pub(super) fn value(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Select(..) => self.select(expr, true),
            _ => self.expr(expr),
        }
    }

    pub(super) fn grouped(&mut self, print: impl FnOnce(&mut Self)) {
        self.open(Indent::Here);
        print(self);
        self.close();
    }

    /// Operands of one precedence in one group.
    fn chain(&mut self, of: u8, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary(op, left, right) if level(*op) == of => {
                self.chain(of, left);
                let when = if of >= 3 { When::Fill } else { When::Group };
                self.infix(spellings(*op), when);
                self.expr(right);
            }
            _ => self.expr(expr),
        }
    }

    fn infix(&mut self, operator: [&'a str; 2], when: When) {
        self.space();
        self.one_of(operator);
        self.break_at(when, " ", 0);
    }

    fn named_infix(&mut self, left: &Expr, operator: &'static str, right: &Expr) {
        self.grouped(|p| {
            p.expr(left);
            p.infix([operator; 2], When::Group);
            p.expr(right);
        });
    }

    fn fold(&mut self, pack: &Expr, op: FoldOp, cumulative: bool) {
        self.expr(pack);
        self.space();
        match op {
            FoldOp::Binary(op) => self.one_of(spellings(op)),
            FoldOp::Uniform => self.word(":="),
        }
        self.space();
        self.word(if cumulative { "..." } else { ".." });
    }

    /// `c ? a : d ? b : e`: a line for each case, or all on one line.
    fn select(&mut self, expr: &Expr, table: bool) {
        self.open(Indent::Here);
        let (mut rest, mut cases) = (expr, 0);
        while let ExprKind::Select(condition, value, otherwise) = &rest.kind {
            cases += 1;
            self.expr(condition);
            self.space();
            self.word("?");
            self.break_at(When::Late, " ", INDENT as isize);
            self.expr(value);
            let Some(otherwise) = otherwise else {
                self.close();
                return;
            };
            self.space();
            self.word(":");
            if table && cases == 2 {
                self.pieces.push(Piece::Broken);
            }
            self.break_at(When::Group, " ", 0);
            rest = otherwise;
        }
        self.expr(rest);
        self.close();
    }

    fn operand(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(value) => {
                if *value == i64::MIN {
                    self.word("-");
                }
                self.number();
            }
            ExprKind::Real(_) => self.number(),
            ExprKind::Bool(value) => self.name(if *value { "true" } else { "false" }),
            ExprKind::Str(_) => self.string(),
            ExprKind::Inf => self.name("inf"),
            ExprKind::Pi => self.name("pi"),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Member(name, member) => {
                self.name(&name.text);
                self.word(".");
                self.name(member_name(*member));
            }
            ExprKind::List(items) => self.list(items),
            ExprKind::Subscript { base, items, trailing_comma } => self.subscript(base, items, *trailing_comma),
            ExprKind::Substitute { base, index, value } => {
                self.subscript(base, std::slice::from_ref(index), false);
                self.space();
                self.word("<-");
                self.space();
                self.expr(value);
            }
            _ => self.enclosed(expr),
        }
    }

    /// What has brackets of its own around its parts.
    fn enclosed(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Bounded { index, remap } => {
                self.word("|");
                self.expr(index);
                if let Some((below, above)) = remap {
                    self.spaced("<>");
                    self.expr(below);
                    self.spaced(":");
                    self.expr(above);
                }
                self.word("|");
            }
            ExprKind::Cast(ty, value) => {
                self.type_expr(ty);
                self.word("(");
                if let Some(value) = value {
                    self.grouped(|p| p.expr(value));
                }
                self.word(")");
            }
            ExprKind::Builtin(_, value) => self.builtin(value),
            ExprKind::Paren(inner) => {
                self.word("(");
                self.grouped(|p| p.expr(inner));
                self.word(")");
            }
            // All others have a group of their own.
            _ => self.expr(expr),
        }
    }

    pub(super) fn spaced(&mut self, word: &'static str) {
        self.space();
        self.word(word);
        self.space();
    }

    /// A list: on one line, or as many items a line as fit.
    fn list(&mut self, items: &[Item]) {
        self.word("[");
        self.bracketed(|p| p.separated(items, When::Fill, Self::item));
        self.word("]");
    }

    /// What stands between brackets: on the line, or on lines of its own.
    pub(super) fn bracketed(&mut self, print: impl FnOnce(&mut Self)) {
        self.open(Indent::Deeper(INDENT));
        self.break_at(When::Group, "", 0);
        self.pieces.push(Piece::Open(Indent::Here));
        print(self);
        self.pieces.push(Piece::Close);
        self.break_at(When::Group, "", -(INDENT as isize));
        self.close();
    }

    /// Items with commas between them.
    pub(super) fn separated<T>(&mut self, items: &[T], when: When, print: impl Fn(&mut Self, &T)) {
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                self.comma();
                self.break_at(when, " ", 0);
            }
            print(self, item);
        }
    }

    fn subscript(&mut self, base: &Expr, items: &[Item], trailing_comma: bool) {
        self.expr(base);
        self.word("[");
        self.grouped(|p| p.separated(items, When::Fill, Self::item));
        if trailing_comma {
            self.comma();
        }
        self.word("]");
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Value(value) => self.expr(value),
            Item::Expand(value, pack) => {
                match &value.kind {
                    // `[a:b..]`: the tree has a list around the range that the text has not.
                    ExprKind::List(inner) => match inner.as_slice() {
                        [range @ Item::Range(.., span)] if *span == value.span => self.item(range),
                        _ => self.expr(value),
                    },
                    _ => self.expr(value),
                }
                self.pack(pack, None);
            }
            Item::Range(begin, end, step, _) => {
                begin.iter().for_each(|begin| self.expr(begin));
                self.word(":");
                end.iter().for_each(|end| self.expr(end));
                if step.is_some() || self.peek().starts_with(':') {
                    self.word(":");
                    step.iter().for_each(|step| self.expr(step));
                }
            }
            Item::Zip(packs, pack) => {
                self.word("(");
                self.separated(packs, When::Fill, Self::expr);
                self.word(")");
                self.pack(pack, None);
            }
        }
    }
}

fn member_name(member: Member) -> &'static str {
    match member {
        Member::Shape => "shape",
        Member::Rank => "rank",
        Member::Size => "size",
    }
}
