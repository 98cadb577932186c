/* SPDX-License-Identifier: GPL-3.0-or-later */
/* follow.h - files that files name. */
#ifndef PLAN3D_EXCHANGE_READ_FOLLOW_H
#define PLAN3D_EXCHANGE_READ_FOLLOW_H

#include "base/text.h"
#include "exchange/read/read.h"

/** What was read so far. */
typedef struct exchange_follow_from {
    const exchange_settings *settings;
    const char *const *files; /* their names, by the settings' file */
    int n_files;
} exchange_follow_from;

/** A file that is named and was not read. Zero to begin. */
typedef struct exchange_followed {
    p3d_text path;    /* empty = there is none */
    p3d_text missing; /* what is, in words, where the file is not there */
    bool beneath;     /* what was read before counts more */
} exchange_followed;

/**
 * Find the next file that settings name and that has not been read.
 *
 * @param out  its path is empty where none is left
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool exchange_follow(const exchange_follow_from *from,
        exchange_followed *out, p3d_error *err);

/**
 * Find a file that another one names: from its folder or one that this is in,
 * or by the last part of its name beside it.
 *
 * @param path  appended; nothing where there is none
 */
void exchange_find_beside(const char *file, const char *value, p3d_text *path);

/** Length of the folder that the first n characters of a path are in, with its
 *  "/". @return -1 where it is not known */
int exchange_folder_above(const char *file, int n);

#endif
