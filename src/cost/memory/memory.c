/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - what one pipeline rank holds at its peak, and how sure that is. */
#include "cost/memory/memory.h"

#include <math.h>
#include <stddef.h>

#include "base/elementary.h"
#include "base/util.h"
#include "plan3d/units.h"
#include "spec/given.h"

/* Reserved over allocated memory by kind of rank, medians of published pairs.
 * Source: MooreThreads/SimuMax@4dcaae51 docs/b200, 23 stages, 1.017 to 1.093.
 */
static const double RESERVED_ONE_STAGE = 1.032;
static const double RESERVED_FIRST_STAGE = 1.065;
static const double RESERVED_LAST_STAGE = 1.019;
static const double RESERVED_MOE = 1.054;
static const double RESERVED_LONG_CONTEXT = 1.077;
enum { LONG_CONTEXT_TOKENS = 32768 };

/* Segments that grow leave no holes between them: torchtitan's script asks for
 * them (run_llama_train.sh:22), AMD's allocator had none until 2026. */
static bool segments_grow(const p3d_problem *problem)
{
    const p3d_allocator said = problem->job.allocator;

    return (said == P3D_ALLOCATOR_EXPANDABLE ||
                   (said == P3D_ALLOCATOR_USUAL &&
                           problem->job.framework->stream_pools)) &&
           p3d_gpu_sm(&problem->cluster.gpu) > 0;
}

static double reserved_factor(const cost_rank *r)
{
    if (r->of.problem->job.framework->one_program)
        return 1;
    if (segments_grow(r->of.problem) ||
            r->of.problem->job.framework->logits_hole_bytes > 0)
        return 1;
    if (r->of.problem->job.seq_len >= LONG_CONTEXT_TOKENS)
        return RESERVED_LONG_CONTEXT;
    if (r->of.problem->model.n_experts > 0)
        return RESERVED_MOE;
    if (r->of.plan->pp == 1)
        return RESERVED_ONE_STAGE;
    return r->rank > 0 && r->has_head ? RESERVED_LAST_STAGE
                                      : RESERVED_FIRST_STAGE;
}

static int64_t *term_of(p3d_memory *memory, int term)
{
    static const size_t offsets[P3D_N_MEMORY_TERMS] = {
#define P3D_AS_OFFSET(field, words) offsetof(p3d_memory, field##_bytes),
            P3D_MEMORY_TERMS(P3D_AS_OFFSET)
#undef P3D_AS_OFFSET
    };

    return (int64_t *)(void *)((char *)memory + offsets[term]);
}

static const cost_moment *moment_of(const cost_rank *rank, p3d_pass pass)
{
    return pass == P3D_PASS_LOSS       ? &rank->walk.forward
           : pass == P3D_PASS_BACKWARD ? &rank->walk.backward
                                       : NULL;
}

/** Bytes that the allocator has handed out during each pass. */
typedef struct pass_bytes {
    double all[P3D_N_PASSES];
    double common[P3D_N_PASSES]; /* without what lies apart */
    double apart;                /* at any time */
} pass_bytes;

static void add_item(pass_bytes *sum, const cost_item *item)
{
    for (int pass = P3D_PASS_LOSS; pass < P3D_N_PASSES; pass++) {
        if ((item->when >> pass & 1) == 0 || item->term == P3D_TERM_context)
            continue;
        sum->all[pass] +=
                item->term == P3D_TERM_fragmentation ? 0 : item->bytes;
        sum->common[pass] += item->apart ? 0 : item->bytes;
    }
    sum->apart += item->apart ? item->bytes : 0;
}

static pass_bytes sum_passes(const cost_rank *rank, const cost_items *items)
{
    pass_bytes sum = {.apart = 0};

    for (int pass = P3D_PASS_LOSS; pass < P3D_N_PASSES; pass++) {
        const cost_moment *moment = moment_of(rank, (p3d_pass)pass);

        if (moment != NULL)
            sum.all[pass] = moment->saved_bytes + moment->beside_bytes;
        sum.common[pass] = sum.all[pass];
    }
    for (int i = 0; i < items->n; i++)
        add_item(&sum, &items->at[i]);
    return sum;
}

/** A whole number of bytes, at most COST_MOST_BYTES. */
static int64_t whole(double bytes)
{
    return bytes < (double)COST_MOST_BYTES ? (int64_t)bytes : COST_MOST_BYTES;
}

