/* As stdio.h. */
#ifndef HOSTED_STDLIB_H
#define HOSTED_STDLIB_H
#include <stddef.h>
void *aligned_alloc(size_t alignment, size_t size);
_Noreturn void exit(int status);
#endif
