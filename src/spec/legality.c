/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legality.c - the table of rules that make a plan legal in a framework, and
 * the rules on the world, the batch and the states.
 *
 * Called for every plan of a search: nothing is allocated, and words are
 * written only for a caller that wants to read them. */
#include "spec/legality.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/abilities.h"
#include "spec/given.h"
#include "spec/plan_words.h"

typedef bool rule_check(const spec_question *q);

/* World. */

/* True where so many GPUs are whole nodes, and as many may be idle. */
static bool leaves_nodes_idle(const spec_question *q, int64_t n_idle)
{
    const int per_node = q->cluster->node.gpus_per_node;

    return q->job->max_idle_nodes > 0 && n_idle > 0 && n_idle % per_node == 0 &&
           n_idle / per_node <= q->job->max_idle_nodes;
}

static bool check_world(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int n = q->cluster->n_gpus;
    int64_t total;

    if (p->tp < 1 || p->pp < 1 || p->dp < 1 || p->cp < 1 || p->ep < 1 ||
            p->etp < 1 || p->vp < 1 || p->micro_batch < 1)
        return spec_refuse(
                q, "a size of the plan is less than 1; write at least 1");
    total = p3d_mul(p3d_mul(p->tp, p->pp), p3d_mul(p->dp, p->cp));
    if (total == n || leaves_nodes_idle(q, n - total))
        return true;
    return spec_refuse(q,
            "tp*pp*dp*cp = %lld, but the cluster has %d GPUs; leave dp out to "
            "have it derived, or let nodes be idle (--idle)",
            (long long)total, n);
}

static bool check_expert_grid(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int64_t grid = p3d_mul(p3d_mul(p->etp, p->ep), p->pp);
    const int n = p->tp * p->pp * p->dp * p->cp;

    if (n % grid == 0)
        return true;
    return spec_refuse(q,
            "etp=%d x ep=%d x pp=%d = %lld does not divide %d GPUs; try ep=%d",
            p->etp, p->ep, p->pp, (long long)grid, n,
            spec_fitting(
                    q, n / p->pp / spec_fitting(q, n / p->pp, p->etp), p->ep));
}

/* What the framework and the GPU can do at all. */

static bool check_pipeline(const spec_question *q)
{
    if (q->plan->pp == 1 || q->framework->pipeline)
        return true;
    return spec_refuse(q, "pp=%d: %s has no pipeline parallelism; try pp=1",
            q->plan->pp, q->framework->name);
}

static bool check_tensor(const spec_question *q)
{
    if (q->plan->tp == 1 || q->framework->tensor_parallel)
        return true;
    return spec_refuse(q, "tp=%d: %s has no tensor parallelism; try tp=1",
            q->plan->tp, q->framework->name);
}

static bool check_context(const spec_question *q)
{
    if (q->plan->cp == 1 || q->framework->context_parallel)
        return true;
    return spec_refuse(q, "cp=%d: %s has no context parallelism; try cp=1",
            q->plan->cp, q->framework->name);
}

static bool check_ulysses(const spec_question *q)
{
    const p3d_plan *const p = q->plan;

    if (p->ulysses == 0 || p->cp % p->ulysses == 0)
        return true;
    return spec_refuse(q, "ulysses=%d does not divide cp=%d; try ulysses=%d",
            p->ulysses, p->cp, spec_fitting(q, p->cp, p->ulysses));
}

static bool check_expert(const spec_question *q)
{
    if (q->plan->ep == 1 || q->framework->expert_parallel)
        return true;
    return spec_refuse(q, "ep=%d: %s has no expert parallelism; try ep=1",
            q->plan->ep, q->framework->name);
}

/* Batch. */

static bool check_batch(const spec_question *q)
{
    const int64_t batch = q->job->global_batch;
    const int64_t share = (int64_t)q->plan->dp * q->plan->micro_batch;

    if (batch >= share && batch % share == 0)
        return true;
    if (batch < share)
        return spec_refuse(q,
                "dp=%d x mbs=%d needs %lld sequences per step, but the batch "
                "has %lld",
                q->plan->dp, q->plan->micro_batch, (long long)share,
                (long long)batch);
    return spec_refuse(q,
            "a batch of %lld sequences is not a multiple of dp=%d x mbs=%d; "
            "try a batch of %lld or %lld",
            (long long)batch, q->plan->dp, q->plan->micro_batch,
            (long long)(batch - batch % share),
            (long long)(batch - batch % share + share));
}

