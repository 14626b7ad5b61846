/* Runs test/Integration/Inputs/extents.sknd for n = 1, whatever the processor is. */
#include "skriptnd.h"
#include <stdio.h>
#include <stdlib.h>

static void *allocate(int64_t bytes) {
  size_t whole = (size_t)(bytes + SKRIPTND_ALIGNMENT) / SKRIPTND_ALIGNMENT * SKRIPTND_ALIGNMENT;
  void *memory = aligned_alloc(SKRIPTND_ALIGNMENT, whole);
  if (!memory)
    exit(2);
  return memory;
}

int main(void) {
  printf("version %d\n", (int)skriptnd_version());
  int64_t extents[] = {1}, shapes[32], fault[SKRIPTND_FAULT_WORDS];
  int32_t status = skriptnd_shapes(extents, shapes);
  if (status != 0 || skriptnd_shape_words > 32) {
    printf("status %d\n", (int)status);
    return 1;
  }
  int64_t bytes = shapes[skriptnd_shape_words - 1];
  printf("enough workspace: %d\n", bytes >= skriptnd_workspace_bytes);
  void *prepared = allocate(skriptnd_prepared_bytes), *workspace = allocate(bytes);
  float x[3] = {1, 2, 3}, v[1] = {10}, y[6], s[1];
  const void *inputs[] = {x, v}, *variables[] = {NULL};
  void *outputs[] = {y, s};
  skriptnd_prepare(variables, prepared, workspace);
  status = skriptnd_run(inputs, variables, prepared, outputs, extents, NULL, workspace, fault, 0);
  printf("y = %g %g %g, s = %g\n", y[0], y[1], y[2], s[0]);
  return status;
}
