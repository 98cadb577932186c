/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_list.c - writing operations into a workload, and with them the
 * communication of tensor-parallel ranks. */
#include "cost/workload/workload_list.h"

#include "base/util.h"
#include "cost/workload/precision.h"
#include "spec/given.h"

list_context list_context_of(const p3d_model *model, const p3d_job *job,
        p3d_shard shard, p3d_workload *out)
{
    list_context c = {.model = model,
            .job = job,
            .shard = shard,
            .out = out,
            .part = P3D_BESIDE_ATTENTION};

    c.tokens = (int64_t)shard.micro_batch * (job->seq_len / shard.cp);
    c.resident = shard.sequence_parallel ? c.tokens / shard.tp : c.tokens;
    c.bytes = p3d_dtype_bytes(job->dtype);
    c.frozen = p3d_job_frozen(job, model);
    c.adapters = job->adapters.rank > 0 ? p3d_adapter_facts_of(job->framework)
                                        : NULL;
    c.input_bytes = cost_kept_input_bytes(job);
    c.wide = p3d_precision_of(job) != NULL ? P3D_BF16 : job->dtype;
    return c;
}

p3d_op *list_add(
        list_context *c, const char *name, p3d_op_kind kind, p3d_phase phase)
{
    p3d_op *op;

    P3D_ASSERT(c->out->n_ops < P3D_MAX_OPS);
    op = &c->out->ops[c->out->n_ops++];
    *op = (p3d_op){.name = name,
            .kind = kind,
            .phase = phase,
            .count = 1,
            .n_kernels = 1,
            .dtype = c->wide,
            .modules = c->modules,
            .expert = c->expert,
            .part = c->part,
            .exposed_frac = 1};
    return op;
}

static p3d_op *add_gemm(
        list_context *c, const char *name, p3d_phase phase, cost_product p)
{
    p3d_op *op = list_add(c, name, P3D_OP_GEMM, phase);

    op->m = p.m;
    op->n = p.n;
    op->k = p.k;
    op->count = p.count;
    return op;
}

/** Bytes moved for an element of the gradient of weights by the product itself:
 *  read and written where it is added there. Source: Megatron-LM@d98e8a64
 *  megatron/core/tensor_parallel/layers.py (gradient_accumulation_fusion:
 *  wgrad_gemm_accum_fp32, or _fp16 where main_grad is in 16 bit). */
static double gradient_bytes(const p3d_job *job)
{
    if (!job->framework->adds_in_product || job->separate_gradients)
        return 0;
    return 2 * cost_gradient_bytes(job);
}

void list_products(
        list_context *c, const char *name, cost_product p, bool trained)
{
    p3d_op *op;

    add_gemm(c, name, P3D_FORWARD, p)->base = true;
    add_gemm(c, name, P3D_BACKWARD, (cost_product){p.m, p.k, p.n, p.count});
    if (!trained)
        return;
    op = add_gemm(
            c, name, P3D_BACKWARD, (cost_product){p.n, p.k, p.m, p.count});
    op->weight_gradient = true;
    op->out_bytes = gradient_bytes(c->job);
}

double list_norm_extra_bytes(const list_context *c, double rms_bytes)
{
    if (!list_has_layer_norm(c))
        return rms_bytes;
    return cost_autocasts(c->job)
                   ? 0
                   : p3d_job_kept(c->job)->layer_norm_extra_bytes;
}

double list_norm_input_bytes(const list_context *c)
{
    return cost_autocasts(c->job) ? 4 : (double)c->bytes;
}

bool list_has_layer_norm(const list_context *c)
{
    enum { LAYER_NORM = 2 }; /* weights of a channel: scale and shift */

    return c->model->norm_weights == LAYER_NORM;
}

bool list_trains(const list_context *c, unsigned part)
{
    return (c->frozen & part) == 0;
}

void list_small_gemm(list_context *c, const char *name, cost_product p)
{
    const int first = c->out->n_ops;

    list_products(c, name, p, true);
    for (int i = first; i < c->out->n_ops; i++) {
        c->out->ops[i].base = false;
        c->out->ops[i].adapter = true;
        c->out->ops[i].n_kernels = (int)p.count;
    }
}

void list_core_gemm(list_context *c, const char *name, cost_product p)
{
    const cost_product back = {p.m, p.k, p.n, p.count};
    const cost_product across = {p.n, p.k, p.m, p.count};

    add_gemm(c, name, P3D_FORWARD, p)->strided = true;
    add_gemm(c, name, P3D_BACKWARD, back)->strided = true;
    add_gemm(c, name, P3D_BACKWARD, across)->strided = true;
}

