/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assumed.c - the defaults and constants that an answer rests on. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "report/amounts.h"
#include "report/document.h"
#include "report/words/words.h"
#include "spec/tower.h"

/* The lines so far, and what they are about. */
typedef struct assumed {
    const report_document *of;
    p3d_style style;
    char (*lines)[JSON_LINE];
    int n;
} assumed;

static void add(assumed *a, const char *fmt, ...) P3D_PRINTF(2, 3);

static void add(assumed *a, const char *fmt, ...)
{
    va_list args;

    P3D_ASSERT(a->n < REPORT_MAX_ASSUMED);
    va_start(args, fmt);
    vsnprintf(a->lines[a->n++], JSON_LINE, report_say(a->style, fmt), args);
    va_end(args);
}

static void assume_seq(assumed *a, const char *seq)
{
    const report_document *const d = a->of;
    const p3d_pretraining *training = &d->model->pretraining;

    if (training->seq_len == d->job->seq_len)
        add(a, "sequences of %s tokens, as %s was trained (%s; --seq)", seq,
                d->model->name, training->source);
    else
        add(a, "sequences of %s tokens, a default for this model (--seq)", seq);
}

/* As many tokens as the model was trained with in other sequences, or the
 * nearest that the GPUs divide; the usual ones. */
static void assume_batch(assumed *a, const char *batch, const char *seq)
{
    const report_document *const d = a->of;
    const p3d_pretraining *training = &d->model->pretraining;
    const int64_t trained = training->seq_len * training->global_batch;
    const int64_t tokens = report_tokens_per_step(d->job);
    char text[32];

    p3d_print_integer(text, sizeof(text), trained > 0 ? trained : tokens);
    if (trained == 0)
        add(a, "%s sequences per step, so that it has %s tokens (--batch)",
                batch, text);
    else if (tokens == trained)
        add(a,
                "global batch %s sequences of %s tokens: %s per step, as it "
                "was trained (%s; --batch)",
                batch, seq, text, training->source);
    else
        add(a,
                "global batch %s sequences of %s tokens: it was trained with "
                "%s per step (%s), here they are what the GPUs divide, 1,024 "
                "each at the least (--batch)",
                batch, seq, text, training->source);
}

/* What the tower sees, and what is done with it. */
static void assume_tower(assumed *a)
{
    const p3d_job *const j = a->of->job;
    const p3d_images images = p3d_job_images(j, a->of->model);
    const bool trained = p3d_tower_trained(a->of->model, j);
    const p3d_projector *const last = &a->of->model->tower.projector;
    const int width =
            last->n_linears > 0 ? last->linear[last->n_linears - 1].out : 0;
    char tokens[32];

    p3d_print_integer(tokens, sizeof(tokens), images.tokens);
    if (images.n > 0)
        add(a,
                "%d x %s tokens of images or sound in each sequence (--images, "
                "--image-tokens)",
                images.n, tokens);
    if (width > 0 && width != a->of->model->hidden)
        add(a,
                "the tower's output of %d is not as wide as the decoder, %d: "
                "its "
                "class builds such a model, but images do not fit in its "
                "sequences",
                width, a->of->model->hidden);
    if (trained && j->frozen == 0)
        add(a, "all of the tower is trained, as transformers and Megatron-"
               "Bridge do (--freeze vision,projector)");
    if (trained && images.n > 0 && j->tower_recompute == P3D_OVERLAP_USUAL)
        add(a, "%s (--tower-recompute)",
                report_say(a->style,
                        spec_tower_recomputes(j)
                                ? "layers of the tower are recomputed"
                                : "layers of the tower are not recomputed"));
    add(a, "the tower is whole on each GPU of the first stage, not divided by "
           "tp or cp");
}

