/* External functions of HTP rules in a shared library.
 *
 * A rule that says SHAPEFN_APPLY(f, ...), AUTOSPLIT_SHAPEFN_APPLY(f, "I", ...) or EXTERNAL_CONSTRAINT(f, "x", ...) asks the
 * libraries that are given by --functions for the symbol skriptnd_shape_f or skriptnd_constraint_f. What is given to a
 * function is valid during the call. A function must give the same answer for the same arguments, and may be called from
 * any thread. EXTERNAL_REPLACE takes functions that are bound in Rust. */

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
  int32_t zero_offset;     /* of quantized types */
  float step_size;         /* of quantized types */
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

#ifdef __cplusplus
}
#endif

#endif
