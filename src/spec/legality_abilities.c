/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legality_abilities.c - the rules on what the framework, the GPU and its links
 * can do at all, and on what the framework's options can say; what a plan has
 * that its framework does not do by itself. */
#include "spec/legality.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/departures.h"
#include "spec/abilities.h"
#include "spec/given.h"
#include "spec/network.h"
#include "spec/plan_split.h"
#include "spec/plan_words.h"

static const char *best_dtype(const p3d_gpu *gpu)
{
    static const p3d_dtype best[] = {P3D_BF16, P3D_FP16};

    for (int i = 0; i < P3D_COUNT_OF(best); i++) {
        if (p3d_gpu_peak_flop_per_s(gpu, best[i]) > 0 &&
                spec_gpu_runs(gpu, spec_dtype_ability(best[i])))
            return p3d_dtype_name(best[i]);
    }
    return p3d_dtype_name(P3D_FP32);
}

/* Without Transformer Engine Megatron-LM has no fp8. Source: Megatron-LM@
 * d98e8a64 megatron/core/models/gpt/gpt_layer_specs.py:194. */
static bool check_recipe(const spec_question *q)
{
    const p3d_job *const job = q->job;
    const p3d_fp8_recipe recipe = spec_fp8_recipe(job);
    const spec_ability *const ability = spec_recipe_ability(recipe);

    if (job->fp8_recipe == P3D_FP8_USUAL)
        return true;
    if (job->dtype != P3D_FP8)
        return spec_refuse(q, "--fp8-recipe %s needs --dtype fp8, this is %s",
                p3d_fp8_recipe_name(recipe), p3d_dtype_name(job->dtype));
    if ((spec_fp8_recipes(q->framework) >> recipe & 1) == 0)
        return spec_refuse(q,
                "%s has no fp8 by the recipe %s; leave out "
                "--fp8-recipe",
                q->framework->name, p3d_fp8_recipe_name(recipe));
    return spec_gpu_runs(&q->cluster->gpu, ability) ||
           spec_refuse(q, "%s; leave out --fp8-recipe",
                   spec_gpu_lacks(&q->cluster->gpu, ability).text);
}

bool spec_rule_dtype(const spec_question *q)
{
    const p3d_gpu *const gpu = &q->cluster->gpu;
    const p3d_dtype dtype = q->job->dtype;
    const spec_ability *const ability = spec_dtype_ability(dtype);

    if (!spec_gpu_runs(gpu, ability))
        return spec_refuse(q, "%s; try --dtype %s",
                spec_gpu_lacks(gpu, ability).text, best_dtype(gpu));
    if (dtype == P3D_FP8 && (q->framework->lacks & P3D_LACKS_FP8) != 0)
        return spec_refuse(q, "%s has no fp8; try --dtype %s",
                q->framework->name, best_dtype(gpu));
    if (dtype == P3D_NVFP4 && !q->framework->nvfp4)
        return spec_refuse(q, "%s has no %s; try --dtype %s",
                q->framework->name, ability->title, best_dtype(gpu));
    if (p3d_gpu_peak_flop_per_s(gpu, dtype) > 0)
        return check_recipe(q);
    return spec_refuse(q, "%s has no %s; try --dtype %s", gpu->name,
            ability->title, best_dtype(gpu));
}

/* What to write instead of a kernel, or of a framework without any. */
static bool refuse_attention(const spec_question *q, const char *why)
{
    const p3d_attention other =
            spec_usual_attention(q->model, &q->cluster->gpu, q->job);

    if (spec_attention_runs(other, q->model, &q->cluster->gpu, q->job))
        return spec_refuse(
                q, "%s; try --attention %s", why, p3d_attention_name(other));
    return spec_refuse(q, "%s, and %s calls no other; try another framework",
            why, q->framework->name);
}

