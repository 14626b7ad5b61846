/* External functions for the rules of rules.htp. To build and try them:
 *
 *     cc -shared -fPIC -I ../../include rules.c -o librules.so
 *     skriptnd rules test rules.htp --functions librules.so
 */

#include "skriptnd_rules.h"
#include <string.h>

/* Whether a tensor lies in a page of so many bytes. */
int32_t skriptnd_constraint_fits_page(uint64_t count, const skriptnd_argument *arguments) {
  if (count != 2 || !arguments[0].tensor || arguments[1].tensor) return SKRIPTND_UNDEFINED;
  const skriptnd_tensor *tensor = arguments[0].tensor;
  double bytes = strcmp(tensor->dtype, "QUInt8") == 0 ? 1 : 4;
  for (uint64_t axis = 0; axis < tensor->rank; ++axis) bytes *= (double)tensor->extents[axis];
  return bytes <= arguments[1].number;
}

/* Where the rows of a table begin that belong to a slice of `count` entries each. */
int32_t skriptnd_shape_row_start(const skriptnd_split *split, uint64_t count, const skriptnd_argument *arguments,
                                 uint64_t extents[SKRIPTND_MOST_EXTENTS]) {
  if (!split || count != 1 || !arguments[0].tensor || arguments[0].tensor->rank != 2) return SKRIPTND_UNDEFINED;
  extents[0] = split->start / split->size;
  extents[1] = 0;
  return 2;
}

/* One row of the table. */
int32_t skriptnd_shape_row_size(const skriptnd_split *split, uint64_t count, const skriptnd_argument *arguments,
                                uint64_t extents[SKRIPTND_MOST_EXTENTS]) {
  if (!split || count != 1 || !arguments[0].tensor || arguments[0].tensor->rank != 2) return SKRIPTND_UNDEFINED;
  extents[0] = 1;
  extents[1] = arguments[0].tensor->extents[1];
  return 2;
}

/* x + x in place of what doubles x; elements of other types than floats may have no room for it. */
int64_t skriptnd_replace_doubled(const char *op, const skriptnd_tensor *output, uint64_t count,
                                 const skriptnd_argument *inputs, const skriptnd_builder *builder) {
  const int64_t twice[2] = {0, 0};
  (void)op;
  if (count != 1 || strcmp(inputs[0].tensor->dtype, "Float32") != 0) return SKRIPTND_UNDEFINED;
  return builder->node(builder->state, "Add", 2, twice, output);
}
