/* Runs that follow one another ask for no memory: the functions that give some are this program's, and count. */
#include "skriptnd_runtime.h"
#include <stdio.h>

enum { LENGTH = 3, RUNS = 3 };

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static long allocations;

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  allocations++;
  return __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  allocations++;
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL;
}

int main(int count, char **arguments) {
  skriptnd_library *library = NULL;
  skriptnd_model *model = NULL;
  skriptnd_session *session = NULL;
  float zeros[LENGTH] = {0}, x[LENGTH] = {1, 2, 3}, y[LENGTH];
  int64_t shape[] = {LENGTH}, found[1];
  skriptnd_tensor variable = {zeros, shape, 1, SKRIPTND_F32, sizeof zeros, 0};
  skriptnd_tensor input = {x, shape, 1, SKRIPTND_F32, sizeof x, 0}, output = {y, found, 1, SKRIPTND_F32, sizeof y, 0};
  if (count != 2 || skriptnd_library_load(arguments[1], &library) || skriptnd_model_new(library, &variable, 1, &model) ||
      skriptnd_session_new(model, &session)) {
    fprintf(stderr, "%s\n", skriptnd_last_error());
    return 1;
  }
  for (int run = 0; run < RUNS; run++) {
    long before = allocations;
    int32_t status = skriptnd_session_run(session, &input, 1, &output, 1);
    long asked = allocations - before;
    printf("run %d: %d, %s\n", run, (int)status, asked ? "allocates" : "allocates nothing");
  }
  skriptnd_session_free(session);
  skriptnd_model_free(model);
  skriptnd_library_free(library);
  return 0;
}
