/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.c - the constants of a machine, form by form, from those rows of
 * its measurements that a form is fitted to. */
#include "plan3d/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "calibrate/passes.h"
#include "cost/cost.h"
#include "plan3d/fit.h"
#include "spec/hardware.h"

/* Three times the worst error of a fit to published kernels
 * (docs/calibration.md): such points are of something else. */
static const double WORST_HELD_ERROR_FRAC = 0.5;

/* Launches from a stream that runs on, without a framework's host time; as for
 * charts in bench/calibrate_published.c. */
static const double LONGEST_LAUNCH_S = 1.1e-5;

/* Least error that a calibration file holds: 0 stands for "no fit". */
static const double LEAST_ERROR_FRAC = 0.001;

typedef struct work {
    p3d_gpu gpu; /* with the peak and the link of the measured operations */
    p3d_node node;
    p3d_fabric fabric; /* of the usual cluster */
    p3d_calibration *constants;
    const p3d_measurements *files;
    int n_files;
    bool limited; /* the points are of trainings, under the power limit */
    p3d_measured_kernels points;
} work;

/* Kernels that are measured alike: the rows of a file, and what to do with
 * them. */
typedef struct family {
    size_t rows; /* a p3d_rows of p3d_measurements */
    size_t row_size;
    /* A row as a point. @return false where the form does not describe it */
    bool (*take)(const void *row, p3d_cost_form form, p3d_measured_kernel *out);
    double (*predict_s)(const p3d_cluster *cluster, p3d_cost_form form,
            const p3d_measured_kernel *point);
    bool (*fit)(const work *w, p3d_cost_form form, p3d_fit_quality *q,
            p3d_error *err);
    /* The same of a row of a training; NULL = there are none */
    bool (*take_limited)(
            const void *row, p3d_cost_form form, p3d_measured_kernel *out);
} family;

static bool is_16_bit(int number)
{
    return number == P3D_NUMBER_BF16 || number == P3D_NUMBER_FP16;
}

/* Plain products, as the form describes them. */
static bool take_plain(
        const p3d_gemm_row *r, p3d_cost_form form, p3d_measured_kernel *out)
{
    const bool fp8 = form == P3D_FORM_GEMM_FP8;

    if (r->how == P3D_GEMM_LOOP || r->accumulate ||
            !(fp8 ? r->dtype == P3D_NUMBER_FP8 : is_16_bit(r->dtype)))
        return false;
    *out = (p3d_measured_kernel){.op = {.kind = P3D_OP_GEMM,
                                         .dtype = fp8 ? P3D_FP8 : P3D_BF16,
                                         .m = r->m,
                                         .n = r->n,
                                         .k = r->k,
                                         .count = r->count},
            .time_s = r->timing.median_s};
    return true;
}

/* Those in short bursts. */
static bool take_product(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_gemm_row *const r = row;

    return !r->sustained && take_plain(r, form, out);
}

/* Those of a training, from a trace. */
static bool take_limited(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_gemm_row *const r = row;

    return r->sustained && take_plain(r, form, out);
}

static double predict_product_s(const p3d_cluster *cluster, p3d_cost_form form,
        const p3d_measured_kernel *point)
{
    const p3d_op *const op = &point->op;

    (void)form;
    return cost_gemm_s(
            cluster, op->dtype, (cost_product){op->m, op->n, op->k, op->count});
}

static bool fit_products(
        const work *w, p3d_cost_form form, p3d_fit_quality *q, p3d_error *err)
{
    p3d_gemm_fit *const fit = form == P3D_FORM_GEMM ? &w->constants->gemm
                                                    : &w->constants->gemm_fp8;
    p3d_gemm_fit found = fit->peak_frac > 0 ? *fit : w->constants->gemm;

    if (!p3d_fit_gemm(&w->points, found.tile_wave, &found, q, err))
        return false;
    if (w->limited) /* the limit is in the rate */
        found.sustained_frac = 1;
    *fit = found;
    return true;
}

