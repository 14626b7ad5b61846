/*
 * The functions of math.h that formulas call, in single precision. Each reduces its argument to a small interval and
 * uses a polynomial there; coefficients are those of the Taylor or Chebyshev series, rounded to single precision.
 */
#include "hexagon.h"

static const float infinity = __builtin_inff();
static float not_a_number(void) { return float_of(0x7fc00000); }

float fmaf(float a, float b, float c) {
  __asm__("%0 += sfmpy(%1,%2)" : "+r"(c) : "r"(a), "r"(b));
  return c;
}

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

/* 2^exponent * value, for exponents of both factors within range. */
static float scale(float value, int exponent) {
  int half = exponent / 2;
  return value * float_of((uint32_t)(half + 127) << 23) * float_of((uint32_t)(exponent - half + 127) << 23);
}

/* exp(r) - 1 for |r| <= log(2) / 2. */
static float expm1_reduced(float r) {
  float p = 1.0f / 5040;
  p = fmaf(p, r, 1.0f / 720);
  p = fmaf(p, r, 1.0f / 120);
  p = fmaf(p, r, 1.0f / 24);
  p = fmaf(p, r, 1.0f / 6);
  p = fmaf(p, r, 0.5f);
  return fmaf(p * r, r, r);
}

/* log(2) in two parts: multiples of the first below 2^8 are exact. */
static const float log2_high = 0x1.62e4p-1f, log2_low = 0x1.7f7d1cp-20f;

float expf(float x) {
  if (x != x)
    return x;
  if (x > 88.73f)
    return infinity;
  if (x < -104.0f)
    return 0;
  int exponent = (int)roundf(x * 0x1.715476p0f);
  float r = fmaf(-(float)exponent, log2_low, fmaf(-(float)exponent, log2_high, x));
  return scale(1 + expm1_reduced(r), exponent);
}

float expm1f(float x) {
  if (fabsf(x) < 0.34f)
    return expm1_reduced(x);
  return expf(x) - 1;
}

/* log(1 + f) for f in [sqrt(1/2) - 1, sqrt(2) - 1], by the series of atanh(f / (2 + f)). */
static float log1p_reduced(float f) {
  float s = f / (2 + f), z = s * s;
  float p = fmaf(z, 2.0f / 11, 2.0f / 9);
  p = fmaf(p, z, 2.0f / 7);
  p = fmaf(p, z, 2.0f / 5);
  p = fmaf(p, z, 2.0f / 3);
  float half_square = 0.5f * f * f;
  return f - (half_square - s * (half_square + p * z));
}

float logf(float x) {
  if (x != x || x == infinity)
    return x;
  if (x <= 0)
    return x == 0 ? -infinity : not_a_number();
  int exponent = 0;
  if (x < 0x1p-126f) {
    x *= 0x1p24f;
    exponent = -24;
  }
  uint32_t bits = bits_of(x);
  exponent += (int)(bits >> 23) - 127;
  float m = float_of((bits & 0x007fffff) | 0x3f800000);
  if (m > 0x1.6a09e6p0f) {
    m *= 0.5f;
    exponent += 1;
  }
  return fmaf((float)exponent, log2_high, fmaf((float)exponent, log2_low, log1p_reduced(m - 1)));
}

float log1pf(float x) {
  if (x > -0.29f && x < 0.41f)
    return log1p_reduced(x);
  return logf(1 + x);
}

float log2f(float x) { return logf(x) * 0x1.715476p0f; }
float log10f(float x) { return logf(x) * 0x1.bcb7b2p-2f; }
float exp2f(float x) { return expf(x * 0x1.62e43p-1f); }

float tanhf(float x) {
  float a = fabsf(x);
  if (a > 9.1f)
    return __builtin_copysignf(1, x);
  float e = expm1f(2 * a);
  return __builtin_copysignf(e / (e + 2), x);
}

float sinhf(float x) {
  float e = expm1f(fabsf(x));
  return __builtin_copysignf(0.5f * (e + e / (e + 1)), x);
}

float coshf(float x) {
  float e = expf(fabsf(x));
  return 0.5f * e + 0.5f / e;
}

/* pi / 2 in three parts, for arguments below 2^15. */
static float reduce_angle(float x, int *quadrant) {
  float n = roundf(x * 0x1.45f306p-1f);
  *quadrant = (int)n & 3;
  float r = fmaf(-n, 0x1.92p0f, x);
  r = fmaf(-n, 0x1.fb4p-12f, r);
  return fmaf(-n, 0x1.4442d2p-24f, r);
}

