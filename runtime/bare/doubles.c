/*
 * Double precision that LLVM leaves to a library on Hexagon, under the names by which it calls it: what extents that only a run
 * knows are computed with. Correctly rounded.
 */
#include "bare.h"

enum { MANTISSA_BITS = 52, BIAS = 1023, SPECIAL = 2047 };
static const uint64_t ONE = 1ull << MANTISSA_BITS, SIGN = 1ull << 63;

static int field(uint64_t bits) { return (int)(bits >> MANTISSA_BITS) & SPECIAL; }

/* The mantissa of a finite number other than 0, from 2^52 on; its exponent as a field would have it. */
static uint64_t mantissa(uint64_t bits, int *exponent) {
  uint64_t fraction = bits & (ONE - 1);
  *exponent = field(bits);
  if (*exponent)
    return fraction | ONE;
  int shift = __builtin_clzll(fraction) - (63 - MANTISSA_BITS);
  *exponent = 1 - shift;
  return fraction << shift;
}

/* A number of 53 bits and three more, of which the last says whether anything follows. */
static uint64_t rounded(uint64_t value, int exponent) {
  if (exponent >= SPECIAL)
    return (uint64_t)SPECIAL << MANTISSA_BITS;
  if (exponent <= 0) {
    int shift = 1 - exponent;
    value = shift > 60 ? 1 : (value >> shift) | ((value & ((1ull << shift) - 1)) != 0);
  }
  uint64_t rest = value & 7, whole = value >> 3;
  whole += rest > 4 || (rest == 4 && (whole & 1));
  return exponent <= 0 ? whole : ((uint64_t)exponent << MANTISSA_BITS) + (whole - ONE);
}

double __hexagon_divdf3(double a, double b) {
  uint64_t sign = (bits_of_double(a) ^ bits_of_double(b)) & SIGN;
  uint64_t dividend = bits_of_double(a) & ~SIGN, divisor = bits_of_double(b) & ~SIGN;
  int is_infinite = field(dividend) == SPECIAL, by_infinite = field(divisor) == SPECIAL;
  if (a != a || b != b || (is_infinite && by_infinite) || (dividend == 0 && divisor == 0))
    return double_of(0x7ff8000000000000);
  if (is_infinite || divisor == 0)
    return double_of(sign | (uint64_t)SPECIAL << MANTISSA_BITS);
  if (by_infinite || dividend == 0)
    return double_of(sign);
  int above, below;
  uint64_t rest = mantissa(dividend, &above), part = mantissa(divisor, &below), quotient = 0;
  int exponent = above - below + BIAS;
  if (rest < part) {
    rest <<= 1;
    exponent--;
  }
  for (int bit = 0; bit < MANTISSA_BITS + 3; bit++, rest <<= 1) {
    quotient <<= 1;
    if (rest >= part) {
      rest -= part;
      quotient |= 1;
    }
  }
  return double_of(sign | rounded(quotient << 1 | (rest != 0), exponent));
}

/* Bit by bit; one more than there is room for tells how to round, as no root lies between two numbers. */
double sqrt(double x) {
  uint64_t bits = bits_of_double(x);
  if (x != x || x == 0 || bits == (uint64_t)SPECIAL << MANTISSA_BITS)
    return x;
  if (x < 0)
    return double_of(0x7ff8000000000000);
  int exponent;
  uint64_t rest = mantissa(bits, &exponent) << 1, root = 0, sum = 0;
  exponent -= BIAS;
  if (exponent & 1) {
    rest <<= 1;
    exponent--;
  }
  for (uint64_t bit = ONE << 1; bit; bit >>= 1, rest <<= 1) {
    uint64_t next = sum + bit;
    if (next <= rest) {
      sum = next + bit;
      rest -= next;
      root += bit;
    }
  }
  return double_of(((uint64_t)(exponent / 2 + BIAS) << MANTISSA_BITS) + ((root + (root & 1)) >> 1) - ONE);
}

double floor(double x) {
  uint64_t bits = bits_of_double(x);
  int exponent = field(bits) - BIAS;
  if (x == 0 || exponent >= MANTISSA_BITS)
    return x;
  if (exponent < 0)
    return bits & SIGN ? -1.0 : 0.0;
  uint64_t fraction = (ONE - 1) >> exponent;
  if (bits & SIGN && bits & fraction)
    bits += fraction;
  return double_of(bits & ~fraction);
}

double ceil(double x) { return -floor(-x); }