static bool take_any_core(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_attention_row *const r = row;
    const bool backward = form == P3D_FORM_ATTENTION_BACKWARD;

    if (r->code != P3D_CODE_CUDNN || r->backward != backward ||
            !is_16_bit(r->dtype))
        return false;
    *out = (p3d_measured_kernel){
            .op = {.kind = P3D_OP_ATTENTION,
                    .phase = backward ? P3D_BACKWARD : P3D_FORWARD,
                    .kernel = P3D_FLASH_2, /* where p3d_fit_attention() looks */
                    .not_causal = !r->causal,
                    .count = 1,
                    .batch = r->batch,
                    .heads = r->heads,
                    .kv_heads = r->kv_heads,
                    .seq_q = r->seq_q,
                    .seq_kv = r->seq_kv,
                    .qk_dim = r->qk_dim,
                    .v_dim = r->v_dim},
            .time_s = r->timing.median_s};
    return true;
}

static bool take_core(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_attention_row *const r = row;

    return !r->sustained && take_any_core(row, form, out);
}

static bool take_limited_core(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_attention_row *const r = row;

    return r->sustained && take_any_core(row, form, out);
}

static double predict_core_s(const p3d_cluster *cluster, p3d_cost_form form,
        const p3d_measured_kernel *point)
{
    p3d_op core = point->op;

    (void)form;
    core.kernel = P3D_CUDNN;
    return cost_attention_s(cluster, P3D_BF16, &core);
}

/* Where this kernel had no constants, its other pass begins as that of the
 * kernel that stood for it. What ran under the power limit had a higher rate
 * without. */
static bool fit_cores(
        const work *w, p3d_cost_form form, p3d_fit_quality *q, p3d_error *err)
{
    const bool backward = form == P3D_FORM_ATTENTION_BACKWARD;
    p3d_attention_fit *const fit = &w->constants->attention[P3D_CUDNN];
    p3d_attention_fit found = *p3d_attention_fit_of(w->constants, P3D_CUDNN);
    p3d_attention_pass *const pass =
            backward ? &found.backward : &found.forward;
    const double limit =
            w->limited && found.sustained ? w->constants->sustained_frac : 1;

    if (!p3d_fit_attention(&w->points, LONGEST_LAUNCH_S, pass, q, err))
        return false;
    for (int i = 0; i < P3D_N_HEAD_SIZES; i++)
        pass->peak_frac[i] = fmin(pass->peak_frac[i] / limit, 1);
    if (!backward || fit->error_frac <= 0)
        found.error_frac = fmax(q->held_error_frac, LEAST_ERROR_FRAC);
    *fit = found;
    return true;
}

/* Kernels as training runs them: not the driver's own copy. */
static bool take_pass(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_pass_row *const r = row;

    (void)form;
    *out = (p3d_measured_kernel){
            .op = {.bytes = (double)r->bytes,
                    .pass_kind = calibrate_pass_kind(r->kernel)},
            .time_s = r->timing.median_s};
    return r->kernel != P3D_KERNEL_COPY;
}

static double predict_pass_s(const p3d_cluster *cluster, p3d_cost_form form,
        const p3d_measured_kernel *point)
{
    (void)form;
    return cost_pass_s(cluster, point->op.pass_kind, point->op.bytes, 1);
}

static bool fit_passes(
        const work *w, p3d_cost_form form, p3d_fit_quality *q, p3d_error *err)
{
    p3d_pass_fit *const pass = &w->constants->pass;
    const double single_frac = pass->single_frac;

    (void)form;
    if (!p3d_fit_pass(&w->points, pass, q, err))
        return false;
    /* Vectors are copied, and say nothing of it. */
    pass->single_frac = fmin(single_frac, pass->hbm_frac);
    return true;
}

/* Training sends no smaller messages, and they would outnumber the others;
 * bench/calibrate_published.c draws the same line. */
enum { LEAST_MESSAGE_BYTES = 65536 };

