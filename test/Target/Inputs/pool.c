/* A program that brings its own threads: which ones do the ranges of a loop, and in which order, makes no difference. */
#include "shared.h"
#include "skriptnd_runtime.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 96, THREADS = 3 };

static int64_t ranges;

/* From the last to the first. */
static void backwards(void *context, int64_t count, void (*body)(void *, int64_t), void *data) {
  *(int64_t *)context += count;
  while (count--)
    body(data, count);
}

struct part {
  int64_t first, count;
  void (*body)(void *, int64_t);
  void *data;
};

static void *work(void *argument) {
  struct part *part = argument;
  for (int64_t range = part->first; range < part->count; range += THREADS)
    part->body(part->data, range);
  return NULL;
}

/* New threads for each loop. */
static void spawning(void *context, int64_t count, void (*body)(void *, int64_t), void *data) {
  pthread_t threads[THREADS];
  struct part parts[THREADS];
  *(int64_t *)context += count;
  for (int at = 0; at < THREADS; at++) {
    parts[at] = (struct part){at, count, body, data};
    if (pthread_create(&threads[at], NULL, work, &parts[at]))
      work(&parts[at]);
    else
      continue;
    threads[at] = pthread_self();
  }
  for (int at = 0; at < THREADS; at++)
    if (!pthread_equal(threads[at], pthread_self()))
      pthread_join(threads[at], NULL);
}

static float x[ROWS][ROWS], alone[ROWS][ROWS], shared[ROWS][ROWS];

static int32_t run(skriptnd_session *session, float (*y)[ROWS]) {
  int64_t shape[] = {ROWS, ROWS}, found[2];
  skriptnd_tensor input = {x, shape, 2, SKRIPTND_F32, sizeof x, 0}, output = {y, found, 2, SKRIPTND_F32, sizeof x, 0};
  return skriptnd_session_run(session, &input, 1, &output, 1);
}

static void compare(skriptnd_session *session, const char *what) {
  memset(shared, 0, sizeof shared);
  int32_t status = run(session, shared);
  printf("%s: %s, %s ranges\n", what, status ? skriptnd_last_error() : memcmp(alone, shared, sizeof x) ? "other bits" : "the same bits",
         ranges > 1 ? "several" : "no");
  ranges = 0;
}

int main(void) {
  skriptnd_library *library = NULL;
  skriptnd_model *model = NULL;
  skriptnd_session *session = NULL;
  for (int at = 0; at < ROWS * ROWS; at++)
    (&x[0][0])[at] = (float)(at * 37 % 101) / 101;
  if (skriptnd_library_link(SHARED_FUNCTIONS, &library) || skriptnd_model_new(library, NULL, 0, &model) ||
      skriptnd_session_new(model, &session) || skriptnd_session_pool(session, NULL) || run(session, alone)) {
    fprintf(stderr, "%s\n", skriptnd_last_error());
    return 1;
  }
  compare(session, "alone");
  skriptnd_pool pools[] = {{&ranges, backwards}, {&ranges, spawning}};
  skriptnd_session_pool(session, &pools[0]);
  compare(session, "backwards");
  skriptnd_session_pool(session, &pools[1]);
  compare(session, "own threads");
  const size_t counts[] = {0, 1, 2, 3, 16};
  for (int at = 0; at < 5; at++) {
    char what[32];
    snprintf(what, sizeof what, "%d threads", (int)counts[at]);
    if (skriptnd_session_threads(session, counts[at]))
      return 1;
    compare(session, what);
  }
  skriptnd_pool none = {NULL, NULL};
  int32_t missing = skriptnd_session_pool(session, &none);
  printf("no function: %d %s\n", (int)missing, skriptnd_last_error());
  int32_t status = skriptnd_session_threads(session, 5000);
  printf("too many: %d %s\n", (int)status, skriptnd_last_error());
  skriptnd_session_free(session);
  skriptnd_model_free(model);
  skriptnd_library_free(library);
  return 0;
}
