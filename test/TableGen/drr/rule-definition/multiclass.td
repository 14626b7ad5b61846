// Rules of one text are compared as well.

include "../ops.td"

multiclass Both<Op from, Op to> {
  def Plain : Pat<(from $x, $a), (to $x, $a)>;
  // expected-warning@-1:7 {{pattern 'BPlain' never applies: 'APlain' matches whatever it matches and goes first}}
}
defm A : Both<AOp, COp>;
defm B : Both<AOp, AOp>;
// expected-warning@-5:34 {{pattern 'BPlain' matches the 't.a' that it makes, so that it applies without end}}
