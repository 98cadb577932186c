/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settle.c - what all targets share: what a launch has and needs options for,
 * and the way from what files say to a plan. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "exchange/launch/serving.h"

/* clang-format off */
#define WHEN(name, condition) \
    bool exchange_##name(const exchange_launch *l) { return condition; }
WHEN(never, l == NULL)
WHEN(has_experts, l->model.n_experts > 0)
WHEN(offloads, l->plan.offload != P3D_OFFLOAD_NONE)
WHEN(has_pipeline, l->plan.pp > 1)
WHEN(has_chunks, l->plan.vp > 1)
WHEN(has_one_chunk, l->plan.vp == 1)
WHEN(splits_experts, l->plan.ep > 1)
WHEN(has_liger, l->said.liger)
#undef WHEN
/* clang-format on */

const char *const exchange_references[P3D_N_REFERENCES] = {
        "none", "self", "precomputed", "pairs", "kto"};

const char *const exchange_optimizers[P3D_N_OPTIMIZERS] = {[P3D_ADAM] = "adam",
        [P3D_ADAM_8BIT] = "adam-8bit",
        [P3D_ADAFACTOR] = "adafactor",
        [P3D_LION] = "lion",
        [P3D_MUON] = "muon"};

bool exchange_target_refuse(
        p3d_refusal *refusal, const char *rule, const char *fmt, ...)
{
    va_list args;

    refusal->rule = rule;
    va_start(args, fmt);
    vsnprintf(refusal->reason, sizeof(refusal->reason), fmt, args);
    va_end(args);
    return false;
}

/* Which options say a member. */
typedef enum saying { SAID_BY_ANY, SAID_BY_WRITTEN } saying;

/* A word for what the launch has, or a flag of it. */
static bool has_word(
        const exchange_option *option, const exchange_launch *launch)
{
    const void *const at = (const char *)launch + option->field.offset;

    return option->kind == EXCHANGE_FLAG
                   ? *(const int *)at == option->value
                   : exchange_word(option, launch) != NULL;
}

/* True when an option is the member; of data types and recipes it has a word
 * for that of the launch. */
static bool is_said_by(const exchange_table *table,
        const exchange_launch *launch, size_t member, saying by)
{
    const bool by_word = member == offsetof(exchange_launch, job.dtype) ||
                         (member == offsetof(exchange_launch, job.attention) &&
                                 launch->job.attention > P3D_EAGER) ||
                         member == offsetof(exchange_launch, said.precision) ||
                         member == offsetof(exchange_launch, said.fp8_recipe);

    for (int i = 0; i < table->n_options; i++) {
        const exchange_option *const option = &table->options[i];

        if (option->field.offset == member &&
                (by == SAID_BY_ANY || option->when != exchange_never) &&
                exchange_table_has(table, option) &&
                (!by_word || has_word(option, launch)))
            return true;
    }
    return false;
}

static bool is_said(const exchange_target *target,
        const exchange_launch *launch, size_t member, saying by)
{
    for (int i = 0; member > 0 && i < target->n_tables; i++) {
        if (is_said_by(&target->tables[i], launch, member, by))
            return true;
    }
    return false;
}

/* Files that are written have one of the members. */
static bool is_written(const exchange_target *target,
        const exchange_launch *launch, const size_t members[2])
{
    return is_said(target, launch, members[0], SAID_BY_WRITTEN) ||
           is_said(target, launch, members[1], SAID_BY_WRITTEN);
}

static bool refuse_option(
        const exchange_target *target, const char *words, p3d_refusal *refusal)
{
    return exchange_target_refuse(refusal, "X2",
            "plan3d has no option of %s for %s; leave it out or choose another "
            "target",
            target->title, words);
}

