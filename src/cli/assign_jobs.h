/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assign_jobs.h - a file of jobs, each said in the options of a command
 * line. */
#ifndef PLAN3D_CLI_ASSIGN_JOBS_H
#define PLAN3D_CLI_ASSIGN_JOBS_H

#include "cli/options.h"
#include "plan3d/assign.h"
#include "json/json.h"

enum { CLI_JOB_KEYS = 96, CLI_JOB_TEXT = 32 };

/** The shape of a file of jobs, made of the table of a job's options. */
typedef struct cli_jobs_shape {
    json_field fields[CLI_JOB_KEYS];
    json_shape job;
    json_type list;
    json_field members[2];
    json_shape file;
} cli_jobs_shape;

/** Make the shape in this room. */
const json_shape *cli_jobs_shape_of(cli_jobs_shape *room);

/** A job: the model is words[0] of its arguments. */
typedef struct cli_job {
    cli_args args; /* with its name and its weight */
    double deadline_s;
    char usual_name[32];                       /* where it says none */
    char numbers[CLI_MAX_GIVEN][CLI_JOB_TEXT]; /* values that are no strings */
} cli_job;

/** The jobs of a file; words stay with the document. Zero to begin. */
typedef struct cli_jobs {
    json_doc doc;
    cli_job *at; /* owned */
    int n;
} cli_jobs;

/**
 * Read a file of jobs ("-" is standard input).
 *
 * @param out  release with cli_jobs_free(), also after a failure
 * @return false with P3D_DATA or P3D_SYSTEM
 */
P3D_CHECK bool cli_jobs_open(const char *path, cli_jobs *out, p3d_error *err);

/** Fail at a job of a file, as what was found out about it without a place.
 *  @return false */
bool cli_jobs_fail(
        const cli_jobs *jobs, int job, const p3d_error *cause, p3d_error *err);

void cli_jobs_free(cli_jobs *jobs);

#endif
