//! Types, attributes and enumerations of every kind, as text and as Rust values.

use skriptnd_generated::kinds::generated::{
    Bits, Color, Flags, Odd, Padding, Plain,
    dialect_attributes::{ColorAttr, PairAttr, PairsAttr, TypedAttr},
    dialect_types::{ChoiceType, EmptyType, RecordType, VecType},
    operations::{MakeOp, MakeOpBuilder, PadOp},
};
use skriptnd_generated::kinds::spec;
use skriptnd_ods::mlir::Registry;
use skriptnd_ods::mlir::ir::{Builder, Context, Location, attributes, capture, parse_module, types};

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add_dialect(spec()).expect("the dialect can be registered");
    registry.context()
}

/// What is printed of a type that is written so.
fn printed(text: &str) -> String {
    let context = context();
    types::parse(&context, text).map_or_else(|| "refused".into(), |found| found.to_string())
}

/// The same of an attribute.
fn printed_attribute(text: &str) -> String {
    let context = context();
    attributes::parse(&context, text).map_or_else(|| "refused".into(), |found| found.to_string())
}

#[test]
fn types_round_trip() {
    for text in [
        "!kinds.empty",
        "!kinds.vec<4 x i32>",
        "!kinds.record<name = \"a\", plain = one, packed = true : i32>",
        "!kinds.record<name = \"a\", alignment = 4 : i32, order = 7, plain = two, packed = false, flags = fast,deep : i32, f32>",
        "!kinds<choice none>",
        "!kinds<choice<i32> [1, 2] ratio 2.500000e+00>",
        "!kinds.params<1>",
        "!kinds.params<1, 2>",
        "!kinds.params<1, 2, i32>",
        "!kinds.nest<<4 x i32>, <green>, !kinds.vec<2 x f32>>",
        "!kinds.written",
        "!kinds.written<wide>",
        "!kinds.opaque<square, r 2>",
        "tensor<4x!kinds.empty>",
    ] {
        assert_eq!(printed(text), text);
    }
}

#[test]
fn what_is_wrong_is_refused() {
    for text in [
        "!kinds.none",
        "!kinds.vec<4 i32>",
        "!kinds.vec<0 x i32>",
        "!kinds.vec<-1 x i32>",
        "!kinds.vec<4294967296 x i32>",
        "!kinds.record<name = \"a\", plain = one : i32>",
        "!kinds.record<name = \"a\", name = \"b\", plain = one, packed = true : i32>",
        "!kinds.record<name = \"a\", plain = three, packed = true : i32>",
        "!kinds.record<name = \"a\", alignment = \"x\", plain = one, packed = true : i32>",
        "!kinds.nest<<4 x i32>, <blue>, !kinds.vec<2 x f32>>",
        "!kinds.nest<!kinds.empty, <green>, !kinds.vec<2 x f32>>",
        "!kinds.choice",
    ] {
        assert_eq!(printed(text), "refused", "{text}");
    }
}

#[test]
fn what_equals_its_default_is_not_printed() {
    assert_eq!(
        printed("!kinds.record<packed = false, order = 42, plain = one, name = \"a\", flags = none : i32>"),
        "!kinds.record<name = \"a\", plain = one, packed = false : i32>"
    );
    assert_eq!(printed("!kinds.params<1, 0>"), "!kinds.params<1>");
}

#[test]
fn attributes_round_trip() {
    for text in [
        "#kinds.color<red>",
        "#kinds.flags<none>",
        "#kinds.flags<fast,deep>",
        "#kinds.flags<all>",
        "#kinds.pair<1, -2>",
        "#kinds.confined<i32, \"x\">",
        "#kinds<typed<3> : i32>",
        "#kinds.typed<3>",
    ] {
        assert_eq!(printed_attribute(text), text);
    }
    assert_eq!(printed_attribute("#kinds.typed<3> : i32"), "#kinds<typed<3> : i32>");
    for text in ["#kinds.color<blue>", "#kinds.flags<fast,slow>", "#kinds.pair<1>", "#kinds.confined<f32, \"x\">"] {
        assert_eq!(printed_attribute(text), "refused", "{text}");
    }
}

