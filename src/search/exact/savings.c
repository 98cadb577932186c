/* SPDX-License-Identifier: GPL-3.0-or-later */
/* savings.c - what a plan may recompute and offload. */
#include "search/exact/savings.h"

#include "base/util.h"
#include "search/exact/space.h"
#include "spec/legality.h"

enum { TENTHS = 10, QUARTERS = 4 };

static bool has_layers(const p3d_model *model, uint8_t kind, bool with)
{
    for (int i = 0; i < model->n_layers; i++) {
        if (((model->layer_kind[i] & kind) != 0) == with)
            return true;
    }
    return false;
}

/** Modules of this model whose recomputation frees something: a fused
 *  attention core keeps nothing that it could free. */
static unsigned useful_modules(const p3d_problem *problem)
{
    const p3d_model *m = &problem->model;
    const bool experts = m->n_experts > 0;
    const bool dense = has_layers(m, P3D_LAYER_MOE, false);
    unsigned useful = P3D_MODULE_NORMS;

    useful |=
            problem->job.attention == P3D_EAGER ? P3D_MODULE_CORE_ATTENTION : 0;
    useful |= m->kv_lora_rank > 0 ? P3D_MODULE_LATENT_UP : 0;
    useful |= dense ? P3D_MODULE_MLP | P3D_MODULE_MLP_ACTIVATION : 0;
    useful |= experts ? P3D_MODULE_MOE | P3D_MODULE_MOE_ACTIVATION : 0;
    useful |= m->shared_ffn > 0 ? P3D_MODULE_SHARED_EXPERTS : 0;
    return useful & problem->job.framework->modules;
}

static void add_set(search_savings *c, unsigned set)
{
    if (c->n_sets < SEARCH_MAX_SETS)
        c->sets[c->n_sets++] = set;
}

/** A module and a part of it are not recomputed both. */
static bool repeats(unsigned set)
{
    const unsigned dense = P3D_MODULE_MLP | P3D_MODULE_MLP_ACTIVATION;
    const unsigned experts = P3D_MODULE_MOE | P3D_MODULE_MOE_ACTIVATION;

    return (set & dense) == dense || (set & experts) == experts;
}

/** All sets of the useful modules, with the experts' module or without. */
static void add_sets(search_savings *c, const p3d_framework *fw,
        unsigned useful, bool with_experts)
{
    for (unsigned set = useful; set != 0; set = (set - 1) & useful) {
        if (((set & P3D_MODULE_MOE) != 0) == with_experts && !repeats(set))
            add_set(c, set == fw->usual_modules ? 0 : set);
    }
}

static void build_sets(
        const p3d_problem *problem, const p3d_pins *pins, search_savings *c)
{
    const p3d_framework *fw = problem->job.framework;
    const unsigned useful = useful_modules(problem);
    const bool asked = pins->recompute == P3D_RECOMPUTE_SELECTIVE;

    if (!space_leaves(pins->recompute, P3D_RECOMPUTE_SELECTIVE) ||
            (fw->lacks & P3D_LACKS_SELECTIVE) != 0)
        return;
    if ((pins->recompute_modules & ~fw->modules) != 0)
        return;
    if (pins->recompute_modules != 0) {
        add_set(c, pins->recompute_modules);
        c->n_pair_sets = (pins->recompute_modules & P3D_MODULE_MOE) == 0;
        return;
    }
    if (asked && (fw->usual_modules & ~useful) != 0 &&
            (fw->usual_modules & P3D_MODULE_PER_OP) == 0)
        add_set(c, 0);
    if ((fw->modules & P3D_MODULE_PER_OP) != 0)
        add_set(c,
                fw->usual_modules == P3D_MODULE_PER_OP ? 0 : P3D_MODULE_PER_OP);
    add_sets(c, fw, useful, false);
    c->n_pair_sets = c->n_sets;
    add_sets(c, fw, useful, true);
}

static void build_activations(
        const p3d_problem *problem, const p3d_pins *pins, search_savings *c)
{
    if (pins->activation_offload_frac >= 0) {
        c->activations[0] = pins->activation_offload_frac;
        c->n_activations = 1;
        return;
    }
    c->n_activations =
            problem->job.framework->activation_offload ? QUARTERS + 1 : 1;
    for (int i = 0; i < c->n_activations; i++)
        c->activations[i] = (double)i / QUARTERS;
}

void search_savings_build(
        const p3d_problem *problem, const p3d_pins *pins, search_savings *out)
{
    const unsigned no_groups = P3D_LACKS_LAYER_GROUPS | P3D_LACKS_ODD_GROUPS;

    *out = (search_savings){
            .none = space_leaves(pins->recompute, P3D_RECOMPUTE_NONE),
            .full = space_leaves(pins->recompute, P3D_RECOMPUTE_FULL),
            .groups = space_leaves(pins->recompute, P3D_RECOMPUTE_FULL) &&
                      pins->recompute_layers == 0 &&
                      (pins->recompute_group == 1 ||
                              (problem->job.framework->lacks & no_groups) == 0),
            .layers = pins->recompute_layers,
            .group = pins->recompute_group};
    build_sets(problem, pins, out);
    build_activations(problem, pins, out);
}

