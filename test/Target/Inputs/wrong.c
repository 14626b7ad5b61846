/* Calls of the library that are wrong: each returns what is wrong, and nothing is touched. Between them some that are right;
 * the argument is a folder for states. */
#include "above.h"
#include "counter.h"
#include "skriptnd_runtime.h"
#include <stdio.h>
#include <string.h>

static void say(const char *what, int32_t status) { printf("%s: %d %s\n", what, (int)status, skriptnd_last_error()); }

/* A run whose data are not what the model requires: the second input has an index that is outside of the first. */
static void fault(void) {
  skriptnd_library *library = NULL;
  skriptnd_model *model = NULL;
  skriptnd_session *session = NULL;
  say("right", skriptnd_library_link(ABOVE_FUNCTIONS, &library));
  say("right", skriptnd_model_new(library, NULL, 0, &model));
  say("right", skriptnd_session_new(model, &session));
  float x[3] = {0}, y[3];
  int64_t at[3] = {0, 1, 2}, shape[] = {3}, found[1];
  skriptnd_tensor inputs[] = {{x, shape, 1, SKRIPTND_F32, sizeof x, 0}, {at, shape, 1, SKRIPTND_I64, sizeof at, 0}};
  skriptnd_tensor output = {y, found, 1, SKRIPTND_F32, sizeof y, 0};
  int32_t status = skriptnd_session_run(session, inputs, 2, &output, 1);
  printf("fault: %d %s\n", (int)status, skriptnd_session_fault(session));
  at[2] = 1;
  status = skriptnd_session_run(session, inputs, 2, &output, 1);
  printf("none: %d%s\n", (int)status, skriptnd_session_fault(session));
  skriptnd_session_free(session);
  skriptnd_model_free(model);
  skriptnd_library_free(library);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  skriptnd_library *library = NULL;
  skriptnd_model *model = NULL;
  skriptnd_session *session = NULL;
  float zeros[4] = {0}, x[4] = {1, 2, 3, 4}, y[4];
  int64_t shape[] = {3}, found[2], negative[] = {-1};
  skriptnd_tensor sum = {zeros, shape, 1, SKRIPTND_F32, sizeof zeros, 0};
  skriptnd_tensor input = {x, shape, 1, SKRIPTND_F32, sizeof x, 0}, output = {y, found, 1, SKRIPTND_F32, sizeof y, 0};

  say("no path", skriptnd_library_load(NULL, &library));
  say("no file", skriptnd_library_load("/nowhere/model.so", &library));
  say("no functions", skriptnd_library_link(counter_metadata, NULL, NULL, NULL, &library));
  say("other metadata", skriptnd_library_link("{}", counter_prepare, counter_shapes, counter_run, &library));
  say("no place", skriptnd_library_link(COUNTER_FUNCTIONS, NULL));
  say("right", skriptnd_library_link(COUNTER_FUNCTIONS, &library));

  size_t count;
  skriptnd_tensor_info info;
  say("no role", skriptnd_library_count(library, 7, &count));
  say("no tensor", skriptnd_library_tensor(library, SKRIPTND_INPUT, 1, &info));
  say("no name", skriptnd_library_find(library, SKRIPTND_INPUT, "z", &count));
  say("no folder", skriptnd_model_read(library, "/nowhere", &model));
  say("no variables", skriptnd_model_new(library, NULL, 0, &model));
  say("no array", skriptnd_model_new(library, NULL, 1, &model));
  say("right", skriptnd_model_new(library, &sum, 1, &model));
  say("no model", skriptnd_session_new(NULL, &session));
  say("right", skriptnd_session_new(model, &session));

  say("no session", skriptnd_session_run(NULL, &input, 1, &output, 1));
  say("no inputs", skriptnd_session_run(session, NULL, 0, &output, 1));
  skriptnd_tensor wrong = input;
  wrong.data = NULL;
  say("no data", skriptnd_session_run(session, &wrong, 1, &output, 1));
  wrong.data = (char *)x + 1;
  say("odd data", skriptnd_session_run(session, &wrong, 1, &output, 1));
  wrong = input, wrong.dtype = SKRIPTND_I64;
  say("integers", skriptnd_session_run(session, &wrong, 1, &output, 1));
  wrong = input, wrong.dtype = 99;
  say("no dtype", skriptnd_session_run(session, &wrong, 1, &output, 1));
  wrong = input, wrong.rank = -1;
  say("no rank", skriptnd_session_run(session, &wrong, 1, &output, 1));
  wrong = input, wrong.shape = NULL;
  say("no shape", skriptnd_session_run(session, &wrong, 1, &output, 1));
  wrong = input, wrong.shape = negative;
  say("negative", skriptnd_session_run(session, &wrong, 1, &output, 1));
  wrong = input, wrong.capacity = 8;
  say("short input", skriptnd_session_run(session, &wrong, 1, &output, 1));
  wrong = output, wrong.rank = 2;
  say("rank of output", skriptnd_session_run(session, &input, 1, &wrong, 1));
  wrong = output, wrong.data = x;
  say("in place", skriptnd_session_run(session, &input, 1, &wrong, 1));
  say("no state", skriptnd_session_get_state(session, "y", &output));
  say("no folder", skriptnd_session_load(session, "/nowhere"));
  say("right", skriptnd_session_run(session, &input, 1, &output, 1));
  say("other shape", skriptnd_session_set_state(session, "sum", &(skriptnd_tensor){x, (int64_t[]){4}, 1, SKRIPTND_F32, sizeof x, 0}));
  say("right", skriptnd_session_save(session, argv[1]));
  sum.data = x;
  say("right", skriptnd_session_set_state(session, "sum", &sum));
  say("right", skriptnd_session_run(session, &input, 1, &output, 1));
  printf("%g %g %g\n", y[0], y[1], y[2]);
  say("right", skriptnd_session_load(session, argv[1]));
  say("right", skriptnd_session_get_state(session, "main.Counter.sum", &output));
  printf("%g %g %g\n", y[0], y[1], y[2]);
  wrong = output, wrong.capacity = 4;
  say("short state", skriptnd_session_get_state(session, "sum", &wrong));
  say("no place to save", skriptnd_session_save(session, "/dev/null/state"));

  skriptnd_session_free(session);
  skriptnd_model_free(model);
  skriptnd_library_free(library);
  skriptnd_library_free(NULL);
  fault();
  return strcmp(skriptnd_message(-99), "an unknown status") != 0;
}