/**
 * The pass of the peak.
 *
 *     peak = max over passes: items alive in it
 *            + activations and working set at its worst moment
 *
 * The end of a forward pass (the loss, on the rank that has it), a backward
 * pass, and the optimizer's step, when no activations are alive.
 */
static p3d_pass peak_pass(const cost_rank *rank, const cost_items *items,
        const pass_bytes *sum, p3d_memory *out)
{
    p3d_pass best = P3D_PASS_LOSS;
    const cost_moment *moment;

    for (int pass = P3D_PASS_LOSS; pass < P3D_N_PASSES; pass++) {
        if (sum->all[pass] > sum->all[best])
            best = (p3d_pass)pass;
    }
    *out = (p3d_memory){.weights_bytes = 0};
    for (int i = 0; i < items->n; i++) {
        if ((items->at[i].when >> best & 1) != 0)
            *term_of(out, items->at[i].term) += whole(items->at[i].bytes);
    }
    moment = moment_of(rank, best);
    if (moment != NULL) {
        out->activations_bytes = whole(moment->saved_bytes);
        out->working_bytes = whole(moment->beside_bytes);
    }
    return best;
}

p3d_pass cost_peak_pass(
        const cost_rank *rank, const cost_items *items, p3d_memory *out)
{
    const pass_bytes sum = sum_passes(rank, items);

    return peak_pass(rank, items, &sum, out);
}

/**
 * What the allocator takes from the device.
 *
 *     reserved = max over passes (common segments + holes) + segments apart
 *
 * Segments apart are those of other streams and of the optimizer's copies:
 * nothing else can use them, and they stay reserved.
 */
static double reserved_bytes(const cost_rank *rank, const pass_bytes *sum)
{
    const double holes = reserved_factor(rank) - 1;
    const p3d_job *job = &rank->of.problem->job;
    double common = job->whole_at_start
                            ? p3d_dtype_bytes(job->dtype) *
                                      cost_all_params(rank->parameters.all)
                            : 0;

    for (int pass = P3D_PASS_LOSS; pass < P3D_N_PASSES; pass++) {
        const double bytes = sum->common[pass] + holes * sum->all[pass];

        common = bytes > common ? bytes : common;
    }
    return common + sum->apart;
}

double cost_reserved_bytes(const cost_rank *rank, const cost_items *items)
{
    const pass_bytes sum = sum_passes(rank, items);

    return reserved_bytes(rank, &sum);
}

/** Micro-batches that are alive, weighted by what the chunks keep. */
static double in_flight(const cost_rank *rank, p3d_pass pass)
{
    const cost_moment *moment = moment_of(rank, pass);
    double alive = 0, all = 0;

    if (moment == NULL)
        return 0;
    for (int j = 0; j < rank->of.plan->vp; j++) {
        const int n = cost_chunk_layers(
                rank->of.layout, cost_stage_of(rank->of.plan, rank->rank, j));

        alive += (double)moment->alive[j] * n;
        all += n;
    }
    return all > 0 ? alive / all : (double)moment->alive[0];
}

const char *p3d_pass_name(p3d_pass pass)
{
    if ((unsigned)pass >= P3D_N_PASSES)
        return "";

    static const char *const names[P3D_N_PASSES] = {"end of a forward pass",
            "backward pass of a layer", "end of the backward pass",
            "optimizer step"};

    return names[pass];
}

/** What of a pass it is, where its blocks tell. */
static const char *moment_words(const cost_rank *r, p3d_pass pass)
{
    const p3d_block *head = &r->of.blocks->block[P3D_BLOCK_HEAD];

    if (pass == P3D_PASS_LOSS && moment_of(r, pass)->beside_bytes > 0)
        return p3d_moment_name(head->working_moment);
    if (pass == P3D_PASS_BACKWARD) {
        cost_replay replay;
        const int kind = cost_worst_kind(r, moment_of(r, pass), &replay);

        return p3d_moment_name(r->of.blocks->block[kind].working_moment);
    }
    return NULL;
}

/** Fill the memory of a rank that has been walked. @return the pass of it */
static p3d_pass fill_memory(
        const cost_rank *r, cost_items *items, p3d_memory *out)
{
    pass_bytes sum;
    p3d_pass pass;

    cost_offload_put(r, items);
    sum = sum_passes(r, items);
    pass = peak_pass(r, items, &sum, out);
    out->fragmentation_bytes =
            whole(reserved_bytes(r, &sum)) - p3d_memory_allocated_bytes(out);
    if (out->fragmentation_bytes < 0)
        out->fragmentation_bytes = 0; /* rounding of the terms */
    return pass;
}

