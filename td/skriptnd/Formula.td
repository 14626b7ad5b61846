//===- Formula.td - Operations that carry formulas -------------------------===//
//
// What an operator becomes when its formula is taken from its definition.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_FORMULA_TD
#define SKRIPTND_FORMULA_TD

include "SkriptNDBase.td"

#endif // SKRIPTND_FORMULA_TD