/* The kinds are those of the forward and of the backward pass. */
static void add_passes(list_context *c, const char *name, list_work work,
        const p3d_pass_kind *kinds)
{
    static const p3d_phase phases[] = {P3D_FORWARD, P3D_BACKWARD};

    for (int i = 0; i < P3D_COUNT_OF(phases); i++) {
        p3d_op *op = list_add(c, name, P3D_OP_PASS, phases[i]);

        op->bytes = work.bytes[i];
        op->single = list_pass_bytes(c)->single;
        op->pass_kind = kinds[i];
        op->n_kernels = work.n_kernels[i];
    }
}

void list_pass(list_context *c, const char *name, list_work work)
{
    add_passes(c, name, work,
            (const p3d_pass_kind[]){P3D_PASS_VECTOR, P3D_PASS_VECTOR});
}

void list_rows(list_context *c, const char *name, list_work work)
{
    add_passes(c, name, work,
            (const p3d_pass_kind[]){P3D_PASS_ROWS, P3D_PASS_ROWS_BACKWARD});
}

static list_work work_over(
        const list_context *c, double elements, list_work each)
{
    for (int i = 0; i < 2; i++)
        each.bytes[i] *= (double)c->bytes / 2 * elements;
    return each;
}

void list_pass_over(
        list_context *c, const char *name, double elements, list_work each)
{
    list_pass(c, name, work_over(c, elements, each));
}

void list_rows_over(
        list_context *c, const char *name, double elements, list_work each)
{
    list_rows(c, name, work_over(c, elements, each));
}

const p3d_pass_bytes *list_pass_bytes(const list_context *c)
{
    const p3d_framework *fw = c->job->framework;

    if (c->job->eager && fw->compiles)
        return &fw->pass_eager;
    if (c->job->loss == P3D_LOSS_LIGER && fw->pass_liger.n_kernels[0] > 0)
        return &fw->pass_liger;
    return &fw->pass[c->model->gated_mlp ? 1 : 0];
}

/** Size of an axis in the shard. */
static int axis_size(const list_context *c, p3d_axis axis)
{
    const int heads = spec_head_ranks(c->job, c->shard.cp, c->shard.ulysses);
    const int sizes[P3D_N_AXES] = {[P3D_AXIS_TP] = c->shard.tp,
            [P3D_AXIS_CP] = c->shard.cp,
            [P3D_AXIS_HEADS] = heads,
            [P3D_AXIS_RING] = c->shard.cp / heads,
            [P3D_AXIS_EP] = c->shard.ep,
            [P3D_AXIS_ETP] = c->shard.etp};

    return sizes[axis];
}

p3d_op *list_collective(list_context *c, const char *name, list_transfer sent)
{
    p3d_op *op;

    if (axis_size(c, sent.axis) <= 1)
        return NULL;
    op = list_add(c, name, P3D_OP_COLLECTIVE, sent.phase);
    op->collective = sent.collective;
    op->axis = sent.axis;
    op->bytes = sent.payload_bytes;
    return op;
}

void list_keep(list_context *c, list_tensor t)
{
    const double bytes = (double)t.rows * (double)t.width * t.bytes_per_element;

    if (bytes < 1)
        return;
    P3D_ASSERT(c->out->n_tensors < P3D_MAX_TENSORS);
    c->out->tensors[c->out->n_tensors++] = (p3d_tensor){.name = t.name,
            .why = t.why,
            .source = t.source,
            .rows = t.rows,
            .width = t.width,
            .bytes_per_element = t.bytes_per_element,
            .bytes = (int64_t)bytes,
            .moments = t.moments,
            .is_input = t.is_input,
            .modules = c->modules | t.modules};
}

void list_hold(
        list_context *c, const char *name, const char *why, list_held what)
{
    list_keep(c, (list_tensor){name, why, LIST_BACKWARD_ORDER, what.rows,
                         what.width, (double)c->bytes, 0, what.moments, false});
}

int64_t list_stream_bytes(const list_context *c)
{
    return c->bytes * c->tokens * c->model->hidden;
}

/* Chunks of a reduce-scatter beside its product. Source:
 * NVIDIA-NeMo/Megatron-Bridge@067f987 docs/performance-guide.md 3.3. */
enum { SCATTER_CHUNKS = 4 };