static float sine_reduced(float r) {
  float z = r * r;
  float p = fmaf(z, 1.0f / 362880, -1.0f / 5040);
  p = fmaf(p, z, 1.0f / 120);
  p = fmaf(p, z, -1.0f / 6);
  return fmaf(p * z, r, r);
}

static float cosine_reduced(float r) {
  float z = r * r;
  float p = fmaf(z, -1.0f / 3628800, 1.0f / 40320);
  p = fmaf(p, z, -1.0f / 720);
  p = fmaf(p, z, 1.0f / 24);
  p = fmaf(p, z, -0.5f);
  return fmaf(p, z, 1.0f);
}

static float sine_of_quadrant(float r, int quadrant) {
  float value = quadrant & 1 ? cosine_reduced(r) : sine_reduced(r);
  return quadrant & 2 ? -value : value;
}

float sinf(float x) {
  if (fabsf(x) == infinity)
    return not_a_number();
  int quadrant;
  float r = reduce_angle(x, &quadrant);
  return sine_of_quadrant(r, quadrant);
}

float cosf(float x) {
  if (fabsf(x) == infinity)
    return not_a_number();
  int quadrant;
  float r = reduce_angle(x, &quadrant);
  return sine_of_quadrant(r, (quadrant + 1) & 3);
}

float tanf(float x) { return sinf(x) / cosf(x); }

/* atan on [0, tan(pi/8)] by its series, elsewhere by its symmetries. */
float atanf(float x) {
  float a = fabsf(x), offset = 0;
  if (a > 0x1.3504f4p1f) {
    offset = 0x1.921fb6p0f;
    a = -1 / a;
  } else if (a > 0x1.a8279ap-2f) {
    offset = 0x1.921fb6p-1f;
    a = (a - 1) / (a + 1);
  }
  float z = a * a;
  float p = fmaf(z, 1.0f / 17, -1.0f / 15);
  p = fmaf(p, z, 1.0f / 13);
  p = fmaf(p, z, -1.0f / 11);
  p = fmaf(p, z, 1.0f / 9);
  p = fmaf(p, z, -1.0f / 7);
  p = fmaf(p, z, 1.0f / 5);
  p = fmaf(p, z, -1.0f / 3);
  return __builtin_copysignf(offset + fmaf(p * z, a, a), x);
}

float sqrtf(float);
float asinf(float x) { return atanf(x / sqrtf((1 - x) * (1 + x))); }
float acosf(float x) { return x <= -1 ? (x < -1 ? not_a_number() : 0x1.921fb6p1f) : 2 * atanf(sqrtf((1 - x) / (1 + x))); }
float asinhf(float x) {
  float a = fabsf(x);
  float y = a > 0x1p12f ? logf(a) + 0x1.62e43p-1f : log1pf(a + a * a / (1 + sqrtf(fmaf(a, a, 1))));
  return __builtin_copysignf(y, x);
}
float acoshf(float x) { return x > 0x1p12f ? logf(x) + 0x1.62e43p-1f : log1pf(x - 1 + sqrtf((x - 1) * (x + 1))); }
float atanhf(float x) {
  float a = fabsf(x);
  return __builtin_copysignf(0.5f * log1pf(2 * a / (1 - a)), x);
}

/* erf by its Taylor series below 2 and by the continued fraction of erfc above. */
float erff(float x) {
  float a = fabsf(x);
  if (x != x)
    return x;
  if (a > 4)
    return __builtin_copysignf(1, x);
  if (a < 2) {
    float z = x * x, term = x, sum = x;
    for (int n = 1; n < 24; n++) {
      term *= -z / (float)n;
      sum += term / (float)(2 * n + 1);
    }
    return sum * 0x1.20dd76p0f;
  }
  float tail = 0;
  for (int n = 24; n > 0; n--)
    tail = 0.5f * (float)n / (a + tail);
  return __builtin_copysignf(1 - expf(-a * a) * 0x1.20dd76p-1f / (a + tail), x);
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

/* Relative error grows with |y * log(x)|: up to 1e-5 near the ends of the range. */
float powf(float x, float y) {
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return x + y;
  int whole = truncf(y) == y, odd = whole && fabsf(y) < 0x1p24f && ((int)y & 1);
  if (x < 0 && !whole)
    return not_a_number();
  if (whole && fabsf(y) <= 64) {
    float power = 1, base = x;
    for (int n = (int)fabsf(y); n; n >>= 1, base *= base)
      if (n & 1)
        power *= base;
    return y < 0 ? 1 / power : power;
  }
  float magnitude = x == 0 ? (y < 0 ? infinity : 0) : expf(y * logf(fabsf(x)));
  return x < 0 && odd ? -magnitude : magnitude;
}
