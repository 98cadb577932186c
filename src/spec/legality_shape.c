/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legality_shape.c - the rules on how a plan cuts up the model: heads, widths,
 * sequences and layers; how a rule says its reason. */
#include "spec/legality.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/util.h"
#include "spec/abilities.h"
#include "spec/given.h"
#include "spec/layer.h"
#include "spec/plan_split.h"
#include "spec/plan_words.h"

void spec_say_reason(const spec_question *q, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(q->reason, q->n_reason, fmt, args);
    va_end(args);
}

int spec_fitting(const spec_question *q, int64_t n, int limit)
{
    const int n_gpus = q->cluster->n_gpus;
    int d = limit < n_gpus ? limit : n_gpus;

    if (q->reason == NULL || n < 1)
        return 1;
    while (d > 1 && (n % d != 0 || n_gpus % d != 0))
        d--;
    return d;
}

/* An all-to-all deals the heads of a tensor-parallel rank out again, those of
 * keys and values too where it is of a part of the ranks. Source:
 * TransformerEngine@d0067d0d dot_product_attention/context_parallel.py
 * (AttnFuncWithCPAndQKVOA2A: "number of attention heads"). */
static bool check_traded_heads(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int said = p->ulysses;
    const int ranks = spec_head_ranks(q->job, p->cp, said);
    const int n = q->model->n_heads / p->tp;
    const int fewest = spec_fewest_kv_heads(q->model);
    const int n_kv = fewest > p->tp ? fewest / p->tp : 1;

    if (n % ranks != 0)
        return spec_refuse(q,
                "%s=%d: an all-to-all does not divide %d heads of a rank by "
                "%d; try %s=%d",
                said > 0 ? "ulysses" : "cp", ranks, n, ranks,
                said > 0 ? "ulysses" : "cp", spec_fitting(q, n, ranks));
    if (said < 2 || q->model->kv_lora_rank > 0 || n_kv % said == 0)
        return true;
    return spec_refuse(q,
            "ulysses=%d: an all-to-all does not divide %d key/value heads of a "
            "rank by %d; try ulysses=%d",
            said, n_kv, said, spec_fitting(q, n_kv, said));
}

/* Layers without attention deal out their heads, and those of their keys, as
 * attention does; how they would share a sequence is not modelled. Source:
 * Megatron-LM@d98e8a64 megatron/core/ssm/mamba_mixer.py (n_groups and nheads
 * must be divisible by the tensor-parallel size). */
static bool check_mixer(const spec_question *q)
{
    const p3d_mixer *const x = &q->model->mixer;
    const int tp = q->plan->tp;
    const int n = x->kind == P3D_MIXER_MAMBA ? x->heads : x->key_heads;

    if (x->kind == P3D_MIXER_NONE)
        return true;
    if (q->plan->cp > 1)
        return spec_refuse(q,
                "cp=%d: layers without attention are not divided by sequence; "
                "try cp=1",
                q->plan->cp);
    return n % tp == 0 ||
           spec_refuse(q,
                   "tp=%d: %d heads of the layers without attention are not "
                   "divisible by %d; try tp=%d",
                   tp, n, tp, spec_fitting(q, n, tp));
}

bool spec_rule_heads(const spec_question *q)
{
    const int n = q->model->n_heads;
    const int tp = q->plan->tp;

    if (n % tp == 0)
        return check_traded_heads(q) && check_mixer(q);
    return spec_refuse(q,
            "tp=%d: %d attention heads are not divisible by %d; try tp=%d", tp,
            n, tp, spec_fitting(q, n, tp));
}

bool spec_rule_kv_heads(const spec_question *q)
{
    const int n = spec_fewest_kv_heads(q->model);
    const int tp = q->plan->tp;
    const bool copies = q->framework->kv_replication;

    if (n == 0 || n % tp == 0 || (copies && tp % n == 0))
        return true;
    if (copies)
        return spec_refuse(q,
                "tp=%d: %d key/value heads are divided neither by %d nor %d "
                "by them; try tp=%d",
                tp, n, tp, tp, spec_fitting(q, n, tp));
    return spec_refuse(q,
            "tp=%d: %d key/value heads are not divisible by %d, and %s does "
            "not "
            "copy them; try tp=%d",
            tp, n, tp, q->framework->name, spec_fitting(q, n, tp));
}

static bool has_dense_layers(const p3d_model *model)
{
    for (int i = 0; i < model->n_layers; i++) {
        if (spec_layer_of(model->layer_kind[i]).dense)
            return true;
    }
    return false;
}

