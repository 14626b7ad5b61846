/*
 * A model with one variable, the number of a function, that applies the function to the elements of its two inputs, which
 * are float, or double words where the function is of integers.
 */
#include "../../../../runtime/bare/bare.h"
#include "../../../../runtime/include/skriptnd.h"

enum { COUNT = 65536 };

#define UNARY(name)                                                                                                    \
  float name(float);                                                                                                   \
  static void all_##name(const float *x, const float *y, float *z) {                                                   \
    (void)y;                                                                                                           \
    for (int i = 0; i < COUNT; i++)                                                                                    \
      z[i] = name(x[i]);                                                                                               \
  }
#define BINARY(name)                                                                                                   \
  float name(float, float);                                                                                            \
  static void all_##name(const float *x, const float *y, float *z) {                                                   \
    for (int i = 0; i < COUNT; i++)                                                                                    \
      z[i] = name(x[i], y[i]);                                                                                         \
  }
/* Volatile: neither the compiler's knowledge of operands nor vectors. */
#define INTEGER(name, type, op)                                                                                        \
  static void all_##name(const int64_t *x, const int64_t *y, int64_t *z) {                                             \
    for (int i = 0; i < COUNT; i++) {                                                                                  \
      volatile type a = (type)x[i], b = (type)y[i];                                                                    \
      z[i] = (int64_t)(a op b);                                                                                        \
    }                                                                                                                  \
  }

UNARY(expf) UNARY(exp2f) UNARY(exp10f) UNARY(logf) UNARY(log2f) UNARY(log10f) UNARY(sqrtf)
UNARY(sinf) UNARY(cosf) UNARY(tanf) UNARY(asinf) UNARY(acosf) UNARY(atanf)
UNARY(sinhf) UNARY(coshf) UNARY(tanhf) UNARY(asinhf) UNARY(acoshf) UNARY(atanhf) UNARY(erff)
UNARY(floorf) UNARY(ceilf) UNARY(truncf) UNARY(roundf) UNARY(roundevenf)
/* The bits of the nearest number of 16 bits, as a number. */
uint32_t __truncsfhf2(float);
static void all_narrow(const float *x, const float *y, float *z) {
  (void)y;
  for (int i = 0; i < COUNT; i++)
    z[i] = (float)(int)__truncsfhf2(x[i]);
}
BINARY(powf) BINARY(fmodf) BINARY(fmaxf) BINARY(fminf)
static void all_quotient(const float *x, const float *y, float *z) {
  for (int i = 0; i < COUNT; i++)
    z[i] = x[i] / y[i];
}
INTEGER(divide, int64_t, /) INTEGER(remainder, int64_t, %)
INTEGER(divide_unsigned, uint64_t, /) INTEGER(remainder_unsigned, uint64_t, %)
INTEGER(divide_word, int32_t, /) INTEGER(remainder_word, int32_t, %)
INTEGER(divide_unsigned_word, uint32_t, /) INTEGER(remainder_unsigned_word, uint32_t, %)

/* What LLVM calls for doubles on some processors; they are given and taken as their bits. */
#define DOUBLE(name, function)                                                                                         \
  double function(double, double);                                                                                     \
  static void all_##name(const double *x, const double *y, double *z) {                                                \
    for (int i = 0; i < COUNT; i++)                                                                                    \
      z[i] = function(x[i], y[i]);                                                                                     \
  }
DOUBLE(sum_of_doubles, __hexagon_adddf3) DOUBLE(difference_of_doubles, __hexagon_subdf3)
DOUBLE(product_of_doubles, __hexagon_muldf3) DOUBLE(quotient_of_doubles, __hexagon_divdf3)

static void *const functions[] = {
    all_expf, all_exp2f, all_exp10f, all_logf, all_log2f, all_log10f, all_sqrtf,
    all_sinf, all_cosf, all_tanf, all_asinf, all_acosf, all_atanf,
    all_sinhf, all_coshf, all_tanhf, all_asinhf, all_acoshf, all_atanhf, all_erff,
    all_floorf, all_ceilf, all_truncf, all_roundf, all_roundevenf, all_narrow,
    all_powf, all_fmodf, all_fmaxf, all_fminf, all_quotient,
    all_divide, all_remainder, all_divide_unsigned, all_remainder_unsigned,
    all_divide_word, all_remainder_word, all_divide_unsigned_word, all_remainder_unsigned_word,
    all_sum_of_doubles, all_difference_of_doubles, all_product_of_doubles, all_quotient_of_doubles};

int32_t skriptnd_prepare(const void *const *variables, void *prepared, void *workspace) {
  (void)workspace;
  *(int64_t *)prepared = *(const int64_t *)variables[0];
  return *(int64_t *)prepared < (int64_t)(sizeof functions / sizeof *functions) ? 0 : 1;
}

const int32_t skriptnd_shape_words = 1;

int32_t skriptnd_shapes(const int64_t *extents, int64_t *shapes) {
  (void)extents;
  shapes[0] = 0;
  return 0;
}

int32_t skriptnd_run(const void *const *inputs, const void *const *variables, const void *prepared,
                     void *const *outputs, const int64_t *extents, int64_t *shapes, void *workspace, int64_t *fault,
                     const skriptnd_pool *pool) {
  (void)variables, (void)extents, (void)shapes, (void)workspace, (void)fault, (void)pool;
  void (*function)(const void *, const void *, void *) = functions[*(const int64_t *)prepared];
  function(inputs[0], inputs[1], outputs[0]);
  return 0;
}