/* What no GPU holds, and a sum over layers in bytes does not overflow. */
static const int64_t MOST_TOKENS = (int64_t)1 << 27; /* of a micro-batch */
static const int64_t MOST_SCORES = (int64_t)1 << 48; /* of a layer */

static bool check_micro_batch(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int64_t tokens = p3d_mul(p->micro_batch, q->job->seq_len / p->cp);
    const int64_t scores = p3d_mul(tokens,
            p3d_mul(q->job->seq_len, p3d_ceil_div(q->model->n_heads, p->tp)));

    if (tokens > MOST_TOKENS)
        return spec_refuse(q,
                "a micro-batch of mbs=%d has %lld tokens on a rank, more than "
                "the %lld that plan3d counts; try mbs=1",
                p->micro_batch, (long long)tokens, (long long)MOST_TOKENS);
    if (q->job->attention == P3D_EAGER && scores > MOST_SCORES)
        return spec_refuse(q,
                "eager attention has %lld scores on a rank, more than the "
                "%lld that plan3d counts; try --attention flash",
                (long long)scores, (long long)MOST_SCORES);
    return true;
}

/* States and offload. */

/* "0, 1 or 3" */
static void print_stages(unsigned stages, char text[32])
{
    char before[32] = "";

    text[0] = '\0';
    for (int z = 0; z <= 3; z++) {
        const unsigned rest = stages >> z;

        if ((rest & 1) == 0)
            continue;
        memcpy(before, text, sizeof(before));
        if (before[0] == '\0')
            (void)snprintf(text, 32, "%d", z);
        else if (rest >> 1 == 0)
            (void)snprintf(text, 32, "%.20s or %d", before, z);
        else
            (void)snprintf(text, 32, "%.20s, %d", before, z);
    }
}

/* The stages that the framework has with the plan's pipeline, or without. */
static unsigned zero_stages_beside(const spec_question *q)
{
    const p3d_framework *const f = q->framework;

    return q->plan->pp > 1 ? f->zero_stages & f->zero_stages_pipeline
                           : f->zero_stages;
}

/* Megatron-FSDP has an optimizer of its own for some. */
static bool check_sharded_optimizer(const spec_question *q)
{
    const unsigned optimizers = q->framework->sharded_optimizers;

    return q->plan->zero < 2 || optimizers == 0 ||
           (optimizers >> q->job->optimizer & 1) != 0 ||
           spec_refuse(q,
                   "zero=%d: %s does not run --optimizer %s with it; try "
                   "zero=1",
                   q->plan->zero, q->framework->name,
                   p3d_optimizer_of(q->job->optimizer)->name);
}

static bool check_zero(const spec_question *q)
{
    const int zero = q->plan->zero;
    const unsigned stages = zero_stages_beside(q);
    char names[32];

    if (zero >= 0 && zero <= 3 && (stages >> zero & 1) != 0)
        return check_sharded_optimizer(q);
    if (q->reason == NULL)
        return false;
    print_stages(stages, names);
    return spec_refuse(q, "zero=%d: %s does not support it%s; try zero=%s",
            zero, q->framework->name,
            zero >= 0 && zero <= 3 && (q->framework->zero_stages >> zero & 1)
                    ? " with a pipeline"
                    : "",
            names);
}

/* What is offloaded, in words, without the parts that are not to be had. */
typedef struct offload_words {
    char all[P3D_PLAN_PART];
    char less[P3D_PLAN_PART];
} offload_words;

static offload_words words_without(const spec_question *q, const p3d_plan *less)
{
    offload_words words = {.all = ""};

    (void)p3d_print_offload(q->plan, words.all);
    (void)p3d_print_offload(less, words.less);
    return words;
}

/* Refuse a part of what is offloaded: what is left without it may be tried. */
static bool refuse_offload(
        const spec_question *q, const p3d_plan *less, const char *why)
{
    offload_words words;

    if (q->reason == NULL)
        return false;
    words = words_without(q, less);
    return spec_refuse(q, "offload=%s: %s %s; try offload=%s", words.all,
            q->framework->name, why, words.less);
}