/* What files have in the place of a loss; 0 = nothing. */
static size_t loss_member(p3d_loss loss)
{
    return loss == P3D_LOSS_LIGER ? offsetof(exchange_launch, said.liger)
           : loss == P3D_LOSS_NATIVE_FUSED || loss == P3D_LOSS_TE_FUSED
                   ? offsetof(exchange_launch, said.fusion)
                   : 0;
}

/* Parts of a job that are not the usual, and the members that say them, those
 * of the job itself or what files have in their place. */
static bool can_say_job(const exchange_target *target,
        const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_job *const job = &launch->job;
    const p3d_dtype type = job->dtype;
    /* clang-format off */
#define AT(member) offsetof(exchange_launch, member)
    const struct {
        bool has;
        const char *words; /* of the command line */
        size_t members[2]; /* 0 = none */
    } parts[] = {
        {type == P3D_FP16, "--dtype fp16", {AT(job.dtype), AT(said.fp16)}},
        {type == P3D_FP32, "--dtype fp32", {AT(job.dtype), AT(said.bf16)}},
        {type == P3D_FP8, "--dtype fp8", {AT(job.dtype), AT(said.fp8)}},
        {type == P3D_NVFP4, "--dtype nvfp4", {AT(job.dtype), AT(said.fp4)}},
        {job->fp8_copies && p3d_precision_of(job) != NULL, "--fp8-copies",
            {type == P3D_FP8 ? AT(said.fp8_weights) : AT(said.fp4_weights)}},
        {job->fp8_recipe != P3D_FP8_USUAL, "--fp8-recipe",
            {AT(said.fp8_recipe), AT(said.precision)}},
        {job->dropout, "--dropout", {AT(said.attention_dropout)}},
        {job->cp_comm != P3D_CP_RING, "--cp-comm a2a", {AT(said.cp_exchange)}},
        {job->dispatcher != P3D_DISPATCH_ALL_TO_ALL, "--dispatcher",
            {AT(said.dispatcher)}},
        {job->graphs != P3D_GRAPHS_NONE, "--cuda-graphs", {AT(job.graphs)}},
        {job->n_mtp_layers > 0, "--mtp", {AT(job.n_mtp_layers)}},
        {job->tp_overlap, "--tp-overlap", {AT(job.tp_overlap)}},
        {job->unit_params > 0, "--fsdp-unit", {AT(job.unit_params)}},
        {job->partition_activations, "--partition-activations",
            {AT(job.partition_activations)}},
        {job->expert_overlap, "--moe-overlap", {AT(job.expert_overlap)}},
        {job->eager, "--eager", {AT(said.compiled)}},
        {job->gradient_dtype != P3D_STATE_USUAL, "--gradient-dtype",
            {AT(job.gradient_dtype), AT(said.grads_16)}},
        {job->optimizer != P3D_ADAM, "--optimizer", {AT(job.optimizer)}},
        {job->attention == P3D_EAGER, "--attention eager",
            {AT(job.attention), AT(said.flash)}},
        {job->master_dtype != P3D_STATE_USUAL, "--master-dtype",
            {AT(job.master_dtype)}},
        {job->reduce_dtype != P3D_STATE_USUAL, "--reduce-dtype",
            {AT(job.reduce_dtype), AT(said.wire_type)}},
        {job->dp_overlap != P3D_OVERLAP_USUAL, "--dp-overlap",
            {AT(job.dp_overlap), AT(said.overlaps_dp)}},
        {job->moment_dtype != P3D_STATE_USUAL, "--moment-dtype",
            {AT(job.moment_dtype)}},
        {job->optimizer_in_backward, "--optimizer-in-backward",
            {AT(job.optimizer_in_backward)}},
        {job->asynchronous, "--async", {AT(job.asynchronous)}},
        {job->launch_blocking, "--launch-blocking", {AT(job.launch_blocking)}},
        {job->gc_interval > 0, "--gc-interval", {AT(job.gc_interval)}},
        {job->sparse.layout > 0, "--sparse-attention", {AT(job.sparse.layout)}},
    };
#undef AT
    /* clang-format on */

    for (int i = 0; i < P3D_COUNT_OF(parts); i++)
        if (parts[i].has && !is_written(target, launch, parts[i].members))
            return refuse_option(target, parts[i].words, refusal);
    return true;
}

