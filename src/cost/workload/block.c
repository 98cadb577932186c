/* SPDX-License-Identifier: GPL-3.0-or-later */
/* block.c - the costs of the blocks of a model, with what the host spends and
 * what is recomputed. */
#include <math.h>

#include "base/util.h"
#include "cost/cost.h"
#include "spec/given.h"
#include "spec/params.h"

/* Each further product of a group of experts, launched in a loop of C++: 64
 * experts forward (two products) 1.2 ms and backward (four) 2.1 ms on a Grace
 * host, 8.2 to 9.4 us each (NVIDIA/TransformerEngine issue 2897); on an x86
 * host of B200 no group of 40 to 160 takes less than 8.7 to 9.3 us each,
 * however small its products (MooreThreads/SimuMax@4dcaae5 configs/system/
 * b200_bf16_ceperm.json, group_matmul): the driver's work, not the
 * interpreter's, for which a host is called slow. */
static const double NEXT_PRODUCT_S = 9e-6;

/* Each further kernel of another kind, in such a loop. Source: time of launches
 * alone, docs/assumptions.md A16. */
static const double NEXT_KERNEL_S = 3.5e-6;

/** Whether a CUDA graph launches an operation. */
static bool is_captured(const p3d_job *job, const p3d_op *op)
{
    return job->graphs == P3D_GRAPHS_STEP ||
           (job->graphs == P3D_GRAPHS_LAYERS && op->part != P3D_BESIDE_EXPERTS);
}

/** Seconds of the first kernel. Both products of a linear's backward pass are
 *  launched by one function. */
static double first_s(const p3d_framework *fw, const p3d_op *op)
{
    const bool module = op->kind == P3D_OP_ATTENTION ||
                        (op->kind == P3D_OP_GEMM && !op->weight_gradient);

    return module && fw->host_s_per_module > 0 ? fw->host_s_per_module
                                               : fw->host_s_per_kernel;
}

double cost_host_s(const p3d_problem *problem, const p3d_op *op)
{
    const p3d_framework *fw = problem->job.framework;
    const double slower = problem->cluster.node.host_time_factor;
    const double first = first_s(fw, op);
    const int more = op->n_kernels - 1;
    const double factor = slower > 0 ? slower : 1;

    if (is_captured(&problem->job, op) || op->n_kernels < 1)
        return 0;
    if (!op->expert)
        return factor * op->n_kernels * first;
    return factor * first +
           more * (op->kind == P3D_OP_GEMM ? NEXT_PRODUCT_S : NEXT_KERNEL_S);
}

/* Share of the GEMMs that recomputation by operation runs again. */
static const double PER_OP_GEMM_FRAC = 0.5;

p3d_module_share *cost_share_of(p3d_module_shares *shares, unsigned modules)
{
    for (int i = 0; i < shares->n; i++) {
        if (shares->at[i].modules == modules)
            return &shares->at[i];
    }
    P3D_ASSERT(shares->n < P3D_MAX_MODULE_SHARES);
    shares->at[shares->n] = (p3d_module_share){.modules = modules};
    return &shares->at[shares->n++];
}

/** All that belongs to some of the modules. */
static p3d_module_share sum_of(
        const p3d_module_shares *shares, unsigned modules)
{
    p3d_module_share sum = {.modules = modules};

    for (int i = 0; i < shares->n; i++) {
        const p3d_module_share *one = &shares->at[i];

        if ((one->modules & modules) == 0)
            continue;
        sum.saved_bytes = p3d_add(sum.saved_bytes, one->saved_bytes);
        sum.forward_s += one->forward_s;
        sum.forward_flop += one->forward_flop;
    }
    return sum;
}

/** Modules come back one after the other: bytes of the largest. */
static int64_t most_at_once_bytes(
        const p3d_module_shares *shares, unsigned modules)
{
    int64_t most = 0;

    for (int i = 0; i < P3D_N_MODULES; i++) {
        const unsigned one = modules & 1u << i;
        const int64_t bytes = one == 0 ? 0 : sum_of(shares, one).saved_bytes;

        most = bytes > most ? bytes : most;
    }
    return most;
}

