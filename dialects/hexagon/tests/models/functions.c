/* A model with one variable, the number of a function, that applies the function to each of its inputs' elements. */
#include "../../../../runtime/hexagon/hexagon.h"
#include "../../../../runtime/include/skriptnd.h"

enum { COUNT = 4096 };

float expf(float), logf(float), sqrtf(float), tanhf(float), erff(float), sinf(float), cosf(float), tanf(float);
float atanf(float), asinf(float), acosf(float), sinhf(float), coshf(float), asinhf(float), acoshf(float), atanhf(float);
float floorf(float), ceilf(float), roundf(float), powf(float, float), fmodf(float, float), log1pf(float), expm1f(float);

static float cube_root_power(float x) { return powf(x, 1.0f / 3); }
static float remainder_of_pi(float x) { return fmodf(x, 0x1.921fb6p1f); }
static volatile int64_t divisor = -7;
static volatile int32_t small_divisor = 13;
static float integer_quotient(float x) { return (float)((int64_t)(x * 65536) / divisor); }
static float integer_remainder(float x) { return (float)((int32_t)(x * 256) % small_divisor); }

static float (*const functions[])(float) = {
    expf,  logf,   sqrtf,  tanhf, erff,   sinf,  cosf,            tanf,            atanf,            asinf,           acosf, sinhf,
    coshf, asinhf, acoshf, atanhf, floorf, ceilf, roundf, cube_root_power, remainder_of_pi, integer_quotient, integer_remainder,
    log1pf, expm1f};

int32_t skriptnd_prepare(const void *const *variables, void *prepared, void *workspace) {
  (void)workspace;
  *(int64_t *)prepared = *(const int64_t *)variables[0];
  return *(int64_t *)prepared < (int64_t)(sizeof functions / sizeof *functions) ? 0 : 1;
}

int32_t skriptnd_run(const void *const *inputs, const void *const *variables, const void *prepared,
                     void *const *outputs, void *workspace, int64_t *fault) {
  (void)variables, (void)workspace, (void)fault;
  const float *x = inputs[0];
  float *y = outputs[0];
  for (int i = 0; i < COUNT; i++)
    y[i] = functions[*(const int64_t *)prepared](x[i]);
  return 0;
}
