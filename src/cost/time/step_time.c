/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_time.c - seconds of one training step, by terms: of the passes of each
 * pipeline rank, and of all ranks together. */
#include "cost/time/step_time.h"

#include <math.h>

#include "base/elementary.h"
#include "base/util.h"
#include "cost/memory/memory.h"

/** Add n blocks, and what is run again of them. */
static void add_block(
        cost_rank_time *sum, const p3d_block *block, double n, double replay_s)
{
    sum->forward_s += n * block->forward_s;
    sum->backward_s += n * block->backward_s + replay_s;
    sum->compute_s += n * block->compute_s + replay_s;
    sum->weight_s += n * block->weight_s;
    sum->paired_s += n * block->paired_s;
    sum->unwaited_s += n * block->unwaited_s;
    sum->recompute_s += replay_s;
}

/** Add a stage of a rank. */
static void add_stage(cost_rank_time *sum, const cost_rank_time *stage)
{
#define COST_ADD(part) sum->part##_s += stage->part##_s;
    COST_RANK_TIMES(COST_ADD)
#undef COST_ADD
}

/** Share of a rank's passes that run beside one in the other direction: all but
 *  warm-up and cool-down. Source: Megatron-LM@d98e8a64 megatron/core/
 *  pipeline_parallel/schedules.py:954-1012. */
static double paired_frac(const p3d_plan *plan, int64_t m)
{
    const int group = plan->group > 0 ? plan->group : plan->pp;
    const double passes = (double)m * plan->vp;
    const double warm =
            plan->pp == 1 ? 1 : 2 * (plan->pp - 1) + (plan->vp - 1) * group + 1;

    return fmax(0, passes - warm) / passes;
}

/** Take what pairs save from a rank's exchange of experts. */
static void save_pairs(cost_rank_time *rank, const p3d_plan *plan, int64_t m)
{
    const double frac = paired_frac(plan, m);

    rank->paired_s *= frac;
    rank->unwaited_s *= frac;
    rank->backward_s -= rank->paired_s;
}

/** Seconds of what is run again of n layers of a kind.
 *  @param full  where layers are recomputed in full, else NULL */
static double replay_s(
        const cost_case *of, const cost_replay *full, int kind, int n)
{
    const double *each = of->blocks->block[kind].replay_s;

    if (full == NULL)
        return n * each[of->plan->recompute];
    return full->full[kind] * each[P3D_RECOMPUTE_FULL] +
           (n - full->full[kind]) * each[full->rest];
}

/**
 * Seconds that copying activations to the host and back adds to a step.
 *
 *     m (max(0, c - forward) + max(0, c - backward)),  c = bytes / PCIe
 *
 * for what is offloaded of one micro-batch: the copies run beside the passes.
 *
 * Source: kwai/Megatron-Kwai@b2646e4 megatron/core/pipeline_parallel/
 * offload.py; torchtune's offloading streams the same way.
 */
static double activation_copies_s(
        const cost_case *of, int rank, const cost_rank_time *t)
{
    const int64_t m = cost_micro_batches(of);
    double bytes = 0;
    cost_rank r;
    double copy_s;

    if (of->plan->activation_offload_frac <= 0)
        return 0;
    cost_rank_build(of, rank, &r);
    for (int j = 0; j < of->plan->vp; j++)
        bytes += of->plan->activation_offload_frac * r.chunks[j].saved_bytes;
    copy_s = bytes / of->problem->cluster.gpu.pcie_bytes_per_s_one_way;
    return (double)m *
           (fmax(0, copy_s - t->forward_s) + fmax(0, copy_s - t->backward_s));
}

/* Bytes of adding an fp16 gradient to those of the micro-batches before: reads
 * both, writes one. Source: pytorch@02eef6b8 torch/csrc/autograd/functions/
 * accumulate_grad.h (in place, in the type of the weights). */
static const double FP16_WGRAD_PASS_BYTES = 6;