/** By operation all memory-bound kernels and every second GEMM run
 *  again. */
static void repeat_by_op(const p3d_module_shares *shares, p3d_block *out)
{
    const double core_flop =
            sum_of(shares, P3D_MODULE_CORE_ATTENTION).forward_flop;

    out->replay_s[P3D_RECOMPUTE_SELECTIVE] = out->per_op_s;
    out->replay_flop[P3D_RECOMPUTE_SELECTIVE] =
            PER_OP_GEMM_FRAC *
            (out->replay_flop[P3D_RECOMPUTE_FULL] - core_flop);
}

void cost_block_recompute(
        const p3d_module_shares *shares, unsigned modules, p3d_block *out)
{
    const p3d_module_share sum = sum_of(shares, modules);

    out->saved_bytes[P3D_RECOMPUTE_SELECTIVE] =
            out->saved_bytes[P3D_RECOMPUTE_NONE] - sum.saved_bytes;
    out->replay_bytes[P3D_RECOMPUTE_SELECTIVE] =
            most_at_once_bytes(shares, modules);
    out->replay_s[P3D_RECOMPUTE_SELECTIVE] = sum.forward_s;
    out->replay_flop[P3D_RECOMPUTE_SELECTIVE] = sum.forward_flop;
    if ((modules & P3D_MODULE_PER_OP) != 0)
        repeat_by_op(shares, out);
}

unsigned cost_modules(const p3d_framework *framework, unsigned modules)
{
    return modules != 0 ? modules : framework->usual_modules;
}

/** The block behind one, of a model with so many kinds of layers: most have
 *  one or two. */
static int next_block(int block, int n_kinds)
{
    return block + 1 == n_kinds ? P3D_N_LAYER_KINDS : block + 1;
}

void cost_blocks_recompute(unsigned modules, int n_kinds, p3d_blocks *blocks)
{
    for (int i = 0; i < P3D_N_BLOCKS; i = next_block(i, n_kinds))
        cost_block_recompute(&blocks->shares[i], modules, &blocks->block[i]);
}

void cost_blocks_copy(const p3d_blocks *from, int n_kinds, p3d_blocks *to)
{
    for (int i = 0; i < P3D_N_BLOCKS; i = next_block(i, n_kinds)) {
        to->block[i] = from->block[i];
        to->shares[i] = from->shares[i];
    }
    to->lower_bound = from->lower_bound;
}

void p3d_blocks_recompute(
        const p3d_problem *problem, unsigned modules, p3d_blocks *blocks)
{
    if (spec_problem_given(problem) && blocks != NULL)
        cost_blocks_recompute(cost_modules(problem->job.framework, modules),
                P3D_N_LAYER_KINDS, blocks);
}

/** What the sum over one phase needs besides the terms. */
typedef struct phase_sum {
    p3d_time time;
    double host_s;  /* of launching it all */
    double ring_s;  /* context-parallel transfers that attention hides */
    double trade_s; /* and those that nothing hides */
    double paired_s[P3D_N_BESIDES]; /* may run beside that part of a layer */
    double part_s[P3D_N_BESIDES];   /* what may hide it */
    double weight_s;                /* gradients of weights, part of gemm_s */
    bool waits;                     /* the host, once in the phase */
} phase_sum;

/** The plan that has this shard and nothing else: only the places of its
 *  groups matter here. */
static p3d_plan plan_of(const p3d_problem *problem, p3d_shard shard)
{
    const int inner = shard.tp * shard.cp;

    return (p3d_plan){.tp = shard.tp,
            .pp = 1,
            .dp = problem->cluster.n_gpus / inner > 0
                          ? problem->cluster.n_gpus / inner
                          : 1,
            .cp = shard.cp,
            .ulysses = shard.ulysses,
            .ep = shard.ep,
            .etp = shard.etp,
            .vp = 1};
}

