/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_trace.h - plan3d validate --trace: a traced step against the
 * estimate. */
#ifndef PLAN3D_CLI_VALIDATE_TRACE_H
#define PLAN3D_CLI_VALIDATE_TRACE_H

#include "cli/commands.h"
#include "plan3d/trace.h"
#include "report/study.h"

/** A plan whose trace is compared. */
typedef struct cli_traced {
    const cli_args *args;
    const p3d_problem *problem;
    const p3d_estimate *estimate;
    const p3d_request *request;
    report_validated *report; /* with the words of the plan; filled here */
} cli_traced;

/** Refuse options that say nothing of a trace, where one is given. */
P3D_CHECK bool cli_trace_check(const cli_args *args, p3d_error *err);

/** Read the trace, compare it, and print the answer. */
P3D_CHECK bool cli_trace_compare(
        const cli_traced *traced, cli_reply *reply, p3d_error *err);

#endif
