//! Default values, adaptors, inferred types, groups of groups, builders.

use skriptnd_generated::parts::{
    self, Level,
    definitions::{AssemblyHooks, ConstraintHooks},
    operations::{
        AdaptedOp, AdaptedOpAdaptor, AdaptedOpHooks, BuiltOp, BuiltOpHooks, DefaultsOp, DefaultsOpBuilder,
        DerivedOpBuilder, GroupsOp, GroupsOpBuilder, MatchOpBuilder, PlainOp, PropertiesOp, PropertiesOpBuilder,
        SameOpBuilder,
    },
};
use skriptnd_ods::{
    Adapted, Build,
    mlir::{
        Failure, Registry,
        dialect::{Fold, FoldResult, InferenceInput, Parser, Printer},
        ir::{
            self, Attribute, BlockRef, Builder, Context, Location, Module, OperationRef, Type, Value, attributes, types,
        },
    },
};

struct Hooks;

impl AdaptedOpHooks for Hooks {
    fn fold<'c, 'a>(
        op: AdaptedOp<'c, 'a>,
        constants: &AdaptedOpAdaptor<'c, 'a, Option<Attribute<'c>>>,
    ) -> Fold<'c, 'a> {
        let chosen = op.which().ok().and_then(|which| constants.rest().get(usize::try_from(which).ok()?).copied());
        chosen.flatten().map_or(Fold::Unchanged, |constant| Fold::Results(vec![FoldResult::Constant(constant)]))
    }

    fn infer_return_types<'c, 'a>(
        op: &AdaptedOpAdaptor<'c, 'a>,
        _: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        let which = usize::try_from(op.which()?).map_err(|_| "has a negative number")?;
        Ok(vec![op.rest().get(which).ok_or("has too few operands")?.r#type()])
    }
}

impl BuiltOpHooks for Hooks {
    fn build_with_x_scale<'c: 'a, 'a>(
        builder: &Builder<'c, 'a>,
        x: Value<'c, 'a>,
        scale: Option<f64>,
    ) -> Result<BuiltOp<'c, 'a>, Failure> {
        let mut build = Build::new(BuiltOp::SIGNATURE, builder);
        build.operands(0, [x]);
        build.attribute(
            "scale",
            attributes::typed_real(builder.context(), f32(builder.context()), scale.unwrap_or(0.5)),
        );
        BuiltOp::new(build.build()?).ok_or_else(|| Failure::new("is another operation"))
    }

    type BuildWithBodyBody = ();

    fn build_with_body<'c: 'a, 'a>(_: &Builder<'c, 'a>, (): ()) -> Result<BuiltOp<'c, 'a>, Failure> {
        Err(Failure::new("needs more"))
    }
}

/// A span is stored as an array of two numbers and written as `from-to`.
impl AssemblyHooks for Hooks {
    fn parse_parts_span<'c>(parser: &mut Parser<'c, '_>) -> Result<Option<Attribute<'c>>, Failure> {
        let Some(from) = parser.parse_optional_integer()? else { return Ok(None) };
        parser.parse_keyword("to")?;
        let to = parser.parse_integer()?;
        Ok(Some(attributes::integers(parser.context(), &[from, to])))
    }

    fn print_parts_span(value: Attribute<'_>, printer: &mut Printer<'_>) {
        if let Some([from, to]) = attributes::as_integers(value).as_deref() {
            printer.text(&format!("{from} to {to}"));
        }
    }
}

impl ConstraintHooks for Hooks {
    fn is_parts_span(this: Attribute<'_>) -> bool {
        attributes::as_integers(this).is_some_and(|ends| ends.len() == 2)
    }

    fn is_a_block_with_an_argument(this: BlockRef<'_, '_>) -> bool {
        this.argument(0).is_some() && this.argument(1).is_none()
    }
}

fn f32(context: &Context) -> Type<'_> {
    types::parse(context, "f32").unwrap()
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add_dialect(parts::dialect(Hooks)).unwrap();
    registry.context()
}

fn parse<'c>(context: &'c Context, text: &str) -> Result<Module<'c>, String> {
    ir::parse_module(context, text, "test.mlir").map_err(|error| error.to_string())
}

fn operation<'c: 'a, 'a>(module: &'a Module<'c>, index: usize) -> OperationRef<'c, 'a> {
    let block = module.as_operation().region(0).unwrap().first_block().unwrap();
    ir::block_operations(block).nth(index).unwrap()
}

#[test]
fn getters_know_default_values() {
    let context = context();
    let module = parse(&context, "parts.defaults").unwrap();
    let op = DefaultsOp::new(operation(&module, 0)).unwrap();
    assert_eq!((op.count().unwrap(), op.layout().unwrap(), op.steps().unwrap()), (7, "NCX", vec![1, 2]));
    assert_eq!((op.level().unwrap(), op.scale().unwrap(), op.confined().unwrap()), (Level::High, 0.5, 4));
    assert_eq!((op.extra(), op.fast(), op.count_attribute()), (None, false, None));
}