/** A transfer when nothing runs beside it. */
static cost_transfer transfer_of(
        const p3d_problem *problem, const p3d_plan *plan, const p3d_op *op)
{
    const p3d_cluster *c = &problem->cluster;
    const cost_group group = cost_place(c, plan, op->axis);
    cost_transfer sent;

    if (op->dispatcher == P3D_DISPATCH_ALL_TO_ALL)
        return cost_send(c, op->collective, group, op->bytes);
    if (op->dispatcher == P3D_DISPATCH_2DH)
        return cost_send_2dh(c, group, op->bytes);
    sent.transfer_s =
            cost_dispatch_s(c, group, op->dispatcher, &op->routing, op->bytes);
    sent.link_s = sent.transfer_s;
    sent.n_taken_sms = 0;
    return sent;
}

/** Seconds of an operation: on the device, and of launching it. */
typedef struct op_time {
    double device_s;
    double host_s;
} op_time;

/** Seconds of a transfer that nothing beside it hides. */
static double collective_s(
        const p3d_problem *problem, const p3d_plan *plan, const p3d_op *op)
{
    const double window =
            problem->job.launch_blocking
                    ? 0
                    : cost_gemm_s(&problem->cluster, op->dtype,
                              (cost_product){op->m, op->n, op->k, 1});
    const double rest = 1 - op->exposed_frac;
    cost_transfer sent = transfer_of(problem, plan, op);
    const double shown_s = op->exposed_frac * sent.transfer_s;

    sent.transfer_s *= rest;
    sent.link_s *= rest;
    sent.n_taken_sms = op->n_taken_sms;
    return shown_s + cost_exposed_s(&problem->cluster, sent, window);
}

static double device_s(
        const p3d_problem *problem, const p3d_plan *plan, const p3d_op *op)
{
    const p3d_cluster *c = &problem->cluster;

    switch (op->kind) {
    case P3D_OP_GEMM: return cost_op_gemm_s(c, op);
    case P3D_OP_ATTENTION: return cost_attention_s(c, op->dtype, op);
    case P3D_OP_PASS: return cost_op_pass_s(c, op);
    case P3D_OP_COLLECTIVE: break;
    }
    return collective_s(problem, plan, op);
}

static void time_ops(const p3d_problem *problem, p3d_shard shard,
        const p3d_workload *list, op_time *out)
{
    const p3d_plan plan = plan_of(problem, shard);

    for (int i = 0; i < list->n_ops; i++) {
        const p3d_op *op = &list->ops[i];

        out[i] = (op_time){
                device_s(problem, &plan, op), cost_host_s(problem, op)};
    }
}

static bool is_context(p3d_axis axis)
{
    return axis == P3D_AXIS_CP || axis == P3D_AXIS_HEADS ||
           axis == P3D_AXIS_RING;
}

static void add_collective(phase_sum *sum, const p3d_op *op, double t)
{
    sum->paired_s[op->beside] += t;
    if (is_context(op->axis) && op->collective == P3D_ALL_TO_ALL)
        sum->trade_s += t;
    else if (is_context(op->axis))
        sum->ring_s += t;
    else if (op->axis == P3D_AXIS_EP || op->axis == P3D_AXIS_ETP)
        sum->time.ep_comm_s += t;
    else
        sum->time.tp_comm_s += t;
}

static void add_op(phase_sum *sum, const p3d_op *op, op_time t)
{
    sum->host_s += t.host_s;
    if (op->kind == P3D_OP_COLLECTIVE) {
        add_collective(sum, op, t.device_s);
        return;
    }
    sum->part_s[op->part] += t.device_s;
    if (op->kind == P3D_OP_ATTENTION)
        sum->time.attention_s += t.device_s;
    if (op->kind == P3D_OP_PASS)
        sum->time.memory_pass_s += t.device_s;
    if (op->kind == P3D_OP_GEMM) {
        sum->time.gemm_s += t.device_s;
        sum->weight_s += op->weight_gradient ? t.device_s : 0;
    }
}

double cost_added_host_frac(const p3d_job *job, bool waits)
{
    if (job->launch_blocking)
        return 1;
    if (job->fixed_added_host)
        return job->added_host_frac;
    return waits ? 1 : job->framework->added_host_frac;
}

/** Seconds of what takes the host and the device this long. */
static double both_s(double host_s, double device_s, double added_frac)
{
    return fmax(host_s, device_s) + added_frac * fmin(host_s, device_s);
}

