/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - lists of operations to be measured, as tables. */
#include <string.h>

#include "base/util.h"
#include "exchange/measure/measured_rows.h"
#include "exchange/measure/measurements.h"

/* Sides of matrices, and ranks: products of two of them with a factor of some
 * bytes are still exact. */
static const double MOST_SIDE = 1e9;
static const double MOST_RANKS = 16777216;

const p3d_pass_kernel p3d_request_kernels[P3D_N_REQUEST_KERNELS] = {
        P3D_KERNEL_ADD, P3D_KERNEL_NORM};

/* clang-format off */
#define UP_TO(T, f, low, high, d)                                              \
    {MEASURED(T, f, JSON_INT64, int64_t, d),                                   \
     .flags = low > 0 ? JSON_REQUIRED : 0, .min = low, .max = high}
#define SIDE_ROW(T, f, d) UP_TO(T, f, 1, MOST_SIDE, d)

#define G p3d_request_gemm
static const json_field gemm_fields[] = {
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
static const json_shape gemm_shape =
    MEASURED_SHAPE(G, gemm_fields,
        "matrix products, C[m,n] = A[m,k] B[k,n]", NULL);

#define A p3d_request_attention
static const json_field attention_fields[] = {
    MAYBE_CHARS_ROW(A, name, "operation of the plan"),
    WORD_ROW(A, dtype, p3d_number_words, "type of queries, keys and values"),
    FLAG_ROW(A, backward, "the backward pass"),
    FLAG_ROW(A, causal, "tokens see none after them"),
    SIDE_ROW(A, batch, "sequences"),
    SIDE_ROW(A, heads, "heads of queries"),
    SIDE_ROW(A, kv_heads, "heads of keys and values"),
    SIDE_ROW(A, seq_q, "tokens of queries"),
    SIDE_ROW(A, seq_kv, "tokens of keys and values"),
    SIDE_ROW(A, qk_dim, "size of a head of queries and keys"),
    SIDE_ROW(A, v_dim, "size of a head of values"),
    MAYBE_COUNT_ROW(A, window, "tokens that one sees; absent = all before it"),
    SIDE_ROW(A, count, "kernels: steps of a ring of context parallelism"),
    MAYBE_COUNT_ROW(A, times, "a rank runs them in a step"),
};
static const json_shape attention_shape =
    MEASURED_SHAPE(A, attention_fields, "attention cores", NULL);

#define P p3d_request_pass
static const json_field pass_fields[] = {
    MAYBE_CHARS_ROW(P, name, "operation of the plan"),
    COUNT_ROW(P, bytes, 1, "read plus written"),
    COUNT_ROW(P, n_kernels, 1, "that share these bytes"),
    MAYBE_COUNT_ROW(P, times, "a rank runs them in a step"),
};
static const json_shape pass_shape =
    MEASURED_SHAPE(P, pass_fields, "memory-bound passes", NULL);

#define C p3d_request_collective
static const json_field collective_fields[] = {
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
static const char *check_collective(const void *row, const char **key)
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

static const json_shape collective_shape =
    MEASURED_SHAPE(C, collective_fields,
        "collectives and transfers", check_collective);

#define I p3d_request_piece
static const json_field piece_fields[] = {
    CHARS_ROW(I, name, "what the memory holds"),
    COUNT_ROW(I, bytes, 1, "of all of them"),
    COUNT_ROW(I, count, 1, "allocations that share these bytes"),
};
static const json_shape piece_shape =
    MEASURED_SHAPE(I, piece_fields,
        "what the framework has allocated on the tight rank at its peak", NULL);

#define D p3d_request
static const json_field head_fields[] = {
    CHARS_ROW(D, schema, "version of this format, plan3d/1"),
    CHARS_ROW(D, command, "shapes"),
    MAYBE_CHARS_ROW(D, model, "name of the model"),
    MAYBE_CHARS_ROW(D, cluster, "the cluster in words"),
    MAYBE_CHARS_ROW(D, plan, "the plan as --plan reads it"),
    MAYBE_COUNT_ROW(D, n_gpus, "of the job"),
    MAYBE_COUNT_ROW(D, n_micro_batches, "of a replica and step"),
    MAYBE_COUNT_ROW(D, allocated_bytes, "by the framework at its peak"),
    LIST_ROW(D, gemm, gemm_shape),
    LIST_ROW(D, attention, attention_shape),
    LIST_ROW(D, pass, pass_shape),
    LIST_ROW(D, collective, collective_shape),
    LIST_ROW(D, piece, piece_shape),
};

/* A document of another command has other members; this says it first. */
static const char *check_head(const void *object, const char **key)
{
    const D *const d = object;

    *key = "command";
    return strcmp(d->command, "shapes") == 0
                   ? NULL
                   : "not a list of shapes; make one with 'plan3d shapes ... "
                     "--json'";
}

static const json_shape head_shape =
    MEASURED_SHAPE(D, head_fields,
        "the operations of a plan, to be measured by plan3d-bench", check_head);
/* clang-format on */

bool p3d_request_open(const char *path, p3d_request *out, p3d_error *err)
{
    json_doc doc = {0};

    if (path == NULL || out == NULL)
        return p3d_misuse(err, __func__);
    return json_open(path, &doc, err) && json_take(&doc, &head_shape, out, err);
}

void p3d_request_free(p3d_request *request)
{
    if (request != NULL)
        json_free_lists(&head_shape, request);
}

void exchange_request_write(const p3d_request *from, p3d_text *out)
{
    json_put_object(&(json_writer){.out = out}, NULL, &head_shape, from);
    p3d_text_add(out, "\n");
}

void exchange_request_write_csv(const p3d_request *from, p3d_text *out)
{
    json_put_csv(&head_shape, from, out);
}

void exchange_request_write_lines(const p3d_request *from, p3d_text *out)
{
    json_put_lines(&head_shape, from, out);
}

void exchange_request_schema(p3d_text *out)
{
    json_put_schema(&(json_writer){.out = out}, NULL, &head_shape);
    p3d_text_add(out, "\n");
}