/* The plan with its states and weights on the device. */
static p3d_plan with_states_on_device(const p3d_plan *plan)
{
    p3d_plan less = *plan;

    less.offload = P3D_OFFLOAD_NONE;
    less.offload_frac = 0;
    less.offload_nvme = false;
    return less;
}

/* Weights are offloaded with ZeRO-3 alone. */
static bool check_offload_parameters(const spec_question *q)
{
    const p3d_framework *const f = q->framework;
    p3d_plan less = *q->plan;

    less.offload = P3D_OFFLOAD_OPTIMIZER;
    if (!f->parameter_offload)
        return refuse_offload(q, &less, "has no offload of parameters");
    if (q->plan->zero == 3)
        return true;
    return spec_refuse(q,
            "offload=optimizer+parameters needs zero=3, not zero=%d; try "
            "%s%s",
            q->plan->zero,
            (zero_stages_beside(q) >> 3 & 1) != 0 ? "zero=3 or " : "",
            f->offloads_whole ? "offload=none" : "offload=optimizer");
}

/* Refuse the optimizer's states without the weights. */
static bool refuse_alone(const spec_question *q)
{
    p3d_plan more = *q->plan;

    more.offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    more.offload_frac = 0;
    return refuse_offload(
            q, &more, "offloads the optimizer with the weights alone");
}

static bool check_offload(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const unsigned stages =
            q->framework->offload_zero_stages & zero_stages_beside(q);
    const p3d_plan less = with_states_on_device(p);
    char names[32];

    if (p->offload == P3D_OFFLOAD_NONE)
        return true;
    if (stages == 0)
        return refuse_offload(q, &less, "has no offload of the optimizer");
    if (q->framework->offloads_whole && p->offload == P3D_OFFLOAD_OPTIMIZER)
        return refuse_alone(q);
    if (p->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS &&
            !check_offload_parameters(q))
        return false;
    if ((stages >> p->zero & 1) != 0)
        return true;
    if (q->reason == NULL)
        return false;
    print_stages(stages, names);
    return spec_refuse(q,
            "offload=optimizer: %s does not support it with zero=%d; try "
            "zero=%s",
            q->framework->name, p->zero, names);
}

static bool check_offload_nvme(const spec_question *q)
{
    p3d_plan less = *q->plan;

    if (!q->plan->offload_nvme)
        return true;
    less.offload_nvme = false;
    if (!q->framework->nvme)
        return refuse_offload(q, &less, "has no offload to NVMe");
    if (q->cluster->node.nvme_bytes == 0)
        return spec_refuse(q,
                "offload=optimizer@nvme: node %s states no nvme_bytes; write "
                "them into a cluster file",
                q->cluster->node.name);
    return true;
}

/* Source: Megatron-LM@d98e8a64 megatron/training/arguments.py:1889. */
static bool check_offload_weights(const spec_question *q)
{
    const p3d_job *const job = q->job;

    return q->plan->offload == P3D_OFFLOAD_NONE || q->plan->zero == 0 ||
           !q->framework->offloads_delayed || job->fp8_copies ||
           job->dtype != P3D_FP8 || spec_fp8_recipe(job) == P3D_FP8_DELAYED ||
           spec_refuse(q,
                   "offload=optimizer: %s keeps weights in fp8 beside it by "
                   "the recipe delayed alone; try --fp8-recipe delayed, or "
                   "--fp8-copies",
                   q->framework->name);
}

static bool check_offload_parts(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const p3d_framework *const f = q->framework;
    p3d_plan less = *p;

    if (p->activation_offload_frac > 0 && !f->activation_offload) {
        less.activation_offload_frac = 0;
        return refuse_offload(q, &less, "has no offload of activations");
    }
    if (p->offload_frac > 0 && p->offload_frac < 1 &&
            (f->offload_ratio_stages >> p->zero & 1) == 0) {
        less.offload_frac = 0;
        return refuse_offload(q, &less, "offloads all of the states or none");
    }
    if (p->activation_offload_frac > 0 && q->job->graphs == P3D_GRAPHS_LAYERS) {
        less.activation_offload_frac = 0;
        return refuse_offload(
                q, &less, "offloads no activations of CUDA graphs");
    }
    return check_offload_weights(q) && check_offload_nvme(q);
}

