/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.h - the files of a launch: made in memory, then written at once. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_EXPORT_H
#define PLAN3D_EXCHANGE_LAUNCH_EXPORT_H

#include "exchange/launch/target.h"

/** What starts processes on all nodes. */
typedef enum exchange_launcher {
    EXCHANGE_TORCHRUN, /* the script runs on each node by other means */
    EXCHANGE_SLURM,
    EXCHANGE_MPIRUN,
    EXCHANGE_DEEPSPEED,
    EXCHANGE_N_LAUNCHERS
} exchange_launcher;

/** Word for the i-th; NULL past the last. */
const char *exchange_launcher_word(int i);

typedef struct exchange_file {
    const char *name; /* without a directory */
    p3d_text text;
    bool executable;
} exchange_file;

enum { EXCHANGE_MAX_FILES = 4 };

/** Zero to begin. */
typedef struct exchange_files {
    int n;
    exchange_file at[EXCHANGE_MAX_FILES];
} exchange_files;

/** A launch of a framework, and what starts it. */
typedef struct exchange_start {
    const exchange_target *target;
    const exchange_launch *launch;
    exchange_launcher launcher;
    double less_sure_frac; /* probability that the plan fits, where that is
                              less than was asked for; 0 = it is not */
} exchange_start;

/**
 * Make the files of a launch.
 *
 * @param about  lines for the head of each file, without "# "
 * @param out    free with exchange_files_free(), also after a failure
 * @return false with P3D_DATA (rule X1, X2, X3: what the files cannot say; X4:
 *         a launcher that the framework does not start under) or P3D_SYSTEM
 */
P3D_CHECK bool exchange_export(exchange_start start, const char *about,
        exchange_files *out, p3d_error *err);

void exchange_files_free(exchange_files *files);

/** Write files into a directory, as p3d_write_files() does. */
P3D_CHECK bool exchange_files_write(const exchange_files *files,
        const char *directory, bool force, p3d_error *err);

#endif