/* Forms, collectives and what plan3d-bench measures are in one order. */
static p3d_collective collective_of(p3d_cost_form form)
{
    return (p3d_collective)((int)form - P3D_FORM_ALL_REDUCE + P3D_ALL_REDUCE);
}
_Static_assert(P3D_FORM_ALL_TO_ALL - P3D_FORM_ALL_REDUCE ==
                               P3D_ALL_TO_ALL - P3D_ALL_REDUCE &&
                       (int)P3D_ALL_REDUCE == (int)P3D_OP_ALL_REDUCE &&
                       (int)P3D_ALL_TO_ALL == (int)P3D_OP_ALL_TO_ALL,
        "forms are in the order of the collectives");

static bool take_collective(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_collective_row *const r = row;

    if (r->op != (int)collective_of(form) || r->n_nodes != 1 ||
            r->n_ranks < 2 || r->bytes < LEAST_MESSAGE_BYTES)
        return false;
    *out = (p3d_measured_kernel){.op = {.bytes = (double)r->bytes},
            .n_ranks = (int)r->n_ranks,
            .time_s = r->timing.median_s};
    return true;
}

static double predict_collective_s(const p3d_cluster *cluster,
        p3d_cost_form form, const p3d_measured_kernel *point)
{
    const cost_group group = {.n_ranks = point->n_ranks,
            .n_nodes = 1,
            .ranks_per_node = point->n_ranks};

    return cost_collective_s(
            cluster, collective_of(form), group, point->op.bytes);
}

/* What was measured is what this machine does, its switch included. */
static bool fit_collective(
        const work *w, p3d_cost_form form, p3d_fit_quality *q, p3d_error *err)
{
    const p3d_collective collective = collective_of(form);

    if (!p3d_fit_collective(&w->points, collective,
                &w->constants->collective[collective], q, err))
        return false;
    if (collective == P3D_ALL_REDUCE)
        w->constants->nvls_factor = 1;
    return true;
}

static bool is_between_nodes(const void *row)
{
    const p3d_collective_row *const r = row;

    return r->n_nodes > 1;
}

/* One group at a time, or all ranks: groups that share the cards are slower by
 * how many of them run. */
static bool take_network(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_collective_row *const r = row;
    const bool all_to_all = form == P3D_FORM_NETWORK_ALL_TO_ALL;

    if (!is_between_nodes(row) || r->op > P3D_OP_ALL_TO_ALL ||
            (r->op == P3D_OP_ALL_TO_ALL) != all_to_all ||
            r->bytes < LEAST_MESSAGE_BYTES || r->n_groups != 1 ||
            r->n_ranks % r->n_nodes != 0)
        return false;
    *out = (p3d_measured_kernel){
            .op = {.bytes = (double)r->bytes,
                    .collective = (p3d_collective)(r->op - P3D_OP_ALL_REDUCE +
                                                   P3D_ALL_REDUCE)},
            .n_ranks = (int)r->n_ranks,
            .n_nodes = (int)r->n_nodes,
            .time_s = r->timing.median_s};
    return true;
}

static double predict_network_s(const p3d_cluster *cluster, p3d_cost_form form,
        const p3d_measured_kernel *point)
{
    (void)form;
    return p3d_network_point_s(cluster, point);
}

static bool fit_network(
        const work *w, p3d_cost_form form, p3d_fit_quality *q, p3d_error *err)
{
    p3d_cluster cluster = {.gpu = w->gpu,
            .node = w->node,
            .fabric = w->fabric,
            .calibration = *w->constants};

    (void)form;
    if (!p3d_fit_network(&w->points, &cluster, q, err))
        return false;
    *w->constants = cluster.calibration;
    return true;
}

#define FAMILY(rows, T, ...)                                           \
    {                                                                  \
        offsetof(p3d_measurements, rows), sizeof(T), __VA_ARGS__, NULL \
    }
static const family products = {.rows = offsetof(p3d_measurements, gemm),
        .row_size = sizeof(p3d_gemm_row),
        .take = take_product,
        .take_limited = take_limited,
        .predict_s = predict_product_s,
        .fit = fit_products};
