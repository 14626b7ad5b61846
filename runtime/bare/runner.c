/*
 * Runs a compiled model once, between standard input and standard output. All numbers are little-endian 32-bit words.
 *
 * Input: the word MAGIC, the numbers of inputs, variables and outputs, the bytes of prepared memory and of workspace, the
 * number of extents, the number of words of the shapes of the outputs, the number of operations that are counted, then the bytes of each input, variable and output, then the contents of the inputs and of the
 * variables, then the extents, of two words each.
 * Output: the word MAGIC, packets, instructions and HVX instructions of the run (preparation is not counted), its
 * status, the bytes of workspace for its extents, then the shapes of the outputs in words of 64 bits and their contents, and of each operation how
 * often it began and what was executed of it, or the record of the fault if the status is not 0.
 */
#include "bare.h"
#include "../include/skriptnd.h"

enum { MAGIC = 0x444e4b53 }; /* "SKND" */
enum { HEADER_WORDS = 9, MOST_TENSORS = 4096, MOST_OPERATIONS = 1 << 20 };
enum { BAD_REQUEST = 2, NO_MEMORY = 3, NOT_PREPARED = 4, NO_OUTPUT = 5 };

static uint32_t sizes[MOST_TENSORS];
static void *buffers[MOST_TENSORS];

static void read_all(void *to, uint32_t count) {
  for (char *at = to; count;) {
    int got = read_bytes(at, count);
    if (got <= 0)
      leave(BAD_REQUEST);
    at += got;
    count -= (uint32_t)got;
  }
}

static void write_all(const void *from, uint32_t count) {
  for (const char *at = from; count;) {
    int written = write_bytes(at, count);
    if (written <= 0)
      leave(NO_OUTPUT);
    at += written;
    count -= (uint32_t)written;
  }
}

static void *allocate(uint32_t bytes) {
  void *pages = allocate_pages(bytes ? bytes : 1);
  if (!pages)
    leave(NO_MEMORY);
  return pages;
}

struct operation {
  uint32_t calls;
  struct counters spent;
};

static struct operation *operations;
static uint32_t operation_count;
static int64_t running = -1;
static struct counters begun;

/* Only a model that is compiled to be profiled has it. */
extern int64_t skriptnd_profiler __attribute__((weak));

/* Only a model that is compiled to have VTCM has these. Emulators have none: it is memory as any other. */
extern int64_t skriptnd_vtcm __attribute__((weak));
extern const int64_t skriptnd_vtcm_bytes __attribute__((weak));

/* What a marked model calls before an operation, with its number, and behind it, with -1. */
static void mark(int64_t number, int64_t work, int64_t bytes) {
  struct counters now = read_counters();
  (void)work, (void)bytes;
  if (running >= 0) {
    struct counters *spent = &operations[running].spent;
    spent->packets += now.packets - begun.packets;
    spent->instructions += now.instructions - begun.instructions;
    spent->vector_instructions += now.vector_instructions - begun.vector_instructions;
  }
  running = number < (int64_t)operation_count ? number : -1;
  if (running >= 0)
    operations[running].calls++;
  begun = read_counters();
}

int main(void) {
  uint32_t header[HEADER_WORDS];
  read_all(header, sizeof header);
  uint32_t inputs = header[1], variables = header[2], outputs = header[3];
  if (header[0] != MAGIC || inputs > MOST_TENSORS || variables > MOST_TENSORS || outputs > MOST_TENSORS ||
      inputs + variables + outputs > MOST_TENSORS)
    return BAD_REQUEST;
  uint32_t tensors = inputs + variables + outputs;
  read_all(sizes, tensors * sizeof *sizes);
  for (uint32_t i = 0; i < tensors; i++)
    buffers[i] = allocate(sizes[i]);
  for (uint32_t i = 0; i < inputs + variables; i++)
    read_all(buffers[i], sizes[i]);
  void *prepared = allocate(header[4]);
  int64_t *extents = allocate(header[6] * (uint32_t)sizeof *extents), *shapes = allocate((uint32_t)skriptnd_shape_words * (uint32_t)sizeof *shapes);
  read_all(extents, header[6] * sizeof *extents);
  if (skriptnd_shapes(extents, shapes) != 0)
    return BAD_REQUEST;
  void *workspace = allocate((uint32_t)shapes[skriptnd_shape_words - 1]);
  if (header[7] >= (uint32_t)skriptnd_shape_words)
    return BAD_REQUEST;
  int64_t *found = allocate(header[7] * (uint32_t)sizeof *found);
  operation_count = header[8] < MOST_OPERATIONS ? header[8] : MOST_OPERATIONS;
  operations = allocate(operation_count * (uint32_t)sizeof *operations);

  if (skriptnd_prepare((const void *const *)buffers + inputs, prepared, workspace) != 0)
    return NOT_PREPARED;
  if (&skriptnd_vtcm)
    skriptnd_vtcm = (intptr_t)allocate((uint32_t)skriptnd_vtcm_bytes);
  if (operation_count && &skriptnd_profiler)
    skriptnd_profiler = (intptr_t)mark;
  int64_t fault[SKRIPTND_FAULT_WORDS] = {0};
  struct counters before = read_counters();
  int status = skriptnd_run((const void *const *)buffers, (const void *const *)buffers + inputs, prepared,
                            buffers + inputs + variables, extents, found, workspace, fault, NULL);
  struct counters after = read_counters();

  uint32_t answer[6] = {MAGIC, after.packets - before.packets, after.instructions - before.instructions,
                        after.vector_instructions - before.vector_instructions, (uint32_t)status,
                        (uint32_t)shapes[skriptnd_shape_words - 1]};
  write_all(answer, sizeof answer);
  if (status != 0) {
    write_all(fault, sizeof fault);
    return 0;
  }
  write_all(found, header[7] * (uint32_t)sizeof *found);
  for (uint32_t i = inputs + variables; i < tensors; i++)
    write_all(buffers[i], sizes[i]);
  write_all(operations, operation_count * (uint32_t)sizeof *operations);
  return 0;
}