bool spec_rule_attention(const spec_question *q)
{
    const p3d_gpu *const gpu = &q->cluster->gpu;
    const p3d_attention attention = q->job->attention;
    const spec_attention_facts *const facts =
            spec_attention_facts_of(attention);
    const char *const title = facts->ability.title;
    char why[176];

    if (spec_attention_runs(attention, q->model, gpu, q->job))
        return true;
    if (q->reason == NULL)
        return false;
    if (!spec_gpu_runs(gpu, &facts->ability))
        snprintf(why, sizeof(why), "%s",
                spec_gpu_lacks(gpu, &facts->ability).text);
    else if ((q->framework->kernels >> attention & 1) == 0)
        snprintf(why, sizeof(why), "%s does not call %s", q->framework->name,
                title);
    else if (!facts->fp32 && q->job->dtype == P3D_FP32)
        snprintf(why, sizeof(why), "%s computes in fp16 and bf16, not in fp32",
                title);
    else
        snprintf(why, sizeof(why), "%s takes heads of at most %d on %s, not %d",
                title, spec_attention_max_head(facts, gpu), gpu->name,
                q->model->head_dim);
    return refuse_attention(q, why);
}

/* A ring hands on partial sums, which only fused kernels return; Transformer
 * Engine has no context parallelism at all without one. Source:
 * TransformerEngine@d0067d0d transformer_engine/pytorch/attention/
 * dot_product_attention/utils.py get_attention_backend ("Filter: Context
 * parallelism"). */
bool spec_rule_ring(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const bool whole = spec_head_ranks(q->job, p->cp, p->ulysses) == p->cp &&
                       !q->framework->transformer_engine;

    return q->plan->cp == 1 || q->job->attention != P3D_EAGER || whole ||
           spec_refuse(q,
                   "cp=%d: context parallelism needs a fused kernel, not eager "
                   "attention; try cp=1",
                   q->plan->cp);
}

/* Kernels of DeepEP and HybridEP write to the memory of the GPUs of a node over
 * NVLink, and beyond it by remote direct memory access, for which DeepEP is not
 * built on sm80. Source: deepseek-ai/DeepEP@94a9f8f6 README.md:46-55, setup.py:
 * 249-258. */
bool spec_rule_dispatcher(const spec_question *q)
{
    const p3d_gpu *const gpu = &q->cluster->gpu;
    const p3d_node *const node = &q->cluster->node;
    const p3d_dispatcher d = q->job->dispatcher;
    const spec_ability *const ability = spec_dispatcher_ability(d);

    if (q->job->expert_overlap && q->model->n_experts == 0)
        return spec_refuse(q, "--moe-overlap: %s has no experts; leave it out",
                q->model->name);
    if (!spec_gpu_runs(gpu, ability))
        return spec_refuse(q, "%s; try --dispatcher alltoall",
                spec_gpu_lacks(gpu, ability).text);
    return d < P3D_DISPATCH_DEEPEP ||
           node->gpus_per_nvlink_domain >= node->gpus_per_node ||
           spec_refuse(q,
                   "%s needs NVLink between all GPUs of a node, which %s has "
                   "not; try --dispatcher alltoall",
                   ability->title, node->name);
}

bool spec_rule_dispatch_links(const spec_question *q)
{
    const p3d_cluster *const c = q->cluster;
    const p3d_dispatcher d = q->job->dispatcher;
    const int n_linked = c->node.gpus_per_nvlink_domain;
    const int sm = p3d_gpu_sm(&c->gpu);

    if (d < P3D_DISPATCH_DEEPEP || q->plan->ep * q->plan->etp <= n_linked)
        return true;
    if (!spec_fabric_is_direct(&c->fabric))
        return spec_refuse(q,
                "ep=%d: %s needs GPUDirect RDMA between nodes, which %s has "
                "not; try "
                "--dispatcher alltoall",
                q->plan->ep, spec_dispatcher_ability(d)->title, c->fabric.name);
    return sm == 0 || sm >= 90 ||
           spec_refuse(q,
                   "ep=%d: %s leaves the node from sm90 on; %s is %s; try "
                   "ep=%d",
                   q->plan->ep, spec_dispatcher_ability(d)->title, c->gpu.name,
                   c->gpu.architecture,
                   spec_fitting(q, q->model->n_experts, n_linked));
}

