/* Operations that LLVM leaves to a library on Hexagon, under the names by which it calls them. */
#include "bare.h"

static const float infinity = __builtin_inff();

/*
 * Newton's iteration for the reciprocal root on a mantissa in [1, 4), then the remainder corrects the root. That is
 * normal, as is the power of two that it is multiplied by.
 */
float __hexagon_sqrtf(float x) {
  if (x != x || x == 0 || x == infinity)
    return x;
  if (x < 0)
    return float_of(0x7fc00000);
  int exponent = 0;
  if (x < 0x1p-126f) {
    x *= 0x1p24f;
    exponent = -24;
  }
  exponent += (int)(bits_of(x) >> 23) - 127;
  float mantissa = float_of((bits_of(x) & 0x007fffff) | 0x3f800000);
  if (exponent & 1) {
    mantissa *= 2;
    exponent -= 1;
  }
  float reciprocal = float_of(0x5f375a86 - (bits_of(mantissa) >> 1));
  for (int step = 0; step < 4; step++)
    reciprocal = reciprocal * multiply_add(-0.5f * mantissa * reciprocal, reciprocal, 1.5f);
  float root = mantissa * reciprocal;
  root = multiply_add(multiply_add(-root, root, mantissa), 0.5f * reciprocal, root);
  return root * float_of((uint32_t)(exponent / 2 + 127) << 23);
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

/* Words by reals, whose quotients are never too great, and short of the true ones by few parts of a million: of two of them a comparison is left. */
static uint32_t divide_words(uint32_t a, uint32_t b, uint32_t *remainder) {
  uint32_t quotient = 0;
  if (b != 0 && b <= a) {
    float reciprocal = (1.0f - 0x1p-21f) / (float)b;
    for (int step = 0; step < 2; step++) {
      uint32_t part = (uint32_t)((float)a * reciprocal);
      quotient += part;
      a -= part * b;
    }
    for (; a >= b; a -= b)
      quotient++;
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

uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b) {
  uint32_t remainder;
  return divide_words(a, b, &remainder);
}

uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b) {
  uint32_t remainder;
  divide_words(a, b, &remainder);
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