/**
 * Finish a phase: what the ring of context parallelism cannot hide, and the
 * time that the device waits for launches.
 *
 *     exposed = all-to-all + max(0, ring - attention (r-1)/r)
 *     waiting = max(launches, device) + a min(launches, device) - device
 *
 * r  ranks of a ring          a  cost_added_host_frac()
 *
 * Source: arXiv:2310.01889 section 3 (the ring overlaps attention on the block
 * at hand); the host floor is visible in published runs of small layers.
 * Assumes: A25.
 * Tested: tests/unit/test_host.c
 */
static p3d_time finish(
        const p3d_problem *problem, p3d_shard shard, const phase_sum *sum)
{
    const int ring =
            shard.cp / spec_head_ranks(&problem->job, shard.cp, shard.ulysses);
    const bool hides = !problem->job.launch_blocking;
    const double hidden = hides ? sum->time.attention_s * (ring - 1) / ring : 0;
    p3d_time t = sum->time;

    t.cp_comm_s = sum->trade_s + fmax(0, sum->ring_s - hidden);
    t.host_s = both_s(sum->host_s, p3d_time_step_s(&t),
                       cost_added_host_frac(&problem->job, sum->waits)) -
               p3d_time_step_s(&t);
    return t;
}

static double hidden_s(
        const p3d_cluster *cluster, double transfer_s, double window_s)
{
    return transfer_s - cost_exposed_s(cluster,
                                (cost_transfer){transfer_s, transfer_s, 0},
                                window_s);
}

/**
 * Seconds that the exchange of experts saves by running beside the pass of
 * another micro-batch in the other direction.
 *
 *     combine of one pass  beside  all but the experts of the other
 *     both dispatches      beside  the experts of both
 *
 * but no more than what the host leaves of it; nothing where kernels are
 * launched one at a time.
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/models/common/
 * model_chunk_schedule_plan.py:236-303 (order of the two streams).
 * Tested: tests/unit/test_dispatch.c
 */
static double pair_s(const p3d_problem *problem, const phase_sum *forward,
        const phase_sum *backward)
{
    const p3d_cluster *cluster = &problem->cluster;
    const double *f = forward->paired_s;
    const double *b = backward->paired_s;
    const double host_s = forward->host_s + backward->host_s;
    const double added_frac = cost_added_host_frac(&problem->job, false);
    const double device_s =
            p3d_time_step_s(&forward->time) + p3d_time_step_s(&backward->time);
    const double saved_s =
            hidden_s(cluster, f[P3D_BESIDE_ATTENTION],
                    backward->part_s[P3D_BESIDE_ATTENTION]) +
            hidden_s(cluster, b[P3D_BESIDE_ATTENTION],
                    forward->part_s[P3D_BESIDE_ATTENTION]) +
            hidden_s(cluster, f[P3D_BESIDE_EXPERTS] + b[P3D_BESIDE_EXPERTS],
                    forward->part_s[P3D_BESIDE_EXPERTS] +
                            backward->part_s[P3D_BESIDE_EXPERTS]);

    if (problem->job.launch_blocking)
        return 0;
    return both_s(host_s, device_s, added_frac) -
           both_s(host_s, device_s - saved_s, added_frac);
}

/**
 * Seconds that a pair saves because the device goes on with the backward pass
 * while the host waits in the forward pass.
 *
 *     (1 - a) min(launches, device), a of a pass that does not wait
 *
 * Assumes: A25. Tested: tests/unit/test_host.c
 */
static double unwaited_s(
        const p3d_job *job, const phase_sum *forward, const p3d_time *terms)
{
    const double device_s = p3d_time_step_s(terms) - terms->host_s;
    const double waits_frac = cost_added_host_frac(job, forward->waits) -
                              cost_added_host_frac(job, false);

    return job->expert_overlap ? waits_frac * fmin(forward->host_s, device_s)
                               : 0;
}

