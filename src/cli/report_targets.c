/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_targets.c - the launch files of a page, by framework. */
#include <stdio.h>

#include "base/util.h"
#include "cli/launch.h"
#include "cli/report.h"

/* The launch with one framework: the question under its rules and costs. */
typedef struct attempt {
    const p3d_target *target;
    p3d_framework framework;
    report_question question;
    p3d_estimate estimate;
} attempt;

static bool ask(const cli_page *page, attempt *a, p3d_error *err)
{
    cli_args args = *page->args;
    p3d_refusal refusal = {0};

    args.framework = a->target->framework;
    a->question = page->question->question;
    if (!cli_job_begin(&args, &a->question.problem, err))
        return false;
    a->framework = p3d_target_framework(a->target);
    a->question.problem.job.framework = &a->framework;
    return p3d_estimate_plan(&a->question.problem, &page->estimate.plan,
                   &a->estimate, &refusal) ||
           p3d_fail(err, P3D_DATA, "%s: %s", refusal.rule, refusal.reason);
}

static bool make(const attempt *a, p3d_launch_files *files, p3d_error *err)
{
    const report_findings findings = {.estimate = &a->estimate};
    const p3d_problem *const problem = &a->question.problem;
    report_document *const document =
            report_document_create(&a->question, &findings, err);
    const cli_launch launch = {.document = document,
            .problem = problem,
            .plan = &a->estimate.plan,
            .target = a->target,
            .launcher = cli_usual_launcher(a->target, &problem->cluster)};
    const bool ok = document != NULL && cli_make_launch(&launch, files, err);

    report_document_destroy(document);
    return ok;
}

static void take_files(
        const p3d_launch_files *from, report_file *to, report_list *list)
{
    for (int i = 0; i < from->n; i++)
        to[i] = (report_file){.name = from->at[i].name,
                .text = p3d_text_get(&from->at[i].text),
                .executable = from->at[i].executable};
    *list = (report_list){to, from->n};
}

/* What a framework cannot run is a result; only the system fails. */
static bool add_target(cli_page *page, const p3d_target *target, p3d_error *err)
{
    const int i = page->page.targets.n++;
    report_target *const to = &page->targets[i];
    attempt a = {.target = target};
    p3d_error cause = {0};

    *to = (report_target){.name = target->name,
            .title = target->title,
            .versions = target->versions};
    to->can = ask(page, &a, &cause) && make(&a, &page->launches[i], &cause);
    if (cause.code == P3D_SYSTEM)
        return p3d_fail(err, P3D_SYSTEM, "%s", cause.text);
    if (!to->can) {
        snprintf(to->reason, sizeof(to->reason), "%s", cause.text);
        return true;
    }
    to->fits = a.estimate.fits;
    to->step_s = p3d_time_step_s(&a.estimate.time);
    take_files(&page->launches[i], page->files[i], &to->files);
    return true;
}

bool cli_page_targets(cli_page *page, p3d_error *err)
{
    const p3d_target *target;

    page->page.targets.items = page->targets;
    for (int i = 0; (target = p3d_target_at(i)) != NULL; i++) {
        P3D_ASSERT(i < CLI_MOST_TARGETS);
        if (!add_target(page, target, err))
            return false;
    }
    return true;
}
