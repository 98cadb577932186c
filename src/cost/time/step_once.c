/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_once.c - what a rank does once a step: sharing gradients, weights and
 * states over the data-parallel ranks, the optimizer, and what is offloaded. */
#include <math.h>

#include "cost/cost.h"
#include "cost/memory/memory.h"
#include "cost/workload/precision.h"
#include "spec/params.h"

/* Bytes of a gathered weight in a 16-bit run, and of a reduced gradient. */
static const double REDUCE_BYTES = 4;

/* Of a gradient in 4 bits. */
static const double QUANTIZED_BYTES = 0.5;

/** What is sent of the dense weights, and of the experts'. */
typedef struct payloads {
    double dense;
    double experts;
} payloads;

static payloads payloads_of(p3d_params params, double bytes)
{
    return (payloads){
            bytes * (double)params.dense, bytes * (double)params.experts};
}

/** The axis of the experts that goes with one of the dense weights. */
static p3d_axis expert_axis(p3d_axis axis)
{
    return axis == P3D_AXIS_DP      ? P3D_AXIS_EXPERT_DP
           : axis == P3D_AXIS_SHARD ? P3D_AXIS_EXPERT_SHARD
                                    : P3D_AXIS_EXPERT_COPY;
}

/** Both transfers, one after the other. */
static cost_transfer sum_of(cost_transfer a, cost_transfer b)
{
    return (cost_transfer){a.transfer_s + b.transfer_s, a.link_s + b.link_s, 0};
}

/** As long a transfer n times. */
static cost_transfer times(double n, cost_transfer sent)
{
    return (cost_transfer){n * sent.transfer_s, n * sent.link_s, 0};
}

/** One collective over an axis on the dense weights, and over that of the
 *  experts on theirs, with this many bytes in all of each. */
static cost_transfer both_sent(const p3d_problem *problem, const p3d_plan *plan,
        p3d_collective op, p3d_axis axis, payloads bytes)
{
    const p3d_cluster *c = &problem->cluster;
    const cost_transfer dense =
            cost_send(c, op, cost_place(c, plan, axis), bytes.dense);

    if (bytes.experts <= 0)
        return dense;
    return sum_of(
            dense, cost_send(c, op, cost_place(c, plan, expert_axis(axis)),
                           bytes.experts));
}

/** Bytes of a gradient on the wire. */
static double reduce_bytes(const p3d_problem *problem)
{
    const p3d_job *job = &problem->job;
    const double own = job->framework->reduce_bytes;

    if (job->reduce_dtype != P3D_STATE_USUAL)
        return job->reduce_dtype == P3D_STATE_IN_16 ? 2 : REDUCE_BYTES;
    return own > 0 ? own : cost_gradient_bytes(job);
}

/** Whether ranks that share the states have copies of these shares elsewhere,
 *  over which gradients are added up apart. */
static bool has_copies(const p3d_problem *problem, const p3d_plan *plan)
{
    return plan->zero > 0 && plan->shard > 0 &&
           !problem->job.framework->reduces_whole;
}

/** A plan whose neighbouring replicas share the states in groups of n. */
static p3d_plan in_groups(const p3d_plan *plan, int n)
{
    p3d_plan groups = *plan;

    groups.shard = n < plan->dp * plan->cp ? n : 0;
    return groups;
}

/**
 * Gradients in 4 bits: an all-to-all within each node, what was added up there
 * by another one between the nodes.
 *
 *     bytes / 8 of fp32 over the GPUs g of a node,  bytes / (8 g) over nodes
 *
 * Source: arXiv:2306.10209 section 4.2; DeepSpeed@0.18.0 deepspeed/runtime/
 * comm/coalesced_collectives.py (all_to_all_quant_reduce).
 * Tested: tests/unit/test_compression.c
 */
static cost_transfer quantized_sent(const p3d_problem *problem,
        const p3d_plan *plan, p3d_params params, double bytes)
{
    const int g = problem->cluster.node.gpus_per_node;
    const p3d_plan nodes = in_groups(plan, g);
    const payloads all = payloads_of(
            params, QUANTIZED_BYTES * bytes / reduce_bytes(problem));
    const payloads shares = {all.dense / g, all.experts / g};
    const cost_transfer within =
            both_sent(problem, &nodes, P3D_ALL_TO_ALL, P3D_AXIS_SHARD, all);

    return nodes.shard == 0
                   ? within
                   : sum_of(within, both_sent(problem, &nodes, P3D_ALL_TO_ALL,
                                            P3D_AXIS_COPY, shares));
}

