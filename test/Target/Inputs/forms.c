// A model that takes double, uint16_t, bool, a bfloat and int8_t, and gives float, halves, int32_t, bool and uint64_t, without any of
// them being converted on the way.
#include "skriptnd_runtime.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void say(const char *what, int32_t status) {
  printf("%s: %d %s\n", what, status, status == SKRIPTND_OK ? "" : skriptnd_last_error());
}

static skriptnd_tensor tensor(void *data, int64_t *shape, int32_t dtype, size_t capacity) {
  skriptnd_tensor described = {data, shape, 1, dtype, capacity, 0};
  return described;
}

int main(int argc, char **argv) {
  skriptnd_library *library;
  skriptnd_model *model;
  skriptnd_session *session;
  say("load", skriptnd_library_load(argc > 1 ? argv[1] : "", &library));
  for (int32_t role = SKRIPTND_INPUT; role <= SKRIPTND_STATE; role++) {
    size_t count = 0;
    skriptnd_library_count(library, role, &count);
    for (size_t index = 0; index < count; index++) {
      skriptnd_tensor_info info;
      skriptnd_library_tensor(library, role, index, &info);
      const char *expression;
      int64_t bound;
      skriptnd_library_extent(library, role, index, 0, &expression, &bound);
      printf("%d %s: dtype %d [%s], at most %d\n", role, info.name, info.dtype, expression, (int)bound);
    }
  }

  uint16_t w = 0x4000; // 2.0
  int8_t sum[2] = {100, 20};
  float wide = 2;
  int64_t one[1] = {1}, two[1] = {2}, three[1] = {3}, found[5];
  skriptnd_tensor variables[2] = {tensor(&wide, one, SKRIPTND_F32, 4), tensor(sum, two, SKRIPTND_I8, 2)};
  say("wide variable", skriptnd_model_new(library, variables, 2, &model));
  variables[0] = tensor(&w, one, SKRIPTND_BF16, 2);
  say("model", skriptnd_model_new(library, variables, 2, &model));
  say("session", skriptnd_session_new(model, &session));

  double d[3] = {0.5, 1.00048828125, 70000};
  uint16_t i[3] = {65535, 1, 0};
  bool b[3] = {true, false, true}, c[3];
  float y[3];
  uint16_t h[3];
  int32_t j[3];
  uint64_t t[2];
  skriptnd_tensor inputs[3] = {tensor(d, three, SKRIPTND_F64, sizeof d), tensor(i, three, SKRIPTND_U16, sizeof i),
                               tensor(b, three, SKRIPTND_BOOL, sizeof b)};
  skriptnd_tensor outputs[5] = {tensor(y, found, SKRIPTND_F32, sizeof y), tensor(h, found + 1, SKRIPTND_F16, sizeof h),
                                tensor(j, found + 2, SKRIPTND_I32, sizeof j), tensor(c, found + 3, SKRIPTND_BOOL, sizeof c),
                                tensor(t, found + 4, SKRIPTND_U64, sizeof t)};
  for (int run = 0; run < 2; run++) {
    say("run", skriptnd_session_run(session, inputs, 3, outputs, 5));
    printf("y[%d] = %g %g %g, %d bytes\n", (int)found[0], y[0], y[1], y[2], (int)outputs[0].bytes);
    printf("h[%d] = %04x %04x %04x, %d bytes\n", (int)found[1], h[0], h[1], h[2], (int)outputs[1].bytes);
    printf("j[%d] = %d %d %d, %d bytes\n", (int)found[2], j[0], j[1], j[2], (int)outputs[2].bytes);
    printf("c[%d] = %d %d %d, t[%d] = %lld %lld\n", (int)found[3], c[0], c[1], c[2], (int)found[4], (long long)t[0], (long long)t[1]);
  }
  int8_t state[2];
  skriptnd_tensor value = tensor(state, found, SKRIPTND_I8, sizeof state);
  say("state", skriptnd_session_get_state(session, "sum", &value));
  printf("sum = %d %d, %d bytes\n", state[0], state[1], (int)value.bytes);
  value.dtype = SKRIPTND_I64;
  say("wide state", skriptnd_session_get_state(session, "sum", &value));
  say("another wide state", skriptnd_session_set_state(session, "sum", &value));

  skriptnd_tensor wrong[5];
  memcpy(wrong, inputs, sizeof inputs);
  wrong[0].dtype = SKRIPTND_F32;
  say("float for double", skriptnd_session_run(session, wrong, 3, outputs, 5));
  say("and shapes", skriptnd_session_shapes(session, wrong, 3, outputs, 5));
  memcpy(wrong, outputs, sizeof outputs);
  wrong[2].dtype = SKRIPTND_U32;
  say("unsigned", skriptnd_session_run(session, inputs, 3, wrong, 5));
  say("and shapes", skriptnd_session_shapes(session, inputs, 3, wrong, 5));
  wrong[2] = outputs[2], wrong[2].capacity = 8;
  say("short", skriptnd_session_run(session, inputs, 3, wrong, 5));
  printf("%d bytes\n", (int)wrong[2].bytes);
  wrong[2] = outputs[2], wrong[2].data = (char *)j + 2;
  say("odd", skriptnd_session_run(session, inputs, 3, wrong, 5));
  skriptnd_session_free(session);
  skriptnd_model_free(model);
  skriptnd_library_free(library);
  return 0;
}
