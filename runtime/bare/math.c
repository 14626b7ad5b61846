/*
 * The functions of math.h that formulas call, and those that LLVM makes of them, in single precision. Transcendental
 * ones compute in double precision, whose sums and products are instructions, on polynomials and tables of
 * coefficients.h: so one rounding at the end is nearly all of their error. Division and root have no instruction of
 * that width and start from single precision.
 */
#include "coefficients.h"
#include "bare.h"

static const float infinity = __builtin_inff();
static const double ln_2 = 0x1.62e42fefa39efp-1, log2_e = 0x1.71547652b82fep0, log2_10 = 0x1.a934f0979a371p1;
static const double half_pi = 0x1.921fb54442d18p0;
static float not_a_number(void) { return float_of(0x7fc00000); }

#ifndef __hexagon__
/* An instruction; arithmetic.c has what Hexagon does. */
float sqrtf(float x) { return __builtin_elementwise_sqrt(x); }
#endif

/* A number of 16 bits: its exponent gets the bias of 32 bits, unless it is the least one, in units of 2^-24, or the largest one.
 * AArch64 has an instruction. */
#ifndef __aarch64__
static inline float widened(uint32_t half) {
  uint32_t sign = (half & 0x8000) << 16, rest = half & 0x7fff;
  if (rest < 0x0400)
    return float_of(sign | bits_of((float)(int)rest * 0x1p-24f));
  return float_of(sign | ((rest << 13) + (rest < 0x7c00 ? 112u << 23 : 224u << 23)));
}
/* The nearest number of 16 bits, of two the even one: below the least normal one a multiple of 2^-24, which is the unit of 0.5. */
static inline uint32_t narrowed(float x) {
  uint32_t sign = bits_of(x) >> 16 & 0x8000, rest = bits_of(x) & 0x7fffffff;
  if (rest > 0x7f800000)
    return sign | 0x7e00 | (rest >> 13 & 0x03ff);
  if (rest >= 0x477ff000)
    return sign | 0x7c00;
  if (rest < 0x38800000)
    return sign | (bits_of(float_of(rest) + 0.5f) - 0x3f000000);
  return sign | ((rest - (112u << 23) + 0x0fff + (rest >> 13 & 1)) >> 13);
}
#ifdef __riscv
/* Passed in a register of floating-point numbers. */
float __extendhfsf2(_Float16 half) {
  uint16_t bits;
  __builtin_memcpy(&bits, &half, sizeof bits);
  return widened(bits);
}
_Float16 __truncsfhf2(float x) {
  uint16_t bits = (uint16_t)narrowed(x);
  _Float16 half;
  __builtin_memcpy(&half, &bits, sizeof half);
  return half;
}
/* The nearest number of the upper half, of two the even one. LLVM moves such numbers as those of 32 bits. */
__bf16 __truncsfbf2(float x) {
  uint32_t bits = bits_of(x);
  int is_number = (bits & 0x7fffffff) <= 0x7f800000;
  uint16_t upper = is_number ? (bits + 0x7fff + (bits >> 16 & 1)) >> 16 : bits >> 16 | 0x40;
  __bf16 rounded;
  __builtin_memcpy(&rounded, &upper, sizeof rounded);
  return rounded;
}
#else
float __extendhfsf2(uint32_t half) { return widened(half); }
uint32_t __truncsfhf2(float x) { return narrowed(x); }
#endif
#endif

float fabsf(float x) { return float_of(bits_of(x) & 0x7fffffff); }

float fmaxf(float a, float b) { return a != a || a < b ? b : a; }
float fminf(float a, float b) { return a != a || b < a ? b : a; }

float truncf(float x) { return fabsf(x) < 0x1p23f ? __builtin_copysignf((float)(int)x, x) : x; }

float floorf(float x) {
  float whole = truncf(x);
  return whole > x ? whole - 1 : whole;
}

float ceilf(float x) {
  float whole = truncf(x);
  return whole < x ? __builtin_copysignf(whole + 1, x) : whole;
}

/* Half away from zero, as SkriptND has it. */
float roundf(float x) {
  float whole = truncf(x);
  return fabsf(x - whole) >= 0.5f ? whole + __builtin_copysignf(1, x) : whole;
}

/* Half to even: the sum has no bits behind the point. */
float roundevenf(float x) {
  float a = fabsf(x);
  return a < 0x1p23f ? __builtin_copysignf((a + 0x1p23f) - 0x1p23f, x) : x;
}

float rintf(float x) { return roundevenf(x); }
float nearbyintf(float x) { return roundevenf(x); }

static double evaluate(const double *coefficients, int count, double x) {
  double sum = coefficients[count - 1];
  for (int i = count - 2; i >= 0; i--)
    sum = sum * x + coefficients[i];
  return sum;
}

#define POLYNOMIAL(coefficients, x) evaluate(coefficients, sizeof(coefficients) / sizeof(double), x)

/* a / b within 2^-44, for b whose reciprocal is a normal number of single precision. */
static double quotient(double a, double b) {
  double reciprocal = 1 / (float)b;
  return a * (reciprocal * (2 - b * reciprocal));
}

