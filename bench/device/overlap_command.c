/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlap_command.c - plan3d-bench overlap: a product beside a collective or a
 * copy, and how much each slows the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "bench/device/comm.h"
#include "bench/device/gemm.h"
#include "bench/device/together.h"
#include "bench/host/ranks.h"
#include "bench/host/record.h"

/* Seconds that the one that is timed runs; the other runs longer, so that it is
 * there all the time. */
static const double WINDOW_S = 20e-3;
static const double LONGER = 3;

/* Runs that may wait on a stream: a device takes about a thousand launches,
 * then the host waits, and the other stream gets none. */
enum { MOST_QUEUED = 512 };

/* Something that runs on a stream of its own. */
typedef struct stream_of {
    bench_run *run;
    void *context;
    cudaStream_t stream;
    double run_s; /* of one run alone, on rank 0 */
    int64_t n;    /* runs that take a window */
} stream_of;

/* A copy between pinned memory and the device. */
typedef struct copy {
    char *host;
    char *device;
    int64_t bytes;
    enum cudaMemcpyKind kind;
} copy;

typedef struct overlap {
    bench_task *task;
    bench_gemm gemm;
    stream_of product;
    stream_of other;
    p3d_overlap_row row;
} overlap;

static bool run_copy(
        void *context, int64_t i, cudaStream_t stream, p3d_error *err)
{
    const copy *const c = context;
    const bool up = c->kind == cudaMemcpyHostToDevice;

    (void)i;
    return bench_cuda(
            cudaMemcpyAsync(up ? c->device : c->host, up ? c->host : c->device,
                    (size_t)c->bytes, c->kind, stream),
            "copy", err);
}

static bool enqueue(const stream_of *s, int64_t n, p3d_error *err)
{
    for (int64_t i = 0; i < n; i++)
        if (!s->run(s->context, i, s->stream, err))
            return false;
    return true;
}

/* Runs that outlast the window of the other. */
static int64_t runs_beside(const stream_of *timed, const stream_of *beside)
{
    const double window_s = (double)timed->n * timed->run_s;

    return (int64_t)fmin(
            MOST_QUEUED, ceil(LONGER * window_s / fmax(beside->run_s, 1e-6)));
}

/* Seconds of one run of `timed`, with `beside` on the other stream, or NULL. */
static bool time_pair(overlap *o, const stream_of *timed,
        const stream_of *beside, double *out, p3d_error *err)
{
    const bench_device *const d = o->task->device;
    float ms = 0;

    bench_watchdog(o->task->args->timeout_s);
    if (!bench_net_barrier(o->task->net, err) ||
            (beside != NULL &&
                    !enqueue(beside, runs_beside(timed, beside), err)) ||
            !bench_cuda(
                    cudaEventRecord(d->begin, timed->stream), "timing", err) ||
            !enqueue(timed, timed->n, err) ||
            !bench_cuda(
                    cudaEventRecord(d->end, timed->stream), "timing", err) ||
            !bench_wait(d, timed->stream, "running", err) ||
            !bench_cuda(cudaEventElapsedTime(&ms, d->begin, d->end), "timing",
                    err) ||
            (beside != NULL && !bench_wait(d, beside->stream, "running", err)))
        return false;
    *out = 1e-3 * (double)ms / (double)timed->n;
    return true;
}

/* Seconds of one run, those of rank 0 on all ranks. */
static bool find_run(overlap *o, stream_of *s, p3d_error *err)
{
    s->n = 3;
    return time_pair(o, s, NULL, &s->run_s, err) &&
           time_pair(o, s, NULL, &s->run_s, err) &&
           bench_net_broadcast(o->task->net, &s->run_s, sizeof(s->run_s), err);
}

/* Runs that fill a window, which is shorter where one of the two would queue
 * too many. */
static bool find_runs(overlap *o, p3d_error *err)
{
    stream_of *const both[] = {&o->product, &o->other};
    double window_s = WINDOW_S;

    for (int i = 0; i < 2; i++) {
        if (!find_run(o, both[i], err))
            return false;
        window_s = fmin(window_s, MOST_QUEUED / LONGER * both[i]->run_s);
    }
    for (int i = 0; i < 2; i++)
        both[i]->n =
                (int64_t)fmax(1, floor(window_s / fmax(both[i]->run_s, 1e-9)));
    for (int i = 0; i < 2; i++)
        if (LONGER * (double)both[i]->n * both[i]->run_s >
                1.01 * MOST_QUEUED * both[1 - i]->run_s)
            bench_note(o->task->record, "some runs were too short to last "
                                        "beside the other");
    return true;
}

