// What no C++ compiler takes as an expression is refused, with a name and without one.

include "../ops.td"

def Broken : Constraint<CPred<"$0 == ">, "is nothing">;
// expected-error@-1:25 {{the predicate '$0 == ' is no expression: nothing stands behind '=='}}

def : Pat<(AOp $x, $a), (COp $x, $a), [(Broken $x)]>;
def : Pat<(AOp $x, AttrConstraint<CPred<"$_self && || 3">, "is nothing">:$a), (COp $x, $a)>;
// expected-error@-1:35 {{the predicate '$_self && || 3' is no expression: nothing stands before '||'}}
def : Pat<(AOp Type<CPred<"$_self is good">, "is good">:$x, $a), (COp $x, $a)>;
// expected-error@-1:21 {{the predicate '$_self is good' is no expression: no operator stands before 'is'}}
def : Pat<(AOp $x, $a), (COp $x, $a), [(Constraint<CPred<"rank of($0)">, "is nothing"> $x)]>;
// expected-error@-1:52 {{the predicate 'rank of($0)' is no expression: no operator stands before 'of'}}

// UPSTREAM: takes, what C++ is wrong it leaves to the compiler
