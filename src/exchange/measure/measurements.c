/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measurements.c - files of plan3d-bench as tables, and lists of operations to
 * be measured. */
#include "exchange/measure/measurements.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/util.h"
#include "json/field.h"

const char *const p3d_number_words[] = {
        "bf16", "fp16", "fp8", "tf32", "fp32", NULL};
const char *const p3d_layout_words[] = {"forward", "dgrad", "wgrad", NULL};
const char *const p3d_gemm_how_words[] = {"single", "batched", "loop", NULL};
const char *const p3d_attention_code_words[] = {"eager", "cudnn", NULL};
const char *const p3d_pass_kernel_words[] = {"copy", "scale", "add", "swiglu",
        "norm", "norm_backward", "adam", NULL};
const char *const p3d_copy_direction_words[] = {"h2d", "d2h", "both", NULL};
const char *const p3d_host_kernel_words[] = {"read", "copy", "adam", NULL};
const char *const p3d_measured_op_words[] = {"all_reduce", "all_gather",
        "reduce_scatter", "all_to_all", "broadcast", "send_recv", "copy_h2d",
        "copy_d2h", NULL};

/* Short forms for the rows of tables; the key is the name of the member, T its
 * struct. */
/* clang-format off */
#define MEASURED(T, f, d)                                                      \
    .key = #f, .type = JSON_TYPE_OF(T, f), .offset = offsetof(T, f), .doc = d
#define COUNT_ROW(T, f, low, d)  NUMBER_ROW(T, f, low, 1e15, d)
#define MAYBE_COUNT_ROW(T, f, d) MAYBE_ROW(T, f, 1e15, d)
#define NUMBER_ROW(T, f, low, high, d)                                         \
    {MEASURED(T, f, d), .flags = JSON_REQUIRED, .min = low, .max = high}
#define MAYBE_ROW(T, f, high, d) {MEASURED(T, f, d), .max = high}
#define FLAG_ROW(T, f, d)        {MEASURED(T, f, d), .flags = JSON_REQUIRED}
#define CHARS_ROW(T, f, d)       NUMBER_ROW(T, f, 0, sizeof(((T *)0)->f), d)
#define MAYBE_CHARS_ROW(T, f, d) MAYBE_ROW(T, f, sizeof(((T *)0)->f), d)
#define WORD_ROW(T, f, list, d)                                                \
    {.key = #f, .type = JSON_WORD(list), .flags = JSON_REQUIRED,               \
     .offset = JSON_AT(T, f, int), .doc = d}
