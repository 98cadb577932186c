/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builtin.c - finds the files that the library holds itself. */
#include "base/builtin.h"

#include <stdlib.h>
#include <string.h>

static const size_t n_mark = sizeof(P3D_BUILTIN) - 1;

bool p3d_is_builtin(const char *path)
{
    return strncmp(path, P3D_BUILTIN, n_mark) == 0;
}

static int compare(const void *name, const void *file)
{
    return strcmp(name, ((const p3d_builtin_file *)file)->name);
}

const p3d_builtin_file *p3d_builtin_find(const char *path)
{
    if (!p3d_is_builtin(path))
        return NULL;
    return bsearch(path + n_mark, p3d_builtin_files,
            (size_t)p3d_n_builtin_files, sizeof(p3d_builtin_files[0]), compare);
}

const char *p3d_builtin_in(const p3d_builtin_file *file, const char *folder)
{
    const size_t n = strlen(folder);

    return strncmp(file->name, folder, n) == 0 && file->name[n] == '/'
                   ? file->name + n + 1
                   : NULL;
}
