/* Two models in eight threads: each thread has a session of each, and finds what it would find alone. */
#include "counter.h"
#include "extents.h"
#include "skriptnd_runtime.h"
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8, RUNS = 200, ROWS = 4 };

static skriptnd_model *counter, *doubling;

/* The counter adds up what this thread gives it, and nothing else. */
static int counts(skriptnd_session *session, int number, int run) {
  int64_t shape[] = {3}, found[1];
  float x[3] = {(float)number, 1, 2}, y[3];
  skriptnd_tensor input = {x, shape, 1, SKRIPTND_F32, sizeof x, 0}, output = {y, found, 1, SKRIPTND_F32, sizeof y, 0};
  int32_t status = skriptnd_session_run(session, &input, 1, &output, 1);
  return status == SKRIPTND_OK && y[0] == (float)(number * (run + 1)) && y[2] == (float)(2 * (run + 1));
}

/* The other model takes another number of rows each time. */
static int doubles(skriptnd_session *session, int number, int run) {
  int64_t rows = (number + run) % ROWS + 1;
  int64_t shape[] = {rows, 3}, vector[] = {rows}, of_y[2], of_s[1];
  float x[ROWS * 3], v[ROWS] = {0}, y[2 * ROWS * 3], s[ROWS];
  for (int at = 0; at < rows * 3; at++)
    x[at] = (float)number;
  skriptnd_tensor inputs[] = {{x, shape, 2, SKRIPTND_F32, sizeof x, 0}, {v, vector, 1, SKRIPTND_F32, sizeof v, 0}};
  skriptnd_tensor outputs[] = {{y, of_y, 2, SKRIPTND_F32, sizeof y, 0}, {s, of_s, 1, SKRIPTND_F32, sizeof s, 0}};
  int32_t status = skriptnd_session_run(session, inputs, 2, outputs, 2);
  return status == SKRIPTND_OK && of_y[0] == 2 * rows && of_s[0] == rows && s[rows - 1] == (float)(3 * number);
}

static void *work(void *argument) {
  int number = *(int *)argument, wrong = 0;
  skriptnd_session *first = NULL, *second = NULL;
  if (skriptnd_session_new(counter, &first) || skriptnd_session_new(doubling, &second))
    return argument;
  for (int run = 0; run < RUNS; run++)
    wrong += !counts(first, number, run) + !doubles(second, number, run);
  skriptnd_session_free(first);
  skriptnd_session_free(second);
  return wrong ? argument : NULL;
}

int main(void) {
  skriptnd_library *library = NULL, *other = NULL;
  float zeros[3] = {0};
  int64_t shape[] = {3};
  skriptnd_tensor sum = {zeros, shape, 1, SKRIPTND_F32, sizeof zeros, 0};
  if (skriptnd_library_link(COUNTER_FUNCTIONS, &library) || skriptnd_model_new(library, &sum, 1, &counter) ||
      skriptnd_library_link(EXTENTS_FUNCTIONS, &other) || skriptnd_model_new(other, NULL, 0, &doubling)) {
    fprintf(stderr, "%s\n", skriptnd_last_error());
    return 1;
  }
  /* Models keep their libraries. */
  skriptnd_library_free(library);
  skriptnd_library_free(other);
  pthread_t threads[THREADS];
  int numbers[THREADS], failed = 0;
  for (int at = 0; at < THREADS; at++) {
    numbers[at] = at + 1;
    failed += pthread_create(&threads[at], NULL, work, &numbers[at]) != 0;
  }
  for (int at = 0; at < THREADS; at++) {
    void *wrong;
    pthread_join(threads[at], &wrong);
    failed += wrong != NULL;
  }
  skriptnd_model_free(counter);
  skriptnd_model_free(doubling);
  printf("%d threads, %d failed\n", THREADS, failed);
  return failed;
}
