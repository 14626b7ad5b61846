/* Runs an artifact of test/Target/Inputs/release twice by its own functions, if it has its weights, and once by libskriptnd. */
#include "skriptnd.h"
#include "skriptnd_runtime.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef int32_t prepare(const void *const *, void *, void *);
typedef int32_t shapes(const int64_t *, int64_t *);
typedef int32_t run(const void *const *, const void *const *, const void *, void *const *, const int64_t *, int64_t *,
                    void *, int64_t *);

static float x[3] = {1, 2, 3}, y[3], total[1], states[2][3];

static int directly(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  if (!library)
    return 1;
  printf("version %d\n", (int)*(const int32_t *)dlsym(library, "skriptnd_abi"));
  const void *const *weights = dlsym(library, "skriptnd_weights");
  if (!weights)
    return 0;
  int64_t extents[] = {1}, told[16], fault[SKRIPTND_FAULT_WORDS];
  if (((shapes *)dlsym(library, "skriptnd_shapes"))(extents, told) != 0)
    return 1;
  int64_t words = *(const int32_t *)dlsym(library, "skriptnd_shape_words");
  void *workspace = aligned_alloc(64, ((size_t)told[words - 1] / 64 + 1) * 64);
  void *prepared = aligned_alloc(64, ((size_t)*(const int64_t *)dlsym(library, "skriptnd_prepared_bytes") / 64 + 1) * 64);
  if (((prepare *)dlsym(library, "skriptnd_prepare"))(weights, prepared, workspace) != 0)
    return 1;
  const void *inputs[] = {x}, *variables[] = {weights[0], weights[1]};
  for (int number = 0; number < 2; number++) {
    void *outputs[] = {y, total, states[number]};
    int32_t status =
        ((run *)dlsym(library, "skriptnd_run"))(inputs, variables, prepared, outputs, extents, NULL, workspace, fault);
    printf("status %d: %g %g %g, %g\n", (int)status, y[0], y[1], y[2], total[0]);
    variables[1] = states[number];
  }
  return 0;
}

static int failed(const char *what) {
  fprintf(stderr, "%s: %s\n", what, skriptnd_last_error());
  return 1;
}

int main(int argc, char **argv) {
  skriptnd_library *library;
  skriptnd_model *model;
  skriptnd_session *session;
  if (argc != 2 || skriptnd_library_load(argv[1], &library) != SKRIPTND_OK)
    return failed("load");
  if (directly(argv[1]) != 0)
    return 1;
  if (skriptnd_model_load(library, &model) != SKRIPTND_OK || skriptnd_session_new(model, &session) != SKRIPTND_OK)
    return failed("model");
  int64_t shape[] = {1, 3};
  skriptnd_tensor input = {.dtype = SKRIPTND_F32, .rank = 2, .shape = shape, .data = x, .capacity = sizeof x};
  int64_t shapes[2][2];
  skriptnd_tensor outputs[] = {
      {.dtype = SKRIPTND_F32, .rank = 2, .shape = shapes[0], .data = y, .capacity = sizeof y},
      {.dtype = SKRIPTND_F32, .rank = 1, .shape = shapes[1], .data = total, .capacity = sizeof total},
  };
  if (skriptnd_session_run(session, &input, 1, outputs, 2) != SKRIPTND_OK)
    return failed("run");
  printf("loaded: %g %g %g\n", y[0], y[1], y[2]);
  skriptnd_session_free(session);
  skriptnd_model_free(model);
  skriptnd_library_free(library);
  return 0;
}