/**
 * Memory of one pipeline rank at its peak: allocated, then what the caching
 * allocator wastes, and what the process takes outside of it.
 *
 * Tested: tests/unit/test_memory.c
 */
void cost_stage_memory(const cost_case *of, int rank, p3d_stage *out)
{
    cost_rank r;
    cost_items items;

    cost_rank_build(of, rank, &r);
    cost_rank_walk(&r, cost_walk_rank);
    cost_items_build(&r, &items);
    out->pass = fill_memory(&r, &items, &out->memory);
    out->moment = moment_words(&r, out->pass);
    out->n_layers = r.layers.n;
    out->in_flight = in_flight(&r, out->pass);
    out->params = r.parameters.all;
}

/** Less than this a rank never takes: what it holds whatever it runs. */
static double floor_bytes(const cost_items *items)
{
    double sum = 0;

    for (int i = 0; i < items->n; i++)
        sum += items->at[i].when == COST_ALWAYS ? items->at[i].bytes : 0;
    return sum;
}

/** With the same layers, a later rank has no more in flight; but of a V's
 *  second chunk. */
static bool needs_no_more(const cost_case *of, int rank)
{
    return p3d_schedule_chunks(of->plan->schedule) != 2 &&
           cost_same_as_before(of, rank);
}

/** Device bytes of a rank that has been walked. */
static int64_t device_bytes(const cost_rank *r, cost_items *items)
{
    const int n = items->n;
    p3d_memory memory;

    (void)fill_memory(r, items, &memory);
    items->n = n;
    return p3d_memory_device_bytes(&memory);
}

/** Most plans are far from the limit: their states alone are too large, they
 *  fit even if all that is alive were as large as the largest of it, or do not
 *  when the first backward begins. */
bool cost_rank_exceeds(const cost_case *of, int rank, int64_t limit_bytes)
{
    cost_rank r;
    cost_items items;

    cost_rank_begin(of, rank, &r);
    cost_items_begin(&r, &items);
    if (floor_bytes(&items) > (double)limit_bytes)
        return true;
    cost_rank_end(&r);
    cost_items_end(&r, &items);
    if (floor_bytes(&items) > (double)limit_bytes)
        return true;
    if (of->plan->vp > 1 && cost_schedule_alternates(of->plan->schedule)) {
        cost_rank_walk(&r, cost_walk_most);
        if (device_bytes(&r, &items) <= limit_bytes)
            return false;
        cost_rank_walk(&r, cost_walk_start);
        if (device_bytes(&r, &items) > limit_bytes)
            return true;
    }
    cost_rank_walk(&r, cost_walk_rank);
    return device_bytes(&r, &items) > limit_bytes;
}

bool cost_exceeds(const cost_case *of, int64_t limit_bytes, int *first)
{
    const int hint = *first < of->plan->pp ? *first : 0;

    if (cost_rank_exceeds(of, hint, limit_bytes)) {
        *first = hint;
        return true;
    }
    for (int rank = 0; rank < of->plan->pp; rank++) {
        if (rank != hint && !needs_no_more(of, rank) &&
                cost_rank_exceeds(of, rank, limit_bytes)) {
            *first = rank;
            return true;
        }
    }
    return false;
}

cost_host_sum cost_rank_node_host(const cost_case *of, int rank)
{
    const double n = of->problem->cluster.node.gpus_per_node;
    cost_rank r;
    cost_host_sum sum;

    cost_rank_begin(of, rank, &r);
    sum = cost_host(&of->problem->job, of->plan, &r.parameters);
    if (of->plan->activation_offload_frac > 0) {
        double bytes;

        cost_rank_end(&r);
        cost_rank_walk(&r, cost_walk_rank);
        bytes = of->plan->activation_offload_frac * r.walk.most_bytes;
        sum.host_bytes += bytes;
        sum.pinned_bytes += bytes;
    }
    return (cost_host_sum){.host_bytes = n * sum.host_bytes,
            .pinned_bytes = n * sum.pinned_bytes,
            .nvme_bytes = n * sum.nvme_bytes};
}

cost_host_sum cost_node_host(const cost_case *of)
{
    const bool offloads = of->plan->offload != P3D_OFFLOAD_NONE ||
                          of->plan->activation_offload_frac > 0;
    cost_host_sum most = {.host_bytes = 0};

    for (int rank = 0; rank < of->plan->pp && offloads; rank++) {
        const cost_host_sum one = cost_rank_node_host(of, rank);

        most.host_bytes = fmax(most.host_bytes, one.host_bytes);
        most.pinned_bytes = fmax(most.pinned_bytes, one.pinned_bytes);
        most.nvme_bytes = fmax(most.nvme_bytes, one.nvme_bytes);
    }
    return most;
}