/** Sum the operations of one phase. */
static phase_sum sum_phase(
        const p3d_workload *list, const op_time *times, p3d_phase phase)
{
    phase_sum sum = {.host_s = 0};

    for (int i = 0; i < list->n_ops; i++) {
        if (list->ops[i].phase == phase)
            add_op(&sum, &list->ops[i], times[i]);
    }
    return sum;
}

/** Sum forward operations and kept tensors by the modules they belong to. What
 *  transfers of context parallelism and launches cost is not counted again. */
static void set_shares(
        const p3d_workload *list, const op_time *times, p3d_module_shares *out)
{
    const cost_tensors freed = {.kind = COST_FREED_TENSORS, .modules = ~0u};
    const p3d_tensor *tensor = NULL;

    out->n = 0;
    for (int i = 0; i < list->n_ops; i++) {
        const p3d_op *op = &list->ops[i];
        p3d_module_share *share;

        if (op->phase != P3D_FORWARD || op->modules == 0)
            continue;
        share = cost_share_of(out, op->modules);
        share->forward_flop += p3d_op_flop(op);
        if (op->kind != P3D_OP_COLLECTIVE || !is_context(op->axis))
            share->forward_s += times[i].device_s;
    }
    while ((tensor = cost_next_tensor(list, freed, tensor)) != NULL) {
        p3d_module_share *const share = cost_share_of(out, tensor->modules);

        share->saved_bytes = p3d_add(share->saved_bytes, tensor->bytes);
    }
}

/**
 * Seconds in which the shares of a recomputed layer's input are gathered.
 *
 *     all-gather of the input's bytes over tp, beside nothing
 *
 * before the layer runs forward again, for each micro-batch; 0 where each rank
 * keeps the input itself.
 *
 * Source: DeepSpeed@02f59ea3 deepspeed/runtime/activation_checkpointing/
 * checkpointing.py (gather_partitioned_activations); Megatron-LM@d98e8a64
 * megatron/core/tensor_parallel/random.py (CheckpointFunction.backward).
 * Assumes: of layers in groups each is gathered for, though a group has one
 * input: too much by less than a group's gathers.
 * Tested: tests/unit/test_partition.c.
 */
static double gather_input_s(
        const p3d_problem *problem, p3d_shard shard, const p3d_workload *list)
{
    const cost_tensors inputs = {.kind = COST_INPUT_TENSORS};
    const p3d_plan plan = plan_of(problem, shard);
    const p3d_tensor *t = NULL;
    double sum_s = 0;

    if (list->n_input_shares < 2)
        return 0;
    while ((t = cost_next_tensor(list, inputs, t)) != NULL)
        sum_s += cost_collective_s(&problem->cluster, P3D_ALL_GATHER,
                cost_place(&problem->cluster, &plan, P3D_AXIS_TP),
                (double)t->bytes);
    return sum_s;
}

/** Whether full recomputation leaves an operation of a forward pass out. */
static bool is_left_out(const p3d_job *job, const p3d_op *op)
{
    return op->ends_layer && job->framework->replays_needed;
}

/** Seconds and FLOPs of full recomputation that are left out. */
static p3d_module_share left_out_of(const p3d_problem *problem,
        const p3d_workload *list, const op_time *times)
{
    p3d_module_share sum = {.modules = 0};

    for (int i = 0; i < list->n_ops; i++) {
        const p3d_op *op = &list->ops[i];

        if (!is_left_out(&problem->job, op))
            continue;
        sum.forward_s += times[i].device_s;
        sum.forward_flop += p3d_op_flop(op);
    }
    return sum;
}

/** What full recomputation keeps, and runs again. */
static void set_full(const p3d_problem *problem, p3d_shard shard,
        const p3d_workload *list, const op_time *times, p3d_block *out)
{
    const p3d_module_share left_out = left_out_of(problem, list, times);
    const int64_t all = p3d_workload_saved_bytes(list, 0);

    out->saved_bytes[P3D_RECOMPUTE_NONE] = all;
    out->saved_bytes[P3D_RECOMPUTE_FULL] = p3d_workload_input_bytes(list);
    out->replay_bytes[P3D_RECOMPUTE_FULL] = all;
    out->working_bytes = p3d_workload_working_bytes(list, &out->working_moment);
    out->replay_s[P3D_RECOMPUTE_FULL] = out->forward_s - left_out.forward_s +
                                        gather_input_s(problem, shard, list);
    out->replay_flop[P3D_RECOMPUTE_FULL] =
            cost_forward_flop(list) - left_out.forward_flop;
}

