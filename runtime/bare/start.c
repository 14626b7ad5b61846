/* Entry point and system calls under user-mode emulation. */
#include "bare.h"

int main(void);

__asm__(ENTRY);

__attribute__((used)) _Noreturn void begin(void) { leave(main()); }

enum { SYS_READ = 63, SYS_WRITE = 64, SYS_EXIT_GROUP = 94, SYS_MMAP = 222 };

_Noreturn void leave(int status) {
  for (;;)
    system_call(SYS_EXIT_GROUP, status, 0, 0, 0, 0, 0);
}

int read_bytes(void *to, uint32_t count) { return (int)system_call(SYS_READ, 0, (long)to, (long)count, 0, 0, 0); }

int write_bytes(const void *from, uint32_t count) {
  return (int)system_call(SYS_WRITE, 1, (long)from, (long)count, 0, 0, 0);
}

void *allocate_pages(uint32_t bytes) {
  enum { READ_WRITE = 3, PRIVATE_ANONYMOUS = 0x22 };
  long at = system_call(SYS_MMAP, 0, (long)bytes, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
  return at < 0 && at > -4096 ? NULL : (void *)at;
}