#[test]
fn operations_write_them_without_their_names() {
    let text = "module {
  %0 = kinds.make <1, 2> <green> : !kinds.vec<4 x i32>
  %1 = kinds.make <1, 2> <red> flags <fast,wide> {other = #kinds.color<red>} : !kinds.vec<4 x i32>
  kinds.tag green
  kinds.tag red a
  kinds.tag red \"a|b\"
  %2 = kinds.empty
  kinds.eat %2
}
";
    let context = context();
    let module = parse_module(&context, text, "kinds.mlir").expect("it is right");
    assert_eq!(module.as_operation().to_string(), text);
}

#[test]
fn texts_of_enumerations_that_are_no_words_are_quoted() {
    let context = context();
    let text = "module {
  kinds.odd \"two words\"
  kinds.odd self \"3\"
  kinds.odd self \"\" attributes {x = 1 : i32}
}
";
    let module = parse_module(&context, text, "kinds.mlir").expect("it is right");
    assert_eq!(module.as_operation().to_string(), text);
    let second = parse_module(&context, "kinds.odd self \"\\22again\\22\"", "kinds.mlir").expect("it is right");
    assert!(second.as_operation().to_string().contains("kinds.odd self \"3\""));
    for text in ["kinds.odd two", "kinds.odd \"words\"", "kinds.odd self other"] {
        let (module, _) = capture(&context, || parse_module(&context, text, "kinds.mlir"));
        assert!(module.is_err(), "{text}");
    }
}

#[test]
fn enumerations_may_be_stored_as_strings() {
    let context = context();
    let text = "module {\n  kinds.pad \"valid-only\" {other = \"Same\"}\n}\n";
    let module = parse_module(&context, text, "kinds.mlir").expect("it is right");
    assert_eq!(module.as_operation().to_string(), text);
    let first = module.body().first_operation().and_then(PadOp::new).expect("it is one");
    assert_eq!((first.padding(), first.other()), (Ok(Padding::Valid), Some(Padding::Same)));
    let (module, _) = capture(&context, || parse_module(&context, "kinds.pad \"none\"", "kinds.mlir"));
    assert!(module.is_err_and(|failure| failure.to_string().contains("how borders are padded")));
}

#[test]
fn cases_of_enumerations_have_names() {
    assert_eq!((Odd::AB.text(), Odd::Self_.text(), Odd::AB_.text()), ("two words", "self", "3"));
    assert_eq!((Odd::Again, Odd::Last.value()), (Odd::AB_, 7));
    assert_eq!((Odd::from_text(""), Odd::from_value(2)), (Some(Odd::Last), Some(Odd::AB_)));
}

#[test]
fn sets_are_joined_and_written() {
    let fast_and_wide = Flags::FAST | Flags::WIDE;
    assert_eq!((fast_and_wide.text().as_str(), Flags::from_text("wide, fast")), ("fast,wide", Some(fast_and_wide)));
    assert_eq!((Flags::NONE.text().as_str(), Flags::ALL.text().as_str()), ("none", "all"));
    assert_eq!((Flags::from_text("none"), Flags::from_text("all")), (Some(Flags::NONE), Some(Flags::ALL)));
    for text in ["", "none,fast", "slow", "fast,", "fast|wide"] {
        assert_eq!(Flags::from_text(text), None, "{text}");
    }
    assert_eq!(
        (!fast_and_wide, Flags::ALL & fast_and_wide, Flags::ALL ^ Flags::DEEP),
        (Flags::DEEP, fast_and_wide, fast_and_wide)
    );
    assert!(fast_and_wide.contains(Flags::FAST) && !fast_and_wide.contains(Flags::ALL));
    assert!(fast_and_wide.intersects(Flags::ALL) && !fast_and_wide.intersects(Flags::DEEP));
    let mut set = Flags::default();
    set |= Flags::DEEP;
    set &= Flags::ALL;
    set ^= Flags::FAST;
    assert_eq!((set, Flags(8).text().as_str(), Flags::from_value(8)), (Flags::FAST | Flags::DEEP, "", None));
    assert_eq!((Bits::A | Bits::B).text(), "a|b");
}