/* Each instance of the sharing holds whole groups of expert replicas.
 *  Source: Megatron-LM@d98e8a64 megatron/core/parallel_state.py
 *  (intra_partial_expert_data_parallel_size). */
static bool check_expert_shard(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int n_copies = p->dp * p->cp / p->shard;
    const int n_experts = p->tp * p->cp * p->dp / (p->etp * p->ep);

    if (p->ep == 1 || n_experts % n_copies == 0)
        return true;
    return spec_refuse(q,
            "shard=%d: %d copies of the states do not divide the %d replicas "
            "of the experts; leave it out",
            p->shard, n_copies, n_experts);
}

/* ZeRO-0 shares nothing; some stage may share by groups. */
static bool refuse_unshared(const spec_question *q)
{
    const unsigned stages =
            q->framework->hybrid_stages & zero_stages_beside(q) & ~1u;
    char names[32];

    if (stages == 0)
        return spec_refuse(q,
                "shard=%d: zero=0 shares no states, and %s has no stage that "
                "groups of replicas share; leave it out",
                q->plan->shard, q->framework->name);
    print_stages(stages, names);
    return spec_refuse(q, "shard=%d: zero=0 shares no states; try zero=%s",
            q->plan->shard, names);
}

static bool check_shard(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int64_t replicas = (int64_t)p->dp * p->cp;

    if (p->shard == 0)
        return true;
    if (p->zero == 0)
        return refuse_unshared(q);
    if ((q->framework->hybrid_stages >> p->zero & 1) == 0)
        return spec_refuse(q,
                "shard=%d: %s shares the states of zero=%d by all replicas; "
                "leave it out",
                p->shard, q->framework->name, p->zero);
    if (p->shard > 0 && replicas % p->shard == 0)
        return check_expert_shard(q);
    return spec_refuse(q,
            "shard=%d: %lld replicas are not divisible by %d; try shard=%d",
            p->shard, (long long)replicas, p->shard,
            spec_fitting(q, (int)replicas, p->shard));
}

/* Source: Megatron-LM@d98e8a64 megatron/core/parallel_state.py ("When not
 *  using pp-last rank ordering"). */
static bool check_order(const spec_question *q)
{
    const p3d_plan *const p = q->plan;

    if (p->order == P3D_ORDER_DP_PP)
        return true;
    if (!q->framework->pp_before_dp)
        return spec_refuse(q, "order=%s: %s does not support it; leave it out",
                p3d_order_name(p->order), q->framework->name);
    if (p->pp == 1 || q->model->n_experts == 0 ||
            (int64_t)p->etp * p->ep == (int64_t)p->tp * p->cp)
        return true;
    return spec_refuse(q,
            "order=%s: experts need etp*ep = tp*cp, not %d and %d; leave it "
            "out",
            p3d_order_name(p->order), p->etp * p->ep, p->tp * p->cp);
}

/* Sequence parallelism, experts. */

static bool check_flags(const spec_question *q)
{
    const p3d_plan *const p = q->plan;

    for (int i = 0; i < P3D_N_FLAGS; i++) {
        const spec_flag *const flag = &spec_flags[i];

        if (spec_plan_get(p, flag->key) != 0 && !spec_flag_may(p, i))
            return spec_refuse(q, "%s needs %s; try %s",
                    spec_plan_fields[flag->key].word, flag->needs, flag->off);
    }
    if (!p->sequence_parallel && p->tp > 1 && p->ep > 1)
        return spec_refuse(
                q, "ep=%d with tp=%d needs sp; try sp", p->ep, p->tp);
    return true;
}

static bool check_experts(const spec_question *q)
{
    const p3d_model *const m = q->model;
    const p3d_plan *const p = q->plan;

    if (p->ep > 1 && m->n_experts == 0)
        return spec_refuse(
                q, "ep=%d: the model has no experts; try ep=1", p->ep);
    if (p->ep == 1 && p->etp != p->tp)
        return spec_refuse(q, "etp=%d: with ep=1 it is that of tp; try etp=%d",
                p->etp, p->tp);
    if (m->n_experts % p->ep != 0)
        return spec_refuse(q,
                "ep=%d: %d experts are not divisible by %d; try ep=%d", p->ep,
                m->n_experts, p->ep, spec_fitting(q, m->n_experts, p->ep));
    if (m->n_experts > 0 && m->expert_bias && p->etp > 1)
        return spec_refuse(q,
                "etp=%d: experts with biases are not split; try etp=1 with "
                "ep > 1",
                p->etp);
    return true;
}

