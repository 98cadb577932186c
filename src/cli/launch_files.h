/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch_files.h - the launch that files stand for, read once or again with
 * other contents. */
#ifndef PLAN3D_CLI_LAUNCH_FILES_H
#define PLAN3D_CLI_LAUNCH_FILES_H

#include "cli/options.h"
#include "exchange/read/follow.h"
#include "exchange/read/import.h"
#include "exchange/rewrite/rewrite.h"

enum { CLI_MAX_SET = 64, CLI_MOST_FOLLOWED = 3 };

/** A launch that was read, with the storage of what it points to. Large;
 *  allocate it, zero to begin. Must not be moved. */
typedef struct cli_launch {
    exchange_text files[EXCHANGE_MOST_FILES]; /* those of the command line, and
                                                 what they name */
    int n_files;
    exchange_settings read; /* as the readers found them */
    exchange_settings settings;
    exchange_measured measured;
    exchange_import import;
    const exchange_front *front; /* that the files are of; NULL = none */
    const char *model_file;      /* --model, or a config.json among the files;
                                    NULL = as the files describe it */
    p3d_model model;
    p3d_cluster cluster;
    /* Storage. */
    exchange_variable given[CLI_MAX_SET];
    p3d_text set;        /* --set, cut into their words */
    p3d_text model_name; /* that the files have */
    /* Files that they name, and their texts where these were read here. */
    exchange_followed followed[CLI_MOST_FOLLOWED];
    char *own[CLI_MOST_FOLLOWED];
    p3d_text
            unfollowed; /* one that they name and that is not there, in words */
    p3d_text unfound; /* name of a model that plan3d has not, with its option */
} cli_launch;

/**
 * Read a launch.
 *
 * @param files    by the words of the command line; the caller's, and those
 *                 that they name where these are known already; without a text
 *                 a log, of which `out` has the settings and what was measured
 * @return false with P3D_USAGE, P3D_DATA or P3D_SYSTEM
 */
P3D_CHECK bool cli_launch_read(const cli_args *args, const exchange_text *files,
        int n_files, cli_launch *out, p3d_error *err);

/** Accepts a zero one. */
void cli_launch_free(cli_launch *launch);

#endif
