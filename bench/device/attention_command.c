/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attention_command.c - plan3d-bench attention: cores of a plan, or of common
 * sizes. */
#include "base/util.h"
#include "bench/device/attention.h"
#include "bench/device/commands.h"

/* Sequences at 16,384 tokens in all, and common heads. */
static const bench_attention_spec common[] = {
        {0, true, 16, 32, 8, 1024, 1024, 128, 128},
        {0, true, 8, 32, 8, 2048, 2048, 128, 128},
        {0, true, 4, 32, 8, 4096, 4096, 128, 128},
        {0, true, 2, 32, 8, 8192, 8192, 128, 128},
        {0, true, 1, 32, 8, 16384, 16384, 128, 128},
        {0, true, 4, 32, 32, 4096, 4096, 64, 64},
        {0, true, 1, 8, 2, 8192, 8192, 128, 128},
        {0, false, 4, 16, 16, 4096, 4096, 128, 128},
};

static void add(bench_task *task, const p3d_attention_row *row)
{
    const double flop =
            2.0 * (row->causal ? 0.5 : 1) * (row->backward ? 2.5 : 1) *
            (double)row->batch * (double)row->heads * (double)row->seq_q *
            (double)row->seq_kv * (double)(row->qk_dim + row->v_dim);

    bench_add(task->record, &task->record->file.attention, sizeof(*row), row);
    bench_say("%-6s %-5s %-8s %3lld x %3lld/%-3lld heads %6lld tokens, %3lld "
              "%10.2f us %7.1f TFLOP/s",
            p3d_attention_code_words[row->code], p3d_number_words[row->dtype],
            row->backward ? "backward" : "forward", (long long)row->batch,
            (long long)row->heads, (long long)row->kv_heads,
            (long long)row->seq_kv, (long long)row->qk_dim,
            1e6 * row->timing.median_s, 1e-12 * flop / row->timing.median_s);
}

static bool skip(
        bench_task *task, const bench_attention_spec *spec, const char *why)
{
    bench_say("left out %lld sequences of %lld tokens: %s",
            (long long)spec->batch, (long long)spec->seq_kv, why);
    bench_note(task->record, "some attention cores were left out");
    return true;
}

/* @param missing  set, and no error, where cuDNN has no kernel for it */
static bool measure_fused(bench_task *task, const bench_attention_spec *spec,
        p3d_attention_row *row, bool *missing, p3d_error *err)
{
    bench_fused *fused = NULL;
    p3d_error cause = {0};
    bool ok =
            bench_fused_open(task->device, spec, row->backward, &fused, &cause);

    *missing = !ok && cause.code == P3D_DEVICE;
    if (*missing)
        bench_say("cuDNN: %.90s: measuring the eager core", cause.text);
    ok = ok && bench_fused_check(fused, row, &cause) &&
         bench_time((bench_work){task->device, bench_fused_run, fused},
                 task->args, &row->timing, &cause);
    bench_fused_close(fused);
    if (!ok && cause.code == P3D_DATA)
        return skip(task, spec, cause.text);
    if (ok) {
        row->code = P3D_CODE_CUDNN;
        add(task, row);
    } else if (!*missing) {
        *err = cause;
    }
    return ok;
}

static bool measure_eager(bench_task *task, const bench_attention_spec *spec,
        p3d_attention_row *row, p3d_error *err)
{
    bench_eager eager;
    p3d_error cause = {0};
    bool ok = bench_eager_open(
                      task->device, spec, row->backward, &eager, &cause) &&
              bench_time((bench_work){task->device, bench_eager_run, &eager},
                      task->args, &row->timing, &cause);

    row->n_checked = eager.n_checked;
    row->error_frac = eager.error_frac;
    bench_eager_close(&eager);
    if (ok)
        add(task, row);
    else if (cause.code == P3D_DATA)
        ok = skip(task, spec, cause.text);
    else
        *err = cause;
    return ok;
}

/* Entries of the largest matrix of a core; beyond this none fits anywhere. */
static const double MOST_ENTRIES = 1e13;

static bool is_too_large(const bench_attention_spec *s)
{
    const double dim = (double)(s->qk_dim > s->v_dim ? s->qk_dim : s->v_dim);
    const double seq = (double)(s->seq_q > s->seq_kv ? s->seq_q : s->seq_kv);
    const double heads =
            (double)(s->heads > s->kv_heads ? s->heads : s->kv_heads);

    return (double)s->batch * heads * seq * dim > MOST_ENTRIES ||
           s->heads % s->kv_heads != 0 || s->seq_kv < 1;
}

static bool measure(bench_task *task, const bench_attention_spec *spec,
        const char *name, bool backward, p3d_error *err)
{
    p3d_attention_row row = {.code = P3D_CODE_EAGER,
            .dtype = spec->dtype,
            .backward = backward,
            .causal = spec->causal,
            .batch = spec->batch,
            .heads = spec->heads,
            .kv_heads = spec->kv_heads,
            .seq_q = spec->seq_q,
            .seq_kv = spec->seq_kv,
            .qk_dim = spec->qk_dim,
            .v_dim = spec->v_dim};
    bool missing = false;

    p3d_copy(row.name, sizeof(row.name), name);
    if (measure_fused(task, spec, &row, &missing, err))
        return true;
    return missing && measure_eager(task, spec, &row, err);
}

static bool measure_request(bench_task *task, p3d_error *err)
{
    const p3d_rows *const rows = &task->request->attention;
    const p3d_request_attention *const items = rows->items;

    for (int i = 0; i < rows->n; i++) {
        const p3d_request_attention *const want = &items[i];
        /* Of a ring of context parallelism, one step. */
        const bench_attention_spec spec = {want->dtype, want->causal,
                want->batch, want->heads, want->kv_heads, want->seq_q,
                want->seq_kv / want->count, want->qk_dim, want->v_dim};

        if (want->window > 0 || want->dtype == P3D_NUMBER_FP8) {
            if (!skip(task, &spec, "neither windows nor fp8 are measured"))
                return false;
        } else if (is_too_large(&spec)) {
            if (!skip(task, &spec, "too large, or heads that do not divide"))
                return false;
        } else if (!measure(task, &spec, want->name, want->backward, err)) {
            return false;
        }
    }
    return true;
}

static bool measure_common(bench_task *task, int number, p3d_error *err)
{
    for (int i = 0; i < P3D_COUNT_OF(common); i++) {
        bench_attention_spec spec = common[i];

        spec.dtype = number;
        for (int backward = 0; backward < 2; backward++)
            if (!measure(task, &spec, "", backward == 1, err))
                return false;
    }
    return true;
}

bool bench_attention_command(bench_task *task, p3d_error *err)
{
    if (task->request != NULL)
        return measure_request(task, err);
    for (int number = 0; number < P3D_N_NUMBERS; number++) {
        if ((task->args->numbers >> number & 1) != 0 &&
                !measure_common(task, number, err))
            return false;
    }
    return true;
}
