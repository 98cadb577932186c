/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - what plan3d report finds out for its page, part by part. */
#ifndef PLAN3D_CLI_REPORT_H
#define PLAN3D_CLI_REPORT_H

#include "cli/question.h"
#include "exchange/launch/export.h"
#include "plan3d/constants.h"
#include "report/page.h"

enum {
    CLI_MOST_TP = 6,
    CLI_MOST_PP = 10,
    CLI_MOST_CELLS = CLI_MOST_TP * CLI_MOST_PP,
    CLI_N_SCALES = 5,
    CLI_MOST_TARGETS = 12
};

/** The page in the making, with the storage of what it points to. */
typedef struct cli_page {
    const cli_args *args;
    const cli_question *question;
    p3d_search_result *search; /* the fastest plans */
    p3d_search_result *other;  /* of the searches around it */
    p3d_search_cache *cache;
    p3d_estimate estimate; /* the plan of the page */
    report_document *document;
    report_page page;
    char *texts[3]; /* of the origin: model, cluster, calibration */
    report_option options[CLI_MAX_GIVEN];
    report_cell cells[CLI_MOST_CELLS];
    report_point points[P3D_MAX_TOP + CLI_MOST_CELLS + 1]; /* and its own */
    report_scale scales[CLI_N_SCALES];
    report_swing swings[P3D_N_CONSTANTS];
    report_target targets[CLI_MOST_TARGETS];
    report_file files[CLI_MOST_TARGETS][P3D_MAX_LAUNCH_FILES];
    p3d_launch_files launches[CLI_MOST_TARGETS];
} cli_page;

/** What was asked, to ask it again: words, options, texts of files.
 *  @return false with P3D_DATA (the model is not a file) or P3D_SYSTEM */
P3D_CHECK bool cli_page_origin(cli_page *page, p3d_error *err);

/** The best plan for each number of tensor-parallel and pipeline ranks, and all
 *  plans that are known to fit. @return false with P3D_SYSTEM */
P3D_CHECK bool cli_page_space(cli_page *page, p3d_error *err);

/** The best plan on fewer and more GPUs. @return false with P3D_SYSTEM */
P3D_CHECK bool cli_page_scales(cli_page *page, p3d_error *err);

/** The step of the plan when constants are wrong. */
void cli_page_swings(cli_page *page);

/** The launch files of the plan, by framework.
 *  @return false with P3D_SYSTEM */
P3D_CHECK bool cli_page_targets(cli_page *page, p3d_error *err);

#endif