static const family cores = {.rows = offsetof(p3d_measurements, attention),
        .row_size = sizeof(p3d_attention_row),
        .take = take_core,
        .take_limited = take_limited_core,
        .predict_s = predict_core_s,
        .fit = fit_cores};
static const family passes =
        FAMILY(pass, p3d_pass_row, take_pass, predict_pass_s, fit_passes);
static const family collectives = FAMILY(collective, p3d_collective_row,
        take_collective, predict_collective_s, fit_collective);
static const family networks = FAMILY(collective, p3d_collective_row,
        take_network, predict_network_s, fit_network);

/* A form: its name, the command that measures it, and its number of constants
 * (of tiles and waves, and of a kernel with four head sizes, at most). Two
 * points a constant are the fewest that can contradict a fit. */
#define NCCL "plan3d-bench nccl --gpus 8 --min 64KiB --max 1GiB -o nccl.json"
#define NCCL_NODES                                                        \
    "srun --ntasks-per-node=8 --gpus-per-node=8 plan3d-bench nccl --min " \
    "64KiB --max 1GiB -o nodes.json"
static const struct {
    const char *name;
    const char *measure;
    int n_constants;
    const family *family;
} rows[P3D_N_FORMS] = {
        [P3D_FORM_GEMM] = {"GEMMs, 16 bit",
                "plan3d-bench gemm --points 48 -o gemm.json", 3, &products},
        [P3D_FORM_GEMM_FP8] = {"GEMMs, fp8",
                "plan3d-bench gemm --dtype fp8 --points 48 -o fp8.json", 3,
                &products},
        [P3D_FORM_ATTENTION] = {"attention, forward",
                "plan3d-bench attention -o attention.json", 4, &cores},
        [P3D_FORM_ATTENTION_BACKWARD] = {"attention, backward",
                "plan3d-bench attention -o attention.json", 4, &cores},
        [P3D_FORM_PASS] = {"memory passes",
                "plan3d-bench memory -o memory.json", 2, &passes},
        [P3D_FORM_ALL_REDUCE] = {"all-reduce in a node", NCCL, 4, &collectives},
        [P3D_FORM_ALL_GATHER] = {"all-gather in a node", NCCL, 4, &collectives},
        [P3D_FORM_REDUCE_SCATTER] = {"reduce-scatter in a node", NCCL, 4,
                &collectives},
        [P3D_FORM_ALL_TO_ALL] = {"all-to-all in a node", NCCL, 4, &collectives},
        [P3D_FORM_NETWORK] = {"collectives between nodes", NCCL_NODES, 4,
                &networks},
        [P3D_FORM_NETWORK_ALL_TO_ALL] = {"all-to-all between nodes", NCCL_NODES,
                1, &networks},
};
enum { N_TILE_CONSTANTS = 8 };

static int least_points(p3d_cost_form form, bool tile_wave)
{
    const int n = form == P3D_FORM_GEMM && tile_wave ? N_TILE_CONSTANTS
                                                     : rows[form].n_constants;

    return 2 * n > P3D_LEAST_MEASURED ? 2 * n : P3D_LEAST_MEASURED;
}

/* Append the points of a form that a file has. @return how many */
static int points_of(const work *w, const p3d_measurements *file,
        p3d_cost_form form, p3d_measured_kernel *out)
{
    const family *const f = rows[form].family;
    bool (*const take)(const void *, p3d_cost_form, p3d_measured_kernel *) =
            w->limited ? f->take_limited : f->take;
    const p3d_rows *const from = (const void *)((const char *)file + f->rows);
    int n = 0;

    for (int i = 0; i < from->n; i++)
        n += take((const char *)from->items + (size_t)i * f->row_size, form,
                &out[n]);
    return n;
}

static void list_points(
        work *w, p3d_cost_form form, p3d_measured_kernel *points)
{
    w->points.n = 0;
    for (int i = 0; i < w->n_files; i++)
        w->points.n += points_of(w, &w->files[i], form, points + w->points.n);
}

