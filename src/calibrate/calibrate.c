/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.c - the constants of a machine, form by form, from those rows of
 * its measurements that a form is fitted to. */
#include "plan3d/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "calibrate/forms.h"
#include "spec/hardware.h"

/* Three times the worst error of a fit to published kernels
 * (docs/calibration.md): such points are of something else. */
static const double WORST_HELD_ERROR_FRAC = 0.5;

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
    const calibrate_family *family;
    bool single; /* a point tells it: nothing is searched for */
} rows[P3D_N_FORMS] = {
        [P3D_FORM_GEMM] = {"GEMMs, 16 bit",
                "plan3d-bench gemm --points 48 -o gemm.json", 3,
                &calibrate_products, false},
        [P3D_FORM_GEMM_FP8] = {"GEMMs, fp8",
                "plan3d-bench gemm --dtype fp8 --points 48 -o fp8.json", 3,
                &calibrate_products, false},
        [P3D_FORM_ATTENTION] = {"attention, forward",
                "plan3d-bench attention -o attention.json", 4, &calibrate_cores,
                false},
        [P3D_FORM_ATTENTION_BACKWARD] = {"attention, backward",
                "plan3d-bench attention -o attention.json", 4, &calibrate_cores,
                false},
        [P3D_FORM_PASS] = {"memory passes",
                "plan3d-bench memory -o memory.json", 2, &calibrate_passes,
                false},
        [P3D_FORM_ALL_REDUCE] = {"all-reduce in a node", NCCL, 4,
                &calibrate_collectives, false},
        [P3D_FORM_ALL_GATHER] = {"all-gather in a node", NCCL, 4,
                &calibrate_collectives, false},
        [P3D_FORM_REDUCE_SCATTER] = {"reduce-scatter in a node", NCCL, 4,
                &calibrate_collectives, false},
        [P3D_FORM_ALL_TO_ALL] = {"all-to-all in a node", NCCL, 4,
                &calibrate_collectives, false},
        [P3D_FORM_NETWORK] = {"collectives between nodes", NCCL_NODES, 4,
                &calibrate_networks, false},
        [P3D_FORM_NETWORK_ALL_TO_ALL] = {"all-to-all between nodes", NCCL_NODES,
                1, &calibrate_networks, false},
        [P3D_FORM_OVERLAP] = {"products beside collectives",
                "plan3d-bench overlap --gpus 8 --max 256MiB -o overlap.json", 1,
                &calibrate_overlaps, true},
        [P3D_FORM_COPY] = {"copies to and from the host",
                "plan3d-bench memory -o memory.json", 1, &calibrate_copies,
                true},
        [P3D_FORM_CPU_ADAM] = {"optimizer on the host",
                "plan3d-bench memory -o memory.json", 1, &calibrate_updates,
                true},
};
enum { N_TILE_CONSTANTS = 8 };

static int least_points(p3d_cost_form form, bool tile_wave)
{
    const int n = form == P3D_FORM_GEMM && tile_wave ? N_TILE_CONSTANTS
                                                     : rows[form].n_constants;

    if (rows[form].single)
        return 2 * n;
    return 2 * n > P3D_LEAST_MEASURED ? 2 * n : P3D_LEAST_MEASURED;
}

/* Append the points of a form that a file has. @return how many */
static int points_of(const calibrate_work *w, const p3d_measurements *file,
        p3d_cost_form form, p3d_measured_kernel *out)
{
    const calibrate_family *const f = rows[form].family;
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
        calibrate_work *w, p3d_cost_form form, p3d_measured_kernel *points)
{
    w->points.n = 0;
    for (int i = 0; i < w->n_files; i++)
        w->points.n += points_of(w, &w->files[i], form, points + w->points.n);
}

/* All points of a form. Those of trainings, under the power limit, count where
 * no file has bursts. */
static void find_points(
        calibrate_work *w, p3d_cost_form form, p3d_measured_kernel *points)
{
    w->limited = false;
    list_points(w, form, points);
    if (w->points.n == 0 && rows[form].family->take_limited != NULL) {
        w->limited = true;
        list_points(w, form, points);
    }
}

p3d_cluster calibrate_cluster_of(
        const calibrate_work *w, const p3d_calibration *constants)
{
    return (p3d_cluster){.gpu = w->gpu,
            .node = w->node,
            .fabric = w->fabric,
            .calibration = *constants};
}

