//! Interfaces are found through types and attributes, whichever dialect implements them, and constraints ask for them.

use skriptnd_generated::{
    Secret,
    interfaces::{Hidden, HiddenHooks, Sided, Striped, Wide, WideHooks, has_striped, has_wide},
    paper, wood,
};
use skriptnd_ods::mlir::{
    Failure, Registry,
    ir::{self, Attribute, Context, Type, Value, attributes, types},
};

struct Hooks;

impl WideHooks for Hooks {
    fn get_area<'c>(this: &(dyn Wide<'c> + 'c)) -> i64 {
        this.get_width() * this.get_width()
    }

    fn applies<'c>(this: &(dyn Wide<'c> + 'c)) -> bool {
        this.get_width() != 0
    }
}

impl HiddenHooks for Hooks {
    type GetHiddenResult = Secret;
}

impl wood::dialect_types::PlankTypeHooks for Hooks {
    fn verify_width_below<'c>(
        _: &Context,
        parameters: &wood::dialect_types::PlankTypeParameters,
        of_trait: &str,
    ) -> Result<(), Failure> {
        let bound: i64 = of_trait.parse().unwrap();
        if parameters.width < bound { Ok(()) } else { Err(Failure::new(format!("not below {bound}"))) }
    }

    fn get_kind() -> String {
        "planks".into()
    }

    fn get_width<'c>(this: wood::dialect_types::PlankType<'c>) -> i64 {
        this.width().unwrap()
    }

    fn get_width_of<'c: 'a, 'a>(this: wood::dialect_types::PlankType<'c>, value: Value<'c, 'a>) -> i64 {
        if value.r#type() == this.into() { this.width().unwrap() } else { -1 }
    }

    fn get_area<'c>(this: wood::dialect_types::PlankType<'c>) -> i64 {
        1000 + this.width().unwrap()
    }

    fn with_width<'c>(this: wood::dialect_types::PlankType<'c>, width: i64) -> Type<'c> {
        wood::dialect_types::PlankType::get(this.r#type().context(), width).unwrap().into()
    }

    fn get_hidden<'c>(this: wood::dialect_types::PlankType<'c>) -> Secret {
        Secret(this.width().unwrap())
    }
}

impl wood::dialect_attributes::FlagAttrHooks for Hooks {
    fn get_stripes<'c>(this: wood::dialect_attributes::FlagAttr<'c>) -> i64 {
        this.stripes().unwrap()
    }
}

impl wood::definitions::ConstraintHooks for Hooks {
    fn is_hidden(this: Type<'_>) -> bool {
        <dyn Hidden<GetHiddenResult = Secret>>::of(this).is_some()
    }
}

impl paper::dialect_types::BoardTypeHooks for Hooks {
    fn get_kind() -> String {
        "boards".into()
    }

    fn get_width<'c>(_: paper::dialect_types::BoardType<'c>) -> i64 {
        9
    }

    fn get_width_of<'c: 'a, 'a>(_: paper::dialect_types::BoardType<'c>, _: Value<'c, 'a>) -> i64 {
        9
    }

    fn with_width<'c>(this: paper::dialect_types::BoardType<'c>, _: i64) -> Type<'c> {
        this.into()
    }
}

impl paper::dialect_attributes::RibbonAttrHooks for Hooks {
    fn get_stripes<'c>(_: paper::dialect_attributes::RibbonAttr<'c>) -> i64 {
        1
    }

    fn get_most() -> i64 {
        2
    }
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add_dialect(wood::dialect(Hooks)).unwrap();
    registry.add_dialect(paper::dialect(Hooks)).unwrap();
    registry.context()
}

fn a_type<'c>(context: &'c Context, text: &str) -> Type<'c> {
    types::parse(context, text).unwrap_or_else(|| panic!("{text}"))
}