/** What gives each rank its share of the gradients. */
static cost_transfer reduce_sent(const p3d_problem *problem,
        const p3d_plan *plan, p3d_params params, double bytes)
{
    const payloads all = payloads_of(params, bytes);

    if (problem->job.compression.gradients)
        return quantized_sent(problem, plan, params, bytes);
    if (plan->zero == 0 || problem->job.framework->reduces_whole)
        return both_sent(problem, plan, P3D_ALL_REDUCE, P3D_AXIS_DP, all);
    return both_sent(problem, plan, P3D_REDUCE_SCATTER, P3D_AXIS_SHARD, all);
}

/** What adds up each share over the ranks that have the same one. */
static cost_transfer copies_sent(const p3d_problem *problem,
        const p3d_plan *plan, p3d_params params, double bytes)
{
    const payloads all = payloads_of(params, bytes);
    const payloads shares = {all.dense / cost_dense_shards(plan),
            all.experts / cost_expert_shards(plan)};

    return both_sent(problem, plan, P3D_ALL_REDUCE, P3D_AXIS_COPY, shares);
}

/** Whether data-parallel communication runs beside the passes. */
static bool overlaps(const p3d_job *job, const p3d_plan *plan)
{
    const p3d_framework *fw = job->framework;
    const bool usual = (fw->overlap_dp >> plan->zero & 1) != 0;
    const bool asked = (fw->overlap_dp_asked >> plan->zero & 1) != 0 &&
                       (plan->pp == 1 || !fw->overlap_dp_no_pipeline);

    if (job->launch_blocking)
        return false;
    switch (job->dp_overlap) {
    case P3D_OVERLAP_ON: return usual || asked;
    case P3D_OVERLAP_OFF: return false;
    case P3D_OVERLAP_USUAL:
    case P3D_N_OVERLAPS: break;
    }
    return usual;
}

/** Parts in which the weights of a rank are gathered with ZeRO 3. */
static double n_layers(const p3d_problem *problem, const p3d_plan *plan)
{
    return problem->job.framework->shares_by_layer
                   ? fmax(1, (double)problem->model.n_layers / plan->pp)
                   : 0;
}

/** A transfer in n parts, one after the other; n = 0: in as many as there are
 *  kernels, so that nothing waits for the first or the last. */
typedef struct transfer {
    double n;
    cost_transfer each;
} transfer;

/** Buckets of gradients; a part of a bucket is a bucket. */
static double n_buckets(
        const p3d_framework *fw, const p3d_plan *plan, p3d_params params)
{
    const double most = fmax(fw->reduce_bucket,
            fw->reduce_bucket_per_rank * cost_dense_replicas(plan));

    return most > 0 ? fmax(1, cost_all_params(params) / most) : 0;
}

/**
 * What PowerSGD sends of a bucket: the numbers that are left, in three
 * all-reduces one after the other.
 *
 * Source: pytorch@2.6.0 torch/distributed/algorithms/ddp_comm_hooks/
 * powerSGD_hook.py. Tested: tests/unit/test_compression.c
 */
static transfer low_rank_reduction(const p3d_problem *problem,
        const p3d_plan *plan, p3d_params params, double n)
{
    const int rank = problem->job.compression.rank;
    const double frac = p3d_low_rank_numbers(&problem->model, rank) /
                        (double)p3d_total_params(&problem->model);
    const double bytes = REDUCE_BYTES * frac / fmax(1, n);

    return (transfer){
            n, times(3, reduce_sent(problem, plan, params, bytes / 3))};
}

/**
 * Gradients in 8 bits: each rank gathers those of all others, a byte each.
 *
 * Source: pytorch@2.6.0 torch/distributed/algorithms/ddp_comm_hooks/
 * quantization_hooks.py. Tested: tests/unit/test_compression.c
 */
static transfer eight_bit_reduction(const p3d_problem *problem,
        const p3d_plan *plan, p3d_params params, double n)
{
    const double bytes = cost_dense_replicas(plan) / fmax(1, n);

    return (transfer){n, both_sent(problem, plan, P3D_ALL_GATHER, P3D_AXIS_DP,
                                 payloads_of(params, bytes))};
}