void cost_params_add(p3d_params *sum, bool expert, int64_t n)
{
    sum->experts += expert ? n : 0;
    sum->dense += expert ? 0 : n;
}

/** Count the matrices of a layer by their products: those that are
 *  trained, which Muon and Adafactor treat apart from embeddings and vectors,
 *  by the gradients of their weights. */
static void set_matrices(const p3d_workload *list, p3d_block *out)
{
    for (int i = 0; i < list->n_ops; i++) {
        const p3d_op *op = &list->ops[i];

        if (op->base) {
            cost_params_add(
                    &out->matrices, op->expert, op->count * op->n * op->k);
            out->largest_matrix = op->n * op->k > out->largest_matrix
                                          ? op->n * op->k
                                          : out->largest_matrix;
        }
        if (!op->weight_gradient)
            continue;
        cost_params_add(
                &out->trained_matrices, op->expert, op->count * op->m * op->n);
        cost_params_add(&out->edges, op->expert, op->count * (op->m + op->n));
    }
}

/** The parameters of a block, with its adapters. */
static void set_params(const p3d_problem *problem, p3d_shard shard, int block,
        const p3d_workload *list, p3d_block *out)
{
    const p3d_job *const job = &problem->job;
    const p3d_params adapters = cost_adapter_params(list, job);
    const p3d_params base =
            p3d_block_params(&problem->model, job->framework, shard, block);
    const p3d_params trained =
            spec_trained_params(&problem->model, job, shard, block);

    out->params = (p3d_params){
            base.dense + adapters.dense, base.experts + adapters.experts};
    out->trained = (p3d_params){
            trained.dense + adapters.dense, trained.experts + adapters.experts};
    if (block < P3D_N_LAYER_KINDS || block >= P3D_N_BLOCKS)
        set_matrices(list, out);
}

/** Seconds of a pass beside experts and their exchange. */
static double common_s(const phase_sum *sum)
{
    return sum->part_s[P3D_BESIDE_ATTENTION] + sum->time.tp_comm_s;
}

static double compute_s(const p3d_time *t)
{
    return t->gemm_s + t->attention_s;
}

/** Whether the host waits in a forward pass for the sizes of the groups of
 *  tokens, which its products are launched with: the device counts them. Not
 *  where one kernel takes them on the device, nor where a compiled program
 *  launches all. Source: Megatron-LM@d98e8a64 megatron/core/
 *  transformer/moe/token_dispatcher.py (_maybe_dtoh_and_synchronize; HybridEP:
 *  num_permuted_tokens), experts.py (tokens_per_expert.tolist). */
static bool waits_for_sizes(
        const p3d_job *job, p3d_shard shard, const p3d_workload *list)
{
    const p3d_framework *fw = job->framework;
    const bool stay = cost_sizes_stay(job) || fw->one_program ||
                      (fw->grouped_experts && shard.ep == 1);

    if (stay)
        return false;
    for (int i = 0; i < list->n_ops; i++) {
        if (list->ops[i].expert)
            return true;
    }
    return false;
}

void cost_block_build(const p3d_problem *problem, const cost_listed *listed,
        p3d_block *out, p3d_module_shares *shares)
{
    const p3d_shard shard = listed->shard;
    const p3d_workload *const list = listed->list;
    op_time times[P3D_MAX_OPS];
    phase_sum forward, backward;

    time_ops(problem, shard, list, times);
    forward = sum_phase(list, times, P3D_FORWARD);
    forward.waits = waits_for_sizes(&problem->job, shard, list);
    backward = sum_phase(list, times, P3D_BACKWARD);
    *out = (p3d_block){.forward = finish(problem, shard, &forward),
            .backward = finish(problem, shard, &backward),
            .common_s = common_s(&forward) + common_s(&backward),
            .paired_s = pair_s(problem, &forward, &backward),
            .weight_s = backward.weight_s};
    out->unwaited_s = unwaited_s(&problem->job, &forward, &out->forward);
    out->paired_s += out->unwaited_s;
    out->forward_s = p3d_time_step_s(&out->forward);
    out->backward_s = p3d_time_step_s(&out->backward);
    out->compute_s = compute_s(&out->forward) + compute_s(&out->backward);
    out->per_op_s =
            out->forward.memory_pass_s + PER_OP_GEMM_FRAC * out->forward.gemm_s;
    set_full(problem, shard, list, times, out);
    set_shares(list, times, shares);
    set_params(problem, shard, listed->block, list, out);
}

