/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.c - reads the events of a trace: what ran on the GPU, who launched it,
 * collectives as the host asked for them, and steps.
 *
 * Source: pytorch/kineto@114171d libkineto/src/output_json.cpp; in traces from
 * before 2022 categories are "Kernel", "Operator", "Runtime". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "base/util.h"
#include "exchange/trace/trace.h"

/* A microsecond, in which traces are written. */
enum { NS_PER_US = 1000, MOST_RANKS_LISTED = 1 << 20 };

/* An event as it is written. */
typedef struct event {
    json_slice kind, name, args;
    int64_t start_ns, end_ns;
    uint64_t thread;
    bool spans; /* it has a beginning and an end */
} event;

void trace_events_free(trace_events *events)
{
    free(events->kernels.items);
    free(events->launches.items);
    free(events->ops.items);
    free(events->messages.items);
    free(events->steps.items);
    *events = (trace_events){.rank = -1};
}

static const uint64_t HASH_BEGIN = 0xcbf29ce484222325U;

/* A number for a thread, which is a number or a word. FNV-1a (draft-eastlake-
 * fnv). */
static uint64_t number_of(json_slice word, uint64_t from)
{
    const json_slice inside = json_slice_inside(word);

    for (size_t i = 0; i < inside.n; i++)
        from = (from ^ (unsigned char)inside.text[i]) * 0x100000001b3U;
    return from;
}

static event read_event(json_slice value)
{
    json_walk walk = json_walk_into(value);
    json_slice key, v, process = {"", 0};
    event e = {.start_ns = 0};
    int64_t length_ns = -1;

    while (json_walk_member(&walk, &key, &v)) {
        if (json_slice_is(key, "ph"))
            e.spans = json_slice_is(json_slice_inside(v), "X");
        else if (json_slice_is(key, "cat"))
            e.kind = json_slice_inside(v);
        else if (json_slice_is(key, "name"))
            e.name = json_slice_inside(v);
        else if (json_slice_is(key, "ts"))
            e.start_ns = json_slice_whole(v, NS_PER_US, -1);
        else if (json_slice_is(key, "dur"))
            length_ns = json_slice_whole(v, NS_PER_US, -1);
        else if (json_slice_is(key, "pid"))
            process = v;
        else if (json_slice_is(key, "tid"))
            e.thread = number_of(v, HASH_BEGIN);
        else if (json_slice_is(key, "args"))
            e.args = v;
    }
    e.thread = number_of(process, e.thread);
    e.spans = e.spans && e.start_ns >= 0 && length_ns >= 0 &&
              e.start_ns < INT64_MAX / 4 && length_ns < INT64_MAX / 4;
    e.end_ns = e.start_ns + (length_ns > 0 ? length_ns : 0);
    return e;
}

/* Collectives. */

/* Nodes that the ranks of a group are on, where the profiler lists ranks and
 * GPUs; 0 = it does not, or shows each process one GPU. The list is a string:
 * "[0, 1]", and in large jobs "[0, 1, ..., 7]". */
static int64_t nodes_of(
        const trace_events *to, json_slice ranks, int64_t n_ranks)
{
    const json_slice list = json_slice_inside(ranks);
    json_walk walk = json_walk_into(list);
    json_slice value;
    int64_t n = 0, n_listed = 0, before = -1;

    if (to->n_devices < 2 || n_ranks > MOST_RANKS_LISTED)
        return 0;
    while (json_walk_element(&walk, &value)) {
        const int64_t rank = json_slice_whole(value, 1, -1);
        const int64_t node = rank / to->n_devices;

        if (rank < 0)
            return 0;
        n += node != before;
        before = node;
        n_listed++;
    }
    return n_listed == n_ranks ? n : 0;
}

/* What the arguments of a collective say. @return place; -1 = nothing, or
 * memory ran out (*ok is false) */
static int add_message(
        trace_events *to, json_slice args, bool *ok, p3d_error *err)
{
    const json_slice word = trace_find(args, "Collective name");
    const int64_t in =
            json_slice_whole(trace_find(args, "In msg nelems"), 1, 0);
    const int64_t out =
            json_slice_whole(trace_find(args, "Out msg nelems"), 1, 0);
    const int size = trace_type_bytes(trace_find(args, "dtype"));
    const json_slice ranks = trace_find(args, "Process Group Ranks");
    trace_message m = {.op = trace_op_of(json_slice_inside(word)),
            .n_ranks = json_slice_whole(trace_find(args, "Group size"), 1, 0)};

    *ok = true;
    if (word.n == 0)
        return -1;
    if (in >= 0 && out >= 0)
        m.bytes = p3d_mul(in > out ? in : out, size);
    if (m.n_ranks < 0)
        m.n_ranks = 0;
    m.n_nodes = nodes_of(to, ranks, m.n_ranks);
    if (ranks.n > 0)
        m.group = number_of(ranks, HASH_BEGIN);
    *ok = p3d_rows_add(&to->messages, sizeof(m), &m, err);
    return *ok ? to->messages.n - 1 : -1;
}

static bool is_communication(int kind)
{
    return kind >= P3D_TRACED_ALL_REDUCE && kind <= P3D_TRACED_SEND_RECV;
}

/* Kernels, copies, and what sets memory. */