/* Bytes more of DeepSpeed's BF16_Optimizer, which casts a gradient to fp32 (2 +
 * 4) before it adds it to the others (4 + 4 + 4). Source: DeepSpeed@06e39a5
 * deepspeed/runtime/bf16_optimizer.py (update_hp_grads). */
static const double WIDE_CAST_PASS_BYTES = 8;

/** Bytes per parameter of adding up gradients by kernels of their own. */
static double wgrad_bytes(const p3d_job *job, const p3d_plan *plan)
{
    const double wide = job->framework->wgrad_pass_bytes;

    if (job->dtype == P3D_FP16)
        return fmin(wide, FP16_WGRAD_PASS_BYTES);
    return wide > 0 && cost_casts_gradients(job, plan)
                   ? wide + WIDE_CAST_PASS_BYTES
                   : wide;
}

/** Passes over the weights that some frameworks add per micro-batch: gradients
 *  accumulated by a kernel of their own, gathered weights copied. */
static double weight_passes_s(
        const p3d_problem *problem, const p3d_plan *plan, cost_shared params)
{
    const p3d_framework *fw = problem->job.framework;
    const double gather = plan->zero == 3 ? 2 * fw->gather_pass_bytes : 0;
    const double bytes =
            wgrad_bytes(&problem->job, plan) * cost_all_params(params.trained) +
            gather * cost_all_params(params.all) -
            gather / 2 * (2 - p3d_companion_passes(&problem->job)) *
                    cost_all_params(params.companion) +
            cost_compress_pass_bytes(&problem->job, params);

    return bytes <= 0
                   ? 0
                   : cost_pass_s(&problem->cluster, P3D_PASS_VECTOR, bytes, 1);
}

/** The passes of a stage: its layers, the embedding before the first and the
 *  head behind the last. */
static cost_rank_time stage_time(const cost_case *of, int stage)
{
    const bool full = of->plan->recompute == P3D_RECOMPUTE_FULL;
    const short *count = of->layout->count[stage];
    const p3d_block *blocks = of->blocks->block;
    cost_rank_time sum = {.forward_s = 0};
    cost_replay replay;

    if (full)
        replay = cost_replay_of(of, stage);
    for (int kind = 0; kind < of->layout->n_kinds; kind++) {
        if (count[kind] > 0)
            add_block(&sum, &blocks[kind], count[kind],
                    replay_s(of, full ? &replay : NULL, kind, count[kind]));
    }
    if (stage == 0)
        add_block(&sum, &blocks[P3D_BLOCK_EMBEDDING], 1, 0);
    if (stage == of->layout->n_chunks - 1)
        add_block(&sum, &blocks[P3D_BLOCK_HEAD],
                1 + of->problem->job.n_mtp_layers, 0);
    return sum;
}

/**
 * Seconds of a micro-batch that a rank waits for what its chunks send, where
 * the next pass begins when that is there.
 *
 *     2 v c, a crossing for each pass of each chunk
 *
 * Measured: interleaved runs of arXiv:2401.10241 table 4 take 0.34 ms a pass
 * more than 1F1B's on one node (28 MB, c = 0.13 ms) and 0.43 ms on two (10 MB,
 * c = 0.45 ms). Assumes: A18.
 * Tested: tests/unit/test_step_time.c
 */
static double chunk_sends_s(const cost_case *of)
{
    const p3d_plan *plan = of->plan;

    if (plan->schedule != P3D_INTERLEAVED || plan->pp == 1 ||
            !of->problem->job.framework->waits_for_chunks)
        return 0;
    return 2 * plan->vp * cost_crossing_s(of->problem, plan);
}

/** Share out what a rank adds once for all of its stages: of its backward, what
 *  the stages have not. */
static void share_rest(const cost_case *of, int rank,
        const cost_rank_time *time, cost_pass_time *stages)
{
    double more_s = time->backward_s;

    for (int j = 0; j < of->plan->vp; j++)
        more_s -= stages[cost_stage_of(of->plan, rank, j)].backward_s;
    for (int j = 0; j < of->plan->vp; j++)
        stages[cost_stage_of(of->plan, rank, j)].backward_s +=
                more_s / of->plan->vp;
}

