/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fail_alloc.c - memory that runs out: preloaded into a program, it refuses the
 * FAIL_AT-th allocation and all that follow. At the end it writes how many were
 * asked for to the file COUNT_TO, if that is set. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of glibc. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);

static long n_asked;
static long fail_at = -1; /* not yet read; 0 = never */

static bool fails(void)
{
    if (fail_at < 0) {
        const char *words = getenv("FAIL_AT");

        fail_at = words == NULL ? 0 : strtol(words, NULL, 10);
    }
    n_asked++;
    if (fail_at == 0 || n_asked < fail_at)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
    return fails() ? NULL : __libc_realloc(block, size);
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("COUNT_TO");
    const int fd =
            path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char line[32];
    const int length = snprintf(line, sizeof(line), "%ld\n", n_asked);

    if (fd < 0)
        return;
    if (write(fd, line, (size_t)length) != length)
        abort();
    (void)close(fd);
}
