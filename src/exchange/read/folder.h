/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.h - a folder in the place of a file. */
#ifndef PLAN3D_EXCHANGE_READ_FOLDER_H
#define PLAN3D_EXCHANGE_READ_FOLDER_H

#include "plan3d/error.h"

/** Fail where a path is a folder, with the files in it, or beneath it, that say
 *  a training.
 *  @return false with P3D_DATA: a folder; P3D_SYSTEM: no memory */
P3D_CHECK bool exchange_check_folder(const char *path, p3d_error *err);

#endif