/* What of a config.json is not in the model that is planned. */
static void assume_model(assumed *a)
{
    const p3d_model *const m = a->of->model;

    if (m->not_counted[0] != '\0')
        add(a, "only the language model is counted, without %s",
                m->not_counted);
    if (m->unread_keys[0] != '\0')
        add(a, "keys of the model's file that plan3d does not read: %s",
                m->unread_keys);
    if (m->quantization[0] != '\0')
        add(a,
                "the file stores its weights in %s; the training uses --dtype; "
                "for weights in 4 bits beside adapters: --lora r=16,base=nf4",
                m->quantization);
    if (m->full_head_dim > m->head_dim)
        add(a,
                "layers that see all tokens have heads of %d: their attention "
                "costs as if the kernel took them, as few do",
                m->full_head_dim);
    if (m->layer_embedding > 0)
        add(a, "embeddings for each layer, and layers that use keys and "
               "values of another, cost as their formulas say: no run of such "
               "a model was held against them");
    if (m->side_streams > 0)
        add(a, "further residual streams cost as their formulas say, and no "
               "activation is left out: no run of such a model was held "
               "against "
               "them");
    if (m->cross_width > 0)
        add(a,
                "each layer attends to an encoder's output of %d tokens, which "
                "is there: the encoder is not counted",
                m->cross_tokens > 0 ? m->cross_tokens : a->of->job->seq_len);
    if (p3d_tower_params(m) > 0)
        assume_tower(a);
    if (m->sparse.layout != P3D_SPARSE_NONE)
        add(a,
                "a fused kernel over blocks costs as flash attention of as "
                "many pairs, and whether %s has it is not checked",
                a->of->job->framework->name);
    if (m->mixer_beside)
        add(a, "a mixer beside the attention costs as its formulas say: no run "
               "of "
               "such a model was held against them");
    if (p3d_model_count_with(m, P3D_LAYER_MIXER) > 0)
        add(a,
                "layers without attention cost as their formulas say: no run "
                "of such a model was held against them, and whether %s has "
                "them is not checked",
                a->of->job->framework->name);
}

/* What stands in the sequences. */
static void assume_lengths(assumed *a)
{
    const p3d_job *const j = a->of->job;
    const p3d_lengths *const l = &j->lengths;
    char mean[32];
    char seen[32];

    p3d_print_integer(mean, sizeof(mean), (int64_t)l->mean);
    p3d_print_integer(seen, sizeof(seen), (int64_t)p3d_text_tokens(j));
    if (l->filling == P3D_FILLING_PACKED)
        add(a,
                "texts of %s tokens in the mean, packed: a token sees those of "
                "its own text, %s in the mean (--lengths)",
                mean, seen);
    if (l->filling == P3D_FILLING_PADDED)
        add(a,
                "texts of %s tokens in the mean, padded to the sequence: "
                "%.0f %% of it are computed for nothing, tokens/s are of the "
                "rest (--lengths)",
                mean, 100 * (1 - l->mean / j->seq_len));
}

/* A frozen model beside the trained one, and what pairs are. */
static void assume_companion(assumed *a)
{
    const p3d_job *const j = a->of->job;
    char pairs[32];

    p3d_print_integer(pairs, sizeof(pairs), j->global_batch / 2);
    if (j->companion.reference == P3D_REFERENCE_KTO)
        add(a, "KTO: the reference runs forward on each sequence and on one of "
               "another prompt, the trained model on the latter too");
    if (p3d_companion_pairs(j))
        add(a,
                "%s pairs in each step, of a chosen and a rejected sequence "
                "(--batch counts sequences)",
                pairs);
    if (p3d_companion_of(j, a->of->model) != NULL)
        add(a, "the frozen model runs forward in 16 bit on the same GPUs, "
               "divided as the trained one is");
}

static void assume_step(assumed *a)
{
    const report_document *const d = a->of;
    const report_given *given = &d->question.given;
    const p3d_pretraining *training = &d->model->pretraining;
    const bool as_trained = training->seq_len == d->job->seq_len &&
                            training->global_batch == d->job->global_batch;
    char seq[32];
    char batch[32];

    p3d_print_integer(seq, sizeof(seq), d->job->seq_len);
    p3d_print_integer(batch, sizeof(batch), d->job->global_batch);
    if (!given->seq_len && (given->global_batch || !as_trained))
        assume_seq(a, seq);
    if (!given->global_batch && as_trained)
        add(a,
                "global batch %s sequences of %s tokens, as %s was trained "
                "(%s; --batch%s)",
                batch, seq, d->model->name, training->source,
                given->seq_len ? "" : ", --seq");
    else if (!given->global_batch)
        assume_batch(a, batch, seq);
}

