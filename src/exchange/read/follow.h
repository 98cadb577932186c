/* SPDX-License-Identifier: GPL-3.0-or-later */
/* follow.h - files that files name. */
#ifndef PLAN3D_EXCHANGE_READ_FOLLOW_H
#define PLAN3D_EXCHANGE_READ_FOLLOW_H

#include "base/text.h"
#include "exchange/read/read.h"

/**
 * Find DeepSpeed's JSON where settings name one and none has been read.
 *
 * @param files  names of those that were read
 * @param path     appended: of the JSON, which is beside them
 * @param missing  appended where it is not: what is missing, in words
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool exchange_follow(const exchange_settings *settings,
        const char *const *files, p3d_text *path, p3d_text *missing,
        p3d_error *err);

/**
 * Find a file that another one names: from its folder or one that this is in,
 * or by the last part of its name beside it.
 *
 * @param path  appended; nothing where there is none
 */
void exchange_find_beside(const char *file, const char *value, p3d_text *path);

#endif