/* Numbers of ranks that DeepEP has settings for. deepseek-ai/DeepEP@94a9f8f6
 * deep_ep/buffer.py:240-252. */
static bool check_deepep_ranks(const spec_question *q)
{
    static const int sizes[] = {2, 4, 8, 16, 24, 32, 64, 128, 144, 160};
    const int n = q->plan->ep * q->plan->etp;
    int less = 1;

    for (int i = 0; i < P3D_COUNT_OF(sizes); i++) {
        if (sizes[i] == n)
            return true;
        less = sizes[i] < n ? sizes[i] : less;
    }
    return spec_refuse(q,
            "ep=%d: DeepEP runs on 2, 4, 8, 16, 24, 32, 64, 128, 144 or 160 "
            "ranks, not %d; try ep=%d",
            q->plan->ep, n, spec_fitting(q, q->model->n_experts, less));
}

static bool check_dispatcher(const spec_question *q)
{
    const p3d_dispatcher d = q->job->dispatcher;

    const bool sends = q->plan->ep > 1;

    if (d == P3D_DISPATCH_ALL_TO_ALL || (!sends && !q->job->fixed_dispatcher))
        return true;
    if ((q->framework->dispatchers >> d & 1) == 0)
        return spec_refuse(q,
                "%s does not send tokens by %s; try --dispatcher alltoall, or "
                "--framework generic",
                q->framework->name, p3d_dispatcher_name(d));
    return !sends ||
           (spec_rule_dispatch_links(q) &&
                   (d != P3D_DISPATCH_DEEPEP || check_deepep_ranks(q)));
}

static bool check_graphs(const spec_question *q)
{
    return q->job->graphs == P3D_GRAPHS_NONE || q->framework->graphs ||
           spec_refuse(q, "%s has no CUDA graphs; leave out --cuda-graphs",
                   q->framework->name);
}

static bool check_expert_overlap(const spec_question *q)
{
    const p3d_plan *const p = q->plan;

    if (!q->job->expert_overlap || p->ep == 1)
        return true; /* nothing travels */
    if (!q->framework->expert_overlap)
        return spec_refuse(q,
                "%s does not run the exchange of experts beside another "
                "micro-batch; leave out --moe-overlap",
                q->framework->name);
    if (q->job->dispatcher == P3D_DISPATCH_ALL_GATHER)
        return spec_refuse(q, "--moe-overlap does not go with --dispatcher "
                              "allgather; try alltoall");
    if (q->job->n_mtp_layers > 1)
        return spec_refuse(q,
                "--moe-overlap goes with one block of multi-token "
                "prediction at most; try --mtp 1");
    if (p->pp > 1 && p->vp == 1)
        return spec_refuse(
                q, "--moe-overlap with pp=%d needs chunks; try vp=2", p->pp);
    if (p->recompute == P3D_RECOMPUTE_FULL ||
            (p->recompute_modules & P3D_MODULE_MOE) != 0)
        return spec_refuse(q, "--moe-overlap does not go with recomputation of "
                              "whole layers or experts; try recompute=none");
    return true;
}

/* clang-format off */
enum { N_JOB_RULES = 6 }; /* the first rows, which look at no plan */

/* In the order of checking. The letter of an id: A world, B model, C pipeline,
 * D batch, E states, F recomputation, G sequence parallelism and experts,
 * S what the framework or the GPU can do at all. */
