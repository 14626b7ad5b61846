/* Entry point, system calls and counters under user-mode emulation. */
#include "hexagon.h"

int main(void);

/* The stack pointer is aligned for HVX vectors before anything uses it. */
__asm__(".globl _start\n"
        ".p2align 4\n"
        "_start:\n"
        "  r29 = and(r29, #-128)\n"
        "  call begin\n");

__attribute__((used)) _Noreturn void begin(void) { leave(main()); }

enum { SYS_READ = 63, SYS_WRITE = 64, SYS_EXIT_GROUP = 94, SYS_MMAP = 222 };

static int system_call(int number, int a, int b, int c, int d, int e, int f) {
  register int r0 __asm__("r0") = a;
  register int r1 __asm__("r1") = b;
  register int r2 __asm__("r2") = c;
  register int r3 __asm__("r3") = d;
  register int r4 __asm__("r4") = e;
  register int r5 __asm__("r5") = f;
  register int r6 __asm__("r6") = number;
  __asm__ volatile("trap0(#1)" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6) : "memory");
  return r0;
}

_Noreturn void leave(int status) {
  for (;;)
    system_call(SYS_EXIT_GROUP, status, 0, 0, 0, 0, 0);
}

int read_bytes(void *to, uint32_t count) { return system_call(SYS_READ, 0, (int)to, (int)count, 0, 0, 0); }

int write_bytes(const void *from, uint32_t count) {
  return system_call(SYS_WRITE, 1, (int)from, (int)count, 0, 0, 0);
}

void *allocate_pages(uint32_t bytes) {
  enum { READ_WRITE = 3, PRIVATE_ANONYMOUS = 0x22 };
  int at = system_call(SYS_MMAP, 0, (int)bytes, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
  return at < 0 && at > -4096 ? NULL : (void *)at;
}

/* LLVM's assembler refuses the names of the control registers c20, c21 and c22: these words move them into r0. */
struct counters read_counters(void) {
  struct counters now;
  register uint32_t packets __asm__("r0");
  __asm__ volatile(".word 0x6a14c000" : "=r"(packets)::"memory");
  now.packets = packets;
  register uint32_t instructions __asm__("r0");
  __asm__ volatile(".word 0x6a15c000" : "=r"(instructions)::"memory");
  now.instructions = instructions;
  register uint32_t vector_instructions __asm__("r0");
  __asm__ volatile(".word 0x6a16c000" : "=r"(vector_instructions)::"memory");
  now.vector_instructions = vector_instructions;
  return now;
}
