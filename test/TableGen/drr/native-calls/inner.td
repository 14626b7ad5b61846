// What a call within another one returns is known by its use elsewhere, by its name or by the name that it is bound to.

include "../ops.td"

def Fold : NativeCodeCall<"fold($0)">;
def P : Pat<(AOp $x, $attr), (COp $x, (NativeCodeCall<"pack($0, $1)"> (Fold $x), (NativeCodeCall<"getKindAttr($0)"> $x)))>;
def Q : Pat<(TwoAttrOp $a, $b), (OneAttrOp (Fold $a))>;
// CHECK: fn fold<'c, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Attribute<'c>, Failure>;
// CHECK: fn fold_of_attribute<'c, 'a>(&self, editor: &Editor<'c, 'a>, attribute: Attribute<'c>) -> Result<Attribute<'c>, Failure>;
// CHECK: fn get_kind_attr<'c, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Attribute<'c>, Failure>;
def R : Pat<(PaintOp $x, Red), (COp $x, (NativeCodeCall<"pack($0)"> (NativeCodeCall<"getElementType($0)"> $x)))>;
// CHECK: fn get_element_type<'c, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Type<'c>, Failure>;

// A name stands for what it is used for.
def Named : Pattern<(DOp $x, $y), [(NativeCodeCall<"count($0)">:$n $x), (COp $y, $n)]>;
// CHECK: fn count<'c, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Attribute<'c>, Failure>;

// Otherwise it is said what it is taken for.
def S : Pat<(PaintOp $x, Blue), (COp $x, (NativeCodeCall<"pack($0)"> (NativeCodeCall<"about($0)"> $x)))>;
// expected-warning@-1:70 {{pattern 'S': what 'about($0)' returns is not known here; it is taken for a value}}
