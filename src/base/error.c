/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.c - records the first cause of a failure, and prints it; and mistakes
 * of callers. */
#include "plan3d/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "base/util.h"

int p3d_exit_status(p3d_code code)
{
    switch (code) {
#define P3D_AS_CASE(name, status, meaning) \
    case name: return status;
        P3D_CODES(P3D_AS_CASE)
#undef P3D_AS_CASE
    }
    return P3D_SYSTEM;
}

const char *p3d_print_error(char *buffer, size_t n, const p3d_error *err)
{
    bool has_file, has_pointer;
    char place[32] = "";

    if (buffer == NULL || n == 0)
        return "";
    buffer[0] = '\0';
    if (err == NULL)
        return buffer;
    has_file = err->file[0] != '\0';
    has_pointer = err->pointer[0] != '\0';
    if (has_file && err->line > 0 && err->column > 0)
        snprintf(place, sizeof(place), "%d:%d:", err->line, err->column);
    else if (has_file && err->line > 0)
        snprintf(place, sizeof(place), "%d:", err->line);
    snprintf(buffer, n, "%s%s%s%s%s%s%s", err->file, has_file ? ":" : "", place,
            has_file ? " " : "", err->pointer, has_pointer ? ": " : "",
            err->text);
    return buffer;
}

void p3d_record(p3d_error *err, p3d_code code, const char *fmt, ...)
{
    /* Longer than err->text: what is cut here was not going to fit there. */
    char text[2 * P3D_ERROR_TEXT];
    va_list args;

    if (err == NULL || err->code != P3D_OK || fmt == NULL)
        return;
    va_start(args, fmt);
    if (vsnprintf(text, sizeof(text), fmt, args) < 0)
        snprintf(text, sizeof(text), "a message that cannot be printed");
    va_end(args);
    err->code = code;
    p3d_show(err->text, sizeof(err->text), text);
}

bool p3d_misuse(p3d_error *err, const char *function)
{
    return p3d_fail(err, P3D_USAGE,
            "%s() was called with NULL, with a struct that nothing was read "
            "into, or with a number out of range; plan3d's headers say what "
            "it takes",
            function);
}
