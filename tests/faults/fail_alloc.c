/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fail_alloc.c - memory that runs out: preloaded into a program, it refuses the
 * FAIL_AT-th allocation and all that follow until main() ends. At the end it
 * writes to the file COUNT_TO, if that is set, two lines for each place of the
 * program that allocates: the numbers of its first and last allocation; then
 * how many were asked for. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 4096 };

/* Of glibc. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *program, int argc, char **argv,
        void (*begin)(void), void (*end)(void), void (*end_linker)(void),
        void *stack_end);
start_function __libc_start_main;

/* Several threads may ask at once. */
static atomic_long n_asked;
static long fail_at = -1; /* not yet read; 0 = never */
static bool has_ended;
static main_function *real_main;

static struct {
    const void *caller;
    long first;
    long last;
} places[MAX_PLACES];

static void remember(const void *caller, long number)
{
    size_t i = ((uintptr_t)caller >> 2) % MAX_PLACES;

    for (int n = 0; n < MAX_PLACES; n++, i = (i + 1) % MAX_PLACES) {
        if (places[i].caller == NULL) {
            places[i].caller = caller;
            places[i].first = number;
        }
        if (places[i].caller == caller) {
            places[i].last = number;
            return;
        }
    }
}

static bool fails(const void *caller)
{
    long number;

    if (fail_at < 0) {
        const char *words = getenv("FAIL_AT");

        fail_at = words == NULL ? 0 : strtol(words, NULL, 10);
    }
    if (has_ended)
        return false;
    number = atomic_fetch_add(&n_asked, 1) + 1;
    remember(caller, number);
    if (fail_at == 0 || number < fail_at)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL
                                              : __libc_realloc(block, size);
}

static void write_counts(const char *path)
{
    FILE *const file = fopen(path, "w");

    if (file == NULL)
        abort();
    for (int i = 0; i < MAX_PLACES; i++)
        if (places[i].caller != NULL)
            (void)fprintf(file, "%ld\n%ld\n", places[i].first, places[i].last);
    if (fprintf(file, "%ld\n", (long)n_asked) < 0 || fclose(file) != 0)
        abort();
}

static int counted_main(int argc, char **argv, char **environment)
{
    const char *const path = getenv("COUNT_TO");
    const int status = real_main(argc, argv, environment);

    has_ended = true;
    if (path != NULL)
        write_counts(path);
    return status;
}

int __libc_start_main(main_function *program, int argc, char **argv,
        void (*begin)(void), void (*end)(void), void (*end_linker)(void),
        void *stack_end)
{
    start_function *start;
    void *const found = dlsym(RTLD_NEXT, "__libc_start_main");

    memcpy(&start, &found, sizeof(start));
    real_main = program;
    return start(counted_main, argc, argv, begin, end, end_linker, stack_end);
}
