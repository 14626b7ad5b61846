include "../ops.td"

def P : Pat<(AOp $_, $attr), (COp $_, $attr)>;
// expected-error@-1:35 {{pattern 'P': '$_' is not bound}}