/* The product that a collective may run beside: that of the column-parallel
 * linear at the start of a pair, or of the row-parallel one at its end. */
typedef enum beside { NOTHING, COLUMN, ROW } beside;

/* How much of it the product cannot hide, whatever its length: of a collective
 * of NCCL or of user buffers nothing, the first piece of a ring or the last
 * chunk; the first of PyTorch's copies. */
typedef enum piece { NONE, BULK, RING, CHUNK, COPIES } piece;

typedef struct exchange {
    p3d_phase phase;
    p3d_collective collective;
    beside product;
    piece first;
} exchange;

enum { MAX_EXCHANGES = 5 };

typedef struct exchanges {
    int n;
    exchange list[MAX_EXCHANGES];
} exchanges;

/* Each of the linears communicates, and waits for it.
 * Source: arXiv:1909.08053 section 3; arXiv:2205.05198 section 4.2.2. */
static const exchanges waits = {
        2, {{P3D_FORWARD, P3D_ALL_REDUCE, NOTHING, NONE},
                   {P3D_BACKWARD, P3D_ALL_REDUCE, NOTHING, NONE}}};
static const exchanges waits_sequence = {
        5, {{P3D_FORWARD, P3D_ALL_GATHER, NOTHING, NONE},
                   {P3D_FORWARD, P3D_REDUCE_SCATTER, NOTHING, NONE},
                   {P3D_BACKWARD, P3D_ALL_GATHER, NOTHING, NONE},
                   {P3D_BACKWARD, P3D_REDUCE_SCATTER, NOTHING, NONE},
                   {P3D_BACKWARD, P3D_ALL_GATHER, NOTHING, NONE}}};

/* In backward of the column-parallel linear the input's gradient travels beside
 * the product of the weights' gradient, and the input is gathered again beside
 * the product before. Source: Megatron-LM@d98e8a64 megatron/core/
 * tensor_parallel/layers.py:671-790. */
static const exchanges async = {
        2, {{P3D_FORWARD, P3D_ALL_REDUCE, NOTHING, NONE},
                   {P3D_BACKWARD, P3D_ALL_REDUCE, COLUMN, NONE}}};
static const exchanges async_sequence = {
        5, {{P3D_FORWARD, P3D_ALL_GATHER, NOTHING, NONE},
                   {P3D_FORWARD, P3D_REDUCE_SCATTER, NOTHING, NONE},
                   {P3D_BACKWARD, P3D_ALL_GATHER, NOTHING, NONE},
                   {P3D_BACKWARD, P3D_REDUCE_SCATTER, COLUMN, NONE},
                   {P3D_BACKWARD, P3D_ALL_GATHER, COLUMN, NONE}}};

/* In pieces: the first of a ring and the last chunk of a scatter show. Source:
 * TransformerEngine v1.2 to v2.9 transformer_engine/pytorch/module/base.py. */
static const exchanges pieces = {
        5, {{P3D_FORWARD, P3D_ALL_GATHER, COLUMN, RING},
                   {P3D_FORWARD, P3D_REDUCE_SCATTER, ROW, CHUNK},
                   {P3D_BACKWARD, P3D_ALL_GATHER, ROW, RING},
                   {P3D_BACKWARD, P3D_REDUCE_SCATTER, COLUMN, BULK},
                   {P3D_BACKWARD, P3D_ALL_GATHER, COLUMN, BULK}}};

/* PyTorch's asynchronous tensor parallelism fuses gathers with the products
 * that need them and scatters with those before them, in both directions, in as
 * many pieces as there are ranks; the input that the gradient of the weights
 * needs again is not fused. Source: pytorch@2.6.0 torch/distributed/
 * _symmetric_memory/__init__.py (_pipelined_multi_all_gather_and_consume,
 * _pipelined_produce_and_all2all), torch/_inductor/fx_passes/
 * micro_pipeline_tp.py. As much of the rest shows as of NCCL's, though copy
 * engines send it: with it three pairs of 70B on 256 H100 save 2.3, 2.8 and
 * 1.1 s of 4.3 to 4.9 s (pytorch/torchtitan@b5bcd76 benchmarks). */
static const exchanges compiled_pieces = {
        5, {{P3D_FORWARD, P3D_ALL_GATHER, COLUMN, COPIES},
                   {P3D_FORWARD, P3D_REDUCE_SCATTER, ROW, COPIES},
                   {P3D_BACKWARD, P3D_ALL_GATHER, ROW, COPIES},
                   {P3D_BACKWARD, P3D_REDUCE_SCATTER, COLUMN, COPIES},
                   {P3D_BACKWARD, P3D_ALL_GATHER, NOTHING, NONE}}};

