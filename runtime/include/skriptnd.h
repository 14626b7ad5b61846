/*
 * The C interface of a compiled SkriptND model: functions that need no library, for bare metal and for programs that bring
 * all memory themselves. skriptnd_runtime.h has another one over it, with names, checks of all tensors, sessions and states.
 *
 * `skriptnd compile --prefix NAME` makes an object whose names begin with NAME in place of `skriptnd`, and NAME.h, which
 * declares them: so several models can be linked into one program.
 *
 * Tensors are dense and row-major. The metadata say of each with what it is computed ("type": "real", "int" or "bool") and how its
 * elements lie ("storage"): "f32" (float), "i64" (int64_t) and "bool" (one byte, 0 or 1) where nothing else was asked for, else "f16",
 * "bf16" (the upper half of a float), "f64", "i8", "u8", "i16", "u16", "i32", "u32" or "u64". The functions read and write these
 * forms themselves: f64 is rounded to float, what is given as f16 or bf16 to the nearest one, halves to even; whole numbers lose the
 * bits that there are no places for, as in C; u64 has the bits of int64_t, so that what is from 2^63 on is negative in the model.
 * Pointers to tensors are aligned as their elements, those to prepared memory and workspace to SKRIPTND_ALIGNMENT bytes, as are
 * those to tensors where code for Hexagon has HVX. The functions allocate nothing, take up to 64 KiB of a thread's stack where there is an operating system, and may be called from several threads with
 * different outputs, workspaces and fault records. They return 0, the number of a fault where something that must hold in a run
 * did not (an index outside of its tensor, a division of integers by 0, a loop whose count is negative), or a negative number
 * where the call is wrong and nothing was done. The
 * first fault in the order of the model's statements counts; the run goes on to its end, and what it wrote to the outputs
 * is of no use.
 */
#ifndef SKRIPTND_H
#define SKRIPTND_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* JSON, zero-terminated: names, types and extents of inputs, variables and outputs in the order of the arrays below,
 * the bytes of prepared memory and of workspace, and the version of this interface, "abi": 8, and which "release" made it.
 *
 * "target", "cpu" and "features" say for which machine and processor the code was compiled, and what a processor must have for
 * it beyond what all of the architecture have, by LLVM's names. skriptnd_library_load and skriptnd_library_link look whether this
 * one has it; who calls the functions below directly has to know: on another processor they end the program by a signal.
 * Where there are several versions of the code (`--cpu A,B`), "versions" has the "cpu" and "features" of each, from the least to the
 * best, and "cpu" and "features" are those of the least. The functions take the best version that the processor has, which they find
 * out in their first call; on a processor that has none they return SKRIPTND_PROCESSOR.
 *
 * The "shape" of a tensor has a number for each extent, or an object where only a run knows it: {"expression": "2 * n", "bound": 64},
 * without "bound" where nothing limits it.
 * A variable of integers may have "values", {"least": -1024, "most": 1023}: the code relies on it that its elements lie between them, as
 * they did when it was compiled. skriptnd_runtime.h refuses others; who calls the functions below directly has to know. Of an output they
 * say between which numbers its elements lie in every run.
 * "extents" has the extents that such expressions are made of, in the order in which the functions below take them: their
 * "name", their "bound" or null, and which dimension of which input tells each of them, as "factor" times it plus "offset".
 *
 * A pack of tensors of which only a run knows the length is one tensor, marked by "pack": true: the tensors stand one behind the
 * other along its first dimension, whose extent is how many there are, 0 as well.
 *
 * "faults" has an entry for each fault, in the order of their numbers, which begin at 1: its "code", its "message", in
 * which {0}, {1}, ... stand for fault[1], fault[2], ... of the run, what to do about it ("help"), the "place" of
 * the statement ("file", and "start" and "end" as pairs of line and column) and the operators that were invoked on the way
 * there ("calls", innermost first). */
extern const char skriptnd_metadata[];

/* The version of the interface that the model was compiled for, and the one that this header describes: where they differ, another
 * release made the model, and what is below may be otherwise in it. */
extern const int32_t skriptnd_abi;
#define SKRIPTND_ABI 8

/* Only with --embed-weights: a pointer to the value of each variable, in the form and in the order in which the functions below take
 * them. A variable that runs change begins with its value here; its new values go to memory of the program. */
extern const void *const skriptnd_weights[];

/* How many pointers the arrays below have. Behind the outputs of the graph, `outputs` has those that take the new values
 * of variables ("states" in the metadata), the last `skriptnd_state_count` of all. A program that wants its variables to
 * keep them gives them to the next run as variables; what is prepared does not depend on them. */
extern const int32_t skriptnd_input_count;
extern const int32_t skriptnd_variable_count;
extern const int32_t skriptnd_output_count;
extern const int32_t skriptnd_state_count;

/* How many extents the functions below take, and how many words skriptnd_shapes writes. */
extern const int32_t skriptnd_extent_count;
extern const int32_t skriptnd_shape_words;

