/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_about.c - a question and its estimate as lines for a file's head. */
#include "plan3d/units.h"
#include "report/text.h"

void report_about(const report_document *d, p3d_text *out)
{
    const report_answer *const a = d->estimate;
    char step[32];
    char rate[32];
    char tokens[32];

    p3d_text_add(
            out, "model: %s, cluster: %s\n", d->model->name, d->cluster->name);
    p3d_text_add(out,
            "job: sequence %d, batch %lld sequences = %s tokens per step, %s\n",
            d->job->seq_len, (long long)d->job->global_batch,
            p3d_print_integer(
                    tokens, sizeof(tokens), report_tokens_per_step(d->job)),
            p3d_dtype_name(d->job->dtype));
    p3d_text_add(out,
            "predicted: %s per step, %s tokens/s, peak %.2f of %.2f GiB%s\n",
            report_step_words(step, sizeof(step), a->time.step_s),
            report_rate_words(rate, sizeof(rate), a->tokens_per_s),
            report_gib(a->memory.peak_bytes),
            report_gib(a->memory.usable_bytes),
            a->fits ? "" : " usable: IT DOES NOT FIT");
}
