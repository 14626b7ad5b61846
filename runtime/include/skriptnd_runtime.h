/* The library that programs link to run compiled SkriptND models.
 *
 * A library is what skriptnd compile made: a shared library that is loaded, or an object that is linked into the
 * program. With the values of its variables it is a model, which nothing changes any more. A session runs a model, with
 * a workspace and with values of the variables that runs change. Sessions of one model run at the same time in several
 * threads; one session is used by one thread at a time.
 *
 * Functions return a status: 0, or what is wrong, which skriptnd_message puts into words; skriptnd_last_error gives the
 * details of the last failure of the calling thread. All arguments are checked as far as that can be done: a pointer that
 * leads nowhere can't be seen. Whatever happens, no function ends the process. What is made is freed by the _free function
 * of its kind, in any order: a model keeps its library, a session its model. */
#ifndef SKRIPTND_RUNTIME_H
#define SKRIPTND_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Done. */
#define SKRIPTND_OK 0

/* A pointer is NULL that must not be. */
#define SKRIPTND_NULL (-1)

/* A pointer is not aligned as what it leads to. */
#define SKRIPTND_MISALIGNED (-2)

/* An extent is negative or above its bound. */
#define SKRIPTND_EXTENT (-3)

/* A file can't be read or written, or is not what it should be. */
#define SKRIPTND_FILE (-4)

/* The library is no compiled model, or one of another version, machine or processor. */
#define SKRIPTND_LIBRARY (-5)

/* The number of tensors is not that of the model. */
#define SKRIPTND_COUNT (-6)

/* A tensor has elements of another type, or of none. */
#define SKRIPTND_TYPE (-7)

/* A tensor has another rank or other extents. */
#define SKRIPTND_SHAPE (-8)

/* A tensor has not enough memory; the bytes of an output say how much it needs. */
#define SKRIPTND_CAPACITY (-9)

/* There is nothing of this name or number. */
#define SKRIPTND_NAME (-10)

/* There is not enough memory. */
#define SKRIPTND_MEMORY (-11)

/* A truth value is neither 0 nor 1, or a text is not UTF-8. */
#define SKRIPTND_VALUE (-12)

/* Something that the model requires of the data did not hold in a run. */
#define SKRIPTND_FAULT (-13)

/* Memory of an output is used twice. */
#define SKRIPTND_OVERLAP (-14)

/* A defect of this library or of the compiled model. */
#define SKRIPTND_DEFECT (-15)

/* What a status means. Never NULL; the text lasts as long as the program. */
const char *skriptnd_message(int32_t status);

/* The details of the last failure of the calling thread: which tensor, what was expected and found; of a fault, the place in
 * the model's sources. Never NULL; the text lasts until the thread calls another function of this library that fails. */
const char *skriptnd_last_error(void);

/* Elements are float: real where nothing else is said. */
#define SKRIPTND_F32 1

/* Elements are int64_t: int where nothing else is said. */
#define SKRIPTND_I64 2

/* Elements are one byte each, 0 or 1. */
#define SKRIPTND_BOOL 3

/* Elements are floating-point numbers of IEEE 754 with 16 bits. */
#define SKRIPTND_F16 4

/* Elements are the upper halves of float. */
#define SKRIPTND_BF16 5

/* Elements are double. */
#define SKRIPTND_F64 6

/* Elements are int8_t. */
#define SKRIPTND_I8 7

/* Elements are uint8_t. */
#define SKRIPTND_U8 8

/* Elements are int16_t. */
#define SKRIPTND_I16 9

/* Elements are uint16_t. */
#define SKRIPTND_U16 10

/* Elements are int32_t. */
#define SKRIPTND_I32 11

/* Elements are uint32_t. */
#define SKRIPTND_U32 12

/* Elements are uint64_t. Models compute with int64_t of the same bits: what is from 2^63 on is negative there. */
#define SKRIPTND_U64 13

/* A tensor in memory of the caller: dense, the last extent is that of elements beside each other. */
typedef struct skriptnd_tensor {
  /* The elements, aligned as their type. Must not be NULL, not even where there are none. */
  void *data;
  /* Its extents, rank of them; for an output the place that takes them. May be NULL where rank is 0. */
  int64_t *shape;
  /* The number of extents. */
  int32_t rank;
  /* SKRIPTND_F32, SKRIPTND_I64 or another one: that which the model has for the tensor. */
  int32_t dtype;
  /* Bytes of memory at data. At least as many as the elements of an input take. */
  size_t capacity;
  /* Written for outputs: bytes that its elements take or, where capacity is too small, would take. */
  size_t bytes;
} skriptnd_tensor;

/* Threads that share the work of runs: `parallel_for` calls `body` with `data` and each number from 0 to `count`, excluded, in any
 * order and from any threads, and comes back when all calls have. The numbers are ranges of a loop, which the compiler has cut so
 * that each takes some microseconds; whoever does them, the results are the same bits. Several runs may call it at the same time. */
