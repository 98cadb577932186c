/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pools_fields.c - the answer about pools of several types: its rows, and its
 * JSON document by tables. */
#include <stdio.h>
#include <string.h>

#include "report/data/fields.h"
#include "report/pools.h"
#include "spec/tiers.h"
#include "spec/words.h"

/* Layers of the stages of a segment: "12,15,17". */
static void print_layers(const p3d_replica_class *class, int first, int n,
        char *out, size_t size)
{
    size_t at = 0;

    out[0] = '\0';
    for (int i = first; i < first + n && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%d",
                i > first ? "," : "", class->layers[i]);
}

static void fill_class(const p3d_pools *pools, const p3d_replica_class *found,
        report_replica_class *out)
{
    size_t at = 0;
    int stage = 0;

    out->found = *found;
    out->pipeline[0] = '\0';
    for (int i = 0; i < found->n_segments; i++) {
        const p3d_segment *const s = &found->segments[i];
        report_segment *const row = &out->rows[i];
        char layers[sizeof(row->layers)];

        char chunks[24] = "";

        row->pool = pools->names[s->pool];
        row->tp = s->tp;
        row->n_stages = s->n_stages;
        print_layers(found, stage, s->n_stages, layers, sizeof(layers));
        memcpy(row->layers, layers, sizeof(layers));
        if (found->vp > 1)
            snprintf(chunks, sizeof(chunks), " vp=%d", found->vp);
        stage += s->n_stages;
        if (at < sizeof(out->pipeline))
            at += (size_t)snprintf(out->pipeline + at,
                    sizeof(out->pipeline) - at, "%s%s tp=%d pp=%d%s layers=%s",
                    i > 0 ? ", " : "", row->pool, row->tp, row->n_stages,
                    chunks, layers);
    }
    out->segments = (json_list){out->rows, found->n_segments};
}

static double billion_tokens_usd(double usd_per_h, double tokens_per_s)
{
    return tokens_per_s > 0 ? usd_per_h / 3600 * 1e9 / tokens_per_s : 0;
}

/* Of one pool, all GPUs are paid for; 0 where it has no price. */
static double alone_usd(const report_pools *a, int k)
{
    const p3d_job *const job = &a->problem->on[k].job;
    const double step_s = a->found->alone[k].step_s;

    return step_s > 0
                   ? billion_tokens_usd(a->problem->pools.clusters[k].n_gpus *
                                                job->usd_per_gpu_h,
                             p3d_job_tokens(job) / step_s)
                   : 0;
}

/* Of the plan, those that are used; 0 where one of them has no price. */
static double plan_usd(const report_pools *a)
{
    const p3d_pools_plan *const plan = &a->found->plan;
    double usd_per_h = 0;

    for (int k = 0; k < a->problem->pools.n_pools; k++) {
        const double usd = a->problem->on[k].job.usd_per_gpu_h;

        if (plan->n_gpus[k] > 0 && usd == 0)
            return 0;
        usd_per_h += plan->n_gpus[k] * usd;
    }
    return a->found->fits ? billion_tokens_usd(usd_per_h, plan->tokens_per_s)
                          : 0;
}

static void fill_pool(const report_pools *a, int k, report_pool *out)
{
    const p3d_pool_alone *const alone = &a->found->alone[k];
    const p3d_cluster *const cluster = &a->problem->pools.clusters[k];

    *out = (report_pool){.name = a->problem->pools.names[k],
            .cluster = cluster->name,
            .of = cluster,
            .fabric = cluster->fabric.name,
            .rails = cluster->tiers.n > 0 && cluster->tiers.rails,
            .n_gpus = cluster->n_gpus,
            .n_used_gpus = a->found->fits ? a->found->plan.n_gpus[k] : 0,
            .unit_gpus = a->found->unit[k],
            .alone_fits = alone->fits,
            .alone_step_s = alone->step_s,
            .usd_per_gpu_h = a->problem->on[k].job.usd_per_gpu_h,
            .alone_billion_tokens_usd = alone_usd(a, k)};
    if (alone->fits && a->alone != NULL)
        out->alone_real_s = a->alone[k].real_s;
    if (alone->fits)
        p3d_plan_print(&alone->plan, out->alone_plan, sizeof(out->alone_plan));
}