/* All points of a form. Those of trainings, under the power limit, count where
 * no file has bursts. */
static void find_points(
        work *w, p3d_cost_form form, p3d_measured_kernel *points)
{
    w->limited = false;
    list_points(w, form, points);
    if (w->points.n == 0 && rows[form].family->take_limited != NULL) {
        w->limited = true;
        list_points(w, form, points);
    }
}

/* Mean error of the constants as they are now. */
static double error_of(const work *w, p3d_cost_form form)
{
    p3d_cluster cluster = {.gpu = w->gpu,
            .node = w->node,
            .fabric = w->fabric,
            .calibration = *w->constants};
    double sum = 0;

    if (!w->limited) {
        cluster.calibration.sustained_frac = 1;
        cluster.calibration.gemm.sustained_frac = 1;
        cluster.calibration.gemm_fp8.sustained_frac = 1;
        cluster.calibration.gemm_nvfp4.sustained_frac = 1;
    }
    for (int i = 0; i < w->points.n; i++) {
        const p3d_measured_kernel *const point = &w->points.items[i];

        sum += fabs(rows[form].family->predict_s(&cluster, form, point) /
                            point->time_s -
                    1);
    }
    return w->points.n > 0 ? sum / w->points.n : 0;
}

static bool try_form(
        const work *w, p3d_cost_form form, p3d_form_result *out, p3d_error *err)
{
    p3d_fit_quality q;

    *out = (p3d_form_result){.name = rows[form].name,
            .measure = rows[form].measure,
            .n_points = w->points.n,
            .n_least = least_points(form, w->constants->gemm.tile_wave),
            .old_error_frac = error_of(w, form)};
    if (w->points.n < out->n_least)
        return true;
    if (!rows[form].family->fit(w, form, &q, err))
        return false;
    if (q.held_error_frac > WORST_HELD_ERROR_FRAC)
        return p3d_fail(err, P3D_DATA,
                "%s: no constants fit these %d points (%.0f %% off on those "
                "held out); measure again on an idle device with '%s'",
                out->name, w->points.n, 100 * q.held_error_frac, out->measure);
    out->fitted = true;
    out->new_error_frac = error_of(w, form);
    out->held_error_frac = q.held_error_frac;
    return true;
}

/* What one of them leaves out, as other programs do, is no difference. */
static bool agree(double a, double b)
{
    return a <= 0 || b <= 0 || fabs(a - b) <= 0;
}

static bool is_same_device(const p3d_machine *a, const p3d_machine *b)
{
    return strcmp(a->name, b->name) == 0 &&
           agree((double)a->n_sms, (double)b->n_sms) &&
           agree((double)a->memory_bytes, (double)b->memory_bytes) &&
           agree(a->power_limit_w, b->power_limit_w);
}

static bool fail_devices(
        const p3d_machine *a, const p3d_machine *b, p3d_error *err)
{
    return p3d_fail(err, P3D_DATA,
            "files of two devices: '%.90s' of %lld SMs at %g W, and '%.90s' of "
            "%lld SMs at %g W; calibrate each by itself",
            a->name, (long long)a->n_sms, a->power_limit_w, b->name,
            (long long)b->n_sms, b->power_limit_w);
}

static bool check_devices(const p3d_measurements *files, int n, p3d_error *err)
{
    for (int i = 1; i < n; i++) {
        for (int k = 0; k < i; k++) {
            if (!is_same_device(&files[k].machine, &files[i].machine))
                return fail_devices(&files[k].machine, &files[i].machine, err);
        }
    }
    return true;
}

/* GPUs without bf16 were measured in fp16; links of the usual node. */
static bool prepare(const p3d_gpu *gpu, work *out, p3d_error *err)
{
    out->gpu = *gpu;
    if (out->gpu.bf16_flop_per_s <= 0)
        out->gpu.bf16_flop_per_s = gpu->fp16_flop_per_s;
    if (!spec_node_load(gpu->node, &out->node, err) ||
            !spec_fabric_load(out->node.fabric, &out->fabric, err))
        return false;
    if (out->node.gpus_per_nvlink_domain <= 1)
        out->gpu.nvlink_bytes_per_s_one_way = 0;
    return true;
}

