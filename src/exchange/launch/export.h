/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.h - the files of a launch: made in memory, then written at once. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_EXPORT_H
#define PLAN3D_EXCHANGE_LAUNCH_EXPORT_H

#include "exchange/launch/target.h"

/** What starts processes on all nodes. */
typedef enum p3d_launcher {
    P3D_LAUNCH_TORCHRUN, /* the script runs on each node by other means */
    P3D_LAUNCH_SLURM,
    P3D_LAUNCH_MPIRUN,
    P3D_LAUNCH_DEEPSPEED,
    P3D_N_LAUNCHERS
} p3d_launcher;

/** Word for the i-th; NULL past the last. */
const char *exchange_launcher_word(int i);

typedef struct p3d_launch_file {
    const char *name; /* without a directory */
    p3d_text text;
    bool executable;
} p3d_launch_file;

enum { P3D_MAX_LAUNCH_FILES = 4 };

/** Zero to begin. */
typedef struct p3d_launch_files {
    int n;
    p3d_launch_file at[P3D_MAX_LAUNCH_FILES];
} p3d_launch_files;

/** A launch of a framework, and what starts it. */
typedef struct p3d_start {
    const p3d_target *target;
    const p3d_launch *launch;
    p3d_launcher launcher;
} p3d_start;

/**
 * Make the files of a launch.
 *
 * @param about  lines for the head of each file, without "# "
 * @param out    free with exchange_files_free(), also after a failure
 * @return false with P3D_DATA (rule X1, X2, X3: what the files cannot say; X4:
 *         a launcher that the framework does not start under) or P3D_SYSTEM
 */
P3D_CHECK bool exchange_export(p3d_start start, const char *about,
        p3d_launch_files *out, p3d_error *err);

void exchange_files_free(p3d_launch_files *files);

/** Write files into a directory, as p3d_write_files() does. */
P3D_CHECK bool exchange_files_write(const p3d_launch_files *files,
        const char *directory, bool force, p3d_error *err);

/** Append each line of a text behind "# ", so that no name in it ends the
 *  comment. */
void exchange_comment_write(const char *lines, p3d_text *out);

/** Append the launch script. @return false with P3D_DATA (X4) */
P3D_CHECK bool exchange_script_write(
        p3d_start start, const char *head, p3d_text *out, p3d_error *err);

/** Append the list of hosts that mpirun and deepspeed read. */
void exchange_hosts_write(const p3d_launch *launch, p3d_text *out);

#endif