/* 1 where the model draws random numbers without a seed of their own, else 0 ("takes_seed" in the metadata). Then `extents` of
 * skriptnd_run has one more word behind the extents: any number. Equal numbers give equal results; give another one to each run. */
extern const int32_t skriptnd_seed_count;

/* Bytes of prepared memory and of workspace. Where there are extents, a run needs as much workspace as skriptnd_shapes says,
 * which is never less. */
extern const int64_t skriptnd_prepared_bytes;
extern const int64_t skriptnd_workspace_bytes;

/* What a wrong call returns: an array, a pointer in it (of an empty tensor, too) or memory that the model needs, or the
 * record of a fault, is NULL; prepared memory or workspace, or with HVX a tensor, does not begin at a multiple of
 * SKRIPTND_ALIGNMENT bytes; an extent is negative or above its bound, or a dimension of a tensor would be; the processor has none of several versions,
 * or the system does not let the process have registers that the code needs. */
#define SKRIPTND_NULL (-1)
#define SKRIPTND_MISALIGNED (-2)
#define SKRIPTND_EXTENT (-3)
#define SKRIPTND_PROCESSOR (-16)
#if defined(__hexagon__)
#define SKRIPTND_ALIGNMENT 128
#else
#define SKRIPTND_ALIGNMENT 64
#endif

/* Computes once what depends only on variables that no run changes, such as packed weights, into `prepared`. */
int32_t skriptnd_prepare(const void *const *variables, void *prepared, void *workspace);

/* Computes what follows from the extents of a run: the extents of each input, output and new value of a variable, one
 * behind the other, and the bytes of workspace behind them. Outputs whose extents only the data determine need memory for
 * what it says of them; skriptnd_run tells how much of it they took. Where an input has other extents, the model can't be run on it.
 * `extents` may be NULL where there are none. What is written to `shapes` is of no use where the status is not 0. */
int32_t skriptnd_shapes(const int64_t *extents, int64_t *shapes);

/* Words of the record of a fault: its number, which is also the status, and the values of its message. */
#define SKRIPTND_FAULT_WORDS 16

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

/* Runs the model once. The extents that the outputs and the new values of variables have are written to `shapes`, one
 * behind the other as skriptnd_shapes writes them, unless it is NULL. `fault` has SKRIPTND_FAULT_WORDS words, which a run may overwrite; they say what happened if the
 * status is above 0, and nothing otherwise. The threads of `pool` share the work; where it is NULL, the calling thread does all. */
int32_t skriptnd_run(const void *const *inputs, const void *const *variables, const void *prepared,
                     void *const *outputs, const int64_t *extents, int64_t *shapes, void *workspace, int64_t *fault,
                     const skriptnd_pool *pool);

/* Only with --shard: processes that share the work. Code asks which of them this is, and prepares and computes its part; `gather` gives every
 * process what all have written of a memory: from element `first` of `memory` on, `words` has the bytes of an element, the elements in a
 * unit that is not cut, and for a loop that is cut its extent and the elements from one index to the next, then the same two for each
 * loop within it. Of `units` units, process `rank` has those from units * rank / processes up to units * (rank + 1) / processes, excluded. */
#ifndef SKRIPTND_PROCESSES
#define SKRIPTND_PROCESSES
typedef struct skriptnd_processes {
  void *context;
  void (*gather)(void *context, void *memory, int64_t first, const int64_t *words, int64_t count);
  int64_t rank;
  int64_t processes;
} skriptnd_processes;
#endif

/* Only with --shard: the address of skriptnd_processes, to be set before skriptnd_prepare; 0 for one process that does all. */
extern int64_t skriptnd_group;

/* Only with --profile: where it is not 0, the address of a function `void (int64_t operation, int64_t work, int64_t bytes)` that a run
 * calls where an operation begins: its number among "operations" in the metadata, which have their lines of the model, the operations on
 * numbers that it does and the bytes that it reads and writes. Where it ends, it is called with -1. */
extern int64_t skriptnd_profiler;

/* Only with --vtcm: the address of memory in VTCM, of as many bytes as the other says ("vtcm_bytes" in the metadata), which begins at a
 * multiple of SKRIPTND_ALIGNMENT; on a device HAP_compute_res_acquire gives it, and any other memory does as well. It is to be set before skriptnd_run, which
 * returns SKRIPTND_NULL or SKRIPTND_MISALIGNED where it is not and is needed. What is in it between runs is of no use; runs of a model that has some
 * are one after the other, since they share it. */
extern int64_t skriptnd_vtcm;
extern const int64_t skriptnd_vtcm_bytes;

/* Only where there are several versions of the code: which one this processor takes, as its place in "versions" from 0 on, or
 * SKRIPTND_PROCESSOR. */
int32_t skriptnd_version(void);

/* The arguments of skriptnd_library_link of skriptnd_runtime.h. */
#define SKRIPTND_FUNCTIONS skriptnd_metadata, skriptnd_prepare, skriptnd_shapes, skriptnd_run

#ifdef __cplusplus
}
#endif

#endif
