/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_list.h - how the builders of workload.c write down operations. */
#ifndef PLAN3D_COST_WORKLOAD_WORKLOAD_LIST_H
#define PLAN3D_COST_WORKLOAD_WORKLOAD_LIST_H

#include "cost/cost.h"
#include "spec/params.h"

/** The matrices that lie side by side in a product. */
enum { LIST_MAX_MATRICES = 4 };
typedef struct list_linear {
    unsigned part; /* P3D_PART_ */
    bool by_input; /* tensor-parallel ranks divide their input, not output */
    int n;
    struct {
        unsigned target; /* P3D_TARGET_ */
        int64_t width;   /* on this rank; 0 = all of the product */
    } of[LIST_MAX_MATRICES];
} list_linear;

/** What the builders of one block share. */
typedef struct list_context {
    const p3d_model *model;
    const p3d_job *job;
    p3d_shard shard;
    p3d_workload *out;
    int64_t tokens;     /* of one micro-batch on a context-parallel rank */
    int64_t resident;   /* tokens whose residual stream this rank holds: tokens,
                         or tokens / tp with sequence parallelism */
    int64_t bytes;      /* per element */
    double input_bytes; /* per element that a product with weights keeps */
    p3d_dtype wide;     /* of everything but products with weights */
    bool expert;        /* products of the routed experts are listed */
    p3d_beside part;    /* of the layer, for what runs beside it */
    unsigned modules;   /* that what is being listed belongs to */
    unsigned frozen;    /* P3D_PART_ of the model */
    const p3d_adapter_facts *adapters; /* NULL: none */
    list_linear linear;                /* that the next product is of */
} list_context;

/** What the builders of a block of this model share, before the first. */
list_context list_context_of(const p3d_model *model, const p3d_job *job,
        p3d_shard shard, p3d_workload *out);

/** The next product is with one matrix; NONE: no adapter is ever beside. */
void list_matrix_of(
        list_context *c, unsigned part, unsigned target, bool by_input);

/** Bytes per element that a norm keeps beside its input: an RMSNorm these, a
 *  LayerNorm those of the framework. */
double list_norm_extra_bytes(const list_context *c, double rms_bytes);

/** Bytes per element of its input, an element of the residual stream. */
double list_norm_input_bytes(const list_context *c);

/** True where norms have a shift: LayerNorm, one kernel in every framework. */
bool list_has_layer_norm(const list_context *c);

/** True where the weights of a part are trained. */
bool list_trains(const list_context *c, unsigned part);

/** True where matrices of these targets have adapters. */
bool list_adapts(const list_context *c, unsigned targets);

/** True where the input of such matrices is kept for a gradient of weights. */
bool list_keeps_input(const list_context *c, unsigned part, unsigned targets);

/** Bytes per element of that input: adapters take it in 16 bit. */
double list_input_bytes(const list_context *c, unsigned part);

/** The adapters beside a product, what they keep, and what frozen matrices in
 *  8 and 4 bits take. */
void list_adapters(list_context *c, cost_product p);

/** The products of a matrix: a frozen one has no gradient. */
void list_products(
        list_context *c, const char *name, cost_product p, bool trained);

/** An adapter's own product and the two of its backward pass. */
void list_small_gemm(list_context *c, const char *name, cost_product p);

/** Product C[m,n] = A[m,k] W[k,n] forward, and the two of its backward pass:
 *  dA = dC W^T and dW = A^T dC. */
void list_gemm(list_context *c, const char *name, cost_product p);

/** What of a product with weights is cast to fp8 by kernels of its own; a norm
 *  right before it does a part. */
enum {
    LIST_CAST_INPUT = 1,
    LIST_CAST_GRADIENT = 2,
    LIST_OF_NORM = 4,
    LIST_CAST_AFTER_NORM = LIST_CAST_INPUT | LIST_CAST_GRADIENT | LIST_OF_NORM
};

/** The same where other kernels write some of it in fp8. */
void list_gemm_casting(
        list_context *c, const char *name, cost_product p, unsigned casts);

/** True for a cast of an operand. */
bool list_is_cast(const p3d_op *op);

/** The same for weights whose product stays in 16 bit when the job is fp8. */
void list_wide_gemm(list_context *c, const char *name, cost_product p);

/** The same for a product of two activations (no weights). */
void list_core_gemm(list_context *c, const char *name, cost_product p);

/** Memory-bound kernels of a pass: forward, and backward. */
typedef struct list_work {
    double bytes[2];
    int n_kernels[2];
} list_work;