cost_rank_time cost_time_rank(
        const cost_case *of, int rank, cost_pass_time *stages)
{
    const int64_t m = cost_micro_batches(of);
    const cost_shared params = cost_rank_shared(of, rank);
    /* PipeDream updates the weights after each micro-batch. */
    const double updates = of->plan->schedule == P3D_PIPEDREAM ? (double)m : 1;
    cost_rank_time sum = {.forward_s = 0};
    cost_rank_time one = sum;

    for (int j = 0; j < of->plan->vp; j++) {
        const int stage = cost_stage_of(of->plan, rank, j);

        if (!cost_same_chunk_as_before(of, rank, j))
            one = stage_time(of, stage);
        add_stage(&sum, &one);
        if (stages != NULL)
            stages[stage] = (cost_pass_time){one.forward_s, one.backward_s};
    }
    sum.weights_s = weight_passes_s(of->problem, of->plan, params);
    sum.sends_s = chunk_sends_s(of);
    sum.backward_s += sum.weights_s + sum.sends_s;
    save_pairs(&sum, of->plan, m);
    sum.total_s = sum.forward_s + sum.backward_s;
    sum.dp_s = updates *
               cost_dp_exposed_s(of->problem, of->plan, params,
                       (cost_pass_time){sum.forward_s, sum.backward_s}, m);
    sum.optimizer_s =
            updates * cost_optimizer_s(of->problem, of->plan, params.trained);
    sum.offload_s = cost_offload_s(of->problem, of->plan, params, m) +
                    cost_swap_s(of->problem, of->plan, params.all) +
                    activation_copies_s(of, rank, &sum);
    if (stages != NULL)
        share_rest(of, rank, &sum, stages);
    return sum;
}

void cost_rank_terms(const cost_case *of, int rank, const cost_rank_time *time,
        p3d_time *out)
{
    int count[P3D_N_BLOCKS] = {0};

    for (int j = 0; j < of->plan->vp; j++) {
        const int stage = cost_stage_of(of->plan, rank, j);

        for (int kind = 0; kind < of->layout->n_kinds; kind++)
            count[kind] += of->layout->count[stage][kind];
        count[P3D_BLOCK_EMBEDDING] += stage == 0;
        if (stage == of->layout->n_chunks - 1)
            count[P3D_BLOCK_HEAD] += 1 + of->problem->job.n_mtp_layers;
    }
    *out = (p3d_time){.memory_pass_s = time->weights_s,
            .recompute_s = time->recompute_s,
            .pp_comm_s = time->sends_s,
            .ep_comm_s = time->unwaited_s - time->paired_s,
            .host_s = -time->unwaited_s};
    for (int i = 0; i < P3D_N_BLOCKS; i++) {
        if (count[i] == 0)
            continue;
        cost_add_terms(out, &of->blocks->block[i].forward, count[i]);
        cost_add_terms(out, &of->blocks->block[i].backward, count[i]);
    }
}

double cost_stage_weight_s(const cost_case *of, int stage)
{
    return stage_time(of, stage).weight_s;
}

/** Bytes of a boundary that is crossed forward or backward, in the mean: the
 *  output of a frozen model goes forward with that of the trained one. */
static double crossing_bytes(const p3d_problem *problem, const p3d_plan *plan)
{
    const p3d_model *const frozen =
            p3d_companion_of(&problem->job, &problem->model);
    const double bytes = cost_boundary_bytes(problem, plan);

    return frozen == NULL
                   ? bytes
                   : bytes + bytes / 2 * frozen->hidden / problem->model.hidden;
}

double cost_crossing_s(const p3d_problem *problem, const p3d_plan *plan)
{
    const p3d_cluster *c = &problem->cluster;
    const cost_group next = cost_place(c, plan, P3D_AXIS_PP);
    const double bytes = crossing_bytes(problem, plan);

    if (!problem->job.framework->scatters_boundary || plan->sequence_parallel)
        return cost_p2p_s(c, next, bytes);
    return cost_p2p_s(c, next, bytes / plan->tp) +
           cost_collective_s(
                   c, P3D_ALL_GATHER, cost_place(c, plan, P3D_AXIS_TP), bytes);
}

