/* Hexagon under user-mode emulation. */

/* The stack pointer is aligned for HVX vectors before anything uses it. */
#define ENTRY                                                                                                          \
  ".globl _start\n"                                                                                                    \
  ".p2align 4\n"                                                                                                       \
  "_start:\n"                                                                                                          \
  "  r29 = and(r29, #-128)\n"                                                                                          \
  "  call begin\n"

static inline long system_call(long number, long a, long b, long c, long d, long e, long f) {
  register long r0 __asm__("r0") = a;
  register long r1 __asm__("r1") = b;
  register long r2 __asm__("r2") = c;
  register long r3 __asm__("r3") = d;
  register long r4 __asm__("r4") = e;
  register long r5 __asm__("r5") = f;
  register long r6 __asm__("r6") = number;
  __asm__ volatile("trap0(#1)" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6) : "memory");
  return r0;
}

static inline float multiply_add(float a, float b, float c) {
  __asm__("%0 += sfmpy(%1,%2)" : "+r"(c) : "r"(a), "r"(b));
  return c;
}

/* LLVM's assembler refuses the names of the control registers c20, c21 and c22: these words move them into r0. */
static inline struct counters read_counters(void) {
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
