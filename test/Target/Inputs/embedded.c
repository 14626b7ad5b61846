/* test/Target/Inputs/release with its weights, linked into the program and run by libskriptnd. */
#include "skriptnd.h"
#include "skriptnd_runtime.h"
#include <stdio.h>

int main(void) {
  skriptnd_library *library, *bare;
  skriptnd_model *model;
  skriptnd_session *session;
  if (skriptnd_library_embed(SKRIPTND_FUNCTIONS, skriptnd_weights, &library) != SKRIPTND_OK ||
      skriptnd_model_load(library, &model) != SKRIPTND_OK || skriptnd_session_new(model, &session) != SKRIPTND_OK) {
    fprintf(stderr, "%s\n", skriptnd_last_error());
    return 1;
  }
  float x[3] = {1, 2, 3}, y[3], total[1];
  int64_t shape[] = {1, 3}, shapes[2][2];
  skriptnd_tensor input = {x, shape, 2, SKRIPTND_F32, sizeof x, 0};
  skriptnd_tensor outputs[] = {{y, shapes[0], 2, SKRIPTND_F32, sizeof y, 0},
                               {total, shapes[1], 1, SKRIPTND_F32, sizeof total, 0}};
  if (skriptnd_session_run(session, &input, 1, outputs, 2) != SKRIPTND_OK) {
    fprintf(stderr, "%s\n", skriptnd_last_error());
    return 1;
  }
  printf("linked: %g %g %g\n", y[0], y[1], y[2]);
  skriptnd_session_free(session);
  skriptnd_model_free(model);
  skriptnd_library_free(library);
  if (skriptnd_library_link(SKRIPTND_FUNCTIONS, &bare) != SKRIPTND_OK)
    return 1;
  int status = skriptnd_model_load(bare, &model);
  printf("no weights: %d %s\n", status, skriptnd_last_error());
  skriptnd_library_free(bare);
  return 0;
}