fn an_attribute<'c>(context: &'c Context, text: &str) -> Attribute<'c> {
    attributes::parse(context, text).unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn types_of_both_dialects_have_them() {
    let context = context();
    let all = ["!wood.plank<3>", "!paper.board", "!paper.stack<!paper.board x 2>", "i32", "tensor<4xf32>"];
    let found = all.map(|text| <dyn Wide>::of(a_type(&context, text)).map(|wide| wide.get_width()));
    assert_eq!(found, [Some(3), Some(9), None, None, None]);
    // One that is overridden, one in C++, one of the interface that it extends, a static one.
    let [plank, board] = [all[0], all[1]].map(|text| <dyn Wide>::of(a_type(&context, text)).unwrap());
    assert_eq!((plank.get_area(), board.get_area()), (1003, 81));
    assert_eq!((plank.get_sides(), plank.get_kind(), board.get_kind()), (4, "planks".into(), "boards".into()));
    assert_eq!(plank.with_width(5).to_string(), "!wood.plank<5>");
    let sided = <dyn Sided>::of(board.r#type()).unwrap();
    assert_eq!((sided.get_kind(), sided.r#type().to_string()), ("boards".into(), "!paper.board".into()));
    assert_eq!(<dyn Hidden<GetHiddenResult = Secret>>::of(plank.r#type()).unwrap().get_hidden(), Secret(3));
    assert!(<dyn Hidden<GetHiddenResult = Secret>>::of(board.r#type()).is_none());
}

#[test]
fn an_interface_may_apply_to_some_values_only() {
    let context = context();
    let none = a_type(&context, "!wood.plank<0>");
    assert!(<dyn Wide>::of(none).is_none() && !has_wide(none) && <dyn Sided>::of(none).is_some());
}

#[test]
fn attributes_of_both_dialects_have_them() {
    let context = context();
    let all = ["#wood.flag<5>", "#paper.ribbon", "5 : i32", "\"flag\""];
    let found = all.map(|text| {
        <dyn Striped>::of(an_attribute(&context, text))
            .map(|striped| (striped.get_stripes(), striped.get_most(), striped.is_number()))
    });
    assert_eq!(found, [Some((5, 7, false)), Some((1, 2, false)), None, None]);
    assert_eq!(all.map(|text| has_striped(an_attribute(&context, text))), [true, true, false, false]);
}

fn verified(text: &str) -> Result<(), String> {
    let context = context();
    let text = format!(
        "%p = \"builtin.unrealized_conversion_cast\"() : () -> !wood.plank<3>
         %b = \"builtin.unrealized_conversion_cast\"() : () -> !paper.board
         %z = \"builtin.unrealized_conversion_cast\"() : () -> !wood.plank<0>
         %i = \"builtin.unrealized_conversion_cast\"() : () -> i32
         {text}"
    );
    ir::parse_module(&context, &text, "test.mlir").map(drop).map_err(|error| error.to_string())
}

#[test]
fn constraints_ask_for_them() {
    for text in [
        "\"wood.saw\"(%p) : (!wood.plank<3>) -> ()",
        "\"wood.saw\"(%b) {marks = #paper.ribbon} : (!paper.board) -> ()",
        "\"wood.saw\"(%b, %i, %p) {marks = #wood.flag<1>} : (!paper.board, i32, !wood.plank<3>) -> ()",
        "\"wood.hide\"(%p) : (!wood.plank<3>) -> ()",
    ] {
        assert_eq!(verified(text), Ok(()), "{text}");
    }
    for (text, message) in [
        ("\"wood.saw\"(%i) : (i32) -> ()", "operand #0 must be Wide instance, but got 'i32'"),
        ("\"wood.saw\"(%z) : (!wood.plank<0>) -> ()", "operand #0 must be Wide instance"),
        (
            "\"wood.saw\"(%b) {marks = 1 : i32} : (!paper.board) -> ()",
            "attribute 'marks' failed to satisfy constraint: Striped instance",
        ),
        ("\"wood.hide\"(%b) : (!paper.board) -> ()", "operand #0 must be Hidden instance"),
    ] {
        let error = verified(text).expect_err(text);
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn parameters_and_traits_of_types_are_verified() {
    let of_type = |text: &str| verified(&format!("\"builtin.unrealized_conversion_cast\"() : () -> {text}"));
    assert_eq!(of_type("!paper.stack<!wood.plank<3> x 2>"), Ok(()));
    for (text, message) in
        [("!paper.stack<i32 x 2>", "failed to verify 'item': `shared::Wide`"), ("!wood.plank<100>", "not below 100")]
    {
        let error = of_type(text).expect_err(text);
        assert!(error.contains(message), "{text}: {error}");
    }
}