double cost_sends_s(const p3d_problem *problem, const p3d_plan *plan)
{
    const cost_group next = cost_place(&problem->cluster, plan, P3D_AXIS_PP);
    const bool parted = problem->job.framework->scatters_boundary &&
                        !plan->sequence_parallel;
    const double bytes =
            crossing_bytes(problem, plan) / (parted ? plan->tp : 1);
    double chunks = plan->vp;

    if (plan->pp == 1)
        return 0;
    if (plan->pp == 2)
        chunks = plan->schedule == P3D_INTERLEAVED ? chunks - 0.5 : chunks / 2;
    return chunks * cost_p2p_pair_s(&problem->cluster, next, bytes);
}

/**
 * Delay that transfers between pipeline ranks add to a step.
 *
 *     1F1B         2 c (m + p - 3 - floor((m - 2) / p))
 *     interleaved  2 c (p v - 1)
 *     GPipe        2 c (p - 1)
 *     ZB-H1, ZB-H2 4 c (p - 1), c (p - 1)
 *     2BW, PipeDream  2 c (m - m / p)
 *     naive        2 c m (p - 1)
 *     ZB-V         c (5 p - 7), at least 2 c (p - 1); DualPipeV taken as it
 *
 * c one-way delay; p ranks; v chunks; m micro-batches.
 *
 * Source: longest path through the schedule's order, verified by simulation
 * for equal stages. Tested: tests/unit/test_pipeline.c
 */
static double transfer_s(
        const p3d_problem *problem, const p3d_plan *plan, int64_t m)
{
    const int64_t p = plan->pp;
    const int64_t windows = m >= 2 ? (m - 2) / p : -1;
    int64_t crossings = 0;

    switch (plan->schedule) {
    case P3D_1F1B: crossings = 2 * (m + p - 3 - windows); break;
    case P3D_GPIPE: crossings = 2 * (p - 1); break;
    case P3D_INTERLEAVED: crossings = 2 * (p * plan->vp - 1); break;
    case P3D_ZB_H1: crossings = 4 * (p - 1); break;
    case P3D_ZB_H2: crossings = p - 1; break;
    case P3D_2BW:
    case P3D_PIPEDREAM: crossings = 2 * (m - m / p); break;
    case P3D_NAIVE: crossings = 2 * m * (p - 1); break;
    case P3D_ZB_V:
    case P3D_DUALPIPE_V:
        crossings = 5 * p - 7 > 2 * (p - 1) ? 5 * p - 7 : 2 * (p - 1);
        break;
    case P3D_N_SCHEDULES: break;
    }
    return p == 1 ? 0 : cost_crossing_s(problem, plan) * (double)crossings;
}

/** Sums over the pipeline ranks. */
typedef struct pipeline_sum {
    double forward_s;
    double weight_s;
    double total_s;
    double most_compute_s; /* of the rank that computes the most */
} pipeline_sum;

void cost_scale_rank(cost_rank_time *rank, double factor)
{
#define COST_SCALE(part) rank->part##_s *= factor;
    COST_RANK_TIMES(COST_SCALE)
#undef COST_SCALE
}

double cost_once_s(const cost_rank_time *t)
{
    return t->dp_s + t->optimizer_s + t->offload_s;
}

/** Seconds until a rank is done, without what is the same for all ranks. */
static double finish_s(const p3d_plan *plan, const cost_rank_time *t, int64_t m)
{
    const double saved =
            p3d_schedule_splits_backward(plan->schedule) ? 0 : 1.0 / plan->vp;

    return ((double)m - saved) * t->total_s + cost_once_s(t);
}

/** Ranks with stages of different sizes, before they are simulated. */
typedef struct uneven_ranks {
    cost_pass_time stages[P3D_MAX_LAYERS];
    double once_s[P3D_MAX_LAYERS];
} uneven_ranks;