float sqrtf(float);

/* The root within 2^-44, for normal numbers of single precision. */
static double root(double x) {
  double estimate = sqrtf((float)x);
  return 0.5 * (estimate + quotient(x, estimate));
}

/* 2^x within 2^-48, infinite or 0 beyond single precision. */
static double power_of_two(double x) {
  x = x > 200 ? 200 : x < -200 ? -200 : x;
  /* The sum's low word is the nearest whole number of parts. */
  const double whole = 0x1.8p52;
  double shifted = x * PARTS + whole;
  int parts = (int)(uint32_t)bits_of_double(shifted);
  double rest = x - (shifted - whole) * (1.0 / PARTS);
  double power = powers[parts & (PARTS - 1)];
  power += power * rest * POLYNOMIAL(power_rest, rest);
  return double_of(bits_of_double(power) + ((uint64_t)(int64_t)(parts >> 5) << 52));
}

/* The binary logarithm of a positive number, within 2^-38 of itself. */
static double logarithm(double x) {
  uint64_t bits = bits_of_double(x), offset = bits - first_part;
  int part = (offset >> 47) & (PARTS - 1), exponent = (int)((int64_t)offset >> 52);
  double mantissa = double_of(bits - (offset & (0xfffull << 52)));
  double rest = mantissa * reciprocals[part] - 1;
  return (exponent + logarithms[part]) + rest * POLYNOMIAL(logarithm_rest, rest);
}

float expf(float x) { return x != x ? x : (float)power_of_two(x * log2_e); }
float exp2f(float x) { return x != x ? x : (float)power_of_two(x); }
float exp10f(float x) { return x != x ? x : (float)power_of_two(x * log2_10); }

float ldexpf(float x, int exponent) {
  exponent = exponent > 600 ? 600 : exponent < -600 ? -600 : exponent;
  return (float)(x * double_of((uint64_t)(1023 + exponent) << 52));
}

/* The logarithm to a base, given by the binary logarithm of its reciprocal power. */
static float logarithm_times(float x, double factor) {
  if (x > 0 && x < infinity)
    return (float)(logarithm(x) * factor);
  return x == 0 ? -infinity : x > 0 || x != x ? x : not_a_number();
}

float logf(float x) { return logarithm_times(x, ln_2); }
float log2f(float x) { return logarithm_times(x, 1); }
float log10f(float x) { return logarithm_times(x, 1 / log2_10); }

/* Odd powers of x up to the fifth, for |x| < 2^-7. */
static float odd_series(float x, double third, double fifth) {
  double z = (double)x * x;
  return (float)(x * (1 + z * (third + fifth * z)));
}

static int is_small(float x) { return fabsf(x) < 0x1p-7f; }

float sinhf(float x) {
  if (is_small(x) || x != x)
    return odd_series(x, 1.0 / 6, 1.0 / 120);
  double t = x * log2_e;
  return (float)(0.5 * (power_of_two(t) - power_of_two(-t)));
}

float coshf(float x) {
  if (x != x)
    return x;
  double t = x * log2_e;
  return (float)(0.5 * (power_of_two(t) + power_of_two(-t)));
}

float tanhf(float x) {
  if (is_small(x) || x != x)
    return odd_series(x, -1.0 / 3, 2.0 / 15);
  if (fabsf(x) > 10)
    return __builtin_copysignf(1, x);
  return (float)(1 - quotient(2, power_of_two(x * (2 * log2_e)) + 1));
}

float asinhf(float x) {
  double a = fabsf(x);
  if (is_small(x) || !(a < infinity))
    return is_small(x) ? odd_series(x, -1.0 / 6, 3.0 / 40) : x;
  double sum = a > 0x1p30 ? 2 * a : a + root(a * a + 1);
  return __builtin_copysignf((float)(logarithm(sum) * ln_2), x);
}

float acoshf(float x) {
  if (!(x >= 1 && x < infinity))
    return x < 1 ? not_a_number() : x;
  double a = x;
  if (a == 1)
    return 0;
  return (float)(logarithm(a > 0x1p30 ? 2 * a : a + root((a - 1) * (a + 1))) * ln_2);
}

float atanhf(float x) {
  double a = fabsf(x);
  if (is_small(x))
    return odd_series(x, 1.0 / 3, 1.0 / 5);
  if (!(a < 1))
    return a == 1 ? __builtin_copysignf(infinity, x) : not_a_number();
  return __builtin_copysignf((float)(logarithm(quotient(1 + a, 1 - a)) * (0.5 * ln_2)), x);
}

/*
 * What x exceeds the nearest multiple of pi / 2 by, for x >= pi / 4, and that multiple modulo 4. The product of x with
 * 2 / pi is computed as an integer, from the 96 bits of 2 / pi that matter after x's exponent.
 */
