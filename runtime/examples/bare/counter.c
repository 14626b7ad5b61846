/*
 * Without a library: runs a compiled model that keeps a variable from run to run. With the model of test/Integration/Inputs/counter.sknd,
 * whose output is its input plus the variable `sum`, to which the input is then added:
 *
 *     skriptnd compile counter.sknd -o libcounter.so
 *     cc -I runtime/include runtime/examples/bare/counter.c -o counter -L. -lcounter -Wl,-rpath,.
 */
#include "skriptnd.h"
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 3, RUNS = 3 };

static void *allocate(int64_t bytes) {
  size_t whole = (size_t)(bytes + SKRIPTND_ALIGNMENT - 1) / SKRIPTND_ALIGNMENT * SKRIPTND_ALIGNMENT;
  void *memory = aligned_alloc(SKRIPTND_ALIGNMENT, whole ? whole : SKRIPTND_ALIGNMENT);
  if (!memory)
    exit(2);
  return memory;
}

static void check(int32_t status, const char *function) {
  if (status != 0) {
    fprintf(stderr, "%s returned %d\n", function, (int)status);
    exit(1);
  }
}

int main(void) {
  if (skriptnd_input_count != 1 || skriptnd_variable_count != 1 || skriptnd_output_count != 2 ||
      skriptnd_state_count != 1) {
    fprintf(stderr, "another model is expected; this one is %s\n", skriptnd_metadata);
    return 1;
  }
  float x[LENGTH] = {1, 2, 3}, y[LENGTH];
  int64_t fault[SKRIPTND_FAULT_WORDS];
  /* The variable, and where its new value goes: they change places after each run. */
  float sums[2][LENGTH] = {{0, 0, 0}};
  void *prepared = allocate(skriptnd_prepared_bytes), *workspace = allocate(skriptnd_workspace_bytes);

  const void *first[] = {sums[0]};
  check(skriptnd_prepare(first, prepared, workspace), "skriptnd_prepare");
  for (int run = 0; run < RUNS; run++) {
    const void *inputs[] = {x}, *variables[] = {sums[run % 2]};
    void *outputs[] = {y, sums[(run + 1) % 2]};
    check(skriptnd_run(inputs, variables, prepared, outputs, NULL, NULL, workspace, fault, NULL), "skriptnd_run");
    const float *sum = outputs[1];
    printf("y = %g %g %g, sum = %g %g %g\n", y[0], y[1], y[2], sum[0], sum[1], sum[2]);
  }

  /* Wrong calls do nothing and say why. */
  const void *inputs[] = {x}, *variables[] = {sums[0]};
  void *outputs[] = {y, NULL};
  int32_t status = skriptnd_run(inputs, variables, prepared, outputs, NULL, NULL, workspace, fault, NULL);
  printf("without a place for the state: %d\n", (int)status);
  status = skriptnd_run(NULL, variables, prepared, outputs, NULL, NULL, workspace, fault, NULL);
  printf("without inputs: %d\n", (int)status);
  free(prepared);
  free(workspace);
  return 0;
}
