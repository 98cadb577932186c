/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_sensitivity.c - how sure the choice of a plan is. */
#include <stdlib.h>

#include "cli/answer.h"
#include "cli/progress.h"

enum { USUAL_DRAWS = 1000, USUAL_SEED = 1 };

static bool judge(const cli_question *question, const p3d_plan *choice,
        const p3d_search_result *search, p3d_sensitivity *out, p3d_error *err)
{
    const cli_args *const args = question->args;
    cli_progress progress;
    const p3d_sensitivity_options options = {
            .n_draws = args->n_draws > 0 ? (int)args->n_draws : USUAL_DRAWS,
            .seed = args->seed > 0 ? (uint64_t)args->seed : USUAL_SEED,
            .progress = cli_progress_share,
            .context = &progress};
    bool ok;

    cli_progress_begin(&progress, "comparing plans", 0);
    ok = p3d_judge(&question->question.problem, choice, search->top,
            search->n_top, &options, out, err);
    cli_progress_end(&progress);
    return ok;
}

/** Judge a plan that fits, and print; say so when it does not. */
static bool answer(const cli_question *question, const p3d_estimate *chosen,
        const p3d_search_result *search, cli_reply *reply, p3d_error *err)
{
    report_findings findings = {.estimate = chosen};
    p3d_sensitivity *s = NULL;
    bool ok = true;

    if (chosen->fits) {
        s = calloc(1, sizeof(*s));
        if (s == NULL)
            return p3d_fail(err, P3D_SYSTEM, "out of memory");
        ok = judge(question, &chosen->plan, search, s, err);
        findings.sensitivity = s;
    }
    ok = ok && cli_print_findings(question, &findings, report_sensitivity_print,
                       reply, err);
    free(s);
    return ok;
}

bool cli_explain_sensitivity(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_search_result *search = NULL;
    p3d_estimate chosen;
    bool ok;

    if (!cli_question_search(question, &pins, P3D_MAX_TOP, &search, err))
        return false;
    ok = cli_estimate_plan_or_found(
                 question, question->args->plan, search, &chosen, err) &&
         answer(question, &chosen, search, reply, err);
    free(search);
    return ok;
}