void list_pass(list_context *c, const char *name, list_work work);

/** Those that sum over rows: norms, softmax, losses. */
void list_rows(list_context *c, const char *name, list_work work);

/** The same of so many elements; bytes are those of each, were it in 16 bit. */
void list_pass_over(
        list_context *c, const char *name, double elements, list_work each);
void list_rows_over(
        list_context *c, const char *name, double elements, list_work each);

/** A tensor that is kept for the backward pass, or there at some moments. */
typedef struct list_tensor {
    const char *name;
    const char *why;
    const char *source;
    int64_t rows, width;
    double bytes_per_element;
    unsigned modules; /* besides those of the context */
    unsigned moments;
    bool is_input;
} list_tensor;

/** A tensor, unless it is empty. */
void list_keep(list_context *c, list_tensor tensor);

/** What is sent, when and between which ranks. */
typedef struct list_transfer {
    p3d_phase phase;
    p3d_collective collective;
    p3d_axis axis;
    double payload_bytes;
} list_transfer;

/** A collective in one phase that nothing hides, for the caller to change.
 *  @return NULL for a group of one, where nothing happens */
p3d_op *list_collective(list_context *c, const char *name, list_transfer sent);

/** Communication of a tensor-parallel pair of linears: `column` wide on this
 *  rank the output of the first, `row` the input of the second. */
void list_tensor_parallel(
        list_context *c, const char *name, int64_t column, int64_t row);

/** That of an MLP f wide on this rank, whose gate is a linear of its own: both
 *  all-reduce the gradient of their input. With sequence parallelism the norm
 *  before them gathers and scatters for both. */
void list_gate_parallel(list_context *c, const char *name, int64_t f);

/** That of an MLP of this width in all. */
void list_mlp_parallel(list_context *c, const char *name, int64_t ffn);

/** That of the attention, with the MLP's where the two are parallel. */
void list_attention_parallel(list_context *c, bool shares_kv);

/** The framework's passes over memory for layers like the model's. */
const p3d_pass_bytes *list_pass_bytes(const list_context *c);

/** Append one operation and return it. */
p3d_op *list_add(
        list_context *c, const char *name, p3d_op_kind kind, p3d_phase phase);

/** Bytes of the residual stream of a whole context-parallel rank. */
int64_t list_stream_bytes(const list_context *c);

/** Something that a backward pass holds beside the saved tensors. */
typedef struct list_held {
    int64_t rows, width;
    unsigned moments; /* P3D_AT_ */
} list_held;

void list_hold(
        list_context *c, const char *name, const char *why, list_held what);

/** Targets that take the input of attention, and of an MLP. */
enum {
    LIST_INTO_ATTENTION = P3D_TARGET_Q | P3D_TARGET_K | P3D_TARGET_V,
    LIST_INTO_MLP = P3D_TARGET_GATE | P3D_TARGET_UP
};

/** Sources of tensors that several parts name. */
#define LIST_ACTIVATIONS "arXiv:2205.05198 section 4.1"
#define LIST_BACKWARD_ORDER \
    "tensors of the backward pass in the order autograd frees them"

/** A decoder layer of a kind, and the ends of the model. */
void list_layer(list_context *c, int kind);

/** What goes beside attention and MLP in a layer: two products of low rank,
 *  and further residual streams; and around all layers. */
void list_streams(list_context *c);
void list_streams_begin(list_context *c);
void list_streams_end(list_context *c);
void list_embedding(list_context *c);
void list_head(list_context *c);

/** An encoder's output that the layers attend to, kept once for all of them. */
void list_encoder_output(list_context *c);

/** A block of the tower: P3D_BLOCK_TOWER and on. */
void list_tower(const p3d_model *model, const p3d_job *job, p3d_shard shard,
        int block, p3d_workload *out);

/** The parts of a decoder layer; each in its own file. */
void list_attention(list_context *c, spec_layer layer);
void list_cross_attention(list_context *c);
void list_mixer(list_context *c);
void list_dense_mlp(list_context *c);

/** Mark the last product since the first of these operations, and what is sent
 *  of its result: the sum with the residual stream behind them keeps nothing
 *  for the backward pass. */
void list_mark_end(list_context *c, int first);
void list_moe_mlp(list_context *c);

/** Rows that the experts of one rank process, and what is kept per layer. */
int64_t list_expert_rows(const list_context *c);

#endif
