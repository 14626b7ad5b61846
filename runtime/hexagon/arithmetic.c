/* Operations that LLVM leaves to a library on Hexagon, under the names by which it calls them. */
#include "hexagon.h"

static const float infinity = __builtin_inff();

/* Scales a finite value by 2^exponent; results below the normal range are rounded once. */
static float scale(float value, int exponent) {
  while (exponent > 127) {
    value *= 0x1p127f;
    exponent -= 127;
  }
  while (exponent < -126) {
    value *= 0x1p-126f;
    exponent += 126;
  }
  return value * float_of((uint32_t)(exponent + 127) << 23);
}

/* Splits a finite, non-zero value into a mantissa of magnitude [1, 2) and an exponent. */
static float mantissa(float value, int *exponent) {
  uint32_t bits = bits_of(value);
  int bias = 127;
  if ((bits & 0x7f800000) == 0) {
    bits = bits_of(value * 0x1p24f);
    bias += 24;
  }
  *exponent = (int)((bits >> 23) & 0xff) - bias;
  return float_of((bits & 0x807fffff) | 0x3f800000);
}

/* Newton's iteration for the reciprocal root on a mantissa in [1, 4), then the remainder corrects the root. */
float __hexagon_sqrtf(float x) {
  if (x != x || x == 0 || x == infinity)
    return x;
  if (x < 0)
    return float_of(0x7fc00000);
  int exponent;
  float m = mantissa(x, &exponent);
  if (exponent & 1) {
    m *= 2;
    exponent -= 1;
  }
  float reciprocal = float_of(0x5f375a86 - (bits_of(m) >> 1));
  for (int step = 0; step < 4; step++)
    reciprocal = reciprocal * fmaf(-0.5f * m * reciprocal, reciprocal, 1.5f);
  float root = m * reciprocal;
  root = fmaf(fmaf(-root, root, m), 0.5f * reciprocal, root);
  return scale(root, exponent / 2);
}

float sqrtf(float x) { return __hexagon_sqrtf(x); }

/* Restoring division, one bit a step, from the first bit of the quotient that can be set. */
static uint64_t divide_unsigned(uint64_t a, uint64_t b, uint64_t *remainder) {
  if (b == 0 || b > a) {
    *remainder = a;
    return 0;
  }
  int shift = __builtin_clzll(b) - __builtin_clzll(a);
  uint64_t quotient = 0;
  for (b <<= shift; shift >= 0; shift--, b >>= 1) {
    quotient <<= 1;
    if (a >= b) {
      a -= b;
      quotient |= 1;
    }
  }
  *remainder = a;
  return quotient;
}

static uint64_t magnitude(int64_t value) { return value < 0 ? -(uint64_t)value : (uint64_t)value; }

uint64_t __hexagon_udivdi3(uint64_t a, uint64_t b) {
  uint64_t remainder;
  return divide_unsigned(a, b, &remainder);
}

uint64_t __hexagon_umoddi3(uint64_t a, uint64_t b) {
  uint64_t remainder;
  divide_unsigned(a, b, &remainder);
  return remainder;
}

int64_t __hexagon_divdi3(int64_t a, int64_t b) {
  uint64_t quotient = __hexagon_udivdi3(magnitude(a), magnitude(b));
  return (int64_t)((a < 0) != (b < 0) ? -quotient : quotient);
}

int64_t __hexagon_moddi3(int64_t a, int64_t b) {
  uint64_t remainder = __hexagon_umoddi3(magnitude(a), magnitude(b));
  return (int64_t)(a < 0 ? -remainder : remainder);
}

static uint32_t divide_unsigned_word(uint32_t a, uint32_t b, uint32_t *remainder) {
  if (b == 0 || b > a) {
    *remainder = a;
    return 0;
  }
  int shift = __builtin_clz(b) - __builtin_clz(a);
  uint32_t quotient = 0;
  for (b <<= shift; shift >= 0; shift--, b >>= 1) {
    quotient <<= 1;
    if (a >= b) {
      a -= b;
      quotient |= 1;
    }
  }
  *remainder = a;
  return quotient;
}

uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b) {
  uint32_t remainder;
  return divide_unsigned_word(a, b, &remainder);
}

uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b) {
  uint32_t remainder;
  divide_unsigned_word(a, b, &remainder);
  return remainder;
}

int32_t __hexagon_divsi3(int32_t a, int32_t b) {
  uint32_t quotient = __hexagon_udivsi3((uint32_t)magnitude(a), (uint32_t)magnitude(b));
  return (int32_t)((a < 0) != (b < 0) ? -quotient : quotient);
}

int32_t __hexagon_modsi3(int32_t a, int32_t b) {
  uint32_t remainder = __hexagon_umodsi3((uint32_t)magnitude(a), (uint32_t)magnitude(b));
  return (int32_t)(a < 0 ? -remainder : remainder);
}
