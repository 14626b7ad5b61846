//! Rust as tokens, and as formatted text.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::visit_mut::{self, VisitMut};

use super::{imports, names};
use crate::{
    error::{Error, Result},
    writer::dedent,
};

/// The identifier of a name, which may be a raw one.
pub fn ident(name: &str) -> Ident {
    if is_plain(name) {
        return Ident::new(name, Span::call_site());
    }
    if let Ok(ident) = syn::parse_str::<Ident>(name) {
        return ident;
    }
    let plain: String =
        name.trim_start_matches("r#").chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    match plain.starts_with(|c: char| c.is_alphabetic()) {
        true if names::is_path_keyword(&plain) => Ident::new(&format!("{plain}_"), Span::call_site()),
        true if syn::parse_str::<Ident>(&plain).is_err() => Ident::new_raw(&plain, Span::call_site()),
        true => Ident::new(&plain, Span::call_site()),
        false => Ident::new(&format!("_{plain}"), Span::call_site()),
    }
}

/// Whether a name is an identifier whatever the keywords are, which are words in small letters, and `Self`.
fn is_plain(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let continues = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    begins && continues && name != "Self" && !name.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The call that leaves out the first of an iterator, where it does.
pub fn skip(count: usize) -> Option<TokenStream> {
    (count > 0).then(|| quote!(.skip(#count)))
}

/// Documentation comments, one for each line of Markdown.
pub fn doc(text: &str) -> TokenStream {
    let mut inside = false;
    let lines = dedent(text);
    let lines = lines.lines().map(|line| {
        let line = not_a_test(line.trim_end(), &mut inside);
        let line = if line.is_empty() { line } else { format!(" {line}") };
        quote!(#[doc = #line])
    });
    lines.collect()
}

/// Code in descriptions is not Rust: nothing of it may become a test of documentation.
fn not_a_test(line: &str, inside: &mut bool) -> String {
    let text = line.trim_start();
    if text.starts_with("```") {
        *inside = !*inside;
        return match *inside {
            true => format!("{}```text", &line[..line.len() - text.len()]),
            false => line.to_string(),
        };
    }
    match line.len() - text.len() {
        // As much indentation makes a block of code.
        4.. if !*inside => format!("   {text}"),
        _ => line.to_string(),
    }
}

/// Rust that was put together as text, as tokens.
pub fn tokens(text: &str) -> Result<TokenStream> {
    text.parse().map_err(|error| Error::new(format!("'{text}' is no Rust: {error}")))
}

/// The text of a generated file.
pub fn format(items: TokenStream, file_name: &str) -> Result<String> {
    let mut file: syn::File =
        syn::parse2(items).map_err(|error| Error::new(format!("generated code is no Rust: {error}")))?;
    Tidy.visit_file_mut(&mut file);
    imports::resolve(&mut file.items);
    Ok(format!("{}{}", super::header(file_name), spaced(&prettyplease::unparse(&file))))
}

/// With a blank line before each item that follows the end of another one or has documentation.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + text.len() / 32);
    let mut last = "";
    for line in text.lines() {
        let (begin, end) = (line.trim_start(), last.trim_start());
        let is_beside = line.len() - begin.len() == last.len() - end.len();
        let begins_item = ITEMS.iter().any(|word| begin.starts_with(word));
        let follows_use = end.starts_with("use ") || end == "};";
        let ends_item = end == "}"
            || (follows_use && !begin.starts_with("use "))
            || (end.ends_with(';')
                && !end.starts_with("//")
                && (begin.starts_with("///") || begin.starts_with("impl")));
        if is_beside && begins_item && ends_item {
            spaced.push('\n');
        }
        spaced.push_str(line);
        spaced.push('\n');
        last = line;
    }
    spaced
}

/// How items begin.
const ITEMS: [&str; 10] = ["///", "#[", "pub ", "impl", "fn ", "mod ", "type ", "const ", "static ", "use "];

/// Takes away what translated C++ has too much: parentheses, and operands that are always true.
struct Tidy;

impl Tidy {
    fn bare(&self, expression: &mut syn::Expr) {
        while let syn::Expr::Paren(inner) = expression {
            *expression = taken(&mut inner.expr);
        }
    }

    /// Takes the parentheses away from an operand that binds stronger than all operators.
    fn operand(&self, expression: &mut syn::Expr) {
        if let syn::Expr::Paren(paren) = expression {
            let mut inner = taken(&mut paren.expr);
            self.bare(&mut inner);
            let is_closed = matches!(
                inner,
                syn::Expr::Call(_)
                    | syn::Expr::MethodCall(_)
                    | syn::Expr::Path(_)
                    | syn::Expr::Lit(_)
                    | syn::Expr::Macro(_)
                    | syn::Expr::Field(_)
                    | syn::Expr::Index(_)
            );
            match is_closed {
                true => *expression = inner,
                false => *paren.expr = inner,
            }
        }
    }
}

/// An expression that is put elsewhere.
fn taken(expression: &mut syn::Expr) -> syn::Expr {
    std::mem::replace(expression, syn::Expr::Verbatim(TokenStream::new()))
}

/// Takes the parentheses away from an operand that itself binds stronger than the operator.
fn unwrap_stronger(operand: &mut syn::Expr, outer: u8, is_left: bool) {
    let syn::Expr::Paren(paren) = operand else { return };
    let syn::Expr::Binary(inner) = &*paren.expr else { return };
    let inner = precedence(&inner.op);
    let repeats = is_left && inner == outer && inner < 3;
    if (inner > outer && outer < 3) || repeats {
        *operand = taken(&mut paren.expr);
    }
}

/// How strong an operator binds: alternatives, conjunctions, comparisons, arithmetic.
fn precedence(operator: &syn::BinOp) -> u8 {
    use syn::BinOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    match operator {
        Or(_) => 1,
        And(_) => 2,
        Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) => 3,
        _ => 4,
    }
}

/// The comparison that says the same as the negation of one: only being equal has an opposite whatever is compared.
fn opposite(negation: &syn::ExprUnary) -> Option<syn::Expr> {
    let (syn::UnOp::Not(_), syn::Expr::Paren(inner)) = (&negation.op, &*negation.expr) else { return None };
    let syn::Expr::Binary(comparison) = &*inner.expr else { return None };
    let operator: syn::BinOp = match comparison.op {
        syn::BinOp::Eq(_) => syn::parse_quote!(!=),
        syn::BinOp::Ne(_) => syn::parse_quote!(==),
        _ => return None,
    };
    let mut opposite = comparison.clone();
    opposite.op = operator;
    Some(syn::parse_quote!((#opposite)))
}

/// Variables that a translated condition binds and does not ask.
fn drop_unused(block: &mut syn::Block) {
    for index in (0..block.stmts.len()).rev() {
        let syn::Stmt::Local(syn::Local { pat: syn::Pat::Ident(variable), .. }) = &block.stmts[index] else { continue };
        let rest = &block.stmts[index + 1..];
        if !mentions(&quote!(#(#rest)*), &variable.ident.to_string()) {
            block.stmts.remove(index);
        }
    }
}

/// Whether an identifier stands in some code.
pub fn mentions(code: &TokenStream, name: &str) -> bool {
    code.clone().into_iter().any(|token| match token {
        TokenTree::Ident(found) => found == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn is_literal(expression: &syn::Expr, value: bool) -> bool {
    matches!(expression, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(found), .. }) if found.value == value)
}

impl VisitMut for Tidy {
    fn visit_expr_mut(&mut self, expression: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, expression);
        match expression {
            syn::Expr::Binary(binary) => {
                self.operand(&mut binary.left);
                self.operand(&mut binary.right);
                unwrap_stronger(&mut binary.left, precedence(&binary.op), true);
                unwrap_stronger(&mut binary.right, precedence(&binary.op), false);
                let is_zero = |operand: &syn::Expr| quote!(#operand).to_string() == "0";
                if matches!(binary.op, syn::BinOp::BitOr(_)) && is_zero(&binary.left) {
                    *expression = taken(&mut binary.right);
                    return;
                }
                let unit = match binary.op {
                    syn::BinOp::And(_) => true,
                    syn::BinOp::Or(_) => false,
                    _ => return,
                };
                if is_literal(&binary.left, unit) {
                    *expression = taken(&mut binary.right);
                } else if is_literal(&binary.right, unit) {
                    *expression = taken(&mut binary.left);
                }
            }
            syn::Expr::Unary(unary) => {
                self.operand(&mut unary.expr);
                if let Some(opposite) = opposite(unary) {
                    *expression = opposite;
                }
            }
            syn::Expr::Call(call) => call.args.iter_mut().for_each(|argument| self.bare(argument)),
            syn::Expr::MethodCall(call) => {
                self.operand(&mut call.receiver);
                call.args.iter_mut().for_each(|argument| self.bare(argument));
            }
            syn::Expr::Closure(closure) => self.bare(&mut closure.body),
            syn::Expr::If(choice) => self.bare(&mut choice.cond),
            syn::Expr::Block(syn::ExprBlock { block, label: None, .. }) => {
                if let [syn::Stmt::Expr(only, None)] = block.stmts.as_mut_slice() {
                    *expression = taken(only);
                }
            }
            syn::Expr::Paren(_) => {
                // Twice is once.
                if let syn::Expr::Paren(outer) = expression {
                    self.bare(&mut outer.expr);
                }
            }
            _ => {}
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        drop_unused(block);
        if let Some(syn::Stmt::Expr(last, None)) = block.stmts.last_mut() {
            self.bare(last);
        }
    }

    /// What they are given to says the types of numbers, but for those that are too large for the type that Rust takes otherwise.
    fn visit_lit_int_mut(&mut self, number: &mut syn::LitInt) {
        if !number.suffix().is_empty() && number.base10_parse::<i32>().is_ok() {
            *number = syn::LitInt::new(number.base10_digits(), number.span());
        }
    }

    fn visit_lit_float_mut(&mut self, number: &mut syn::LitFloat) {
        if !number.suffix().is_empty() && number.base10_digits().contains('.') {
            *number = syn::LitFloat::new(number.base10_digits(), number.span());
        }
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        visit_mut::visit_local_mut(self, local);
        if let Some(init) = &mut local.init {
            self.bare(&mut init.expr);
        }
    }
}
