/* Any other machine, where tests run these files under sanitizers, with an entry point and system calls of its library. */

static inline float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

static inline struct counters read_counters(void) { return (struct counters){0, 0, 0}; }

/* What only clang has. */
#ifndef __clang__
#define __builtin_elementwise_sqrt __builtin_sqrtf
#endif
