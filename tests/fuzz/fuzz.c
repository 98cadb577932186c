/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.c - what the fuzz targets share. */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"

char *fuzz_text(const uint8_t *data, size_t n)
{
    char *const text = malloc(n + 1);

    P3D_ASSERT(text != NULL);
    if (n > 0)
        memcpy(text, data, n);
    text[n] = '\0';
    return text;
}

static char file_path[] = "/tmp/plan3d-fuzz-XXXXXX";
static int file = -1;

static void remove_file(void)
{
    unlink(file_path);
}

const char *fuzz_file(const uint8_t *data, size_t n)
{
    if (file < 0) {
        file = mkstemp(file_path);
        P3D_ASSERT(file >= 0);
        P3D_ASSERT(atexit(remove_file) == 0);
    }
    P3D_ASSERT(ftruncate(file, 0) == 0);
    P3D_ASSERT(pwrite(file, data, n, 0) == (ssize_t)n);
    return file_path;
}

void fuzz_check_error(bool ok, const p3d_error *err)
{
    P3D_ASSERT(ok == (err->code == P3D_OK));
    P3D_ASSERT(ok == (err->text[0] == '\0'));
    for (const char *c = err->text; *c != '\0'; c++)
        P3D_ASSERT((unsigned char)*c >= ' ' && *c != 0x7f);
}