#ifndef SKRIPTND_POOL
#define SKRIPTND_POOL
typedef struct skriptnd_pool {
  void *context;
  void (*parallel_for)(void *context, int64_t count, void (*body)(void *data, int64_t range), void *data);
} skriptnd_pool;
#endif

/* A function of skriptnd.h. */
typedef int32_t (*skriptnd_prepare_function)(const void *const *, void *, void *);

/* A function of skriptnd.h. */
typedef int32_t (*skriptnd_shapes_function)(const int64_t *, int64_t *);

/* A function of skriptnd.h. */
typedef int32_t (*skriptnd_run_function)(const void *const *, const void *const *, const void *, void *const *,
    const int64_t *, int64_t *, void *, int64_t *, const skriptnd_pool *);

/* A function of skriptnd.h. */
typedef int32_t (*skriptnd_run_function_of7)(const void *const *, const void *const *, const void *, void *const *,
    const int64_t *, int64_t *, void *, int64_t *);

/* Tensors that a run takes. */
#define SKRIPTND_INPUT 0

/* Tensors that a model is given. */
#define SKRIPTND_VARIABLE 1

/* Tensors that a run gives. */
#define SKRIPTND_OUTPUT 2

/* Variables that a run changes. */
#define SKRIPTND_STATE 3

/* What skriptnd compile made. */
typedef struct skriptnd_library skriptnd_library;

/* What a model says of a tensor. The pointers last as long as the library. */
typedef struct skriptnd_tensor_info {
  /* Its name; of a variable the stem of its file. */
  const char *name;
  /* SKRIPTND_F32, SKRIPTND_I64 or another one: how the elements lie. */
  int32_t dtype;
  /* The number of extents. */
  int32_t rank;
  /* The extents; -1 for those that only a run knows. */
  const int64_t *shape;
} skriptnd_tensor_info;

/* Loads the shared library at path as its file is now; what is written to the file later does not change it. That runs code of
 * it: it must come from a trusted place. The status is SKRIPTND_LIBRARY where its code is for another machine or asks for what
 * this processor does not have. */
int32_t skriptnd_library_load(const char *path, skriptnd_library **library);

/* Takes a model that is linked into the program. Its arguments but the last are SKRIPTND_FUNCTIONS of skriptnd.h, or
 * PREFIX_FUNCTIONS of the header that skriptnd compile --prefix wrote. */
int32_t skriptnd_library_link(const char *metadata, skriptnd_prepare_function prepare,
    skriptnd_shapes_function shapes, skriptnd_run_function run, skriptnd_library **library);

/* Takes a model that is linked into the program with the values of its variables: weights is skriptnd_weights of skriptnd.h, or
 * PREFIX_weights; the other arguments are those of skriptnd_library_link. */
int32_t skriptnd_library_embed(const char *metadata, skriptnd_prepare_function prepare,
    skriptnd_shapes_function shapes, skriptnd_run_function run, const void *const *weights,
    skriptnd_library **library);

/* Frees a library; NULL is none. Models made of it stay. */
void skriptnd_library_free(skriptnd_library *library);

/* What the model says about itself, as JSON (skriptnd.h says of what form); NULL if library is. It lasts as long as the
 * library. */
const char *skriptnd_library_metadata(const skriptnd_library *library);

/* How many tensors of a role there are: SKRIPTND_INPUT, SKRIPTND_VARIABLE, SKRIPTND_OUTPUT or SKRIPTND_STATE. */
int32_t skriptnd_library_count(const skriptnd_library *library, int32_t role, size_t *count);

/* What is said of a tensor. */
int32_t skriptnd_library_tensor(const skriptnd_library *library, int32_t role, size_t index,
    skriptnd_tensor_info *info);

/* An extent of a tensor as the model writes it: a number, or an expression of the extents that a run knows. bound is the largest
 * value that it may have, or -1 where nothing limits it. The text lasts as long as the library. */
int32_t skriptnd_library_extent(const skriptnd_library *library, int32_t role, size_t index, size_t dimension,
    const char **expression, int64_t *bound);

/* The number of the tensor of a role that has a name. */
int32_t skriptnd_library_find(const skriptnd_library *library, int32_t role, const char *name, size_t *index);

/* How many extents the inputs leave to a run. */
int32_t skriptnd_library_extent_count(const skriptnd_library *library, size_t *count);

/* The name of such an extent, and its upper bound, or -1 if it has none. The name lasts as long as the library. */
int32_t skriptnd_library_open_extent(const skriptnd_library *library, size_t index, const char **name, int64_t *bound);

/* A library with the values of its variables, which any number of sessions share. */
typedef struct skriptnd_model skriptnd_model;

/* Makes a model of a library and the values of its variables, in their order; they are copied. */
int32_t skriptnd_model_new(const skriptnd_library *library, const skriptnd_tensor *variables, size_t count,
    skriptnd_model **model);

