/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sharing.c - the ways to share the states of a branch, and to order its ranks.
 */
#include "base/util.h"
#include "search/exact/engine.h"
#include "search/exact/space.h"
#include "spec/legality.h"

const search_stages *search_stages_of(search *s, const p3d_plan *branch)
{
    search_stages *stages =
            &s->stages[branch->pp > 1][p3d_schedule_flushes(branch->schedule)];
    p3d_plan plan = *branch;

    if (stages->built)
        return stages;
    stages->built = true;
    plan.activation_offload_frac = s->savings.activations[0];
    for (plan.zero = 0; plan.zero < P3D_COUNT_OF(stages->offloads);
            plan.zero++) {
        if (space_leaves(s->pins->zero, plan.zero))
            search_offloads_of(
                    s->problem, s->pins, &plan, &stages->offloads[plan.zero]);
    }
    return stages;
}

/** Find the parts anew, where they are those of other replicas. */
static void find_parts(search *s, const p3d_plan *branch, int zero)
{
    const p3d_problem *p = s->problem;
    search_parts *parts = &s->parts;
    const int n = cost_dense_replicas(branch);
    const int n_experts = branch->ep == 1 ? 0 : cost_expert_replicas(branch);
    search_divisors all;
    p3d_plan plan = *branch;

    if (parts->n_replicas == n && parts->n_expert_replicas == n_experts &&
            parts->cp == branch->cp)
        return;
    parts->n_replicas = n;
    parts->n_expert_replicas = n_experts;
    parts->cp = branch->cp;
    parts->sizes.n = 0;
    search_divisors_of(n, &all);
    plan.zero = zero;
    for (int i = 0; i < all.n; i++) {
        plan.shard = all.at[i];
        if (plan.shard < n &&
                (plan.shard > 1 ? space_allows(s->pins->shard, plan.shard)
                                : s->pins->shard == 1) &&
                spec_plan_keeps_rules(&p->model, &p->cluster, &p->job, &plan,
                        P3D_DIFFERENCE_SHARING))
            parts->sizes.at[parts->sizes.n++] = plan.shard;
    }
}

const search_divisors *search_parts_of(
        search *s, const p3d_plan *branch, int zero)
{
    static const search_divisors none = {.n = 0};
    const unsigned hybrid = s->problem->job.framework->hybrid_stages;

    if (zero == 0 || (hybrid >> zero & 1) == 0)
        return &none;
    find_parts(s, branch, zero);
    return &s->parts.sizes;
}

bool search_may_share_all(const p3d_pins *pins, const p3d_plan *branch)
{
    return pins->shard == 0 ||
           (pins->lenient && pins->shard == cost_dense_replicas(branch));
}

/** Orders of the ranks: where all lie on one node, or without a pipeline or
 *  replicas, there is nothing to choose. Memory is the same with any. */
search_orders search_orders_of(const search *s, const p3d_plan *branch)
{
    const p3d_problem *p = s->problem;
    const bool choice = p3d_plan_has_orders(&p->cluster, branch);
    search_orders orders = {.n = 0};
    p3d_plan plan = *branch;

    if (!choice && space_has_no_order(p, s->pins))
        orders.at[orders.n++] = P3D_ORDER_DP_PP;
    if (orders.n > 0)
        return orders;
    for (int o = 0; o < (choice ? P3D_N_ORDERS : 1); o++) {
        plan.order = (p3d_order)o;
        if (space_leaves(s->pins->order, o) &&
                (o == P3D_ORDER_DP_PP ||
                        spec_plan_keeps_rules(&p->model, &p->cluster, &p->job,
                                &plan, P3D_DIFFERENCE_SHARING)))
            orders.at[orders.n++] = plan.order;
    }
    return orders;
}
