/* Files that change under a program: a library that is compiled again to the same path, and weights that are cut off. The
 * arguments: two libraries, of which the second takes the place of the first, one with a variable, its folder and its file. */
#include "skriptnd_runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static float x[600000], y[600000];
static int64_t shape[] = {600, 1000}, found[2];

static int32_t run(skriptnd_session *session) {
  skriptnd_tensor input = {x, shape, 2, SKRIPTND_F32, sizeof x, 0};
  skriptnd_tensor output = {y, found, 2, SKRIPTND_F32, sizeof y, 0};
  return skriptnd_session_run(session, &input, 1, &output, 1);
}

/* A session with the variables of a folder; none if there are none. */
static skriptnd_session *begin(const char *path, const char *folder) {
  skriptnd_library *library;
  skriptnd_model *model;
  skriptnd_session *session;
  if (skriptnd_library_load(path, &library) ||
      (folder ? skriptnd_model_read(library, folder, &model) : skriptnd_model_new(library, NULL, 0, &model)) ||
      skriptnd_session_new(model, &session)) {
    printf("%s\n", skriptnd_last_error());
    exit(1);
  }
  skriptnd_library_free(library);
  skriptnd_model_free(model);
  return session;
}

int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  skriptnd_session *first = begin(argv[1], NULL);
  if (rename(argv[2], argv[1]))
    return 2;
  skriptnd_session *second = begin(argv[1], NULL);
  for (int round = 0; round < 2; round++) {
    int32_t status = run(first);
    printf("first: %d %g\n", (int)status, y[0]);
    status = run(second);
    printf("second: %d %g\n", (int)status, y[0]);
  }
  skriptnd_session_free(first);
  skriptnd_session_free(second);

  skriptnd_session *session = begin(argv[3], argv[4]);
  printf("whole: %d\n", (int)run(session));
  const long lengths[] = {2000000, 0};
  for (int at = 0; at < 2; at++) {
    if (truncate(argv[5], lengths[at]))
      return 2;
    int32_t status = run(session);
    printf("cut off: %d %s: %s\n", (int)status, skriptnd_message(status), skriptnd_last_error());
  }
  skriptnd_session_free(session);
  return 0;
}