static const struct {
    const char *id;
    rule_check *check;
    const char *words;
} rules[] = {
    {"S4", spec_rule_dtype,
        "the GPU has the data type"},
    {"S8", spec_rule_attention,
        "framework and GPU run the attention kernel, with dtype and heads"},
    {"S9", spec_rule_dispatcher,
        "the GPU runs the dispatcher of tokens to experts"},
    {"S15", spec_rule_devices,
        "the framework runs on the kind of GPU"},
    {"S14", spec_rule_adapters,
        "the framework has the adapters; something is trained"},
    {"B9", spec_rule_images,
        "the images of a sequence fit in it, and the model has a tower"},
    {"B10", spec_rule_companion,
        "the framework has preference training, or the teacher"},
    {"A1", check_world,
        "tp*pp*dp*cp is the number of GPUs"},
    {"S1", check_pipeline,
        "the framework has pipeline parallelism"},
    {"S2", check_context,
        "the framework has context parallelism"},
    {"A3", check_ulysses,
        "ulysses divides cp"},
    {"S3", check_expert,
        "the framework has expert parallelism"},
    {"S5", check_tensor,
        "the framework has tensor parallelism"},
    {"S10", spec_rule_ring,
        "context parallelism splits a fused attention kernel"},
    {"S11", spec_rule_tp_overlap,
        "the framework has tensor-parallel overlap, within a node"},
    {"S16", spec_rule_partition,
        "the framework shares out inputs of layers, over tp without sp"},
    {"S17", spec_rule_units,
        "the framework has units of a least size, and the model's are known"},
    {"S18", spec_rule_compression,
        "the framework sends compressed weights or gradients, with the ZeRO "
        "stage"},
    {"S19", spec_rule_sparse,
        "the framework has kernels over blocks, and the model's attention "
        "takes them"},
    {"S13", spec_rule_dp_overlap,
        "the framework has data-parallel overlap, with the ZeRO stage"},
    {"S12", spec_rule_schedule,
        "the framework has the schedule"},
    {"D1", check_batch,
        "dp * mbs divides the batch"},
    {"D2", check_micro_batch,
        "a micro-batch can be counted"},
    {"B1", spec_rule_heads,
        "tp divides the attention heads"},
    {"B2", spec_rule_kv_heads,
        "tp divides the key/value heads, or they tp where they may be copied"},
    {"G4", check_experts,
        "ep divides the experts; etp = tp when ep = 1"},
    {"S7", check_graphs,
        "the framework has CUDA graphs"},
    {"S6", check_dispatcher,
        "the framework has the dispatcher, and the links that it needs"},
    {"G5", check_expert_overlap,
        "the experts' exchange overlaps only with chunks, without full "
        "recomputation"},
    {"A2", check_expert_grid,
        "etp*ep*pp divides the number of GPUs"},
    {"B4", spec_rule_ffn,
        "tp divides the MLP widths, etp the experts'"},
    {"G1", check_flags,
        "sp needs tp > 1; ep with tp needs sp"},
    {"B7", spec_rule_sequence,
        "2*cp divides the sequence, with sp also tp its share"},
    {"B8", spec_rule_positions,
        "the sequence fits the learned positions"},
    {"C2", spec_rule_ends,
        "first, last, short and tail only where the framework takes them"},
    {"C1", spec_rule_layers,
        "the layers are shared out evenly"},
    {"C6", spec_rule_chunks,
        "the schedule has its number of chunks, and pp > 1 where it needs it"},
    {"C7", spec_rule_rounds,
        "the schedule has the micro-batches that it needs"},
    {"E1", check_zero,
        "the framework has the ZeRO stage, also with a pipeline"},
    {"E5", spec_rule_adapter_plan,
        "tp divides the adapters' rank; frozen weights go with the ZeRO stage"},
    {"B11", spec_rule_companion_plan,
        "a micro-batch holds whole pairs; the plan divides the teacher"},
    {"E2", check_offload,
        "the framework has the offload, with the ZeRO stage it needs"},
    {"E3", check_offload_parts,
        "the framework and the node take what is offloaded"},
    {"E4", check_shard,
        "shard divides the replicas dp*cp, with hybrid sharding"},
    {"A10", check_order,
        "the framework has the order of ranks, which suits the experts"},
    {"F1", spec_rule_recompute,
        "modules that the framework recomputes alone; layers of one stage"},
    {"F2", spec_rule_said,
        "the framework's options say what is recomputed and split"},
    {"F3", spec_rule_partition_inputs,
        "inputs of layers are shared out only where layers are recomputed"},
};
enum { N_SEARCH_RULES = P3D_COUNT_OF(rules) - 1 }; /* not the last */
/* clang-format on */

