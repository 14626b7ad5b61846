/*
 * The C interface of a compiled SkriptND model.
 *
 * Tensors are dense and row-major: `real` is float, `int` is int64_t, `bool` is one byte that is 0 or 1. Pointers to
 * tensors are aligned as their elements, those to prepared memory and workspace to 64 bytes. The functions allocate
 * nothing and may be called from several threads with different outputs and workspaces. They return 0, or a positive
 * number where a run-time check failed.
 */
#ifndef SKRIPTND_H
#define SKRIPTND_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* JSON, zero-terminated: names, types and extents of inputs, variables and outputs in the order of the arrays below,
 * the bytes of prepared memory and of workspace, and the version of this interface, "abi": 1. */
extern const char skriptnd_metadata[];

/* Computes once what depends on variables only, such as packed weights, into `prepared`. */
int32_t skriptnd_prepare(const void *const *variables, void *prepared, void *workspace);

/* Runs the model once. */
int32_t skriptnd_run(const void *const *inputs, const void *const *variables, const void *prepared,
                     void *const *outputs, void *workspace);

#ifdef __cplusplus
}
#endif

#endif