static bool take_kernel(trace_events *to, const event *e, p3d_error *err)
{
    const int64_t device =
            json_slice_whole(trace_find(e->args, "device"), 1, 0);
    trace_kernel k = {.start_ns = e->start_ns,
            .end_ns = e->end_ns,
            .correlation =
                    json_slice_whole(trace_find(e->args, "correlation"), 1, -1),
            .kind = (int)trace_kind_of(e->name),
            .layout = -1,
            .message = -1,
            .op = -1,
            .step = -1};
    bool ok = true;

    if (to->kernels.n == 0)
        to->device = device;
    if (device != to->device || to->kernels.n == INT32_MAX) {
        to->n_elsewhere++;
        return true;
    }
    if (k.kind == P3D_TRACED_GEMM) {
        k.layout = trace_layout_of(e->name);
        k.tf32 = trace_is_tf32(e->name);
    }
    if (is_communication(k.kind))
        k.message = add_message(to, e->args, &ok, err);
    if (k.message >= 0)
        k.kind = trace_kind_of_op(
                ((trace_message *)to->messages.items)[k.message].op, k.kind);
    return ok && p3d_rows_add(&to->kernels, sizeof(k), &k, err);
}

static bool take_launch(trace_events *to, const event *e, p3d_error *err)
{
    const trace_launch l = {.correlation = json_slice_whole(
                                    trace_find(e->args, "correlation"), 1, -1),
            .at_ns = e->start_ns,
            .thread = e->thread};

    return l.correlation < 0 || to->launches.n == INT32_MAX ||
           p3d_rows_add(&to->launches, sizeof(l), &l, err);
}

static bool take_step(trace_events *to, const event *e, p3d_error *err)
{
    const trace_step s = {e->start_ns, e->end_ns};

    return to->steps.n == INT32_MAX ||
           p3d_rows_add(&to->steps, sizeof(s), &s, err);
}

static bool take_op(trace_events *to, const event *e, p3d_error *err)
{
    trace_op op = {.start_ns = e->start_ns,
            .end_ns = e->end_ns,
            .thread = e->thread,
            .message = -1};
    bool found = trace_read_op(e->name, e->args, &op), ok = true;

    if (!found && json_slice_is(e->name, "record_param_comms")) {
        op.kind = TRACE_MESSAGE;
        op.message = add_message(to, e->args, &ok, err);
        found = op.message >= 0;
    }
    return ok && (!found || to->ops.n == INT32_MAX ||
                         p3d_rows_add(&to->ops, sizeof(op), &op, err));
}

static bool begins_with(json_slice slice, const char *word)
{
    const size_t n = strlen(word);

    return slice.n >= n && memcmp(slice.text, word, n) == 0;
}

/* Categories, and who takes their events. Steps stand among the annotations,
 * once as the host's and once as the GPU's, of which the first count. */
static const struct {
    const char *kind;
    bool (*take)(trace_events *to, const event *e, p3d_error *err);
} categories[] = {
        {"kernel", take_kernel},
        {"gpu_memcpy", take_kernel},
        {"gpu_memset", take_kernel},
        {"memcpy", take_kernel},
        {"memset", take_kernel},
        {"cuda_runtime", take_launch},
        {"cuda_driver", take_launch},
        {"runtime", take_launch},
        {"cpu_op", take_op},
        {"operator", take_op},
};

static bool take_event(trace_events *to, json_slice value, p3d_error *err)
{
    const event e = read_event(value);

    if (!e.spans)
        return true;
    if (begins_with(e.name, "ProfilerStep#") &&
            !json_slice_is(e.kind, "gpu_user_annotation"))
        return take_step(to, &e, err);
    for (int i = 0; i < P3D_COUNT_OF(categories); i++)
        if (json_slice_is(e.kind, categories[i].kind))
            return categories[i].take(to, &e, err);
    return true;
}

void trace_set_device(p3d_machine *machine, const int64_t numbers[4])
{
    static const int64_t most[] = {(int64_t)1 << 50, 100000, 999, 999};
    int64_t kept[4];

    for (int i = 0; i < 4; i++)
        kept[i] = numbers[i] > 0 && numbers[i] <= most[i] ? numbers[i] : 0;
    machine->memory_bytes = kept[0];
    machine->n_sms = kept[1];
    machine->compute_capability = 10 * kept[2] + kept[3];
}

/* The first device of the list is like the others. */
static void take_devices(trace_events *to, json_slice value)
{
    enum { MOST_DEVICES = 100000 };
    static const char *const keys[] = {
            "totalGlobalMem", "numSms", "computeMajor", "computeMinor"};
    json_walk walk = json_walk_into(value);
    const json_slice first = trace_nth(value, 0);
    p3d_machine *const m = &to->machine;
    char name[sizeof(m->name)];
    int64_t numbers[P3D_COUNT_OF(keys)];
    json_slice device;

    json_slice_copy(
            json_slice_inside(trace_find(first, "name")), name, sizeof(name));
    p3d_show(m->name, sizeof(m->name), name);
    for (int i = 0; i < P3D_COUNT_OF(keys); i++)
        numbers[i] = json_slice_whole(trace_find(first, keys[i]), 1, 0);
    trace_set_device(m, numbers);
    to->n_devices = 0;
    while (to->n_devices < MOST_DEVICES && json_walk_element(&walk, &device))
        to->n_devices++;
}

static int whole_of(json_slice object, const char *name, int otherwise)
{
    const int64_t found =
            json_slice_whole(trace_find(object, name), 1, otherwise);

    return found >= 0 ? p3d_at_most_int(found) : otherwise;
}

bool trace_events_take(
        void *events, json_slice key, json_slice value, p3d_error *err)
{
    trace_events *const to = events;

    if (key.n == 0)
        return take_event(to, value, err);
    if (json_slice_is(key, "deviceProperties"))
        take_devices(to, value);
    if (json_slice_is(key, "distributedInfo")) {
        to->rank = whole_of(value, "rank", -1);
        to->n_ranks = whole_of(value, "world_size", 0);
    }
    return true;
}
