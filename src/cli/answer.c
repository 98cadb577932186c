/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.c - from a question to what is printed: search, estimate, print. */
#include "cli/answer.h"

#include <stdlib.h>

#include "cli/interrupt.h"
#include "cli/progress.h"

/* Larger clusters than this are not offered as a way out. */
enum { MAX_GPUS = 131072 };

bool cli_ask(const char *command, const cli_args *args, cli_answer *answer,
        cli_reply *reply, p3d_error *err)
{
    cli_question question = {0};
    const bool ok = cli_question_read(command, args, &question, err) &&
                    answer(&question, reply, err);

    cli_question_free(&question);
    return ok;
}

bool cli_print_findings(const cli_question *question,
        const report_findings *findings, cli_printer *print, cli_reply *reply,
        p3d_error *err)
{
    report_document *document =
            report_document_create(&question->question, findings, err);

    if (document == NULL)
        return false;
    print(document, reply->format, reply->out);
    reply->code = findings->search != NULL && findings->search->interrupted
                          ? P3D_INTERRUPTED
                  : report_document_fits(document) ? P3D_OK
                                                   : P3D_NO;
    report_document_destroy(document);
    return true;
}

/* GPUs of the smallest cluster on which a job fits, with what is pinned: mostly
 * a change says it. 0 = not known. */
static int smallest_cluster(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_change *changes, int n)
{
    for (int i = 0; i < n; i++) {
        if (changes[i].n_gpus > problem->cluster.n_gpus)
            return changes[i].n_gpus;
    }
    return p3d_pins_are_free(pins) ? p3d_smallest_cluster(problem, MAX_GPUS)
                                   : 0;
}

void cli_find_changes(const p3d_problem *problem, const p3d_pins *pins,
        p3d_change *changes, report_findings *findings)
{
    findings->changes = changes;
    findings->n_changes = p3d_find_changes(problem, pins, changes);
    findings->smallest_cluster_gpus =
            smallest_cluster(problem, pins, changes, findings->n_changes);
}

/* Look at every plan of the space, one by one. */
static bool verify(const cli_question *question, const p3d_pins *pins,
        p3d_verification *out, p3d_error *err)
{
    cli_progress progress;
    const p3d_watch watch = {cli_progress_tick, &progress};
    bool ok;

    cli_progress_begin(&progress, "verifying", 0);
    ok = p3d_verify(&question->question.problem, pins, &watch, out, err);
    cli_progress_end(&progress);
    return ok;
}

bool cli_search_and_print(const cli_question *question, int n_top,
        cli_printer *print, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    p3d_change changes[P3D_MAX_CHANGES];
    p3d_search_result *search = NULL;
    p3d_verification verified = {.n_plans = 0};
    report_findings findings = {0};
    p3d_pins pins;
    bool ok;

    if (!cli_read_pins(args, &pins, err) ||
            !cli_question_search(question, &pins, n_top, &search, err))
        return false;
    findings.search = search;
    if (search->n_top == 0) {
        cli_find_changes(
                &question->question.problem, &pins, changes, &findings);
        cli_mark_interrupted(search);
    }
    ok = !args->verify || verify(question, &pins, &verified, err);
    findings.verified = args->verify ? &verified : NULL;
    ok = ok && cli_print_findings(question, &findings, print, reply, err);
    if (verified.interrupted)
        reply->code = P3D_INTERRUPTED;
    free(search);
    return ok;
}

bool cli_estimate_plan(const cli_question *question, const char *words,
        p3d_estimate *out, p3d_error *err)
{
    const p3d_problem *problem = &question->question.problem;
    p3d_refusal refusal = {0};
    p3d_plan plan;

    if (!p3d_plan_parse(words, problem->cluster.n_gpus, problem->job.framework,
                &plan, err))
        return false;
    if (!p3d_estimate_plan(problem, &plan, out, &refusal))
        return p3d_fail(err, P3D_DATA, "plan %.100s: %s: %s", words,
                refusal.rule, refusal.reason);
    return true;
}

bool cli_estimate_plan_or_found(const cli_question *question, const char *words,
        const p3d_search_result *search, p3d_estimate *out, p3d_error *err)
{
    if (words != NULL)
        return cli_estimate_plan(question, words, out, err);
    *out = *cli_best_or_closest(search);
    return true;
}

bool cli_estimate_plan_or_best(const cli_question *question, const char *words,
        p3d_estimate *out, p3d_error *err)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_search_result *search = NULL;

    if (words != NULL)
        return cli_estimate_plan(question, words, out, err);
    if (!cli_question_search(question, &pins, 1, &search, err))
        return false;
    *out = *cli_best_or_closest(search);
    free(search);
    return cli_goes_on("before the best plan was known", err);
}
