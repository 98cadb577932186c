/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_change.h - the files of a launch with the recommended plan, or a
 * single change, in them: what would change, and the file itself. */
#ifndef PLAN3D_CLI_IMPORT_CHANGE_H
#define PLAN3D_CLI_IMPORT_CHANGE_H

#include "cli/launch_files.h"
#include "report/report.h"

/** A change with the storage of its words. Zero to begin. */
typedef struct cli_change {
    report_change said;
    p3d_text texts[EXCHANGE_MOST_FILES];    /* the files with it, */
    const char *names[EXCHANGE_MOST_FILES]; /* and their names, the launch's */
    int n_files;
    p3d_text files;   /* the names with commas */
    p3d_text diff;    /* of all against the old ones */
    p3d_text refused; /* why the files cannot say it */
    p3d_text command; /* "plan3d import train.sh --cluster 64xA800" */
} cli_change;

/** What it is made of. */
typedef struct cli_change_question {
    const cli_args *args;
    const cli_launch *launch;
    const p3d_problem *problem;
    const p3d_estimate *estimate; /* of the plan of the files */
    const p3d_estimate *best;     /* the recommended plan; NULL = none fits */
    const p3d_single_change *single;
    int n_single;
} cli_change_question;

/** Fail when the file of --write may not be written: before long work. */
P3D_CHECK bool cli_change_check(const cli_args *args, p3d_error *err);

/**
 * Find the change and, with --write, write it. Without --write it is no failure
 * that the files cannot say it: the first single change that they can is taken.
 *
 * @param out  free with cli_change_free(), also after a failure
 * @return false with P3D_USAGE, P3D_DATA or P3D_SYSTEM
 */
P3D_CHECK bool cli_change_make(
        const cli_change_question *question, cli_change *out, p3d_error *err);

/** Accepts a zero one. */
void cli_change_free(cli_change *change);

#endif
