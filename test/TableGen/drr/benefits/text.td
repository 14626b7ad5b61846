include "../ops.td"

def P : Pat<(AOp $x, $attr), (COp $x, $attr), [], [], (addBenefit "10")>;
// expected-error@-1:55 {{pattern 'P': the benefit must be (addBenefit N)}}
