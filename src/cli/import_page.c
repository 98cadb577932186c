/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_page.c - plan3d import of a page that plan3d report made. */
#include "cli/import_page.h"

#include <stdlib.h>
#include <string.h>

#include "cli/answer.h"
#include "cli/commands.h"
#include "exchange/read/page.h"
#include "spec/hardware.h"

/** The question that is asked again, with the storage of its words. */
typedef struct work {
    p3d_page page;
    p3d_text words[P3D_MAX_PAGE_OPTIONS];
    cli_args args;
    cli_question question;
} work;

/* A page says all of it. */
static bool check_args(const cli_args *args, p3d_error *err)
{
    if (args->n_words > 1)
        return p3d_fail(err, P3D_USAGE,
                "%.200s is a page of plan3d report and stands alone; leave "
                "'%.60s' out",
                args->words[0], args->words[1]);
    for (int i = 0; i < args->n_given; i++) {
        const char *const name = args->given[i].option->name;

        if (strcmp(name, "json") != 0 && strcmp(name, "format") != 0)
            return p3d_fail(err, P3D_USAGE,
                    "%.200s is a page of plan3d report, which says it itself; "
                    "leave --%s out",
                    args->words[0], name);
    }
    return true;
}

/* Options go through the table of the command that the page is of. */
static bool read_args(work *w, p3d_error *err)
{
    const char *argv[P3D_MAX_PAGE_OPTIONS];
    p3d_error cause = {0};

    for (int i = 0; i < w->page.n_options; i++) {
        const char *const value = w->page.options[i].value;

        p3d_text_add(&w->words[i], "--%s%s%s", w->page.options[i].name,
                value != NULL ? "=" : "", value != NULL ? value : "");
        argv[i] = p3d_text_get(&w->words[i]);
    }
    if (!cli_args_parse(cli_report.table, w->page.n_options, argv, -1, &w->args,
                &cause))
        return p3d_fail(
                err, P3D_DATA, "the options of the page: %s", cause.text);
    for (int i = 0; i < w->args.n_given; i++)
        if (!w->args.given[i].option->is_job)
            return p3d_fail(err, P3D_DATA,
                    "the page has an option --%s, which is not of a job",
                    w->args.given[i].option->name);
    w->args.words[w->args.n_words++] = w->page.model;
    w->args.words[w->args.n_words++] = w->page.cluster;
    w->args.plan = w->page.plan;
    return true;
}

static bool read_calibration(work *w, p3d_error *err)
{
    p3d_calibration got = {.name = ""};

    if (w->page.calibration_text == NULL || w->args.calibration == NULL)
        return true;
    if (!p3d_calibration_parse(
                w->args.calibration, w->page.calibration_text, &got, err) ||
            !cli_calibration_use(w->args.calibration, &got,
                    &w->question.question.problem.cluster, err))
        return false;
    w->args.calibration = NULL; /* nothing is left to be read */
    return true;
}

static bool read_problem(work *w, p3d_error *err)
{
    const p3d_page *const page = &w->page;
    p3d_problem *const problem = &w->question.question.problem;
    const bool ok =
            (page->model_text != NULL
                            ? p3d_model_parse(page->model, page->model_text,
                                      &problem->model, err)
                            : p3d_model_find(
                                      page->model, &problem->model, err)) &&
            (page->cluster_text != NULL ? p3d_cluster_parse(page->cluster,
                                                  page->cluster_text,
                                                  &problem->cluster, err)
                                        : p3d_cluster_find(page->cluster,
                                                  &problem->cluster, err)) &&
            read_calibration(w, err) &&
            cli_job_read(&w->args, &w->question, err);

    if (ok)
        cli_question_say("import", &w->args, &w->question);
    return ok;
}

static bool answer(const work *w, const cli_args *args, p3d_text *out,
        p3d_code *code, p3d_error *err)
{
    const p3d_pins pins = p3d_pins_free();
    const report_launch launch = {.title = "a page of plan3d report",
            .defaults = "",
            .unknown = "",
            .unmodelled = "",
            .unresolved = ""};
    p3d_search_result *search = NULL;
    p3d_estimate found;
    report_findings findings = {.estimate = &found, .launch = &launch};
    bool ok;

    if (!cli_estimate_plan(&w->question, w->page.plan, &found, err) ||
            !cli_question_search(&w->question, &pins, 1, &search, err))
        return false;
    findings.search = search;
    ok = cli_print_findings(
            &w->question, &findings, args, report_import, out, code, err);
    free(search);
    return ok;
}

bool cli_import_page(const cli_args *args, const char *text, p3d_text *out,
        p3d_code *code, p3d_error *err)
{
    work *const w = calloc(1, sizeof(*w));
    bool ok;

    if (w == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = check_args(args, err) &&
         p3d_page_read(args->words[0], text, &w->page, err) &&
         read_args(w, err) && read_problem(w, err) &&
         answer(w, args, out, code, err);
    cli_question_free(&w->question);
    for (int i = 0; i < P3D_MAX_PAGE_OPTIONS; i++)
        p3d_text_free(&w->words[i]);
    p3d_page_free(&w->page);
    free(w);
    return ok;
}
