/* Shared by the files of the Hexagon runtime; freestanding. */
#ifndef SKRIPTND_HEXAGON_H
#define SKRIPTND_HEXAGON_H

#include <stddef.h>
#include <stdint.h>

static inline float float_of(uint32_t bits) {
  union { uint32_t bits; float value; } u = {.bits = bits};
  return u.value;
}

static inline uint32_t bits_of(float value) {
  union { float value; uint32_t bits; } u = {.value = value};
  return u.bits;
}

static inline double double_of(uint64_t bits) {
  union { uint64_t bits; double value; } u = {.bits = bits};
  return u.value;
}

static inline uint64_t bits_of_double(double value) {
  union { double value; uint64_t bits; } u = {.value = value};
  return u.bits;
}

/* a * b + c, rounded once. */
static inline float multiply_add(float a, float b, float c) {
  __asm__("%0 += sfmpy(%1,%2)" : "+r"(c) : "r"(a), "r"(b));
  return c;
}

/* Executed packets, instructions and HVX instructions, as the emulator counts them (modulo 2^32). */
struct counters {
  uint32_t packets, instructions, vector_instructions;
};

struct counters read_counters(void);
/* Number of bytes read, 0 at the end, negative on error. */
int read_bytes(void *to, uint32_t count);
int write_bytes(const void *from, uint32_t count);
/* Zeroed pages, or NULL. */
void *allocate_pages(uint32_t bytes);
_Noreturn void leave(int status);

#endif