/* The medians over samples of the four times. They take turns, and each product
 * that is timed follows a rest from products: else those alone run into the
 * power limit and look slower than those beside a long copy. */
static bool time_medians(overlap *o, p3d_error *err)
{
    double rest_s = 0;
    const struct {
        const stream_of *timed, *beside;
        double *out;
    } times[] = {
            {&o->other, NULL, &rest_s},
            {&o->product, NULL, &o->row.gemm_alone_s},
            {&o->other, NULL, &o->row.other_alone_s},
            {&o->product, &o->other, &o->row.gemm_beside_s},
            {&o->other, &o->product, &o->row.other_beside_s},
    };
    enum { N_TIMES = P3D_COUNT_OF(times) };
    const int n = (int)o->task->args->n_samples;
    double *const samples = calloc((size_t)n * N_TIMES, sizeof(*samples));
    bool ok = samples != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    for (int i = 0; i < n * N_TIMES && ok; i++) {
        const int k = i % N_TIMES;

        ok = time_pair(o, times[k].timed, times[k].beside,
                &samples[n * k + i / N_TIMES], err);
    }
    for (int k = 0; k < N_TIMES && ok; k++)
        *times[k].out = bench_timing(samples + n * k, n).median_s;
    free(samples);
    return ok;
}

static bool measure_pair(overlap *o, p3d_error *err)
{
    p3d_overlap_row *const row = &o->row;

    if (!find_runs(o, err) || !time_medians(o, err))
        return false;
    bench_watchdog(0);
    if (o->task->launch->rank > 0)
        return true;
    bench_add(
            o->task->record, &o->task->record->file.overlap, sizeof(*row), row);
    bench_say("%-14s %12lld B: product %+6.1f %%, it %+6.1f %%",
            p3d_measured_op_words[row->op], (long long)row->bytes,
            100 * (row->gemm_beside_s / row->gemm_alone_s - 1),
            100 * (row->other_beside_s / row->other_alone_s - 1));
    return true;
}

static bool beside_collective(
        overlap *o, ncclComm_t world, int op, p3d_error *err)
{
    const bench_launch *const launch = o->task->launch;
    const int64_t count =
            o->task->args->max_bytes / 4 / launch->n_ranks * launch->n_ranks;
    bench_collective c = {.op = op,
            .comm = world,
            .rank = launch->rank,
            .n_ranks = launch->n_ranks,
            .count = count < launch->n_ranks ? launch->n_ranks : count};
    bool ok = bench_device_allocate(
                      (void **)&c.send, 4 * c.count, "what is sent", err) &&
              bench_device_allocate((void **)&c.receive, 4 * c.count,
                      "what is received", err);

    o->other.run = bench_collective_run;
    o->other.context = &c;
    o->row.op = op;
    o->row.bytes = 4 * c.count;
    o->row.n_ranks = launch->n_ranks;
    ok = ok && measure_pair(o, err);
    cudaFree(c.send);
    cudaFree(c.receive);
    return ok;
}

static bool beside_copy(overlap *o, int op, p3d_error *err)
{
    copy c = {.bytes = o->task->args->max_bytes,
            .kind = op == P3D_OP_COPY_H2D ? cudaMemcpyHostToDevice
                                          : cudaMemcpyDeviceToHost};
    bool ok = bench_cuda(cudaHostAlloc((void **)&c.host, (size_t)c.bytes,
                                 cudaHostAllocDefault),
                      "pinned host memory", err) &&
              bench_device_allocate((void **)&c.device, c.bytes, "copy", err);

    o->other.run = run_copy;
    o->other.context = &c;
    o->row.op = op;
    o->row.bytes = c.bytes;
    o->row.n_ranks = 1;
    ok = ok && measure_pair(o, err);
    cudaFreeHost(c.host);
    cudaFree(c.device);
    return ok;
}

/* One rank has no link: only copies run beside its products. */
static bool beside_all(overlap *o, ncclComm_t world, p3d_error *err)
{
    static const int collectives[] = {P3D_OP_ALL_REDUCE, P3D_OP_ALL_GATHER,
            P3D_OP_REDUCE_SCATTER, P3D_OP_ALL_TO_ALL, P3D_OP_SEND_RECV};

    for (int i = 0; world != NULL && i < P3D_COUNT_OF(collectives); i++)
        if (!beside_collective(o, world, collectives[i], err))
            return false;
    return beside_copy(o, P3D_OP_COPY_H2D, err) &&
           beside_copy(o, P3D_OP_COPY_D2H, err);
}

