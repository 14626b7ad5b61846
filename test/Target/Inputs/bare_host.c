/* What runtime/bare/start.c gives the other files, on this machine: they can be run under sanitizers. */
#include "../../../runtime/bare/bare.h"
#include <stdlib.h>
#include <unistd.h>

_Noreturn void leave(int status) { exit(status); }
int read_bytes(void *to, uint32_t count) { return (int)read(0, to, count); }
int write_bytes(const void *from, uint32_t count) { return (int)write(1, from, count); }

/* The runner frees nothing, but keeps what it was given. */
void *allocate_pages(uint32_t bytes) {
  void *pages = NULL;
  if (bytes > 1u << 30 || posix_memalign(&pages, 4096, bytes))
    return NULL;
  for (uint32_t at = 0; at < bytes; at++)
    ((char *)pages)[at] = 0;
  return pages;
}

