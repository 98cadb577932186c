/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gemm_command.c - plan3d-bench gemm: products of a plan, or of a set that
 * fills the space of shapes. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "bench/device/commands.h"
#include "bench/device/gemm.h"
#include "bench/device/together.h"
#include "bench/host/shapes.h"

static p3d_gemm_row row_of(const bench_gemm_spec *spec, const char *name)
{
    p3d_gemm_row row = {.dtype = spec->dtype,
            .layout = spec->layout,
            .how = spec->how,
            .m = spec->m,
            .n = spec->n,
            .k = spec->k,
            .count = spec->count,
            .accumulate = spec->accumulate};

    p3d_copy(row.name, sizeof(row.name), name);
    return row;
}

static void say_row(const p3d_gemm_row *row)
{
    const double flop = 2.0 * (double)row->m * (double)row->n * (double)row->k *
                        (double)row->count;
    char spread[64] = "";

    if (row->n_devices > 0)
        snprintf(spread, sizeof(spread), "  slowest of %lld devices %+.1f %%",
                (long long)row->n_devices,
                100 * (row->slowest_s / row->fastest_s - 1));
    bench_say("%-5s %-7s %-7s %6lld x %6lld x %6lld x %-4lld %10.2f us  %7.1f "
              "TFLOP/s%s%s",
            p3d_number_words[row->dtype], p3d_layout_words[row->layout],
            p3d_gemm_how_words[row->how], (long long)row->m, (long long)row->n,
            (long long)row->k, (long long)row->count,
            1e6 * row->timing.median_s, 1e-12 * flop / row->timing.median_s,
            row->sustained ? "  sustained" : "", spread);
}

/* Rank 0's own times, and those of the fastest and of the slowest device. */
static bool add(bench_task *task, p3d_gemm_row *row, p3d_error *err)
{
    bench_spread spread;

    if (!bench_find_spread(task, row->timing.median_s, &spread, err))
        return false;
    row->n_devices = spread.n_devices;
    row->fastest_s = spread.fastest_s;
    row->slowest_s = spread.slowest_s;
    if (task->launch->rank > 0)
        return true;
    bench_add(task->record, &task->record->file.gemm, sizeof(*row), row);
    say_row(row);
    return true;
}

static bool sustain(bench_task *task, bench_gemm *gemm,
        const p3d_gemm_row *burst, p3d_error *err)
{
    p3d_gemm_row row = *burst;
    bench_load load;

    if (!bench_begin_together(task, err) ||
            !bench_time_sustained(
                    (bench_work){task->device, bench_gemm_run, gemm},
                    task->args->sustain_s, &load, err))
        return false;
    row.sustained = true;
    row.timing = load.timing;
    row.sm_hz = load.sm_hz;
    row.power_w = load.power_w;
    return add(task, &row, err);
}

/* Products that do not fit or have no kernel here are named and left out. */
static bool skip(bench_task *task, const bench_gemm_spec *spec, const char *why)
{
    if (task->launch->rank > 0)
        return true;
    bench_say("left out %s %lld x %lld x %lld: %s",
            p3d_number_words[spec->dtype], (long long)spec->m,
            (long long)spec->n, (long long)spec->k, why);
    bench_note(task->record, "some products were left out");
    return true;
}

/* All ranks run it at the same time, each on its own device. */
static bool time_all(bench_task *task, bench_gemm *gemm, p3d_gemm_row *row,
        bool sustained, p3d_error *err)
{
    return bench_begin_together(task, err) &&
           bench_time((bench_work){task->device, bench_gemm_run, gemm},
                   task->args, &row->timing, err) &&
           add(task, row, err) && (!sustained || sustain(task, gemm, row, err));
}

static bool prepare(bench_task *task, const bench_gemm_spec *spec,
        bench_gemm *gemm, p3d_gemm_row *row, p3d_error *err)
{
    const char *const refusal = bench_gemm_refusal(task->device, spec);

    *gemm = (bench_gemm){0};
    if (refusal != NULL)
        return p3d_fail(err, P3D_DATA, "%s", refusal);
    return bench_gemm_open(task->device, spec, gemm, err) &&
           bench_gemm_check(gemm, row, err);
}

static bool measure(bench_task *task, const bench_gemm_spec *spec,
        const char *name, bool sustained, p3d_error *err)
{
    p3d_gemm_row row = row_of(spec, name);
    p3d_error cause = {0};
    bench_verdict all;
    bench_gemm gemm;
    bool ok = prepare(task, spec, &gemm, &row, &cause);

    if (!bench_agree(task, bench_verdict_of(ok, &cause), &all, err))
        ok = false;
    else if (all == BENCH_DONE)
        ok = time_all(task, &gemm, &row, sustained, err);
    else if (all == BENCH_LEFT_OUT)
        ok = skip(task, spec, ok ? "another rank cannot run it" : cause.text);
    else
        ok = p3d_fail(err, ok ? P3D_DEVICE : cause.code, "%s",
                ok ? "a product failed on another rank" : cause.text);
    bench_gemm_close(&gemm);
    return ok;
}