static transfer reduction(
        const p3d_problem *problem, const p3d_plan *plan, p3d_params params)
{
    const p3d_framework *fw = problem->job.framework;
    const double n = plan->zero == 3 ? n_layers(problem, plan)
                                     : n_buckets(fw, plan, params);
    const double bytes = reduce_bytes(problem) / fmax(1, n);
    const cost_transfer each = reduce_sent(problem, plan, params, bytes);

    if (problem->job.compression.rank > 0)
        return low_rank_reduction(problem, plan, params, n);
    if (problem->job.compression.eight_bit)
        return eight_bit_reduction(problem, plan, params, n);
    if (!has_copies(problem, plan) || plan->zero > 1)
        return (transfer){n, each};
    return (transfer){
            n, sum_of(each, copies_sent(problem, plan, params, bytes))};
}

/** What shows of a transfer, with or without work beside it. The first gather
 *  and the last reduction have none. */
static double exposed_s(const p3d_cluster *cluster, transfer sent,
        double window_s, bool overlap)
{
    const double rest = sent.n - 1;

    if (!overlap)
        return fmax(1, sent.n) * sent.each.transfer_s;
    if (sent.n == 0)
        return cost_exposed_s(cluster, sent.each, window_s);
    return sent.each.transfer_s + cost_exposed_s(cluster,
                                          times(rest, sent.each),
                                          window_s * rest / sent.n);
}

/**
 * Seconds that show of adding up the shares of the gradients over their copies,
 * with ZeRO 2 and 3, in all of a step.
 *
 * Nothing hides it but the backward pass of frameworks that run it on a stream
 * of its own.
 *
 * Assumes: A27. Tested: tests/unit/test_data_parallel.c
 */
static double copies_s(const p3d_problem *problem, const p3d_plan *plan,
        p3d_params params, double backward_s, int64_t n_micro_batches)
{
    const double n = n_layers(problem, plan);
    const p3d_framework *const fw = problem->job.framework;
    const double times = fw->adds_copies_once || cost_reduces_once(fw, plan)
                                 ? 1
                                 : (double)n_micro_batches;

    if (!has_copies(problem, plan) || plan->zero < 2)
        return 0;
    return times *
           exposed_s(&problem->cluster,
                   (transfer){n, copies_sent(problem, plan, params,
                                         reduce_bytes(problem) / fmax(1, n))},
                   backward_s,
                   fw->overlaps_copies && overlaps(&problem->job, plan));
}

static transfer gathering(
        const p3d_problem *problem, const p3d_plan *plan, p3d_params params)
{
    const double n = plan->zero == 3 ? n_layers(problem, plan) : 0;
    const p3d_job *const job = &problem->job;
    const double bytes =
            cost_wire_weight_bytes(job, cost_gather_bytes(job, plan)) /
            fmax(1, n);

    return (transfer){n, both_sent(problem, plan, P3D_ALL_GATHER,
                                 P3D_AXIS_SHARD, payloads_of(params, bytes))};
}

/**
 * Seconds of 1-bit Adam's exchange of momenta, in the optimizer's step and
 * beside nothing: an all-to-all of the signs, and an all-gather of those of the
 * mean, a bit of each parameter.
 *
 * Source: DeepSpeed@0.18.0 deepspeed/runtime/comm/nccl.py
 * (compressed_allreduce). Tested: tests/unit/test_compression.c
 */
static double one_bit_s(
        const p3d_problem *problem, const p3d_plan *plan, p3d_params params)
{
    const payloads signs = payloads_of(params, 1.0 / 8);

    return both_sent(problem, plan, P3D_ALL_TO_ALL, P3D_AXIS_DP, signs)
                   .transfer_s +
           both_sent(problem, plan, P3D_ALL_GATHER, P3D_AXIS_DP, signs)
                   .transfer_s;
}

/** Weights that the forward passes of a micro-batch gather: those of all models
 *  once, of KTO's passes once each. */
static p3d_params forward_params(const p3d_problem *problem, cost_shared params)
{
    const int more = p3d_companion_passes(&problem->job) - 1;

    return (p3d_params){params.all.dense + more * params.companion.dense,
            params.all.experts + more * params.companion.experts};
}