/* Share of a node's host memory that offloaded states may take; the rest is
 * for the operating system, pinned buffers and data loading. Assumes: A11. */
static const double HOST_MEMORY_FRAC = 0.9;

bool cost_node_holds(const p3d_node *node, const cost_host_sum *sum)
{
    return (node->host_memory_bytes <= 0 ||
                   sum->host_bytes <=
                           HOST_MEMORY_FRAC *
                                   (double)node->host_memory_bytes) &&
           sum->nvme_bytes <= (double)node->nvme_bytes;
}

int cost_peak_memory(const cost_case *of, p3d_memory *out)
{
    int tight = 0;

    for (int rank = 0; rank < of->plan->pp; rank++) {
        p3d_stage stage;

        if (needs_no_more(of, rank))
            continue;
        cost_stage_memory(of, rank, &stage);
        if (rank == 0 || p3d_memory_device_bytes(&stage.memory) >
                                 p3d_memory_device_bytes(out)) {
            *out = stage.memory;
            tight = rank;
        }
    }
    return tight;
}

int64_t p3d_memory_allocated_bytes(const p3d_memory *memory)
{
    if (memory == NULL)
        return 0;
    return p3d_memory_device_bytes(memory) - memory->fragmentation_bytes -
           memory->context_bytes;
}

int64_t p3d_memory_reserved_bytes(const p3d_memory *memory)
{
    if (memory == NULL)
        return 0;
    return p3d_memory_device_bytes(memory) - memory->context_bytes;
}

int64_t p3d_memory_device_bytes(const p3d_memory *memory)
{
    if (memory == NULL)
        return 0;

    int64_t sum = 0;

#define P3D_ADD(field, words) sum = p3d_add(sum, memory->field##_bytes);
    P3D_MEMORY_TERMS(P3D_ADD)
#undef P3D_ADD
    return sum;
}

/* Reserved over allocated: MooreThreads/SimuMax@4dcaae51 docs/b200, 23 stages.
 */
static const double RESERVED_LEAST = 1.0;
static const double RESERVED_MOST = 1.093;

/* Ends of the range that 80 % of runs should lie in. */
static const double LOW_FRAC = 0.1;
static const double HIGH_FRAC = 0.9;

static p3d_bytes_range span(double low, double high)
{
    return (p3d_bytes_range){(int64_t)low, (int64_t)high};
}

/* The share of a GPU that a peak may be estimated to take, so that this many
 * of the measured ones had fitted. */
static double sure_taken_frac(const p3d_problem *problem, double sure_frac)
{
    return p3d_exp(-problem->job.anchor.peak_log) *
           p3d_sure_taken_frac(
                   problem->job.framework, &problem->model, sure_frac);
}

double p3d_peak_probability_frac(const p3d_problem *problem, int64_t peak_bytes)
{
    if (problem == NULL)
        return (double)NAN;
    return p3d_fit_probability_frac(problem->job.framework, &problem->model,
            p3d_exp(problem->job.anchor.peak_log) * (double)peak_bytes /
                    (double)problem->cluster.gpu.visible_memory_bytes);
}

p3d_memory_ranges p3d_memory_ranges_of(const p3d_problem *problem,
        const p3d_plan *plan, const p3d_memory *memory)
{
    if (!spec_problem_given(problem) || !spec_plan_given(plan) ||
            memory == NULL)
        return (p3d_memory_ranges){.device = {0, 0}};

    const double error =
            p3d_memory_error_frac(problem->job.framework, &problem->model);
    const double allocated = (double)p3d_memory_allocated_bytes(memory);
    const double low = allocated * (1 - error);
    const double high = allocated * (1 + error);
    const double wasted = (double)memory->fragmentation_bytes;
    const double most = (RESERVED_MOST - 1) * high;
    const double device = (double)p3d_memory_device_bytes(memory);
    p3d_memory_ranges r;

    r.allocated = span(low, high);
    r.reserved =
            span(RESERVED_LEAST * low, high + (wasted > most ? wasted : most));
    r.device = span(fmin(device, device / sure_taken_frac(problem, LOW_FRAC)),
            fmax(device, device / sure_taken_frac(problem, HIGH_FRAC)));
    return r;
}