/* The first date that is known: that of the oldest of the points. */
static void describe(const p3d_gpu *gpu, const p3d_measurements *files, int n,
        p3d_calibration *out)
{
    const p3d_measurements *first = &files[0];

    for (int i = 1; i < n; i++) {
        if (files[i].date[0] != '\0' &&
                (first->date[0] == '\0' ||
                        strcmp(files[i].date, first->date) < 0))
            first = &files[i];
    }
    p3d_copy(out->basis, sizeof(out->basis), gpu->name);
    p3d_copy(out->device, sizeof(out->device), first->machine.name);
    p3d_copy(out->driver, sizeof(out->driver), first->machine.driver);
    p3d_copy(out->date, sizeof(out->date), first->date);
}

/* Of the collectives that were fitted, which share one error. */
static void average_error(const p3d_form_result *forms, p3d_calibration *out)
{
    double sum = 0;
    int n = 0;

    for (int i = P3D_FORM_ALL_REDUCE; i <= P3D_FORM_ALL_TO_ALL; i++) {
        sum += forms[i].held_error_frac;
        n += forms[i].fitted;
    }
    if (n > 0)
        out->collective_error_frac = sum / n;
}

/* What this GPU or its node has no constants for: fp8 without units for it, and
 * NVLink that goes from node to node, which is neither of the two networks. */
static bool is_of_another(const work *w, p3d_cost_form form)
{
    if (form == P3D_FORM_GEMM_FP8)
        return w->gpu.fp8_flop_per_s <= 0;
    return form >= P3D_FORM_NETWORK &&
           w->node.gpus_per_nvlink_domain > w->node.gpus_per_node;
}

static bool fit_forms(work *w, p3d_measured_kernel *points, p3d_calibrated *out,
        p3d_error *err)
{
    p3d_left_rows linked = {"collectives between nodes",
            "their NVLink goes from node to node", 0};

    w->points = (p3d_measured_kernels){.gpu = &w->gpu, .items = points};
    for (int form = 0; form < P3D_N_FORMS; form++) {
        find_points(w, (p3d_cost_form)form, points);
        if (is_of_another(w, (p3d_cost_form)form)) {
            linked.n_rows += form >= P3D_FORM_NETWORK ? w->points.n : 0;
            w->points.n = 0;
        }
        if (!try_form(w, (p3d_cost_form)form, &out->forms[form], err))
            return false;
        out->n_fitted += out->forms[form].fitted;
    }
    if (linked.n_rows > 0)
        out->left[out->n_left++] = linked;
    average_error(out->forms, w->constants);
    return true;
}

/* Room for the points of any form. */
static p3d_measured_kernel *allocate(const p3d_measurements *files, int n)
{
    size_t most = 1;

    for (int i = 0; i < n; i++)
        most += (size_t)(files[i].gemm.n + files[i].attention.n +
                         files[i].pass.n + files[i].collective.n);
    return calloc(most, sizeof(p3d_measured_kernel));
}

/* What somebody took the time to measure and no form describes. */
typedef struct unused {
    size_t rows; /* a p3d_rows of p3d_measurements */
    size_t row_size;
    bool (*holds)(const void *row); /* NULL = for all of them */
    const char *what;
    const char *why;
} unused;

/* What take_network() leaves. */
static bool is_other_between_nodes(const void *row)
{
    const p3d_collective_row *const r = row;
    p3d_measured_kernel point;

    return is_between_nodes(row) && r->bytes >= LEAST_MESSAGE_BYTES &&
           !take_network(row, P3D_FORM_NETWORK, &point) &&
           !take_network(row, P3D_FORM_NETWORK_ALL_TO_ALL, &point);
}

/* Of one rank nothing is expected: the file itself says so. */
static bool is_small(const void *row)
{
    const p3d_collective_row *const r = row;

    return r->n_ranks > 1 && r->bytes < LEAST_MESSAGE_BYTES;
}