const char *spec_rule_id(int i)
{
    return P3D_HAS(rules, i) ? rules[i].id : NULL;
}

const char *spec_rule_words(int i)
{
    return P3D_HAS(rules, i) ? rules[i].words : NULL;
}

/* The first n rules. */
static bool keeps_rules(const spec_question *q, int n, p3d_refusal *refusal)
{
    for (int i = 0; i < n; i++) {
        if (rules[i].check(q))
            continue;
        if (refusal != NULL)
            refusal->rule = rules[i].id;
        return false;
    }
    if (refusal != NULL) {
        refusal->rule = NULL;
        refusal->reason[0] = '\0';
    }
    return true;
}

static bool is_given(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, const p3d_plan *plan)
{
    return spec_model_given(model) && spec_cluster_given(cluster) &&
           spec_job_given(job) && spec_plan_words_given(plan);
}

static bool refuse_misuse(p3d_refusal *refusal)
{
    if (refusal != NULL)
        *refusal = (p3d_refusal){
                .reason = "no plan, or no model, cluster or job to run it"};
    return false;
}

static spec_question question_of(const p3d_model *model,
        const p3d_cluster *cluster, const p3d_job *job, const p3d_plan *plan,
        p3d_refusal *refusal)
{
    return (spec_question){model, cluster, job, job->framework, plan,
            refusal != NULL ? refusal->reason : NULL, sizeof(refusal->reason)};
}

bool spec_plan_keeps_all(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, const p3d_plan *plan, p3d_refusal *refusal)
{
    const spec_question q = question_of(model, cluster, job, plan, refusal);

    return keeps_rules(&q, N_SEARCH_RULES, refusal);
}

bool p3d_plan_legal(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, const p3d_plan *plan, p3d_refusal *refusal)
{
    spec_question q;

    if (!is_given(model, cluster, job, plan))
        return refuse_misuse(refusal);
    q = question_of(model, cluster, job, plan, refusal);
    return keeps_rules(&q, P3D_COUNT_OF(rules), refusal);
}

bool p3d_job_runs(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, p3d_refusal *refusal)
{
    spec_question q;

    if (model == NULL || cluster == NULL || job == NULL ||
            job->framework == NULL || (unsigned)job->dtype >= P3D_N_DTYPES ||
            (unsigned)job->fp8_recipe >= P3D_N_FP8_RECIPES ||
            (unsigned)job->attention >= P3D_N_ATTENTIONS ||
            (unsigned)job->dispatcher >= P3D_N_DISPATCHERS ||
            (unsigned)job->adapters.base >= P3D_N_BASES)
        return refuse_misuse(refusal);
    q = question_of(model, cluster, job, NULL, refusal);
    return keeps_rules(&q, N_JOB_RULES, refusal);
}

/* Rules that look at what differs. */
static rule_check *const difference_rules[P3D_N_DIFFERENCES][10] = {
        [P3D_DIFFERENCE_MICRO_BATCH] = {check_batch, check_micro_batch,
                spec_rule_rounds, spec_rule_companion_plan},
        [P3D_DIFFERENCE_SHARING] = {check_shard, check_order, spec_rule_said,
                spec_rule_compression},
        [P3D_DIFFERENCE_PIPELINE] = {spec_rule_schedule, spec_rule_chunks,
                spec_rule_rounds, check_batch, check_micro_batch,
                check_expert_overlap, spec_rule_ends, spec_rule_layers,
                spec_rule_companion_plan, spec_rule_said}};

bool spec_plan_keeps_rules(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, const p3d_plan *plan, p3d_difference difference)
{
    rule_check *const *const check = difference_rules[difference];
    const spec_question q = question_of(model, cluster, job, plan, NULL);

    for (int i = 0; i < P3D_COUNT_OF(difference_rules[0]) && check[i] != NULL;
            i++) {
        if (!check[i](&q))
            return false;
    }
    return true;
}

bool p3d_plan_stays_legal(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, const p3d_plan *plan, p3d_difference difference)
{
    return is_given(model, cluster, job, plan) && spec_plan_given(plan) &&
           (unsigned)difference < P3D_N_DIFFERENCES &&
           spec_plan_keeps_rules(model, cluster, job, plan, difference);
}
