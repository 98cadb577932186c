/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch_export.h - the launch files of an estimated plan: export, report. */
#ifndef PLAN3D_CLI_LAUNCH_EXPORT_H
#define PLAN3D_CLI_LAUNCH_EXPORT_H

#include "exchange/launch/export.h"
#include "report/report.h"

/** What starts the processes where nobody said it. */
exchange_launcher cli_usual_launcher(
        const exchange_target *target, const p3d_cluster *cluster);

/** A launch to be written. */
typedef struct cli_launch {
    report_document *document; /* with the estimate of the plan */
    const p3d_problem *problem;
    const p3d_plan *plan;
    const exchange_target *target;
    exchange_launcher launcher;
    double less_sure_frac; /* of cli_less_sure_frac() */
} cli_launch;

/** How sure a plan is to fit that is less sure than was asked for; 0 where it
 *  is as sure, or that is not known. */
double cli_less_sure_frac(
        const p3d_problem *problem, const p3d_estimate *estimate);

/**
 * Make the files of a launch, with the question and the estimate in the head
 * of each.
 *
 * @param files  free with exchange_files_free(), also after a failure
 * @return false with P3D_DATA (what the files cannot say) or P3D_SYSTEM
 */
P3D_CHECK bool cli_make_launch(
        const cli_launch *launch, exchange_files *files, p3d_error *err);

/** The files of a launch as documents have them. @param to  room for all */
json_list cli_list_files(const exchange_files *files, report_file *to);

#endif
