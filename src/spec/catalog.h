/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catalog.h - where a single data file is. */
#ifndef PLAN3D_SPEC_CATALOG_H
#define PLAN3D_SPEC_CATALOG_H

#include "plan3d/catalog.h"

/** Bytes of the path of any data file. */
enum { SPEC_PATH = 1200 };

/**
 * Path of a file in a folder of data, which is looked for as those of
 * p3d_catalog_open().
 *
 * @param path  char[SPEC_PATH]
 */
void spec_data_path(const char *folder, const char *file, char *path);

#endif