/** A middle rank with the layers of the one before takes the same time. */
static void copy_stages(const p3d_plan *plan, int rank, cost_pass_time *stages)
{
    for (int j = 0; j < plan->vp; j++)
        stages[cost_stage_of(plan, rank, j)] =
                stages[cost_stage_of(plan, rank - 1, j)];
}

/** Whether replicas exchange anything. */
typedef enum exchange { NO_EXCHANGE, EXCHANGE } exchange;

/** The rank that is done last; the sums are what the bubble is made of, the
 *  ranks what is simulated, if it is. */
static int slowest_rank(const cost_case *of, exchange replicas,
        pipeline_sum *sum, uneven_ranks *ranks, cost_rank_time *out)
{
    const int64_t m = cost_micro_batches(of);
    cost_rank_time t = {.total_s = 0};
    int slowest = 0;

    *out = t;
    *sum = (pipeline_sum){.total_s = 0};
    for (int rank = 0; rank < of->plan->pp; rank++) {
        const bool same = cost_same_as_before(of, rank);

        if (!same)
            t = cost_time_rank(of, rank, ranks != NULL ? ranks->stages : NULL);
        if (replicas == NO_EXCHANGE)
            t.dp_s = 0;
        if (finish_s(of->plan, &t, m) > finish_s(of->plan, out, m)) {
            *out = t;
            slowest = rank;
        }
        if (ranks != NULL) {
            ranks->once_s[rank] = cost_once_s(&t);
            if (same)
                copy_stages(of->plan, rank, ranks->stages);
        }
        sum->forward_s += t.forward_s;
        sum->weight_s += t.weight_s;
        sum->most_compute_s = fmax(sum->most_compute_s, t.compute_s);
        sum->total_s += t.total_s + t.paired_s;
    }
    return slowest;
}

/** Seconds until all ranks are done, with each delay. */
static cost_moments simulated(const cost_pipeline *pipeline,
        const uneven_ranks *ranks, cost_moments delays)
{
    cost_moments done[P3D_MAX_LAYERS];
    cost_moments last = {{0}};

    cost_longest_path(pipeline, ranks->stages, delays, done);
    for (int rank = 0; rank < pipeline->p; rank++) {
        for (int i = 0; i < COST_N_DELAYS; i++)
            last.s[i] = fmax(last.s[i], done[rank].s[i] + ranks->once_s[rank]);
    }
    return last;
}

bool cost_is_simulated(const p3d_plan *plan, int64_t m)
{
    const cost_pipeline pipeline = cost_pipeline_of(plan, m);

    return (plan->uneven || p3d_plan_says_layers(plan)) && plan->pp > 1 &&
           cost_has_longest_path(&pipeline);
}

/* Of a sum in another order, and more: no floor exceeds what it is of. */
static const double ROUNDING = 1e-12;

/** The bubble is what a rank's step takes beside its own work. */
static void simulate(const cost_case *of, const uneven_ranks *ranks,
        const cost_rank_time *slow, p3d_time *out)
{
    const int64_t m = cost_micro_batches(of);
    const cost_pipeline pipeline = cost_pipeline_of(of->plan, m);
    const cost_moments done = simulated(&pipeline, ranks, /* at once, delayed */
            (cost_moments){{0, cost_crossing_s(of->problem, of->plan)}});

    out->pp_bubble_s =
            fmax(0, done.s[0] - (double)m * slow->total_s - cost_once_s(slow));
    out->pp_comm_s += fmax(0, done.s[1] - done.s[0]);
}

/** Idle seconds of the handcrafted zero-bubble orders: what the first
 *  micro-batch's way through all ranks and back takes, less what the passes of
 *  the others fill. */