void report_pools_fill(report_pools *a)
{
    const p3d_pools *const pools = &a->problem->pools;
    const p3d_pools_result *const found = a->found;
    const int n_classes = found->fits ? found->plan.n_classes : 0;

    a->fits = found->fits || found->best_alone >= 0;
    a->recommended = !a->fits              ? NULL
                     : found->prefer_alone ? pools->names[found->best_alone]
                                           : "pools";
    a->model = a->problem->on[0].model.name;
    a->global_batch = a->problem->on[0].job.global_batch;
    a->seq_len = a->problem->on[0].job.seq_len;
    a->billion_tokens_usd = plan_usd(a);
    if (a->alike != NULL && a->alike->fits)
        a->alike_step_s = a->alike->plan.step_s;
    for (int k = 0; k < pools->n_pools; k++)
        fill_pool(a, k, &a->pool_rows[k]);
    for (int i = 0; i < pools->n_links; i++) {
        const p3d_pool_link *const link = &pools->links[i];

        a->link_rows[i] = (report_pool_link){pools->names[link->pool],
                pools->names[link->other], link->bytes_per_s_one_way,
                link->latency_s, link->assumed};
    }
    for (int i = 0; a->network != NULL && i < a->network->n_cuts; i++) {
        const p3d_pools_cut *const cut = &a->network->cuts[i];

        a->cut_rows[i] = (report_pools_cut){*cut, pools->names[cut->pool],
                cut->other >= 0 ? pools->names[cut->other] : NULL};
    }
    for (int i = 0; i < n_classes; i++)
        fill_class(pools, &found->plan.classes[i], &a->class_rows[i]);
    a->pools = (json_list){a->pool_rows, pools->n_pools};
    a->links = (json_list){a->link_rows, pools->n_links};
    a->classes = (json_list){a->class_rows, n_classes};
    a->cuts = (json_list){
            a->cut_rows, a->network != NULL ? a->network->n_cuts : 0};
}

GETTER(tiers_of, report_pool, list,
        ((json_list){x->of->tiers.at, x->of->tiers.n}))
GETTER(placement_of, report_pool, string,
        x->of->tiers.n > 0 ? p3d_placement_word((int)x->of->tiers.placement)
                           : NULL)

/* clang-format off */
#define P report_pool
static const json_field pool_fields[] = {
    ROW(P, name, "of the pool"),
    ROW(P, cluster, "GPUs x type"),
    ROW(P, fabric, "type of network between its nodes"),
    {.key = "tiers",
        .type = JSON_TYPE(LIST, .shape = &spec_tier_shape, .get = tiers_of),
        .doc = "switches above its nodes, from the nodes up; absent: none that "
               "may be tight"},
    {.key = "placement", .type = JSON_GOT(TEXT, placement_of),
        .doc = "of the nodes below these switches"},
    {"rails", JSON_BOOL, 0, offsetof(P, rails), 0, 0,
        "a leaf switch has one card of each node; absent: all of them"},
    ROW(P, n_gpus, "GPUs"),
    ROW(P, n_used_gpus, "GPUs that the plan uses"),
    ROW(P, unit_gpus, "a replica takes GPUs of it by so many"),
    ROW(P, alone_fits, "some plan on it alone is sure to fit"),
    {TYPED("alone_plan", P, alone_plan, JSON_GOT(TEXT, report_get_chars),
        char *, "the fastest plan on it alone, as --plan reads it")},
    MAYBE_ROW(P, alone_step_s, "time of its step"),
    MAYBE_ROW(P, usd_per_gpu_h, "price of a GPU-hour"),
    MAYBE_ROW(P, alone_billion_tokens_usd, "cost of 1e9 tokens with that plan, "
        "on all GPUs of the pool, if nothing fails"),
    MAYBE_ROW(P, alone_real_s, "time of the training with that plan, if it was "
        "asked for and ends"),
};
static const json_shape pool_shape = REPORT_SHAPE(
        P, pool_fields, "one of several pools");

#define L report_pool_link
static const json_field link_fields[] = {
    ROW(L, from, "name of a pool"),
    ROW(L, to, "name of another"),
    ROW(L, bytes_per_s_one_way, "of a node of either to the other"),
    ROW(L, latency_s, "of a collective over it"),
    ROW(L, assumed, "nobody said it: the slower of the two fabrics"),
};
static const json_shape link_shape = REPORT_SHAPE(
        L, link_fields, "the network between two pools");

#define G report_segment
static const json_field segment_fields[] = {
    ROW(G, pool, "its name"),
    ROW(G, tp, "tensor-parallel ranks"),
    ROW(G, n_stages, "stages of the pipeline"),
    {TYPED("layers", G, layers, JSON_GOT(TEXT, report_get_chars), char *,
        "of each stage, with commas between")},
};
static const json_shape segment_shape = REPORT_SHAPE(
        G, segment_fields, "neighbouring stages of a replica in one pool");