bool spec_rule_ffn(const spec_question *q)
{
    const p3d_model *const m = q->model;
    const int tp = q->plan->tp;
    const int etp = q->plan->etp;

    if (m->ffn % tp != 0 && has_dense_layers(m))
        return spec_refuse(q,
                "tp=%d: MLP width %d is not divided by %d; try tp=%d", tp,
                m->ffn, tp, spec_fitting(q, m->ffn, tp));
    if (m->expert_ffn % etp != 0)
        return spec_refuse(q,
                "etp=%d: expert width %d is not divided by %d; try etp=%d", etp,
                m->expert_ffn, etp, spec_fitting(q, m->expert_ffn, etp));
    if (m->shared_ffn % tp != 0)
        return spec_refuse(q,
                "tp=%d: width %d of the shared experts is not divided by %d; "
                "try tp=%d",
                tp, m->shared_ffn, tp, spec_fitting(q, m->shared_ffn, tp));
    return true;
}

bool spec_rule_sequence(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int seq = q->job->seq_len;

    if (p->cp > 1 && seq % (2 * (int64_t)p->cp) != 0)
        return spec_refuse(q,
                "cp=%d: a sequence of %d tokens is not a multiple of 2 x %d; "
                "try cp=%d",
                p->cp, seq, p->cp, spec_fitting(q, seq / 2, p->cp));
    if (p->sequence_parallel && seq / p->cp % p->tp != 0)
        return spec_refuse(q,
                "sp: %d tokens (%d / cp=%d) are not divisible by tp=%d; try "
                "tp=%d",
                seq / p->cp, seq, p->cp, p->tp,
                spec_fitting(q, seq / p->cp, p->tp));
    return true;
}

bool spec_rule_positions(const spec_question *q)
{
    const p3d_model *const m = q->model;

    if (m->learned_positions == 0 || m->max_positions == 0 ||
            q->job->seq_len <= m->max_positions)
        return true;
    return spec_refuse(q,
            "a sequence of %d tokens, but the model has learned %d positions; "
            "try %d tokens",
            q->job->seq_len, m->max_positions, m->max_positions);
}

/* What layers take of another layer, or of the token itself, and not of the
 * layer before them, would have to travel with the residual stream: no pipeline
 * of a framework sends it. */
static bool check_taken(const spec_question *q)
{
    const p3d_model *const m = q->model;

    if (q->plan->cp > 1 && m->cross_width > 0)
        return spec_refuse(q,
                "cp=%d: layers attend to an encoder's output, which no "
                "framework divides; try cp=1",
                q->plan->cp);
    if (q->plan->pp == 1 ||
            (m->layer_embedding == 0 &&
                    p3d_model_count_with(m, P3D_LAYER_SHARES_KV) == 0 &&
                    m->cross_width == 0 && m->side_streams == 0))
        return true;
    return spec_refuse(q,
            "pp=%d: layers take more than what the layer before them gives "
            "(embeddings for each layer, keys and values of another, an "
            "encoder's output, further residual streams), and no pipeline "
            "hands "
            "that on; try pp=1",
            q->plan->pp);
}

/* Numbers of layers of their own that leave no even rest. */
static bool refuse_numbers(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    char words[P3D_PLAN_PART];

    return spec_refuse(q,
            "%d layers are not shared out evenly by pp=%d x vp=%d with %s; "
            "leave it out",
            q->model->n_layers, p->pp, p->vp, spec_print_chunks(p, words));
}

bool spec_rule_layers(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int n = q->model->n_layers;
    spec_split split;
    p3d_plan other = *p;

    if (!check_taken(q))
        return false;
    if (spec_split_find(q->model, q->job, p, &split))
        return true;
    if (q->reason == NULL)
        return false;
    if (p3d_plan_says_layers(p))
        return refuse_numbers(q);
    other.uneven = true;
    if (spec_split_find(q->model, q->job, &other, &split))
        return spec_refuse(q,
                "%d layers are not shared out evenly by pp=%d x vp=%d; try "
                "uneven",
                n, p->pp, p->vp);
    other.uneven = p->uneven;
    other.pp = spec_fitting(q, q->cluster->n_gpus, p->pp < n ? p->pp : n);
    while (other.pp > 1 && !spec_split_find(q->model, q->job, &other, &split))
        other.pp = spec_fitting(q, q->cluster->n_gpus, other.pp - 1);
    if (other.pp == 1)
        return spec_refuse(q,
                "%d layers are not shared out evenly by pp=%d x vp=%d", n,
                p->pp, p->vp);
    return spec_refuse(q,
            "%d layers are not shared out evenly by pp=%d x vp=%d; try pp=%d",
            n, p->pp, p->vp, other.pp);
}

/* A schedule that the framework has, for the plan's chunks where it can. */
static const char *other_schedule(const spec_question *q)
{
    if (q->plan->vp == 1)
        return "schedule=1f1b";
    if (q->plan->schedule == P3D_INTERLEAVED)
        return "vp=1";
    return p3d_schedule_offered(P3D_INTERLEAVED, q->framework)
                   ? "schedule=interleaved"
                   : "schedule=1f1b,vp=1";
}

