/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h - what files say: names and values, in order, as text. */
#ifndef PLAN3D_EXCHANGE_READ_SETTINGS_H
#define PLAN3D_EXCHANGE_READ_SETTINGS_H

#include <stddef.h>

#include "plan3d/error.h"

enum {
    P3D_MAX_SETTINGS = 20000,
    P3D_MAX_IMPORT_BYTES = 64 << 20 /* of a file: logs are long */
};

/** One "name = value" of a file. */
typedef struct p3d_setting {
    char *name;  /* as in the table of a target, "parallelism.tp"; owned */
    char *value; /* without quotes, behind the name; NULL = a flag */
    int line;    /* 1-based */
    int file;    /* of which file, from 0 */
    bool used;   /* a table knew it */
} p3d_setting;

/** Zero to begin. */
typedef struct p3d_settings {
    p3d_setting *at;
    int n;
    int file; /* that is being read */
} p3d_settings;

/**
 * Append one.
 *
 * @param value  NULL for a flag
 * @return false with P3D_DATA (too many) or P3D_SYSTEM
 */
P3D_CHECK bool exchange_settings_add(p3d_settings *settings, const char *name,
        const char *value, int line, p3d_error *err);

/** The last setting of this name, which is the one that counts; NULL = none.
 *  Case, "-" and "_" are alike where `loose`. */
p3d_setting *exchange_settings_find(
        const p3d_settings *settings, const char *name, bool loose);

/** Mark every setting of this name as known. */
void exchange_settings_use(
        p3d_settings *settings, const char *name, bool loose);

/** Forget all but the first n. */
void exchange_settings_cut(p3d_settings *settings, int n);

/** Accepts a zero list. */
void exchange_settings_free(p3d_settings *settings);

#endif