static double reduce_angle(float x, int *quadrant) {
  uint32_t bits = bits_of(x), start = (bits >> 23) - 120;
  uint64_t mantissa = (bits & 0x007fffff) | 0x00800000;
  const uint32_t *words = two_over_pi + start / 32;
  uint32_t window[3];
  for (int i = 0; i < 3; i++)
    window[i] = (uint32_t)(((uint64_t)words[i] << 32 | words[i + 1]) >> (32 - start % 32));
  uint64_t quarters = ((mantissa * window[0]) << 32) + mantissa * window[1] + ((mantissa * window[2]) >> 32);
  *quadrant = (int)((quarters + (1ull << 61)) >> 62);
  return (double)(int64_t)(quarters - ((uint64_t)*quadrant << 62)) * (half_pi * 0x1p-62);
}

/* The sine and the cosine of x, which must be finite. */
static void circle(float x, double *sine_of_x, double *cosine_of_x) {
  float a = fabsf(x);
  int quadrant = 0;
  double r = a < 0x1.9p-1f ? a : reduce_angle(a, &quadrant);
  double z = r * r, s = r * POLYNOMIAL(sine, z), c = POLYNOMIAL(cosine, z);
  double across = quadrant & 1 ? c : s, along = quadrant & 1 ? s : c;
  *sine_of_x = (quadrant & 2) != 0 != (x < 0) ? -across : across;
  *cosine_of_x = ((quadrant + 1) & 2) != 0 ? -along : along;
}

static int is_no_angle(float x) { return !(fabsf(x) < infinity); }

float sinf(float x) {
  double s, c;
  if (is_no_angle(x))
    return not_a_number();
  if (x == 0)
    return x;
  circle(x, &s, &c);
  return (float)s;
}

float cosf(float x) {
  double s, c;
  if (is_no_angle(x))
    return not_a_number();
  circle(x, &s, &c);
  return (float)c;
}

float tanf(float x) {
  double s, c;
  if (is_no_angle(x))
    return not_a_number();
  if (x == 0)
    return x;
  circle(x, &s, &c);
  return (float)quotient(s, c);
}

/* By tan(a + b), from quotients of at most tan(pi / 8). */
float atanf(float x) {
  double a = fabsf(x);
  if (!(a < 0x1p30))
    return x != x ? x : __builtin_copysignf((float)half_pi, x);
  double offset = 0, r = a;
  if (a > 0x1.3504f4p1) {
    offset = half_pi;
    r = -quotient(1, a);
  } else if (a > 0x1.a8279ap-2) {
    offset = 0.5 * half_pi;
    r = quotient(a - 1, a + 1);
  }
  return __builtin_copysignf((float)(offset + r * POLYNOMIAL(arc_tangent, r * r)), x);
}

/* asin(r) for 0 <= r <= 1 / 2; acos(x) is twice that of root((1 - x) / 2). */
static double arc_sine_of(double r) { return r * POLYNOMIAL(arc_sine, r * r); }
static double arc_cosine_near_1(double x) { return x == 1 ? 0 : 2 * arc_sine_of(root(0.5 * (1 - x))); }

float asinf(float x) {
  double a = fabsf(x);
  if (!(a <= 1))
    return not_a_number();
  return __builtin_copysignf((float)(a > 0.5 ? half_pi - arc_cosine_near_1(a) : arc_sine_of(a)), x);
}

float acosf(float x) {
  double a = fabsf(x);
  if (!(a <= 1))
    return not_a_number();
  double y = a > 0.5 ? arc_cosine_near_1(a) : half_pi - arc_sine_of(a);
  return (float)(x < 0 ? 2 * half_pi - y : y);
}

float erff(float x) {
  double a = fabsf(x);
  if (!(a < 4))
    return x != x ? x : __builtin_copysignf(1, x);
  if (a < 0.5)
    return (float)(x * POLYNOMIAL(error_start, a * a));
  int piece = (int)(2 * (float)a) - 1;
  return __builtin_copysignf((float)POLYNOMIAL(error_pieces[piece], a - (0.5 * piece + 0.75)), x);
}

/* Remainder of the quotient truncated towards zero, exact. */
float fmodf(float x, float y) {
  float a = fabsf(x), b = fabsf(y);
  if (x != x || y != y || a == infinity || b == 0)
    return not_a_number();
  if (a < b)
    return x;
  float divisor = b;
  while (divisor <= 0.5f * a)
    divisor *= 2;
  for (; divisor >= b; divisor *= 0.5f)
    if (a >= divisor)
      a -= divisor;
  return __builtin_copysignf(a, x);
}

static int is_odd(float y) { return truncf(y) == y && fabsf(y) < 0x1p24f && ((int)y & 1); }

float powf(float x, float y) {
  if (y == 0 || x == 1 || (x == -1 && fabsf(y) == infinity))
    return 1;
  if (x != x || y != y)
    return x + y;
  if (x < 0 && x != -infinity && truncf(y) != y)
    return not_a_number();
  double magnitude, a = fabsf(x);
  if (a == 0 || a == infinity)
    magnitude = (a == 0) == (y > 0) ? 0 : infinity;
  else
    magnitude = power_of_two(y * logarithm(a));
  return (float)(is_odd(y) && bits_of(x) >> 31 ? -magnitude : magnitude);
}