static double zero_bubble_s(
        const p3d_plan *plan, int64_t m, double f, double b, double w)
{
    const bool twice = plan->schedule == P3D_ZB_H2;
    const int64_t warm = twice ? 2 * plan->pp - 1 : plan->pp;
    const int64_t others = (m < warm ? m : warm) - 1;
    const double least = fmin(f, fmin(b, w));
    const double both = twice ? fmin(b, 2 * fmin(f, w)) : 2 * least;

    return (plan->pp - 1) * (f + b) - (double)(others / 2) * both -
           (double)(others % 2) * least;
}

/**
 * Idle seconds of the rank that is done last, beside its own work.
 *
 *     1F1B, GPipe, interleaved  (sum t_s - t) / v
 *     ZB-H1                     (p-1) (f + b) - n min(f, b, w),
 *                               n = min(m, p) - 1
 *     ZB-H2                     (p-1) (f + b) - floor(n/2) min(b, 2 w, 2 f)
 *                               - (n mod 2) min(f, b, w),
 *                               n = min(m, 2 p - 1) - 1
 *     ZB-V                      (p-1) max(f/2, b/2, b - w)
 *     DualPipeV                 (p-1) (f/2 + max(0, b - w/2))
 *     2BW, PipeDream            0 (arXiv:2006.09503 section 3.1,
 *                               arXiv:1806.03377 section 3.2: no flush)
 *     naive                     m (sum t_s - t): one rank at a time works
 *                               (arXiv:1811.06965 figure 2b)
 *
 * f, b, w means over the ranks of forward, gradients of inputs (with
 * recomputation) and gradients of weights.
 *
 * Source: arXiv:2104.04473 section 2.2; arXiv:2401.10241 table 1, which has
 * the two for m >= 2 p - 1 and w the least; deepseek-ai/DualPipe@3da1bbea
 * README, with chunk times of half a rank. Assumes: A18.
 * Tested: tests/unit/test_schedule.c, tests/unit/test_step_time.c
 */
static double bubble_s(const p3d_plan *plan, int64_t m, const pipeline_sum *sum,
        const cost_rank_time *slow)
{
    const double p = plan->pp;
    const double f = sum->forward_s / p;
    const double w = sum->weight_s / p;
    const double b = sum->total_s / p - f - w; /* warm-up and cool-down run
                                                  beside nothing */

    switch (plan->schedule) {
    case P3D_ZB_H1:
    case P3D_ZB_H2: return zero_bubble_s(plan, m, f, b, w);
    case P3D_ZB_V: return (p - 1) * fmax(fmax(f / 2, b / 2), b - w);
    case P3D_DUALPIPE_V: return (p - 1) * (f / 2 + fmax(0, b - w / 2));
    case P3D_2BW:
    case P3D_PIPEDREAM: return 0;
    case P3D_NAIVE: return (double)m * (sum->total_s - slow->total_s);
    case P3D_1F1B:
    case P3D_GPIPE:
    case P3D_INTERLEAVED:
    case P3D_N_SCHEDULES: break;
    }
    return (sum->total_s - slow->total_s - slow->paired_s) / plan->vp;
}

/** Quantile of the standard normal law for 0.5 <= p < 1, within 4.5e-4.
 *  Source: Abramowitz and Stegun 26.2.23. */