/* Mean error of the constants as they are now. */
static double error_of(const calibrate_work *w, p3d_cost_form form)
{
    p3d_cluster cluster = calibrate_cluster_of(w, w->constants);
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

static bool try_form(const calibrate_work *w, p3d_cost_form form,
        p3d_form_result *out, p3d_error *err)
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
static bool prepare(const p3d_gpu *gpu, calibrate_work *out, p3d_error *err)
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

static bool is_of_network(p3d_cost_form form)
{
    return form == P3D_FORM_NETWORK || form == P3D_FORM_NETWORK_ALL_TO_ALL;
}

/* What this GPU or its node has no constants for: fp8 without units for it, and
 * NVLink that goes from node to node, which is neither of the two networks. */
static bool is_of_another(const calibrate_work *w, p3d_cost_form form)
{
    if (form == P3D_FORM_GEMM_FP8)
        return w->gpu.fp8_flop_per_s <= 0;
    return is_of_network(form) &&
           w->node.gpus_per_nvlink_domain > w->node.gpus_per_node;
}

static bool fit_forms(calibrate_work *w, p3d_measured_kernel *points,
        p3d_calibrated *out, p3d_error *err)
{
    p3d_left_rows linked = {"collectives between nodes",
            "their NVLink goes from node to node", 0};

    w->points = (p3d_measured_kernels){.gpu = &w->gpu, .items = points};
    for (int form = 0; form < P3D_N_FORMS; form++) {
        find_points(w, (p3d_cost_form)form, points);
        if (is_of_another(w, (p3d_cost_form)form)) {
            linked.n_rows +=
                    is_of_network((p3d_cost_form)form) ? w->points.n : 0;
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
                         files[i].pass.n + files[i].copy.n + files[i].host.n +
                         files[i].collective.n + files[i].overlap.n);
    return calloc(most, sizeof(p3d_measured_kernel));
}

/* What somebody took the time to measure and no form describes. */
typedef struct unused {
    size_t rows; /* a p3d_rows of p3d_measurements */
    size_t row_size;
    bool (*holds)(const void *row);
    const char *what;
    const char *why;
} unused;

static bool is_taken(
        const calibrate_family *family, const void *row, p3d_cost_form form)
{
    p3d_measured_kernel point;

    return family->take(row, form, &point);
}

static bool is_other_between_nodes(const void *row)
{
    const calibrate_family *const f = &calibrate_networks;
    const p3d_collective_row *const r = row;

    return r->n_nodes > 1 && r->bytes >= CALIBRATE_LEAST_MESSAGE_BYTES &&
           !is_taken(f, row, P3D_FORM_NETWORK) &&
           !is_taken(f, row, P3D_FORM_NETWORK_ALL_TO_ALL);
}

/* Of one rank nothing is expected: the file itself says so. */
static bool is_small(const void *row)
{
    const p3d_collective_row *const r = row;

    return r->n_ranks > 1 && r->bytes < CALIBRATE_LEAST_MESSAGE_BYTES;
}

static bool is_without_form(const void *row)
{
    const p3d_collective_row *const r = row;

    return r->n_nodes == 1 && r->n_ranks > 1 &&
           r->bytes >= CALIBRATE_LEAST_MESSAGE_BYTES &&
           r->op > P3D_OP_ALL_TO_ALL;
}

static bool is_beside_another(const void *row)
{
    return !is_taken(&calibrate_overlaps, row, P3D_FORM_OVERLAP);
}

static bool is_other_copy(const void *row)
{
    return !is_taken(&calibrate_copies, row, P3D_FORM_COPY);
}

static bool is_of_unknown_gpus(const void *row)
{
    const p3d_host_row *const r = row;

    return r->kernel == P3D_HOST_ADAM && r->n_gpus == 0;
}

static bool is_other_of_host(const void *row)
{
    const p3d_host_row *const r = row;

    return r->kernel != P3D_HOST_ADAM;
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
        UNUSED(overlap, p3d_overlap_row, is_beside_another,
                "products beside copies, sends and receives",
                "no form has what these take of a GPU"),
        UNUSED(copy, p3d_copy_row, is_other_copy,
                "copies below 1 MiB, or both ways at once",
                "offloading copies large buffers one way at a time"),
        UNUSED(host, p3d_host_row, is_of_unknown_gpus, "runs of CPU Adam",
                "the file does not say how many GPUs share the host"),
        UNUSED(host, p3d_host_row, is_other_of_host,
                "reads and copies of host memory",
                "the rate of Adam itself counts"),
};

static void count_unused(const calibrate_work *w, p3d_calibrated *out)
{
    for (int i = 0; i < P3D_COUNT_OF(unused_rows); i++) {
        const unused *const u = &unused_rows[i];
        p3d_left_rows *const left = &out->left[out->n_left];

        *left = (p3d_left_rows){u->what, u->why, 0};
        for (int f = 0; f < w->n_files; f++) {
            const p3d_rows *const from =
                    (const void *)((const char *)&w->files[f] + u->rows);

            for (int k = 0; k < from->n; k++)
                left->n_rows += u->holds(
                        (const char *)from->items + (size_t)k * u->row_size);
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
    calibrate_work w = {.constants = &made.constants,
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