/* Products of weights and gradients are added to fp32 sums, as frameworks do
 * that add them in the product. */
static bench_gemm_spec spec_of(const p3d_request_gemm *from)
{
    return (bench_gemm_spec){.dtype = from->dtype,
            .layout = from->layout,
            .how = from->how,
            .m = from->m,
            .n = from->n,
            .k = from->k,
            .count = from->count,
            .accumulate = from->layout == P3D_LAYOUT_WGRAD};
}

static double flop_of(const p3d_request_gemm *row)
{
    return (double)row->m * (double)row->n * (double)row->k *
           (double)row->count;
}

/* In a quick run those that a step spends most on: what is known of them tells
 * most of its time. */
static bool is_chosen(
        const bench_task *task, const p3d_request_gemm *items, int n, int k)
{
    enum { MOST = 48 };
    const double work = flop_of(&items[k]) * (double)items[k].times;
    int n_before = 0;

    if (task->args->command != BENCH_QUICK)
        return true;
    for (int i = 0; i < n; i++) {
        const double other = flop_of(&items[i]) * (double)items[i].times;

        n_before += other > work || (other == work && i < k);
    }
    return n_before < MOST;
}

static bool measure_request(bench_task *task, p3d_error *err)
{
    const p3d_rows *const rows = &task->request->gemm;
    const p3d_request_gemm *const items = rows->items;
    double most = 0;

    for (int i = 0; i < rows->n; i++)
        most = flop_of(&items[i]) > most ? flop_of(&items[i]) : most;
    for (int i = 0; i < rows->n; i++) {
        const bench_gemm_spec spec = spec_of(&items[i]);
        const bool sustained =
                task->args->sustain_s > 0 && flop_of(&items[i]) > 0.5 * most;

        if (is_chosen(task, items, rows->n, i) &&
                !measure(task, &spec, items[i].name, sustained, err))
            return false;
    }
    return true;
}

/* The points of the set; then the largest product for a long time. */
static bool measure_set(bench_task *task, int number, p3d_error *err)
{
    enum { SIDE = 8192 };
    const bench_gemm_spec large = {.dtype = number,
            .how = P3D_GEMM_SINGLE,
            .m = SIDE,
            .n = SIDE,
            .k = SIDE,
            .count = 1};

    for (int i = 0; i < task->args->n_points; i++) {
        const bench_shape shape = bench_shape_at(i, (p3d_number)number);
        const bench_gemm_spec spec = {.dtype = number,
                .layout = shape.layout,
                .how = P3D_GEMM_SINGLE,
                .m = shape.m,
                .n = shape.n,
                .k = shape.k,
                .count = 1,
                .accumulate = shape.layout == P3D_LAYOUT_WGRAD};

        if (!measure(task, &spec, "", false, err))
            return false;
    }
    return task->args->n_points == 0 || task->args->sustain_s <= 0 ||
           measure(task, &large, "", true, err);
}

/* Several products at once: heads of eager attention, experts. */
static bool measure_several(bench_task *task, int number, p3d_error *err)
{
    static const bench_gemm_spec several[] = {
            {0, P3D_LAYOUT_FORWARD, P3D_GEMM_BATCHED, 2048, 2048, 128, 32,
                    false},
            {0, P3D_LAYOUT_DGRAD, P3D_GEMM_BATCHED, 2048, 128, 2048, 32, false},
            {0, P3D_LAYOUT_FORWARD, P3D_GEMM_LOOP, 1024, 4096, 4096, 8, false},
            {0, P3D_LAYOUT_FORWARD, P3D_GEMM_LOOP, 256, 4096, 2048, 32, false},
            {0, P3D_LAYOUT_WGRAD, P3D_GEMM_LOOP, 4096, 2048, 256, 32, true},
    };

    for (int i = 0; i < P3D_COUNT_OF(several); i++) {
        bench_gemm_spec spec = several[i];

        spec.dtype = number;
        if (!measure(task, &spec, "", false, err))
            return false;
    }
    return true;
}

bool bench_gemm_command(bench_task *task, p3d_error *err)
{
    if (task->request != NULL && !measure_request(task, err))
        return false;
    for (int number = 0; number < P3D_N_NUMBERS; number++) {
        if ((task->args->numbers >> number & 1) == 0 ||
                task->args->n_points == 0)
            continue;
        if (!measure_set(task, number, err) ||
                !measure_several(task, number, err))
            return false;
    }
    return true;
}
