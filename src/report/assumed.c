/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assumed.c - the defaults and constants that an answer rests on. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "report/document.h"
#include "report/text/amounts.h"

static void add(report_document *d, const char *fmt, ...) P3D_PRINTF(2, 3);

static void add(report_document *d, const char *fmt, ...)
{
    va_list args;

    P3D_ASSERT(d->assumed.n < REPORT_MAX_ASSUMED);
    va_start(args, fmt);
    vsnprintf(d->assumed_lines[d->assumed.n], JSON_LINE, fmt, args);
    va_end(args);
    d->assumed.items = d->assumed_lines;
    d->assumed.n++;
}

static void assume_job(report_document *d)
{
    const report_given *given = &d->question.given;
    char seq[32];
    char batch[32];
    char tokens[32];

    p3d_print_integer(seq, sizeof(seq), d->job->seq_len);
    p3d_print_integer(batch, sizeof(batch), d->job->global_batch);
    p3d_print_integer(tokens, sizeof(tokens), report_tokens_per_step(d->job));
    if (!given->seq_len)
        add(d, "sequences of %s tokens, a default for this model (--seq)", seq);
    if (!given->global_batch) {
        add(d, "%s sequences per step, so that it has %s tokens (--batch)",
                batch, tokens);
    }
    if (d->job->seq_len > d->model->max_positions &&
            d->model->max_positions > 0) {
        add(d, "positions beyond the %d that the model was made for",
                d->model->max_positions);
    }
    if (!given->dtype) {
        add(d, "%s matrix products (--dtype)", p3d_dtype_name(d->job->dtype));
    }
    if (!given->optimizer || !given->attention) {
        add(d, "%s optimizer (--optimizer), %s attention (--attention), %s",
                p3d_optimizer_of(d->job->optimizer)->name,
                p3d_attention_name(d->job->attention),
                d->job->dropout ? "dropout" : "no dropout (--dropout)");
    }
    if (d->model->n_experts > 0 && d->job->expert_load <= 0)
        add(d, "experts with the same load each (--expert-load)");
    if (d->model->n_experts > 0)
        add(d, "tokens go to experts by %s (--dispatcher)%s",
                p3d_dispatcher_name(d->job->dispatcher),
                d->job->expert_overlap ? ", beside another micro-batch"
                                       : ", beside nothing (--moe-overlap)");
    if (p3d_job_is_usually_16(d->job))
        add(d,
                "weights, gradients and moments in 16 bit alone, as %s does "
                "(--master-dtype)",
                d->job->framework->name);
    add(d, "%s cross entropy%s", p3d_loss_name(p3d_job_loss(d->job)),
            d->job->loss == P3D_LOSS_USUAL ? " (--loss)" : "");
}

static void assume_constants(report_document *d)
{
    const p3d_cluster *c = d->cluster;
    const bool same = strcmp(c->calibration.basis, c->gpu.name) == 0;

    if (d->question.frameworks != NULL)
        add(d, "%s, the best of %d frameworks (--framework any)",
                d->job->framework->name, d->question.frameworks->n);
    add(d, "rules and bytes of %s as of %s%s",
            d->job->framework->costs_of != NULL ? d->job->framework->costs_of
                                                : d->job->framework->name,
            d->job->framework->versions,
            d->question.given.framework ? "" : " (--framework)");
    add(d, "speeds: constants '%s', from microbenchmarks on %s%s",
            c->calibration.name, c->calibration.basis,
            same ? "" : ", scaled by data sheets");
    if (!d->question.given.cluster_file) {
        add(d, "nodes of type %s, network between them %s%s", c->node.name,
                c->fabric.name, d->question.given.fabric ? "" : " (--fabric)");
    }
    if (!d->question.given.reserve) {
        add(d,
                "%.2f GiB of a GPU are kept free, as much as the peak may be "
                "wrong (--reserve)",
                report_gib(d->job->reserve_bytes));
    }
    add(d,
            "a program sees %.2f of a GPU's %.2f GiB; fragmentation is a "
            "typical "
            "value",
            report_gib(c->gpu.visible_memory_bytes),
            report_gib(c->gpu.memory_bytes));
}

static void assume_training(report_document *d)
{
    const p3d_operations *o = &d->job->operations;

    if (d->job->n_tokens <= 0)
        return;
    if (!(o->gpu_mtbf_s > 0))
        add(d, "failures as often as on Llama 3's 16,384 H100: one in 50,700 "
               "GPU hours (--gpu-mtbf)");
    if (!(o->restart_s > 0) || !(o->repair_s > 0))
        add(d, "%s%s%s",
                o->restart_s > 0 ? "" : "10 min to start again (--restart)",
                o->restart_s > 0 || o->repair_s > 0 ? "" : "; ",
                o->repair_s > 0 ? ""
                                : "another node is always there "
                                  "(--repair)");
    if (!(o->storage_bytes_per_s > 0))
        add(d,
                "storage that takes 122 MB/s of checkpoints per GPU "
                "(--storage)%s",
                o->async_save ? "" : "; steps stop meanwhile (--async-save)");
    add(d,
            "nodes draw 76 %% of their rated power while steps run, 29 %% "
            "while they do not%s",
            o->pue > 0 ? "" : "; PUE 1.2 (--pue)");
}

void report_assume(report_document *document)
{
    assume_job(document);
    assume_constants(document);
    assume_training(document);
}