bool spec_rule_schedule(const spec_question *q)
{
    const p3d_schedule schedule = q->plan->schedule;

    if (p3d_schedule_offered(schedule, q->framework))
        return true;
    if (q->plan->pp == 1 &&
            (schedule == P3D_1F1B || schedule == P3D_INTERLEAVED))
        return true; /* it says the number of chunks alone: C6 */
    return spec_refuse(q, "schedule=%s: %s does not support it; try %s",
            p3d_schedule_name(schedule), q->framework->name, other_schedule(q));
}

/* Weights that are late: whole versions of them, on a pipeline. */
static bool check_late_weights(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const char *const name = p3d_schedule_name(p->schedule);

    if (p3d_schedule_flushes(p->schedule))
        return true;
    if (!q->job->asynchronous)
        return spec_refuse(q,
                "schedule=%s updates the weights with gradients of older ones; "
                "say --async if that is allowed",
                name);
    if (p->pp == 1)
        return spec_refuse(
                q, "schedule=%s needs pp > 1; try schedule=1f1b", name);
    if (p->zero > 1)
        return spec_refuse(q,
                "schedule=%s keeps whole versions of the weights, not shares "
                "of zero=%d; try %s",
                name, p->zero,
                (q->framework->zero_stages_pipeline & 2) != 0
                        ? "zero=1"
                        : "schedule=1f1b");
    return true;
}

bool spec_rule_chunks(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int chunks = p3d_schedule_chunks(p->schedule);
    const char *const name = p3d_schedule_name(p->schedule);

    if (p->vp > 1 && p->pp == 1)
        return spec_refuse(q, "vp=%d needs pp > 1; try vp=1", p->vp);
    if (!check_late_weights(q))
        return false;
    if (chunks == 1 && p->vp > 1)
        return spec_refuse(q,
                "schedule=%s runs one chunk per rank, not vp=%d; try %s", name,
                p->vp,
                p3d_schedule_offered(P3D_INTERLEAVED, q->framework)
                        ? "schedule=interleaved"
                        : "vp=1");
    if (chunks == 0 && p->vp == 1)
        return spec_refuse(
                q, "schedule=%s needs vp > 1; try schedule=1f1b", name);
    if (chunks == 2 && p->pp == 1)
        return spec_refuse(
                q, "schedule=%s needs pp > 1; try schedule=1f1b", name);
    if (chunks == 2 && p->vp != 2)
        return spec_refuse(
                q, "schedule=%s needs vp=2, not vp=%d; try vp=2", name, p->vp);
    return true;
}

/* Megatron-LM@d98e8a64 megatron/core/pipeline_parallel/schedules.py:1157-1180:
 * groups of at least pp micro-batches, the last one too. */
static bool check_groups(const spec_question *q, int64_t m)
{
    const p3d_plan *const p = q->plan;
    const int64_t group = p->group > 0 ? p->group : p->pp;

    if (p->group > 0 && (group < p->pp || group > m || group > P3D_MAX_GROUP))
        return spec_refuse(q,
                "group=%lld: at least pp=%d and at most all %lld micro-batches "
                "run in a row; try group=%d",
                (long long)group, p->pp, (long long)m, p->pp);
    if (m % group == 0 || m % group >= p->pp)
        return true;
    if (m < 2 * (int64_t)p->pp)
        return spec_refuse(q,
                "interleaving needs micro-batches in a multiple of pp=%d, not "
                "%lld; try vp=1",
                p->pp, (long long)m);
    return spec_refuse(q,
            "interleaving needs micro-batches in a multiple of pp=%d, not "
            "%lld; try vp=1, or group=%lld",
            p->pp, (long long)m, (long long)m);
}

bool spec_rule_rounds(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int64_t least = p3d_schedule_min_micro_batches(p->schedule, p->pp);
    const int64_t m = p3d_plan_n_micro_batches(p, q->job);

    if (m < least)
        return spec_refuse(q,
                "schedule=%s needs %lld micro-batches, not %lld; try "
                "schedule=1f1b,vp=1",
                p3d_schedule_name(p->schedule), (long long)least, (long long)m);
    if (p->schedule == P3D_INTERLEAVED)
        return check_groups(q, m);
    if (p->group > 0)
        return spec_refuse(q,
                "group=%d: only schedule=interleaved runs micro-batches in "
                "groups",
                p->group);
    return true;
}

