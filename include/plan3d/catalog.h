/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catalog.h - the data files that come with plan3d. */
#ifndef PLAN3D_CATALOG_H
#define PLAN3D_CATALOG_H

#include <stddef.h>

#include "plan3d/api.h"
#include "plan3d/error.h"

P3D_API_BEGIN

/** Folders of data. */
typedef enum p3d_folder {
    P3D_MODELS,
    P3D_GPUS,
    P3D_NODES,
    P3D_FABRICS,
    P3D_CALIBRATIONS,
    P3D_N_FOLDERS
} p3d_folder;

/** Names of the files of one folder without ".json", sorted. */
typedef struct p3d_catalog {
    char (*names)[96];
    int n_names;
    char directory[1024];
} p3d_catalog;

/**
 * List a folder. Looked for in $PLAN3D_DATA, then in the build tree, then
 * where `make install` put it; the first that exists is taken. Where there is
 * none, or PLAN3D_DATA is "builtin:", it is the library's own, whose directory
 * is "builtin:models" and the like: paths that the library reads as files.
 *
 * @param out  release with p3d_catalog_free(); untouched on failure
 * @return false with P3D_SYSTEM when the folder cannot be read
 */
P3D_CHECK bool p3d_catalog_open(
        p3d_folder folder, p3d_catalog *out, p3d_error *err);

void p3d_catalog_free(p3d_catalog *catalog);

/** Path of the i-th file into a buffer. */
void p3d_catalog_path(const p3d_catalog *catalog, int i, char *path, size_t n);

P3D_API_END

#endif