#define LIST_ROW(T, f, s)                                                      \
    {.key = #f, .type = JSON_LIST(s), .offset = JSON_AT(T, f, p3d_rows)}

/* A table as a shape: what it is, and what is checked beside its fields. */
#define MEASURED_SHAPE(T, table, text, checked)                                \
    {.doc = text, .size = sizeof(T), .n_fields = P3D_COUNT_OF(table),          \
     .fields = table, .check = checked, .type_first = true}
/* clang-format on */

/* Longer than any operation takes: half a day. */
static const double MOST_S = 43200;

/* Above what any device reaches. */
static const double MOST_BYTES_PER_S = 1e15;
static const double MOST_HZ = 1e11;
static const double MOST_W = 1e5;

static const char *check_timing(const p3d_timing *timing, const char **key)
{
    *key = "median_s";
    if (timing->p10_s > timing->median_s || timing->median_s > timing->p90_s)
        return "the median is not between p10_s and p90_s";
    return NULL;
}

#define CHECK(T)                                                    \
    static const char *check_##T(const void *row, const char **key) \
    {                                                               \
        return check_timing(&((const T *)row)->timing, key);        \
    }
CHECK(p3d_gemm_row)
CHECK(p3d_attention_row)
CHECK(p3d_pass_row)
CHECK(p3d_copy_row)
CHECK(p3d_host_row)

/* A rate that is not that of the time would be believed by whom reads it. */
static const char *check_collective(const void *row, const char **key)
{
    const p3d_collective_row *const r = row;
    const double algbw = (double)r->bytes / r->timing.median_s;
    const double busbw =
            algbw * p3d_bus_factor((p3d_measured_op)r->op, r->n_ranks);
    const double tolerance = 0.01;

    *key = "algbw_bytes_per_s";
    if (r->algbw_bytes_per_s < algbw * (1 - tolerance) ||
            r->algbw_bytes_per_s > algbw * (1 + tolerance))
        return "not bytes over median_s";
    *key = "busbw_bytes_per_s";
    if (r->busbw_bytes_per_s < busbw * (1 - tolerance) ||
            r->busbw_bytes_per_s > busbw * (1 + tolerance))
        return "not algbw_bytes_per_s times the factor of the collective";
    return check_timing(&r->timing, key);
}

/* clang-format off */
#define SECONDS(T, f, d)                                                       \
    {.key = #f, .type = JSON_DOUBLE, .flags = JSON_REQUIRED,                   \
     .offset = JSON_AT(T, timing.f, double), .min = 1e-9, .max = MOST_S,       \
     .doc = d}
#define TIMING_ROWS(T)                                                         \
    {.key = "n_samples", .type = JSON_INT64, .flags = JSON_REQUIRED,           \
     .offset = JSON_AT(T, timing.n_samples, int64_t), .min = 1, .max = 1e9,  \
     .doc = "samples that were timed, each of one or more runs"},              \
    SECONDS(T, median_s, "of one run, s"),                                     \
    SECONDS(T, p10_s, "a tenth of the samples is faster, s"),                  \
    SECONDS(T, p90_s, "a tenth of the samples is slower, s")

#define M p3d_machine
static const json_field machine_fields[] = {
    CHARS_ROW(M, name, "of the device, as its driver has it"),
    CHARS_ROW(M, uuid_hash, "64-bit FNV-1a hash of its UUID"),
    COUNT_ROW(M, compute_capability, 10, "90 for sm_90"),
    COUNT_ROW(M, n_sms, 1, "multiprocessors"),
    COUNT_ROW(M, memory_bytes, 1, "that a program sees"),
    MAYBE_COUNT_ROW(M, l2_bytes, "of the second-level cache"),
    MAYBE_ROW(M, sm_hz, MOST_HZ, "highest clock of the multiprocessors"),
    MAYBE_ROW(M, memory_hz, MOST_HZ, "highest clock of the memory"),
    MAYBE_ROW(M, power_limit_w, MOST_W, "enforced power limit, W"),
    MAYBE_CHARS_ROW(M, driver, "version of the driver"),
    CHARS_ROW(M, cuda, "version of the CUDA runtime"),
    MAYBE_CHARS_ROW(M, cublas, "version of cuBLASLt"),
    MAYBE_CHARS_ROW(M, cudnn, "version of cuDNN; absent = not found"),
    MAYBE_CHARS_ROW(M, nccl, "version of NCCL"),
    COUNT_ROW(M, n_ranks, 1, "processes that took part, one a device"),
    COUNT_ROW(M, n_nodes, 1, "that they ran on"),
};
static const json_shape machine_shape =
    MEASURED_SHAPE(M, machine_fields, "the machine; of rank 0", NULL);

#define G p3d_gemm_row
static const json_field gemm_fields[] = {
    MAYBE_CHARS_ROW(G, name, "operation of the plan"),
    WORD_ROW(G, dtype, p3d_number_words, "type of the factors"),
    WORD_ROW(G, layout, p3d_layout_words, "how the factors lie in memory"),
    WORD_ROW(G, how, p3d_gemm_how_words, "how several products were run"),
    COUNT_ROW(G, m, 1, "rows of the result"),
    COUNT_ROW(G, n, 1, "columns of the result"),
    COUNT_ROW(G, k, 1, "length of the sums"),
    COUNT_ROW(G, count, 1, "products of this shape in one run"),
    FLAG_ROW(G, accumulate, "the result is added to fp32 sums"),
    FLAG_ROW(G, sustained, "for seconds on end, under the power limit"),
    TIMING_ROWS(G),
    COUNT_ROW(G, n_checked, 0, "entries compared with a reference product"),
    NUMBER_ROW(G, error_frac, 0, 1,
             "largest error, over the root of the sum of (a b)^2"),
    MAYBE_ROW(G, sm_hz, MOST_HZ, "clock while it ran"),
    MAYBE_ROW(G, power_w, MOST_W, "power while it ran, W"),
    MAYBE_COUNT_ROW(G, n_devices,
             "devices that ran it at once, one a rank; absent = one"),
    MAYBE_ROW(G, fastest_s, MOST_S, "median on the fastest of them, s"),
    MAYBE_ROW(G, slowest_s, MOST_S, "median on the slowest of them, s"),
};
static const json_shape gemm_shape =
    MEASURED_SHAPE(G, gemm_fields, "GEMMs", check_p3d_gemm_row);

/* An attention core; SIZE is a row of what is at least 1. */
#define SIZE_ROW(T, f, d) COUNT_ROW(T, f, 1, d)
#define CORE_ROWS(T, SIZE)                                                     \
    WORD_ROW(T, dtype, p3d_number_words, "type of queries, keys and values"),  \
    FLAG_ROW(T, backward, "the backward pass"),                                \
    FLAG_ROW(T, causal, "tokens see none after them"),                         \
    SIZE(T, batch, "sequences"),                                               \
    SIZE(T, heads, "heads of queries"),                                        \
    SIZE(T, kv_heads, "heads of keys and values"),                             \
    SIZE(T, seq_q, "tokens of queries"),                                       \
    SIZE(T, seq_kv, "tokens of keys and values"),                              \
    SIZE(T, qk_dim, "size of a head of queries and keys"),                     \
    SIZE(T, v_dim, "size of a head of values")

#define A p3d_attention_row
static const json_field attention_fields[] = {
    MAYBE_CHARS_ROW(A, name, "operation of the plan"),
    WORD_ROW(A, code, p3d_attention_code_words, "what was run"),
    CORE_ROWS(A, SIZE_ROW),
    TIMING_ROWS(A),
    COUNT_ROW(A, n_checked, 0, "entries compared with a reference"),
    NUMBER_ROW(A, error_frac, 0, 1,
             "largest error, over the root of the sum of squared terms"),
};
static const json_shape attention_shape =
    MEASURED_SHAPE(A, attention_fields,
        "attention cores", check_p3d_attention_row);

#define P p3d_pass_row
static const json_field pass_fields[] = {
    WORD_ROW(P, kernel, p3d_pass_kernel_words, "what was run"),
    COUNT_ROW(P, bytes, 1, "read plus written"),
    TIMING_ROWS(P),
};
static const json_shape pass_shape =
    MEASURED_SHAPE(P, pass_fields, "memory-bound kernels", check_p3d_pass_row);

#define C p3d_copy_row
static const json_field copy_fields[] = {
    WORD_ROW(C, direction, p3d_copy_direction_words,
             "to the device, to the host, or both at once"),
    COUNT_ROW(C, bytes, 1, "of one direction, from or to pinned memory"),
    TIMING_ROWS(C),
};
static const json_shape copy_shape =
    MEASURED_SHAPE(C, copy_fields,
        "copies between host and device", check_p3d_copy_row);

#define H p3d_host_row
static const json_field host_fields[] = {
    WORD_ROW(H, kernel, p3d_host_kernel_words, "what was run"),
    COUNT_ROW(H, n_threads, 1, "of the host, at once"),
    MAYBE_ROW(H, n_gpus, 1e4, "of the host, which share it"),
    COUNT_ROW(H, bytes, 1, "read plus written, by all threads"),
    TIMING_ROWS(H),
};
static const json_shape host_shape =
    MEASURED_SHAPE(H, host_fields,
        "passes over host memory", check_p3d_host_row);

#define L p3d_collective_row
static const json_field collective_fields[] = {
    WORD_ROW(L, op, p3d_measured_op_words, "the collective"),
    CHARS_ROW(L, axis, "group of ranks: all, or an axis of the plan"),
    COUNT_ROW(L, n_ranks, 1, "of a group"),
    COUNT_ROW(L, n_nodes, 1, "that the first group touches"),
    COUNT_ROW(L, n_groups, 1, "groups that ran at once"),
    FLAG_ROW(L, in_place, "in one buffer"),
    COUNT_ROW(L, bytes, 1, "of the larger buffer of a rank"),
    COUNT_ROW(L, n_checked, 0, "elements of the result that were compared"),
    TIMING_ROWS(L),
    NUMBER_ROW(L, algbw_bytes_per_s, 0, MOST_BYTES_PER_S,
             "bytes over median_s"),
    NUMBER_ROW(L, busbw_bytes_per_s, 0, MOST_BYTES_PER_S,
             "algbw_bytes_per_s times the factor of nccl-tests"),
};
static const json_shape collective_shape =
    MEASURED_SHAPE(L, collective_fields,
        "collectives, timed on the slowest rank", check_collective);

#define O p3d_overlap_row
static const json_field overlap_fields[] = {
    WORD_ROW(O, op, p3d_measured_op_words, "what ran beside the product"),
    WORD_ROW(O, dtype, p3d_number_words, "type of the factors"),
    COUNT_ROW(O, m, 1, "rows of the result"),
    COUNT_ROW(O, n, 1, "columns of the result"),
    COUNT_ROW(O, k, 1, "length of the sums"),
    COUNT_ROW(O, bytes, 1, "of the collective or copy"),
    COUNT_ROW(O, n_ranks, 1, "of the collective; 1 with a copy"),
    NUMBER_ROW(O, gemm_alone_s, 1e-9, MOST_S, "of the products alone, s"),
    NUMBER_ROW(O, gemm_beside_s, 1e-9, MOST_S, "of the same, beside it, s"),
    NUMBER_ROW(O, other_alone_s, 1e-9, MOST_S, "of the other alone, s"),
    NUMBER_ROW(O, other_beside_s, 1e-9, MOST_S, "of the other, beside them, s"),
};
static const json_shape overlap_shape =
    MEASURED_SHAPE(O, overlap_fields,
        "products beside a collective or a copy", NULL);

#define K p3d_capacity_row
static const json_field capacity_fields[] = {
    COUNT_ROW(K, context_bytes, 0, "taken before the first allocation"),
    MAYBE_COUNT_ROW(K, communicator_bytes, "taken by an NCCL communicator"),
    MAYBE_COUNT_ROW(K, wanted_bytes, "allocated by the plan at its peak"),
    MAYBE_COUNT_ROW(K, n_pieces, "allocations of the plan"),
    FLAG_ROW(K, fits, "all of them were allocated and written"),
    COUNT_ROW(K, largest_bytes, 0, "that could be allocated and written"),
};
static const json_shape capacity_shape =
    MEASURED_SHAPE(K, capacity_fields, "what the device holds", NULL);

#define D p3d_measurements
static const json_field head_fields[] = {
    {.key = "schema", .type = JSON_INT64, .flags = JSON_REQUIRED,
     .offset = JSON_AT(D, schema, int64_t), .min = 1, .max = 1,
     .doc = "version of this format, 1"},
    CHARS_ROW(D, program, "that measured, with its version"),
    CHARS_ROW(D, command, "line that it was run with"),
    CHARS_ROW(D, date, "UTC, when it began"),
    MAYBE_CHARS_ROW(D, note, "what was not measured, and why"),
    {.key = "device", .type = JSON_OBJECT(machine_shape),
     .flags = JSON_REQUIRED, .offset = JSON_AT(D, machine, p3d_machine)},
    LIST_ROW(D, gemm, gemm_shape),
    LIST_ROW(D, attention, attention_shape),
    LIST_ROW(D, pass, pass_shape),
    LIST_ROW(D, copy, copy_shape),
    LIST_ROW(D, host, host_shape),
    LIST_ROW(D, collective, collective_shape),
    LIST_ROW(D, overlap, overlap_shape),
    LIST_ROW(D, capacity, capacity_shape),
};
const json_shape exchange_measurements_shape =
    MEASURED_SHAPE(D, head_fields,
        "measurements of plan3d-bench on one machine", NULL);
/* clang-format on */

void p3d_measurements_free(p3d_measurements *measurements)
{
    if (measurements != NULL)
        json_free_lists(&exchange_measurements_shape, measurements);
}

void exchange_measurements_write(const p3d_measurements *from, p3d_text *out)
{
    json_put_object(&(json_writer){.out = out}, NULL,
            &exchange_measurements_shape, from);
    p3d_text_add(out, "\n");
}

int p3d_kernel_element_bytes(p3d_pass_kernel kernel)
{
    if ((unsigned)kernel >= P3D_N_PASS_KERNELS)
        return 0;

    static const int bytes[P3D_N_PASS_KERNELS] = {[P3D_KERNEL_COPY] = 2,
            [P3D_KERNEL_SCALE] = 4,
            [P3D_KERNEL_ADD] = 6,
            [P3D_KERNEL_SWIGLU] = 6,
            [P3D_KERNEL_NORM] = 4,
            [P3D_KERNEL_NORM_BACKWARD] = 6,
            [P3D_KERNEL_ADAM] = 30};

    return bytes[kernel];
}

int64_t p3d_kernel_bytes(p3d_pass_kernel kernel, int64_t wanted_bytes)
{
    const int64_t row_bytes =
            (int64_t)p3d_kernel_element_bytes(kernel) * P3D_PASS_COLUMNS;
    const int64_t n_rows = row_bytes > 0 ? wanted_bytes / row_bytes : 0;

    return (n_rows > 0 ? n_rows : 1) * row_bytes;
}

static bool is_json(const char *text)
{
    const char first = text[strspn(text, " \t\r\n")];

    return first == '{' || first == '[';
}

static bool fail_unknown(const char *file, p3d_error *err)
{
    p3d_error cause = {0};

    p3d_record(&cause, P3D_DATA,
            "no measurements: neither JSON of plan3d-bench nor a log of "
            "nccl-tests or mamf-finder nor a trace of the PyTorch profiler "
            "or Nsight Systems");
    return p3d_fail_file(err, file, &cause);
}

bool exchange_measurements_read(const char *file, const char *text,
        size_t length, p3d_measurements *out, p3d_error *err)
{
    json_doc doc = {0};
    exchange_log_reader *const reader =
            strlen(text) == length ? exchange_log_reader_of(text) : NULL;

    if (is_json(text) || length == 0)
        return json_parse(file, text, length, &doc, err) &&
               json_take(&doc, &exchange_measurements_shape, out, err);
    return reader != NULL ? reader(file, text, out, err)
                          : fail_unknown(file, err);
}

/* Lists of operations to be measured. */

/* Sides of matrices, and ranks: products of two of them with a factor of some
 * bytes are still exact. */
static const double MOST_SIDE = 1e9;
static const double MOST_RANKS = 16777216;

const p3d_pass_kernel p3d_request_kernels[P3D_N_REQUEST_KERNELS] = {
        P3D_KERNEL_ADD, P3D_KERNEL_NORM};

/* clang-format off */
#define UP_TO(T, f, low, high, d)                                              \
    {MEASURED(T, f, d), .flags = low > 0 ? JSON_REQUIRED : 0, .min = low,      \
     .max = high}
#define SIDE_ROW(T, f, d) UP_TO(T, f, 1, MOST_SIDE, d)

#undef G
#define G p3d_request_gemm
static const json_field wanted_gemm_fields[] = {
    MAYBE_CHARS_ROW(G, name, "operation of the plan"),
    WORD_ROW(G, dtype, p3d_number_words, "type of the factors"),
    WORD_ROW(G, layout, p3d_layout_words, "how the factors lie in memory"),
    WORD_ROW(G, how, p3d_gemm_how_words, "how several products are run"),
    SIDE_ROW(G, m, "rows of the result"),
    SIDE_ROW(G, n, "columns of the result"),
    SIDE_ROW(G, k, "length of the sums"),
    SIDE_ROW(G, count, "products of this shape"),
    MAYBE_COUNT_ROW(G, times, "a rank runs them in a step"),
};
static const json_shape wanted_gemm_shape =
    MEASURED_SHAPE(G, wanted_gemm_fields,
        "GEMMs, C[m,n] = A[m,k] B[k,n]", NULL);

#undef A
#define A p3d_request_attention
static const json_field wanted_attention_fields[] = {
    MAYBE_CHARS_ROW(A, name, "operation of the plan"),
    CORE_ROWS(A, SIDE_ROW),
    MAYBE_COUNT_ROW(A, window, "tokens that one sees; absent = all before it"),
    SIDE_ROW(A, count, "kernels: steps of a ring of context parallelism"),
    MAYBE_COUNT_ROW(A, times, "a rank runs them in a step"),
};
static const json_shape wanted_attention_shape =
    MEASURED_SHAPE(A, wanted_attention_fields, "attention cores", NULL);

#undef P
#define P p3d_request_pass
static const json_field wanted_pass_fields[] = {
    MAYBE_CHARS_ROW(P, name, "operation of the plan"),
    COUNT_ROW(P, bytes, 1, "read plus written"),
    COUNT_ROW(P, n_kernels, 1, "that share these bytes"),
    MAYBE_COUNT_ROW(P, times, "a rank runs them in a step"),
};
static const json_shape wanted_pass_shape =
    MEASURED_SHAPE(P, wanted_pass_fields, "memory-bound kernels", NULL);

#undef C
#define C p3d_request_collective
static const json_field wanted_collective_fields[] = {
    MAYBE_CHARS_ROW(C, name, "operation of the plan"),
    WORD_ROW(C, op, p3d_measured_op_words, "the collective"),
    CHARS_ROW(C, axis, "axis of the plan whose groups run it"),
    UP_TO(C, n_ranks, 2, MOST_RANKS, "of a group"),
    UP_TO(C, stride, 1, MOST_RANKS, "between neighbouring ranks of a group"),
    UP_TO(C, n_inner, 0, MOST_RANKS,
             "ranks of a group, after which the next is "
                    "`block` from where they began"),
    UP_TO(C, block, 0, MOST_RANKS, "see n_inner"),
    COUNT_ROW(C, bytes, 1, "of the larger buffer of a rank"),
    MAYBE_COUNT_ROW(C, times, "a rank runs it in a step"),
};
/* Ranks in two steps: whole blocks of inner ones. */
static const char *check_ranks(const void *row, const char **key)
{
    const C *const c = row;

    *key = "n_inner";
    if ((c->n_inner > 0) != (c->block > 0))
        return "n_inner and block go together; write both or none";
    if (c->n_inner > 0 && c->n_ranks % c->n_inner != 0)
        return "n_ranks is not a multiple of n_inner";
    *key = "block";
    return c->n_inner > 0 && c->block < c->n_inner * c->stride
                   ? "a block is shorter than the ranks in it"
                   : NULL;
}

static const json_shape wanted_collective_shape =
    MEASURED_SHAPE(C, wanted_collective_fields,
        "collectives and transfers", check_ranks);

#define I p3d_request_piece
static const json_field piece_fields[] = {
    CHARS_ROW(I, name, "what the memory holds"),
    COUNT_ROW(I, bytes, 1, "of all of them"),
    COUNT_ROW(I, count, 1, "allocations that share these bytes"),
};
static const json_shape piece_shape =
    MEASURED_SHAPE(I, piece_fields,
        "what the framework has allocated on the tight rank at its peak", NULL);

#undef D
#define D p3d_request
static const json_field request_fields[] = {
    CHARS_ROW(D, schema, "version of this format, plan3d/1"),
    MAYBE_CHARS_ROW(D, schema_version, "of the contract (docs/json.md)"),
    CHARS_ROW(D, command, "shapes"),
    MAYBE_CHARS_ROW(D, model, "name of the model"),
    MAYBE_CHARS_ROW(D, cluster, "the cluster in words"),
    MAYBE_CHARS_ROW(D, plan, "the plan as --plan reads it"),
    MAYBE_COUNT_ROW(D, n_gpus, "of the job"),
    MAYBE_COUNT_ROW(D, n_micro_batches, "of a replica and step"),
    MAYBE_COUNT_ROW(D, allocated_bytes, "by the framework at its peak"),
    LIST_ROW(D, gemm, wanted_gemm_shape),
    LIST_ROW(D, attention, wanted_attention_shape),
    LIST_ROW(D, pass, wanted_pass_shape),
    LIST_ROW(D, collective, wanted_collective_shape),
    LIST_ROW(D, piece, piece_shape),
};

/* A document of another command has other members; this says it first. */
static const char *check_command(const void *object, const char **key)
{
    const D *const d = object;

    *key = "command";
    return strcmp(d->command, "shapes") == 0
                   ? NULL
                   : "not a list of shapes; make one with 'plan3d shapes ... "
                     "--json'";
}

const json_shape exchange_request_shape =
    MEASURED_SHAPE(D, request_fields,
        "the operations of a plan, to be measured by plan3d-bench",
        check_command);
/* clang-format on */

bool p3d_request_open(const char *path, p3d_request *out, p3d_error *err)
{
    json_doc doc = {0};

    if (path == NULL || out == NULL)
        return p3d_misuse(err, __func__);
    return json_open(path, &doc, err) &&
           json_take(&doc, &exchange_request_shape, out, err);
}

void p3d_request_free(p3d_request *request)
{
    if (request != NULL)
        json_free_lists(&exchange_request_shape, request);
}

void exchange_request_write(const p3d_request *from, p3d_text *out)
{
    json_put_object(
            &(json_writer){.out = out}, NULL, &exchange_request_shape, from);
    p3d_text_add(out, "\n");
}
