//! Statements of `@compose`, `@update` and `@quantize` (sections 2.10, 2.11 and 2.14).

use super::{Expr, Name, PackSpec, QualifiedName, TypeExpr, TypeSpec};
use skriptnd_source::Span;

/// One statement of `@compose` or `@update` (section 2.10).
#[derive(Debug, Clone)]
pub struct Component {
    /// The left side.
    pub results: Vec<LValue>,
    /// The right side.
    pub value: ComponentValue,
    /// All of it.
    pub span: Span,
}

impl Component {
    /// The names that it assigns.
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &Name> {
        self.results.iter().flat_map(LValue::names).map(|(name, _)| name)
    }

    /// Calls `visit` with every invocation on the right, those in blocks too.
    pub fn invocations<'c>(&'c self, visit: &mut dyn FnMut(&'c Invocation)) {
        match &self.value {
            ComponentValue::Body(body) => body.invocations(visit),
            ComponentValue::Branch(branch) => {
                for (condition, consequent) in &branch.arms {
                    condition.invocations(visit);
                    consequent.invocations(visit);
                }
                branch.otherwise.invocations(visit);
            }
            ComponentValue::Loop(looping) => {
                let conditions = looping.while_before.iter().chain(&looping.while_after);
                conditions.chain([&looping.body]).for_each(|body| body.invocations(visit));
            }
        }
    }
}

/// A name, list or `~` on the left of `=`.
#[derive(Debug, Clone)]
pub enum LValue {
    /// One item.
    Item(LValueItem),
    /// `[a, b..(n)]`
    List(Vec<LValueItem>, Span),
}

/// An item on the left of `=`.
#[derive(Debug, Clone)]
pub enum LValueItem {
    /// `x: real[s]..(n)`
    Name {
        /// The introduced name.
        name: Name,
        /// The type and shape behind the name, if they are written.
        spec: Option<Box<TypeSpec>>,
        /// `..(n)`
        pack: Option<PackSpec>,
    },
    /// `(a, b)..`
    Zip {
        /// The names that are interleaved.
        names: Vec<(Name, Option<Box<TypeSpec>>)>,
        /// `..(n)`
        pack: Option<PackSpec>,
        /// All of it.
        span: Span,
    },
    /// `~`
    Omitted(Span),
}

impl LValue {
    /// The items of the list, or the one.
    pub fn items(&self) -> &[LValueItem] {
        match self {
            LValue::Item(item) => std::slice::from_ref(item),
            LValue::List(items, _) => items,
        }
    }

    /// The names that it introduces, and whether each is a pack.
    pub fn names(&self) -> impl DoubleEndedIterator<Item = (&Name, bool)> {
        self.items().iter().flat_map(LValueItem::names)
    }

    /// Where it stands, without types and lengths.
    pub fn span(&self) -> Span {
        match self {
            LValue::Item(LValueItem::Name { name, .. }) => name.span,
            LValue::Item(LValueItem::Zip { span, .. } | LValueItem::Omitted(span)) | LValue::List(_, span) => *span,
        }
    }
}

impl LValueItem {
    /// The names that it introduces, and whether each is a pack.
    pub fn names(&self) -> impl DoubleEndedIterator<Item = (&Name, bool)> {
        let (single, zipped) = match self {
            LValueItem::Name { name, pack, .. } => (Some((name, pack.is_some())), [].as_slice()),
            LValueItem::Zip { names, .. } => (None, names.as_slice()),
            LValueItem::Omitted(_) => (None, [].as_slice()),
        };
        single.into_iter().chain(zipped.iter().map(|(name, _)| (name, true)))
    }

    /// `..(n)`
    pub fn pack(&self) -> Option<&PackSpec> {
        match self {
            LValueItem::Name { pack, .. } | LValueItem::Zip { pack, .. } => pack.as_ref(),
            LValueItem::Omitted(_) => None,
        }
    }
}