/* Makes a model of a library and the files of its variables, NAME.dat or NAME.npy in a folder. NAME of the variable w in the
 * graph G is main.G.w, G.w or w; files of several of these names must hold the same. Large files are mapped, not copied: where
 * one becomes shorter while it is in use, runs fail with SKRIPTND_FILE. Replace files by renaming others to them. */
int32_t skriptnd_model_read(const skriptnd_library *library, const char *folder, skriptnd_model **model);

/* Makes a model of a library and the values of its variables that come with it: those within it (skriptnd compile
 * --embed-weights), or else from the files that the note beside it names, or else from files beside it. A model that is linked into
 * the program is given its weights first: skriptnd_library_embed. */
int32_t skriptnd_model_load(const skriptnd_library *library, skriptnd_model **model);

/* Frees a model; NULL is none. Sessions of it stay. */
void skriptnd_model_free(skriptnd_model *model);

/* One user of a model: a workspace, and values of the variables that runs change. One thread at a time may use it. */
typedef struct skriptnd_session skriptnd_session;

/* Makes a session in which variables begin with the values that the model was given. */
int32_t skriptnd_session_new(const skriptnd_model *model, skriptnd_session **session);

/* Lets so many threads share the work of the session's runs, the one that runs it among them; 0 are as many as the processor has for
 * this process, as without this function. Sessions with as many share these threads. The results are the same bits for every number. */
int32_t skriptnd_session_threads(skriptnd_session *session, size_t count);

/* Lets the program's own threads share the work of the session's runs; what leads to them is copied. NULL: the thread that runs the
 * session does all. */
int32_t skriptnd_session_pool(skriptnd_session *session, const skriptnd_pool *pool);

/* Frees a session; NULL is none. */
void skriptnd_session_free(skriptnd_session *session);

/* Runs the model once. Inputs and outputs are in the order of the model. The shapes of the outputs are written to shape
 * and their sizes to bytes; their rank must be that of the model. Where the capacity of an output is too small, nothing
 * is run: the status is SKRIPTND_CAPACITY, and shapes and sizes say what all outputs need. Variables that the run changes
 * keep their new values for the next run of the session, unless it fails. A run with the same extents as the one before
 * allocates nothing and takes no lock. */
int32_t skriptnd_session_run(skriptnd_session *session, const skriptnd_tensor *inputs, size_t input_count,
    skriptnd_tensor *outputs, size_t output_count);

/* Tells the shapes and sizes that the outputs of a run on these inputs need, as skriptnd_session_run does; where only the
 * data determine an extent, the largest. Nothing is run; data and capacity of the outputs are not looked at. */
int32_t skriptnd_session_shapes(skriptnd_session *session, const skriptnd_tensor *inputs, size_t input_count,
    skriptnd_tensor *outputs, size_t output_count);

/* What is said of the last run of the session, if it failed; of a fault of the data with its place in the model's sources.
 * Empty otherwise, NULL if session is. The text lasts until the next run. */
const char *skriptnd_session_fault(const skriptnd_session *session);

/* Copies the value of a variable that runs change; value is described as an output is. */
int32_t skriptnd_session_get_state(const skriptnd_session *session, const char *name, skriptnd_tensor *value);

/* Gives a variable that runs change another value, which is copied. */
int32_t skriptnd_session_set_state(skriptnd_session *session, const char *name, const skriptnd_tensor *value);

/* Gives all variables that runs change the values that the model was given. */
int32_t skriptnd_session_reset(skriptnd_session *session);

/* Sets what random numbers are drawn from that have no seed in the model: runs that follow draw the same numbers as those of
 * another session with this seed. Without it, a session takes a number that nobody knows. */
int32_t skriptnd_session_seed(skriptnd_session *session, uint64_t seed);

/* Writes all variables that runs change to a folder, each to NAME.npy. */
int32_t skriptnd_session_save(const skriptnd_session *session, const char *folder);

/* Reads all variables that runs change from a folder that skriptnd_session_save wrote. Where one is missing or wrong, all
 * keep what they had. */
int32_t skriptnd_session_load(skriptnd_session *session, const char *folder);

/* The main function of a program that does nothing but run one model, as skriptnd compile --emit exe makes them: reads the
 * tensors that the command line names, and writes the outputs; --help tells more. note is JSON that has the files of
 * variables by their names; weights is NULL, or skriptnd_weights of skriptnd.h; group is NULL, or where that has skriptnd_group.
 * Gives the exit code. */
int32_t skriptnd_main(int32_t argc, const char *const *argv, const char *metadata, skriptnd_prepare_function prepare,
    skriptnd_shapes_function shapes, skriptnd_run_function run, const char *note, const void *const *weights,
    void **group);

#ifdef __cplusplus
}
#endif

#endif