#define C report_replica_class
static const json_field class_fields[] = {
    IN(C, found, n_replicas, "replicas that are alike"),
    {TYPED("pipeline", C, pipeline, JSON_GOT(TEXT, report_get_chars), char *,
        "its segments in words, from the first stage on")},
    LIST_ROW(C, segments, segment_shape, "the same, one by one"),
    {AS("n_pipeline_stages", C, found.n_stages, "stages of it")},
    IN(C, found, vp,
        "chunks of each of its stages; above 1 the schedule is interleaved"),
    IN(C, found, micro_batch, "sequences of a micro-batch"),
    IN(C, found, n_micro_batches, "in a step"),
    {TYPED("recompute", C, found.recompute,
        JSON_WORD_BY(spec_recompute_word), p3d_recompute,
        "activations that the backward pass computes again")},
    IN(C, found, pipeline_s, "time until its last micro-batch is done"),
    IN(C, found, bottleneck_s, "of that, for each micro-batch after the first"),
    IN(C, found, tight_stage, "stage that has the least left, from 0"),
    IN(C, found, peak_bytes, "memory of its GPUs"),
    {AS("margin_bytes", C, found.left_bytes, "usable less peak"), SIGNED},
};
const json_shape report_replica_class_shape = REPORT_SHAPE(
        C, class_fields, "replicas that are alike");

#define A report_pools
#define PLAN_ROW(f, d) {MAYBE(#f, p3d_pools_result, plan.f, d)}
#define RESULT_ROW(f, d) ROW(p3d_pools_result, f, d)
static const json_field result_fields[] = {
    RESULT_ROW(fits, "the plan of the pools is sure to fit"),
    {AS("zero", p3d_pools_result, plan.zero, "ZeRO stage over all replicas")},
    PLAN_ROW(n_replicas, "replicas of all classes"),
    PLAN_ROW(step_s, "time of a step"),
    PLAN_ROW(pipeline_s, "of it, until the last replica is done"),
    PLAN_ROW(once_s, "of it, then: exchange of gradients, optimizer, what is "
        "fixed"),
    PLAN_ROW(tokens_per_s, "of all GPUs"),
    PLAN_ROW(mfu_frac, "FLOPs of the model over the dense peak of the GPUs "
        "that are used"),
    RESULT_ROW(prefer_alone, "one pool alone is no slower"),
    MAYBE_ROW(p3d_pools_result, floor_s,
        "work of a step over the best rate of all GPUs"),
    MAYBE_ROW(p3d_pools_result, bound_s, "no plan of the space takes less"),
    RESULT_ROW(n_classes, "classes whose layers were split"),
    RESULT_ROW(n_cut, "classes that a bound left out"),
    RESULT_ROW(n_knapsacks, "knapsacks that were filled"),
    RESULT_ROW(interrupted, "it was stopped: the bound is the floor"),
    RESULT_ROW(seconds, "time of the search"),
};
static const json_shape result_shape = REPORT_SHAPE(
        p3d_pools_result, result_fields, "the fastest plan on several pools");
static const json_field pools_fields[] = {
    SCHEMA_ROWS_BUT_COMMAND,
    ROW(A, command, "that was asked: fit or plan"),
    ROW(A, fits, "the plan of the pools is sure to fit, or some pool alone is"),
    ROW(A, recommended, "pools, or the name of the pool that is no slower "
        "alone, in the whole training where it was asked for; null: nothing "
        "fits"),
    ROW(A, model, "its name"),
    ROW(A, seq_len, "tokens per sequence"),
    ROW(A, global_batch, "sequences per step"),
    MAYBE_ROW(A, billion_tokens_usd, "cost of 1e9 tokens with the plan, on the "
        "GPUs that it uses, each pool's at its price, if nothing fails"),
    MAYBE_ROW(A, alike_step_s, "time of a step with the fastest plan whose "
        "replicas are all alike, which export writes for FlagScale"),
    LIST_ROW(A, pools, pool_shape, "of the cluster"),
    LIST_ROW(A, links, link_shape, "between the pools"),
    {TYPED("plan", A, found, JSON_OBJECT_OR_NULL(result_shape),
        const p3d_pools_result *, "the fastest, and its certificate")},
    LIST_ROW(A, classes, report_replica_class_shape, "replicas of the plan"),
    OBJECT_OR_NULL_ROW(A, training, report_training, report_training_shape,
        "of n_tokens with the plan, where that was asked; without ranges"),
};
/* clang-format on */

