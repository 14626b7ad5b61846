/* What the program of docs/deploy.md takes of a C library, for machines without one: hosted.c over runtime/bare. */
#ifndef HOSTED_STDIO_H
#define HOSTED_STDIO_H
/* Takes %d and %% alone. */
int printf(const char *format, ...);
#endif
