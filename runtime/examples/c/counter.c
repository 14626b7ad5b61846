/*
 * Loads a compiled model and runs it a few times. With the model of counter.sknd beside this file, whose output is its input
 * plus the variable `sum`, to which the input is then added:
 *
 *     skriptnd compile counter.sknd -o counter.so
 *     cc -I INCLUDE counter.c -o counter -L LIBRARIES -lskriptnd
 *     ./counter counter.so
 *
 * where INCLUDE is runtime/include of this project, and LIBRARIES the folder that `cargo xtask build` leaves libskriptnd in.
 */
#include "skriptnd_runtime.h"
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 3 };

/* Ends the program where a function did not do what it was asked for. */
static void check(int32_t status, const char *what) {
  if (status != SKRIPTND_OK) {
    fprintf(stderr, "%s: %s: %s\n", what, skriptnd_message(status), skriptnd_last_error());
    exit(1);
  }
}

/* What the model says about its tensors of a role. */
static void describe(const skriptnd_library *library, int32_t role, const char *name) {
  size_t count;
  check(skriptnd_library_count(library, role, &count), "count");
  for (size_t index = 0; index < count; index++) {
    skriptnd_tensor_info info;
    check(skriptnd_library_tensor(library, role, index, &info), "tensor");
    printf("%s %s:", name, info.name);
    for (int32_t dimension = 0; dimension < info.rank; dimension++)
      printf(" %d", (int)info.shape[dimension]);
    printf("\n");
  }
}

/* A tensor of float numbers in an array. */
static skriptnd_tensor reals(float *data, int64_t *shape) {
  skriptnd_tensor tensor = {data, shape, 1, SKRIPTND_F32, (size_t)shape[0] * sizeof *data, 0};
  return tensor;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: counter MODEL.so\n");
    return 2;
  }
  skriptnd_library *library;
  check(skriptnd_library_load(argv[1], &library), argv[1]);
  describe(library, SKRIPTND_INPUT, "input");
  describe(library, SKRIPTND_STATE, "state");
  describe(library, SKRIPTND_OUTPUT, "output");

  /* The variable begins with zeros. A model with files of variables is made by skriptnd_model_read. */
  float zeros[LENGTH] = {0};
  int64_t shape[] = {LENGTH}, found[1];
  skriptnd_tensor variable = reals(zeros, shape);
  skriptnd_model *model;
  check(skriptnd_model_new(library, &variable, 1, &model), "model");
  skriptnd_session *session;
  check(skriptnd_session_new(model, &session), "session");

  float x[LENGTH] = {1, 2, 3}, y[LENGTH], sum[LENGTH];
  skriptnd_tensor input = reals(x, shape);
  skriptnd_tensor output = {y, found, 1, SKRIPTND_F32, sizeof y, 0};
  for (int run = 0; run < 3; run++) {
    check(skriptnd_session_run(session, &input, 1, &output, 1), "run");
    printf("y[%d] = %g %g %g\n", (int)found[0], y[0], y[1], y[2]);
  }
  skriptnd_tensor state = {sum, found, 1, SKRIPTND_F32, sizeof sum, 0};
  check(skriptnd_session_get_state(session, "sum", &state), "state");
  printf("sum = %g %g %g\n", sum[0], sum[1], sum[2]);
  check(skriptnd_session_reset(session), "reset");
  check(skriptnd_session_run(session, &input, 1, &output, 1), "run");
  printf("after a reset: y = %g %g %g\n", y[0], y[1], y[2]);

  /* Wrong calls do nothing and say why. */
  output.capacity = 4;
  int32_t status = skriptnd_session_run(session, &input, 1, &output, 1);
  printf("%s: %d bytes are needed\n", skriptnd_message(status), (int)output.bytes);
  int64_t longer[] = {4};
  input.shape = longer;
  input.capacity = 16;
  status = skriptnd_session_run(session, &input, 1, &output, 1);
  printf("%s: %s\n", skriptnd_message(status), skriptnd_session_fault(session));

  skriptnd_session_free(session);
  skriptnd_model_free(model);
  skriptnd_library_free(library);
  return 0;
}
