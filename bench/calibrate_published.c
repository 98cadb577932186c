/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_published.c - fits the default constants to the published kernels
 * of bench/published, prints them with their errors and, with --update, writes
 * them into hardware/calibration. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "base/util.h"
#include "plan3d/plan3d.h"
#include "spec/hardware.h"
#include "json/text.h"

enum { MOST_BYTES = 1 << 20 };

typedef struct constant {
    const char *key;
    double value;
} constant;

/* The number after "key": at a place; NULL where there is none. */
static const char *number_at(const char *member)
{
    const char *const colon = strchr(member, ':');

    return colon == NULL ? NULL : colon + 1 + strspn(colon + 1, " \n\t");
}

/* Writes the number into the text, which is made anew. */
static bool replace(
        p3d_text *text, const char *pointer, constant number, p3d_error *err)
{
    const char *const old = p3d_text_get(text);
    p3d_text made = {0};
    char whole[128];
    size_t offset;
    const char *at;

    snprintf(whole, sizeof(whole), "%s/%s", pointer, number.key);
    if (!json_locate(old, text->length, whole, 1, &offset) ||
            (at = number_at(old + offset)) == NULL)
        return p3d_fail(err, P3D_DATA, "%s is not there", whole);
    p3d_text_append(&made, old, (size_t)(at - old));
    p3d_text_add(
            &made, "%.6g%s", number.value, at + strspn(at, "+-.0123456789eE"));
    p3d_text_free(text);
    *text = made;
    return !made.failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

/* Write numbers of one object of a file, each in the place of the one that is
 * there; the rest of the text stays as it is.
 *
 * @param pointer  JSON Pointer of the object
 * @return false with P3D_DATA where a key has no number, P3D_SYSTEM
 */
static bool write_numbers(const char *path, const char *pointer,
        const constant *numbers, int n, p3d_error *err)
{
    p3d_text text = {0};
    char *read = NULL;
    size_t length = 0;
    bool ok = p3d_read_file(path, MOST_BYTES, &read, &length, err);

    p3d_text_append(&text, read, length);
    free(read);
    for (int i = 0; i < n && ok; i++)
        ok = replace(&text, pointer, numbers[i], err);
    ok = ok && p3d_write_file(path, true, &text, err);
    p3d_text_free(&text);
    return ok;
}

enum { MAX_FILES = 3 };

/* A set of kernels in the tables, the form that fits them, and the files of
 * hardware/calibration that take the constants. */
typedef struct task {
    const char *gpu;   /* in the tables */
    const char *basis; /* in hardware/gpu */
    const char *files[MAX_FILES];
    const char *capped; /* products: the object that holds sustained_frac, where
                           that stands for a rate in FLOP/s; NULL = a ratio */
} task;

static const task products[] = {
        {"A100-SXM4-80GB", "A100-SXM4-80GB", {"sm80", "sm80-pcie", "sm70"}, ""},
        {"H100-SXM5-80GB", "H100-SXM5-80GB", {"sm90", "sm90-500w", "sm90-pcie"},
                NULL},
        {"H200-SXM5-141GB", "H200-SXM-141GB", {"sm90-h200"}, NULL},
        {"B200-SXM6-180GB", "B200-SXM-180GB", {"sm100"}, "/gemm"},
        {"GB200", "GB200-186GB", {"sm100-gb200"}, NULL},
        {"B300", "B300-SXM-288GB", {"sm103"}, NULL},
        {"GB300", "GB300-288GB", {"sm103-gb300"}, NULL},
        {"RTX-PRO-6000", "RTX-PRO-6000-96GB", {"sm120"}, NULL},
};

static const task collectives[] = {
        {"A100-SXM4-80GB", "A100-SXM4-80GB", {"sm80"}, NULL},
        {"H100-SXM5-80GB", "H100-SXM5-80GB", {"sm90", "sm90-500w"}, NULL},
        {"H200-SXM5-141GB", "H200-SXM-141GB", {"sm90-h200"}, NULL},
        {"B300", "B300-SXM-288GB", {"sm103"}, NULL},
};

/* Charts keep the tokens constant, so that they say little of the launch; the
 * table of B200 holds calls of Transformer Engine. */
static const double CHART_LAUNCH_S = 1.1e-5;
static const double CALL_LAUNCH_S = 1e-4;

typedef struct attention_task {
    const task *kernels;
    const char *kernel;
    const char *pass;
    bool calls;
} attention_task;

static const task a100 = {
        "A100-SXM4-80GB", "A100-SXM4-80GB", {"sm80", "sm80-pcie"}, NULL};
static const task h100 = {"H100-SXM5-80GB", "H100-SXM5-80GB",
        {"sm90", "sm90-500w", "sm90-pcie"}, NULL};
static const task h200 = {
        "H200-SXM5-141GB", "H200-SXM-141GB", {"sm90-h200"}, NULL};
static const task b200 = {"B200-SXM6-180GB", "B200-SXM-180GB", {"sm100"}, NULL};
static const task gb200 = {"GB200-186GB", "GB200-186GB", {"sm100-gb200"}, NULL};
static const task gb300 = {
        "GB300-288GB", "GB300-288GB", {"sm103-gb300", "sm103"}, NULL};

static const attention_task cores[] = {
        {&a100, "flash1", "both", false},
        {&a100, "flash2", "both", false},
        {&h100, "flash1", "both", false},
        {&h100, "flash2", "forward", false},
        {&h100, "flash2", "backward", false},
        {&h100, "flash3", "forward", false},
        {&h100, "flash3", "backward", false},
        {&h100, "cudnn", "forward", false},
        {&h100, "cudnn", "backward", false},
        {&h200, "cudnn", "forward", false},
        {&h200, "cudnn", "backward", false},
        {&b200, "cudnn", "forward", true},
        {&b200, "cudnn", "backward", true},
        {&gb200, "cudnn", "forward", false},
        {&gb200, "cudnn", "backward", false},
        {&gb300, "cudnn", "forward", false},
        {&gb300, "cudnn", "backward", false},
};

/* The kernels of one task. */
typedef struct kernels {
    p3d_measured_kernel *items;
    int n;
} kernels;

typedef struct tables {
    p3d_csv gemm, attention, collectives;
} tables;

static const char *cell(const p3d_csv *csv, int row, const char *name)
{
    const int column = p3d_csv_find(csv, name);

    P3D_ASSERT(column >= 0);
    return p3d_csv_get(csv, row, column);
}

static double number(const p3d_csv *csv, int row, const char *name)
{
    p3d_decimal decimal;
    const size_t used = p3d_scan_decimal(cell(csv, row, name), &decimal);

    return used > 0 ? p3d_decimal_double(&decimal, 0) : 0;
}

static int64_t count(const p3d_csv *csv, int row, const char *name)
{
    return (int64_t)number(csv, row, name);
}

static bool has(const p3d_csv *csv, int row, const char *name, const char *word)
{
    return strcmp(cell(csv, row, name), word) == 0;
}

static p3d_measured_kernel *next(kernels *k, const p3d_csv *csv, int row)
{
    p3d_measured_kernel *m = &k->items[k->n++];

    *m = (p3d_measured_kernel){
            .op = {.count = 1}, .time_s = 1e-6 * number(csv, row, "time_us")};
    return m;
}

static void take_products(const p3d_csv *csv, const char *gpu, kernels *out)
{
    out->n = 0;
    for (int i = 0; i < csv->n_rows; i++) {
        p3d_measured_kernel *m;

        if (!has(csv, i, "gpu", gpu))
            continue;
        m = next(out, csv, i);
        m->op.m = count(csv, i, "m");
        m->op.n = count(csv, i, "n");
        m->op.k = count(csv, i, "k");
    }
}

static void take_cores(
        const p3d_csv *csv, const attention_task *t, kernels *out)
{
    out->n = 0;
    for (int i = 0; i < csv->n_rows; i++) {
        p3d_measured_kernel *m;

        if (!has(csv, i, "gpu", t->kernels->gpu) ||
                !has(csv, i, "kernel", t->kernel) ||
                !has(csv, i, "pass", t->pass))
            continue;
        m = next(out, csv, i);
        m->both_passes = strcmp(t->pass, "both") == 0;
        m->op.kind = P3D_OP_ATTENTION;
        m->op.phase =
                strcmp(t->pass, "backward") == 0 ? P3D_BACKWARD : P3D_FORWARD;
        m->op.kernel = P3D_FLASH_2; /* where the fit looks */
        m->op.not_causal = number(csv, i, "causal") == 0;
        m->op.batch = count(csv, i, "batch");
        m->op.heads = count(csv, i, "n_heads");
        m->op.kv_heads = count(csv, i, "n_kv_heads");
        m->op.seq_q = count(csv, i, "seq_q");
        m->op.seq_kv = count(csv, i, "seq_kv");
        m->op.qk_dim = count(csv, i, "qk_head_dim");
        m->op.v_dim = count(csv, i, "v_head_dim");
    }
}

/* Training sends no smaller messages, and they would outnumber the others. */
enum { MOST_RANKS_OF_A_NODE = 8, LEAST_BYTES = 65536 };

static void take_collectives(const p3d_csv *csv, const char *gpu,
        const char *collective, kernels *out)
{
    out->n = 0;
    for (int i = 0; i < csv->n_rows; i++) {
        p3d_measured_kernel *m;

        if (!has(csv, i, "gpu", gpu) ||
                !has(csv, i, "collective", collective) ||
                number(csv, i, "bytes") < LEAST_BYTES ||
                number(csv, i, "n_ranks") > MOST_RANKS_OF_A_NODE)
            continue;
        m = next(out, csv, i);
        m->n_ranks = (int)count(csv, i, "n_ranks");
        m->op.bytes = number(csv, i, "bytes");
    }
}

/* What is fitted for one task goes into its files. */
static bool write_all(const task *t, const char *pointer,
        const constant *numbers, int n, p3d_error *err)
{
    for (int i = 0; i < MAX_FILES && t->files[i] != NULL; i++) {
        char path[96];

        snprintf(path, sizeof(path), "hardware/calibration/%s.json",
                t->files[i]);
        if (!write_numbers(path, pointer, numbers, n, err))
            return false;
    }
    return true;
}

static void print_row(const char *gpu, const char *what,
        const p3d_fit_quality *q, const constant *numbers, int n)
{
    printf("| %s | %s | %d | %.1f | %.1f |", gpu, what, q->n_kernels,
            100 * q->error_frac, 100 * q->held_error_frac);
    for (int i = 0; i < n; i++)
        printf(" %s %.5g%s", numbers[i].key, numbers[i].value,
                i < n - 1 ? "," : " |\n");
}

/* The rate under the power limit was measured, not the fraction of the main
 * loop's that it is: that changes with the fit. */
static bool keep_cap(const task *t, double new_peak_frac, p3d_error *err)
{
    for (int i = 0; t->capped != NULL && i < MAX_FILES && t->files[i] != NULL;
            i++) {
        p3d_calibration old = {.gemm = {0}};
        constant n = {"sustained_frac", 0};
        char path[96];

        if (!spec_calibration_load(t->files[i], &old, err))
            return false;
        n.value = (old.gemm.sustained_frac > 0 ? old.gemm.sustained_frac
                                               : old.sustained_frac) *
                  old.gemm.peak_frac / new_peak_frac;
        snprintf(path, sizeof(path), "hardware/calibration/%s.json",
                t->files[i]);
        if (n.value < 1 && !write_numbers(path, t->capped, &n, 1, err))
            return false;
    }
    return true;
}

static bool fit_products(const task *t, const tables *in, kernels *k,
        bool update, p3d_error *err)
{
    p3d_gpu gpu;
    p3d_calibration old = {.gemm = {0}};
    p3d_fit_quality q;
    p3d_gemm_fit fit;
    constant numbers[9];
    int n = 0;

    if (!p3d_gpu_find(t->basis, &gpu, err) ||
            !spec_calibration_load(t->files[0], &old, err))
        return false;
    fit = old.gemm;
    take_products(&in->gemm, t->gpu, k);
    if (!p3d_fit_gemm(&(p3d_measured_kernels){&gpu, k->items, k->n},
                fit.tile_wave, &fit, &q, err))
        return false;
    numbers[n++] = (constant){"launch_s", fit.launch_s};
    numbers[n++] = (constant){"peak_frac", fit.peak_frac};
    numbers[n++] = (constant){"k_ramp", fit.k_ramp};
    numbers[n++] = (constant){"memory_frac", fit.memory_frac};
    numbers[n++] = (constant){"error_frac", fit.error_frac};
    if (fit.tile_wave) {
        numbers[n++] = (constant){"wave_q", fit.wave_q};
        numbers[n++] = (constant){"tile_128_frac", fit.tile_128_frac};
        numbers[n++] = (constant){"tile_64_frac", fit.tile_64_frac};
        numbers[n++] = (constant){"p_norm", fit.p_norm};
    }
    print_row(t->gpu, "products", &q, numbers, n);
    return !update || (keep_cap(t, fit.peak_frac, err) &&
                              write_all(t, "/gemm", numbers, n, err));
}

static const char *const size_keys[P3D_N_HEAD_SIZES] = {
        "64", "128", "160", "256"};

/* Constants of a pass, and of its heads; those of calls keep their launch. */
static bool write_core(const attention_task *t, const char *pass,
        const p3d_attention_pass *fit, p3d_error *err)
{
    constant numbers[P3D_N_HEAD_SIZES];
    char pointer[64];
    int n = 0;

    if (!t->calls)
        numbers[n++] = (constant){"launch_s", fit->launch_s};
    numbers[n++] = (constant){"seq_ramp", fit->seq_ramp};
    numbers[n++] = (constant){"wave_ramp", fit->wave_ramp};
    snprintf(pointer, sizeof(pointer), "/attention/%s/%s", t->kernel, pass);
    if (!write_all(t->kernels, pointer, numbers, n, err))
        return false;
    n = 0;
    for (int i = 0; i < P3D_N_HEAD_SIZES; i++) {
        if (fit->peak_frac[i] > 0)
            numbers[n++] = (constant){size_keys[i], fit->peak_frac[i]};
    }
    snprintf(pointer, sizeof(pointer), "/attention/%s/%s/peak_frac", t->kernel,
            pass);
    return write_all(t->kernels, pointer, numbers, n, err);
}

static p3d_attention kernel_of(const char *word)
{
    static const char *const words[] = {"flash1", "flash2", "flash3", "cudnn"};
    int i = 0;

    while (strcmp(words[i], word) != 0)
        i++;
    return (p3d_attention)(P3D_FLASH_1 + i);
}

static bool fit_core(const attention_task *t, const tables *in, kernels *k,
        bool update, p3d_error *err)
{
    const bool both = strcmp(t->pass, "both") == 0;
    const bool backward = strcmp(t->pass, "backward") == 0;
    p3d_calibration old = {.gemm = {0}};
    const p3d_attention_fit *kernel = &old.attention[kernel_of(t->kernel)];
    p3d_attention_pass fit;
    p3d_fit_quality q;
    p3d_gpu gpu;
    constant numbers[3 + P3D_N_HEAD_SIZES];
    char what[48];
    int n = 0;

    if (!p3d_gpu_find(t->kernels->basis, &gpu, err) ||
            !spec_calibration_load(t->kernels->files[0], &old, err))
        return false;
    fit = backward ? kernel->backward : kernel->forward;
    take_cores(&in->attention, t, k);
    if (!p3d_fit_attention(&(p3d_measured_kernels){&gpu, k->items, k->n},
                t->calls ? CALL_LAUNCH_S : CHART_LAUNCH_S, &fit, &q, err))
        return false;
    numbers[n++] = (constant){"launch_s", fit.launch_s};
    numbers[n++] = (constant){"seq_ramp", fit.seq_ramp};
    numbers[n++] = (constant){"wave_ramp", fit.wave_ramp};
    for (int i = 0; i < P3D_N_HEAD_SIZES; i++) {
        if (fit.peak_frac[i] > 0)
            numbers[n++] = (constant){size_keys[i], fit.peak_frac[i]};
    }
    snprintf(what, sizeof(what), "%s, %s", t->kernel, t->pass);
    print_row(t->kernels->gpu, what, &q, numbers, n);
    if (!update)
        return true;
    snprintf(what, sizeof(what), "/attention/%s", t->kernel);
    if (!backward &&
            !write_all(t->kernels, what,
                    &(constant){"error_frac", q.held_error_frac}, 1, err))
        return false;
    if (!backward && !write_core(t, "forward", &fit, err))
        return false;
    return (!backward && !both) || write_core(t, "backward", &fit, err);
}

static bool fit_collectives(const task *t, const tables *in, kernels *k,
        bool update, p3d_error *err)
{
    static const struct {
        const char *word;
        p3d_collective collective;
    } kinds[] = {{"all_reduce", P3D_ALL_REDUCE}, {"all_gather", P3D_ALL_GATHER},
            {"reduce_scatter", P3D_REDUCE_SCATTER}};
    p3d_gpu gpu;

    if (!p3d_gpu_find(t->basis, &gpu, err))
        return false;
    for (int i = 0; i < P3D_COUNT_OF(kinds); i++) {
        p3d_collective_fit fit;
        p3d_fit_quality q;
        constant numbers[4];
        char pointer[64];

        take_collectives(&in->collectives, t->gpu, kinds[i].word, k);
        if (!p3d_fit_collective(&(p3d_measured_kernels){&gpu, k->items, k->n},
                    kinds[i].collective, &fit, &q, err))
            return false;
        numbers[0] = (constant){"launch_s", fit.launch_s};
        numbers[1] = (constant){"step_s", fit.step_s};
        numbers[2] = (constant){"link_frac", fit.link_frac};
        numbers[3] =
                (constant){"ramp_s_per_sqrt_byte", fit.ramp_s_per_sqrt_byte};
        print_row(t->gpu, kinds[i].word, &q, numbers, 4);
        snprintf(pointer, sizeof(pointer), "/collective/%s", kinds[i].word);
        if (update && !write_all(t, pointer, numbers, 4, err))
            return false;
    }
    return true;
}

static bool fit_all(const tables *in, kernels *k, bool update, p3d_error *err)
{
    for (int i = 0; i < P3D_COUNT_OF(products); i++) {
        if (!fit_products(&products[i], in, k, update, err))
            return false;
    }
    for (int i = 0; i < P3D_COUNT_OF(cores); i++) {
        if (!fit_core(&cores[i], in, k, update, err))
            return false;
    }
    for (int i = 0; i < P3D_COUNT_OF(collectives); i++) {
        if (!fit_collectives(&collectives[i], in, k, update, err))
            return false;
    }
    return true;
}

static bool open_all(tables *out, p3d_error *err)
{
    return p3d_csv_open("bench/published/gemm.csv", &out->gemm, err) &&
           p3d_csv_open(
                   "bench/published/attention.csv", &out->attention, err) &&
           p3d_csv_open(
                   "bench/published/collectives.csv", &out->collectives, err);
}

int main(int argc, char **argv)
{
    const bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
    tables in = {.gemm = {.n_rows = 0}};
    kernels k = {.n = 0};
    p3d_error err = {.code = P3D_OK};
    char line[P3D_ERROR_LINE];
    bool ok = open_all(&in, &err);

    if (ok) {
        k.items = calloc((size_t)in.gemm.n_rows + (size_t)in.attention.n_rows +
                                 (size_t)in.collectives.n_rows,
                sizeof(*k.items));
        ok = k.items != NULL || p3d_fail(&err, P3D_SYSTEM, "out of memory");
    }
    if (ok)
        ok = fit_all(&in, &k, update, &err);
    free(k.items);
    p3d_csv_close(&in.collectives);
    p3d_csv_close(&in.attention);
    p3d_csv_close(&in.gemm);
    if (!ok)
        fprintf(stderr, "calibrate_published: %s\n",
                p3d_print_error(line, sizeof(line), &err));
    return ok ? 0 : 1;
}