/* Transformer Engine's user buffers or what torch.compile makes of symmetric
 * memory: pieces are written to the memory of other ranks, which is mapped over
 * NVLink or within a node. Source: TransformerEngine@d0067d0d
 * transformer_engine/pytorch/module/base.py:305-322 (domains of tp_size ranks);
 * torch.distributed._symmetric_memory; Megatron-LM@d98e8a64 megatron/training/
 * arguments.py:1441 (sequence parallelism). */
bool spec_rule_tp_overlap(const spec_question *q)
{
    const p3d_framework *const f = q->framework;
    const p3d_node *const node = &q->cluster->node;
    const int reach = node->gpus_per_nvlink_domain > node->gpus_per_node
                              ? node->gpus_per_nvlink_domain
                              : node->gpus_per_node;

    if (!q->job->tp_overlap || q->plan->tp == 1)
        return true;
    if (f->transformer_engine && !q->plan->sequence_parallel)
        return spec_refuse(q,
                "tp=%d: --tp-overlap needs sequence parallelism; try sp",
                q->plan->tp);
    if (!f->transformer_engine && !f->compiles && !f->fuses_collectives)
        return spec_refuse(q,
                "tp=%d: %s does not communicate beside the products; leave out "
                "--tp-overlap",
                q->plan->tp, f->name);
    return q->plan->tp <= reach ||
           spec_refuse(q,
                   "tp=%d: --tp-overlap reaches %d GPUs that share a node; "
                   "try tp=%d",
                   q->plan->tp, reach,
                   spec_fitting(q, q->model->n_heads, reach));
}

/* Megatron-LM refuses it with sequence parallelism, where ranks have inputs of
 * their own; DeepSpeed takes them for the same on all of them. Source:
 * Megatron-LM@d98e8a64 megatron/core/transformer/transformer_config.py,
 * megatron/training/arguments.py (validate_args). */
bool spec_rule_partition(const spec_question *q)
{
    const p3d_plan *const p = q->plan;

    if (!q->job->partition_activations)
        return true;
    if (!q->framework->partition_activations)
        return spec_refuse(q,
                "%s does not share out the inputs that recomputation keeps; "
                "leave out --partition-activations",
                q->framework->name);
    if (p->sequence_parallel)
        return spec_refuse(q,
                "sp: inputs of layers are shared out already; try nosp, or "
                "leave out --partition-activations");
    return p->tp > 1 ||
           spec_refuse(q, "tp=1: there is no rank to share inputs of layers "
                          "with; leave out --partition-activations");
}

bool spec_wraps_by_size(const p3d_model *model, const p3d_job *job)
{
    return model->n_experts == 0 && model->kv_lora_rank == 0 &&
           model->mixer.kind == 0 && model->tower.hidden == 0 &&
           job->adapters.rank == 0;
}

bool spec_rule_units(const spec_question *q)
{
    if (q->job->unit_params == 0)
        return true;
    if (!q->framework->wraps)
        return spec_refuse(q,
                "%s does not wrap modules by their size; leave out --fsdp-unit",
                q->framework->name);
    return q->job->unit_params == P3D_UNIT_WHOLE ||
           spec_wraps_by_size(q->model, q->job) ||
           spec_refuse(q, "units by size are known of dense models that are "
                          "trained whole; try --fsdp-unit whole, or leave it "
                          "out");
}

bool spec_rule_partition_inputs(const spec_question *q)
{
    return !q->job->partition_activations ||
           q->plan->recompute == P3D_RECOMPUTE_FULL ||
           spec_refuse(q,
                   "recompute=%s: --partition-activations shares out "
                   "what recompute=full keeps; try that",
                   p3d_recompute_name(q->plan->recompute));
}

/* Source: Ascend/MindSpeed-LLM@928133c6 README.md (torch_npu, Ascend alone);
 * Megatron-LM@d98e8a64 has kernels of CUDA, which ROCm compiles, too;
 * AI-Hypercomputer/maxtext@e591f30c runs on JAX, which runs there by XLA. */
bool spec_rule_devices(const spec_question *q)
{
    const p3d_gpu *const gpu = &q->cluster->gpu;

    return spec_framework_runs_on(q->framework, gpu) ||
           spec_refuse(q, "%s does not run on %s; try --framework %s",
                   q->framework->name, gpu->name, spec_usual_framework(gpu));
}