static double normal_quantile(double p)
{
    const double t = sqrt(-2 * p3d_log(1 - p));

    return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

double cost_largest_of(double n)
{
    return n <= 1 ? 0 : normal_quantile((n - 0.375) / (n + 0.25));
}

/**
 * Seconds that a step waits for the slowest of its GPUs.
 *
 *     t = spread z(n) (GEMMs + attention + recomputation + bubble)
 *
 * z(n) mean of the largest of n standard normal values; each step ends when the
 * last rank is done, and only what the power limit slows differs. The products
 * are those of the rank that has the most, the bubble that of a mean rank: both
 * grow with all that is added to any rank, and so does a step.
 *
 * Source: z after G. Blom 1958, (n - 3/8) / (n + 1/4).
 * Tested: tests/unit/test_step_time.c, tests/prop/test_search_bounds.c
 */
static double straggler_s(const p3d_plan *plan, int64_t m,
        const pipeline_sum *sum, double spread_frac)
{
    const double n = (double)plan->tp * plan->pp * plan->dp * plan->cp;
    const cost_rank_time mean = {.total_s = sum->total_s / plan->pp};

    return spread_frac * cost_largest_of(n) *
           ((double)m * sum->most_compute_s + bubble_s(plan, m, sum, &mean));
}

static void scale(p3d_time *out, double factor)
{
#define P3D_SCALE(field, words) out->field##_s *= factor;
    P3D_TIME_TERMS(P3D_SCALE)
#undef P3D_SCALE
}

/* One collection of Python's garbage: gc.collect() with PyTorch, Megatron-LM@
 * 24bad8e6, transformers and datasets imported, 594,000 objects in Python 3.11
 * on one core of an EPYC, takes 0.27 to 0.35 s. No kernel is launched
 * meanwhile. */
static const double COLLECTION_S = 0.3;

/** What each step takes of the collections of Python's garbage. Source:
 *  Megatron-LM@d98e8a64 megatron/training/training.py:4027-4032.
 *  Tested: tests/unit/test_step_time.c */
static double garbage_s(const p3d_problem *problem)
{
    const double slower = problem->cluster.node.host_time_factor;
    const double once_s = COLLECTION_S * (slower > 0 ? slower : 1);
    const int64_t steps = problem->job.gc_interval;

    return steps > 0 ? once_s / (double)steps : 0;
}

/** What a step takes beside the passes of its slowest rank. */
static void beside_passes(const cost_case *of, int64_t m,
        const pipeline_sum *sum, const cost_rank_time *slow, p3d_time *out)
{
    const p3d_assumed_fit *assumed = &of->problem->cluster.calibration.assumed;

    out->dp_comm_s = slow->dp_s;
    out->optimizer_s = slow->optimizer_s;
    out->offload_s = slow->offload_s;
    out->straggler_s = straggler_s(of->plan, m, sum, assumed->gpu_spread_frac);
    out->fixed_s = assumed->fixed_step_s + garbage_s(of->problem);
}

/** The bubble and the transfers of a pipeline that is not simulated. One rank
 *  waits for none, where a difference of sums is not 0. */
static void add_pipeline(const cost_case *of, int64_t m,
        const pipeline_sum *sum, const cost_rank_time *slow, p3d_time *out)
{
    out->pp_bubble_s = of->plan->pp > 1 ? bubble_s(of->plan, m, sum, slow) : 0;
    out->pp_comm_s += transfer_s(of->problem, of->plan, m);
}

/**
 * Seconds of one step.
 *
 *     T = max over ranks r: m t_r + bubble
 *                           + exposed data-parallel communication of r
 *                           + optimizer of r + offload of r
 *         + transfers + straggler + fixed
 *
 * t_s one micro-batch on pipeline rank s, forward, backward and recomputation;
 * the terms are those of the rank that is done last, mostly the one with the
 * largest t. With equal stages the bubble is the known one, (p - 1) t / v;
 * stages of different sizes are simulated. No step is shorter than what its
 * micro-batches send (cost_sends_s()). All of it is as much longer as own runs
 * were (plan3d/own_runs.h).
 *
 * Source: arXiv:2104.04473 section 2.2.
 * Tested: tests/unit/test_step_time.c, tests/unit/test_longest_path.c
 */
void cost_step_time(const cost_case *of, p3d_time *out)
{
    const int64_t m = cost_micro_batches(of);
    const bool simulated = cost_is_simulated(of->plan, m);
    uneven_ranks ranks; /* large: only what is used is written */
    pipeline_sum sum;
    cost_rank_time slow;
    p3d_time terms;
    const int rank =
            slowest_rank(of, EXCHANGE, &sum, simulated ? &ranks : NULL, &slow);

    cost_rank_terms(of, rank, &slow, &terms);
    *out = (p3d_time){.gemm_s = 0};
    cost_add_terms(out, &terms, (double)m);
    if (simulated)
        simulate(of, &ranks, &slow, out);
    else
        add_pipeline(of, m, &sum, &slow, out);
    beside_passes(of, m, &sum, &slow, out);
    out->pp_comm_s += fmax(0, (double)m * cost_sends_s(of->problem, of->plan) -
                                      p3d_time_step_s(out));
    scale(out, p3d_anchor_step_factor(&of->problem->job.anchor));
}

int cost_slowest_rank(const cost_case *of)
{
    pipeline_sum sum;
    cost_rank_time slow;

    return slowest_rank(of, EXCHANGE, &sum, NULL, &slow);
}

static double surely_s(const cost_case *of, double step_s)
{
    return step_s * p3d_anchor_step_factor(&of->problem->job.anchor) *
           (1 - ROUNDING);
}

/** @param slow  the rank that it was found by */
static double floor_s(
        const cost_case *of, exchange replicas, int *rank, cost_rank_time *slow)
{
    const int64_t m = cost_micro_batches(of);
    const cost_pipeline pipeline = cost_pipeline_of(of->plan, m);
    const bool simulated = cost_is_simulated(of->plan, m);
    uneven_ranks ranks; /* large: only what is used is written */
    pipeline_sum sum;
    p3d_time beside = {.gemm_s = 0};
    double passes_s;

    *rank = slowest_rank(of, replicas, &sum, simulated ? &ranks : NULL, slow);
    beside_passes(of, m, &sum, slow, &beside);
    passes_s = (double)m * slow->total_s;
    if (simulated)
        passes_s = fmax(
                passes_s, cost_longest_path_floor_s(&pipeline, ranks.stages) -
                                  cost_once_s(slow));
    else
        add_pipeline(of, m, &sum, slow, &beside);
    return surely_s(of, passes_s + p3d_time_step_s(&beside));
}

double cost_step_floor_s(const cost_case *of)
{
    const double sends_s = (double)cost_micro_batches(of) *
                           cost_sends_s(of->problem, of->plan);
    cost_rank_time slow;
    int rank;

    return fmax(floor_s(of, EXCHANGE, &rank, &slow), surely_s(of, sends_s));
}

/** True where what a step takes beside its slowest rank does not hang on which
 *  rank that is. */
static bool adds_up(const cost_case *of)
{
    for (int kind = 0; kind < of->layout->n_kinds; kind++) {
        if (of->blocks->block[kind].paired_s > 0)
            return false;
    }
    return of->plan->schedule != P3D_NAIVE &&
           !cost_is_simulated(of->plan, cost_micro_batches(of));
}

cost_lone_replicas cost_lone_replicas_of(const cost_case *of)
{
    cost_lone_replicas lone = {.step_s = 0};
    cost_rank_time slow;
    int rank;

    if (!adds_up(of))
        return lone;
    lone.step_s = floor_s(of, NO_EXCHANGE, &rank, &slow);
    lone.params = cost_rank_shared(of, rank);
    lone.pass = (cost_pass_time){slow.forward_s, slow.backward_s};
    return lone;
}

double cost_exchanging_floor_s(
        const cost_case *of, const cost_lone_replicas *lone)
{
    return lone->step_s == 0
                   ? 0
                   : lone->step_s +
                             surely_s(of,
                                     cost_dp_exposed_s(of->problem, of->plan,
                                             lone->params, lone->pass,
                                             cost_micro_batches(of)));
}

double cost_replay_flop(const cost_case *of)
{
    const double m = (double)cost_micro_batches(of);
    double flop = 0;

    for (int chunk = 0; chunk < of->layout->n_chunks; chunk++) {
        const cost_replay replay = cost_replay_of(of, chunk);

        for (int kind = 0; kind < of->layout->n_kinds; kind++) {
            const int rest = of->layout->count[chunk][kind] - replay.full[kind];
            const double *each = of->blocks->block[kind].replay_flop;

            flop += replay.full[kind] * each[P3D_RECOMPUTE_FULL] +
                    rest * each[replay.rest];
        }
    }
    return flop * m * of->plan->tp * of->plan->cp * of->plan->dp;
}
