/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.c - the values that a search tries of what a branch leaves open: what
 * is recomputed and offloaded, how the layers are split, who shares the states
 * and how the ranks are ordered. */
#include "search/exact/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/util.h"
#include "search/exact/engine.h"
#include "search/exact/space.h"
#include "spec/abilities.h"
#include "spec/layer.h"
#include "spec/legality.h"
#include "spec/plan_words.h"

/* Recomputation and offload. */

enum { TENTHS = 10, QUARTERS = 4 };

static bool has_dense_layers(const p3d_model *model)
{
    for (int i = 0; i < model->n_layers; i++) {
        if (spec_layer_of(model->layer_kind[i]).dense)
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
    const bool dense = m->ffn > 0 && has_dense_layers(m);
    unsigned useful = P3D_MODULE_NORMS;

    useful |=
            problem->job.attention == P3D_EAGER ? P3D_MODULE_CORE_ATTENTION : 0;
    useful |= m->kv_lora_rank > 0 ? P3D_MODULE_LATENT_UP : 0;
    useful |= dense ? P3D_MODULE_MLP | P3D_MODULE_MLP_ACTIVATION : 0;
    useful |= experts ? P3D_MODULE_MOE | P3D_MODULE_MOE_ACTIVATION : 0;
    useful |= m->shared_ffn > 0 ? P3D_MODULE_SHARED_EXPERTS : 0;
    return useful & problem->job.framework->modules &
           ~spec_kept_modules(m, &problem->job);
}

/** The modules of a plan that has nothing else. */
static p3d_plan with_modules(unsigned set)
{
    return (p3d_plan){.tp = 1,
            .pp = 1,
            .dp = 1,
            .cp = 1,
            .ep = 1,
            .etp = 1,
            .vp = 1,
            .micro_batch = 1,
            .recompute = P3D_RECOMPUTE_SELECTIVE,
            .recompute_modules = set};
}

static void add_set(search_savings *c, const p3d_pins *pins, unsigned set)
{
    const p3d_plan plan = with_modules(set);

    if (c->n_sets < SEARCH_MAX_SETS &&
            space_lets_depart(c->problem, pins, &plan))
        c->sets[c->n_sets++] = set;
}

/** A module and a part of it are not recomputed both. */
static bool repeats(unsigned set)
{
    const unsigned dense = P3D_MODULE_MLP | P3D_MODULE_MLP_ACTIVATION;
    const unsigned experts = P3D_MODULE_MOE | P3D_MODULE_MOE_ACTIVATION;

    return (set & dense) == dense || (set & experts) == experts;
}

/** True where a set has what the framework recomputes always, a part of a
 *  module with the module. */
static bool has_always(const p3d_framework *fw, unsigned useful, unsigned set)
{
    const unsigned with_parts =
            set |
            ((set & P3D_MODULE_MLP) != 0 ? P3D_MODULE_MLP_ACTIVATION : 0u);

    return (fw->always_modules & useful & ~with_parts) == 0;
}

/** All sets of the useful modules, with the experts' module or without. */
static void add_sets(search_savings *c, const p3d_pins *pins, bool with_experts)
{
    const p3d_framework *const fw = c->problem->job.framework;
    const unsigned useful = useful_modules(c->problem);

    for (unsigned set = useful; set != 0; set = (set - 1) & useful) {
        if (((set & P3D_MODULE_MOE) != 0) == with_experts && !repeats(set) &&
                has_always(fw, useful, set))
            add_set(c, pins, set == fw->usual_modules ? 0 : set);
    }
}

static void build_sets(
        const p3d_problem *problem, const p3d_pins *pins, search_savings *c)
{
    const p3d_framework *fw = problem->job.framework;
    const unsigned useful = useful_modules(problem);
    const unsigned kept = spec_kept_modules(&problem->model, &problem->job);
    const unsigned runs = (fw->modules | fw->unsearched_modules) & ~kept;
    const bool asked = pins->recompute == P3D_RECOMPUTE_SELECTIVE &&
                       (fw->usual_modules & kept) == 0;

    if (!space_leaves(pins->recompute, P3D_RECOMPUTE_SELECTIVE) ||
            (fw->lacks & P3D_LACKS_SELECTIVE) != 0)
        return;
    if ((pins->recompute_modules & ~runs) != 0)
        return;
    if (pins->recompute_modules != 0) {
        add_set(c, pins, pins->recompute_modules);
        c->n_pair_sets =
                (pins->recompute_modules & P3D_MODULE_MOE) == 0 ? c->n_sets : 0;
        return;
    }
    if (asked && (fw->usual_modules & ~useful) != 0 &&
            (fw->usual_modules & P3D_MODULE_PER_OP) == 0)
        add_set(c, pins, 0);
    if ((fw->modules & P3D_MODULE_PER_OP) != 0)
        add_set(c, pins,
                fw->usual_modules == P3D_MODULE_PER_OP ? 0 : P3D_MODULE_PER_OP);
    add_sets(c, pins, false);
    c->n_pair_sets = c->n_sets;
    add_sets(c, pins, true);
}

/** True where shares of the activations are tried. */
static bool spreads_activations(
        const p3d_problem *problem, const p3d_pins *pins)
{
    const p3d_framework *const fw = problem->job.framework;

    return fw->activation_offload && !fw->offload_unsearched &&
           (pins->without & P3D_DEPARTS_ACTIVATIONS) == 0;
}

static void build_activations(
        const p3d_problem *problem, const p3d_pins *pins, search_savings *c)
{
    if (pins->activation_offload_frac >= 0) {
        c->activations[0] = pins->activation_offload_frac;
        c->n_activations = 1;
        return;
    }
    c->n_activations = spreads_activations(problem, pins) ? QUARTERS + 1 : 1;
    for (int i = 0; i < c->n_activations; i++)
        c->activations[i] = (double)i / QUARTERS;
}

/** Only full recomputation of all layers. */
static void leave_all_layers(search_savings *c)
{
    c->none = c->groups = false;
    c->n_sets = c->n_pair_sets = 0;
    c->whole = true;
    c->layers = SPEC_ALL_LAYERS;
}

void search_savings_build(
        const p3d_problem *problem, const p3d_pins *pins, search_savings *out)
{
    const unsigned no_groups = P3D_LACKS_LAYER_GROUPS | P3D_LACKS_ODD_GROUPS;
    const bool whole = (pins->without & P3D_DEPARTS_LAYERS) != 0;

    *out = (search_savings){.problem = problem,
            .none = space_leaves(pins->recompute, P3D_RECOMPUTE_NONE) &&
                    !problem->job.partition_activations &&
                    (problem->job.framework->always_modules == 0 ||
                            pins->recompute == P3D_RECOMPUTE_NONE),
            .full = space_leaves(pins->recompute, P3D_RECOMPUTE_FULL),
            .groups = space_leaves(pins->recompute, P3D_RECOMPUTE_FULL) &&
                      pins->recompute_layers == 0 &&
                      (pins->recompute_group == 1 ||
                              (!whole && (problem->job.framework->lacks &
                                                 no_groups) == 0)),
            .whole = whole,
            .layers = pins->recompute_layers,
            .group = pins->recompute_group};
    if (!problem->job.partition_activations)
        build_sets(problem, pins, out);
    build_activations(problem, pins, out);
    if (pins->activation_offload_frac > 0 &&
            (problem->job.framework->lacks & P3D_LACKS_OTHER_OFFLOAD) != 0)
        leave_all_layers(out);
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
                       space_lets_depart(problem, pins, &plan) &&
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

int search_n_sets(const search_savings *savings, const p3d_plan *plan)
{
    return pairs(savings->problem, plan) ? savings->n_pair_sets
                                         : savings->n_sets;
}

static unsigned modules_of(const search_savings *savings, int set)
{
    const unsigned modules = savings->sets[set];

    return modules != 0 ? modules
                        : savings->problem->job.framework->usual_modules;
}

bool search_is_by_operation(const search_savings *savings, int set)
{
    return (modules_of(savings, set) & P3D_MODULE_PER_OP) != 0;
}

unsigned search_all_modules(const search_savings *savings, const p3d_plan *plan)
{
    const int n = search_n_sets(savings, plan);
    unsigned all = 0;

    for (int i = 0; i < n; i++)
        all |= search_is_by_operation(savings, i) ? 0 : modules_of(savings, i);
    return all;
}

/** True where the framework recomputes all layers of a plan or none. */
static bool takes_all_layers(
        const search_savings *savings, const p3d_plan *plan)
{
    const unsigned whole =
            P3D_LACKS_LAYER_COUNTS |
            (plan->pp > 1 ? P3D_LACKS_PIPELINE_LAYER_COUNTS : 0u);

    return savings->whole ||
           (savings->problem->job.framework->lacks & whole) != 0;
}

/** The number of layers that the pins say of a chunk's. */
static int said_layers(const search_savings *savings, int most)
{
    return savings->layers == SPEC_ALL_LAYERS ? most : savings->layers;
}

int search_least_layers(
        const search_savings *savings, const p3d_plan *plan, int most)
{
    if (savings->layers > 0)
        return said_layers(savings, most);
    return takes_all_layers(savings, plan) ? most : 1;
}

int search_n_layers(
        const search_savings *savings, const p3d_plan *plan, int most)
{
    if (!savings->full || savings->group > 0 ||
            bars_full(savings->problem, plan))
        return 0;
    if (takes_all_layers(savings, plan))
        return savings->layers == 0 || said_layers(savings, most) == most;
    return savings->layers > 0 ? said_layers(savings, most) <= most : most;
}

int search_n_groups(
        const search_savings *savings, const p3d_plan *plan, int most)
{
    if (!savings->groups || bars_full(savings->problem, plan) ||
            (savings->problem->job.n_mtp_layers > 0 && savings->group != 1))
        return 0;
    if (savings->group > 0)
        return savings->group <= most;
    return most > 1 ? most - 1 : 0;
}

int search_least_group(const search_savings *savings)
{
    return savings->group > 0 ? savings->group : 2;
}

/* Splits of the layers. */

/** A list that grows. */
typedef struct builder {
    const p3d_problem *problem;
    const p3d_pins *pins;
    p3d_plan plan;
    int usual[P3D_MAX_LAYERS]; /* layers without such numbers; usual[0] = 0
                                  when that is not legal */
    search_splits *list;
    bool failed;
} builder;

static int largest(const int *layers, int n)
{
    int most = 0;

    for (int i = 0; i < n; i++)
        most = layers[i] > most ? layers[i] : most;
    return most;
}

/** Add a split, unless it is the usual one. */
static void add(builder *b, int first, int last)
{
    const int n = b->plan.pp;
    int layers[P3D_MAX_LAYERS];
    search_split *more;

    b->plan.first_layers = first;
    b->plan.last_layers = last;
    if (b->failed || !space_leaves(b->pins->first_layers, first) ||
            !space_leaves(b->pins->last_layers, last) ||
            !p3d_plan_split_layers(
                    &b->problem->model, &b->problem->job, &b->plan, layers))
        return;
    if (b->pins->first_layers <= 0 && b->pins->last_layers <= 0 &&
            memcmp(layers, b->usual, (size_t)n * sizeof(layers[0])) == 0)
        return;
    more = p3d_grow(b->list->at, b->list->n, sizeof(*more));
    b->failed = more == NULL;
    if (b->failed)
        return;
    b->list->at = more;
    more[b->list->n++] = (search_split){.first = (short)first,
            .last = (short)last,
            .most = (short)largest(layers, n),
            .ends = {(short)layers[0], (short)layers[n - 1]},
            .share = (short)(n > 2 ? layers[1] : 0)};
}

/** True where a number is worth saying: it is not that of the stages between
 *  the ends, or somebody has said it. */
static bool is_said(int pin, int n, int share)
{
    return n != share || pin > 0;
}

/** Both ends; of two stages one number says all, unless both have been said. */
static void add_both(builder *b, int share)
{
    const p3d_pins *pins = b->pins;
    const int pp = b->plan.pp;
    const int both = b->problem->model.n_layers - share * (pp - 2);

    if (pp == 2 &&
            (share > 1 || pins->first_layers <= 0 || pins->last_layers <= 0))
        return;
    for (int first = 1; first < both; first++) {
        if (is_said(pins->first_layers, first, share) &&
                is_said(pins->last_layers, both - first, share))
            add(b, first, both - first);
    }
}

/** All splits whose middle stages have `share` layers. */
static void add_share(builder *b, int share)
{
    const p3d_pins *pins = b->pins;
    const int pp = b->plan.pp;
    const int one = b->problem->model.n_layers - share * (pp - 1);

    if (one >= 1 && is_said(pins->first_layers, one, share))
        add(b, one, 0);
    if (one >= 1 && is_said(pins->last_layers, one, share) &&
            (pp > 2 || pins->last_layers > 0))
        add(b, 0, one);
    add_both(b, share);
}

static int compare(const void *a, const void *b)
{
    const search_split *x = a, *y = b;

    if (x->most != y->most)
        return x->most < y->most ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->last > y->last) - (x->last < y->last);
}

static bool build(builder *b)
{
    search_splits *list = b->list;
    int64_t sum = 0;

    for (int share = 1; share < b->problem->model.n_layers; share++)
        add_share(b, share);
    list->most_behind = malloc(((size_t)list->n + 1) * sizeof(int64_t));
    if (b->failed || list->most_behind == NULL)
        return false;
    if (list->n > 0)
        qsort(list->at, (size_t)list->n, sizeof(list->at[0]), compare);
    list->most_behind[list->n] = 0;
    for (int i = list->n - 1; i >= 0; i--) {
        sum += list->at[i].most;
        list->most_behind[i] = sum;
    }
    return true;
}

static search_splits *new_list(search_split_table *table)
{
    search_splits *const more = p3d_grow(table->lists, table->n, sizeof(*more));

    if (more == NULL)
        return NULL;
    table->lists = more;
    table->lists[table->n] = (search_splits){.pp = 0};
    return &table->lists[table->n++];
}

/** The list of a plan's number of stages, if it is there. */
static const search_splits *known(search_split_table *table, int pp)
{
    if (table->n > table->last && table->lists[table->last].pp == pp)
        return &table->lists[table->last];
    for (int i = 0; i < table->n; i++) {
        if (table->lists[i].pp == pp)
            return &table->lists[table->last = i];
    }
    return NULL;
}

static const search_splits *new_splits(search_split_table *table,
        const p3d_problem *problem, const p3d_pins *pins, const p3d_plan *plan)
{
    builder b = {.problem = problem, .pins = pins, .plan = *plan};

    b.list = new_list(table);
    if (b.list == NULL)
        return NULL;
    b.plan.first_layers = b.plan.last_layers = 0;
    if (!p3d_plan_split_layers(
                &problem->model, &problem->job, &b.plan, b.usual))
        b.usual[0] = 0;
    if (!build(&b))
        return NULL;
    b.list->pp = plan->pp;
    return b.list;
}

const search_splits *search_splits_of(search_split_table *table,
        const p3d_problem *problem, const p3d_pins *pins, const p3d_plan *plan)
{
    const search_splits *list = known(table, plan->pp);

    return list != NULL ? list : new_splits(table, problem, pins, plan);
}

void search_splits_free(search_split_table *table)
{
    for (int i = 0; i < table->n; i++) {
        free(table->lists[i].at);
        free(table->lists[i].most_behind);
    }
    free(table->lists);
    *table = (search_split_table){.n = 0};
}

/* Who shares the states, and how ranks are ordered. */

const search_stages *search_stages_of(search *s, const p3d_plan *branch)
{
    const bool shares = space_shares_axes(s->problem, branch);
    search_stages *stages = &s->stages[branch->pp > 1][p3d_schedule_flushes(
            branch->schedule)][shares][branch->dp > 1];
    p3d_plan plan = *branch;

    if (stages->built)
        return stages;
    stages->built = true;
    plan.activation_offload_frac = s->savings.activations[0];
    if (!s->savings.none && s->savings.n_sets == 0)
        plan.recompute = P3D_RECOMPUTE_FULL;
    for (plan.zero = shares ? 3 : 0; plan.zero < P3D_COUNT_OF(stages->offloads);
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
                (plan.shard > 1 ? space_leaves(s->pins->shard, plan.shard)
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

    if (zero == 0 || (hybrid >> zero & 1) == 0 ||
            (s->pins->without & P3D_DEPARTS_SHARDING) != 0)
        return &none;
    find_parts(s, branch, zero);
    return &s->parts.sizes;
}

bool search_may_share_all(const p3d_pins *pins, const p3d_plan *branch)
{
    return pins->shard <= 0 ||
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
                space_lets_depart(p, s->pins, &plan) &&
                (o == P3D_ORDER_DP_PP ||
                        spec_plan_keeps_rules(&p->model, &p->cluster, &p->job,
                                &plan, P3D_DIFFERENCE_SHARING)))
            orders.at[orders.n++] = plan.order;
    }
    return orders;
}