#[test]
fn operations_have_them_as_rust_values() {
    let context = context();
    let text = "module {\n  %0 = kinds.make <1, 2> <green> flags <fast,deep> : !kinds.vec<4 x i32>\n}\n";
    let module = parse_module(&context, text, "kinds.mlir").expect("it is right");
    let first = module.body().first_operation().and_then(MakeOp::new).expect("it is one");
    let (fast_and_deep, pair) = (Flags::FAST | Flags::DEEP, PairAttr::get(&context, 1, 2).expect("it is right"));
    assert_eq!((first.pair(), first.color(), first.flags()), (Ok(pair), Ok(Color::Green), Some(fast_and_deep)));
    let builder = Builder::at_end(module.body(), Location::unknown(&context));
    let vector = VecType::get(&context, 2, types::integer(&context, 8)).expect("it is right");
    let built = MakeOpBuilder::new(&builder).pair(pair).color(Color::Red).flags(Flags::NONE).out_type(vector.into());
    let built = built.build().expect("nothing is wrong with it");
    assert_eq!(built.operation().to_string(), "%1 = kinds.make <1, 2> <red> flags <none> : !kinds.vec<2 x i8>");
    assert_eq!((built.color(), built.flags()), (Ok(Color::Red), Some(Flags::NONE)));
}

#[test]
fn views_make_and_read_them() {
    let context = context();
    let integer = types::integer(&context, 32);
    let vector = VecType::get(&context, 4, integer).expect("it is right");
    assert_eq!(vector.r#type().to_string(), "!kinds.vec<4 x i32>");
    assert_eq!((vector.count(), vector.element()), (Ok(4), Ok(integer)));
    assert_eq!(VecType::try_from(vector.r#type()), Ok(vector));
    assert!(VecType::try_from(integer).is_err() && EmptyType::new(vector.r#type()).is_none());
    let failure = VecType::get(&context, 0, integer).expect_err("the verifier refuses it");
    assert!(failure.to_string().contains("there must be at least one"), "{failure}");

    let record = RecordType::get(&context, "a", vec![integer], None, 42, Plain::Two, true, Flags::NONE);
    let record = record.expect("it is right");
    assert_eq!(record.fields(), Ok(vec![integer]));
    assert_eq!((record.name(), record.alignment(), record.plain()), (Ok("a"), Ok(None), Ok(Plain::Two)));
    let choice = ChoiceType::get(&context, Some(integer), vec![1, 2], 1.5).expect("it is right");
    assert_eq!((choice.first(), choice.sizes(), choice.ratio()), (Ok(Some(integer)), Ok(vec![1, 2]), Ok(1.5)));

    let color = ColorAttr::get(&context, Color::Green).expect("it is right");
    assert_eq!((color.attribute().to_string().as_str(), color.value()), ("#kinds.color<green>", Ok(Color::Green)));
    let pair = PairAttr::get(&context, 1, 2).expect("it is right");
    assert_eq!((pair.left(), pair.right()), (Ok(1), Ok(2)));
    let pairs = PairsAttr::get(&context, vec![pair.attribute(); 2]).expect("each is right");
    assert_eq!(pairs.attribute().to_string(), "#kinds.pairs<<1, 2>, <1, 2>>");
    assert!(PairsAttr::get(&context, vec![color.attribute()]).is_err());
    let typed = TypedAttr::get(&context, 3, Some(integer)).expect("it is right");
    assert_eq!(typed.type_(), Ok(Some(integer)));
}

#[test]
fn constraints_ask_for_the_class() {
    let context = context();
    let text = "%0 = \"kinds.make\"() {color = #kinds.color<red>, pair = #kinds.pair<1, 2>} : () -> i32";
    let (module, diagnostics) = capture(&context, || parse_module(&context, text, "kinds.mlir"));
    assert!(module.is_err(), "{diagnostics:?}");
}
