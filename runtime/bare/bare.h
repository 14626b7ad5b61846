/* Shared by the files of the runtime on bare machines; freestanding. */
#ifndef SKRIPTND_BARE_H
#define SKRIPTND_BARE_H

#include <stddef.h>
#include <stdint.h>

/* Executed packets, instructions and HVX instructions, as the emulator counts them (modulo 2^32); zero where it does not. */
struct counters {
  uint32_t packets, instructions, vector_instructions;
};

/*
 * What differs from machine to machine: `ENTRY`, which calls `begin` on an aligned stack, `system_call`, `multiply_add`, which
 * rounds once, and `read_counters`.
 */
#if defined(__hexagon__)
#include "hexagon.h"
#elif defined(__aarch64__)
#include "aarch64.h"
#elif defined(__riscv)
#include "riscv.h"
#else
#include "host.h"
#endif

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

/* Number of bytes read, 0 at the end, negative on error. */
int read_bytes(void *to, uint32_t count);
int write_bytes(const void *from, uint32_t count);
/* Zeroed pages, or NULL. */
void *allocate_pages(uint32_t bytes);
_Noreturn void leave(int status);

#endif
