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

static double nothing(void) { return double_of(0x7ff8000000000000); }

static double infinite(uint64_t sign) { return double_of(sign | (uint64_t)SPECIAL << MANTISSA_BITS); }

/* Processors before v67 have no instructions for it. */
double __hexagon_muldf3(double a, double b) {
  uint64_t x = bits_of_double(a), y = bits_of_double(b), sign = (x ^ y) & SIGN;
  x &= ~SIGN, y &= ~SIGN;
  int is_infinite = field(x) == SPECIAL || field(y) == SPECIAL;
  if (a != a || b != b || (is_infinite && (x == 0 || y == 0)))
    return nothing();
  if (is_infinite)
    return infinite(sign);
  if (x == 0 || y == 0)
    return double_of(sign);
  int first, second;
  uint64_t left = mantissa(x, &first), right = mantissa(y, &second);
  uint64_t low = (left & UINT32_MAX) * (right & UINT32_MAX);
  uint64_t middle = (left & UINT32_MAX) * (right >> 32) + (left >> 32) * (right & UINT32_MAX) + (low >> 32);
  uint64_t high = (left >> 32) * (right >> 32) + (middle >> 32);
  low = (low & UINT32_MAX) | middle << 32;
  /* Of 105 or 106 bits, 55 are kept. */
  int shift = high >> 41 ? 50 : 49;
  uint64_t product = high << (64 - shift) | low >> shift;
  product |= (low & ((1ull << shift) - 1)) != 0;
  return double_of(sign | rounded(product, first + second - BIAS + shift - 49));
}

/* Processors before v66 have no instructions for this and the next one. */
double __hexagon_adddf3(double a, double b) {
  uint64_t x = bits_of_double(a), y = bits_of_double(b), differ = (x ^ y) & SIGN;
  if ((x & ~SIGN) < (y & ~SIGN)) {
    uint64_t other = x;
    x = y, y = other;
  }
  if (a != a || b != b || (field(y) == SPECIAL && differ))
    return nothing();
  if ((x & ~SIGN) == 0)
    return double_of(x & y);
  if (field(x) == SPECIAL || (y & ~SIGN) == 0)
    return double_of(x);
  int exponent, lower;
  uint64_t sum = mantissa(x & ~SIGN, &exponent) << 3, less = mantissa(y & ~SIGN, &lower) << 3;
  int apart = exponent - lower;
  less = apart > 60 ? 1 : (less >> apart) | ((less & ((1ull << apart) - 1)) != 0);
  sum = differ ? sum - less : sum + less;
  if (sum == 0)
    return 0.0;
  int shift = __builtin_clzll(sum) - (60 - MANTISSA_BITS);
  sum = shift < 0 ? sum >> 1 | (sum & 1) : sum << shift;
  return double_of((x & SIGN) | rounded(sum, exponent - shift));
}

double __hexagon_subdf3(double a, double b) { return __hexagon_adddf3(a, -b); }

double __hexagon_divdf3(double a, double b) {
  uint64_t sign = (bits_of_double(a) ^ bits_of_double(b)) & SIGN;
  uint64_t dividend = bits_of_double(a) & ~SIGN, divisor = bits_of_double(b) & ~SIGN;
  int is_infinite = field(dividend) == SPECIAL, by_infinite = field(divisor) == SPECIAL;
  if (a != a || b != b || (is_infinite && by_infinite) || (dividend == 0 && divisor == 0))
    return nothing();
  if (is_infinite || divisor == 0)
    return infinite(sign);
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
    return nothing();
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