/* How the products take their operands. */
static void assume_precision(assumed *a)
{
    const p3d_job *const job = a->of->job;
    const p3d_precision *const p = p3d_precision_of(job);

    if (p == NULL)
        return;
    if (job->framework->transformer_engine)
        add(a,
                job->fp8_copies ? "%s copies beside weights in 16 bit"
                                : "weights of the layers in %s alone from "
                                  "ZeRO-1 on (--fp8-copies)",
                p3d_dtype_name(job->dtype));
    add(a, "%s by %s%s", p3d_dtype_name(job->dtype),
            report_say(a->style, p->title),
            job->dtype == P3D_FP8 && job->fp8_recipe == P3D_FP8_USUAL
                    ? report_say(a->style, " (--fp8-recipe)")
                    : "");
}

static void assume_job(assumed *a)
{
    const report_document *const d = a->of;
    const report_given *given = &d->question.given;

    assume_model(a);
    assume_companion(a);
    assume_lengths(a);
    assume_step(a);
    if (d->job->seq_len > d->model->max_positions &&
            d->model->max_positions > 0) {
        add(a, "positions beyond the %d that the model was made for",
                d->model->max_positions);
    }
    if (!given->dtype) {
        add(a, "%s GEMMs (--dtype)", p3d_dtype_name(d->job->dtype));
    }
    if (!given->optimizer || !given->attention) {
        add(a, "%s optimizer (--optimizer), %s attention (--attention), %s",
                p3d_optimizer_of(d->job->optimizer)->name,
                p3d_attention_name(d->job->attention),
                report_say(a->style, d->job->dropout
                                             ? "dropout"
                                             : "no dropout (--dropout)"));
    }
    if (d->job->sparse.layout != P3D_SPARSE_NONE)
        add(a, "DeepSpeed's kernels over blocks (Triton 1.0.0, PyTorch before "
               "2.0) cost as products of tiles: no table of them is public");
    if (d->model->n_experts > 0 && d->job->expert_load <= 0)
        add(a, "experts with the same load each (--expert-load)");
    if (d->model->n_experts > 0)
        add(a, "tokens go to experts by %s%s (--dispatcher)%s",
                p3d_dispatcher_name(d->job->dispatcher),
                d->job->fixed_dispatcher ||
                                d->job->dispatcher == P3D_DISPATCH_ALL_TO_ALL
                        ? ""
                        : report_say(a->style, ", as recipes for such GPUs and "
                                               "networks have it"),
                report_say(a->style,
                        d->job->expert_overlap
                                ? ", beside another micro-batch"
                                : ", beside nothing (--moe-overlap)"));
    if (d->job->compression.one_bit || d->job->compression.rank > 0)
        add(a, "a step after the warm-up, in which gradients travel whole");
    if (p3d_job_is_usually_16(d->job))
        add(a,
                "weights, gradients and moments in 16 bit alone, as %s does "
                "(--master-dtype)",
                d->job->framework->name);
    assume_precision(a);
    add(a, "%s cross entropy%s", p3d_loss_name(p3d_job_loss(d->job)),
            d->job->loss == P3D_LOSS_USUAL ? report_say(a->style, " (--loss)")
                                           : "");
}

/* What stands behind the probability of fitting. */
static void assume_sure(assumed *a)
{
    const report_document *const d = a->of;
    const p3d_fit_evidence e = p3d_fit_evidence_of(d->job->framework, d->model);

    if (d->question.given.reserve)
        return;
    add(a,
            "a plan has to be %.3g %% sure to fit%s, by %d measured peaks of "
            "%d "
            "sources, %d of them of %s%s",
            100 * d->job->sure_frac,
            d->question.given.sure ? "" : report_say(a->style, " (--sure)"),
            e.n_all_peaks, e.n_all_sources, e.n_peaks, d->job->framework->name,
            d->model->n_experts > 0 ? report_say(a->style, " with experts")
                                    : "");
}