#[test]
fn what_is_equal_to_a_default_is_not_printed() {
    let context = context();
    let text = "\"parts.defaults\"() {count = 7, layout = \"NCX\", steps = array<i64: 1, 2>, level = 5 : i32, scale = 0.5 : f32} : () -> ()";
    let shown = parse(&context, text).unwrap().as_operation().to_string();
    assert!(shown.contains("parts.defaults\n"), "{shown}");
    let text = "\"parts.defaults\"() {count = 8, layout = \"NXC\", confined = 5 : i32, fast} : () -> ()";
    let shown = parse(&context, text).unwrap().as_operation().to_string();
    assert!(shown.contains("parts.defaults count 8 fast {confined = 5 : i32, layout = \"NXC\"}"), "{shown}");
    let again = parse(&context, &shown).unwrap().as_operation().to_string();
    assert_eq!(shown, again);
    let broken = parse(&context, "parts.defaults {confined = 0 : i32}").err().unwrap();
    assert!(broken.contains("attribute 'confined' failed to satisfy constraint"), "{broken}");
}

#[test]
fn builders_infer_types_and_leave_defaults_out() {
    let context = context();
    let module = parse(&context, "%0 = \"builtin.unrealized_conversion_cast\"() : () -> tensor<2xi32>").unwrap();
    let first = operation(&module, 0);
    let (x, block) = (first.result(0).unwrap(), first.block().unwrap());
    let builder = Builder::at_end(block, Location::unknown(&context));
    let tensor = x.r#type();
    assert_eq!(SameOpBuilder::new(&builder).x(x).y(x).build().unwrap().z().unwrap().r#type(), tensor);
    let matched = MatchOpBuilder::new(&builder).x(x).rest([x]).build().unwrap();
    let shown = [matched.y(), matched.z(), matched.truth()].map(|value| value.unwrap().r#type().to_string());
    assert_eq!(shown, ["tensor<2xi32>", "i32", "i1"]);
    let derived = DerivedOpBuilder::new(&builder).to(f32(&context)).x(x).build().unwrap();
    assert_eq!(derived.y().unwrap().r#type(), f32(&context));
    let defaults = DefaultsOpBuilder::new(&builder).level(Level::Low).build().unwrap();
    assert_eq!((defaults.level().unwrap(), defaults.count().unwrap()), (Level::Low, 7));
    let built = <Hooks as BuiltOpHooks>::build_with_x_scale(&builder, x, None).unwrap();
    assert_eq!(built.scale().unwrap(), 0.5);
    ir::verify(module.as_operation()).unwrap();
}

#[test]
fn text_infers_what_builders_infer() {
    let context = context();
    let text = |results: &str| {
        format!(
            "%0 = \"builtin.unrealized_conversion_cast\"() : () -> tensor<2xi32>
             %1:3 = \"parts.match\"(%0) : (tensor<2xi32>) -> ({results})"
        )
    };
    let module = parse(&context, &text("tensor<2xi32>, i32, i1")).unwrap();
    let shown = module.as_operation().to_string();
    assert!(shown.contains("parts.match %0,  : tensor<2xi32>"), "{shown}");
    assert!(parse(&context, &text("tensor<2xi32>, f32, i1")).is_err());
}

#[test]
fn adaptors_show_what_is_no_operation() {
    let context = context();
    let module = parse(
        &context,
        "%0 = \"builtin.unrealized_conversion_cast\"() : () -> i32
         %1 = \"parts.adapted\"(%0, %0) : (i32, i32) -> i32",
    )
    .unwrap();
    let op = operation(&module, 1);
    let adaptor = AdaptedOpAdaptor::<Value>::new(op);
    assert_eq!((adaptor.x().unwrap(), adaptor.rest().len(), adaptor.which().unwrap()), (op.operand(0).unwrap(), 1, 0));
    let known = AdaptedOpAdaptor::new(Adapted::with_operands(op, vec!["a", "b"]));
    assert_eq!((known.x().unwrap(), known.rest()), ("a", vec!["b"]));
    let empty = AdaptedOpAdaptor::<Value>::new(Adapted {
        context: &context,
        operands: Vec::new(),
        attributes: vec![("which", attributes::parse(&context, "3").unwrap())],
        regions: Vec::new(),
    });
    assert!(empty.x().is_err() && empty.rest().is_empty());
    assert_eq!(empty.which().unwrap(), 3);
    let wrong = "%0 = \"builtin.unrealized_conversion_cast\"() : () -> i32
         %1 = \"parts.adapted\"(%0, %0) : (i32, i32) -> i64";
    assert!(parse(&context, wrong).is_err());
}

#[test]
fn groups_of_groups_go_round() {
    let context = context();
    let text = "%0 = \"builtin.unrealized_conversion_cast\"() : () -> i32
      parts.groups %0 : i32, (%0, %0), (), (%0) : (i32, i32), (), (i32)";
    let module = parse(&context, text).unwrap();
    let shown = module.as_operation().to_string();
    assert!(shown.contains("parts.groups %0 : i32, (%0, %0), (), (%0) : (i32, i32), (), (i32)\n"), "{shown}");
    let op = GroupsOp::new(operation(&module, 1)).unwrap();
    assert_eq!(op.groups().iter().map(Vec::len).collect::<Vec<_>>(), [2, 0, 1]);
    let x = op.first().unwrap();
    let builder = Builder::at_end(op.operation().block().unwrap(), Location::unknown(&context));
    let built = GroupsOpBuilder::new(&builder).first(x).groups([vec![x], vec![x, x]]).build().unwrap();
    assert_eq!(built.groups(), [vec![x], vec![x, x]]);
    ir::verify(module.as_operation()).unwrap();
    let wrong = "%0 = \"builtin.unrealized_conversion_cast\"() : () -> i32
      \"parts.groups\"(%0, %0) {sizes = array<i32: 2>} : (i32, i32) -> ()";
    let error = parse(&context, wrong).err().unwrap();
    assert!(
        error.contains("groups count (1) does not match with the total size (2) specified in attribute 'sizes'"),
        "{error}"
    );
}

/// An attribute of that name says nothing of an operation without the trait.
#[test]
fn segments_are_read_where_they_are_declared() {
    let context = context();
    let text = "%0 = \"builtin.unrealized_conversion_cast\"() : () -> i32
      %1 = \"parts.adapted\"(%0, %0, %0) {operandSegmentSizes = array<i32: 2, 1>} : (i32, i32, i32) -> i32";
    let module = parse(&context, text).unwrap();
    let op = AdaptedOp::new(operation(&module, 1)).unwrap();
    assert!(op.x().is_ok());
    assert_eq!(op.rest().len(), 2);
}

#[test]
fn all_of_variadic_regions_and_successors_go_round() {
    let context = context();
    for text in [
        "parts.regions {\n}",
        "parts.regions {\n} then {\n}",
        "parts.regions {\n} then {\n}, {\n}, {\n}",
        "\"parts.regions\"() ({\n  parts.jump ^bb1 or ^bb1, ^bb2\n^bb1:\n  parts.jump ^bb2 or ^bb1\n^bb2:\n  parts.jump ^bb1 or ^bb2\n}) : () -> ()",
    ] {
        let shown = parse(&context, text).unwrap().as_operation().to_string();
        let again = parse(&context, &shown).unwrap().as_operation().to_string();
        assert_eq!(shown, again);
        assert_eq!(shown.matches("{\n").count(), text.matches("{\n").count() + 1, "{shown}");
        assert_eq!(shown.contains("or ^bb1, ^bb2"), text.contains("or ^bb1, ^bb2"), "{shown}");
    }
}

#[test]
fn properties_are_attributes_in_their_own_syntax() {
    let context = context();
    let text = "parts.properties 4 [\"a\", \"b\"] or none [5, 6] level<low> span 1 to 2";
    let module = parse(&context, text).unwrap();
    let shown = module.as_operation().to_string();
    assert!(shown.contains(text), "{shown}");
    let op = PropertiesOp::new(operation(&module, 0)).unwrap();
    assert_eq!((op.count().unwrap(), op.words().unwrap(), op.maybe(), op.bracketed()), (4, vec!["a", "b"], None, None));
    assert_eq!((op.numbers().unwrap(), op.level().unwrap(), op.high().unwrap()), (vec![5, 6], Level::Low, Level::High));
    let text = "parts.properties 4 [] 7 or some<\"x\"> [] level<high> high low span 1 to 2 fast";
    let module = parse(&context, text).unwrap();
    let shown = module.as_operation().to_string();
    assert!(shown.contains(text), "{shown}");
    let op = PropertiesOp::new(operation(&module, 0)).unwrap();
    assert_eq!((op.maybe(), op.bracketed(), op.high().unwrap(), op.fast()), (Some(7), Some("x"), Level::Low, true));
    assert_eq!(op.maybe_attribute().unwrap().to_string(), "[7]");
    let builder = Builder::at_end(op.operation().block().unwrap(), Location::unknown(&context));
    let span = attributes::integers(&context, &[3, 4]);
    let built = PropertiesOpBuilder::new(&builder).count(9).words(&["w"]).numbers(&[4]).level(Level::Low).span(span);
    let built = built.maybe(8).build().unwrap();
    assert_eq!((built.maybe(), built.words().unwrap()), (Some(8), vec!["w"]));
    ir::verify(module.as_operation()).unwrap();
}

#[test]
fn values_of_properties_are_verified() {
    let context = context();
    let error = |count: &str, maybe: &str, numbers: &str, level: &str, span: &str| {
        let text = format!(
            "\"parts.properties\"() <{{count = {count}, words = [], maybe = {maybe}, numbers = {numbers}, level = {level}, span = {span}}}> : () -> ()"
        );
        parse(&context, &text).err().unwrap_or_default()
    };
    let good = ("4 : i64", "[4 : i64]", "[4 : i64]", "3 : i32", "array<i64: 1, 2>");
    assert_eq!(error(good.0, good.1, good.2, good.3, good.4), "");
    let cases = [
        (
            error("3 : i64", good.1, good.2, good.3, good.4),
            "property 'count' failed to satisfy constraint: above three",
        ),
        (error("\"x\"", good.1, good.2, good.3, good.4), "'count' failed to satisfy constraint: above three"),
        (error(good.0, "[3 : i64]", good.2, good.3, good.4), "'maybe' failed to satisfy constraint: optional int64_t"),
        (error(good.0, "[4, 4]", good.2, good.3, good.4), "'maybe' failed"),
        (error(good.0, good.1, "[4 : i64, 3 : i64]", good.3, good.4), "'numbers' failed"),
        (error(good.0, good.1, "4 : i64", good.3, good.4), "'numbers' failed"),
        (error(good.0, good.1, good.2, "4 : i32", good.4), "'level' failed to satisfy constraint: how much"),
        (error(good.0, good.1, good.2, good.3, "array<i64: 1>"), "'span' failed to satisfy constraint: a span"),
    ];
    for (said, expected) in cases {
        assert!(said.contains(expected), "{said}");
    }
    let error = parse(&context, "parts.properties 4 [] or 5 [] level<low> span 1 to 2").err().unwrap();
    assert!(error.contains("expected 'none' or 'some<prop>'"), "{error}");
}

#[test]
fn lists_that_may_be_missing_go_round() {
    let context = context();
    let text = "module {
  parts.lists
  parts.lists [1, -2] flags [true, false] : [1.000000e+00, 2.500000e+00]
  parts.lists [] : []
}
";
    let module = parse(&context, text).unwrap();
    assert_eq!(module.as_operation().to_string(), text);
    for text in ["parts.lists [1.5]", "parts.lists [1 2]", "parts.lists [\"x\"]"] {
        assert!(parse(&context, text).is_err(), "{text}");
    }
}

#[test]
fn what_stands_outside_of_groups_may_be_missing() {
    let context = context();
    let text = "module {
  parts.plain unit_absent : : 7
  parts.plain unit unit : 3 : 8
}
";
    let module = parse(&context, text).unwrap();
    assert_eq!(module.as_operation().to_string(), text);
    let op = |index| PlainOp::new(operation(&module, index)).unwrap();
    assert_eq!((op(0).flag(), op(0).unit(), op(0).extra()), (false, false, None));
    assert_eq!((op(1).flag(), op(1).unit(), op(1).extra()), (true, true, Some(3)));
    // As upstream writes all properties.
    let generic = parse(&context, "\"parts.plain\"() <{flag = false, n = 7 : i64}> : () -> ()").unwrap();
    assert!(!PlainOp::new(operation(&generic, 0)).unwrap().flag());
    let absent = parse(&context, "\"parts.plain\"() : () -> ()").unwrap();
    assert!(absent.as_operation().to_string().contains("parts.plain unit_absent : : 7"));
    assert!(parse(&context, "\"parts.plain\"() <{flag = 1 : i64}> : () -> ()").is_err());
}

#[test]
fn constraints_on_parts_may_ask_for_the_operation() {
    let context = context();
    let error = |values: &str, types: &str, bound: &str, next: &str| {
        let text = format!(
            "\"parts.regions\"() ({{
               %0 = \"builtin.unrealized_conversion_cast\"() : () -> f32
               \"parts.asking\"({values}) {next} {bound} : ({types}) -> ()
             ^bb1(%x: f32):
               \"parts.jump\"()[^bb1] : () -> ()
             ^bb2:
               \"parts.jump\"()[^bb2] : () -> ()
             }}) : () -> ()"
        );
        parse(&context, &text).err().unwrap_or_default()
    };
    let cases = [
        (error("%0, %0", "f32, f32", "{bound}", ""), ""),
        (error("%0", "f32", "", ""), "failed to verify that operand 'x' is variadic of one of two floats"),
        (error("", "", "{bound}", ""), "failed to verify that attribute 'bound' is bound to two"),
        (error("", "", "", "[^bb2]"), "failed to verify that successor 'next' is"),
    ];
    for (said, expected) in cases {
        assert!(said.contains(expected) && said.is_empty() == expected.is_empty(), "{said}");
    }
}
