/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_parallel.c - communication of tensor-parallel ranks in a layer. */
#include "base/util.h"
#include "cost/workload/workload_list.h"

/* Chunks of a reduce-scatter beside its product. Source:
 * NVIDIA-NeMo/Megatron-Bridge@067f987 docs/performance-guide.md 3.3. */
enum { SCATTER_CHUNKS = 4 };

/* The product that a collective may run beside: that of the column-parallel
 * linear at the start of a pair, or of the row-parallel one at its end. */
typedef enum beside { NOTHING, COLUMN, ROW } beside;

/* How much of it the product cannot hide, whatever its length. */
typedef enum piece { NONE, RING, CHUNK } piece;

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
                   {P3D_BACKWARD, P3D_REDUCE_SCATTER, COLUMN, NONE},
                   {P3D_BACKWARD, P3D_ALL_GATHER, COLUMN, NONE}}};

static const exchanges *exchanges_of(const list_context *c)
{
    const bool sequence = c->shard.sequence_parallel;
    const bool overlaps = c->job->framework->async_tensor_parallel[sequence];

    if (!sequence)
        return overlaps ? &async : &waits;
    if (c->job->tp_overlap)
        return &pieces;
    return overlaps ? &async_sequence : &waits_sequence;
}

static double piece_frac(const list_context *c, piece first)
{
    switch (first) {
    case RING: return 1.0 / c->shard.tp;
    case CHUNK: return 1.0 / SCATTER_CHUNKS;
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

void list_tensor_parallel(
        list_context *c, const char *name, int64_t column, int64_t row)
{
    const exchanges *all = exchanges_of(c);
    const bool keeps = c->job->framework->keeps_gathered_input;

    if (c->shard.tp <= 1)
        return;
    for (int i = 0; i < all->n; i++) {
        const exchange *e = &all->list[i];
        p3d_op *op;

        if (i == MAX_EXCHANGES - 1 && keeps)
            continue; /* the input is there: no second gather */
        op = list_collective(c, name,
                (list_transfer){e->phase, e->collective, P3D_AXIS_TP,
                        (double)list_stream_bytes(c)});
        if (e->product == NOTHING)
            continue;
        op->exposed_frac = piece_frac(c, e->first);
        set_product(op, c, column, row, e->product);
    }
}
