/* Runs the graph Above of faults.sknd with records of faults that hold something already. */
#include "skriptnd.h"
#include <stdio.h>

static _Alignas(SKRIPTND_ALIGNMENT) char prepared[1 << 12], workspace[1 << 12];

static void run(int64_t last, const float *x) {
  int64_t fault[SKRIPTND_FAULT_WORDS] = {7, 7, 7, 7}, i[3] = {0, 1, last};
  float y[3];
  const void *inputs[] = {x, i};
  void *outputs[] = {y};
  int32_t status = skriptnd_run(inputs, 0, prepared, outputs, 0, 0, workspace, fault, 0);
  /* The record means something if the status is above 0. */
  if (status > 0)
    printf("fault %d: %d, %d\n", (int)status, (int)fault[0], (int)fault[1]);
  else
    printf("status %d\n", (int)status);
}

int main(void) {
  float x[3] = {1, 2, 3};
  if (skriptnd_prepared_bytes > (int64_t)sizeof prepared || skriptnd_workspace_bytes > (int64_t)sizeof workspace)
    return 2;
  run(1, x);
  run(2, x);
  run(0, x);
  run(0, 0);
  return 0;
}