/* A product without a kernel here, or too large, is left out by all ranks. */
static bool measure_product(overlap *o, ncclComm_t world,
        const bench_gemm_spec *spec, p3d_error *err)
{
    const char *const refusal = bench_gemm_refusal(o->task->device, spec);
    p3d_error cause = {0};
    bench_verdict all;
    bool ok = refusal == NULL || p3d_fail(&cause, P3D_DATA, "%s", refusal);

    o->row = (p3d_overlap_row){
            .dtype = spec->dtype, .m = spec->m, .n = spec->n, .k = spec->k};
    ok = ok && bench_gemm_open(o->task->device, spec, &o->gemm, &cause);
    o->product = (stream_of){.run = bench_gemm_run,
            .context = &o->gemm,
            .stream = o->task->device->stream};
    if (!bench_agree(o->task, bench_verdict_of(ok, &cause), &all, err)) {
        ok = false;
    } else if (all == BENCH_DONE) {
        ok = beside_all(o, world, err);
    } else if (all == BENCH_LEFT_OUT) {
        bench_say("left out %s: %s", p3d_number_words[spec->dtype],
                ok ? "another rank cannot run it" : cause.text);
        bench_note(o->task->record, "some products were left out");
        ok = true;
    } else {
        ok = p3d_fail(err, ok ? P3D_DEVICE : cause.code, "%s",
                ok ? "a product failed on another rank" : cause.text);
    }
    bench_gemm_close(&o->gemm);
    return ok;
}

/* The largest single product of a plan. */
static bool measure_request(overlap *o, ncclComm_t world, p3d_error *err)
{
    const p3d_request_gemm *const rows = o->task->request->gemm.items;
    bench_gemm_spec spec = {.m = 0};

    for (int i = 0; i < o->task->request->gemm.n; i++) {
        const double flop =
                (double)rows[i].m * (double)rows[i].n * (double)rows[i].k;

        if (flop > (double)spec.m * (double)spec.n * (double)spec.k)
            spec = (bench_gemm_spec){.dtype = rows[i].dtype,
                    .layout = rows[i].layout,
                    .how = P3D_GEMM_SINGLE,
                    .m = rows[i].m,
                    .n = rows[i].n,
                    .k = rows[i].k,
                    .count = 1};
    }
    return spec.m > 0 ? measure_product(o, world, &spec, err)
                      : p3d_fail(err, P3D_DATA, "%.200s lists no GEMM",
                                o->task->args->request);
}

/* A product like those of a layer, in each type that was asked for. */
static bool measure_common(overlap *o, ncclComm_t world, p3d_error *err)
{
    bench_gemm_spec spec = {.layout = P3D_LAYOUT_FORWARD,
            .how = P3D_GEMM_SINGLE,
            .m = 4096,
            .n = 8192,
            .k = 8192,
            .count = 1};

    for (spec.dtype = 0; spec.dtype < P3D_N_NUMBERS; spec.dtype++)
        if ((o->task->args->numbers >> spec.dtype & 1) != 0 &&
                !measure_product(o, world, &spec, err))
            return false;
    return true;
}

/* One queue for all streams runs them in the order of their launches: what lies
 * behind hundreds of others would be timed with them. */
static bool check_queues(p3d_error *err)
{
    const char *const queues = getenv("CUDA_DEVICE_MAX_CONNECTIONS");

    return queues == NULL || strcmp(queues, "1") != 0 ||
           p3d_fail(err, P3D_DATA,
                   "CUDA_DEVICE_MAX_CONNECTIONS=1 puts all streams in one "
                   "queue, in which nothing overlaps as it does in training; "
                   "unset it");
}

bool bench_overlap_command(bench_task *task, p3d_error *err)
{
    overlap o = {.task = task};
    ncclComm_t world = NULL;
    bool ok;

    if (!check_queues(err))
        return false;

    bench_watchdog(task->args->timeout_s);
    ok = bench_cuda(cudaStreamCreateWithFlags(
                            &o.other.stream, cudaStreamNonBlocking),
                 "making a stream", err) &&
         (task->launch->n_ranks == 1 || bench_comm_open(task, &world, err));
    bench_comm_guard(task->device, world);
    ok = ok && (task->request != NULL ? measure_request(&o, world, err)
                                      : measure_common(&o, world, err));
    bench_comm_guard(task->device, NULL);
    if (task->launch->n_ranks == 1)
        bench_note(task->record, "one rank: no link was measured");
    bench_comm_close(world, ok);
    bench_watchdog(0);
    if (o.other.stream != NULL)
        cudaStreamDestroy(o.other.stream);
    return ok;
}
