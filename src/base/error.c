/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.c - records the first cause of a failure. */
#include "plan3d/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"

void p3d_record(p3d_error *err, p3d_code code, const char *fmt, ...)
{
    /* Longer than err->text: what is cut here was not going to fit there. */
    char text[2 * P3D_ERROR_TEXT];
    va_list args;

    if (err == NULL || err->code != P3D_OK)
        return;
    va_start(args, fmt);
    if (vsnprintf(text, sizeof(text), fmt, args) < 0)
        snprintf(text, sizeof(text), "a message that cannot be printed");
    va_end(args);
    err->code = code;
    p3d_show(err->text, sizeof(err->text), text);
}