/* The same of kernels. PyTorch takes the memory-efficient attention where it
 * has no other, whatever files say. */
static bool can_say_kernels(const exchange_target *target,
        const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_job *const job = &launch->job;
    const struct {
        bool has;
        const char *words;
        size_t members[2];
    } parts[] = {
            {job->fixed_attention && job->attention > P3D_EAGER, "--attention",
                    {job->attention != P3D_EFFICIENT
                                    ? offsetof(exchange_launch, job.attention)
                                    : 0}},
            {p3d_job_loss(job) != job->framework->usual_loss, "--loss",
                    {offsetof(exchange_launch, job.loss),
                            loss_member(job->loss)}}};

    for (int i = 0; i < P3D_COUNT_OF(parts); i++)
        if (parts[i].has && !is_written(target, launch, parts[i].members))
            return refuse_option(target, parts[i].words, refusal);
    return true;
}

/* The same of what is sent compressed. */
static bool can_say_compression(const exchange_target *target,
        const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_compression *const c = &launch->job.compression;
    const struct {
        bool has;
        const char *words;
        size_t member;
    } parts[] = {{c->weights, "qwz of --compress",
                         offsetof(exchange_launch, job.compression.weights)},
            {c->gradients, "qgz of --compress",
                    offsetof(exchange_launch, job.compression.gradients)},
            {c->shares > 0, "hpz= of --compress",
                    offsetof(exchange_launch, job.compression.shares)},
            {c->one_bit, "onebit of --compress",
                    offsetof(exchange_launch, said.one_bit)},
            {c->rank > 0, "powersgd= of --compress",
                    offsetof(exchange_launch, job.compression.rank)},
            {c->eight_bit, "int8 of --compress",
                    offsetof(exchange_launch, job.compression.eight_bit)}};

    for (int i = 0; i < P3D_COUNT_OF(parts); i++) {
        if (parts[i].has &&
                !is_said(target, launch, parts[i].member, SAID_BY_ANY))
            return refuse_option(target, parts[i].words, refusal);
    }
    return true;
}

/* The same of what is trained. */
static bool can_say_trained(const exchange_target *target,
        const exchange_launch *launch, p3d_refusal *refusal)
{
    static const unsigned tower =
            P3D_PART_VISION | P3D_PART_AUDIO | P3D_PART_PROJECTOR;
    const p3d_adapters *const a = &launch->job.adapters;
    const struct {
        bool has;
        const char *words;
        size_t member;
    } parts[] = {{a->rank > 0, "--lora",
                         offsetof(exchange_launch, job.adapters.rank)},
            {a->base != P3D_BASE_16, "base= of --lora",
                    offsetof(exchange_launch, job.adapters.base)},
            {a->dora, "dora of --lora",
                    offsetof(exchange_launch, job.adapters.dora)},
            {a->trained != 0, "train= of --lora",
                    offsetof(exchange_launch, said.whole_modules)},
            {(a->targets & P3D_TARGET_EXPERTS) != 0, "experts of --lora", 0},
            {(a->trained & ~(unsigned)(P3D_PART_EMBEDDINGS | P3D_PART_HEAD)) !=
                            0,
                    "train= of --lora beyond embeddings and head", 0},
            {(launch->job.frozen & ~tower) != 0, "--freeze", 0},
            {launch->job.companion.reference != P3D_REFERENCE_NONE,
                    "--reference", 0},
            {launch->job.companion.teacher.n_layers > 0, "--teacher", 0},
            {launch->job.lengths.filling != P3D_FILLING_WHOLE, "--lengths", 0},
            {(launch->job.frozen & tower) != 0, "--freeze",
                    offsetof(exchange_launch, said.freezes_tower)}};

    for (int i = 0; i < P3D_COUNT_OF(parts); i++) {
        if (parts[i].has &&
                !is_said(target, launch, parts[i].member, SAID_BY_ANY))
            return refuse_option(target, parts[i].words, refusal);
    }
    return true;
}