/** What of an operation recomputation runs again: all of it, or none. By
 *  operation it is a share of the GEMMs, and the memory-bound kernels. */
static double again_frac(const p3d_op *op, p3d_recompute how, unsigned modules)
{
    static const double by_op[] = {[P3D_OP_GEMM] = PER_OP_GEMM_FRAC,
            [P3D_OP_ATTENTION] = 0,
            [P3D_OP_PASS] = 1,
            [P3D_OP_COLLECTIVE] = 0};

    if (op->phase != P3D_FORWARD || how == P3D_RECOMPUTE_NONE)
        return 0;
    if (how == P3D_RECOMPUTE_FULL)
        return 1;
    if ((modules & P3D_MODULE_PER_OP) != 0)
        return by_op[op->kind];
    return (op->modules & modules) != 0 &&
           (op->kind != P3D_OP_COLLECTIVE || !is_context(op->axis));
}

/** Kernels of an operation: experts without a grouped kernel run one after the
 *  other, and attention in steps of a ring. */
static void count_again(const p3d_op *op, double frac, p3d_recomputed *out)
{
    switch (op->kind) {
    case P3D_OP_GEMM:
        out->n_gemms += frac * (op->expert ? (double)op->count : 1);
        break;
    case P3D_OP_ATTENTION: out->n_cores += frac * (double)op->count; break;
    case P3D_OP_PASS: out->n_passes += frac * op->n_kernels; break;
    case P3D_OP_COLLECTIVE: break;
    }
}

void cost_block_again(const p3d_problem *problem, const cost_listed *listed,
        p3d_recompute how, p3d_recomputed *out)
{
    const p3d_workload *const list = listed->list;
    const unsigned modules =
            cost_modules(problem->job.framework, listed->shard.modules);
    op_time times[P3D_MAX_OPS];
    phase_sum sum = {.host_s = 0}, whole = sum;

    time_ops(problem, listed->shard, list, times);
    *out = (p3d_recomputed){.n_gemms = 0};
    for (int i = 0; i < list->n_ops; i++) {
        const double frac = again_frac(&list->ops[i], how, modules);

        if (frac <= 0)
            continue;
        times[i].device_s *= frac;
        add_op(&whole, &list->ops[i], times[i]);
        if (how == P3D_RECOMPUTE_FULL &&
                is_left_out(&problem->job, &list->ops[i]))
            continue;
        add_op(&sum, &list->ops[i], times[i]);
        count_again(&list->ops[i], frac, out);
    }
    out->time = sum.time;
    if (how != P3D_RECOMPUTE_FULL)
        return;
    /* What the host adds is that of a forward pass, as in set_full(). */
    whole.waits = waits_for_sizes(&problem->job, listed->shard, list);
    out->time = finish(problem, listed->shard, &sum);
    out->time.host_s = finish(problem, listed->shard, &whole).host_s;
    out->time.tp_comm_s += gather_input_s(problem, listed->shard, list);
}

void cost_add_terms(p3d_time *sum, const p3d_time *term, double times)
{
#define P3D_ADD(field, words) sum->field##_s += times * term->field##_s;
    P3D_TIME_TERMS(P3D_ADD)
#undef P3D_ADD
}

double p3d_time_step_s(const p3d_time *time)
{
    if (time == NULL)
        return 0;

    double sum = 0;

#define P3D_ADD(field, words) sum += time->field##_s;
    P3D_TIME_TERMS(P3D_ADD)
#undef P3D_ADD
    return sum;
}