bool spec_rule_dp_overlap(const spec_question *q)
{
    const p3d_framework *const f = q->framework;
    const unsigned can = f->overlap_dp | f->overlap_dp_asked;

    return q->job->dp_overlap != P3D_OVERLAP_ON ||
           (can >> q->plan->zero & 1) != 0 ||
           spec_refuse(q,
                   "zero=%d: %s does not communicate beside the passes; leave "
                   "out --dp-overlap",
                   q->plan->zero, f->name);
}

/* Groups that do not divide the layers of some chunk. */
static bool has_odd_groups(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    int layers[P3D_MAX_LAYERS];

    if (p->recompute_group < 2 || p->pp < 1 || p->vp < 1 ||
            p->pp > P3D_MAX_LAYERS / p->vp ||
            !p3d_plan_split_layers(q->model, q->job, p, layers))
        return false;
    for (int i = 0; i < p->pp * p->vp; i++) {
        if (layers[i] % p->recompute_group != 0)
            return true;
    }
    return false;
}

/* The number of chunks is that of layers, embedding and loss over the layers of
 * a chunk, rounded up: not every number of chunks comes of it. Source:
 * torchtitan@b5bcd76c torchtitan/distributed/pipeline_parallel.py:219-226. */
static bool has_odd_chunks(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    spec_split split;

    if (p->vp == 1 || !spec_split_find(q->model, q->job, p, &split) ||
            split.share < 1)
        return false;
    return p3d_ceil_div((int64_t)q->model->n_layers + split.first_less +
                                split.last_less,
                   split.share + (split.n_larger > 0)) != split.n_stages;
}

/* True where a plan has what a framework that lacks this cannot say. */
static bool wants(const spec_question *q, unsigned lack)
{
    const p3d_plan *const p = q->plan;
    const bool some =
            p->recompute == P3D_RECOMPUTE_FULL && p->recompute_layers > 0;

    switch (lack) {
    case P3D_LACKS_LAYER_COUNTS: return some;
    case P3D_LACKS_PIPELINE_LAYER_COUNTS: return some && p->pp > 1;
    case P3D_LACKS_LAYER_GROUPS: return p->recompute_group > 1;
    case P3D_LACKS_ODD_GROUPS: return has_odd_groups(q);
    case P3D_LACKS_MICRO_BATCH_GROUPS: return p->group > 0 && p->group != p->pp;
    case P3D_LACKS_SELECTIVE: return p->recompute == P3D_RECOMPUTE_SELECTIVE;
    case P3D_LACKS_EXPERT_TENSOR: return p->ep > 1 && p->etp > 1;
    case P3D_LACKS_CONTEXT_SHARDS: return p->shard > 0 && p->shard % p->cp != 0;
    case P3D_LACKS_LONE_SHARDS: return p->shard > 0 && p->shard <= p->cp;
    case P3D_LACKS_UNEVEN_CHUNKS: return has_odd_chunks(q);
    case P3D_LACKS_CHUNK_ENDS: return p->vp > 1 && p3d_plan_says_layers(p);
    case P3D_LACKS_HEAD_GROUPS:
        return p->ulysses > 0 &&
               p->ulysses != spec_head_ranks(q->job, p->cp, 0);
    case P3D_LACKS_ZERO_3_EXPERTS:
        return p->zero == 3 && q->model->n_experts > 0;
    case P3D_LACKS_COPIES: return p->zero == 0 && p->dp > 1;
    case P3D_LACKS_OTHER_OFFLOAD:
        return p->activation_offload_frac > 0 &&
               (p->activation_offload_frac < 1 || some ||
                       p->recompute != P3D_RECOMPUTE_FULL);
    case P3D_LACKS_WHOLE_STREAM: return p->tp > 1 && !p->sequence_parallel;
    case P3D_LACKS_MIXED_EXPERTS: return p->etp != p->tp || p->dp % p->ep != 0;
    case P3D_LACKS_WHOLE_AXES:
        return p->shard == 1 ||
               (p->cp * p->ep > 1 &&
                       (p->zero < 3 || p->shard % (p->cp * p->ep)));
    }
    return false;
}