const json_shape report_pools_shape =
        REPORT_SHAPE(A, pools_fields, "answer about pools of several types");

/* clang-format off */
#define U report_pools_cut
static const json_field cut_fields[] = {
    ROW(U, pool, "its name"),
    ROW(U, to, "of links between two pools, the other; null: of a pool's own"),
    IN(U, found, tier, "0: the network cards of a node (of an NVLink domain), "
        "or links between pools; 1: the links up of a switch of the first "
        "tier, and so on"),
    IN(U, found, gpus_below, "GPUs whose traffic crosses; 0: all of the pool, "
        "so nothing does"),
    IN(U, found, bytes_per_s, "of its links, one way; between pools, of a "
        "node"),
    IN(U, found, cost_s, "that a step takes less where these links are "
        "unlimited; of the cards, on a network with nothing tight above them"),
    IN(U, found, cost_frac, "of the step"),
    IN(U, found, pipeline_s, "of the cost, that of pipelines; the rest is of "
        "the exchange of gradients"),
};
static const json_shape cut_shape = REPORT_SHAPE(
        U, cut_fields, "links of a pool, or between two pools");

#define O p3d_pools_load
static const json_field load_fields[] = {
    ROW(O, cut, "in the list of cuts, from 0"),
    ROW(O, axis, "dp: the gradients of all replicas; pp: stages of a pipeline"),
    ROW(O, pattern, "ring, or neighbours"),
    ROW(O, load_frac, "of the GPUs below, those that send up at once; of the "
        "stages of the pool, those that find it the tightest"),
    ROW(O, spread_frac, "of the links that hashed flows reach; 1: all"),
    ROW(O, of_cards_frac, "time over that of the network cards; above 1 the "
        "cut is tighter than these"),
};
static const json_shape load_shape = REPORT_SHAPE(
        O, load_fields, "what stages of a pool send through its links");

#define N p3d_network_change
static const json_field change_fields[] = {
    {TYPED("what", N, what, JSON_GOT(TEXT, report_get_chars), char *,
        "an option for all pools, or links twice as fast")},
    ROW(N, step_s, "of the same plan with it"),
    SIGNED_ROW(N, slower_frac, "over the step as asked"),
};
/* clang-format on */
const json_shape report_pools_change_shape =
        REPORT_SHAPE(N, change_fields, "the plan of pools on another network");

GETTER(loads_of, report_pools, list,
        (x->network != NULL
                        ? (json_list){x->network->loads, x->network->n_loads}
                        : (json_list){NULL, 0}))
GETTER(changes_of, report_pools, list,
        (x->network != NULL ? (json_list){x->network->changes,
                                      x->network->n_changes}
                            : (json_list){NULL, 0}))
GETTER(tight_of, report_pools, object,
        (x->network != NULL && x->network->tight >= 0
                        ? &x->cut_rows[x->network->tight]
                        : NULL))

/* clang-format off */
static const json_field network_document_fields[] = {
    SCHEMA_ROWS("explain"),
    CONST_ROW("topic", "pools_network"),
    ROW(A, fits, "the plan of the pools is sure to fit, or some pool alone is"),
    ROW(A, recommended, "pools, or the name of the pool that is no slower "
        "alone; null: nothing fits"),
    ROW(A, model, "its name"),
    ROW(A, seq_len, "tokens per sequence"),
    ROW(A, global_batch, "sequences per step"),
    LIST_ROW(A, pools, pool_shape, "of the cluster"),
    LIST_ROW(A, links, link_shape, "between the pools"),
    {TYPED("plan", A, found, JSON_OBJECT_OR_NULL(result_shape),
        const p3d_pools_result *, "the fastest, and its certificate")},
    LIST_ROW(A, classes, report_replica_class_shape, "replicas of the plan"),
    {FIELD("tight", JSON_TYPE(OBJECT_OR_NULL, .shape = &cut_shape,
        .get = tight_of), 0, "the links that cost the most; null: none cost "
        "anything")},
    LIST_ROW(A, cuts, cut_shape, "links, pool by pool, then those between "
        "pools"),
    LIST_GOT_ROW("loads", load_shape, loads_of, "of each cut, by axis"),
    LIST_GOT_ROW("changes", report_pools_change_shape, changes_of,
        "what others would give"),
};
/* clang-format on */

const json_shape report_pools_network_document_shape = REPORT_SHAPE(A,
        network_document_fields,
        "answer of plan3d explain ... network on pools of several types");