/** What shows with ZeRO 3. Second shares of the weights are made by the first
 *  gather of a step and serve all others: DeepSpeed@0.18.0 deepspeed/runtime/
 *  zero/stage3.py (invalidate_secondary_tensor). */
static double shown_3_s(const p3d_problem *problem, const p3d_plan *plan,
        cost_shared params, cost_pass_time pass, int64_t n_micro_batches)
{
    const p3d_cluster *c = &problem->cluster;
    const bool overlap = overlaps(&problem->job, plan);
    const double m = (double)n_micro_batches;
    const bool once = cost_reduces_once(problem->job.framework, plan);
    const int shares = problem->job.compression.shares;
    const p3d_plan near = shares > 0 ? in_groups(plan, shares) : *plan;
    const transfer reduce = reduction(problem, plan, params.trained);
    const p3d_params forward = forward_params(problem, params);
    const double first_s = exposed_s(
            c, gathering(problem, plan, forward), pass.forward_s, overlap);
    const double later_s = exposed_s(
            c, gathering(problem, &near, forward), pass.forward_s, overlap);
    const transfer again = gathering(
            problem, &near, cost_less_params(params.all, params.companion));
    const transfer beside =
            once ? again : (transfer){again.n, sum_of(again.each, reduce.each)};

    return first_s + (m - 1) * later_s +
           m * exposed_s(c, beside, pass.backward_s, overlap) +
           (once ? exposed_s(c, reduce, 0, false) : 0) +
           copies_s(problem, plan, params.trained, pass.backward_s,
                   n_micro_batches);
}

/** What shows where each layer is shared out by itself. */
static double shown_s(const p3d_problem *problem, const p3d_plan *plan,
        cost_shared params, cost_pass_time pass, int64_t n_micro_batches)
{
    const p3d_cluster *c = &problem->cluster;
    const p3d_framework *fw = problem->job.framework;
    const bool overlap = overlaps(&problem->job, plan);
    const double m = (double)n_micro_batches;
    const bool once = cost_reduces_once(fw, plan);
    const transfer reduce = reduction(problem, plan, params.trained);

    if (problem->job.compression.one_bit)
        return one_bit_s(problem, plan, params.trained);
    if (plan->zero == 0)
        return exposed_s(c, reduce, pass.backward_s, overlap);
    if (plan->zero == 3)
        return shown_3_s(problem, plan, params, pass, n_micro_batches);
    return (plan->zero == 1 || once ? 1 : m) *
                   exposed_s(c, reduce, pass.backward_s, overlap && !once) +
           exposed_s(c, gathering(problem, plan, params.trained),
                   pass.forward_s, overlap && !fw->gathers_after_step) +
           copies_s(problem, plan, params.trained, pass.backward_s,
                   n_micro_batches);
}

static p3d_params part_of(p3d_params params, double frac)
{
    return (p3d_params){.dense = (int64_t)(frac * (double)params.dense),
            .experts = (int64_t)(frac * (double)params.experts)};
}

/** Seconds of a unit that is gathered before the first layer and reduced behind
 *  the last, beside nothing: it is gathered again for the backward pass unless
 *  it is the model's outermost. */
static double around_s(const p3d_problem *problem, const p3d_plan *plan,
        cost_shared unit, int64_t n_micro_batches)
{
    const bool is_root = cost_wrap_job(problem).is_root;
    const double m = (double)n_micro_batches;
    const double reduce_s =
            reduce_sent(problem, plan, unit.trained, reduce_bytes(problem))
                    .transfer_s;
    const double gather_s = both_sent(problem, plan, P3D_ALL_GATHER,
            P3D_AXIS_SHARD,
            payloads_of(unit.all, cost_gather_bytes(&problem->job, plan)))
                                    .transfer_s;
    const double n_gathers = plan->zero < 3 ? 1 : is_root ? m : 2 * m;

    return n_gathers * gather_s + m * reduce_s +
           copies_s(problem, plan, unit.trained, 0, n_micro_batches);
}

