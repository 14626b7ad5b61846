/* Calls the functions of bounds.sknd with extents that the model takes, and with others. */
#include "skriptnd.h"
#include <stdio.h>

enum { MOST = 16 };
static _Alignas(SKRIPTND_ALIGNMENT) char prepared[1 << 12], workspace[1 << 12];

static void call(int64_t n, int64_t m) {
  int64_t extents[2] = {n, m}, shapes[MOST], written[2], fault[SKRIPTND_FAULT_WORDS];
  float x[2 * MOST] = {0}, v[MOST] = {0}, w[MOST] = {0}, y[2 * MOST], s[2 * MOST];
  const void *inputs[] = {x, v, w};
  void *outputs[] = {y, s};
  int32_t found = skriptnd_shapes(extents, shapes);
  int32_t ran = skriptnd_run(inputs, NULL, prepared, outputs, extents, written, workspace, fault, 0);
  printf("n = %d, m = %d: %d, %d", (int)n, (int)m, (int)found, (int)ran);
  if (ran == 0)
    printf(" y[%d] s[%d]", (int)written[0], (int)written[1]);
  printf("\n");
}

int main(void) {
  if (skriptnd_extent_count != 2 || skriptnd_shape_words > MOST ||
      skriptnd_workspace_bytes > (int64_t)sizeof workspace)
    return 2;
  call(2, 3);
  call(4, 1);
  call(5, 1);
  call(1, 4);
  call(3, 3);
  call(0, 1);
  call(-1, 1);
  call(1, INT64_MIN);
  int64_t shapes[MOST];
  printf("no extents: %d\n", (int)skriptnd_shapes(NULL, shapes));
  return 0;
}