static bool check_layer_counts(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const int most = spec_most_layers(q->model, q->job, p);

    if (most == 0)
        return true; /* another rule's business */
    if (p->recompute_layers > most)
        return spec_refuse(q,
                "recompute=full:%d: a %s has only %d layers; try "
                "recompute=full",
                p->recompute_layers, p->vp > 1 ? "chunk" : "stage", most);
    if (p->recompute_group > most)
        return spec_refuse(q,
                "recompute=uniform:%d: a %s has only %d layers; try "
                "recompute=uniform:%d",
                p->recompute_group, p->vp > 1 ? "chunk" : "stage", most, most);
    return true;
}

static bool refuse_module(const spec_question *q, int module)
{
    const p3d_framework *const f = q->framework;
    const char *const name = p3d_module_name(module);
    const unsigned bit = 1u << module;

    if (((f->modules | f->unsearched_modules) & bit) == 0)
        return spec_refuse(q,
                "recompute=selective:%s: %s recomputes it not alone; try "
                "recompute=%s",
                name, f->name,
                (f->lacks & P3D_LACKS_SELECTIVE) != 0 ? "full" : "selective");
    if ((bit == P3D_MODULE_MOE_ACTIVATION && q->model->n_experts == 0) ||
            (bit == P3D_MODULE_LATENT_UP && q->model->kv_lora_rank == 0))
        return spec_refuse(q,
                "recompute=selective:%s: the model has no such module; try "
                "recompute=selective",
                name);
    if ((f->delayed_keeps & bit) != 0 && q->job->dtype == P3D_FP8)
        return spec_refuse(q,
                "recompute=selective:%s: %s does not recompute it in fp8 by "
                "the recipe delayed; try --fp8-recipe current",
                name, f->name);
    return spec_refuse(q,
            "recompute=selective:%s: CUDA graphs (--cuda-graphs) replay no "
            "dropout of a module that is recomputed; leave out --dropout",
            name);
}

static bool check_modules(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    const p3d_framework *const f = q->framework;
    const unsigned kept = spec_kept_modules(q->model, q->job);
    const unsigned unknown =
            p->recompute_modules != 0
                    ? p->recompute_modules &
                              (~(f->modules | f->unsearched_modules) | kept)
                    : f->usual_modules & kept;

    if (p->recompute_modules != 0 && p->recompute != P3D_RECOMPUTE_SELECTIVE)
        return spec_refuse(q, "only recompute=selective takes modules");
    for (int i = 0;
            p->recompute == P3D_RECOMPUTE_SELECTIVE && i < P3D_N_MODULES; i++) {
        if ((unknown >> i & 1) != 0)
            return refuse_module(q, i);
    }
    return true;
}

bool spec_rule_recompute(const spec_question *q)
{
    const p3d_plan *const p = q->plan;

    if (!check_modules(q))
        return false;
    if (p->recompute == P3D_RECOMPUTE_FULL &&
            q->job->graphs == P3D_GRAPHS_LAYERS)
        return spec_refuse(q,
                "recompute=full: CUDA graphs of layers (--cuda-graphs) replay "
                "none of them; try recompute=selective");
    if (p->recompute_group > 1 && q->job->n_mtp_layers > 0)
        return spec_refuse(q,
                "recompute=uniform:%d: with multi-token prediction (--mtp) "
                "layers are recomputed one by one; try recompute=full",
                p->recompute_group);
    if (p->recompute_layers == 0 && p->recompute_group == 0)
        return true;
    if (p->recompute != P3D_RECOMPUTE_FULL)
        return spec_refuse(q,
                "only recompute=full takes a number of layers (%d)",
                p->recompute_layers != 0 ? p->recompute_layers
                                         : p->recompute_group);
    if (p->recompute_layers < 0 || p->recompute_group < 0)
        return spec_refuse(q,
                "recompute=full:%d: a number of layers is at least 1; try "
                "recompute=full",
                p->recompute_layers < 0 ? p->recompute_layers
                                        : p->recompute_group);
    return check_layer_counts(q);
}

bool spec_rule_ends(const spec_question *q)
{
    const p3d_plan *const p = q->plan;
    char words[P3D_PLAN_PART];

    if (!p3d_plan_says_layers(p))
        return true;
    if (!q->framework->typed_layers)
        return spec_refuse(q,
                "%s: %s shares the layers out by itself; leave it out",
                spec_print_chunks(p, words), q->framework->name);
    if (p->pp == 1)
        return spec_refuse(
                q, "first, last, short and tail need pp > 1; leave them out");
    if (p->vp == 1 && (p->short_chunk > 0 || p->tail != P3D_TAIL_LAYERS))
        return spec_refuse(q, "short and tail need vp > 1; leave them out");
    if (p->tail == P3D_TAIL_MTP_HEAD && q->job->n_mtp_layers == 0)
        return spec_refuse(q, "tail=mtp-head needs --mtp; try tail=head");
    return true;
}