/**
 * Exposed data-parallel communication of one step.
 *
 *     ZeRO 0   all-reduce of the gradients, once
 *     ZeRO 1   reduce-scatter of gradients, all-gather of weights, once
 *     ZeRO 2   reduce-scatter per micro-batch, all-gather once
 *     ZeRO 3   two all-gathers and a reduce-scatter per micro-batch
 *
 * of the parameters that are trained; ZeRO 3 gathers frozen ones, too, those
 * of a frozen model beside the trained one in the forward pass alone.
 *
 * Where a pipeline adds up whole gradients, one reduce-scatter after its last
 * micro-batch, beside nothing, stands for those of all.
 *
 * Where a part of the replicas shares the states, they reduce and gather among
 * themselves, and each share is added up over its copies after that; with ZeRO
 * 2 and 3 that runs beside nothing.
 *
 * What runs once hides behind the backward and forward pass of one
 * micro-batch; what runs per micro-batch behind that micro-batch's own. Of n
 * buckets or layers, the last to be reduced and the first to be gathered have
 * nothing to hide behind:
 *
 *     shown = t + exposed((n - 1) t, window (n - 1) / n),   t of one of them
 *
 * The unit of FSDP1 around all others (cost_params_around()) is shared out at
 * once, beside nothing: ZeRO 3 gathers it twice per micro-batch, the outermost
 * module's once.
 *
 * Source: arXiv:1910.02054 section 7; Megatron-LM@d98e8a64 megatron/core/
 * distributed; torchtitan@b5bcd76c distributed/fsdp.py; arXiv:2006.15704
 * section 3.2.3 (buckets).
 * Tested: tests/unit/test_data_parallel.c, tests/unit/test_wrapping.c
 */
double cost_dp_exposed_s(const p3d_problem *problem, const p3d_plan *plan,
        cost_shared params, cost_pass_time pass, int64_t n_micro_batches)
{
    cost_shared around, others;
    double all, frac;

    if (problem->job.unit_params == 0)
        return shown_s(problem, plan, params, pass, n_micro_batches);
    all = cost_all_params(params.all);
    frac = all > 0 ? cost_params_around(problem, all) / all : 0;
    around = (cost_shared){
            part_of(params.all, frac), part_of(params.trained, frac), {0, 0}};
    others = (cost_shared){cost_less_params(params.all, around.all),
            cost_less_params(params.trained, around.trained), params.companion};
    return around_s(problem, plan, around, n_micro_batches) +
           (frac < 1 ? shown_s(problem, plan, others, pass, n_micro_batches)
                     : 0);
}

/* Bytes that CPU Adam moves through host memory per parameter where the
 * framework's table does not say: reads p, m, v, g and writes p, m, v in fp32,
 * and a 16-bit copy.
 * Source: derived from the update rule. Assumes: A11. */
static const double CPU_ADAM_BYTES = 30;

/* Share of the host's memory rate that CPU Adam reaches. Assumes: A11. */
static const double CPU_ADAM_FRAC = 0.5;

/* Share of the PCIe rate that copies to and from pinned memory reach.
 * Source: stas00/ml-engineering@744d01e1 network/README.md (55 of 63 GB/s). */
static const double PCIE_COPY_FRAC = 0.88;

/* Bytes per parameter that are read from and written to NVMe in a step: master
 * weights and two moments. Source: DeepSpeed@5f631abc deepspeed/runtime/
 * swap_tensor. */
static const double NVME_STATE_BYTES = 12;

double cost_host_copy_bytes_per_s(const p3d_cluster *cluster)
{
    const double measured = cluster->calibration.host.copy_bytes_per_s;

    if (measured > 0)
        return measured;
    return PCIE_COPY_FRAC * cluster->gpu.pcie_bytes_per_s_one_way;
}

double cost_host_optimizer_bytes_per_s(const p3d_cluster *cluster)
{
    const double measured = cluster->calibration.host.adam_bytes_per_s;

    if (measured > 0)
        return measured * cluster->node.gpus_per_node;
    return CPU_ADAM_FRAC * cluster->node.host_memory_bytes_per_s;
}

/** Bytes that the device's optimizer moves for all parameters of a rank. */
static double pass_bytes(
        const p3d_problem *problem, const p3d_plan *plan, p3d_params params)
{
    return problem->job.framework->optimizer_pass_bytes *
           cost_owned_params(plan, params);
}

/**
 * Seconds of the optimizer on the device, and of what prepares the gradients.
 *
 *     t = (bytes per parameter * owned parameters
 *          + passes over the gradients) / (f BW) + launch
 *
 * Also where all states are offloaded, a kernel is launched: for the norm of
 * the gradients.
 *
 * Source: bytes from the framework's table (reads and writes of the fused
 * update, gradient norm and cast), and cost_gradient_pass_bytes().
 * Tested: tests/unit/test_data_parallel.c
 */
