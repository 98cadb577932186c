/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nsys.c - reads an export of Nsight Systems: kernels, copies, who launched
 * them, and steps by ranges of NVTX.
 *
 * A report may be of several processes and GPUs. The numbers that tie a kernel
 * to its launch are those of one process.
 *
 * Source: NVIDIA, "SQLite Export Schema Reference" and "Common SQLite examples"
 * (Nsight Systems 2021.5 and 2025, docs.nvidia.com/nsight-systems): tables are
 * there where something was recorded; a global id holds the process from its
 * 24th bit on. */
#include "exchange/trace/nsys.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/sqlite.h"
#include "base/utf8.h"
#include "base/util.h"
#include "exchange/trace/trace.h"

enum { PROCESS_SHIFT = 24, MOST_GPUS = 1 << 20 };

/* What a name stands for, which kernels and ranges give by its number. */
typedef struct named {
    int64_t id;
    int kind;   /* p3d_traced of a kernel */
    int layout; /* of a product */
    bool tf32;
    int mark; /* of a step: place in `marks`; -1 = none */
} named;

typedef struct export
{
    trace_events events;
    p3d_rows names;  /* of named, by id */
    int64_t process; /* of the GPU that is kept; -1 = not known */
    int64_t n_graphs;
    int mark; /* by which steps are told; the first in `marks` counts */
}
export;

/* Ranges that are a step: one of these words and its number. The first is
 * PyTorch's, the others are what programs in public repositories write. */
static const char *const marks[] = {"profilerstep", "train_step",
        "training_step", "train step", "training step", "global_step",
        "iteration", "iter", "step"};

static bool begins_with(json_slice name, const char *word)
{
    size_t i = 0;

    while (i < name.n && word[i] != '\0' && p3d_lower(name.text[i]) == word[i])
        i++;
    return word[i] == '\0';
}

/* Does a number follow, behind what may stand between? */
static bool has_number(json_slice name, size_t at)
{
    while (at < name.n && strchr(" _#:-[=", name.text[at]) != NULL)
        at++;
    return at < name.n && p3d_is_digit(name.text[at]);
}

static int mark_of(json_slice name)
{
    for (int i = 0; i < P3D_COUNT_OF(marks); i++)
        if (begins_with(name, marks[i]) && has_number(name, strlen(marks[i])))
            return i;
    return -1;
}

static int64_t whole(const p3d_sqlite_value *v, int64_t otherwise)
{
    return v->type == P3D_SQLITE_WHOLE ? v->whole : otherwise;
}

static json_slice text(const p3d_sqlite_value *v)
{
    return v->type == P3D_SQLITE_TEXT ? (json_slice){v->text, v->n}
                                      : (json_slice){"", 0};
}

/* Names. */

static bool take_name(void *to, const p3d_sqlite_value *v, p3d_error *err)
{
    export *const e = to;
    const json_slice name = text(&v[1]);
    const named n = {.id = whole(&v[0], -1),
            .kind = (int)trace_kind_of(name),
            .layout = trace_layout_of(name),
            .tf32 = trace_is_tf32(name),
            .mark = mark_of(name)};

    return e->names.n == INT32_MAX ||
           p3d_rows_add(&e->names, sizeof(n), &n, err);
}