/* The network whose constants nobody measured; also that of a file, which may
 * name it alone. */
static void assume_fabric(assumed *a)
{
    const p3d_fabric *const f = &a->of->cluster->fabric;

    if (a->of->cluster->n_nodes == 1 ||
            !(f->assumed_latency || f->assumed_fracs))
        return;
    add(a, "%s of %s assumed: no measurement of such a network",
            report_say(a->style, !f->assumed_fracs ? "latency"
                                 : f->assumed_latency
                                         ? "latency and efficiencies"
                                         : "efficiencies"),
            f->name);
}

static void assume_constants(assumed *a)
{
    const report_document *const d = a->of;
    const p3d_cluster *c = d->cluster;
    char origin[JSON_LINE];
    const bool same = strcmp(c->calibration.basis, c->gpu.name) == 0;

    if (d->question.frameworks != NULL)
        add(a, "%s, the best of %d frameworks (--framework any)",
                d->job->framework->name, d->question.frameworks->n);
    add(a, "rules and bytes of %s as of %s%s",
            p3d_framework_costs_name(d->job->framework),
            d->job->framework->versions,
            d->question.given.framework
                    ? ""
                    : report_say(a->style, " (--framework)"));
    report_speeds_origin(d, a->style, c->calibration.basis, origin);
    add(a, "speeds: constants '%s', %s%s", c->calibration.name, origin,
            same ? "" : report_say(a->style, ", scaled by data sheets"));
    if (!d->question.given.cluster_file) {
        add(a, "nodes of type %s, network between them %s%s", c->node.name,
                c->fabric.name,
                d->question.given.fabric ? ""
                                         : report_say(a->style, " (--fabric)"));
    }
    assume_fabric(a);
    if (c->fabric.without_gpudirect)
        add(a,
                "without GPUDirect: at most %.3g GB/s per network card, of the "
                "PCIe link that it shares with its GPU and of host memory",
                1e-9 * c->fabric.all_reduce_frac *
                        c->fabric.nic_bytes_per_s_one_way);
    assume_sure(a);
    add(a, "a program sees %s of the GPU's %s GiB%s",
            report_gib_words(c->gpu.visible_memory_bytes).text,
            report_gib_words(c->gpu.memory_bytes).text,
            d->job->framework->one_program
                    ? ""
                    : report_say(
                              a->style, "; fragmentation is a typical value"));
}

static void assume_training(assumed *a)
{
    const report_document *const d = a->of;
    const p3d_operations *o = &d->job->operations;

    if (d->job->n_tokens <= 0)
        return;
    if (!(o->gpu_mtbf_s > 0))
        add(a, "failures as often as on Llama 3's 16,384 H100: one in 50,700 "
               "GPU hours (--gpu-mtbf)");
    if (!(o->restart_s > 0) || !(o->repair_s > 0))
        add(a, "%s%s%s",
                o->restart_s > 0 ? ""
                                 : report_say(a->style,
                                           "10 min to start again (--restart)"),
                o->restart_s > 0 || o->repair_s > 0
                        ? ""
                        : report_say(a->style, "; "),
                o->repair_s > 0
                        ? ""
                        : report_say(a->style, "another node is always there "
                                               "(--repair)"));
    if (!(o->storage_bytes_per_s > 0))
        add(a,
                "storage that takes 122 MB/s of checkpoints per GPU "
                "(--storage)%s",
                o->async_save ? ""
                              : report_say(a->style, "; steps stop meanwhile "
                                                     "(--async-save)"));
    add(a,
            "nodes draw 76 %% of their rated power while steps run, 29 %% "
            "while they do not%s",
            o->pue > 0 ? "" : report_say(a->style, "; PUE 1.2 (--pue)"));
}

int report_assume(const report_document *document, p3d_style style,
        char (*lines)[JSON_LINE])
{
    assumed a = {document, style, lines, 0};

    assume_job(&a);
    assume_constants(&a);
    assume_training(&a);
    return a.n;
}
