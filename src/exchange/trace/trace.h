/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - events of a profiler, and what is made of them. */
#ifndef PLAN3D_EXCHANGE_TRACE_TRACE_H
#define PLAN3D_EXCHANGE_TRACE_TRACE_H

#include "plan3d/trace.h"
#include "json/parts.h"

/** A product that the host asked for. */
typedef struct trace_product {
    int dtype;  /* p3d_number; -1 = not recorded */
    int layout; /* p3d_layout; -1 = not recorded */
    int64_t m, n, k, count;
} trace_product;

/** A collective that the host asked for. */
typedef struct trace_message {
    int op;          /* p3d_measured_op; -1 = not recorded */
    int64_t bytes;   /* of the larger buffer; 0 = not recorded */
    int64_t n_ranks; /* 0 = not recorded */
    int64_t n_nodes; /* 0 = not known */
    uint64_t group;  /* a number for its list of ranks; 0 = not recorded */
} trace_message;

/** An attention core that the host asked for. */
typedef struct trace_core {
    int dtype; /* p3d_number */
    bool backward, causal;
    int64_t batch, heads, kv_heads, seq_q, seq_kv, qk_dim, v_dim;
} trace_core;

/** Something that ran on the GPU. */
typedef struct trace_kernel {
    int64_t start_ns, end_ns;
    int64_t moves_ns;    /* of a transfer: when its data begins to move; before,
                            it waits. 0 = at once */
    int64_t launched_ns; /* by the host; -1 = unknown */
    int64_t correlation; /* with who launched it; -1 = none */
    int kind;            /* p3d_traced */
    int layout;          /* of a product by its name; -1 = unknown */
    bool tf32;           /* a product by its name */
    int message;         /* place in `messages`; -1 = none */
    int op;              /* place in `ops` of who asked; -1 = unknown */
    int step;            /* -1 = before the first */
} trace_kernel;

/** A call of the host that launched something. */
typedef struct trace_launch {
    int64_t correlation;
    int64_t at_ns;
    uint64_t thread;
} trace_launch;

/** What an operator of the host asked for, and the member that says it. */
typedef enum trace_op_kind {
    TRACE_MESSAGE,
    TRACE_PRODUCT,
    TRACE_CORE
} trace_op_kind;

/** An operator of the host. */
typedef struct trace_op {
    int64_t start_ns, end_ns;
    uint64_t thread;
    trace_op_kind kind;
    int message; /* place in `messages`; -1 = none */
    trace_product product;
    trace_core core;
} trace_op;

typedef struct trace_step {
    int64_t start_ns, end_ns;
} trace_step;

/** What a trace holds. Zero to begin. */
typedef struct trace_events {
    p3d_machine machine;
    int64_t device; /* whose kernels are kept; meaningless without kernels */
    int n_devices;  /* of the node, as the profiler lists them */
    int rank, n_ranks;
    int64_t n_elsewhere;
    p3d_rows kernels;  /* of trace_kernel */
    p3d_rows launches; /* of trace_launch */
    p3d_rows ops;      /* of trace_op */
    p3d_rows messages; /* of trace_message */
    p3d_rows steps;    /* of trace_step */
} trace_events;

/** Accepts a zero struct. */
void trace_events_free(trace_events *events);

/** Take an event, or another member of the document. A json_part_taker's
 *  `take`. @param events  a trace_events */
bool trace_events_take(
        void *events, json_slice key, json_slice value, p3d_error *err);

/** A member of the arguments of an event, and the n-th element of a list; n is
 *  0 where there is none. */
json_slice trace_find(json_slice args, const char *name);
json_slice trace_nth(json_slice list, int n);

/** Bytes of an element of this type; 0 = unknown. */
int trace_type_bytes(json_slice word);

/** Read an operator that makes a row: kind, and the member of it.
 *  @return false for another one, and where sizes are not recorded */
bool trace_read_op(json_slice name, json_slice args, trace_op *out);

/** Kind of a kernel by its name. */
p3d_traced trace_kind_of(json_slice name);

/** Layout of a product by the letters in its kernel's name (tn, nn, nt); -1 =
 *  it does not say. */
int trace_layout_of(json_slice name);

/** True where the name says that it multiplies in TF32. */
bool trace_is_tf32(json_slice name);

/** A collective by the word of PyTorch ("allreduce", "all_gather_into_tensor");
 *  -1 = none that is measured. */
int trace_op_of(json_slice word);

/** The kind of such a collective; `otherwise` where it is none. */
int trace_kind_of_op(int op, int otherwise);

/** Set what a machine has, where a device may have so much: bytes of memory,
 *  multiprocessors, the two parts of its compute capability. */
void trace_set_device(p3d_machine *machine, const int64_t numbers[4]);

/** Make a trace of all events.
 *  @param out  release with p3d_trace_free(), also after a failure */
P3D_CHECK bool trace_finish(trace_events *events, const char *program,
        p3d_trace *out, p3d_error *err);

/** Two kernels of one stream are about so far apart, and nobody waits. */
enum { TRACE_LEAST_GAP_NS = 5000 };

/** Find out when the data of transfers between ranks begins to move: the
 *  fastest tenth of those of a size did not wait. */
P3D_CHECK bool trace_split_transfers(trace_events *events, p3d_error *err);

/** Nanoseconds of a time in which nothing ran and the next kernel had been
 *  launched before: the GPU, and not its host, waited for something.
 *  @param events  kernels by their start */
int64_t trace_stalled_ns(const trace_events *events, trace_step within);

/** Tie kernels to who launched them and to steps, and sum up. */
P3D_CHECK bool trace_sum_up(
        trace_events *events, p3d_trace *out, p3d_error *err);

/** List the collectives for which ranks wait, as they began. */
P3D_CHECK bool trace_list_calls(
        const trace_events *events, p3d_trace *out, p3d_error *err);

/** Add rows of products, attention and collectives, equal ones as one. */
P3D_CHECK bool trace_add_rows(
        const trace_events *events, p3d_trace *out, p3d_error *err);

#endif