static int compare_names(const void *a, const void *b)
{
    const named *const x = a, *const y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static const named *find_name(const export *e, int64_t id)
{
    static const named unknown = {
            .kind = P3D_TRACED_PASS, .layout = -1, .mark = -1};
    const named key = {.id = id};
    const named *const found =
            e->names.n == 0 ? NULL
                            : bsearch(&key, e->names.items, (size_t)e->names.n,
                                      sizeof(key), compare_names);

    return found != NULL ? found : &unknown;
}

/* What ran on the GPU. */

/* Columns of all tables of what ran; behind them what tells its kind. */
#define RAN "start", "end", "deviceId", "globalPid", "correlationId"
enum { START, END, DEVICE, PROCESS, CORRELATION, WHAT };

/* Is it of the GPU that is kept, which is that of the first kernel? */
static bool is_kept(export *e, const p3d_sqlite_value *v)
{
    const int64_t pid = whole(&v[PROCESS], -1);
    const int64_t process = pid < 0 ? -1 : pid >> PROCESS_SHIFT;
    const int64_t device = whole(&v[DEVICE], 0);

    if (e->events.kernels.n == 0) {
        e->process = process;
        e->events.device = device;
    }
    return process == e->process && device == e->events.device;
}

static bool add(
        export *e, const p3d_sqlite_value *v, const named *n, p3d_error *err)
{
    const trace_kernel k = {.start_ns = whole(&v[START], -1),
            .end_ns = whole(&v[END], -1),
            .correlation = whole(&v[CORRELATION], -1),
            .kind = n->kind,
            .layout = n->kind == P3D_TRACED_GEMM ? n->layout : -1,
            .tf32 = n->kind == P3D_TRACED_GEMM && n->tf32,
            .message = -1,
            .op = -1,
            .step = -1};

    if (k.start_ns < 0 || k.end_ns < k.start_ns || k.end_ns >= INT64_MAX / 4)
        return true;
    if (!is_kept(e, v) || e->events.kernels.n == INT32_MAX) {
        e->events.n_elsewhere++;
        return true;
    }
    return p3d_rows_add(&e->events.kernels, sizeof(k), &k, err);
}

static bool take_kernel(void *to, const p3d_sqlite_value *v, p3d_error *err)
{
    export *const e = to;
    const int64_t id = whole(&v[WHAT], whole(&v[WHAT + 1], -1));

    return add(e, v, find_name(e, id), err);
}

/* Copies by their kind, with the names that PyTorch's profiler gives them.
 * Source: CUPTI, CUpti_ActivityMemcpyKind; 11 and 12 are of unified memory. */
static bool take_copy(void *to, const p3d_sqlite_value *v, p3d_error *err)
{
    static const char *const names[] = {[1] = "Memcpy HtoD",
            [2] = "Memcpy DtoH",
            [3] = "Memcpy HtoA",
            [10] = "Memcpy PtoP",
            [11] = "Memcpy HtoD",
            [12] = "Memcpy DtoH"};
    const int64_t kind = whole(&v[WHAT], 0);
    const char *const name =
            P3D_HAS(names, kind) && names[kind] != NULL ? names[kind] : "";
    const named n = {
            .kind = (int)trace_kind_of((json_slice){name, strlen(name)}),
            .layout = -1};

    return add(to, v, &n, err);
}

static bool take_set(void *to, const p3d_sqlite_value *v, p3d_error *err)
{
    return add(to, v, find_name(to, -1), err);
}

static bool take_graph(void *to, const p3d_sqlite_value *v, p3d_error *err)
{
    export *const e = to;

    (void)err;
    e->n_graphs += is_kept(e, v);
    return true;
}

/* The host. */

static bool is_of_process(const export *e, const p3d_sqlite_value *thread)
{
    return e->process < 0 || thread->type != P3D_SQLITE_WHOLE ||
           thread->whole >> PROCESS_SHIFT == e->process;
}

static bool take_launch(void *to, const p3d_sqlite_value *v, p3d_error *err)
{
    export *const e = to;
    const trace_launch l = {.correlation = whole(&v[1], -1),
            .at_ns = whole(&v[0], -1),
            .thread = (uint64_t)whole(&v[2], 0)};

    return l.correlation < 0 || l.at_ns < 0 || !is_of_process(e, &v[2]) ||
           e->events.launches.n == INT32_MAX ||
           p3d_rows_add(&e->events.launches, sizeof(l), &l, err);
}

/* A range is named in place, or by the number of its name. */
static bool take_range(void *to, const p3d_sqlite_value *v, p3d_error *err)
{
    export *const e = to;
    const trace_step s = {whole(&v[0], -1), whole(&v[1], -1)};
    const int mark = v[2].type == P3D_SQLITE_TEXT
                             ? mark_of(text(&v[2]))
                             : find_name(e, whole(&v[3], -1))->mark;

    if (mark < 0 || mark > e->mark || s.start_ns < 0 || s.end_ns < s.start_ns ||
            s.end_ns >= INT64_MAX / 4 || !is_of_process(e, &v[4]) ||
            e->events.steps.n == INT32_MAX)
        return true;
    if (mark < e->mark)
        e->events.steps.n = 0;
    e->mark = mark;
    return p3d_rows_add(&e->events.steps, sizeof(s), &s, err);
}

/* The GPUs of the node: the first is like the others. */
static bool take_gpu(void *to, const p3d_sqlite_value *v, p3d_error *err)
{
    export *const e = to;
    p3d_machine *const m = &e->events.machine;
    char name[sizeof(m->name)];

    (void)err;
    if (e->events.n_devices++ > 0)
        return true;
    json_slice_copy(text(&v[0]), name, sizeof(name));
    p3d_show(m->name, sizeof(m->name), name);
    trace_set_device(m, (const int64_t[]){whole(&v[1], 0), whole(&v[2], 0),
                                whole(&v[3], 0), whole(&v[4], 0)});
    return true;
}

/* Tables, in the order in which one needs the other. */
static const p3d_sqlite_query tables[] = {
        {.table = "TARGET_INFO_GPU",
                .columns = {"name", "totalMemory", "smCount", "computeMajor",
                        "computeMinor"},
                .take = take_gpu},
        {.table = "StringIds", .columns = {"id", "value"}, .take = take_name},
        {.table = "CUPTI_ACTIVITY_KIND_KERNEL",
                .columns = {RAN, "demangledName", "shortName"},
                .take = take_kernel},
        {.table = "CUPTI_ACTIVITY_KIND_MEMCPY",
                .columns = {RAN, "copyKind"},
                .take = take_copy},
        {.table = "CUPTI_ACTIVITY_KIND_MEMSET",
                .columns = {RAN},
                .take = take_set},
        {.table = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                .columns = {RAN},
                .take = take_graph},
        {.table = "CUPTI_ACTIVITY_KIND_RUNTIME",
                .columns = {"start", "correlationId", "globalTid"},
                .take = take_launch},
        {.table = "NVTX_EVENTS",
                .columns = {"start", "end", "text", "textId", "globalTid"},
                .take = take_range},
};

static bool read_tables(const char *path, export *e, p3d_error *err)
{
    p3d_sqlite *const db = p3d_sqlite_open(path, err);
    bool ok = db != NULL;

    for (int i = 0; ok && i < P3D_COUNT_OF(tables); i++) {
        p3d_sqlite_query query = tables[i];

        query.to = e;
        ok = p3d_sqlite_rows(db, &query, err);
        if (query.take == take_name && e->names.n > 1)
            qsort(e->names.items, (size_t)e->names.n, sizeof(named),
                    compare_names);
    }
    p3d_sqlite_close(db);
    return ok;
}

bool exchange_nsys_read(const char *path, p3d_trace *out, p3d_error *err)
{
    export e = {
            .events = {.rank = -1}, .process = -1, .mark = P3D_COUNT_OF(marks)};
    bool ok = read_tables(path, &e, err);

    if (ok && e.events.kernels.n == 0)
        ok = p3d_fail(err, P3D_DATA,
                "no kernel of a GPU is in this export; record with 'nsys "
                "profile --trace=cuda,nvtx'");
    ok = ok && trace_finish(&e.events, "Nsight Systems", out, err);
    out->n_graphs = e.n_graphs;
    free(e.names.items);
    trace_events_free(&e.events);
    return ok;
}
