include "../ops.td"

class Twice<Op op> : Pat<(op (op $x)), (replaceWithValue $x)>;
def One : Twice<OneResultOp>;
multiclass Both<Op a, dag made> { def NAME#_of : Pat<(a $x), made>; }
// expected-warning@-1:39 {{pattern 'Two_of' matches the 't.two_result' that it makes, so that it applies without end}}
defm Two : Both<TwoResultOp, (TwoResultOp (OneResultOp $x))>;
foreach n = ["1", "2"] in
  def Color # n : Pat<(PaintOp $x, ConstantAttr<Color, n>), (OneResultOp $x)>;
