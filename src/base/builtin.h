/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builtin.h - the files of models/ and hardware/ as they were when the library
 * was built. */
#ifndef PLAN3D_BASE_BUILTIN_H
#define PLAN3D_BASE_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>

/** What the path of such a file begins with. A file of a folder that has such
 *  a name is "./builtin:...". */
#define P3D_BUILTIN "builtin:"

/** One of them: "models/gpt2.json". */
typedef struct p3d_builtin_file {
    const char *name;
    const char *text;
    size_t length;
} p3d_builtin_file;

/** All of them in the order of their names; written by tests/tools/embed. */
extern const p3d_builtin_file p3d_builtin_files[];
extern const int p3d_n_builtin_files;

/** The file that a path "builtin:models/gpt2.json" names, or NULL. */
const p3d_builtin_file *p3d_builtin_find(const char *path);

/** The name of a file in a folder ("models"), NULL for those that are not
 *  in it. */
const char *p3d_builtin_in(const p3d_builtin_file *file, const char *folder);

/** True for the path of a built-in file, be it there or not. */
bool p3d_is_builtin(const char *path);

#endif
