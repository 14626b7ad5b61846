//===- SkriptND.td - All operations of the skriptnd dialect ----------------===//

#ifndef SKRIPTND_TD
#define SKRIPTND_TD

include "SkriptNDBase.td"
include "Graph.td"
include "Formula.td"

include "algo.td"
include "image.td"
include "layer.td"
include "layout.td"
include "linalg.td"
include "math.td"
include "misc.td"
include "nn.td"
include "quant.td"
include "rand.td"

#endif // SKRIPTND_TD
