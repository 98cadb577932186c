/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_list.c - names of files with commas between them. */
#include "cli/file_list.h"

#include <stdio.h>
#include <string.h>

bool cli_next_file(cli_file_list *list, char *out, size_t n, p3d_error *err)
{
    const size_t length = list->at != NULL ? strcspn(list->at, ",") : 0;

    out[0] = '\0';
    if (list->at == NULL)
        return true;
    if (length == 0 || length >= n)
        return p3d_fail(err, P3D_USAGE, "%s: no name of a file; write %s",
                list->option, list->example);
    if (list->n == list->most)
        return p3d_fail(err, P3D_USAGE, "%s: more than %d files", list->option,
                list->most);
    snprintf(out, n, "%.*s", (int)length, list->at);
    list->n++;
    list->at = list->at[length] == ',' ? list->at + length + 1 : NULL;
    return true;
}