double cost_optimizer_s(
        const p3d_problem *problem, const p3d_plan *plan, p3d_params params)
{
    return cost_pass_s(&problem->cluster, P3D_PASS_OPTIMIZER,
            (1 - cost_offloaded_frac(plan)) *
                            pass_bytes(problem, plan, params) +
                    cost_gradient_pass_bytes(&problem->job, plan, params) +
                    cost_compress_step_bytes(&problem->job, plan, params),
            1);
}

double cost_offload_link_bytes(const p3d_job *job)
{
    const double said = job->framework->offload_link_bytes;

    return said > 0 ? said : 2 * p3d_dtype_bytes(job->dtype);
}

double cost_offload_host_bytes(const p3d_job *job)
{
    const double said = job->framework->offload_host_bytes;

    return said > 0 ? said : CPU_ADAM_BYTES;
}

/**
 * Seconds that offloading adds to a step.
 *
 *     t = max((gradients down + weights up) / PCIe
 *               + B * parameters of the node / (f host memory rate)
 *               [+ 2 * 12 B * parameters of the node / NVMe rate, when states
 *                live there],
 *             the same share of the optimizer on the device)
 *         [+ weights up, twice per micro-batch, when they live on the host]
 *
 * B, and the type of gradients and weights, by framework (DeepSpeed 48 B and
 * 6 B over the link, Megatron-LM 36 B and 8 B).
 *
 * Nothing of it is hidden: an upper estimate where a framework overlaps. A
 * share takes no less than it does on the device, on which the search rests.
 *
 * Source: DeepSpeed@edaa7221 blogs (traffic 2 x model bytes per step).
 */
double cost_offload_s(const p3d_problem *problem, const p3d_plan *plan,
        cost_shared params, int64_t n_micro_batches)
{
    const p3d_cluster *c = &problem->cluster;
    const double owned = cost_owned_params(plan, params.trained);
    const double pcie = cost_host_copy_bytes_per_s(c);
    const double E = p3d_dtype_bytes(problem->job.dtype);
    const double frac = cost_offloaded_frac(plan);
    double t;

    if (plan->offload == P3D_OFFLOAD_NONE)
        return 0;
    t = cost_offload_link_bytes(&problem->job) * owned * frac / pcie;
    if (plan->offload_nvme && c->node.nvme_bytes_per_s > 0)
        t += 2 * NVME_STATE_BYTES * owned * frac * c->node.gpus_per_node /
             c->node.nvme_bytes_per_s;
    if (cost_host_optimizer_bytes_per_s(c) > 0)
        t += cost_offload_host_bytes(&problem->job) * owned * frac *
             c->node.gpus_per_node / cost_host_optimizer_bytes_per_s(c);
    t = fmax(t, cost_pass_s(c, P3D_PASS_OPTIMIZER,
                        frac * pass_bytes(problem, plan, params.trained), 0));
    if (plan->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS)
        t += (double)n_micro_batches * E *
             (2 * cost_owned_params(plan, params.all) -
                     cost_owned_params(plan, params.companion)) /
             pcie;
    return t;
}

/**
 * Seconds that a reference takes to come from the host and to go again, once a
 * step: the weights go there, those of the reference come, and the weights come
 * back.
 *
 *     t = 3 w P / PCIe
 *
 * P parameters that a rank keeps, w their bytes in the job's data type. Nothing
 * runs beside.
 *
 * Source: NVIDIA-NeMo/RL@0f4e4696 nemo_rl/models/policy/
 * megatron_policy_worker.py (use_reference_model).
 * Tested: tests/unit/test_companion.c
 */
double cost_swap_s(
        const p3d_problem *problem, const p3d_plan *plan, p3d_params all)
{
    const p3d_job *const job = &problem->job;
    const double kept = plan->zero == 3 ? cost_owned_params(plan, all)
                                        : cost_all_params(all);

    if (p3d_companion_of(job, &problem->model) == NULL ||
            p3d_companion_is_base(job) || spec_companion_is_held(job))
        return 0;
    return 3 * cost_frozen_bytes(job) * kept /
           cost_host_copy_bytes_per_s(&problem->cluster);
}