/* Options for the sizes of a model are those of a language model. */
static bool can_say_tower(const exchange_target *target,
        const exchange_launch *launch, p3d_refusal *refusal)
{
    return launch->model.tower.hidden == 0 ||
           !is_said(target, launch, offsetof(exchange_launch, model.n_layers),
                   SAID_BY_ANY) ||
           refuse_option(target, "a tower that sees or hears", refusal);
}

/* Options for sizes are those of decoders whose layers take what the layer
 * before them gives, and programs that name a model alone give it a text and
 * its next tokens. */
static bool can_say_kind(const exchange_target *target,
        const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_model *const m = &launch->model;
    const bool sizes = is_said(target, launch,
            offsetof(exchange_launch, model.n_layers), SAID_BY_ANY);
    const struct {
        bool has, asked;
        const char *words;
    } odd[] = {
            {m->sees_all, sizes || target->next_tokens,
                    "attention to the tokens behind"},
            {m->cross_width > 0, sizes || target->next_tokens,
                    "attention to an encoder"},
            {p3d_model_count_with(m, P3D_LAYER_SHARES_KV) > 0, sizes,
                    "keys and values that layers share"},
            {m->layer_embedding > 0, sizes, "embeddings for each layer"},
            {m->side_streams > 0, sizes, "further residual streams"},
            {m->full_head_dim > 0, sizes, "heads of another size in layers"},
            {m->head_transform || m->has_pooler, sizes,
                    "a matrix before the output"},
            {m->extra_embeddings > 0, sizes, "embeddings of no token"},
            {m->no_key_bias && m->qkv_bias, sizes,
                    "biases of some projections"},
            {m->expert_norm, sizes, "a norm behind the experts"},
            {m->expert_latent > 0, sizes, "a narrow input of the experts"},
            {m->clamped_experts, sizes, "limits of the experts' gates"},
    };

    for (int i = 0; i < P3D_COUNT_OF(odd); i++)
        if (odd[i].has && odd[i].asked)
            return exchange_target_refuse(refusal, "X1",
                    "the options do not describe %s: %s", m->name,
                    odd[i].words);
    return true;
}

bool exchange_target_can_say(const exchange_target *target,
        const exchange_launch *launch, p3d_refusal *refusal)
{
    return can_say_job(target, launch, refusal) &&
           can_say_compression(target, launch, refusal) &&
           can_say_trained(target, launch, refusal) &&
           can_say_tower(target, launch, refusal) &&
           (target->can_say == NULL || target->can_say(launch, refusal)) &&
           can_say_kernels(target, launch, refusal) &&
           can_say_kind(target, launch, refusal);
}

static bool overlaps_usually(const exchange_launch *launch)
{
    return (launch->job.framework->overlap_dp >> launch->plan.zero & 1) != 0;
}

bool exchange_says_overlap(const exchange_launch *launch)
{
    return launch->job.dp_overlap == P3D_OVERLAP_USUAL
                   ? overlaps_usually(launch)
                   : launch->job.dp_overlap == P3D_OVERLAP_ON;
}

void exchange_settle_overlap(exchange_launch *launch, bool is_said)
{
    const p3d_framework *const fw = launch->job.framework;
    const bool is_usual = overlaps_usually(launch);
    const bool has_effect =
            ((fw->overlap_dp | fw->overlap_dp_asked) >> launch->plan.zero &
                    1) != 0;

    launch->job.dp_overlap = is_said == is_usual || !has_effect
                                     ? P3D_OVERLAP_USUAL
                             : is_said ? P3D_OVERLAP_ON
                                       : P3D_OVERLAP_OFF;
}