/// The right side of a component.
#[derive(Debug, Clone)]
pub enum ComponentValue {
    /// An invocation, a block or an expression.
    Body(Body),
    /// `if ... then ... else ...`
    Branch(Branch),
    /// `with ... for ... while ... do ...`
    Loop(Box<Loop>),
}

/// What a control-flow construct calls.
#[derive(Debug, Clone)]
pub enum Body {
    /// `op(x)`
    Invocation(Invocation),
    /// `{ ...; yield x; }`
    Block(Block),
    /// A tensor or compile-time expression.
    Expr(Expr),
}

impl Body {
    /// From its first to its last character.
    pub fn span(&self) -> Span {
        match self {
            Body::Invocation(invocation) => invocation.span,
            Body::Block(block) => block.span,
            Body::Expr(expr) => expr.span,
        }
    }

    fn invocations<'c>(&'c self, visit: &mut dyn FnMut(&'c Invocation)) {
        match self {
            Body::Invocation(invocation) => visit(invocation),
            Body::Block(block) => block.components.iter().for_each(|inner| inner.invocations(visit)),
            Body::Expr(_) => {}
        }
    }
}

/// `label: { ... yield a, b; }`
#[derive(Debug, Clone)]
pub struct Block {
    /// Scope name.
    pub label: Option<Name>,
    /// The statements in the order of the text.
    pub components: Vec<Component>,
    /// What it yields.
    pub yields: Vec<Expr>,
    /// All of it.
    pub span: Span,
}

/// `label: op<T>{a=1}(x, ~)`
#[derive(Debug, Clone)]
pub struct Invocation {
    /// Scope name.
    pub label: Option<Name>,
    /// The name of the operator, as it is written.
    pub operator: QualifiedName,
    /// Explicit generic types.
    pub types: Vec<TypeExpr>,
    /// Attributes in the order of the text.
    pub attributes: Vec<AttributeAssignment>,
    /// Arguments; none for `~`.
    pub arguments: Vec<(Option<Expr>, Span)>,
    /// All of it.
    pub span: Span,
}

/// `a=1`
#[derive(Debug, Clone)]
pub struct AttributeAssignment {
    /// The name of the attribute.
    pub name: Name,
    /// What the attribute is given.
    pub value: Expr,
}

/// `if c then a elif d then b else e`
#[derive(Debug, Clone)]
pub struct Branch {
    /// Conditions with their consequents, at least one.
    pub arms: Vec<(Body, Body)>,
    /// What stands behind `else`.
    pub otherwise: Body,
    /// All of it.
    pub span: Span,
}

/// A loop-carried dependency.
#[derive(Debug, Clone)]
pub struct Carried {
    /// What the body calls it.
    pub name: Name,
    /// The declared type and shape.
    pub spec: Option<TypeSpec>,
    /// What it is in the first iteration.
    pub value: Expr,
}

/// A loop (section 2.10.1).
#[derive(Debug, Clone)]
pub struct Loop {
    /// `with`
    pub carried: Vec<Carried>,
    /// `for`
    pub scans: Vec<(Name, Expr)>,
    /// `while` before `do`.
    pub while_before: Option<Body>,
    /// `unroll` in place of `do`.
    pub unroll: bool,
    /// `..(index -> count)`
    pub count: Option<IterCount>,
    /// What every iteration does.
    pub body: Body,
    /// `while` after the body.
    pub while_after: Option<Body>,
    /// All of it.
    pub span: Span,
}

/// `tensor: operator{...};` (section 2.14)
#[derive(Debug, Clone)]
pub struct Quantization {
    /// The possibly scoped tensor.
    pub tensor: QualifiedName,
    /// The algorithm; it has no arguments.
    pub operator: Invocation,
}

/// `..(index -> count)`
#[derive(Debug, Clone)]
pub struct IterCount {
    /// The iteration index.
    pub index: Option<Name>,
    /// How often.
    pub count: Option<Expr>,
    /// All of it.
    pub span: Span,
}
