/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pins.c - values of a plan that a person fixes before a search, and why they
 * alone may admit no plan. */
#include <stdio.h>

#include "base/util.h"
#include "plan3d/search.h"
#include "search/exact/engine.h"
#include "spec/given.h"
#include "spec/plan_fields.h"
#include "spec/plan_words.h"

p3d_pins p3d_pins_free(void)
{
    p3d_pins pins = {.lenient = false};

    for (int i = 0; i < P3D_N_PLAN_KEYS; i++)
        spec_pins_set(&pins, (p3d_plan_key)i, spec_plan_fields[i].free);
    return pins;
}

bool p3d_pins_are_free(const p3d_pins *pins)
{
    if (!spec_pins_given(pins))
        return false;
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        if (spec_pins_get(pins, (p3d_plan_key)i) != spec_plan_fields[i].free)
            return false;
    }
    return true;
}

bool p3d_pins_parse(const char *words, p3d_pins *out, p3d_error *err)
{
    if (words == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_pins pins = p3d_pins_free();
    p3d_said said;

    if (!spec_said_read(words, &said, err))
        return false;
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        if (said.said[i])
            spec_pins_set(&pins, (p3d_plan_key)i, said.value[i]);
    }
    pins.lenient = true;
    *out = pins;
    return true;
}

static bool is_free(const p3d_pins *pins, p3d_plan_key key)
{
    return spec_pins_get(pins, key) == spec_plan_fields[key].free;
}

/** What follows from pinned values for those that are free. */
static void follow(const p3d_problem *p, const p3d_pins *pins, p3d_plan *plan)
{
    if (is_free(pins, P3D_KEY_vp) &&
            (is_free(pins, P3D_KEY_schedule) ||
                    pins->schedule == P3D_INTERLEAVED) &&
            pins->group > 0 && pins->pp != 1 &&
            p3d_schedule_offered(P3D_INTERLEAVED, p->job.framework))
        plan->vp = 2;
    if (is_free(pins, P3D_KEY_pp) && plan->vp > 1)
        plan->pp = 2;
    if (is_free(pins, P3D_KEY_etp))
        plan->etp = plan->tp;
    if (is_free(pins, P3D_KEY_zero))
        plan->zero = p->job.framework->usual_zero[pins->pp > 1];
    if (is_free(pins, P3D_KEY_sequence_parallel))
        plan->sequence_parallel = plan->tp > 1;
    if (is_free(pins, P3D_KEY_schedule) && plan->vp > 1)
        plan->schedule = P3D_INTERLEAVED;
}

/** A plan with the pinned values, and all others as small as they can be. */
static p3d_plan smallest_plan(const p3d_problem *p, const p3d_pins *pins)
{
    p3d_plan plan;

    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        const p3d_plan_key key = (p3d_plan_key)i;

        spec_plan_set(&plan, key,
                is_free(pins, key) ? spec_plan_fields[i].least
                                   : spec_pins_get(pins, key));
    }
    if (plan.offload_frac >= 1)
        plan.offload_frac = 0;
    follow(p, pins, &plan);
    return plan;
}

/** Sizes that do not divide the number of GPUs: first the rule that they break
 *  on a cluster that they would divide. */
void search_refuse_pins(
        const p3d_problem *p, const p3d_pins *pins, p3d_refusal *refusal)
{
    p3d_plan plan = smallest_plan(p, pins);
    p3d_cluster cluster = p->cluster;
    const int64_t inner = (int64_t)plan.tp * plan.pp * plan.cp * plan.dp;
    const bool divides = cluster.n_gpus % inner == 0;

    if (divides && pins->dp == 0)
        plan.dp = (int)(cluster.n_gpus / inner);
    else if (!divides && inner <= P3D_MAX_GPUS)
        cluster.n_gpus = (int)inner;
    (void)p3d_plan_legal(&p->model, &cluster, &p->job, &plan, refusal);
    if (refusal->rule == NULL && pins->recompute_group > 1 &&
            (p->job.framework->lacks & P3D_LACKS_ODD_GROUPS) != 0) {
        refusal->rule = "F2";
        (void)snprintf(refusal->reason, sizeof(refusal->reason),
                "recompute=uniform:%d: groups of %s divide the layers of each "
                "chunk, and no search looks for that; estimate the one plan",
                pins->recompute_group, p->job.framework->name);
        return;
    }
    if (refusal->rule != NULL || divides)
        return;
    refusal->rule = "A1";
    (void)snprintf(refusal->reason, sizeof(refusal->reason),
            "tp=%d x pp=%d x cp=%d x dp=%d does not divide %d GPUs", plan.tp,
            plan.pp, plan.cp, plan.dp, p->cluster.n_gpus);
}
