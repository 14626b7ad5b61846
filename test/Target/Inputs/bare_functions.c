/* Calls the functions of the runtime on bare machines for many arguments, special ones among them; sanitizers see what they do. */
#include "../../../runtime/bare/bare.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REALS(name) float name(float);
#define EACH_REAL(DO)                                                                                                  \
  DO(expf) DO(exp2f) DO(exp10f) DO(logf) DO(log2f) DO(log10f) DO(sqrtf) DO(sinf) DO(cosf) DO(tanf) DO(asinf) DO(acosf)  \
  DO(atanf) DO(sinhf) DO(coshf) DO(tanhf) DO(asinhf) DO(acoshf) DO(atanhf) DO(erff) DO(floorf) DO(ceilf) DO(truncf)     \
  DO(roundf) DO(roundevenf)
EACH_REAL(REALS)
float powf(float, float), fmodf(float, float), fmaxf(float, float), fminf(float, float);
int64_t __hexagon_divdi3(int64_t, int64_t), __hexagon_moddi3(int64_t, int64_t);
uint64_t __hexagon_udivdi3(uint64_t, uint64_t), __hexagon_umoddi3(uint64_t, uint64_t);
uint32_t __hexagon_udivsi3(uint32_t, uint32_t), __hexagon_umodsi3(uint32_t, uint32_t);
int32_t __hexagon_divsi3(int32_t, int32_t), __hexagon_modsi3(int32_t, int32_t);
double __hexagon_divdf3(double, double), soft_sqrt(double), soft_floor(double), soft_ceil(double);
double sqrt(double), floor(double), ceil(double);
void *checked_memcpy(void *, const void *, size_t), *checked_memmove(void *, const void *, size_t);
void *checked_memset(void *, int, size_t);

enum { SPECIAL = 18 };
static const uint32_t special[SPECIAL] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
                                          0x3f800000, 0xbf800000, 0x3f7fffff, 0x4b000000, 0xcb000000, 0x4f000000,
                                          0xcf000000, 0x5f000000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000};

static float sum;
#define CALL(name) sum += name(x);
static void call(float x) { EACH_REAL(CALL) }

/* Exactly as many bytes as are asked for, so that one more is seen. */
static void move(size_t count, size_t offset) {
  unsigned char *from = malloc(count + offset), *to = malloc(count + offset);
  if (!from || !to)
    exit(2);
  checked_memset(from + offset, 0x5a, count);
  checked_memcpy(to + offset, from + offset, count);
  if (count && memcmp(from + offset, to + offset, count))
    exit(3);
  if (count > 1) {
    to[offset] = 1;
    checked_memmove(to + offset + 1, to + offset, count - 1);
    if (to[offset + 1] != 1)
      exit(4);
  }
  free(from);
  free(to);
}

static int differ(double a, double b) { return !(a != a && b != b) && bits_of_double(a) != bits_of_double(b); }

/* What is computed in double precision is what this machine computes. */
static void check_doubles(void) {
  uint64_t bits = 1;
  double before = 1;
  for (int i = 0; i < 1 << 18; i++) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    /* All numbers, and those of a size that extents have. */
    double x = i & 1 ? double_of(bits) : double_of((bits & 0x80ffffffffffffff) | 0x3f00000000000000);
    if (i % 64 < SPECIAL)
      x = float_of(special[i % 64]);
    if (differ(__hexagon_divdf3(before, x), before / x) || differ(soft_sqrt(x), sqrt(x)) ||
        differ(soft_floor(x), floor(x)) || differ(soft_ceil(x), ceil(x)))
      exit(5);
    before = x;
  }
}

int main(void) {
  check_doubles();
  for (uint32_t bits = 0; bits < 1u << 16; bits++)
    call(float_of(bits << 16 | (bits * 2654435761u >> 16)));
  for (int i = 0; i < SPECIAL; i++) {
    float a = float_of(special[i]);
    call(a);
    for (int j = 0; j < SPECIAL; j++) {
      float b = float_of(special[j]);
      sum += powf(a, b) + fmodf(a, b) + fmaxf(a, b) + fminf(a, b);
    }
  }
  const int64_t ints[] = {0, 1, -1, 2, -7, INT32_MIN, INT64_MAX, INT64_MIN, INT64_MIN + 1};
  int64_t left = 0;
  for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
    for (size_t j = 0; j < sizeof ints / sizeof *ints; j++) {
      left ^= __hexagon_divdi3(ints[i], ints[j]) ^ __hexagon_moddi3(ints[i], ints[j]);
      left ^= (int64_t)(__hexagon_udivdi3((uint64_t)ints[i], (uint64_t)ints[j]) ^
                        __hexagon_umoddi3((uint64_t)ints[i], (uint64_t)ints[j]));
    }
  const uint32_t words[] = {1, 2, 3, 7, 255, 32768, 65535, 65537, 16777215, 16777217, 1073741824, INT32_MAX, 1u << 31, UINT32_MAX - 1, UINT32_MAX};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    for (size_t j = 0; j < sizeof words / sizeof *words; j++) {
      uint32_t a = words[i], b = words[j];
      int32_t c = (int32_t)a, d = (int32_t)b;
      int is_right = __hexagon_udivsi3(a, b) == a / b && __hexagon_umodsi3(a, b) == a % b;
      if (!is_right || (d != -1 && (__hexagon_divsi3(c, d) != c / d || __hexagon_modsi3(c, d) != c % d)))
        return puts("words are divided wrongly");
    }
  for (size_t count = 0; count < 70; count++)
    for (size_t offset = 0; offset < 9; offset++)
      move(count, offset);
  puts(left == 1 && sum == 1 ? "done, oddly" : "done");
  return 0;
}
