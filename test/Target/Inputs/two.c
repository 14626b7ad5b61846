/* Two models in one program: their names have prefixes of their own, and headers say what they are. */
#include "counter.h"
#include "extents.h"
#include <stdio.h>
#include <string.h>

static _Alignas(64) char prepared[64 + COUNTER_PREPARED_BYTES + EXTENTS_PREPARED_BYTES];
static _Alignas(64) char workspace[64 + COUNTER_WORKSPACE_BYTES + (1 << 12)];

static void count(void) {
  const char *const names[] = COUNTER_OUTPUT_NAMES;
  float x[3] = {1, 2, 3}, sum[3] = {10, 20, 30}, y[3], next[3];
  const void *inputs[COUNTER_INPUT_COUNT], *variables[] = {sum};
  void *outputs[COUNTER_OUTPUT_COUNT] = {y, next};
  inputs[COUNTER_INPUT_x] = x;
  int64_t fault[16];
  int32_t status = counter_prepare(variables, prepared, workspace);
  status |= counter_run(inputs, variables, prepared, outputs, 0, 0, workspace, fault, 0);
  printf("%d: %s = %g %g %g\n", (int)status, names[COUNTER_OUTPUT_y], y[0], y[1], y[2]);
}

static void double_rows(void) {
  float x[6] = {1, 2, 3, 4, 5, 6}, v[2] = {0}, y[12], s[2];
  const void *inputs[] = {x, v};
  void *outputs[] = {y, s};
  int64_t extents[EXTENTS_EXTENT_COUNT] = {2}, shapes[3], fault[16];
  int32_t status = extents_prepare(NULL, prepared, workspace);
  status |= extents_run(inputs, NULL, prepared, outputs, extents, shapes, workspace, fault, 0);
  printf("%d: y[%d, %d], s[%d] = %g %g\n", (int)status, (int)shapes[0], (int)shapes[1], (int)shapes[2], s[0], s[1]);
}

int main(void) {
  count();
  double_rows();
  return strncmp(counter_metadata, "{\"abi\":8", 8) != 0;
}
