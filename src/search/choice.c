/* SPDX-License-Identifier: GPL-3.0-or-later */
/* choice.c - what a search finds where some values are pinned. */
#include <stdlib.h>

#include "base/util.h"
#include "plan3d/decisions.h"
#include "spec/given.h"

static bool is_legal(
        const p3d_problem *problem, const p3d_plan *plan, p3d_refusal *refusal)
{
    return p3d_plan_legal(
            &problem->model, &problem->cluster, &problem->job, plan, refusal);
}

/* The rule that refuses the pinned ZeRO stage and offload by themselves, where
 * replicas alone would be legal: a search only says which rule refused a plan
 * first. */
static void refuse_states(
        const p3d_problem *problem, const p3d_pins *pins, p3d_refusal *out)
{
    p3d_plan plan = {.tp = 1, .pp = 1, .cp = 1, .ep = 1, .etp = 1, .vp = 1};
    p3d_refusal refusal;

    plan.dp = problem->cluster.n_gpus;
    plan.micro_batch = 1;
    plan.zero = problem->job.framework->usual_zero[0];
    if (!is_legal(problem, &plan, NULL))
        return;
    if (pins->offload >= 0)
        plan.offload = (p3d_offload)pins->offload;
    if (pins->zero >= 0)
        plan.zero = pins->zero;
    else if (plan.offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS)
        plan.zero = 3; /* what it needs */
    if (!is_legal(problem, &plan, &refusal))
        *out = refusal;
}

static void take_result(const p3d_search_result *found, p3d_choice *out)
{
    out->legal = found->n_plans > 0;
    if (found->n_top > 0)
        out->estimate = found->top[0];
    else if (found->have_closest)
        out->estimate = found->closest;
    if (out->legal)
        return;
    out->refusal = found->empty;
}

bool p3d_choice_search(const p3d_problem *problem, const p3d_pins *pins,
        p3d_choice *out, p3d_error *err)
{
    if (!p3d_problem_given(problem) || !p3d_pins_given(pins) || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_search_result *found = malloc(sizeof(*found));
    bool ok;

    if (found == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = p3d_search(problem, pins, 1, found, err);
    if (ok)
        take_result(found, out);
    if (ok && !out->legal)
        refuse_states(problem, pins, &out->refusal);
    free(found);
    return ok;
}
