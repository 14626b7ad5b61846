/* The memory functions that LLVM calls by name. Eight bytes at a time where both sides are aligned alike. */
#include "bare.h"

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  unsigned char *target = to;
  const unsigned char *source = from;
  if ((((uintptr_t)target | (uintptr_t)source) & 7) == 0) {
    uint64_t *wide_target = to;
    const uint64_t *wide_source = from;
    for (; count >= 8; count -= 8)
      *wide_target++ = *wide_source++;
    target = (unsigned char *)wide_target;
    source = (const unsigned char *)wide_source;
  }
  while (count--)
    *target++ = *source++;
  return to;
}

#ifdef __hexagon__
/* What LLVM calls in place of memcpy where there are at least 32 bytes, a multiple of 8, that are aligned in all likelihood. */
void *__hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void *restrict to, const void *restrict from, size_t count) {
  return memcpy(to, from, count);
}
#endif

void *memmove(void *to, const void *from, size_t count) {
  unsigned char *target = to;
  const unsigned char *source = from;
  if (target <= source || target >= source + count)
    return memcpy(to, from, count);
  while (count--)
    target[count] = source[count];
  return to;
}

void *memset(void *to, int value, size_t count) {
  unsigned char *target = to;
  uint64_t wide = (unsigned char)value * 0x0101010101010101ull;
  if (((uintptr_t)target & 7) == 0) {
    uint64_t *wide_target = to;
    for (; count >= 8; count -= 8)
      *wide_target++ = wide;
    target = (unsigned char *)wide_target;
  }
  while (count--)
    *target++ = (unsigned char)value;
  return to;
}