static bool is_without_form(const void *row)
{
    const p3d_collective_row *const r = row;

    return r->n_nodes == 1 && r->n_ranks > 1 &&
           r->bytes >= LEAST_MESSAGE_BYTES && r->op > P3D_OP_ALL_TO_ALL;
}

#define UNUSED(rows, T, ...)                                     \
    {                                                            \
        offsetof(p3d_measurements, rows), sizeof(T), __VA_ARGS__ \
    }
static const unused unused_rows[] = {
        UNUSED(collective, p3d_collective_row, is_other_between_nodes,
                "other collectives between nodes",
                "several groups at once, or of an op without a form"),
        UNUSED(collective, p3d_collective_row, is_small,
                "collectives below 64 KiB", "training sends no smaller ones"),
        UNUSED(collective, p3d_collective_row, is_without_form,
                "broadcasts, sends and receives", "no form is fitted to them"),
        UNUSED(overlap, p3d_overlap_row, NULL,
                "products beside a collective or a copy",
                "what they slow each other by is not fitted"),
};

static void count_unused(const work *w, p3d_calibrated *out)
{
    for (int i = 0; i < P3D_COUNT_OF(unused_rows); i++) {
        const unused *const u = &unused_rows[i];
        p3d_left_rows *const left = &out->left[out->n_left];

        *left = (p3d_left_rows){u->what, u->why, 0};
        for (int f = 0; f < w->n_files; f++) {
            const p3d_rows *const from =
                    (const void *)((const char *)&w->files[f] + u->rows);

            for (int k = 0; k < from->n; k++)
                left->n_rows +=
                        u->holds == NULL || u->holds((const char *)from->items +
                                                     (size_t)k * u->row_size);
        }
        out->n_left += left->n_rows > 0;
    }
}

static bool is_given(const p3d_calibrate_options *o)
{
    return o != NULL && o->gpu != NULL && o->base != NULL && o->files != NULL &&
           o->n_files >= 1;
}

bool p3d_calibrate_some(
        const p3d_calibrate_options *o, p3d_calibrated *out, p3d_error *err)
{
    if (!is_given(o) || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_calibrated made = {.gpu = *o->gpu, .constants = *o->base};
    work w = {.constants = &made.constants,
            .files = o->files,
            .n_files = o->n_files};
    p3d_measured_kernel *points;
    bool ok;

    if (!check_devices(o->files, o->n_files, err) || !prepare(o->gpu, &w, err))
        return false;
    points = allocate(o->files, o->n_files);
    if (points == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = fit_forms(&w, points, &made, err);
    free(points);
    if (!ok)
        return false;
    count_unused(&w, &made);
    p3d_copy(made.base, sizeof(made.base), o->base->name);
    describe(o->gpu, o->files, o->n_files, &made.constants);
    *out = made;
    return true;
}

bool p3d_calibrate(
        const p3d_calibrate_options *o, p3d_calibrated *out, p3d_error *err)
{
    if (!is_given(o) || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_calibrated made;

    if (!p3d_calibrate_some(o, &made, err))
        return false;
    if (made.n_fitted == 0 && made.n_left > 0)
        return p3d_fail(err, P3D_DATA,
                "too few points for any form; %d %s are left out: %s; measure "
                "with '%s'",
                made.left[0].n_rows, made.left[0].what, made.left[0].why,
                made.forms[P3D_FORM_ALL_REDUCE].measure);
    if (made.n_fitted == 0)
        return p3d_fail(err, P3D_DATA,
                "too few points for any form: %d GEMMs of %d, %d "
                "memory passes of %d; measure with '%s'",
                made.forms[P3D_FORM_GEMM].n_points,
                made.forms[P3D_FORM_GEMM].n_least,
                made.forms[P3D_FORM_PASS].n_points,
                made.forms[P3D_FORM_PASS].n_least,
                made.forms[P3D_FORM_GEMM].measure);
    *out = made;
    return true;
}
