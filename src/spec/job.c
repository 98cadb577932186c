/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.c - sensible values for what a person did not say about a job. */
#include "plan3d/job.h"

#include <math.h>

#include <stddef.h>
#include <string.h>

#include "base/elementary.h"
#include "base/util.h"
#include "spec/abilities.h"
#include "spec/given.h"
#include "spec/network.h"
#include "spec/residuals.h"
#include "spec/sizes.h"

const char *p3d_dispatcher_name(p3d_dispatcher dispatcher)
{
    if ((unsigned)dispatcher >= P3D_N_DISPATCHERS)
        return "";

    static const char *const names[P3D_N_DISPATCHERS] = {
            "alltoall", "allgather", "2dh", "deepep", "hybridep"};

    return names[dispatcher];
}

const char *p3d_attention_name(p3d_attention attention)
{
    static const char *const names[P3D_N_ATTENTIONS] = {"flash", "eager",
            "efficient", "flash1", "flash2", "flash3", "cudnn", "flash4"};

    return (unsigned)attention < P3D_N_ATTENTIONS ? names[attention] : "";
}

const char *p3d_overlap_word(int i)
{
    static const char *const words[P3D_N_OVERLAPS] = {"usual", "on", "off"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

const char *p3d_graphs_word(int i)
{
    static const char *const words[P3D_N_GRAPHS] = {"none", "layers", "step"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

enum {
    TOKENS_PER_STEP = 4194304, /* 4 Mi, usual for pre-training */
    TOKENS_PER_GPU = 1024,     /* of a step, at the least */
    USUAL_SEQ_LEN = 4096,
    LONG_SEQ_LEN = 8192
};

static int default_seq_len(const p3d_model *model)
{
    const int longest = model->max_positions;

    if (model->pretraining.seq_len > 0)
        return model->pretraining.seq_len;
    if (longest >= LONG_SEQ_LEN)
        return LONG_SEQ_LEN;
    return 0 < longest && longest < USUAL_SEQ_LEN ? longest : USUAL_SEQ_LEN;
}

static int odd_part(int n)
{
    while (n % 2 == 0)
        n /= 2;
    return n;
}

/* The number nearest to the target among odd_part(n_gpus) * 2^k, so that data
 * parallelism over any divisor of the GPUs finds a batch that it divides. */
static int64_t round_batch(int64_t target, int n_gpus)
{
    int64_t batch = odd_part(n_gpus);

    while (batch * 2 <= target)
        batch *= 2;
    return 2 * batch - target < target - batch ? 2 * batch : batch;
}

/* The number nearest to what was published among the multiples of a part of
 * the GPUs: their odd part times as many twos as they have and an eighth of
 * the batch holds. So a batch of the usual kind (2,048; 15,360) stays as it
 * was where the GPUs are a power of two, and one of another kind (1,538) moves
 * by little to one that data parallelism divides. */
static int64_t share_batch(int64_t published, int n_gpus)
{
    int64_t part = odd_part(n_gpus);
    int64_t n_parts;

    while (n_gpus % (2 * part) == 0 && 16 * part <= published)
        part *= 2;
    n_parts = (published + part / 2) / part;
    return n_parts > 0 ? n_parts * part : part;
}

/* Tokens of a step as it was trained; 0 = not known. */
static int64_t published_tokens(const p3d_pretraining *training)
{
    const int64_t batch = training->global_batch;

    return batch < 0 || batch > P3D_MAX_BATCH ? 0 : training->seq_len * batch;
}

int64_t p3d_job_default_batch(const p3d_model *model, int seq_len, int n_gpus)
{
    if (model == NULL || seq_len < 1 || n_gpus < 1)
        return 0;

    const int64_t least = (int64_t)TOKENS_PER_GPU * n_gpus;
    const int64_t published = published_tokens(&model->pretraining);
    const int64_t usual = published > 0 ? published : TOKENS_PER_STEP;
    const int64_t target = (least > usual ? least : usual) / seq_len;
    /* Rounding goes up by a third at most. */
    const int64_t most = P3D_MAX_BATCH / 2;

    return (published >= least ? share_batch : round_batch)(
            target < most ? target : most, n_gpus);
}

double p3d_memory_error_frac(
        const p3d_framework *framework, const p3d_model *model)
{
    if (framework == NULL || model == NULL)
        return 0;
    return framework->memory_error_frac * (model->n_experts > 0 ? 2 : 1);
}

static p3d_dtype default_dtype(const p3d_gpu *gpu)
{
    if (p3d_gpu_peak_flop_per_s(gpu, P3D_BF16) > 0)
        return P3D_BF16;
    return p3d_gpu_peak_flop_per_s(gpu, P3D_FP16) > 0 ? P3D_FP16 : P3D_FP32;
}

/* Transformer Engine calls flash-attention 2 but for Hopper, where cuDNN is
 * preferred, and hands on a transposed copy of its output. Source:
 * TransformerEngine@d0067d0d transformer_engine/pytorch/attention/
 * dot_product_attention/backends.py:942, 1361-1369. */
static bool copies_output(const p3d_framework *framework, const p3d_gpu *gpu)
{
    return framework->transformer_engine && p3d_gpu_sm(gpu) > 0 &&
           p3d_gpu_sm(gpu) != 90;
}

/* The framework's where GPU and network have it, on any number of nodes: rules
 * S9 and S6. Its recipes leave the exchange beside nothing: of those in bf16
 * all but Qwen3's on H100 and GPT-OSS' on GB200 do. Source: Megatron-Bridge@
 * 067f987d src/megatron/bridge/perf_recipes,
 * overlap_moe_expert_parallel_comm. */
static p3d_dispatcher default_dispatcher(const p3d_framework *framework,
        const p3d_model *model, const p3d_cluster *cluster)
{
    const p3d_dispatcher usual = (p3d_dispatcher)framework->usual_dispatcher;
    const p3d_node *node = &cluster->node;
    const bool has =
            spec_gpu_runs(&cluster->gpu, spec_dispatcher_ability(usual)) &&
            node->gpus_per_nvlink_domain >= node->gpus_per_node &&
            spec_fabric_is_direct(&cluster->fabric);

    return model->n_experts > 0 && has ? usual : P3D_DISPATCH_ALL_TO_ALL;
}

void p3d_job_default_attention(
        p3d_job *job, const p3d_model *model, const p3d_gpu *gpu)
{
    if (job == NULL || job->framework == NULL || model == NULL || gpu == NULL ||
            (unsigned)job->dtype >= P3D_N_DTYPES)
        return;
    if (job->attention == P3D_FLASH)
        job->attention = spec_usual_attention(model, gpu, job);
}

static void take(double *said, double term)
{
    if (*said == 0)
        *said = term;
}

/* Preemptions are of one source, all three numbers. */
static void take_terms(p3d_job *job, const p3d_terms *terms)
{
    p3d_operations *const o = &job->operations;

    take(&job->usd_per_gpu_h, terms->usd_per_gpu_h);
    take(&o->gpu_mtbf_s, terms->gpu_mtbf_s);
    if (o->preempted_every_s > 0)
        return;
    o->preempted_every_s = terms->preempted_every_s;
    take(&o->away_s, terms->away_s);
    take(&o->notice_s, terms->notice_s);
}

void p3d_job_default(
        p3d_job *job, const p3d_model *model, const p3d_cluster *cluster)
{
    if (job == NULL || model == NULL || cluster == NULL)
        return;
    if (job->seq_len == 0)
        job->seq_len = default_seq_len(model);
    if (job->global_batch == 0)
        job->global_batch =
                p3d_job_default_batch(model, job->seq_len, cluster->n_gpus);
    take_terms(job, &cluster->terms);
    if (job->dtype == P3D_FP32) /* zero: not said */
        job->dtype = default_dtype(&cluster->gpu);
    job->fixed_attention = job->fixed_attention || job->attention != P3D_FLASH;
    job->fixed_reserve = job->fixed_reserve || job->reserve_bytes != 0;
    if (job->sure_frac == 0)
        job->sure_frac = P3D_SURE_FRAC;
    job->fixed_dispatcher =
            job->fixed_dispatcher || job->dispatcher != P3D_DISPATCH_ALL_TO_ALL;
    job->fixed_cp_comm = job->fixed_cp_comm || job->cp_comm != P3D_CP_RING;
    p3d_job_use(job,
            job->framework != NULL
                    ? job->framework
                    : p3d_framework_find(
                              job->adapters.base != P3D_BASE_16
                                      ? "deepspeed-hf"
                                      : spec_usual_framework(&cluster->gpu)),
            model, cluster);
}

/* What a plan leaves free to be as sure to fit as is asked for; a reserve that
 * was said stands for that. */
static void set_sure_reserve(
        p3d_job *job, const p3d_model *model, const p3d_gpu *gpu)
{
    job->sure_reserve_bytes = 0;
    if (job->fixed_reserve)
        return;
    job->sure_reserve_bytes = (int64_t)(fmax(
            0, (1 - p3d_exp(-job->anchor.peak_log) *
                               p3d_sure_taken_frac(
                                       job->framework, model, job->sure_frac)) *
                       (double)gpu->visible_memory_bytes));
}

/* Parameters are counted where there are runs alone. */
static p3d_anchor anchor_of(const p3d_framework *framework,
        const p3d_model *model, const p3d_cluster *cluster)
{
    const p3d_own_runs *const runs = &cluster->calibration.runs;
    p3d_own_run asked = {.experts = model->n_experts > 0};

    if (runs->n == 0)
        return (p3d_anchor){.step_factor = 0};
    p3d_copy(asked.framework, sizeof(asked.framework), framework->name);
    p3d_copy(asked.network, sizeof(asked.network), spec_own_network(cluster));
    asked.n_params = p3d_total_params(model);
    return p3d_anchor_of(runs, &asked);
}

void p3d_job_use(p3d_job *job, const p3d_framework *framework,
        const p3d_model *model, const p3d_cluster *cluster)
{
    if (job == NULL || framework == NULL || model == NULL || cluster == NULL)
        return;
    job->framework = framework;
    if (!job->fixed_attention)
        job->attention = P3D_FLASH;
    p3d_job_default_attention(job, model, &cluster->gpu);
    job->flash_copies_output = copies_output(framework, &cluster->gpu);
    job->fp8_one_layout = p3d_gpu_sm(&cluster->gpu) >= 100;
    if (!spec_gpu_runs(&cluster->gpu, spec_grouped_ability()))
        job->separate_experts = true;
    job->anchor = anchor_of(framework, model, cluster);
    set_sure_reserve(job, model, &cluster->gpu);
    if (!job->fixed_dispatcher)
        job->dispatcher = default_dispatcher(framework, model, cluster);
}

bool p3d_job_check_states(const p3d_job *job, p3d_error *err)
{
    const char *name;

    if (!spec_job_given(job))
        return p3d_misuse(err, __func__);
    name = job->framework->name;
    if (job->gradient_dtype == P3D_STATE_IN_8 ||
            job->gradient_dtype == P3D_STATE_NONE)
        return p3d_fail(err, P3D_DATA,
                "--gradient-dtype: gradients are accumulated in fp32 or 16bit");
    if (job->master_dtype == P3D_STATE_IN_8)
        return p3d_fail(err, P3D_DATA,
                "--master-dtype: weights are updated in fp32, 16bit or none");
    if (job->moment_dtype == P3D_STATE_NONE)
        return p3d_fail(
                err, P3D_DATA, "--moment-dtype: write fp32, 16bit or 8bit");
    if (job->reduce_dtype != P3D_STATE_USUAL &&
            job->reduce_dtype != P3D_STATE_IN_FP32 &&
            job->reduce_dtype != P3D_STATE_IN_16)
        return p3d_fail(err, P3D_DATA,
                "--reduce-dtype: gradients are reduced in fp32 or 16bit");
    if (!job->framework->typed_states &&
            ((job->gradient_dtype != P3D_STATE_USUAL &&
                     (job->gradient_dtype != P3D_STATE_IN_FP32 ||
                             !job->framework->wide_gradients)) ||
                    job->moment_dtype != P3D_STATE_USUAL ||
                    job->master_dtype == P3D_STATE_IN_16))
        return p3d_fail(err, P3D_DATA,
                "%s fixes the data types of its states; leave "
                "--gradient-dtype, --moment-dtype and --master-dtype out, or "
                "write --master-dtype none",
                name);
    return true;
}

bool p3d_job_is_usually_16(const p3d_job *job)
{
    return job != NULL && job->framework != NULL && job->framework->pure_16 &&
           job->dtype != P3D_FP32 && job->master_dtype == P3D_STATE_USUAL;
}

p3d_loss p3d_job_loss(const p3d_job *job)
{
    if (job == NULL || (job->loss == P3D_LOSS_USUAL && job->framework == NULL))
        return P3D_LOSS_USUAL;
    return job->loss == P3D_LOSS_USUAL ? job->framework->usual_loss : job->loss;
}

const p3d_kept *p3d_job_kept(const p3d_job *job)
{
    static const p3d_kept none;

    if (job == NULL || job->framework == NULL)
        return &none;
    if (job->loss == P3D_LOSS_LIGER &&
            job->framework->kept_liger.gated_tensors > 0)
        return &job->framework->kept_liger;
    return job->eager && job->framework->compiles ? &job->framework->kept_eager
                                                  : &job->framework->kept;
}
