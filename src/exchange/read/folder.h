/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.h - a folder in the place of a file. */
#ifndef PLAN3D_EXCHANGE_READ_FOLDER_H
#define PLAN3D_EXCHANGE_READ_FOLDER_H

#include "plan3d/error.h"

/**
 * The file that a folder stands for: the only one in it, or beneath it, that
 * says a training.
 *
 * @param file  its path, of the caller to free; NULL where `path` is no folder
 * @return false with P3D_DATA: a folder with none or with several, which the
 *         message names; P3D_SYSTEM: no memory
 */
P3D_CHECK bool exchange_folder_file(
        const char *path, char **file, p3d_error *err);

#endif
