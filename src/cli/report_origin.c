/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_origin.c - the question of a page, with the files that it names. */
#include <string.h>

#include "base/file.h"
#include "cli/report.h"
#include "spec/hardware.h"
#include "spec/model_file.h"

enum { MOST_BYTES = 8 << 20, MODEL = 0, CLUSTER, CALIBRATION };

/* The text of a file as it stands. */
static bool read_text(
        cli_page *page, int which, const char *path, p3d_error *err)
{
    size_t length = 0;

    return p3d_read_file(path, MOST_BYTES, &page->texts[which], &length, err) &&
           (length > 0 ||
                   p3d_fail(err, P3D_DATA,
                           "%.300s: a page holds this file, and a pipe cannot "
                           "be read again; write the path of a file",
                           path));
}

static void add_options(cli_page *page)
{
    const cli_args *const args = page->args;
    const p3d_framework *const framework =
            page->question->question.problem.job.framework;
    int n = 0;

    for (int i = 0; i < args->n_given; i++) {
        const cli_given *const given = &args->given[i];

        if (given->option->is_job)
            page->options[n++] = (report_option){
                    given->option->name, cli_given_value(given, framework)};
    }
    page->page.origin.options = (report_list){page->options, n};
}

bool cli_page_origin(cli_page *page, p3d_error *err)
{
    const cli_args *const args = page->args;
    char path[P3D_MODEL_PATH];
    const char *const source = p3d_model_path(args->words[0], path, err);

    if (source == NULL)
        return false;
    if (strcmp(source, "-") == 0)
        return p3d_fail(err, P3D_DATA,
                "a page holds the model's file, and standard input is none; "
                "write the path of the config.json");
    if (!read_text(page, MODEL, source, err) ||
            (p3d_cluster_is_file(args->words[1]) &&
                    !read_text(page, CLUSTER, args->words[1], err)) ||
            (args->calibration != NULL &&
                    cli_is_calibration_file(args->calibration) &&
                    !read_text(page, CALIBRATION, args->calibration, err)))
        return false;
    page->page.origin = (report_origin){.model = args->words[0],
            .model_text = page->texts[MODEL],
            .cluster = args->words[1],
            .cluster_text = page->texts[CLUSTER],
            .calibration_text = page->texts[CALIBRATION],
            .plan = page->document->estimate->words};
    add_options(page);
    return true;
}
