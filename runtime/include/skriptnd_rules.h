/* External functions of HTP rules in a shared library.
 *
 * A rule that says SHAPEFN_APPLY(f, ...), AUTOSPLIT_SHAPEFN_APPLY(f, "I", ...), EXTERNAL_CONSTRAINT(f, "x", ...) or
 * EXTERNAL_REPLACE(f) asks the libraries that are given by --functions for the symbol skriptnd_shape_f,
 * skriptnd_constraint_f or skriptnd_replace_f. What is given to a function is valid during the call. A function must give
 * the same answer for the same arguments, and may be called from any thread. */

#ifndef SKRIPTND_RULES_H
#define SKRIPTND_RULES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A shape has at most so many extents. */
#define SKRIPTND_MOST_EXTENTS 8

/* The answer where a function has none: the rule does not apply. */
#define SKRIPTND_UNDEFINED (-1)

/* The output of a node. */
typedef struct {
  const char *dtype;       /* "QUInt8", "Float32", ... */
  int32_t zero_offset;     /* of quantized types; INT32_MIN where channels have several */
  float step_size;         /* of quantized types; NaN where each channel has its own */
  uint64_t rank;
  const uint64_t *extents;
  uint64_t element_count;  /* of a constant, else 0 */
  const double *elements;
} skriptnd_tensor;

/* An argument as the rule gives it. */
typedef struct {
  const skriptnd_tensor *tensor; /* of a node; NULL for a scalar */
  double number;                 /* a scalar; of bool 0 or 1 */
} skriptnd_argument;

/* The slice of an AUTOSPLIT, or the step of an OP_ITER. */
typedef struct {
  uint64_t dimension;
  uint64_t start;
  uint64_t size;
} skriptnd_split;

/* skriptnd_shape_NAME: writes extents and returns how many; `split` is NULL outside of splits. */
typedef int32_t skriptnd_shape_function(const skriptnd_split *split, uint64_t count,
                                        const skriptnd_argument *arguments,
                                        uint64_t extents[SKRIPTND_MOST_EXTENTS]);

/* skriptnd_constraint_NAME: 1 where it holds, 0 where not; the first argument is the operand. */
typedef int32_t skriptnd_constraint_function(uint64_t count, const skriptnd_argument *arguments);

/* Makes nodes for EXTERNAL_REPLACE. A source is 0 to count - 1 for what the replaced node takes, or what `node` gave. */
typedef struct {
  void *state;
  /* Makes a node of an op, whose name without package is one of the rule's package, and gives its source, or
   * SKRIPTND_UNDEFINED where there is no such node. The op "$Const" has the elements of `output`. */
  int64_t (*node)(void *state, const char *op, uint64_t count, const int64_t *inputs, const skriptnd_tensor *output);
} skriptnd_builder;

/* skriptnd_replace_NAME: the source that takes the place of a node, of which op, output and inputs are given. The op
 * has its package, as in "q::Relu"; what the framework itself has begins with "$". */
typedef int64_t skriptnd_replace_function(const char *op, const skriptnd_tensor *output, uint64_t count,
                                          const skriptnd_argument *inputs, const skriptnd_builder *builder);

#ifdef __cplusplus
}
#endif

#endif
