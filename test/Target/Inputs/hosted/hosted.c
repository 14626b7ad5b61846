/* As stdio.h. */
#include "stdio.h"
#include "../../../../runtime/bare/bare.h"
#include "stdlib.h"
#include <stdarg.h>

_Noreturn void exit(int status) { leave(status); }

/* Pages are aligned to more than anybody asks for here. */
void *aligned_alloc(size_t alignment, size_t size) {
  return alignment > 4096 ? NULL : allocate_pages((uint32_t)size);
}

static void print_number(int value) {
  char digits[12];
  int at = sizeof digits;
  unsigned rest = value < 0 ? 0u - (unsigned)value : (unsigned)value;
  do
    digits[--at] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0)
    digits[--at] = '-';
  write_bytes(digits + at, (uint32_t)(sizeof digits - (size_t)at));
}

int printf(const char *format, ...) {
  va_list given;
  va_start(given, format);
  for (; *format; format++) {
    if (*format == '%' && *++format == 'd')
      print_number(va_arg(given, int));
    else
      write_bytes(format, 1);
  }
  va_end(given);
  return 0;
}