static const exchanges *exchanges_of(const list_context *c)
{
    const bool sequence = c->shard.sequence_parallel;
    const bool overlaps = c->job->framework->async_tensor_parallel[sequence];

    if (!sequence)
        return overlaps ? &async : &waits;
    if (c->job->tp_overlap)
        return c->job->framework->compiles ? &compiled_pieces : &pieces;
    return overlaps ? &async_sequence : &waits_sequence;
}

static double piece_frac(const list_context *c, piece first)
{
    switch (first) {
    case RING:
    case COPIES: return 1.0 / c->shard.tp;
    case CHUNK: return 1.0 / SCATTER_CHUNKS;
    case BULK:
    case NONE: break;
    }
    return 0;
}

/* Multiprocessors of a transfer by user buffers: rings are copied by the copy
 * engines. Source: TransformerEngine@d0067d0d transformer_engine/pytorch/
 * module/base.py:384-390 (num_sm, use_ce). */
enum { RING_SMS = 1, BUFFER_SMS = 16 };

static int piece_sms(piece first)
{
    switch (first) {
    case RING: return RING_SMS;
    case BULK:
    case CHUNK: return BUFFER_SMS;
    case COPIES:
    case NONE: break;
    }
    return 0;
}

/** The product of a linear on this rank, for whichever of its three shapes. */
static void set_product(p3d_op *op, const list_context *c, int64_t column,
        int64_t row, beside b)
{
    op->m = c->tokens;
    op->n = b == COLUMN ? column : c->model->hidden;
    op->k = b == COLUMN ? c->model->hidden : row;
    op->dtype = c->job->dtype;
}

/** Bytes of an exchange of the stream: Transformer Engine gathers what it has
 *  cast to fp8 for the product, and scatters sums in 16 bit.
 *
 *  Source: TransformerEngine@v1.7 transformer_engine/pytorch/module/
 *  layernorm_linear.py:160, 452; module/base.py grad_output_preprocess(). */
static double exchanged_bytes(const list_context *c, p3d_collective collective)
{
    const p3d_precision *const how = p3d_precision_of(c->job);
    const bool narrow = collective == P3D_ALL_GATHER && how != NULL &&
                        c->job->framework->transformer_engine;
    const double bytes = (double)list_stream_bytes(c);

    return narrow ? bytes * (how->data_bytes + how->scale_bytes) /
                            (double)c->bytes
                  : bytes;
}

/** True where nothing runs beside: it would be the gradient of weights that are
 *  frozen. */
static bool lacks_product(const list_context *c, const exchange *e)
{
    return e->phase == P3D_BACKWARD && e->product == COLUMN &&
           !c->job->framework->compiles && !list_trains(c, c->linear.part);
}

/** One exchange of such a pair. */
static void list_exchange(list_context *c, const char *name, const exchange *e,
        int64_t column, int64_t row)
{
    p3d_op *const op = list_collective(c, name,
            (list_transfer){e->phase, e->collective, P3D_AXIS_TP,
                    exchanged_bytes(c, e->collective)});

    if (e->product == NOTHING || lacks_product(c, e))
        return;
    op->exposed_frac = piece_frac(c, e->first);
    op->n_taken_sms = piece_sms(e->first);
    set_product(op, c, column, row, e->product);
}

void list_tensor_parallel(
        list_context *c, const char *name, int64_t column, int64_t row)
{
    const exchanges *all = exchanges_of(c);
    const bool keeps = c->job->framework->keeps_gathered_input ||
                       !list_trains(c, c->linear.part);

    if (c->shard.tp <= 1)
        return;
    for (int i = 0; i < all->n; i++)
        /* where the input is there, no second gather */
        if (i < MAX_EXCHANGES - 1 || !keeps)
            list_exchange(c, name, &all->list[i], column, row);
}

void list_gate_parallel(list_context *c, const char *name, int64_t f)
{
    const exchanges *all = exchanges_of(c);

    list_tensor_parallel(c, name, f, f);
    if (c->shard.tp <= 1 || c->shard.sequence_parallel)
        return;
    for (int i = 0; i < all->n; i++)
        if (all->list[i].phase == P3D_BACKWARD)
            list_exchange(c, name, &all->list[i], f, f);
}
