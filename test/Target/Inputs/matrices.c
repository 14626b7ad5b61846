/* Calls the functions of a product of 128 x 64 and 64 x 64 bytes, of which nobody has asked the system for the registers that it needs. */
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
  static uint8_t x[128][64], y[128][64];
  static int8_t w[64][64];
  static int32_t bias[64];
  for (int i = 0; i < 128; i++)
    for (int j = 0; j < 64; j++)
      x[i][j] = (uint8_t)(i + 3 * j), w[i / 2][j] = (int8_t)(i - 2 * j);
  const void *inputs[] = {x}, *variables[] = {w, bias};
  void *outputs[] = {y};
  int64_t fault[SKRIPTND_FAULT_WORDS];
  void *prepared = allocate(skriptnd_prepared_bytes), *workspace = allocate(skriptnd_workspace_bytes);
  int32_t status = skriptnd_prepare(variables, prepared, workspace);
  for (int run = 0; run < 2 && status == 0; run++)
    status = skriptnd_run(inputs, variables, prepared, outputs, NULL, NULL, workspace, fault, 0);
  int wrong = 0;
  for (int i = 0; i < 128; i++)
    for (int j = 0; j < 64; j++) {
      int64_t sum = 0;
      for (int k = 0; k < 64; k++)
        sum += x[i][k] * w[k][j];
      sum = ((sum * 1234567890 + 549755813888) >> 40) + 3;
      wrong += y[i][j] != (sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
  printf("status %d, %d wrong\n", (int)status, wrong);
  return status || wrong;
}