static bool legal(const p3d_problem *p, const p3d_plan *plan)
{
    return spec_plan_keeps_all(&p->model, &p->cluster, &p->job, plan, NULL);
}

void search_set_offload(
        p3d_plan *plan, const search_offload *offload, bool nvme)
{
    plan->offload = offload->kind;
    plan->offload_frac = offload->frac;
    plan->offload_nvme = nvme;
}

/** Add a way to offload where the rules and the pins allow it. */
static void add_offload(const p3d_problem *problem, const p3d_pins *pins,
        p3d_plan plan, search_offload way, search_offloads *out)
{
    bool places[2];

    for (int nvme = 0; nvme < 2; nvme++) {
        search_set_offload(&plan, &way, nvme != 0);
        places[nvme] = space_leaves(pins->offload_nvme, nvme) &&
                       (nvme == 0 || way.kind != P3D_OFFLOAD_NONE) &&
                       legal(problem, &plan);
    }
    way.n_places = places[0] + places[1];
    way.nvme = !places[0];
    if (way.n_places == 0)
        return;
    if (out->n > 0)
        way.n_before =
                out->at[out->n - 1].n_before + out->at[out->n - 1].n_places;
    out->at[out->n++] = way;
}

void search_offloads_of(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_plan *plan, search_offloads *out)
{
    out->n = 0;
    if (space_leaves(pins->offload, P3D_OFFLOAD_NONE))
        add_offload(problem, pins, *plan,
                (search_offload){.kind = P3D_OFFLOAD_NONE}, out);
    for (int i = 1;
            i <= TENTHS && space_leaves(pins->offload, P3D_OFFLOAD_OPTIMIZER);
            i++) {
        const double frac = i < TENTHS ? (double)i / TENTHS : 0;

        if (pins->offload_frac == 0)
            add_offload(problem, pins, *plan,
                    (search_offload){
                            .kind = P3D_OFFLOAD_OPTIMIZER, .frac = frac},
                    out);
    }
    if (pins->offload_frac > 0)
        add_offload(problem, pins, *plan,
                (search_offload){.kind = (p3d_offload)pins->offload,
                        .frac = pins->offload_frac < 1 ? pins->offload_frac
                                                       : 0},
                out);
    else if (space_leaves(pins->offload, P3D_OFFLOAD_OPTIMIZER_PARAMETERS))
        add_offload(problem, pins, *plan,
                (search_offload){.kind = P3D_OFFLOAD_OPTIMIZER_PARAMETERS},
                out);
}

/** True where the rules refuse full recomputation, and that of experts. */
static bool pairs(const p3d_problem *problem, const p3d_plan *plan)
{
    return problem->job.expert_overlap && plan->ep > 1;
}

/** The same, of full recomputation alone. */
static bool bars_full(const p3d_problem *problem, const p3d_plan *plan)
{
    return pairs(problem, plan) || problem->job.graphs == P3D_GRAPHS_LAYERS;
}

int search_n_sets(const p3d_problem *problem, const search_savings *savings,
        const p3d_plan *plan)
{
    return pairs(problem, plan) ? savings->n_pair_sets : savings->n_sets;
}

/** True where the framework recomputes all layers of a plan or none. */
static bool takes_all_layers(const p3d_problem *problem, const p3d_plan *plan)
{
    const unsigned whole =
            P3D_LACKS_LAYER_COUNTS |
            (plan->pp > 1 ? P3D_LACKS_PIPELINE_LAYER_COUNTS : 0u);

    return (problem->job.framework->lacks & whole) != 0;
}

int search_least_layers(const p3d_problem *problem,
        const search_savings *savings, const p3d_plan *plan, int most)
{
    if (savings->layers > 0)
        return savings->layers;
    return takes_all_layers(problem, plan) ? most : 1;
}

int search_n_layers(const p3d_problem *problem, const search_savings *savings,
        const p3d_plan *plan, int most)
{
    if (!savings->full || savings->group > 0 || bars_full(problem, plan))
        return 0;
    if (takes_all_layers(problem, plan))
        return savings->layers == 0 || savings->layers == most;
    return savings->layers > 0 ? savings->layers <= most : most;
}

int search_n_groups(const p3d_problem *problem, const search_savings *savings,
        const p3d_plan *plan, int most)
{
    if (!savings->groups || bars_full(problem, plan) ||
            (problem->job.n_mtp_layers > 0 && savings->group != 1))
        return 0;
    if (savings->group > 0)
        return savings->group <= most;
    return most > 1 ? most - 1 : 0;
}

int search_least_group(const search_savings *savings)
{
    return savings->group > 0 ? savings->group : 2;
}