bool exchange_settle_replicas(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const int64_t inner = p3d_mul(p3d_mul(p->tp, p->pp), p->cp);

    if (inner < 1 || inner > launch->n_gpus || launch->n_gpus % inner != 0)
        return p3d_fail(err, P3D_DATA,
                "tp=%d x pp=%d x cp=%d does not divide %d GPUs: the files and "
                "the cluster contradict each other",
                p->tp, p->pp, p->cp, launch->n_gpus);
    p->dp = (int)(launch->n_gpus / inner);
    return true;
}

bool exchange_settle_said_replicas(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const int said = p->dp;

    if (!exchange_settle_replicas(launch, err))
        return false;
    if (said > 0 && said != p->dp)
        return p3d_fail(err, P3D_DATA,
                "dp=%d x tp=%d x pp=%d x cp=%d is not the %d GPUs of the "
                "cluster",
                said, p->tp, p->pp, p->cp, launch->n_gpus);
    return true;
}

int64_t exchange_said_batch(const exchange_launch *launch)
{
    return p3d_mul(p3d_mul(launch->plan.micro_batch, launch->plan.dp),
            launch->said.n_micro_batches);
}

void exchange_settle_usual(exchange_launch *launch)
{
    launch->plan.etp = launch->plan.tp;
    launch->plan.recompute =
            launch->said.recompute ? P3D_RECOMPUTE_FULL : P3D_RECOMPUTE_NONE;
    launch->job.global_batch = exchange_said_batch(launch);
}

p3d_plan exchange_unsaid_plan(void)
{
    return (p3d_plan){
            .tp = 1, .pp = 1, .cp = 1, .ep = 1, .vp = 1, .micro_batch = 1};
}

void exchange_say_shard(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;

    said->shard = p->shard > 0 ? p->shard / p->cp : p->dp;
    said->replicate = said->shard > 0 ? p->dp / said->shard : 1;
}

bool exchange_can_say_group(const exchange_launch *launch, p3d_refusal *refusal)
{
    if (launch->plan.group == 0)
        return true;
    return exchange_target_refuse(refusal, "X3",
            "group=%d: no option says how many micro-batches run in a row; "
            "leave it out",
            launch->plan.group);
}

bool exchange_settle_shard(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;
    int shard = said->shard;

    if (!exchange_settle_replicas(launch, err))
        return false;
    if (said->replicate < 1 || p->dp % said->replicate != 0)
        return p3d_fail(err, P3D_DATA,
                "%d groups of replicas do not divide dp=%d", said->replicate,
                p->dp);
    if (shard <= 0)
        shard = p->dp / said->replicate;
    if (p3d_mul(shard, said->replicate) != p->dp)
        return p3d_fail(err, P3D_DATA,
                "the files have dp=%lld (%d replicas that share x %d groups of "
                "them), and the %d GPUs of the cluster give dp=%d; write a "
                "--cluster that gives as many",
                (long long)shard * said->replicate, shard, said->replicate,
                launch->n_gpus, p->dp);
    p->shard = said->replicate > 1 ? shard * p->cp : 0;
    return true;
}

bool exchange_settle_dtype(exchange_launch *launch, p3d_error *err)
{
    const exchange_said *const said = &launch->said;

    if (said->bf16 && said->fp16)
        return p3d_fail(err, P3D_DATA, "bf16 and fp16 contradict each other");
    if (said->fp8 > 0 && said->fp4 > 0)
        return p3d_fail(err, P3D_DATA, "fp8 and fp4 contradict each other");
    launch->job.dtype = said->fp8 > 0   ? P3D_FP8
                        : said->fp4 > 0 ? P3D_NVFP4
                        : said->bf16    ? P3D_BF16
                        : said->fp16    ? P3D_FP16
                                        : P3D_FP32;
    return true;
}
