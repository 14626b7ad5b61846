/* AArch64 under user-mode emulation. */

#define ENTRY                                                                                                          \
  ".globl _start\n"                                                                                                    \
  "_start:\n"                                                                                                          \
  "  mov x29, xzr\n"                                                                                                   \
  "  mov x30, xzr\n"                                                                                                   \
  "  mov x9, sp\n"                                                                                                     \
  "  and sp, x9, #-128\n"                                                                                              \
  "  bl begin\n"

static inline long system_call(long number, long a, long b, long c, long d, long e, long f) {
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  register long x8 __asm__("x8") = number;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5), "r"(x8) : "memory");
  return x0;
}

static inline float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

static inline struct counters read_counters(void) { return (struct counters){0}; }