/* clang-format off */
static const struct {
    unsigned lack;
    const char *words;
} rows[] = {
    {P3D_LACKS_LAYER_COUNTS,
        "recomputes all layers or none; try recompute=full"},
    {P3D_LACKS_PIPELINE_LAYER_COUNTS,
        "recomputes all layers of a pipeline or none; try recompute=full"},
    {P3D_LACKS_LAYER_GROUPS,
        "recomputes each layer from its own input; try recompute=full"},
    {P3D_LACKS_ODD_GROUPS,
        "takes groups that divide the layers of each chunk; try "
        "recompute=full"},
    {P3D_LACKS_MICRO_BATCH_GROUPS,
        "runs pp micro-batches in a row, with no option for it; try it without "
        "group"},
    {P3D_LACKS_SELECTIVE,
        "recomputes whole layers alone; try recompute=full"},
    {P3D_LACKS_EXPERT_TENSOR,
        "does not split the experts of ep > 1; try etp=1"},
    {P3D_LACKS_CONTEXT_SHARDS,
        "shares states by whole groups of cp; try a multiple of it"},
    {P3D_LACKS_LONE_SHARDS,
        "shares states by two replicas or more; try another shard"},
    {P3D_LACKS_UNEVEN_CHUNKS,
        "makes another number of chunks of the layers of one; try another vp"},
    {P3D_LACKS_CHUNK_ENDS,
        "has no layers of the first and last chunk; try vp=1"},
    {P3D_LACKS_HEAD_GROUPS,
        "has one exchange for all ranks of cp; try it without ulysses"},
    {P3D_LACKS_ZERO_3_EXPERTS,
        "does not shard the weights of experts; try zero=2"},
    {P3D_LACKS_WHOLE_STREAM,
        "splits over tp what it does not split over heads, too; try sp"},
    {P3D_LACKS_MIXED_EXPERTS,
        "splits experts over tp and over ep within dp; try etp=tp"},
    {P3D_LACKS_WHOLE_AXES,
        "shares weights by all ranks of cp and ep; try zero=3"},
    {P3D_LACKS_COPIES, "shards over several GPUs; try zero=3"},
    {P3D_LACKS_OTHER_OFFLOAD,
        "offloads the inputs of recomputed layers, and all of them; try "
        "recompute=full,offload=activations"},
};
/* clang-format on */

bool spec_rule_said(const spec_question *q)
{
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        if ((q->framework->lacks & rows[i].lack) != 0 && wants(q, rows[i].lack))
            return spec_refuse(q, "%s %s", q->framework->name, rows[i].words);
    }
    for (int i = 0; i < P3D_N_FLAGS; i++) {
        const spec_flag *const flag = &spec_flags[i];

        if ((q->framework->lacks & (unsigned)P3D_LACKS_FLAG << i) != 0 &&
                spec_plan_get(q->plan, flag->key) != 0)
            return spec_refuse(q, "%s has no %s; try %s", q->framework->name,
                    flag->title, flag->off);
    }
    return true;
}

static bool is_power_of_two(unsigned n)
{
    return (n & (n - 1)) == 0;
}

unsigned spec_departures(const p3d_problem *p, const p3d_plan *plan)
{
    unsigned set = 0;

#define AS_BIT(name, words, because, has) \
    set |= (has) ? P3D_DEPARTS_##name : 0u;
    P3D_DEPARTURES(AS_BIT)
#undef AS_BIT
    return set;
}

unsigned p3d_plan_departures(const p3d_problem *problem, const p3d_plan *plan)
{
    return spec_problem_given(problem) && spec_plan_given(plan)
                   ? spec_departures(problem, plan)
                   : 0;
}

const char *p3d_departure_words(int i)
{
    static const char *const words[] = {
#define AS_WORDS(name, words, because, has) words,
            P3D_DEPARTURES(AS_WORDS)
#undef AS_WORDS
    };

    return P3D_HAS(words, i) ? words[i] : NULL;
}

unsigned p3d_departure_bit(int i)
{
    return i >= 0 && i < P3D_N_DEPARTURES ? 1u << (P3D_N_DEPARTURES - 1 - i)
                                          : 0;
}
